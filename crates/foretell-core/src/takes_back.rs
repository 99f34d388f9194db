//! Whether a suggestion takes back what the person did in their last changes.
//!
//! A model that is told the latest change sees the text before it, and some write that text down again: what
//! was deleted comes back, and what was typed goes. Nobody wants that; a person who does has undo. The same
//! holds the other way round: what a person has undone is not suggested to them again.
//!
//! It is judged by effect, never by words: a suggestion takes a change back if the text at its place would read
//! as it did before, however that is written, and whether the suggestion does more elsewhere. One that brings back
//! some of the lines that were deleted, and nothing else there, does as well. One that goes on with a change, or
//! changes it to something else, does not.
//!
//! Absent on purpose: which changes those are, which is the history's to say.

use foretell_text::{ByteOffset, ByteRange, Edit, Replacement, Text};

/// How long a line end is at most, in bytes.
const LINE_END: usize = 2;

/// Whether a suggestion does what one of these would, or several of the first of them together.
pub(crate) fn takes_back(edit: &Edit, ways_back: &[Replacement], text: &Text) -> bool {
    let Ok(edit) = edit.trimmed(text) else {
        return false;
    };
    let parts = edit.replacements();
    let does = |way: &Edit| edit.effect(text).is_ok_and(|it| way.effect(text) == Ok(it));
    let is_one = |way: &Replacement| {
        let alone = Edit::from(way.clone());
        let Ok(effect) = alone.effect(text) else {
            return false;
        };
        let is_part = |part: &Replacement| {
            let part = Edit::from(part.clone());
            part.effect(text).is_ok_and(|it| it == effect)
        };
        !effect.is_nothing()
            && (does(&alone) || parts.iter().any(is_part) || does_within(parts, way, text))
            || brings_lines_back(parts, way, text)
    };
    // What is further apart than a suggestion is long is not all of what that does, and to look would cost as much as
    // all the text between.
    let reach = span(parts).map_or(0, |span| span.len());
    let together = (2..=ways_back.len()).filter_map(|count| {
        let mut several = ways_back.get(..count)?.to_vec();
        several.sort_by_key(|way| way.range().start());
        let ends = [several.first()?, several.last()?].map(|way| way.range());
        let apart = ends[1].start().get().saturating_sub(ends[0].end().get());
        (apart <= reach).then_some(())?;
        Edit::new(several).ok()
    });
    ways_back.iter().any(is_one) || together.into_iter().any(|way| does(&way))
}

/// From where to where parts of an edit reach.
fn span(parts: &[Replacement]) -> Option<ByteRange> {
    let (first, last) = parts.first().zip(parts.last())?;
    ByteRange::new(first.range().start(), last.range().end()).ok()
}

/// Whether nothing is done around a change but that lines which it deleted come back, all or some of them.
fn brings_lines_back(parts: &[Replacement], way: &Replacement, text: &Text) -> bool {
    // What is put in behind a line end may as well be put in ahead of it.
    let place = way.range();
    let from = text.floor(place.start().get().saturating_sub(LINE_END));
    let to = text.floor(place.end().get().saturating_add(LINE_END));
    let place = ByteRange::new(from, to.max(place.end())).unwrap_or(place);
    let touching = touching(parts, place);
    let all = touching.iter().copied().chain([way]);
    let start = all.clone().map(|part| part.range().start()).min();
    let end = all.map(|part| part.range().end()).max();
    let Some((start, end)) = start.zip(end).filter(|_| !touching.is_empty()) else {
        return false;
    };
    let (Ok(first), Ok(last)) = (text.line_at(start), text.line_at(end)) else {
        return false;
    };
    let lines = |parts: &[&Replacement]| {
        let written = written(parts, text, first.start(), last.end())?;
        let lines = written.lines().map(|line| line.trim_end().to_owned());
        Some(lines.collect::<Vec<_>>())
    };
    let (Some(now), Some(then), Some(back)) = (lines(&[]), lines(&touching), lines(&[way])) else {
        return false;
    };
    let says = |lines: &[String]| {
        let said = lines
            .iter()
            .filter(|line| line.contains(char::is_alphanumeric));
        said.count()
    };
    says(&then) > says(&now) && is_among(&now, &then) && is_among(&then, &back)
}

/// Whether lines stand among others, in their order.
fn is_among(lines: &[String], others: &[String]) -> bool {
    let mut others = others.iter();
    lines.iter().all(|line| others.any(|other| other == line))
}

