//! Clients that report no rejections: what is typed over again and again is not offered any more,
//! and the person can see and undo that.

use serde_json::{Value, json};

use crate::client::{ClientConnection, MAIN};

/// A client that says that it reports rejections, or says nothing.
fn client(experimental: &Value) -> ClientConnection {
    let capabilities = json!({ "experimental": experimental });
    let (mut client, _) = ClientConnection::offering(&capabilities);
    client.open(MAIN, "let x");
    client
}

/// Types something else where something is offered, and deletes it; `version` is the one before.
fn type_over(client: &mut ClientConnection, version: i32) {
    assert_eq!(client.suggested(0, 5).as_deref(), Some(" = 1;"));
    client.type_at(version + 1, (0, 5), "y");
    let at = |character: u32| json!({ "line": 0, "character": character });
    let range = json!({ "start": at(5), "end": at(6) });
    client.change(version + 2, json!([{ "range": range, "text": "" }]));
}

#[test]
fn what_is_typed_over_three_times_is_not_offered_again() {
    let mut client = client(&Value::Null);
    for round in 0..3 {
        type_over(&mut client, 1 + 2 * round);
    }
    assert_eq!(client.suggested(0, 5), None);

    // The person looks why.
    let why = client.result("foretell/why", json!({ "limit": 100 }));
    let told = why["text"].as_str().expect("words");
    let because = "Nothing was shown: you typed something else over this change again and again";
    assert!(told.starts_with(because), "{told}");
    assert!(told.contains("3 times by now"), "{told}");
    client.type_at(8, (0, 5), " =");
    assert_eq!(client.suggested(0, 7), None, "nor the rest of it");

    // They want it back.
    let rejections = client.result("foretell/rejections", Value::Null);
    assert_eq!(rejections["rejections"][0]["inferred"], true);
    let text = rejections["text"].as_str().expect("words");
    assert!(text.contains("you typed something else there"), "{text}");
    let number = rejections["rejections"][0]["id"].clone();
    let params = json!({ "command": "foretell.forget", "arguments": [number] });
    let asked = client.request("workspace/executeCommand", params);
    let shown = client.shown_before(asked).expect("words");
    assert_eq!(shown["message"], "Forgotten; 0 rejections are left.");
    assert_eq!(client.suggested(0, 7).as_deref(), Some(" 1;"));
    let at = |character: u32| json!({ "line": 0, "character": character });
    let range = json!({ "start": at(5), "end": at(7) });
    client.change(9, json!([{ "range": range, "text": "" }]));
    assert_eq!(client.suggested(0, 5).as_deref(), Some(" = 1;"));
    client.leave();
}

#[test]
fn a_client_that_reports_rejections_is_taken_at_its_word() {
    let mut client = client(&json!({ "foretell": { "reportsRejections": true } }));
    for round in 0..5 {
        type_over(&mut client, 1 + 2 * round);
    }
    assert_eq!(client.suggested(0, 5).as_deref(), Some(" = 1;"));
    client.leave();
}

#[test]
fn what_is_accepted_begins_anew() {
    let mut client = client(&Value::Null);
    let mut version = 1;
    for _ in 0..4 {
        type_over(&mut client, version);
        type_over(&mut client, version + 2);
        let items = client.items(0, 5);
        client.type_at(version + 5, (0, 5), " = 1;");
        let command = &items[0]["command"];
        let params = json!({ "command": command["command"], "arguments": command["arguments"] });
        client.result("workspace/executeCommand", params);
        let at = |character: u32| json!({ "line": 0, "character": character });
        let range = json!({ "start": at(5), "end": at(10) });
        client.change(version + 6, json!([{ "range": range, "text": "" }]));
        version += 6;
    }
    assert_eq!(client.suggested(0, 5).as_deref(), Some(" = 1;"));
    client.leave();
}
