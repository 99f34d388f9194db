//! The speeds of model servers, in one small file that outlives the process.
//!
//! What a server was yesterday it is today, so that the first prompt has the right size already. Every process
//! of the person has its own book ([`SpeedBook`]), begins with what is in the file, and writes what it
//! has learned beside what others have, under a lock. Of a server that two of them measure, the last one to write
//! is right.
//!
//! It is written as the file of usage is: beside first, readable by the person alone, and in the place of the
//! one before when it is whole. Nothing depends on it: a file that cannot be read or understood is an empty
//! book, and one that cannot be written is tried again with the next change.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use foretell_index::make_private_directory;
use foretell_lanes::model::server_speed::SpeedBook;

use crate::usage::{writable_by_the_person, write_whole};

/// How large a file may be that is read: a few servers.
const LARGEST: u64 = 64 << 10;

/// A book of speeds, and the file that it is kept in.
#[derive(Debug)]
pub struct SpeedFile {
    path: PathBuf,
    book: Arc<SpeedBook>,
}

impl SpeedFile {
    /// The file in a directory, which is made when something is written. Blocking: a small file is read.
    pub fn in_directory(directory: &Path) -> Self {
        let path = directory.join("speeds.json");
        let book = SpeedBook::from_json(&read(&path));
        SpeedFile {
            path,
            book: Arc::new(book),
        }
    }

    /// The book.
    pub fn book(&self) -> &Arc<SpeedBook> {
        &self.book
    }

    /// Writes what was learned, if anything was. Blocking: do not call it on the loop.
    pub fn keep(&self) -> io::Result<()> {
        if !self.book.take_change() {
            return Ok(());
        }
        if let Some(directory) = self.path.parent() {
            make_private_directory(directory)?;
        }
        let lock = writable_by_the_person(&self.path.with_extension("lock"))?;
        lock.lock()?;
        let written = self.book.to_json(&read(&self.path));
        // Two processes may write at once where nothing is locked.
        let beside = self
            .path
            .with_extension(format!("{}.new", std::process::id()));
        let moved =
            write_whole(&beside, written.as_bytes()).and_then(|()| fs::rename(&beside, &self.path));
        moved.inspect_err(|_| {
            // The part that was written takes room that is wanted.
            let _ = fs::remove_file(&beside);
        })
    }
}

/// The contents of a file; nothing if there is none that can be understood.
fn read(path: &Path) -> String {
    let found = fs::metadata(path);
    // A pipe would block its reader.
    let is_small = found.is_ok_and(|found| found.is_file() && found.len() <= LARGEST);
    let read = is_small.then(|| fs::read_to_string(path).ok()).flatten();
    read.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::unwrap_used,
        reason = "a test whose own files are not there should stop at once and say where"
    )]

    use foretell_lanes::model::server_speed::{SpeedKey, SpeedSample};

    use super::*;

    fn key(server: &str) -> SpeedKey {
        SpeedKey {
            server: server.to_owned(),
            model: None,
        }
    }

    fn learn(file: &SpeedFile, server: &str, read: f64) {
        let sample = SpeedSample {
            read: Some(read),
            written: None,
        };
        file.book().learn(&key(server), sample);
        file.keep().unwrap();
    }

    fn read_speed(directory: &Path, server: &str) -> Option<f64> {
        let file = SpeedFile::in_directory(directory);
        file.book().speed(&key(server)).read
    }

    #[test]
    fn what_was_learned_is_there_for_the_next_process() {
        let directory = tempfile::tempdir().unwrap();
        let state = directory.path().join("state");
        let (one, other) = (
            SpeedFile::in_directory(&state),
            SpeedFile::in_directory(&state),
        );
        one.keep().unwrap();
        assert!(!state.exists(), "there was nothing to keep");
        learn(&one, "one", 150.0);
        learn(&other, "other", 900.0);
        assert_eq!(read_speed(&state, "one"), Some(150.0));
        assert_eq!(read_speed(&state, "other"), Some(900.0));
    }

    #[test]
    fn a_file_that_makes_no_sense_is_begun_anew() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("speeds.json");
        for text in ["", "{", "[1]", "\u{0}", "{\"version\":7,\"servers\":{}}"] {
            fs::write(&path, text).unwrap();
            assert_eq!(read_speed(directory.path(), "one"), None, "{text}");
            learn(&SpeedFile::in_directory(directory.path()), "one", 9.5);
            assert_eq!(read_speed(directory.path(), "one"), Some(9.5), "{text}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_reads_it() {
        use std::os::unix::fs::PermissionsExt;

        let directory = tempfile::tempdir().unwrap();
        learn(&SpeedFile::in_directory(directory.path()), "one", 9.5);
        let kept = fs::metadata(directory.path().join("speeds.json")).unwrap();
        assert_eq!(kept.permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_directory_that_cannot_be_written_is_an_error_and_nothing_more() {
        let directory = tempfile::tempdir().unwrap();
        let in_the_way = directory.path().join("file");
        fs::write(&in_the_way, "").unwrap();
        let file = SpeedFile::in_directory(&in_the_way.join("state"));
        let sample = SpeedSample {
            read: Some(9.5),
            written: None,
        };
        file.book().learn(&key("one"), sample);
        assert!(file.keep().is_err());
        assert_eq!(file.book().speed(&key("one")).read, Some(9.5));
    }
}
