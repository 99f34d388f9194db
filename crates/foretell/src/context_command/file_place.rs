//! Places as people write them: `src/cart.rs:12:5`, counted from one as compilers do.
//!
//! An argument is read from its end, since a path may have colons of its own. Whether the file has
//! such a line is asked later, of its text.

use std::path::PathBuf;
use std::str::FromStr;

use foretell_text::{ByteOffset, ByteRange, Position, PositionEncoding, PositionError, Text};

/// A file, a line of it, and a column if one was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FilePlace {
    pub(crate) file: PathBuf,
    line: u32,
    column: Option<u32>,
}

/// Some lines of a file, the first and the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LineSpan {
    first: u32,
    last: u32,
}

impl FromStr for FilePlace {
    type Err = NotAPlace;

    fn from_str(written: &str) -> Result<Self, NotAPlace> {
        let (before, last) = written.rsplit_once(':').ok_or(NotAPlace::NoLine)?;
        let last = number(last)?.ok_or(NotAPlace::NoLine)?;
        let (file, line, column) = match before.rsplit_once(':') {
            Some((file, line)) => match number(line)? {
                Some(line) => (file, line, Some(last)),
                None => (before, last, None),
            },
            None => (before, last, None),
        };
        if file.is_empty() {
            Err(NotAPlace::NoFile)
        } else {
            Ok(FilePlace {
                file: PathBuf::from(file),
                line,
                column,
            })
        }
    }
}

impl FromStr for LineSpan {
    type Err = NotAPlace;

    fn from_str(written: &str) -> Result<Self, NotAPlace> {
        let (first, last) = written.split_once(':').unwrap_or((written, written));
        match (number(first)?, number(last)?) {
            (Some(first), Some(last)) if first > last => Err(NotAPlace::Reversed),
            (Some(first), Some(last)) => Ok(LineSpan { first, last }),
            _ => Err(NotAPlace::NotLines),
        }
    }
}

/// A number counted from one, as it is counted from zero; nothing, if it is none.
fn number(written: &str) -> Result<Option<u32>, NotAPlace> {
    if written.is_empty() || !written.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(None);
    }
    // More than a file can have is as good as the most that can be said.
    let counted: u32 = written.parse().unwrap_or(u32::MAX);
    match counted.checked_sub(1) {
        Some(counted) => Ok(Some(counted)),
        None => Err(NotAPlace::Zero),
    }
}

/// Why what was typed is not a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NotAPlace {
    #[error("it names no line; write it like src/main.rs:12 or src/main.rs:12:5")]
    NoLine,
    #[error("it names no file; write it like src/main.rs:12 or src/main.rs:12:5")]
    NoFile,
    #[error("lines and columns are counted from 1")]
    Zero,
    #[error("the first line is behind the last; write the smaller one first")]
    Reversed,
    #[error("write the first and the last line, like 3:8")]
    NotLines,
}

impl FilePlace {
    /// Where somebody writes there: without a column, at the end of the line.
    pub(crate) fn end_in(&self, text: &Text) -> Result<ByteOffset, OutsideFile> {
        match self.column {
            Some(_) => self.offset_in(text),
            None => Ok(line_of(self.line, text)?.end()),
        }
    }

    /// Where that is in the text of the file.
    pub(crate) fn offset_in(&self, text: &Text) -> Result<ByteOffset, OutsideFile> {
        let start = line_of(self.line, text)?.start();
        let Some(column) = self.column else {
            return Ok(start);
        };
        let position = Position::new(self.line, column);
        // Columns are characters: what an editor shows, and most compilers count.
        match text.offset_at(position, PositionEncoding::Utf32) {
            Ok(offset) => Ok(offset),
            Err(PositionError::PastLineEnd { columns, .. }) => Err(OutsideFile::Column {
                line: u64::from(self.line) + 1,
                asked: u64::from(column) + 1,
                columns: u64::from(columns) + 1,
            }),
            Err(_) => Ok(start),
        }
    }
}

