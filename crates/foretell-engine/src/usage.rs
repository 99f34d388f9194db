//! The usage of lanes today, in one small file that outlives the process.
//!
//! Limits by the day are kept by the machine, which counts what it orders and forgets it when it ends.
//! This file remembers: every process of the person adds to it, under a lock, and learns what all of
//! them have used. Days are counted in UTC, so that they do not depend on where a process was started.
//!
//! It is written beside first, and takes the place of the one before when it is whole and on the disk.
//! Where there is no room for that, the one that is there is written over: it has always the length of
//! one sector, so that this needs no room, and is done whole or not at all.
//!
//! A file that cannot be understood is begun anew: it is a count, and the limits hold from there. One
//! that cannot be written is reported to the caller, which keeps what was to be added; the limits hold
//! within the process. Ask [`UsageFile::state`] how that is.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use foretell_index::make_private_directory;
use foretell_text::LaneKind;
use serde::{Deserialize, Serialize};

use crate::read_text::is_absent;

const DAY: u64 = 24 * 60 * 60;

/// How large a file may be that is read: a few numbers.
const LARGEST: u64 = 64 << 10;

/// How long the file is, in bytes. The largest counts of all lanes fit in.
const SECTOR: usize = 512;

/// Where it is remembered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageFile {
    path: PathBuf,
}

/// The usage of a lane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UsageCount {
    /// How often it was called.
    pub requests: u64,
    /// How many tokens that took.
    pub tokens: u64,
}

/// How the file is.
#[derive(Debug)]
pub enum UsageState {
    /// It has been read, and can be added to.
    Kept,
    /// There is none yet, and one can be made.
    Absent,
    /// Its contents are not understood, so that counting begins anew.
    Damaged,
    /// It is there and cannot be read, so that counting begins anew in every process.
    Unreadable(io::Error),
    /// Nothing can be added, so that every process counts for itself.
    Unwritable(io::Error),
}

/// A day, and how far it has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DayTime {
    /// Its number since 1970.
    pub day: u64,
    /// How much of it is over.
    pub over: Duration,
}

impl DayTime {
    /// The day that it is.
    pub fn now() -> Self {
        DayTime::at(SystemTime::now())
    }

    fn at(time: SystemTime) -> Self {
        // A clock before 1970 is wrong about the day, and tomorrow will be too.
        let passed = time.duration_since(UNIX_EPOCH).unwrap_or_default();
        let day = passed.as_secs() / DAY;
        DayTime {
            day,
            over: passed.saturating_sub(Duration::from_secs(day * DAY)),
        }
    }
}

/// The contents of the file.
#[derive(Default, Serialize, Deserialize)]
struct UsageFileContents {
    day: u64,
    lanes: BTreeMap<String, UsageCount>,
}

impl UsageFile {
    /// The file in a directory, which is made when something is added.
    pub fn in_directory(directory: &Path) -> Self {
        UsageFile {
            path: directory.join("usage.json"),
        }
    }

    /// Adds to what a lane has used up on a day, and gives what it has used up then.
    pub fn add(&self, day: u64, lane: LaneKind, used: UsageCount) -> io::Result<UsageCount> {
        if let Some(directory) = self.path.parent() {
            make_private_directory(directory)?;
        }
        let _lock = self.lock()?;
        let mut counted = self.counted(day);
        let all = counted.lanes.entry(lane.name().to_owned()).or_default();
        all.requests = all.requests.saturating_add(used.requests);
        all.tokens = all.tokens.saturating_add(used.tokens);
        let all = *all;
        self.keep(&counted)?;
        Ok(all)
    }

    /// Waits until no other process has the file. Closing what this gives unlocks it.
    fn lock(&self) -> io::Result<File> {
        let lock = writable_by_the_person(&self.path.with_extension("lock"))?;
        lock.lock()?;
        Ok(lock)
    }

