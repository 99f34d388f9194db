//! A real Emacs with Eglot, driven like a person would: keys go in, and what it hears is looked at.
//!
//! It runs without a screen. Calls go to its standard input and answers come from its standard
//! output, a line each, so that nothing is waited for but the next line; it ends when its input does.
#![expect(clippy::panic, reason = "this is how a test fails")]

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::{env, fs};

use serde_json::{Value, json};

use crate::client::{self, Asks, Mortal, Place};

pub(crate) struct Emacs {
    calls: ChildStdin,
    answers: BufReader<ChildStdout>,
    file: PathBuf,
    process: Mortal,
    /// Last, so that what was said is shown when all has ended.
    _place: Place,
}

impl Emacs {
    /// An Emacs with a file open that Eglot manages, or nothing where there is no Emacs. Columns count
    /// what the two like best, or this.
    pub(crate) fn start(
        name: &str,
        text: &str,
        script: &Value,
        encoding: Option<&str>,
    ) -> Option<Self> {
        let program = find()?;
        let place = Place::new(&format!("emacs-{name}"), &["said", "errors"]);
        let file = place.write("work/main.js", text);
        let script = place.write("script.json", &script.to_string());
        let errors = fs::File::create(place.path().join("errors")).expect("a file for a test");
        let client = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/emacs/client.el");
        let mut process = place
            .command(&program)
            .args(["--batch", "-Q", "-l"])
            .arg(client)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(errors)
            .spawn()
            .expect("Emacs starts");
        let calls = process.stdin.take().expect("it is piped");
        let answers = process.stdout.take().expect("it is piped");
        let mut emacs = Emacs {
            calls,
            answers: BufReader::new(answers),
            file: file.clone(),
            process: Mortal::new(process),
            _place: place,
        };
        let server = json!([env!("CARGO_BIN_EXE_foretell"), "lsp", "--script", script]);
        let started = emacs.call("start", &[json!(file), server, json!(encoding)]);
        assert_eq!(started, "foretell");
        Some(emacs)
    }

    /// Types keys, and sees a line come of it.
    pub(crate) fn types(&mut self, keys: &str, line: &str) {
        assert_eq!(self.call("type", &[json!(keys)]), line);
    }

    /// Asks for suggestions at the cursor.
    pub(crate) fn asks(&mut self, who: Asks) -> Vec<Value> {
        let answer = self.call("ask", &[json!(who as u32)]);
        client::items_of(&answer)
    }

    /// What is suggested at the cursor.
    pub(crate) fn sees(&mut self, who: Asks) -> Vec<String> {
        client::texts_of(&self.asks(who))
    }

    /// Calls a function of the client, and gets what it says.
    pub(crate) fn call(&mut self, function: &str, arguments: &[Value]) -> Value {
        let mut call = vec![json!(function)];
        call.extend_from_slice(arguments);
        let mut line = String::new();
        let said = writeln!(self.calls, "{}", Value::from(call));
        let heard = said.and_then(|()| self.answers.read_line(&mut line));
        assert!(heard.is_ok_and(|it| it > 0), "{function}: Emacs has ended");
        let answer: Value =
            serde_json::from_str(&line).unwrap_or_else(|_| panic!("{function} said {line}"));
        match answer.get("problem") {
            Some(problem) => panic!("{function}: {problem}"),
            None => answer["said"].clone(),
        }
    }

    /// What is in the file.
    pub(crate) fn file(&self) -> String {
        fs::read_to_string(&self.file).expect("the file is there")
    }

    /// Ends Emacs without a word.
    pub(crate) fn kill(&self) {
        self.process.kill();
    }
}

/// The Emacs to test with: the one of TEST_FORETELL_EMACS, which must be there, or else of PATH.
fn find() -> Option<PathBuf> {
    let how_to_get = "`.ci/emacs DIRECTORY` gets an Emacs 30 for it";
    client::find("TEST_FORETELL_EMACS", "emacs", is_new_enough, how_to_get)
}

fn is_new_enough(program: &Path) -> bool {
    let ask = "(kill-emacs (if (>= emacs-major-version 30) 0 1))";
    let status = Command::new(program)
        .args(["--batch", "-Q", "--eval", ask])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}
