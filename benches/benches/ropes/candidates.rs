//! The ropes that are compared, behind one trait, and a `String` as their model.
//!
//! Separate from the measuring, so that what a candidate needs for an answer can be read side by
//! side. Each does it the shortest way its interface offers:
//! - ropey 1 edits by character, so a range of bytes is converted once more before a splice.
//! - crop counts neither characters nor lone CRs. UTF-32 columns are walked within the line.
//! - `String` scans the text for a place, and copies all of it for a snapshot.

use std::fmt::Display;
use std::ops::Range;

pub(crate) use crop::Rope as Crop;
pub(crate) use ropey::Rope as Ropey;
use ropey2::LineType::LF_CR;
pub(crate) use ropey2::Rope as Ropey2;

/// What Foretell needs of a text. Offsets are bytes unless a name says otherwise.
pub(crate) trait Candidate: Clone + PartialEq + Display + for<'a> From<&'a str> {
    /// What it is called in the table.
    const NAME: &'static str;

    /// Puts `insert` in place of a range.
    fn splice(&mut self, range: Range<usize>, insert: &str);
    fn utf16_to_byte(&self, utf16: usize) -> usize;
    fn place_to_byte(&self, unit: Unit, place: Place) -> usize;
    fn byte_to_place(&self, unit: Unit, byte: usize) -> Place;
}

/// A line and a column, both from 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// What a column counts: UTF-16 units, or characters.
#[derive(Clone, Copy)]
pub(crate) enum Unit {
    Utf16,
    Utf32,
}

impl Unit {
    fn width(self, character: char) -> usize {
        match self {
            Unit::Utf16 => character.len_utf16(),
            Unit::Utf32 => 1,
        }
    }

    /// How many bytes the first so many units are.
    fn bytes(self, characters: impl Iterator<Item = char>, units: usize) -> usize {
        let mut seen = 0;
        let within = characters.take_while(|character| {
            seen += self.width(*character);
            seen <= units
        });
        within.map(char::len_utf8).sum()
    }
}

impl Candidate for Ropey {
    const NAME: &'static str = "ropey 1.6.1";

    fn splice(&mut self, range: Range<usize>, insert: &str) {
        let start = self.byte_to_char(range.start);
        if !range.is_empty() {
            self.remove(start..self.byte_to_char(range.end));
        }
        self.insert(start, insert);
    }

    fn utf16_to_byte(&self, utf16: usize) -> usize {
        self.char_to_byte(self.utf16_cu_to_char(utf16))
    }

    fn place_to_byte(&self, unit: Unit, Place { line, column }: Place) -> usize {
        let start = self.line_to_char(line);
        self.char_to_byte(match unit {
            Unit::Utf16 => self.utf16_cu_to_char(self.char_to_utf16_cu(start) + column),
            Unit::Utf32 => start + column,
        })
    }

    fn byte_to_place(&self, unit: Unit, byte: usize) -> Place {
        let line = self.byte_to_line(byte);
        let (start, end) = (self.line_to_char(line), self.byte_to_char(byte));
        let column = match unit {
            Unit::Utf16 => self.char_to_utf16_cu(end) - self.char_to_utf16_cu(start),
            Unit::Utf32 => end - start,
        };
        Place { line, column }
    }
}

impl Candidate for Crop {
    const NAME: &'static str = "crop 0.4.3";

    fn splice(&mut self, range: Range<usize>, insert: &str) {
        self.replace(range, insert);
    }

    fn utf16_to_byte(&self, utf16: usize) -> usize {
        self.byte_of_utf16_code_unit(utf16)
    }

    fn place_to_byte(&self, unit: Unit, Place { line, column }: Place) -> usize {
        let start = self.byte_of_line(line);
        match unit {
            Unit::Utf16 => {
                self.byte_of_utf16_code_unit(self.utf16_code_unit_of_byte(start) + column)
            }
            Unit::Utf32 => start + unit.bytes(self.byte_slice(start..).chars(), column),
        }
    }

    fn byte_to_place(&self, unit: Unit, byte: usize) -> Place {
        let line = self.line_of_byte(byte);
        let start = self.byte_of_line(line);
        let column = match unit {
            Unit::Utf16 => self.utf16_code_unit_of_byte(byte) - self.utf16_code_unit_of_byte(start),
            Unit::Utf32 => self.byte_slice(start..byte).chars().count(),
        };
        Place { line, column }
    }
}

impl Candidate for Ropey2 {
    const NAME: &'static str = "ropey 2 beta 1";

    fn splice(&mut self, range: Range<usize>, insert: &str) {
        let start = range.start;
        if !range.is_empty() {
            self.remove(range);
        }
        self.insert(start, insert);
    }

    fn utf16_to_byte(&self, utf16: usize) -> usize {
        self.utf16_to_byte_idx(utf16)
    }

    fn place_to_byte(&self, unit: Unit, Place { line, column }: Place) -> usize {
        let start = self.line_to_byte_idx(line, LF_CR);
        match unit {
            Unit::Utf16 => self.utf16_to_byte_idx(self.byte_to_utf16_idx(start) + column),
            Unit::Utf32 => self.char_to_byte_idx(self.byte_to_char_idx(start) + column),
        }
    }

    fn byte_to_place(&self, unit: Unit, byte: usize) -> Place {
        let line = self.byte_to_line_idx(byte, LF_CR);
        let start = self.line_to_byte_idx(line, LF_CR);
        let column = match unit {
            Unit::Utf16 => self.byte_to_utf16_idx(byte) - self.byte_to_utf16_idx(start),
            Unit::Utf32 => self.byte_to_char_idx(byte) - self.byte_to_char_idx(start),
        };
        Place { line, column }
    }
}

impl Candidate for String {
    const NAME: &'static str = "String";

    fn splice(&mut self, range: Range<usize>, insert: &str) {
        self.replace_range(range, insert);
    }

    fn utf16_to_byte(&self, utf16: usize) -> usize {
        Unit::Utf16.bytes(self.chars(), utf16)
    }

    fn place_to_byte(&self, unit: Unit, Place { line, column }: Place) -> usize {
        let start = line_starts(self).nth(line).expect("there is such a line");
        start + unit.bytes(self[start..].chars(), column)
    }

    fn byte_to_place(&self, unit: Unit, byte: usize) -> Place {
        let starts = line_starts(self).take_while(|start| *start <= byte);
        let (line, start) = starts.enumerate().last().expect("the first starts at 0");
        let before = self[start..byte].chars();
        let column = before.map(|character| unit.width(character)).sum();
        Place { line, column }
    }
}

/// Where lines start, if they end at LF, CRLF and lone CR.
fn line_starts(text: &str) -> impl Iterator<Item = usize> {
    let bytes = text.as_bytes();
    let ends = bytes.iter().enumerate().filter(|(at, byte)| match byte {
        b'\n' => true,
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    });
    std::iter::once(0).chain(ends.map(|(at, _)| at + 1))
}
