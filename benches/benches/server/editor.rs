//! An editor at the other end of the pipes: it starts the server, says things, waits for the answers,
//! and looks at what the process has cost.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How many of the system's ticks a second has; it is 100 wherever anybody has looked.
const TICKS: f64 = 100.0;

/// A server and who speaks with it.
pub(crate) struct Editor {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    asked: i64,
    /// Where the server wants to be asked for edits, since this was last looked at.
    pub(crate) triggers: Vec<Value>,
}

/// What a process has of memory, in MB.
#[derive(Clone, Copy, Default)]
pub(crate) struct Memory {
    pub(crate) all: f64,
    pub(crate) own: f64,
    pub(crate) files: f64,
    pub(crate) most: f64,
}

impl Editor {
    /// Starts a server that has nothing of the person's, and says nothing to it.
    pub(crate) fn start(binary: &Path, home: &Path, arguments: &[&str]) -> Self {
        let mut process = Command::new(binary)
            .arg("lsp")
            .args(arguments)
            .env("XDG_CACHE_HOME", home.join("cache"))
            .env("XDG_CONFIG_HOME", home.join("config"))
            .env("XDG_STATE_HOME", home.join("state"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server starts");
        let input = process.stdin.take().expect("a pipe");
        let output = process.stdout.take().expect("a pipe");
        Editor {
            process,
            input,
            output: BufReader::new(output),
            asked: 0,
            triggers: Vec::new(),
        }
    }

    /// Starts one, and is ready to work, in a folder if there is one.
    pub(crate) fn ready(
        binary: &Path,
        home: &Path,
        arguments: &[&str],
        folder: Option<&Path>,
    ) -> Self {
        let mut editor = Editor::start(binary, home, arguments);
        editor.initialize(folder);
        editor.notify("initialized", json!({}));
        editor
    }

    pub(crate) fn initialize(&mut self, folder: Option<&Path>) {
        let root = folder.map(|it| format!("file://{}", it.display()));
        let experimental = json!({ "foretell": { "reportsRejections": true } });
        let params = json!({ "rootUri": root, "capabilities": { "experimental": experimental } });
        self.result("initialize", params);
    }

    pub(crate) fn open(&mut self, uri: &str, language: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": language, "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Says something to which there is no answer.
    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        let body = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        self.write(&framed(&body));
    }

    /// Asks, and gets the answer.
    pub(crate) fn result(&mut self, method: &str, params: Value) -> Value {
        let (id, bytes) = self.request(method, params);
        self.write(&bytes);
        self.answer(id)
    }

    /// Asks right behind other words, and says how long the answer took from the first of them.
    pub(crate) fn time_behind(
        &mut self,
        before: Vec<u8>,
        method: &str,
        params: Value,
    ) -> (Duration, Value) {
        let (id, bytes) = self.request(method, params);
        let mut all = before;
        all.extend(bytes);
        let start = Instant::now();
        self.write(&all);
        let answer = self.answer(id);
        (start.elapsed(), answer)
    }

    /// How long an answer takes.
    pub(crate) fn time(&mut self, before: Vec<u8>, method: &str, params: Value) -> Duration {
        self.time_behind(before, method, params).0
    }

    /// Asks without waiting.
    pub(crate) fn ask(&mut self, method: &str, params: Value) {
        let (_, bytes) = self.request(method, params);
        self.write(&bytes);
    }

    /// The same right behind other words.
    pub(crate) fn ask_behind(&mut self, before: Vec<u8>, method: &str, params: Value) {
        let (_, bytes) = self.request(method, params);
        let mut all = before;
        all.extend(bytes);
        self.write(&all);
    }

    /// The answer to a request; what else comes is passed over.
    fn answer(&mut self, id: i64) -> Value {
        loop {
            let message = self.hear();
            if message["method"] == "foretell/trigger" {
                self.triggers.push(message["params"].clone());
            }
            if message["id"] == id && message.get("method").is_none() {
                return message.get("result").cloned().unwrap_or_default();
            }
        }
    }

    fn request(&mut self, method: &str, params: Value) -> (i64, Vec<u8>) {
        self.asked += 1;
        let body =
            json!({ "jsonrpc": "2.0", "id": self.asked, "method": method, "params": params });
        (self.asked, framed(&body))
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) {
        self.input.write_all(bytes).expect("it is read");
        self.input.flush().expect("it is read");
    }

    fn hear(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.output.read_line(&mut line).expect("a header");
            if let Some(said) = line.trim().strip_prefix("Content-Length: ") {
                length = said.parse().expect("a length");
            }
            if line.trim().is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).expect("a body");
        serde_json::from_slice(&body).expect("JSON")
    }

    /// What the server has of memory.
    pub(crate) fn memory(&self) -> Memory {
        let status = format!("/proc/{}/status", self.process.id());
        let status = fs::read_to_string(status).unwrap_or_default();
        let megabytes = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            let kilobytes = line.and_then(|it| it.split_whitespace().nth(1)?.parse::<f64>().ok());
            kilobytes.unwrap_or_default() / 1024.0
        };
        Memory {
            all: megabytes("VmRSS"),
            own: megabytes("RssAnon"),
            files: megabytes("RssFile"),
            most: megabytes("VmHWM"),
        }
    }

    /// How long the server has worked, in seconds of a core.
    pub(crate) fn worked(&self) -> f64 {
        let stat = format!("/proc/{}/stat", self.process.id());
        let stat = fs::read_to_string(stat).unwrap_or_default();
        let (_, fields) = stat.rsplit_once(')').unwrap_or_default();
        let ticks = fields.split_whitespace().skip(11).take(2);
        ticks.filter_map(|it| it.parse::<f64>().ok()).sum::<f64>() / TICKS
    }

    /// How long a thread of the server has worked, in seconds of a core.
    pub(crate) fn worked_by(&self, thread: &str) -> f64 {
        let threads = fs::read_dir(format!("/proc/{}/task", self.process.id()));
        let threads = threads.into_iter().flatten().flatten().map(|it| it.path());
        let is_it = |path: &PathBuf| {
            let name = fs::read_to_string(path.join("comm"));
            name.is_ok_and(|name| name.trim_end() == thread)
        };
        let nanos = threads.filter(is_it).filter_map(|path| {
            let stat = fs::read_to_string(path.join("schedstat")).ok()?;
            stat.split_whitespace().next()?.parse::<f64>().ok()
        });
        nanos.sum::<f64>() / 1e9
    }

    /// Leaves as an editor should.
    pub(crate) fn leave(mut self) {
        self.result("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        let _ = self.process.wait();
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A message as bytes.
pub(crate) fn framed(body: &Value) -> Vec<u8> {
    let body = body.to_string();
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

/// A change of a document at a place, as bytes.
pub(crate) fn typed(uri: &str, version: usize, (line, column): (u32, u32), text: &str) -> Vec<u8> {
    let at = json!({ "line": line, "character": column });
    let change = json!({ "range": { "start": at, "end": at }, "text": text });
    let document = json!({ "uri": uri, "version": version });
    let params = json!({ "textDocument": document, "contentChanges": [change] });
    framed(&json!({ "jsonrpc": "2.0", "method": "textDocument/didChange", "params": params }))
}

/// What is asked for a suggestion at a place: 1 because the person wants one, 2 by itself.
pub(crate) fn asked(uri: &str, kind: u32, (line, column): (u32, u32)) -> Value {
    json!({
        "textDocument": { "uri": uri },
        "position": { "line": line, "character": column },
        "context": { "triggerKind": kind },
    })
}
