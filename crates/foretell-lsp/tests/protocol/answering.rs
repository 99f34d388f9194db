//! How the server answers for itself: why, status, rejections, what was sent, and traces.

use foretell_lsp::ServerOptions;
use foretell_settings::RawSettings;
use serde_json::{Value, json};

use crate::client::{ClientConnection, MAIN};

fn name_of(item: &Value) -> Value {
    item["command"]["arguments"][0].clone()
}

fn why(client: &mut ClientConnection) -> String {
    let params = json!({ "textDocument": { "uri": MAIN }, "limit": 1 });
    let why = client.result("foretell/why", params);
    why["text"].as_str().expect("words").to_owned()
}

#[test]
fn why_nothing_was_shown_is_answered_in_words_and_as_data() {
    let mut client = ClientConnection::with("let y\nlet x\n");
    assert_eq!(client.suggested(0, 5), None);
    let words = why(&mut client);
    assert!(words.starts_with("Nothing was shown: "), "{words}");
    let items = client.items(1, 5);
    client.notify("foretell/didShow", json!({ "id": name_of(&items[0]) }));
    client.notify("foretell/didReject", json!({ "id": name_of(&items[0]) }));
    assert_eq!(client.suggested(1, 5), None);
    let params = json!({ "textDocument": { "uri": MAIN }, "limit": 50 });
    let why = client.result("foretell/why", params);
    let last = &why["decisions"][0];
    assert_eq!(last["what"], "withheld", "{why}");
    assert_eq!(last["reason"], "previously-rejected");
    assert_eq!((&last["line"], &last["column"]), (&json!(2), &json!(6)));
    assert!(!why.to_string().contains("= 1;"), "it quotes nothing");
    // Lanes that know what was rejected do not suggest it at all.
    assert_eq!(client.suggested(0, 5), None);
    let words = self::why(&mut client);
    let expected = "Nothing was shown: no lane had anything to suggest, and 1 change rejected in \
                    this document will not be suggested again.";
    assert!(words.starts_with(expected), "{words}");
    client.leave();
}

#[test]
fn an_excluded_document_is_explained() {
    let flags = [
        "lanes.fim.kind=openai",
        "lanes.fim.url=http://127.0.0.1:1",
        "lanes.nextEdit.enabled=false",
        "lanes.fix.enabled=false",
    ];
    let mut client = ClientConnection::start(ServerOptions {
        given: flags
            .map(|it| RawSettings::from_assignment("--set", it).0)
            .into(),
        ..ServerOptions::default()
    });
    client.begin(json!({ "capabilities": {} }));
    let uri = "file:///home/.env";
    client.open(uri, "KEY=1\n");
    let asked = client.ask_in(uri, 1, (1, 0));
    assert_eq!(client.items_of(asked), [] as [Value; 0]);
    let why = client.result("foretell/why", json!({ "textDocument": { "uri": uri } }));
    assert_eq!(why["decisions"][0]["reason"], "excluded-document", "{why}");
    let words = why["text"].as_str().expect("words");
    assert!(words.contains(".env"), "it says by what: {words}");
    let sent = client.result("foretell/sent", Value::Null);
    assert_eq!(sent["sent"], json!([]));
    client.leave();
}

#[test]
fn a_command_shows_what_it_answers() {
    let mut client = ClientConnection::with("let y\n");
    assert_eq!(client.suggested(0, 5), None);
    for command in [
        "foretell.why",
        "foretell.status",
        "foretell.sent",
        "foretell.rejections",
    ] {
        let params = json!({ "command": command });
        let asked = client.request("workspace/executeCommand", params);
        let shown = client.told("window/showMessage");
        let answer = client.answer(asked).expect("an answer");
        assert_eq!(shown["type"], 3);
        assert_eq!(shown["message"], answer["text"], "{command}");
    }
    client.leave();
}

#[test]
fn status_has_lanes_counts_and_rates() {
    let mut client = ClientConnection::with("let x\n");
    assert!(client.suggested(0, 5).is_some());
    let status = client.result("foretell/status", Value::Null);
    assert_eq!(status["protocol"], 1);
    assert_eq!(status["lanes"][0]["lane"], "fim");
    assert_eq!(status["lanes"][0]["calls"], 1);
    assert_eq!(status["counts"]["requests"], 1);
    assert_eq!(status["counts"]["openDocuments"], 1);
    for rate in [
        "triggersPerMinute",
        "gating",
        "rejection",
        "rejectedWithin2s",
    ] {
        assert!(status["rates"].get(rate).is_some(), "{rate}");
    }
    assert!(status["measures"]["triggerToSuggestion"].is_object());
    client.leave();
}

#[test]
fn rejections_are_mirrored_forgotten_and_restored() {
    let mut client = ClientConnection::with("let x\n");
    let items = client.items(0, 5);
    client.notify("foretell/didReject", json!({ "id": name_of(&items[0]) }));
    let mirrored = client.result("foretell/rejections", Value::Null);
    assert_eq!(mirrored["rejections"].as_array().expect("a list").len(), 1);
    let left = client.result(
        "foretell/forget",
        json!({ "id": mirrored["rejections"][0]["id"] }),
    );
    assert_eq!(left["rejections"], json!([]));
    assert!(client.suggested(0, 5).is_some());
    client.leave();

    // Another server, and the same text.
    let mut client = ClientConnection::ready();
    let restored = client.result("foretell/restore", mirrored.clone());
    assert_eq!(restored, json!({ "taken": 1, "refused": 0 }));
    client.open(MAIN, "let x\n");
    assert_eq!(client.suggested(0, 5), None);
    let broken = json!({ "rejections": [1, mirrored["rejections"][0], { "id": 1 }] });
    let restored = client.result("foretell/restore", broken);
    assert_eq!(
        (&restored["taken"], &restored["refused"]),
        (&json!(1), &json!(2))
    );
    for wrong in [
        Value::Null,
        json!({}),
        json!({ "id": 1, "all": true }),
        json!({ "id": "1" }),
        json!({ "id": 99 }),
    ] {
        assert_eq!(
            client.error("foretell/forget", wrong.clone()),
            -32602,
            "{wrong}"
        );
    }
    assert_eq!(client.error("foretell/restore", json!([])), -32602);
    client.result("foretell/forget", json!({ "all": true }));
    assert!(client.suggested(0, 5).is_some());
    client.leave();
}

#[test]
fn what_is_decided_can_be_heard_as_it_happens() {
    let mut client = ClientConnection::with("let x\nlet y\n");
    client.notify("$/setTrace", json!({ "value": "verbose" }));
    let asked = client.ask(1, 5);
    let trace = client.told("$/logTrace");
    let message = trace["message"].as_str().expect("words");
    let told = message.strip_prefix("suggestion in main.rs: nothing: ");
    let told = told.unwrap_or_else(|| panic!("{message}")).to_owned();
    let verbose = trace["verbose"].as_str().expect("words");
    assert!(verbose.starts_with("fim had nothing after "), "{verbose}");
    client.items_of(asked);
    let why = why(&mut client);
    assert!(
        why.starts_with(&format!("Nothing was shown: {told}.\n")),
        "{told}, but {why}"
    );
    client.notify("$/setTrace", json!({ "value": "messages" }));
    let asked = client.ask(0, 5);
    let trace = client.told("$/logTrace");
    assert_eq!(
        trace,
        json!({ "message": "suggestion in main.rs: 1 candidate" })
    );
    client.items_of(asked);
    client.notify("$/setTrace", json!({ "value": "off" }));
    assert!(client.suggested(0, 5).is_some());
    client.leave();
}
