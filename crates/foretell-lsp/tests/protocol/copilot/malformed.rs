//! What makes no sense, by each of Copilot's methods: the error that LSP prescribes or a line in the log,
//! and the server goes on.

use serde_json::{Value, json};

use super::guest::{Guest, at, doc, neovim};
use crate::client::MAIN;

#[test]
fn a_request_that_makes_no_sense_is_refused() {
    let (mut guest, _) = Guest::begin(json!({ "capabilities": {} }));
    guest.open(1, "let x 😀");
    let half = json!({ "doc": { "uri": MAIN, "position": at(0, 7) } });
    for method in ["getCompletions", "getCompletionsCycling"] {
        // Half a face is a place that is not in the text, and so are these.
        for nowhere in [
            half.clone(),
            doc(1, (9, 9)),
            doc(7, (0, 5)),
            doc(1, (0, 99)),
        ] {
            let none = json!({ "completions": [] });
            assert_eq!(guest.result(method, nowhere), none);
        }
    }
    for method in [
        "getCompletions",
        "getCompletionsCycling",
        "getPanelCompletions",
        "textDocument/copilotPanelCompletion",
    ] {
        for wrong in [
            Value::Null,
            json!({}),
            json!([]),
            json!({ "doc": 1, "textDocument": 1 }),
            json!({ "doc": { "uri": MAIN }, "textDocument": { "uri": MAIN } }),
            json!({ "doc": { "uri": 1, "position": at(0, 0) }, "panelId": 1 }),
            json!({ "doc": { "uri": MAIN, "position": { "line": -1, "character": 0 } } }),
            json!({ "doc": { "uri": MAIN, "version": "1", "position": at(0, 0) }, "panelId": "1" }),
        ] {
            assert_eq!(
                guest.error(method, wrong.clone()),
                -32602,
                "{method} {wrong}"
            );
        }
    }
    for (method, wrong) in [
        ("notifyShown", json!({})),
        ("notifyShown", json!({ "uuid": 1 })),
        ("notifyAccepted", Value::Null),
        (
            "notifyAccepted",
            json!({ "uuid": "1.0", "acceptedLength": -1 }),
        ),
        (
            "notifyAccepted",
            json!({ "uuid": "1.0", "acceptedLength": 0 }),
        ),
        (
            "notifyAccepted",
            json!({ "uuid": "1.0", "acceptedLength": "1" }),
        ),
        ("notifyRejected", json!({ "uuids": "1.0" })),
        ("notifyRejected", json!({ "uuid": "1.0" })),
        ("notifyRejected", json!({ "uuids": ["1.0", 1] })),
        ("notifyNextEditRejected", json!({ "reason": "x" })),
        ("setEditorInfo", Value::Null),
    ] {
        assert_eq!(
            guest.error(method, wrong.clone()),
            -32602,
            "{method} {wrong}"
        );
    }
    let command = "github.copilot.didAcceptCompletionItem";
    for arguments in [json!([]), json!([1]), json!([null]), json!("1.0")] {
        let params = json!({ "command": command, "arguments": arguments });
        assert_eq!(guest.error("workspace/executeCommand", params), -32602);
    }
    assert_eq!(guest.rejections(), 0);
    guest.leave();
}

#[test]
fn a_name_that_nobody_has_is_no_fault_and_no_rejection() {
    let (mut guest, _) = Guest::begin(json!({ "capabilities": {} }));
    for uuid in [
        "",
        "x",
        "99.0",
        "63f4ab66-e550-4313-9023-144a33254607",
        "1.99999999999999999999",
    ] {
        assert_eq!(guest.result("notifyShown", json!({ "uuid": uuid })), "OK");
        let taken = json!({ "uuid": uuid, "acceptedLength": 3 });
        assert_eq!(guest.result("notifyAccepted", taken), "OK");
        assert_eq!(
            guest.result("notifyRejected", json!({ "uuids": [uuid, uuid] })),
            "OK"
        );
        let rejected = json!({ "uuid": uuid, "reason": "dismissed" });
        assert_eq!(guest.result("notifyNextEditRejected", rejected), "OK");
        let item = json!({ "command": { "arguments": [uuid] } });
        guest.notify("textDocument/didShowCompletion", json!({ "item": item }));
        let partly = json!({ "item": item, "acceptedLength": 1 });
        guest.notify("textDocument/didPartiallyAcceptCompletion", partly);
        for command in [
            "github.copilot.didAcceptCompletionItem",
            "github.copilot.didRejectNextEditSuggestionItem",
        ] {
            let params = json!({ "command": command, "arguments": [uuid] });
            assert_eq!(
                guest.result("workspace/executeCommand", params),
                Value::Null
            );
        }
    }
    let status = guest.result("foretell/status", Value::Null);
    assert_eq!(status["counts"]["rejected"], 0, "{status}");
    assert!(guest.told_by("window/logMessage").is_empty());
    guest.leave();
}

