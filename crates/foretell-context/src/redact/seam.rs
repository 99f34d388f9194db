//! Where a text is cut off, or interrupted by a fence.
//!
//! Others cut texts before they are redacted: an editor that gives the first 500 characters, a file
//! that was copied in part, a chat in which a code fence fell into the middle of a key. A secret of
//! which only the beginning is left is one all the same, so rules ask here whether what they see is
//! all there was.

use std::ops::Range;

/// Whether a text may have been cut off here: it ends, or only blanks, a fence or dots follow.
pub(super) fn is_cut(text: &str, at: usize) -> bool {
    let rest = text.get(at..).unwrap_or_default();
    let inline = rest.trim_start_matches([' ', '\t', '\r']);
    if inline.is_empty() || inline.starts_with("...") || inline.starts_with('…') {
        return true;
    }
    // No further than a person leaves lines empty, and never to the end of a long line that has
    // more to say: this is asked at many places of one text.
    let Some(lines) = inline.strip_prefix('\n') else {
        return false;
    };
    match lines.splitn(3, '\n').find(|line| !is_blank(line)) {
        None => true,
        Some(line) => is_fence(line),
    }
}

/// Where fences interrupt a text: from the end of a line up to where the text goes on.
pub(super) fn interruptions(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let fences = [b"\n```", b"\n~~~"].into_iter();
    let fences = fences.flat_map(|fence| memchr::memmem::find_iter(text.as_bytes(), fence));
    fences.filter_map(|line_end| {
        let before = text.get(..line_end)?;
        let start = before.trim_end().len();
        // One that follows another is part of the same interruption.
        let last = before.trim_end().rsplit('\n').next()?;
        let end = resumed(text, start)?;
        (!is_fence(last)).then_some(start..end)
    })
}

/// Where a text goes on that is interrupted by fences at the end of this line, if it is.
pub(super) fn resumed(text: &str, at: usize) -> Option<usize> {
    /// How many lines an interruption has at the most.
    const MOST_LINES: usize = 8;
    let rest = text.get(at..)?;
    let inline = rest.trim_start_matches([' ', '\t', '\r']);
    let lines = inline.strip_prefix('\n')?;
    let mut start = text.len() - lines.len();
    let mut has_fence = false;
    for line in lines.split_inclusive('\n').take(MOST_LINES) {
        let is_fence = is_fence(line);
        if !is_fence && !is_blank(line) {
            break;
        }
        has_fence |= is_fence;
        start += line.len();
    }
    (has_fence && start < text.len()).then_some(start)
}

fn is_blank(line: &str) -> bool {
    line.trim_start().is_empty()
}

fn is_fence(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("```") || line.starts_with("~~~")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_off_at_its_end_a_fence_and_dots() {
        for rest in [
            "",
            "\n",
            "  \r\n\n",
            "\n```\n",
            "\n\n~~~\nmore",
            "...",
            " …",
        ] {
            assert!(is_cut(&format!("é{rest}"), 2), "{rest:?}");
        }
        for rest in [";", "\nmore", " more", "\n\n\n\nmore", "``` "] {
            assert!(!is_cut(&format!("é{rest}"), 2), "{rest:?}");
        }
    }

    #[test]
    fn fences_interrupt_lines() {
        let text = "```\na\n```\n\n~~~\nb `c` ```\n\n```\nd";
        let gaps: Vec<_> = interruptions(text).collect();
        assert_eq!(gaps, [5..15, 24..30]);
    }

    #[test]
    fn it_goes_on_behind_fences() {
        assert_eq!(resumed("a\n```\n\n```rust\nb", 1), Some(15));
        assert_eq!(resumed("a\nb", 1), None);
        assert_eq!(resumed("a\n```\n", 1), None);
        assert_eq!(resumed("a b\n```\nc", 1), None);
    }
}
