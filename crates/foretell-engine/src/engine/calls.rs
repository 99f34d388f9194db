//! Lanes that run: starting one in a task of its own, stopping it, and knowing whose answer it is.

use std::collections::BTreeMap;
use std::sync::Arc;

use foretell_core::{RequestId, Spot};
use foretell_text::LaneKind;
use tokio::task::{AbortHandle, Id};
use tokio_util::sync::CancellationToken;

use super::screen::screened;
use super::{Done, Engine};
use crate::asking::{Telling, lane_request};

/// A lane that was started for a request.
pub(super) type Call = (RequestId, LaneKind);

/// The lanes that run.
#[derive(Default)]
pub(super) struct Calls {
    running: BTreeMap<Call, Running>,
    by_task: BTreeMap<Id, Call>,
}

struct Running {
    spot: Spot,
    stop: CancellationToken,
    task: AbortHandle,
}

impl Calls {
    fn put(&mut self, call: Call, running: Running) {
        self.by_task.insert(running.task.id(), call);
        self.running.insert(call, running);
    }

    /// Stops a lane, if it runs. What it still says is nobody's.
    pub(super) fn stop(&mut self, call: Call) {
        if let Some(running) = self.running.remove(&call) {
            self.by_task.remove(&running.task.id());
            running.stop.cancel();
            running.task.abort();
        }
    }

    /// Stops all of them.
    pub(super) fn stop_all(&mut self) {
        let calls: Vec<Call> = self.running.keys().copied().collect();
        for call in calls {
            self.stop(call);
        }
    }

    /// Whether a lane runs at a place.
    pub(super) fn is_any_at(&self, spot: &Spot) -> bool {
        self.running.values().any(|running| running.spot == *spot)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.running.is_empty() && self.by_task.is_empty()
    }

    /// Whose answer a task has, if anybody waits for it.
    pub(super) fn end(&mut self, task: Id) -> Option<Call> {
        let call = self.by_task.remove(&task)?;
        self.running.remove(&call);
        Some(call)
    }
}

impl Engine {
    /// Starts a lane, on the text that the machine holds now.
    pub(super) fn start(&mut self, call: Call, spot: &Spot) {
        let (_, lane) = call;
        let now = self.now();
        let told = lane_request(
            (&self.core, now),
            spot,
            Telling {
                code: Arc::clone(&self.surroundings.code),
                is_excluded: &|document| self.looking.excludes(document),
                name: &*self.surroundings.name,
            },
        );
        let language = self.core.language(&spot.document);
        let (Some(mut told), Some(language)) = (told, language) else {
            // The machine holds every text that it orders a lane for. If it ever did not, the call
            // would end at its deadline.
            return;
        };
        let settings = self.settings.for_language(language.as_str());
        let answers = (self.surroundings.lanes)(lane, settings.lanes.of(lane));
        let context = match answers.wants_context() {
            true => self.contexts.of(spot),
            false => None,
        };
        let stop = CancellationToken::new();
        let stopped = stop.clone();
        let redactor = self.surroundings.redactor.clone();
        let task = self.tasks.spawn(async move {
            if let Some(context) = context {
                told.context = context.wait().await;
            }
            let told = Arc::new(told);
            let answered = answers.ask(Arc::clone(&told), stopped).await;
            Done::Lane(answered.map(|answer| screened(&redactor, &told, answer)))
        });
        let spot = spot.clone();
        self.calls.put(call, Running { spot, stop, task });
    }
}
