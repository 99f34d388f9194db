//! The same payloads, however a server frames, cuts and labels them.

use foretell_testkit::model_server::{ModelServer, ScriptedAnswer};

use crate::{heard, played, server_at, told};

/// Payloads with everything that might be cut in the middle.
const PAYLOADS: [&str; 3] = [
    r#"{"a":"é😀"}"#,
    r#"{"b":"\r\n"}"#,
    r#"{"c":"data: {}\n\n"}"#,
];

async fn assert_heard(answer: ScriptedAnswer, expected: &[&str]) {
    let (payloads, fault) = played(answer.clone()).await;
    assert_eq!(told(fault), "no fault", "{answer:?}");
    let payloads: Vec<&str> = payloads.iter().map(|payload| payload.trim()).collect();
    assert_eq!(payloads, expected, "{answer:?}");
}

#[tokio::test]
async fn events_lines_and_one_body_are_told_apart() {
    assert_heard(ScriptedAnswer::events(PAYLOADS), &PAYLOADS).await;
    assert_heard(ScriptedAnswer::events_without_done(PAYLOADS), &PAYLOADS).await;
    assert_heard(ScriptedAnswer::lines(PAYLOADS), &PAYLOADS).await;
    assert_heard(ScriptedAnswer::json(PAYLOADS[0]), &PAYLOADS[..1]).await;
}

#[tokio::test]
async fn pieces_may_end_in_the_middle_of_a_frame_or_a_character() {
    for bytes in [1, 2, 3, 5, 7] {
        assert_heard(
            ScriptedAnswer::events(PAYLOADS).in_pieces_of(bytes),
            &PAYLOADS,
        )
        .await;
        assert_heard(
            ScriptedAnswer::lines(PAYLOADS).in_pieces_of(bytes),
            &PAYLOADS,
        )
        .await;
        let whole = ScriptedAnswer::json(PAYLOADS[0]).in_pieces_of(bytes);
        assert_heard(whole, &PAYLOADS[..1]).await;
    }
}

#[tokio::test]
async fn a_wrong_content_type_does_not_matter() {
    let types = [
        "text/plain",
        "",
        "application/octet-stream",
        "application/json",
        "nonsense",
    ];
    for content_type in types {
        let events = ScriptedAnswer::events(PAYLOADS).content_type(content_type);
        assert_heard(events, &PAYLOADS).await;
        let lines = ScriptedAnswer::lines(PAYLOADS).content_type(content_type);
        assert_heard(lines, &PAYLOADS).await;
    }
    let json = ScriptedAnswer::json(PAYLOADS[0]).content_type("text/event-stream");
    assert_heard(json, &PAYLOADS[..1]).await;
    let json =
        ScriptedAnswer::json(PAYLOADS[0]).content_type("application/x-ndjson; charset=utf-8");
    assert_heard(json, &PAYLOADS[..1]).await;
}

#[tokio::test]
async fn one_body_may_have_many_lines() {
    let body = "\r\n{\r\n  \"a\": [\r\n    1\r\n  ]\r\n}\r\n";
    for content_type in [
        "application/json",
        "application/problem+json",
        "text/plain",
        "",
    ] {
        let answer = ScriptedAnswer::json(body).content_type(content_type);
        assert_heard(answer, &[body.trim()]).await;
    }
}

#[tokio::test]
async fn comments_and_fields_other_than_data_are_skipped() {
    let body = ": ping\r\n\r\nevent: delta\r\nid: 7\r\nretry: 10\r\ndata:{\"a\":1}\r\n\r\n\
                id: 8\n\nunknown: x\ndata: {\"b\":\ndata: 2}\n\ndata: [DONE]\n\ndata: {\"c\":3}\n\n";
    let answer = ScriptedAnswer::json(body).content_type("text/event-stream");
    assert_heard(answer.clone(), &["{\"a\":1}", "{\"b\":\n2}"]).await;
    assert_heard(answer.in_pieces_of(1), &["{\"a\":1}", "{\"b\":\n2}"]).await;
}

#[tokio::test]
async fn a_last_line_needs_no_end() {
    let lines = ScriptedAnswer::json("{\"a\":1}\n\n{\"b\":2}").content_type("application/x-ndjson");
    assert_heard(lines, &["{\"a\":1}", "{\"b\":2}"]).await;
}

#[tokio::test]
async fn a_mark_of_the_byte_order_is_no_text() {
    let (mark, payload) = ("\u{feff}", PAYLOADS[0]);
    let json = ScriptedAnswer::json(format!("{mark}{payload}"));
    let events = ScriptedAnswer::json(format!("{mark}data: {payload}\n\n"));
    for answer in [json, events.content_type("text/event-stream")] {
        assert_heard(answer.clone(), &[payload]).await;
        assert_heard(answer.in_pieces_of(1), &[payload]).await;
    }
}

