//! Lanes that ask a model server.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`format`](mod@format) | the seam: a format makes a prompt of a request, and gives the reader of its answer |
//! | [`fim`] | formats that fill in at the cursor |
//! | [`rewrite`] | the format that rewrites a region, for next edits and fixes |
//! | [`next_edit`] | the formats of models that were trained for next edits |
//! | [`server_kind`] | how each kind of server is sent a prompt, and how it frames its answer |
//! | [`server_client`] | the server: address, key, certificates, and its answer as it comes in, within bounds |
//! | [`server_facts`] | what a server says of itself: its model, its tokens, its slots |
//! | `prompt_room` | how much of a prompt a server has room for, and reads in time |
//! | [`server_speed`] | how fast servers are, in a book that lanes share |
//! | `lane_meter`, `speed_clock`, [`reading_board`] | how that is measured, and how far a server has read |
//! | [`speed_probe`] | how fast a server is with a prompt of real size |
//! | [`server_search`] | which servers run on this machine |
//! | [`probe`] | whether a server is there, has the model and can do what it is there for |
//! | [`control_tokens`] | control tokens: taken out of what is told, and found in what is answered |
//! | `redaction_margin` | how far around a text secrets are looked for |
//! | [`answer_frame`] | what one payload of an answer says |
//! | `sent_request` | requests, reported as they are sent |
//! | `readable_body` | a body as people read it |
//! | `answer_stream` | an answer from its first payload to the one after which no more is needed |
//!
//! A [`ModelLane`] puts them together. It is made from the settings of a lane and can be made from any:
//! every question then fails with what is wrong with them, so that the lane is left to rest. The server
//! is made ready by the first question, where certificates may be read without keeping anybody waiting.
//!
//! A question may be asked ahead of time ([`QuestionPurpose`]): then it is the same message, but that the
//! server only reads the prompt, or that the prompt is not remembered.
//!
//! It remembers what its last prompts were made of ([`PromptMemory`]), so that the next one is the same
//! but for its end.
//!
//! Everything that is told passes the redactor of the request, and so does everything that is
//! answered. Giving a question up closes its connection.

pub mod answer_frame;
mod answer_stream;
pub mod control_tokens;
pub mod fim;
pub mod format;
mod lane_meter;
pub mod next_edit;
pub mod probe;
mod prompt_room;
mod readable_body;
pub mod reading_board;
mod redaction_margin;
pub mod rewrite;
mod sent_request;
pub mod server_client;
pub mod server_facts;
pub mod server_kind;
pub mod server_search;
pub mod server_speed;
mod speed_clock;
pub mod speed_probe;

use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use bytes::Bytes;
use foretell_settings::settings;
use foretell_text::plain::hides_text;
use foretell_text::{FailureKind, LaneKind, LaneSpeed, PoisonedLock};
use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;
use tokio_util::sync::CancellationToken;

pub use self::readable_body::readable;
pub use self::sent_request::{SentRequest, SentRequestObserver};
pub use self::server_kind::ModelMessage;

use self::answer_stream::{UsageCounter, hear};
use self::fim::{KeptLimits, PromptMemory};
use self::format::{AnswerReader, FormatChoice, ModelPrompt, edit_format_name};
use self::lane_meter::{LaneMeter, MeteredLane};
use self::prompt_room::PromptRoom;
use self::rewrite::QuestionRefusal;
use self::server_client::ServerClient;
use self::server_facts::{AskedFacts, FactsWish, ServerFacts};
use self::server_kind::ServerKind;
use self::server_speed::SpeedBook;
use crate::lane::{
    Lane, LaneAnswer, LaneFault, LaneFuture, LaneProgress, ProgressSink, PromptReading,
};
use crate::lane_request::{LaneRequest, QuestionPurpose};

/// How many characters of text and context every server has room for, with all that is told besides.
const SURE_ROOM: usize = 2_000;

/// A lane that asks a model server. Clones share its connections and its key.
#[derive(Clone)]
pub struct ModelLane(Arc<LaneState>);

