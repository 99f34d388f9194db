//! A client that was written for Copilot's server: reads what such a client is told beside what it asked
//! for, and keeps it apart.

use foretell_lsp::ServerOptions;
use lsp_server::{Message, RequestId, Response};
use serde_json::{Value, json};

use crate::client::{ClientConnection, MAIN, scripted};

pub(super) struct Guest {
    pub(super) client: ClientConnection,
    /// The kinds of status that it was told, the first first; busy ones have a mark.
    pub(super) status: Vec<String>,
    /// What else it was told.
    pub(super) told: Vec<(String, Value)>,
}

impl Guest {
    /// A client that has said who it is.
    pub(super) fn begin(params: Value) -> (Self, Value) {
        Guest::begin_with(scripted(), params)
    }

    pub(super) fn begin_with(start: ServerOptions, params: Value) -> (Self, Value) {
        Guest::begin_as(ClientConnection::start(start), params)
    }

    /// The same, of a server that time passes for when it is told to.
    pub(super) fn begin_on_still_clock(params: Value) -> (Self, Value) {
        Guest::begin_as(ClientConnection::start_on_still_clock(scripted()), params)
    }

    fn begin_as(client: ClientConnection, params: Value) -> (Self, Value) {
        let mut guest = Guest {
            client,
            status: Vec::new(),
            told: Vec::new(),
        };
        let able = guest.result("initialize", params);
        guest.client.notify("initialized", json!({}));
        (guest, able)
    }

    pub(super) fn notify(&mut self, method: &str, params: Value) {
        self.client.notify(method, params);
    }

    /// Asks, and gets what must be a result.
    pub(super) fn result(&mut self, method: &str, params: Value) -> Value {
        let asked = self.client.request(method, params);
        self.answer(asked).expect("a result")
    }

    /// Asks, and gets what must be an error.
    pub(super) fn error(&mut self, method: &str, params: Value) -> i32 {
        let asked = self.client.request(method, params);
        self.answer(asked).expect_err("an error")
    }

    /// The answer to a request, which must be the next that comes.
    pub(super) fn answer(&mut self, asked: i32) -> Result<Value, i32> {
        match self.hear() {
            Message::Response(Response {
                id,
                response_result,
            }) if id == RequestId::from(asked) => response_result.map_err(|error| error.code),
            other => unreachable!("the answer to {asked} was to come, not {other:?}"),
        }
    }

    /// Answers what the server wants to know of the editor's settings.
    pub(super) fn has_no_settings(&mut self) {
        match self.hear() {
            Message::Request(question) if question.method == "workspace/configuration" => {
                self.client.reply(question.id, json!([null]));
            }
            other => unreachable!("a question was to come, not {other:?}"),
        }
    }

    /// What comes next and is no notification.
    pub(super) fn hear(&mut self) -> Message {
        loop {
            match self.client.hear() {
                Message::Notification(it) if it.method == "didChangeStatus" => {
                    let kind = it.params["kind"].as_str().expect("a kind");
                    let busy = it.params["busy"].as_bool().expect("whether it is busy");
                    let mark = if busy { "…" } else { "" };
                    self.status.push(format!("{kind}{mark}"));
                    self.told.push((it.method, it.params));
                }
                Message::Notification(it) => self.told.push((it.method, it.params)),
                other => return other,
            }
        }
    }

    /// What was told by a method.
    pub(super) fn told_by(&self, method: &str) -> Vec<&Value> {
        let told = self.told.iter().filter(|(it, _)| it == method);
        told.map(|(_, params)| params).collect()
    }

    pub(super) fn open(&mut self, version: i32, text: &str) {
        let document =
            json!({ "uri": MAIN, "languageId": "rust", "version": version, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Asks for completions as the older clients do: everything twice.
    pub(super) fn completions(&mut self, method: &str, version: i32, at: (u32, u32)) -> Vec<Value> {
        let result = self.result(method, doc(version, at));
        result["completions"].as_array().expect("a list").clone()
    }

    /// What is rejected.
    pub(super) fn rejections(&mut self) -> usize {
        let all = self.result("foretell/rejections", Value::Null);
        all["rejections"].as_array().expect("a list").len()
    }

    /// Ends the session as a client should. Nothing is told after it has begun to.
    pub(super) fn leave(mut self) {
        assert_eq!(self.result("shutdown", Value::Null), Value::Null);
        let ended = self.client.exit();
        assert_eq!(ended, foretell_lsp::SessionEnd::AfterShutdown);
    }
}

pub(super) fn at(line: u32, character: u32) -> Value {
    json!({ "line": line, "character": character })
}

/// What Neovim says that it can do, as far as it matters.
pub(super) fn neovim() -> Value {
    json!({
        "general": { "positionEncodings": ["utf-8", "utf-16", "utf-32"] },
        "workspace": { "configuration": true, "workspaceFolders": true },
        "window": { "showDocument": { "support": true } },
    })
}

/// How a plugin says who it is.
pub(super) fn who(plugin: &str) -> Value {
    json!({
        "editorInfo": { "name": "Neovim", "version": "0.11.4" },
        "editorPluginInfo": { "name": plugin, "version": "1.507.0" },
    })
}

/// The parameters of `getCompletions`.
pub(super) fn doc(version: i32, (line, character): (u32, u32)) -> Value {
    json!({
        "doc": {
            "uri": MAIN,
            "version": version,
            "relativePath": "src/main.rs",
            "insertSpaces": true,
            "tabSize": 4,
            "indentSize": 4,
            "position": at(line, character),
        },
        "textDocument": { "uri": MAIN, "version": version, "relativePath": "src/main.rs" },
        "position": at(line, character),
        "_": true,
    })
}

/// The name of a suggestion.
pub(super) fn name_of(item: &Value) -> Value {
    item["command"]["arguments"][0].clone()
}
