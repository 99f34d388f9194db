//! A plain client's session with `foretell lsp`, from the first message to the last, as docs/lsp.md
//! shows it.
//!
//! The client is one that knows nothing of Foretell: it opens a document, types, asks, takes what is
//! offered and asks why. No model is asked; the document is one of which the embedded predictor has
//! something to say. What the two say to each other is written down, and must be what the page has.
//! Times, the server's version and where the workspace is are made the same first.
#![allow(
    clippy::unwrap_used,
    reason = "a message that is not as it should be fails the test"
)]

#[path = "support/framed.rs"]
mod framed;
#[path = "support/workspace.rs"]
mod workspace;

use std::fs;
use std::io::{BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Map, Value, json};

use crate::workspace::Workspace;

/// Whether the page is to be written instead of compared.
const WRITE: &str = "TEST_FORETELL_WRITE";

/// Between these the page has the session.
const BEGIN: &str = "<!-- The session begins. -->\n";
const END: &str = "<!-- The session ends. -->\n";

/// Where the workspace is in what is written down.
const ROOT: &str = "file:///home/ada/box";

/// Who asks: the person, or the editor by itself.
const INVOKED: u32 = 1;
const AUTOMATIC: u32 = 2;

/// How long a line may be before a message takes several.
const WIDTH: usize = 110;

/// Keys in the order in which they are written down; all others follow by name.
const KEYS: [&str; 17] = [
    "id",
    "method",
    "params",
    "result",
    "error",
    "textDocument",
    "uri",
    "languageId",
    "version",
    "start",
    "end",
    "line",
    "character",
    "column",
    "range",
    "position",
    "insertText",
];

const BOX: &str = "export class Box {
    constructor(width: number, depth: number, color: string, height: number) {
        this.width = width;
        this.depth = depth;
        this.color = color;
        this.height =
    }
}
";

#[test]
fn the_page_shows_what_a_plain_client_and_the_server_say() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/lsp.md");
    let written = fs::read_to_string(&page).unwrap().replace("\r\n", "\n");
    let (before, rest) = written.split_once(BEGIN).expect("the session has a place");
    let (shown, behind) = rest
        .split_once(END)
        .expect("the session's place has an end");
    let said = session();
    if std::env::var_os(WRITE).is_some() {
        fs::write(&page, format!("{before}{BEGIN}{said}{END}{behind}")).unwrap();
        return;
    }
    assert!(
        shown == said,
        "docs/lsp.md does not show what is said; make it anew with \
         .ci/generate\n{said}"
    );
}

/// The session, as the page has it.
fn session() -> String {
    let workspace = Workspace::new(&[("box.ts", BOX)]);
    let mut client = Client::start(&workspace);
    let uri = format!("{}/box.ts", client.root);

    client.step("The client says what it can do, and hears what the server can.");
    let capabilities = json!({
        "general": { "positionEncodings": ["utf-16"] },
        "textDocument": { "inlineCompletion": {} },
        "workspace": { "configuration": true, "workspaceFolders": true },
    });
    let folder = json!({ "uri": client.root, "name": "box" });
    let params = json!({ "capabilities": capabilities, "workspaceFolders": [folder] });
    client.ask("initialize", params);
    client.tell("initialized", json!({}));

    client.step("The server asks for the person's settings in the editor. There are none.");
    let question = client.hear();
    client.answer(&question, json!([null]));

    client.step("The person opens a file.");
    let document = json!({ "uri": uri, "languageId": "typescript", "version": 1, "text": BOX });
    client.tell("textDocument/didOpen", json!({ "textDocument": document }));

    client.step("They type a blank behind `this.height =`, and the client asks by itself (`triggerKind` 2). The answer comes when they pause.");
    client.change(&uri, 2, insertion((5, 21), " "));
    client.suggestion(&uri, (5, 22), AUTOMATIC);

    client.step("They type on, and what remains of the suggestion is there at once.");
    client.change(&uri, 3, insertion((5, 22), "h"));
    let item = client.suggestion(&uri, (5, 23), AUTOMATIC);

    client.step("They take it. The client puts it in and runs the command that came with it.");
    let taken = json!({ "range": item["range"], "text": item["insertText"] });
    client.change(&uri, 4, taken);
    let command = &item["command"];
    let params = json!({ "command": command["command"], "arguments": command["arguments"] });
    client.ask("workspace/executeCommand", params);

    client.step(
        "At the end of the file they ask by a key (`triggerKind` 1). There is nothing to suggest.",
    );
    client.suggestion(&uri, (8, 0), INVOKED);

    client.step("They want to know why. This is a method of our own, and any client can send it; those that cannot run the command `foretell.why`.");
    let params = json!({ "textDocument": { "uri": uri }, "limit": 2 });
    client.ask("foretell/why", params);

    client.step("The end.");
    client.ask("shutdown", Value::Null);
    client.tell("exit", Value::Null);
    client.end()
}

/// A change that puts a text in.
fn insertion((line, character): (u32, u32), text: &str) -> Value {
    let at = json!({ "line": line, "character": character });
    json!({ "range": { "start": at, "end": at }, "text": text })
}

/// A client, and all that was said so far.
struct Client {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    root: String,
    asked: u32,
    said: String,
}

impl Client {
    fn start(workspace: &Workspace) -> Self {
        let mut process = workspace
            .command("lsp", &[])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary under test starts");
        let path = workspace.path().display().to_string().replace('\\', "/");
        Client {
            input: process.stdin.take().unwrap(),
            output: BufReader::new(process.stdout.take().unwrap()),
            process,
            root: format!("file:///{}", path.trim_start_matches('/')),
            asked: 0,
            said: String::new(),
        }
    }

