//! What the person changed lately in a document.
//!
//! A burst of changes at one place is one entry: gaps under a second, within eight lines. While
//! nothing else touches its place an entry stays open, so that undoing it removes it; once another
//! burst changes the same place, the entry keeps what it was and only follows its place. An entry
//! that was undone whole is no entry any more, but is remembered as something the person took back:
//! as it was before the first step of that, since editors undo a burst in as many as they like.
//!
//! Whose place reads again as it did before the entry, by whatever way, has taken it back as well,
//! and that is said at once. But what is brought back by hand stays an entry, since it was made.
//!
//! What follows from the latest entry does so only until the person *goes on* with that entry, and so
//! a change is asked with which entries it goes on ([`History::continued`]): the places where they
//! wrote are known apart from the entry, which reaches over all that lies between ([`stretches`]).

mod stretches;

use std::collections::VecDeque;
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use foretell_text::{ByteRange, ChangeReason, Edit, Encoding, RecentEdit, Refused, Text};

use crate::moment::Moment;
use crate::window::{Growth, Step, Window};
use stretches::Stretches;

/// RecentChanges closer than this belong together.
const GAP_MS: u64 = 1_000;
/// Places closer than this, in lines, are one place.
const NEAR_LINES: u32 = 8;
/// How many entries are kept.
const LONGEST: usize = 32;
/// How many of those that were taken back are kept.
const MOST_TAKEN_BACK: usize = 8;

/// The entries of one document, the latest last.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    bursts: VecDeque<Burst>,
    /// What was undone whole, the latest last.
    taken_back: VecDeque<Refused>,
}

#[derive(Clone, Debug)]
struct Burst {
    state: State,
    reason: ChangeReason,
    /// Where exactly it was made.
    stretches: Stretches,
    /// How many changes there were of any document before it.
    number: u64,
    /// Whether it was taken back, by whatever way.
    is_taken_back: bool,
    last: Moment,
    /// What it was before the person began to undo it, until they type into it again.
    whole: Option<Refused>,
}

#[derive(Clone)]
enum State {
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
impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            State::Open(window) => window.fmt(f),
            State::Settled { old, new, now, .. } => {
                write!(f, "{} bytes -> {} bytes at {now}", old.len(), new.len())
            }
        }
    }
}

impl History {
    /// Takes note of a change, and of how many there were of any document before it. Gives that of
    /// the first change that is taken back by it, if any is.
    pub(crate) fn change(
        &mut self,
        (now, number): (Moment, u64),
        before: &Text,
        (change, reason): (&Edit, ChangeReason),
        after: &Text,
    ) -> Option<u64> {
        let steps = Step::all(before, change, after, reason);
        let steps = steps.iter();
        steps
            .filter_map(|step| self.step((now, number), step, reason))
            .min()
    }

