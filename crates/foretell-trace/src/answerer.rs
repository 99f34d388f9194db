//! Answers for lanes in a replay.
//!
//! Replays and scores need suggestions, and this crate has none: the caller brings predictors.
//! An answerer sees the machine as it is at the moment a lane is started, and answers at once; how
//! long that takes in the replay is the replay's business.
//!
//! Absent on purpose: time that passes, and failure. The same machine at the same moment gets the
//! same answer, so that two replays give the same bytes.

use std::fmt;

use foretell_core::{Core, Event, Moment, Order, Spot};
use foretell_text::{CursorPrediction, LaneCandidate, LaneKind, PredictionAsk, TextProbability};

/// Answers for lanes, and for the predictor that answers at once.
pub trait LaneAnswerer: fmt::Debug {
    /// Returns a lane's suggestions at a place, the best first. Nothing if the place is in another text than
    /// the one that is held.
    fn answer(&self, core: &Core, now: Moment, lane: LaneKind, spot: &Spot) -> Vec<LaneCandidate>;

    /// Whether it predicts at once, too.
    fn has_predictor(&self) -> bool {
        false
    }

    /// An event is about to happen to a machine. A predictor that learns takes note.
    fn before(&self, _core: &Core, _event: &Event) {}

    /// It has happened.
    fn after(&self, _core: &Core) {}

    /// The machine has ordered something.
    fn ordered(&self, _order: &Order) {}

    /// Returns what a predictor that answers at once says at a place.
    fn predict(
        &self,
        _core: &Core,
        _spot: &Spot,
        _ask: PredictionAsk,
        _threshold: TextProbability,
    ) -> Option<CursorPrediction> {
        None
    }
}
