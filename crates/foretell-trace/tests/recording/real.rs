//! Sessions that somebody really had, with an editor that asks and lanes that answer, recorded again:
//! their words, and without them.
//!
//! The largest is left out, because it takes as long as all others together. They are not part of the
//! repository. Where they are not there the test says so and passes.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use foretell_core::{Core, Event, Moment, RequestCause, Spot, SuggestionRequest, TokenUsage};
use foretell_settings::{RawSettings, Settings};
use foretell_text::{ByteOffset, ByteRange, LaneCandidate, LaneKind, Replacement, Text};
use foretell_trace::{
    LaneAnswerer, LaneSource, LineContent, Replay, ReplayOptions, ReplayTurn, RequestSource, Trace,
    TraceWriter, TurnCause,
};

use crate::compare::{Texts, Told, assert_same, done, key, recorded, replayed};

/// How large a session may be, in bytes.
const LARGEST: usize = 1 << 20;

#[test]
fn real_sessions_replay_to_the_same_decisions() {
    let Some(sessions) = sessions() else {
        println!("skipped: there are no recorded sessions; say where with TEST_FORETELL_TRACES");
        return;
    };
    for path in sessions {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let bytes = fs::read(&path).expect("a session");
        if bytes.len() > LARGEST {
            continue;
        }
        let trace = Trace::read(&name, &bytes).expect("a trace");
        let settings = Arc::new(Settings::default());
        let told = told(&trace);

        let expected = done(&settings, &told, Texts::Whole);
        let whole = recorded(TraceWriter::whole(), &settings, &told);
        assert_same(&expected, &replayed(&whole, Texts::Whole), "");

        let expected = done(&settings, &told, Texts::Shape);
        let shape = recorded(TraceWriter::shape(key(5)), &settings, &told);
        let found = replayed(&shape, Texts::Shape);
        let differing = differing(&expected, &found);
        println!(
            "{name}: {differing} of {} actions differ in a shape",
            expected.len()
        );
        assert!(
            differing * 100 <= expected.len(),
            "{name}: {differing} actions differ"
        );
    }
}

/// How many actions one list has that the other has not at its place, as lines of a diff.
fn differing(expected: &[String], found: &[String]) -> usize {
    let mut at = 0;
    let mut missed = 0;
    for action in expected {
        let near = found.iter().skip(at).take(200).position(|it| it == action);
        match near {
            Some(skipped) => {
                at += skipped + 1;
                missed += skipped;
            }
            None => missed += 1,
        }
    }
    missed + found.len().saturating_sub(at)
}

fn sessions() -> Option<Vec<PathBuf>> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/traces");
    let traces = std::env::var_os("TEST_FORETELL_TRACES").map_or(beside, PathBuf::from);
    let entries = fs::read_dir(traces.join("sessions")).ok()?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut paths: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|it| it == "jsonl"))
        .collect();
    paths.sort();
    Some(paths)
}

/// All that a machine is told when a session is played.
fn told(trace: &Trace) -> Told {
    let play = ReplayOptions {
        requests: RequestSource::Typing,
        lanes: LaneSource::Asked {
            by: &Recalls,
            latency: 120,
        },
        ..ReplayOptions::default()
    };
    let mut replay = Replay::new(trace, &[], play).expect("settings that apply");
    let mut told = Told::new();
    let mut sources: Vec<RawSettings> = Vec::new();
    while let Some(turn) = replay.advance() {
        let event = event_of(&turn, &mut sources);
        told.extend(event.map(|event| (turn.at, event)));
    }
    told
}

fn event_of(turn: &ReplayTurn<'_>, sources: &mut Vec<RawSettings>) -> Option<Event> {
    Some(match &turn.cause {
        TurnCause::Timer => return None,
        TurnCause::Asks(asks) => Event::SuggestionRequested(SuggestionRequest {
            request: asks.request,
            document: asks.document.clone(),
            version: None,
            at: asks.at,
            cause: RequestCause::Automatic,
            kind: asks.kind,
        }),
        TurnCause::Answers(answers) => Event::LaneAnswered {
            request: answers.request,
            lane: answers.lane,
            candidates: answers.candidates.clone(),
            usage: TokenUsage::default(),
            withheld: 0,
        },
        TurnCause::Line(line) => match &line.what {
            LineContent::Event(event) => event.clone(),
            LineContent::Accepted { suggestion, length } => Event::SuggestionAccepted {
                suggestion: *suggestion,
                length: *length,
            },
            LineContent::Settings(set) => {
                sources.push(set.clone());
                let settings = Arc::new(Settings::resolve(sources).0);
                Event::SettingsChanged { settings }
            }
            LineContent::Check(_) | LineContent::Expect(_) => return None,
        },
    })
}

/// Suggests what stood behind the same few characters before, to the end of that line.
#[derive(Debug)]
struct Recalls;

impl LaneAnswerer for Recalls {
    fn answer(&self, core: &Core, _: Moment, lane: LaneKind, spot: &Spot) -> Vec<LaneCandidate> {
        let text = core.text(&spot.document).map(Text::to_string);
        let text = text.unwrap_or_default();
        let at = spot.at.get();
        let found = text.get(..at).and_then(|before| {
            let key = before.get(at.checked_sub(4)?..)?;
            let place = before.get(..at - 4)?.rfind(key)? + key.len();
            let rest = text.get(place..)?.lines().next()?;
            (lane == LaneKind::Fim && !rest.is_empty()).then(|| rest.to_owned())
        });
        let here = ByteRange::empty(ByteOffset::new(at));
        let candidates = found.into_iter().map(|found| {
            LaneCandidate::new(spot.document.clone(), Replacement::new(here, found).into())
        });
        candidates.collect()
    }
}
