//! The person's latest changes in a document.
//!
//! A burst of changes at one place is one entry: gaps under a second, within eight lines. While
//! nothing else touches its place an entry stays open, so that undoing it removes it; once another
//! burst changes the same place, the entry keeps what it was and only follows its place. An entry
//! that was undone whole is no entry any more, but is remembered as something the person took back:
//! as it was before the first step of that, since editors undo a burst in as many as they like.
//!
//! An entry whose place reads again as it did before, by whatever way, is taken back as well,
//! and that is said at once. But a change that is brought back by hand stays an entry, since it was made.
//!
//! Next edits follow from the latest entry only until the person *goes on* with that entry, and so
//! a change is asked with which entries it goes on ([`EditHistory::continued`]): the places where they
//! wrote are known apart from the entry, which reaches over all that lies between ([`stretches`]).
//!
//! An entry is *finished* once the person has left its lines, by the cursor or by typing on another, once
//! they save, take or refuse something, or pause where it may be whole ([`finished`]). Until then nothing
//! follows from it. Who types into it again goes on with it, and has to finish it again.

mod finished;
mod stretches;

use std::collections::VecDeque;
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use foretell_text::{
    ByteOffset, ByteRange, ChangeReason, Edit, PositionEncoding, RecentEdit, RefusedChange,
    Replacement, Text,
};

use crate::moment::Moment;
use crate::window::{ChangeStep, TextChange, TextGrowth, Window};
use finished::ChangedPlace;
use stretches::WrittenStretches;

/// Changes closer than this belong together.
const GAP_MS: u64 = 1_000;
/// Places closer than this, in lines, are one place.
const NEAR_LINES: u32 = 8;
/// How many entries are kept.
const LONGEST: usize = 32;
/// How many of those that were taken back are kept.
const MOST_TAKEN_BACK: usize = 8;
/// How many of the last changes, and of what was undone, no suggestion takes back.
const LAST_CHANGES: usize = 4;
/// How long the person pauses who has finished a change that may be whole.
const FINISHING_PAUSE_MS: u64 = 1_000;

/// The entries of one document, the latest last.
#[derive(Clone, Debug, Default)]
pub(crate) struct EditHistory {
    bursts: VecDeque<ChangeBurst>,
    /// The bursts that were undone whole, the latest last.
    taken_back: VecDeque<RefusedChange>,
    /// The places where something was undone, the latest last.
    undone: VecDeque<Window>,
}

#[derive(Clone, Debug)]
struct ChangeBurst {
    state: BurstState,
    reason: ChangeReason,
    /// Where exactly it was made.
    stretches: WrittenStretches,
    /// How many changes there were of any document before it.
    number: u64,
    /// Whether it was taken back, by whatever way.
    is_taken_back: bool,
    last: Moment,
    end: BurstEnd,
    changes: CountedChanges,
    /// Its texts before the person began to undo it, until they type into it again.
    whole: Option<RefusedChange>,
    /// Where its new text began right after it, ahead of all later bursts. Nothing once something was undone
    /// out of order, so that the text between two bursts is not known any more.
    made_at: Option<ByteOffset>,
}

/// The changes of a burst, and how many of them were suggestions that the person took.
#[derive(Clone, Copy, Debug)]
struct CountedChanges {
    made: u32,
    accepted: u32,
    /// How many changes there were of any document before the last of them.
    last: u64,
    is_last_accepted: bool,
}

impl CountedChanges {
    fn first(number: u64) -> Self {
        CountedChanges {
            made: 1,
            accepted: 0,
            last: number,
            is_last_accepted: false,
        }
    }

    /// Counts a change, which may come in several steps.
    fn take_in(&mut self, number: u64) {
        if self.last != number {
            self.made = self.made.saturating_add(1);
            self.last = number;
            self.is_last_accepted = false;
        }
    }
}

/// Whether the person is done with a burst.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BurstEnd {
    /// They may be in the middle of it.
    GoesOn,
    /// They have said so, by saving or by what they did with a suggestion.
    Said,
    /// They have gone elsewhere: what they do there is another change, however soon.
    Left,
}

