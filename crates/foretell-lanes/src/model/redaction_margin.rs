//! How far around a text every format looks for secrets that reach into it.
//!
//! Absent on purpose: what a file is called, which is the file's to say (`FilePath::told`).

use foretell_text::{ByteOffset, ByteRange, Text};

/// How much is read beyond what is told, in bytes on each side. Values that are given to a name are
/// known up to 16 KB, and the name comes before; a key in a block of lines is known by either of its
/// ends. Looking further costs the time of every request, and is done only where what is read begins
/// in the middle of what may be such a block.
pub(super) const MARGIN: usize = 18 << 10;

/// How much further the beginning of a block is looked for, in bytes.
const FURTHER: usize = 256 << 10;

/// How much of a line is looked at to see whether it may be one of a block, in bytes on each side.
const NEAR: usize = 1 << 10;

/// So many digits in a row may be a line of a block.
const LEAST_DIGITS: usize = 32;

/// How the first and the last line of a block begin.
const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";

/// A stretch with so many bytes more on either side, give or take the rest of a character; and from the
/// beginning of the block on, if it would begin within one.
pub(super) fn with_margin(
    text: &Text,
    start: ByteOffset,
    end: ByteOffset,
    bytes: usize,
) -> (ByteOffset, ByteOffset) {
    let from = text.floor(start.get().saturating_sub(bytes));
    let to = text.floor(end.get().saturating_add(bytes));
    let from = from.min(start);
    (beginning_of_block(text, from).unwrap_or(from), to.max(end))
}

/// Where the block of lines begins that a place is in the middle of, if it is in one.
fn beginning_of_block(text: &Text, at: ByteOffset) -> Option<ByteOffset> {
    let line = text.line_at(at).ok()?;
    // A line may be as long as a document.
    let first = text.floor(at.get().saturating_sub(NEAR)).max(line.start());
    let last = text.floor(at.get().saturating_add(NEAR)).min(line.end());
    let near = ByteRange::new(first, last);
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte);
    let line = text.read(near.ok()?).ok()?;
    let mut runs = line.as_bytes().split(|byte| !is_digit(*byte));
    if !runs.any(|run| run.len() >= LEAST_DIGITS) {
        return None;
    }
    let start = text.floor(at.get().saturating_sub(FURTHER));
    let before = text.read(ByteRange::new(start, at).ok()?).ok()?;
    let begun = before.rfind(BEGIN)?;
    let is_ended = before.get(begun..)?.contains(END);
    (!is_ended).then(|| ByteOffset::new(start.get() + begun))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How much of the beginning of a text is left out before a place that is 100 bytes from its end.
    fn left_out(text: &str) -> usize {
        let text = Text::from(text);
        let end = ByteOffset::new(text.end().get() - 100);
        with_margin(&text, end, end, MARGIN).0.get()
    }

    #[test]
    fn what_is_told_of_a_long_block_is_seen_from_its_beginning() {
        let line = "Zm9yZXRlbGw+".repeat(5) + "\n";
        let key = format!("{BEGIN}KEY-----\n{}", line.repeat(2_000));
        assert_eq!(left_out(&key), 0);
        assert_eq!(left_out(&format!("a\nb\n{key}")), 4);
        // In a string of some language.
        let quoted = key.replace('\n', "\\n\" +\n    \"");
        assert_eq!(left_out(&quoted), 0);
        // One that has ended, one that has not begun, and ordinary code.
        let ended = format!("{BEGIN}KEY-----\n{END}KEY-----\n{}", line.repeat(2_000));
        assert_eq!(left_out(&ended), ended.len() - 100 - MARGIN);
        let blob = line.repeat(2_000);
        assert_eq!(left_out(&blob), blob.len() - 100 - MARGIN);
        let code = format!("{BEGIN}KEY-----\n{}", "let a = b;\n".repeat(8_000));
        assert_eq!(left_out(&code), code.len() - 100 - MARGIN);
    }
}
