//! What a client that follows it is told of how the server is doing, and when.

use std::fs;
use std::net::TcpListener;

use foretell_lsp::ServerOptions;
use foretell_testkit::model_server::{AnswerEnding, ModelServer, ScriptedAnswer};
use lsp_server::{Message, Response};
use serde_json::{Value, json};

use crate::client::{ClientConnection, MAIN, scripted};

/// A client that follows how the server is doing, and keeps that apart from the rest.
struct Follower {
    client: ClientConnection,
    /// What it was told and nobody has looked at yet.
    told: Vec<(String, String)>,
}

impl Follower {
    /// A client of a server with settings for one lane, and without the others.
    fn of(lane: Value) -> Self {
        Follower::begin(ServerOptions::default(), json!({}), with_lane(lane))
    }

    fn begin(start: ServerOptions, params: Value, settings: Value) -> Self {
        // What a lane that rests waits for is not waited for in earnest.
        let client = ClientConnection::start_on_still_clock(start);
        Follower::follow(client, params, settings)
    }

    fn follow(mut client: ClientConnection, mut params: Value, settings: Value) -> Self {
        params["capabilities"] =
            json!({ "experimental": { "foretell": { "followsStatus": true } } });
        params["initializationOptions"] = settings;
        client.begin(params);
        let told = Vec::new();
        Follower { client, told }
    }

    /// Asks for a suggestion as a person does, and gets nothing. What is told by then is kept.
    fn asks_in_vain(&mut self, line: u32) {
        let asked = self.client.ask(line, 5);
        loop {
            match self.client.hear() {
                Message::Response(Response {
                    id,
                    response_result,
                }) if id == asked.into() => {
                    assert_eq!(response_result.expect("a result"), json!({ "items": [] }));
                    return;
                }
                other => self.take(other),
            }
        }
    }

    /// What it is told next, with what it has not looked at yet first.
    fn next(&mut self) -> (String, String) {
        while self.told.is_empty() {
            let heard = self.client.hear();
            self.take(heard);
        }
        self.told.remove(0)
    }

    /// The kind of what it is told next.
    fn kind(&mut self) -> String {
        self.next().0
    }

    fn take(&mut self, heard: Message) {
        let Message::Notification(it) = heard else {
            unreachable!("nobody asked for {heard:?}");
        };
        match it.method.as_str() {
            "foretell/didChangeStatus" => {
                let words = |name: &str| it.params[name].as_str().expect("words").to_owned();
                self.told.push((words("kind"), words("message")));
            }
            "window/showMessage" | "window/logMessage" => {}
            other => unreachable!("nobody asked for {other}"),
        }
    }

    /// Ends the session, with nothing told that nobody looked at.
    fn leave(self) {
        assert_eq!(self.told, []);
        self.client.leave();
    }
}

fn with_lane(lane: Value) -> Value {
    let off = json!({ "enabled": false });
    json!({ "lanes": { "fim": lane, "nextEdit": off, "fix": off } })
}

fn at(url: &str) -> Value {
    json!({ "kind": "openai", "url": url })
}

#[test]
fn an_embedded_lane_is_no_news() {
    let mut follower = Follower::begin(scripted(), json!({}), json!({}));
    assert_eq!(follower.next(), ("quiet".to_owned(), String::new()));
    follower.client.open(MAIN, "let x\nlet x\nslo");
    for line in 0..2 {
        assert!(follower.client.suggested(line, 5).is_some());
    }
    // Nor is it any that a request waits for a pause.
    follower.client.type_at(2, (2, 3), "w");
    let asked = follower.client.ask_in(MAIN, 2, (2, 4));
    assert!(!follower.client.items_of(asked).is_empty());
    follower.leave();
}

#[test]
fn who_does_not_follow_is_told_nothing() {
    for says in [json!(null), json!(false), json!("yes")] {
        let foretell = json!({ "followsStatus": says });
        let capabilities = json!({ "experimental": { "foretell": foretell } });
        let (mut client, _) = ClientConnection::offering(&capabilities);
        client.open(MAIN, "let x");
        assert!(client.suggested(0, 5).is_some());
        client.leave();
    }
}