struct LaneState {
    lane: LaneKind,
    settings: settings::LaneSettings,
    server: OnceCell<Result<ServerClient, LaneFault>>,
    facts: AskedFacts,
    /// What its last prompts were made of.
    memory: Mutex<PromptMemory>,
    /// How fast its server is.
    meter: LaneMeter,
    /// Sees what is sent, if there is one.
    notes: Option<Arc<dyn SentRequestObserver>>,
}

impl ModelLane {
    /// The lane of some settings.
    pub fn new(lane: LaneKind, settings: &settings::LaneSettings) -> Self {
        ModelLane::made(lane, settings, LaneMeter::default(), None)
    }

    /// The same, with a book in which it finds and writes how fast its server is, and an observer of what it
    /// sends.
    pub fn with_book(
        lane: LaneKind,
        settings: &settings::LaneSettings,
        book: Arc<SpeedBook>,
        notes: Option<Arc<dyn SentRequestObserver>>,
    ) -> Self {
        ModelLane::made(lane, settings, LaneMeter::new(book), notes)
    }

    fn made(
        lane: LaneKind,
        settings: &settings::LaneSettings,
        meter: LaneMeter,
        notes: Option<Arc<dyn SentRequestObserver>>,
    ) -> Self {
        ModelLane(Arc::new(LaneState {
            lane,
            settings: format::with_room_for_region(lane, settings),
            server: OnceCell::new(),
            facts: AskedFacts::default(),
            memory: Mutex::default(),
            meter,
            notes,
        }))
    }

    /// A lane that measures its server: its prompts are as long as the settings let them.
    fn measuring(lane: LaneKind, settings: &settings::LaneSettings) -> Self {
        ModelLane::made(lane, settings, LaneMeter::measuring(), None)
    }

    /// Exactly what would be sent for a request, or nothing if there is nothing to ask. No server is
    /// asked, and nothing is remembered: of a server that says itself which model it has, this is what
    /// it would be sent if it did not.
    pub fn explain(&self, request: &LaneRequest) -> Result<Option<ModelMessage>, LaneFault> {
        let mut memory = self.0.memory.lock().unpoison().clone();
        let facts = ServerFacts {
            family: None,
            dialect: None,
            ..self.0.facts.known()
        };
        let room = self
            .0
            .meter
            .room_unsent(self.0.asks(request.is_explicit), facts);
        let fitted = self.0.fit(request, room);
        memory.let_grow(fitted.kept);
        let (settings, request) = fitted.parts(&self.0.settings, request);
        let prepared = self.0.prepare(request, settings, &facts, &mut memory)?;
        prepared.map(PreparedRequest::message).transpose()
    }

