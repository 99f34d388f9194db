//! The lock that lets one workspace at a time be looked at as a whole.
//!
//! They go one after the other, since the cores are the person's. But a disk that does not answer must
//! not keep the others waiting: the holder of the turn says now and then that something happens, and if
//! that stays out for long, somebody else has it. Two at once only take more of the machine.
//!
//! Absent on purpose: waiting. Who has no turn does something else, and asks again.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use foretell_text::Unpoison;

/// How long nothing happens before somebody else has the turn.
const LONGEST_SILENCE: Duration = Duration::from_secs(30);

/// Turns that several share.
#[derive(Clone, Debug, Default)]
pub struct Turns {
    held: Arc<Mutex<Held>>,
}

#[derive(Debug, Default)]
struct Held {
    /// How many turns there were.
    count: u64,
    /// When something happened last, if somebody has one.
    heard: Option<Instant>,
}

/// A turn, until it is dropped.
#[derive(Debug)]
pub struct Turn {
    turns: Turns,
    number: u64,
}

impl Turns {
    /// A turn, if it is free.
    pub fn take(&self) -> Option<Turn> {
        self.take_at(Instant::now())
    }

    fn take_at(&self, now: Instant) -> Option<Turn> {
        let mut held = self.held();
        let is_silent = |heard: Instant| now.saturating_duration_since(heard) > LONGEST_SILENCE;
        if !held.heard.is_none_or(is_silent) {
            return None;
        }
        held.count += 1;
        held.heard = Some(now);
        Some(Turn {
            turns: self.clone(),
            number: held.count,
        })
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unpoison()
    }
}

impl Turn {
    /// Takes note that something happens.
    pub fn go_on(&self) {
        self.set(Some(Instant::now()));
    }

    /// Unless somebody else has it by now.
    fn set(&self, heard: Option<Instant>) {
        let mut held = self.turns.held();
        if held.count == self.number {
            held.heard = heard;
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.set(None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_has_it_until_it_is_dropped() {
        let turns = Turns::default();
        let turn = turns.take().unwrap();
        assert!(turns.clone().take().is_none());
        drop(turn);
        assert!(turns.take().is_some());
    }

    #[test]
    fn whoever_says_nothing_for_long_loses_it_for_good() {
        let turns = Turns::default();
        let began = Instant::now();
        let silent = turns.take_at(began).unwrap();
        assert!(turns.take_at(began + LONGEST_SILENCE).is_none());
        let later = began + LONGEST_SILENCE * 2;
        let next = turns.take_at(later).unwrap();
        // It comes back, and takes nothing from the one who has it now.
        silent.go_on();
        drop(silent);
        assert!(turns.take_at(later).is_none());
        drop(next);
        assert!(turns.take_at(later).is_some());
    }
}
