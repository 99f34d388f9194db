//! The simplest rule that works: the latest replacement of some words and marks, at the nearest
//! other place where they stand.
//!
//! It is what every predictor of next edits has to beat, so it is scored in the same run, on the
//! same questions. It knows nothing of languages, strings, comments or confidence, on purpose, and
//! is never suggested to anybody.

use foretell_core::{Core, Moment, Spot};
use foretell_text::plain::is_word;
use foretell_text::{
    ByteOffset, ByteRange, DocumentId, Edit, LaneCandidate, LaneKind, RecentEdit, Replacement,
};
use foretell_trace::LaneAnswerer;

/// The simplest rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct SimplestRule;

impl LaneAnswerer for SimplestRule {
    fn answer(&self, core: &Core, now: Moment, lane: LaneKind, spot: &Spot) -> Vec<LaneCandidate> {
        if lane != LaneKind::NextEdit {
            return Vec::new();
        }
        let texts = texts(core, spot);
        let replaced = replaced(core, now, &texts);
        let again = |(old, new): &(String, String)| {
            texts.iter().find_map(|open| {
                let place = nearest(&open.text, old, open.cursor)?;
                Some(LaneCandidate::new(
                    open.id.clone(),
                    Edit::from(Replacement::new(place, new.as_str())),
                ))
            })
        };
        replaced.iter().find_map(again).into_iter().collect()
    }
}

/// A document, and from where in it is looked.
struct OpenText {
    id: DocumentId,
    text: String,
    cursor: usize,
}

/// The document with the cursor, then the others.
fn texts(core: &Core, spot: &Spot) -> Vec<OpenText> {
    let others = core.open_documents().into_iter();
    let others = others.filter(|id| **id != spot.document);
    let all = std::iter::once(&spot.document).chain(others);
    let open = |id: &DocumentId| {
        Some(OpenText {
            id: id.clone(),
            text: core.text(id)?.to_string(),
            cursor: if *id == spot.document {
                spot.at.get()
            } else {
                0
            },
        })
    };
    all.filter_map(open).collect()
}

/// Replacements, old and new, the latest first.
fn replaced(core: &Core, now: Moment, texts: &[OpenText]) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for open in texts {
        for edit in core.recent_edits(now, &open.id) {
            let replaced = whole_words(&edit, &open.text);
            all.extend(replaced.map(|it| (edit.age_ms, it)));
        }
    }
    // Those of one moment stay in the order of the documents.
    all.sort_by_key(|(age, _)| *age);
    all.into_iter().map(|(_, replaced)| replaced).collect()
}

/// The words and marks that an edit replaced, and by what. Nothing if it only put something in.
fn whole_words(edit: &RecentEdit, text: &str) -> Option<(String, String)> {
    let before = text.get(..edit.range.start().get())?;
    let after = text.get(edit.range.end().get()..)?;
    let (_, left) = before.split_at(before.trim_end_matches(is_word).len());
    let (right, _) = after.split_at(after.len() - after.trim_start_matches(is_word).len());
    let old = format!("{left}{}{right}", edit.old_text);
    let new = format!("{left}{}{right}", edit.new_text);
    let (old, new) = (tokens(&old), tokens(&new));
    let (old, new) = without_common_start(&old, &new);
    let (old, new) = without_common_end(old, new);
    let old = old.concat();
    (!old.trim().is_empty()).then(|| (old, new.concat()))
}

/// Where something stands, not within a longer word, that is nearest to a place.
fn nearest(text: &str, wanted: &str, at: usize) -> Option<ByteRange> {
    let is_whole = |start: usize| {
        let (before, rest) = text.split_at(start);
        let after = rest.strip_prefix(wanted).unwrap_or(rest);
        let cuts = |inside: Option<char>, outside: Option<char>| {
            inside.is_some_and(is_word) && outside.is_some_and(is_word)
        };
        !cuts(wanted.chars().next(), before.chars().next_back())
            && !cuts(wanted.chars().next_back(), after.chars().next())
    };
    let places = text.match_indices(wanted).map(|(start, _)| start);
    let places = places.filter(|start| is_whole(*start));
    let start = places.min_by_key(|start| start.abs_diff(at))?;
    let end = ByteOffset::new(start + wanted.len());
    ByteRange::new(ByteOffset::new(start), end).ok()
}

fn without_common_start<'a, 't>(
    a: &'a [&'t str],
    b: &'a [&'t str],
) -> (&'a [&'t str], &'a [&'t str]) {
    let common = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    (a.split_at(common).1, b.split_at(common).1)
}

fn without_common_end<'a, 't>(
    a: &'a [&'t str],
    b: &'a [&'t str],
) -> (&'a [&'t str], &'a [&'t str]) {
    let pairs = a.iter().rev().zip(b.iter().rev());
    let common = pairs.take_while(|(a, b)| a == b).count();
    (
        a.split_at(a.len() - common).0,
        b.split_at(b.len() - common).0,
    )
}

/// Words, runs of white space, and every other character by itself.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if is_word(first) {
            rest.len() - rest.trim_start_matches(is_word).len()
        } else if first.is_whitespace() {
            rest.len() - rest.trim_start().len()
        } else {
            first.len_utf8()
        };
        let (token, after) = rest.split_at(length);
        tokens.push(token);
        rest = after;
    }
    tokens
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail anywhere")]

    use super::*;

    #[test]
    fn a_change_within_a_word_is_a_change_of_the_word() {
        let text = "class Point3D {}";
        let edit = RecentEdit {
            made_at: None,
            range: ByteRange::new(ByteOffset::new(11), ByteOffset::new(13)).unwrap(),
            old_text: "".into(),
            new_text: "3D".into(),
            reason: foretell_text::ChangeReason::Typed,
            is_accepted: false,
            age_ms: 0,
            is_finished: true,
        };
        let replaced = whole_words(&edit, text);
        assert_eq!(replaced, Some(("Point".to_owned(), "Point3D".to_owned())));
    }

    #[test]
    fn the_nearest_place_is_never_within_a_longer_word() {
        let place = |at| nearest("ab abc ab", "ab", at).map(|it| it.start().get());
        assert_eq!((place(0), place(5), place(6)), (Some(0), Some(7), Some(7)));
        assert_eq!(nearest("é.ab", ".", 0).unwrap().start().get(), 2);
        assert_eq!(nearest("abc", "ab", 0), None);
    }
}
