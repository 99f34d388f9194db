//! [`Server`]: what the client says goes in, what it is told comes out, and an engine is between.
//!
//! It has no connection; [`drive`](crate::drive) has. It cannot fail: a message that makes no sense
//! is answered with an error, or said in the editor's log. Slow work runs in the engine's tasks or in
//! its own, and [`Server::turn`] takes in the results. It waits in one place only
//! ([`Server::wait_for_settings`]), for a moment, where a person asks while settings are being read.
//!
//! Absent on purpose: every decision about suggestions, which is the machine's, and writing to the
//! workspace.

use std::collections::{BTreeMap, VecDeque};
use std::future::pending;
use std::io;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, MutexGuard};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use foretell_core::{Core, Event, FaultReport};
use foretell_engine::{ContextReport, Engine, SharedObserver};
use foretell_text::{LaneKind, PositionEncoding};
use gen_lsp_types::{LogMessageParams, MessageType, ShowMessageParams};
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId as MessageId, Response};
use serde::Serialize;
use serde_json::Value;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep_until, timeout};

use crate::change_reasons::ChangeReasons;
use crate::client_abilities::ClientAbilities;
use crate::client_questions::{ClientQuestion, ClientQuestions};
use crate::copilot_client::CopilotClient;
use crate::drive::SessionEnd;
use crate::message_class::{heard_class, told_class};
use crate::offered_texts::OfferedTexts;
use crate::pending::PendingAnswers;
use crate::pending_index_updates::PendingIndexUpdates;
use crate::progress::ShownProgress;
use crate::server_options::ServerOptions;
use crate::session_environment::SessionEnvironment;
use crate::session_metrics::{self, SessionMetrics};
use crate::status_notifier::StatusNotifier;
use crate::tasks::{SessionTasks, TaskOutcome};
use crate::wire_types::TraceLevel;
use foretell_journal::Journal;
use foretell_journal::NumberBook;
use foretell_journal::WhyContext;
use foretell_observe::record::Recorder;

/// How long the end of a session takes at most, but for a recording that is still being written. With
/// what the process does after it, this is less than the second that a client has to wait.
const PATIENCE: Duration = Duration::from_millis(500);

/// The language server.
pub(crate) struct Server {
    pub(crate) engine: Engine,
    pub(crate) stage: SessionStage,
    pub(crate) abilities: ClientAbilities,
    pub(crate) copilot: CopilotClient,
    pub(crate) status_notifier: StatusNotifier,
    /// The unit of columns, as agreed with the client.
    pub(crate) encoding: PositionEncoding,
    /// How much the client wants to be told of what is done.
    pub(crate) trace: TraceLevel,
    pub(crate) pending: PendingAnswers,
    pub(crate) offered: OfferedTexts,
    pub(crate) change_reasons: ChangeReasons,
    pub(crate) environment: SessionEnvironment,
    pub(crate) pending_index_updates: PendingIndexUpdates,
    pub(crate) shown: ShownProgress,
    pub(crate) questions: ClientQuestions,
    pub(crate) tasks: SessionTasks,
    journal: SharedObserver<Journal>,
    /// The metrics, if they are served.
    pub(crate) metrics: Option<SessionMetrics>,
    /// The faults of settings that were shown.
    pub(crate) said: Vec<String>,
    /// Why lanes were left alone when that was last shown.
    pub(crate) rested: BTreeMap<LaneKind, String>,
    /// Whether it was said that limits by the day cannot be kept.
    is_usage_unkept: bool,
    /// A failed start that the client is told of as soon as it may be.
    pub(crate) unsaid: Option<String>,
    recorder: Option<Recorder>,
    outbox: VecDeque<Message>,
}

/// How far a session has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SessionStage {
    /// The client has not said `initialize`.
    New,
    Running,
    /// The client has said `shutdown`, and will say `exit`.
    ShutDown,
    Ended(SessionEnd),
}

impl Server {
    /// A server that has heard nothing yet. `unreadable` counts the messages that could not be read.
    pub(crate) fn new(mut start: ServerOptions, unreadable: Arc<AtomicU64>) -> Self {
        let (metrics, unsaid) = match start
            .metrics
            .map(|at| SessionMetrics::begin(at, unreadable))
        {
            None => (None, None),
            Some(Ok(metrics)) => (Some(metrics), None),
            Some(Err(why)) => (None, Some(why.to_string())),
        };
        let recording = start.recording.take();
        let environment = SessionEnvironment::new(start);
        let engine = Engine::new(environment.settings(), environment.surroundings());
        let mut engine = match environment.predictor() {
            Some(predictor) => engine.with_predictor(predictor),
            None => engine,
        };
        let journal = SharedObserver::<Journal>::default();
        engine.observe(journal.clone());
        let recorder = recording.map(|recording| {
            tracing::info!(target: "foretell", "recording to {}", recording.path().display());
            let began = (engine.now(), engine.settings());
            let (recorder, observer) = Recorder::start(recording, began.0, began.1);
            engine.observe(observer);
            recorder
        });
        Server {
            engine,
            stage: SessionStage::New,
            abilities: ClientAbilities::default(),
            copilot: CopilotClient::default(),
            status_notifier: StatusNotifier::default(),
            encoding: PositionEncoding::default(),
            trace: TraceLevel::default(),
            pending: PendingAnswers::default(),
            offered: OfferedTexts::default(),
            change_reasons: ChangeReasons::default(),
            environment,
            pending_index_updates: PendingIndexUpdates::default(),
            shown: ShownProgress::default(),
            questions: ClientQuestions::default(),
            tasks: SessionTasks::new(),
            journal,
            metrics,
            said: Vec::new(),
            rested: BTreeMap::new(),
            is_usage_unkept: false,
            unsaid,
            recorder,
            outbox: VecDeque::new(),
        }
    }

