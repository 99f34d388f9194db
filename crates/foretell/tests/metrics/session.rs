//! A server with metrics, an editor at its pipes, and a scraper at its port.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::exposition::Scrape;
use crate::framed;
use crate::workspace::Workspace;

/// Far longer than anything here takes, on any machine.
const LONG: Duration = Duration::from_secs(30);

pub(crate) struct Session {
    pub(crate) process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    errors: BufReader<ChildStderr>,
    asked: i64,
    /// What was told besides answers.
    pub(crate) told: Vec<Value>,
}

impl Session {
    pub(crate) fn start(workspace: &Workspace, arguments: &[&str]) -> Self {
        let mut process = workspace
            .command("lsp", arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary under test starts");
        Session {
            input: process.stdin.take().expect("a pipe"),
            output: BufReader::new(process.stdout.take().expect("a pipe")),
            errors: BufReader::new(process.stderr.take().expect("a pipe")),
            process,
            asked: 0,
            told: Vec::new(),
        }
    }

    /// Where metrics are, as the log says.
    pub(crate) fn address(&mut self) -> String {
        let mut line = String::new();
        self.errors.read_line(&mut line).expect("a line of the log");
        let found = line.split_once("metrics are at http://");
        let (_, address) = found.unwrap_or_else(|| unreachable!("{line}"));
        let address = address.trim_end().strip_suffix("/metrics");
        address.expect("a path").to_owned()
    }

    pub(crate) fn begin(&mut self) {
        let experimental = json!({ "foretell": { "reportsRejections": true } });
        let params = json!({ "capabilities": { "experimental": experimental } });
        self.result("initialize", params);
        self.notify("initialized", json!({}));
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.write(&json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string());
    }

    pub(crate) fn write(&mut self, body: &str) {
        framed::say(&mut self.input, body);
    }

    /// Asks, and gets the answer with what is around it.
    pub(crate) fn answer(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.write(&request.to_string());
        loop {
            let message = self.hear();
            if message["id"] == id && message["method"].is_null() {
                return message;
            } else {
                self.told.push(message)
            }
        }
    }

    pub(crate) fn result(&mut self, method: &str, params: Value) -> Value {
        self.answer(method, params)["result"].take()
    }

    pub(crate) fn hear(&mut self) -> Value {
        framed::hear(&mut self.output)
    }

    /// Says goodbye, and what the log has said since the last line that was read of it.
    pub(crate) fn leave(mut self) -> String {
        self.result("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        let status = self.process.wait().expect("it ends");
        assert_eq!(status.code(), Some(0));
        let mut log = String::new();
        self.errors.read_to_string(&mut log).expect("text");
        log
    }
}

/// The page at an address, as it is.
pub(crate) fn page(address: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("somebody listens");
    stream.set_read_timeout(Some(LONG)).expect("a socket");
    let request = format!("GET /metrics HTTP/1.1\r\nHost: {address}\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("it is read");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
    assert!(head.starts_with("HTTP/1.1 200 OK\r\n"), "{head}");
    body.to_owned()
}

pub(crate) fn scrape(address: &str) -> Scrape {
    Scrape::read(&page(address))
}
