//! A thousand requests, each superseded by the next, to a server that is slow: no task, no connection
//! and no memory is left.

use std::time::Duration;

use foretell_core::{Answer, Reason};
use foretell_testkit::model_server::{AnswerEnding, ModelServer, ScriptedAnswer};
use serde_json::json;
use tokio::runtime::Handle;

use crate::desk::{Desk, from, settings};
use crate::memory::{is_alone, resident_kb};

/// How much more memory may be in use than after the first hundred, in KB. Requests that were kept with
/// their connections would be 20 KB or more each.
const MOST_GROWTH: u64 = 16 * 1024;

#[tokio::test]
async fn a_thousand_superseded_requests_leave_nothing_behind() {
    if !is_alone("superseded::a_thousand_superseded_requests_leave_nothing_behind") {
        return;
    }
    let piece = json!({ "choices": [{ "text": "4" }] }).to_string();
    let last = json!({ "choices": [{ "text": "2", "finish_reason": "stop" }] }).to_string();
    // Some before anything is said, some in the middle.
    let server = ModelServer::start_with(move |number, _| {
        let begun = ScriptedAnswer::events([&piece, &last]);
        match number % 3 {
            0 => begun.after(Duration::from_millis(250)),
            1 => begun.every(Duration::from_millis(250)),
            _ => ScriptedAnswer::events_without_done([&piece]).then(AnswerEnding::Silence),
        }
    });
    let tasks_before = Handle::current().metrics().num_alive_tasks();
    let lines = format!("url = {:?}\n", server.url());
    let mut desk = Desk::with(&settings(&lines));
    desk.open("a.rs");
    let (mut first, mut superseded, mut last) = (None, 0, 0);
    for number in 0..1_000_u64 {
        desk.touch("a.rs");
        last = desk.ask("a.rs");
        // Long enough for a connection, and not for an answer.
        desk.pass(Duration::from_millis(1 + number % 4)).await;
        let answers = std::mem::take(&mut desk.answers);
        let is_superseded = |it: &Answer| *it == Answer::Withheld(Reason::Superseded);
        superseded += answers.values().filter(|(it, _)| is_superseded(it)).count();
        assert!(desk.engine.running() <= 8, "{}", desk.engine.running());
        if number == 100 {
            server.forget();
            first = resident_kb();
        }
    }
    let (asked, at_once) = (server.asked(), server.open_connections());
    let (answer, _) = desk.until_answered(last).await;
    assert_eq!(desk.done.len(), 1_000);
    assert!(superseded >= 990, "{superseded}");
    assert!(desk.until_idle().await, "nothing is kept of them");
    server.forget();
    let grown = resident_kb()
        .zip(first)
        .map(|(now, first)| now.saturating_sub(first));
    println!(
        "{asked} of 1000 were heard by the server, which had {at_once} connections at the last; the \
         last was answered by {:?}; {grown:?} KB more than after 100",
        from(&answer)
    );
    assert!(asked > 200, "many of them reach the server: {asked}");
    assert!(grown.unwrap_or(0) < MOST_GROWTH, "{grown:?} KB");
    // One may be kept for the next request.
    until(|| server.open_connections() <= 1).await;
    assert!(
        server.open_connections() <= 1,
        "{}",
        server.open_connections()
    );
    drop(desk);
    let tasks = || Handle::current().metrics().num_alive_tasks();
    until(|| server.open_connections() == 0 && tasks() == tasks_before).await;
    assert_eq!(server.open_connections(), 0);
    assert_eq!(tasks(), tasks_before);
}

/// Waits until something is so, for 5 s at the most.
pub(crate) async fn until(is_so: impl Fn() -> bool) {
    for _ in 0..500 {
        if is_so() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
