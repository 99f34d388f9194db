//! [`Text`]: an immutable snapshot of a document.
//!
//! A `Text` is a rope behind a door. The rope counts in characters and panics when asked wrongly;
//! everything here counts in bytes, checks what it is asked, and answers with an error value that
//! says what was asked and what the text is. Cloning shares the whole tree, and making the next
//! snapshot copies only the path to what changed, so a snapshot may be kept for as long as anybody
//! wants it.
//!
//! Two snapshots are of the same *revision* when one is a clone of the other. That is known without
//! looking at either; texts of different revisions may still be equal, which is then found by
//! comparing them.
//!
//! # Why this rope
//!
//! Editing sessions were replayed on the candidates, with typing and conversions on documents of 50 KB
//! to 5 MB. [ropey] 1.6 took about 0.8 µs an edit where crop 0.4 and the beta of ropey 2 took 0.4, and
//! up to twice as long for UTF-16 columns; all of them are
//! hundreds of times faster than a `String` on a large document, and none is what a keystroke waits
//! for. What decides is what a rope knows. Editors count lines by LF, CRLF and CR, and columns in
//! bytes, UTF-16 or characters, also on a line of megabytes. ropey knows all of these in O(log n).
//! crop knows neither a lone CR nor characters (a column on a 5 MB line takes it milliseconds), and
//! splits CRLF between pieces. ropey 2 is a beta. The rope is not visible outside this crate, so
//! changing it later is a matter of this file and [`position`](crate::position).
//!
//! Lines, columns and UTF-16 are the business of [`position`](crate::position); edits, of
//! [`edit`](crate::edit). Nothing here changes a text.

use std::borrow::Cow;
use std::fmt;

use ropey::Rope;

use crate::offset::{ByteOffset, ByteRange};

/// An immutable snapshot of a document's text.
#[derive(Clone, Default)]
pub struct Text {
    rope: Rope,
}

impl Text {
    /// The length in bytes, as the offset at which the text ends.
    pub fn end(&self) -> ByteOffset {
        ByteOffset::new(self.rope.len_bytes())
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.rope.len_bytes() == 0
    }

    /// Whether both are the very same snapshot, found without looking at the text.
    ///
    /// `false` says nothing: the texts may still be equal.
    pub fn is_same_revision(&self, other: &Text) -> bool {
        self.rope.is_instance(&other.rope)
    }

