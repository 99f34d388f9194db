//! Which line set a timer.
//!
//! The machine says when it wants to be told the time, not what for. The outcome tells: an action
//! about a request goes back to the line that made the request, and one about a cursor that came to
//! rest to the line that moved it.

use std::collections::BTreeMap;

use foretell_core::{Event, Note, Order, Reason, RequestId, Spot, SuggestionRequest};
use foretell_text::DocumentId;

use super::{ReplayTurn, TurnCause, TurnOutcome};
use crate::trace::LineContent;

/// The lines of what may still come to something.
#[derive(Debug, Default)]
pub(super) struct BlamedLines {
    requests: BTreeMap<RequestId, usize>,
    /// The last moves of the cursor of which nothing came at once.
    moves: BTreeMap<DocumentId, usize>,
}

impl BlamedLines {
    /// Takes note of a turn.
    pub(super) fn note(&mut self, turn: &ReplayTurn<'_>) {
        match &turn.cause {
            TurnCause::Line(line) => match &line.what {
                LineContent::Event(Event::SuggestionRequested(SuggestionRequest {
                    request,
                    ..
                })) => {
                    self.requests.insert(*request, turn.line);
                }
                LineContent::Event(Event::SelectionChanged { document, .. }) => {
                    let waits = !turn.outcomes.iter().any(TurnOutcome::is_about_this_move);
                    if waits {
                        self.moves.insert(document.clone(), turn.line);
                    }
                }
                _ => {}
            },
            TurnCause::Asks(asks) => {
                self.requests.insert(asks.request, turn.line);
            }
            TurnCause::Timer | TurnCause::Answers(_) => {}
        }
    }

    /// The line that made a request.
    pub(super) fn request(&self, request: RequestId) -> Option<usize> {
        self.requests.get(&request).copied()
    }

    /// The line that set the timer of which something came, if that can be told from it: a lane that
    /// makes way does so for another request.
    pub(super) fn timer(&self, outcome: &TurnOutcome) -> Option<usize> {
        match outcome {
            TurnOutcome::Order(Order::AskEditor {
                spot: Spot { document, .. },
                ..
            })
            | TurnOutcome::Note(Note::Quiet { document, .. }) => self.moves.get(document).copied(),
            TurnOutcome::Order(order) => match order {
                Order::CancelLane { reason, .. } if *reason != Reason::TimedOut => None,
                Order::Predict { request, .. }
                | Order::GatherContext { request, .. }
                | Order::StartLane { request, .. }
                | Order::CancelLane { request, .. }
                | Order::Answer { request, .. }
                | Order::Join { request, .. } => self.request(*request),
                Order::AskEditor { .. }
                | Order::AskAhead(_)
                | Order::StopAhead { .. }
                | Order::Resync { .. }
                | Order::Release { .. }
                | Order::Rest { .. }
                | Order::CheckQuota { .. } => None,
            },
            TurnOutcome::Note(
                Note::Waits { request, .. }
                | Note::Held { request, .. }
                | Note::LooksElsewhere { request, .. }
                | Note::PredictionDropped { request, .. }
                | Note::Spared { request, .. },
            ) => self.request(*request),
            TurnOutcome::Note(_) | TurnOutcome::Checked { .. } => None,
        }
    }
}
