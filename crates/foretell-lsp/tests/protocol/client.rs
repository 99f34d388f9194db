//! An editor for tests: speaks LSP with a server in the same process, and reads every word.
//!
//! Messages are expected in the order in which they come, and one that nobody expected fails the
//! test, at the latest when the session ends. No test waits for time to pass: an answer is waited
//! for until it is there.
#![expect(clippy::panic, reason = "this is how a test fails")]

use std::future::pending;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use foretell_lsp::{LaneScript, ServerConnection, ServerOptions, SessionEnd, serve};
use lsp_server::{Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::time::{advance, timeout};

/// How long a test waits for what must come: far longer than it takes, on any machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// The document that most tests are about.
pub(crate) const MAIN: &str = "file:///src/main.rs";

/// What the FIM lane says in these tests.
const SCRIPT: &str = r#"[
    {"after": "let x", "insert": " = 1;"},
    {"after": "let größe", "insert": " = 😀;"},
    {"after": "slow", "insert": "ly", "delayMs": 40},
    {"after": "never", "insert": "!", "delayMs": 3600000}
]"#;

/// A client and the server it speaks with.
pub(crate) struct ClientConnection {
    connection: foretell_lsp::ClientConnection,
    /// Only for its clock.
    runtime: Runtime,
    server: Option<JoinHandle<SessionEnd>>,
    /// Lets time pass for a server whose clock stands still.
    time: UnboundedSender<(Duration, mpsc::Sender<()>)>,
    asked: i32,
}

impl ClientConnection {
    /// A client that has said nothing yet.
    pub(crate) fn silent() -> Self {
        ClientConnection::start(scripted())
    }

    /// A client of a server that is started like this.
    pub(crate) fn start(start: ServerOptions) -> Self {
        ClientConnection::beside(start, runtime)
    }

    /// The same, with a clock that stands still while the server has something to do, and jumps to
    /// where it waits for when it has not.
    pub(crate) fn start_on_still_clock(start: ServerOptions) -> Self {
        ClientConnection::beside(start, || {
            let mut runtime = Builder::new_current_thread();
            let runtime = runtime.enable_all().start_paused(true).build();
            runtime.expect("a runtime")
        })
    }

    fn beside(start: ServerOptions, servers: impl FnOnce() -> Runtime + Send + 'static) -> Self {
        let (far, near) = ServerConnection::pair();
        let (time, mut passes) = unbounded_channel::<(Duration, mpsc::Sender<()>)>();
        let server = thread::spawn(move || {
            servers().block_on(async {
                let clock = async {
                    while let Some((moment, passed)) = passes.recv().await {
                        advance(moment).await;
                        passed.send(()).expect("somebody waits");
                    }
                    pending().await
                };
                tokio::select! {
                    ended = serve(far, start) => ended,
                    ended = clock => ended,
                }
            })
        });
        ClientConnection {
            connection: near,
            runtime: runtime(),
            server: Some(server),
            time,
            asked: 0,
        }
    }

    /// Lets time pass for a server whose clock stands still.
    pub(crate) fn let_pass(&self, moment: Duration) {
        let (passed, waits) = mpsc::channel();
        self.time.send((moment, passed)).expect("the server runs");
        waits.recv_timeout(PATIENCE).expect("time passes");
    }

    /// A client that is ready, and counts columns in UTF-16.
    pub(crate) fn ready() -> Self {
        ClientConnection::offering(&json!({})).0
    }

    /// A client with capabilities that is ready, and what the server can do.
    pub(crate) fn offering(capabilities: &Value) -> (Self, Value) {
        let mut client = ClientConnection::silent();
        let able = client.begin(json!({ "rootUri": null, "capabilities": capabilities }));
        (client, able)
    }

    /// Says who it is, and gets what the server can do.
    pub(crate) fn begin(&mut self, params: Value) -> Value {
        let able = self.result("initialize", params);
        self.notify("initialized", json!({}));
        able
    }

    /// A client that has a document open.
    pub(crate) fn with(text: &str) -> Self {
        let mut client = ClientConnection::ready();
        client.open(MAIN, text);
        client
    }

