//! The embedded predictors, as those who replay and score ask them.
//!
//! A replay knows the documents of its trace and nothing else, so there is no workspace to look for
//! code in, and no file that could be excluded.

use std::sync::Arc;

use foretell_core::{Core, Moment, Spot};
use foretell_engine::{LaneRequestParts, lane_request};
use foretell_lanes::{BlankRedaction, NoCode, embedded};
use foretell_text::{FilePath, LaneCandidate, LaneKind};
use foretell_trace::LaneAnswerer;

/// The embedded predictors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EmbeddedAnswerer;

impl LaneAnswerer for EmbeddedAnswerer {
    fn answer(&self, core: &Core, now: Moment, lane: LaneKind, spot: &Spot) -> Vec<LaneCandidate> {
        let telling = LaneRequestParts {
            code: Arc::new(NoCode),
            redact: Arc::new(BlankRedaction),
            is_explicit: false,
            is_excluded: &|_| false,
            name: &|document| FilePath::new(document.as_str()),
        };
        let request = lane_request(core, now, spot, telling);
        let request = request.as_ref();
        request.map_or(Vec::new(), |it| embedded::predict(lane, it, &|| false))
    }
}
