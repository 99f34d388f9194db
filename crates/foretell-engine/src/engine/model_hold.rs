//! Orders that would tell others something, while it may change any moment what they may be told.
//!
//! Whoever reads settings says so with [`Engine::hold`]. What is ordered meanwhile and would reach a
//! model waits until that is over, at most until the moment that was named: a disk may never answer.
//! Everything else goes on, so that nobody who is not told anything waits. A lane that waited is told
//! of the moment when it was ordered, by the settings of the moment when it starts; a context is only
//! gathered for a text that has not moved on.

use foretell_core::{RequestId, Spot};
use tokio::time::Instant;

use super::Engine;
use super::running_lanes::{Call, Ready};

/// What waits, and for how long.
#[derive(Default)]
pub(super) struct HeldOrders {
    pub(super) until: Option<Instant>,
    contexts: Vec<(RequestId, Spot)>,
    lanes: Vec<Ready>,
}

impl HeldOrders {
    /// Takes note that a request asks where another did.
    pub(super) fn join(&mut self, request: RequestId, older: RequestId) {
        let spot = self.contexts.iter().find(|(it, _)| *it == older);
        let joined = spot.map(|(_, spot)| (request, spot.clone()));
        self.contexts.extend(joined);
    }

    /// Takes note that a request is answered.
    pub(super) fn answered(&mut self, request: RequestId) {
        self.contexts.retain(|(it, _)| *it != request);
    }

    /// Takes note that a lane is not to be started any more; whether it waited.
    pub(super) fn stop(&mut self, call: Call) -> bool {
        let before = self.lanes.len();
        self.lanes.retain(|it| it.call != call);
        self.lanes.len() < before
    }

    pub(super) fn is_empty(&self) -> bool {
        self.contexts.is_empty() && self.lanes.is_empty()
    }
}

impl Engine {
    /// What others may be told may change: nothing is told them before [`Engine::release`], or that
    /// moment.
    pub fn hold(&mut self, until: Instant) {
        self.held.until = Some(until).filter(|it| *it > Instant::now());
        if self.held.until.is_none() {
            self.release();
        }
    }

    /// What others may be told is known: goes on with what waits.
    pub fn release(&mut self) {
        self.held.until = None;
        for (request, spot) in std::mem::take(&mut self.held.contexts) {
            if self.core.version(&spot.document) == Some(spot.version) {
                self.gather(request, &spot);
            }
        }
        for ready in std::mem::take(&mut self.held.lanes) {
            self.start(ready);
        }
    }

    /// Gathers a context for a request, as soon as it is known of what.
    pub(super) fn gather_when_known(&mut self, request: RequestId, spot: &Spot) {
        match self.held.until {
            Some(_) => self.held.contexts.push((request, spot.clone())),
            None => self.gather(request, spot),
        }
    }

    /// Starts a lane; if it tells others something, as soon as it is known what it may tell.
    pub(super) fn start_when_known(&mut self, call: Call, spot: &Spot) {
        let Some(ready) = self.make_ready(call, spot) else {
            return;
        };
        if self.held.until.is_some() && ready.tells_others {
            self.held.lanes.push(ready)
        } else {
            self.start(ready)
        }
    }
}
