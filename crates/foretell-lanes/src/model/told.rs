//! What every lane that tells somebody else agrees on: how a file is called, and how far around a text
//! is looked for secrets that reach into it.
//!
//! A file that is not in the workspace is known by its whole path, which begins with somebody's home;
//! of that, only the last part is told.

use foretell_text::{ByteOffset, Text};

/// How much is read beyond what is told, in bytes on each side. Values that are given to a name are
/// known up to 16 KB, and the name comes before; a key in a block of lines is known by either of its
/// ends. What is not known is a block of which both ends are further away than this, and looking
/// further costs the time of every request.
pub(super) const MARGIN: usize = 18 << 10;

/// What is told of a file's path: from the workspace on, or its name alone.
pub(super) fn path(path: &str) -> &str {
    let has_drive = path.get(1..2) == Some(":");
    let is_whole = path.starts_with(['/', '\\', '~']) || has_drive || path.contains("://");
    match is_whole {
        true => path.rsplit(['/', '\\']).next().unwrap_or_default(),
        false => path,
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_path_elsewhere_only_the_name_is_told() {
        assert_eq!(path("src/a.ts"), "src/a.ts");
        assert_eq!(path("/home/alice/notes/a.ts"), "a.ts");
        assert_eq!(path("C:/Users/alice/a.ts"), "a.ts");
        assert_eq!(path("C:\\Users\\alice\\a.ts"), "a.ts");
        assert_eq!(path("~/a.ts"), "a.ts");
        assert_eq!(path("é"), "é");
        assert_eq!(path(""), "");
    }
}
