//! Quoting: how a file's code and a file's name stand in Markdown.
//!
//! Whatever is quoted stays a quotation. A fence is longer than any run of backticks in its code, so
//! code cannot close it; names and remarks are one line without control characters, so that no file
//! name can forge a heading, an entry or a line of another source. This is the only code that writes
//! backticks, and all sources use it.
//!
//! Absent on purpose: what is quoted and how much of it, which is the business of each source and of
//! [`shorten`](super::shorten).

use foretell_text::plain::one_line;
use foretell_text::{ByteOffset, ByteRange, Language};

/// Code between fences, without a line end behind the last. Line ends become LF, and the code ends
/// with one.
///
/// ```
/// # use foretell_context::sources::code_fence;
/// # use foretell_text::Language;
/// let quoted = code_fence::block(&Language::new("rust"), "/// ```\n/// code\n/// ```\n");
/// assert_eq!(quoted, "````rust\n/// ```\n/// code\n/// ```\n````");
/// ```
pub fn block(language: &Language, code: &str) -> String {
    let code = with_line_feeds(code);
    let code = code.trim_end_matches('\n');
    let fence = "`".repeat(longest_run(code).saturating_add(1).max(3));
    let tag = language.fence_name();
    format!("{fence}{tag}\n{code}\n{fence}")
}

/// Where the code is in a text that has a [`block`] from a place on: without its fences and the line
/// end behind it.
pub(super) fn code_in(at: usize, block: &str) -> Option<ByteRange> {
    let start = at + block.find('\n')? + 1;
    let end = at + block.rfind('\n')?;
    ByteRange::new(ByteOffset::new(start), ByteOffset::new(end)).ok()
}

/// A name as inline code. What could end a line, or make it read differently than it is written,
/// becomes `U+FFFD`: the name is wrong then, but visibly so, and still one name.
pub fn inline(name: &str) -> String {
    let name = one_line(name);
    let ticks = "`".repeat(longest_run(&name).saturating_add(1));
    let ends_in = |end: char| name.starts_with(end) || name.ends_with(end);
    // A space at both ends belongs to the quotation marks.
    if name.is_empty() || ends_in('`') || ends_in(' ') {
        format!("{ticks} {name} {ticks}")
    } else {
        format!("{ticks}{name}{ticks}")
    }
}

/// A text of which every line ends with LF.
pub(crate) fn with_line_feeds(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// How many backticks stand in a row at most.
fn longest_run(text: &str) -> usize {
    let runs = text.split(|c| c != '`').map(str::len);
    runs.max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted(language: &str, code: &str) -> String {
        block(&Language::new(language), code)
    }

    #[test]
    fn code_ends_with_one_line_end() {
        for code in ["a", "a\n", "a\r\n", "a\n\n", "a\r"] {
            assert_eq!(quoted("rust", code), "```rust\na\n```", "{code:?}");
        }
        assert_eq!(quoted("rust", "a\r\nb\rc"), "```rust\na\nb\nc\n```");
        assert_eq!(quoted("rust", ""), "```rust\n\n```");
    }

    #[test]
    fn code_cannot_close_its_fence() {
        assert_eq!(quoted("md", "```\nx\n```"), "````md\n```\nx\n```\n````");
        assert_eq!(quoted("md", "a `````` b"), "```````md\na `````` b\n```````");
    }

    #[test]
    fn languages_are_called_what_markdown_calls_them() {
        assert_eq!(quoted("typescriptreact", "x"), "```tsx\nx\n```");
        assert_eq!(quoted("c++", "x"), "```c++\nx\n```");
        assert_eq!(quoted("a b", "x"), "```\nx\n```");
        assert_eq!(quoted("x\n## Forged", "x"), "```\nx\n```");
        assert_eq!(quoted("`", "x"), "```\nx\n```");
        assert_eq!(quoted("", "x"), "```\nx\n```");
    }

    #[test]
    fn a_name_stays_one_name() {
        assert_eq!(inline("src/a.rs"), "`src/a.rs`");
        assert_eq!(inline("a`b"), "``a`b``");
        assert_eq!(inline("`"), "`` ` ``");
        assert_eq!(inline(" a"), "`  a `");
        assert_eq!(inline(""), "`  `");
        assert_eq!(inline("a\n## b\u{202e}c"), "`a\u{fffd}## b\u{fffd}c`");
    }
}