/// What bodies are made of, right and wrong.
const SCRAPS: [&[u8]; 16] = [
    b"data: ",
    b"data:",
    b"\n",
    b"\n\n",
    b"\r\n",
    b"\r",
    b"{}",
    b"{\"a\":1}",
    b"[DONE]",
    b": c",
    b"id: 1",
    b"event",
    "é😀".as_bytes(),
    b"\xff",
    b"\xef\xbb\xbf",
    b"  ",
];
const CONTENT_TYPES: [&str; 4] = [
    "text/event-stream",
    "application/x-ndjson",
    "application/json",
    "",
];

/// The body with a number, how it is labelled, and in what pieces it comes.
fn scrambled(number: usize) -> (Vec<u8>, &'static str, usize) {
    let mut seed = (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut any = |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % below as u64) as usize
    };
    let scraps = (0..any(20)).map(|_| SCRAPS[any(SCRAPS.len())]);
    let body = scraps.collect::<Vec<_>>().concat();
    (body, CONTENT_TYPES[any(CONTENT_TYPES.len())], 1 + any(6))
}

#[tokio::test]
async fn any_bytes_at_all_come_to_an_end_and_mean_the_same_in_any_pieces() {
    let scripted = ModelServer::start_with(|asked, _| {
        let (body, content_type, pieces) = scrambled(asked / 2);
        let answer = ScriptedAnswer::json(body).content_type(content_type);
        match asked % 2 {
            0 => answer,
            _ => answer.in_pieces_of(pieces),
        }
    });
    let server = server_at(&scripted.url(), "");
    let mut faultless = 0;
    for number in 0..400 {
        let (whole, pieces) = (heard(&server).await, heard(&server).await);
        assert_eq!(whole, pieces, "{:?}", scrambled(number));
        faultless += usize::from(whole.1.is_none());
    }
    assert!((50..350).contains(&faultless), "{faultless}");
}

#[tokio::test]
async fn paths_are_joined_with_whatever_address_the_person_writes() {
    let scripted = ModelServer::start(ScriptedAnswer::json("{}"));
    let url = scripted.url();
    let written = [
        (url.clone(), "/v1/completions"),
        (format!("{url}/"), "/v1/completions"),
        (format!("{url}/v1"), "/v1/completions"),
        (format!("{url}/v1/"), "/v1/completions"),
        (format!(" {url}//v1// "), "/v1/completions"),
        (format!("{url}/api/openai"), "/api/openai/v1/completions"),
        (format!("{url}/api/v1"), "/api/v1/completions"),
        (format!("{url}/v1?version=3"), "/v1/completions?version=3"),
        (format!("{url}/xv1"), "/xv1/v1/completions"),
    ];
    for (written, expected) in &written {
        heard(&server_at(written, "")).await;
        let asked = scripted.requests().pop().unwrap();
        assert_eq!(&asked.path, expected, "{written}");
    }
}

#[tokio::test]
async fn a_request_says_who_asks_and_what_it_understands() {
    let scripted = ModelServer::start(ScriptedAnswer::json("{}"));
    let server = server_at(&scripted.url(), "headers = { x-team = \"tools\" }");
    heard(&server).await;
    let asked = &scripted.requests()[0];
    assert_eq!(asked.method, "POST");
    assert_eq!(asked.text(), crate::question().to_string());
    let header = |name| asked.header(name).unwrap_or("none");
    assert_eq!(
        header("user-agent"),
        concat!("foretell/", env!("CARGO_PKG_VERSION"))
    );
    assert_eq!(header("content-type"), "application/json");
    assert_eq!(
        header("accept"),
        "text/event-stream, application/x-ndjson, application/json"
    );
    assert_eq!(header("x-team"), "tools");
    assert_eq!(header("authorization"), "none");
}

#[tokio::test]
async fn a_probe_gets_all_there_is_as_text() {
    let models = format!(r#"{{"data":["{}"]}}"#, "m".repeat(500_000));
    let scripted = ModelServer::start_in_turn([
        ScriptedAnswer::json(&models).in_pieces_of(1_000),
        ScriptedAnswer::json(b"\xff"),
        ScriptedAnswer::status(404),
    ]);
    let server = server_at(&scripted.url(), "");
    assert_eq!(server.get("/v1/models").await.unwrap(), models);
    let asked = &scripted.requests()[0];
    assert_eq!(
        (asked.method.as_str(), asked.path.as_str()),
        ("GET", "/v1/models")
    );
    let fault = server.get("/v1/models").await.err();
    assert!(told(fault).starts_with("malformed-stream: "));
    let fault = server.get("/v1/models").await.err();
    assert!(told(fault).starts_with("client-error: "));
}
