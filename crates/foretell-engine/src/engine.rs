//! The loop: drives the machine with a real clock, and does what it orders.
//!
//! One task owns an [`Engine`], and with it the machine. What happens is told by [`Engine::tell`]; what
//! takes time (asking a lane, gathering context, asking a disk what is excluded) runs in tasks that
//! get snapshots and hold nothing of the machine; what comes of them, and the time, is waited for in
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
//!   [`Engine::poll_order`]. Notes do not: nobody acts on them.
//! - Observers see every fact in its order: what the machine is told, by whoever drives this or by what was
//!   begun here, what it orders and notes, and what is measured. They are the only ones who do, and nothing
//!   depends on whether there are any.
//! - What is not wanted any more is stopped: a lane by its token and by dropping it, a context when
//!   its request is answered. Nothing of a request is left when it is over.
//! - Of a document nothing is told to others until it is known that it is not excluded.
//!
//! Absent on purpose: every decision, which is the machine's, and whoever asks.

mod contexts;
mod document_checks;
mod model_hold;
mod running_lanes;
mod screen;
mod usage_sync;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use foretell_context::{CountTokens, Exclude, Redactor};
use foretell_core::{
    Action, Answer, Core, Event, Fact, FaultReport, Measurement, Moment, Observer, OfferedFrom,
    Order, Reason, RequestCause, RequestId, Scene, Spot,
};
use foretell_lanes::{FindCode, Lane, LaneAnswer, LaneFault};
use foretell_settings::{Settings, settings};
use foretell_text::{DocumentId, FailureKind, FilePath, LaneKind, Text};
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::{Instant, sleep_until};

pub use self::contexts::Wish;

use self::contexts::{Contexts, GatheredContext};
use self::document_checks::DocumentChecks;
use self::model_hold::HeldOrders;
use self::running_lanes::RunningLanes;
use self::usage_sync::UsageSync;
use crate::context_source::Source;
use crate::excluded_files::DiskThreads;
use crate::usage::{Today, UsageFile};
use crate::work::WorkThreads;

/// Everything around the machine: where suggestions, code and context come from.
#[derive(Clone)]
pub struct Surroundings {
    /// Who answers for a lane with these settings.
    pub lanes: ChooseLane,
    /// Who finds code in the workspace.
    pub code: Arc<dyn FindCode>,
    /// Who is asked for context, the most important first.
    pub sources: Vec<Arc<dyn Source>>,
    /// Who counts the tokens of a context.
    pub counter: Arc<dyn CountTokens>,
    /// Who takes secrets out of a context.
    pub redactor: Redactor,
    /// Which files nothing is told of. It may read a disk.
    pub exclude: Arc<dyn Exclude>,
    /// What a document is called in the workspace.
    pub name: NameDocument,
    /// Where what lanes use up is remembered, if it is.
    pub usage: Option<Arc<UsageFile>>,
}

/// Chooses who answers for a lane.
pub type ChooseLane = Arc<dyn Fn(LaneKind, &settings::Lane) -> Arc<dyn Lane> + Send + Sync>;

/// Names a document by its file in the workspace, or by its whole path elsewhere.
pub type NameDocument = Arc<dyn Fn(&DocumentId) -> FilePath + Send + Sync>;

/// Drives the machine. See the module for how it is driven itself.
pub struct Engine {
    core: Core,
    settings: Arc<Settings>,
    surroundings: Surroundings,
    began: Instant,
    /// How much of the day was over then, and which day that was.
    over: Duration,
    first_day: u64,
    /// Whether it was told anything yet.
    has_begun: bool,
    orders: VecDeque<ClientOrder>,
    tasks: JoinSet<Done>,
    calls: RunningLanes,
    contexts: Contexts,
    checks: DocumentChecks,
    counting: UsageSync,
    held: HeldOrders,
    /// The threads that a disk is asked on for contexts.
    threads: DiskThreads,
    /// The threads that look for secrets.
    work: WorkThreads,
    /// Requests, until they are answered.
    asked: BTreeMap<RequestId, InFlight>,
    /// How lanes broke that have not answered since.
    faults: BTreeMap<LaneKind, LaneFault>,
    observers: Vec<Box<dyn Observer>>,
}

/// What a task has come to.
enum Done {
    Lane(LaneEnd),
    /// With how long it took, unless it was stopped.
    Context(Spot, GatheredContext, Option<Duration>),
}

