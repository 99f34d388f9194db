//! Sessions: how they begin and end, and what is said to nonsense in between.

use foretell_lsp::SessionEnd;
use serde_json::{Value, json};

use crate::client::{ClientConnection, MAIN};

#[test]
fn initialize_says_what_the_server_can_do() {
    let (client, able) = ClientConnection::offering(&json!({}));
    let expected = json!({
        "capabilities": {
            "positionEncoding": "utf-16",
            "textDocumentSync": { "openClose": true, "change": 2, "save": {} },
            "inlineCompletionProvider": true,
            "executeCommandProvider": { "commands": [
                "foretell.accept", "foretell.why", "foretell.status", "foretell.sent",
                "foretell.rejections", "foretell.forget",
            ] },
            "workspace": { "workspaceFolders": { "supported": true, "changeNotifications": true } },
        },
        "serverInfo": {
            "name": "foretell",
            "version": env!("CARGO_PKG_VERSION"),
            "protocol": 1,
        },
    });
    assert_eq!(able, expected);
    client.leave();
}

#[test]
fn what_is_odd_about_a_client_costs_no_session() {
    for odd in [
        json!({ "capabilities": null, "clientInfo": {} }),
        json!({ "workspaceFolders": [{ "uri": "file:///a" }, 7], "clientInfo": "me" }),
        json!({ "capabilities": { "textDocument": { "hover": "of course" }, "general": 1 } }),
        json!({ "processId": 999_999_999, "trace": "loud" }),
    ] {
        let mut client = ClientConnection::silent();
        let able = client.begin(odd.clone());
        assert_eq!(able["capabilities"]["positionEncoding"], "utf-16", "{odd}");
        client.open(MAIN, "let x");
        assert!(!client.items(0, 5).is_empty(), "{odd}");
        client.leave();
    }
}

#[test]
fn columns_count_what_the_client_likes_best_of_what_is_known() {
    let table = [
        (json!([]), "utf-16"),
        (json!(["utf-8", "utf-16"]), "utf-8"),
        (json!(["utf-16", "utf-8"]), "utf-16"),
        (json!(["utf-32"]), "utf-32"),
        (json!(["utf-7", "utf-32", "utf-8"]), "utf-32"),
        (json!(["utf-7"]), "utf-16"),
    ];
    for (offered, expected) in table {
        let general = json!({ "general": { "positionEncodings": offered } });
        let (client, able) = ClientConnection::offering(&general);
        assert_eq!(able["capabilities"]["positionEncoding"], expected);
        client.leave();
    }
}

#[test]
fn columns_are_read_and_written_as_agreed() {
    for (encoding, column) in [("utf-8", 11), ("utf-16", 9), ("utf-32", 9)] {
        let general = json!({ "general": { "positionEncodings": [encoding] } });
        let (mut client, _) = ClientConnection::offering(&general);
        client.open(MAIN, "let größe");
        let items = client.items(0, column);
        let at = json!({ "line": 0, "character": column });
        assert_eq!(items[0]["range"], json!({ "start": at, "end": at }));
        client.leave();
    }
}

#[test]
fn before_initialize_nothing_is_done() {
    let mut client = ClientConnection::silent();
    client.open(MAIN, "let x");
    let params = json!({ "textDocument": { "uri": MAIN } });
    assert_eq!(
        client.error("textDocument/inlineCompletion", params),
        -32002
    );
    assert_eq!(client.exit(), SessionEnd::WithoutShutdown);
}

#[test]
fn a_malformed_initialize_can_be_said_again() {
    let mut client = ClientConnection::silent();
    assert_eq!(client.error("initialize", json!([1])), -32602);
    let params = json!({ "capabilities": {} });
    assert!(client.result("initialize", params).is_object());
    let params = json!({ "capabilities": {} });
    assert_eq!(client.error("initialize", params), -32600, "once is enough");
    client.leave();
}

