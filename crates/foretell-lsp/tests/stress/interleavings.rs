//! Sessions in any order: requests, cancels, changes, closes, shutdowns and clients that vanish.
//!
//! A session is a list of steps that a seed makes, and a step says everything that a client then does.
//! If one fails, it is cut down to what still fails, and printed with its seed.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use foretell_lsp::{
    ClientConnection, LaneScript, ServerConnection, ServerOptions, SessionEnd, serve,
};
use lsp_server::{Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};
use tokio::task::yield_now;
use tokio::time::{sleep, timeout};

use crate::ledger::{About, CANCELLED, INVALID, Ledger, MALFORMED, Outcome, TOO_EARLY, UNKNOWN};
use crate::random::Random;
use crate::steps::{Ending, Step, steps_of};

/// How long a session may take, on its own clock. Nothing in it takes a day.
const PATIENCE: Duration = Duration::from_secs(24 * 60 * 60);

/// How long after the last word everything has been answered: longer than any lane may think.
const SETTLED: Duration = Duration::from_secs(10 * 60);

/// What the FIM lane says.
const SCRIPT: &str = r#"[
    {"after": "let x", "insert": " = 1;"},
    {"after": "slow", "insert": "ly", "delayMs": 40},
    {"after": "never", "insert": "!", "delayMs": 3600000}
]"#;

/// How many sessions each of the tests plays.
const SESSIONS: u64 = 2_500;

#[test]
fn every_request_is_answered_once_in_the_first_quarter_of_ten_thousand_sessions() {
    play_all(0);
}

#[test]
fn every_request_is_answered_once_in_the_second_quarter_of_ten_thousand_sessions() {
    play_all(1);
}

#[test]
fn every_request_is_answered_once_in_the_third_quarter_of_ten_thousand_sessions() {
    play_all(2);
}

#[test]
fn every_request_is_answered_once_in_the_last_quarter_of_ten_thousand_sessions() {
    play_all(3);
}

fn play_all(quarter: u64) {
    let runtime = Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .build()
        .expect("a runtime");
    // Each server is started alike, and they share what takes long to make.
    let start = ServerOptions {
        script: Some(LaneScript::from_json(SCRIPT).expect("a script")),
        ..ServerOptions::default()
    };
    let play = |steps: &[Step], ending| play(&runtime, &start, steps, ending);
    for seed in quarter * SESSIONS..(quarter + 1) * SESSIONS {
        let mut random = Random::new(seed);
        let (steps, ending) = steps_of(&mut random);
        if let Err(fault) = play(&steps, ending) {
            let least = shrink(steps, |fewer| play(fewer, ending).is_err());
            let fault = play(&least, ending).err().unwrap_or(fault);
            panic!("seed {seed}: {fault}\nafter {least:?}\nand {ending:?}");
        }
    }
}

/// The steps that still fail when any half, quarter and so on of them is left out.
fn shrink(mut steps: Vec<Step>, fails: impl Fn(&[Step]) -> bool) -> Vec<Step> {
    let mut length = steps.len() / 2;
    while length > 0 {
        let mut from = 0;
        while from + length <= steps.len() {
            let mut fewer = steps.clone();
            fewer.drain(from..from + length);
            match fails(&fewer) {
                true => steps = fewer,
                false => from += length,
            }
        }
        length /= 2;
    }
    steps
}

/// Plays a session, and says what was wrong with it.
fn play(
    runtime: &Runtime,
    start: &ServerOptions,
    steps: &[Step],
    ending: Ending,
) -> Result<(), String> {
    let session = AssertUnwindSafe(|| {
        runtime.block_on(async {
            let session = timeout(PATIENCE, session(another(start), steps, ending)).await;
            session.unwrap_or_else(|_| Err("it never ended".to_owned()))
        })
    });
    catch_unwind(session).unwrap_or_else(|_| Err("it panicked".to_owned()))
}

/// One like another, which shares what takes long to make.
fn another(start: &ServerOptions) -> ServerOptions {
    ServerOptions {
        script: start.script.clone(),
        redactor: start.redactor.clone(),
        ..ServerOptions::default()
    }
}

