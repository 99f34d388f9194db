//! Which files are to be looked at, and when.
//!
//! Each change puts the look at its file off a little, since more may follow; but a file that changes
//! all the time is looked at all the same, once in [`AGAIN`].
//!
//! Absent on purpose: the clock. The caller says what time it is.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long nothing changes before what did is looked at.
const QUIET: Duration = Duration::from_millis(30);
/// How long a file is left alone after it was looked at, and how long a look is put off at most.
const AGAIN: Duration = Duration::from_secs(1);

/// The paths to look at.
#[derive(Default)]
pub(super) struct DueLooks {
    paths: BTreeMap<PathBuf, DueTime>,
    /// Paths that were looked at a moment ago, and when.
    looked_at: BTreeMap<PathBuf, Instant>,
}

struct DueTime {
    /// When it changed first.
    since: Instant,
    at: Instant,
}

impl DueLooks {
    /// Takes note that something changed.
    pub(super) fn note(&mut self, now: Instant, path: PathBuf) {
        self.looked_at.retain(|_, at| *at + AGAIN > now);
        let since = self.paths.get(&path).map_or(now, |when| when.since);
        let quiet = (now + QUIET).min(since + AGAIN);
        let again = self.looked_at.get(&path).map(|at| *at + AGAIN);
        let at = again.map_or(quiet, |again| again.max(quiet));
        self.paths.insert(path, DueTime { since, at });
    }

    /// Takes the paths to look at now, in the order of names.
    pub(super) fn take(&mut self, now: Instant) -> Vec<PathBuf> {
        let mut due = Vec::new();
        self.paths.retain(|path, when| {
            let is_due = when.at <= now;
            due.extend(is_due.then(|| path.clone()));
            !is_due
        });
        due
    }

    /// Takes note that something was looked at.
    pub(super) fn looked_at(&mut self, now: Instant, path: &Path) {
        self.looked_at.insert(path.to_owned(), now);
    }

    /// When there is something to look at.
    pub(super) fn next(&self) -> Option<Instant> {
        self.paths.values().map(|when| when.at).min()
    }

    /// How much is to be looked at.
    pub(super) fn count(&self) -> usize {
        self.paths.len()
    }

    /// Takes note that everything was looked at.
    pub(super) fn clear(&mut self) {
        self.paths.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// When a file is looked at that changes every so often for some time.
    fn looks(every: Duration, time: Duration) -> Vec<Duration> {
        let start = Instant::now();
        let mut due = DueLooks::default();
        let (mut past, mut looks) = (Duration::ZERO, Vec::new());
        while past < time {
            due.note(start + past, "app.log".into());
            past += every;
            if let Some(at) = due.next().filter(|at| *at <= start + past) {
                for path in due.take(at) {
                    due.looked_at(at, &path);
                    looks.push(at - start);
                }
            }
        }
        looks
    }

    #[test]
    fn a_change_is_looked_at_when_nothing_more_follows() {
        let every = Duration::from_millis(1_500);
        let expected = [30, 1_530, 3_030].map(Duration::from_millis);
        assert_eq!(looks(every, every * 3), expected);
    }

    #[test]
    fn a_log_that_is_written_all_the_time_is_looked_at_once_a_second() {
        let expected = [1, 2, 3, 4, 5, 6].map(Duration::from_secs);
        let every = Duration::from_millis(2);
        assert_eq!(looks(every, Duration::from_secs(6)), expected);
    }
}