    /// The name of the format in which its model is asked for edits; nothing for a lane that fills in.
    pub fn edit_format(&self, request: &LaneRequest) -> Option<&'static str> {
        let settings = &self.0.settings;
        let model = settings.model_for(request.is_explicit).unwrap_or_default();
        (self.0.lane != LaneKind::Fim).then(|| edit_format_name(settings, model, None))
    }

    /// Why there is nothing to ask for a request, in words, if more is known of it.
    pub fn refusal(&self, request: &LaneRequest) -> Option<String> {
        let settings = &self.0.settings;
        let model = settings.model_for(request.is_explicit).unwrap_or_default();
        let choice = FormatChoice::of(self.0.lane, settings, model, &ServerFacts::default());
        let mut marks = request.redact.begin();
        let refused = choice.ok()?.format.refusal(request, settings, &mut *marks);
        refused.map(|why| why.to_string())
    }

    async fn answer(
        &self,
        request: &LaneRequest,
        progress: &ProgressSink,
    ) -> Result<LaneAnswer, LaneFault> {
        let state = &*self.0;
        let facts = state.facts_for_prompt(request).await?;
        let asks = state.asks(request.is_explicit);
        let fitted = state.fit(request, state.meter.room(asks, facts));
        let kept = fitted.kept;
        let (settings, request) = fitted.parts(&state.settings, request);
        let prepared = {
            let mut memory = state.memory.lock().unpoison();
            memory.turn_to(facts.for_prompts());
            memory.let_grow(kept);
            if request.purpose == QuestionPurpose::LookAhead {
                // The text may never be that: the next question goes on from the last one all the same.
                state.prepare(request, settings, &facts, &mut memory.clone())?
            } else {
                state.prepare(request, settings, &facts, &mut memory)?
            }
        };
        let Some(mut prepared) = prepared else {
            return state.unasked(request, settings, &facts);
        };
        let is_only_read = request.purpose == QuestionPurpose::Warm;
        if is_only_read {
            if !prepared.kind.keeps_prompts() {
                return Ok(LaneAnswer::default());
            }
            prepared.prompt.max_tokens = prepared.kind.least_answer();
        }
        let server = state.server().await?;
        if prepared.kind.tells_facts() {
            let facts = state
                .facts
                .get(&server, FactsWish::All, Instant::now())
                .await;
            prepared.prompt.slot = facts.slot(state.lane);
        }
        let kind = prepared.kind;
        let speed = state.meter.speed(asks, facts);
        let call = state.meter.begin(asks, &prepared.prompt.text, speed);
        let (message, mut reader) = prepared.message_and_reader()?;
        let mut counted = UsageCounter::begin(&message.body, call);
        let body = Bytes::from(message.body.to_string());
        let sending = || self.note(request, &server, message.path, &body);
        let reply = server.post_bytes(message.path, body.clone(), sending).await;
        let reply = reply.inspect_err(|fault| state.facts.hear_refusal(fault, Instant::now()))?;
        let end = hear(reply, kind, &mut *reader, &mut counted, &|made| {
            let LaneProgress::Writing(candidates) = made else {
                return progress(made);
            };
            let so_far = LaneAnswer {
                candidates,
                ..LaneAnswer::default()
            };
            if let Ok(so_far) = expect_text(so_far) {
                progress(LaneProgress::Writing(so_far.candidates));
            }
        })
        .await;
        state.meter.learn(asks, facts, counted.figures());
        let usage = counted.usage();
        // What was read of a text that may never be says nothing of the prompt before.
        if request.purpose != QuestionPurpose::LookAhead {
            state.memory.lock().unpoison().learn(usage);
        }
        if is_only_read {
            // What it says in a token or none is no answer.
            let read = end.map(|_| LaneAnswer {
                usage,
                ..LaneAnswer::default()
            });
            return read.map_err(|fault| fault.after(usage));
        }
        let answer = end.and_then(|end| reader.finish(end));
        let answer = answer.map_err(|fault| fault.after(usage))?;
        expect_text(LaneAnswer { usage, ..answer })
    }

    /// Reports what is sent now.
    fn note(&self, request: &LaneRequest, server: &ServerClient, path: &'static str, body: &Bytes) {
        if let Some(notes) = &self.0.notes {
            notes.sent(SentRequest {
                lane: self.0.lane,
                document: request.document.id.clone(),
                is_explicit: request.is_explicit,
                is_ahead: request.purpose.is_ahead(),
                to: server.address().to_string().into(),
                has_hidden_path: server.has_path(),
                path,
                body: body.clone(),
            });
        }
    }
}

/// Fails if a model suggests characters that people do not write: they would be noise in a document,
/// and an order in a terminal.
fn expect_text(answer: LaneAnswer) -> Result<LaneAnswer, LaneFault> {
    let written = answer
        .candidates
        .iter()
        .flat_map(|it| it.edit.replacements());
    let mut written = written.map(|replacement| replacement.new_text());
    if written.any(|text| text.contains(is_noise) || hides_text(text)) {
        Err(LaneFault::new(
            FailureKind::MalformedStream,
            "the answer has characters in it that no text has; another model, or another template, \
             may do better",
        )
        .after(answer.usage))
    } else {
        Ok(answer)
    }
}

/// Whether a character is what is left of one that was broken, or an order to a terminal.
fn is_noise(c: char) -> bool {
    let is_layout = matches!(c, '\t' | '\n' | '\r' | '\u{c}');
    c == char::REPLACEMENT_CHARACTER || (c.is_control() && !is_layout)
}

