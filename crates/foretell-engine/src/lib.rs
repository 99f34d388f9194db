//! The tokio side of the house: clock, tasks and files for the crates that have none.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`engine`] | the loop: the machine, a clock, and tasks for what takes time |
//! | [`gather`](mod@gather) | all sources at once, until a deadline, into one context |
//! | [`lane_backends`] | who answers for a lane, by its settings |
//! | [`lane_request_parts`](mod@lane_request_parts) | what a lane is told of a place |
//! | [`taught_predictor`] | a predictor that answers at once, and what each event teaches it |
//! | [`redaction_adapter`] | how lanes keep secrets out of what they send |
//! | `scan_memory` | what the redactor remembers of the last texts |
//! | [`context_source`] | what a source is on this side, and the three there are |
//! | [`workspace_code`] | the index of a workspace, as those who need code know it |
//! | [`context_report`] | what came of a context, for people and machines |
//! | [`tokenizer`] | the exact counterpart of the estimate, from a file |
//! | [`last_sent`] | what lanes sent last |
//! | [`usage`] | what lanes have used up today, in a file |
//! | [`speed_file`] | how fast model servers are, in another |
//! | [`typing_file`] | how the person types, in a third |
//! | [`excluded_files`] | files that nothing is told of, under every name they have |
//! | [`directories`] | where things are kept on this machine |
//! | [`observer`] | an observer that the driver of an engine looks at, too |
//! | [`user_settings_file`] | the person's own settings file |
//! | [`reexports`] | what is needed of the crates that meet here |
//! | [`workspace`] | the workspaces of a file, their settings and what they exclude |
//! | [`editor_settings`] | whose word the settings of an editor are, and whether a model may be asked by them |
//! | [`folders`] | the folders that an editor has open: settings, names, exclusions |
//! | [`indexes`] | the indexes of those folders, as long as they are open |
//! | [`read_text`](mod@read_text) | a file that a person named, whatever it turns out to be |
//! | [`terminal_safe`](mod@terminal_safe) | words of others, made fit to be shown |
//!
//! Absent on purpose: what a model may see and how much of it (`foretell-context`), when it is asked
//! (`foretell-core`), and every protocol. Nothing here prints, and no runtime is started: the
//! caller brings one.

pub mod context_report;
pub mod context_source;
pub mod directories;
pub mod editor_settings;
pub mod engine;
pub mod excluded_files;
pub mod folders;
pub mod gather;
pub mod indexes;
pub mod lane_backends;
pub mod lane_request_parts;
pub mod last_sent;
pub mod learned_workspace;
pub mod observer;
pub mod read_text;
pub mod redaction_adapter;
pub mod reexports;
mod scan_memory;
mod secrets;
pub mod speed_file;
pub mod taught_predictor;
pub mod terminal_safe;
pub mod tokenizer;
pub mod typing_file;
pub mod usage;
pub mod user_settings_file;
pub mod work_threads;
pub mod workspace;
pub mod workspace_code;

pub use context_report::ContextReport;
pub use context_source::{ContextSource, Search, SourceError};
pub use directories::UserDirectories;
pub use editor_settings::{EditorSettings, SiftedSettings, UntrustedSettings};
pub use engine::{
    ChooseLane, ClientOrder, ContextWish, Engine, EngineSurroundings, FindFolder, NameDocument,
};
pub use excluded_files::{DiskThreads, ExcludedFiles, ExclusionCause, ExclusionRule};
pub use folders::{LoadedFolders, OpenFolders};
pub use gather::{GatherCancelled, GatherOptions, gather};
pub use indexes::Indexes;
pub use lane_request_parts::{LaneRequestParts, lane_request};
pub use observer::SharedObserver;
pub use read_text::{
    LARGEST_DOCUMENT, ReadError, ReadTextError, read_text, read_text_of_workspace,
};
pub use redaction_adapter::LaneRedaction;
pub use terminal_safe::visible;
pub use tokenizer::{ExactTokens, TokenizerError};
pub use usage::UsageFile;
pub use user_settings_file::OwnFile;
pub use work_threads::WorkThreads;
pub use workspace::FileWorkspaces;
