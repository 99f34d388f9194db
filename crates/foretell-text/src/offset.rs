//! Offsets and ranges: the units every other module counts in.
//!
//! Inside Foretell a place in a text is a [`ByteOffset`]. [`Utf16Offset`] exists because editors and
//! traces count that way; it is converted at the edge, by [`Text`](crate::Text) alone. They are
//! separate types so that mixing them does not compile, and neither has arithmetic: code that adds to
//! an offset has left the algebra of edits, which is the only code that knows how.
//!
//! An offset by itself is only a number. Whether it fits a text, and whether it falls between two
//! characters, is a question to that text, and its answer is an [`OffsetError`](crate::OffsetError).

use std::fmt;

/// A place in a text, counted in bytes of its UTF-8 form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ByteOffset(usize);

impl ByteOffset {
    /// The start of every text.
    pub const ZERO: ByteOffset = ByteOffset(0);

    /// Takes a count of bytes at its word; it is checked when it meets a text.
    pub const fn new(bytes: usize) -> Self {
        ByteOffset(bytes)
    }

    /// The count of bytes.
    pub const fn get(self) -> usize {
        self.0
    }
}

impl fmt::Display for ByteOffset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A place in a text, counted in UTF-16 code units, as editors and traces do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Utf16Offset(usize);

impl Utf16Offset {
    /// Takes a count of code units at its word; it is checked when it meets a text.
    pub const fn new(units: usize) -> Self {
        Utf16Offset(units)
    }

    /// The count of code units.
    pub const fn get(self) -> usize {
        self.0
    }
}

impl fmt::Display for Utf16Offset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A stretch of a text, from a start up to but not including an end; the start is never after the
/// end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ByteRange {
    start: ByteOffset,
    end: ByteOffset,
}

impl ByteRange {
    /// The stretch between two offsets, or an error if they are the wrong way round.
    pub fn new(start: ByteOffset, end: ByteOffset) -> Result<Self, ReversedRange> {
        if start > end {
            return Err(ReversedRange { start, end });
        }
        Ok(ByteRange { start, end })
    }

    /// The empty stretch at an offset, where something may be inserted.
    pub const fn empty(at: ByteOffset) -> Self {
        ByteRange { start: at, end: at }
    }

    /// For the algebra, which has counted: `start` is not after `end`.
    pub(crate) fn ordered(start: usize, end: usize) -> Self {
        debug_assert!(start <= end, "a range from {start} to {end}");
        ByteRange {
            start: ByteOffset(start),
            end: ByteOffset(end),
        }
    }

    /// Where it begins.
    pub const fn start(self) -> ByteOffset {
        self.start
    }

    /// Where it ends: the first offset after it.
    pub const fn end(self) -> ByteOffset {
        self.end
    }

    /// How many bytes it covers.
    pub const fn len(self) -> usize {
        self.end.0 - self.start.0
    }

    /// Whether it covers nothing.
    pub const fn is_empty(self) -> bool {
        self.start.0 == self.end.0
    }

    /// Whether the other stretch lies within this one; an empty one at either end does.
    pub fn contains(self, other: ByteRange) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Whether they share a byte, or one begins where the other ends.
    pub fn touches(self, other: ByteRange) -> bool {
        self.start <= other.end && other.start <= self.end
    }
}

impl fmt::Display for ByteRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}, {})", self.start, self.end)
    }
}

/// A range was asked for that ends before it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the range [{start}, {end}) ends before it starts")]
pub struct ReversedRange {
    /// Where it was to begin.
    pub start: ByteOffset,
    /// Where it was to end.
    pub end: ByteOffset,
}