    fn keep(&self, counted: &UsageFileContents) -> io::Result<()> {
        let mut written = serde_json::to_vec(counted)?;
        written.resize(written.len().max(SECTOR), b' ');
        let beside = self.beside();
        let moved = write_whole(&beside, &written).and_then(|()| fs::rename(&beside, &self.path));
        moved.or_else(|why| {
            // The part that was written takes room that is wanted.
            let _ = fs::remove_file(&beside);
            self.write_over(&written).map_err(|_| why)
        })
    }

    /// Writes in the place of what is there, which is as long.
    fn write_over(&self, written: &[u8]) -> io::Result<()> {
        let mut file = File::options().write(true).open(&self.path)?;
        let found = file.metadata()?;
        if !found.is_file() || found.len() != written.len() as u64 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        file.write_all(written)?;
        file.sync_data()
    }

    fn beside(&self) -> PathBuf {
        self.path.with_extension("new")
    }

    /// Returns the usage of a lane on a day, as far as is known.
    pub fn read(&self, day: u64, lane: LaneKind) -> UsageCount {
        let counted = self.counted(day);
        counted.lanes.get(lane.name()).copied().unwrap_or_default()
    }

    /// How it is. Nothing is counted by this, and no directory is made.
    pub fn state(&self) -> UsageState {
        let state = match self.kept() {
            Ok(_) => UsageState::Kept,
            Err(NotKept::Absent) => UsageState::Absent,
            Err(NotKept::Damaged) => UsageState::Damaged,
            Err(NotKept::Unreadable(why)) => return UsageState::Unreadable(why),
        };
        match self.try_writing() {
            Ok(()) => state,
            Err(why) => UsageState::Unwritable(why),
        }
    }

    /// Whether as much can be written beside it as adding writes, or else over it. Where there is no
    /// directory yet, whether one can be made below the nearest that there is; it does not stay.
    fn try_writing(&self) -> io::Result<()> {
        let mut missing = None;
        for directory in self.path.ancestors().skip(1) {
            let found = match fs::metadata(directory) {
                Ok(found) => found,
                Err(why) if why.kind() == io::ErrorKind::NotFound => {
                    missing = Some(directory);
                    continue;
                }
                Err(why) => return Err(why),
            };
            return match missing {
                _ if !found.is_dir() => Err(io::ErrorKind::NotADirectory.into()),
                None => self.try_writing_beside(),
                // A full disk may have room for a name, and for nothing in it.
                Some(missing) => fs::create_dir(missing).and_then(|()| {
                    let beside = missing.join("usage.tried");
                    let tried = write_whole(&beside, &[b' '; SECTOR]);
                    let _ = fs::remove_file(&beside);
                    // Another program may have put something there meanwhile.
                    let _ = fs::remove_dir(missing);
                    tried
                }),
            };
        }
        Err(io::ErrorKind::NotFound.into())
    }

    fn try_writing_beside(&self) -> io::Result<()> {
        let _lock = self.lock()?;
        let beside = self.beside();
        let tried = write_whole(&beside, &[b' '; SECTOR]).and_then(|()| fs::remove_file(&beside));
        tried.or_else(|why| {
            let _ = fs::remove_file(&beside);
            let file = File::options().write(true).open(&self.path);
            let length = file.and_then(|it| it.metadata()).map(|it| it.len());
            match length {
                Ok(length) if length == SECTOR as u64 => Ok(()),
                _ => Err(why),
            }
        })
    }

    /// Reads the file.
    fn kept(&self) -> Result<UsageFileContents, NotKept> {
        let found = match fs::metadata(&self.path) {
            Ok(found) => found,
            Err(why) if is_absent(&why) => return Err(NotKept::Absent),
            Err(why) => return Err(NotKept::Unreadable(why)),
        };
        // A pipe would block its reader.
        if !found.is_file() || found.len() > LARGEST {
            return Err(NotKept::Damaged);
        }
        let read = fs::read(&self.path).map_err(NotKept::Unreadable)?;
        serde_json::from_slice(&read).map_err(|_| NotKept::Damaged)
    }

