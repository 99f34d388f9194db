//! The machine's duties: an answer for every request, and only one; an end for every lane that was
//! started.

use std::collections::BTreeSet;

use foretell_core::{
    AheadCallId, Answer, Event, OfferedFrom, Order, RequestId, Spot, SuggestionRequest,
};
use foretell_text::LaneKind;

/// Requests without an answer, and lanes that run.
#[derive(Default)]
pub(super) struct MachinePromises {
    unanswered: BTreeSet<RequestId>,
    /// Requests that were answered at once, in whose name a model may still be asked.
    at_once: BTreeSet<RequestId>,
    running: BTreeSet<(RequestId, LaneKind)>,
    /// The question to the predictor that was not put yet.
    prediction: Option<(RequestId, Spot)>,
    /// The call ahead of time that runs.
    ahead: Option<AheadCallId>,
}

/// Whether a model may be asked in the name of a request that was answered so.
pub(crate) fn may_be_pursued(answer: &Answer) -> bool {
    let is_free = |from| matches!(from, OfferedFrom::AtOnce | OfferedFrom::Carried);
    match answer {
        Answer::Candidates(offers) => offers.iter().any(|offer| is_free(offer.from)),
        Answer::Withheld(_) => false,
    }
}

impl MachinePromises {
    /// Whether lanes may run for a request.
    fn is_wanted(&self, request: RequestId) -> bool {
        self.unanswered.contains(&request) || self.at_once.contains(&request)
    }

    /// Takes note of what the machine is told.
    pub(super) fn told(&mut self, event: &Event) {
        match event {
            Event::SuggestionRequested(SuggestionRequest { request, .. }) => {
                self.unanswered.insert(*request);
            }
            Event::LaneAnswered { request, lane, .. } | Event::LaneFailed { request, lane, .. } => {
                self.running.remove(&(*request, *lane));
            }
            Event::AheadEnded { call, .. } => {
                self.ahead = self.ahead.filter(|runs| runs != call);
            }
            _ => {}
        }
    }

    /// The question to the predictor that was not put yet.
    pub(super) fn take_prediction(&mut self) -> Option<(RequestId, Spot)> {
        self.prediction.take()
    }

    /// Takes note of what it orders.
    pub(super) fn heard(&mut self, order: &Order) {
        match order {
            Order::Answer {
                request, answer, ..
            } => {
                if may_be_pursued(answer) {
                    self.at_once.insert(*request);
                }
                let is_owed = self.unanswered.remove(request);
                assert!(is_owed, "r{} is answered twice", request.get());
            }
            Order::GatherContext { request, .. } => {
                let is_pending = self.is_wanted(*request);
                assert!(is_pending, "context for r{}, for nothing", request.get());
            }
            Order::StartLane {
                request,
                lane,
                ahead,
                ..
            } => {
                // Whoever asks in earnest has the server alone, or takes the call over.
                assert_eq!(self.ahead.take(), *ahead, "a call ahead of time goes on");
                let is_pending = self.is_wanted(*request);
                assert!(is_pending, "{lane} for r{}, for nothing", request.get());
                let is_new = self.running.insert((*request, *lane));
                assert!(is_new, "{lane} is started twice for r{}", request.get());
            }
            Order::AskAhead(question) => {
                assert!(self.unanswered.is_empty(), "somebody waits for an answer");
                let before = self.ahead.replace(question.call);
                assert_eq!(before, None, "one is asked ahead of time at once");
            }
            Order::StopAhead { call, .. } => {
                assert_eq!(self.ahead.take(), Some(*call), "what is stopped runs");
            }
            Order::CancelLane { request, lane, .. } => {
                let runs = self.running.remove(&(*request, *lane));
                assert!(runs, "{lane} does not run for r{}", request.get());
            }
            Order::Predict { request, spot, .. } => {
                let is_pending = self.unanswered.contains(request);
                assert!(
                    is_pending,
                    "a prediction for r{}, for nothing",
                    request.get()
                );
                self.prediction = Some((*request, spot.clone()));
            }
            Order::AskEditor { .. }
            | Order::Resync { .. }
            | Order::Join { .. }
            | Order::Release { .. }
            | Order::Rest { .. }
            | Order::CheckQuota { .. } => {}
        }
    }
}
