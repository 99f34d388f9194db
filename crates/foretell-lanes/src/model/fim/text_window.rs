//! The text around the cursor that is told: at most so much on each side, in whole lines, without
//! secrets.
//!
//! Secrets go before anything is cut, since half a key does not look like one. A document may be
//! megabytes long, so what is read is the part that will be told and a margin on each side, in which a
//! secret that reaches into the part can be seen whole; prefix and suffix are told apart only after
//! that, so that one astride the cursor is a mark on both sides.
//!
//! Lengths count UTF-16 units, which the rope knows without reading: never fewer than characters, so a
//! part never has more characters than it may. The length that a mark adds is cut off again.

use std::ops::Range;

use foretell_text::{ByteOffset, ByteRange, Text};

use super::super::redaction_margin::{MARGIN, with_margin};
use super::window_bounds::{WindowBounds, WindowLimits, begins_line, unit_from};
use crate::lane_redaction::SecretMarks;

/// How every mark begins.
pub(super) const MARK: &str = "[REDACTED-";

/// The part of a document that is told.
pub(super) struct TextWindow {
    pub(super) prefix: String,
    pub(super) suffix: String,
}

impl TextWindow {
    /// The text around a place, at most so many UTF-16 units on each side.
    pub(super) fn around(
        text: &Text,
        at: ByteOffset,
        most_before: usize,
        most_behind: usize,
        marks: &mut dyn SecretMarks,
    ) -> TextWindow {
        let start = unit_from(text, at, |here| here.saturating_sub(most_before));
        let start = start.filter(|start| *start <= at).unwrap_or(at);
        let end = unit_from(text, at, |here| here.saturating_add(most_behind));
        let end = end.filter(|end| *end >= at).unwrap_or(at);
        let end = not_between_cr_and_lf(text, at, end);

        let (first, last) = with_margin(text, start, end, MARGIN);
        let range = ByteRange::new(first, last).unwrap_or_default();
        let whole = text.read(range).unwrap_or_default();
        let within = |offset: ByteOffset| offset.get() - first.get();
        let (prefix, suffix) = redacted(&whole, [start, at, end].map(within), marks);
        TextWindow {
            prefix: end_of(&prefix, !begins_line(text, start), most_before).to_owned(),
            suffix: beginning_of(&suffix, !begins_line(text, end), most_behind).to_owned(),
        }
    }
}

/// The part of a document that is told by a prompt that stays the same but for its end.
pub(super) struct StayingWindow {
    pub(super) prefix: String,
    pub(super) typed: String,
    pub(super) suffix: String,
}

impl StayingWindow {
    /// The text between bounds.
    pub(super) fn of(
        text: &Text,
        bounds: &WindowBounds,
        limits: WindowLimits,
        marks: &mut dyn SecretMarks,
    ) -> StayingWindow {
        let WindowBounds {
            start,
            cut,
            at,
            behind,
            end,
        } = *bounds;
        let (first, last) = with_margin(text, start, end, MARGIN);
        let range = ByteRange::new(first, last).unwrap_or_default();
        let whole = text.read(range).unwrap_or_default();
        let within = |offset: ByteOffset| offset.get() - first.get();
        let parts = [(start, cut), (cut, at), (behind, end)];
        let parts = parts.map(|(from, to)| within(from)..within(to));
        let all = within(start)..within(end);
        // Nearly every text has no secrets, and looking for them is what costs time.
        let has_none = whole.get(all.clone()) == Some(&*marks.redact_part(&whole, all));
        let [prefix, typed, suffix] = parts.map(|part| {
            if has_none {
                whole.get(part).unwrap_or_default().to_owned()
            } else {
                marks.redact_part(&whole, part)
            }
        });
        let most = limits.most_before();
        let end_of_typed = end_of(&typed, false, most);
        // Marks may have made what was typed too long, and nothing may stand before a gap.
        let most_before = if end_of_typed.len() < typed.len() {
            0
        } else {
            most.saturating_sub(end_of_typed.encode_utf16().count())
        };
        StayingWindow {
            prefix: end_of(&prefix, false, most_before).to_owned(),
            typed: end_of_typed.to_owned(),
            suffix: beginning_of(&suffix, false, limits.most_behind()).to_owned(),
        }
    }
}

