//! The predictor that answers at once: told of documents, asked on the loop, and heard in the same turn.
//!
//! It costs less than starting a task would, so that an editor's request is answered before the loop does
//! anything else. It learns from what is known not to be excluded, and from nothing else: a document of
//! which that is not known yet is told when it is, and one that becomes excluded is forgotten. What it
//! says is screened for secrets as what lanes say is, and for those that stand in open documents. A question
//! that comes before it is known whether its document may be learned from waits for that, as long as the
//! machine does.
//!
//! Absent on purpose: when it is asked and what is shown of it, which the machine decides.

use std::collections::VecDeque;
use std::sync::Arc;

use foretell_core::{Event, Moment, RequestId, Spot};
use foretell_lanes::{BlankRedaction, InstantPredictor, LaneAnswer, NoCode, PredictionQuestion};
use foretell_text::{
    ByteRange, CodePlace, CursorPrediction, DocumentId, LaneCandidate, PredictionAsk, Text,
    TextProbability,
};

use super::Engine;
use super::screen::screened;
use crate::lane_request_parts::{LaneRequestParts, lane_request};
use crate::taught_predictor::{PredictorLesson, TaughtPredictor};

/// Of so many predictions it is known where they were learned.
const MOST_SOURCES: usize = 512;

/// The lines of workspaces that predictions were learned from, for those who ask why something was said.
#[derive(Debug, Default)]
pub(super) struct PredictionSources(VecDeque<(RequestId, CodePlace)>);

impl PredictionSources {
    fn put(&mut self, request: RequestId, place: CodePlace) {
        if self.0.len() >= MOST_SOURCES {
            self.0.pop_front();
        }
        self.0.push_back((request, place));
    }
}

/// The question of the machine.
pub(super) struct PredictionOrder {
    pub(super) request: RequestId,
    pub(super) spot: Spot,
    pub(super) ask: PredictionAsk,
    pub(super) threshold: TextProbability,
}

impl Engine {
    /// The same with a predictor that answers at once. It is given before anything is told.
    pub fn with_predictor(self, predictor: Box<dyn InstantPredictor>) -> Self {
        let name = Arc::clone(&self.surroundings.name);
        let folder = Arc::clone(&self.surroundings.folder);
        let taught = TaughtPredictor::new(predictor, name, &self.surroundings.redactor);
        let taught = taught.in_folders(folder);
        Engine {
            core: self.core.with_predictor(),
            predictor: Some(taught),
            ..self
        }
    }

    /// What the predictor will have to learn of an event.
    pub(super) fn lesson(&self, event: &Event) -> Option<PredictorLesson> {
        let _ = self.predictor.as_ref()?;
        Some(PredictorLesson::of(event, &self.core))
    }

    /// Tells the predictor what has happened.
    pub(super) fn teach(&mut self, lesson: Option<PredictorLesson>) {
        if let Some((taught, lesson)) = self.predictor.as_mut().zip(lesson) {
            taught.teach(lesson, &self.core, &|document| {
                self.checks.excludes(document)
            });
        }
    }

    /// Tells the predictor of the text of a document that it does not know, if that may be told.
    pub(super) fn teach_text(&mut self, document: &DocumentId) {
        if let Some(taught) = &mut self.predictor {
            taught.open(document, &self.core, &|document| {
                self.checks.excludes(document)
            });
        }
    }

    /// The machine has let go of a document.
    pub(super) fn let_predictor_go(&mut self, document: &DocumentId) {
        if let Some(taught) = &mut self.predictor {
            taught.close(document);
        }
    }

    /// Other rules say what is excluded. Open documents are judged anew; of the others nobody asks again.
    pub(super) fn forget_closed_documents(&mut self) {
        if let Some(taught) = &mut self.predictor {
            taught.forget_closed();
        }
    }

