//! Keeping what is quoted short.
//!
//! Redaction reads what the sources wrote, so a source must not cut a secret in half: half a key is
//! no longer recognised, and still half a key. Hence whole lines are kept where one fits, and words
//! otherwise, always from the front: what names a secret stands before it, and a secret has no white
//! space in it. What is left out is marked by `…`, which counts too.
//!
//! Absent on purpose: tokens, budgets and sections, which are cut behind the redactor.

use foretell_text::plain::is_odd;

/// The sign for text that was left out.
const MARK: &str = "…";

/// A text as one line of at most so many characters: runs of white space become one space, control
/// characters are dropped, and what is too long ends after a whole word.
pub fn one_line(text: &str, most: usize) -> String {
    let mut line = String::new();
    let mut length: usize = 0;
    for word in text.split_whitespace() {
        let word: String = word.chars().filter(|c| !is_odd(*c)).collect();
        if word.is_empty() {
            continue;
        }
        let space = usize::from(!line.is_empty());
        length = length.saturating_add(space + word.chars().count());
        if length > most {
            return marked(&line, most);
        }
        if space == 1 {
            line.push(' ');
        }
        line.push_str(&word);
    }
    line
}

/// Lines as code of at most so many characters.
pub(crate) struct ShortenedCode {
    /// The code that is left.
    pub(crate) code: String,
    /// How many characters of what was given are in it.
    pub(crate) kept: usize,
    /// Whether that is all of it.
    pub(crate) is_whole: bool,
}

/// As many of the first lines as fit in so many characters, or the first words of the first line.
pub(crate) fn lines(lines: &[&str], most: usize) -> ShortenedCode {
    let lengths = lines.iter().map(|line| line.chars().count());
    // How long it is up to the end of each line.
    let ends: Vec<usize> = lengths
        .scan(0, |end: &mut usize, length| {
            let at = *end + length;
            *end = at + 1;
            Some(at)
        })
        .collect();
    if ends.last().is_none_or(|end| *end <= most) {
        return ShortenedCode {
            code: lines.join("\n"),
            kept: ends.last().copied().unwrap_or(0),
            is_whole: true,
        };
    }
    // A line end and the mark come behind them.
    let fitting = ends.iter().take_while(|end| **end + 2 <= most).count();
    let (kept, _) = lines.split_at(fitting);
    if let Some(end) = fitting.checked_sub(1).and_then(|last| ends.get(last)) {
        return ShortenedCode {
            code: format!("{}\n{MARK}", kept.join("\n")),
            kept: *end,
            is_whole: false,
        };
    }
    let code = marked(lines.first().copied().unwrap_or_default(), most);
    ShortenedCode {
        kept: code.chars().count().saturating_sub(2),
        code,
        is_whole: false,
    }
}

/// The first words of a line that is too long or goes on, and the mark.
fn marked(line: &str, most: usize) -> String {
    let Some(room) = most.checked_sub(2) else {
        return MARK.chars().take(most).collect();
    };
    let kept = match line.char_indices().nth(room) {
        // The last place before which a word ends.
        Some((end, next)) => {
            let (fits, _) = line.split_at_checked(end).unwrap_or_default();
            if next.is_whitespace() {
                fits
            } else {
                let cut = fits.rfind(char::is_whitespace).unwrap_or(0);
                fits.split_at_checked(cut).unwrap_or_default().0
            }
        }
        None => line,
    };
    match kept.trim_end() {
        "" => MARK.into(),
        kept => format!("{kept} {MARK}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remark_is_one_line() {
        assert_eq!(one_line("a\n\n  b\r\n\tc\u{1b}[0m d ", 99), "a b c[0m d");
        assert_eq!(one_line("\n \u{0} ", 99), "");
    }

    #[test]
    fn what_is_too_long_ends_after_a_word() {
        assert_eq!(one_line("one two three", 13), "one two three");
        assert_eq!(one_line("one two three", 12), "one two …");
        assert_eq!(one_line("one two three", 8), "one …");
        assert_eq!(one_line("one two three", 1), "…");
        assert_eq!(one_line("one two three", 0), "");
        assert_eq!(one_line("sk-0123456789", 12), "…");
    }

    #[test]
    fn whole_lines_are_kept() {
        let code = |most| lines(&["let a;", "", "let b;"], most).code;
        assert_eq!(code(14), "let a;\n\nlet b;");
        assert_eq!(code(13), "let a;\n\n…");
        assert_eq!(code(8), "let a;\n…");
        assert_eq!(code(7), "let …");
        assert_eq!(code(4), "…");
        assert_eq!(lines(&[], 4).code, "");
    }
}
