//! Anything that may happen, recorded: random events of every kind, mostly likely ones.
//!
//! Left out is what a server never tells its machine: places of diagnostics and secrets that the text
//! does not have, and a request by the name of another.

use std::collections::BTreeSet;

use foretell_core::{Event, RequestId, SuggestionRequest};
use foretell_testkit::events::{ArbitrarySession, endless};
use foretell_text::{ByteRange, Text};
use foretell_trace::TraceWriter;

use crate::compare::{Texts, Told, assert_same, done, key, recorded, replayed};

/// How many sessions, and how long each is.
const SESSIONS: u64 = 60;
const STEPS: usize = 400;

fn session(seed: u64) -> (std::sync::Arc<foretell_settings::Settings>, Told) {
    let mut session = ArbitrarySession::new(endless(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
    let settings = session.first_settings();
    let mut told: Told = session.told().to_vec();
    let mut asked = BTreeSet::new();
    for _ in 0..STEPS {
        let texts = session.told().len();
        assert!(texts < 10, "a step is one event");
        session.step();
        for (now, event) in session.told() {
            if may_be_told(event, &session, &mut asked) {
                told.push((*now, event.clone()));
            }
        }
    }
    (settings, told)
}

fn may_be_told<B: Iterator<Item = u8>>(
    event: &Event,
    session: &ArbitrarySession<B>,
    asked: &mut BTreeSet<RequestId>,
) -> bool {
    let fits =
        |text: Option<&Text>, range: &ByteRange| text.is_none_or(|text| text.read(*range).is_ok());
    match event {
        Event::SuggestionRequested(SuggestionRequest { request, .. }) => asked.insert(*request),
        Event::DiagnosticsChanged {
            document,
            diagnostics,
            ..
        } => {
            let text = session.core().text(document);
            diagnostics.iter().all(|it| fits(text, &it.range))
        }
        Event::SecretsFound {
            document, ranges, ..
        } => {
            let text = session.core().text(document);
            ranges.iter().all(|it| fits(text, it))
        }
        _ => true,
    }
}

#[test]
fn whatever_happens_replays_to_the_same_decisions() {
    let mut actions = 0;
    for seed in 1..=SESSIONS {
        let (settings, told) = session(seed);
        let expected = done(&settings, &told, Texts::Whole);
        let lines = recorded(TraceWriter::whole(), &settings, &told);
        assert_same(&expected, &replayed(&lines, Texts::Whole), &lines);
        actions += expected.len();
    }
    assert!(actions > 20_000, "{actions} are not much to compare");
}

#[test]
fn whatever_happens_has_a_shape_that_can_be_replayed() {
    for seed in 1..=SESSIONS / 4 {
        let (settings, told) = session(seed);
        let lines = recorded(TraceWriter::shape(key(seed)), &settings, &told);
        let replayed = replayed(&lines, Texts::Shape);
        assert!(replayed.len() > 50);
    }
}
