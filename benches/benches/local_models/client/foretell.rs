//! Foretell's language server, as an editor that knows nothing of it has it: by its pipes, with a request
//! after every change.
//!
//! It is never told what was shown or accepted. A request that a newer one replaces is taken back, as VS
//! Code does it, or left to be superseded, as Neovim does. Where the server asks to be asked
//! (`foretell/trigger`) it is. Its other lanes are off: what is on the screen came from the model.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::mpsc;

use super::Client;
use crate::desk::{Desk, ScreenChange};
use crate::session::OpenedDocument;

/// How the editor gives up a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GivingUp {
    /// By `$/cancelRequest`, as VS Code.
    Cancel,
    /// By asking again, as Neovim.
    Supersede,
}

/// How Foretell asks the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ModelKind {
    LlamaCpp,
    OpenAi,
}

/// What an editor starts it with.
pub(crate) struct ForetellSetup {
    pub(crate) binary: PathBuf,
    /// Where it may keep things.
    pub(crate) home: PathBuf,
    /// Where the workspace is, if there is one on the disk.
    pub(crate) folder: Option<PathBuf>,
    pub(crate) giving_up: GivingUp,
    pub(crate) kind: ModelKind,
    /// A name of the server's machine, where its number would say that it is this one.
    pub(crate) host: Option<String>,
    /// Whether the editor tells where the cursor is, as our own extensions do.
    pub(crate) tells_selections: bool,
    /// More settings, each `NAME=VALUE`.
    pub(crate) settings: Vec<String>,
}

impl ForetellSetup {
    fn arguments(&self, server: SocketAddr) -> Vec<String> {
        let (host, port) = (self.host.clone(), server.port());
        let host = host.unwrap_or_else(|| server.ip().to_string());
        let mut settings = vec![
            format!("lanes.fim.url=http://{host}:{port}"),
            "lanes.fim.allowInsecure=true".to_owned(),
            "lanes.nextEdit.enabled=false".to_owned(),
            "lanes.fix.enabled=false".to_owned(),
        ];
        match self.kind {
            ModelKind::LlamaCpp => settings.push("lanes.fim.kind=llama-cpp".to_owned()),
            ModelKind::OpenAi => settings.extend([
                "lanes.fim.kind=openai".to_owned(),
                "lanes.fim.model=qwen2.5-coder-shape".to_owned(),
                "lanes.fim.template=qwen".to_owned(),
            ]),
        }
        settings.extend(self.settings.iter().cloned());
        let flags = settings.into_iter().flat_map(|it| ["--set".to_owned(), it]);
        ["lsp".to_owned()].into_iter().chain(flags).collect()
    }

    /// A command of the binary that has nothing of the person's.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.binary);
        command
            .env("XDG_CACHE_HOME", self.home.join("cache"))
            .env("XDG_CONFIG_HOME", self.home.join("config"))
            .env("XDG_STATE_HOME", self.home.join("state"))
            .stderr(Stdio::null())
            .kill_on_drop(true);
        command
    }
}

/// The server, and an editor at the other end of its pipes.
pub(crate) struct ForetellClient {
    process: Child,
    said: mpsc::UnboundedSender<Vec<u8>>,
    heard: mpsc::UnboundedReceiver<Value>,
    root: String,
    giving_up: GivingUp,
    tells_selections: bool,
    requests: i64,
    /// The request that is not answered yet.
    pending: Option<i64>,
}

impl ForetellClient {
    /// Starts the server, and waits until it is ready.
    pub(crate) async fn start(setup: &ForetellSetup, server: SocketAddr) -> Self {
        let mut process = setup
            .command()
            .args(setup.arguments(server))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let said = write_all(process.stdin.take().expect("it is piped"));
        let heard = read_all(process.stdout.take().expect("it is piped"));
        let folder = setup.folder.as_deref().unwrap_or(Path::new("/w"));
        let mut client = ForetellClient {
            process,
            said,
            heard,
            root: format!("file://{}", folder.display()),
            giving_up: setup.giving_up,
            tells_selections: setup.tells_selections,
            requests: 0,
            pending: None,
        };
        let root = setup.folder.as_ref().map(|_| client.root.clone());
        let capabilities = json!({
            "textDocument": { "inlineCompletion": {} },
            "general": { "positionEncodings": ["utf-16"] },
        });
        let params = json!({ "rootUri": root, "capabilities": capabilities });
        client.result("initialize", params).await;
        client.notify("initialized", json!({}));
        // By the time it has said how it is, it has read its settings.
        client.result("foretell/status", Value::Null).await;
        client
    }

    fn uri(&self, path: &str) -> String {
        format!("{}/{path}", self.root)
    }

