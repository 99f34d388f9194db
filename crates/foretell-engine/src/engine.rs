//! The loop: drives the machine with a real clock, and does what it orders.
//!
//! One task owns an [`Engine`], and with it the machine. Events are told by [`Engine::tell`]; work that
//! takes time (asking a lane, gathering context, asking a disk what is excluded) runs in tasks that
//! get snapshots and hold nothing of the machine; their results, and the time, are waited for in
//! [`Engine::turn`]. There is one timer, and no lock.
//!
//! ```text
//! loop {
//!     while let Some(order) = engine.poll_order() { /* tell the editor */ }
//!     select! { event = editor.next() => engine.tell(event), () = engine.turn() => {} }
//! }
//! ```
//!
//! - Every order is carried out before the machine is told anything else, so that a lane sees the text
//!   that the machine meant. Orders that concern others ([`Order::Answer`] and so on) come out of
//!   [`Engine::poll_order`]. Notes do not: they only inform.
//! - Observers see every fact in its order: the events that the machine is told, from the driver or from
//!   tasks, its orders and notes, and measurements. They are the only ones who do, and nothing
//!   depends on whether there are any.
//! - What is not wanted any more is stopped: a lane by its token and by dropping it, a context when
//!   its request is answered. Nothing of a request is left when it is over.
//! - Of a document nothing is told to others until it is known that it is not excluded.
//!
//! Absent on purpose: every decision, which is the machine's, and the editor.

mod ahead_calls;
mod contexts;
mod document_checks;
mod instant_predictions;
mod model_hold;
mod other_places;
mod running_lanes;
mod screen;
mod speed_sync;
mod typing_sync;
mod usage_sync;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use foretell_context::{CountTokens, Exclude, LastScans, Redactor, ShareScans};
use foretell_core::{
    Action, Answer, Core, Event, Fact, FactScene, FaultReport, Measurement, Moment, Observer,
    OfferedFrom, Order, Reason, RequestCause, RequestId, Spot,
};
use foretell_lanes::{CodeSearch, Lane, LaneAnswer, LaneFault, LaneProgress, OtherPlace};
use foretell_settings::{Settings, settings};
use foretell_text::{DocumentId, FailureKind, FilePath, LaneKind, Text};
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::{Instant, sleep_until};

pub use self::contexts::ContextWish;

use self::contexts::{GatheredContext, WantedContexts};
use self::document_checks::DocumentChecks;
use self::instant_predictions::{PredictionOrder, PredictionSources};
use self::model_hold::HeldOrders;
use self::running_lanes::{Call, EndedCall, ProgressChannel, RunningLanes};
use self::speed_sync::SpeedSync;
use self::typing_sync::TypingSync;
use self::usage_sync::UsageSync;
use crate::context_source::ContextSource;
use crate::excluded_files::DiskThreads;
use crate::scan_memory::ScanMemory;
use crate::speed_file::SpeedFile;
use crate::taught_predictor::TaughtPredictor;
use crate::typing_file::TypingFile;
use crate::usage::{DayTime, UsageFile};
use crate::work_threads::WorkThreads;

/// Everything around the machine: where suggestions, code and context come from.
#[derive(Clone)]
pub struct EngineSurroundings {
    /// Chooses the backend that answers for a lane.
    pub lanes: ChooseLane,
    /// Finds code in the workspace.
    pub code: Arc<dyn CodeSearch>,
    /// The sources of context, the most important first.
    pub sources: Vec<Arc<dyn ContextSource>>,
    /// Counts the tokens of a context.
    pub counter: Arc<dyn CountTokens>,
    /// Takes secrets out of a context.
    pub redactor: Redactor,
    /// Which files nothing is told of. It may read a disk.
    pub exclude: Arc<dyn Exclude>,
    /// Names a document in the workspace.
    pub name: NameDocument,
    /// Finds the folder of the workspace that a document is in.
    pub folder: FindFolder,
    /// Where what lanes use up is remembered, if it is.
    pub usage: Option<Arc<UsageFile>>,
    /// Where the speeds of servers are remembered, if they are.
    pub speeds: Option<Arc<SpeedFile>>,
    /// Where it is remembered how the person types, if it is.
    pub typing: Option<Arc<TypingFile>>,
}

