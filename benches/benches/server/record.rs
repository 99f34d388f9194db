//! What a recording costs: the same keys typed into servers that record and one that does not, in turns
//! within one run.
//!
//! The time is that of the whole process, the thread that writes included, because on a busy machine
//! the time until an answer says more about the others.

use std::path::Path;

use serde_json::{Value, json};

use foretell_benches::documents::document;

use crate::editor::{Editor, asked, typed};

/// How often each server has its turn, and how much is typed in one.
const TURNS: usize = 40;
const KEYS: usize = 250;

const URI: &str = "file:///stress/recorded.rs";

/// A server, and what it has cost.
struct Contestant {
    name: &'static str,
    editor: Editor,
    keys: usize,
    worked: f64,
}

pub(crate) fn compare(binary: &Path, home: &Path) {
    println!(
        "{:<34} {:>14} {:>14} {:>9} {:>8}",
        "of one core", "µs for a key", "more", "share", "aim"
    );
    // Somebody who types fast and gets nothing, and somebody who asks every few keys.
    for (what, every) in [("keys", usize::MAX), ("keys, a tenth of them answered", 10)] {
        measure(binary, home, (what, every));
    }
}

fn measure(binary: &Path, home: &Path, (what, every): (&str, usize)) {
    let text = document(50_000);
    let begin = |(name, flag): (&'static str, Option<&str>)| {
        let file = home.join(format!("{name}.jsonl"));
        let file = file.to_str().expect("a path");
        let flags: Vec<&str> = flag.into_iter().flat_map(|flag| [flag, file]).collect();
        let mut editor = Editor::ready(binary, home, &flags, None);
        editor.open(URI, "rust", &text);
        editor.result("stress/unknown", Value::Null);
        let worked = -editor.worked();
        Contestant {
            name,
            editor,
            keys: 0,
            worked,
        }
    };
    let kinds = [
        ("not recorded", None),
        ("recorded", Some("--record")),
        ("recorded as a shape", Some("--record-shape")),
    ];
    let mut all = kinds.map(begin);
    for _ in 0..TURNS {
        for one in &mut all {
            one.type_some(every);
        }
    }
    let costs = all.map(|mut one| {
        // What gathers is written by then.
        std::thread::sleep(std::time::Duration::from_millis(500));
        one.worked += one.editor.worked();
        let micros = one.worked * 1e6 / one.keys as f64;
        one.editor.leave();
        (one.name, micros)
    });
    println!("{what}");
    let (_, plain) = costs[0];
    for (name, micros) in costs {
        let more = micros - plain;
        println!(
            "  {name:<32} {micros:>14.1} {more:>14.1} {:>8.1}% {:>8}",
            more / plain * 100.0,
            "5%"
        );
    }
}

impl Contestant {
    fn type_some(&mut self, every: usize) {
        for _ in 0..KEYS {
            let number = self.keys;
            self.keys += 1;
            let at = (number as u32 / 60 % 500, number as u32 % 60);
            let letter = ["f", "o", "o", " ", "(", ")"][number % 6];
            let mut words = typed(URI, 2 + number, at, letter);
            let cursor = json!({ "line": at.0, "character": at.1 + 1 });
            let params = json!({
                "textDocument": { "uri": URI },
                "selections": [{ "start": cursor, "end": cursor }],
            });
            let moved = json!({ "method": "foretell/didChangeSelection", "params": params });
            words.extend(crate::editor::framed(&moved));
            let here = (at.0, at.1 + 1);
            let method = "textDocument/inlineCompletion";
            if number % every == every - 1 {
                self.editor.time(words, method, asked(URI, 1, here));
                continue;
            }
            // Nobody waits for what the next key overtakes.
            self.editor.ask_behind(words, method, asked(URI, 2, here));
            self.editor.result("stress/unknown", Value::Null);
        }
    }
}