/// What a lane has come to.
struct LaneEnd {
    answered: Result<LaneAnswer, LaneFault>,
    /// How long it was asked, if it was.
    took: Option<Duration>,
}

impl LaneEnd {
    /// It broke before it was asked, or nobody knows for how long it was.
    fn broken(fault: LaneFault) -> Self {
        LaneEnd {
            answered: Err(fault),
            took: None,
        }
    }
}

impl Engine {
    /// An engine whose clock begins now.
    pub fn new(settings: Arc<Settings>, surroundings: Surroundings) -> Self {
        let today = Today::now();
        Engine {
            core: Core::new(Arc::clone(&settings)),
            settings,
            surroundings,
            began: Instant::now(),
            // Days begin at midnight, for the machine too.
            over: today.over,
            first_day: today.day,
            has_begun: false,
            orders: VecDeque::new(),
            tasks: JoinSet::new(),
            calls: RunningLanes::default(),
            contexts: Contexts::default(),
            checks: DocumentChecks::default(),
            counting: UsageSync::default(),
            held: HeldOrders::default(),
            threads: DiskThreads::default(),
            work: WorkThreads::default(),
            asked: BTreeMap::new(),
            faults: BTreeMap::new(),
            observers: Vec::new(),
        }
    }

    /// Lets somebody see every fact from now on, after those who do already. The machine that is told the
    /// same events at the same moments in a replay does the same.
    pub fn observe(&mut self, observer: impl Observer + 'static) {
        self.observers.push(Box::new(observer));
    }

    /// Lets observers see what was measured, here or by whoever drives this.
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

    /// What time it is for the machine.
    pub fn now(&self) -> Moment {
        let millis = (self.over + self.began.elapsed()).as_millis();
        Moment::from_millis(u64::try_from(millis).unwrap_or(u64::MAX))
    }

    /// Tells the machine that something happened, now.
    pub fn tell(&mut self, event: Event) {
        if !std::mem::replace(&mut self.has_begun, true) {
            self.learn_usage();
        }
        // What has come back meanwhile came first.
        while let Some(ended) = self.tasks.try_join_next_with_id() {
            self.hear(ended);
        }
        while let Some(looked) = self.checks.tasks.try_join_next() {
            // Who broke has found nothing.
            looked.into_iter().for_each(|it| self.looked(it));
        }
        if let Event::SuggestionRequested { document, .. } = &event {
            self.judge_again(document);
        }
        let then = self.take_note(&event);
        self.handle(event);
        match then {
            AfterEvent::Nothing => {}
            AfterEvent::Judge(document) => {
                self.judge(&document);
                self.learn(&document);
            }
            AfterEvent::LearnUsage => self.learn_usage(),
        }
    }