#[test]
fn a_notification_that_makes_no_sense_is_said_in_the_log() {
    let (mut guest, _) = Guest::begin(json!({ "capabilities": {} }));
    guest.open(1, "let größe");
    let shown = guest.completions("getCompletionsCycling", 1, (0, 9));
    let item = json!({ "command": { "arguments": [shown[0]["uuid"]] } });
    let wrong = [
        ("textDocument/didFocus", json!(1)),
        ("textDocument/didFocus", json!({ "uri": 1 })),
        ("textDocument/didFocus", json!({ "textDocument": {} })),
        ("textDocument/didShowCompletion", json!({})),
        (
            "textDocument/didShowCompletion",
            json!({ "item": { "command": {} } }),
        ),
        (
            "textDocument/didShowInlineEdit",
            json!({ "item": { "command": { "arguments": [] } } }),
        ),
        (
            "textDocument/didShowInlineEdit",
            json!({ "item": { "command": { "arguments": [1] } } }),
        ),
        (
            "textDocument/didPartiallyAcceptCompletion",
            json!({ "item": item }),
        ),
        (
            "textDocument/didPartiallyAcceptCompletion",
            json!({ "item": item, "acceptedLength": -3 }),
        ),
        (
            "textDocument/didPartiallyAcceptCompletion",
            json!({ "item": item, "acceptedLength": 0 }),
        ),
        // Half a face.
        (
            "textDocument/didPartiallyAcceptCompletion",
            json!({ "item": item, "acceptedLength": 4 }),
        ),
    ];
    for (method, params) in &wrong {
        guest.notify(method, params.clone());
    }
    let accepted = guest.result("foretell/status", Value::Null)["counts"]["accepted"].clone();
    assert_eq!(accepted, 0);
    let log = guest.told_by("window/logMessage");
    assert_eq!(log.len(), wrong.len(), "{log:?}");
    for ((method, _), line) in wrong.iter().zip(log) {
        let words = line["message"].as_str().expect("words");
        assert!(words.contains(method), "{words}");
        assert!(!words.contains('😀'), "{words}");
    }
    guest.leave();
}

#[test]
fn nothing_is_an_empty_list_and_never_an_error() {
    let (mut guest, _) = Guest::begin(json!({ "capabilities": neovim() }));
    guest.has_no_settings();
    guest.open(1, "never\nlet y");
    // Superseded.
    let older = guest
        .client
        .request("getCompletionsCycling", doc(1, (0, 5)));
    let newer = guest
        .client
        .request("getCompletionsCycling", doc(1, (1, 5)));
    assert_eq!(guest.answer(older), Ok(json!({ "completions": [] })));
    assert_eq!(guest.answer(newer), Ok(json!({ "completions": [] })));
    // Taken back: LSP wants an error.
    let asked = guest
        .client
        .request("getCompletionsCycling", doc(1, (0, 5)));
    guest.notify("$/cancelRequest", json!({ "id": asked }));
    assert_eq!(guest.answer(asked), Err(-32800));
    // Not known.
    let mut elsewhere = doc(1, (0, 0));
    elsewhere["doc"]["uri"] = json!("file:///unknown");
    let none = json!({ "completions": [] });
    assert_eq!(guest.result("getCompletions", elsewhere), none);
    let place = json!({ "textDocument": { "uri": "file:///unknown" }, "position": at(0, 0) });
    let items = guest.result("textDocument/copilotPanelCompletion", place);
    assert_eq!(items, json!({ "items": [] }));
    // Shut down meanwhile.
    let asked = guest
        .client
        .request("getCompletionsCycling", doc(1, (0, 5)));
    let shutdown = guest.client.request("shutdown", Value::Null);
    assert_eq!(guest.answer(asked), Ok(none));
    assert_eq!(guest.answer(shutdown), Ok(Value::Null));
    guest.client.exit();
}