impl Lane for ModelLane {
    fn ask(&self, request: Arc<LaneRequest>, stop: CancellationToken) -> LaneFuture {
        self.ask_telling(request, stop, Arc::new(|_| ()))
    }

    fn ask_telling(
        &self,
        request: Arc<LaneRequest>,
        stop: CancellationToken,
        progress: ProgressSink,
    ) -> LaneFuture {
        let lane = self.clone();
        Box::pin(async move {
            let answer = lane.answer(&request, &progress);
            let answer = stop.run_until_cancelled(answer).await;
            // One that answers is as it was, whatever it says.
            let has_answered = |kind| {
                matches!(
                    kind,
                    FailureKind::Empty | FailureKind::Unplaced | FailureKind::Untold
                )
            };
            if let Some(Err(fault)) = &answer {
                if !has_answered(fault.failure.kind) {
                    lane.0.facts.doubt(Instant::now());
                }
            }
            // This is dropped.
            answer.unwrap_or_else(|| Err(LaneFault::new(FailureKind::Broken, "it was stopped")))
        })
    }

    fn speed(&self) -> Option<LaneSpeed> {
        let state = &self.0;
        let settings = &state.settings;
        let model = settings.model_for(false).unwrap_or_default();
        let facts = state.facts.known();
        let choice = FormatChoice::of(state.lane, settings, model, &facts).ok()?;
        let known = state.meter.speed(state.asks(false), facts);
        Some(LaneSpeed {
            repeats_region: choice.format.repeats_region(),
            ..known.in_whole_numbers()
        })
    }

    fn reading(&self) -> Option<PromptReading> {
        self.0.meter.reading()
    }

    fn tells_others(&self) -> bool {
        true
    }
}

/// What was made smaller for a server, if anything was.
struct FittedRequest {
    settings: Option<settings::LaneSettings>,
    request: Option<LaneRequest>,
    /// How much of what a server keeps may be told again.
    kept: Option<KeptLimits>,
}

impl FittedRequest {
    fn parts<'r>(
        &'r self,
        settings: &'r settings::LaneSettings,
        request: &'r LaneRequest,
    ) -> (&'r settings::LaneSettings, &'r LaneRequest) {
        let settings = self.settings.as_ref().unwrap_or(settings);
        (settings, self.request.as_ref().unwrap_or(request))
    }
}

/// A request that is ready to be sent, and the reader for its answer.
struct PreparedRequest<'r> {
    kind: ServerKind,
    prompt: ModelPrompt,
    model: String,
    reader: Box<dyn AnswerReader + 'r>,
}

impl<'r> PreparedRequest<'r> {
    fn message(self) -> Result<ModelMessage, LaneFault> {
        self.message_and_reader().map(|(message, _)| message)
    }

    fn message_and_reader(self) -> Result<(ModelMessage, Box<dyn AnswerReader + 'r>), LaneFault> {
        let message = self.kind.message(self.prompt, &self.model)?;
        Ok((message, self.reader))
    }
}