#[derive(Clone)]
enum BurstState {
    Open(Window),
    Settled {
        old: Arc<str>,
        new: Arc<str>,
        now: ByteRange,
        /// Everything done at its place since before it.
        since: Window,
    },
}

/// Places and lengths: what people write does not belong in a log.
impl fmt::Debug for BurstState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BurstState::Open(window) => window.fmt(f),
            BurstState::Settled { old, new, now, .. } => {
                write!(f, "{} bytes -> {} bytes at {now}", old.len(), new.len())
            }
        }
    }
}

impl EditHistory {
    /// Takes note of a change, and of how many there were of any document before it. Gives that of
    /// the first change that is taken back by it, if any is.
    pub(crate) fn change(
        &mut self,
        now: Moment,
        number: u64,
        change: TextChange<'_>,
    ) -> Option<u64> {
        let steps = ChangeStep::all(change);
        let taken_back = |step| self.step(now, number, step, change.reason);
        steps.iter().filter_map(taken_back).min()
    }

    /// Returns which answers a change outdates because the person goes on with an entry of this history.
    ///
    /// An answer follows from the latest entry at the time when its lane was started. That time is told by
    /// the number of changes that all documents had seen by then, so each entry that the change goes on
    /// with gives a range of such numbers: from the entry up to the next one. Ask before you note the change.
    ///
    /// Changes of formatters are passed over: a person does not go on with them.
    pub(crate) fn continued(&self, before: &Text, change: &Edit) -> Vec<RangeInclusive<u64>> {
        // Text that is written again as it was is not changed.
        let change = change.trimmed(before).unwrap_or_default();
        let entries = self.bursts.iter().rev();
        let written = entries.filter(|burst| burst.reason == ChangeReason::Typed);
        let mut until = u64::MAX;
        let mut continued = Vec::new();
        for burst in written {
            let touched = burst.stretches.touched_by(&change);
            continued.extend(touched.map(|number| number.saturating_add(1)..=until));
            until = burst.number;
        }
        continued
    }

    /// The latest entries, the latest first.
    pub(crate) fn recent(&self, now: Moment, text: &Text) -> Vec<RecentEdit> {
        let entries = self.bursts.iter().rev();
        entries.map(|burst| burst.recent(now, text)).collect()
    }

    /// Finishes all entries: the person saved, or took or refused something.
    pub(crate) fn finish(&mut self) {
        let going_on = self.bursts.iter_mut();
        let going_on = going_on.filter(|burst| burst.end == BurstEnd::GoesOn);
        going_on.for_each(|burst| burst.end = BurstEnd::Said);
    }

    /// Takes note that the last change, ahead of which so many were made of any document, was a suggestion that the
    /// person took.
    pub(crate) fn accept_last(&mut self, number: u64) {
        let latest = self.bursts.back_mut().map(|burst| &mut burst.changes);
        let latest = latest.filter(|it| it.last == number && !it.is_last_accepted);
        if let Some(changes) = latest {
            changes.accepted = changes.accepted.saturating_add(1);
            changes.is_last_accepted = true;
        }
    }

    /// Finishes what was changed on lines on which nothing is selected.
    pub(crate) fn leave_lines(&mut self, text: &Text, selections: &[ByteRange]) {
        let fits = |selection: &ByteRange| text.read(*selection).is_ok();
        // A place that is nowhere says nothing of where the person is.
        if selections.is_empty() || !selections.iter().all(fits) {
            return;
        }
        let there = self.bursts.iter_mut();
        for burst in there.filter(|burst| burst.end != BurstEnd::Left) {
            let changed = burst.changed(text);
            let mut selections = selections.iter();
            let is_there = selections.any(|selection| changed.is_on_lines_of(*selection));
            if !is_there {
                burst.end = BurstEnd::Left;
            }
        }
    }

    /// From when on the person's latest entry is finished if they do nothing; nothing if that is not enough.
    pub(crate) fn finished_from(&self, text: &Text) -> Option<Moment> {
        let mut entries = self.bursts.iter().rev();
        let latest = entries.find(|burst| burst.reason != ChangeReason::Other);
        latest.map_or(Some(Moment::from_millis(0)), |it| it.finished_from(text))
    }

