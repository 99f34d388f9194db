//! How many planted secrets redaction catches, and how often it marks ordinary code.
//!
//! ```text
//! cargo bench -p foretell-context --bench redaction_rates -- [--seed N] [--cases N] [--held-out] [--misses N]
//!     [--kind TEXT] [--part reserve] [--from FILE] [--corpus DIRECTORY] [--marks N] [--lines N] [--gate]
//! ```
//!
//! Without a corpus, secrets are counted: by class and by kind, worst first. With one (`.ci/corpus` unpacks
//! it), marks in a thousand lines are. Both are printed for the tuning and the held-out half; what was missed,
//! or marked, is shown of the tuning half, or with `--held-out` of the other, and whoever writes rules leaves
//! that out. With `--gate`, too many marks in a corpus are a failure. Lines for machines begin with `class:` and `corpus:`.
//!
//! With `--part reserve`, only the reserve is counted, and only rates by class are printed: its misses are shown
//! when `--misses` asks for them, and then it is spent.
//!
//! With `--from`, cases that somebody else wrote are counted, in a file that the module `outside` describes.
//!
//! How fast redaction is: `cargo bench --bench redaction` of foretell-benches.
#![allow(
    clippy::print_stdout,
    reason = "a benchmark is a program whose output is its table"
)]

use std::path::PathBuf;
use std::process::ExitCode;

use foretell_testkit::planted_secrets::CaseHalf;

mod corpus;
mod outside;
mod planted;

/// What is asked for.
struct RatesRequest {
    seed: u64,
    cases: usize,
    /// Of which half details are shown. The reserve is also all that is counted then.
    shown: CaseHalf,
    /// How many misses are shown.
    misses: usize,
    /// Misses of which kinds, forms or classes.
    kind: String,
    /// Cases that somebody else wrote.
    from: Option<PathBuf>,
    corpus: Option<PathBuf>,
    /// How many marks are shown of each language.
    marks: usize,
    /// How many lines are read of each package at most.
    lines: usize,
    /// Whether too many marks are a failure.
    is_gate: bool,
}

fn main() -> ExitCode {
    // `cargo test --benches` starts benchmarks too.
    if !std::env::args().any(|argument| argument == "--bench") {
        return ExitCode::SUCCESS;
    }
    let request = request();
    let Some(root) = &request.corpus else {
        planted::measure(&request);
        return ExitCode::SUCCESS;
    };
    let are_few = corpus::measure(root, &request);
    if request.is_gate && !are_few {
        println!(
            "\ntoo many doubtful marks: at most 0.2 in 1,000 lines over all, 0.5 in any language"
        );
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// Reads the command line.
fn request() -> RatesRequest {
    let mut request = RatesRequest {
        seed: 24,
        cases: 5_000,
        shown: CaseHalf::Tuning,
        misses: 40,
        kind: String::new(),
        from: None,
        corpus: None,
        marks: 15,
        lines: usize::MAX,
        is_gate: false,
    };
    let mut misses = None;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || -> usize {
            let value = arguments.next().and_then(|value| value.parse().ok());
            value.expect("a number stands behind --seed, --cases, --misses, --marks and --lines")
        };
        match argument.as_str() {
            "--seed" => request.seed = number() as u64,
            "--cases" => request.cases = number(),
            "--misses" => misses = Some(number()),
            "--marks" => request.marks = number(),
            "--lines" => request.lines = number(),
            "--gate" => request.is_gate = true,
            "--held-out" => request.shown = CaseHalf::HeldOut,
            "--part" => {
                let part = arguments.next();
                assert_eq!(
                    part.as_deref(),
                    Some("reserve"),
                    "--part is only had of reserve"
                );
                request.shown = CaseHalf::Reserve;
            }
            "--kind" => request.kind = arguments.next().unwrap_or_default(),
            "--from" => request.from = arguments.next().map(PathBuf::from),
            "--corpus" => request.corpus = arguments.next().map(PathBuf::from),
            _ => {}
        }
    }
    // Nobody sees misses of the reserve by accident.
    let usual = if request.shown == CaseHalf::Reserve {
        0
    } else {
        request.misses
    };
    request.misses = misses.unwrap_or(usual);
    request
}
