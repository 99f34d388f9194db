//! Lanes that ask a model server.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`wire`] | the server: address, key, certificates, and its answer as it comes in, within bounds |
//! | [`fim`] | what goes in at the cursor: prompt, dialect, and where an answer ends |
//! | [`chat`] | next edits and fixes: messages, and the answer as edits |
//! | [`probe`] | whether a server is there, has the model and can do what it is there for |
//! | [`control`] | control tokens: taken out of what is told, and found in what is answered |
//! | `told` | how a file is called, and how far around a text secrets are looked for |
//! | [`frame`] | what one payload of an answer says |
//! | `sent` | what is sent, told to whoever keeps it for the person |
//! | `readable` | a body as people read it |
//! | `hearing` | an answer from its first payload to the one after which no more is needed |
//!
//! A [`ModelLane`] puts them together. It is made from the settings of a lane and can be made from
//! any: what is wrong with them is said by every question, as a failure, so that whoever counts
//! failures lets it rest. The server is made ready by the first question, where certificates may be
//! read without keeping anybody waiting.
//!
//! Everything that is told passes the redactor of the request, and so does everything that is
//! answered. Giving a question up closes its connection.

pub mod chat;
pub mod control;
pub mod fim;
pub mod frame;
mod hearing;
pub mod probe;
mod readable;
mod sent;
mod told;
pub mod wire;

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use foretell_settings::settings;
use foretell_text::plain::hides_text;
use foretell_text::{FailureKind, LaneKind};
use serde_json::Value;
use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;
use tokio_util::sync::CancellationToken;

pub use self::readable::readable;
pub use self::sent::{NoteSent, Sent};

use self::chat::{ChatEnding, Question, Want};
use self::fim::{Ending, FimPrompt};
use self::hearing::{Counted, hear};
use self::wire::Server;
use crate::lane::{Asking, Fault, Lane, LaneAnswer};
use crate::redact::Marks;
use crate::request::LaneRequest;

/// A lane that asks a model server. Clones share its connections and its key.
#[derive(Clone)]
pub struct ModelLane(Arc<Shared>);

struct Shared {
    lane: LaneKind,
    settings: settings::Lane,
    server: OnceCell<Result<Server, Fault>>,
    /// Who is told what is sent, if anybody wants to know.
    notes: Option<Arc<dyn NoteSent>>,
}

impl ModelLane {
    /// The lane of some settings.
    pub fn new(lane: LaneKind, settings: &settings::Lane) -> Self {
        ModelLane::made(lane, settings, None)
    }

    /// The same, and somebody is told what it sends.
    pub fn with_notes(lane: LaneKind, settings: &settings::Lane, notes: Arc<dyn NoteSent>) -> Self {
        ModelLane::made(lane, settings, Some(notes))
    }

    fn made(lane: LaneKind, settings: &settings::Lane, notes: Option<Arc<dyn NoteSent>>) -> Self {
        ModelLane(Arc::new(Shared {
            lane,
            settings: settings.clone(),
            server: OnceCell::new(),
            notes,
        }))
    }

    /// Exactly what would be sent for a request, or nothing if there is nothing to ask.
    pub fn explain(&self, request: &LaneRequest) -> Result<Option<Message>, Fault> {
        Ok(self.0.said(request)?.map(|said| said.message))
    }

    async fn answer(&self, request: &LaneRequest) -> Result<LaneAnswer, Fault> {
        let Some(said) = self.0.said(request)? else {
            return Ok(LaneAnswer::default());
        };
        let server = self.0.server().await?;
        let Said {
            message,
            marks,
            about,
        } = said;
        let mut counted = Counted::begin(&message.body);
        let body = Bytes::from(message.body.to_string());
        let sending = || self.note(request, &server, (message.path, &body));
        let reply = server.post_bytes(message.path, body.clone(), sending);
        let reply = reply.await?;
        let answer = match about {
            About::Cursor(dialect, prompt) => {
                let mut ending = Ending::new(&prompt, &self.0.settings, &dialect);
                let read = |payload: &str| dialect.read(payload);
                let end = hear(reply, read, |text| ending.push(text), &mut counted).await;
                let used = counted.usage();
                let text = ending.finish(end.map_err(|fault| fault.after(used))?);
                fim::candidate::answer(request, &text, &*marks, used)
            }
            About::Region(dialect, question) => {
                let mut ending = ChatEnding::new(&question, dialect);
                let read = |payload: &str| dialect.read(payload);
                let end = hear(reply, read, |text| ending.push(text), &mut counted).await;
                let used = counted.usage();
                let end = end.map_err(|fault| fault.after(used))?;
                let text = ending.finish();
                let placed = chat::place(&question, request, dialect, &text, end, &*marks);
                let placed = placed.map_err(|fault| fault.after(used))?;
                LaneAnswer {
                    candidates: placed.candidates,
                    usage: used,
                    withheld: placed.withheld,
                }
            }
        };
        expect_text(answer)
    }

