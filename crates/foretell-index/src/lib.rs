//! The workspace as searchable chunks: files go in, ranked chunks come out.
//!
//! | module | what it is |
//! | --- | --- |
//! | `index` | the index of a workspace: [`Index`], which is all that others need |
//! | `progress`, `status` | what it says of itself |
//! | `follow` | what changes file by file, and documents that are open |
//! | `watch` | what changes on disk, without anybody telling |
//! | `turns` | who may look at everything, where several workspaces are open |
//! | `build` | bringing what is on disk up to date with the workspace |
//! | [`door`] | opening what a workspace brings, whatever it is |
//! | `walk` | which files of a workspace are searched |
//! | `store` | chunks and files on disk, written all or nothing, and ranked |
//! | [`chunking`] | a text in pieces that make sense by themselves |
//! | [`words`] | what a text is searched by |
//!
//! Absent on purpose: what a chunk is needed for, which files and which parts of a text are secret
//! (whoever opens an index says so), and every editor and protocol.

mod build;
pub mod chunking;
pub mod door;
mod follow;
mod index;
mod progress;
mod status;
mod store;
mod turns;
mod walk;
mod watch;
pub mod words;

pub use follow::Followed;
pub use index::{Excluded, Index, Options, Renamed, SearchError, Secrets, UpdateError};
pub use progress::{Fault, Outcome, Progress, Report, Skipped};
pub use status::Status;
pub use store::{KeptIndex, Origin, StoreError, directory_for, kept_at, kept_in};
pub use turns::{Turn, Turns};
pub use watch::{Watch, WatchError, WatchOptions, Watched};
