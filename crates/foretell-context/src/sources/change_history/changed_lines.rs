//! A change as lines removed and lines added.
//!
//! An edit of three characters says little by itself; the line it is on says what it is about. So a
//! change is taken as whole lines: those that stood there before and those that stand there now,
//! without the lines that both begin or end with, and without blank lines around them. Where one of
//! the two is empty, lines were only added or only removed.
//!
//! However long the lines, little more is read than what changed.

use foretell_text::{ByteOffset, ByteRange, RecentEdit, Text};

use crate::sources::code_fence::with_line_feeds;

/// The change of some lines.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct ChangedLines {
    /// How they read before.
    pub(crate) removed: Vec<String>,
    /// How they read now.
    pub(crate) added: Vec<String>,
    /// How many characters are the same before the first that is not.
    pub(crate) same_start: usize,
}

impl ChangedLines {
    /// The lines of a change, unless its place is not in the text, nothing differs, only blank lines
    /// do, or more than `most` characters stand before it on its line.
    pub(crate) fn of(text: &Text, edit: &RecentEdit, most: usize) -> Option<ChangedLines> {
        let now = text.read(edit.range).ok()?;
        if *now == *edit.old_text {
            return None;
        }
        let (start, end) = (edit.range.start(), edit.range.end());
        // No character is longer than four bytes.
        let most_bytes = most.saturating_mul(4);
        let line_start = text.line_at(start).ok()?.start();
        if start.get() - line_start.get() > most_bytes {
            return None;
        }
        let line_end = text.line_at(end).ok()?.end();
        let far_enough = ByteOffset::new(end.get().saturating_add(most_bytes));
        let until = text.floor(line_end.min(far_enough).get()).max(end);
        let front = text.read(ByteRange::new(line_start, start).ok()?).ok()?;
        let back = text.read(ByteRange::new(end, until).ok()?).ok()?;
        let before = with_line_feeds(&[&*front, &*edit.old_text, &*back].concat());
        let after = with_line_feeds(&[&*front, &*now, &*back].concat());
        ChangedLines::between(&before, &after)
    }

    /// The lines that differ between two texts.
    fn between(before: &str, after: &str) -> Option<ChangedLines> {
        let removed: Vec<&str> = before.split('\n').collect();
        let added: Vec<&str> = after.split('\n').collect();
        let (removed, added) = without_common_start(&removed, &added);
        let (removed, added) = without_common_end(removed, added);
        let (removed, added) = (without_blank_ends(removed), without_blank_ends(added));
        if removed.is_empty() && added.is_empty() {
            return None;
        }
        let (old, new) = (removed.join("\n"), added.join("\n"));
        let pairs = old.chars().zip(new.chars());
        Some(ChangedLines {
            removed: removed.iter().copied().map(Into::into).collect(),
            added: added.iter().copied().map(Into::into).collect(),
            same_start: pairs.take_while(|(a, b)| a == b).count(),
        })
    }
}

type LineSides<'a, 'b> = (&'a [&'b str], &'a [&'b str]);

fn without_common_start<'a, 'b>(one: &'a [&'b str], other: &'a [&'b str]) -> LineSides<'a, 'b> {
    let same = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    (one.split_at(same).1, other.split_at(same).1)
}

fn without_common_end<'a, 'b>(one: &'a [&'b str], other: &'a [&'b str]) -> LineSides<'a, 'b> {
    let pairs = one.iter().rev().zip(other.iter().rev());
    let same = pairs.take_while(|(a, b)| a == b).count();
    let kept = |lines: &'a [&'b str]| lines.split_at(lines.len() - same).0;
    (kept(one), kept(other))
}

fn without_blank_ends<'a, 'b>(mut lines: &'a [&'b str]) -> &'a [&'b str] {
    while let [first, rest @ ..] = lines {
        if !first.trim().is_empty() {
            break;
        }
        lines = rest;
    }
    while let [rest @ .., last] = lines {
        if !last.trim().is_empty() {
            break;
        }
        lines = rest;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use foretell_text::ChangeReason;

    /// The lines removed and added where `[new]` took the place of an old text.
    fn lines(marked: &str, old: &str) -> Option<(Vec<String>, Vec<String>)> {
        let (front, rest) = marked.split_once('[').unwrap();
        let (new, back) = rest.split_once(']').unwrap();
        let start = ByteOffset::new(front.len());
        let end = ByteOffset::new(front.len() + new.len());
        let edit = RecentEdit {
            made_at: None,
            range: ByteRange::new(start, end).unwrap(),
            old_text: old.into(),
            new_text: new.into(),
            reason: ChangeReason::Typed,
            is_accepted: false,
            age_ms: 0,
            is_finished: true,
        };
        let text = Text::from(&*[front, new, back].concat());
        let lines = ChangedLines::of(&text, &edit, 500)?;
        Some((lines.removed, lines.added))
    }

    fn sides(removed: &[&str], added: &[&str]) -> Option<(Vec<String>, Vec<String>)> {
        let owned = |lines: &[&str]| lines.iter().map(|line| (*line).into()).collect();
        Some((owned(removed), owned(added)))
    }

    #[test]
    fn a_few_characters_are_their_line() {
        let changed = lines("a\n  let x = [42];\nb", "1");
        assert_eq!(changed, sides(&["  let x = 1;"], &["  let x = 42;"]));
    }

    #[test]
    fn a_new_line_is_only_added_wherever_it_was_typed() {
        let added = sides(&[], &["  new();"]);
        assert_eq!(lines("a\n[  new();\n]b\n", ""), added);
        assert_eq!(lines("a[\n  new();]\nb\n", ""), added);
        assert_eq!(lines("a\r\n[  new();\r\n]b\r\n", ""), added);
        assert_eq!(lines("a\n  [new();]\nb\n", ""), added);
        assert_eq!(lines("{\n}\n[\n{\n}\n]", ""), sides(&[], &["{", "}"]));
    }

    #[test]
    fn a_line_that_is_gone_is_only_removed() {
        let removed = sides(&["  old();"], &[]);
        assert_eq!(lines("a\n[]b\n", "  old();\n"), removed);
        assert_eq!(lines("a[]\nb\n", "\n  old();"), removed);
    }

    #[test]
    fn nothing_and_blank_lines_are_no_change() {
        assert_eq!(lines("a[b]c", "b"), None);
        assert_eq!(lines("a[\n\n]\nc", ""), None);
    }

    #[test]
    fn very_long_lines_are_not_read_to_their_end() {
        let (front, back) = ("x ".repeat(50), "y".repeat(1_000_000));
        let text = format!("{front}[new]{back}\n");
        let (_, added) = lines(&text, "").unwrap();
        assert_eq!(added[0].len(), 100 + 3 + 2_000);
        let far_along = format!("{}[new]", "x".repeat(3_000));
        assert_eq!(lines(&far_along, ""), None);
    }
}
