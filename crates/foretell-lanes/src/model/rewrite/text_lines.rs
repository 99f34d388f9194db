//! Texts as lines, split as [`Text`](foretell_text::Text) splits them: at LF, CRLF and lone CR.
//!
//! Separate because what is told, what is answered and what is compared must agree on what a line is:
//! an answer has its line ends from the model, and a document keeps its own.

/// A line of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::model) struct TextLine<'t> {
    /// Where it begins, in bytes.
    pub(super) start: usize,
    /// Its text, without its line end.
    pub(super) text: &'t str,
    /// Its line end; nothing behind the last line, which needs none.
    pub(super) end: &'t str,
}

impl TextLine<'_> {
    /// Where what it says ends.
    pub(super) fn text_end(&self) -> usize {
        self.start + self.text.len()
    }

    /// Where the next line begins.
    pub(super) fn next(&self) -> usize {
        self.text_end() + self.end.len()
    }
}

/// The lines of a text: one more than line ends, so never none.
pub(in crate::model) fn split(text: &str) -> Vec<TextLine<'_>> {
    let (mut lines, mut rest, mut start) = (Vec::new(), text, 0);
    while let Some(at) = rest.find(['\n', '\r']) {
        let (says, behind) = rest.split_at(at);
        let (end, next) = behind.split_at(if behind.starts_with("\r\n") { 2 } else { 1 });
        let line = TextLine {
            start,
            text: says,
            end,
        };
        start = line.next();
        rest = next;
        lines.push(line);
    }
    lines.push(TextLine {
        start,
        text: rest,
        end: "",
    });
    lines
}

/// The lines of a text, without line ends.
pub(in crate::model) fn texts(text: &str) -> Vec<&str> {
    split(text).into_iter().map(|line| line.text).collect()
}

/// A text with LF for every line end.
pub(in crate::model) fn with_line_feeds(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// The line end that most lines have, if any line has one; of two as frequent, the first.
pub(in crate::model) fn usual_end<'t>(lines: &[TextLine<'t>]) -> Option<&'t str> {
    let ends = || {
        lines
            .iter()
            .map(|line| line.end)
            .filter(|end| !end.is_empty())
    };
    let count = |end: &str| ends().filter(|other| *other == end).count();
    // The last of equals wins, so that the first comes last.
    ends().rev().max_by_key(|end| count(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_as_editors_end_them() {
        assert_eq!(texts("a\nb\r\nc\rd"), ["a", "b", "c", "d"]);
        assert_eq!(texts("a\n"), ["a", ""]);
        assert_eq!(texts(""), [""]);
        assert_eq!(texts("\r\r\n\n"), ["", "", "", ""]);
    }

    #[test]
    fn the_usual_line_end_is_that_of_most_lines() {
        let usual = |text: &str| usual_end(&split(text)).map(str::to_owned);
        assert_eq!(usual("a\r\nb\nc\r\nd").as_deref(), Some("\r\n"));
        assert_eq!(usual("a\r\nb\nc").as_deref(), Some("\r\n"));
        assert_eq!(usual("a\rb\nc").as_deref(), Some("\r"));
        assert_eq!(usual("a"), None);
    }
}
