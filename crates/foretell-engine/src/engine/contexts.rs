//! Contexts that are being gathered: begun when a request comes, so that they are there when the pace
//! has run out, and let go when neither a request nor a lane needs them any more.
//!
//! A context belongs to a place, not to a request: a newer request at the same place takes over what
//! the older one has come to. Nothing is gathered where no lane of the document wants it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use foretell_context::{
    AssembledContext, ChangeMoment, ContextRequest, FileChange, Redaction, SectionFate,
    SourceReport, budget,
};
use foretell_core::{RequestId, Spot};
use foretell_lanes::LaneContext;
use foretell_settings::Settings;
use foretell_text::{ByteRange, DocumentId, LaneKind, RecentEdit, edit_moments};
use tokio::sync::watch;
use tokio::task::Id;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

use super::{Engine, EngineSurroundings, FinishedTask};
use crate::context_report::ContextReport;
use crate::excluded_files::DiskThreads;
use crate::gather::{GatherOptions, gather};
use crate::work_threads::WorkThreads;

/// The contexts of places that something is asked about.
#[derive(Default)]
pub(super) struct WantedContexts {
    wanted: BTreeMap<Spot, WantedContext>,
    /// How often the rules have changed that say what may be told.
    rules: u64,
}

struct WantedContext {
    task: Id,
    stop: CancellationToken,
    gathered: watch::Sender<Option<GatheredContext>>,
}

/// A context, and the secrets that were met in it.
#[derive(Clone)]
pub(super) struct GatheredContext {
    pub(super) context: Arc<LaneContext>,
    pub(super) redaction: Redaction,
}

impl GatheredContext {
    fn of(context: AssembledContext, redaction: Redaction, rules: u64) -> Self {
        let is_late = |report: &SourceReport| report.fate == SectionFate::Late;
        let context = LaneContext {
            is_late: context.sources.iter().any(is_late),
            sections: context.sections.into(),
            rules,
        };
        GatheredContext {
            context: Arc::new(context),
            redaction,
        }
    }
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

impl WantedContexts {
    /// The context of a place, if one is gathered.
    pub(super) fn of(&self, spot: &Spot) -> Option<AwaitedContext> {
        let wanted = self.wanted.get(spot)?;
        Some(AwaitedContext(wanted.gathered.subscribe()))
    }

    /// Takes note that other rules say what may be told: what was told before them is not told again.
    pub(super) fn change_rules(&mut self) {
        self.rules += 1;
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

    /// Stops gathering where a context is not wanted any more.
    pub(super) fn retain(&mut self, is_wanted: impl Fn(&Spot) -> bool) {
        self.wanted.retain(|spot, wanted| {
            let is_wanted = is_wanted(spot);
            if !is_wanted {
                wanted.stop.cancel();
            }
            is_wanted
        });
    }

    pub(super) fn is_empty(&self) -> bool {
        self.wanted.is_empty()
    }
}

impl EngineSurroundings {
    /// How a context is gathered here.
    fn gathering<'a>(
        &'a self,
        settings: &'a Settings,
        threads: &'a DiskThreads,
        work: &'a WorkThreads,
        stop: &'a CancellationToken,
    ) -> GatherOptions<'a> {
        GatherOptions {
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

/// The wish of a person at a place.
#[derive(Clone, Default)]
pub struct ContextWish {
    /// The selected range.
    pub selection: Option<ByteRange>,
    /// The instruction, in their words.
    pub instruction: String,
}

impl Engine {
    /// Begins to gather what a model may see of a place.
    pub(super) fn gather(&mut self, request: RequestId, spot: &Spot) {
        if let Some(in_flight) = self.in_flight.get_mut(&request) {
            in_flight.context_at = Some(spot.clone());
        }
        self.gather_at(spot);
    }

    /// The same, for whatever is asked there.
    pub(super) fn gather_at(&mut self, spot: &Spot) {
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
        let rules = self.contexts.rules;
        let task = self.tasks.spawn(async move {
            let mut redaction = around.redactor.begin();
            let gathering = around.gathering(&settings, &threads, &work, &stopped);
            let began = Instant::now();
            let gathered = gather(place, gathering, &mut redaction).await;
            let took = gathered.is_ok().then(|| began.elapsed());
            // It is not wanted if it was stopped.
            let gathered = gathered.unwrap_or_default();
            let gathered = GatheredContext::of(gathered, redaction, rules);
            FinishedTask::Context(here, gathered, took)
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

    /// Returns what a model would be told of a place, if a person wanted something there; nothing if that text
    /// is not held. The caller runs it: it is no part of any request, and dropping it stops it. Of a
    /// document that is excluded, or not known in time not to be, it says why there is nothing.
    pub fn context(
        &mut self,
        spot: &Spot,
        wish: ContextWish,
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
            let gathering = around.gathering(&settings, &threads, &work, &stop);
            let (wanted, selected) = (&place.instruction, place.selected());
            let budget = budget::available(
                &settings.context.token_budget,
                gathering.counter,
                wanted,
                &selected,
            );
            let mut redaction = around.redactor.begin();
            let gathered = gather(place, gathering, &mut redaction).await;
            // Only this has the token, so that it is never stopped.
            ContextReport::of(gathered.unwrap_or_default(), budget, redaction.len())
        })
    }

    /// Returns the request to the sources.
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

    /// Returns the latest changes in every open document.
    fn changes(&self) -> Vec<FileChange> {
        let now = self.now();
        let changes = |document: &DocumentId| {
            let file = (self.surroundings.name)(document);
            let language = self.core.language(document)?.clone();
            let text = self.core.text(document)?.clone();
            let edits = self.core.recent_edits(now, document);
            let mut made = edit_moments(&text, &edits).map(|moment| ChangeMoment {
                text: moment.after.clone(),
                range: moment.range,
            });
            let change = |edit: &RecentEdit| FileChange {
                file: file.clone(),
                language: language.clone(),
                text: text.clone(),
                edit: edit.clone(),
                made: made.next(),
            };
            Some(edits.iter().map(change).collect::<Vec<_>>())
        };
        let documents = self.core.open_documents().into_iter();
        documents.filter_map(changes).flatten().collect()
    }
}
