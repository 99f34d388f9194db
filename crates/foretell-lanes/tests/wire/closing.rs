//! Giving up closes connections; coming to an end keeps them.

use std::time::{Duration, Instant};

use foretell_testkit::model_server::{
    AnswerEnding, ConnectionEvent, HistoryEntry, ModelServer, ScriptedAnswer,
};

use crate::{heard, question, server_at, told};

/// Whether this is the end of a connection that the client closed.
pub(crate) fn is_closed(entry: &HistoryEntry) -> bool {
    entry.what == ConnectionEvent::ClosedByClient
}

/// Limits that no test comes to: what closes a connection is that somebody gave up.
const NO_LIMITS: &str = "firstByteMs = 600000\nidleMs = 600000";

/// Waits until the server's only connection was closed by the client, which must be after it gave up.
async fn closes(server: &ModelServer, given_up: Instant) {
    let closed = |entries: &[HistoryEntry]| entries.last().is_some_and(is_closed);
    assert!(server.until(closed).await, "{:?}", server.history());
    let history = server.history();
    let closed = history.last().unwrap();
    assert!(
        closed.at >= given_up,
        "it was closed before it was given up"
    );
    assert_eq!(server.open_connections(), 0);
}

#[tokio::test]
async fn a_request_given_up_before_its_answer_begins_closes_the_connection() {
    let scripted = ModelServer::start(ScriptedAnswer::silence());
    let server = server_at(&scripted.url(), NO_LIMITS);
    let asking = tokio::spawn(async move { heard(&server).await });
    let asked = |entries: &[HistoryEntry]| {
        let is_asked = |entry: &HistoryEntry| matches!(entry.what, ConnectionEvent::Asked(_));
        entries.last().is_some_and(is_asked)
    };
    assert!(scripted.until(asked).await);
    let given_up = Instant::now();
    asking.abort();
    closes(&scripted, given_up).await;
}

#[tokio::test]
async fn a_reply_dropped_in_the_middle_closes_the_connection() {
    let nothing: [&str; 0] = [];
    let silent = ScriptedAnswer::events_without_done(["{}"]).then(AnswerEnding::Silence);
    let endless = AnswerEnding::Endless(b"data: {\"more\":1}\n\n".to_vec());
    let lines = ScriptedAnswer::lines(["{}"]).then(AnswerEnding::Silence);
    let answers = [
        (silent.clone(), 1),
        (silent.in_pieces_of(3), 1),
        (ScriptedAnswer::events_without_done(["{}"]).then(endless), 5),
        (lines, 1),
        (
            ScriptedAnswer::events_without_done(nothing).then(AnswerEnding::Silence),
            0,
        ),
        (ScriptedAnswer::json("{").then(AnswerEnding::Silence), 0),
    ];
    for (answer, payloads) in answers {
        let scripted = ModelServer::start(answer);
        let server = server_at(&scripted.url(), NO_LIMITS);
        let mut reply = server.post("/infill", &question()).await.unwrap();
        for _ in 0..payloads {
            reply.next().await.unwrap().unwrap();
        }
        let given_up = Instant::now();
        drop(reply);
        closes(&scripted, given_up).await;
    }
}

#[tokio::test]
async fn a_next_given_up_half_way_loses_nothing() {
    let payloads = ["{\"a\":1}", "{\"b\":2}", "{\"c\":3}"];
    let slowly = Duration::from_millis(2);
    let answers = [
        ScriptedAnswer::events(payloads)
            .in_pieces_of(4)
            .every(slowly),
        ScriptedAnswer::lines(payloads)
            .in_pieces_of(4)
            .every(slowly),
    ];
    for answer in answers {
        let scripted = ModelServer::start(answer);
        let server = server_at(&scripted.url(), "");
        let mut reply = server.post("/infill", &question()).await.unwrap();
        let mut heard = Vec::new();
        loop {
            match tokio::time::timeout(Duration::from_millis(1), reply.next()).await {
                Err(_) => {}
                Ok(Ok(Some(payload))) => heard.push(payload.trim().to_owned()),
                Ok(end) => break assert_eq!(end.unwrap(), None),
            }
        }
        assert_eq!(heard, payloads);
    }
}