    /// Tells the predictor what documents are called that it knows, where that may be another name now.
    pub(super) fn rename_documents(&mut self) {
        if let Some(taught) = &mut self.predictor {
            let name = Arc::clone(&self.surroundings.name);
            let folder = Arc::clone(&self.surroundings.folder);
            taught.rename(name, folder, &self.core);
        }
    }

    /// The line of a workspace that the prediction for a request was learned from, if it was.
    pub fn learned_from(&self, request: RequestId) -> Option<&CodePlace> {
        let mut sources = self.prediction_sources.0.iter().rev();
        sources.find(|it| it.0 == request).map(|(_, place)| place)
    }

    /// Puts the question that waited until it is known whether its document may be learned from, if it is and
    /// somebody still waits for the answer.
    pub(super) fn predict_waiting(&mut self) {
        let is_decided = |it: &mut PredictionOrder| !self.checks.is_undecided(&it.spot.document);
        let Some(order) = self.waiting_prediction.take_if(is_decided) else {
            return;
        };
        if self.in_flight.contains_key(&order.request) {
            let now = self.now();
            self.predict(now, order);
            self.perform_all(now);
        }
    }

    /// Whether what a candidate writes into its line is a part of a secret that stands in an open document.
    fn quotes_secret(&self, text: &Text, candidate: &LaneCandidate) -> bool {
        candidate.edit.replacements().iter().any(|replacement| {
            let (old, new) = (replacement.range(), replacement.new_text());
            let Ok(line) = text.line_at(old.start()) else {
                return false;
            };
            let read = |range: Result<ByteRange, _>| range.ok().and_then(|it| text.read(it).ok());
            let before = read(ByteRange::new(line.start(), old.start())).unwrap_or_default();
            let behind = read(ByteRange::new(old.end(), line.end())).unwrap_or_default();
            let written = before.len()..before.len() + new.len();
            let line = [&*before, new, &*behind].concat();
            self.checks.is_secret(&line, written)
        })
    }

    /// Asks the predictor, and tells the machine what it says in the same moment.
    pub(super) fn predict(&mut self, now: Moment, order: PredictionOrder) {
        let PredictionOrder {
            request,
            spot,
            ask,
            threshold,
        } = order;
        self.teach_text(&spot.document);
        if self.predictor.is_some() && self.checks.is_undecided(&spot.document) {
            self.waiting_prediction = Some(PredictionOrder {
                request,
                spot,
                ask,
                threshold,
            });
            return;
        }
        let core = &self.core;
        let name = &*self.surroundings.name;
        let picture = || {
            let parts = LaneRequestParts {
                lane: foretell_text::LaneKind::Fim,
                code: Arc::new(NoCode),
                redact: Arc::new(BlankRedaction),
                is_explicit: false,
                // Nothing is read but the document itself.
                is_excluded: &|_| true,
                name,
            };
            lane_request(core, now, &spot, parts)
        };
        let question = PredictionQuestion {
            document: &spot.document,
            at: spot.at,
            ask,
            threshold,
        };
        let taught = self.predictor.as_mut();
        let said = taught.and_then(|taught| taught.predict(&question));
        let source = self.predictor.as_ref().and_then(TaughtPredictor::source);
        if let Some(source) = source.filter(|_| said.is_some()) {
            self.prediction_sources.put(request, source);
        }
        let mut withheld = 0;
        let prediction = said.zip(picture()).and_then(|(said, picture)| {
            if self.quotes_secret(&picture.document.text, &said.candidate) {
                withheld = 1;
                return None;
            }
            let answer = LaneAnswer {
                candidates: vec![said.candidate],
                ..LaneAnswer::default()
            };
            let screened = screened(&self.surroundings.redactor, &picture, answer);
            withheld = screened.withheld;
            let candidate = screened.candidates.into_iter().next()?;
            Some(CursorPrediction { candidate, ..said })
        });
        self.handle_at(
            now,
            Event::Predicted {
                request,
                prediction,
                withheld,
            },
        );
    }
}