    /// Takes what the client says.
    pub(crate) fn handle(&mut self, message: Message) {
        let class = heard_class(&message);
        self.numbers(|it| it.heard(class));
        let began = Instant::now();
        self.look_at_settings();
        self.look_at_recording();
        match message {
            Message::Request(request) => self.handle_request(request),
            Message::Notification(notification) => self.handle_notification(notification),
            Message::Response(response) => self.handle_response(response),
        }
        self.tell_status();
        self.numbers(|it| it.handled(class, began.elapsed()));
    }

    /// The client is gone without a word.
    pub(crate) fn gone(&mut self) {
        self.stage = match self.stage {
            SessionStage::New | SessionStage::Running => {
                SessionStage::Ended(SessionEnd::WithoutShutdown)
            }
            SessionStage::ShutDown => SessionStage::Ended(SessionEnd::AfterShutdown),
            SessionStage::Ended(ended) => SessionStage::Ended(ended),
        };
    }

    /// The next message to the client, until there is none.
    pub(crate) fn poll_message(&mut self) -> Option<Message> {
        self.outbox.pop_front()
    }

    /// How it ended, once it has.
    pub(crate) fn ended(&self) -> Option<SessionEnd> {
        match self.stage {
            SessionStage::Ended(ended) => Some(ended),
            SessionStage::New | SessionStage::Running | SessionStage::ShutDown => None,
        }
    }

    /// Waits until something has come of what was begun, and deals with it. Dropping it before it ends
    /// loses nothing.
    pub(crate) async fn turn(&mut self) {
        let at = async |due| match due {
            Some(due) => sleep_until(due).await,
            None => pending().await,
        };
        let (rested, restored) = (
            at(self.pending_index_updates.next()),
            at(self.status_changes_at()),
        );
        let done = tokio::select! {
            biased;
            () = self.engine.turn() => TaskOutcome::Nothing,
            done = self.tasks.next() => done,
            () = rested => {
                self.file_documents();
                TaskOutcome::Nothing
            }
            // The message follows below.
            () = restored => TaskOutcome::Nothing,
            ask = session_metrics::asked(&mut self.metrics) => {
                ask.answer(self.rows());
                TaskOutcome::Nothing
            }
        };
        match done {
            TaskOutcome::Read(read) => self.loaded(*read),
            TaskOutcome::NotRead => self.not_loaded(),
            TaskOutcome::Nothing => {}
            TaskOutcome::Looked { is_current } => {
                if self.environment.looked(is_current) {
                    self.load();
                }
                self.hold_models();
            }
            TaskOutcome::Found(request, found) => self.send(Response::new_ok(request, *found)),
            TaskOutcome::Broke(request) => {
                let code = ErrorCode::InternalError as i32;
                let why = "it broke, by a fault of Foretell's".to_owned();
                self.send(Response::new_err(request, code, why));
            }
            TaskOutcome::Index(progress) => self.show(progress),
            TaskOutcome::ClientEnded => self.gone(),
        }
        self.look_at_recording();
        self.look_at_usage();
        self.perform_all();
        self.tell_status();
    }

    /// Answers all that is asked, and begins nothing any more. Nothing is decided from then on, so that
    /// the last of a recording is written while the client still has something to say.
    pub(crate) fn begin_to_end(&mut self) {
        self.tell(Event::ShuttingDown);
        if let Some(recorder) = &self.recorder {
            recorder.finish();
        }
        for request in self.tasks.cancel_all() {
            self.send(cancelled(request, "the server is shutting down"));
        }
    }

    /// Stops all that runs, quickly. Slower work ends with the process, which harms nothing on disk.
    /// Only a recording is waited for as long as it is being written: no line of it is to be lost.
    pub(crate) async fn end(mut self) {
        self.tasks.stop();
        let indexes = self.environment.indexes().cloned();
        let stop = spawn_blocking(move || indexes.iter().for_each(|it| it.stop()));
        let mut recorder = self.recorder.take();
        let record = async {
            match &mut recorder {
                Some(recorder) => recorder.written(PATIENCE / 2).await,
                None => true,
            }
        };
        let end = async {
            let _ = tokio::join!(self.engine.shut_down(), stop);
        };
        let (_, is_written) = tokio::join!(timeout(PATIENCE, end), record);
        if let Some(stopped) = recorder.as_mut().and_then(Recorder::news) {
            tracing::error!(target: "foretell", "{stopped}");
        }
        if !is_written {
            tracing::error!(target: "foretell", "the last of the recording was not written");
        }
        tracing::info!(target: "foretell", "the session has ended");
    }

