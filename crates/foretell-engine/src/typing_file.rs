//! How the person types, in one small file that outlives the process.
//!
//! The gaps between a person's keys are the same today as yesterday, so that the first pause is served as well as
//! the thousandth. What is kept are counts: how many gaps of which length there were after which kind of
//! stroke. No letter, no word and no time of day is in it. Every process of the person begins with what is
//! in the file, and of two that write, the last one is right.
//!
//! It is written as the file of usage is: beside first, readable by the person alone, and in the place of the
//! one before when it is whole. Nothing depends on it: one that cannot be read or understood says nothing.
//! A file that was there and is gone was taken away by the person (`foretell clean`), and is not
//! written again by a process that knows what was in it.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use foretell_core::{GapRow, TypingGaps};
use foretell_index::make_private_directory;
use serde::{Deserialize, Serialize};

use crate::usage::write_whole;

/// How large a file may be that is read: every place there is, each with large counts.
const LARGEST: u64 = 256 << 10;

/// The only version there is.
const VERSION: u32 = 1;

/// With how few gaps a session says too little to be kept.
const FEW: u64 = 100;

/// The file that the gaps between a person's keys are kept in.
#[derive(Debug)]
pub struct TypingFile {
    path: PathBuf,
    /// Whether it was there when it was last looked at.
    was_there: AtomicBool,
    is_forgotten: AtomicBool,
}

/// The file as it is written.
#[derive(Serialize, Deserialize)]
struct WrittenGaps {
    version: u32,
    places: BTreeMap<String, GapRow>,
}

impl TypingFile {
    /// The file in a directory, which is made when something is written.
    pub fn in_directory(directory: &Path) -> Self {
        TypingFile {
            path: directory.join("typing.json"),
            was_there: AtomicBool::new(false),
            is_forgotten: AtomicBool::new(false),
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is in it. Blocking: it is small.
    pub fn read(&self) -> TypingGaps {
        let found = fs::metadata(&self.path);
        self.was_there.store(found.is_ok(), Ordering::Relaxed);
        // A pipe would block its reader.
        let is_small = found.is_ok_and(|found| found.is_file() && found.len() <= LARGEST);
        let read = is_small.then(|| fs::read(&self.path).ok()).flatten();
        let written = read.and_then(|read| serde_json::from_slice::<WrittenGaps>(&read).ok());
        let places = written.filter(|written| written.version == VERSION);
        let places = places.map(|written| written.places).unwrap_or_default();
        TypingGaps::from_rows(places.iter().map(|(place, row)| (place.as_str(), *row)))
    }

    /// Writes what is known, unless that is hardly anything or the person wants it forgotten. Blocking: do
    /// not call it on the loop.
    pub fn keep(&self, gaps: &TypingGaps) -> io::Result<()> {
        let is_gone = self.was_there.load(Ordering::Relaxed) && !self.path.exists();
        if self.is_forgotten.fetch_or(is_gone, Ordering::Relaxed) || is_gone || gaps.count() < FEW {
            return Ok(());
        }
        if let Some(directory) = self.path.parent() {
            make_private_directory(directory)?;
        }
        let written = WrittenGaps {
            version: VERSION,
            places: gaps.rows().map(|(place, row)| (place, *row)).collect(),
        };
        let written = serde_json::to_vec(&written)?;
        // Two processes may write at once.
        let beside = self
            .path
            .with_extension(format!("{}.new", std::process::id()));
        let moved = write_whole(&beside, &written).and_then(|()| fs::rename(&beside, &self.path));
        self.was_there.store(moved.is_ok(), Ordering::Relaxed);
        moved.inspect_err(|_| {
            // The part that was written takes room that is wanted.
            let _ = fs::remove_file(&beside);
        })
    }

    /// Removes it. Says whether there was one. Blocking.
    pub fn forget(&self) -> io::Result<bool> {
        match fs::remove_file(&self.path) {
            Ok(()) => Ok(true),
            Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(why) => Err(why),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::unwrap_used,
        reason = "a test whose own files are not there should stop at once and say where"
    )]

    use super::*;

    fn gaps(count: u16) -> TypingGaps {
        TypingGaps::from_rows([("word.line-end.3", [count; foretell_core::GAP_STEPS])])
    }

    #[test]
    fn what_was_learned_is_there_for_the_next_process() {
        let directory = tempfile::tempdir().unwrap();
        let state = directory.path().join("state");
        let file = TypingFile::in_directory(&state);
        file.keep(&gaps(1)).unwrap();
        assert!(!state.exists(), "it was hardly anything");
        file.keep(&gaps(9)).unwrap();
        assert_eq!(TypingFile::in_directory(&state).read(), gaps(9));
    }

    #[test]
    fn a_process_that_runs_does_not_write_what_the_person_has_removed() {
        let directory = tempfile::tempdir().unwrap();
        let file = TypingFile::in_directory(directory.path());
        file.keep(&gaps(9)).unwrap();
        let other = TypingFile::in_directory(directory.path());
        assert!(other.forget().unwrap());
        assert!(!other.forget().unwrap());
        file.keep(&gaps(9)).unwrap();
        file.keep(&gaps(10)).unwrap();
        assert!(!file.path().exists());
    }

    #[test]
    fn a_file_that_makes_no_sense_says_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("typing.json");
        let foreign = r#"{"version":1,"places":{"no.such.place":[1,2]}}"#;
        let newer = r#"{"version":2,"places":{}}"#;
        let large = r#"{"version":1,"places":{"word.line-end.3":[99999999]}}"#;
        for text in ["", "{", "[1]", "\u{0}", foreign, newer, large] {
            fs::write(&path, text).unwrap();
            let file = TypingFile::in_directory(directory.path());
            assert!(file.read().is_empty(), "{text}");
            file.keep(&gaps(9)).unwrap();
            assert_eq!(file.read(), gaps(9), "{text}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_reads_it() {
        use std::os::unix::fs::PermissionsExt;

        let directory = tempfile::tempdir().unwrap();
        let file = TypingFile::in_directory(directory.path());
        file.keep(&gaps(9)).unwrap();
        let kept = fs::metadata(file.path()).unwrap();
        assert_eq!(kept.permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_directory_that_cannot_be_written_is_an_error_and_nothing_more() {
        let directory = tempfile::tempdir().unwrap();
        let in_the_way = directory.path().join("file");
        fs::write(&in_the_way, "").unwrap();
        let file = TypingFile::in_directory(&in_the_way.join("state"));
        assert!(file.keep(&gaps(9)).is_err());
        assert!(file.read().is_empty());
    }
}
