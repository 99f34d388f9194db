//! A cache of what was read from a file or a directory, good for as long as that has not changed.
//!
//! The exclusion is asked at every keystroke, and what it reads changes once a week. So a question
//! costs one look at the times of a file instead of reading it. Invariant: what is kept is what would
//! be made anew. Clocks of file systems are coarse, so something may change twice at one time; what
//! changed only just now is therefore made again, as git does it, with what was made before at hand.
//!
//! Absent on purpose: what is not there, and what could not be made. Asking again costs little.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, SystemTime};

use foretell_text::PoisonedLock;

/// After so long a change has a time of its own on every file system.
const SETTLED: Duration = Duration::from_secs(3);
/// How many are kept before all are forgotten.
const MOST: usize = 4_096;
/// How much they may weigh together, since workspaces may be made to fill memory.
const HEAVIEST: usize = 2 << 20;

/// Values that were made of files or directories, kept until those change.
#[derive(Debug)]
pub(super) struct StatCache<T> {
    by_path: Mutex<ByPath<T>>,
    weigh: fn(&T) -> usize,
}

/// With the stamp of what it was made of, unless that had changed just then.
type ByPath<T> = BTreeMap<PathBuf, (Option<StatStamp>, Arc<T>)>;

impl<T> Default for StatCache<T> {
    fn default() -> Self {
        StatCache::weighed(|_| 1)
    }
}

impl<T> StatCache<T> {
    /// Nothing yet, of what weighs something: about the bytes of what it is made of.
    pub(super) fn weighed(weigh: fn(&T) -> usize) -> Self {
        StatCache {
            by_path: Mutex::default(),
            weigh,
        }
    }
}

impl<T> StatCache<T> {
    /// Returns the value that was made of what is at a path, or else makes it now. Its maker is given
    /// the value of the last time.
    pub(super) fn get<E: From<io::Error>>(
        &self,
        now: SystemTime,
        path: &Path,
        make: impl FnOnce(Option<Arc<T>>) -> Result<Arc<T>, E>,
    ) -> Result<Arc<T>, E> {
        // Looked at before it is read: a change in between is seen the next time.
        let stamp = StatStamp::of(&fs::metadata(path)?)?;
        let before = match self.lock().get(path) {
            Some((kept, made)) if *kept == Some(stamp) => return Ok(Arc::clone(made)),
            Some((_, made)) => Some(Arc::clone(made)),
            None => None,
        };
        let made = make(before)?;
        let stamp = stamp.is_settled(now).then_some(stamp);
        let mut by_path = self.lock();
        let weight: usize = by_path.values().map(|(_, it)| (self.weigh)(it)).sum();
        if by_path.len() >= MOST || weight + (self.weigh)(&made) > HEAVIEST {
            by_path.clear();
        }
        by_path.insert(path.to_owned(), (stamp, Arc::clone(&made)));
        Ok(made)
    }

    fn lock(&self) -> MutexGuard<'_, ByPath<T>> {
        self.by_path.lock().unpoison()
    }
}

/// Everything that changes when a file does, short of what is in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StatStamp {
    len: u64,
    modified: SystemTime,
    /// When anything about it changed, which cannot be set back; where that is known.
    changed: SystemTime,
    /// Which file of which disk; where that is known.
    identity: (u64, u64),
}

impl StatStamp {
    #[cfg(unix)]
    pub(crate) fn of(metadata: &fs::Metadata) -> io::Result<Self> {
        use std::os::unix::fs::MetadataExt;

        let seconds = u64::try_from(metadata.ctime()).unwrap_or_default();
        let nanos = u32::try_from(metadata.ctime_nsec()).unwrap_or_default();
        Ok(StatStamp {
            len: metadata.len(),
            modified: metadata.modified()?,
            changed: SystemTime::UNIX_EPOCH + Duration::new(seconds, nanos),
            identity: (metadata.dev(), metadata.ino()),
        })
    }

    #[cfg(not(unix))]
    pub(crate) fn of(metadata: &fs::Metadata) -> io::Result<Self> {
        let modified = metadata.modified()?;
        Ok(StatStamp {
            len: metadata.len(),
            modified,
            changed: modified,
            identity: (0, 0),
        })
    }

    /// Whether it changed so long before now that another change would be seen by its times.
    pub(crate) fn is_settled(&self, now: SystemTime) -> bool {
        let age = now.duration_since(self.modified.max(self.changed));
        age.is_ok_and(|age| age > SETTLED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of a file, and how many times it was read.
    fn read(kept: &StatCache<String>, now: SystemTime, path: &Path, reads: &mut usize) -> String {
        let made = kept.get(now, path, |_| {
            *reads += 1;
            fs::read_to_string(path).map(Arc::new)
        });
        made.unwrap().to_string()
    }

    #[test]
    fn what_has_not_changed_is_read_once() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        fs::write(&path, "one").unwrap();
        let (kept, mut reads) = (StatCache::default(), 0);
        let later = SystemTime::now() + Duration::from_secs(60);
        for _ in 0..3 {
            assert_eq!(read(&kept, later, &path, &mut reads), "one");
        }
        assert_eq!(reads, 1);
        fs::write(&path, "other").unwrap();
        assert_eq!(read(&kept, later, &path, &mut reads), "other");
        assert_eq!(reads, 2);
        fs::remove_file(&path).unwrap();
        let gone: io::Result<_> = kept.get(later, &path, |_| Ok(Arc::default()));
        assert!(gone.is_err());
    }

    #[test]
    fn what_changed_just_now_may_change_again_at_the_same_time() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        let (kept, mut reads) = (StatCache::default(), 0);
        for text in ["one", "two", "six"] {
            fs::write(&path, text).unwrap();
            assert_eq!(read(&kept, SystemTime::now(), &path, &mut reads), text);
        }
        assert_eq!(reads, 3);
    }
}
