//! Keeping a suggestion true while the person types into it.
//!
//! [`rebase_over`](Edit::rebase_over) gives up as soon as the person types at a suggestion's place,
//! which is exactly where a person who likes the suggestion types. Carrying asks more: is what they
//! did *on the way* to the text the suggestion leads to? If so, what remains is the edit from their
//! text to that same text.
//!
//! A change of the person's is on the way when it lies within a range that the suggestion replaces,
//! and everything they have written there so far, from the start of the range on, stands in the
//! suggestion's new text in the same order. Of an auto-closed pair, what was written up to the opener
//! does, and the closer comes further on. Removing what the suggestion removes is on the way too.
//! Whether all of it must stand at the very start, or may come later, is said by [`CarryAgreement`]: only
//! with [`CarryAgreement::Next`] does what remains leave alone what the person wrote, closers excepted.
//! Where the text repeats itself, a suggestion may be written at several places with the same
//! effect, so it is first slid to where the person typed.
//!
//! **Which form to give.** A range that a suggestion replaces by itself counts as replaced: a person
//! who deletes a word of it is taken to be on the way, and would get the word back. So a suggestion
//! is trimmed once, when it comes. What is carried is not trimmed: it still covers what the person
//! typed, so that deleting that again is on the way as well. Carry it on as it is, and trim it to
//! show it.
//!
//! [`ChangeElsewhere`] says what becomes of the suggestion when the person also changes something that it
//! does not touch.

use std::sync::Arc;

use super::map::OffsetShift;
use super::rebase::order;
use super::{Edit, EditMisfit, Replacement, agreeing_ends};
use crate::offset::{ByteOffset, ByteRange};
use crate::text::Text;

/// How near what the person typed must come in a suggestion for it to be carried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CarryAgreement {
    /// It is what comes next. What remains takes nothing away that they wrote, but for the closers
    /// of an auto-closed pair, which come further on.
    Next,
    /// It is what comes next; or all that they have written at the place is at most five characters,
    /// and begins within the next ten. What remains may put something else in the place of these.
    Strict,
    /// It comes somewhere.
    Lenient,
}

/// The fate of a suggestion when the person also changes something that it does not touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeElsewhere {
    /// It is not carried, so that what is carried always leads to the suggestion's own text.
    Ends,
    /// It is moved, as by [`rebase_over`](Edit::rebase_over).
    Moves,
}

/// How many characters into the new text a strict agreement may begin.
const STRICT_SKIP: usize = 10;
/// How many characters an agreement may have that begins later than right away.
const STRICT_SKIP_LEN: usize = 5;

/// How many closers in a row are looked at. Typing never nests deeper, and a paste of thousands
/// must not be tried one by one.
const MOST_CLOSERS: usize = 16;

/// Pairs that editors close by themselves: opener and closer.
const PAIRS: [(char, char); 7] = [
    ('(', ')'),
    ('[', ']'),
    ('{', '}'),
    ('<', '>'),
    ('"', '"'),
    ('\'', '\''),
    ('`', '`'),
];

impl Edit {
    /// This suggestion for the text after `base`, or nothing if the person has left its way.
    ///
    /// Both edits must be made for `text`.
    pub fn carried_over(
        &self,
        text: &Text,
        base: &Edit,
        agreement: CarryAgreement,
        elsewhere: ChangeElsewhere,
    ) -> Result<Option<Edit>, EditMisfit> {
        self.check(text)?;
        let trimmed = base.trimmed(text)?;
        let mut walk = CarryWalk {
            text,
            agreement,
            elsewhere,
            rest: &trimmed.replacements,
            passed: None,
            shift: OffsetShift::default(),
        };
        let carried = walk.carry(&self.replacements);
        Ok(match elsewhere {
            ChangeElsewhere::Ends => carried,
            ChangeElsewhere::Moves => carried.or_else(|| self.rebased_over(base)),
        })
    }
}

/// How far to the right a replacement may slide.
#[derive(Clone, Copy, PartialEq)]
enum SlideLimit {
    /// Not at all: another of the suggestion's comes behind it.
    Own,
    /// As far as the text allows.
    None,
}

