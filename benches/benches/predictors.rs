//! How long the embedded predictors take on a document of 10,000 lines.
//!
//! `cargo bench --bench predictors`. What counts is the 99th percentile: they are asked while a
//! person types. Around 5 ms is the aim. Beside it stands what it takes to copy the text, which no
//! predictor can do without: the ratio says more than the time, which is the machine's.
#![allow(
    clippy::print_stdout,
    reason = "a benchmark is a program whose output is its table"
)]

use std::hint::black_box;
use std::time::Instant;

use foretell_benches::documents::document;
use foretell_benches::table::duration;
use foretell_lanes::{LaneRequest, OpenDocument, embedded};
use foretell_text::{ByteOffset, ByteRange, ChangeReason, LaneKind, RecentEdit};

const ROUNDS: usize = 400;
const LINES: usize = 10_000;
const AIM: f64 = 5e6;

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
fn changed(text: &str, percent: usize, old: &str, new: &str) -> (String, RecentEdit) {
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
        range: ByteRange::new(start, ByteOffset::new(at + new.len())).expect("in order"),
        old_text: old.into(),
        new_text: new.into(),
        reason: ChangeReason::Typed,
        age_ms: 500,
    };
    (text, edit)
}

fn renamed(text: &str, percent: usize) -> LaneRequest {
    let (text, edit) = changed(text, percent, "total", "amount");
    request(&text, edit.range.end().get(), vec![edit])
}

fn added(text: &str) -> LaneRequest {
    let (text, edit) = changed(text, 1, "{ total, limit", "{ total, count, limit");
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
        let (_, edit) = changed(&text, percent, new, new);
        edits.push(RecentEdit {
            old_text: old.into(),
            age_ms: 500 + 2_000 * number as u64,
            ..edit
        });
    }
    text.push('\n');
    request(&text, 0, edits)
}

/// Somebody who has begun a line.
fn typing(text: &str) -> LaneRequest {
    let begun = "    let total = items.";
    let (text, edit) = changed(text, 50, "    if total > LIMIT {", begun);
    request(&text, edit.range.end().get(), vec![edit])
}
