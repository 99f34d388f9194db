//! Triggers: when the server tells the editor to ask.

use serde_json::{Value, json};

use crate::client::{ClientConnection, MAIN};

fn select(client: &mut ClientConnection, version: Value, (line, column): (u32, u32)) {
    let at = json!({ "line": line, "character": column });
    let document = match version {
        Value::Null => json!({ "uri": MAIN }),
        version => json!({ "uri": MAIN, "version": version }),
    };
    let selections = json!([{ "start": at, "end": at }]);
    let params = json!({ "textDocument": document, "selections": selections });
    client.notify("foretell/didChangeSelection", params);
}

#[test]
fn a_cursor_that_moves_after_an_edit_triggers() {
    let mut client = ClientConnection::with("größe\nlet\n");
    select(&mut client, json!(1), (1, 0));
    client.notify(
        "foretell/didFocus",
        json!({ "textDocument": { "uri": MAIN } }),
    );
    client.type_at(2, (1, 3), " x");
    select(&mut client, json!(2), (0, 5));
    let expected = json!({
        "textDocument": { "uri": MAIN, "version": 2 },
        "position": { "line": 0, "character": 5 },
        "cause": "selection",
    });
    assert_eq!(client.told("foretell/trigger"), expected);
    select(&mut client, Value::Null, (1, 5));
    assert_eq!(client.told("foretell/trigger")["position"]["line"], 1);
    client.leave();
}

#[test]
fn an_undo_does_not_trigger() {
    let mut client = ClientConnection::with("let\n");
    let undo = json!({ "textDocument": { "uri": MAIN, "version": 2 }, "reason": "undo" });
    client.notify("foretell/willChange", undo);
    client.type_at(2, (0, 3), " x");
    select(&mut client, json!(2), (0, 5));
    // The word was for that change alone.
    client.type_at(3, (0, 5), "y");
    select(&mut client, json!(3), (0, 6));
    assert_eq!(
        client.told("foretell/trigger")["textDocument"]["version"],
        3
    );
    client.leave();
}

#[test]
fn a_selection_of_a_text_that_is_not_held_does_not_trigger() {
    let mut client = ClientConnection::with("let\n");
    client.type_at(2, (0, 3), " x");
    select(&mut client, json!(1), (0, 3));
    select(&mut client, json!(3), (9, 9));
    select(&mut client, Value::Null, (9, 9));
    let log = client.told("window/logMessage");
    let message = log["message"].as_str().expect("words");
    assert!(
        message.ends_with("a selection is not in the text"),
        "{message}"
    );
    client.leave();
}

#[test]
fn several_cursors_do_not_trigger() {
    let mut client = ClientConnection::with("let\n");
    client.type_at(2, (0, 3), " x");
    let at = |column: u32| json!({ "line": 0, "character": column });
    let selections = json!([{ "start": at(0), "end": at(0) }, { "start": at(5), "end": at(2) }]);
    let params = json!({ "textDocument": { "uri": MAIN }, "selections": selections });
    client.notify("foretell/didChangeSelection", params);
    client.leave();
}
