//! What a recording costs: the same keys typed into servers that record and one that does not, in turns
//! within one run.
//!
//! The time is that of the whole process, because on a busy machine the time until an answer says more
//! about the others. What of it is the thread that writes is told apart: nobody waits for that one.

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
        "{:<34} {:>14} {:>9} {:>9} {:>9} {:>8}",
        "of one core", "µs for a key", "writing", "more", "share", "aim"
    );
    // Somebody who types fast and gets nothing, somebody who asks every few keys, and the least that an
    // editor can say.
    for (what, keys) in [
        ("keys", Keys::Overtaken),
        (
            "keys, a tenth of them answered",
            Keys::Answered { every: 10 },
        ),
        ("changes that nobody asks about", Keys::Changes),
    ] {
        measure(binary, home, (what, keys));
    }
}

/// What an editor says at a key.
#[derive(Clone, Copy)]
enum Keys {
    /// What changed, where the cursor is, and a request that the next key overtakes.
    Overtaken,
    /// The same, and every so many requests are answered.
    Answered { every: usize },
    /// What changed.
    Changes,
}

fn measure(binary: &Path, home: &Path, (what, keys): (&str, Keys)) {
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
            one.type_some(keys);
        }
    }
    let costs = all.map(|mut one| {
        // What gathers is written by then.
        std::thread::sleep(std::time::Duration::from_millis(500));
        one.worked += one.editor.worked();
        let of_a_key = |seconds: f64| seconds * 1e6 / one.keys as f64;
        let (all, writing) = (
            of_a_key(one.worked),
            of_a_key(one.editor.worked_by("record")),
        );
        one.editor.leave();
        (one.name, all, writing)
    });
    println!("{what}");
    let (_, plain, _) = costs[0];
    for (name, micros, writing) in costs {
        let more = micros - plain;
        println!(
            "  {name:<32} {micros:>14.1} {writing:>9.1} {more:>9.1} {:>8.1}% {:>8}",
            more / plain * 100.0,
            "5%"
        );
    }
}

impl Contestant {
    fn type_some(&mut self, keys: Keys) {
        for _ in 0..KEYS {
            let number = self.keys;
            self.keys += 1;
            let at = (number as u32 / 60 % 500, number as u32 % 60);
            let letter = ["f", "o", "o", " ", "(", ")"][number % 6];
            let mut words = typed(URI, 2 + number, at, letter);
            if let Keys::Changes = keys {
                self.editor.write(&words);
                continue;
            }
            let cursor = json!({ "line": at.0, "character": at.1 + 1 });
            let params = json!({
                "textDocument": { "uri": URI },
                "selections": [{ "start": cursor, "end": cursor }],
            });
            let moved = json!({ "method": "foretell/didChangeSelection", "params": params });
            words.extend(crate::editor::framed(&moved));
            let here = (at.0, at.1 + 1);
            let method = "textDocument/inlineCompletion";
            let is_answered = match keys {
                Keys::Answered { every } => number % every == every - 1,
                Keys::Overtaken | Keys::Changes => false,
            };
            if is_answered {
                self.editor.time(words, method, asked(URI, 1, here));
                continue;
            }
            // Nobody waits for what the next key overtakes.
            self.editor.ask_behind(words, method, asked(URI, 2, here));
            self.editor.result("stress/unknown", Value::Null);
        }
        self.editor.result("stress/unknown", Value::Null);
    }
}
