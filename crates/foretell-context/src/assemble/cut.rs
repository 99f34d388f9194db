//! Where an entry that is too long may be cut.
//!
//! Whole lines are kept, unless that loses more than half of what there is room for, as it does where
//! a file is one line. Then a line is cut between two characters as a person sees them: never within
//! an emoji, an accented letter or a line break. A line that is a heading or a fence stands or falls
//! as a whole, and so does the mark of a secret. A fence is not opened for nothing. What is kept is
//! always the front of the text; closing the fence that is open there is up to the caller. Absent on
//! purpose: how much there is room for.

use unicode_segmentation::GraphemeCursor;

use super::open_fence;

/// How the mark of a secret begins; a number and a bracket follow.
const MARK: &str = "[REDACTED-";
/// The longest mark of a secret that is looked for.
const LONGEST_MARK: usize = 40;

/// The front of a text, of at most so many bytes, that may stand for the whole; perhaps nothing.
pub(super) fn front(text: &str, most: usize) -> &str {
    let kept = before(text, place(text, most)).trim_end();
    match open_fence::open_at_end(kept) {
        Some(fence) if fence.line_end == kept.len() => before(kept, fence.line_start).trim_end(),
        _ => kept,
    }
}

/// The last place up to `most` where a text may be cut.
fn place(text: &str, most: usize) -> usize {
    if most >= text.len() {
        return text.len();
    }
    let bytes = text.as_bytes();
    let line_start = open_fence::start_of_line(bytes, most);
    let line_end = open_fence::end_of_line(bytes, most);
    if most == line_end {
        return line_end;
    }
    if line_start * 2 >= most || is_whole(text, line_start, line_end) {
        return line_start;
    }
    let at = between_characters(text, most);
    start_of_mark(text, at).unwrap_or(at)
}

/// Whether a line is a heading or a fence.
fn is_whole(text: &str, line_start: usize, line_end: usize) -> bool {
    let line = text.get(line_start..line_end).unwrap_or_default();
    match open_fence::open_at_end(before(text, line_start)) {
        Some(fence) => fence.is_closed_by(line),
        None => open_fence::opens(line) || is_heading(line),
    }
}

fn is_heading(line: &str) -> bool {
    let unindented = line.trim_start_matches(' ');
    let behind = unindented.trim_start_matches('#');
    let is_marked = behind.len() < unindented.len() && line.len() - unindented.len() <= 3;
    is_marked && (behind.is_empty() || behind.starts_with([' ', '\t']))
}

/// The last place up to `at` that is between two characters as a person sees them.
fn between_characters(text: &str, at: usize) -> usize {
    let at = (0..=at)
        .rev()
        .find(|place| text.is_char_boundary(*place))
        .unwrap_or_default();
    let mut cursor = GraphemeCursor::new(at, text.len(), true);
    // The whole text is one chunk, so neither question can lack a part of it.
    match cursor.is_boundary(text, 0) {
        Ok(true) => at,
        _ => match cursor.prev_boundary(text, 0) {
            Ok(Some(earlier)) => earlier,
            _ => 0,
        },
    }
}

/// Where the mark of a secret begins that goes on behind `at`.
fn start_of_mark(text: &str, at: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let window = at.saturating_sub(LONGEST_MARK);
    let start = window + memchr::memrchr(b'[', bytes.get(window..at)?)?;
    let number = text.get(start..)?.strip_prefix(MARK)?;
    let behind = number.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_mark = behind.len() < number.len() && behind.starts_with(']');
    let end = text.len() - behind.len() + 1;
    (is_mark && end > at).then_some(start)
}

fn before(text: &str, at: usize) -> &str {
    text.get(..at).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Everything that a text can be cut to, from nothing to all of it.
    fn fronts(text: &str) -> Vec<&str> {
        let mut fronts: Vec<_> = (0..=text.len()).map(|most| front(text, most)).collect();
        fronts.dedup();
        fronts
    }

    #[test]
    fn lines_are_kept_whole_unless_half_would_be_lost() {
        assert_eq!(front("one\ntwo\nthree", 12), "one\ntwo");
        assert_eq!(front("one\ntwo three four", 13), "one\ntwo three");
        assert_eq!(front("one\ntwo", 3), "one");
    }

    #[test]
    fn characters_are_kept_whole() {
        assert_eq!(fronts("👩‍👩‍👧é🇩🇪"), ["", "👩‍👩‍👧", "👩‍👩‍👧é", "👩‍👩‍👧é🇩🇪"]);
        assert_eq!(
            fronts("e\u{301}a\r\n\r\nb"),
            ["", "e\u{301}", "e\u{301}a", "e\u{301}a\r\n\r\nb"]
        );
    }

    #[test]
    fn the_mark_of_a_secret_is_kept_whole() {
        let fronts = fronts("a=[REDACTED-12]b");
        assert_eq!(
            fronts,
            ["", "a", "a=", "a=[REDACTED-12]", "a=[REDACTED-12]b"]
        );
    }

    #[test]
    fn headings_and_fences_are_kept_whole() {
        let fronts = fronts("### A long heading\n````rust\nx\n````");
        let heading = "### A long heading";
        assert_eq!(
            fronts,
            [
                "",
                heading,
                "### A long heading\n````rust\nx",
                "### A long heading\n````rust\nx\n````"
            ]
        );
    }

    #[test]
    fn a_fence_that_is_a_long_line_is_kept_whole() {
        let long = "`".repeat(30);
        let text = format!("```\nx\n{long}");
        assert_eq!(fronts(&text), ["", "```\nx", &text]);
        // Alone, it would open code for nothing.
        assert_eq!(fronts(&long), [""]);
    }

    #[test]
    fn a_comment_in_code_is_no_heading() {
        let text = "```py\n# a rather long comment, of which a part is kept\n```";
        assert!(fronts(text).contains(&"```py\n# a rather"));
    }

    #[test]
    fn a_line_that_is_cut_down_to_a_fence_is_dropped() {
        assert_eq!(front("```is `code` in a line", 5), "");
    }
}
