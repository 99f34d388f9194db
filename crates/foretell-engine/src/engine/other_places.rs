//! Where else a model may be asked that has nothing at the cursor: found where the lane ran, and told to the
//! machine right before the lane's answer.
//!
//! The machine decides whether any of them is asked about. Kept: a place that is told is one of the text that the
//! machine holds then, and the person has rejected nothing on its line. Finding them takes no longer
//! than a person would not notice; what is found late is not told.

use std::sync::Arc;
use std::time::Duration;

use foretell_core::{EditPlace, Event, RequestId};
use foretell_lanes::other_places::other_places;
use foretell_lanes::{LaneAnswer, LaneRequest, OtherPlace, QuestionPurpose};
use foretell_settings::settings::LaneSettings;
use foretell_text::LaneKind;
use tokio_util::sync::CancellationToken;

use super::Engine;
use crate::work_threads::WorkThreads;

/// How long places are looked for. It is many times what that takes.
const LONGEST_LOOK: Duration = Duration::from_millis(200);

/// Looks for the places that a lane may be asked about besides.
#[derive(Clone)]
pub(super) struct PlaceFinder {
    work: WorkThreads,
}

impl PlaceFinder {
    /// One for a lane, if it may be asked twice at all.
    pub(super) fn of(
        lane: LaneKind,
        settings: &LaneSettings,
        told: &LaneRequest,
        work: &WorkThreads,
    ) -> Option<Self> {
        let may_jump = lane == LaneKind::NextEdit && settings.jump && settings.tells_others();
        (may_jump && told.purpose == QuestionPurpose::Suggest)
            .then(|| PlaceFinder { work: work.clone() })
    }

    /// The places, if an answer is nothing.
    pub(super) async fn find(
        self,
        told: &Arc<LaneRequest>,
        answer: &LaneAnswer,
        stop: &CancellationToken,
    ) -> Vec<OtherPlace> {
        if !answer.candidates.is_empty() || answer.withheld > 0 {
            return Vec::new();
        }
        let (told, enough) = (Arc::clone(told), stop.child_token());
        // Whoever stops waiting stops the search.
        let _guard = enough.clone().drop_guard();
        let look = move || other_places(&told, &|| enough.is_cancelled());
        let found = tokio::time::timeout(LONGEST_LOOK, self.work.run(look)).await;
        // A predictor that panics has found nothing.
        found.ok().and_then(Result::ok).unwrap_or_default()
    }
}

impl Engine {
    /// Tells the machine of the places that a lane may be asked about besides, as far as they are still there.
    pub(super) fn tell_places(
        &mut self,
        request: RequestId,
        lane: LaneKind,
        found: Vec<OtherPlace>,
    ) {
        let core = &self.core;
        let is_there = |place: &OtherPlace| {
            let is_rejected = |edit| core.is_rejected(&place.document, edit).is_some();
            core.text(&place.document) == Some(&place.text)
                && !place.edit.as_ref().is_some_and(is_rejected)
                && !core.is_rejected_on_line(&place.document, place.at)
        };
        let there = found.into_iter().filter(is_there);
        let places = there.map(|place| EditPlace {
            document: place.document,
            at: place.at,
        });
        let places: Vec<EditPlace> = places.collect();
        if !places.is_empty() {
            self.handle(Event::PlacesFound {
                request,
                lane,
                places,
            });
        }
    }
}
