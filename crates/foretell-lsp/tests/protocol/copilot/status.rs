//! What such a client is told of how the server is doing, and nobody else is.

use foretell_lsp::ServerOptions;
use serde_json::{Value, json};

use super::guest::{Guest, at, who};
use crate::client::{ClientConnection, MAIN};

#[test]
fn who_is_none_of_them_is_not_told_how_the_server_is() {
    let mut client = ClientConnection::with("let x");
    assert!(client.suggested(0, 5).is_some());
    let params = json!({ "textDocument": { "uri": MAIN, "version": 1 }, "position": at(0, 5) });
    client.result("textDocument/copilotInlineEdit", params);
    client.leave();
    // Nothing went unread. Commands of Copilot's are not promised to it either.
    let (client, able) = ClientConnection::offering(&json!({}));
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
    let (mut guest, _) = Guest::begin_with(ServerOptions::default(), params);
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
