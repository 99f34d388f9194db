//! Each fault of a model server: the other lane still answers, and what happened is known.

use std::time::{Duration, Instant};

use foretell_core::{Answer, Reason};
use foretell_testkit::model_server::{AnswerEnding, ModelServer, ScriptedAnswer, TestCertificate};
use foretell_text::LaneKind;
use serde_json::json;

use crate::desk::{Desk, HASTY, PATIENT, from, settings};

/// Longer than any fault takes (a key's command has five seconds), and shorter than answers are held: who
/// answered by then did not wait for the end of that.
const LONGEST: Duration = Duration::from_secs(25);

/// A fault, and what it is called.
struct Row {
    fault: &'static str,
    kind: &'static str,
    /// Who plays it, where somebody does.
    server: Option<ModelServer>,
    /// What is set up for the fim lane.
    lines: String,
}

fn row(fault: &'static str, kind: &'static str, answer: ScriptedAnswer) -> Row {
    row_with(fault, kind, answer, PATIENT)
}

fn row_with(fault: &'static str, kind: &'static str, answer: ScriptedAnswer, more: &str) -> Row {
    let server = ModelServer::start(answer);
    let lines = format!("url = {:?}\n{more}", server.url());
    Row {
        fault,
        kind,
        server: Some(server),
        lines,
    }
}

fn row_at(fault: &'static str, kind: &'static str, url: &str, more: &str) -> Row {
    Row {
        fault,
        kind,
        server: None,
        lines: format!("url = {url:?}\n{more}"),
    }
}

/// A piece of an answer that goes on.
fn piece(text: &str) -> String {
    json!({ "choices": [{ "text": text, "finish_reason": null }] }).to_string()
}

fn rows() -> Vec<Row> {
    let begun = || ScriptedAnswer::events_without_done([piece("4")]);
    let nothing: [&str; 0] = [];
    let says = |message: &str| json!({ "error": { "message": message } }).to_string();
    let encrypted = TestCertificate::of("127.0.0.1");
    let encrypted = ModelServer::start_encrypted(begun(), &encrypted);
    let encrypted_url = encrypted.url();
    // It is accepted, and then nothing is said of encryption.
    let mute = ModelServer::start(ScriptedAnswer::silence());
    let mute_url = format!("https://127.0.0.1:{}", mute.port());
    let chatter = format!(
        "data: {}\n\n",
        json!({ "choices": [], "note": "x".repeat(4_000) })
    );
    let local = "http://127.0.0.1:9";
    vec![
        row_at("refused", "refused", &ModelServer::refusing(), ""),
        Row {
            server: Some(mute),
            ..row_at("unreachable", "unreachable", &mute_url, HASTY)
        },
        Row {
            server: Some(encrypted),
            ..row_at("TLS", "tls", &encrypted_url, PATIENT)
        },
        row_with(
            "timed out before the first byte",
            "timed-out",
            ScriptedAnswer::silence(),
            HASTY,
        ),
        row_with(
            "stalled",
            "stalled",
            begun().then(AnswerEnding::Silence),
            "firstByteMs = 20000\nidleMs = 200",
        ),
        row("cut", "cut", begun().then(AnswerEnding::Cut)),
        row("hung up", "cut", ScriptedAnswer::hang_up()),
        row(
            "status 401",
            "client-error",
            ScriptedAnswer::status(401).body(says("who are you")),
        ),
        row(
            "status 404",
            "client-error",
            ScriptedAnswer::status(404).body(says("model 'qwen-small' not found")),
        ),
        row(
            "429 with Retry-After",
            "too-many-requests",
            ScriptedAnswer::status(429).header("retry-after", "7"),
        ),
        row(
            "status 503",
            "loading",
            ScriptedAnswer::status(503).body(says("loading model")),
        ),
        row(
            "error within a stream",
            "server-error",
            ScriptedAnswer::events([piece("4"), says("out of memory")]),
        ),
        row(
            "malformed JSON",
            "malformed-json",
            ScriptedAnswer::events([piece("4"), "{\"choi".to_owned()]),
        ),
        row(
            "another JSON",
            "malformed-json",
            ScriptedAnswer::json("{\"ok\":true}"),
        ),
        row(
            "malformed stream",
            "malformed-stream",
            begun().then(AnswerEnding::BadChunk),
        ),
        row(
            "invalid UTF-8",
            "malformed-stream",
            ScriptedAnswer::events([piece("4").as_bytes(), b"{\"choices\":\"\xff\"}"]),
        ),
        row("empty", "empty", ScriptedAnswer::events(nothing)),
        row_with(
            "over the size limit",
            "too-large",
            begun().then(AnswerEnding::Endless(chatter.into_bytes())),
            "maxBytes = 2000\nmaxTokens = 16",
        ),
        row_at(
            "no key: file missing",
            "no-key",
            local,
            "apiKeyFile = \"/nowhere/at-all/key\"",
        ),
        row_at(
            "no key: variable not set",
            "no-key",
            local,
            "apiKeyEnv = \"TEST_FORETELL_NOT_SET\"",
        ),
        row_at(
            "no key: command fails",
            "no-key",
            local,
            "apiKeyCommand = \"exit 3\"",
        ),
        row_at(
            "no key: command hangs",
            "no-key",
            local,
            "apiKeyCommand = \"sleep 60\"",
        ),
        row_at(
            "misconfigured: no address",
            "misconfigured",
            "not an address",
            "",
        ),
        row_at(
            "misconfigured: not encrypted",
            "misconfigured",
            "http://models.example",
            "",
        ),
        row_at(
            "misconfigured: template",
            "misconfigured",
            local,
            "template = \"{suffix} only\"",
        ),
        row_at(
            "misconfigured: certificates",
            "misconfigured",
            local,
            "caFile = \"/nowhere.pem\"",
        ),
    ]
}

