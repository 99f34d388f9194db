//! Which rope a text should be made of: ropey 1, crop or ropey 2, next to a plain `String`.
//!
//! **Decision: ropey 1.6.1**, which is what `foretell-text` uses. It is the only stable one that
//! takes LF, CRLF and lone CR for line breaks, and that counts both characters and UTF-16 in
//! O(log n). crop does neither lone CR nor characters. ropey 2 does all of it and edits and looks up
//! faster, but is a beta.
//!
//! `cargo bench --bench ropes`. A row is something that Foretell does with a text, done by all in
//! turns: the median time of one operation, and how many times the best of the row that is. Before
//! it is timed, every candidate must come to the text, or find the places, that the `String` does;
//! else the benchmark stops there, so a printed table is also a passed test.
#![allow(
    clippy::print_stdout,
    clippy::panic,
    clippy::string_slice,
    reason = "a benchmark prints its table, stops at a bad trace and cuts where it has looked"
)]

mod candidates;
mod traces;

use std::hint::black_box;

use foretell_benches::documents::{SIZES, document, places};
use foretell_benches::table::duration;
use foretell_benches::timing::in_turns;

use candidates::{Candidate, Crop, Ropey, Ropey2, Unit};
use traces::{Change, Edits};

/// The columns of the table; the last is the model.
const NAMES: [&str; 4] = [Ropey::NAME, Crop::NAME, Ropey2::NAME, String::NAME];
/// Places to type at and to look up.
const PLACES: usize = 200;

/// Asks every candidate, in the order of the columns. A function cannot take a generic function.
macro_rules! each {
    ($function:ident($($argument:expr),*)) => {
        [
            $function::<Ropey>($($argument),*),
            $function::<Crop>($($argument),*),
            $function::<Ropey2>($($argument),*),
            $function::<String>($($argument),*),
        ]
    };
}

fn main() {
    if !foretell_benches::is_wanted() {
        return;
    }
    print_row("operation", NAMES.map(str::to_owned));

    match Edits::of_sessions() {
        Some(edits) => row("edit of a session", each!(replay(&edits))),
        None => println!("(no traces in TEST_FORETELL_TRACES or ../shared/traces: replay skipped)"),
    }
    let documents = SIZES.map(|(size, bytes)| (size, document(bytes)));
    for (size, text) in &documents {
        let keys = typing(text);
        row(&format!("key at random, {size}"), each!(replay(&keys)));
    }
    let [(_, small), (_, middle), (_, large)] = &documents;
    let line = &large.replace(['\r', '\n'], " ");
    for (name, text, unit) in [
        ("UTF-16 line/col and back, 50 KB", small, Unit::Utf16),
        ("UTF-16 line/col and back, 500 KB", middle, Unit::Utf16),
        ("UTF-16 line/col and back, 5 MB", large, Unit::Utf16),
        ("UTF-16 line/col and back, 5 MB line", line, Unit::Utf16),
        ("UTF-32 line/col and back, 5 MB", large, Unit::Utf32),
        ("UTF-32 line/col and back, 5 MB line", line, Unit::Utf32),
    ] {
        row(name, each!(look_up(text, unit)));
    }
    row("clone, 5 MB", each!(cloned(large)));
    row("equal, built separately, 5 MB", each!(equal(large)));

    let breaks = "LF\nCRLF\r\nCR\rend";
    print_row(&format!("lines in {breaks:?}"), each!(lines(breaks)));
}

/// What a candidate does in a row: what came out, to be compared, and a run to be timed.
struct Case<'a> {
    outcome: String,
    operations: usize,
    run: Box<dyn FnMut() + 'a>,
}

impl<'a> Case<'a> {
    fn new<R>(outcome: String, operations: usize, mut run: impl FnMut() -> R + 'a) -> Self {
        let run = Box::new(move || {
            black_box(run());
        });
        Case {
            outcome,
            operations,
            run,
        }
    }
}

