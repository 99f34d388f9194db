//! Arbitrary bytes as a recorded session, read and replayed.
//!
//! Whatever the bytes are: nothing panics, a fault has words that name a line, and two replays of what
//! can be read give the same bytes.

use foretell_trace::{JsonLines, Replay, ReplayOptions, Trace};

/// What a trace begins with. Bytes that begin otherwise are taken for what comes behind it.
const HEADER: &[u8] = b"{\"foretell\":\"trace\",\"version\":1,\"offsets\":\"utf-16\"}\n";

pub(crate) fn traces(bytes: &[u8]) {
    let behind = [HEADER, bytes].concat();
    let read = if bytes.starts_with(b"{\"foretell\"") {
        Trace::read("fuzz", bytes)
    } else {
        Trace::read("fuzz", &behind)
    };
    let trace = match read {
        Ok(trace) => trace,
        Err(why) => return assert!(!why.to_string().is_empty(), "a fault has words"),
    };
    assert_eq!(
        replayed(&trace),
        replayed(&trace),
        "a replay is always the same"
    );
}

/// What a replay says, as JSON.
fn replayed(trace: &Trace) -> Vec<u8> {
    let mut out = Vec::new();
    let Ok(mut replay) = Replay::new(trace, &[], ReplayOptions::default()) else {
        return out;
    };
    let json = JsonLines::of(trace.offsets());
    while let Some(turn) = replay.advance() {
        json.write_turn(&turn, &replay, &mut out)
            .expect("a vector takes everything");
    }
    replay.core().assert_invariants();
    out
}
