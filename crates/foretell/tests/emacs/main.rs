//! A person in a real Emacs with Eglot, and what the server does for them.
//!
//! `.ci/emacs DIRECTORY` prints the path of an Emacs that will do; TEST_FORETELL_EMACS says which to
//! use. What Eglot and the server said to each other is shown with `--nocapture`, and kept in the
//! directory of TEST_FORETELL_TRANSCRIPTS.

#[path = "../support/client.rs"]
mod client;
mod editor;

use client::Asks;
use editor::Emacs;
use serde_json::{Value, json};

fn script() -> Value {
    json!([
        { "after": "let x = 1", "insert": ";" },
        { "after": "let x", "insert": " = 1;", "delayMs": 30 },
        { "after": "let größe 😀", "insert": " = 2;\n    let tiefe = 3;" },
        { "after": "never", "insert": "!", "delayMs": 3_600_000 },
    ])
}

const FUNCTION: &str = "// 😀\nfunction main() {\n    \n}\n";

/// To the end of the third line, from anywhere.
const THIRD: &str = "M-< C-n C-n C-e ";

/// What is typed, as keys: every character, and blanks by name.
fn keys(text: &str) -> String {
    let keys = text.chars().map(|it| match it {
        ' ' => "SPC".to_owned(),
        it => it.to_string(),
    });
    keys.collect::<Vec<String>>().join(" ")
}

#[test]
fn what_is_typed_over_undone_and_accepted() {
    // Eglot likes UTF-32 best.
    for encoding in [None, Some("utf-16"), Some("utf-8")] {
        let name = format!("session-{}", encoding.unwrap_or("utf-32"));
        let Some(mut emacs) = Emacs::start(&name, FUNCTION, &script(), encoding) else {
            return;
        };
        emacs.types(&(THIRD.to_owned() + &keys("let x")), "    let x");
        assert_eq!(emacs.sees(Asks::Automatic), [" = 1;"]);
        emacs.types(&keys(" ="), "    let x =");
        assert_eq!(emacs.sees(Asks::Automatic), [" 1;"], "the rest of it");
        emacs.types("DEL DEL", "    let x");
        assert_eq!(emacs.sees(Asks::Automatic), [" = 1;"], "all of it");
        emacs.types("y z", "    let xyz");
        assert_eq!(emacs.sees(Asks::Automatic), [""; 0], "it was typed over");
        emacs.types("C-/", "    let x");
        assert_eq!(
            emacs.sees(Asks::Automatic),
            [" = 1;"],
            "undo, and it is back"
        );
        accepts_two_lines(&mut emacs);
        assert_eq!(emacs.call("shutdown", &[]), true);
    }
}

fn accepts_two_lines(emacs: &mut Emacs) {
    let items = emacs.asks(Asks::Automatic);
    assert_eq!(emacs.call("accept", &[items[0].clone()]), "    let x = 1;");
    emacs.types(
        &("C-e RET ".to_owned() + &keys("let größe 😀")),
        "    let größe 😀",
    );
    let items = emacs.asks(Asks::Automatic);
    assert_eq!(items[0]["insertText"], " = 2;\n    let tiefe = 3;");
    emacs.call("accept", &[items[0].clone()]);
    emacs.types("M-< C-n C-n C-n", "    let größe 😀 = 2;");
    emacs.types("C-n C-e", "    let tiefe = 3;");
    emacs.types(&keys(" // let x"), "    let tiefe = 3; // let x");
    assert_eq!(emacs.sees(Asks::Invoked), [" = 1;"], "never out of step");
}

#[test]
fn what_was_rejected_stays_away_wherever_the_person_goes() {
    let Some(mut emacs) = Emacs::start("reject", FUNCTION, &script(), None) else {
        return;
    };
    emacs.types(&(THIRD.to_owned() + &keys("let x")), "    let x");
    rejects_it(&mut emacs);

    // Elsewhere the same is welcome.
    emacs.types(&("M-< ".to_owned() + &keys("let x") + " RET C-b"), "let x");
    assert_eq!(emacs.sees(Asks::Invoked), [" = 1;"]);

    // Back at the place, which has moved.
    emacs.types("M-< C-n C-n C-n C-e", "    let x");
    assert_eq!(emacs.sees(Asks::Invoked), [""; 0]);
    emacs.types(&keys(" = 1"), "    let x = 1");
    assert_eq!(emacs.sees(Asks::Invoked), [""; 0], "nor the rest of it");
    emacs.types("C-/", "    let x");
    assert_eq!(emacs.sees(Asks::Invoked), [""; 0], "nor after an undo");
    assert_eq!(emacs.call("shutdown", &[]), true);
}

fn rejects_it(emacs: &mut Emacs) {
    let items = emacs.asks(Asks::Automatic);
    assert_eq!(items[0]["insertText"], " = 1;");
    emacs.call("reject", &[items[0].clone()]);
    assert_eq!(emacs.sees(Asks::Invoked), [""; 0]);
}