/// A walk through both edits, from the start of the text to its end.
struct CarryWalk<'a> {
    text: &'a Text,
    agreement: CarryAgreement,
    elsewhere: ChangeElsewhere,
    /// The part of the person's edit that has not been met yet.
    rest: &'a [Replacement],
    /// Where the last of it was that ours was moved over.
    passed: Option<ByteRange>,
    /// The part of it that has been passed.
    shift: OffsetShift,
}

impl CarryWalk<'_> {
    fn carry(&mut self, ours: &[Replacement]) -> Option<Edit> {
        let last = ours.len().saturating_sub(1);
        let carried = ours
            .iter()
            .enumerate()
            .map(|(index, ours)| {
                let ceiling = if index == last {
                    SlideLimit::None
                } else {
                    SlideLimit::Own
                };
                self.carry_one(ours, ceiling)
            })
            .collect::<Option<Vec<_>>>()?;
        let all_on_the_way = self.rest.is_empty();
        (all_on_the_way || self.elsewhere == ChangeElsewhere::Moves).then(|| Edit::ordered(carried))
    }

    /// One replacement of the suggestion, for the text after the person's edit.
    fn carry_one(&mut self, ours: &Replacement, ceiling: SlideLimit) -> Option<Replacement> {
        while let Some((first, after)) = self.rest.split_first() {
            if let Some((slid, count)) = self.on_the_way(ours, first.range, ceiling) {
                return Some(self.absorb(&slid, count));
            }
            if order(ours.range, first.range).ok()?.is_lt() {
                break;
            }
            if self.elsewhere == ChangeElsewhere::Ends {
                return None;
            }
            self.shift.pass(first);
            self.passed = Some(first.range);
            self.rest = after;
        }
        Some(self.absorb(ours, 0))
    }

    /// Passes the next `count` of the person's replacements, which lie within ours, and gives what
    /// remains of ours.
    fn absorb(&mut self, ours: &Replacement, count: usize) -> Replacement {
        let (absorbed, rest) = self.rest.split_at(count);
        let start = self.shift.offset(ours.range.start().get());
        for part in absorbed {
            self.shift.pass(part);
        }
        let end = self.shift.offset(ours.range.end().get());
        self.rest = rest;
        Replacement::new(ByteRange::ordered(start, end), Arc::clone(&ours.new_text))
    }

    /// If the next of the person's replacements are on the way to ours: ours, slid to where it
    /// covers them, and how many they are.
    fn on_the_way(
        &self,
        ours: &Replacement,
        first: ByteRange,
        ceiling: SlideLimit,
    ) -> Option<(Replacement, usize)> {
        let ours = if ours.range.contains(first) {
            ours.clone()
        } else {
            // Only what it really changes may slide, or it would take in text that it keeps, and
            // undo what the person did to it.
            let ours = ours.trimmed(self.text);
            if first.start() < ours.range.start() {
                slid_left(self.text, &ours, first.start().get())?
            } else if ceiling == SlideLimit::None {
                slid_right(self.text, &ours, first.end().get())?
            } else {
                return None;
            }
        };
        let within = |part: &&Replacement| ours.range.contains(part.range);
        let count = self.rest.iter().take_while(within).count();
        let (parts, behind) = self.rest.split_at(count);
        // Where ours has slid to, it must not meet anything of the person's that is not on the way.
        let beside = [self.passed, behind.first().map(|next| next.range)];
        let is_clear = beside
            .into_iter()
            .flatten()
            .all(|other| order(ours.range, other).is_ok());
        let agrees = count > 0
            && is_clear
            && (has_written(self.text, &ours, parts, self.agreement)
                || only_removes(self.text, &ours, parts));
        agrees.then_some((ours, count))
    }
}

/// Whether the new text of ours has what the person wrote in its range, in the same order. What
/// stands before a change counts as written with it.
fn has_written(
    text: &Text,
    ours: &Replacement,
    parts: &[Replacement],
    agreement: CarryAgreement,
) -> bool {
    let mut expected = ours.new_text();
    let mut start = ours.range.start().get();
    for part in parts {
        let before = text.read_checked(ByteRange::ordered(start, part.range.start().get()));
        let written = format!("{before}{}", part.new_text);
        let rest = find(expected, &written, agreement)
            .or_else(|| find_open(expected, &written, &part.new_text, agreement));
        let Some(rest) = rest else {
            return false;
        };
        expected = rest;
        start = part.range.end().get();
    }
    true
}

