//! Lanes that run: starting one in a task of its own, stopping it, and knowing whose answer it is.

use std::collections::BTreeMap;
use std::sync::Arc;

use foretell_context::{ContextRequest, LearnedSecrets, Redactor};
use foretell_core::{AheadCallId, AheadWork, RequestId, Spot};
use foretell_lanes::{
    Lane, LaneAnswer, LaneFault, LaneProgress, LaneRequest, ProgressSink, PromptReading,
    QuestionPurpose,
};
use foretell_text::{ByteOffset, DocumentId, FailureKind, LaneKind, Language};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::{AbortHandle, Id};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::contexts::AwaitedContext;
use super::document_checks::AwaitedVerdict;
use super::other_places::PlaceFinder;
use super::screen::screened;
use super::{Engine, FinishedTask, LaneEnd};
use crate::lane_request_parts::{LaneRequestParts, lane_request};
use crate::redaction_adapter::LaneRedaction;
use crate::secrets;
use crate::work_threads::WorkThreads;

/// A lane that was started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Call {
    /// For a request.
    Asked(RequestId, LaneKind),
    /// Ahead of time.
    Ahead(AheadCallId, LaneKind),
}

impl Call {
    /// The lane.
    pub(super) fn lane(self) -> LaneKind {
        match self {
            Call::Asked(_, lane) | Call::Ahead(_, lane) => lane,
        }
    }

    pub(super) fn is_ahead(self) -> bool {
        matches!(self, Call::Ahead(..))
    }
}

/// How lanes tell the loop how far they are.
pub(super) struct ProgressChannel {
    tells: UnboundedSender<(Call, LaneProgress)>,
    pub(super) heard: UnboundedReceiver<(Call, LaneProgress)>,
}

impl Default for ProgressChannel {
    fn default() -> Self {
        let (tells, heard) = unbounded_channel();
        ProgressChannel { tells, heard }
    }
}

/// The lanes that run.
#[derive(Default)]
pub(super) struct RunningLanes {
    running: BTreeMap<Call, RunningLane>,
    by_task: BTreeMap<Id, Call>,
    /// Calls ahead of time that a request has taken over: what they say is for that one.
    taken: BTreeMap<Call, Call>,
}

struct RunningLane {
    spot: Spot,
    /// Whether it tells others something, as a model server's does.
    tells_others: bool,
    answers: Arc<dyn Lane>,
    stop: CancellationToken,
    task: AbortHandle,
    /// What it is asked for, if nobody waited for it when it was started.
    work: Option<AheadWork>,
    /// Where the cursor is in the text that it is asked about.
    at: ByteOffset,
}

/// A call that has ended.
pub(super) enum EndedCall {
    Asked(RequestId, LaneKind),
    Ahead(EndedAheadCall),
}

/// A call ahead of time that has ended.
pub(super) struct EndedAheadCall {
    pub(super) call: AheadCallId,
    pub(super) lane: LaneKind,
    pub(super) work: AheadWork,
    /// Where the cursor would be in the text that it was asked about.
    pub(super) at: ByteOffset,
}

impl RunningLanes {
    fn put(&mut self, call: Call, running: RunningLane) {
        self.by_task.insert(running.task.id(), call);
        self.running.insert(call, running);
    }

    /// Stops a lane. Returns whether it was running; a late answer is dropped.
    pub(super) fn stop(&mut self, call: Call) -> bool {
        let Some(running) = self.running.remove(&call) else {
            return false;
        };
        self.by_task.remove(&running.task.id());
        self.taken.retain(|_, by| *by != call);
        running.stop.cancel();
        running.task.abort();
        true
    }

    /// Lets a request take a call over that was made ahead of time. Returns whether it was running.
    pub(super) fn take_over(&mut self, ahead: Call, by: Call) -> bool {
        let Some(running) = self.running.remove(&ahead) else {
            return false;
        };
        self.taken.insert(ahead, by);
        self.put(by, running);
        true
    }

    /// The name that a call goes by now.
    pub(super) fn name_of(&self, call: Call) -> Call {
        self.taken.get(&call).copied().unwrap_or(call)
    }

    /// Stops all of them.
    pub(super) fn stop_all(&mut self) {
        let calls: Vec<Call> = self.running.keys().copied().collect();
        for call in calls {
            self.stop(call);
        }
    }

    /// The purpose of a call ahead of time that runs.
    pub(super) fn work_of(&self, call: Call) -> Option<AheadWork> {
        self.running.get(&call)?.work
    }