    /// Begins another part of the session.
    fn step(&mut self, words: &str) {
        let fence = if self.said.is_empty() { "" } else { "```\n" };
        self.said
            .push_str(&format!("{fence}\n{words}\n\n```text\n"));
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.say(message(None, method, params));
    }

    /// Asks, and gives the answer.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        self.say(message(Some(self.asked), method, params));
        let answer = self.hear();
        assert_eq!(answer["id"], self.asked);
        answer["result"].clone()
    }

    fn answer(&mut self, question: &Value, result: Value) {
        self.say(json!({ "jsonrpc": "2.0", "id": question["id"], "result": result }));
    }

    fn change(&mut self, uri: &str, version: u32, change: Value) {
        let document = json!({ "uri": uri, "version": version });
        let params = json!({ "textDocument": document, "contentChanges": [change] });
        self.tell("textDocument/didChange", params);
    }

    /// Asks for a suggestion, and gives the first.
    fn suggestion(&mut self, uri: &str, (line, character): (u32, u32), kind: u32) -> Value {
        let params = json!({
            "textDocument": { "uri": uri },
            "position": { "line": line, "character": character },
            "context": { "triggerKind": kind },
        });
        let answer = self.ask("textDocument/inlineCompletion", params);
        answer["items"][0].clone()
    }

    fn say(&mut self, message: Value) {
        let body = message.to_string();
        framed::say(&mut self.input, &body);
        self.write_down("-->", message);
    }

    fn hear(&mut self) -> Value {
        let message = framed::hear(&mut self.output);
        self.write_down("<--", message.clone());
        message
    }

    /// Writes a message down: who says it, and what.
    fn write_down(&mut self, arrow: &str, mut message: Value) {
        let fields = message.as_object_mut().unwrap();
        assert_eq!(fields.remove("jsonrpc"), Some(json!("2.0")));
        self.make_same(&mut message);
        let lines = print(&message, 4);
        self.said.push_str(&format!("{arrow} {lines}\n"));
    }

    /// Makes what is another each time the same.
    fn make_same(&self, value: &mut Value) {
        match value {
            Value::String(text) => *text = timeless(&text.replace(&self.root, ROOT)),
            Value::Array(values) => values.iter_mut().for_each(|it| self.make_same(it)),
            Value::Object(fields) => self.make_fields_same(fields),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn make_fields_same(&self, fields: &mut Map<String, Value>) {
        for (name, value) in fields {
            match (name.as_str(), &value) {
                ("ago" | "at" | "tookMs", Value::Number(_)) => *value = json!(0),
                ("version", Value::String(_)) => *value = json!("0.0.0"),
                _ => self.make_same(value),
            }
        }
    }

    /// All that was said, once the server has ended well and has nothing more to say.
    fn end(mut self) -> String {
        let mut unread = String::new();
        self.output.read_to_string(&mut unread).unwrap();
        assert_eq!(unread, "");
        assert_eq!(self.process.wait().unwrap().code(), Some(0));
        self.said.push_str("```\n\n");
        self.said
    }
}

fn message(id: Option<u32>, method: &str, params: Value) -> Value {
    let mut message = json!({ "jsonrpc": "2.0", "method": method });
    if let Some(id) = id {
        message["id"] = json!(id);
    }
    if !params.is_null() {
        message["params"] = params;
    }
    message
}

/// A text in which everything took no time.
fn timeless(text: &str) -> String {
    let lines: Vec<_> = text.split('\n').map(timeless_line).collect();
    lines.join("\n")
}

fn timeless_line(line: &str) -> String {
    let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    for at in 1..words.len() {
        let unit = words[at].trim_end_matches(|c: char| !c.is_alphanumeric());
        let is_time = matches!(unit, "ms" | "s") && words[at - 1].parse::<f64>().is_ok();
        if is_time {
            words[at] = words[at].replacen(unit, "ms", 1);
            words[at - 1] = "0".to_owned();
        }
    }
    words.join(" ").replace("0 ms ago", "just now")
}

/// A value as people read it: on one line if it fits, else a field on each.
fn print(value: &Value, indent: usize) -> String {
    let line = print_line(value);
    if line.chars().count() + indent <= WIDTH {
        return line;
    }
    let (open, close, parts): (_, _, Vec<String>) = match value {
        Value::Array(values) => {
            let parts = values.iter().map(|it| print(it, indent + 2));
            ("[", "]", parts.collect())
        }
        Value::Object(fields) => {
            let part = |(name, value): (&String, &Value)| {
                format!("{}: {}", json!(name), print(value, indent + 2))
            };
            ("{", "}", in_order(fields).into_iter().map(part).collect())
        }
        _ => return line,
    };
    let (within, at) = (" ".repeat(indent + 2), " ".repeat(indent));
    let parts = parts.join(&format!(",\n{within}"));
    format!("{open}\n{within}{parts}\n{at}{close}")
}

fn print_line(value: &Value) -> String {
    match value {
        Value::Array(values) => {
            let parts: Vec<_> = values.iter().map(print_line).collect();
            format!("[{}]", parts.join(", "))
        }
        Value::Object(fields) if fields.is_empty() => "{}".to_owned(),
        Value::Object(fields) => {
            let fields = in_order(fields).into_iter();
            let parts: Vec<_> = fields
                .map(|(name, value)| format!("{}: {}", json!(name), print_line(value)))
                .collect();
            format!("{{ {} }}", parts.join(", "))
        }
        _ => value.to_string(),
    }
}

fn in_order(fields: &Map<String, Value>) -> Vec<(&String, &Value)> {
    let mut fields: Vec<_> = fields.iter().collect();
    let rank = |name: &str| KEYS.iter().position(|it| *it == name).unwrap_or(KEYS.len());
    fields.sort_by_key(|(name, _)| (rank(name), *name));
    fields
}