/// The parts of a suggestion at a place.
fn touching(parts: &[Replacement], place: ByteRange) -> Vec<&Replacement> {
    let at_its_place = |part: &&Replacement| part.range().touches(place);
    parts.iter().filter(at_its_place).collect()
}

/// A stretch of the text with some of it replaced.
fn written(
    parts: &[&Replacement],
    text: &Text,
    start: ByteOffset,
    end: ByteOffset,
) -> Option<String> {
    let (mut written, mut from) = (String::new(), start);
    for part in parts {
        let kept = ByteRange::new(from, part.range().start()).ok()?;
        written.push_str(&text.read(kept).ok()?);
        written.push_str(part.new_text());
        from = part.range().end();
    }
    written.push_str(&text.read(ByteRange::new(from, end).ok()?).ok()?);
    Some(written)
}

/// Whether the text around a change would read as if that had been taken back and nothing else had been
/// done there.
fn does_within(parts: &[Replacement], way: &Replacement, text: &Text) -> bool {
    let (mut start, mut end) = (way.range().start(), way.range().end());
    let touching = touching(parts, way.range());
    for part in &touching {
        start = start.min(part.range().start());
        end = end.max(part.range().end());
    }
    let written = |parts: &[&Replacement]| written(parts, text, start, end);
    !touching.is_empty() && written(&touching).is_some_and(|it| written(&[way]) == Some(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(start: usize, end: usize, new_text: &str) -> Replacement {
        let range = ByteRange::new(ByteOffset::new(start), ByteOffset::new(end)).unwrap();
        Replacement::new(range, new_text)
    }

    fn is_back(text: &str, edit: &[Replacement], ways: &[Replacement]) -> bool {
        let edit = Edit::new(edit.to_vec()).unwrap();
        takes_back(&edit, ways, &Text::from(text))
    }

    #[test]
    fn a_deletion_is_taken_back_however_it_is_written() {
        // `b` and its line end were deleted.
        let ways = [put(2, 2, "b\n")];
        assert!(is_back("a\nc\n", &[put(2, 2, "b\n")], &ways));
        assert!(is_back("a\nc\n", &[put(1, 1, "\nb")], &ways));
        assert!(is_back("a\nc\n", &[put(0, 3, "a\nb\nc")], &ways));
        assert!(!is_back("a\nc\n", &[put(2, 2, "bb\n")], &ways));
        assert!(!is_back("a\nc\n", &[put(4, 4, "b\n")], &ways));
    }

    #[test]
    fn doing_more_elsewhere_makes_no_difference() {
        let ways = [put(4, 5, "sum")];
        let text = "let x = 1;\nlet y = 2;\n";
        assert!(is_back(text, &[put(4, 5, "sum"), put(19, 20, "3")], &ways));
        assert!(!is_back(
            text,
            &[put(4, 5, "total"), put(19, 20, "3")],
            &ways
        ));
    }

    #[test]
    fn two_changes_are_taken_back_at_once() {
        let ways = [put(4, 5, "a"), put(15, 16, "b")];
        let text = "let x = 1;\nlet y = 2;\n";
        assert!(is_back(text, &[put(4, 5, "a"), put(15, 16, "b")], &ways));
        assert!(is_back(text, &[put(4, 16, "a = 1;\nlet b")], &ways));
        assert!(!is_back(text, &[], &ways));
    }

    #[test]
    fn some_of_the_lines_that_were_deleted_are_taken_back() {
        let ways = [put(2, 2, "    b();\n    c();\n    d();\n")];
        let text = "a\ne\n";
        assert!(is_back(text, &[put(2, 2, "    b();\n    c();\n")], &ways));
        assert!(is_back(text, &[put(1, 1, "\n    c();")], &ways));
        assert!(is_back(text, &[put(2, 2, "    b();\n    d();\n")], &ways));
        assert!(!is_back(text, &[put(2, 2, "    d();\n    b();\n")], &ways));
        assert!(!is_back(text, &[put(2, 2, "    b();\n    x();\n")], &ways));
        assert!(!is_back(text, &[put(2, 2, "\n")], &ways));
        assert!(!is_back(text, &[put(2, 3, "    b();\nx")], &ways));
    }

    #[test]
    fn what_does_not_fit_is_no_suggestion() {
        assert!(!is_back("a", &[put(5, 9, "b")], &[put(0, 1, "c")]));
        assert!(!is_back("a", &[put(0, 1, "b")], &[put(5, 9, "c")]));
    }
}
