//! How long the embedded predictors take on a document of 10,000 lines.
//!
//! `cargo bench --bench predictors`. What counts is the 99th percentile: they are asked while a
//! person types. Around 5 ms is the aim. Beside it stands what it takes to copy the text, which no
//! predictor can do without: the ratio says more than the time, which is the machine's.
//!
//! The language model is asked at every key, so it has aims of its own: what a question costs, the first one
//! in a document too, what it costs to learn, how many bytes that keeps, and what a key costs in a document
//! that is too large for it. Beside a workspace it has aims, too: how fast that is sorted, how many bytes it
//! is, and what a question costs then.
#![allow(
    clippy::print_stdout,
    clippy::string_slice,
    reason = "a benchmark prints its table and cuts a line that it has written itself"
)]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use foretell_benches::documents::{Random, document};
use foretell_benches::machine::{NOW, changed, document_id, drain, opened};
use foretell_benches::table::duration;
use foretell_benches::timing::in_turns;
use foretell_core::{Core, Event};
use foretell_engine::reexports::Redactor;
use foretell_engine::taught_predictor::{PredictorLesson, TaughtPredictor};
use foretell_lanes::embedded::LineModel;
use foretell_lanes::{InstantPredictor, LaneRequest, OpenDocument, PredictionQuestion, embedded};
use foretell_predict::{Predictor, WorkspaceArrayBuilder};
use foretell_text::code_tokens::{TokenKind, pieces};
use foretell_text::{
    ByteOffset, ByteRange, ChangeReason, CursorPrediction, DocumentId, Edit, FilePath, LaneKind,
    Language, PredictionAsk, RecentEdit, Replacement, Text, TextProbability,
};

const ROUNDS: usize = 400;
const LINES: usize = 10_000;
const AIM: f64 = 5e6;
const WORKSPACE_LINES: usize = 1_000_000;

fn main() {
    if !foretell_benches::is_wanted() {
        return;
    }
    println!(
        "{:<44} {:>12} {:>12} {:>12} {:>9}",
        "predictor", "median", "99th", "copying", "ratio"
    );
    let text = lines(LINES);
    let repeat = |name: &str, request: &LaneRequest| measure(name, LaneKind::NextEdit, request);
    let worst = [
        repeat("repeat: a name with thousands of uses", &renamed(&text, 0)),
        repeat("repeat: the same, in the last lines", &renamed(&text, 95)),
        repeat("repeat: an argument, between common marks", &added(&text)),
        repeat("repeat: a full history, and no place", &busy(&text)),
        repeat("repeat: two changes, and a thousand places", &twice(&text)),
        repeat("repeat: a name that nobody imports", &unknown(&text)),
        measure(
            "recall: in the middle of the document",
            LaneKind::Fim,
            &typing(&text),
        ),
        measure("quick fix: nothing to fix", LaneKind::Fix, &typing(&text)),
    ];
    let worst = worst.into_iter().fold(0.0, f64::max);
    println!(
        "\n{ROUNDS} rounds each on {LINES} lines ({} KB); the aim is {} at the 99th percentile: {}",
        text.len() / 1_000,
        duration(AIM),
        match worst <= AIM {
            true => "met",
            false => "missed",
        }
    );
    language_model(&Text::from(text.as_str()));
    workspace(&text);
}

/// What the code of a workspace of a million lines costs: to sort, to keep, and to ask beside a document.
fn workspace(text: &str) {
    println!("\n{:<58} {:>12} {:>12}", "workspace", "figure", "aim");
    let row = |name: &str, figure: String, aim: &str| println!("{name:<58} {figure:>12} {aim:>12}");
    let files: Vec<String> = (0..WORKSPACE_LINES / 250).map(made_up_code).collect();
    let start = Instant::now();
    let mut builder = WorkspaceArrayBuilder::new();
    for (number, file) in files.iter().enumerate() {
        builder.add(&format!("file:///src/{number}.rs"), file);
    }
    let array = builder.build();
    let seconds = start.elapsed().as_secs_f64();
    let lines = array.lines() as f64;
    row("lines", array.lines().to_string(), "");
    row(
        "built, lines a second",
        format!("{:.0}", lines / seconds),
        "200000",
    );
    let megabytes = array.bytes() as f64 / lines;
    row(
        "bytes of a million lines",
        format!("{megabytes:.0} MB"),
        "100 MB",
    );
    let document = DocumentId::new("file:///src/here.rs");
    let mut predictor = Predictor::new();
    predictor.set_workspace(Arc::new(array));
    let mut text = Text::from(format!("{text}{}", made_up_code(7)).as_str());
    predictor.open(&document, &Language::new("rust"), &text);
    let typed = made_up_code(11);
    let keys = typed.char_indices().take(ROUNDS * 10);
    let mut nanos: Vec<f64> = Vec::new();
    for (from, key) in keys {
        let key = &typed[from..from + key.len_utf8()];
        let edit = Edit::from(Replacement::insertion(text.end(), key));
        text = edit.apply(&text).expect("it fits");
        let start = Instant::now();
        predictor.change(&document, &text, &edit, ChangeReason::Typed);
        black_box(predictor.predict(&document, text.end()));
        nanos.push(start.elapsed().as_nanos() as f64);
    }
    nanos.sort_by(f64::total_cmp);
    row(
        "a question beside it, median",
        duration(nanos[nanos.len() / 2]),
        "",
    );
    let slow = nanos[nanos.len() * 99 / 100];
    row("a question beside it, 99th", duration(slow), "5 ms");
}