    /// What would take each of the last changes back, and do again what was undone; the latest first.
    pub(crate) fn ways_back(&self, text: &Text) -> Vec<Replacement> {
        let bursts = self.bursts.iter().rev();
        let typed = bursts.filter(|burst| burst.reason == ChangeReason::Typed);
        let changes = typed
            .take(LAST_CHANGES)
            .flat_map(|burst| burst.ways_back(text));
        let undone = self.undone.iter().rev().filter_map(|window| {
            let done = window.difference(text)?;
            Some(Replacement::new(done.now, done.old))
        });
        changes.chain(undone).collect()
    }

    /// Keeps where something was undone, until something else is done there.
    fn note_undone(&mut self, step: &ChangeStep, reason: ChangeReason) {
        let changed = step.replacement.range();
        let mut is_new = reason == ChangeReason::Undo;
        self.undone.retain_mut(|window| {
            if changed.end() < window.now().start() {
                window.move_over(TextGrowth::of(&step.edit()));
            } else if changed.start() <= window.now().end() {
                if reason != ChangeReason::Undo {
                    return false;
                }
                // Editors undo a burst in as many steps as they like.
                window.take_in(step);
                is_new = false;
            }
            window.difference(&step.after).is_some()
        });
        if is_new {
            self.undone.push_back(Window::of(step));
            if self.undone.len() > LAST_CHANGES {
                self.undone.pop_front();
            }
        }
    }

    /// The changes that the person took back, the latest first.
    pub(crate) fn taken_back(&self) -> impl Iterator<Item = &RefusedChange> {
        self.taken_back.iter().rev()
    }

    fn step(
        &mut self,
        now: Moment,
        number: u64,
        step: &ChangeStep,
        reason: ChangeReason,
    ) -> Option<u64> {
        self.note_undone(step, reason);
        if reason == ChangeReason::Undo {
            if let Some(index) = self.touched(step) {
                self.bursts[index].keep_whole(step);
            }
        }
        let taken = match reason {
            ChangeReason::Undo => self.take_back(now, step),
            // An undone change is gone from here, so its redo is new.
            ChangeReason::Redo => {
                let taken = self.take_back(now, step);
                taken.or_else(|| self.add(now, number, step, ChangeReason::Typed))
            }
            ChangeReason::Typed | ChangeReason::Other => self.add(now, number, step, reason),
        };
        self.note_where(taken, step);
        let mut first = None;
        for (index, burst) in self.bursts.iter_mut().enumerate() {
            let is_its_own = Some(index) == taken;
            if is_its_own {
                burst.stretches.take_in(step, number)
            } else {
                burst.stretches.follow(step)
            }
            let is_met = is_its_own || burst.follow(step);
            if is_met && !burst.is_taken_back && burst.is_back(&step.after) {
                burst.is_taken_back = true;
                first = first.into_iter().chain([burst.number]).min();
            }
        }
        if let Some(index) = taken {
            if self.bursts[index].is_undone(&step.after) {
                let undone = self.bursts.remove(index);
                self.taken_back.extend(undone.and_then(|burst| burst.whole));
                if self.taken_back.len() > MOST_TAKEN_BACK {
                    self.taken_back.pop_front();
                }
            }
        }
        first
    }

    /// Keeps where the latest entry was made. A change that another has, or none, came after those in between:
    /// how the text was at their time cannot be told any more.
    fn note_where(&mut self, taken: Option<usize>, step: &ChangeStep) {
        let latest = self.bursts.len().checked_sub(1);
        match self.bursts.back_mut().filter(|_| taken == latest) {
            Some(burst) => burst.made_at = Some(burst.texts(&step.after).2.start()),
            None => self.bursts.iter_mut().for_each(|it| it.made_at = None),
        }
    }

