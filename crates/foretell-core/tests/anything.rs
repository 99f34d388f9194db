//! Anything may happen, in any order, and no rule is broken: bytes that nobody thought of, told to the
//! machine as events, and a million of them in one machine.
//!
//! What the bytes stand for, and what is checked after each event, is in `foretell_testkit::events`.
//! The fuzz target `core_events` feeds it other bytes.
use allocation_counter::measure;
use foretell_core::Reason;
use foretell_testkit::events::{ArbitrarySession, core_events, endless};

/// The silences that must have come about, each for its own reason.
const SILENCES: [Reason; 14] = [
    Reason::NoEffect,
    Reason::WhitespaceOnly,
    Reason::EchoesSuffix,
    Reason::Elsewhere,
    Reason::PreviouslyRejected,
    Reason::TouchesSecret,
    Reason::Overtaken,
    Reason::Superseded,
    Reason::Cancelled,
    Reason::TimedOut,
    Reason::LaneFailed,
    Reason::LaneResting,
    Reason::OverLimit,
    Reason::OutOfStep,
];

/// How many sessions of bytes are played.
const SESSIONS: u64 = 1_000;

/// How long the long session is.
const EVENTS: usize = 1_000_000;

/// After so many events everything that is bounded is full.
const EARLY: usize = 200_000;

/// After how many events the machine is checked less often.
const CLOSELY: usize = 20_000;

#[test]
fn no_bytes_break_a_rule() {
    for seed in 0..SESSIONS {
        // Seeds that differ in many bits, so that the bytes differ from the first on.
        let seed = (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let len = 40 + (seed >> 55) as usize;
        let bytes: Vec<u8> = endless(seed).take(len).collect();
        core_events(&bytes);
    }
    core_events(&[]);
    for byte in 0..=255 {
        core_events(&[byte; 100]);
    }
}

#[test]
fn a_request_at_the_last_moment_there_is_is_still_answered() {
    // Found by the fuzz target: time jumps to its end, and what is waited for is due at that very moment.
    core_events(b"\x08\xff1file\xff\xff\xff\xff\xff\xff\xff\x03s");
}

/// What the machine holds is checked after each of the first events and every fiftieth time after
/// that, because it costs more than everything else; what the machine does is checked always.
#[test]
fn a_million_events_of_every_kind_break_no_rule_and_leave_nothing_behind() {
    let mut session = ArbitrarySession::new(endless(7));
    let mut run = |from: usize, to: usize| {
        for number in from..to {
            session.step();
            if number < CLOSELY || number % 50 == 0 {
                session.assert_invariants();
            }
        }
    };
    let early = measure(|| run(0, EARLY));
    let later = measure(|| run(EARLY, EVENTS));
    let beginnings = session.beginnings();
    let core = session.end();
    let counts = core.counts();
    println!(
        "{} bytes after {} events, {} more after {EVENTS}\n{counts:?}",
        early.bytes_current, EARLY, later.bytes_current,
    );
    // A rule that is never put to the test holds easily.
    let happened = [
        counts.triggers.values().sum(),
        counts.calls.values().sum(),
        counts.answered,
        counts.carried,
        counts.joined,
        counts.rejected,
        counts.remembered,
        counts.fell_asleep,
        counts.woke,
        counts.gate_blocked,
        counts.accepted,
    ];
    assert!(
        happened.iter().all(|times| *times > EVENTS as u64 / 1_000),
        "{counts:?}"
    );
    assert!(beginnings > 10, "{beginnings} rejected beginnings");
    for reason in SILENCES {
        let kept_silent = counts.withheld.get(&reason).copied().unwrap_or(0);
        let not_called = counts.calls_spared.get(&reason).copied().unwrap_or(0);
        assert!(kept_silent + not_called > 10, "{reason}: {counts:?}");
    }
    assert!(
        later.bytes_current.abs() < early.bytes_current / 10,
        "{} bytes on top of {}",
        later.bytes_current,
        early.bytes_current
    );
}

#[test]
fn the_same_events_have_the_same_actions() {
    let (mut one, mut other) = (
        ArbitrarySession::new(endless(11)),
        ArbitrarySession::new(endless(11)),
    );
    for number in 0..50_000 {
        one.step();
        other.step();
        assert_eq!(one.actions(), other.actions(), "in step {number}");
    }
    assert_eq!(one.core().counts(), other.core().counts());
}

/// The same with a predictor that answers at once: requests that it answers keep every rule, and what is
/// typed into is never replaced by another text that begins as it does.
#[test]
fn answers_at_once_break_no_rule() {
    let mut session = ArbitrarySession::predicting(endless(23));
    let mut run = |from: usize, to: usize| {
        for number in from..to {
            session.step();
            if number < CLOSELY || number % 50 == 0 {
                session.assert_invariants();
            }
        }
    };
    let early = measure(|| run(0, EARLY / 2));
    let later = measure(|| run(EARLY / 2, EARLY));
    let counts = session.end().counts();
    let dropped: u64 = counts.predictions_dropped.values().sum();
    println!("{counts:?}");
    for times in [counts.answered_at_once, dropped] {
        assert!(times > 500, "{counts:?}");
    }
    // Next edits go with every change that is not typed, and many here are not.
    assert!(counts.carried > 250, "{counts:?}");
    for reason in [Reason::Unsure, Reason::TooShort, Reason::JustDeleted] {
        let dropped = counts.predictions_dropped.get(&reason);
        assert!(
            dropped.is_some_and(|times| *times > 10),
            "{reason}: {counts:?}"
        );
    }
    assert!(
        later.bytes_current.abs() < early.bytes_current / 10,
        "{} bytes on top of {}",
        later.bytes_current,
        early.bytes_current
    );
}
