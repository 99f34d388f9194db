//! Sessions replayed as an editor would have told of them that knows only the standard protocol:
//! nothing that the person wants is hidden by what is inferred.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a story that goes wrong should stop where it does, and what is measured is printed"
)]
#![allow(
    clippy::disallowed_methods,
    reason = "recorded sessions are files, and not part of the project"
)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use foretell_core::{Event, MachineCounts, Note};
use foretell_settings::RawSettings;
use foretell_text::{DocumentId, Edit};
use foretell_trace::{ClientKind, LineContent, Replay, ReplayOptions, Trace, TurnOutcome};
use serde_json::Value;

/// What came of a session.
struct Played {
    counts: MachineCounts,
    /// How many suggestions the person took.
    accepted: usize,
    /// Lines on which they took one that had been hidden.
    hidden: Vec<usize>,
    /// How many rejections were inferred.
    inferred: usize,
}

/// Plays a session as a plain client. Lines with the source `inline_accept` are suggestions that the
/// person took.
fn play(json: &str, infer_after: usize, more: &[&str]) -> Played {
    let trace = Trace::read("session", json.as_bytes()).unwrap();
    let infer_after = format!("rejections.inferAfter={infer_after}");
    let set = more.iter().copied().chain([infer_after.as_str()]);
    let set: Vec<RawSettings> = set
        .map(|it| RawSettings::from_assignment("--set", it).0)
        .collect();
    let play = ReplayOptions {
        client: ClientKind::Plain,
        ..ReplayOptions::default()
    };
    let mut replay = Replay::new(&trace, &set, play).unwrap();
    let mut accepted: Vec<(usize, DocumentId, Edit)> = accepted(json, &trace);
    accepted.reverse();
    let (all, mut hidden, mut inferred) = (accepted.len(), BTreeSet::new(), 0);
    let mut is_hidden = false;
    while let Some(turn) = replay.advance() {
        if accepted.last().is_some_and(|(line, ..)| *line == turn.line) {
            hidden.extend(is_hidden.then_some(turn.line));
            accepted.pop();
        }
        // What the person takes next, as it was just before.
        is_hidden = accepted
            .last()
            .is_some_and(|(_, document, edit)| replay.core().is_rejected(document, edit).is_some());
        let outcomes = turn.outcomes.iter();
        inferred += outcomes
            .filter(|it| matches!(it, TurnOutcome::Note(Note::Remembered { .. })))
            .count();
    }
    assert!(accepted.is_empty(), "every line was played");
    Played {
        counts: replay.core().counts(),
        accepted: all,
        hidden: hidden.into_iter().collect(),
        inferred,
    }
}

fn accepted(json: &str, trace: &Trace) -> Vec<(usize, DocumentId, Edit)> {
    let is_accepted = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        line["source"] == "inline_accept"
    };
    let lines: BTreeSet<usize> = (1..)
        .zip(json.lines())
        .filter(|(_, line)| is_accepted(line))
        .map(|(number, _)| number)
        .collect();
    let changes = trace.lines().iter().filter_map(|line| match &line.what {
        LineContent::Event(Event::DocumentChanged {
            document, edits, ..
        }) => Some((line.number, document.clone(), edits.first()?.clone())),
        _ => None,
    });
    changes
        .filter(|(number, ..)| lines.contains(number))
        .collect()
}

