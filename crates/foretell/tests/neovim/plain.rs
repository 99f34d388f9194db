//! A person in a real Neovim with no plugin of ours: only what `vim.lsp` has and the standard says.
//!
//! It opens, types, gets suggestions, takes them, types over them, and has its server killed.

use serde_json::{Value, json};

use crate::client::{self, Asks};
use crate::editor::Neovim;

fn script() -> Value {
    json!([
        { "after": "let x", "insert": " = 1;" },
        { "after": "let größe 😀", "insert": " = 2;\n    let tiefe = 3;" },
        { "after": "never", "insert": "!", "delayMs": 3_600_000 },
    ])
}

const FUNCTION: &str = "// 😀\nfn main() {\n    \n}\n";

#[test]
fn a_whole_session_with_nothing_but_the_standard() {
    for encoding in ["utf-16", "utf-8"] {
        let name = format!("plain-{encoding}");
        let Some(mut neovim) = Neovim::start_plain(&name, FUNCTION, &script(), encoding) else {
            return;
        };
        types_into_and_over_it(&mut neovim);
        takes_it(&mut neovim);
        assert_eq!(neovim.call("stop", &[json!(false)]), true);
    }
}

fn types_into_and_over_it(neovim: &mut Neovim) {
    neovim.types("3GAlet x", "    let x");
    assert_eq!(neovim.sees(Asks::Automatic), [" = 1;"]);
    neovim.types(" =", "    let x =");
    assert_eq!(neovim.sees(Asks::Automatic), [" 1;"], "the rest of it");
    neovim.types("<BS><BS>", "    let x");
    assert_eq!(neovim.sees(Asks::Automatic), [" = 1;"], "all of it");
    neovim.types("y", "    let xy");
    assert_eq!(neovim.sees(Asks::Automatic), [""; 0], "it was typed over");
    neovim.types("<BS>", "    let x");
    assert_eq!(
        neovim.sees(Asks::Invoked),
        [" = 1;"],
        "that is no rejection"
    );
}

fn takes_it(neovim: &mut Neovim) {
    let items = neovim.asks(Asks::Automatic);
    assert_eq!(neovim.call("accept", &[items[0].clone()]), true);
    neovim.types("<End>", "    let x = 1;");
    assert_eq!(neovim.sees(Asks::Invoked), [""; 0], "it is there");

    // Two lines of text that no two ways of counting agree about.
    neovim.types("<Esc>olet größe 😀", "    let größe 😀");
    let items = neovim.asks(Asks::Automatic);
    assert_eq!(items[0]["insertText"], " = 2;\n    let tiefe = 3;");
    assert_eq!(neovim.call("accept", &[items[0].clone()]), true);
    neovim.types("<Esc>4G", "    let größe 😀 = 2;");
    neovim.types("j", "    let tiefe = 3;");
    neovim.types("A // let x", "    let tiefe = 3; // let x");
    assert_eq!(neovim.sees(Asks::Automatic), [" = 1;"], "never out of step");
}

#[test]
fn lines_that_end_as_on_windows() {
    let text = FUNCTION.replace('\n', "\r\n");
    for encoding in ["utf-16", "utf-8"] {
        let name = format!("plain-crlf-{encoding}");
        let Some(mut neovim) = Neovim::start_plain(&name, &text, &script(), encoding) else {
            return;
        };
        types_into_and_over_it(&mut neovim);
        let items = neovim.asks(Asks::Automatic);
        assert_eq!(neovim.call("accept", &[items[0].clone()]), true);
        neovim.types("<End>", "    let x = 1;");
        neovim.types("<CR>// ß let x", "    // ß let x");
        assert_eq!(neovim.sees(Asks::Automatic), [" = 1;"], "never out of step");
        assert_eq!(neovim.call("stop", &[json!(false)]), true);
    }
}

