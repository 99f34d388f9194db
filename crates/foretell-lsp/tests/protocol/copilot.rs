//! Clients that were written for Copilot's server, each with the messages that it really sends, from
//! `initialize` to `shutdown`.
//!
//! What they send was read in their sources: sidekick.nvim (`nes/init.lua`), copilot-lsp
//! (`nes/init.lua`), copilot.lua (`suggestion/init.lua`, `client/config.lua`), copilot.vim
//! (`autoload/copilot.vim`, `autoload/copilot/client.vim`) and Zed (`crates/copilot`).

mod guest;
mod malformed;

use foretell_lsp::Start;
use serde_json::{Value, json};

use self::guest::{Guest, at, doc, name_of, neovim, who};
use crate::client::{Client, MAIN};

/// A word that was changed twice and stands there a third time, behind what counts differently in each
/// encoding.
const FACES: &str = "let a /* 😀 */ = one;\nlet b /* 😀 */ = one;\nlet c /* 😀 */ = one;\n";

/// Where that word stands, in UTF-16 units.
const WORD: (u32, u32) = (17, 20);

/// Changes the word on a line, to a version.
fn change_word(guest: &mut Guest, version: i32, line: u32) {
    let range = json!({ "start": at(line, WORD.0), "end": at(line, WORD.1) });
    guest
        .client
        .change(version, json!([{ "range": range, "text": "two" }]));
}

/// Asks for the next edit as an editor does, and gets what there is.
fn next_edits(guest: &mut Guest, version: i32, (line, column): (u32, u32)) -> Vec<Value> {
    let params = json!({
        "textDocument": { "uri": MAIN, "version": version },
        "position": at(line, column),
    });
    let result = guest.result("textDocument/copilotInlineEdit", params);
    result["edits"].as_array().expect("a list").clone()
}

#[test]
fn sidekick_gets_edits_of_the_version_it_has() {
    // It attaches to a client that Neovim was told of as Copilot's.
    let (mut guest, able) = Guest::begin(json!({
        "clientInfo": { "name": "Neovim", "version": "0.11.4" },
        "capabilities": neovim(),
        "initializationOptions": who("Neovim"),
    }));
    assert_eq!(able["capabilities"]["positionEncoding"], "utf-16");
    guest.has_no_settings();
    let settings = json!({ "settings": { "telemetry": { "telemetryLevel": "all" } } });
    guest.notify("workspace/didChangeConfiguration", settings);
    guest.has_no_settings();
    guest.open(4, FACES);
    guest.notify(
        "textDocument/didFocus",
        json!({ "textDocument": { "uri": MAIN } }),
    );
    change_word(&mut guest, 5, 0);
    change_word(&mut guest, 6, 1);
    let params = json!({
        "textDocument": { "uri": MAIN, "version": 6 },
        "position": at(1, 20),
        "context": { "triggerKind": 2 },
    });
    let older = guest
        .client
        .request("textDocument/copilotInlineEdit", params.clone());
    guest.notify("$/cancelRequest", json!({ "id": older }));
    assert_eq!(guest.answer(older), Err(-32800));
    let result = guest.result("textDocument/copilotInlineEdit", params);
    let edit = &result["edits"][0];
    assert_eq!(edit["text"], "two");
    // It drops what is about another version than the buffer's.
    assert_eq!(edit["textDocument"], json!({ "uri": MAIN, "version": 6 }));
    assert_eq!(
        edit["range"],
        json!({ "start": at(2, 17), "end": at(2, 20) })
    );
    // It applies the edit and runs the command, which Neovim does only if the server has it.
    change_word(&mut guest, 7, 2);
    let command = edit["command"]["command"].clone();
    let commands = &able["capabilities"]["executeCommandProvider"]["commands"];
    assert!(commands.as_array().expect("a list").contains(&command));
    let run = json!({ "command": command, "arguments": edit["command"]["arguments"] });
    assert_eq!(guest.result("workspace/executeCommand", run), Value::Null);
    let accepted = guest.result("foretell/status", Value::Null)["counts"]["accepted"].clone();
    assert_eq!(accepted, 1);
    assert_eq!(
        next_edits(&mut guest, 7, (2, 20)),
        [] as [Value; 0],
        "nothing is left"
    );
    assert_eq!(
        next_edits(&mut guest, 6, (2, 20)),
        [] as [Value; 0],
        "out of step"
    );
    guest.leave();
}