#[tokio::test]
async fn fault_table() {
    println!("| fault | kind | what is said | ms |");
    println!("| --- | --- | --- | --- |");
    for row in rows() {
        let mut desk = Desk::with(&settings(&row.lines));
        desk.open("a.rs");
        let began = Instant::now();
        let request = desk.ask("a.rs");
        let (answer, lanes) = desk.until_answered(request).await;
        let took = began.elapsed();
        let (kind, says) = desk.fault(LaneKind::Fim);
        println!(
            "| {} | {kind} | {} | {} |",
            row.fault,
            without_port(&says),
            took.as_millis()
        );
        assert_eq!(kind, row.kind, "{}: {says}", row.fault);
        assert!(says.len() > 10, "{}: {says}", row.fault);
        assert_eq!(
            from(&answer),
            Some(LaneKind::NextEdit),
            "{}: {answer:?}",
            row.fault
        );
        let fim = lanes.iter().find(|it| it.lane == LaneKind::Fim).unwrap();
        assert_eq!(fim.lost, Some(Reason::LaneFailed), "{}", row.fault);
        assert!(took < LONGEST, "{}: {took:?}", row.fault);
        assert!(desk.until_idle().await, "{}", row.fault);
        drop(row.server);
    }
}

fn without_port(says: &str) -> String {
    let words = says
        .split(' ')
        .map(|word| match word.split_once("://127.0.0.1:") {
            Some((scheme, rest)) => {
                let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
                format!("{scheme}://127.0.0.1{rest}")
            }
            None => word.to_owned(),
        });
    words.collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn a_rewriting_that_cannot_be_placed_leaves_the_answer_to_the_others() {
    let prose = json!({ "choices": [{ "message": { "content": "I would rather not say." },
                                      "finish_reason": "stop" }] });
    let chat = ModelServer::start(ScriptedAnswer::json(prose.to_string()));
    let filled = json!({ "choices": [{ "text": "total", "finish_reason": "stop" }] });
    // So late that the other has failed by then.
    let late = ScriptedAnswer::json(filled.to_string()).after(Duration::from_millis(500));
    let fim = ModelServer::start(late);
    let written = settings(&format!("{PATIENT}url = {:?}\n", fim.url()));
    let next = format!(
        "[lanes.nextEdit]\nkind = \"openai-chat\"\nurl = {:?}\n",
        chat.url()
    );
    let mut desk = Desk::with(&format!("{written}{next}"));
    desk.open("a.rs");
    let request = desk.ask("a.rs");
    let (answer, _) = desk.until_answered(request).await;
    let (kind, says) = desk.fault(LaneKind::NextEdit);
    println!("| unplaced (next edit) | {kind} | {says} | - |");
    assert_eq!(kind, "unplaced", "{says}");
    assert_eq!(from(&answer), Some(LaneKind::Fim), "{answer:?}");
}

#[tokio::test]
async fn a_fault_without_another_lane_is_said_to_be_one() {
    let written = settings(&format!("url = {:?}\n", ModelServer::refusing()));
    let mut desk = Desk::with(&format!("{written}[lanes.nextEdit]\nenabled = false\n"));
    desk.open("a.rs");
    let request = desk.ask("a.rs");
    let (answer, _) = desk.until_answered(request).await;
    assert_eq!(answer, Answer::Withheld(Reason::LaneFailed));
}

#[tokio::test]
async fn an_answer_makes_a_fault_forgotten() {
    let filled = json!({ "choices": [{ "text": "total", "finish_reason": "stop" }] });
    let server = ModelServer::start_in_turn([
        ScriptedAnswer::status(500),
        ScriptedAnswer::json(filled.to_string()),
    ]);
    let mut desk = Desk::with(&settings(&format!("{PATIENT}url = {:?}\n", server.url())));
    desk.open("a.rs");
    desk.touch_and_ask("a.rs").await;
    assert_eq!(desk.fault(LaneKind::Fim).0, "server-error");
    let (answer, _) = desk.touch_and_ask("a.rs").await;
    assert_eq!(from(&answer), Some(LaneKind::Fim), "{answer:?}");
    assert_eq!(desk.fault(LaneKind::Fim).0, "none");
}