impl EngineSurroundings {
    /// The same with a redactor that remembers the last texts: every question is about one that differs by a
    /// few keys.
    fn remembering(self, scans: &Arc<ScanMemory>) -> Self {
        let scans = Arc::clone(scans);
        EngineSurroundings {
            redactor: self.redactor.remembering(scans),
            ..self
        }
    }
}

/// Chooses who answers for a lane.
pub type ChooseLane = Arc<dyn Fn(LaneKind, &settings::LaneSettings) -> Arc<dyn Lane> + Send + Sync>;

/// Names a document by its file in the workspace, or by its whole path elsewhere.
pub type NameDocument = Arc<dyn Fn(&DocumentId) -> FilePath + Send + Sync>;

/// Finds the folder of the workspace that a document is in, by a name that no other has; nothing, if it is in
/// none that is open.
pub type FindFolder = Arc<dyn Fn(&DocumentId) -> Option<Box<str>> + Send + Sync>;

/// Drives the machine. See the module for how it is driven itself.
pub struct Engine {
    core: Core,
    settings: Arc<Settings>,
    surroundings: EngineSurroundings,
    /// What the redactor remembers of the last texts.
    scans: Arc<ScanMemory>,
    began: Instant,
    /// How much of the day was over then, and which day that was.
    over: Duration,
    first_day: u64,
    /// Whether it was told anything yet.
    has_begun: bool,
    orders: VecDeque<ClientOrder>,
    tasks: JoinSet<FinishedTask>,
    calls: RunningLanes,
    /// Where lanes say what they have found so far.
    progress: ProgressChannel,
    contexts: WantedContexts,
    checks: DocumentChecks,
    counting: UsageSync,
    speeds: SpeedSync,
    typing: TypingSync,
    held: HeldOrders,
    /// The threads that a disk is asked on for contexts.
    threads: DiskThreads,
    /// The threads that look for secrets.
    work: WorkThreads,
    /// Requests, until they are answered.
    in_flight: BTreeMap<RequestId, InFlight>,
    /// How lanes broke that have not answered since.
    faults: BTreeMap<LaneKind, LaneFault>,
    observers: Vec<Box<dyn Observer>>,
    /// What answers at once, if there is anything.
    predictor: Option<TaughtPredictor>,
    prediction_sources: PredictionSources,
    waiting_prediction: Option<PredictionOrder>,
}

/// The result of a task.
enum FinishedTask {
    Lane(LaneEnd),
    /// With how long it took, unless it was stopped.
    Context(Spot, GatheredContext, Option<Duration>),
}

/// The end of a lane.
struct LaneEnd {
    answered: Result<LaneAnswer, LaneFault>,
    /// How long it was asked, if it was.
    took: Option<Duration>,
    /// Where else it may be asked, if it has nothing.
    elsewhere: Vec<OtherPlace>,
}

impl LaneEnd {
    /// It broke before it was asked, or how long it was asked is not known.
    fn broken(fault: LaneFault) -> Self {
        LaneEnd {
            answered: Err(fault),
            took: None,
            elsewhere: Vec::new(),
        }
    }
}

impl Engine {
    /// An engine whose clock begins now.
    pub fn new(settings: Arc<Settings>, surroundings: EngineSurroundings) -> Self {
        let today = DayTime::now();
        let scans = Arc::default();
        Engine {
            core: Core::new(Arc::clone(&settings)),
            settings,
            surroundings: surroundings.remembering(&scans),
            scans,
            began: Instant::now(),
            // Days begin at midnight, for the machine too.
            over: today.over,
            first_day: today.day,
            has_begun: false,
            orders: VecDeque::new(),
            tasks: JoinSet::new(),
            calls: RunningLanes::default(),
            progress: ProgressChannel::default(),
            contexts: WantedContexts::default(),
            checks: DocumentChecks::default(),
            counting: UsageSync::default(),
            speeds: SpeedSync::default(),
            typing: TypingSync::default(),
            held: HeldOrders::default(),
            threads: DiskThreads::default(),
            work: WorkThreads::default(),
            in_flight: BTreeMap::new(),
            faults: BTreeMap::new(),
            observers: Vec::new(),
            predictor: None,
            prediction_sources: PredictionSources::default(),
            waiting_prediction: None,
        }
    }

