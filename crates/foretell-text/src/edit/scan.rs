//! How far a stretch of a text agrees with a string, from either end.
//!
//! Counts are in bytes and may end inside a character, where two characters begin or end with the
//! same bytes; whoever cuts there rounds to a whole character first. The text is read piece by piece
//! where it lies: nothing is copied, and nothing is read past the first difference.

use ropey::RopeSlice;

use crate::offset::ByteRange;
use crate::text::Text;

/// How many bytes at the end of a range, which fits the text, are those at the end of `other`.
pub(super) fn common_suffix(text: &Text, range: ByteRange, other: &str) -> usize {
    let Some(slice) = slice(text, range) else {
        return 0;
    };
    let (chunks, ..) = slice.chunks_at_byte(slice.len_bytes());
    let mut rest = other.as_bytes();
    let mut same = 0;
    for chunk in chunks.reversed() {
        let equal = chunk
            .bytes()
            .rev()
            .zip(rest.iter().rev())
            .take_while(|(a, b)| a == *b)
            .count();
        same += equal;
        if equal < chunk.len() {
            break;
        }
        rest = &rest[..rest.len() - equal];
    }
    same
}

/// How many bytes at the start of a range, which fits the text, are those at the start of `other`.
pub(super) fn common_prefix(text: &Text, range: ByteRange, other: &str) -> usize {
    let Some(slice) = slice(text, range) else {
        return 0;
    };
    let mut rest = other.as_bytes();
    let mut same = 0;
    for chunk in slice.chunks() {
        let equal = chunk.bytes().zip(rest).take_while(|(a, b)| a == *b).count();
        same += equal;
        if equal < chunk.len() {
            break;
        }
        rest = &rest[equal..];
    }
    same
}

/// The bytes before an offset, which fits the text, the nearest first.
pub(super) fn bytes_before(text: &Text, offset: usize) -> impl Iterator<Item = u8> {
    text.rope()
        .get_bytes_at(offset)
        .into_iter()
        .flat_map(|bytes| bytes.reversed())
}

/// The bytes from an offset on, which fits the text.
pub(super) fn bytes_from(text: &Text, offset: usize) -> impl Iterator<Item = u8> {
    text.rope().get_bytes_at(offset).into_iter().flatten()
}

/// `len` bytes of the text after `new_text` was put in at `at`, from an offset at or before that.
pub(super) fn read_after(
    text: &Text,
    at: usize,
    new_text: &str,
    from: usize,
    len: usize,
) -> String {
    let in_front = ByteRange::ordered(from, at.min(from + len));
    let mut read = text.read_checked(in_front).into_owned();
    let (missing, _) = new_text.split_at(len - read.len());
    read.push_str(missing);
    read
}

/// The nearest place at or before an index where a character begins.
pub(super) fn floor_boundary(text: &str, index: usize) -> usize {
    let boundary = |at: &usize| text.is_char_boundary(*at);
    (0..=index).rev().find(boundary).unwrap_or(0)
}

/// The nearest place at or behind an index where a character begins, or the end.
pub(super) fn ceil_boundary(text: &str, index: usize) -> usize {
    let boundary = |at: &usize| text.is_char_boundary(*at);
    (index..text.len()).find(boundary).unwrap_or(text.len())
}

fn slice(text: &Text, range: ByteRange) -> Option<RopeSlice<'_>> {
    text.rope()
        .get_byte_slice(range.start().get()..range.end().get())
}