impl LineSpan {
    /// Where they are in the text of the file, the end of the last line left out.
    pub(crate) fn range_in(self, text: &Text) -> Result<ByteRange, OutsideFile> {
        let first = line_of(self.first, text)?;
        let last = line_of(self.last, text)?;
        Ok(ByteRange::new(first.start(), last.end()).unwrap_or(first))
    }
}

fn line_of(line: u32, text: &Text) -> Result<ByteRange, OutsideFile> {
    text.line(line).map_err(|_| OutsideFile::Line {
        asked: u64::from(line) + 1,
        lines: text.line_count(),
    })
}

/// A place that its file does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum OutsideFile {
    #[error("there is no line {asked}: it has {lines}")]
    Line { asked: u64, lines: usize },
    #[error("there is no column {asked} on line {line}: it ends at column {columns}")]
    Column { line: u64, asked: u64, columns: u64 },
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(written: &str) -> Result<(String, u32, Option<u32>), NotAPlace> {
        let place: FilePlace = written.parse()?;
        Ok((place.file.display().to_string(), place.line, place.column))
    }

    #[test]
    fn places_are_read_from_the_end() {
        assert_eq!(place("a.rs:12"), Ok(("a.rs".into(), 11, None)));
        assert_eq!(place("a.rs:12:5"), Ok(("a.rs".into(), 11, Some(4))));
        assert_eq!(place(r"C:\a.rs:12"), Ok((r"C:\a.rs".into(), 11, None)));
        assert_eq!(place(r"C:\a.rs:1:5"), Ok((r"C:\a.rs".into(), 0, Some(4))));
        assert_eq!(place("a:b:1:2"), Ok(("a:b".into(), 0, Some(1))));
        let most = Ok(("a".into(), u32::MAX - 1, None));
        assert_eq!(place("a:99999999999999999999"), most);
    }

    #[test]
    fn what_is_not_a_place_says_how_to_write_one() {
        for written in ["a.rs", r"C:\a.rs", "", "a.rs:", "a.rs:x", "a.rs:-1"] {
            assert_eq!(place(written), Err(NotAPlace::NoLine), "{written}");
        }
        assert_eq!(place(":3"), Err(NotAPlace::NoFile));
        assert_eq!(place("a:0"), Err(NotAPlace::Zero));
        assert_eq!(place("a:1:0"), Err(NotAPlace::Zero));
    }

    #[test]
    fn a_place_has_to_be_in_the_text() {
        let text = Text::from("größe\r\nb\n");
        let offset = |written: &str| {
            let place: FilePlace = written.parse().unwrap();
            place.offset_in(&text).map(ByteOffset::get)
        };
        assert_eq!(offset("a:1"), Ok(0));
        assert_eq!(offset("a:1:6"), Ok(7));
        assert_eq!(offset("a:2:2"), Ok(10));
        assert_eq!(offset("a:3"), Ok(11));
        let said = |written: &str| offset(written).unwrap_err().to_string();
        assert_eq!(said("a:4"), "there is no line 4: it has 3");
        assert_eq!(
            said("a:2:9"),
            "there is no column 9 on line 2: it ends at column 2"
        );
    }

    #[test]
    fn lines_are_selected_whole() {
        let text = Text::from("a\nbb\nc\n");
        let range = |written: &str| {
            let lines: LineSpan = written.parse().unwrap();
            let range = lines.range_in(&text).unwrap();
            (range.start().get(), range.end().get())
        };
        assert_eq!(range("1:2"), (0, 4));
        assert_eq!(range("2"), (2, 4));
        assert_eq!("3:2".parse::<LineSpan>(), Err(NotAPlace::Reversed));
        assert_eq!("x:2".parse::<LineSpan>(), Err(NotAPlace::NotLines));
        assert_eq!("1:2:3".parse::<LineSpan>(), Err(NotAPlace::NotLines));
        let beyond: LineSpan = "2:9".parse().unwrap();
        assert!(beyond.range_in(&text).is_err());
    }
}
