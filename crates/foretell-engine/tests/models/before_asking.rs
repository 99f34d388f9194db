//! What a model server is sent before anybody asks, by real sockets: only on this machine unless settings say
//! otherwise, the same words as the question that follows, and out of the way of every question.

use std::time::Duration;

use foretell_context::ExclusionGlobs;
use foretell_core::{Answer, Event, RequestCause, RequestId, RequestKind, SuggestionRequest};
use foretell_engine::lane_backends;
use foretell_testkit::model_server::{
    ConnectionEvent, ModelServer, ReceivedRequest, ScriptedAnswer,
};
use foretell_text::{
    ByteOffset, ByteRange, ChangeReason, DocumentId, Edit, Language, Replacement, Text, Version,
};
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::desk::{Desk, PATIENT, resolved, settings};

const NAME: &str = "file:///src/ahead.rs";
const CODE: &str = "fn main() {\n    let total = \n}\n";
/// Behind `let total = `.
const CURSOR: usize = 28;

/// A server that fills in the next number.
fn counting() -> ModelServer {
    ModelServer::start_with(|number, _| {
        let said =
            json!({ "choices": [{ "text": format!("{number};"), "finish_reason": "stop" }] });
        ScriptedAnswer::events([said.to_string()])
    })
}

/// A desk whose FIM asks a server, with more lines for that lane, and a document that is open.
fn desk(url: &str, lines: &str) -> Desk {
    let written = settings(&format!(
        "url = {url:?}\nallowInsecure = true\n{PATIENT}{lines}"
    ));
    let written = format!("{written}\n[lanes.nextEdit]\nenabled = false\n");
    let mut desk = Desk::of(resolved(&written), lane_backends::by_settings());
    desk.engine.tell(Event::DocumentOpened {
        document: DocumentId::new(NAME),
        language: Language::new("rust"),
        version: Version::new(1),
        text: Text::from(CODE),
    });
    desk
}

/// The cursor comes to rest.
fn rest(desk: &mut Desk, at: usize) {
    let document = DocumentId::new(NAME);
    desk.engine.tell(Event::SelectionChanged {
        version: desk.engine.core().version(&document),
        document,
        selections: vec![ByteRange::empty(ByteOffset::new(at))],
    });
    desk.take();
}

/// The editor asks.
fn ask(desk: &mut Desk, request: u64, at: usize) {
    desk.engine
        .tell(Event::SuggestionRequested(SuggestionRequest {
            request: RequestId::new(request),
            document: DocumentId::new(NAME),
            version: None,
            at: ByteOffset::new(at),
            cause: RequestCause::Automatic,
            kind: RequestKind::Inline,
        }));
    desk.take();
}

/// The person accepts what is suggested.
fn put_in(desk: &mut Desk, at: usize, new_text: &str) {
    let insertion = Replacement::insertion(ByteOffset::new(at), new_text);
    desk.engine.tell(Event::DocumentChanged {
        document: DocumentId::new(NAME),
        version: Version::new(2),
        edits: vec![Edit::from(insertion)],
        reason: ChangeReason::Typed,
    });
    desk.take();
}

/// Lets time pass until the server has got so many requests, for ten seconds at most.
async fn until_asked(desk: &mut Desk, server: &ModelServer, times: usize) {
    let end = Instant::now() + Duration::from_secs(10);
    while server.asked() < times && Instant::now() < end {
        desk.pass(Duration::from_millis(10)).await;
    }
    assert_eq!(server.asked(), times);
}

fn body(request: &ReceivedRequest) -> Value {
    serde_json::from_slice(&request.body).unwrap()
}

/// The text of the first suggestion of an answer.
fn suggested(answer: &Answer) -> Option<&str> {
    let Answer::Candidates(offers) = answer else {
        return None;
    };
    let first = offers.first()?.candidate.edit.replacements().first()?;
    Some(first.new_text())
}

/// Somebody comes to a document, asks, and looks at the answer. Returns all that was sent.
async fn session(url: &str, server: &ModelServer, lines: &str, expected: usize) -> Vec<Value> {
    let mut desk = desk(url, lines);
    rest(&mut desk, CURSOR);
    // Longer than a cursor has to rest, and than a suggestion has to be shown.
    desk.pass(Duration::from_millis(800)).await;
    ask(&mut desk, 1, CURSOR);
    desk.until_answered(1).await;
    desk.pass(Duration::from_millis(800)).await;
    until_asked(&mut desk, server, expected).await;
    server.requests().iter().map(body).collect()
}

#[tokio::test]
async fn nothing_is_sent_ahead_of_time_to_another_machine() {
    let server = counting();
    // An address that this machine answers by, and that is not said to be this machine's.
    let elsewhere = server.url().replace("127.0.0.1", "0.0.0.0");
    let sent = session(&elsewhere, &server, "", 1).await;
    assert!(sent[0]["max_tokens"].as_u64().unwrap() > 1, "the question");
}