#[test]
fn copilot_lsp_counts_utf_16_and_says_little() {
    let (mut guest, _) = Guest::begin(json!({
        "capabilities": neovim(),
        "initializationOptions": who("Github Copilot LSP for Neovim"),
    }));
    guest.has_no_settings();
    guest.open(1, FACES);
    let focus = |uri: &str| json!({ "textDocument": { "uri": uri } });
    guest.notify("textDocument/didFocus", focus(MAIN));
    // It says so of every buffer, also of those that are not open here.
    guest.notify("textDocument/didFocus", focus("file:///help.txt"));
    change_word(&mut guest, 2, 0);
    change_word(&mut guest, 3, 1);
    let edits = next_edits(&mut guest, 3, (1, 20));
    let there = json!({ "start": at(2, 17), "end": at(2, 20) });
    assert_eq!(edits[0]["range"], there);
    let item = json!({ "command": edits[0]["command"] });
    guest.notify("textDocument/didShowInlineEdit", json!({ "item": item }));
    let counts = guest.result("foretell/status", Value::Null)["counts"].clone();
    assert_eq!(counts["shown"], 1);
    // It clears a suggestion without a word, so that it is offered again.
    assert_eq!(next_edits(&mut guest, 3, (1, 20))[0]["range"], there);
    // It does not take back what it no longer wants, and would show the person an error.
    let place = |column: u32| {
        json!({
            "textDocument": { "uri": MAIN, "version": 4 },
            "position": at(0, column),
        })
    };
    change_word(&mut guest, 4, 2);
    let method = "textDocument/copilotInlineEdit";
    let older = guest.client.request(method, place(1));
    let newer = guest.client.request(method, place(2));
    assert_eq!(guest.answer(older), Ok(json!({ "edits": [] })));
    assert_eq!(guest.answer(newer), Ok(json!({ "edits": [] })));
    assert!(guest.told_by("foretell/resync").is_empty());
    guest.leave();
}

#[test]
fn a_next_edit_that_was_rejected_is_not_seen_again() {
    for by_command in [true, false] {
        let (mut guest, _) = Guest::begin(json!({ "capabilities": {} }));
        guest.open(1, FACES);
        change_word(&mut guest, 2, 0);
        change_word(&mut guest, 3, 1);
        let edits = next_edits(&mut guest, 3, (1, 20));
        let name = name_of(&edits[0]);
        let command = "github.copilot.didRejectNextEditSuggestionItem";
        let (method, params) = match by_command {
            true => (
                "workspace/executeCommand",
                json!({ "command": command, "arguments": [name] }),
            ),
            false => (
                "notifyNextEditRejected",
                json!({ "uuid": name, "reason": "dismissed" }),
            ),
        };
        guest.result(method, params);
        assert_eq!(guest.rejections(), 1);
        assert_eq!(next_edits(&mut guest, 3, (1, 20)), [] as [Value; 0]);
        // A line above, and its place has moved.
        guest.client.type_at(4, (0, 0), "// why\n");
        assert_eq!(next_edits(&mut guest, 4, (2, 20)), [] as [Value; 0]);
        guest.leave();
    }
}

