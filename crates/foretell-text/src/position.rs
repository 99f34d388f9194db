//! Lines, columns and UTF-16: how editors name a place, converted to and from bytes.
//!
//! This is the only code that converts. A line ends with LF, CRLF or CR, and the last line needs no
//! end. Columns count from the start of the line in the unit the client and the server agreed on.
//! Every conversion is a few descents of the rope, however long the text or the line.
//!
//! Two ways to read a position, on purpose under two names:
//! - [`Text::offset_at`] takes a position at its word and says no to a line or column that is not
//!   there. It is the exact inverse of [`Text::position_of`].
//! - [`Text::offset_at_lsp`] does what the language server protocol asks for: a column past the end
//!   of its line is the end of that line. A line that does not exist is an error there too, since it
//!   means that client and server no longer hold the same text.
//!
//! The place between the CR and the LF of a CRLF is an offset like any other, and counts as the
//! column after the line's last; LSP knows no such column, so only the exact reading finds it.

use std::fmt;

use crate::offset::{ByteOffset, ByteRange, Utf16Offset};
use crate::text::{OffsetError, Text, TextUnit};

/// A place named by line and column, both counted from zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column, in the units of an [`PositionEncoding`].
    pub column: u32,
}

impl Position {
    /// The place at a line and column.
    pub const fn new(line: u32, column: u32) -> Self {
        Position { line, column }
    }
}

/// As people write it, counted from one.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}:{}",
            u64::from(self.line) + 1,
            u64::from(self.column) + 1
        )
    }
}

/// The unit that a column counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PositionEncoding {
    /// Bytes of UTF-8.
    Utf8,
    /// Code units of UTF-16: what the protocol means unless agreed otherwise.
    #[default]
    Utf16,
    /// Characters, that is, Unicode scalar values.
    Utf32,
}

impl fmt::Display for PositionEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PositionEncoding::Utf8 => "UTF-8",
            PositionEncoding::Utf16 => "UTF-16",
            PositionEncoding::Utf32 => "UTF-32",
        })
    }
}

impl Text {
    /// The length in UTF-16 code units, as the offset at which the text ends.
    pub fn utf16_end(&self) -> Utf16Offset {
        Utf16Offset::new(self.rope().len_utf16_cu())
    }

    /// How many UTF-16 code units stand before a place.
    pub fn utf16_of(&self, offset: ByteOffset) -> Result<Utf16Offset, OffsetError> {
        let chars = self.chars_before(offset)?;
        Ok(Utf16Offset::new(self.rope().char_to_utf16_cu(chars)))
    }

    /// The place before which so many UTF-16 code units stand.
    pub fn byte_of(&self, offset: Utf16Offset) -> Result<ByteOffset, OffsetError> {
        let asked = offset.get();
        let chars = self
            .rope()
            .try_utf16_cu_to_char(asked)
            .map_err(|_| OffsetError::PastEnd {
                asked,
                unit: TextUnit::Utf16,
                len: self.rope().len_utf16_cu(),
            })?;
        let byte = ByteOffset::new(self.rope().char_to_byte(chars));
        if self.rope().char_to_utf16_cu(chars) != asked {
            return Err(self.inside_character(asked, TextUnit::Utf16, byte));
        }
        Ok(byte)
    }

    /// How many lines there are: one more than line ends, so never none.
    pub fn line_count(&self) -> usize {
        self.rope().len_lines()
    }

    /// A line without its line end.
    pub fn line(&self, line: u32) -> Result<ByteRange, PositionError> {
        let line = self.line_index(line)?;
        Ok(ByteRange::ordered(
            self.rope().line_to_byte(line),
            self.content_end(line),
        ))
    }

    /// The line that an offset is on, without its line end.
    pub fn line_at(&self, offset: ByteOffset) -> Result<ByteRange, OffsetError> {
        self.check(offset)?;
        let line = self.rope().byte_to_line(offset.get());
        Ok(ByteRange::ordered(
            self.rope().line_to_byte(line),
            self.content_end(line),
        ))
    }

    /// The line and column of an offset.
    pub fn position_of(
        &self,
        offset: ByteOffset,
        encoding: PositionEncoding,
    ) -> Result<Position, OffsetError> {
        let chars = self.chars_before(offset)?;
        let rope = self.rope();
        let line = rope.byte_to_line(offset.get());
        let line_start = rope.line_to_byte(line);
        let column = match encoding {
            PositionEncoding::Utf8 => offset.get() - line_start,
            PositionEncoding::Utf32 => chars - rope.byte_to_char(line_start),
            PositionEncoding::Utf16 => {
                let line_chars = rope.byte_to_char(line_start);
                rope.char_to_utf16_cu(chars) - rope.char_to_utf16_cu(line_chars)
            }
        };
        Ok(Position::new(saturated(line), saturated(column)))
    }

