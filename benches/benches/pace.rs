//! How well requests are paced on recorded sessions: the line of fixed waits, and rhythm beside it.
//!
//! `cargo bench --bench pace`. Nothing here is timed: a virtual clock gives the same figures on every
//! machine. The editor that is played asks after every key. The ideal is one request that starts a
//! lane for every pause of more than a second, and none at any other moment. Beside the requests stands how
//! many a fixed wait starts that is as long: by the mean wait after the last key, which is what a person
//! feels, in the pauses that are served.
//!
//! Rhythm is measured *held out*: what is usual is learned from the other sessions alone, and the table is
//! printed; and as *shipped*, with the table that was learned from all of them. All sessions of
//! `TEST_FORETELL_TRACES` whose times are exact to the millisecond are played, and learned from. With
//! `TEST_FORETELL_STRANGERS`, a directory of other traces, those are played with the table that is
//! shipped, and nothing is learned from them.
#![allow(
    clippy::print_stdout,
    reason = "a benchmark is a program whose output is its table"
)]

use std::path::{Path, PathBuf};

use foretell_core::{GAP_STEPS, TypingGaps, UsualGaps};
use foretell_settings::RawSettings;
use foretell_trace::{LaneSource, Replay, ReplayOptions, ReplaySummary, RequestSource, Trace};

/// The sessions whose times are exact.
const SESSIONS: [&str; 4] = [
    "copilot.EditSourceTracker.first20min",
    "copilot.RejectionCollector.test1",
    "traces.json-crdt-blog-post.small",
    "traces.json-crdt-patch.small",
];

const FIXED: [u64; 12] = [50, 75, 100, 150, 200, 250, 300, 400, 500, 600, 700, 1_000];

fn main() {
    if !foretell_benches::is_wanted() {
        return;
    }
    let directory = foretell_benches::traces().join("sessions");
    let traces: Vec<Trace> = SESSIONS
        .into_iter()
        .filter_map(|name| {
            let trace = read(&directory.join(format!("{name}.jsonl")));
            if trace.is_none() {
                println!("{name}: not in TEST_FORETELL_TRACES or ../shared/traces");
            }
            trace
        })
        .collect();
    let gaps: Vec<TypingGaps> = traces.iter().map(gaps_of).collect();
    let mut shares = Vec::new();
    for (index, trace) in traces.iter().enumerate() {
        let others = gaps.iter().enumerate().filter(|(other, _)| *other != index);
        let usual = UsualGaps::among(others.map(|(_, gaps)| gaps));
        println!(
            "{}: what is usual among the others, of 10,000",
            trace.source()
        );
        print_usual(&usual);
        shares.push(compare(trace, Some(&usual)));
    }
    println!("what is usual among all of them, of 10,000");
    print_usual(&UsualGaps::among(&gaps));
    print_shares("the sessions, each held out", &shares);

    let Some(strangers) = std::env::var_os("TEST_FORETELL_STRANGERS") else {
        return;
    };
    let mut files: Vec<PathBuf> = std::fs::read_dir(strangers)
        .expect("a directory that can be read")
        .flatten()
        .map(|entry| entry.path())
        .collect();
    files.sort();
    let strangers: Vec<Trace> = files.iter().filter_map(|file| read(file)).collect();
    let shares: Vec<_> = strangers.iter().map(|trace| compare(trace, None)).collect();
    print_shares("people that nothing was learned from", &shares);
}

fn read(file: &Path) -> Option<Trace> {
    let name = file.file_stem()?.to_string_lossy();
    let bytes = std::fs::read(file).ok()?;
    Some(Trace::read(&name, &bytes).expect("a trace that can be read"))
}

/// The gaps between the keys of a session.
fn gaps_of(trace: &Trace) -> TypingGaps {
    let mut replay = Replay::new(trace, &[], ReplayOptions::default()).expect("known settings");
    while replay.advance().is_some() {}
    replay.core().typing_gaps()
}

fn print_usual(usual: &UsualGaps) {
    for (stroke, row) in usual.rows() {
        let row: [u16; GAP_STEPS] = row;
        let row: Vec<String> = row.iter().map(|share| format!("{share:>4}")).collect();
        println!("  {stroke:<9}{}", row.join(""));
    }
}

