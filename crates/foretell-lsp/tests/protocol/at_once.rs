//! Answers at once, as a plain client gets them: by the same request, at every key, with no model.

use std::time::Instant;

use foretell_engine::UserDirectories;
use foretell_lsp::{PredictorChoice, ServerOptions};
use serde_json::{Value, json};

use crate::client::{ClientConnection, PATIENCE};

const URI: &str = "file:///src/at_once.rs";

/// Six lines that go on alike, and one that begins as they do.
const TEXT: &str = "let a = compute(first, second);\nlet b = compute(first, second);\n\
                    let c = compute(first, second);\nlet e = compute(first, second);\n\
                    let f = compute(first, second);\nlet g = compute(first, second);\n\
                    let d = com\n";

fn client() -> ClientConnection {
    // A question waits until it is known that the file may be learned from, however busy the machine is.
    let mut client = ClientConnection::start_on_still_clock(ServerOptions {
        predictor: PredictorChoice::LineModel,
        ..ServerOptions::default()
    });
    client.begin(json!({ "capabilities": {}, "rootUri": "file:///src" }));
    client.open(URI, TEXT);
    client
}

/// The items next to a popup in which a text is chosen.
fn next_to_popup(client: &mut ClientConnection, chosen: &str) -> Vec<Value> {
    let range = json!({
        "start": { "line": 6, "character": 8 },
        "end": { "line": 6, "character": 11 },
    });
    let asked = client.request(
        "textDocument/inlineCompletion",
        json!({
            "textDocument": { "uri": URI },
            "position": { "line": 6, "character": 11 },
            "context": {
                "triggerKind": 2,
                "selectedCompletionInfo": { "range": range, "text": chosen },
            },
        }),
    );
    client.items_of(asked)
}

/// Whether what is said is how a line goes on, as far as it is said: the model says the piece that it is sure of.
fn is_beginning(said: &str, line: &str) -> bool {
    said.len() >= 8 && line.starts_with(said)
}

#[test]
fn a_plain_client_is_answered_without_any_lane_and_told_why() {
    let mut client = client();
    let before = client.result("foretell/status", Value::Null)["lanes"][0]["calls"].clone();
    let asked = client.ask_in(URI, 2, (6, 11));
    let items = client.items_of(asked);
    let why = client.result("foretell/why", json!({ "textDocument": { "uri": URI } }));
    let said = items.first().and_then(|it| it["insertText"].as_str());
    assert!(
        said.is_some_and(|said| is_beginning(said, "pute(first, second);")),
        "{said:?}: {why}"
    );
    let why = client.result("foretell/why", json!({ "textDocument": { "uri": URI } }));
    let words = why["text"].as_str().expect("words");
    assert!(
        words.contains("at once, learned from your own code"),
        "{words}"
    );
    let status = client.result("foretell/status", Value::Null);
    assert_eq!(status["lanes"][0]["calls"], before, "{status}");
    assert_eq!(status["measures"]["atOnce"]["count"], 1, "{status}");
    client.leave();
}

#[test]
fn what_is_learned_from_another_file_of_the_workspace_is_said_with_its_line() {
    let home = tempfile::tempdir().expect("a directory");
    let folder = home.path().join("work");
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, text).expect("written");
    };
    write(".git/HEAD", "");
    let line = "    let wombat = WombatFactory::with_pouch(forest);\n";
    write(
        "src/marsupials.rs",
        &format!("fn a() {{\n{line}}}\n").repeat(6),
    );
    let mut client = ClientConnection::start(ServerOptions {
        predictor: PredictorChoice::LineModel,
        places: UserDirectories {
            cache_dir: Some(home.path().join("cache")),
            ..UserDirectories::default()
        },
        ..ServerOptions::default()
    });
    let root = format!("file://{}", folder.display());
    client.begin(json!({ "capabilities": {}, "rootUri": root }));
    let uri = format!("{root}/src/new.rs");
    client.open(&uri, "fn b() {\n    let wombat = Wom\n}\n");
    let began = Instant::now();
    loop {
        let asked = client.ask_in(&uri, 2, (1, 20));
        let items = client.items_of(asked);
        let goes_on = "batFactory::with_pouch(forest);";
        let said = items.first().and_then(|it| it["insertText"].as_str());
        if said.is_some_and(|said| is_beginning(said, goes_on)) {
            break;
        }
        assert!(began.elapsed() < PATIENCE, "the workspace is learned");
    }
    let why = client.result("foretell/why", json!({ "textDocument": { "uri": uri } }));
    let words = why["text"].as_str().expect("words");
    assert!(words.contains("of src/marsupials.rs"), "{words}");
    client.leave();
}

#[test]
fn next_to_a_popup_only_what_goes_on_from_the_chosen_item_is_shown() {
    let mut client = client();
    let agreeing = next_to_popup(&mut client, "compute");
    let said = agreeing[0]["insertText"].as_str().expect("a text");
    assert!(is_beginning(said, "compute(first, second);"), "{said}");
    assert_eq!(agreeing[0]["range"]["start"]["character"], 8);
    let other = next_to_popup(&mut client, "complete");
    assert_eq!(other, [] as [Value; 0]);
    client.leave();
}