async fn session(start: ServerOptions, steps: &[Step], ending: Ending) -> Result<(), String> {
    let (far, near) = ServerConnection::pair();
    let mut player = Player::new(near);
    let client = async {
        for step in steps {
            player.take(step).await?;
        }
        player.end(ending).await
    };
    let (ended, expected) = tokio::join!(serve(far, start), client);
    match expected? {
        Some(expected) if expected != ended => Err(format!("it ended {ended:?}, not {expected:?}")),
        Some(_) | None => Ok(()),
    }
}

/// How far a session has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    New,
    Running,
    ShutDown,
}

/// A client.
struct Player {
    connection: ClientConnection,
    ledger: Ledger,
    stage: Stage,
    version: i32,
    /// What was suggested last, by its name.
    suggested: Option<Value>,
    /// What the server wants to know.
    questions: Vec<RequestId>,
}

impl Player {
    fn new(connection: ClientConnection) -> Self {
        Player {
            connection,
            ledger: Ledger::default(),
            stage: Stage::New,
            version: 1,
            suggested: None,
            questions: Vec::new(),
        }
    }

    async fn take(&mut self, step: &Step) -> Result<(), String> {
        match step {
            Step::Initialize { id, params } => {
                let may_be = match self.stage {
                    Stage::New => Outcome::With("capabilities"),
                    Stage::Running | Stage::ShutDown => INVALID,
                };
                self.ask_now(id, "initialize", params.clone(), &[may_be])
                    .await;
                if self.stage == Stage::New {
                    self.stage = Stage::Running;
                }
            }
            Step::Suggest {
                id,
                method,
                field,
                params,
            } => {
                let about = About {
                    document: params["textDocument"]["uri"].to_string(),
                    kind: method,
                };
                self.ask(
                    id,
                    method,
                    params.clone(),
                    (&[Outcome::With(field)], Some(about)),
                )
                .await;
            }
            Step::Context { id, params } => {
                let may_be = [Outcome::With("text"), MALFORMED];
                self.ask(id, "foretell/context", params.clone(), (&may_be, None))
                    .await;
            }
            Step::Question {
                id,
                method,
                field,
                params,
            } => {
                // What is to be forgotten may not be there.
                let may_be = [Outcome::With(field), MALFORMED];
                let paths = ["/id", "/arguments/0/id"];
                let may_be = match paths.iter().any(|it| params.pointer(it).is_some()) {
                    true => may_be.as_slice(),
                    false => &may_be[..1],
                };
                self.ask(id, method, params.clone(), (may_be, None)).await;
            }
            Step::Accept { id, command } => {
                let arguments = json!([self.suggested.clone()]);
                let params = json!({ "command": command, "arguments": arguments });
                let may_be = [Outcome::Nothing, MALFORMED];
                self.ask(id, "workspace/executeCommand", params, (&may_be, None))
                    .await;
            }
            Step::Report { id, method } => {
                let name = self.suggested.clone();
                let params = json!({ "uuid": name, "uuids": [name] });
                let may_be = [Outcome::Word, MALFORMED];
                self.ask(id, method, params, (&may_be, None)).await;
            }
            Step::Malformed { id, method, params } => {
                self.ask(id, method, params.clone(), (&[MALFORMED], None))
                    .await;
            }
            Step::Unknown { id } => {
                self.ask(id, "stress/unknown", Value::Null, (&[UNKNOWN], None))
                    .await;
            }
            Step::Shutdown { id } => {
                self.ask(id, "shutdown", Value::Null, (&[Outcome::Nothing], None))
                    .await;
                if self.stage == Stage::Running {
                    self.stage = Stage::ShutDown;
                    self.ledger.end();
                }
            }
            Step::Cancel { id } => {
                self.ledger.cancel(id);
                self.notify("$/cancelRequest", json!({ "id": id })).await;
            }
            Step::Change { params } => {
                let mut params = params.clone();
                self.version += 1;
                if params["textDocument"]["version"].is_null() {
                    params["textDocument"]["version"] = self.version.into();
                }
                self.notify("textDocument/didChange", params).await;
            }
            Step::Feedback { method } => {
                let name = self.suggested.clone();
                let mut params = json!({ "id": name });
                if method.starts_with("textDocument/") {
                    params = json!({ "item": { "command": { "arguments": [name] } } });
                    params["acceptedLength"] = json!(1);
                }
                self.notify(method, params).await;
            }
            Step::Notify { method, params } => self.notify(method, params.clone()).await,
            Step::Reply { result } => {
                if let Some(id) = self.questions.pop() {
                    self.say(Response::new_ok(id, result.clone())).await;
                }
            }
            Step::Yield => yield_now().await,
            Step::Pause { millis } => sleep(Duration::from_millis(*millis)).await,
            Step::Settle => return self.settle().await,
        }
        self.listen();
        Ok(())
    }

