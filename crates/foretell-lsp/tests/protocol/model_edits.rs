//! What a model for next edits says, as clients are told it: where its suggestions are, and where the cursor goes
//! afterwards.
//!
//! The model is a scripted server that speaks `zeta-2`, by real sockets.

use foretell_testkit::model_server::{ModelServer, ScriptedAnswer, said_text};
use serde_json::{Value, json};

use crate::client::{ClientConnection, MAIN};

const TEXT: &str = "let größe = 1;\nshow(größe);\n";

/// A server whose model makes the lines another text.
pub(crate) fn model(region: &str, new: &str) -> ModelServer {
    let (region, new) = (region.to_owned(), new.to_owned());
    model_saying(move |prompt| {
        if prompt.replace("<|user_cursor|>", "").contains(&region) {
            format!("{new}\n>>>>>>> UPDATED\n")
        } else {
            "NO_EDITS\n>>>>>>> UPDATED\n".to_owned()
        }
    })
}

/// A server of any kind, with a model that says something to a prompt.
fn model_saying(says: impl Fn(&str) -> String + Send + Sync + 'static) -> ModelServer {
    ModelServer::start_with(move |_, request| {
        let said = said_text::prompt_of(request).map(|prompt| says(&prompt));
        let answer = said.and_then(|said| said_text::answer_of(request, &said));
        // It says nothing of what it is.
        answer.unwrap_or_else(|| ScriptedAnswer::status(404))
    })
}

/// Settings in which that model alone is asked.
pub(crate) fn settings(server: &ModelServer) -> Value {
    let off = json!({ "enabled": false });
    let lane = json!({
        "kind": "openai", "url": server.url(), "model": "zeta-2",
        "firstByteMs": 60_000, "idleMs": 60_000,
    });
    json!({
        "lanes": { "fim": off, "fix": off, "nextEdit": lane },
        "race": { "explicitCapMs": 60_000 },
        "context": { "enabled": false },
    })
}

/// How often something is asked until settings' files have been read: each time the server waits for them a moment.
const MOST_ASKED: usize = 150;

/// What a question comes to once the model is asked: nothing is told to any before settings' files have been read,
/// and on a busy machine that may take longer than a person is kept waiting for it.
pub(crate) fn until_told<T>(server: &ModelServer, mut ask: impl FnMut() -> T) -> T {
    let is_told = || {
        let requests = server.requests();
        requests.iter().any(|it| said_text::prompt_of(it).is_some())
    };
    let mut answers = (0..MOST_ASKED).map(|_| ask());
    let answer = answers.find(|_| is_told());
    answer.expect("the model is asked in the end")
}

/// The next edits at a place, because the person wants one.
fn edits(encoding: &str, server: &ModelServer, text: &str) -> Vec<Value> {
    let mut client = ClientConnection::silent();
    let general = json!({ "positionEncodings": [encoding] });
    client.begin(json!({
        "capabilities": { "general": general },
        "initializationOptions": settings(server),
    }));
    client.open(MAIN, text);
    let result = until_told(server, || {
        client.result("textDocument/copilotInlineEdit", question())
    });
    client.leave();
    result["edits"].as_array().expect("a list").clone()
}

/// What is asked in the first line of a document.
pub(crate) fn question() -> Value {
    json!({
        "textDocument": { "uri": MAIN, "version": 1 },
        "position": { "line": 0, "character": 0 },
        "context": { "triggerKind": 1 },
    })
}

#[test]
fn every_format_is_asked_and_understood_over_every_kind_of_server_that_takes_it() {
    let new = "let a = two;\nshow(a);";
    let formats = [
        ("zeta-2.1", format!("<|marker_1|>{new}<|marker_2|>")),
        ("zeta-2", format!("{new}\n>>>>>>> UPDATED\n")),
        ("sweep", format!("{new}\n")),
        ("sweep-v2", format!("{new}\n")),
        ("mercury", format!("```\n{new}\n```")),
    ];
    for (format, said) in formats {
        let kinds = match format {
            "mercury" => &["mercury", "openai-chat"][..],
            _ => &["openai", "llama-cpp", "ollama"],
        };
        for kind in kinds {
            let said = said.clone();
            let server = model_saying(move |_| said.clone());
            let mut settings = settings(&server);
            settings["lanes"]["nextEdit"]["kind"] = json!(kind);
            settings["lanes"]["nextEdit"]["format"] = json!(format);
            let mut client = ClientConnection::silent();
            client.begin(json!({ "capabilities": {}, "initializationOptions": settings }));
            client.open(MAIN, "let a = one;\nshow(a);\n");
            let result = until_told(&server, || {
                client.result("textDocument/copilotInlineEdit", question())
            });
            assert_eq!(
                result["edits"][0]["text"], "two",
                "{format} over {kind}: {result}"
            );
            let ollama: Vec<Value> = server
                .requests()
                .iter()
                .filter(|it| it.path == "/api/generate")
                .map(|it| serde_json::from_slice(&it.body).expect("JSON"))
                .collect();
            assert_eq!(ollama.len(), usize::from(*kind == "ollama"));
            assert!(ollama.iter().all(|body| body["raw"] == true), "{ollama:?}");
            client.leave();
        }
    }
}