/// Checks the candidates against the model, measures all in turns, and prints what one of the
/// operations in a run costs.
fn row(name: &str, cases: [Case<'_>; 4]) {
    let [.., model] = &cases;
    for (candidate, case) in NAMES.iter().zip(&cases) {
        let agrees = case.outcome == model.outcome;
        assert!(agrees, "{name}: {candidate} disagrees with String");
    }
    let operations = model.operations as f64;
    let [mut a, mut b, mut c, mut d] = cases.map(|case| case.run);
    let nanos = in_turns([&mut a, &mut b, &mut c, &mut d]).map(|cost| cost.nanos / operations);
    let best = nanos.into_iter().fold(f64::INFINITY, f64::min);
    let cell = |nanos| format!("{} {:>9.1}x", duration(nanos), nanos / best);
    print_row(name, nanos.map(cell));
}

fn print_row(name: &str, cells: [String; 4]) {
    let cells = cells.map(|cell| format!("{cell:>22}"));
    println!("{name:<36}{}", cells.concat());
}

/// All edits in their order, each with the old snapshot alive until there is a new one, so that it
/// pays for copying what both share.
fn replay<'a, T: Candidate + 'a>(edits: &'a Edits) -> Case<'a> {
    let opened: Vec<T> = edits.opened.iter().map(|text| T::from(text)).collect();
    let run = move || {
        let mut texts = opened.clone();
        for (index, changes) in &edits.edits {
            texts[*index] = edited(&texts[*index], changes);
        }
        texts
    };
    let outcome = run().iter().map(T::to_string).collect();
    Case::new(outcome, edits.edits.len(), run)
}

fn edited<T: Candidate>(before: &T, changes: &[Change]) -> T {
    let mut after = before.clone();
    // From the last to the first, so that the offsets of those to come still hold.
    for change in changes.iter().rev() {
        let start = before.utf16_to_byte(change.at);
        let end = match change.delete {
            0 => start,
            units => before.utf16_to_byte(change.at + units),
        };
        after.splice(start..end, &change.insert);
    }
    after
}

/// Keys typed one after the other at random places.
fn typing(text: &str) -> Edits {
    let (mut typed, mut edits) = (Vec::new(), Vec::new());
    for place in places(text, PLACES) {
        let place = text[..place.get()].encode_utf16().count();
        // Every key before has moved what is behind it by one.
        let at = place + typed.iter().filter(|other| **other <= place).count();
        let key = Change {
            at,
            delete: 0,
            insert: "x".to_owned(),
        };
        typed.push(place);
        edits.push((0, vec![key]));
    }
    let opened = vec![text.to_owned()];
    Edits { opened, edits }
}

/// From a line and a column to the byte there, and from that to line and column again.
fn look_up<'a, T: Candidate + 'a>(model: &String, unit: Unit) -> Case<'a> {
    let text = T::from(model);
    let bytes = places(model, PLACES).into_iter();
    let places = bytes.map(|byte| model.byte_to_place(unit, byte.get()));
    let mut places = places.collect::<Vec<_>>().into_iter().cycle();
    let mut run = move || {
        let byte = text.place_to_byte(unit, places.next().expect("endless"));
        (byte, text.byte_to_place(unit, byte))
    };
    let outcome = (0..PLACES).map(|_| format!("{:?} ", run())).collect();
    Case::new(outcome, 1, run)
}

/// A clone, made and dropped.
fn cloned<'a, T: Candidate + 'a>(text: &str) -> Case<'a> {
    let text = T::from(text);
    Case::new(text.clone().to_string(), 1, move || text.clone())
}

/// Compares two that hold the same text and share nothing.
fn equal<'a, T: Candidate + 'a>(text: &str) -> Case<'a> {
    let (left, right) = (T::from(text), T::from(text));
    let equal = move || black_box(&left) == black_box(&right);
    Case::new(equal().to_string(), 1, equal)
}

/// How many lines a candidate sees.
fn lines<T: Candidate>(text: &str) -> String {
    let end = T::from(text).byte_to_place(Unit::Utf16, text.len());
    (end.line + 1).to_string()
}
