//! The lines that are looked through.
//!
//! A page is a text as lines. Only so many bytes of a document are read, around the cursor in its own,
//! and lines that are longer than [`LONGEST_LINE`] are left empty: they are data, not code.

use std::borrow::Cow;

use foretell_text::{ByteOffset, ByteRange, Text};

/// How long a line may be, in bytes.
pub(super) const LONGEST_LINE: usize = 500;

/// Whole lines of a document around a place, about so many bytes, and where they begin.
pub(super) fn read(
    text: &Text,
    around: ByteOffset,
    most: usize,
) -> Option<(Cow<'_, str>, ByteOffset)> {
    let end = text.end().get();
    let (first, last) = if end <= most {
        (0, end)
    } else {
        let around = around.get();
        (
            around.saturating_sub(most / 2),
            around.saturating_add(most / 2),
        )
    };
    let start = match first {
        0 => ByteOffset::ZERO,
        _ => {
            let line = line_near(text, first)?;
            // One that is too long is left out, and so is an end of it.
            match line.len() {
                ..=LONGEST_LINE => line.start(),
                _ => line.end(),
            }
        }
    };
    let end = if last >= end {
        text.end()
    } else {
        line_near(text, last)?.start()
    };
    let range = ByteRange::new(start, end).ok()?;
    Some((text.read(range).ok()?, start))
}

/// The line that an offset is on, wherever in a character that is.
fn line_near(text: &Text, offset: usize) -> Option<ByteRange> {
    let near = (0..4).filter_map(|back| offset.checked_sub(back));
    let mut lines = near.filter_map(|offset| text.line_at(ByteOffset::new(offset)).ok());
    lines.next()
}

/// The lines of a text, whatever ends them.
pub(super) fn lines(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut start = 0;
    let bytes = text.as_bytes();
    for at in memchr::memchr2_iter(b'\n', b'\r', bytes) {
        let ends_with_both = bytes.get(at) == Some(&b'\r') && bytes.get(at + 1) == Some(&b'\n');
        if !ends_with_both {
            lines.push(line(text, start, at));
            start = at + 1;
        }
    }
    lines.push(line(text, start, text.len()));
    lines
}

/// A line between two offsets, or nothing if it is too long.
fn line(text: &str, start: usize, end: usize) -> &str {
    match text.get(start..end) {
        Some(line) if line.len() <= LONGEST_LINE => line.strip_suffix('\r').unwrap_or(line),
        _ => "",
    }
}

/// The line end of a text.
pub(super) fn line_end(text: &str) -> &'static str {
    match text.find(['\n', '\r']) {
        Some(at) if text.get(at..).is_some_and(|rest| rest.starts_with("\r\n")) => "\r\n",
        Some(at) if text.get(at..).is_some_and(|rest| rest.starts_with('\r')) => "\r",
        _ => "\n",
    }
}