#[test]
fn a_server_that_reads_a_long_prompt_says_how_far_it_is() {
    let progress = json!({
        "content": "", "stop": false,
        "prompt_progress": { "total": 1_300, "cache": 0, "processed": 130, "time_ms": 90 },
    });
    let server = ModelServer::start_with(move |_, request| match request.path.as_str() {
        "/props" => ScriptedAnswer::json(r#"{"model_alias":"qwen2.5-coder","total_slots":1}"#),
        _ => {
            ScriptedAnswer::events_without_done([progress.to_string()]).then(AnswerEnding::Silence)
        }
    });
    let lane = json!({ "kind": "llama-cpp", "url": server.url(), "firstByteMs": 2_500 });
    // The second after which it is said is that of the server's clock, which does not stand still.
    let client = ClientConnection::start(ServerOptions::default());
    let mut follower = Follower::follow(client, json!({}), with_lane(lane));
    assert_eq!(follower.kind(), "quiet");
    follower.client.open(MAIN, "let x");
    follower.asks_in_vain(0);
    let asked = ("working".to_owned(), "a model is being asked".to_owned());
    assert_eq!(follower.next(), asked);
    let reading = ("working".to_owned(), "reading 1,200 tokens".to_owned());
    assert_eq!(follower.next(), reading);
    // It says nothing more, and is given up in the end.
    assert_eq!(follower.kind(), "quiet");
    follower.leave();
}

#[test]
fn a_model_is_asked_until_it_is_given_up() {
    let mute = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = mute.local_addr().expect("an address");
    let mut follower = Follower::of(at(&format!("http://{address}")));
    assert_eq!(follower.kind(), "quiet");
    follower.client.open(MAIN, "let x");
    follower.asks_in_vain(0);
    let working = ("working".to_owned(), "a model is being asked".to_owned());
    assert_eq!(follower.next(), working);
    assert_eq!(follower.kind(), "quiet");
    follower.leave();
}

#[test]
fn a_lane_rests_and_it_is_told_when_that_is_over_though_nothing_happens() {
    let mut follower = Follower::of(at("http://127.0.0.1:1"));
    assert_eq!(follower.kind(), "quiet");
    follower.client.open(MAIN, "let x\nlet x\nlet x\n");
    for line in 0..2 {
        follower.asks_in_vain(line);
        assert_eq!([follower.kind(), follower.kind()], ["working", "quiet"]);
    }
    follower.asks_in_vain(2);
    assert_eq!(follower.kind(), "working");
    let (kind, words) = follower.next();
    assert_eq!(kind, "resting");
    assert!(words.starts_with("fim is left alone: "), "{words}");
    // Nobody says anything, and ten seconds later it would be asked again.
    assert_eq!(follower.next(), ("quiet".to_owned(), String::new()));
    follower.leave();
}

#[test]
fn what_the_person_has_to_put_right_is_told_until_they_have() {
    let mut lane = at("http://127.0.0.1:1");
    lane["apiKeyEnv"] = json!("TEST_FORETELL_NO_SUCH_KEY");
    let mut follower = Follower::of(lane);
    assert_eq!(follower.kind(), "quiet");
    follower.client.open(MAIN, &"let x\n".repeat(4));
    follower.asks_in_vain(0);
    assert_eq!(follower.kind(), "working");
    let (kind, words) = follower.next();
    assert_eq!(kind, "error");
    assert!(words.starts_with("fim cannot be asked: "), "{words}");
    assert!(words.contains("lanes.fim.apiKeyEnv"), "{words}");
    // It is tried again, and rests, and is tried again; all of that is the same error.
    for line in 1..4 {
        follower.asks_in_vain(line);
    }
    assert_eq!(follower.told, []);
    let right = json!({ "settings": { "foretell": with_lane(json!({ "kind": "embedded" })) } });
    let method = "workspace/didChangeConfiguration";
    follower.client.notify(method, right);
    assert_eq!(follower.next(), ("quiet".to_owned(), String::new()));
    follower.leave();
}

#[test]
fn settings_that_may_be_somebody_elses_are_an_error() {
    let folder = tempfile::tempdir().expect("a directory");
    let path = folder.path().canonicalize().expect("it is there");
    fs::create_dir(path.join(".vscode")).expect("a folder");
    let theirs = json!({ "foretell.lanes.fim.url": "http://127.0.0.1:1" }).to_string();
    fs::write(path.join(".vscode/settings.json"), theirs).expect("a file");
    let uri = format!("file://{}", path.display());
    let params = json!({ "workspaceFolders": [{ "uri": uri, "name": "folder" }] });
    let settings = with_lane(at("http://127.0.0.1:1"));
    let mut follower = Follower::begin(ServerOptions::default(), params, settings);
    let (kind, words) = follower.next();
    assert_eq!(kind, "error");
    assert!(words.contains(".vscode/settings.json:1:"), "{words}");
    // They have a word in it no longer.
    fs::write(path.join(".vscode/settings.json"), "{}").expect("a file");
    let method = "workspace/didChangeConfiguration";
    let same = json!({ "settings": { "foretell": with_lane(at("http://127.0.0.1:1")) } });
    follower.client.notify(method, same);
    assert_eq!(follower.kind(), "quiet");
    follower.leave();
}

#[test]
fn a_limit_that_cannot_be_kept_is_said_once_and_in_the_status() {
    let directory = tempfile::tempdir().expect("a directory");
    fs::create_dir(directory.path().join("usage.json")).expect("a directory");
    let mut start = scripted();
    start.places.state_dir = Some(directory.path().to_owned());
    let mut client = ClientConnection::start(start);
    let lanes = json!({ "fim": { "requestsPerDay": 5 }, "nextEdit": { "enabled": false } });
    client.begin(
        json!({ "capabilities": {}, "initializationOptions": { "lanes": lanes, "index": { "enabled": false } } }),
    );
    client.open(MAIN, "let x\nlet y\n");
    let mut logged = 0;
    for line in 0..2 {
        let asked = client.ask(line, 5);
        // The log is told when the disk has been asked, which may be before or after the answer.
        let (mut is_answered, before) = (false, logged);
        while !is_answered || logged == 0 {
            match client.hear() {
                Message::Response(it) => is_answered |= it.id == asked.into(),
                Message::Notification(it) if it.method == "window/logMessage" => {
                    let words = it.params["message"].as_str().expect("words").to_owned();
                    assert!(words.starts_with("limits by the day are kept"), "{words}");
                    logged += 1;
                }
                other => unreachable!("{other:?}"),
            }
        }
        assert_eq!((before, logged), (line, 1));
    }
    let status = client.result("foretell/status", Value::Null);
    let words = status["usageUnkept"].as_str().expect("words");
    assert!(
        status["text"]
            .as_str()
            .expect("text")
            .contains(&format!("! {words}\n"))
    );
    client.leave();
}