    /// Returns the usage of a day. Clocks are set back, too, so that any other day is over.
    fn counted(&self, day: u64) -> UsageFileContents {
        let counted = self.kept().unwrap_or_default();
        if counted.day == day {
            counted
        } else {
            UsageFileContents {
                day,
                ..UsageFileContents::default()
            }
        }
    }
}

/// Writes a file that no other user can read, and waits until the disk has it.
pub(crate) fn write_whole(path: &Path, written: &[u8]) -> io::Result<()> {
    // The permissions of an older file would stay.
    match fs::remove_file(path) {
        Err(why) if !is_absent(&why) => return Err(why),
        _ => {}
    }
    let mut new = writable_by_the_person(path)?;
    new.write_all(written)?;
    new.sync_all()
}

/// An empty file that no other user can read, where there is such a thing.
pub(crate) fn writable_by_the_person(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Why nothing is known.
enum NotKept {
    Absent,
    Damaged,
    Unreadable(io::Error),
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::unwrap_used,
        reason = "a test whose own files are not there should stop at once and say where"
    )]

    use super::*;

    const ONE: UsageCount = UsageCount {
        requests: 1,
        tokens: 10,
    };

    fn used(requests: u64, tokens: u64) -> UsageCount {
        UsageCount { requests, tokens }
    }

    #[test]
    fn what_is_added_is_there_for_the_next_process() {
        let directory = tempfile::tempdir().unwrap();
        let state = directory.path().join("state");
        let file = UsageFile::in_directory(&state);
        assert_eq!(file.add(7, LaneKind::Fim, ONE).unwrap(), used(1, 10));
        let another = UsageFile::in_directory(&state);
        assert_eq!(another.add(7, LaneKind::Fim, ONE).unwrap(), used(2, 20));
        assert_eq!(file.read(7, LaneKind::Fim), used(2, 20));
        assert_eq!(file.read(7, LaneKind::Fix), UsageCount::default());
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_reads_it() {
        use std::os::unix::fs::PermissionsExt;

        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("usage.json");
        let file = UsageFile::in_directory(directory.path());
        // As an older version left them.
        for name in ["usage.json", "usage.new"] {
            fs::write(directory.path().join(name), "{}").unwrap();
        }
        for _ in 0..2 {
            file.add(7, LaneKind::Fim, ONE).unwrap();
            let mode = fs::metadata(&path).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }

    #[test]
    fn another_day_begins_with_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let file = UsageFile::in_directory(directory.path());
        file.add(7, LaneKind::Fim, ONE).unwrap();
        assert_eq!(file.read(8, LaneKind::Fim), UsageCount::default());
        assert_eq!(file.add(8, LaneKind::Fix, ONE).unwrap(), used(1, 10));
        assert_eq!(file.read(8, LaneKind::Fim), UsageCount::default());
    }

    #[test]
    fn nothing_is_lost_when_many_add_at_once() {
        let directory = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let file = UsageFile::in_directory(directory.path());
                    for _ in 0..25 {
                        file.add(7, LaneKind::NextEdit, ONE).unwrap();
                    }
                });
            }
        });
        let file = UsageFile::in_directory(directory.path());
        assert_eq!(file.read(7, LaneKind::NextEdit), used(200, 2_000));
    }

    #[test]
    fn a_file_that_makes_no_sense_is_begun_anew() {
        let directory = tempfile::tempdir().unwrap();
        let file = UsageFile::in_directory(directory.path());
        for text in [
            "",
            "{",
            "[]",
            "{\"day\":7,\"lanes\":{\"fim\":{\"requests\":-1}}}",
            "\u{0}",
        ] {
            fs::write(directory.path().join("usage.json"), text).unwrap();
            assert_eq!(file.read(7, LaneKind::Fim), UsageCount::default(), "{text}");
        }
        assert_eq!(file.add(7, LaneKind::Fim, ONE).unwrap(), used(1, 10));
    }

    #[test]
    fn counts_stop_at_the_largest_there_is() {
        let directory = tempfile::tempdir().unwrap();
        let file = UsageFile::in_directory(directory.path());
        file.add(7, LaneKind::Fim, used(u64::MAX, u64::MAX))
            .unwrap();
        assert_eq!(
            file.add(7, LaneKind::Fim, ONE).unwrap(),
            used(u64::MAX, u64::MAX)
        );
    }

    #[test]
    fn where_no_other_file_can_be_written_the_one_that_is_there_is_written_over() {
        let directory = tempfile::tempdir().unwrap();
        let file = UsageFile::in_directory(directory.path());
        let most = used(u64::MAX, u64::MAX);
        for lane in LaneKind::ALL {
            file.add(u64::MAX, lane, most).unwrap();
        }
        file.add(7, LaneKind::Fim, ONE).unwrap();
        // As on a full disk: nothing can be written beside it.
        fs::create_dir(directory.path().join("usage.new")).unwrap();
        assert_eq!(file.add(7, LaneKind::Fim, ONE).unwrap(), used(2, 20));
        assert!(matches!(file.state(), UsageState::Kept));
        // For those who did not write it, neither.
        assert_eq!(file.read(7, LaneKind::Fim), used(2, 20));
        fs::remove_file(directory.path().join("usage.json")).unwrap();
        assert!(file.add(7, LaneKind::Fim, ONE).is_err());
        assert!(matches!(file.state(), UsageState::Unwritable(_)));
    }

    #[test]
    fn a_clock_that_is_wrong_is_a_day_like_any_other() {
        let directory = tempfile::tempdir().unwrap();
        let file = UsageFile::in_directory(directory.path());
        let far = Duration::from_secs(1 << 55);
        let wrong = [UNIX_EPOCH - Duration::from_secs(1 << 30), UNIX_EPOCH + far];
        for day in wrong.map(|time| DayTime::at(time).day) {
            assert_eq!(file.add(day, LaneKind::Fim, ONE).unwrap(), used(1, 10));
            assert_eq!(file.add(day, LaneKind::Fim, ONE).unwrap(), used(2, 20));
        }
        assert!(matches!(file.state(), UsageState::Kept));
    }

    #[test]
    fn a_directory_that_cannot_be_written_is_said() {
        let directory = tempfile::tempdir().unwrap();
        let in_the_way = directory.path().join("file");
        fs::write(&in_the_way, "").unwrap();
        let file = UsageFile::in_directory(&in_the_way.join("state"));
        assert!(file.add(7, LaneKind::Fim, ONE).is_err());
        assert_eq!(file.read(7, LaneKind::Fim), UsageCount::default());
    }

    #[test]
    fn how_the_file_is_can_be_asked() {
        let directory = tempfile::tempdir().unwrap();
        let state = directory.path().join("state");
        let file = UsageFile::in_directory(&state);
        assert!(matches!(file.state(), UsageState::Absent));
        assert!(!state.exists(), "asking makes nothing");
        file.add(7, LaneKind::Fim, ONE).unwrap();
        assert!(matches!(file.state(), UsageState::Kept));
        fs::write(state.join("usage.json"), "{").unwrap();
        assert!(matches!(file.state(), UsageState::Damaged));
        fs::remove_file(state.join("usage.json")).unwrap();
        fs::create_dir(state.join("usage.json")).unwrap();
        assert!(matches!(file.state(), UsageState::Damaged));
        let in_the_way = directory.path().join("file");
        fs::write(&in_the_way, "").unwrap();
        for below in ["state", "further/down"] {
            let file = UsageFile::in_directory(&in_the_way.join(below));
            assert!(matches!(file.state(), UsageState::Unwritable(_)), "{below}");
        }
    }

    #[test]
    fn a_day_ends_at_midnight() {
        let at = |seconds| DayTime::at(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(DAY - 1).day, 0);
        assert_eq!(at(DAY - 1).over, Duration::from_secs(DAY - 1));
        assert_eq!((at(DAY).day, at(DAY).over), (1, Duration::ZERO));
        assert_eq!(DayTime::at(UNIX_EPOCH - Duration::from_secs(1)).day, 0);
    }
}
