//! Re-exports for the crates above the engine.
//!
//! Context, index and lanes know nothing of each other, and the crates above the engine depend on none
//! of them: they take what they need from here.

pub use foretell_context::{CountTokens, Exclude, Redactor, TokenEstimate};
pub use foretell_index::BuildProgress;
pub use foretell_lanes::InstantPredictor;
pub use foretell_lanes::embedded::{LineModel, WorkspaceShelf};
pub use foretell_lanes::model::server_client::{LaneSettingName, address_of};
pub use foretell_lanes::model::{SentRequest, readable};
pub use foretell_lanes::{
    CodeSearch, Lane, LaneAnswer, LaneFuture, LaneRequest, NoCode, PromptReading,
};
