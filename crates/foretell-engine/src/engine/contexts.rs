//! Contexts that are being gathered: begun when a request comes, so that they are there when the pace
//! has run out, and let go when neither a request nor a lane needs them any more.
//!
//! A context belongs to a place, not to a request: a newer request at the same place takes over what
//! the older one has come to. Nothing is gathered where no lane of the document wants it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use foretell_context::{ContextRequest, FileChange, Redaction, budget};
use foretell_core::{RequestId, Spot};
use foretell_settings::Settings;
use foretell_text::{ByteRange, DocumentId, LaneKind};
use tokio::sync::watch;
use tokio::task::Id;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

use super::{Done, Engine, Surroundings};
use crate::excluded_files::DiskThreads;
use crate::gather::{Gathering, gather};
use crate::report::ContextReport;
use crate::work::WorkThreads;

/// The contexts of places that something is asked about.
#[derive(Default)]
pub(super) struct Contexts {
    wanted: BTreeMap<Spot, WantedContext>,
    /// Which requests ask where, until they are answered.
    asked: BTreeMap<RequestId, Spot>,
}

struct WantedContext {
    task: Id,
    stop: CancellationToken,
    gathered: watch::Sender<Option<GatheredContext>>,
}

/// A context, and the secrets that were met in it.
#[derive(Clone)]
pub(super) struct GatheredContext {
    pub(super) text: Arc<str>,
    pub(super) redaction: Redaction,
}

/// A context that is there, or will be.
pub(super) struct AwaitedContext(watch::Receiver<Option<GatheredContext>>);

impl AwaitedContext {
    /// The context, or nothing if it could not be gathered.
    pub(super) async fn wait(mut self) -> Option<GatheredContext> {
        let gathered = self.0.wait_for(Option::is_some).await;
        gathered.ok().and_then(|it| it.clone())
    }
}

impl Contexts {
    /// The context of a place, if one is gathered.
    pub(super) fn of(&self, spot: &Spot) -> Option<AwaitedContext> {
        let wanted = self.wanted.get(spot)?;
        Some(AwaitedContext(wanted.gathered.subscribe()))
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
    pub(super) fn put(&mut self, spot: &Spot, gathered: GatheredContext) {
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

impl Surroundings {
    /// How a context is gathered here.
    fn gathering<'a>(
        &'a self,
        settings: &'a Settings,
        (threads, work): (&'a DiskThreads, &'a WorkThreads),
        stop: &'a CancellationToken,
    ) -> Gathering<'a> {
        Gathering {
            sources: &self.sources,
            settings: &settings.context,
            max_lines: settings.trigger.max_lines,
            counter: &*self.counter,
            exclude: &self.exclude,
            threads,
            work,
            stop,
        }
    }
}

/// What a person wants at a place.
#[derive(Clone, Default)]
pub struct Wish {
    /// What they have selected.
    pub selection: Option<ByteRange>,
    /// What they want done, in their words.
    pub instruction: String,
}

impl Engine {
    /// Begins to gather what a model may see of a place.
    pub(super) fn gather(&mut self, request: RequestId, spot: &Spot) {
        self.contexts.asked.insert(request, spot.clone());
        if self.contexts.wanted.contains_key(spot) {
            return;
        }
        let Some(language) = self.core.language(&spot.document) else {
            return;
        };
        let settings = self.settings.for_language(language.as_str()).clone();
        if !self.tells_others(&settings) {
            return;
        }
        let Some(place) = self.place(spot) else {
            return;
        };
        let stop = CancellationToken::new();
        let stopped = stop.clone();
        let around = self.surroundings.clone();
        let (threads, work) = (self.threads.clone(), self.work.clone());
        let here = spot.clone();
        let task = self.tasks.spawn(async move {
            let mut redaction = around.redactor.begin();
            let gathering = around.gathering(&settings, (&threads, &work), &stopped);
            let began = Instant::now();
            let gathered = gather(place, gathering, &mut redaction).await;
            let took = gathered.is_ok().then(|| began.elapsed());
            // Nobody wants it if it was stopped.
            let text = gathered.map_or_else(|_| Arc::default(), |context| context.text.into());
            Done::Context(here, GatheredContext { text, redaction }, took)
        });
        let (gathered, _) = watch::channel(None);
        let task = task.id();
        let wanted = WantedContext {
            task,
            stop,
            gathered,
        };
        self.contexts.wanted.insert(spot.clone(), wanted);
    }

    /// Whether some lane with these settings tells others of documents.
    pub(super) fn tells_others(&self, settings: &Settings) -> bool {
        !self.core.is_contested()
            && LaneKind::ALL.into_iter().any(|lane| {
                let settings = settings.lanes.of(lane);
                settings.enabled && (self.surroundings.lanes)(lane, settings).tells_others()
            })
    }

    /// What a model would be told of a place, if a person wanted something there; nothing if that text
    /// is not held. Whoever asks runs it: it is no part of any request, and dropping it stops it. Of a
    /// document that is excluded, or not known in time not to be, it says why there is nothing.
    pub fn context(
        &mut self,
        spot: &Spot,
        wish: Wish,
    ) -> Option<impl Future<Output = ContextReport> + Send + 'static> {
        let place = self
            .place(spot)
            .filter(|_| self.core.version(&spot.document) == Some(spot.version))?;
        let place = ContextRequest {
            selection: wish.selection,
            instruction: wish.instruction,
            ..place
        };
        let settings = self.settings.for_language(place.language.as_str());
        let settings = settings.clone();
        let around = self.surroundings.clone();
        let (threads, work) = (self.threads.clone(), self.work.clone());
        self.judge_lately(&spot.document);
        let verdict = self.checks.verdict(&spot.document);
        Some(async move {
            let time = Duration::from_millis(settings.context.timeout.get());
            let late = || Some("whether it is excluded was not known in time".into());
            if let Some(why) = timeout(time, verdict.wait())
                .await
                .unwrap_or_else(|_| late())
            {
                return ContextReport::excluded(why.to_string());
            }
            let stop = CancellationToken::new();
            let gathering = around.gathering(&settings, (&threads, &work), &stop);
            let (wanted, selected) = (&place.instruction, place.selected());
            let budget = budget::available(
                &settings.context.token_budget,
                gathering.counter,
                wanted,
                &selected,
            );
            let mut redaction = around.redactor.begin();
            let gathered = gather(place, gathering, &mut redaction).await;
            // Nobody else has the token, so nobody stops it.
            ContextReport::of(gathered.unwrap_or_default(), budget, redaction.len())
        })
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
