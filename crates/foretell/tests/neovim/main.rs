//! A person in a real Neovim, and what the server does for them.
//!
//! `.ci/neovim DIRECTORY` prints the path of a Neovim that will do; TEST_FORETELL_NVIM says which to
//! use.

#[path = "../support/client.rs"]
mod client;
mod editor;
mod plain;

use client::Asks;
use editor::Neovim;
use serde_json::{Value, json};

fn script() -> Value {
    json!([
        { "after": "let x = 1", "insert": ";" },
        { "after": "let x", "insert": " = 1;", "delayMs": 30 },
        { "after": "let größe", "insert": " = 2;" },
    ])
}

fn function() -> &'static str {
    "fn main() {\n    \n}\n"
}

/// The name of a suggestion.
fn name_of(item: &Value) -> Value {
    item["command"]["arguments"][0].clone()
}

#[test]
fn what_was_rejected_stays_away_wherever_the_person_goes() {
    let Some(mut neovim) = Neovim::start("reject", function(), &script()) else {
        return;
    };
    neovim.types("2GAlet x", "    let x");
    assert_eq!(neovim.sees(Asks::Automatic), [" = 1;"]);
    types_into_it(&mut neovim);

    // Escape, to the suggestion and not to the editor.
    let items = neovim.asks(Asks::Automatic);
    assert_eq!(items[0]["insertText"], " = 1;");
    neovim.call("say", &[json!("didShow"), name_of(&items[0])]);
    neovim.call("say", &[json!("didReject"), name_of(&items[0])]);
    assert_eq!(neovim.sees(Asks::Invoked), [""; 0]);

    // Elsewhere the same is welcome.
    neovim.types("<Esc>ggOlet x = 1", "let x = 1");
    assert_eq!(neovim.sees(Asks::Invoked), [";"]);
    neovim.types("<BS><BS><BS><BS>", "let x");
    assert_eq!(neovim.sees(Asks::Invoked), [" = 1;"]);

    // Back at the place, which has moved.
    neovim.types("<Esc>3GA", "    let x");
    assert_eq!(neovim.sees(Asks::Invoked), [""; 0]);
    neovim.types(" = 1", "    let x = 1");
    assert_eq!(neovim.sees(Asks::Invoked), [""; 0], "nor the rest of it");
    neovim.types("<Esc>u", "    let x");
    neovim.types("A", "    let x");
    assert_eq!(neovim.sees(Asks::Invoked), [""; 0], "nor after an undo");
    assert_eq!(neovim.call("told", &[])["resyncs"], 0, "never out of step");
    assert_eq!(neovim.call("stop", &[]), true);
}

/// The part of the story that is about carrying: two keys into a suggestion, and back.
fn types_into_it(neovim: &mut Neovim) {
    neovim.types(" =", "    let x =");
    assert_eq!(neovim.sees(Asks::Automatic), [" 1;"]);
    neovim.types("<BS><BS>", "    let x");
    assert_eq!(neovim.sees(Asks::Automatic), [" = 1;"]);
}

#[test]
fn what_is_accepted_is_in_the_text_once() {
    let Some(mut neovim) = Neovim::start("accept", function(), &script()) else {
        return;
    };
    neovim.types("2GAlet größe", "    let größe");
    let items = neovim.asks(Asks::Automatic);
    let at = json!({ "line": 1, "character": 13 });
    assert_eq!(items[0]["range"], json!({ "start": at, "end": at }));
    assert_eq!(neovim.call("accept", &[items[0].clone()]), true);
    neovim.types("<End>", "    let größe = 2;");
    assert_eq!(neovim.sees(Asks::Invoked), [""; 0]);
    assert_eq!(neovim.call("told", &[])["resyncs"], 0);
    assert_eq!(neovim.call("stop", &[]), true);
}

#[test]
fn a_cursor_that_comes_to_rest_after_an_edit_is_told_to_ask() {
    let Some(mut neovim) = Neovim::start("trigger", function(), &script()) else {
        return;
    };
    neovim.call("follow_the_cursor", &[]);
    neovim.types("2GA// 😀<Esc>", "    // 😀");
    neovim.types("gg", "fn main() {");
    neovim.wait_until(|neovim| neovim.call("last_trigger", &[])["position"]["line"] == 0);
    let trigger = neovim.call("last_trigger", &[]);
    assert_eq!(trigger["cause"], "selection");
    assert_eq!(neovim.call("told", &[])["resyncs"], 0);
    assert_eq!(neovim.call("stop", &[]), true);
}