#[test]
fn copilot_lua_asks_shows_takes_and_dismisses() {
    let mut capabilities = neovim();
    capabilities["workspace"] = json!({ "workspaceFolders": true });
    let (mut guest, able) = Guest::begin(json!({
        "capabilities": capabilities,
        "initializationOptions": who("copilot.lua"),
        "workspaceFolders": [],
    }));
    assert_eq!(able["capabilities"]["positionEncoding"], "utf-16");
    let settings = json!({
        "github": { "copilot": { "selectedCompletionModel": "" } },
        "enableAutoCompletions": true,
        "disabledLanguages": [{ "languageId": "yaml" }],
    });
    guest.notify(
        "workspace/didChangeConfiguration",
        json!({ "settings": settings }),
    );
    guest.notify("$/setTrace", json!({ "value": "off" }));
    assert_eq!(
        guest.result("copilot/models", json!({ "_": true })),
        json!([])
    );
    let status = json!({ "status": "OK", "user": "" });
    assert_eq!(guest.result("checkStatus", json!({ "_": true })), status);
    assert_eq!(
        guest.result("signInConfirm", json!({ "userCode": "" })),
        status
    );
    guest.open(3, "/* 😀 */ let größe\nlet x");

    // What is told begins at column 0, and columns are of UTF-16.
    let first = guest.completions("getCompletions", 3, (0, 18));
    assert_eq!(
        first,
        [json!({
            "uuid": "1.0",
            "text": "/* 😀 */ let größe = 😀;",
            "displayText": " = 😀;",
            "range": { "start": at(0, 0), "end": at(0, 18) },
            "position": at(0, 18),
            "docVersion": 3,
        })]
    );
    assert_eq!(guest.result("notifyShown", json!({ "uuid": "1.0" })), "OK");
    // Types into it, and takes it with the length of its text.
    guest.client.type_at(4, (0, 18), " ");
    let carried = guest.completions("getCompletions", 4, (0, 19));
    assert_eq!(carried[0]["displayText"], "= 😀;");
    let text = carried[0]["text"].as_str().expect("a text");
    let length = text.encode_utf16().count();
    let taken = json!({ "uuid": carried[0]["uuid"], "acceptedLength": length, "_": true });
    assert_eq!(guest.result("notifyAccepted", taken), "OK");
    let range = json!({ "start": at(0, 0), "end": at(0, 19) });
    guest
        .client
        .change(5, json!([{ "range": range, "text": text }]));

    // Cycles, and takes a word.
    let all = guest.completions("getCompletionsCycling", 5, (1, 5));
    assert_eq!(all[0]["text"], "let x = 1;");
    let word = json!({ "uuid": all[0]["uuid"], "acceptedLength": 2 });
    assert_eq!(guest.result("notifyAccepted", word), "OK");
    guest.client.type_at(6, (1, 5), " =");
    let rest = guest.completions("getCompletions", 6, (1, 7));
    assert_eq!(rest[0]["displayText"], " 1;");

    // Dismisses it while it is on the screen, and never sees it again.
    guest.result("notifyShown", json!({ "uuid": rest[0]["uuid"] }));
    assert_eq!(
        guest.result("notifyRejected", json!({ "uuids": [rest[0]["uuid"]] })),
        "OK"
    );
    assert_eq!(guest.rejections(), 1);
    assert!(guest.completions("getCompletions", 6, (1, 7)).is_empty());
    assert!(
        guest
            .completions("getCompletionsCycling", 6, (1, 7))
            .is_empty()
    );
    let counts = guest.result("foretell/status", Value::Null)["counts"].clone();
    assert_eq!(
        (&counts["accepted"], &counts["rejected"]),
        (&json!(2), &json!(1))
    );

    // The panel, where it is not seen either.
    guest.client.type_at(7, (0, 0), "let x\n");
    let mut params = doc(7, (0, 5));
    params["panelId"] = json!("1:copilot:///src/main.rs");
    let target = guest.result("getPanelCompletions", params.clone());
    assert_eq!(target, json!({ "solutionCountTarget": 1 }));
    params["doc"]["position"] = at(2, 7);
    let target = guest.result("getPanelCompletions", params);
    assert_eq!(target, json!({ "solutionCountTarget": 0 }));
    assert_eq!(
        guest.result("signOut", json!({ "_": true }))["status"],
        "NotSignedIn"
    );
    let solutions = guest.told_by("PanelSolution");
    assert_eq!(solutions.len(), 1);
    assert_eq!(solutions[0]["completionText"], "let x = 1;");
    let done = json!({ "panelId": "1:copilot:///src/main.rs", "status": "OK" });
    assert_eq!(guest.told_by("PanelSolutionsDone"), [&done, &done]);
    assert!(
        guest.told_by("window/showMessage").is_empty(),
        "its options are no settings"
    );
    guest.leave();
}

#[test]
fn a_dismissal_on_the_way_counts_and_typing_over_does_not() {
    let (mut guest, _) = Guest::begin(json!({
        "capabilities": {},
        "initializationOptions": who("copilot.lua"),
    }));
    guest.open(1, "let x");
    let shown = guest.completions("getCompletions", 1, (0, 5));
    // Something else was typed before the client said that it was gone.
    guest.client.type_at(2, (0, 5), ";");
    guest.result("notifyRejected", json!({ "uuids": [shown[0]["uuid"]] }));
    assert_eq!(guest.rejections(), 0);
    let range = json!({ "start": at(0, 5), "end": at(0, 6) });
    guest
        .client
        .change(3, json!([{ "range": range, "text": "" }]));
    let shown = guest.completions("getCompletionsCycling", 3, (0, 5));
    assert_eq!(shown[0]["displayText"], " = 1;", "it is still wanted");
    // It was on the screen, shorter by a key, when the person dismissed it.
    guest.client.type_at(4, (0, 5), " ");
    guest.result("notifyRejected", json!({ "uuids": [shown[0]["uuid"]] }));
    assert_eq!(guest.rejections(), 1);
    assert!(
        guest
            .completions("getCompletionsCycling", 4, (0, 6))
            .is_empty()
    );
    guest.leave();
}

