//! Neovim 0.12's own inline completion: what must hold for a client that nobody here wrote.
//!
//! `native.jsonl` is what a real Neovim 0.12.4 said in a session, word for word, and when, in
//! milliseconds: `vim.lsp.enable` and `vim.lsp.inline_completion.enable` with `<Tab>` to accept, keys
//! typed into a terminal, and the server started with the script in the first line. Only the
//! workspace is called something else. It asks 200 ms after `InsertEnter`, `CursorMovedI` and
//! `TextChangedP` (a popup completion), without a version; it does not take back a request when it
//! makes the next, only on `InsertLeave`; it keeps what it shows if it hears `null` or any error,
//! reports every error but -32800 to the person, and runs an item's command only if the server has
//! listed it.
//!
//! The session is played again on a clock that stands still while anybody has something to do, client
//! and server in one runtime, so that every answer comes at the same moment each time.
//!
//! Absent on purpose: what the server said when it was recorded. What matters is in the assertions.

use std::collections::BTreeMap;
use std::time::Duration;

use foretell_lsp::{LaneScript, ServerConnection, ServerOptions, SessionEnd, serve};
use lsp_server::{Message, Response};
use serde_json::{Value, json};
use tokio::runtime::Builder;
use tokio::time::{Instant, timeout_at};

const RECORDED: &str = include_str!("native.jsonl");

/// Another session of the same kind: what was offered is typed over, deleted and offered again, four
/// times.
const TYPED_OVER: &str = include_str!("native_typed_over.jsonl");

/// The method that this is about.
const INLINE: &str = "textDocument/inlineCompletion";

/// One thing that the client said.
struct Said {
    at: u64,
    message: Value,
}

/// An answer of the server's: when it came, and the result or the code of the error.
#[derive(Debug)]
struct Answer {
    at: u64,
    result: Result<Value, i32>,
}

/// A session that was played again.
struct Session {
    said: Vec<Said>,
    answers: BTreeMap<u64, Answer>,
    /// What the server asked and told by itself.
    methods: Vec<String>,
}

impl Session {
    fn play(recorded: &str) -> Self {
        let mut lines = recorded.lines();
        let head: Value = json_of(lines.next().expect("a first line"));
        let said: Vec<Said> = lines.map(said).collect();
        let script = LaneScript::from_json(&head["lane"].to_string()).expect("a script");
        let mut runtime = Builder::new_current_thread();
        let runtime = runtime.enable_all().start_paused(true).build();
        let mut session = Session {
            said,
            answers: BTreeMap::new(),
            methods: Vec::new(),
        };
        runtime.expect("a runtime").block_on(async {
            let (far, near) = ServerConnection::pair();
            let start = ServerOptions {
                script: Some(script),
                ..ServerOptions::default()
            };
            let (ended, ()) = tokio::join!(serve(far, start), session.speak(near));
            assert_eq!(ended, SessionEnd::AfterShutdown);
        });
        session
    }

    /// Says everything at its moment, and hears what comes in between and afterwards.
    async fn speak(&mut self, mut near: foretell_lsp::ClientConnection) {
        let begun = Instant::now();
        for number in 0..self.said.len() {
            let moment = begun + Duration::from_millis(self.said[number].at);
            while let Ok(heard) = timeout_at(moment, near.reads.recv()).await {
                self.hear(begun, heard.expect("the server is there"));
            }
            let message = serde_json::from_value(self.said[number].message.clone());
            let message: Message = message.expect("a message");
            near.says.send(message).await.expect("the server listens");
        }
        while let Some(heard) = near.reads.recv().await {
            self.hear(begun, heard);
        }
    }

    fn hear(&mut self, begun: Instant, message: Message) {
        match message {
            Message::Request(request) => self.methods.push(request.method),
            Message::Notification(notification) => self.methods.push(notification.method),
            Message::Response(Response {
                id,
                response_result,
            }) => {
                let id = id.to_string().parse().expect("a number");
                let passed = u64::try_from(begun.elapsed().as_millis()).expect("a short session");
                let answer = Answer {
                    at: passed,
                    result: response_result.map_err(|error| error.code),
                };
                let twice = self.answers.insert(id, answer);
                assert!(twice.is_none(), "{id} was answered before: {twice:?}");
            }
        }
    }

    /// The requests of a method, by number.
    fn asked<'a>(&'a self, method: &'a str) -> impl Iterator<Item = (u64, &'a Said)> {
        let said = self
            .said
            .iter()
            .filter(move |it| it.message["method"] == method);
        said.map(|said| (said.message["id"].as_u64().expect("a number"), said))
    }

    /// What was suggested in answer to a request, or the code of an error.
    fn suggested(&self, asked: u64) -> Result<Vec<&Value>, i32> {
        let result = self.answers[&asked].result.as_ref().map_err(|code| *code)?;
        let items = result["items"].as_array().expect("a list");
        Ok(items.iter().map(|item| &item["insertText"]).collect())
    }
}

fn json_of(line: &str) -> Value {
    serde_json::from_str(line).expect("JSON")
}

