//! Lanes that run: starting one in a task of its own, stopping it, and knowing whose answer it is.

use std::collections::BTreeMap;
use std::sync::Arc;

use foretell_context::{ContextRequest, Learned, Redactor};
use foretell_core::{RequestId, Spot};
use foretell_lanes::{Fault, LaneRequest};
use foretell_text::{FailureKind, LaneKind};
use tokio::task::{AbortHandle, Id, spawn_blocking};
use tokio_util::sync::CancellationToken;

use super::contexts::Awaited;
use super::looking::Verdict;
use super::screen::screened;
use super::{Done, Engine};
use crate::asking::{Telling, lane_request};
use crate::redacting::Redacting;
use crate::secrets;

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
        let (request, lane) = call;
        let now = self.now();
        let told = lane_request(
            (&self.core, now),
            spot,
            Telling {
                code: Arc::clone(&self.surroundings.code),
                redact: Arc::new(Redacting(self.surroundings.redactor.begin())),
                is_explicit: self.explicit.contains(&request),
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
        let telling = answers.wants_context().then(|| {
            let learned = self.looking.learned(&spot.document).cloned();
            // Changes quote what only the documents around them call secret.
            let is_enough = lane == LaneKind::Fim && learned.is_some();
            Before {
                verdict: self.looking.verdict(&spot.document),
                context: self.contexts.of(spot),
                place: (!is_enough).then(|| self.place(spot)).flatten(),
                learned,
                redactor: self.surroundings.redactor.clone(),
            }
        });
        let stop = CancellationToken::new();
        let stopped = stop.clone();
        let redactor = self.surroundings.redactor.clone();
        let task = self.tasks.spawn(async move {
            if let Some(telling) = telling
                && let Err(fault) = telling.prepare(&mut told).await
            {
                return Done::Lane(Err(fault));
            }
            let told = Arc::new(told);
            let answered = answers.ask(Arc::clone(&told), stopped).await;
            Done::Lane(answered.map(|answer| screened(&redactor, &told, answer)))
        });
        let spot = spot.clone();
        self.calls.put(call, Running { spot, stop, task });
    }
}

/// What has to be known before a lane may tell others of a place.
struct Before {
    verdict: Verdict,
    context: Option<Awaited>,
    /// Where secrets have to be looked for first, if nobody has gathered a context.
    place: Option<ContextRequest>,
    /// What is known to be secret in the document.
    learned: Option<Learned>,
    redactor: Redactor,
}

impl Before {
    /// Waits for it, and puts it into what the lane is told.
    async fn prepare(self, told: &mut LaneRequest) -> Result<(), Fault> {
        let may_not = |says: &str| Err(Fault::new(FailureKind::Broken, says));
        if self.verdict.wait().await {
            // The machine knows, too, and does not wait for this.
            return may_not("nothing is told of this document");
        }
        let gathered = match self.context {
            Some(context) => context.wait().await,
            None => None,
        };
        let mut redaction = match gathered {
            Some(gathered) => {
                told.context = gathered.text;
                gathered.redaction
            }
            None => self.redactor.begin(),
        };
        if let Some(learned) = self.learned {
            redaction.remember(learned);
        }
        if let Some(place) = self.place.filter(|_| told.context.is_empty()) {
            let learning = spawn_blocking(move || secrets::learn(&self.redactor, &place));
            let Ok(learned) = learning.await else {
                return may_not("its secrets could not be looked for");
            };
            secrets::remember(&mut redaction, learned);
        }
        told.redact = Arc::new(Redacting(redaction));
        Ok(())
    }
}