#[test]
fn the_oldest_copilot_vim_says_rejected_at_every_key_and_means_nothing_by_it() {
    // Neovim's own client offered UTF-8, and nobody has said who it is: the text changes in one encoding,
    // and completions are asked for in another.
    let (mut guest, able) = Guest::begin(json!({ "capabilities": neovim() }));
    assert_eq!(able["capabilities"]["positionEncoding"], "utf-8");
    guest.has_no_settings();
    let mut info = who("copilot.vim");
    info["editorConfiguration"] = json!({ "enableAutoCompletions": true });
    assert_eq!(guest.result("setEditorInfo", info), "OK");
    guest.notify("notifyChangeConfiguration", json!({ "settings": {} }));
    assert!(guest.result("getVersion", json!({}))["version"].is_string());
    let local = json!({ "options": { "localChecksOnly": true } });
    assert_eq!(guest.result("checkStatus", local)["user"], "");
    assert_eq!(
        guest.result("signInInitiate", json!({}))["status"],
        "AlreadySignedIn"
    );
    guest.open(1, "let größe");
    let mut version = 1;
    let mut shown = guest.completions("getCompletions", version, (0, 9));
    for (typed, column) in [" ", "=", " "].into_iter().zip(9..) {
        guest.result("notifyShown", json!({ "uuid": shown[0]["uuid"] }));
        version += 1;
        // In bytes, which Neovim counts.
        guest.client.type_at(version, (0, column + 2), typed);
        guest.result("notifyRejected", json!({ "uuids": [shown[0]["uuid"]] }));
        shown = guest.completions("getCompletions", version, (0, column + 1));
        assert!(!shown.is_empty(), "they type the suggestion itself");
    }
    assert_eq!(guest.rejections(), 0);
    assert_eq!(shown[0]["displayText"], "😀;");
    // It takes the rest without a length. Others take a part, counted from the cursor on.
    let part = json!({ "uuid": shown[0]["uuid"], "acceptedLength": 2 });
    assert_eq!(guest.result("notifyAccepted", part), "OK");
    let half = json!({ "uuid": shown[0]["uuid"], "acceptedLength": 1 });
    assert_eq!(guest.error("notifyAccepted", half), -32602, "half a face");
    assert_eq!(
        guest.result("notifyAccepted", json!({ "uuid": shown[0]["uuid"] })),
        "OK"
    );
    guest.leave();
}

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

/// The answers to two requests, in whichever order they come.
fn both(guest: &mut Guest, asked: [i32; 2]) -> [Result<Value, i32>; 2] {
    use lsp_server::{Message, Response};
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

#[test]
fn who_is_none_of_them_is_not_told_how_the_server_is() {
    let mut client = Client::with("let x");
    assert!(client.suggested(0, 5).is_some());
    let params = json!({ "textDocument": { "uri": MAIN, "version": 1 }, "position": at(0, 5) });
    client.result("textDocument/copilotInlineEdit", params);
    client.leave();
    // Nothing went unread. Commands of Copilot's are not promised to it either.
    let (client, able) = Client::offering(&json!({}));
    let commands = able["capabilities"]["executeCommandProvider"]["commands"].to_string();
    assert!(!commands.contains("github.copilot"), "{commands}");
    client.leave();
}

#[test]
fn a_lane_that_rests_is_a_warning_until_it_is_put_right() {
    // Beside what a client says of itself there may be settings.
    let mut options = who("copilot.lua");
    let lanes = json!({
        "fim": { "kind": "openai", "url": "http://127.0.0.1:1" },
        "nextEdit": { "enabled": false },
        "fix": { "enabled": false },
    });
    options["foretell"] = json!({ "lanes": lanes });
    let params = json!({ "capabilities": {}, "initializationOptions": options });
    let (mut guest, _) = Guest::begin_with(Start::default(), params);
    guest.open(1, "let x\nlet x\nlet x\nlet x\n");
    for line in 0..4 {
        let all = guest.completions("getCompletionsCycling", 1, (line, 5));
        assert!(all.is_empty(), "{all:?}");
    }
    guest.result("checkStatus", json!({}));
    let warned = guest.told_by("didChangeStatus");
    let warned: Vec<_> = warned.iter().filter(|it| it["kind"] == "Warning").collect();
    assert_eq!(warned.len(), 1, "it does not nag: {:?}", guest.status);
    let words = warned[0]["message"].as_str().expect("words");
    assert!(words.starts_with("fim is left alone: "), "{words}");
    let older = guest.told_by("statusNotification");
    assert_eq!(older.last().expect("one")["status"], "Warning");
    // The person puts it right, and it is another lane.
    let lanes = json!({ "lanes": { "fim": { "kind": "embedded" } } });
    let settings = json!({ "settings": { "foretell": lanes } });
    guest.notify("workspace/didChangeConfiguration", settings);
    guest.result("foretell/status", Value::Null);
    guest.result("checkStatus", json!({}));
    assert_eq!(guest.status.last().map(String::as_str), Some("Normal"));
    guest.leave();
}
