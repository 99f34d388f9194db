//! Each way a server fails, what that is called, and what the person is told.

use foretell_testkit::model_server::{AnswerEnding, ModelServer, ScriptedAnswer};
use foretell_text::FailureKind;

use crate::{heard, kind, played, proxies, server_at, told};

#[tokio::test]
async fn nobody_listening_is_refused() {
    let (_, fault) = heard(&server_at(&ModelServer::refusing(), "")).await;
    assert_eq!(
        told(fault),
        "refused: nobody listens at http://127.0.0.1: start the model server, or correct \
         lanes.fim.url"
    );
}

#[test]
fn a_host_that_no_name_server_knows_is_unreachable() {
    if proxies::is_asked() {
        return;
    }
    let test = "faults::a_host_that_no_name_server_knows_is_unreachable";
    assert_eq!(
        proxies::asked_with(test, "https://no-such-host.invalid", &[]),
        "0 payloads, unreachable: no address is known for https://no-such-host.invalid: check the \
         network, or correct lanes.fim.url"
    );
}

#[tokio::test]
async fn a_connection_that_does_not_come_about_in_time_is_unreachable() {
    // It is accepted, and then nothing is said of encryption.
    let scripted = ModelServer::start(ScriptedAnswer::silence());
    let url = format!("https://127.0.0.1:{}", scripted.port());
    let (_, fault) = heard(&server_at(&url, "firstByteMs = 300")).await;
    assert_eq!(
        told(fault),
        "unreachable: no connection to https://127.0.0.1 came about in time: check the network, or \
         correct lanes.fim.url"
    );
}

#[tokio::test]
async fn a_server_that_never_answers_is_timed_out() {
    let (_, fault) = played(ScriptedAnswer::silence()).await;
    assert_eq!(
        told(fault),
        "timed-out: http://127.0.0.1 did not begin to answer in time: raise lanes.fim.firstByteMs \
         if the model is slow"
    );
}

#[tokio::test]
async fn a_head_without_a_body_is_timed_out() {
    let nothing: [&str; 0] = [];
    let answer = ScriptedAnswer::events_without_done(nothing).then(AnswerEnding::Silence);
    let (_, fault) = played(answer).await;
    assert_eq!(kind(&fault), Some(FailureKind::TimedOut), "{fault:?}");
}

