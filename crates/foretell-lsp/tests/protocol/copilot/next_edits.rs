//! Clients that ask for the next edit: sidekick.nvim and copilot-lsp.

use std::time::Duration;

use serde_json::{Value, json};

use super::guest::{Guest, at, name_of, neovim, who};
use crate::client::MAIN;
use crate::model_edits::{model, question, settings, until_told};

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
fn sidekick_gets_no_field_that_it_does_not_know() {
    let server = model("let one;", "let one = f(<|user_cursor|>);");
    let mut options = who("Neovim");
    options["foretell"] = settings(&server);
    let (mut guest, _) = Guest::begin(json!({
        "capabilities": neovim(),
        "initializationOptions": options,
    }));
    guest.has_no_settings();
    guest.open(1, "let one;\n");
    let result = until_told(&server, || {
        guest.result("textDocument/copilotInlineEdit", question())
    });
    let edit = result["edits"][0].as_object().expect("an edit");
    let fields: Vec<&str> = edit.keys().map(String::as_str).collect();
    assert_eq!(fields, ["command", "range", "text", "textDocument"]);
    assert_eq!(edit["text"], " = f()");
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

/// What is to be written at each place.
fn texts(edits: &[Value]) -> Vec<&str> {
    let texts = edits.iter().map(|edit| edit["text"].as_str());
    texts.map(|text| text.expect("a text")).collect()
}

#[test]
fn a_rename_is_offered_as_far_as_it_is_written() {
    const NEAT: &str = "let neat = 1;\nuse_it(neat);\n\n\nlog(neat);\n";
    let (mut guest, _) = Guest::begin(json!({ "capabilities": {} }));
    guest.open(1, NEAT);
    let first = json!({ "start": at(0, 4), "end": at(0, 8) });
    guest
        .client
        .change(2, json!([{ "range": first, "text": "rou" }]));
    // They think about the name, and the editor asks meanwhile.
    let edits = next_edits(&mut guest, 2, (0, 7));
    assert_eq!(texts(&edits), ["rou", "rou"]);
    guest.client.type_at(3, (0, 7), "nded");
    let edits = next_edits(&mut guest, 3, (0, 11));
    assert_eq!(texts(&edits), ["rounded", "rounded"]);
    // One is taken, and the other is still there without asking anybody.
    let calls = |guest: &mut Guest| {
        let status = guest.result("foretell/status", Value::Null);
        let lanes = status["lanes"].as_array().expect("a list").clone();
        let calls = lanes.into_iter().filter(|it| it["lane"] == "next-edit");
        calls.map(|lane| lane["calls"].clone()).collect::<Vec<_>>()
    };
    let before = calls(&mut guest);
    let taken = json!([{ "range": edits[0]["range"], "text": "rounded" }]);
    guest.client.change(4, taken);
    let run = json!({
        "command": edits[0]["command"]["command"],
        "arguments": edits[0]["command"]["arguments"],
    });
    guest.result("workspace/executeCommand", run);
    assert_eq!(
        texts(&next_edits(&mut guest, 4, (1, 14))),
        ["rounded"],
        "the other"
    );
    assert_eq!(calls(&mut guest), before);
    guest.leave();
}

#[test]
fn a_rename_is_offered_as_a_whole_after_a_pause_in_the_middle_of_the_word() {
    // The clock jumps to the end of the wait once the question is there, so that the person has paused.
    let (mut guest, _) = Guest::begin_on_still_clock(json!({ "capabilities": {} }));
    guest.open(1, "let neat = 1;\nuse_it(neat);\n\n\nlog(neat);\n");
    let first = json!({ "start": at(0, 4), "end": at(0, 8) });
    guest
        .client
        .change(2, json!([{ "range": first, "text": "rounde" }]));
    let edits = next_edits(&mut guest, 2, (0, 10));
    assert_eq!(texts(&edits), ["rounde", "rounde"]);
    // Longer than what the history takes for one burst.
    guest.client.let_pass(Duration::from_secs(2));
    guest.client.type_at(3, (0, 10), "d");
    let edits = next_edits(&mut guest, 3, (0, 11));
    assert_eq!(texts(&edits), ["rounded", "rounded"]);
    guest.leave();
}
