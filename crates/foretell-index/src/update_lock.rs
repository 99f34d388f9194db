//! The lock that lets one workspace at a time be looked at as a whole.
//!
//! They go one after the other, since the cores are the person's. But a disk that does not answer must
//! not keep the others waiting: the holder of the turn says now and then that something happens, and if
//! that stays out for long, somebody else has it. Two at once only take more of the machine.
//!
//! Absent on purpose: waiting. A caller without a turn does something else, and asks again.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use foretell_text::PoisonedLock;

/// How long nothing happens before somebody else has the turn.
const LONGEST_SILENCE: Duration = Duration::from_secs(30);

/// Turns that several share.
#[derive(Clone, Debug, Default)]
pub struct UpdateLock {
    held: Arc<Mutex<LockState>>,
}

#[derive(Debug, Default)]
struct LockState {
    /// How many turns there were.
    count: u64,
    /// When something happened last, if somebody has one.
    heard: Option<Instant>,
}

/// A turn, until it is dropped.
#[derive(Debug)]
pub struct UpdateTurn {
    update_lock: UpdateLock,
    number: u64,
}

impl UpdateLock {
    /// A turn, if it is free.
    pub fn take(&self) -> Option<UpdateTurn> {
        self.take_at(Instant::now())
    }

    fn take_at(&self, now: Instant) -> Option<UpdateTurn> {
        let mut held = self.held();
        let is_silent = |heard: Instant| now.saturating_duration_since(heard) > LONGEST_SILENCE;
        if !held.heard.is_none_or(is_silent) {
            return None;
        }
        held.count += 1;
        held.heard = Some(now);
        Some(UpdateTurn {
            update_lock: self.clone(),
            number: held.count,
        })
    }

    fn held(&self) -> MutexGuard<'_, LockState> {
        self.held.lock().unpoison()
    }
}

impl UpdateTurn {
    /// Takes note that something happens.
    pub fn go_on(&self) {
        self.set(Some(Instant::now()));
    }

    /// Unless somebody else has it by now.
    fn set(&self, heard: Option<Instant>) {
        let mut held = self.update_lock.held();
        if held.count == self.number {
            held.heard = heard;
        }
    }
}

impl Drop for UpdateTurn {
    fn drop(&mut self) {
        self.set(None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_has_it_until_it_is_dropped() {
        let lock = UpdateLock::default();
        let turn = lock.take().unwrap();
        assert!(lock.clone().take().is_none());
        drop(turn);
        assert!(lock.take().is_some());
    }

    #[test]
    fn whoever_says_nothing_for_long_loses_it_for_good() {
        let lock = UpdateLock::default();
        let began = Instant::now();
        let silent = lock.take_at(began).unwrap();
        assert!(lock.take_at(began + LONGEST_SILENCE).is_none());
        let later = began + LONGEST_SILENCE * 2;
        let next = lock.take_at(later).unwrap();
        // It comes back, and takes nothing from the one who has it now.
        silent.go_on();
        drop(silent);
        assert!(lock.take_at(later).is_none());
        drop(next);
        assert!(lock.take_at(later).is_some());
    }
}