    /// Finds something for a request, which is answered later.
    pub(crate) fn find(
        &mut self,
        request: &MessageId,
        found: impl Future<Output = ContextReport> + Send + 'static,
    ) {
        if let Some(oldest) = self.tasks.find(request.clone(), found) {
            self.send(cancelled(oldest, "too much is asked at once"));
        }
    }

    /// The machine, to look at.
    pub(crate) fn core(&self) -> &Core {
        self.engine.core()
    }

    /// Tells the machine that something happened, and does what it says.
    pub(crate) fn tell(&mut self, event: Event) {
        self.engine.tell(event);
        self.perform_all();
    }

    pub(crate) fn send(&mut self, message: impl Into<Message>) {
        let message = message.into();
        self.numbers(|it| it.told(told_class(&message)));
        self.outbox.push_back(message);
    }

    /// Counts something that only this crate sees.
    pub(crate) fn numbers(&self, count: impl FnOnce(&mut NumberBook)) {
        count(self.journal.lock().numbers_mut());
    }

    pub(crate) fn notify(&mut self, method: &str, params: impl Serialize) {
        self.send(Notification::new(method.to_owned(), params));
    }

    /// Shows words to the person.
    pub(crate) fn show_words(&mut self, how: MessageType, words: impl Into<String>) {
        let params = ShowMessageParams::new(how, words.into());
        self.notify("window/showMessage", params);
    }

    /// Says something in the editor's log, and in ours. Never what a document says.
    pub(crate) fn log(&mut self, message: String) {
        tracing::warn!(target: "foretell", "{message}");
        let params = LogMessageParams::new(MessageType::Warning, message);
        self.notify("window/logMessage", params);
    }

    /// Asks the client something. `dispatch` takes the answer.
    pub(crate) fn ask_client(&mut self, method: &str, params: Value, question: ClientQuestion) {
        let id = self.questions.put(question);
        self.send(Request::new(id, method.to_owned(), params));
    }

    /// Calls `ask` with the journal and everything a question about decisions needs besides.
    pub(crate) fn with_known<T>(&self, ask: impl FnOnce(&Journal, &WhyContext<'_>) -> T) -> T {
        let clock = SystemTime::now().duration_since(UNIX_EPOCH);
        let clock = clock.unwrap_or_default().as_millis();
        let known = WhyContext {
            now: self.engine.now(),
            clock: u64::try_from(clock).unwrap_or(u64::MAX),
            core: self.core(),
            settings: &self.engine.settings(),
            fault: &|lane| fault_of(&self.engine, lane),
            learned_from: &|request| self.engine.learned_from(request).cloned(),
            excluded: &|document| self.engine.excluded(document),
            contested: self.environment.contested(),
        };
        ask(&self.journal.lock(), &known)
    }

    /// Says that the recording has stopped, once, when there is somebody to be told.
    fn look_at_recording(&mut self) {
        if self.stage != SessionStage::Running {
            return;
        }
        let news = self.recorder.as_mut().and_then(Recorder::news);
        if let Some(stopped) = news {
            self.log(stopped.clone());
            self.show_words(MessageType::Warning, stopped);
        }
    }

    /// Says that limits by the day cannot be kept, once each time that it begins.
    fn look_at_usage(&mut self) {
        let why = self.engine.usage_unkept().map(usage_unkept);
        let was_said = std::mem::replace(&mut self.is_usage_unkept, why.is_some());
        if let Some(why) = why.filter(|_| !was_said) {
            self.log(why);
        }
    }

    /// Does all that the machine has ordered.
    pub(crate) fn perform_all(&mut self) {
        while let Some(order) = self.engine.poll_order() {
            self.perform(&order);
        }
    }

    /// The journal, to look at.
    pub(crate) fn journal(&self) -> MutexGuard<'_, Journal> {
        self.journal.lock()
    }
}

/// The warning that usage cannot be written, and what follows from it.
pub(crate) fn usage_unkept(why: &io::Error) -> String {
    format!(
        "limits by the day are kept for this process alone: usage cannot be written ({why}); make \
         room for it, or run foretell doctor"
    )
}

/// How a lane broke when it was last asked.
fn fault_of(engine: &Engine, lane: LaneKind) -> Option<FaultReport> {
    let fault = engine.fault(lane)?;
    Some(FaultReport {
        kind: fault.failure.kind,
        says: Arc::clone(&fault.says),
    })
}

/// The answer to a request that was dropped.
pub(crate) fn cancelled(request: MessageId, why: &str) -> Response {
    let code = ErrorCode::RequestCanceled as i32;
    Response::new_err(request, code, why.to_owned())
}