/// The part of `expected` behind `written`, if that is in it, near enough to its start.
fn find<'a>(expected: &'a str, written: &str, agreement: CarryAgreement) -> Option<&'a str> {
    if let Some(rest) = expected.strip_prefix(written) {
        return Some(rest);
    }
    if agreement == CarryAgreement::Next {
        return None;
    }
    let (skipped, rest) = expected.split_once(written)?;
    let near =
        || skipped.chars().count() <= STRICT_SKIP && written.chars().count() <= STRICT_SKIP_LEN;
    (agreement == CarryAgreement::Lenient || near()).then_some(rest)
}

/// The same for what ends with closers that the editor has added: what stands before them is found,
/// and they come further on. What comes between is still to be typed.
fn find_open<'a>(
    expected: &'a str,
    written: &str,
    typed: &str,
    agreement: CarryAgreement,
) -> Option<&'a str> {
    let is_closer = |c: char| PAIRS.iter().any(|(_, closer)| *closer == c);
    let closers = typed.chars().rev().take(MOST_CLOSERS);
    let closers = closers.take_while(|c| is_closer(*c)).count();
    (1..=closers).find_map(|added| {
        let cut = written.char_indices().rev().nth(added - 1)?.0;
        let (open, closers) = written.split_at(cut);
        let was_opened = |closer: char| {
            let opener = PAIRS.iter().find(|(_, c)| *c == closer);
            opener.is_some_and(|(opener, _)| open.contains(*opener))
        };
        let rest = find(expected, open, agreement)?;
        let come_later = closers.chars().try_fold(rest, |rest, closer| {
            rest.split_once(closer).map(|(_, rest)| rest)
        });
        (closers.chars().all(was_opened) && come_later.is_some()).then_some(rest)
    })
}

/// Whether the person only removed what ours removes as well.
fn only_removes(text: &Text, ours: &Replacement, parts: &[Replacement]) -> bool {
    let removed = ours.trimmed(text).range;
    parts
        .iter()
        .all(|part| part.new_text.is_empty() && removed.contains(part.range))
}

/// Ours with the same effect, written so that it starts at `start`, which is before it.
fn slid_left(text: &Text, ours: &Replacement, start: usize) -> Option<Replacement> {
    let (old_start, old_end) = (ours.range.start().get(), ours.range.end().get());
    let by = old_start - start;
    let end = old_end - by;
    // Ours keeps its effect if what it takes in on the left is what it leaves out on the right.
    let written = ours.new_text.bytes().rev();
    let after = written.chain(agreeing_ends::bytes_before(text, old_start));
    let before = agreeing_ends::bytes_before(text, old_end);
    let agree = after
        .zip(before)
        .take(by)
        .take_while(|(a, b)| a == b)
        .count();
    let fits = agree == by && text.check(ByteOffset::new(end)).is_ok();
    fits.then(|| {
        let new_text =
            agreeing_ends::read_after(text, old_start, &ours.new_text, start, ours.new_text.len());
        Replacement::new(ByteRange::ordered(start, end), new_text)
    })
}

/// Ours with the same effect, written so that it ends at `end`, which is behind it.
fn slid_right(text: &Text, ours: &Replacement, end: usize) -> Option<Replacement> {
    let (old_start, old_end) = (ours.range.start().get(), ours.range.end().get());
    let by = end.checked_sub(old_end)?;
    let start = old_start + by;
    let after = ours
        .new_text
        .bytes()
        .chain(agreeing_ends::bytes_from(text, old_end));
    let before = agreeing_ends::bytes_from(text, old_start);
    let agree = after
        .zip(before)
        .take(by)
        .take_while(|(a, b)| a == b)
        .count();
    let fits = agree == by && text.check(ByteOffset::new(start)).is_ok();
    fits.then(|| {
        let taken_in = text.read_checked(ByteRange::ordered(old_end, end));
        let new_text = format!("{}{taken_in}", ours.new_text);
        let (_, new_text) = new_text.split_at(by);
        Replacement::new(ByteRange::ordered(start, end), new_text)
    })
}
