//! Clients that ask for inline completions: copilot.vim as it is now, and Zed.

use lsp_server::{Message, Response};
use serde_json::{Value, json};

use super::guest::{Guest, at, name_of, who};
use crate::client::MAIN;

#[test]
fn copilot_vim_sends_whole_texts_and_takes_items_in_parts() {
    // Vim itself, which offers no encoding and sends the whole text each time.
    let (mut guest, able) = Guest::begin(json!({
        "processId": null,
        "capabilities": {
            "workspace": { "workspaceFolders": true },
            "window": { "showDocument": { "support": true } },
        },
        "initializationOptions": who("copilot.vim"),
        "workspaceFolders": [],
    }));
    let commands = able["capabilities"]["executeCommandProvider"]["commands"].clone();
    let accept = json!("github.copilot.didAcceptCompletionItem");
    assert!(commands.as_array().expect("a list").contains(&accept));
    let settings = json!({
        "http": { "proxy": null, "proxyStrictSSL": null },
        "github-enterprise": { "uri": null },
    });
    guest.notify(
        "workspace/didChangeConfiguration",
        json!({ "settings": settings }),
    );
    guest.open(5, "let größe\n");
    guest.notify(
        "textDocument/didFocus",
        json!({ "textDocument": { "uri": MAIN } }),
    );
    let ask = |version: i32, column: u32, kind: u32| {
        json!({
            "textDocument": { "uri": MAIN, "version": version },
            "position": at(0, column),
            "formattingOptions": { "insertSpaces": true, "tabSize": 4 },
            "context": { "triggerKind": kind },
        })
    };
    let result = guest.result("textDocument/inlineCompletion", ask(5, 9, 2));
    let item = result["items"][0].clone();
    assert_eq!(item["insertText"], " = 😀;");
    guest.notify("textDocument/didShowCompletion", json!({ "item": item }));
    // A word, counted from the start of the item's text on.
    let partly = json!({ "item": item, "acceptedLength": 3 });
    guest.notify("textDocument/didPartiallyAcceptCompletion", partly);
    guest
        .client
        .change(6, json!([{ "text": "let größe = \n" }]));
    let result = guest.result("textDocument/inlineCompletion", ask(6, 12, 2));
    let rest = result["items"][0].clone();
    assert_eq!(rest["insertText"], "😀;");
    let run =
        json!({ "command": rest["command"]["command"], "arguments": rest["command"]["arguments"] });
    guest
        .client
        .change(7, json!([{ "text": "let größe = 😀;\n" }]));
    assert_eq!(guest.result("workspace/executeCommand", run), Value::Null);
    let counts = guest.result("foretell/status", Value::Null)["counts"].clone();
    assert_eq!(
        (&counts["shown"], &counts["accepted"]),
        (&json!(1), &json!(2))
    );

    // The panel: the same items, because the person wants to see them.
    guest.client.change(8, json!([{ "text": "let x\n" }]));
    let mut params = ask(8, 5, 1);
    params["partialResultToken"] = json!(1);
    let result = guest.result("textDocument/copilotPanelCompletion", params);
    assert_eq!(result["items"][0]["insertText"], " = 1;");
    assert_eq!(result["items"].as_array().expect("a list").len(), 1);

    // An item that is superseded is an error, as its server has it; a dismissal is not told.
    guest.client.change(9, json!([{ "text": "never\n" }]));
    let older = guest
        .client
        .request("textDocument/inlineCompletion", ask(9, 5, 1));
    let newer = guest
        .client
        .request("textDocument/inlineCompletion", ask(9, 0, 1));
    assert_eq!(guest.answer(older), Err(-32800));
    assert!(guest.answer(newer).is_ok());
    assert_eq!(guest.rejections(), 0);
    guest.leave();
}