impl LaneState {
    /// The prompt for a request; nothing if there is nothing to ask.
    fn prepare<'r>(
        &self,
        request: &'r LaneRequest,
        settings: &settings::LaneSettings,
        facts: &ServerFacts,
        memory: &mut PromptMemory,
    ) -> Result<Option<PreparedRequest<'r>>, LaneFault> {
        let model = settings.model_for(request.is_explicit).unwrap_or_default();
        let choice = FormatChoice::of(self.lane, settings, model, facts)?;
        let FormatChoice { kind, format } = choice;
        let asked = format.prepare(request, settings, request.redact.begin(), memory);
        Ok(asked.map(|asked| PreparedRequest {
            kind,
            // However short a prompt is: a server loads its model anew for another room.
            prompt: ModelPrompt {
                room: format::room(&self.settings),
                ..asked.prompt
            },
            model: model.to_owned(),
            reader: asked.reader,
        }))
    }

    /// The answer where there is no prompt: that there is nothing to suggest, or why nobody can be asked.
    fn unasked(
        &self,
        request: &LaneRequest,
        settings: &settings::LaneSettings,
        facts: &ServerFacts,
    ) -> Result<LaneAnswer, LaneFault> {
        let model = settings.model_for(request.is_explicit).unwrap_or_default();
        let format = FormatChoice::of(self.lane, settings, model, facts)?.format;
        let mut marks = request.redact.begin();
        match format.refusal(request, settings, &mut *marks) {
            None | Some(QuestionRefusal::NoDiagnostic) => Ok(LaneAnswer::default()),
            Some(why) => Err(LaneFault::new(FailureKind::Untold, why.to_string())),
        }
    }

    /// What the server says of itself, as far as a prompt depends on it. A lane that is misconfigured
    /// asks nobody.
    async fn facts_for_prompt(&self, request: &LaneRequest) -> Result<ServerFacts, LaneFault> {
        let model = self.settings.model_for(request.is_explicit);
        let model = model.unwrap_or_default();
        let unknown = ServerFacts::default();
        let kind = FormatChoice::of(self.lane, &self.settings, model, &unknown)?.kind;
        let wish = if kind.tells_facts() {
            FactsWish::All
        } else if self.may_be_too_long(request, kind) {
            FactsWish::Room
        } else {
            let known = self.facts.known();
            return Ok(ServerFacts {
                family: None,
                dialect: None,
                ..known
            });
        };
        let server = self.server().await?;
        let facts = self.facts.get(&server, wish, Instant::now()).await;
        // A format does not depend on whether its server had to be asked for its room.
        let is_all = wish == FactsWish::All;
        Ok(ServerFacts {
            family: facts.family.filter(|_| is_all),
            dialect: facts.dialect.filter(|_| is_all),
            ..facts
        })
    }

    /// Whether a server on this machine may have no room for all that there is to tell: every server has
    /// some, and need not be asked for it.
    fn may_be_too_long(&self, request: &LaneRequest, kind: ServerKind) -> bool {
        let says_its_room = kind != ServerKind::Ollama && kind != ServerKind::Mistral;
        if !self.settings.is_on_this_machine() || !says_its_room {
            return false;
        }
        let limits = &self.settings;
        let window = limits
            .max_prefix_chars
            .saturating_add(limits.max_suffix_chars);
        let text = request.document.text.utf16_end().get().min(window);
        text.saturating_add(request.context.markdown().len()) > SURE_ROOM
    }

    /// Who asks, for the meter.
    fn asks(&self, is_explicit: bool) -> MeteredLane<'_> {
        MeteredLane {
            lane: self.lane,
            settings: &self.settings,
            is_explicit,
        }
    }

    /// A request as far as there is room for it.
    fn fit(&self, request: &LaneRequest, room: Option<PromptRoom>) -> FittedRequest {
        let settings = room.map(|room| room.limit(&self.settings));
        // Elsewhere everything that is told is paid for.
        let kept = room.filter(|_| self.settings.is_on_this_machine());
        let kept = kept.map(|room| room.limit_of_kept(&self.settings));
        let request = room
            .zip(settings.as_ref())
            .and_then(|(room, limited)| room.fit(limited, kept, request));
        FittedRequest {
            settings,
            request,
            kept,
        }
    }

    /// The server, made ready once.
    async fn server(&self) -> Result<ServerClient, LaneFault> {
        let make = || async {
            let (lane, settings) = (self.lane, self.settings.clone());
            let made = spawn_blocking(move || ServerClient::new(lane, &settings)).await;
            match made {
                Ok(made) => made.map_err(LaneFault::from),
                Err(_) => Err(LaneFault::new(FailureKind::Broken, "it panicked")),
            }
        };
        self.server.get_or_init(make).await.clone()
    }
}

/// Which lane, and nothing that it was set up with.
impl fmt::Debug for ModelLane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelLane")
            .field("lane", &self.0.lane)
            .field("kind", &self.0.settings.kind)
            .finish_non_exhaustive()
    }
}