/// Prints what comes of a session, and returns the requests that rhythm starts, and a fixed wait.
fn compare(trace: &Trace, usual: Option<&UsualGaps>) -> (f64, f64, Figures) {
    println!("{}", trace.source());
    println!(
        "  {:<10} {:>11} {:>10} {:>9} {:>8} {:>12} {:>10} {:>9}",
        "wait",
        "started/min",
        "fim/min",
        "asked/min",
        "served",
        "within .5 s",
        "median",
        "after key"
    );
    let mut line = Vec::new();
    for wait in FIXED {
        let base = format!("pace.baseMs={wait}");
        let figures = Figures::of(trace, &["pace.rhythm=false", &base], None);
        figures.print(&format!("{wait} ms"));
        line.push(figures);
    }
    if usual.is_some() {
        Figures::of(trace, &[], None).print("shipped");
    }
    let ours = Figures::of(trace, &[], usual);
    ours.print(if usual.is_some() {
        "held out"
    } else {
        "shipped"
    });
    let fixed = at(&line, ours.after_key);
    println!(
        "  {:+.1} % against a fixed wait of the same time after the last key\n",
        (ours.started / fixed - 1.0) * 100.0
    );
    (ours.started, fixed, ours)
}

fn print_shares(name: &str, shares: &[(f64, f64, Figures)]) {
    if shares.is_empty() {
        return;
    }
    let count = shares.len() as f64;
    let each = shares.iter().map(|(ours, fixed, _)| ours / fixed - 1.0);
    let pauses: u64 = shares.iter().map(|(.., it)| it.pauses).sum();
    let of_pauses = |of: fn(&Figures) -> f64| {
        let served = shares.iter().map(|(.., it)| of(it) * it.pauses as f64);
        served.sum::<f64>() / pauses.max(1) as f64 * 100.0
    };
    println!(
        "{name}: {:+.1} % requests on average, {:.1} % of the pauses served, {:.1} % within .5 s",
        each.sum::<f64>() / count * 100.0,
        of_pauses(|it| it.served),
        of_pauses(|it| it.soon),
    );
}

/// What came of a session.
struct Figures {
    started: f64,
    fim: f64,
    asked: f64,
    pauses: u64,
    served: f64,
    soon: f64,
    median: f64,
    after_key: f64,
}

impl Figures {
    fn of(trace: &Trace, set: &[&str], usual: Option<&UsualGaps>) -> Self {
        let settings: Vec<_> = set
            .iter()
            .map(|assignment| RawSettings::from_assignment("--set", assignment).0)
            .collect();
        let play = ReplayOptions {
            requests: RequestSource::Typing,
            lanes: LaneSource::Nothing { latency: 300 },
            usual_gaps: usual,
            ..ReplayOptions::default()
        };
        let mut replay = Replay::new(trace, &settings, play).expect("settings that apply");
        while replay.advance().is_some() {}
        let ReplaySummary { counts, pacing, .. } = replay.summary();
        let fim = counts.calls.get(&foretell_text::LaneKind::Fim);
        let of_pauses = |served: u64| served as f64 / pacing.pauses().max(1) as f64;
        Figures {
            started: counts.per_active_minute(counts.requests_started),
            fim: counts.per_active_minute(fim.copied().unwrap_or_default()),
            asked: counts.per_active_minute(counts.triggers.values().sum()),
            pauses: pacing.pauses(),
            served: of_pauses(pacing.served()),
            soon: of_pauses(pacing.served_soon()),
            median: pacing.median_wait().unwrap_or_default() as f64,
            after_key: pacing.mean_after_key().unwrap_or_default() as f64,
        }
    }

    fn print(&self, wait: &str) {
        println!(
            "  {wait:<10} {:>11.1} {:>10.1} {:>9.1} {:>6.1} % {:>10.1} % {:>7.0} ms {:>6.0} ms",
            self.started,
            self.fim,
            self.asked,
            self.served * 100.0,
            self.soon * 100.0,
            self.median,
            self.after_key
        );
    }
}

/// How many requests a minute a fixed wait starts that is as long after the last key, between the two that
/// were measured next to it.
fn at(line: &[Figures], after_key: f64) -> f64 {
    let around = line
        .windows(2)
        .find(|pair| matches!(pair, [_, high] if high.after_key >= after_key));
    match around.or(line.windows(2).last()) {
        Some([low, high]) => {
            let share = (after_key - low.after_key) / (high.after_key - low.after_key);
            low.started + (high.started - low.started) * share
        }
        _ => 0.0,
    }
}
