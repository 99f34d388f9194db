//! Re-exports for the crates above the engine.
//!
//! Context, index and lanes know nothing of each other, and the crates above the engine depend on none
//! of them: they take what they need from here.

pub use foretell_context::{CountTokens, Estimate, Exclude, Redactor};
pub use foretell_index::BuildProgress;
pub use foretell_lanes::model::wire::{Setting, address_of};
pub use foretell_lanes::model::{Sent, readable};
pub use foretell_lanes::{Asking, FindCode, Lane, LaneAnswer, LaneRequest, NoCode};
