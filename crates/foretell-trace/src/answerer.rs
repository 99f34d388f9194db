//! Answers for lanes in a replay.
//!
//! Replays and scores need suggestions, and this crate has none: the caller brings predictors.
//! An answerer sees the machine as it is at the moment a lane is started, and answers at once; how
//! long that takes in the replay is the replay's business.
//!
//! Absent on purpose: time that passes, and failure. The same machine at the same moment gets the
//! same answer, so that two replays give the same bytes.

use std::fmt;

use foretell_core::{Core, Moment, Spot};
use foretell_text::{LaneCandidate, LaneKind};

/// Answers for lanes.
pub trait LaneAnswerer: fmt::Debug {
    /// Returns a lane's suggestions at a place, the best first. Nothing if the place is in another text than
    /// the one that is held.
    fn answer(&self, core: &Core, now: Moment, lane: LaneKind, spot: &Spot) -> Vec<LaneCandidate>;
}
