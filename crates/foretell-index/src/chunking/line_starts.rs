//! Where the lines of a text begin, and what can be told of a line by itself.
//!
//! Lines end as everywhere in Foretell: with `\n`, `\r\n` or `\r`. Parsers count them differently, so
//! nothing is taken from a parser but bytes. Lines count from 0 here. A byte order mark is before the
//! first line.

use std::ops::Range;

/// A text and where its lines begin.
pub(super) struct LineStarts<'a> {
    text: &'a str,
    /// Where each line begins, and the end of the text.
    starts: Vec<usize>,
}

impl<'a> LineStarts<'a> {
    /// The lines of a text. There is always one.
    pub(super) fn of(text: &'a str) -> Self {
        let bytes = text.as_bytes();
        let first = if text.starts_with('\u{feff}') { 3 } else { 0 };
        let mut starts = Vec::with_capacity(bytes.len() / 32 + 2);
        starts.push(first);
        for end in memchr::memchr2_iter(b'\n', b'\r', bytes) {
            let is_half = bytes[end] == b'\r' && bytes.get(end + 1) == Some(&b'\n');
            if !is_half {
                starts.push(end + 1);
            }
        }
        // Behind the last line end there is a line only if there is text.
        if starts.len() == 1 || starts.last() != Some(&bytes.len()) {
            starts.push(bytes.len());
        }
        LineStarts { text, starts }
    }

    /// The text.
    pub(super) fn text(&self) -> &'a str {
        self.text
    }

    /// How many lines there are.
    pub(super) fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The line that a byte is on.
    pub(super) fn at(&self, byte: usize) -> usize {
        let after = self.starts.partition_point(|start| *start <= byte);
        after.saturating_sub(1).min(self.count() - 1)
    }

    /// The lines that some bytes are on.
    pub(super) fn around(&self, bytes: Range<usize>) -> Range<usize> {
        let last = bytes.end.saturating_sub(1).max(bytes.start);
        self.at(bytes.start)..self.at(last) + 1
    }

    /// Where some lines are in the text, with the end of the last one.
    pub(super) fn bytes(&self, lines: Range<usize>) -> Range<usize> {
        let start = |line: usize| self.starts[line.min(self.count())];
        start(lines.start)..start(lines.end)
    }

    /// Whether nothing but space stands before a byte on its line.
    pub(super) fn is_first(&self, byte: usize) -> bool {
        let start = self.starts[self.at(byte)];
        let before = self.text.as_bytes().get(start..byte).unwrap_or_default();
        before.iter().all(u8::is_ascii_whitespace)
    }

    /// Whether a line says nothing.
    pub(super) fn is_blank(&self, line: usize) -> bool {
        self.line(line).iter().all(u8::is_ascii_whitespace)
    }

    /// Whether a line has no word, only brackets and the like.
    pub(super) fn is_bare(&self, line: usize) -> bool {
        let is_mark = |byte: &u8| byte.is_ascii() && !byte.is_ascii_alphanumeric();
        self.line(line).iter().all(is_mark)
    }

    /// How far a line is indented, in bytes, and what it begins with.
    pub(super) fn indent(&self, line: usize) -> (usize, Option<u8>) {
        let line = self.line(line);
        let first = line.iter().position(|byte| !byte.is_ascii_whitespace());
        match first {
            Some(first) => (first, line.get(first).copied()),
            None => (line.len(), None),
        }
    }

    fn line(&self, line: usize) -> &'a [u8] {
        let bytes = self.bytes(line..line + 1);
        self.text.as_bytes().get(bytes).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_three_ways_and_the_last_need_not_end() {
        let lines = LineStarts::of("\u{feff}a\r\nb\rc\n\nd");
        let told: Vec<_> = (0..lines.count())
            .map(|at| lines.bytes(at..at + 1))
            .collect();
        assert_eq!(told, [3..6, 6..8, 8..10, 10..11, 11..12]);
        assert_eq!(lines.at(0), 0);
        assert_eq!(lines.at(7), 1);
        assert_eq!(lines.around(6..10), 1..3);
        assert!(lines.is_blank(3) && !lines.is_blank(4));
    }

    #[test]
    fn an_empty_text_has_one_empty_line() {
        for text in ["", "\u{feff}"] {
            let lines = LineStarts::of(text);
            assert_eq!((lines.count(), lines.bytes(0..1).len()), (1, 0));
        }
        assert_eq!(LineStarts::of("\n").count(), 1);
    }
}
