//! The tokio side of the house: clock, tasks and files for the crates that have none.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`engine`] | the loop: the machine, a clock, and tasks for what takes time |
//! | [`gather`](mod@gather) | all sources at once, until a deadline, into one context |
//! | [`lane_backends`] | who answers for a lane, by its settings |
//! | [`lane_request`](mod@lane_request) | what a lane is told of a place |
//! | [`redacting`] | how lanes keep secrets from whoever they tell something |
//! | [`context_source`] | what a source is on this side, and the three there are |
//! | [`workspace_code`] | the index of a workspace, as those who need code know it |
//! | [`report`] | what came of a context, for people and machines |
//! | [`tokenizer`] | the exact counterpart of the estimate, from a file |
//! | [`sent`] | what lanes sent last |
//! | [`usage`] | what lanes have used up today, in a file |
//! | [`excluded_files`] | files that nothing is told of, under every name they have |
//! | [`directories`] | where things are kept on this machine |
//! | [`observer`] | an observer that the driver of an engine looks at, too |
//! | [`user_settings_file`] | the person's own settings file |
//! | [`reexports`] | what is needed of the crates that meet here |
//! | [`workspace`] | the workspaces of a file, their settings and what they exclude |
//! | [`editor_settings`] | whose word the settings of an editor are, and whether a model may be asked by them |
//! | [`folders`] | the folders that an editor has open: settings, names, exclusions |
//! | [`indexes`] | the indexes of those folders, as long as they are open |
//! | [`read_text`](mod@read_text) | a file that somebody named, whatever it turns out to be |
//! | [`terminal_safe`](mod@terminal_safe) | words of others, made fit to be shown |
//!
//! Absent on purpose: what a model may see and how much of it (`foretell-context`), when it is asked
//! (`foretell-core`), and every protocol. Nothing here prints, and no runtime is started: the
//! caller brings one.

pub mod context_source;
pub mod directories;
pub mod editor_settings;
pub mod engine;
pub mod excluded_files;
pub mod folders;
pub mod gather;
pub mod indexes;
pub mod lane_backends;
pub mod lane_request;
pub mod observer;
pub mod read_text;
pub mod redacting;
pub mod reexports;
pub mod report;
mod secrets;
pub mod sent;
pub mod terminal_safe;
pub mod tokenizer;
pub mod usage;
pub mod user_settings_file;
pub mod work;
pub mod workspace;
pub mod workspace_code;

pub use context_source::{Search, Source, SourceError};
pub use directories::Places;
pub use editor_settings::{EditorSettings, Sifted, UntrustedSettings};
pub use engine::{ChooseLane, ClientOrder, Engine, NameDocument, Surroundings, Wish};
pub use excluded_files::{DiskThreads, ExcludedFiles, Exclusion, Rule};
pub use folders::{Folders, Loaded};
pub use gather::{Cancelled, Gathering, gather};
pub use indexes::Indexes;
pub use lane_request::{LaneRequestParts, lane_request};
pub use observer::SharedObserver;
pub use read_text::{LARGEST_DOCUMENT, ReadError, Unreadable, read_text, read_text_of_workspace};
pub use redacting::Redacting;
pub use report::ContextReport;
pub use terminal_safe::visible;
pub use tokenizer::{ExactTokens, TokenizerError};
pub use usage::UsageFile;
pub use user_settings_file::OwnFile;
pub use work::WorkThreads;
pub use workspace::Workspaces;
