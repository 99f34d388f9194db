//! How long it takes to make the prompt of a model for next edits, without secrets, in a document of 50 KB.
//!
//! `cargo bench --bench next_edit_prompts`. What counts is the 99th percentile: it is added to every wait. The
//! aim is under 1 ms.
#![allow(
    clippy::print_stdout,
    reason = "a benchmark is a program whose output is its table"
)]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use foretell_benches::documents::document;
use foretell_benches::table::duration;
use foretell_context::Redactor;
use foretell_engine::LaneRedaction;
use foretell_lanes::model::fim::PromptMemory;
use foretell_lanes::model::format::FormatChoice;
use foretell_lanes::model::server_facts::ServerFacts;
use foretell_lanes::{LaneRequest, OpenDocument};
use foretell_settings::{BackEnd, Settings};
use foretell_text::{ByteOffset, ByteRange, ChangeReason, LaneKind, RecentEdit};

const ROUNDS: usize = 400;
const BYTES: usize = 50_000;
const AIM: f64 = 1e6;
const FORMATS: [&str; 6] = [
    "rewrite", "zeta-2.1", "zeta-2", "sweep", "sweep-v2", "mercury",
];

fn main() {
    if !foretell_benches::is_wanted() {
        return;
    }
    println!(
        "{:<12} {:>12} {:>12} {:>10}",
        "format", "median", "99th", "prompt"
    );
    let request = request();
    let mut worst = 0.0_f64;
    for format in FORMATS {
        let mut settings = Settings::default().lanes.next_edit;
        settings.format = format.to_owned();
        settings.kind = if format == "mercury" {
            BackEnd::Mercury
        } else {
            BackEnd::OpenAi
        };
        let facts = ServerFacts::default();
        let Ok(choice) = FormatChoice::of(LaneKind::NextEdit, &settings, "m", &facts) else {
            continue;
        };
        let mut length = 0;
        let mut nanos: Vec<f64> = (0..ROUNDS)
            .map(|_| {
                let start = Instant::now();
                let marks = request.redact.begin();
                let memory = &mut PromptMemory::default();
                let asked = choice.format.prepare(&request, &settings, marks, memory);
                let took = start.elapsed().as_nanos() as f64;
                let message = asked.and_then(|it| choice.kind.message(it.prompt, "m").ok());
                length = black_box(message).map_or(0, |it| it.body.to_string().len());
                took
            })
            .collect();
        nanos.sort_by(f64::total_cmp);
        let slow = nanos[ROUNDS * 99 / 100];
        if format != "rewrite" {
            worst = worst.max(slow);
        }
        println!(
            "{format:<12} {:>12} {:>12} {:>7} KB",
            duration(nanos[ROUNDS / 2]),
            duration(slow),
            length / 1_000
        );
    }
    let verdict = if worst <= AIM { "met" } else { "missed" };
    println!(
        "\n{ROUNDS} rounds each on {} KB with six changes; the aim is {} at the 99th percentile: {verdict}",
        BYTES / 1_000,
        duration(AIM)
    );
}

/// A request in the middle of a document, after six changes near the cursor and further away.
fn request() -> LaneRequest {
    let text = document(BYTES);
    let middle = text
        .char_indices()
        .map(|(at, _)| at)
        .find(|at| *at >= BYTES / 2);
    let at = middle.unwrap_or_default();
    let mut open = OpenDocument::new("src/large.rs", "rust", &text);
    let spots: [usize; 6] = [
        at - 200,
        at + 400,
        at - 900,
        at + 3_000,
        at - 9_000,
        at + 12_000,
    ];
    open.edits = spots
        .into_iter()
        .zip(0..)
        .map(|(spot, age)| {
            let start = open.text.floor(spot);
            let range = ByteRange::new(start, open.text.floor(start.get() + 8));
            let range = range.unwrap_or(ByteRange::empty(start));
            RecentEdit {
                made_at: Some(range.start()),
                range,
                old_text: "before".into(),
                new_text: open.text.read(range).unwrap_or_default().into(),
                reason: ChangeReason::Typed,
                is_accepted: false,
                age_ms: age * 4_000,
                is_finished: true,
            }
        })
        .collect();
    let mut request = LaneRequest::new(open, ByteOffset::new(at));
    request.redact = Arc::new(LaneRedaction(Redactor::new().begin()));
    request
}