/// A file of 250 lines. Most names are few, and few stand in many files, as in code.
fn made_up_code(number: usize) -> String {
    let mut random = Random::new(number as u64);
    let mut name = |kinds: usize| {
        let rare = random
            .below(kinds)
            .min(random.below(kinds))
            .min(random.below(kinds));
        let first = [
            "read", "open", "count", "total", "item", "limit", "write", "line",
        ];
        let second = ["size", "name", "part", "table", "of", "at", "range", "text"];
        format!("{}_{}_{}", first[rare % 8], second[rare / 8 % 8], rare / 64)
    };
    let line = |at: usize| match at % 10 {
        0 => format!(
            "fn {}({}: usize) -> Option<usize> {{\n",
            name(40_000),
            name(900)
        ),
        9 => "}\n".to_owned(),
        1 | 5 => format!(
            "    let {} = self.{}({}, {});\n",
            name(900),
            name(9_000),
            name(900),
            at % 7
        ),
        2 | 6 => format!("    if {} > {}.{} {{\n", name(900), name(900), name(4_000)),
        3 | 7 => format!(
            "        return Err(Error::{}({}));\n",
            name(2_000),
            name(900)
        ),
        4 => "    }\n".to_owned(),
        _ => format!(
            "    }} // {} and {} are {}\n",
            name(9_000),
            name(9_000),
            name(900)
        ),
    };
    (0..250).map(line).collect()
}

/// What the language model costs in a document of so many lines, and in one of 5 MB.
fn language_model(text: &Text) {
    println!("\n{:<58} {:>12} {:>12}", "language model", "figure", "aim");
    let row = |name: &str, figure: String, aim: &str| println!("{name:<58} {figure:>12} {aim:>12}");
    let middle = text.line_at(text.floor(text.end().get() / 2));
    let mut at = middle.expect("it is in the text").start();
    let mut typing = LearningDesk::new(text.clone());
    let (first, _) = typing.key(&mut at, "\n");
    row("the first question in the document", duration(first), "");
    let line = "let total = items.iter().filter(|item| item.count > limit).sum();\n";
    let mut key = |desk: &mut LearningDesk| -> Vec<f64> {
        let keys = line.char_indices().cycle().take(ROUNDS * 5);
        let mut nanos: Vec<f64> = keys
            .map(|(from, key)| desk.key(&mut at, &line[from..from + key.len_utf8()]).0)
            .collect();
        nanos.sort_by(f64::total_cmp);
        nanos
    };
    for (name, aim) in [("while it is learned", ""), ("when it is", "500 µs")] {
        let nanos = key(&mut typing);
        let name = |what: &str| format!("a question in it {name}, {what}");
        row(&name("median"), duration(nanos[nanos.len() / 2]), "");
        row(&name("99th"), duration(nanos[nanos.len() * 99 / 100]), aim);
    }

    let tokens = text.to_string();
    let tokens = pieces(&tokens, 0..tokens.len());
    let tokens = tokens.iter().filter(|it| it.kind != TokenKind::Space);
    let tokens = tokens.count();
    // A part of it that is learned as a whole.
    let part = 3_000;
    let share = part as f64 / LINES as f64 * tokens as f64;
    let part = Text::from(lines(part).as_str());
    let mut nanos = 0.0;
    let counted = allocation_counter::measure(|| {
        let mut desk = LearningDesk::new(part.clone());
        let mut at = part.end();
        nanos = (0..400).map(|_| desk.key(&mut at, "").0).sum();
        std::mem::forget(desk);
    });
    row("learning, a token", duration(nanos / share), "20 µs");
    let megabytes = counted.bytes_current as f64 / share * 100_000.0 / 1e6;
    row("what 100,000 tokens keep", format!("{megabytes:.1} MB"), "");

    let large = Text::from(foretell_benches::documents::document(5_000_000).as_str());
    let mut alone = LargeDesk::new(&large, false);
    let mut taught = LargeDesk::new(&large, true);
    let [alone, taught] = in_turns([&mut || alone.key(), &mut || taught.key()]);
    row(
        "a key in a document of 5 MB, without",
        duration(alone.nanos),
        "",
    );
    row("with", duration(taught.nanos), "");
    row("ratio", format!("{:.2}", taught.nanos / alone.nanos), "1.3");
}

