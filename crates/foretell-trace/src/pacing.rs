//! Three figures that say how well requests are paced: how many start a lane, how many pauses are
//! served, and how long the wait is.
//!
//! A *pause* is a gap of more than a second between two typed edits, or between the last one and
//! the end. It is *served* if a lane was started in it.

use std::collections::BTreeMap;

use foretell_core::{Event, Moment, Order, RequestId, SuggestionRequest};
use foretell_text::ChangeReason;

use crate::replay::{ReplayTurn, TurnCause, TurnOutcome};
use crate::trace::LineContent;

/// The gap after which somebody pauses, in milliseconds.
const PAUSE: u64 = 1_000;

/// How soon a pause is to be served, in milliseconds.
const SOON: u64 = 500;

/// How requests were paced in a replay.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplayPacing {
    /// Pauses so far that another edit has ended.
    ended: u64,
    ended_served: u64,
    ended_served_soon: u64,
    last_key: Option<Moment>,
    /// How long after it the first lane was started, if one was.
    first_start: Option<u64>,
    /// The sum of that over the pauses that have ended.
    ended_after: u64,
    now: Moment,
    /// When requests were made that have started nothing yet.
    asked: BTreeMap<RequestId, Moment>,
    /// How long each request waited that started a lane.
    waits: Vec<u64>,
}

impl ReplayPacing {
    /// How many pauses there were.
    pub fn pauses(&self) -> u64 {
        self.ended + u64::from(self.is_pausing())
    }

    /// In how many of them a lane was started.
    pub fn served(&self) -> u64 {
        self.ended_served + u64::from(self.start_in_pause().is_some())
    }

    /// In how many of them a lane was started within half a second of the last key.
    pub fn served_soon(&self) -> u64 {
        self.ended_served_soon + u64::from(self.start_in_pause().is_some_and(|it| it <= SOON))
    }

    /// How long after the last key the first lane was started in the pauses that were served, on
    /// average and in milliseconds. The median wait is of requests; this is what a person waits.
    pub fn mean_after_key(&self) -> Option<u64> {
        let all = self.ended_after + self.start_in_pause().unwrap_or_default();
        all.checked_div(self.served())
    }

    /// The median of the time from a request to the first lane that it started, in milliseconds.
    pub fn median_wait(&self) -> Option<u64> {
        let mut waits = self.waits.clone();
        let middle = waits.len().checked_sub(1)? / 2;
        let (_, median, _) = waits.select_nth_unstable(middle);
        Some(*median)
    }

    pub(crate) fn note(&mut self, turn: &ReplayTurn<'_>) {
        match &turn.cause {
            TurnCause::Line(line) => {
                self.now = turn.at;
                match &line.what {
                    LineContent::Event(Event::DocumentChanged {
                        reason: ChangeReason::Typed,
                        ..
                    }) => self.key(turn.at),
                    LineContent::Event(Event::SuggestionRequested(SuggestionRequest {
                        request,
                        ..
                    })) => {
                        self.asked.insert(*request, turn.at);
                    }
                    _ => {}
                }
            }
            TurnCause::Asks(asks) => {
                self.asked.insert(asks.request, turn.at);
            }
            TurnCause::Timer | TurnCause::Answers(_) => {}
        }
        for outcome in &turn.outcomes {
            match outcome {
                TurnOutcome::Order(Order::Join { request, older }) => {
                    // It has waited as long as the one whose place it takes.
                    if let Some(since) = self.asked.remove(older) {
                        self.asked.insert(*request, since);
                    }
                }
                TurnOutcome::Order(Order::StartLane { request, .. }) => {
                    let since = self.last_key.map(|last| turn.at.since(last));
                    self.first_start = self.first_start.or(since);
                    if let Some(since) = self.asked.remove(request) {
                        self.waits.push(turn.at.since(since));
                    }
                }
                TurnOutcome::Order(Order::Answer { request, .. }) => {
                    self.asked.remove(request);
                }
                TurnOutcome::Order(_) | TurnOutcome::Note(_) | TurnOutcome::Checked { .. } => {}
            }
        }
    }

    fn key(&mut self, now: Moment) {
        if self.is_pausing() {
            self.ended += 1;
            self.ended_served += u64::from(self.first_start.is_some());
            self.ended_served_soon += u64::from(self.first_start.is_some_and(|it| it <= SOON));
            self.ended_after += self.first_start.unwrap_or_default();
        }
        self.last_key = Some(now);
        self.first_start = None;
    }

    /// How long after the last key a lane was started, if a pause has begun.
    fn start_in_pause(&self) -> Option<u64> {
        self.first_start.filter(|_| self.is_pausing())
    }

    fn is_pausing(&self) -> bool {
        self.last_key
            .is_some_and(|last| self.now.since(last) > PAUSE)
    }
}
