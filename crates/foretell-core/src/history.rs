//! What the person changed lately in a document.
//!
//! A burst of changes at one place is one entry: gaps under a second, within eight lines. While
//! nothing else touches its place an entry stays open, so that undoing it removes it; once another
//! burst changes the same place, the entry keeps what it was and only follows its place.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use foretell_text::{ByteRange, ChangeReason, Edit, Encoding, RecentEdit, Text};

use crate::moment::Moment;
use crate::window::{Growth, Step, Window};

/// Changes closer than this belong together.
const GAP_MS: u64 = 1_000;
/// Places closer than this, in lines, are one place.
const NEAR_LINES: u32 = 8;
/// How many entries are kept.
const LONGEST: usize = 32;

/// The entries of one document, the latest last.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    bursts: VecDeque<Burst>,
}

#[derive(Clone, Debug)]
struct Burst {
    state: State,
    reason: ChangeReason,
    last: Moment,
}

#[derive(Clone)]
enum State {
    Open(Window),
    Settled {
        old: Arc<str>,
        new: Arc<str>,
        now: ByteRange,
    },
}

/// Places and lengths: what people write does not belong in a log.
impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            State::Open(window) => window.fmt(f),
            State::Settled { old, new, now } => {
                write!(f, "{} bytes -> {} bytes at {now}", old.len(), new.len())
            }
        }
    }
}

impl History {
    /// Takes note of a change.
    pub(crate) fn change(
        &mut self,
        now: Moment,
        before: &Text,
        (change, reason): (&Edit, ChangeReason),
        after: &Text,
    ) {
        for step in Step::all(before, change, after, reason) {
            self.step(now, &step, reason);
        }
    }

    /// The latest entries, the latest first.
    pub(crate) fn recent(&self, now: Moment, text: &Text) -> Vec<RecentEdit> {
        let entries = self.bursts.iter().rev();
        entries.map(|burst| burst.recent(now, text)).collect()
    }

    fn step(&mut self, now: Moment, step: &Step, reason: ChangeReason) {
        let taken = match reason {
            ChangeReason::Undo => self.take_back(now, step),
            // What was undone is gone from here, so what brings it back is new.
            ChangeReason::Redo => {
                let taken = self.take_back(now, step);
                taken.or_else(|| self.add(now, step, ChangeReason::Typed))
            }
            ChangeReason::Typed | ChangeReason::Other => self.add(now, step, reason),
        };
        for (index, burst) in self.bursts.iter_mut().enumerate() {
            if Some(index) != taken {
                burst.follow(step);
            }
        }
        if let Some(index) = taken {
            if self.bursts[index].is_undone(&step.after) {
                self.bursts.remove(index);
            }
        }
    }

    /// Adds a change to the latest entry, or as one. Says which entry has it.
    fn add(&mut self, now: Moment, step: &Step, reason: ChangeReason) -> Option<usize> {
        let latest = self.bursts.len().checked_sub(1);
        if let Some(burst) = self.bursts.back_mut() {
            let in_time = now.since(burst.last) < GAP_MS && burst.reason == reason;
            if let State::Open(window) = &mut burst.state {
                if in_time && is_near(step, window.now()) {
                    window.take_in(step);
                    burst.last = now;
                    return latest;
                }
            }
        }
        for burst in &mut self.bursts {
            burst.settle_if_met(step);
        }
        self.bursts.push_back(Burst {
            state: State::Open(Window::of(step)),
            reason,
            last: now,
        });
        if self.bursts.len() > LONGEST {
            self.bursts.pop_front();
        }
        Some(self.bursts.len() - 1)
    }

    /// Lets the latest entry at the place take an undo or redo in. Says which entry has it.
    fn take_back(&mut self, now: Moment, step: &Step) -> Option<usize> {
        let touched = |burst: &Burst| burst.place().touches(step.replacement.range());
        let index = self.bursts.iter().rposition(touched)?;
        let burst = &mut self.bursts[index];
        match &mut burst.state {
            State::Open(window) => {
                window.take_in(step);
                burst.last = now;
            }
            State::Settled { old, new, now } => {
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

    /// Moves with a change that another entry has.
    fn follow(&mut self, step: &Step) {
        let changed = step.replacement.range();
        match &mut self.state {
            State::Open(window) if window.now().end() < changed.start() => {}
            State::Open(window) if changed.end() < window.now().start() => {
                window.move_over(Growth::of(&step.edit()));
            }
            State::Open(_) => {
                self.settle(&step.before);
                self.follow(step);
            }
            State::Settled { now, .. } => {
                *now = step.edit().map_range(*now);
            }
        }
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
            self.state = State::Settled { old, new, now };
        }
    }

    fn recent(&self, now: Moment, text: &Text) -> RecentEdit {
        let (old_text, new_text, range) = match &self.state {
            State::Open(window) => texts(window, text),
            State::Settled { old, new, now } => (Arc::clone(old), Arc::clone(new), *now),
        };
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
    let (upper, lower) = match changed.end() < place.start() {
        true => (changed.end(), place.start()),
        false => (place.end(), changed.start()),
    };
    line(lower).saturating_sub(line(upper)) <= NEAR_LINES
}
