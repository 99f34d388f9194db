//! Orders that would tell others something, while it may change any moment what they may be told.
//!
//! The code that reads settings says so with [`Engine::hold`]. An order of that time that would reach a
//! model waits until that is over, at most until the moment that was named: a disk may never answer.
//! Local lanes are not delayed. A lane that waited is told of the moment when it was ordered, by the
//! settings of the moment when it starts; a context is only gathered for a text that has not moved on.

use foretell_core::{RequestId, Spot};
use tokio::time::Instant;

use super::Engine;
use super::running_lanes::{Call, ReadyLane};

/// The orders that wait, and for how long.
#[derive(Default)]
pub(super) struct HeldOrders {
    pub(super) until: Option<Instant>,
    lanes: Vec<ReadyLane>,
}

impl HeldOrders {
    /// Takes note that a lane is not to be started any more; whether it waited.
    pub(super) fn stop(&mut self, call: Call) -> bool {
        let before = self.lanes.len();
        self.lanes.retain(|it| it.call != call);
        self.lanes.len() < before
    }

    /// Lets a request take over a call that waits. Returns whether it does.
    pub(super) fn take_over(&mut self, ahead: Call, by: Call) -> bool {
        let mut waiting = self.lanes.iter_mut().filter(|it| it.call == ahead);
        waiting.next().map(|it| it.call = by).is_some()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lanes.is_empty()
    }
}

impl Engine {
    /// Settings may change: nothing is told others before [`Engine::release`], or that
    /// moment.
    pub fn hold(&mut self, until: Instant) {
        self.held.until = Some(until).filter(|it| *it > Instant::now());
        if self.held.until.is_none() {
            self.release();
        }
    }

    /// Settings are known: goes on with what waits.
    pub fn release(&mut self) {
        self.held.until = None;
        let held = self.in_flight.iter_mut();
        let held = held.filter_map(|(request, it)| Some((*request, it.held_context_at.take()?)));
        for (request, spot) in held.collect::<Vec<_>>() {
            if self.core.version(&spot.document) == Some(spot.version) {
                self.gather(request, &spot);
            }
        }
        for ready in std::mem::take(&mut self.held.lanes) {
            let is_of_now = self.core.version(&ready.spot.document) == Some(ready.spot.version);
            match ready.call {
                // Nobody waits for it, and the text has moved on.
                Call::Ahead(call, _) if !is_of_now => self.forgo_ahead(call),
                Call::Ahead(..) | Call::Asked(..) => self.start(ready),
            }
        }
    }

    /// Gathers a context for a request, as soon as it is known of what.
    pub(super) fn gather_when_known(&mut self, request: RequestId, spot: &Spot) {
        if self.held.until.is_none() {
            self.gather(request, spot);
        } else if let Some(in_flight) = self.in_flight.get_mut(&request) {
            in_flight.held_context_at = Some(spot.clone());
        }
    }

    /// Starts a lane; if it tells others something, as soon as it is known what it may tell.
    pub(super) fn start_when_known(&mut self, call: Call, spot: &Spot) {
        let Some(ready) = self.make_ready(call, spot) else {
            return;
        };
        self.start_ready_when_known(ready);
    }

    /// The same for one that is prepared.
    pub(super) fn start_ready_when_known(&mut self, ready: ReadyLane) {
        if self.held.until.is_some() && ready.tells_others {
            self.held.lanes.push(ready)
        } else {
            self.start(ready)
        }
    }
}