#[test]
fn unknown_methods_are_refused_or_ignored() {
    let mut client = ClientConnection::with("let x");
    assert_eq!(client.error("textDocument/hover", json!({})), -32601);
    assert_eq!(client.error("foretell/nothing", Value::Null), -32601);
    client.notify(
        "textDocument/didSave",
        json!({ "textDocument": { "uri": MAIN } }),
    );
    client.notify("$/setTrace", json!({ "value": "off" }));
    assert_eq!(client.suggested(0, 5).as_deref(), Some(" = 1;"));
    client.leave();
}

#[test]
fn malformed_parameters_are_refused_and_the_server_goes_on() {
    let mut client = ClientConnection::with("let x");
    let document = json!({ "uri": MAIN });
    let malformed = [
        Value::Null,
        json!([]),
        json!({ "textDocument": document }),
        json!({ "textDocument": document, "position": { "line": -1, "character": 0 },
            "context": { "triggerKind": 1 } }),
        json!({ "textDocument": document, "position": { "line": 0, "character": 0 },
            "context": { "triggerKind": "1" } }),
    ];
    for params in malformed {
        assert_eq!(
            client.error("textDocument/inlineCompletion", params),
            -32602
        );
    }
    let notifications = [
        "$/cancelRequest",
        "textDocument/didOpen",
        "textDocument/didChange",
        "textDocument/didClose",
        "foretell/didChangeSelection",
        "foretell/didFocus",
        "foretell/willChange",
        "foretell/didShow",
        "foretell/didAccept",
        "foretell/didReject",
        "foretell/didIgnore",
        "foretell/didChangeDiagnostics",
        "textDocument/didSave",
        "workspace/didChangeWorkspaceFolders",
        "workspace/didChangeWatchedFiles",
        "$/setTrace",
    ];
    for method in notifications {
        client.notify(method, json!({ "id": {}, "textDocument": "secret" }));
        let log = client.told("window/logMessage");
        assert_eq!(log["type"], 2);
        let message = log["message"].as_str().expect("words");
        let expected = format!("malformed parameters of {method}: ");
        assert!(message.starts_with(&expected), "{message}");
        assert!(!message.contains("secret"), "{message}");
    }
    assert_eq!(client.suggested(0, 5).as_deref(), Some(" = 1;"));
    client.leave();
}

#[test]
fn shutdown_answers_what_was_asked_and_allows_only_exit() {
    let mut client = ClientConnection::with("never");
    let asked = client.ask(0, 5);
    let shutdown = client.request("shutdown", Value::Null);
    assert_eq!(client.answer(asked), Err(-32800));
    assert_eq!(client.answer(shutdown), Ok(Value::Null));
    let late = client.ask(0, 5);
    assert_eq!(client.answer(late), Err(-32600));
    client.open(MAIN, "let x");
    assert_eq!(client.exit(), SessionEnd::AfterShutdown);
}

#[test]
fn leaving_without_shutdown_is_noticed() {
    let client = ClientConnection::with("let x");
    assert_eq!(client.exit(), SessionEnd::WithoutShutdown);
    let mut client = ClientConnection::with("never");
    client.ask(0, 5);
    assert_eq!(client.vanish(), SessionEnd::WithoutShutdown);
    let mut client = ClientConnection::ready();
    client.result("shutdown", Value::Null);
    assert_eq!(client.vanish(), SessionEnd::AfterShutdown);
}

#[cfg(unix)]
#[test]
fn a_client_whose_process_ends_is_not_outlived_though_its_pipe_is_open() {
    let mut process = std::process::Command::new("cat");
    let mut process = process
        .stdin(std::process::Stdio::piped())
        .spawn()
        .expect("a process");
    let mut client = ClientConnection::silent();
    client.begin(json!({ "processId": process.id(), "capabilities": {} }));
    // It is there as long as the process is.
    assert_eq!(client.error("textDocument/hover", json!({})), -32601);
    drop(process.stdin.take());
    process.wait().expect("it ends");
    assert_eq!(client.outlive(), SessionEnd::WithoutShutdown);
}
