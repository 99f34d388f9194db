//! Clients that ask by `getCompletions`: copilot.lua, and copilot.vim as it was.

use foretell_lsp::{LaneScript, ServerOptions};
use serde_json::{Value, json};

use super::guest::{Guest, at, doc, neovim, who};

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
    // It cuts the text behind the word, and tells the length of that.
    let length = "let x = ".len();
    let word = json!({ "uuid": all[0]["uuid"], "acceptedLength": length });
    assert_eq!(guest.result("notifyAccepted", word), "OK");
    guest.client.type_at(6, (1, 5), " = ");
    let rest = guest.completions("getCompletions", 6, (1, 8));
    assert_eq!(rest[0]["displayText"], "1;");

    // Dismisses it while it is on the screen, and never sees it again.
    guest.result("notifyShown", json!({ "uuid": rest[0]["uuid"] }));
    assert_eq!(
        guest.result("notifyRejected", json!({ "uuids": [rest[0]["uuid"]] })),
        "OK"
    );
    assert_eq!(guest.rejections(), 1);
    assert!(guest.completions("getCompletions", 6, (1, 8)).is_empty());
    assert!(
        guest
            .completions("getCompletionsCycling", 6, (1, 8))
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
    params["doc"]["position"] = at(2, 8);
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
fn how_much_was_taken_is_counted_as_each_client_counts_it() {
    let script = r#"[{"after": "x", "insert": " = 1234;"}]"#;
    let all = " = 1234;".len();
    assert_eq!(all, "    x = ".len());
    // copilot.lua tells the length from the start of the line on, copilot.vim from the cursor on, and of
    // others nobody knows.
    for (plugin, length, rest) in [
        ("copilot.lua", all, Some("1234;")),
        ("copilot.lua", all + 5, None),
        ("copilot.vim", " = ".len(), Some("1234;")),
        ("copilot.vim", all, None),
        ("another", " = ".len(), Some("1234;")),
        ("another", all, None),
        ("another", "    x = 1".len(), Some("1234;")),
        ("another", all + 5, None),
    ] {
        let start = ServerOptions {
            script: Some(LaneScript::from_json(script).expect("a script")),
            ..ServerOptions::default()
        };
        let params = json!({ "capabilities": {}, "initializationOptions": who(plugin) });
        let (mut guest, _) = Guest::begin_with(start, params);
        guest.open(1, "    x");
        let offered = guest.completions("getCompletions", 1, (0, 5));
        let taken = json!({ "uuid": offered[0]["uuid"], "acceptedLength": length });
        assert_eq!(guest.result("notifyAccepted", taken), "OK");
        guest.client.type_at(2, (0, 5), " = ");
        let then = guest.completions("getCompletions", 2, (0, 8));
        let then = then.first().and_then(|it| it["displayText"].as_str());
        assert_eq!(then, rest, "{plugin} {length}");
        guest.leave();
    }
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
fn what_was_shown_before_another_answer_came_can_still_be_dismissed() {
    let (mut guest, _) = Guest::begin(json!({
        "capabilities": {},
        "initializationOptions": who("copilot.lua"),
    }));
    guest.open(1, "let x\nlet x");
    let first = guest.completions("getCompletionsCycling", 1, (0, 5));
    let then = guest.completions("getCompletionsCycling", 1, (1, 5));
    let uuids = json!({ "uuids": [first[0]["uuid"], then[0]["uuid"]] });
    assert_eq!(guest.result("notifyRejected", uuids), "OK");
    assert_eq!(guest.rejections(), 2);
    for line in [0, 1] {
        let again = guest.completions("getCompletionsCycling", 1, (line, 5));
        assert!(again.is_empty(), "{again:?}");
    }
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
