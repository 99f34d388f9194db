//! How far a stretch of a text agrees with a string, from either end.
//!
//! Counts are in bytes and may end inside a character, where two characters begin or end with the
//! same bytes; a caller that cuts there rounds to a whole character first. The text is read piece by piece
//! where it lies: nothing is copied, and nothing is read past the first difference.

use crate::offset::ByteRange;
use crate::text::Text;

/// How many bytes at the end of a range, which fits the text, are those at the end of `other`.
pub(super) fn common_suffix(text: &Text, range: ByteRange, other: &str) -> usize {
    common_suffix_bytes(text, range, other.as_bytes())
}

/// The same for bytes that need not be whole characters.
pub(super) fn common_suffix_bytes(text: &Text, range: ByteRange, mut other: &[u8]) -> usize {
    if range.is_empty() || other.is_empty() {
        return 0;
    }
    let end = range.end().get();
    let Some((mut chunks, chunk_start, ..)) = text.rope().get_chunks_at_byte(end) else {
        return 0;
    };
    // The bytes left to look at: the range, or as much of it as there is of the other.
    let mut left = range.len().min(other.len());
    let mut same = 0;
    let mut compare = |chunk: &[u8]| {
        let piece = &chunk[chunk.len() - chunk.len().min(left)..];
        let pairs = piece.iter().rev().zip(other.iter().rev());
        let equal = pairs.take_while(|(a, b)| a == b).count();
        other = &other[..other.len() - equal];
        left -= equal;
        same += equal;
        equal == piece.len() && left > 0
    };
    let mut goes_on = true;
    if chunk_start < end {
        // The cursor stands before the piece that the range ends in.
        let chunk = chunks.next().unwrap_or_default();
        goes_on = compare(&chunk.as_bytes()[..end - chunk_start]);
        chunks.prev();
    }
    while goes_on {
        goes_on = chunks.prev().is_some_and(|chunk| compare(chunk.as_bytes()));
    }
    same
}

/// How many bytes at the start of a range, which fits the text, are those at the start of `other`.
pub(super) fn common_prefix(text: &Text, range: ByteRange, other: &str) -> usize {
    let mut other = other.as_bytes();
    if range.is_empty() || other.is_empty() {
        return 0;
    }
    let start = range.start().get();
    let Some((chunks, chunk_start, ..)) = text.rope().get_chunks_at_byte(start) else {
        return 0;
    };
    let mut left = range.len().min(other.len());
    let mut skip = start - chunk_start;
    let mut same = 0;
    for chunk in chunks {
        let chunk = &chunk.as_bytes()[skip..];
        skip = 0;
        let piece = &chunk[..chunk.len().min(left)];
        let equal = piece.iter().zip(other).take_while(|(a, b)| a == b).count();
        other = &other[equal..];
        left -= equal;
        same += equal;
        if equal < piece.len() || left == 0 {
            break;
        }
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
