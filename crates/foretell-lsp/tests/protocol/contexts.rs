//! Contexts that somebody wants to see, and diagnostics, which are part of them.

use serde_json::{Value, json};

use crate::client::{ClientConnection, MAIN};

fn at(line: u32, column: u32) -> Value {
    json!({ "line": line, "character": column })
}

#[test]
fn a_context_is_answered_with_what_it_is_made_of() {
    let mut client = ClientConnection::with("let größe = nothing;\n");
    let range = json!({ "start": at(0, 12), "end": at(0, 19) });
    let diagnostic = json!({
        "range": range, "severity": 1, "source": "rustc", "code": "E0425",
        "message": "cannot find value `nothing` in this scope",
    });
    let misplaced = json!({ "range": { "start": at(7, 0), "end": at(7, 1) }, "message": "gone" });
    let fix = json!({
        "diagnostic": diagnostic, "title": "use 1",
        "edits": [{ "range": range, "newText": "1" }],
    });
    client.notify(
        "foretell/didChangeDiagnostics",
        json!({ "uri": MAIN, "version": 1, "diagnostics": [diagnostic, misplaced], "fixes": [fix] }),
    );
    let params = json!({ "textDocument": { "uri": MAIN, "version": 1 }, "position": at(0, 3) });
    let context = client.result("foretell/context", params);
    let sources = context["sources"].as_array().expect("a list");
    let names: Vec<_> = sources.iter().map(|it| &it["source"]).collect();
    assert_eq!(names, ["diagnostics", "history", "semantic"]);
    assert_eq!(sources[0]["included"], 1, "{context}");
    let text = context["text"].as_str().expect("a text");
    assert!(
        text.contains("cannot find value `nothing` in this scope"),
        "{text}"
    );
    assert!(!text.contains("gone"), "{text}");
    client.leave();
}

#[test]
fn a_context_that_makes_no_sense_is_refused() {
    let mut client = ClientConnection::with("let x\n");
    let document = json!({ "uri": MAIN });
    for params in [
        json!({ "textDocument": document }),
        json!({ "textDocument": { "uri": "file:///unknown" }, "position": at(0, 0) }),
        json!({ "textDocument": { "uri": MAIN, "version": 9 }, "position": at(0, 0) }),
        json!({ "textDocument": document, "position": at(9, 0) }),
        json!({ "textDocument": document, "range": { "start": at(0, 3), "end": at(0, 1) } }),
        json!({}),
    ] {
        assert_eq!(
            client.error("foretell/context", params.clone()),
            -32602,
            "{params}"
        );
    }
    client.leave();
}

#[test]
fn the_next_edit_is_a_list_and_never_null() {
    let mut client = ClientConnection::with("let x\n");
    let params = json!({ "textDocument": { "uri": MAIN, "version": 1 }, "position": at(0, 5) });
    let edits = client.result("textDocument/copilotInlineEdit", params);
    assert_eq!(edits, json!({ "edits": [] }));
    client.leave();
}

#[test]
fn what_was_changed_twice_is_the_next_edit_at_the_third_place() {
    let mut client = ClientConnection::with("let a = one;\nlet b = one;\nlet c = one;\n");
    for (version, line) in [(2, 0), (3, 1)] {
        let range = json!({ "start": at(line, 8), "end": at(line, 11) });
        client.change(version, json!([{ "range": range, "text": "two" }]));
    }
    let params = json!({
        "textDocument": { "uri": MAIN, "version": 3 },
        "position": at(1, 11),
        "context": { "triggerKind": 1 },
    });
    let answer = client.result("textDocument/copilotInlineEdit", params);
    let edit = json!({
        "text": "two",
        "textDocument": { "uri": MAIN, "version": 3 },
        "range": { "start": at(2, 8), "end": at(2, 11) },
        "command": { "title": "Accept", "command": "foretell.accept", "arguments": ["1.0"] },
    });
    assert_eq!(answer, json!({ "edits": [edit] }));
    client.leave();
}

#[test]
fn of_an_excluded_document_it_is_said_why_there_is_no_context() {
    let mut client = ClientConnection::ready();
    for uri in [
        "file:///home/.env",
        "untitled:.env",
        "git:/home/.env?ref=HEAD",
    ] {
        client.open(uri, "KEY=1\n");
        let params = json!({ "textDocument": { "uri": uri }, "position": at(0, 0) });
        let context = client.result("foretell/context", params);
        assert_eq!(context["text"], "", "{uri}");
        let why = context["excluded"].as_str().expect("a reason");
        assert_eq!(why, "files with such a name hold secrets", "{uri}");
    }
    client.leave();
}