/// The text before and behind a place, each without secrets.
///
/// Nearly every text has none, and looking for them is what costs time. So it is looked at once as a
/// whole, a second time if there are any, and a third time only if one is astride the place.
fn redacted(
    whole: &str,
    [start, at, end]: [usize; 3],
    marks: &mut dyn SecretMarks,
) -> (String, String) {
    let both = marks.redact_part(whole, start..end);
    if whole.get(start..end) == Some(&*both) {
        let part = |range: Range<usize>| whole.get(range).unwrap_or_default().to_owned();
        return (part(start..at), part(at..end));
    }
    let prefix = marks.redact_part(whole, start..at);
    let suffix = match both.strip_prefix(&*prefix) {
        Some(suffix) => suffix.to_owned(),
        None => marks.redact_part(whole, at..end),
    };
    (prefix, suffix)
}

/// The end of a part, moved ahead of a CR that it would part from its LF.
pub(super) fn not_between_cr_and_lf(text: &Text, at: ByteOffset, end: ByteOffset) -> ByteOffset {
    let previous = end.get().saturating_sub(1);
    let around = ByteRange::new(ByteOffset::new(previous), ByteOffset::new(end.get() + 1));
    let around = around.ok().and_then(|range| text.read(range).ok());
    match around.as_deref() {
        Some("\r\n") if previous >= at.get() => ByteOffset::new(previous),
        _ => end,
    }
}

/// The end of a text: without the line that it begins in the middle of, and at most so long. Where
/// that leaves nothing of the last line, the line is cut at a character.
fn end_of(text: &str, is_cut: bool, most: usize) -> &str {
    let text = if is_cut {
        behind_line_end(text, 0).unwrap_or(text)
    } else {
        text
    };
    let mut units = 0;
    let mut from = text.len();
    for (start, c) in text.char_indices().rev() {
        units += c.len_utf16();
        if units > most {
            break;
        }
        from = start;
    }
    let begins_line = from == 0
        || text
            .get(..from)
            .is_some_and(|it| it.ends_with(['\n', '\r']));
    if begins_line {
        text.get(from..).unwrap_or_default()
    } else {
        behind_line_end(text, from).unwrap_or_else(|| {
            let from = mark_around(text, from).map_or(from, |mark| mark.1);
            text.get(from..).unwrap_or_default()
        })
    }
}

/// The beginning of a text: up to the last line end in it if it ends in the middle of a line, and at
/// most so long. Where that leaves nothing of the first line, the line is cut at a character.
fn beginning_of(text: &str, is_cut: bool, most: usize) -> &str {
    let mut units = 0;
    let mut to = 0;
    for (start, c) in text.char_indices() {
        units += c.len_utf16();
        if units > most {
            break;
        }
        to = start + c.len_utf8();
    }
    if to == text.len() && !is_cut {
        return text;
    }
    let kept = text.get(..to).unwrap_or_default();
    let splits_crlf = kept.ends_with('\r') && text.get(to..).is_some_and(|it| it.starts_with('\n'));
    let kept_lines = if splits_crlf {
        kept.get(..to - 1).unwrap_or_default()
    } else {
        kept
    };
    match kept_lines.rfind(['\n', '\r']) {
        Some(end) => kept.get(..=end).unwrap_or_default(),
        None => {
            let to = mark_around(text, to).map_or(to, |mark| mark.0);
            text.get(..to).unwrap_or_default()
        }
    }
}

/// The text behind the first line end from a place on.
fn behind_line_end(text: &str, from: usize) -> Option<&str> {
    let rest = text.get(from..)?;
    let (_, behind) = rest.split_once(['\n', '\r'])?;
    let is_crlf = rest.get(..rest.len() - behind.len())?.ends_with('\r');
    if is_crlf {
        Some(behind.strip_prefix('\n').unwrap_or(behind))
    } else {
        Some(behind)
    }
}

