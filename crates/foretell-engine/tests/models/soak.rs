//! Two hundred requests a second to a server that fails at random: every one is answered once, and
//! memory stays flat.
//!
//! It runs for three seconds, or for as many as `TEST_FORETELL_SOAK_SECONDS` says. Documents take turns,
//! so that most requests have time to be answered and some are superseded. The server fails one time
//! in four; where three failures come together all the same, the lane would rest and nobody would be
//! asked, so another engine takes over.

use std::time::Duration;

use foretell_testkit::model_server::{AnswerEnding, ModelServer, ScriptedAnswer};
use foretell_text::LaneKind;
use serde_json::json;
use tokio::time::Instant;

use crate::desk::{Desk, HASTY, from, settings};
use crate::memory::{is_alone, resident_kb};
use crate::superseded::until;

const VARIABLE: &str = "TEST_FORETELL_SOAK_SECONDS";
const USUAL_SECONDS: u64 = 3;
const PER_SECOND: u64 = 200;
const DOCUMENTS: u64 = 8;
/// How often memory is looked at.
const SAMPLES: u64 = 6;

/// How much more memory may be in use than after the second sixth, in KB: what is lost with every
/// request would be more than that in a minute if it were a kilobyte.
const MOST_GROWTH: u64 = 8 * 1024;

/// What came of it.
#[derive(Default)]
struct Came {
    answered: u64,
    by_fim: u64,
    by_others: u64,
    /// How often the lane would have rested.
    rests: u64,
}

impl Came {
    /// Takes what was answered at a desk; true if its lane rests.
    fn take(&mut self, desk: &mut Desk) -> bool {
        for (answer, _) in std::mem::take(&mut desk.answers).into_values() {
            self.answered += 1;
            match from(&answer) {
                Some(LaneKind::Fim) => self.by_fim += 1,
                Some(_) => self.by_others += 1,
                None => {}
            }
        }
        !std::mem::take(&mut desk.rests).is_empty()
    }
}

#[tokio::test]
async fn every_request_is_answered_once_and_memory_stays_flat() {
    if !is_alone("soak::every_request_is_answered_once_and_memory_stays_flat") {
        return;
    }
    let seconds = std::env::var(VARIABLE).ok().and_then(|it| it.parse().ok());
    let seconds: u64 = seconds.unwrap_or(USUAL_SECONDS);
    let server = ModelServer::start_with(|number, _| answer(number));
    let names: Vec<String> = (0..DOCUMENTS).map(|it| format!("{it}.rs")).collect();
    let mut desk = new_desk(&server, &names);
    let requests = seconds * PER_SECOND;
    let mut resident = Vec::new();
    let mut came = Came::default();
    let began = Instant::now();
    for number in 0..requests {
        let name = &names[usize::try_from(number % DOCUMENTS).unwrap()];
        desk.touch(name);
        desk.ask(name);
        let due = Duration::from_micros((number + 1) * 1_000_000 / PER_SECOND);
        desk.pass_until(began + due).await;
        if came.take(&mut desk) {
            // Three failures came together. What is tried here is the load, so somebody new goes on.
            came.rests += 1;
            assert!(desk.until_idle().await, "nothing is kept of them");
            came.take(&mut desk);
            desk = new_desk(&server, &names);
        }
        if number % PER_SECOND == 0 {
            server.forget();
        }
        if number % (requests / SAMPLES).max(1) == 0 && number > 0 {
            resident.extend(resident_kb());
        }
    }
    let took = began.elapsed();
    assert!(desk.until_idle().await, "nothing is kept of them");
    came.take(&mut desk);
    server.forget();
    resident.extend(resident_kb());
    // As many may be kept for the next requests as ran at once.
    let most_kept = usize::try_from(DOCUMENTS).unwrap();
    until(|| server.open_connections() <= most_kept).await;
    let open = server.open_connections();
    let Came {
        answered,
        by_fim,
        by_others,
        rests,
    } = came;
    println!(
        "{requests} requests in {:.1} s, {answered} answered ({by_fim} by fim, {by_others} by next \
         edit), {} heard by the server, {rests} rests; resident at every sixth {resident:?} KB; {open} \
         connections open; load {}",
        took.as_secs_f64(),
        server.asked(),
        std::fs::read_to_string("/proc/loadavg")
            .unwrap_or_default()
            .trim(),
    );
    assert_eq!(answered, requests);
    assert!(by_fim > 0, "the server is heard: {by_fim}");
    let grown = resident.last().zip(resident.get(1));
    let grown = grown.map_or(0, |(last, first)| last.saturating_sub(*first));
    assert!(grown < MOST_GROWTH, "{resident:?} KB");
    assert!(open <= most_kept, "{open}");
    drop(desk);
    until(|| server.open_connections() == 0).await;
    assert_eq!(server.open_connections(), 0);
}

fn new_desk(server: &ModelServer, names: &[String]) -> Desk {
    let mut desk = Desk::with(&settings(&format!("{HASTY}url = {:?}\n", server.url())));
    for name in names {
        desk.open(name);
    }
    desk
}

/// What the server does with its request of a number: something wrong for one in four.
fn answer(number: usize) -> ScriptedAnswer {
    let piece = json!({ "choices": [{ "text": "tot" }] }).to_string();
    let last = json!({ "choices": [{ "text": "al", "finish_reason": "stop" }] }).to_string();
    let good = ScriptedAnswer::events([&piece, &last]);
    let begun = ScriptedAnswer::events_without_done([&piece]);
    let nothing: [&str; 0] = [];
    let chance = random(number);
    if !number.is_multiple_of(4) {
        return good.after(Duration::from_millis(chance % 5));
    }
    match chance % 12 {
        0 => ScriptedAnswer::silence(),
        1 => ScriptedAnswer::hang_up(),
        2 => begun.then(AnswerEnding::Silence),
        3 => begun.then(AnswerEnding::Cut),
        4 => begun.then(AnswerEnding::BadChunk),
        5 => ScriptedAnswer::status(404),
        6 => ScriptedAnswer::status(503).body("{}"),
        7 => ScriptedAnswer::events([piece.as_bytes(), b"{\"choi\xff"]),
        8 => ScriptedAnswer::events([piece.as_str(), "{\"choi"]),
        9 => ScriptedAnswer::events(nothing),
        10 => ScriptedAnswer::raw("what is this?\r\n\r\n"),
        _ => good.every(Duration::from_millis(400)),
    }
}

/// A number that looks like any other, and is the same in every run.
fn random(number: usize) -> u64 {
    let number = u64::try_from(number).unwrap_or(0);
    let mixed = number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed ^ (mixed >> 31)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 33
}