    /// Lets an observer see every fact from now on, after those that do already. The machine that is told the
    /// same events at the same moments in a replay does the same.
    pub fn observe(&mut self, observer: impl Observer + 'static) {
        self.observers.push(Box::new(observer));
    }

    /// Lets observers see what was measured, here or by the driver.
    pub fn measured(&mut self, measurement: Measurement) {
        self.show(self.now(), Fact::Measurement(&measurement));
    }

    /// The machine, to look at.
    pub fn core(&self) -> &Core {
        &self.core
    }

    /// The settings that apply now.
    pub fn settings(&self) -> Arc<Settings> {
        Arc::clone(&self.settings)
    }

    /// How a lane broke when it was last asked, in words for people.
    pub fn fault(&self, lane: LaneKind) -> Option<&LaneFault> {
        self.faults.get(&lane)
    }

    /// The time, for the machine.
    pub fn now(&self) -> Moment {
        let millis = (self.over + self.began.elapsed()).as_millis();
        Moment::from_millis(u64::try_from(millis).unwrap_or(u64::MAX))
    }

    /// Tells the machine that something happened, now.
    pub fn tell(&mut self, event: Event) {
        if !std::mem::replace(&mut self.has_begun, true) {
            self.learn_usage();
            self.tell_speeds();
            self.tell_typing();
        }
        // Results that have come back meanwhile came first.
        while let Some(ended) = self.tasks.try_join_next_with_id() {
            self.hear(ended);
        }
        while let Ok((call, progress)) = self.progress.heard.try_recv() {
            self.lane_progressed(call, progress);
        }
        while let Some(looked) = self.checks.tasks.try_join_next() {
            // A check that broke has found nothing.
            looked.into_iter().for_each(|it| self.looked(it));
        }
        if let Event::SuggestionRequested(asked) = &event {
            self.judge_again(&asked.document);
        }
        let then = self.take_note(&event);
        self.handle(event);
        match then {
            AfterEvent::Nothing => {}
            AfterEvent::Judge(document) => {
                self.judge(&document);
                self.learn(&document);
            }
            AfterEvent::LearnUsage => {
                self.learn_usage();
                self.tell_speeds();
            }
        }
    }

    /// Takes other surroundings, for instance because settings say so. Running lanes are not stopped. If
    /// the exclusions are others, every document is judged anew.
    pub fn surround(&mut self, surroundings: EngineSurroundings) {
        let surroundings = surroundings.remembering(&self.scans);
        let before = std::mem::replace(&mut self.surroundings, surroundings);
        self.rename_documents();
        if !Arc::ptr_eq(&before.exclude, &self.surroundings.exclude) {
            self.contexts.change_rules();
            self.forget_closed_documents();
            self.judge_all();
        }
    }

    /// Why nothing may be told of an open document, in words that go on behind a colon, as far as that
    /// is known. Nothing is looked up for it.
    pub fn excluded(&self, document: &DocumentId) -> Option<Arc<str>> {
        self.checks.why(document)
    }

    /// Waits until something has come of what was ordered, or it is time for something, and deals
    /// with it. Dropping it before it ends loses nothing.
    pub async fn turn(&mut self) {
        let due = self.core.poll_timeout();
        let due = due.map(|due| {
            let due = Duration::from_millis(due.millis());
            self.began + due.saturating_sub(self.over)
        });
        let at = async |due| match due {
            Some(due) => sleep_until(due).await,
            None => pending().await,
        };
        let (timer, held) = (at(due), at(self.held.until));
        tokio::select! {
            biased;
            Some(ended) = self.tasks.join_next_with_id() => self.hear(ended),
            Some((call, progress)) = self.progress.heard.recv() => self.lane_progressed(call, progress),
            Some(looked) = self.checks.tasks.join_next() => {
                looked.into_iter().for_each(|it| self.looked(it));
            }
            Some(counted) = self.counting.tasks.join_next() => {
                counted.into_iter().for_each(|it| self.counted(it));
            }
            () = held => self.release(),
            () = timer => {
                let now = self.now();
                self.core.handle_timeout(now);
                self.perform_all(now);
            }
        }
    }

    /// Returns the next order that concerns the driver, with the texts that are needed to carry it out when
    /// documents have moved on.
    pub fn poll_order(&mut self) -> Option<ClientOrder> {
        self.orders.pop_front()
    }

