//! Texts: that the server's is the editor's after every change, and that it says when it is not.
//!
//! What the server holds is seen by what is suggested: the script looks at the line before the
//! cursor.

use serde_json::{Value, json};

use crate::client::{ClientConnection, MAIN};

fn range(start: (u32, u32), end: (u32, u32)) -> Value {
    let position = |(line, column)| json!({ "line": line, "character": column });
    json!({ "start": position(start), "end": position(end) })
}

fn replace(start: (u32, u32), end: (u32, u32), text: &str) -> Value {
    json!({ "range": range(start, end), "text": text })
}

#[test]
fn changes_of_one_message_follow_each_other() {
    let mut client = ClientConnection::with("fn main() {\n}\n");
    // Each is in the coordinates of the text after the one before, faces and all.
    client.change(
        2,
        json!([
            replace((0, 11), (0, 11), "\n    // 😀"),
            replace((1, 9), (1, 9), "\n    let größe"),
            replace((1, 7), (1, 9), "a face"),
            replace((2, 13), (2, 13), ""),
        ]),
    );
    let items = client.items(2, 13);
    assert_eq!(items[0]["insertText"], " = 😀;");
    assert_eq!(items[0]["range"], range((2, 13), (2, 13)));
    client.leave();
}

#[test]
fn lines_may_end_with_crlf() {
    let mut client = ClientConnection::with("one\r\ntwo\r\n");
    client.change(2, json!([replace((1, 0), (1, 3), "let x")]));
    assert_eq!(client.suggested(1, 5).as_deref(), Some(" = 1;"));
    client.leave();
}

#[test]
fn a_column_past_the_end_of_its_line_is_its_end_for_a_change_and_nothing_for_a_cursor() {
    let mut client = ClientConnection::with("let\nsomething\n");
    client.change(2, json!([replace((0, 99), (0, 99), " x")]));
    assert_eq!(client.suggested(0, 99), None, "it is ahead of its text");
    let items = client.items(0, 5);
    assert_eq!(items[0]["range"], range((0, 5), (0, 5)));
    client.leave();
}

#[test]
fn the_whole_text_may_be_sent_as_a_change() {
    let mut client = ClientConnection::with("nothing");
    client.change(
        2,
        json!([
            replace((7, 7), (7, 7), "this does not matter any more"),
            { "text": "first\nlet" },
            replace((1, 3), (1, 3), " x"),
        ]),
    );
    assert_eq!(client.suggested(1, 5).as_deref(), Some(" = 1;"));
    client.leave();
}

#[test]
fn a_change_that_does_not_fit_makes_the_server_ask_for_the_text() {
    let mut client = ClientConnection::with("let x");
    client.change(2, json!([replace((5, 0), (5, 0), "?")]));
    assert_eq!(client.told("foretell/resync"), json!({ "uri": MAIN }));
    // Until it comes there is nothing to say, and no need to ask again.
    assert_eq!(client.suggested(0, 5), None);
    client.change(3, json!([replace((0, 5), (0, 5), "?")]));
    assert_eq!(client.suggested(0, 5), None);
    client.change(4, json!([{ "text": "fn f()\nlet x" }]));
    assert_eq!(client.suggested(1, 5).as_deref(), Some(" = 1;"));
    // The next time it is asked for again.
    client.change(5, json!([replace((0, 5), (0, 1), "reversed")]));
    assert_eq!(client.told("foretell/resync"), json!({ "uri": MAIN }));
    client.open(MAIN, "let x");
    assert_eq!(client.suggested(0, 5).as_deref(), Some(" = 1;"));
    client.leave();
}

#[test]
fn half_a_character_cannot_be_changed() {
    let mut client = ClientConnection::with("let 😀");
    client.change(2, json!([replace((0, 5), (0, 6), "x")]));
    client.told("foretell/resync");
    client.leave();
}

#[test]
fn a_change_that_cannot_be_read_is_not_taken_for_another() {
    let mut client = ClientConnection::with("let x");
    let range = json!({ "start": { "line": 0 }, "end": null });
    client.change(2, json!([{ "range": range, "text": "let x" }]));
    assert_eq!(client.told("foretell/resync"), json!({ "uri": MAIN }));
    let log = client.told("window/logMessage");
    assert_eq!(
        log["message"],
        "malformed parameters of textDocument/didChange: there is nothing where an object belongs"
    );
    assert_eq!(client.suggested(0, 5), None, "nobody knows what is there");
    client.leave();
}

#[test]
fn what_is_not_open_has_nothing_to_say() {
    let mut client = ClientConnection::ready();
    client.change(2, json!([{ "text": "let x" }]));
    client.change(3, json!([replace((0, 0), (0, 0), "let x")]));
    assert_eq!(client.told("foretell/resync"), json!({ "uri": MAIN }));
    assert_eq!(client.suggested(0, 5), None);
    client.open(MAIN, "let x");
    client.notify(
        "textDocument/didClose",
        json!({ "textDocument": { "uri": MAIN } }),
    );
    client.notify(
        "textDocument/didClose",
        json!({ "textDocument": { "uri": MAIN } }),
    );
    let asked = client.ask(0, 5);
    assert_eq!(client.told("foretell/resync"), json!({ "uri": MAIN }));
    assert_eq!(client.items_of(asked), [] as [Value; 0]);
    client.leave();
}

#[test]
fn documents_do_not_mix() {
    let mut client = ClientConnection::with("let x");
    client.open("file:///other", "let größe");
    client.change(2, json!([replace((0, 0), (0, 0), "// ")]));
    let asked = client.ask_in("file:///other", 1, (0, 9));
    assert_eq!(client.items_of(asked)[0]["insertText"], " = 😀;");
    assert_eq!(client.suggested(0, 8).as_deref(), Some(" = 1;"));
    client.leave();
}