    /// The offset of a line and column that are taken at their word.
    pub fn offset_at(
        &self,
        position: Position,
        encoding: PositionEncoding,
    ) -> Result<ByteOffset, PositionError> {
        let line = self.line_index(position.line)?;
        let offset = self.at_column(line, position, encoding)?;
        let content_end = self.content_end(line);
        // Between CR and LF is still on this line; behind them is not.
        let last = content_end.max(self.line_end(line).saturating_sub(1));
        if offset.get() > last {
            return Err(self.past_line_end(line, position, encoding));
        }
        Ok(offset)
    }

    /// The offset of a line and column as LSP reads them: a column past the end of the line is its
    /// end. Positions on lines that do not exist, and inside a character, are errors.
    pub fn offset_at_lsp(
        &self,
        position: Position,
        encoding: PositionEncoding,
    ) -> Result<ByteOffset, PositionError> {
        let line = self.line_index(position.line)?;
        let content_end = ByteOffset::new(self.content_end(line));
        match self.at_column(line, position, encoding) {
            Ok(offset) => Ok(offset.min(content_end)),
            Err(PositionError::PastLineEnd { .. }) => Ok(content_end),
            Err(error) => Err(error),
        }
    }

    /// The offset so many columns behind the start of a line, wherever that is.
    fn at_column(
        &self,
        line: usize,
        position: Position,
        encoding: PositionEncoding,
    ) -> Result<ByteOffset, PositionError> {
        let rope = self.rope();
        let column = position.column as usize;
        let past_end = || self.past_line_end(line, position, encoding);
        let line_start = rope.line_to_byte(line);
        let found = match encoding {
            PositionEncoding::Utf8 => {
                let offset = ByteOffset::new(line_start.saturating_add(column));
                self.check(offset).map(|()| offset)
            }
            PositionEncoding::Utf16 => {
                let line_units = rope.char_to_utf16_cu(rope.byte_to_char(line_start));
                self.byte_of(Utf16Offset::new(line_units.saturating_add(column)))
            }
            PositionEncoding::Utf32 => {
                let character = rope.byte_to_char(line_start).saturating_add(column);
                let byte = rope.try_char_to_byte(character).map_err(|_| past_end())?;
                Ok(ByteOffset::new(byte))
            }
        };
        found.map_err(|error| match error {
            OffsetError::InsideCharacter { character, .. }
                if character.start().get() < self.content_end(line) =>
            {
                PositionError::InsideCharacter {
                    position,
                    encoding,
                    character,
                }
            }
            // Past the end of the text, or inside a character of a later line.
            OffsetError::PastEnd { .. } | OffsetError::InsideCharacter { .. } => past_end(),
        })
    }

    fn line_index(&self, line: u32) -> Result<usize, PositionError> {
        let lines = self.line_count();
        let index = line as usize;
        if index >= lines {
            return Err(PositionError::NoSuchLine { line, lines });
        }
        Ok(index)
    }

    /// Where a line ends, its line end included.
    fn line_end(&self, line: usize) -> usize {
        self.rope().line_to_byte(line + 1)
    }

    /// Where a line ends, its line end left out.
    fn content_end(&self, line: usize) -> usize {
        let end = self.line_end(line);
        let byte_before = |offset: usize| {
            offset
                .checked_sub(1)
                .and_then(|before| self.rope().get_byte(before))
        };
        // The last line has no line end: if it looks so, that is the line before's.
        if line + 1 == self.line_count() {
            return end;
        }
        match (byte_before(end), byte_before(end.saturating_sub(1))) {
            (Some(b'\n'), Some(b'\r')) => end - 2,
            (Some(b'\n' | b'\r'), _) => end - 1,
            _ => end,
        }
    }

    fn past_line_end(
        &self,
        line: usize,
        position: Position,
        encoding: PositionEncoding,
    ) -> PositionError {
        let end = ByteOffset::new(self.content_end(line));
        let columns = self
            .position_of(end, encoding)
            .map_or(0, |position| position.column);
        PositionError::PastLineEnd {
            position,
            encoding,
            columns,
        }
    }
}

/// A count that LSP's 32 bits hold, or the largest they do.
fn saturated(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// A position that is not a place in the text it was used on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// The text has fewer lines.
    #[error("line {} does not exist in a text of {lines} lines", u64::from(*.line) + 1)]
    NoSuchLine {
        /// The line that was asked for, counted from zero.
        line: u32,
        /// How many lines the text has.
        lines: usize,
    },
    /// The line has fewer columns.
    #[error("{position} is past the end of its line of {columns} {encoding} columns")]
    PastLineEnd {
        /// The position that was asked for.
        position: Position,
        /// The unit of its column.
        encoding: PositionEncoding,
        /// How many columns the line has.
        columns: u32,
    },
    /// The column lies between the parts of one character.
    #[error("{position} in {encoding} columns is inside the character at bytes {character}")]
    InsideCharacter {
        /// The position that was asked for.
        position: Position,
        /// The unit of its column.
        encoding: PositionEncoding,
        /// The character it would cut.
        character: ByteRange,
    },
}
