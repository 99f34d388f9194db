//! What whoever surrounds an engine needs of the crates that meet in it.
//!
//! Context, index and lanes know nothing of each other, and nobody above the engine depends on any of
//! them: what is needed of them is here.

pub use foretell_context::{CountTokens, Estimate, Exclude, Redactor};
pub use foretell_index::BuildProgress;
pub use foretell_lanes::model::wire::{Setting, address_of};
pub use foretell_lanes::model::{Sent, readable};
pub use foretell_lanes::{Asking, FindCode, Lane, LaneAnswer, LaneRequest, NoCode};