    /// How many tasks run.
    pub fn running(&self) -> usize {
        self.tasks.len() + self.checks.tasks.len() + self.counting.tasks.len()
    }

    /// Whether a model is being asked: a lane runs that tells others something.
    pub fn is_asking_model(&self) -> bool {
        self.calls.is_any_telling_others()
    }

    /// Whether nothing runs, and nothing is kept of any request.
    pub fn is_idle(&self) -> bool {
        self.running() == 0
            && self.calls.is_empty()
            && self.contexts.is_empty()
            && self.held.is_empty()
            && self.in_flight.is_empty()
    }

    /// Answers everything that is asked, begins nothing any more, and ends when no lane runs. Returns the
    /// answers. A thread that reads a disk, or a predictor that has not noticed yet, may take a moment
    /// longer; its result is dropped.
    pub async fn shut_down(mut self) -> VecDeque<ClientOrder> {
        self.tell(Event::ShuttingDown);
        self.calls.stop_all();
        self.in_flight.clear();
        self.let_contexts_go();
        self.tasks.shutdown().await;
        self.end_counting().await;
        self.end_keeping_speeds().await;
        self.end_keeping_typing().await;
        self.orders
    }

    /// Takes note of what concerns the engine, too, and says what to do once the machine knows.
    fn take_note(&mut self, event: &Event) -> AfterEvent {
        match event {
            Event::DocumentOpened { document, .. } => AfterEvent::Judge(document.clone()),
            Event::DocumentClosed { document } => {
                self.checks.forget(document);
                self.scans.lend(&mut LastScans::forget);
                AfterEvent::Nothing
            }
            Event::DocumentChanged { .. } => {
                self.note_typing();
                AfterEvent::Nothing
            }
            Event::SuggestionRequested(asked) => {
                let in_flight = InFlight {
                    is_explicit: asked.cause == RequestCause::Explicit,
                    since: Instant::now(),
                    context_at: None,
                    held_context_at: None,
                };
                // The machine turns away a second one of the same name.
                self.in_flight.entry(asked.request).or_insert(in_flight);
                AfterEvent::Nothing
            }
            Event::SettingsChanged { settings } => {
                self.settings = Arc::clone(settings);
                self.contexts.change_rules();
                // It may be another server by now.
                self.faults.clear();
                AfterEvent::LearnUsage
            }
            _ => AfterEvent::Nothing,
        }
    }

    fn handle(&mut self, event: Event) {
        let now = self.now();
        // Orders that were due before are carried out before.
        self.core.handle_timeout(now);
        self.perform_all(now);
        let lesson = self.lesson(&event);
        self.show(now, Fact::Event(&event));
        self.core.handle(now, event);
        self.teach(lesson);
        self.perform_all(now);
    }

    /// Tells the machine at the moment of its latest order what came of that, and nothing else.
    fn handle_at(&mut self, now: Moment, event: Event) {
        self.show(now, Fact::Event(&event));
        self.core.handle(now, event);
    }

    /// Takes what a task has come to.
    fn hear(&mut self, ended: Result<(Id, FinishedTask), JoinError>) {
        match ended {
            Ok((_, FinishedTask::Context(spot, gathered, took))) => {
                if let Some(took) = took {
                    self.measured(Measurement::Context { took });
                }
                self.contexts.put(&spot, gathered);
            }
            Ok((task, FinishedTask::Lane(came))) => self.lane_ended(task, came),
            // It was stopped, or broke by a fault of ours.
            Err(why) => {
                self.contexts.broke(why.id());
                let fault = LaneFault::new(FailureKind::Broken, "it panicked");
                self.lane_ended(why.id(), LaneEnd::broken(fault));
            }
        }
    }

    /// Tells the machine how far a lane is, unless it has ended.
    fn lane_progressed(&mut self, call: Call, progress: LaneProgress) {
        let call = self.calls.name_of(call);
        // What is only found ahead of time is told when it is complete.
        let Call::Asked(request, lane) = call else {
            return;
        };
        if self.calls.is_running(call) {
            self.handle(match progress {
                LaneProgress::Reading => Event::LaneReading { request, lane },
                LaneProgress::Writing(candidates) => Event::LaneProgressed {
                    request,
                    lane,
                    candidates,
                },
            });
        }
    }

