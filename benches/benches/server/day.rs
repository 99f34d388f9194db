//! A day's work: the long session, over and over, through the server at speed.
//!
//! The editor asks at every key and wherever the server wants to be asked, and waits for each answer;
//! the pause before a lane starts is taken away. So every request is worked on to its end, where a
//! person who types on would have taken back most of them: what it costs is an upper bound.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Instant;

use foretell_text::{ByteRange, Edit, PositionEncoding, Replacement, Text, Utf16Offset};
use serde_json::{Value, json};

use super::editor::{Editor, asked};

/// How much a person works in a day, in hours.
const HOURS: f64 = 8.0;

/// Works a day.
pub(crate) fn work(binary: &Path, home: &Path) {
    let name = "sessions/copilot.EditSourceTracker.first20min.jsonl";
    let path = foretell_benches::traces().join(name);
    let Ok(trace) = fs::read_to_string(path) else {
        println!("{name} is not in TEST_FORETELL_TRACES or ../shared/traces");
        return;
    };
    let lines = trace.lines().skip(1);
    let events: Vec<Value> = lines
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    let last = events.last().and_then(|it| it["t"].as_f64());
    let length = last.unwrap_or_default() / 3_600_000.0;
    let settings = ["--set", "pace.minMs=0", "--set", "pace.maxMs=0"];
    let mut session = Session {
        editor: Editor::ready(binary, home, &settings, None),
        documents: BTreeMap::new(),
        version: 1,
        asked: 0,
        offered: 0,
    };
    println!(
        "{:>6} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>12} {:>9}",
        "hour", "events", "asked", "offered", "MB", "own", "most", "CPU s/hour", "at speed"
    );
    let (mut worked, mut hour, mut sent) = (0.0, 0.0, 0);
    let mut before = session.editor.worked();
    let mut start = Instant::now();
    while worked < HOURS {
        sent += events.len();
        events.iter().for_each(|event| session.play(event));
        session.close_all();
        worked += length;
        if worked - hour >= 1.0 || worked >= HOURS {
            let memory = session.editor.memory();
            let now = session.editor.worked();
            println!(
                "{worked:>6.1} {sent:>9} {:>9} {:>9} {:>9.1} {:>9.1} {:>9.1} {:>12.2} {:>7.1} s",
                session.asked,
                session.offered,
                memory.all,
                memory.own,
                memory.most,
                (now - before) / (worked - hour),
                start.elapsed().as_secs_f64()
            );
            (hour, before, start) = (worked, now, Instant::now());
        }
    }
    println!("the aim is that nothing grows, and under 36 s of CPU an hour: 1 % of a core");
    session.editor.leave();
}

/// An editor in the middle of its work.
struct Session {
    editor: Editor,
    documents: BTreeMap<String, Text>,
    version: u64,
    asked: usize,
    offered: usize,
}

impl Session {
    fn play(&mut self, event: &Value) {
        let uri = event["doc"].as_str().unwrap_or_default().to_owned();
        match event["event"].as_str() {
            Some("open") => {
                let text = event["text"].as_str().unwrap_or_default();
                let language = event["language"].as_str().unwrap_or_default();
                self.editor.open(&uri, language, text);
                self.documents.insert(uri, Text::from(text));
            }
            Some("edit") => self.edit(&uri, event),
            Some("select") => self.select(&uri, event),
            Some("focus") => {
                let params = json!({ "textDocument": { "uri": uri } });
                self.editor.notify("foretell/didFocus", params);
            }
            Some("close") => self.close(&uri),
            _ => {}
        }
        // Where it wants to be asked is known when it has answered something.
        for trigger in std::mem::take(&mut self.editor.triggers) {
            let params = json!({
                "textDocument": { "uri": trigger["textDocument"]["uri"] },
                "position": trigger["position"],
            });
            self.ask("textDocument/copilotInlineEdit", params, "edits");
        }
    }

    fn edit(&mut self, uri: &str, event: &Value) {
        let Some(text) = self.documents.get(uri).cloned() else {
            return;
        };
        let changes = event["changes"].as_array().cloned().unwrap_or_default();
        let mut replacements = Vec::new();
        for change in &changes {
            let at = number(&change["at"]);
            let range = range(&text, at, at + number(&change["delete"]));
            let new_text = change["insert"].as_str().unwrap_or_default();
            replacements.push(Replacement::new(range, new_text));
        }
        // From the last to the first, so that none moves another.
        let wire = replacements.iter().rev().map(|it| {
            let range = places(&text, it.range());
            json!({ "range": range, "text": it.new_text() })
        });
        self.version += 1;
        let params = json!({
            "textDocument": { "uri": uri, "version": self.version },
            "contentChanges": wire.collect::<Vec<_>>(),
        });
        self.editor.notify("textDocument/didChange", params);
        let edit = Edit::new(replacements).expect("sorted and disjoint");
        let after = edit.apply(&text).expect("it fits");
        let end = edit.replacements().last().map(|last| {
            let start = edit.map_offset(last.range().start(), foretell_text::OffsetBias::Before);
            foretell_text::ByteOffset::new(start.get() + last.new_text().len())
        });
        let place = end.and_then(|end| after.position_of(end, PositionEncoding::Utf16).ok());
        self.documents.insert(uri.to_owned(), after);
        if let Some(place) = place {
            let params = asked(uri, 2, (place.line, place.column));
            self.ask("textDocument/inlineCompletion", params, "items");
        }
    }

    fn select(&mut self, uri: &str, event: &Value) {
        let Some(text) = self.documents.get(uri) else {
            return;
        };
        let selections = event["selections"].as_array().cloned().unwrap_or_default();
        let selections = selections.iter().map(|it| {
            let (start, end) = (number(&it[0]), number(&it[1]));
            places(text, range(text, start.min(end), start.max(end)))
        });
        let params = json!({
            "textDocument": { "uri": uri },
            "selections": selections.collect::<Vec<_>>(),
        });
        self.editor.notify("foretell/didChangeSelection", params);
    }

    fn ask(&mut self, method: &str, params: Value, field: &str) {
        let answer = self.editor.result(method, params);
        self.asked += 1;
        let offered = answer[field].as_array().is_some_and(|it| !it.is_empty());
        self.offered += usize::from(offered);
    }

    fn close(&mut self, uri: &str) {
        self.documents.remove(uri);
        let params = json!({ "textDocument": { "uri": uri } });
        self.editor.notify("textDocument/didClose", params);
    }

    fn close_all(&mut self) {
        for uri in std::mem::take(&mut self.documents).into_keys() {
            self.close(&uri);
        }
    }
}

fn number(value: &Value) -> usize {
    value.as_u64().unwrap_or_default() as usize
}

fn range(text: &Text, start: usize, end: usize) -> ByteRange {
    let byte = |units| {
        text.byte_of(Utf16Offset::new(units))
            .expect("a place in the text")
    };
    ByteRange::new(byte(start), byte(end)).expect("in order")
}

fn places(text: &Text, range: ByteRange) -> Value {
    let place = |at| {
        let place = text
            .position_of(at, PositionEncoding::Utf16)
            .expect("a place in the text");
        json!({ "line": place.line, "character": place.column })
    };
    json!({ "start": place(range.start()), "end": place(range.end()) })
}