#[tokio::test]
async fn a_connection_is_kept_for_the_next_request() {
    // The end comes a little after what is known to be the last payload.
    let late = Duration::from_millis(5);
    let answers = [
        ScriptedAnswer::events(["{}"]).then(AnswerEnding::Late(late)),
        ScriptedAnswer::lines(["{}"]),
        ScriptedAnswer::json("{}"),
        ScriptedAnswer::status(500).body("{}"),
    ];
    for answer in answers {
        let scripted = ModelServer::start(answer.clone());
        let server = server_at(&scripted.url(), "");
        for number in 0..5 {
            heard(&server).await;
            assert!(scripted.until(|entries| answered(entries) > number).await);
            settle().await;
        }
        assert_eq!(connected(&scripted), 1, "{answer:?}");
    }
}

#[tokio::test]
async fn a_connection_is_kept_when_the_last_payload_is_known_by_what_it_says() {
    let late = Duration::from_millis(5);
    let answers = [
        ScriptedAnswer::events_without_done(["{}"]).then(AnswerEnding::Late(late)),
        ScriptedAnswer::lines(["{}"]).then(AnswerEnding::Late(late)),
    ];
    for answer in answers {
        let scripted = ModelServer::start(answer.clone());
        let server = server_at(&scripted.url(), "");
        for number in 0..5 {
            let mut reply = server.post("/infill", &question()).await.unwrap();
            reply.next().await.unwrap().unwrap();
            reply.finish();
            assert!(scripted.until(|entries| answered(entries) > number).await);
            settle().await;
        }
        assert_eq!(connected(&scripted), 1, "{answer:?}");
    }
}

#[tokio::test]
async fn an_answer_that_does_not_end_after_its_last_payload_is_closed() {
    let scripted = ModelServer::start(ScriptedAnswer::events(["{}"]).then(AnswerEnding::Silence));
    let server = server_at(&scripted.url(), NO_LIMITS);
    let given_up = Instant::now();
    heard(&server).await;
    closes(&scripted, given_up).await;
}

fn answered(entries: &[HistoryEntry]) -> usize {
    let answered = |entry: &&HistoryEntry| entry.what == ConnectionEvent::Answered;
    entries.iter().filter(answered).count()
}

fn connected(server: &ModelServer) -> usize {
    let connected = |entry: &&HistoryEntry| entry.what == ConnectionEvent::Connected;
    server.history().iter().filter(connected).count()
}

/// Lets what the server has sent come in, which is a matter of microseconds.
async fn settle() {
    tokio::time::sleep(Duration::from_millis(20)).await;
}

#[tokio::test]
async fn a_kept_connection_that_the_server_closed_is_made_anew() {
    let scripted = ModelServer::start(ScriptedAnswer::json("{}").then(AnswerEnding::Closed));
    let server = server_at(&scripted.url(), "");
    for _ in 0..20 {
        let (payloads, fault) = heard(&server).await;
        assert_eq!((payloads.len(), told(fault).as_str()), (1, "no fault"));
        // The end of the connection is on its way.
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn a_thousand_requests_given_up_leave_no_connection_behind() {
    let scripted =
        ModelServer::start(ScriptedAnswer::events_without_done(["{}"]).then(AnswerEnding::Silence));
    let server = server_at(&scripted.url(), "");
    for number in 0..1_000 {
        // Each is given up as the next one comes, some sooner than others.
        let asking = heard(&server);
        let patience = Duration::from_micros(number * 2);
        assert!(tokio::time::timeout(patience, asking).await.is_err());
    }
    let all_closed = |entries: &[HistoryEntry]| {
        let connected = entries
            .iter()
            .filter(|entry| entry.what == ConnectionEvent::Connected);
        connected.count() == entries.iter().filter(|entry| is_closed(entry)).count()
    };
    assert!(
        scripted.until(all_closed).await,
        "{}",
        scripted.open_connections()
    );
    let metrics = tokio::runtime::Handle::current().metrics();
    assert!(
        metrics.num_alive_tasks() <= 2,
        "{}",
        metrics.num_alive_tasks()
    );
}

#[tokio::test]
async fn a_server_that_is_dropped_closes_what_it_keeps() {
    let scripted = ModelServer::start(ScriptedAnswer::json("{}"));
    let server = server_at(&scripted.url(), "");
    let clone = server.clone();
    heard(&server).await;
    drop(server);
    assert_eq!(scripted.open_connections(), 1);
    let given_up = Instant::now();
    drop(clone);
    closes(&scripted, given_up).await;
}