#[test]
fn asking_at_every_key_without_waiting() {
    let Some(mut neovim) = Neovim::start_plain("plain-keys", FUNCTION, &script(), "utf-16") else {
        return;
    };
    neovim.call("ask_while_typing", &[]);
    // One that waits for a lane, and is superseded by what is typed next.
    neovim.types("3GAnever", "    never");
    neovim.types("<C-u>", "    ");
    let mut line = "    ".to_owned();
    for key in "let x".chars() {
        line.push(key);
        neovim.types(&key.to_string(), &line);
    }
    neovim.wait_until(|neovim| neovim.call("heard", &[])["waiting"] == 0);
    // Neovim hears nothing of those that were superseded, and shows the person no error.
    let heard = neovim.call("heard", &[]);
    let answers = heard["answers"].as_array().expect("answers");
    for answer in answers {
        assert!(answer["err"].is_null(), "{answer}");
        assert!(answer["result"]["items"].is_array(), "{answer}");
    }
    let last = answers.last().expect("an answer");
    assert_eq!(last["line"], "    let x");
    assert_eq!(last["result"]["items"][0]["insertText"], " = 1;");
    assert_eq!(neovim.call("stop", &[json!(false)]), true);
}

#[test]
fn a_server_that_is_killed_is_started_anew_and_knows_the_text() {
    let Some(mut neovim) = Neovim::start_plain("plain-restart", FUNCTION, &script(), "utf-16")
    else {
        return;
    };
    neovim.types("3GAlet größe = 2; // let x", "    let größe = 2; // let x");
    assert_eq!(neovim.sees(Asks::Automatic), [" = 1;"]);
    let mut before = neovim.starts_a_server("utf-16");
    for end in ["kill", "stop"] {
        assert_eq!(neovim.call(end, &[json!(true)]), true);
        let after = neovim.starts_a_server("utf-16");
        assert_ne!(before, after, "another client");
        assert_eq!(neovim.sees(Asks::Automatic), [" = 1;"], "after {end}");
        neovim.types(" =", "    let größe = 2; // let x =");
        assert_eq!(neovim.sees(Asks::Automatic), [" 1;"]);
        neovim.types("<BS><BS>", "    let größe = 2; // let x");
        before = after;
    }
    let items = neovim.asks(Asks::Automatic);
    assert_eq!(neovim.call("accept", &[items[0].clone()]), true);
    neovim.types("<End>", "    let größe = 2; // let x = 1;");
    assert_eq!(neovim.call("stop", &[json!(false)]), true);
}

#[test]
fn no_server_outlives_its_editor() {
    let Some(mut neovim) = Neovim::start_plain("plain-left", FUNCTION, &script(), "utf-16") else {
        return;
    };
    neovim.types("3GAnever", "    never");
    let servers = neovim.call("servers", &[]);
    let servers: Vec<u64> = serde_json::from_value(servers).expect("processes");
    assert_eq!(servers.len(), 1);
    assert!(client::is_alive(servers[0]));
    neovim.kill();
    client::wait_until("the server ends", || !client::is_alive(servers[0]));
}

#[test]
fn what_was_typed_over_three_times_is_not_offered_again() {
    let Some(mut neovim) = Neovim::start_plain("plain-infer", FUNCTION, &script(), "utf-16") else {
        return;
    };
    neovim.types("3GAlet x", "    let x");
    for key in ["y", "z", "_"] {
        assert_eq!(neovim.sees(Asks::Automatic), [" = 1;"]);
        neovim.types(key, &format!("    let x{key}"));
        assert_eq!(neovim.sees(Asks::Automatic), [""; 0]);
        neovim.types("<BS>", "    let x");
    }
    assert_eq!(neovim.sees(Asks::Automatic), [""; 0]);
    assert_eq!(neovim.sees(Asks::Invoked), [""; 0]);
    neovim.types(" =", "    let x =");
    assert_eq!(neovim.sees(Asks::Automatic), [""; 0], "nor the rest of it");
    neovim.types("<Esc>Olet x", "    let x");
    assert_eq!(neovim.sees(Asks::Automatic), [" = 1;"], "elsewhere");
    neovim.types("<Esc>jA<BS><BS>", "    let x");
    assert_eq!(neovim.sees(Asks::Automatic), [""; 0], "its place has moved");
    assert_eq!(neovim.call("stop", &[json!(false)]), true);
}