    /// Tells whoever wants to know what is sent now.
    fn note(&self, request: &LaneRequest, server: &Server, (path, body): (&'static str, &Bytes)) {
        if let Some(notes) = &self.0.notes {
            notes.sent(Sent {
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

/// That what a model suggests is text that people write: what is not would be noise in a document, and
/// in a terminal an order.
fn expect_text(answer: LaneAnswer) -> Result<LaneAnswer, Fault> {
    let written = answer
        .candidates
        .iter()
        .flat_map(|it| it.edit.replacements());
    let mut written = written.map(|replacement| replacement.new_text());
    match written.any(|text| text.contains(is_noise) || hides_text(text)) {
        false => Ok(answer),
        true => Err(Fault::new(
            FailureKind::MalformedStream,
            "the answer has characters in it that no text has; another model, or another template, \
             may do better",
        )
        .after(answer.usage)),
    }
}

/// Whether a character is what is left of one that was broken, or an order to a terminal.
fn is_noise(c: char) -> bool {
    let is_layout = matches!(c, '\t' | '\n' | '\r' | '\u{c}');
    c == char::REPLACEMENT_CHARACTER || (c.is_control() && !is_layout)
}

impl Lane for ModelLane {
    fn ask(&self, request: Arc<LaneRequest>, stop: CancellationToken) -> Asking {
        let lane = self.clone();
        Box::pin(async move {
            let answer = stop.run_until_cancelled(lane.answer(&request)).await;
            // Nobody hears this.
            answer.unwrap_or_else(|| Err(Fault::new(FailureKind::Broken, "it was stopped")))
        })
    }

    fn tells_others(&self) -> bool {
        true
    }
}

/// What is sent.
#[derive(Clone, PartialEq)]
pub struct Message {
    /// Where, behind the server's address.
    pub path: &'static str,
    /// What.
    pub body: Value,
}

/// Where it goes: what it says is somebody's text.
impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Message");
        shown.field("path", &self.path).finish_non_exhaustive()
    }
}

/// What is sent, and what an answer to it is about.
struct Said {
    message: Message,
    marks: Box<dyn Marks>,
    about: About,
}

enum About {
    Cursor(fim::Dialect, Box<FimPrompt>),
    Region(chat::Dialect, Box<Question>),
}

impl Shared {
    /// What to say for a request; nothing if there is nothing to ask.
    fn said(&self, request: &LaneRequest) -> Result<Option<Said>, Fault> {
        let settings = &self.settings;
        let model = settings.model_for(request.is_explicit).unwrap_or_default();
        let mut marks = request.redact.begin();
        let (path, body, about) = match Want::of(self.lane) {
            None => {
                let dialect = fim::Dialect::of(settings.kind, model, &settings.template)?;
                let prompt = FimPrompt::new(request, settings, &dialect, &mut *marks);
                let body = dialect.body(&prompt, model);
                (
                    dialect.path(),
                    body,
                    About::Cursor(dialect, Box::new(prompt)),
                )
            }
            Some(want) => {
                let dialect = chat::Dialect::of(settings.kind).ok_or_else(cannot_rewrite)?;
                // Why there is nothing to ask is for people who look into a prompt; here it is
                // nothing to suggest.
                let Ok(question) = Question::of(request, want, settings, &mut *marks) else {
                    return Ok(None);
                };
                let body = dialect.body(&question, model, settings.max_tokens);
                (
                    dialect.path(),
                    body,
                    About::Region(dialect, Box::new(question)),
                )
            }
        };
        Ok(Some(Said {
            message: Message { path, body },
            marks,
            about,
        }))
    }

    /// The server, made ready once.
    async fn server(&self) -> Result<Server, Fault> {
        let make = || async {
            let (lane, settings) = (self.lane, self.settings.clone());
            let made = spawn_blocking(move || Server::new(lane, &settings)).await;
            match made {
                Ok(made) => made.map_err(Fault::from),
                Err(_) => Err(Fault::new(FailureKind::Broken, "it panicked")),
            }
        };
        self.server.get_or_init(make).await.clone()
    }
}

fn cannot_rewrite() -> Fault {
    Fault::new(
        FailureKind::Misconfigured,
        "this kind of server only fills in at the cursor; \
         set the kind to openai-chat, openai, llama-cpp or ollama",
    )
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
