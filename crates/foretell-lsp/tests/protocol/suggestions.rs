//! Suggestions: what an answer looks like, that every request gets one and only one, and what
//! becomes of what the person thinks of them.

use serde_json::{Value, json};

use crate::client::{ClientConnection, MAIN};

/// The name of a suggestion.
fn name_of(item: &Value) -> Value {
    item["command"]["arguments"][0].clone()
}

#[test]
fn an_answer_has_all_that_an_editor_needs() {
    let mut client = ClientConnection::with("fn f() {\n    let x\n}\n");
    let asked = client.ask(1, 9);
    let at = json!({ "line": 1, "character": 9 });
    let expected = json!({ "items": [{
        "insertText": " = 1;",
        "range": { "start": at, "end": at },
        "command": { "title": "Accept", "command": "foretell.accept", "arguments": ["1.0"] },
    }] });
    assert_eq!(client.answer(asked), Ok(expected));
    client.leave();
}

#[test]
fn nothing_is_a_list_and_never_null() {
    let mut client = ClientConnection::with("let y");
    let asked = client.ask(0, 5);
    assert_eq!(client.answer(asked), Ok(json!({ "items": [] })));
    let nowhere = client.ask(7, 0);
    assert_eq!(client.answer(nowhere), Ok(json!({ "items": [] })));
    let unknown = client.ask_in("file:///unknown", 2, (0, 0));
    client.told("foretell/resync");
    assert_eq!(client.answer(unknown), Ok(json!({ "items": [] })));
    client.leave();
}

#[test]
fn an_answer_takes_as_long_as_its_lane() {
    let mut client = ClientConnection::with("slow");
    let asked = client.ask(0, 4);
    // Others do not wait for it.
    assert_eq!(client.error("textDocument/hover", json!({})), -32601);
    assert_eq!(client.items_of(asked)[0]["insertText"], "ly");
    client.leave();
}

#[test]
fn a_newer_request_takes_the_place_of_the_older() {
    let mut client = ClientConnection::with("never\nlet x");
    let older = client.ask(0, 5);
    let newer = client.ask(1, 5);
    assert_eq!(client.answer(older), Err(-32800));
    assert_eq!(client.items_of(newer)[0]["insertText"], " = 1;");
    client.leave();
}

#[test]
fn the_same_question_twice_is_one() {
    let mut client = ClientConnection::with("slow");
    let older = client.ask(0, 4);
    let newer = client.ask(0, 4);
    assert_eq!(client.answer(older), Err(-32800));
    let items = client.items_of(newer);
    assert_eq!(items[0]["insertText"], "ly");
    assert_eq!(
        name_of(&items[0]),
        "2.0",
        "it belongs to the one that is answered"
    );
    client.leave();
}

#[test]
fn a_request_can_be_taken_back() {
    let mut client = ClientConnection::with("never");
    let asked = client.ask(0, 5);
    client.notify("$/cancelRequest", json!({ "id": asked }));
    assert_eq!(client.answer(asked), Err(-32800));
    // Again, or one that nobody made, or by a name: nothing happens.
    client.notify("$/cancelRequest", json!({ "id": asked }));
    client.notify("$/cancelRequest", json!({ "id": "name" }));
    client.leave();
}

#[test]
fn closing_a_document_answers_what_was_asked_about_it() {
    let mut client = ClientConnection::with("never");
    let asked = client.ask(0, 5);
    client.notify(
        "textDocument/didClose",
        json!({ "textDocument": { "uri": MAIN } }),
    );
    assert_eq!(client.answer(asked), Ok(json!({ "items": [] })));
    client.leave();
}

#[test]
fn a_version_that_is_not_held_is_answered_with_nothing() {
    let mut client = ClientConnection::with("let x");
    for (version, count) in [(1, 1), (2, 0), (0, 0)] {
        let params = json!({
            "textDocument": { "uri": MAIN, "version": version },
            "position": { "line": 0, "character": 5 },
            "context": { "triggerKind": 1 },
        });
        let asked = client.request("textDocument/inlineCompletion", params);
        assert_eq!(client.items_of(asked).len(), count, "version {version}");
    }
    client.leave();
}

#[test]
fn an_editor_that_asks_by_itself_gets_the_same_answer_without_a_call() {
    let mut client = ClientConnection::with("let x");
    let first = client.ask_in(MAIN, 2, (0, 5));
    assert_eq!(client.items_of(first)[0]["insertText"], " = 1;");
    let again = client.ask_in(MAIN, 2, (0, 5));
    assert_eq!(client.items_of(again)[0]["insertText"], " = 1;");
    client.leave();
}

#[test]
fn what_was_rejected_is_not_seen_again() {
    let mut client = ClientConnection::with("let x\nlet x");
    let items = client.items(0, 5);
    client.notify("foretell/didShow", json!({ "id": name_of(&items[0]) }));
    client.notify("foretell/didReject", json!({ "id": name_of(&items[0]) }));
    assert_eq!(client.suggested(0, 5), None);
    assert_eq!(
        client.suggested(1, 5).as_deref(),
        Some(" = 1;"),
        "elsewhere"
    );
    // A line above, and its place has moved.
    client.type_at(2, (0, 0), "// why\n");
    assert_eq!(client.suggested(1, 5), None);
    assert_eq!(client.suggested(2, 5).as_deref(), Some(" = 1;"));
    client.leave();
}

#[test]
fn accepting_is_a_command_or_a_notification() {
    let mut client = ClientConnection::with("let größe");
    let items = client.items(0, 9);
    let name = name_of(&items[0]);
    let accept = json!({ "command": "foretell.accept", "arguments": [name] });
    assert_eq!(
        client.result("workspace/executeCommand", accept),
        Value::Null
    );
    client.notify(
        "foretell/didAccept",
        json!({ "id": name, "acceptedLength": 3 }),
    );
    client.notify("foretell/didAccept", json!({ "id": name }));
    client.notify("foretell/didIgnore", json!({ "id": name }));
    // Half a face.
    client.notify(
        "foretell/didAccept",
        json!({ "id": name, "acceptedLength": 4 }),
    );
    let log = client.told("window/logMessage");
    let message = log["message"].as_str().expect("words");
    assert!(message.ends_with("acceptedLength does not fit what was offered"));
    client.leave();
}

#[test]
fn only_our_command_can_be_run() {
    let mut client = ClientConnection::ready();
    for (command, arguments) in [
        ("rm", json!(["1.0"])),
        ("foretell.accept", json!([])),
        ("foretell.accept", json!([1])),
        ("foretell.accept", json!(["one"])),
    ] {
        let params = json!({ "command": command, "arguments": arguments });
        assert_eq!(client.error("workspace/executeCommand", params), -32602);
    }
    // A name that nobody has is no fault of the client's: it may be an old one.
    let params = json!({ "command": "foretell.accept", "arguments": ["99.0"] });
    assert_eq!(
        client.result("workspace/executeCommand", params),
        Value::Null
    );
    client.notify("foretell/didReject", json!({ "id": "99.0" }));
    client.leave();
}
