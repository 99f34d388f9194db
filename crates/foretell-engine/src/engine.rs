//! The loop: drives the machine with a real clock, and does what it orders.
//!
//! One task owns an [`Engine`], and with it the machine. What happens is told by [`Engine::tell`]; what
//! takes time (asking a lane, gathering context, asking a disk what is excluded) runs in tasks that
//! get snapshots and hold nothing of the machine; what comes of them, and the time, is waited for in
//! [`Engine::turn`]. There is one timer, and no lock.
//!
//! ```text
//! loop {
//!     while let Some(action) = engine.poll_action() { /* tell the editor */ }
//!     select! { event = editor.next() => engine.tell(event), () = engine.turn() => {} }
//! }
//! ```
//!
//! - Every order is performed before the machine is told anything else, so that a lane sees the text
//!   that the machine meant. Orders that concern others ([`Action::Answer`] and so on) come out of
//!   [`Engine::poll_action`], and so do the rest, for whoever wants to know.
//! - What is not wanted any more is stopped: a lane by its token and by dropping it, a context when
//!   its request is answered. Nothing of a request is left when it is over.
//! - Of a document nothing is told to others until it is known that it is not excluded.
//!
//! Absent on purpose: every decision, which is the machine's, and whoever asks.

mod calls;
mod contexts;
mod counting;
mod looking;
mod screen;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use foretell_context::{CountTokens, Exclude, Redactor};
use foretell_core::{Action, Core, Event, Moment, Reason, Record, RequestCause, RequestId, Spot};
use foretell_lanes::{Fault, FindCode, Lane, LaneAnswer};
use foretell_settings::{Settings, settings};
use foretell_text::{DocumentId, FailureKind, FilePath, LaneKind};
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::{Instant, sleep_until};

use self::calls::Calls;
use self::contexts::{Contexts, Gathered};
use self::counting::Counting;
use self::looking::Looking;
use crate::source::Source;
use crate::usage::{Today, UsageFile};

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
    actions: VecDeque<Action>,
    tasks: JoinSet<Done>,
    calls: Calls,
    contexts: Contexts,
    looking: Looking,
    counting: Counting,
    /// Requests that a person made, until they are answered.
    explicit: BTreeSet<RequestId>,
    /// How lanes broke that have not answered since.
    faults: BTreeMap<LaneKind, Fault>,
}