#[tokio::test]
async fn a_body_that_begins_late_but_in_time_is_heard() {
    // Servers that send their head before they have read the prompt.
    let slow = ScriptedAnswer::events([r#"{"a":1}"#]).in_pieces_of(1_000);
    let slow = slow.after(std::time::Duration::from_millis(250));
    let scripted = ModelServer::start(slow);
    let server = server_at(&scripted.url(), "firstByteMs = 5000\nidleMs = 100");
    let (payloads, fault) = heard(&server).await;
    assert_eq!((payloads.len(), told(fault)), (1, "no fault".to_owned()));
}

#[tokio::test]
async fn silence_in_the_middle_is_stalled() {
    let (payloads, fault) =
        played(ScriptedAnswer::events([r#"{"a":1}"#]).then(AnswerEnding::Silence)).await;
    assert_eq!(payloads, [r#"{"a":1}"#]);
    // `[DONE]` came before the silence, so nothing is missing.
    assert_eq!(told(fault), "no fault");
    let begun = ScriptedAnswer::events_without_done([r#"{"a":1}"#]).then(AnswerEnding::Silence);
    let (payloads, fault) = played(begun).await;
    assert_eq!(payloads, [r#"{"a":1}"#]);
    assert_eq!(
        told(fault),
        "stalled: http://127.0.0.1 fell silent for 200 ms in the middle of its answer: raise \
         lanes.fim.idleMs if the model is slow"
    );
}

#[tokio::test]
async fn a_connection_closed_in_the_middle_is_cut() {
    let words = "cut: http://127.0.0.1 closed the connection in the middle: see what the model \
                 server logs";
    let chunked = ScriptedAnswer::events_without_done([r#"{"a":1}"#]).then(AnswerEnding::Cut);
    let (payloads, fault) = played(chunked).await;
    assert_eq!((payloads.len(), told(fault).as_str()), (1, words));
    let short = ScriptedAnswer::json(r#"{"a":1}"#).then(AnswerEnding::Cut);
    let (payloads, fault) = played(short).await;
    assert_eq!((payloads.len(), told(fault).as_str()), (0, words));
    let (_, fault) = played(ScriptedAnswer::hang_up()).await;
    assert_eq!(told(fault), words);
}

#[tokio::test]
async fn an_answer_that_ends_with_its_connection_is_not_known_to_be_complete() {
    let answers = [
        (ScriptedAnswer::events(["{}"]), true),
        (ScriptedAnswer::events(["{}"]).until_closed(), true),
        (ScriptedAnswer::events_without_done(["{}"]), true),
        (
            ScriptedAnswer::events_without_done(["{}"]).until_closed(),
            false,
        ),
        (ScriptedAnswer::lines(["{}"]), true),
        (ScriptedAnswer::lines(["{}"]).until_closed(), false),
        (ScriptedAnswer::json("{}"), true),
        (ScriptedAnswer::json("{}").until_closed(), false),
    ];
    for (answer, expected) in answers {
        let scripted = ModelServer::start(answer.clone());
        let server = server_at(&scripted.url(), "");
        let mut reply = server.post("/infill", &crate::question()).await.unwrap();
        assert_eq!(
            reply.next().await.unwrap().as_deref().map(str::trim),
            Some("{}")
        );
        assert!(!reply.is_complete(), "it may go on");
        assert_eq!(reply.next().await.unwrap(), None);
        assert_eq!(reply.is_complete(), expected, "{answer:?}");
        assert_eq!(reply.next().await.unwrap(), None);
    }
}

#[tokio::test]
async fn chunks_and_heads_that_are_none_are_a_malformed_stream() {
    let words = "malformed-stream: what http://127.0.0.1 sends is not HTTP as it should be: check \
                 that lanes.fim.url is a model server's, and whether it wants https";
    let bad = ScriptedAnswer::events_without_done([r#"{"a":1}"#]).then(AnswerEnding::BadChunk);
    let (payloads, fault) = played(bad).await;
    assert_eq!((payloads.len(), told(fault).as_str()), (1, words));
    let (_, fault) = played(ScriptedAnswer::raw("SSH-2.0-OpenSSH_9.2\r\n\r\n")).await;
    assert_eq!(told(fault), words);
}

#[tokio::test]
async fn bytes_that_are_no_text_are_a_malformed_stream() {
    let words = "malformed-stream: http://127.0.0.1 answers with bytes that are not UTF-8: see what \
                 the model server logs";
    let bytes: &[u8] = b"{\"a\":\"\xff\xfe\"}";
    let answers = [
        ScriptedAnswer::events([bytes]),
        ScriptedAnswer::lines([bytes]),
        ScriptedAnswer::json(bytes),
        ScriptedAnswer::events([b"\xf0\x9f\x98"]),
    ];
    for answer in answers {
        let (_, fault) = played(answer).await;
        assert_eq!(told(fault), words);
    }
}

#[tokio::test]
async fn a_web_page_is_a_malformed_stream() {
    let page =
        ScriptedAnswer::json("<!doctype html><html>").content_type("text/html; charset=utf-8");
    let (_, fault) = played(page).await;
    assert_eq!(
        told(fault),
        "malformed-stream: http://127.0.0.1 answers with neither events nor JSON: check that its \
         address is a model server's"
    );
}

#[tokio::test]
async fn json_that_is_none_is_left_to_those_who_read_it() {
    for answer in [
        ScriptedAnswer::events(["{oops"]),
        ScriptedAnswer::lines(["{oops"]),
        ScriptedAnswer::json("{oops"),
    ] {
        let (payloads, fault) = played(answer).await;
        assert_eq!(
            (payloads[0].trim(), told(fault).as_str()),
            ("{oops", "no fault")
        );
    }
}

#[tokio::test]
async fn an_answer_without_anything_in_it_is_empty() {
    let words = "empty: http://127.0.0.1 answers with nothing: see what the model server logs";
    let nothing: [&str; 0] = [];
    let answers = [
        ScriptedAnswer::json(""),
        ScriptedAnswer::json(" \r\n\n"),
        ScriptedAnswer::json("\u{feff}"),
        ScriptedAnswer::json("").content_type(""),
        ScriptedAnswer::lines(["", ""]),
        ScriptedAnswer::events(nothing),
        ScriptedAnswer::events(["", "  "]),
        ScriptedAnswer::events_without_done(nothing),
        ScriptedAnswer::json(": keep-alive\n\n").content_type("text/event-stream"),
        ScriptedAnswer::status(204),
    ];
    for answer in answers {
        let (payloads, fault) = played(answer.clone()).await;
        assert_eq!(
            (payloads.len(), told(fault).as_str()),
            (0, words),
            "{answer:?}"
        );
    }
}

#[tokio::test]
async fn an_answer_without_end_is_too_large_and_its_connection_closed() {
    let line = "x".repeat(50_000);
    let event = format!("data: {{\"a\":\"{line}\"}}\n\n");
    let endless = |bytes: &str| AnswerEnding::Endless(bytes.as_bytes().to_vec());
    let answers = [
        ScriptedAnswer::events_without_done(["{}"]).then(endless(&event)),
        ScriptedAnswer::events_without_done(["{}"]).then(endless(&line)),
        ScriptedAnswer::events_without_done(["{}"]).then(endless(": a comment that never stops\n")),
        ScriptedAnswer::lines(["{}"]).then(endless(&line)),
        ScriptedAnswer::lines(["{}"]).then(endless("\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n")),
        ScriptedAnswer::json("{").then(endless(&line)),
        ScriptedAnswer::json(" ").then(endless("                                ")),
    ];
    for answer in answers {
        let scripted = ModelServer::start(answer);
        let server = server_at(&scripted.url(), "maxBytes = 100000\nmaxTokens = 1");
        let (_, fault) = heard(&server).await;
        assert_eq!(
            told(fault),
            "too-large: http://127.0.0.1 answers with more than lanes.fim.maxBytes allows: raise it \
             if that is right"
        );
        let all_closed = |entries: &[_]| entries.last().is_some_and(crate::closing::is_closed);
        assert!(
            scripted.until(all_closed).await,
            "the connection stayed open"
        );
    }
}

#[tokio::test]
async fn the_frame_around_each_token_does_not_count_as_the_answer() {
    let frame = format!(r#"{{"id":"{}","text":"a"}}"#, "x".repeat(300));
    let scripted = ModelServer::start(ScriptedAnswer::events(vec![frame; 256]));
    let (payloads, fault) = heard(&server_at(&scripted.url(), "")).await;
    assert_eq!((payloads.len(), told(fault).as_str()), (256, "no fault"));
}

#[tokio::test]
async fn a_failure_stays_one() {
    let scripted =
        ModelServer::start(ScriptedAnswer::events_without_done(["{}"]).then(AnswerEnding::Cut));
    let server = server_at(&scripted.url(), "");
    let mut reply = server.post("/infill", &crate::question()).await.unwrap();
    assert!(reply.next().await.unwrap().is_some());
    let fault = reply.next().await.unwrap_err();
    assert_eq!(reply.next().await.unwrap_err(), fault);
    assert!(!reply.is_complete());
}
