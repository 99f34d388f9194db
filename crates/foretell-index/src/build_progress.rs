//! Progress and result of an update of the index.
//!
//! Every file that was found is accounted for: it is done when it is unchanged, written, or skipped
//! with a [`FileFault`], so that a progress bar always reaches its end unless the update is stopped.
//!
//! Absent on purpose: how any of it is shown.

use std::fmt;
use std::time::Duration;

use foretell_text::{DecodeError, FilePath};

use crate::door::DoorRefusal;

/// How many skipped files are named in a report; more are only counted.
const MOST_NAMED: usize = 10_000;

/// How far an update is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BuildProgress {
    /// How many files were found so far.
    pub found: usize,
    /// Whether no more will be found.
    pub is_all_found: bool,
    /// How many of them are done.
    pub done: usize,
    /// How many lines were read.
    pub lines: u64,
    /// How many bytes were read.
    pub bytes: u64,
}

/// The result of an update.
#[derive(Clone, Debug, Default)]
pub struct BuildReport {
    /// How it ended.
    pub outcome: BuildOutcome,
    /// Files that are new.
    pub added: usize,
    /// Files that say something else than before.
    pub changed: usize,
    /// Files that were forgotten: they are gone, ignored or excluded now.
    pub removed: usize,
    /// Files that are as they were.
    pub unchanged: usize,
    /// Files that were opened to be read, whatever came of it.
    pub read: usize,
    /// Files that are kept out because the person or the workspace says so.
    pub excluded: usize,
    /// Whether there are more files than may be searched, so that some were left out.
    pub reached_limit: bool,
    /// Files that could not be taken in, and why; the first 10,000 of them.
    pub skipped: Vec<SkippedFile>,
    /// How many more were skipped.
    pub skipped_more: usize,
    /// Lines that were read.
    pub lines: u64,
    /// Bytes that were read.
    pub bytes: u64,
    /// How long it took.
    pub took: Duration,
    /// Why what was on disk had to be thrown away first, if it had to.
    pub rebuilt: Option<String>,
}

impl BuildReport {
    /// Counts a file that is as it was.
    pub(crate) fn keep(&mut self, file: &FilePath, fault: Option<DecodeError>) {
        match fault {
            Some(why) => self.skip(file.clone(), why.into()),
            None => self.unchanged += 1,
        }
    }

    pub(crate) fn skip(&mut self, file: FilePath, why: FileFault) {
        if self.skipped.len() < MOST_NAMED {
            self.skipped.push(SkippedFile { file, why })
        } else {
            self.skipped_more += 1
        }
    }
}

/// How an update ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BuildOutcome {
    /// The index is as the workspace is.
    #[default]
    Finished,
    /// It was told to stop. Everything written by then is kept.
    Stopped,
    /// Another process is writing this index. Its commits are found here too.
    WrittenByAnother,
}

/// A file that could not be taken in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedFile {
    /// Which.
    pub file: FilePath,
    /// Why.
    pub why: FileFault,
}

impl fmt::Display for SkippedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.why)
    }
}

/// Why a file could not be taken in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileFault {
    /// It was there, and then it was not.
    #[error("it vanished")]
    Vanished,
    /// It may be half of one text and half of another.
    #[error("it changed while it was read")]
    ChangedWhileRead,
    /// It is a pipe, a socket, a device or a directory.
    #[error("it is not a plain file")]
    NotAFile,
    /// It is a link, which is not followed.
    #[error("it is a link, which is not followed")]
    Link,
    /// There is too much of it.
    #[error("it is larger than {} KiB", .largest >> 10)]
    TooLarge {
        /// How much there may be, in bytes.
        largest: u64,
    },
    /// It is no text.
    #[error(transparent)]
    NotText(#[from] DecodeError),
    /// Its name cannot be written down.
    #[error("its name is not UTF-8")]
    NameNotUtf8,
    /// The system says no.
    #[error("it cannot be read: {why}")]
    Unreadable {
        /// The system's error.
        why: String,
    },
    /// Cutting it into chunks failed, which is a fault of ours.
    #[error("it could not be cut into chunks")]
    NotCut,
    /// It says which files are searched, and some of what it says does not count, since it would cost
    /// too much.
    #[error("{left_out}")]
    GlobsLeftOut {
        /// Which, and why.
        left_out: String,
    },
    /// It says which files nothing is told of, and cannot be understood.
    #[error("{why}; nothing below its directory is searched until that is corrected")]
    Unclear {
        /// The fault.
        why: String,
    },
}

impl From<DoorRefusal> for FileFault {
    fn from(refusal: DoorRefusal) -> Self {
        use std::io::ErrorKind::{NotADirectory, NotFound};

        match refusal {
            DoorRefusal::Io(why) => match why.kind() {
                NotFound | NotADirectory => FileFault::Vanished,
                _ => FileFault::Unreadable {
                    why: why.to_string(),
                },
            },
            DoorRefusal::Directory | DoorRefusal::NotAFile => FileFault::NotAFile,
            DoorRefusal::Link => FileFault::Link,
            DoorRefusal::TooLarge { largest } => FileFault::TooLarge { largest },
        }
    }
}