    /// Adds a change to the latest entry, or as one. Says which entry has it.
    fn add(
        &mut self,
        now: Moment,
        number: u64,
        step: &ChangeStep,
        reason: ChangeReason,
    ) -> Option<usize> {
        let latest = self.bursts.len().checked_sub(1);
        if let Some(burst) = self.bursts.back_mut() {
            let in_time = now.since(burst.last) < GAP_MS && burst.reason == reason;
            // What the person does elsewhere, once they have left it, is another change, however soon.
            let goes_on =
                burst.end != BurstEnd::Left || burst.place().touches(step.replacement.range());
            let in_time = in_time && goes_on;
            if let BurstState::Open(window) = &mut burst.state {
                if in_time && is_near(step, window.now()) {
                    window.take_in(step);
                    burst.changes.take_in(number);
                    burst.last = now;
                    burst.end = BurstEnd::GoesOn;
                    burst.whole = None;
                    return latest;
                }
            }
        }
        let changed = step.replacement.range();
        for burst in &mut self.bursts {
            // With several cursors, no place is left for the next.
            let is_earlier = now > burst.last;
            if is_earlier && !burst.changed(&step.before).is_on_lines_of(changed) {
                burst.end = BurstEnd::Left;
            }
            burst.settle_if_met(step);
        }
        self.bursts.push_back(ChangeBurst {
            state: BurstState::Open(Window::of(step)),
            stretches: WrittenStretches::default(),
            reason,
            number,
            is_taken_back: false,
            last: now,
            end: BurstEnd::GoesOn,
            changes: CountedChanges::first(number),
            whole: None,
            made_at: None,
        });
        if self.bursts.len() > LONGEST {
            self.bursts.pop_front();
        }
        Some(self.bursts.len() - 1)
    }

    /// The latest entry that a change touches.
    fn touched(&self, step: &ChangeStep) -> Option<usize> {
        let touched = |burst: &ChangeBurst| burst.place().touches(step.replacement.range());
        self.bursts.iter().rposition(touched)
    }

    /// Lets the latest entry at the place take an undo or redo in. Says which entry has it.
    fn take_back(&mut self, now: Moment, step: &ChangeStep) -> Option<usize> {
        let index = self.touched(step)?;
        let burst = &mut self.bursts[index];
        match &mut burst.state {
            BurstState::Open(window) => {
                window.take_in(step);
                burst.last = now;
                burst.end = BurstEnd::GoesOn;
            }
            BurstState::Settled { old, new, now, .. } => {
                let replacement = &step.replacement;
                let removed = step.before.read(replacement.range());
                let undoes = removed.is_ok_and(|removed| *removed == **new)
                    && replacement.new_text() == &**old;
                if !undoes {
                    return None;
                }
                *now = ByteRange::empty(now.start());
                (*old, *new) = ("".into(), "".into());
            }
        }
        Some(index)
    }
}

impl ChangeBurst {
    fn place(&self) -> ByteRange {
        match &self.state {
            BurstState::Open(window) => window.now(),
            BurstState::Settled { now, .. } => *now,
        }
    }

    fn is_undone(&self, text: &Text) -> bool {
        match &self.state {
            BurstState::Open(window) => window.difference(text).is_none(),
            BurstState::Settled { old, new, .. } => old.is_empty() && new.is_empty(),
        }
    }

    /// Whether its place reads as it did before it.
    fn is_back(&self, text: &Text) -> bool {
        let (BurstState::Open(window) | BurstState::Settled { since: window, .. }) = &self.state;
        window.difference(text).is_none()
    }

    /// What would take it back, and what would take it back together with all that was done at its place since.
    fn ways_back(&self, text: &Text) -> impl Iterator<Item = Replacement> {
        let (old, new, now) = self.texts(text);
        // Another change may have been made at its place since.
        let is_there = text.read(now).is_ok_and(|read| *read == *new);
        let alone = is_there.then(|| Replacement::new(now, &*old));
        let since = match &self.state {
            BurstState::Open(_) => None,
            BurstState::Settled { since, .. } => since.difference(text),
        };
        let together = since.map(|all| Replacement::new(all.now, all.old));
        alone.into_iter().chain(together)
    }

