//! A language server as an editor starts it, and the ends of its pipes.

#[path = "framed.rs"]
mod framed;

use std::io::{BufReader, Read};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// A server, and the ends of its pipes.
pub(crate) struct Server {
    pub(crate) process: Child,
    pub(crate) input: Option<ChildStdin>,
    pub(crate) output: BufReader<ChildStdout>,
}

impl Server {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_foretell"))
            .arg("lsp")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary under test starts");
        let input = process.stdin.take();
        let output = process.stdout.take().expect("a pipe");
        Server {
            process,
            input,
            output: BufReader::new(output),
        }
    }

    pub(crate) fn ready(arguments: &[&str]) -> Self {
        let mut server = Server::start(arguments);
        server.ask(1, "initialize", json!({ "capabilities": {} }));
        let answer = server.hear();
        assert_eq!(answer["result"]["serverInfo"]["name"], "foretell");
        server.say(&json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }));
        server
    }

    pub(crate) fn ask(&mut self, id: u32, method: &str, params: Value) {
        let mut request = json!({ "jsonrpc": "2.0", "id": id, "method": method });
        if !params.is_null() {
            request["params"] = params;
        }
        self.say(&request);
    }

    pub(crate) fn say(&mut self, message: &Value) {
        self.write(&message.to_string());
    }

    pub(crate) fn write(&mut self, body: &str) {
        let input = self.input.as_mut().expect("the pipe is open");
        framed::say(input, body);
    }

    pub(crate) fn hear(&mut self) -> Value {
        framed::hear(&mut self.output)
    }

    /// The exit status, after which there is nothing unread.
    pub(crate) fn end(mut self) -> Option<i32> {
        drop(self.input.take());
        let status = self.process.wait().expect("it ends");
        let mut unread = String::new();
        self.output.read_to_string(&mut unread).expect("text");
        assert_eq!(unread, "");
        status.code()
    }
}
