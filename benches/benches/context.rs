//! What making a context costs: three sources of 200 KB each, redaction aside.
//!
//! `cargo bench --bench context`. Each time stands beside that of copying the same bytes to a new
//! string once, in turns with it. The findings are made before the clock runs, as the sources make
//! them; redaction is measured elsewhere, so what is assembled here counts as redacted.
#![allow(
    clippy::print_stdout,
    reason = "a benchmark is a program whose output is its table"
)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use foretell_benches::documents::document;
use foretell_benches::table::duration;
use foretell_context::assemble::assemble_redacted;
use foretell_context::{
    AssembledContext, ContextEntry, ContextSection, EntrySpacing, Exclude, FoundSections,
    SourceFinding, TokenEstimate,
};
use foretell_text::FilePath;

const SOURCE_BYTES: usize = 200_000;
const ROUNDS: usize = 201;

fn main() {
    if !foretell_benches::is_wanted() {
        return;
    }
    // The allocator keeps what is freed once it has seen something this large freed, as it has in any
    // server that runs for a while. Otherwise most of what is measured is the system handing out the
    // same pages again and again.
    drop(black_box(vec![0_u8; 30 << 20]));
    println!(
        "{:<46} {:>10} {:>10} {:>7} {:>10} {:>8}",
        "three sources of 200 KB", "median", "copy", "ratio", "spread", "tokens"
    );
    for (what, entries, budget) in [
        ("all of it, 3 entries each", 3, usize::MAX),
        ("all of it, 200 entries each", 200, usize::MAX),
        ("within 2,000 tokens, 3 entries each", 3, 2_000),
        ("within 2,000 tokens, 200 entries each", 200, 2_000),
        ("within 100,000 tokens, 3 entries each", 3, 100_000),
        ("within 100,000 tokens, 200 entries each", 200, 100_000),
    ] {
        measure(what, entries, budget);
    }
}

/// Nothing is excluded.
struct Nothing;

impl Exclude for Nothing {
    fn excludes(&self, _file: &FilePath) -> bool {
        false
    }
}

/// Assembles and copies in turns, and prints what came of it. Findings are given away, so that each
/// turn has its own, and the clock runs for one at a time.
fn measure(what: &str, entries: usize, budget: usize) {
    let findings = findings(entries);
    let plain = text_of(&findings);
    let mut ours = Vec::with_capacity(ROUNDS);
    let mut copies = Vec::with_capacity(ROUNDS);
    let mut tokens = 0;
    for _ in 0..ROUNDS {
        let findings = findings.clone();
        let start = Instant::now();
        let context = assembled(black_box(findings), budget);
        ours.push(start.elapsed());
        tokens = context.tokens;
        drop(context);

        let start = Instant::now();
        let copy = black_box(&plain).clone();
        copies.push(start.elapsed());
        drop(black_box(copy));
    }
    let (ours, spread) = median_and_spread(ours);
    let (copy, _) = median_and_spread(copies);
    println!(
        "{what:<46} {:>10} {:>10} {:>6.1}x {:>8.0} % {tokens:>8}",
        duration(ours),
        duration(copy),
        ours / copy,
        spread * 100.0
    );
}

fn assembled(findings: Vec<SourceFinding>, budget: usize) -> AssembledContext {
    black_box(assemble_redacted(
        findings,
        budget,
        &TokenEstimate,
        &Nothing,
    ))
}

/// Three sources, each with so many entries of fenced code.
fn findings(entries: usize) -> Vec<SourceFinding> {
    let entry = |_| {
        let code = document(SOURCE_BYTES / entries - 40);
        ContextEntry {
            code: None,
            file: Some(FilePath::new("src/lib.rs")),
            text: format!("**File**: `src/lib.rs`\n```rust\n{code}```"),
            secrets: Vec::new(),
        }
    };
    let finding = |source| SourceFinding {
        source,
        found: FoundSections::Section(ContextSection {
            heading: "Relevant Code from Workspace".to_owned(),
            entries: (0..entries).map(entry).collect(),
            spacing: EntrySpacing::Paragraphs,
        }),
        took: Duration::ZERO,
    };
    ["diagnostics", "history", "semantic"].map(finding).into()
}

fn text_of(findings: &[SourceFinding]) -> String {
    let sections = findings.iter().filter_map(|finding| match &finding.found {
        FoundSections::Section(section) => Some(section),
        _ => None,
    });
    let entries = sections.flat_map(|section| &section.entries);
    entries.map(|entry| entry.text.as_str()).collect()
}

/// The median in nanoseconds, and the distance of the quartiles as a share of it.
fn median_and_spread(mut times: Vec<Duration>) -> (f64, f64) {
    times.sort();
    let quartile = |quarter: usize| times[(times.len() - 1) * quarter / 4].as_nanos() as f64;
    (quartile(2), (quartile(3) - quartile(1)) / quartile(2))
}