    /// Moves with a change that another entry has. Says whether that is made at its place.
    fn follow(&mut self, step: &ChangeStep) -> bool {
        let changed = step.replacement.range();
        if let BurstState::Settled { now, .. } = &mut self.state {
            *now = step.edit().map_range(*now);
        }
        let (BurstState::Open(window) | BurstState::Settled { since: window, .. }) =
            &mut self.state;
        if window.now().end() < changed.start() {
            return false;
        }
        if changed.end() < window.now().start() {
            window.move_over(TextGrowth::of(&step.edit()));
            return false;
        }
        match &mut self.state {
            BurstState::Settled { since, .. } => since.take_in(step),
            BurstState::Open(_) => {
                self.settle(&step.before);
                self.follow(step);
            }
        }
        true
    }

    fn finished_from(&self, text: &Text) -> Option<Moment> {
        if self.end != BurstEnd::GoesOn {
            return Some(Moment::from_millis(0));
        }
        let pause = self.last.after(FINISHING_PAUSE_MS);
        self.changed(text).may_be_whole().then_some(pause)
    }

    /// What it has put in, and what that took the place of.
    fn changed<'a>(&'a self, text: &'a Text) -> ChangedPlace<'a> {
        let (old, now) = match &self.state {
            BurstState::Open(window) => match window.difference(text) {
                Some(done) => (done.old, done.now),
                None => ("", ByteRange::empty(window.now().start())),
            },
            BurstState::Settled { old, now, .. } => (&**old, *now),
        };
        ChangedPlace { text, old, now }
    }

    /// Keeps what it was, if a change of another burst touches its place.
    fn settle_if_met(&mut self, step: &ChangeStep) {
        if self.place().touches(step.replacement.range()) {
            self.settle(&step.before);
        }
    }

    fn settle(&mut self, text: &Text) {
        if let BurstState::Open(window) = &self.state {
            let (old, new, now) = texts(window, text);
            let since = window.clone();
            self.state = BurstState::Settled {
                old,
                new,
                now,
                since,
            };
            self.whole = None;
        }
    }

    /// Keeps what it was before a change that takes some of it back, unless some was before.
    fn keep_whole(&mut self, step: &ChangeStep) {
        if self.whole.is_none() {
            let (old_text, new_text, _) = self.texts(&step.before);
            self.whole = Some(RefusedChange { old_text, new_text });
        }
    }

    fn texts(&self, text: &Text) -> (Arc<str>, Arc<str>, ByteRange) {
        match &self.state {
            BurstState::Open(window) => texts(window, text),
            BurstState::Settled { old, new, now, .. } => (Arc::clone(old), Arc::clone(new), *now),
        }
    }

    fn recent(&self, now: Moment, text: &Text) -> RecentEdit {
        let (old_text, new_text, range) = self.texts(text);
        RecentEdit {
            range,
            old_text,
            new_text,
            reason: self.reason,
            is_accepted: self.changes.accepted == self.changes.made,
            age_ms: now.since(self.last),
            made_at: self.made_at,
            is_finished: self.finished_from(text).is_some_and(|from| from <= now),
        }
    }
}

/// A window's text before and now, and where that is.
fn texts(window: &Window, text: &Text) -> (Arc<str>, Arc<str>, ByteRange) {
    match window.difference(text) {
        Some(done) => (done.old.into(), done.net(text).new_text().into(), done.now),
        None => ("".into(), "".into(), ByteRange::empty(window.now().start())),
    }
}

/// Whether a change is within a few lines of a place, in the text before it.
fn is_near(step: &ChangeStep, place: ByteRange) -> bool {
    let changed = step.replacement.range();
    if place.touches(changed) {
        return true;
    }
    let line = |offset| {
        step.before
            .position_of(offset, PositionEncoding::Utf8)
            .map_or(0, |at| at.line)
    };
    let (upper, lower) = if changed.end() < place.start() {
        (changed.end(), place.start())
    } else {
        (place.end(), changed.start())
    };
    line(lower).saturating_sub(line(upper)) <= NEAR_LINES
}
