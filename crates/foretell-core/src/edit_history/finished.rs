//! Whether a change can be finished where it is, and whether the person is still on its lines.
//!
//! Nothing follows from a change that is half made: `foo(` is no call yet, and `ord` in front of
//! `name` no name. A person who goes to another line has finished what they did on this one. A pause
//! says so too, but only where the text could stay as it is: people pause in the middle of everything.
//!
//! Absent on purpose: grammars and brackets. Whether a change leaves something open is seen by
//! whoever makes it again, who knows what is code and what is not.

use foretell_text::plain::is_word;
use foretell_text::{ByteOffset, ByteRange, Text};

/// The marks that want something behind them, where they are the last of their line.
const OPEN_ENDS: &[char] = &[
    '.', '=', '+', '-', '*', '/', '%', '&', '|', '^', '<', '(', '[', '\\', '@',
];

/// The part of a text that a change has put in, and what it took away.
#[derive(Clone, Copy)]
pub(super) struct ChangedPlace<'a> {
    pub(super) text: &'a Text,
    pub(super) old: &'a str,
    pub(super) now: ByteRange,
}

impl ChangedPlace<'_> {
    /// Whether the change may be whole as it is: it does not end in the middle of an expression, nor
    /// is it a word that is being written in front of another.
    pub(super) fn may_be_whole(self) -> bool {
        let new = self.read(self.now);
        let Some(last) = new.trim_end().chars().next_back() else {
            return true;
        };
        let Ok(line) = self.text.line_at(self.now.end()) else {
            return true;
        };
        let before = self.read(range(line.start(), self.now.start()));
        let after = self.read(range(self.now.end(), line.end()));
        let is_at_end = after.trim().is_empty() && !new.ends_with(['\n', '\r']);
        if is_at_end && OPEN_ENDS.contains(&last) {
            return false;
        }
        // `my_` in front of a name makes it another one, and so does `Full` in the middle of it.
        let is_joint = last == '_' || after.starts_with(|next: char| !next.is_lowercase());
        let is_in_front = self.old.is_empty()
            && new.ends_with(is_word)
            && after.starts_with(is_word)
            && !before.ends_with(is_word);
        !is_in_front || is_joint
    }

    /// Whether a selection touches a line that the change has put something on. A line break at its end
    /// belongs to no line: who has typed it has gone on.
    pub(super) fn is_on_lines_of(self, selection: ByteRange) -> bool {
        let new = self.read(self.now);
        let (front, back) = (new.trim_start(), new.trim_end());
        let now = if back.is_empty() {
            self.now
        } else {
            let start = self.now.start().get() + new.len() - front.len();
            let end = self.now.start().get() + back.len();
            range(ByteOffset::new(start), ByteOffset::new(end))
        };
        let lines = (self.text.line_at(now.start())).and_then(|first| {
            let last = self.text.line_at(now.end())?;
            Ok(range(first.start(), last.end()))
        });
        lines.is_ok_and(|lines| lines.touches(selection))
    }

    fn read(self, range: ByteRange) -> String {
        self.text.read(range).map(String::from).unwrap_or_default()
    }
}

fn range(start: ByteOffset, end: ByteOffset) -> ByteRange {
    ByteRange::new(start, end).unwrap_or(ByteRange::empty(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text in which `«` and `»` stand around what was put in.
    fn place(marked: &str, old: &str, ask: impl Fn(ChangedPlace<'_>) -> bool) -> bool {
        let (start, rest) = (marked.find('«').unwrap(), marked.replace('«', ""));
        let end = rest.find('»').unwrap();
        let text = Text::from(rest.replace('»', "").as_str());
        let now = range(ByteOffset::new(start), ByteOffset::new(end));
        ask(ChangedPlace {
            text: &text,
            old,
            now,
        })
    }

    fn may_be_whole(marked: &str, old: &str) -> bool {
        place(marked, old, |it| it.may_be_whole())
    }

    #[test]
    fn a_change_that_ends_in_the_middle_of_an_expression_is_not_whole() {
        assert!(may_be_whole("let a = «b»;\n", "c"));
        assert!(may_be_whole("let a = b«.c()»\n", ""));
        assert!(!may_be_whole("let a = b«.»\n", ""));
        assert!(!may_be_whole("let a «= »\n", ""));
        assert!(may_be_whole("f(«&»a)\n", ""));
        assert!(may_be_whole("f(a«»)\n", ", b"));
    }

    #[test]
    fn a_word_in_front_of_another_is_not_whole() {
        assert!(!may_be_whole("let a = «fo»name;\n", ""));
        assert!(may_be_whole("let a = «my_»name;\n", ""));
        assert!(may_be_whole("let a = «get»Name;\n", ""));
        assert!(may_be_whole("colo«u»r\n", ""));
        assert!(may_be_whole("«fo»name\n", "b"));
    }

    #[test]
    fn a_line_break_at_the_end_leaves_the_line() {
        let is_on = |marked: &str, at: usize| {
            let selection = ByteRange::empty(ByteOffset::new(at));
            place(marked, "", |it| it.is_on_lines_of(selection))
        };
        assert!(is_on("a\nb«c»d\ne", 2) && is_on("a\nb«c»d\ne", 5));
        assert!(!is_on("a\nb«c»d\ne", 1) && !is_on("a\nb«c»d\ne", 6));
        assert!(!is_on("b«c;\n    »\n", 8));
        assert!(is_on("b«\n    c»\n", 7) && !is_on("b«\n    c»\n", 1));
    }
}