    /// Whether a lane runs for a request.
    pub(super) fn is_running(&self, call: Call) -> bool {
        self.running.contains_key(&call)
    }

    /// Whether a lane runs at a place.
    pub(super) fn is_any_at(&self, spot: &Spot) -> bool {
        self.running.values().any(|running| running.spot == *spot)
    }

    /// Whether a lane runs for a request that tells others something.
    pub(super) fn is_any_telling_others(&self) -> bool {
        let mut running = self.running.iter();
        running.any(|(call, it)| it.tells_others && !call.is_ahead())
    }

    /// How far a server is with the prompt that it reads, if one does.
    pub(super) fn reading(&self) -> Option<PromptReading> {
        let mut readings = self.running.values().map(|it| it.answers.reading());
        readings.find_map(|it| it)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.running.is_empty() && self.by_task.is_empty()
    }

    /// Returns the call that a task answers, unless that was stopped.
    pub(super) fn end(&mut self, task: Id) -> Option<EndedCall> {
        let call = self.by_task.remove(&task)?;
        let running = self.running.remove(&call)?;
        self.taken.retain(|_, by| *by != call);
        Some(match call {
            Call::Asked(request, lane) => EndedCall::Asked(request, lane),
            Call::Ahead(call, lane) => EndedCall::Ahead(EndedAheadCall {
                call,
                lane,
                work: running.work.unwrap_or(AheadWork::Warm),
                at: running.at,
            }),
        })
    }
}

/// A lane that is about to start, with all that it is told of the moment when it was ordered.
pub(super) struct ReadyLane {
    pub(super) call: Call,
    pub(super) spot: Spot,
    language: Language,
    pub(super) told: LaneRequest,
    /// Whether that leaves this program.
    pub(super) tells_others: bool,
    /// The known secrets of the document.
    learned: Option<LearnedSecrets>,
    /// Where secrets have to be looked for first, if no context is gathered.
    place: Option<ContextRequest>,
    /// Whether a context is still to be gathered for it.
    pub(super) wants_context: bool,
}

impl Engine {
    /// Prepares what a lane is told when it starts, of the text that the machine holds now.
    pub(super) fn make_ready(&self, call: Call, spot: &Spot) -> Option<ReadyLane> {
        let lane = call.lane();
        let in_flight = match call {
            Call::Asked(request, _) => self.in_flight.get(&request),
            Call::Ahead(..) => None,
        };
        let telling = LaneRequestParts {
            lane,
            code: Arc::clone(&self.surroundings.code),
            redact: Arc::new(LaneRedaction(self.surroundings.redactor.begin())),
            is_explicit: in_flight.is_some_and(|it| it.is_explicit),
            is_excluded: &|document| self.checks.excludes(document),
            name: &*self.surroundings.name,
        };
        // The machine holds every text that it orders a lane for. If it ever did not, the call would
        // end at its deadline.
        let told = lane_request(&self.core, self.now(), spot, telling)?;
        let learned = self.checks.learned(&spot.document).cloned();
        // Changes quote what only the documents around them call secret.
        let is_enough = lane == LaneKind::Fim && learned.is_some();
        let language = self.core.language(&spot.document)?.clone();
        let settings = self.settings.for_language(language.as_str());
        let answers = (self.surroundings.lanes)(lane, settings.lanes.of(lane));
        let tells_others = answers.tells_others();
        let is_looked_for = !is_enough && tells_others;
        Some(ReadyLane {
            call,
            spot: spot.clone(),
            language,
            told,
            tells_others,
            learned,
            place: is_looked_for.then(|| self.place(spot)).flatten(),
            wants_context: false,
        })
    }