fn said(line: &str) -> Said {
    let line = json_of(line);
    let mut message = line["message"].clone();
    if message["method"] == "initialize" {
        // The server ends when the editor does, and that one ended long ago.
        message["params"]["processId"] = json!(std::process::id());
    }
    Said {
        at: line["t"].as_u64().expect("a moment"),
        message,
    }
}

#[test]
fn every_request_is_answered_once_and_never_with_null() {
    let session = Session::play(RECORDED);
    let requests = session
        .said
        .iter()
        .filter(|it| !it.message["method"].is_null());
    let requests: Vec<u64> = requests
        .filter_map(|it| it.message["id"].as_u64())
        .collect();
    let answered: Vec<u64> = session.answers.keys().copied().collect();
    assert_eq!(answered, requests);
    for (asked, said) in session.asked(INLINE) {
        let document = &said.message["params"]["textDocument"];
        assert_eq!(document.get("version"), None, "this client says none");
        assert_eq!(
            said.message["params"]["context"],
            json!({ "triggerKind": 2 })
        );
        match &session.answers[&asked].result {
            Ok(result) => assert!(result["items"].is_array(), "{asked}: {result}"),
            Err(code) => assert_eq!(*code, -32800, "{asked}: the only one that it keeps quiet"),
        }
    }
}

#[test]
fn what_is_shown_follows_the_text() {
    let session = Session::play(RECORDED);
    let shown = session.asked(INLINE).map(|(asked, said)| {
        let at = &said.message["params"]["position"];
        let shown = match session.suggested(asked) {
            Ok(texts) => json!(texts),
            Err(code) => json!(code),
        };
        format!("{asked}: {}:{} {shown}", at["line"], at["character"])
    });
    let shown: Vec<String> = shown.collect();
    let expected = [
        "2: 2:4 []",
        r#"3: 2:9 [" = 1;"]"#,
        r#"4: 2:11 [" 1;"]"#,
        "6: 2:14 []",
        "7: 3:9 -32800",
        "8: 3:10 []",
        r#"9: 4:19 [" = 2;"]"#,
        "10: 4:21 []",
        r#"11: 4:19 [" = 2;"]"#,
        "13: 4:24 []",
        "14: 5:12 []",
        "15: 5:11 []",
        "16: 5:6 []",
        "17: 6:13 -32800",
    ];
    assert_eq!(shown, expected);
}

#[test]
fn what_is_superseded_or_taken_back_is_answered_at_once() {
    let session = Session::play(RECORDED);
    let moment_of = |id: u64| {
        let mut asked = session.asked(INLINE);
        asked.find(|it| it.0 == id).expect("it asked").1.at
    };
    // The lane would have thought for an hour.
    assert!(moment_of(8) - moment_of(7) < 1_800, "it was still waiting");
    assert_eq!(session.answers[&7].at, moment_of(8));
    let method = |it: &&Said| it.message["method"] == "$/cancelRequest";
    let taken_back = session
        .said
        .iter()
        .find(method)
        .expect("it leaves insert mode");
    assert_eq!(taken_back.message["params"], json!({ "id": 17 }));
    assert_eq!(session.answers[&17].at, taken_back.at);
    // What is carried is there without a wait.
    for carried in [4, 11] {
        assert_eq!(session.answers[&carried].at, moment_of(carried));
    }
}

#[test]
fn an_items_command_is_one_that_it_runs() {
    let session = Session::play(RECORDED);
    let able = session.answers[&1].result.as_ref().expect("a session");
    let listed = able["capabilities"]["executeCommandProvider"]["commands"].as_array();
    let listed = listed.expect("a list");
    let answers = session
        .asked(INLINE)
        .map(|(asked, _)| &session.answers[&asked]);
    let results = answers.filter_map(|answer| answer.result.as_ref().ok());
    let items: Vec<&Value> = results
        .flat_map(|result| result["items"].as_array().expect("a list"))
        .collect();
    for item in &items {
        assert!(listed.contains(&item["command"]["command"]), "{item}");
    }
    // It ran those of what it took, by the name they had then and have now.
    for (asked, said) in session.asked("workspace/executeCommand") {
        let params = &said.message["params"];
        let taken = items
            .iter()
            .find(|it| it["command"]["arguments"] == params["arguments"]);
        assert!(taken.is_some(), "{params}");
        assert_eq!(session.answers[&asked].result, Ok(Value::Null));
    }
}

#[test]
fn it_is_told_and_asked_only_what_it_knows() {
    let session = Session::play(RECORDED);
    assert_eq!(session.methods, ["workspace/configuration"]);
    let able = session.answers[&1].result.as_ref().expect("a session");
    assert_eq!(able["capabilities"]["positionEncoding"], "utf-8");
}

#[test]
fn what_was_typed_over_three_times_is_not_offered_again() {
    let session = Session::play(TYPED_OVER);
    let offered = session.asked(INLINE).filter_map(|(asked, said)| {
        let is_there = said.message["params"]["position"] == json!({ "line": 2, "character": 9 });
        is_there.then(|| session.suggested(asked).expect("an answer").len())
    });
    // The client says of nothing what became of it.
    assert_eq!(offered.collect::<Vec<usize>>(), [1, 1, 1, 0, 0]);
}
