//! Lanes that ask a model server.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`format`](mod@format) | the seam: a format makes a prompt of a request, and gives the reader of its answer |
//! | [`fim`] | formats that fill in at the cursor |
//! | [`rewrite`] | the format that rewrites a region, for next edits and fixes |
//! | [`server_kind`] | how each kind of server is sent a prompt, and how it frames its answer |
//! | [`server_client`] | the server: address, key, certificates, and its answer as it comes in, within bounds |
//! | [`server_facts`] | what a server says of itself: its model, its tokens, its slots |
//! | `context_room` | how much of a prompt a server has room for |
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
//! It remembers what its last prompts were made of ([`PromptMemory`]), so that the next one is the same
//! but for its end.
//!
//! Everything that is told passes the redactor of the request, and so does everything that is
//! answered. Giving a question up closes its connection.

pub mod answer_frame;
mod answer_stream;
mod context_room;
pub mod control_tokens;
pub mod fim;
pub mod format;
pub mod probe;
mod readable_body;
mod redaction_margin;
pub mod rewrite;
mod sent_request;
pub mod server_client;
pub mod server_facts;
pub mod server_kind;

use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use bytes::Bytes;
use foretell_settings::settings;
use foretell_text::plain::hides_text;
use foretell_text::{FailureKind, LaneKind, PoisonedLock};
use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;
use tokio_util::sync::CancellationToken;

pub use self::readable_body::readable;
pub use self::sent_request::{SentRequest, SentRequestObserver};
pub use self::server_kind::ModelMessage;

use self::answer_stream::{UsageCounter, hear};
use self::context_room::ContextRoom;
use self::fim::PromptMemory;
use self::fim::family::FimFamily;
use self::format::{AnswerReader, FormatChoice, ModelPrompt};
use self::server_client::ServerClient;
use self::server_facts::{AskedFacts, ServerFacts};
use self::server_kind::ServerKind;
use crate::lane::{Lane, LaneAnswer, LaneFault, LaneFuture, ProgressSink};
use crate::lane_request::LaneRequest;

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
    /// Sees what is sent, if there is one.
    notes: Option<Arc<dyn SentRequestObserver>>,
}

impl ModelLane {
    /// The lane of some settings.
    pub fn new(lane: LaneKind, settings: &settings::LaneSettings) -> Self {
        ModelLane::made(lane, settings, None)
    }

    /// The same, with an observer of what it sends.
    pub fn with_notes(
        lane: LaneKind,
        settings: &settings::LaneSettings,
        notes: Arc<dyn SentRequestObserver>,
    ) -> Self {
        ModelLane::made(lane, settings, Some(notes))
    }

    fn made(
        lane: LaneKind,
        settings: &settings::LaneSettings,
        notes: Option<Arc<dyn SentRequestObserver>>,
    ) -> Self {
        ModelLane(Arc::new(LaneState {
            lane,
            settings: settings.clone(),
            server: OnceCell::new(),
            facts: AskedFacts::default(),
            memory: Mutex::default(),
            notes,
        }))
    }

    /// Exactly what would be sent for a request, or nothing if there is nothing to ask. No server is
    /// asked, and nothing is remembered: of a server that says itself which model it has, this is what
    /// it would be sent if it did not.
    pub fn explain(&self, request: &LaneRequest) -> Result<Option<ModelMessage>, LaneFault> {
        let mut memory = self.0.memory.lock().unpoison().clone();
        let prepared = self
            .0
            .prepare(request, &self.0.settings, None, &mut memory)?;
        prepared.map(PreparedRequest::message).transpose()
    }

    async fn answer(
        &self,
        request: &LaneRequest,
        progress: &ProgressSink,
    ) -> Result<LaneAnswer, LaneFault> {
        let state = &*self.0;
        let facts = state.facts_for_prompt(request).await?;
        let room = facts.context_tokens;
        let room = room.map(|tokens| ContextRoom::of(tokens, &state.settings));
        let limited = room.map(|room| room.limit(&state.settings));
        let settings = limited.as_ref().unwrap_or(&state.settings);
        let context = room.and_then(|room| room.context(settings, &request.context));
        let fitting = context.map(|context| LaneRequest {
            context: Arc::new(context),
            ..request.clone()
        });
        let request = fitting.as_ref().unwrap_or(request);
        let prepared = {
            let mut memory = state.memory.lock().unpoison();
            state.prepare(request, settings, facts.family, &mut memory)?
        };
        let Some(mut prepared) = prepared else {
            return Ok(LaneAnswer::default());
        };
        let server = state.server().await?;
        if prepared.kind.tells_facts() {
            let facts = state.facts.get(&server, Instant::now()).await;
            prepared.prompt.slot = facts.slot(state.lane);
        }
        let kind = prepared.kind;
        let (message, mut reader) = prepared.message_and_reader()?;
        let mut counted = UsageCounter::begin(&message.body);
        let body = Bytes::from(message.body.to_string());
        let sending = || self.note(request, &server, message.path, &body);
        let reply = server.post_bytes(message.path, body.clone(), sending);
        let end = hear(
            reply.await?,
            kind,
            &mut *reader,
            &mut counted,
            &|candidates| {
                let so_far = LaneAnswer {
                    candidates,
                    ..LaneAnswer::default()
                };
                if let Ok(so_far) = expect_text(so_far) {
                    progress(so_far.candidates);
                }
            },
        )
        .await;
        let answer = end.and_then(|end| reader.finish(end));
        let usage = counted.usage();
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
            // This is dropped.
            answer.unwrap_or_else(|| Err(LaneFault::new(FailureKind::Broken, "it was stopped")))
        })
    }

    fn tells_others(&self) -> bool {
        true
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
        family: Option<&'static FimFamily>,
        memory: &mut PromptMemory,
    ) -> Result<Option<PreparedRequest<'r>>, LaneFault> {
        let model = settings.model_for(request.is_explicit).unwrap_or_default();
        let choice = FormatChoice::of(self.lane, settings, model, family)?;
        let FormatChoice { kind, format } = choice;
        let asked = format.prepare(request, settings, request.redact.begin(), memory);
        Ok(asked.map(|asked| PreparedRequest {
            kind,
            prompt: asked.prompt,
            model: model.to_owned(),
            reader: asked.reader,
        }))
    }

    /// What the server says of itself, as far as a prompt depends on it. A lane that is misconfigured
    /// asks nobody.
    async fn facts_for_prompt(&self, request: &LaneRequest) -> Result<ServerFacts, LaneFault> {
        let model = self.settings.model_for(request.is_explicit);
        let model = model.unwrap_or_default();
        let kind = FormatChoice::of(self.lane, &self.settings, model, None)?.kind;
        if self.lane != LaneKind::Fim || !kind.tells_facts() {
            return Ok(ServerFacts::default());
        }
        let server = self.server().await?;
        Ok(self.facts.get(&server, Instant::now()).await)
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
