//! Stamps of the files that settings came from, taken when they were read, so that it is cheap to ask
//! whether to read them again.
//!
//! Asking reads nothing: one look at the times of each file. A file that changed a moment before it
//! was read may have changed again in the same tick of the clock, so that it counts as changed once
//! more; a read a little later has it for good.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::excluded_files::stat_cache;

/// The look of some files at a moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SettingsStamp {
    files: Vec<(PathBuf, FileSighting)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileSighting {
    Absent,
    /// It is there, and nothing else about it matters.
    Present,
    Settled(stat_cache::StatStamp),
    /// It may be another by now.
    Unsettled,
}

impl SettingsStamp {
    /// Takes note of what a file looks like, which is to be done before it is read.
    pub(super) fn note(&mut self, path: &Path) {
        if self.files.iter().all(|(known, _)| known != path) {
            let seen = FileSighting::of(path, SystemTime::now());
            self.files.push((path.to_owned(), seen));
        }
    }

    /// Takes note of whether there is something at a path.
    pub(super) fn note_presence(&mut self, path: &Path) {
        if self.files.iter().all(|(known, _)| known != path) {
            let seen = match fs::symlink_metadata(path) {
                Ok(_) => FileSighting::Present,
                Err(_) => FileSighting::Absent,
            };
            self.files.push((path.to_owned(), seen));
        }
    }

    /// Whether all files still look as they did.
    pub fn is_current(&self) -> bool {
        let is_same = |(path, seen): &(PathBuf, FileSighting)| match seen {
            FileSighting::Unsettled => false,
            FileSighting::Present => fs::symlink_metadata(path).is_ok(),
            seen => FileSighting::of(path, SystemTime::now()) == *seen,
        };
        self.files.iter().all(is_same)
    }

    /// Whether all files looked the same then, and were not just being changed.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let is_settled = |(_, seen): &(PathBuf, FileSighting)| *seen != FileSighting::Unsettled;
        self.files.iter().all(is_settled) && self == other
    }

    /// The files that were looked at, whether they are there or not.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(|(path, _)| path.as_path())
    }
}

impl FileSighting {
    fn of(path: &Path, now: SystemTime) -> Self {
        // The target of a link is what is read; a link to nowhere is there all the same.
        let metadata = fs::metadata(path).or_else(|_| fs::symlink_metadata(path));
        let Ok(stamp) = metadata.and_then(|it| stat_cache::StatStamp::of(&it)) else {
            return FileSighting::Absent;
        };
        if stamp.is_settled(now) {
            FileSighting::Settled(stamp)
        } else {
            FileSighting::Unsettled
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_file_is_looked_at_again_until_a_second_change_could_not_be_missed() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(".foretell.toml");
        fs::write(&path, "a = 1").unwrap();
        let after = |seconds| {
            let now = SystemTime::now() + Duration::from_secs(seconds);
            FileSighting::of(&path, now)
        };
        // There are file systems that count seconds, or two at a time.
        assert_eq!(after(1), FileSighting::Unsettled);
        assert_eq!(after(2), FileSighting::Unsettled);
        assert!(matches!(after(10), FileSighting::Settled(_)));
    }
}