/// What a task has come to.
enum Done {
    Lane(Result<LaneAnswer, Fault>),
    Context(Spot, Gathered),
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
            actions: VecDeque::new(),
            tasks: JoinSet::new(),
            calls: Calls::default(),
            contexts: Contexts::default(),
            looking: Looking::default(),
            counting: Counting::default(),
            explicit: BTreeSet::new(),
            faults: BTreeMap::new(),
        }
    }

    /// The machine, to look at.
    pub fn core(&self) -> &Core {
        &self.core
    }

    /// How a lane broke when it was last asked, in words for people.
    pub fn fault(&self, lane: LaneKind) -> Option<&Fault> {
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
        while let Some(looked) = self.looking.tasks.try_join_next() {
            // Who broke has found nothing.
            looked.into_iter().for_each(|it| self.looked(it));
        }
        let judged = self.take_note(&event);
        self.handle(event);
        match judged {
            Judged::Nothing => {}
            Judged::One(document) => {
                self.judge(&document);
                self.learn(&document);
            }
            Judged::All => {
                self.judge_all();
                self.learn_usage();
            }
        }
    }

    /// Takes other surroundings, for instance because settings say so. What runs is not stopped.
    pub fn surround(&mut self, surroundings: Surroundings) {
        self.surroundings = surroundings;
        self.judge_all();
    }

    /// Waits until something has come of what was ordered, or it is time for something, and deals
    /// with it. Dropping it before it ends loses nothing.
    pub async fn turn(&mut self) {
        let due = self.core.poll_timeout();
        let due = due.map(|due| {
            let due = Duration::from_millis(due.millis());
            self.began + due.saturating_sub(self.over)
        });
        let timer = async {
            match due {
                Some(due) => sleep_until(due).await,
                None => pending().await,
            }
        };
        tokio::select! {
            biased;
            Some(ended) = self.tasks.join_next_with_id() => self.hear(ended),
            Some(looked) = self.looking.tasks.join_next() => {
                looked.into_iter().for_each(|it| self.looked(it));
            }
            Some(counted) = self.counting.tasks.join_next() => {
                counted.into_iter().for_each(|it| self.counted(it));
            }
            () = timer => {
                let now = self.now();
                self.core.handle_timeout(now);
                self.perform_all();
            }
        }
    }

    /// What the machine has ordered and decided, in order. What the engine can do itself is done.
    pub fn poll_action(&mut self) -> Option<Action> {
        self.actions.pop_front()
    }

    /// How many tasks run.
    pub fn running(&self) -> usize {
        self.tasks.len() + self.looking.tasks.len() + self.counting.tasks.len()
    }

    /// Whether nothing runs, and nothing is kept of any request.
    pub fn is_idle(&self) -> bool {
        self.running() == 0
            && self.calls.is_empty()
            && self.contexts.is_empty()
            && self.explicit.is_empty()
    }

    /// Answers everything that is asked, begins nothing any more, and ends when no lane runs. What was
    /// answered is returned, for whoever still listens. A thread that reads a disk, or a predictor
    /// that has not noticed yet, may take a moment longer, and is nobody's any more.
    pub async fn shut_down(mut self) -> VecDeque<Action> {
        self.tell(Event::ShuttingDown);
        self.calls.stop_all();
        self.contexts.stop_all();
        self.tasks.shutdown().await;
        self.end_counting().await;
        self.actions
    }

    /// What concerns the engine, too: which documents have to be judged once the machine knows.
    fn take_note(&mut self, event: &Event) -> Judged {
        match event {
            Event::DocumentOpened { document, .. } => Judged::One(document.clone()),
            Event::DocumentClosed { document } => {
                self.looking.forget(document);
                Judged::Nothing
            }
            Event::SuggestionRequested {
                request,
                cause: RequestCause::Explicit,
                ..
            } => {
                self.explicit.insert(*request);
                Judged::Nothing
            }
            Event::SettingsChanged { settings } => {
                self.settings = Arc::clone(settings);
                Judged::All
            }
            _ => Judged::Nothing,
        }
    }

    fn handle(&mut self, event: Event) {
        let now = self.now();
        // What was due before has its orders performed before.
        self.core.handle_timeout(now);
        self.perform_all();
        self.core.handle(now, event);
        self.perform_all();
    }

    /// Takes what a task has come to.
    fn hear(&mut self, ended: Result<(Id, Done), JoinError>) {
        match ended {
            Ok((_, Done::Context(spot, gathered))) => self.contexts.put(&spot, gathered),
            Ok((task, Done::Lane(answered))) => self.lane_ended(task, answered),
            // It was stopped, or broke by a fault of ours.
            Err(why) => {
                self.contexts.broke(why.id());
                let fault = Fault::new(FailureKind::Broken, "it panicked");
                self.lane_ended(why.id(), Err(fault));
            }
        }
    }

    /// Tells the machine of a lane, unless nobody waits for it any more.
    fn lane_ended(&mut self, task: Id, answered: Result<LaneAnswer, Fault>) {
        let Some((request, lane)) = self.calls.end(task) else {
            return;
        };
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
                let Fault { failure, usage, .. } = fault;
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

    fn perform_all(&mut self) {
        while let Some(action) = self.core.poll_action() {
            match &action {
                Action::GatherContext { request, spot } => {
                    self.look_for_secrets(spot);
                    self.gather(*request, spot);
                }
                Action::StartLane {
                    request,
                    lane,
                    spot,
                } => {
                    self.start((*request, *lane), spot);
                    self.count_call(*lane);
                }
                Action::CancelLane { request, lane, .. } => self.calls.stop((*request, *lane)),
                Action::Answer { request, .. } => {
                    self.contexts.answered(*request);
                    self.explicit.remove(request);
                }
                Action::Record(Record::Joined { request, older }) => {
                    self.contexts.join(*request, *older);
                }
                Action::Record(Record::Spared {
                    lane,
                    reason: Reason::OverLimit,
                    ..
                }) => self.doubt_usage(*lane),
                Action::Record(Record::LetGo { document, .. }) => self.looking.forget(document),
                Action::AskEditor { .. } | Action::Resync { .. } | Action::Record(_) => {}
            }
            self.actions.push_back(action);
        }
        let calls = &self.calls;
        self.contexts.let_go(|spot| calls.is_any_at(spot));
    }
}

/// Which documents have to be judged.
enum Judged {
    Nothing,
    One(DocumentId),
    All,
}