    /// Tells the machine of a lane, unless the call was stopped.
    fn lane_ended(&mut self, task: Id, came: LaneEnd) {
        let (request, lane) = match self.calls.end(task) {
            None => return,
            Some(EndedCall::Asked(request, lane)) => (request, lane),
            Some(EndedCall::Ahead(ended)) => return self.ahead_ended(&ended, came),
        };
        let LaneEnd {
            answered,
            took,
            elsewhere,
        } = came;
        let (came, usage) = match &answered {
            Ok(answer) => (Ok(()), answer.usage),
            Err(fault) => (Err(fault.failure.kind), fault.usage),
        };
        self.measured(Measurement::Lane {
            lane,
            took,
            came,
            usage,
        });
        self.tell_places(request, lane, elsewhere);
        let event = match answered {
            Ok(answer) => {
                self.faults.remove(&lane);
                self.count_tokens(lane, answer.usage);
                Event::LaneAnswered {
                    request,
                    lane,
                    candidates: answer.candidates,
                    usage: answer.usage,
                    withheld: answer.withheld,
                }
            }
            Err(fault) => {
                let LaneFault { failure, usage, .. } = fault;
                self.count_tokens(lane, usage);
                self.faults.insert(lane, fault);
                Event::LaneFailed {
                    request,
                    lane,
                    failure,
                    usage,
                }
            }
        };
        // What waits for the server starts with the end of the call, and not if it turned out to be too slow.
        self.tell_new_speeds();
        self.handle(event);
    }

    /// Lets observers see a fact.
    fn show(&mut self, at: Moment, fact: Fact<'_>) {
        let faults = &self.faults;
        let scene = FactScene {
            core: &self.core,
            fault: &|lane| faults.get(&lane).map(fault_report),
        };
        for observer in &mut self.observers {
            observer.saw(at, fact, &scene);
        }
    }

    /// Carries out all that the machine has ordered, and keeps what others have to do.
    fn perform_all(&mut self, now: Moment) {
        while let Some(action) = self.core.poll_action() {
            if let Action::Order(order) = &action {
                self.perform(order);
            }
            self.show(self.now(), Fact::from(&action));
            match action {
                Action::Order(Order::Predict {
                    request,
                    spot,
                    ask,
                    threshold,
                }) => self.predict(
                    now,
                    PredictionOrder {
                        request,
                        spot,
                        ask,
                        threshold,
                    },
                ),
                Action::Order(order) => self.pass_on(order),
                Action::Note(_) => {}
            }
        }
        self.let_contexts_go();
    }

    /// Stops gathering where no request asks any more and no lane runs.
    fn let_contexts_go(&mut self) {
        let (in_flight, calls) = (&self.in_flight, &self.calls);
        self.contexts.retain(|spot| {
            let mut asked = in_flight.values();
            asked.any(|it| it.context_at.as_ref() == Some(spot)) || calls.is_any_at(spot)
        });
    }

    /// Does the engine's part of an order.
    fn perform(&mut self, order: &Order) {
        match order {
            Order::GatherContext { request, spot } => {
                self.look_for_secrets(spot);
                self.gather_when_known(*request, spot);
            }
            Order::StartLane {
                request,
                lane,
                spot,
                ahead,
            } => {
                let call = Call::Asked(*request, *lane);
                let ahead = ahead.map(|ahead| Call::Ahead(ahead, *lane));
                if !ahead.is_some_and(|ahead| self.take_over(ahead, call)) {
                    self.start_when_known(call, spot);
                }
            }
            Order::AskAhead(question) => self.ask_ahead(question),
            Order::StopAhead { call, .. } => self.stop_ahead(*call),
            Order::CancelLane {
                request,
                lane,
                reason,
            } => {
                let call = Call::Asked(*request, *lane);
                if self.calls.stop(call) || self.held.stop(call) {
                    let (lane, reason) = (*lane, *reason);
                    self.measured(Measurement::Stopped { lane, reason });
                }
                if *reason == Reason::TimedOut {
                    // How it broke before is not what is wrong with it now.
                    self.faults.remove(lane);
                    if self.settings.lanes.of(*lane).tells_others() {
                        let says = "it was silent for too long: see what the model server does";
                        let fault = LaneFault::new(FailureKind::TimedOut, says);
                        self.faults.insert(*lane, fault);
                    }
                }
            }
            Order::Answer {
                request, answer, ..
            } => {
                self.finish_request(*request, answer);
            }
            Order::Join { request, older } => {
                let older = self.in_flight.get_mut(older);
                let places = older.map(|it| (it.context_at.take(), it.held_context_at.take()));
                if let Some((places, newer)) = places.zip(self.in_flight.get_mut(request)) {
                    (newer.context_at, newer.held_context_at) = places;
                }
            }
            Order::CheckQuota { lane } => self.doubt_usage(*lane),
            Order::Release { document, .. } => {
                self.checks.forget(document);
                self.let_predictor_go(document);
            }
            // The machine itself starts no lane that rests, and the others are the client's.
            Order::Rest { .. }
            | Order::AskEditor { .. }
            | Order::Resync { .. }
            // It is asked when observers have seen the order.
            | Order::Predict { .. } => {}
        }
    }

