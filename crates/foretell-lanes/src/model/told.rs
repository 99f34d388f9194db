//! What every lane that tells somebody else agrees on: how far around a text is looked for secrets that
//! reach into it.
//!
//! Absent on purpose: what a file is called, which is the file's to say (`FilePath::told`).

use foretell_text::{ByteOffset, Text};

/// How much is read beyond what is told, in bytes on each side. Values that are given to a name are
/// known up to 16 KB, and the name comes before; a key in a block of lines is known by either of its
/// ends. What is not known is a block of which both ends are further away than this, and looking
/// further costs the time of every request.
pub(super) const MARGIN: usize = 18 << 10;

/// A stretch with so many bytes more on either side, give or take the rest of a character.
pub(super) fn with_margin(
    text: &Text,
    start: ByteOffset,
    end: ByteOffset,
    bytes: usize,
) -> (ByteOffset, ByteOffset) {
    let from = text.floor(start.get().saturating_sub(bytes));
    let to = text.floor(end.get().saturating_add(bytes));
    (from.min(start), to.max(end))
}