    pub(crate) fn open(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "rust", "version": 1, "text": text });
        let params = json!({ "textDocument": document });
        self.notify("textDocument/didOpen", params);
    }

    /// Changes the document, to a version.
    pub(crate) fn change(&mut self, version: i32, changes: Value) {
        let document = json!({ "uri": MAIN, "version": version });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.notify("textDocument/didChange", params);
    }

    /// Types at a place, which leads to a version.
    pub(crate) fn type_at(&mut self, version: i32, (line, column): (u32, u32), text: &str) {
        let at = json!({ "line": line, "character": column });
        let range = json!({ "start": at, "end": at });
        self.change(version, json!([{ "range": range, "text": text }]));
    }

    /// Asks for a suggestion, because the person wants one.
    pub(crate) fn ask(&mut self, line: u32, column: u32) -> i32 {
        self.ask_in(MAIN, 1, (line, column))
    }

    /// Asks for a suggestion in a document: 1 because the person wants one, 2 by itself.
    pub(crate) fn ask_in(&mut self, uri: &str, kind: u32, (line, column): (u32, u32)) -> i32 {
        let params = json!({
            "textDocument": { "uri": uri },
            "position": { "line": line, "character": column },
            "context": { "triggerKind": kind },
        });
        self.request("textDocument/inlineCompletion", params)
    }

    /// Asks for suggestions, and gets them.
    pub(crate) fn items(&mut self, line: u32, column: u32) -> Vec<Value> {
        let asked = self.ask(line, column);
        self.items_of(asked)
    }

    /// The suggestions that answer a request.
    pub(crate) fn items_of(&mut self, asked: i32) -> Vec<Value> {
        let result = self.answer(asked).expect("suggestions");
        result["items"].as_array().expect("a list").clone()
    }

    /// What is suggested at a place, if one thing is.
    pub(crate) fn suggested(&mut self, line: u32, column: u32) -> Option<String> {
        let items = self.items(line, column);
        assert!(items.len() <= 1, "{items:?}");
        let text = items.first().map(|item| item["insertText"].as_str());
        text.map(|text| text.expect("a text").to_owned())
    }

    pub(crate) fn request(&mut self, method: &str, params: Value) -> i32 {
        self.asked += 1;
        let id = RequestId::from(self.asked);
        self.say(Request::new(id, method.to_owned(), params));
        self.asked
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.say(Notification::new(method.to_owned(), params));
    }

    /// Asks, and gets what must be a result.
    pub(crate) fn result(&mut self, method: &str, params: Value) -> Value {
        let asked = self.request(method, params);
        self.answer(asked).expect("a result")
    }

    /// Asks, and gets what must be an error.
    pub(crate) fn error(&mut self, method: &str, params: Value) -> i32 {
        let asked = self.request(method, params);
        self.answer(asked).expect_err("an error")
    }

    /// The answer to a request, which must come next: its result, or the code of an error.
    pub(crate) fn answer(&mut self, asked: i32) -> Result<Value, i32> {
        match self.hear() {
            Message::Response(Response {
                id,
                response_result,
            }) if id == RequestId::from(asked) => response_result.map_err(|error| error.code),
            other => panic!("the answer to {asked} was to come, not {other:?}"),
        }
    }

    /// What a notification says, which must come next.
    pub(crate) fn told(&mut self, method: &str) -> Value {
        match self.hear() {
            Message::Notification(notification) if notification.method == method => {
                notification.params
            }
            other => panic!("{method} was to come, not {other:?}"),
        }
    }

    /// What the person was shown and the log was told before a request was answered, if anything.
    pub(crate) fn shown_before(&mut self, asked: i32) -> Option<Value> {
        let mut shown = None;
        loop {
            match self.hear() {
                Message::Notification(it) if it.method == "window/showMessage" => {
                    assert!(shown.is_none(), "once");
                    shown = Some(it.params);
                }
                Message::Notification(it) if it.method == "window/logMessage" => {}
                Message::Response(it) if it.id == asked.into() => return shown,
                message => unreachable!("{message:?}"),
            }
        }
    }

    /// A question of the server's, which must come next.
    pub(crate) fn asked(&mut self, method: &str) -> (RequestId, Value) {
        match self.hear() {
            Message::Request(request) if request.method == method => (request.id, request.params),
            other => panic!("{method} was to come, not {other:?}"),
        }
    }

    /// Answers a question of the server's.
    pub(crate) fn reply(&mut self, question: RequestId, answer: Value) {
        self.say(Response::new_ok(question, answer));
    }

    /// Ends the session as a client should.
    pub(crate) fn leave(mut self) {
        let result = self.result("shutdown", Value::Null);
        assert_eq!(result, Value::Null);
        assert_eq!(self.exit(), SessionEnd::AfterShutdown);
    }

    /// Says `exit`, and sees how the session ends, with every word read.
    pub(crate) fn exit(mut self) -> SessionEnd {
        self.notify("exit", Value::Null);
        let server = self.server.take().expect("it runs");
        let ended = server.join().expect("the server never panics");
        let reads = &mut self.connection.reads;
        let unread: Vec<Message> = std::iter::from_fn(|| reads.try_recv().ok()).collect();
        assert!(unread.is_empty(), "nobody expected {unread:?}");
        ended
    }

    /// Listens until the server ends by itself, without another word from it.
    pub(crate) fn outlive(mut self) -> SessionEnd {
        let reads = &mut self.connection.reads;
        let heard = self
            .runtime
            .block_on(async { timeout(PATIENCE, reads.recv()).await });
        assert!(heard.expect("it ends in time").is_none(), "a word");
        let server = self.server.take().expect("it ran");
        server.join().expect("the server never panics")
    }

    /// Goes away without a word.
    pub(crate) fn vanish(mut self) -> SessionEnd {
        let server = self.server.take().expect("it runs");
        drop(self);
        server.join().expect("the server never panics")
    }

    fn say(&self, message: impl Into<Message>) {
        let sent = self.connection.says.blocking_send(message.into());
        sent.expect("the server listens");
    }

    /// What comes next.
    pub(crate) fn hear(&mut self) -> Message {
        let reads = &mut self.connection.reads;
        let heard = self
            .runtime
            .block_on(async { timeout(PATIENCE, reads.recv()).await });
        heard
            .expect("the server answers in time")
            .expect("the server answers")
    }
}

/// What a server is started with in these tests: a script, and no directory of anybody's.
pub(crate) fn scripted() -> ServerOptions {
    let script = LaneScript::from_json(SCRIPT).expect("a script");
    ServerOptions {
        script: Some(script),
        ..ServerOptions::default()
    }
}

fn runtime() -> Runtime {
    let runtime = Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime")
}

impl Drop for ClientConnection {
    fn drop(&mut self) {
        let is_over = self.server.is_none() || thread::panicking();
        assert!(is_over, "a test must end its session");
    }
}