    /// Starts a lane, as the settings are now.
    pub(super) fn start(&mut self, ready: ReadyLane) {
        let ReadyLane {
            call,
            spot,
            language,
            mut told,
            learned,
            place,
            wants_context,
            tells_others: _,
        } = ready;
        let lane = call.lane();
        if wants_context {
            self.gather_at(&spot);
        }
        let settings = self.settings.for_language(language.as_str());
        let settings = settings.lanes.of(lane);
        let work = match told.purpose {
            QuestionPurpose::Suggest => None,
            QuestionPurpose::Warm => Some(AheadWork::Warm),
            QuestionPurpose::LookAhead => Some(AheadWork::LookAhead),
        };
        let at = told.at;
        let is_off = !settings.enabled || (call.is_ahead() && !settings.works_ahead());
        let answers = (self.surroundings.lanes)(lane, settings);
        // It may be another than when it was ordered.
        let tells_others = answers.tells_others();
        let telling = tells_others.then(|| {
            let others = told.others.iter().map(|it| it.id.clone());
            let others = others.map(|it| (self.checks.verdict(&it), it));
            LanePreparation {
                verdict: self.checks.verdict(&spot.document),
                others: others.map(|(verdict, it)| (it, verdict)).collect(),
                context: self.contexts.of(&spot),
                place,
                learned,
                redactor: self.surroundings.redactor.clone(),
                work: self.work.clone(),
            }
        });
        let stop = CancellationToken::new();
        let stopped = stop.clone();
        let redactor = self.surroundings.redactor.clone();
        let finder = PlaceFinder::of(lane, settings, &told, &self.work);
        let heard = self.progress.tells.clone();
        let asked = Arc::clone(&answers);
        let task = self.tasks.spawn(async move {
            if is_off {
                let says = "it has just been turned off";
                let fault = LaneFault::new(FailureKind::Misconfigured, says);
                return FinishedTask::Lane(LaneEnd::broken(fault));
            }
            if let Some(telling) = telling
                && let Err(fault) = telling.prepare(&mut told).await
            {
                return FinishedTask::Lane(LaneEnd::broken(fault));
            }
            let told = Arc::new(told);
            let asked = Instant::now();
            let screen = (redactor.clone(), Arc::clone(&told));
            let progress: ProgressSink = Arc::new(move |progress| {
                let (redactor, told) = &screen;
                let progress = match progress {
                    LaneProgress::Reading => progress,
                    LaneProgress::Writing(candidates) => {
                        let so_far = LaneAnswer {
                            candidates,
                            ..LaneAnswer::default()
                        };
                        let so_far = screened(redactor, told, so_far);
                        LaneProgress::Writing(so_far.candidates)
                    }
                };
                // It is read as long as the engine is there.
                let _ = heard.send((call, progress));
            });
            let answered = answers.ask_telling(Arc::clone(&told), stopped.clone(), progress);
            let answered = answered.await;
            let took = Some(asked.elapsed());
            let answered = answered.map(|answer| screened(&redactor, &told, answer));
            let elsewhere = match (finder, &answered) {
                (Some(finder), Ok(answer)) => finder.find(&told, answer, &stopped).await,
                _ => Vec::new(),
            };
            FinishedTask::Lane(LaneEnd {
                answered,
                took,
                elsewhere,
            })
        });
        let running = RunningLane {
            spot,
            tells_others,
            answers: asked,
            stop,
            task,
            work,
            at,
        };
        self.calls.put(call, running);
        self.count_call(lane);
    }
}

/// The checks that have to end before a lane may tell others of a place.
struct LanePreparation {
    verdict: AwaitedVerdict,
    /// The same of other documents that it is told of.
    others: Vec<(DocumentId, AwaitedVerdict)>,
    context: Option<AwaitedContext>,
    /// Where secrets have to be looked for first, if no context was gathered.
    place: Option<ContextRequest>,
    /// The known secrets of the document.
    learned: Option<LearnedSecrets>,
    redactor: Redactor,
    work: WorkThreads,
}

impl LanePreparation {
    /// Waits for it, and puts it into what the lane is told.
    async fn prepare(self, told: &mut LaneRequest) -> Result<(), LaneFault> {
        let may_not = |says: &str| Err(LaneFault::new(FailureKind::Broken, says));
        if self.verdict.wait().await.is_some() {
            // The machine knows, too, and does not wait for this.
            return may_not("nothing is told of this document");
        }
        for (document, verdict) in self.others {
            if verdict.wait().await.is_some() {
                told.others.retain(|it| it.id != document);
            }
        }
        let gathered = match self.context {
            Some(context) => context.wait().await,
            None => None,
        };
        let mut redaction = match gathered {
            Some(gathered) => {
                told.context = gathered.context;
                gathered.redaction
            }
            None => self.redactor.begin(),
        };
        if let Some(learned) = self.learned {
            redaction.remember(learned);
        }
        if let Some(place) = self.place.filter(|_| told.context.sections.is_empty()) {
            let learn = move || secrets::learn(&self.redactor, &place);
            let Ok(learned) = self.work.run(learn).await else {
                return may_not("its secrets could not be looked for");
            };
            secrets::remember(&mut redaction, learned);
        }
        told.redact = Arc::new(LaneRedaction(redaction));
        Ok(())
    }
}
