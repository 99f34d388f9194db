//! How fast a recorded session replays, in events a second.
//!
//! `cargo bench --bench replay`. The session is `sveltecomponent` of the editing traces, 18,000 edits
//! of one file, bare and with rejections planted in it; it is looked for in `TEST_FORETELL_TRACES` or
//! `../shared/traces`, and where it is absent nothing is measured. Reading and replaying are timed
//! apart, in turns.
#![allow(
    clippy::print_stdout,
    reason = "a benchmark is a program whose output is its table"
)]

use std::hint::black_box;

use foretell_benches::timing::in_turns;
use foretell_trace::{Replay, ReplayOptions, Trace};

fn main() {
    if !foretell_benches::is_wanted() {
        return;
    }
    let traces = foretell_benches::traces();
    println!(
        "{:<40} {:>9} {:>14} {:>14}",
        "session", "events", "read", "replay"
    );
    for name in [
        "sessions/traces.sveltecomponent",
        "rejections/sveltecomponent",
    ] {
        let Ok(bytes) = std::fs::read(traces.join(format!("{name}.jsonl"))) else {
            println!("{name:<40} (not in TEST_FORETELL_TRACES or ../shared/traces)");
            continue;
        };
        let trace = Trace::read(name, &bytes).expect("a trace that can be read");
        let events = trace.lines().len() as f64;
        let [read, replay] = in_turns([
            &mut || {
                black_box(Trace::read(name, &bytes).is_ok());
            },
            &mut || {
                let mut replay = Replay::new(&trace, &[], ReplayOptions::default())
                    .expect("settings that apply");
                while let Some(turn) = replay.advance() {
                    black_box(turn);
                }
            },
        ]);
        let rate = |nanos: f64| format!("{:.0} /s", events / nanos * 1e9);
        println!(
            "{name:<40} {events:>9} {:>14} {:>14}",
            rate(read.nanos),
            rate(replay.nanos)
        );
    }
}
