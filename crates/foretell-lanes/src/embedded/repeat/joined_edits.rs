//! Edits that go on with one another at one place, as one.
//!
//! The history begins a new entry after every pause, also in the middle of a word: who makes `neat`
//! `rounde`, thinks, and adds the `d` has two, and neither says what was changed. Here the later of
//! two is undone in thought, and then the earlier, so that `neat` became `rounded`, just now.
//!
//! An edit goes on with an earlier one if it lies in what that put in, or in the words which that
//! begins and ends in; right beside those only if it lengthens a word, or if the earlier has removed
//! all of it. Others in between do not matter as long as they are apart, but no edit goes on across one
//! of a formatter. Everything is within one line. Where the earlier was before the later is told from
//! where it is now, and must read as it did; in doubt they are not joined. What is the same again as
//! before both is not joined either: that it was brought back is a change.
//!
//! The later edit counts by itself as well: once the name `rounde` stands at other places too, it is
//! the `d` that is missing there. The earlier does not, but is counted among what was done since.
//!
//! Of the whole only names that became others are offered, and only if they are declared, once, as
//! far as one can see. People pause in the middle of all kinds of work, and of what follows from the
//! rest hardly anything is what they do next.

use std::borrow::Cow;
use std::ops::Range;

use foretell_text::{ByteOffset, ByteRange, ChangeReason, RecentEdit, Text};

use foretell_text::plain::is_word;

/// How many earlier edits are looked at for each.
const MOST_EARLIER: usize = 8;
/// How long the texts of an edit may be, in bytes.
const LONGEST: usize = 1_000;
/// How far the end of a word is looked for, in bytes.
const LONGEST_WORD: usize = 128;

/// An edit, and all that it goes on with.
pub(super) struct EditStrand<'edit> {
    /// The latest edit at its place.
    pub(super) latest: &'edit RecentEdit,
    /// That and the earlier ones as one, if it goes on with any.
    pub(super) whole: Option<RecentEdit>,
    /// Whether a later one goes on with it, or it goes on with lines that were put in, so that it says nothing
    /// by itself.
    pub(super) is_gone_on_with: bool,
}

/// The edits of a document, each with those that it goes on with; the latest first, as they are.
pub(super) fn strands<'edit>(text: &Text, edits: &'edit [RecentEdit]) -> Vec<EditStrand<'edit>> {
    let mut is_taken = vec![false; edits.len()];
    let mut strands = Vec::new();
    for (index, latest) in edits.iter().enumerate() {
        if is_taken[index] {
            strands.push(EditStrand {
                latest,
                whole: None,
                is_gone_on_with: true,
            });
            continue;
        }
        let mut whole = None;
        let earlier = edits.iter().enumerate().skip(index + 1).take(MOST_EARLIER);
        let earlier = earlier.take_while(|(_, edit)| edit.reason == ChangeReason::Typed);
        for (at, edit) in earlier {
            let later = whole.as_ref().unwrap_or(latest);
            if is_taken[at] || !is_plain(later) {
                continue;
            }
            if let Some(both) = both(text, later, edit) {
                whole = Some(both);
                is_taken[at] = true;
            } else if later.range.touches(edit.range) {
                // It hides everything further back.
                break;
            }
        }
        strands.push(EditStrand {
            latest,
            whole,
            is_gone_on_with: false,
        });
    }
    strands
}

