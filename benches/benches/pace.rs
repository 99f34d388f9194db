//! How well requests are paced on recorded sessions: the line of fixed waits, and rhythm beside it.
//!
//! `cargo bench --bench pace`. Nothing here is timed: a virtual clock gives the same figures on every
//! machine. The editor that is played asks after every key. The ideal is one request that starts a
//! lane for every pause of more than a second, and none at any other moment. For rhythm the table
//! also has how many requests a fixed wait starts that is as long: by the median wait of requests,
//! and by the mean wait after the last key, which is what a person feels.
#![allow(
    clippy::print_stdout,
    reason = "a benchmark is a program whose output is its table"
)]

use foretell_settings::RawSettings;
use foretell_trace::{LaneSource, Replay, ReplayOptions, ReplaySummary, RequestSource, Trace};

const SESSIONS: [&str; 4] = [
    "copilot.EditSourceTracker.first20min",
    "copilot.RejectionCollector.test1",
    "traces.json-crdt-blog-post.small",
    "traces.json-crdt-patch.small",
];

const FIXED: [u64; 8] = [100, 150, 200, 250, 300, 400, 500, 1_000];

fn main() {
    if !foretell_benches::is_wanted() {
        return;
    }
    let sessions = foretell_benches::traces().join("sessions");
    for name in SESSIONS {
        let Ok(bytes) = std::fs::read(sessions.join(format!("{name}.jsonl"))) else {
            println!("{name}: not in TEST_FORETELL_TRACES or ../shared/traces");
            continue;
        };
        let trace = Trace::read(name, &bytes).expect("a trace that can be read");
        println!("{name}");
        println!(
            "  {:<10} {:>11} {:>10} {:>8} {:>12} {:>10}",
            "wait", "started/min", "fim/min", "served", "median wait", "after key"
        );
        let mut line = Vec::new();
        for wait in FIXED {
            let base = format!("pace.baseMs={wait}");
            let figures = Figures::of(&trace, &["pace.rhythm=false", &base]);
            figures.print(&format!("{wait} ms"));
            line.push(figures);
        }
        let ours = Figures::of(&trace, &[]);
        ours.print("rhythm");
        let median = at(&line, ours.median, |figures| figures.median);
        let after_key = at(&line, ours.after_key, |figures| figures.after_key);
        let below = |fixed: f64| (ours.started / fixed - 1.0) * 100.0;
        println!(
            "  against a fixed wait: {:+.0} % at the same median, {:+.0} % at the same time after \
             the last key\n",
            below(median),
            below(after_key)
        );
    }
}

/// What came of a session.
struct Figures {
    started: f64,
    fim: f64,
    served: f64,
    median: f64,
    after_key: f64,
}

impl Figures {
    fn of(trace: &Trace, set: &[&str]) -> Self {
        let settings: Vec<_> = set
            .iter()
            .map(|assignment| RawSettings::from_assignment("--set", assignment).0)
            .collect();
        let play = ReplayOptions {
            requests: RequestSource::Typing,
            lanes: LaneSource::Nothing { latency: 300 },
            ..ReplayOptions::default()
        };
        let mut replay = Replay::new(trace, &settings, play).expect("settings that apply");
        while replay.advance().is_some() {}
        let ReplaySummary { counts, pacing, .. } = replay.summary();
        let fim = counts.calls.get(&foretell_text::LaneKind::Fim);
        Figures {
            started: counts.per_active_minute(counts.requests_started),
            fim: counts.per_active_minute(fim.copied().unwrap_or_default()),
            served: pacing.served() as f64 / pacing.pauses().max(1) as f64,
            median: pacing.median_wait().unwrap_or_default() as f64,
            after_key: pacing.mean_after_key().unwrap_or_default() as f64,
        }
    }

    fn print(&self, wait: &str) {
        println!(
            "  {wait:<10} {:>11.1} {:>10.1} {:>6.1} % {:>9.0} ms {:>7.0} ms",
            self.started,
            self.fim,
            self.served * 100.0,
            self.median,
            self.after_key
        );
    }
}

/// How many requests a minute a fixed wait starts where some figure of it has a value, between the
/// two that were measured next to it.
fn at(line: &[Figures], value: f64, of: impl Fn(&Figures) -> f64) -> f64 {
    let around = line
        .windows(2)
        .find(|pair| matches!(pair, [_, high] if of(high) >= value));
    match around.or(line.windows(2).last()) {
        Some([low, high]) => {
            let share = (value - of(low)) / (of(high) - of(low));
            low.started + (high.started - low.started) * share
        }
        _ => 0.0,
    }
}
