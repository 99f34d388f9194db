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
//! | [`tokenizer`] | the exact counterpart of the estimate, from a file |
//! | [`usage`] | what lanes have used up today, in a file |
//! | [`exclude`] | files that nothing is told of, under every name they have |
//! | [`read`] | a file that somebody named, whatever it turns out to be |
//!
//! Absent on purpose: what a model may see and how much of it (`foretell-context`), when it is asked
//! (`foretell-core`), and every protocol. Nothing here prints, and no runtime is started: whoever
//! calls brings one.

pub mod asking;
pub mod code;
pub mod engine;
pub mod exclude;
pub mod gather;
pub mod lanes;
pub mod read;
pub mod redacting;
mod secrets;
pub mod source;
pub mod tokenizer;
pub mod usage;

pub use asking::{Telling, lane_request};
pub use engine::{ChooseLane, Engine, NameDocument, Surroundings};
pub use exclude::{ExcludedFiles, Exclusion, Rule};
pub use gather::{Cancelled, Gathering, gather};
pub use read::{LARGEST_DOCUMENT, ReadError, Unreadable, read_text};
pub use redacting::Redacting;
pub use source::{Search, Source, SourceError};
pub use tokenizer::{ExactTokens, TokenizerError};
pub use usage::UsageFile;