/// Two edits as one, if the later goes on with the earlier.
fn both(text: &Text, later: &RecentEdit, earlier: &RecentEdit) -> Option<RecentEdit> {
    let is_near = gap(later.range, earlier.range) <= LONGEST_WORD;
    if !is_near || !is_plain(earlier) || read(text, later.range)? != *later.new_text {
        return None;
    }
    let around = EditSurroundings::of(text, later)?;
    let place = around.place_of(earlier)?;
    if !around.goes_on_with(&place) {
        return None;
    }
    // From here on everything is in what stood there before the later edit.
    let EditSurroundings { before, was, .. } = &around;
    let (start, end) = (place.start.min(was.start), place.end.max(was.end));
    let front = before.get(start..place.start)?;
    let back = before.get(place.end..end)?;
    let old_text = [front, &earlier.old_text, back].concat();
    let new_text = [
        before.get(start..was.start)?,
        &later.new_text,
        before.get(was.end..end)?,
    ];
    let new_text = new_text.concat();
    let start = around.start + start;
    let range = range(start, start + new_text.len())?;
    let differs = old_text != new_text;
    differs.then(|| RecentEdit {
        made_at: None,
        range,
        old_text: old_text.into(),
        new_text: new_text.into(),
        reason: later.reason,
        is_accepted: later.is_accepted && earlier.is_accepted,
        age_ms: later.age_ms,
        is_finished: later.is_finished,
    })
}

/// The text around an edit, as it was before it.
struct EditSurroundings<'edit> {
    edit: &'edit RecentEdit,
    /// Where it starts in the text.
    start: usize,
    before: String,
    /// Where in it the edit was made: what it took away.
    was: Range<usize>,
}

impl<'edit> EditSurroundings<'edit> {
    /// As much as an earlier edit and its words may reach over.
    fn of(text: &Text, edit: &'edit RecentEdit) -> Option<EditSurroundings<'edit>> {
        let reach = LONGEST + LONGEST_WORD;
        let (from, to) = (edit.range.start(), edit.range.end());
        let start = text.floor(from.get().saturating_sub(reach));
        let end = text.floor(to.get().saturating_add(reach));
        let front = read(text, ByteRange::new(start, from).ok()?)?;
        let back = read(text, ByteRange::new(to, end).ok()?)?;
        let was = from.get() - start.get();
        Some(EditSurroundings {
            edit,
            start: start.get(),
            before: [&*front, &edit.old_text, &*back].concat(),
            was: was..was + edit.old_text.len(),
        })
    }

    /// Where an earlier edit was before this one, if that can be only one place.
    fn place_of(&self, earlier: &RecentEdit) -> Option<Range<usize>> {
        let (later, length) = (self.edit.range, earlier.new_text.len());
        let (start, end) = (earlier.range.start(), earlier.range.end());
        // What has nothing in it may have been on either side of what was taken away.
        let is_empty = length == 0 && !self.edit.old_text.is_empty();
        if is_empty && later.touches(earlier.range) {
            return None;
        }
        let by_start = || start.get().checked_sub(self.start);
        let by_end = || {
            let behind = end.get().checked_sub(later.end().get())?;
            (self.was.end + behind).checked_sub(length)
        };
        let by_start = by_start().filter(|_| start <= later.start());
        let by_end = by_end().filter(|_| end >= later.end());
        let reads = |at: &usize| self.before.get(*at..at + length) == Some(&*earlier.new_text);
        match (by_start.filter(reads), by_end.filter(reads)) {
            (Some(one), Some(other)) if one != other => None,
            (one, other) => one.or(other).map(|at| at..at + length),
        }
    }

    /// Whether the edit lies in a place before it or in its words, or lengthens one of those.
    fn goes_on_with(&self, place: &Range<usize>) -> bool {
        let (before, was) = (&self.before, &self.was);
        let words = with_words(before, place);
        let is_inside = words.start <= was.start && was.end <= words.end;
        let is_insertion = was.is_empty();
        if !is_inside || !is_insertion || words.is_empty() {
            return is_inside;
        }
        let new = &self.edit.new_text;
        let ends_in = |text: Option<&str>| text.is_some_and(|text| text.ends_with(is_word));
        let begins_with = |text: Option<&str>| text.is_some_and(|text| text.starts_with(is_word));
        let is_behind = was.start == words.end;
        let is_in_front = was.start == words.start;
        match (is_in_front, is_behind) {
            (_, true) => ends_in(before.get(..was.start)) && new.starts_with(is_word),
            (true, false) => new.ends_with(is_word) && begins_with(before.get(was.start..)),
            (false, false) => true,
        }
    }
}

/// A place with the words that it begins and ends in.
fn with_words(text: &str, place: &Range<usize>) -> Range<usize> {
    let front = text.get(..place.start).unwrap_or_default();
    let back = text.get(place.end..).unwrap_or_default();
    front.trim_end_matches(is_word).len()..text.len() - back.trim_start_matches(is_word).len()
}

/// Whether an edit is somebody's, within a line, and not long.
fn is_plain(edit: &RecentEdit) -> bool {
    let is_plain = |text: &str| text.len() <= LONGEST && !text.contains(['\n', '\r']);
    let is_typed = edit.reason == ChangeReason::Typed;
    is_typed && is_plain(&edit.old_text) && is_plain(&edit.new_text)
}

/// How much lies between two places, in bytes.
fn gap(one: ByteRange, other: ByteRange) -> usize {
    let gap = |a: ByteRange, b: ByteRange| b.start().get().saturating_sub(a.end().get());
    gap(one, other).max(gap(other, one))
}

fn read(text: &Text, range: ByteRange) -> Option<Cow<'_, str>> {
    text.read(range).ok()
}