#[test]
fn a_client_is_told_where_the_cursor_goes_in_the_text_with_the_edit() {
    let new = "let größe = 1;\nlet ü = 2;\nshow(größe, <|user_cursor|>ü);";
    let server = model("show(größe);", new);
    for (encoding, column) in [("utf-16", 12), ("utf-8", 14), ("utf-32", 12)] {
        let edits = edits(encoding, &server, TEXT);
        assert_eq!(edits.len(), 1, "{edits:?}");
        let there = json!({ "line": 2, "character": column });
        assert_eq!(edits[0]["cursor"], there, "{encoding}: {edits:?}");
    }
}

#[test]
fn a_client_is_told_of_no_cursor_that_the_model_did_not_name() {
    let server = model("show(größe);", "let größe = 1;\nshow(größe, 2);");
    let edits = edits("utf-16", &server, TEXT);
    assert_eq!(edits[0].get("cursor"), None, "{edits:?}");
}

#[test]
fn changes_far_apart_come_one_by_one_the_nearest_first() {
    let text = "first();\n\n\n\n\n\nsecond();\n";
    let new = "first(1);\n\n\n\n\n\nsecond(2);";
    let server = model("first();\n\n\n\n\n\nsecond();", new);
    let edits = edits("utf-16", &server, text);
    let places: Vec<&Value> = edits
        .iter()
        .map(|it| &it["range"]["start"]["line"])
        .collect();
    assert_eq!(places, [0, 6]);
}

#[test]
fn what_is_put_in_at_the_cursor_is_ghost_text_as_well() {
    let text = "let one = \nshow(one);\n";
    let server = model("let one = \nshow(one);", "let one = 1 + 1;\nshow(one);");
    let mut client = ClientConnection::silent();
    client.begin(json!({
        "capabilities": {}, "initializationOptions": settings(&server),
    }));
    client.open(MAIN, text);
    let ghost = until_told(&server, || client.suggested(0, 10));
    assert_eq!(ghost.as_deref(), Some("1 + 1;"));
    let mut question = question();
    question["position"] = json!({ "line": 0, "character": 10 });
    let result = client.result("textDocument/copilotInlineEdit", question);
    assert_eq!(result["edits"][0]["text"], "1 + 1;");
    client.leave();
}

/// An answer of a server, in the frames of OpenAI's completions.
fn said(text: &str, end: &str) -> ScriptedAnswer {
    let said = json!({ "choices": [{ "text": text, "finish_reason": end }] });
    ScriptedAnswer::events([said.to_string()])
}

#[test]
fn an_answer_that_is_none_leads_to_no_suggestion_and_its_reason_has_a_name() {
    let chat = json!({ "role": "assistant", "content": "Sure! Here is the code:\nfirst(1);" });
    let chat = json!({ "choices": [{ "message": chat, "finish_reason": "stop" }] }).to_string();
    let wide: Vec<u8> = "first(1);\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let same = json!({ "choices": [{ "text": "first ".repeat(1_000), "finish_reason": null }] });
    let same = same.to_string();
    let answers = [
        ("a chat", ScriptedAnswer::json(&chat)),
        ("a chat in frames", ScriptedAnswer::events([&chat])),
        ("UTF-16", ScriptedAnswer::events([&wide])),
        ("UTF-16 as a whole", ScriptedAnswer::json(&wide)),
        (
            "no UTF-8",
            ScriptedAnswer::events([b"{\"choices\":[{\"text\":\"\xff\xfe\"}]}"]),
        ),
        (
            "ten megabytes of the same",
            ScriptedAnswer::events(vec![same; 1_700]),
        ),
        (
            "cut off within a marker",
            said("<|marker_1|>first(1);\n<|mark", "length"),
        ),
        (
            "markers out of order",
            said("<|marker_2|>first(1);<|marker_1|>", "stop"),
        ),
        (
            "markers that are not there",
            said("<|marker_7|>first(1);<|marker_9|>", "stop"),
        ),
        (
            "a marker in the code",
            said("first(<|editable_region_start|>);\nsecond();\n", "stop"),
        ),
    ];
    for format in ["zeta-2.1", "zeta-2", "sweep", "sweep-v2"] {
        for (what, answer) in &answers {
            let server = ModelServer::start(answer.clone());
            let mut settings = settings(&server);
            settings["lanes"]["nextEdit"]["format"] = json!(format);
            let mut client = ClientConnection::silent();
            client.begin(json!({ "capabilities": {}, "initializationOptions": settings }));
            client.open(MAIN, "first();\nsecond();\n");
            let result = until_told(&server, || {
                client.result("textDocument/copilotInlineEdit", question())
            });
            assert_eq!(result, json!({ "edits": [] }), "{what} to {format}");
            assert_eq!(server.asked(), 1, "{what} to {format}");
            let why = client.result("foretell/why", json!({ "limit": 1 }));
            let decision = &why["decisions"][0];
            assert_eq!(
                decision["reason"], "lane-failed",
                "{what} to {format}: {decision}"
            );
            let failure = decision["lanes"][0]["failure"].as_str();
            let is_named = failure.is_some_and(|it| !it.is_empty() && it != "timed-out");
            assert!(is_named, "{what} to {format}: {decision}");
            client.leave();
        }
    }
}
