//! The embedded predictors, as those who replay and score ask them.
//!
//! A replay knows the documents of its trace and nothing else, so there is no workspace to look for
//! code in. The language model is taught by each event as the engine teaches it, and knows of no document
//! that the trace says is excluded.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use foretell_context::Redactor;
use foretell_core::{Core, Event, Moment, Order, Spot};
use foretell_engine::taught_predictor::{PredictorLesson, TaughtPredictor};
use foretell_engine::{LaneRequestParts, lane_request};
use foretell_lanes::embedded::LineModel;
use foretell_lanes::{BlankRedaction, LaneRequest, NoCode, PredictionQuestion, embedded};
use foretell_text::{
    CursorPrediction, DocumentId, FilePath, LaneCandidate, LaneKind, PredictionAsk, TextProbability,
};
use foretell_trace::LaneAnswerer;

/// The embedded predictors.
#[derive(Debug, Default)]
pub(crate) struct EmbeddedAnswerer {
    pupil: RefCell<ReplayedPupil>,
}

/// The language model, and what it is about to learn.
struct ReplayedPupil {
    taught: TaughtPredictor,
    lesson: Option<PredictorLesson>,
    excluded: BTreeSet<DocumentId>,
}

impl Default for ReplayedPupil {
    fn default() -> Self {
        ReplayedPupil {
            taught: TaughtPredictor::new(
                Box::new(LineModel::default()),
                Arc::new(|document| FilePath::new(document.as_str())),
                &Redactor::new(),
            ),
            lesson: None,
            excluded: BTreeSet::new(),
        }
    }
}

impl fmt::Debug for ReplayedPupil {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReplayedPupil").finish_non_exhaustive()
    }
}

impl LaneAnswerer for EmbeddedAnswerer {
    fn answer(&self, core: &Core, now: Moment, lane: LaneKind, spot: &Spot) -> Vec<LaneCandidate> {
        let request = picture(core, now, spot, lane);
        let request = request.as_ref();
        request.map_or(Vec::new(), |it| embedded::predict(lane, it, &|| false))
    }

    fn has_predictor(&self) -> bool {
        true
    }

    fn before(&self, core: &Core, event: &Event) {
        let mut pupil = self.pupil.borrow_mut();
        pupil.lesson = Some(PredictorLesson::of(event, core));
        match event {
            Event::ExclusionKnown {
                document,
                is_excluded: true,
            } => {
                pupil.excluded.insert(document.clone());
            }
            Event::ExclusionKnown { document, .. } | Event::DocumentClosed { document } => {
                pupil.excluded.remove(document);
            }
            _ => {}
        }
    }

    fn after(&self, core: &Core) {
        let pupil = &mut *self.pupil.borrow_mut();
        if let Some(lesson) = pupil.lesson.take() {
            let excluded = &pupil.excluded;
            let is_excluded = |document: &DocumentId| excluded.contains(document);
            pupil.taught.teach(lesson, core, &is_excluded);
        }
    }

    fn ordered(&self, order: &Order) {
        if let Order::Release { document, .. } = order {
            self.pupil.borrow_mut().taught.close(document);
        }
    }

    fn predict(
        &self,
        core: &Core,
        spot: &Spot,
        ask: PredictionAsk,
        threshold: TextProbability,
    ) -> Option<CursorPrediction> {
        let pupil = &mut *self.pupil.borrow_mut();
        let excluded = &pupil.excluded;
        let is_excluded = |document: &DocumentId| excluded.contains(document);
        pupil.taught.open(&spot.document, core, &is_excluded);
        pupil.taught.predict(&PredictionQuestion {
            document: &spot.document,
            at: spot.at,
            ask,
            threshold,
        })
    }
}

/// What a predictor that reads documents sees.
fn picture(core: &Core, now: Moment, spot: &Spot, lane: LaneKind) -> Option<LaneRequest> {
    let telling = LaneRequestParts {
        lane,
        code: Arc::new(NoCode),
        redact: Arc::new(BlankRedaction),
        is_explicit: false,
        is_excluded: &|_| false,
        name: &|document| FilePath::new(document.as_str()),
    };
    lane_request(core, now, spot, telling)
}
