//! Whether one edit writes the beginning of what another writes.
//!
//! A model that writes line by line is shown before it has said everything, so a rejection may be about the
//! beginning of more, and what a model has said so far may be the beginning of what was rejected. Both edits
//! are for one text and put something in at one place; what they replace behind that does not matter.
//!
//! Edits of several places have no beginning.

use foretell_text::{ByteOffset, ByteRange, Edit, Replacement, Text};

/// How many bytes an edit of a text writes beyond another, if that writes its beginning.
pub(crate) fn written_beyond(beginning: &Edit, whole: &Edit, text: &Text) -> Option<usize> {
    let ([beginning], [whole]) = (beginning.replacements(), whole.replacements()) else {
        return None;
    };
    let start_of = |part: &Replacement| part.range().start().get();
    // A rejection may come from outside and be anywhere.
    let end_of = |part: &Replacement| start_of(part).saturating_add(part.new_text().len());
    let (end, whole_end) = (end_of(beginning), end_of(whole));
    // Edits that do not write at one place have nothing to do with each other.
    if start_of(whole) >= end || start_of(beginning) >= whole_end {
        return None;
    }
    let beyond = whole_end.checked_sub(end)?;
    let from = ByteOffset::new(start_of(beginning).min(start_of(whole)));
    let written = |part: &Replacement| {
        let before = ByteRange::new(from, part.range().start()).ok()?;
        let before = text.read(before).ok()?;
        Some([&before, part.new_text()].concat())
    };
    let is_beginning = written(whole)?.starts_with(&written(beginning)?);
    is_beginning.then_some(beyond)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(start: usize, end: usize, new_text: &str) -> Edit {
        let range = ByteRange::new(ByteOffset::new(start), ByteOffset::new(end)).unwrap();
        Edit::from(Replacement::new(range, new_text))
    }

    #[test]
    fn an_edit_at_the_end_of_all_numbers_is_no_beginning() {
        let far = edit(usize::MAX, usize::MAX, "ab");
        assert_eq!(written_beyond(&far, &far, &Text::from("x")), None);
    }

    #[test]
    fn what_is_written_first_is_a_beginning() {
        let text = Text::from("let a = (b);\n");
        let cases = [
            ((8, 8, "one("), (8, 8, "one(\n  two,\n)"), Some(9)),
            ((8, 8, "one("), (8, 8, "one("), Some(0)),
            ((8, 8, "one("), (8, 12, "one(\n"), Some(1)),
            ((8, 8, "one(\n"), (8, 8, "one("), None),
            ((8, 8, "one("), (8, 8, "two(\n"), None),
            // Whatever an edit leaves as it was may be written in it or not.
            ((8, 8, "(c"), (9, 11, "cd"), Some(1)),
            ((9, 9, "c"), (8, 11, "(cd"), Some(1)),
            ((8, 8, "(b"), (11, 11, "(b"), None),
            ((8, 8, ""), (8, 8, "one"), None),
            ((0, 0, "let a = ("), (9, 9, "b"), None),
        ];
        for (beginning, whole, expected) in cases {
            let [one, other] = [beginning, whole].map(|(start, end, new)| edit(start, end, new));
            assert_eq!(written_beyond(&one, &other, &text), expected, "{one:?}");
        }
    }

    #[test]
    fn edits_of_several_places_have_no_beginning() {
        let text = Text::from("a b");
        let both = [(0, "x"), (2, "y")];
        let both = both.map(|(at, new)| Replacement::insertion(ByteOffset::new(at), new));
        let both = Edit::new(both.to_vec()).unwrap();
        assert_eq!(written_beyond(&both, &both, &text), None);
        assert_eq!(written_beyond(&Edit::default(), &both, &text), None);
    }
}