    /// The text of a range, borrowed where it lies in one piece.
    pub fn read(&self, range: ByteRange) -> Result<Cow<'_, str>, OffsetError> {
        if let Some(piece) = self.in_one_piece(range) {
            return Ok(Cow::Borrowed(piece));
        }
        self.check_range(range)?;
        Ok(self.read_checked(range))
    }

    /// The pieces the text is stored in, in order.
    pub fn chunks(&self) -> impl Iterator<Item = &str> {
        self.rope.chunks()
    }

    /// Says no to an offset past the end or inside a character.
    pub fn check(&self, offset: ByteOffset) -> Result<(), OffsetError> {
        self.chars_before(offset).map(|_| ())
    }

    /// The last offset between two characters that is not behind a number of bytes.
    pub fn floor(&self, bytes: usize) -> ByteOffset {
        let mut near = self.end().get().min(bytes);
        // A character has at most four bytes, so that this ends soon.
        while near > 0 && self.check(ByteOffset::new(near)).is_err() {
            near -= 1;
        }
        ByteOffset::new(near)
    }

    /// Says no to a range of which an end does not fit.
    pub(crate) fn check_range(&self, range: ByteRange) -> Result<(), OffsetError> {
        if self.in_one_piece(range).is_some() {
            return Ok(());
        }
        self.check(range.start())?;
        if range.is_empty() {
            return Ok(());
        }
        self.check(range.end())
    }

    /// The text of a range that has been checked.
    pub(crate) fn read_checked(&self, range: ByteRange) -> Cow<'_, str> {
        if let Some(piece) = self.in_one_piece(range) {
            return Cow::Borrowed(piece);
        }
        self.rope
            .get_byte_slice(range.start().get()..range.end().get())
            .map_or(Cow::Borrowed(""), Cow::from)
    }

    /// The text of a range, if it fits and is stored in one piece: one descent of the rope, which is
    /// all that most questions about a line need.
    fn in_one_piece(&self, range: ByteRange) -> Option<&str> {
        let (start, end) = (range.start().get(), range.end().get());
        let (chunk, chunk_start, ..) = self.rope.get_chunk_at_byte(start)?;
        chunk.get(start - chunk_start..end - chunk_start)
    }

    /// How many characters stand before an offset, or why there is no such place.
    pub(crate) fn chars_before(&self, offset: ByteOffset) -> Result<usize, OffsetError> {
        let (chunk, chunk_start, chunk_chars, _) = self
            .rope
            .get_chunk_at_byte(offset.get())
            .ok_or_else(|| OffsetError::PastEnd {
                asked: offset.get(),
                unit: TextUnit::Bytes,
                len: self.rope.len_bytes(),
            })?;
        let within = offset.get() - chunk_start;
        if !chunk.is_char_boundary(within) {
            return Err(self.inside_character(offset.get(), TextUnit::Bytes, offset));
        }
        Ok(chunk_chars + ropey::str_utils::byte_to_char_idx(chunk, within))
    }

    /// The error for an offset in some unit that lies inside the character around `byte`.
    pub(crate) fn inside_character(
        &self,
        asked: usize,
        unit: TextUnit,
        byte: ByteOffset,
    ) -> OffsetError {
        let character = self.rope.byte_to_char(byte.get());
        let start = self.rope.char_to_byte(character);
        let end = self.rope.char_to_byte(character + 1);
        OffsetError::InsideCharacter {
            asked,
            unit,
            character: ByteRange::ordered(start, end),
        }
    }

    pub(crate) fn rope(&self) -> &Rope {
        &self.rope
    }

    pub(crate) fn from_rope(rope: Rope) -> Self {
        Text { rope }
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Text {
            rope: Rope::from_str(text),
        }
    }
}

/// Equal when they hold the same characters, whatever their revisions. Constant for the same
/// revision and for different lengths, otherwise a comparison of the bytes.
impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        let same_length = || self.rope.len_bytes() == other.rope.len_bytes();
        self.is_same_revision(other) || (same_length() && self.rope == other.rope)
    }
}

impl Eq for Text {}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.rope == other
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.chunks().try_for_each(|chunk| f.write_str(chunk))
    }
}

/// Its length only: a document does not belong in a log.
impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Text({} bytes)", self.rope.len_bytes())
    }
}

/// The unit that an offset counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextUnit {
    /// Bytes of UTF-8.
    Bytes,
    /// Code units of UTF-16.
    Utf16,
}

impl TextUnit {
    fn offset(self) -> &'static str {
        match self {
            TextUnit::Bytes => "byte offset",
            TextUnit::Utf16 => "UTF-16 offset",
        }
    }

    fn plural(self) -> &'static str {
        match self {
            TextUnit::Bytes => "bytes",
            TextUnit::Utf16 => "UTF-16 units",
        }
    }
}

/// An offset that is not a place in the text it was used on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OffsetError {
    /// It lies after the last character.
    #[error("{} {asked} is past the end of a text of {len} {}", .unit.offset(), .unit.plural())]
    PastEnd {
        /// The offset that was asked for.
        asked: usize,
        /// Its unit.
        unit: TextUnit,
        /// The length of the text, in the same unit.
        len: usize,
    },
    /// It lies between the parts of one character.
    #[error("{} {asked} is inside the character at bytes {character}", .unit.offset())]
    InsideCharacter {
        /// The offset that was asked for.
        asked: usize,
        /// Its unit.
        unit: TextUnit,
        /// The character it would cut.
        character: ByteRange,
    },
}
