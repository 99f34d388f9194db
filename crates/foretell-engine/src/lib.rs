//! The tokio side of the house: clock, tasks and files for the crates that have none.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`engine`] | the loop: the machine, a clock, and tasks for what takes time |
//! | [`gather`](mod@gather) | all sources at once, until a deadline, into one context |
//! | [`lanes`] | who answers for a lane, by its settings |
//! | [`asking`] | what a lane is told of a place |
//! | [`redacting`] | how lanes keep secrets from whoever they tell something |
//! | [`source`] | what a source is on this side, and the three there are |
//! | [`code`] | the index of a workspace, as those who need code know it |
//! | [`report`] | what came of a context, for people and machines |
//! | [`tokenizer`] | the exact counterpart of the estimate, from a file |
//! | [`sent`] | what lanes sent last, for whoever asks |
//! | [`usage`] | what lanes have used up today, in a file |
//! | [`exclude`] | files that nothing is told of, under every name they have |
//! | [`places`] | where things are kept on this machine |
//! | [`observer`] | an observer that whoever drives an engine looks at, too |
//! | [`own`] | the person's own settings file |
//! | [`parts`] | what is needed of the crates that meet here |
//! | [`workspace`] | the workspaces of a file, their settings and what they exclude |
//! | [`editor`] | whose word the settings of an editor are, and whether a model may be asked by them |
//! | [`folders`] | the folders that an editor has open: settings, names, exclusions |
//! | [`indexes`] | the indexes of those folders, as long as they are open |
//! | [`read`] | a file that somebody named, whatever it turns out to be |
//! | [`visible`](mod@visible) | words of others, made fit to be shown |
//!
//! Absent on purpose: what a model may see and how much of it (`foretell-context`), when it is asked
//! (`foretell-core`), and every protocol. Nothing here prints, and no runtime is started: whoever
//! calls brings one.

pub mod asking;
pub mod code;
pub mod editor;
pub mod engine;
pub mod exclude;
pub mod folders;
pub mod gather;
pub mod indexes;
pub mod lanes;
pub mod observer;
pub mod own;
pub mod parts;
pub mod places;
pub mod read;
pub mod redacting;
pub mod report;
mod secrets;
pub mod sent;
pub mod source;
pub mod tokenizer;
pub mod usage;
pub mod visible;
pub mod work;
pub mod workspace;

pub use asking::{Telling, lane_request};
pub use editor::{Contested, EditorSettings, Sifted};
pub use engine::{ChooseLane, ClientOrder, Engine, NameDocument, Surroundings, Wish};
pub use exclude::{DiskThreads, ExcludedFiles, Exclusion, Rule};
pub use folders::{Folders, Loaded};
pub use gather::{Cancelled, Gathering, gather};
pub use indexes::Indexes;
pub use observer::SharedObserver;
pub use own::OwnFile;
pub use places::Places;
pub use read::{LARGEST_DOCUMENT, ReadError, Unreadable, read_text, read_text_of_workspace};
pub use redacting::Redacting;
pub use report::ContextReport;
pub use source::{Search, Source, SourceError};
pub use tokenizer::{ExactTokens, TokenizerError};
pub use usage::UsageFile;
pub use visible::visible;
pub use work::WorkThreads;
pub use workspace::Workspaces;