#[tokio::test]
async fn it_is_if_the_person_says_so() {
    let server = counting();
    let elsewhere = server.url().replace("127.0.0.1", "0.0.0.0");
    let sent = session(&elsewhere, &server, "ahead = \"always\"\n", 3).await;
    assert_eq!(sent[0]["max_tokens"], 1);
    assert!(sent[2]["prompt"].as_str().unwrap().ends_with("1;"));
}

#[tokio::test]
async fn nothing_is_sent_ahead_of_time_if_the_person_says_so() {
    let server = counting();
    session(&server.url(), &server, "ahead = \"never\"\n", 1).await;
}

#[tokio::test]
async fn nothing_is_sent_ahead_of_time_of_a_document_that_the_person_has_paused() {
    let server = counting();
    let mut desk = desk(&server.url(), "");
    desk.engine.tell(Event::DocumentPaused {
        document: DocumentId::new(NAME),
        is_paused: true,
    });
    rest(&mut desk, CURSOR);
    desk.pass(Duration::from_millis(800)).await;
    assert_eq!(server.requests().len(), 0);
}

#[tokio::test]
async fn the_first_question_repeats_what_was_read_ahead_of_time() {
    let server = counting();
    let sent = session(&server.url(), &server, "", 3).await;
    let prompt = |number: usize| sent[number]["prompt"].as_str().unwrap();
    assert_eq!(sent[0]["max_tokens"], 1);
    assert_eq!(prompt(0), prompt(1));
    assert_eq!(prompt(2), [prompt(1), "1;"].concat());
}

#[tokio::test]
async fn accepting_a_suggestion_shows_the_next_without_a_call() {
    let server = counting();
    let mut desk = desk(&server.url(), "");
    ask(&mut desk, 1, CURSOR);
    let (answer, _) = desk.until_answered(1).await;
    assert_eq!(suggested(&answer), Some("0;"));
    until_asked(&mut desk, &server, 2).await;
    desk.pass(Duration::from_millis(200)).await;
    put_in(&mut desk, CURSOR, "0;");
    ask(&mut desk, 2, CURSOR + 2);
    let (answer, _) = desk.until_answered(2).await;
    assert_eq!(suggested(&answer), Some("1;"));
    assert_eq!(desk.engine.core().counts().calls.values().sum::<u64>(), 1);
}

#[tokio::test]
async fn a_question_closes_the_connection_of_what_is_read_ahead_of_time() {
    let server = ModelServer::start_with(|number, _| match number {
        0 => ScriptedAnswer::silence(),
        _ => {
            let said = json!({ "choices": [{ "text": "42", "finish_reason": "stop" }] });
            ScriptedAnswer::events([said.to_string()])
        }
    });
    let mut desk = desk(&server.url(), "");
    rest(&mut desk, CURSOR);
    until_asked(&mut desk, &server, 1).await;
    assert!(!desk.engine.is_asking_model(), "nobody waits for it");
    ask(&mut desk, 1, CURSOR);
    let (answer, _) = desk.until_answered(1).await;
    assert_eq!(suggested(&answer), Some("42"));
    let is_closed = |it: &foretell_testkit::model_server::HistoryEntry| {
        it.connection == 0 && it.what == ConnectionEvent::ClosedByClient
    };
    assert!(server.until(|history| history.iter().any(is_closed)).await);
    assert_eq!(desk.fault(foretell_text::LaneKind::Fim).0, "none");
}

#[tokio::test]
async fn a_question_takes_the_call_over_that_asks_the_same() {
    let server = ModelServer::start_with(|number, _| {
        let said =
            json!({ "choices": [{ "text": format!("{number};"), "finish_reason": "stop" }] });
        let answer = ScriptedAnswer::events([said.to_string()]);
        if number == 1 {
            answer.after(Duration::from_millis(700))
        } else {
            answer
        }
    });
    let mut desk = desk(&server.url(), "");
    ask(&mut desk, 1, CURSOR);
    desk.until_answered(1).await;
    until_asked(&mut desk, &server, 2).await;
    put_in(&mut desk, CURSOR, "0;");
    ask(&mut desk, 2, CURSOR + 2);
    let (answer, _) = desk.until_answered(2).await;
    assert_eq!(suggested(&answer), Some("1;"));
    assert_eq!(desk.engine.core().counts().ahead_taken, 1);
}

#[tokio::test]
async fn nothing_is_sent_ahead_of_time_before_settings_and_exclusions_are_known() {
    let server = counting();
    let mut held = desk(&server.url(), "");
    held.engine.hold(Instant::now() + Duration::from_secs(60));
    rest(&mut held, CURSOR);
    held.pass(Duration::from_millis(600)).await;
    assert_eq!(server.asked(), 0);
    held.engine.release();
    until_asked(&mut held, &server, 1).await;

    let excluded = counting();
    let written = settings(&format!("url = {:?}\n{PATIENT}", excluded.url()));
    let (globs, wrong) = ExclusionGlobs::new(&["**/*.rs".to_owned()]);
    assert!(wrong.is_empty(), "{wrong:?}");
    let mut desk = Desk::excluding(resolved(&written), globs);
    desk.open(NAME);
    rest(&mut desk, CURSOR);
    desk.pass(Duration::from_millis(800)).await;
    assert_eq!(excluded.asked(), 0);
}