    /// Takes other surroundings, for instance because settings say so. What runs is not stopped. If
    /// somebody else says what is excluded, every document is judged anew.
    pub fn surround(&mut self, surroundings: Surroundings) {
        let before = std::mem::replace(&mut self.surroundings, surroundings);
        if !Arc::ptr_eq(&before.exclude, &self.surroundings.exclude) {
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
                self.perform_all();
            }
        }
    }

    /// What the machine has ordered that concerns others, with what is needed to tell them of it when
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
            && self.asked.is_empty()
    }

    /// Answers everything that is asked, begins nothing any more, and ends when no lane runs. What was
    /// answered is returned, for whoever still listens. A thread that reads a disk, or a predictor
    /// that has not noticed yet, may take a moment longer, and is nobody's any more.
    pub async fn shut_down(mut self) -> VecDeque<ClientOrder> {
        self.tell(Event::ShuttingDown);
        self.calls.stop_all();
        self.contexts.stop_all();
        self.tasks.shutdown().await;
        self.end_counting().await;
        self.orders
    }

    /// What concerns the engine, too: what is to be done once the machine knows.
    fn take_note(&mut self, event: &Event) -> AfterEvent {
        match event {
            Event::DocumentOpened { document, .. } => AfterEvent::Judge(document.clone()),
            Event::DocumentClosed { document } => {
                self.checks.forget(document);
                AfterEvent::Nothing
            }
            Event::SuggestionRequested { request, cause, .. } => {
                let asked = InFlight {
                    is_explicit: *cause == RequestCause::Explicit,
                    since: Instant::now(),
                };
                self.asked.insert(*request, asked);
                AfterEvent::Nothing
            }
            Event::SettingsChanged { settings } => {
                self.settings = Arc::clone(settings);
                // It may be another server by now.
                self.faults.clear();
                AfterEvent::LearnUsage
            }
            _ => AfterEvent::Nothing,
        }
    }

    fn handle(&mut self, event: Event) {
        let now = self.now();
        // What was due before has its orders performed before.
        self.core.handle_timeout(now);
        self.perform_all();
        self.show(now, Fact::Event(&event));
        self.core.handle(now, event);
        self.perform_all();
    }

    /// Takes what a task has come to.
    fn hear(&mut self, ended: Result<(Id, Done), JoinError>) {
        match ended {
            Ok((_, Done::Context(spot, gathered, took))) => {
                if let Some(took) = took {
                    self.measured(Measurement::Context { took });
                }
                self.contexts.put(&spot, gathered);
            }
            Ok((task, Done::Lane(came))) => self.lane_ended(task, came),
            // It was stopped, or broke by a fault of ours.
            Err(why) => {
                self.contexts.broke(why.id());
                let fault = LaneFault::new(FailureKind::Broken, "it panicked");
                self.lane_ended(why.id(), LaneEnd::broken(fault));
            }
        }
    }

    /// Tells the machine of a lane, unless nobody waits for it any more.
    fn lane_ended(&mut self, task: Id, came: LaneEnd) {
        let Some((request, lane)) = self.calls.end(task) else {
            return;
        };
        let LaneEnd { answered, took } = came;
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
        self.handle(event);
    }

    /// Lets observers see a fact.
    fn show(&mut self, at: Moment, fact: Fact<'_>) {
        let faults = &self.faults;
        let scene = Scene {
            core: &self.core,
            fault: &|lane| faults.get(&lane).map(fault_report),
        };
        for observer in &mut self.observers {
            observer.saw(at, fact, &scene);
        }
    }

    /// Carries out all that the machine has ordered, and keeps what others have to do.
    fn perform_all(&mut self) {
        while let Some(action) = self.core.poll_action() {
            if let Action::Order(order) = &action {
                self.perform(order);
            }
            self.show(self.now(), Fact::from(&action));
            if let Action::Order(order) = action {
                self.pass_on(order);
            }
        }
        let calls = &self.calls;
        self.contexts.let_go(|spot| calls.is_any_at(spot));
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
            } => self.start_when_known((*request, *lane), spot),
            Order::CancelLane {
                request,
                lane,
                reason,
            } => {
                let call = (*request, *lane);
                if self.calls.stop(call) || self.held.stop(call) {
                    let (lane, reason) = (*lane, *reason);
                    self.measured(Measurement::Stopped { lane, reason });
                }
                if *reason == Reason::TimedOut {
                    // How it broke before is not what is wrong with it now.
                    self.faults.remove(lane);
                }
            }
            Order::Answer {
                request, answer, ..
            } => {
                self.contexts.answered(*request);
                self.held.answered(*request);
                self.measure_answer(*request, answer);
            }
            Order::Join { request, older } => {
                self.contexts.join(*request, *older);
                self.held.join(*request, *older);
            }
            Order::CheckQuota { lane } => self.doubt_usage(*lane),
            Order::Release { document, .. } => self.checks.forget(document),
            // The machine itself starts no lane that rests, and the others are the client's.
            Order::Rest { .. } | Order::AskEditor { .. } | Order::Resync { .. } => {}
        }
    }

    fn measure_answer(&mut self, request: RequestId, answer: &Answer) {
        let Some(asked) = self.asked.remove(&request) else {
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

    /// Keeps an order for whoever drives this, with the texts that it is about.
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
            | Order::Join { .. }
            | Order::CheckQuota { .. } => return,
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
}

/// How a lane broke, for observers.
fn fault_report(fault: &LaneFault) -> FaultReport {
    FaultReport {
        kind: fault.failure.kind,
        says: Arc::clone(&fault.says),
    }
}

/// An order that somebody around the engine carries out.
#[derive(Clone, Debug)]
pub struct ClientOrder {
    /// What.
    pub order: Order,
    /// The texts that its offsets are of, as they were then: whoever performs it may do so when the
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

/// What is to be done once the machine knows of something.
enum AfterEvent {
    Nothing,
    /// A document has to be judged.
    Judge(DocumentId),
    /// Limits may be others.
    LearnUsage,
}