    fn ask(&mut self, desk: &Desk) {
        let pending = self.pending.take();
        if let (Some(id), GivingUp::Cancel) = (pending, self.giving_up) {
            self.notify("$/cancelRequest", json!({ "id": id }));
        }
        let params = json!({
            "textDocument": { "uri": self.uri(&desk.path) },
            "position": desk.document().position(desk.cursor),
            "context": { "triggerKind": 2 },
        });
        self.pending = Some(self.request("textDocument/inlineCompletion", params));
    }

    fn request(&mut self, method: &str, params: Value) -> i64 {
        self.requests += 1;
        let id = self.requests;
        self.say(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    fn notify(&self, method: &str, params: Value) {
        self.say(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn say(&self, message: &Value) {
        let body = message.to_string();
        let framed = format!("Content-Length: {}\r\n\r\n{body}", body.len());
        // Whether it is still there is found out by listening.
        let _ = self.said.send(framed.into_bytes());
    }

    /// Asks, and waits for the answer; what else is said is passed over.
    async fn result(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        loop {
            let message = self.message().await;
            if message["id"] == id && message.get("method").is_none() {
                return message["result"].clone();
            }
        }
    }

    async fn message(&mut self) -> Value {
        let message = self.heard.recv().await;
        message.expect("the language server goes on")
    }

    /// What an answer puts on the screen.
    fn drawn(desk: &Desk, message: &Value) -> Option<ScreenChange> {
        // A request that was given up leaves the screen as it is.
        let items = message.get("result")?["items"].as_array()?;
        let Some(item) = items.first() else {
            return Some(ScreenChange::Clear);
        };
        let document = desk.document();
        let text = item["insertText"].as_str()?;
        let start = document.offset(&item["range"]["start"]);
        let typed = document
            .text
            .get(start.unwrap_or(desk.cursor)..desk.cursor)?;
        let rest = text.strip_prefix(typed)?;
        Some(ScreenChange::Show(rest.to_owned()))
    }
}

impl Client for ForetellClient {
    fn open(&mut self, desk: &Desk, opened: &OpenedDocument) {
        let _ = desk;
        let document = json!({
            "uri": self.uri(&opened.path),
            "languageId": opened.language,
            "version": 1,
            "text": opened.text,
        });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    fn change(&mut self, desk: &Desk, changes: &[Value]) -> Option<ScreenChange> {
        let uri = self.uri(&desk.path);
        let document = desk.document();
        let changed = json!({
            "textDocument": { "uri": uri, "version": document.version },
            "contentChanges": changes,
        });
        self.notify("textDocument/didChange", changed);
        if self.tells_selections {
            let at = document.position(desk.cursor);
            let selected = json!({
                "textDocument": { "uri": uri, "version": document.version },
                "selections": [{ "start": at, "end": at }],
            });
            self.notify("foretell/didChangeSelection", selected);
        }
        self.ask(desk);
        None
    }

    async fn hear(&mut self, desk: &Desk) -> Option<ScreenChange> {
        let message = self.message().await;
        match (message["method"].as_str(), message.get("id")) {
            (Some("foretell/trigger"), None) => {
                let is_here = message["params"]["textDocument"]["uri"] == self.uri(&desk.path);
                if is_here {
                    self.ask(desk);
                }
                None
            }
            (Some(_), Some(id)) => {
                self.say(&json!({ "jsonrpc": "2.0", "id": id, "result": null }));
                None
            }
            (None, Some(id)) if id.as_i64() == self.pending => {
                self.pending = None;
                Self::drawn(desk, &message)
            }
            _ => None,
        }
    }

    fn is_waiting(&self) -> bool {
        self.pending.is_some()
    }

    async fn leave(mut self) {
        self.result("shutdown", Value::Null).await;
        self.notify("exit", Value::Null);
        let _ = self.process.wait().await;
    }
}

/// Writes what is said, so that nobody waits for a pipe.
fn write_all(mut pipe: ChildStdin) -> mpsc::UnboundedSender<Vec<u8>> {
    let (said, mut to_write) = mpsc::unbounded_channel::<Vec<u8>>();
    tokio::spawn(async move {
        while let Some(bytes) = to_write.recv().await {
            if pipe.write_all(&bytes).await.is_err() || pipe.flush().await.is_err() {
                return;
            }
        }
    });
    said
}

/// Reads messages until there are no more.
fn read_all(pipe: ChildStdout) -> mpsc::UnboundedReceiver<Value> {
    let (read, heard) = mpsc::unbounded_channel();
    let mut pipe = BufReader::new(pipe);
    tokio::spawn(async move {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if !matches!(pipe.read_line(&mut line).await, Ok(1..)) {
                return;
            }
            if let Some(said) = line.trim().strip_prefix("Content-Length: ") {
                length = said.parse().expect("a length");
            }
            if !line.trim().is_empty() {
                continue;
            }
            let mut body = vec![0; length];
            if pipe.read_exact(&mut body).await.is_err() {
                return;
            }
            let message = serde_json::from_slice(&body).expect("JSON");
            if read.send(message).is_err() {
                return;
            }
        }
    });
    heard
}