#[test]
fn zed_checks_its_status_and_asks_twice_at_once() {
    let (mut guest, _) = Guest::begin(json!({
        "capabilities": {
            "general": { "positionEncodings": ["utf-16"] },
            "window": { "showDocument": { "support": true } },
        },
        "initializationOptions": {
            "editorInfo": { "name": "zed", "version": "0.200.0" },
            "editorPluginInfo": { "name": "zed-copilot", "version": "0.0.1" },
        },
        "rootUri": "file:///",
    }));
    guest.notify(
        "workspace/didChangeConfiguration",
        json!({ "settings": null }),
    );
    let settings = json!({
        "http": { "proxy": null, "proxyStrictSSL": true },
        "github-enterprise": { "uri": null },
    });
    guest.notify(
        "workspace/didChangeConfiguration",
        json!({ "settings": settings }),
    );
    let check = json!({ "localChecksOnly": false });
    let status = json!({ "status": "OK", "user": "" });
    assert_eq!(guest.result("checkStatus", check.clone()), status);
    assert_eq!(guest.status, ["Normal"]);
    // It checks again whenever it is told that all is well, and is not told so again for that.
    assert_eq!(guest.result("checkStatus", check.clone()), status);
    assert_eq!(guest.status, ["Normal"]);
    guest.notify("textDocument/didFocus", json!({ "uri": MAIN }));
    guest.open(0, "let x\n");
    guest.notify("textDocument/didFocus", json!({ "uri": MAIN }));
    guest.notify("textDocument/didFocus", json!({ "uri": null }));
    guest.client.type_at(1, (0, 0), " ");
    let place = json!({ "textDocument": { "uri": MAIN, "version": 1 }, "position": at(0, 6) });
    let mut inline = place.clone();
    inline["context"] = json!({ "triggerKind": 2 });
    inline["formattingOptions"] = json!({ "tabSize": 4, "insertSpaces": true });
    let asked = [
        guest
            .client
            .request("textDocument/copilotInlineEdit", place.clone()),
        guest
            .client
            .request("textDocument/inlineCompletion", inline.clone()),
    ];
    let answers = both(&mut guest, asked);
    assert_eq!(answers[0], Ok(json!({ "edits": [] })));
    let item = answers[1].as_ref().expect("a result")["items"][0].clone();
    assert_eq!(item["insertText"], " = 1;");
    let run = json!({ "command": item["command"]["command"], "arguments": [name_of(&item)] });
    assert_eq!(guest.result("workspace/executeCommand", run), Value::Null);
    guest.client.type_at(2, (0, 6), " = 1;");
    // It does not take back what it no longer wants: the next edit is an empty list then.
    let mut place = place;
    place["textDocument"]["version"] = json!(2);
    let older = guest
        .client
        .request("textDocument/copilotInlineEdit", place.clone());
    place["position"] = at(0, 11);
    let newer = guest
        .client
        .request("textDocument/copilotInlineEdit", place);
    let empty = Ok(json!({ "edits": [] }));
    assert_eq!(guest.answer(older), empty);
    assert_eq!(guest.answer(newer), empty);
    guest.notify(
        "textDocument/didSave",
        json!({ "textDocument": { "uri": MAIN } }),
    );
    guest.notify(
        "textDocument/didClose",
        json!({ "textDocument": { "uri": MAIN } }),
    );
    assert_eq!(
        guest.result("signIn", json!({})),
        json!({ "status": "AlreadySignedIn", "user": "" })
    );
    assert!(guest.result("signOut", json!({})).is_object());
    assert_eq!(guest.rejections(), 0);
    assert!(
        guest.status.contains(&"Normal…".to_owned()),
        "{:?}",
        guest.status
    );
    assert_eq!(guest.status.last().map(String::as_str), Some("Normal"));
    guest.leave();
}

#[test]
fn what_was_shown_long_ago_in_another_file_can_still_be_taken() {
    let (mut guest, _) = Guest::begin(json!({ "capabilities": {} }));
    guest.open(1, "let x");
    let shown = guest.completions("getCompletions", 1, (0, 5));
    // More than the server keeps word for word, while the machine still has this one.
    guest.client.open("file:///other.rs", "let x");
    for _ in 0..300 {
        let asked = guest.client.ask_in("file:///other.rs", 1, (0, 5));
        assert!(guest.answer(asked).is_ok());
    }
    let accept = "github.copilot.didAcceptCompletionItem";
    let run = json!({ "command": accept, "arguments": [shown[0]["uuid"]] });
    assert_eq!(guest.result("workspace/executeCommand", run), Value::Null);
    let counts = guest.result("foretell/status", Value::Null)["counts"].clone();
    assert_eq!(counts["accepted"], 1, "{counts}");
    guest.leave();
}

/// The answers to two requests, in whichever order they come.
fn both(guest: &mut Guest, asked: [i32; 2]) -> [Result<Value, i32>; 2] {
    let mut answers = [Err(0), Err(0)];
    for _ in asked {
        let Message::Response(Response {
            id,
            response_result,
        }) = guest.hear()
        else {
            unreachable!("an answer was to come");
        };
        let which = asked
            .iter()
            .position(|it| id == (*it).into())
            .expect("one of them");
        answers[which] = response_result.map_err(|error| error.code);
    }
    answers
}