#[test]
fn a_file_whose_lines_end_as_on_windows_stays_one() {
    let text = FUNCTION.replace('\n', "\r\n");
    let Some(mut emacs) = Emacs::start("crlf", &text, &script(), Some("utf-16")) else {
        return;
    };
    emacs.types(&(THIRD.to_owned() + &keys("let x")), "    let x");
    accepts_two_lines(&mut emacs);
    assert_eq!(emacs.call("save", &[]), "utf-8-dos");
    let saved = "// 😀\r\nfunction main() {\r\n    let x = 1;\r\n    let größe 😀 = 2;\r\n    \
                 let tiefe = 3; // let x\r\n}\r\n";
    assert_eq!(emacs.file(), saved);
    assert_eq!(emacs.call("shutdown", &[]), true);
}

#[test]
fn a_newer_question_takes_the_place_of_the_older() {
    let Some(mut emacs) = Emacs::start("supersede", FUNCTION, &script(), None) else {
        return;
    };
    emacs.types(&(THIRD.to_owned() + &keys("never")), "    never");
    let expected = json!([{ "code": -32800 }, { "items": [] }]);
    assert_eq!(emacs.call("supersede", &[]), expected);
    assert_eq!(emacs.call("shutdown", &[]), true);
}

#[test]
fn a_server_that_is_killed_is_started_anew_and_told_what_was_rejected() {
    let Some(mut emacs) = Emacs::start("restart", FUNCTION, &script(), None) else {
        return;
    };
    emacs.types(
        &(THIRD.to_owned() + &keys("let größe; let x")),
        "    let größe; let x",
    );
    rejects_it(&mut emacs);
    for end in ["kill", "reconnect"] {
        let mirrored = emacs.call("request", &[json!("foretell/rejections"), Value::Null]);
        let killed = emacs.call("process", &[]);
        assert_eq!(emacs.call(end, &[]), true);
        assert_ne!(emacs.call("process", &[]), killed, "another server");
        let killed = killed.as_u64().expect("a number");
        client::wait_until("the older server ends", || !client::is_alive(killed));

        // What is in the buffer is not what is in the file, and Eglot has told.
        emacs.types(
            &("C-e ".to_owned() + &keys(" let x")),
            "    let größe; let x let x",
        );
        assert_eq!(emacs.sees(Asks::Automatic), [" = 1;"], "after {end}");
        emacs.types(&"DEL ".repeat(" let x".len()), "    let größe; let x");
        // The server forgets; whoever mirrors what was rejected gives it back.
        let restored = emacs.call("request", &[json!("foretell/restore"), mirrored]);
        assert_eq!(restored, json!({ "taken": 1, "refused": 0 }));
        assert_eq!(emacs.sees(Asks::Invoked), [""; 0], "after {end}");
    }
    assert_eq!(emacs.call("shutdown", &[]), true);
}

#[test]
fn what_was_typed_over_three_times_is_not_offered_again() {
    let Some(mut emacs) = Emacs::start("infer", FUNCTION, &script(), None) else {
        return;
    };
    emacs.types(&(THIRD.to_owned() + &keys("let x")), "    let x");
    for (key, back) in [("y", "DEL"), ("z", "C-/"), ("_", "DEL")] {
        assert_eq!(emacs.sees(Asks::Automatic), [" = 1;"]);
        emacs.types(key, &format!("    let x{key}"));
        assert_eq!(emacs.sees(Asks::Automatic), [""; 0]);
        emacs.types(back, "    let x");
    }
    assert_eq!(emacs.sees(Asks::Automatic), [""; 0]);
    assert_eq!(emacs.sees(Asks::Invoked), [""; 0]);
    emacs.types(&keys(" ="), "    let x =");
    assert_eq!(emacs.sees(Asks::Automatic), [""; 0], "nor the rest of it");
    emacs.types("DEL DEL", "    let x");
    emacs.types(&("M-< ".to_owned() + &keys("let x") + " RET C-b"), "let x");
    assert_eq!(emacs.sees(Asks::Automatic), [" = 1;"], "elsewhere");
    emacs.types("M-< C-n C-n C-n C-e", "    let x");
    assert_eq!(emacs.sees(Asks::Automatic), [""; 0], "its place has moved");
    assert_eq!(emacs.call("shutdown", &[]), true);
}

#[test]
fn no_server_outlives_its_editor() {
    let Some(mut emacs) = Emacs::start("left", FUNCTION, &script(), None) else {
        return;
    };
    let server = emacs.call("process", &[]).as_u64().expect("a number");
    assert!(client::is_alive(server));
    emacs.kill();
    client::wait_until("the server ends", || !client::is_alive(server));
}