    /// With what a change of a text goes on: how many changes of any document those may have seen
    /// for whom that was the latest entry of this one. It is asked before the change is noted.
    ///
    /// What formatters did is passed over, since nobody goes on with it.
    pub(crate) fn continued(&self, before: &Text, change: &Edit) -> Vec<RangeInclusive<u64>> {
        // What is written again as it was is not changed.
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

    /// What the person took back, the latest first.
    pub(crate) fn taken_back(&self) -> impl Iterator<Item = &Refused> {
        self.taken_back.iter().rev()
    }

    fn step(&mut self, at: (Moment, u64), step: &Step, reason: ChangeReason) -> Option<u64> {
        if reason == ChangeReason::Undo {
            if let Some(index) = self.touched(step) {
                self.bursts[index].keep_whole(step);
            }
        }
        let taken = match reason {
            ChangeReason::Undo => self.take_back(at.0, step),
            // What was undone is gone from here, so what brings it back is new.
            ChangeReason::Redo => {
                let taken = self.take_back(at.0, step);
                taken.or_else(|| self.add(at, step, ChangeReason::Typed))
            }
            ChangeReason::Typed | ChangeReason::Other => self.add(at, step, reason),
        };
        let mut first = None;
        for (index, burst) in self.bursts.iter_mut().enumerate() {
            let is_its_own = Some(index) == taken;
            if is_its_own {
                burst.stretches.take_in(step, at.1)
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
        (now, number): (Moment, u64),
        step: &Step,
        reason: ChangeReason,
    ) -> Option<usize> {
        let latest = self.bursts.len().checked_sub(1);
        if let Some(burst) = self.bursts.back_mut() {
            let in_time = now.since(burst.last) < GAP_MS && burst.reason == reason;
            if let State::Open(window) = &mut burst.state {
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
        self.bursts.push_back(Burst {
            state: State::Open(Window::of(step)),
            stretches: Stretches::default(),
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
    fn touched(&self, step: &Step) -> Option<usize> {
        let touched = |burst: &Burst| burst.place().touches(step.replacement.range());
        self.bursts.iter().rposition(touched)
    }

    /// Lets the latest entry at the place take an undo or redo in. Says which entry has it.
    fn take_back(&mut self, now: Moment, step: &Step) -> Option<usize> {
        let index = self.touched(step)?;
        let burst = &mut self.bursts[index];
        match &mut burst.state {
            State::Open(window) => {
                window.take_in(step);
                burst.last = now;
            }
            State::Settled { old, new, now, .. } => {
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

impl Burst {
    fn place(&self) -> ByteRange {
        match &self.state {
            State::Open(window) => window.now(),
            State::Settled { now, .. } => *now,
        }
    }

    fn is_undone(&self, text: &Text) -> bool {
        match &self.state {
            State::Open(window) => window.difference(text).is_none(),
            State::Settled { old, new, .. } => old.is_empty() && new.is_empty(),
        }
    }

    /// Whether its place reads as it did before it.
    fn is_back(&self, text: &Text) -> bool {
        let (State::Open(window) | State::Settled { since: window, .. }) = &self.state;
        window.difference(text).is_none()
    }

    /// Moves with a change that another entry has. Says whether that is made at its place.
    fn follow(&mut self, step: &Step) -> bool {
        let changed = step.replacement.range();
        if let State::Settled { now, .. } = &mut self.state {
            *now = step.edit().map_range(*now);
        }
        let (State::Open(window) | State::Settled { since: window, .. }) = &mut self.state;
        if window.now().end() < changed.start() {
            return false;
        }
        if changed.end() < window.now().start() {
            window.move_over(Growth::of(&step.edit()));
            return false;
        }
        match &mut self.state {
            State::Settled { since, .. } => since.take_in(step),
            State::Open(_) => {
                self.settle(&step.before);
                self.follow(step);
            }
        }
        true
    }

    /// Keeps what it was, if a change of another burst touches its place.
    fn settle_if_met(&mut self, step: &Step) {
        if self.place().touches(step.replacement.range()) {
            self.settle(&step.before);
        }
    }

    fn settle(&mut self, text: &Text) {
        if let State::Open(window) = &self.state {
            let (old, new, now) = texts(window, text);
            let since = window.clone();
            self.state = State::Settled {
                old,
                new,
                now,
                since,
            };
            self.whole = None;
        }
    }

    /// Keeps what it was before a change that takes some of it back, unless some was before.
    fn keep_whole(&mut self, step: &Step) {
        if self.whole.is_none() {
            let (old_text, new_text, _) = self.texts(&step.before);
            self.whole = Some(Refused { old_text, new_text });
        }
    }

    fn texts(&self, text: &Text) -> (Arc<str>, Arc<str>, ByteRange) {
        match &self.state {
            State::Open(window) => texts(window, text),
            State::Settled { old, new, now, .. } => (Arc::clone(old), Arc::clone(new), *now),
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

/// What a window's change was, what it is, and where.
fn texts(window: &Window, text: &Text) -> (Arc<str>, Arc<str>, ByteRange) {
    match window.difference(text) {
        Some(done) => (done.old.into(), done.net(text).new_text().into(), done.now),
        None => ("".into(), "".into(), ByteRange::empty(window.now().start())),
    }
}

/// Whether a change is within a few lines of a place, in the text before it.
fn is_near(step: &Step, place: ByteRange) -> bool {
    let changed = step.replacement.range();
    if place.touches(changed) {
        return true;
    }
    let line = |offset| {
        step.before
            .position_of(offset, Encoding::Utf8)
            .map_or(0, |at| at.line)
    };
    let (upper, lower) = if changed.end() < place.start() {
        (changed.end(), place.start())
    } else {
        (place.end(), changed.start())
    };
    line(lower).saturating_sub(line(upper)) <= NEAR_LINES
}
