//! Which line set a timer.
//!
//! The machine says when it wants to be told the time, not what for. What comes of it tells: an
//! action about a request goes back to the line that made the request, and one about a cursor that
//! came to rest to the line that moved it.

use std::collections::BTreeMap;

use foretell_core::{Event, Note, Order, Reason, RequestId, Spot};
use foretell_text::DocumentId;

use super::{Cause, Outcome, Turn};
use crate::trace::What;

/// The lines of what may still come to something.
#[derive(Debug, Default)]
pub(super) struct Blame {
    requests: BTreeMap<RequestId, usize>,
    /// The last moves of the cursor of which nothing came at once.
    moves: BTreeMap<DocumentId, usize>,
}

impl Blame {
    /// Takes note of a turn.
    pub(super) fn note(&mut self, turn: &Turn<'_>) {
        match &turn.cause {
            Cause::Line(line) => match &line.what {
                What::Event(Event::SuggestionRequested { request, .. }) => {
                    self.requests.insert(*request, turn.line);
                }
                What::Event(Event::SelectionChanged { document, .. }) => {
                    let waits = !turn.outcomes.iter().any(is_about_this_move);
                    if waits {
                        self.moves.insert(document.clone(), turn.line);
                    }
                }
                _ => {}
            },
            Cause::Asks(asks) => {
                self.requests.insert(asks.request, turn.line);
            }
            Cause::Timer | Cause::Answers(_) => {}
        }
    }

    /// The line that made a request.
    pub(super) fn request(&self, request: RequestId) -> Option<usize> {
        self.requests.get(&request).copied()
    }

    /// The line that set the timer of which something came, if that can be told from it: a lane that
    /// makes way does so for another request.
    pub(super) fn timer(&self, outcome: &Outcome) -> Option<usize> {
        match outcome {
            Outcome::Order(Order::AskEditor {
                spot: Spot { document, .. },
                ..
            })
            | Outcome::Note(Note::Quiet { document, .. }) => self.moves.get(document).copied(),
            Outcome::Order(order) => match order {
                Order::CancelLane { reason, .. } if *reason != Reason::TimedOut => None,
                Order::GatherContext { request, .. }
                | Order::StartLane { request, .. }
                | Order::CancelLane { request, .. }
                | Order::Answer { request, .. }
                | Order::Join { request, .. } => self.request(*request),
                Order::AskEditor { .. }
                | Order::Resync { .. }
                | Order::Release { .. }
                | Order::Rest { .. }
                | Order::CheckQuota { .. } => None,
            },
            Outcome::Note(
                Note::Waits { request, .. }
                | Note::Held { request, .. }
                | Note::Spared { request, .. },
            ) => self.request(*request),
            Outcome::Note(_) | Outcome::Checked { .. } => None,
        }
    }
}

/// Whether something says what came of the move itself, and not of one that it replaced.
fn is_about_this_move(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Order(order) => matches!(order, Order::AskEditor { .. }),
        Outcome::Note(Note::Quiet { reason, .. }) => *reason != Reason::Superseded,
        Outcome::Note(_) | Outcome::Checked { .. } => false,
    }
}
