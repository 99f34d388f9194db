//! The workspace as searchable chunks: files go in, ranked chunks come out.
//!
//! | module | what it is |
//! | --- | --- |
//! | `index` | the index of a workspace: [`Index`], which is all that others need |
//! | `build_progress`, `status` | what it says of itself |
//! | `file_changes` | what changes file by file, and documents that are open |
//! | `watch` | what changes on disk, without anybody telling |
//! | `update_lock` | who may look at everything, where several workspaces are open |
//! | `build` | bringing what is on disk up to date with the workspace |
//! | [`door`] | opening what a workspace brings, whatever it is |
//! | `walk` | which files of a workspace are searched |
//! | `store` | chunks and files on disk, written all or nothing, and ranked |
//! | [`chunking`] | a text in pieces that make sense by themselves |
//! | [`name_words`] | what a text is searched by |
//!
//! Absent on purpose: what a chunk is needed for, which files and which parts of a text are secret
//! (the caller that opens an index says so), and every editor and protocol.

mod build;
mod build_progress;
pub mod chunking;
pub mod door;
mod file_changes;
mod index;
mod index_status;
pub mod name_words;
mod store;
mod update_lock;
mod walk;
mod watch;

pub use build_progress::{BuildOutcome, BuildProgress, BuildReport, FileFault, SkippedFile};
pub use file_changes::Followed;
pub use index::{Excluded, Index, Options, Renamed, SearchError, Secrets, UpdateError};
pub use index_status::IndexStatus;
pub use store::{
    KeptIndex, Origin, StoreError, directory_for, kept_at, kept_in, make_private_directory,
};
pub use update_lock::{Turn, Turns};
pub use watch::{Watch, WatchError, WatchOptions, Watched};
