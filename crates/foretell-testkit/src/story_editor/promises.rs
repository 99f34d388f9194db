//! The machine's duties: an answer for every request, and only one; an end for every lane that was
//! started.

use std::collections::BTreeSet;

use foretell_core::{Event, Order, RequestId, SuggestionRequest};
use foretell_text::LaneKind;

/// Requests without an answer, and lanes that run.
#[derive(Default)]
pub(super) struct MachinePromises {
    unanswered: BTreeSet<RequestId>,
    running: BTreeSet<(RequestId, LaneKind)>,
}

impl MachinePromises {
    /// Takes note of what the machine is told.
    pub(super) fn told(&mut self, event: &Event) {
        match event {
            Event::SuggestionRequested(SuggestionRequest { request, .. }) => {
                self.unanswered.insert(*request);
            }
            Event::LaneAnswered { request, lane, .. } | Event::LaneFailed { request, lane, .. } => {
                self.running.remove(&(*request, *lane));
            }
            _ => {}
        }
    }

    /// Takes note of what it orders.
    pub(super) fn heard(&mut self, order: &Order) {
        match order {
            Order::Answer { request, .. } => {
                let is_owed = self.unanswered.remove(request);
                assert!(is_owed, "r{} is answered twice", request.get());
            }
            Order::GatherContext { request, .. } => {
                let is_pending = self.unanswered.contains(request);
                assert!(is_pending, "context for r{}, for nothing", request.get());
            }
            Order::StartLane { request, lane, .. } => {
                let is_pending = self.unanswered.contains(request);
                assert!(is_pending, "{lane} for r{}, for nothing", request.get());
                let is_new = self.running.insert((*request, *lane));
                assert!(is_new, "{lane} is started twice for r{}", request.get());
            }
            Order::CancelLane { request, lane, .. } => {
                let runs = self.running.remove(&(*request, *lane));
                assert!(runs, "{lane} does not run for r{}", request.get());
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
