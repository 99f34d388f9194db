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

mod stretches;

use std::collections::VecDeque;
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use foretell_text::{
    ByteRange, ChangeReason, Edit, PositionEncoding, RecentEdit, RefusedChange, Text,
};

use crate::moment::Moment;
use crate::window::{ChangeStep, TextChange, TextGrowth, Window};
use stretches::WrittenStretches;

/// Changes closer than this belong together.
const GAP_MS: u64 = 1_000;
/// Places closer than this, in lines, are one place.
const NEAR_LINES: u32 = 8;
/// How many entries are kept.
const LONGEST: usize = 32;
/// How many of those that were taken back are kept.
const MOST_TAKEN_BACK: usize = 8;

/// The entries of one document, the latest last.
#[derive(Clone, Debug, Default)]
pub(crate) struct EditHistory {
    bursts: VecDeque<ChangeBurst>,
    /// The bursts that were undone whole, the latest last.
    taken_back: VecDeque<RefusedChange>,
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
    /// Its texts before the person began to undo it, until they type into it again.
    whole: Option<RefusedChange>,
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
            if let BurstState::Open(window) = &mut burst.state {
                if in_time && is_near(step, window.now()) {
                    window.take_in(step);
                    burst.last = now;
                    burst.whole = None;
                    return latest;
                }
            }
        }
        for burst in &mut self.bursts {
            burst.settle_if_met(step);
        }
        self.bursts.push_back(ChangeBurst {
            state: BurstState::Open(Window::of(step)),
            stretches: WrittenStretches::default(),
            reason,
            number,
            is_taken_back: false,
            last: now,
            whole: None,
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
            age_ms: now.since(self.last),
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
