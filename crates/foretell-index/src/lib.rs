//! The workspace as searchable chunks: files go in, ranked chunks come out.
//!
//! | module | what it is |
//! | --- | --- |
//! | `index` | the index of a workspace: [`Index`], which is all that others need |
//! | `build_progress`, `index_status` | what it says of itself |
//! | `file_changes` | what changes file by file, and documents that are open |
//! | `watch` | what changes on disk, without anybody telling |
//! | `update_lock` | who may look at everything, where several workspaces are open |
//! | `build` | bringing what is on disk up to date with the workspace |
//! | [`door`] | opening what a workspace brings, whatever it is |
//! | `walk` | which files of a workspace are searched |
//! | `code_snapshot`, `side_file` | all the code at one moment, and a file that is made of it and kept beside |
//! | `store` | chunks and files on disk, written all or nothing, and ranked |
//! | [`chunking`] | a text in pieces that make sense by themselves |
//! | [`name_words`] | what a text is searched by |
//!
//! Absent on purpose: what a chunk is needed for, which files and which parts of a text are secret
//! (the caller that opens an index says so), and every editor and protocol.

mod build;
mod build_progress;
pub mod chunking;
mod code_snapshot;
pub mod door;
mod file_changes;
mod index;
mod index_status;
pub mod name_words;
mod side_file;
mod store;
mod update_lock;
mod walk;
mod watch;

pub use build_progress::{BuildOutcome, BuildProgress, BuildReport, FileFault, SkippedFile};
pub use code_snapshot::CodeSnapshot;
pub use file_changes::ChangeOutcome;
pub use index::{
    ExclusionTest, Index, IndexOptions, RenameListener, SearchError, SecretFinder, UpdateError,
};
pub use index_status::IndexStatus;
pub use side_file::{SideFile, SideFileWriter};
pub use store::{
    KeptIndex, StoreError, StoreOrigin, directory_for, kept_at, kept_in, make_private_directory,
};
pub use update_lock::{UpdateLock, UpdateTurn};
pub use watch::{IndexWatch, WatchError, WatchEvent, WatchOptions};