fn range(start: usize, end: usize) -> Option<ByteRange> {
    ByteRange::new(ByteOffset::new(start), ByteOffset::new(end)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use foretell_text::{Edit, Replacement};
    use proptest::prelude::*;

    /// Makes one edit after the other, each at a place that is told by characters.
    fn made(text: &str, steps: &[(usize, usize, String)]) -> (Text, Vec<RecentEdit>) {
        let mut text = Text::from(text);
        let mut edits: Vec<RecentEdit> = Vec::new();
        for (at, removed, new_text) in steps {
            let start = text.floor(*at);
            let end = text.floor(start.get() + removed);
            let place = ByteRange::new(start, end).expect("it is in order");
            let edit = Edit::from(Replacement::new(place, new_text.as_str()));
            let old_text = text.read(place).expect("it is there").as_ref().into();
            for earlier in &mut edits {
                earlier.range = edit.map_range(earlier.range);
                earlier.age_ms += 2_000;
            }
            text = edit.apply(&text).expect("it fits");
            let end = start.get() + new_text.len();
            let recent = RecentEdit {
                made_at: None,
                range: range(start.get(), end).expect("it is in order"),
                old_text,
                new_text: new_text.as_str().into(),
                reason: ChangeReason::Typed,
                is_accepted: false,
                age_ms: 10,
                is_finished: true,
            };
            edits.insert(0, recent);
        }
        (text, edits)
    }

    fn steps(most: usize) -> impl Strategy<Value = Vec<(usize, usize, String)>> {
        prop::collection::vec((0_usize..12, 0_usize..5, "[abé. \n]{0,4}"), 2..=most)
    }

    proptest! {
        #[test]
        fn undoing_two_as_one_brings_back_what_was(text in "[abé. ]{0,10}", steps in steps(2)) {
            let (now, edits) = made(&text, &steps);
            if let Some(whole) = strands(&now, &edits).swap_remove(0).whole {
                prop_assert_eq!(now.read(whole.range).expect("it is there"), &*whole.new_text);
                let undo = Edit::from(Replacement::new(whole.range, whole.old_text));
                prop_assert_eq!(undo.apply(&now).expect("it fits").to_string(), text);
                prop_assert_eq!(whole.age_ms, edits[0].age_ms);
            }
        }

        #[test]
        fn every_edit_is_there_and_a_whole_reads_as_the_text(steps in steps(8)) {
            let (now, edits) = made("ab é.ba", &steps);
            let strands = strands(&now, &edits);
            prop_assert_eq!(strands.len(), edits.len());
            for whole in strands.iter().filter_map(|strand| strand.whole.as_ref()) {
                prop_assert_eq!(now.read(whole.range).expect("it is there"), &*whole.new_text);
            }
        }
    }
}
