//! Whether a change that an editor told without a word can have been typed.
//!
//! Editors say when something is undone, and hardly ever that a formatter or a refactoring has
//! changed the text. What such a change did is no example of what the person wants, and no key of theirs.
//! It is known by its shape: people change one place at a time, or the same way at several cursors. Two
//! more things that a key may do are theirs: to put a pair of marks around what is selected, and to take a
//! completion that brings its import along. Nobody types over many lines with many others.
//!
//! Absent on purpose: where the cursor is. What is taken of an offer, or dropped by the mouse, is far from it
//! too.

use foretell_text::{Edit, Replacement, Text};

/// How many lines are replaced by as many that nobody types.
const MANY_LINES: usize = 12;

/// Whether no key can have made all of a change at once.
pub(super) fn is_untyped(before: &Text, change: &Edit) -> bool {
    let Ok(change) = change.trimmed(before) else {
        return false;
    };
    match change.replacements() {
        [] => false,
        [only] => {
            let is_many = |text: &str| text.lines().count() >= MANY_LINES;
            let old = before.read(only.range());
            is_many(only.new_text()) && old.is_ok_and(|old| is_many(&old))
        }
        parts => !(is_of_several_cursors(parts) || are_marks(parts) || brings_import(parts)),
    }
}

/// Whether the same is put in at several places, or one character or nothing in the place of whatever was
/// selected. Where lines begin, each may be set in differently.
fn is_of_several_cursors(parts: &[Replacement]) -> bool {
    let said = |part: &Replacement| part.new_text().trim().to_owned();
    let first = parts.first().map(said);
    parts.iter().all(|part| {
        let is_key = part.range().is_empty() || part.new_text().chars().count() <= 1;
        is_key && Some(said(part)) == first
    })
}

/// Whether single marks are put in, as around what is selected.
fn are_marks(parts: &[Replacement]) -> bool {
    parts.iter().all(|part| {
        let mut characters = part.new_text().chars();
        let mark = characters.next();
        let is_mark = mark.is_some_and(|it| it.is_ascii_punctuation());
        part.range().is_empty() && is_mark && characters.next().is_none()
    })
}

/// Whether one of two parts is written within a line, and the other puts in a line.
fn brings_import(parts: &[Replacement]) -> bool {
    let [one, other] = parts else {
        return false;
    };
    let has_break = |part: &Replacement| part.new_text().contains('\n');
    let is_line = |part: &Replacement| {
        part.range().is_empty() && has_break(part) && part.new_text().trim().lines().count() == 1
    };
    let is_within = |part: &Replacement| !has_break(part) && !part.new_text().is_empty();
    (is_line(one) && is_within(other)) || (is_line(other) && is_within(one))
}

#[cfg(test)]
mod tests {
    use super::*;
    use foretell_text::{ByteOffset, ByteRange};

    const TEXT: &str = "use a;\nlet x = name(1, name);\nlet y = name;\n";

    fn is_untyped(parts: &[(usize, usize, &str)]) -> bool {
        let parts = parts.iter().map(|(start, length, new)| {
            let end = ByteOffset::new(start + length);
            let range = ByteRange::new(ByteOffset::new(*start), end).unwrap();
            Replacement::new(range, *new)
        });
        let change = Edit::new(parts.collect()).unwrap();
        super::is_untyped(&Text::from(TEXT), &change)
    }

    #[test]
    fn what_is_done_at_one_place_or_several_cursors_is_typed() {
        assert!(!is_untyped(&[(7, 3, "const")]));
        assert!(!is_untyped(&[(7, 0, "// "), (30, 0, "// ")]));
        assert!(!is_untyped(&[(15, 4, "x"), (23, 4, "x")]));
        assert!(!is_untyped(&[(15, 0, "("), (28, 0, ")")]));
    }

    #[test]
    fn a_completion_may_bring_its_import_along() {
        assert!(!is_untyped(&[(0, 0, "use b;\n"), (38, 4, "Completed")]));
    }

    #[test]
    fn a_formatter_or_a_rename_is_not_typed() {
        assert!(is_untyped(&[
            (15, 4, "title"),
            (23, 4, "title"),
            (38, 4, "title")
        ]));
        assert!(is_untyped(&[(11, 1, "xx"), (20, 2, "")]));
        let long = "a\n".repeat(20);
        let text = Text::from(&*"b\n".repeat(20));
        let whole = ByteRange::new(ByteOffset::ZERO, text.end()).unwrap();
        let change = Edit::from(Replacement::new(whole, long));
        assert!(super::is_untyped(&text, &change));
    }
}