/// Somebody who types with the language model.
struct LearningDesk {
    model: LineModel,
    document: DocumentId,
    text: Text,
}

impl LearningDesk {
    fn new(text: Text) -> Self {
        let mut model = LineModel::default();
        let document = DocumentId::new("file:///src/lib.rs");
        model.open(&document, &Language::new("rust"), &text);
        LearningDesk {
            model,
            document,
            text,
        }
    }

    /// Types something and asks behind it; how long both take.
    fn key(&mut self, at: &mut ByteOffset, key: &str) -> (f64, Option<CursorPrediction>) {
        let edit = Edit::from(Replacement::insertion(*at, key));
        let text = edit.apply(&self.text).expect("it fits");
        *at = ByteOffset::new(at.get() + key.len());
        let start = Instant::now();
        if !key.is_empty() {
            let typed = ChangeReason::Typed;
            self.model.change(&self.document, &text, &edit, typed);
        }
        let said = self.model.predict(&PredictionQuestion {
            document: &self.document,
            at: *at,
            ask: PredictionAsk::Key,
            threshold: TextProbability::from_thousandths(600),
        });
        let nanos = start.elapsed().as_nanos() as f64;
        self.text = text;
        (nanos, said)
    }
}

/// The machine with a large document, with the language model beside it or without.
struct LargeDesk {
    core: Core,
    taught: Option<TaughtPredictor>,
    at: ByteOffset,
    is_typed: bool,
}

impl LargeDesk {
    fn new(text: &Text, is_taught: bool) -> Self {
        let mut desk = LargeDesk {
            core: Core::new(Arc::default()),
            taught: is_taught.then(|| {
                TaughtPredictor::new(
                    Box::new(LineModel::default()),
                    Arc::new(|document| FilePath::new(document.as_str())),
                    &Redactor::new(),
                )
            }),
            at: text.floor(text.end().get() / 2),
            is_typed: false,
        };
        desk.tell(opened(text));
        desk
    }

    /// Types a character and deletes it, in turn, and asks.
    fn key(&mut self) {
        let end = ByteOffset::new(self.at.get() + usize::from(self.is_typed));
        let range = ByteRange::new(self.at, end).expect("in order");
        let new = if self.is_typed { "" } else { "x" };
        self.is_typed = !self.is_typed;
        self.tell(changed(&Edit::from(Replacement::new(range, new))));
        if let Some(taught) = &mut self.taught {
            black_box(taught.predict(&PredictionQuestion {
                document: &document_id(),
                at: self.at,
                ask: PredictionAsk::Key,
                threshold: TextProbability::from_thousandths(600),
            }));
        }
    }

    fn tell(&mut self, event: Event) {
        let lesson = PredictorLesson::of(&event, &self.core);
        self.core.handle(NOW, event);
        if let Some(taught) = &mut self.taught {
            taught.teach(lesson, &self.core, &|_| false);
        }
        drain(&mut self.core);
    }
}

/// Asks so many times, prints what it took, and says the 99th percentile in nanoseconds.
fn measure(name: &str, lane: LaneKind, request: &LaneRequest) -> f64 {
    let time = |work: &dyn Fn()| {
        let mut nanos: Vec<f64> = (0..ROUNDS)
            .map(|_| {
                let start = Instant::now();
                work();
                start.elapsed().as_nanos() as f64
            })
            .collect();
        nanos.sort_by(f64::total_cmp);
        (nanos[ROUNDS / 2], nanos[ROUNDS * 99 / 100])
    };
    let (median, slow) = time(&|| {
        black_box(embedded::predict(lane, request, &|| false));
    });
    let (copying, _) = time(&|| {
        black_box(request.document.text.to_string());
    });
    println!(
        "{name:<44} {:>12} {:>12} {:>12} {:>8.0}x",
        duration(median),
        duration(slow),
        duration(copying),
        median / copying
    );
    slow
}

