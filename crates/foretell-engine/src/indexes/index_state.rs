//! The state of an index while a server runs.

use std::fmt;
use std::path::PathBuf;

use foretell_index::BuildProgress;

use super::index_plan::IndexRefusal;

/// The status of a folder's index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderIndexStatus {
    /// The folder, as the editor has it.
    pub folder: PathBuf,
    /// The folder's name.
    pub name: String,
    /// The state of its index.
    pub state: IndexState,
    /// The last fault that has not been followed by a success, in words.
    pub problem: Option<String>,
}

/// The state of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IndexState {
    /// There is none, for a reason.
    Off(IndexRefusal),
    /// It is being opened.
    Opening,
    /// It is being brought up to date. Chunks that are in it by now are found.
    Updating(BuildProgress),
    /// It is as the folder is.
    Ready(FolderIndexContents),
    /// It was never as the folder is, and cannot be yet. It is tried again, within a minute at most.
    Waiting(IndexWait),
    /// It cannot be used, for a reason in words.
    Unusable(String),
    /// It was told to end.
    Ended,
}

/// The event that an index waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexWait {
    /// Another process, which has it.
    Another,
    /// Something that is wrong, which is said as the problem.
    Failed,
}

/// How much is in an index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FolderIndexContents {
    /// How many files.
    pub files: usize,
    /// How many chunks they are.
    pub chunks: u64,
    /// How much of the disk it takes.
    pub bytes_on_disk: u64,
}

/// How far an index is, to be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexProgress {
    /// Where the folder really is, which tells it apart whatever it is called.
    pub folder: PathBuf,
    /// The folder's name now.
    pub name: String,
    /// The step.
    pub step: IndexStep,
}

/// A step of bringing an index up to date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IndexStep {
    /// It begins.
    Began,
    /// It is so far. Told a few times a second at most.
    Reached(BuildProgress),
    /// It has ended, however that was.
    Ended,
    /// Something is wrong, in words; it is told once, and not again until something has gone well.
    Failed(String),
}

impl fmt::Display for IndexState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IndexState::Off(why) => write!(f, "off: {why}"),
            IndexState::Opening => f.write_str("opening"),
            IndexState::Updating(BuildProgress {
                done,
                found,
                is_all_found,
                ..
            }) => {
                if *is_all_found {
                    write!(f, "updating, {done} of {found} files")
                } else {
                    write!(f, "updating, {done} of {found} or more files")
                }
            }
            IndexState::Ready(FolderIndexContents {
                files,
                chunks,
                bytes_on_disk,
            }) => {
                let megabytes = *bytes_on_disk as f64 / 1e6;
                write!(
                    f,
                    "ready: {files} files, {chunks} chunks, {megabytes:.1} MB on disk"
                )
            }
            IndexState::Waiting(IndexWait::Another) => {
                f.write_str("waiting for another process; it is tried again within a minute")
            }
            IndexState::Waiting(IndexWait::Failed) => {
                f.write_str("waiting; it is tried again within a minute")
            }
            IndexState::Unusable(why) => write!(f, "unusable: {why}"),
            IndexState::Ended => f.write_str("ended"),
        }
    }
}