/// Where the mark begins and ends that a place is inside of.
fn mark_around(text: &str, at: usize) -> Option<(usize, usize)> {
    let start = text.get(..at)?.rfind('[')?;
    let rest = text.get(start..)?;
    let end = start + rest.find(']')? + 1;
    // A cut may stand right behind the bracket, where the rest of the word still follows.
    (rest.starts_with(MARK) && at < end).then_some((start, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Somebody who counts how often they look, and keeps one word secret.
    struct CountingMarks(usize);

    impl SecretMarks for CountingMarks {
        fn redact_part(&mut self, whole: &str, part: Range<usize>) -> String {
            self.0 += 1;
            let read = |range: Range<usize>| whole.get(range).unwrap();
            let is_within = |at: usize| part.contains(&at) || part.contains(&(at + 3));
            let at = whole.find("pass").filter(|at| is_within(*at));
            let Some(at) = at else {
                return read(part).to_owned();
            };
            let (from, to) = (at.max(part.start), (at + 4).min(part.end));
            let mark = match to - from {
                4 => "[REDACTED-1]",
                _ => "[REDACTED-2]",
            };
            [read(part.start..from), mark, read(to..part.end)].concat()
        }

        fn restore(&self, _: &str, _: &str) -> Option<String> {
            None
        }
    }

    #[test]
    fn nobody_looks_for_secrets_more_often_than_needed() {
        for (text, at, prefix, suffix, looks) in [
            ("abcdef", 3, "abc", "def", 1),
            ("a pass b", 1, "a", " [REDACTED-1] b", 2),
            ("a pass b", 6, "a [REDACTED-1]", " b", 2),
            ("a pass b", 4, "a [REDACTED-2]", "[REDACTED-2] b", 3),
        ] {
            let mut marks = CountingMarks(0);
            let told = redacted(text, [0, at, text.len()], &mut marks);
            assert_eq!(told, (prefix.to_owned(), suffix.to_owned()));
            assert_eq!(marks.0, looks, "{text} {at}");
        }
    }

    #[test]
    fn a_prefix_begins_at_a_line_start() {
        assert_eq!(end_of("one\ntwo\nthree", true, 99), "two\nthree");
        assert_eq!(end_of("one\ntwo\nthree", false, 99), "one\ntwo\nthree");
        assert_eq!(end_of("one\r\ntwo\rthree", true, 99), "two\rthree");
        assert_eq!(end_of("one\rtwo", true, 99), "two");
        assert_eq!(end_of("\ntwo", true, 99), "two");
    }

    #[test]
    fn a_line_that_is_too_long_is_cut_at_a_character() {
        assert_eq!(end_of("one😀two", true, 99), "one😀two");
        assert_eq!(end_of("one😀two", false, 4), "two");
        assert_eq!(end_of("a\none😀two", false, 5), "😀two");
        assert_eq!(beginning_of("one😀two\nb", true, 4), "one");
        assert_eq!(beginning_of("one😀two", true, 5), "one😀");
    }

    #[test]
    fn a_suffix_ends_at_a_line_start() {
        assert_eq!(beginning_of("one\ntwo\nthr", true, 99), "one\ntwo\n");
        assert_eq!(beginning_of("one\ntwo\nthr", false, 99), "one\ntwo\nthr");
        assert_eq!(beginning_of("one\ntwo\nthree", false, 9), "one\ntwo\n");
        assert_eq!(beginning_of("one\r\ntwo\r\nx", false, 9), "one\r\n");
    }

    #[test]
    fn what_marks_add_is_cut_off_and_no_mark_is_parted() {
        let told = "a\nb = [REDACTED-1] c";
        assert_eq!(end_of(told, false, 18), "b = [REDACTED-1] c");
        for most in 3..=13 {
            assert_eq!(end_of("x [REDACTED-1] c", true, most), " c", "{most}");
        }
        assert_eq!(end_of("x [REDACTED-1] c", true, 14), "[REDACTED-1] c");
        for most in 2..=13 {
            assert_eq!(beginning_of("x [REDACTED-1] c", true, most), "x ", "{most}");
        }
        assert_eq!(end_of("a[0] b", false, 4), "0] b");
    }
}