/// The first so many lines of a document that goes on for long enough.
fn lines(count: usize) -> String {
    let text = document(count * 60);
    let lines: Vec<&str> = text.split_inclusive('\n').take(count).collect();
    lines.concat()
}

fn request(text: &str, at: usize, edits: Vec<RecentEdit>) -> LaneRequest {
    let other = |number: usize| open(&format!("other_{number}.rs"), &lines(300), Vec::new());
    LaneRequest {
        others: (0..3).map(other).collect(),
        ..LaneRequest::new(open("here.rs", text, edits), ByteOffset::new(at))
    }
}

fn open(name: &str, text: &str, edits: Vec<RecentEdit>) -> OpenDocument {
    let document = OpenDocument::new(name, "rust", text);
    OpenDocument { edits, ..document }
}

/// A text in which one place was changed, so many hundredths down, and the edit that did it.
fn changed_text(text: &str, percent: usize, old: &str, new: &str) -> (String, RecentEdit) {
    let mut from = text.len() / 100 * percent;
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let (head, rest) = text.split_at(from);
    let at = head.len() + rest.find(old).expect("the document says so everywhere");
    let mut text = text.to_owned();
    text.replace_range(at..at + old.len(), new);
    let start = ByteOffset::new(at);
    let edit = RecentEdit {
        made_at: None,
        range: ByteRange::new(start, ByteOffset::new(at + new.len())).expect("in order"),
        old_text: old.into(),
        new_text: new.into(),
        reason: ChangeReason::Typed,
        is_accepted: false,
        age_ms: 500,
        is_finished: true,
    };
    (text, edit)
}

fn renamed(text: &str, percent: usize) -> LaneRequest {
    let (text, edit) = changed_text(text, percent, "total", "amount");
    request(&text, edit.range.end().get(), vec![edit])
}

fn added(text: &str) -> LaneRequest {
    let (text, edit) = changed_text(text, 1, "{ total, limit", "{ total, count, limit");
    request(&text, edit.range.end().get(), vec![edit])
}

/// As many edits as are looked at, each of a word that stands nowhere any more.
fn busy(text: &str) -> LaneRequest {
    let mut text = text.to_owned();
    let mut edits = Vec::new();
    for number in 0..12 {
        // From the end to the start, so that the edits before stay where they are.
        let old = format!("/* gone_{number} */ items");
        let new = "items";
        let percent = 90 - number * 7;
        let (_, edit) = changed_text(&text, percent, new, new);
        edits.push(RecentEdit {
            old_text: old.into(),
            is_accepted: false,
            age_ms: 500 + 2_000 * number as u64,
            is_finished: true,
            ..edit
        });
    }
    text.push('\n');
    request(&text, 0, edits)
}

/// Two calls of a thousand that were given another argument.
fn twice(text: &str) -> LaneRequest {
    let mut text = text.to_owned();
    let mut edits = Vec::new();
    for number in 0..1_000 {
        let added = if number < 2 { ", desk" } else { "" };
        let call = format!("register_rule(rule_{number}, {number}");
        let start = ByteOffset::new(text.len() + call.len());
        text.push_str(&format!("{call}{added});\n"));
        if !added.is_empty() {
            let end = ByteOffset::new(start.get() + added.len());
            let edit = RecentEdit {
                made_at: None,
                range: ByteRange::new(start, end).expect("in order"),
                old_text: "".into(),
                new_text: added.into(),
                reason: ChangeReason::Typed,
                is_accepted: false,
                age_ms: 500 + 2_000 * (1 - number),
                is_finished: true,
            };
            edits.insert(0, edit);
        }
    }
    let at = edits.first().map_or(0, |edit| edit.range.end().get());
    request(&text, at, edits)
}

/// A new line with a name that the document does not know.
fn unknown(text: &str) -> LaneRequest {
    let line = "    if total > LIMIT {";
    let new = format!("    let kept = Cabinet::new();\n{line}");
    let (text, edit) = changed_text(text, 50, line, &new);
    request(&text, edit.range.end().get(), vec![edit])
}

/// Somebody who has begun a line.
fn typing(text: &str) -> LaneRequest {
    let begun = "    let total = items.";
    let (text, edit) = changed_text(text, 50, "    if total > LIMIT {", begun);
    request(&text, edit.range.end().get(), vec![edit])
}