/// Passes a suggestion over so many times, and then takes it.
fn session(times: usize) -> String {
    let mut lines = vec![
        r#"{"foretell":"trace","version":1,"offsets":"utf-8"}"#.to_owned(),
        r#"{"t":0,"event":"open","doc":"file:///a.ts","language":"typescript","text":"let x"}"#
            .to_owned(),
    ];
    let mut now = 0;
    let mut say = |after: usize, event: &str| {
        now += after;
        lines.push(format!(r#"{{"t":{now},"event":{event}}}"#));
    };
    let doc = r#""doc":"file:///a.ts""#;
    for number in 0..=times {
        let id = format!(r#""id":"{number}""#);
        say(
            9_000,
            &format!(r#""request",{id},{doc},"at":5,"cause":"explicit""#),
        );
        let change = r#"{"at":5,"delete":0,"insert":" = 1;"}"#;
        let candidates = format!(r#"[{{"changes":[{change}]}}]"#);
        say(
            300,
            &format!(r#""lane",{id},"lane":"fim","candidates":{candidates}"#),
        );
        say(
            300,
            &format!(r#""lane",{id},"lane":"next-edit","candidates":[]"#),
        );
        if number == times {
            say(
                300,
                &format!(r#""edit",{doc},"changes":[{change}],"source":"inline_accept""#),
            );
        } else {
            let typed = r#"[{"at":5,"delete":0,"insert":"y"}]"#;
            let deleted = r#"[{"at":5,"delete":1,"insert":""}]"#;
            say(300, &format!(r#""edit",{doc},"changes":{typed}"#));
            say(300, &format!(r#""edit",{doc},"changes":{deleted}"#));
        }
    }
    lines.join("\n")
}

#[test]
fn what_was_passed_over_twice_can_still_be_taken_and_thrice_not() {
    let twice = play(&session(2), 3, &[]);
    assert_eq!((twice.inferred, twice.counts.passed_over), (0, 2));
    assert!(twice.accepted == 1 && twice.hidden.is_empty());
    let thrice = play(&session(3), 3, &[]);
    assert_eq!((thrice.inferred, thrice.counts.passed_over), (1, 3));
    assert_eq!(thrice.hidden.len(), 1, "the check can fail");
}

#[test]
fn a_plain_client_tells_nothing_beyond_the_standard() {
    let session = session(0)
        + r#"
{"t":10000,"event":"select","doc":"file:///a.ts","selections":[[5,5]]}
{"t":10000,"event":"focus","doc":"file:///a.ts"}
{"t":10000,"event":"show","id":"0"}
{"t":10000,"event":"reject","id":"0"}
{"t":10000,"event":"ignore","id":"0"}
{"t":10000,"event":"reject-edit","doc":"file:///a.ts","edit":{"at":0,"delete":0,"insert":"x"}}"#;
    let counts = play(&session, 3, &[]).counts;
    assert_eq!(
        (counts.selections, counts.shown, counts.rejected),
        (0, 0, 0)
    );
}

#[test]
fn in_a_real_session_nothing_is_hidden_that_the_person_took() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/traces");
    let traces = std::env::var_os("TEST_FORETELL_TRACES").map_or(beside, PathBuf::from);
    let name = "sessions/copilot.EditSourceTracker.first20min.traffic.jsonl";
    let Ok(json) = std::fs::read_to_string(traces.join(name)) else {
        println!("{name} is not in TEST_FORETELL_TRACES or ../shared/traces: skipped");
        return;
    };
    // As it is, and with everything offered that the lanes of the time had to say.
    let all = [
        "gate.enabled=false",
        "pace.rhythm=false",
        "pace.baseMs=0",
        "pace.minMs=0",
    ];
    for (set, infer_after) in [(&[][..], 1), (&[], 3), (&all, 1), (&all, 2), (&all, 3)] {
        let played = play(&json, infer_after, set);
        println!(
            "{} settings, after {infer_after}: {} answered, {} typed over, {} inferred; of {} taken {} were hidden",
            set.len(),
            played.counts.answered,
            played.counts.passed_over,
            played.inferred,
            played.accepted,
            played.hidden.len(),
        );
        assert_eq!(played.accepted, 10);
        match (set.is_empty(), infer_after) {
            // Who is not shy hides something that is wanted, so that this is worth looking at.
            (false, 1) => assert!(played.inferred >= 20 && !played.hidden.is_empty()),
            (false, _) => {
                assert!(played.counts.passed_over >= 20, "{}", played.inferred);
                assert_eq!(played.hidden, [0; 0]);
            }
            (true, _) => assert_eq!(played.hidden, [0; 0]),
        }
    }
}
