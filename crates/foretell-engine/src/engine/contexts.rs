//! Contexts that are being gathered: begun when a request comes, so that they are there when the pace
//! has run out, and let go when neither a request nor a lane needs them any more.
//!
//! A context belongs to a place, not to a request: a newer request at the same place takes over what
//! the older one has come to. Nothing is gathered where no lane of the document wants it.

use std::collections::BTreeMap;
use std::sync::Arc;

use foretell_context::{ContextRequest, FileChange, Redaction};
use foretell_core::{RequestId, Spot};
use foretell_text::{DocumentId, LaneKind};
use tokio::sync::watch;
use tokio::task::Id;
use tokio_util::sync::CancellationToken;

use super::{Done, Engine};
use crate::gather::{Gathering, gather};

/// The contexts of places that something is asked about.
#[derive(Default)]
pub(super) struct Contexts {
    wanted: BTreeMap<Spot, Wanted>,
    /// Which requests ask where, until they are answered.
    asked: BTreeMap<RequestId, Spot>,
}

struct Wanted {
    task: Id,
    stop: CancellationToken,
    gathered: watch::Sender<Option<Gathered>>,
}

/// A context, and the secrets that were met in it.
#[derive(Clone)]
pub(super) struct Gathered {
    pub(super) text: Arc<str>,
    pub(super) redaction: Redaction,
}

/// A context that is there, or will be.
pub(super) struct Awaited(watch::Receiver<Option<Gathered>>);

impl Awaited {
    /// The context, or nothing if it could not be gathered.
    pub(super) async fn wait(mut self) -> Option<Gathered> {
        let gathered = self.0.wait_for(Option::is_some).await;
        gathered.ok().and_then(|it| it.clone())
    }
}

impl Contexts {
    /// The context of a place, if one is gathered.
    pub(super) fn of(&self, spot: &Spot) -> Option<Awaited> {
        let wanted = self.wanted.get(spot)?;
        Some(Awaited(wanted.gathered.subscribe()))
    }

    /// Takes note that a request asks where another did.
    pub(super) fn join(&mut self, request: RequestId, older: RequestId) {
        if let Some(spot) = self.asked.get(&older).cloned() {
            self.asked.insert(request, spot);
        }
    }

    /// Takes note that a request is answered.
    pub(super) fn answered(&mut self, request: RequestId) {
        self.asked.remove(&request);
    }

    /// Takes note of what was gathered.
    pub(super) fn put(&mut self, spot: &Spot, gathered: Gathered) {
        if let Some(wanted) = self.wanted.get(spot) {
            wanted.gathered.send_replace(Some(gathered));
        }
    }

    /// Takes note that a task broke: if it gathered, there is nothing to wait for.
    pub(super) fn broke(&mut self, task: Id) {
        self.wanted.retain(|_, wanted| wanted.task != task);
    }

    /// Stops gathering where nobody asks any more and no lane runs.
    pub(super) fn let_go(&mut self, is_running: impl Fn(&Spot) -> bool) {
        let asked = &self.asked;
        self.wanted.retain(|spot, wanted| {
            let is_wanted = asked.values().any(|it| it == spot) || is_running(spot);
            if !is_wanted {
                wanted.stop.cancel();
            }
            is_wanted
        });
    }

    pub(super) fn stop_all(&mut self) {
        self.asked.clear();
        self.let_go(|_| false);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.wanted.is_empty() && self.asked.is_empty()
    }
}

impl Engine {
    /// Begins to gather what a model may see of a place.
    pub(super) fn gather(&mut self, request: RequestId, spot: &Spot) {
        self.contexts.asked.insert(request, spot.clone());
        if self.contexts.wanted.contains_key(spot) {
            return;
        }
        let Some(place) = self.place(spot) else {
            return;
        };
        let settings = self.settings.for_language(place.language.as_str()).clone();
        let wants = |lane: LaneKind| {
            let lane_settings = settings.lanes.of(lane);
            lane_settings.enabled && (self.surroundings.lanes)(lane, lane_settings).wants_context()
        };
        if !LaneKind::ALL.into_iter().any(wants) {
            return;
        }
        let stop = CancellationToken::new();
        let stopped = stop.clone();
        let around = self.surroundings.clone();
        let here = spot.clone();
        let task = self.tasks.spawn(async move {
            let mut redaction = around.redactor.begin();
            let gathering = Gathering {
                sources: &around.sources,
                settings: &settings.context,
                counter: &*around.counter,
                exclude: &around.exclude,
                stop: &stopped,
            };
            let gathered = gather(place, gathering, &mut redaction).await;
            // Nobody wants it if it was stopped.
            let text = gathered.map_or_else(|_| Arc::default(), |context| context.text.into());
            Done::Context(here, Gathered { text, redaction })
        });
        let (gathered, _) = watch::channel(None);
        let task = task.id();
        let wanted = Wanted {
            task,
            stop,
            gathered,
        };
        self.contexts.wanted.insert(spot.clone(), wanted);
    }

    /// What the sources are asked about.
    pub(super) fn place(&self, spot: &Spot) -> Option<ContextRequest> {
        let document = &spot.document;
        Some(ContextRequest {
            file: (self.surroundings.name)(document),
            language: self.core.language(document)?.clone(),
            text: self.core.text(document)?.clone(),
            cursor: spot.at,
            selection: None,
            instruction: String::new(),
            diagnostics: self.core.diagnostics(document).to_vec(),
            changes: self.changes(),
        })
    }

    /// What was changed lately, in every open document.
    fn changes(&self) -> Vec<FileChange> {
        let now = self.now();
        let changes = |document: &DocumentId| {
            let file = (self.surroundings.name)(document);
            let language = self.core.language(document)?.clone();
            let text = self.core.text(document)?.clone();
            let edits = self.core.recent_edits(now, document).into_iter();
            let change = move |edit| FileChange {
                file: file.clone(),
                language: language.clone(),
                text: text.clone(),
                edit,
            };
            Some(edits.map(change).collect::<Vec<_>>())
        };
        let documents = self.core.open_documents().into_iter();
        documents.filter_map(changes).flatten().collect()
    }
}