    /// Ends the session, and says how the server must have seen it.
    async fn end(mut self, ending: Ending) -> Result<Option<SessionEnd>, String> {
        let ended = match self.stage {
            Stage::New | Stage::Running => SessionEnd::WithoutShutdown,
            Stage::ShutDown => SessionEnd::AfterShutdown,
        };
        self.ledger.end();
        if let Ending::Exit = ending {
            self.notify("exit", Value::Null).await;
        }
        let ClientConnection { says, mut reads } = self.connection;
        let says = match ending {
            // It still listens, and its end is open until the server is gone.
            Ending::Exit => Some(says),
            Ending::Mute => {
                drop(says);
                None
            }
            // Whether its last words were heard before it was missed is left open.
            Ending::Vanish => return Ok(None),
        };
        while let Some(message) = reads.recv().await {
            self.ledger.sort(message);
        }
        drop(says);
        self.ledger.check().map(|()| Some(ended))
    }

    /// Everything is answered in the end, without any other word.
    async fn settle(&mut self) -> Result<(), String> {
        sleep(SETTLED).await;
        self.listen();
        match self.ledger.open() {
            0 => self.ledger.check(),
            open => Err(format!("{open} requests are stuck: {:?}", self.ledger)),
        }
    }

    /// Asks what is answered at any time.
    async fn ask_now(&mut self, id: &RequestId, method: &str, params: Value, may_be: &[Outcome]) {
        self.ledger.ask(id, may_be, None);
        self.say(Request::new(id.clone(), method.to_owned(), params))
            .await;
    }

    /// Asks what is answered while the session runs.
    async fn ask(
        &mut self,
        id: &RequestId,
        method: &str,
        params: Value,
        (may_be, about): (&[Outcome], Option<About>),
    ) {
        match self.stage {
            Stage::New => self.ledger.ask(id, &[TOO_EARLY], None),
            Stage::Running => self.ledger.ask(id, may_be, about),
            Stage::ShutDown => self.ledger.ask(id, &[INVALID], None),
        }
        self.say(Request::new(id.clone(), method.to_owned(), params))
            .await;
    }

    async fn notify(&mut self, method: &str, params: Value) {
        self.say(Notification::new(method.to_owned(), params)).await;
    }

    async fn say(&mut self, message: impl Into<Message>) {
        let said = self.connection.says.send(message.into()).await;
        said.expect("the server listens until it is told to leave");
    }

    /// Reads what there is to read.
    fn listen(&mut self) {
        while let Ok(message) = self.connection.reads.try_recv() {
            if let Message::Response(Response {
                response_result: Ok(result),
                ..
            }) = &message
            {
                let name = ["items", "edits"]
                    .iter()
                    .find_map(|field| result[field][0]["command"]["arguments"].get(0));
                let name = name.or(result["completions"][0].get("uuid"));
                self.suggested = name.cloned().or(self.suggested.take());
            }
            if let Some(Message::Request(question)) = self.ledger.sort(message) {
                self.questions.push(question.id);
            }
        }
    }
}

#[test]
fn a_ledger_notices_what_is_wrong() {
    let id = RequestId::from(1);
    let answer = |code| Response::new_err(id.clone(), code, String::new());
    let mut ledger = Ledger::default();
    ledger.ask(&id, &[Outcome::With("items")], None);
    assert!(ledger.check().is_err(), "no answer");
    ledger.hear(answer(-32800));
    assert!(ledger.check().is_err(), "nobody cancelled it");
    ledger.cancel(&id);
    assert_eq!(ledger.check(), Ok(()));
    ledger.hear(answer(-32800));
    assert!(ledger.check().is_err(), "two answers");
    ledger.ask(&id, &[UNKNOWN], None);
    assert!(ledger.check().is_err(), "the wrong code");
    let mut ledger = Ledger::default();
    ledger.ask(&id, &[UNKNOWN, CANCELLED], None);
    ledger.ask(&id, &[CANCELLED], None);
    ledger.hear(answer(-32800));
    ledger.hear(answer(-32601));
    assert_eq!(ledger.check(), Ok(()), "whichever way round");
}