    /// Forgets a request that is answered, and measures how long it took.
    fn finish_request(&mut self, request: RequestId, answer: &Answer) {
        let Some(asked) = self.in_flight.remove(&request) else {
            return;
        };
        let with = match answer {
            Answer::Candidates(offers) => offers.first().map(|it| it.from),
            Answer::Withheld(reason) => return self.answered(request, &asked, Err(*reason)),
        };
        self.answered(request, &asked, with.ok_or(Reason::NothingFound));
    }

    fn answered(
        &mut self,
        request: RequestId,
        asked: &InFlight,
        with: Result<OfferedFrom, Reason>,
    ) {
        let took = asked.since.elapsed();
        self.measured(Measurement::Answered {
            request,
            took,
            with,
        });
    }

    /// Keeps an order for the driver, with the texts that it is about.
    fn pass_on(&mut self, order: Order) {
        let documents: BTreeSet<&DocumentId> = match &order {
            Order::AskEditor { spot, .. } => [&spot.document].into(),
            Order::Answer {
                answer: Answer::Candidates(offers),
                ..
            } => offers.iter().map(|it| &it.candidate.document).collect(),
            Order::Answer { .. }
            | Order::Resync { .. }
            | Order::Release { .. }
            | Order::Rest { .. } => BTreeSet::new(),
            // These are done.
            Order::GatherContext { .. }
            | Order::StartLane { .. }
            | Order::CancelLane { .. }
            | Order::AskAhead(_)
            | Order::StopAhead { .. }
            | Order::Join { .. }
            | Order::CheckQuota { .. }
            | Order::Predict { .. } => return,
        };
        let text = |it: &DocumentId| Some((it.clone(), self.core.text(it)?.clone()));
        let texts = documents.into_iter().filter_map(text).collect();
        self.orders.push_back(ClientOrder { order, texts });
    }
}

/// A request that has no answer yet.
struct InFlight {
    /// Whether a person made it.
    is_explicit: bool,
    since: Instant,
    /// Where a context is gathered for it.
    context_at: Option<Spot>,
    /// Where one is to be, once it is known what others may be told.
    held_context_at: Option<Spot>,
}

/// How a lane broke, for observers.
fn fault_report(fault: &LaneFault) -> FaultReport {
    FaultReport {
        kind: fault.failure.kind,
        says: Arc::clone(&fault.says),
    }
}

/// An order that the driver carries out.
#[derive(Clone, Debug)]
pub struct ClientOrder {
    /// The order.
    pub order: Order,
    /// The texts that its offsets are of, as they were then: the driver may carry it out when the
    /// machine has been told of the next change.
    texts: Vec<(DocumentId, Text)>,
}

impl ClientOrder {
    /// The text of a document that the order is about, as it was when it was given.
    pub fn text(&self, document: &DocumentId) -> Option<&Text> {
        let mut texts = self.texts.iter();
        let (_, text) = texts.find(|(it, _)| it == document)?;
        Some(text)
    }
}

/// The work that follows once the machine knows of something.
enum AfterEvent {
    Nothing,
    /// A document has to be judged.
    Judge(DocumentId),
    /// Limits may be others.
    LearnUsage,
}
