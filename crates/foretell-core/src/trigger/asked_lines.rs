//! The lines that were asked about, by number, and how they move when the text changes.
//!
//! A line keeps its memory when lines are put in or taken out above it, and when something changes
//! within it. A line that is taken out as a whole is forgotten; one that is joined to the line
//! above is remembered there. The numbers are those of the document's text as it is.

use std::collections::BTreeMap;

use foretell_text::{Edit, PositionEncoding, Replacement, Text};

use crate::moment::Moment;

/// How many lines are remembered before old ones are dropped.
const MANY_LINES: usize = 100;
/// How old those are, in milliseconds.
const OLD: u64 = 10_000;
/// How many lines are remembered at most, however new they are.
pub(crate) const MOST_LINES: usize = 1_000;

/// When each line was asked about.
#[derive(Debug, Default)]
pub(crate) struct AskedLines {
    asked: BTreeMap<u32, Moment>,
    /// No line was asked about before this.
    oldest: Moment,
}

impl AskedLines {
    pub(crate) fn get(&self, line: u32) -> Option<Moment> {
        self.asked.get(&line).copied()
    }

    pub(crate) fn len(&self) -> usize {
        self.asked.len()
    }

    pub(crate) fn remember(&mut self, now: Moment, line: u32) {
        // All are looked at only when there is an old one among them.
        if self.asked.len() > MANY_LINES && now.since(self.oldest) > OLD {
            self.asked.retain(|_, asked| now.since(*asked) <= OLD);
            let oldest = self.asked.values().min();
            self.oldest = oldest.copied().unwrap_or(now);
        }
        if self.asked.is_empty() {
            self.oldest = now;
        }
        self.asked.insert(line, now);
        if self.asked.len() > MOST_LINES {
            let oldest = self.asked.iter().min_by_key(|(_, asked)| **asked);
            if let Some(line) = oldest.map(|(line, _)| *line) {
                self.asked.remove(&line);
            }
        }
    }

    pub(crate) fn forget(&mut self, line: u32) {
        self.asked.remove(&line);
    }

    /// Moves the lines as an edit of a text moves them.
    pub(crate) fn follow(&mut self, before: &Text, edit: &Edit) {
        if self.asked.is_empty() {
            return;
        }
        // From the last to the first, so that each still finds the lines that it is about.
        for replacement in edit.replacements().iter().rev() {
            if let Some(shift) = LineShift::of(replacement, before) {
                self.shift(&shift);
            }
        }
    }

    fn shift(&mut self, shift: &LineShift) {
        let mut moved = self.asked.split_off(&shift.first);
        // Two lines may become one, and the later question counts then.
        for (line, asked) in std::mem::take(&mut moved) {
            if let Some(line) = shift.moved(line) {
                let known = self.asked.entry(line).or_insert(asked);
                *known = asked.max(*known);
            }
        }
    }
}

/// The effect of a replacement on the lines of a text.
struct LineShift {
    /// The line in which it begins.
    first: u32,
    /// The line in which what is replaced ends.
    last: u32,
    /// How many lines come in.
    added: u32,
    /// The fate of the line in which it begins.
    first_line: FirstLine,
}

enum FirstLine {
    Stays,
    /// Whole lines are put before it.
    IsPushedDown,
    /// It is taken out as a whole.
    Goes,
}

impl LineShift {
    /// Nothing if no line moves.
    fn of(replacement: &Replacement, before: &Text) -> Option<Self> {
        let (range, new_text) = (replacement.range(), replacement.new_text());
        let start = before
            .position_of(range.start(), PositionEncoding::Utf8)
            .ok()?;
        let end = before
            .position_of(range.end(), PositionEncoding::Utf8)
            .ok()?;
        let added = line_breaks(new_text);
        if added == 0 && start.line == end.line {
            return None;
        }
        let is_of_whole_lines = start.column == 0 && end.column == 0;
        let first_line = match is_of_whole_lines {
            true if range.is_empty() && new_text.ends_with('\n') => FirstLine::IsPushedDown,
            true if new_text.is_empty() => FirstLine::Goes,
            _ => FirstLine::Stays,
        };
        Some(LineShift {
            first: start.line,
            last: end.line,
            added,
            first_line,
        })
    }

    /// Where a line is now that was not before the first, or nothing if it is gone.
    fn moved(&self, line: u32) -> Option<u32> {
        let pushed = |line: u32| line.saturating_add(self.added);
        if line == self.first {
            return match self.first_line {
                FirstLine::Stays => Some(line),
                FirstLine::IsPushedDown => Some(pushed(line)),
                FirstLine::Goes => None,
            };
        }
        let below = line.checked_sub(self.last)?;
        Some(pushed(self.first).saturating_add(below))
    }
}

fn line_breaks(text: &str) -> u32 {
    let bytes = text.as_bytes();
    let pairs = bytes.iter().zip(bytes.iter().skip(1).chain([&0]));
    let is_break =
        |(byte, next): &(&u8, &u8)| **byte == b'\n' || (**byte == b'\r' && **next != b'\n');
    u32::try_from(pairs.filter(is_break).count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use foretell_text::{ByteOffset, ByteRange};

    const TEXT: &str = "zero\none\ntwo\nthree\nfour\n";

    /// Where the lines 1, 2 and 3 are after a change.
    fn after(start: usize, end: usize, new_text: &str) -> Vec<(u32, u64)> {
        let mut lines = AskedLines::default();
        for line in 1..=3 {
            lines.remember(Moment::from_millis(line.into()), line);
        }
        let range = ByteRange::new(ByteOffset::new(start), ByteOffset::new(end)).unwrap();
        let edit = Edit::from(Replacement::new(range, new_text));
        lines.follow(&Text::from(TEXT), &edit);
        let asked = lines.asked.iter();
        asked.map(|(line, asked)| (*line, asked.millis())).collect()
    }

    #[test]
    fn a_line_put_in_above_pushes_them_down() {
        assert_eq!(after(0, 0, "new\n"), [(2, 1), (3, 2), (4, 3)]);
        assert_eq!(after(5, 5, "new\r\n"), [(2, 1), (3, 2), (4, 3)]);
        assert_eq!(after(9, 9, "a\rb\n"), [(1, 1), (4, 2), (5, 3)]);
    }

    #[test]
    fn a_line_begun_below_leaves_them() {
        assert_eq!(after(18, 18, "\n    "), [(1, 1), (2, 2), (3, 3)]);
        assert_eq!(after(8, 8, "\n"), [(1, 1), (3, 2), (4, 3)]);
    }

    #[test]
    fn lines_taken_out_are_forgotten_and_the_rest_moves_up() {
        assert_eq!(after(5, 9, ""), [(1, 2), (2, 3)]);
        assert_eq!(after(0, 13, ""), [(0, 3)]);
        assert_eq!(after(0, TEXT.len(), ""), []);
    }

    #[test]
    fn lines_that_become_one_share_the_later_question() {
        assert_eq!(after(8, 9, ""), [(1, 2), (2, 3)]);
    }

    #[test]
    fn a_change_within_a_line_moves_nothing() {
        assert_eq!(after(6, 7, "xyz"), [(1, 1), (2, 2), (3, 3)]);
    }

    #[test]
    fn there_is_room_for_a_thousand() {
        let mut lines = AskedLines::default();
        for line in 0..3_000 {
            lines.remember(Moment::from_millis(7), line);
        }
        assert_eq!(lines.len(), MOST_LINES);
        lines.remember(Moment::from_millis(20_000), 5);
        assert_eq!(lines.len(), 1);
    }
}
