//! A model lane from its settings to its candidates, against a scripted server: what each kind of
//! server is sent, and what comes of what it says.
//!
//! Absent on purpose: everything that goes wrong on the way, which the tests of the wire have, and
//! what becomes of odd answers, which those of fim and chat have.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may stop at what it did not expect, and tells how long something took"
)]

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use foretell_lanes::model::ModelLane;
use foretell_lanes::model::server_speed::{SpeedBook, SpeedKey, SpeedSample};
use foretell_lanes::{Lane, LaneAnswer, LaneContext, LaneFault, LaneProgress, LaneRequest};
use foretell_testkit::lane_requests::{MARK, SECRET, request_at_cursor, with_one_secret};
use foretell_testkit::model_server::{
    AnswerEnding, ConnectionEvent, HistoryEntry, ModelServer, ReceivedRequest, ScriptedAnswer,
};
use foretell_testkit::written_settings::lane_settings_of;
use foretell_text::{
    ByteRange, ContextPiece, Diagnostic, DiagnosticSeverity, FailureKind, LaneKind, TokenUsage,
};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

const CODE: &str = "fn main() {\n    let answer = ‸;\n}\n";
/// A lane whose limits no test comes to: what ends a question is not its time.
const NO_LIMITS: &str =
    "kind = \"openai\"\nmodel = \"qwen-small\"\nfirstByteMs = 600000\nidleMs = 600000";
/// The longest that anything takes that is to happen at once: no load explains more, and no wait that is
/// a bug is shorter.
const AT_ONCE: Duration = Duration::from_secs(10);

/// A request at the `‸` of a text.
fn request(text: &str) -> LaneRequest {
    with_one_secret(request_at_cursor("src/cart.rs", "rust", text))
}

/// The same with something wrong on the cursor's line.
fn broken(text: &str) -> LaneRequest {
    let mut request = request(text);
    let at = ByteRange::empty(request.at);
    request.diagnostics = vec![Diagnostic {
        range: at,
        severity: DiagnosticSeverity::Error,
        source: Some("rustc".to_owned()),
        code: None,
        message: "expected expression, found `;`".to_owned(),
        fixes: Vec::new(),
    }];
    request
}

/// The lane that asks a server.
fn lane_at(server: &ModelServer, lane: LaneKind, lines: &str) -> ModelLane {
    let lines = format!("url = {:?}\n{lines}", server.url());
    ModelLane::new(lane, &lane_settings_of(lane, &lines))
}

/// What comes of an answer, and what the server was sent for it.
async fn played(
    answer: ScriptedAnswer,
    (lane, lines): (LaneKind, &str),
    request: &LaneRequest,
) -> (Result<LaneAnswer, LaneFault>, ReceivedRequest) {
    let server = ModelServer::start(answer);
    let asked = lane_at(&server, lane, lines);
    let answered = asked
        .ask(Arc::new(request.clone()), CancellationToken::new())
        .await;
    (answered, asked_for_an_answer(&server).swap_remove(0))
}

/// The requests that a server got, but for those that ask what it is.
fn asked_for_an_answer(server: &ModelServer) -> Vec<ReceivedRequest> {
    let mut requests = server.requests();
    requests.retain(|request| !["/props", "/tokenize"].contains(&request.path.as_str()));
    requests
}

fn body(request: &ReceivedRequest) -> Value {
    serde_json::from_slice(&request.body).unwrap()
}

/// The text after the only candidate of an answer.
fn written(request: &LaneRequest, answer: &LaneAnswer) -> String {
    assert_eq!(answer.candidates.len(), 1, "{answer:?}");
    let edit = &answer.candidates[0].edit;
    edit.apply(&request.document.text).unwrap().to_string()
}

/// A text in two pieces, as a server with OpenAI's completions says it, and what it took.
fn choices(first: &str, second: &str) -> ScriptedAnswer {
    ScriptedAnswer::events([
        json!({ "choices": [{ "text": first, "finish_reason": null }] }).to_string(),
        json!({ "choices": [{ "text": second, "finish_reason": "stop" }] }).to_string(),
        json!({ "choices": [], "usage": { "prompt_tokens": 7, "completion_tokens": 2 } })
            .to_string(),
    ])
}

/// The same in deltas of a chat.
fn deltas(first: &str, second: &str) -> ScriptedAnswer {
    ScriptedAnswer::events([
        json!({ "choices": [{ "delta": { "role": "assistant", "content": first } }] }).to_string(),
        json!({ "choices": [{ "delta": { "content": second }, "finish_reason": "stop" }],
                "usage": { "prompt_tokens": 7, "completion_tokens": 2 } })
        .to_string(),
    ])
}

/// The same as llama.cpp says it, which does not say `[DONE]`.
fn contents(first: &str, second: &str) -> ScriptedAnswer {
    ScriptedAnswer::events_without_done([
        json!({ "content": first, "stop": false }).to_string(),
        json!({ "content": second, "stop": true, "stop_type": "eos", "tokens_evaluated": 7,
                "tokens_predicted": 2 })
        .to_string(),
    ])
}

/// The same as Ollama says it.
fn responses(first: &str, second: &str) -> ScriptedAnswer {
    ScriptedAnswer::lines([
        json!({ "response": first, "done": false }).to_string(),
        json!({ "response": second, "done": true, "done_reason": "stop", "prompt_eval_count": 7,
                "eval_count": 2 })
        .to_string(),
    ])
}

const TOOK: TokenUsage = TokenUsage {
    prompt_tokens: 7,
    completion_tokens: 2,
    read_tokens: None,
};

#[test]
fn a_format_says_how_a_model_is_asked_and_a_template_is_another_name_for_it() {
    let sent = |lines: &str| {
        let settings = lane_settings_of(LaneKind::Fim, &format!("kind = 'openai'\n{lines}"));
        let message = ModelLane::new(LaneKind::Fim, &settings).explain(&request(CODE));
        message.unwrap().unwrap().body
    };
    let codellama = sent("format = 'codellama'");
    assert!(codellama["prompt"].as_str().unwrap().starts_with("<PRE> "));
    assert_eq!(codellama, sent("template = 'codellama'"));
    assert_eq!(codellama, sent("format = 'codellama'\ntemplate = 'qwen'"));
    assert_eq!(codellama, sent("format = 'auto'\ntemplate = 'codellama'"));
    let rewriting = |lines: &str| {
        let settings = lane_settings_of(LaneKind::NextEdit, &format!("kind = 'openai'\n{lines}"));
        let message = ModelLane::new(LaneKind::NextEdit, &settings).explain(&request(CODE));
        message.unwrap().unwrap().body
    };
    assert_eq!(rewriting("format = 'rewrite'"), rewriting(""));
}

#[tokio::test]
async fn each_kind_of_server_is_asked_to_fill_in_as_it_understands() {
    let (before, behind) = ("fn main() {\n    let answer = ", ";\n}\n");
    let (above, line) = ("fn main() {\n", "    let answer = ");
    let qwen = format!(
        "<|fim_prefix|>// path: src/cart.rs\n{above}<|fim_suffix|>{behind}<|fim_middle|>{line}"
    );
    let apart = [("/prompt", before), ("/suffix", behind)];
    let extra = [
        ("/input_prefix", above),
        ("/prompt", line),
        ("/input_suffix", behind),
    ];
    let whole = [("/prompt", qwen.as_str())];
    type Row<'a> = (&'a str, ScriptedAnswer, &'a str, &'a [(&'a str, &'a str)]);
    let rows: [Row<'_>; 6] = [
        (
            "kind = \"openai\"\nmodel = \"qwen2.5-coder\"",
            choices("4", "2"),
            "/v1/completions",
            &whole,
        ),
        (
            "kind = \"openai\"\nmodel = \"unheard-of\"",
            choices("4", "2"),
            "/v1/completions",
            &apart,
        ),
        (
            "kind = \"llama-cpp\"",
            contents("4", "2"),
            "/infill",
            &extra,
        ),
        (
            "kind = \"ollama\"\nmodel = \"qwen2.5-coder\"",
            responses("4", "2"),
            "/api/generate",
            &whole,
        ),
        (
            "kind = \"ollama\"\nmodel = \"unheard-of\"",
            responses("4", "2"),
            "/api/generate",
            &apart,
        ),
        (
            "kind = \"mistral\"\nmodel = \"codestral\"",
            deltas("4", "2"),
            "/v1/fim/completions",
            &apart,
        ),
    ];
    for (lines, answer, path, told) in rows {
        let request = request(CODE);
        let lines = format!("{lines}\nheaders = {{ x-team = \"seven\" }}");
        let (answered, sent) = played(answer, (LaneKind::Fim, &lines), &request).await;
        assert_eq!((sent.method.as_str(), sent.path.as_str()), ("POST", path));
        assert_eq!(sent.header("content-type"), Some("application/json"));
        assert_eq!(sent.header("x-team"), Some("seven"));
        assert_eq!(sent.header("authorization"), None);
        let body = body(&sent);
        assert_eq!(body["stream"], true, "{lines}");
        for (place, expected) in told {
            let told = body.pointer(place).and_then(Value::as_str);
            let told = told.unwrap_or_default();
            // A comment with the file's name may go ahead.
            assert!(told.ends_with(expected), "{lines}: {place} is {told:?}");
        }
        let answered = answered.unwrap();
        assert_eq!(
            written(&request, &answered),
            CODE.replace('‸', "42"),
            "{lines}"
        );
        assert_eq!((answered.usage, answered.withheld), (TOOK, 0), "{lines}");
    }
}

#[tokio::test]
async fn each_kind_of_server_is_asked_to_rewrite_as_it_understands() {
    let new = CODE.replace('‸', "42");
    let (head, tail) = new.split_once("let").unwrap();
    let (open, rest) = (format!("```rust\n{head}let"), format!("{tail}```\n"));
    type Row<'a> = (&'a str, ScriptedAnswer, &'a str, &'a [&'a str]);
    let rows: [Row<'_>; 4] = [
        (
            "openai-chat",
            deltas(&open, &rest),
            "/v1/chat/completions",
            &["/messages/0/content", "/messages/1/content"],
        ),
        // Where a model just goes on, the fence is open already.
        (
            "openai",
            choices(&format!("{head}let"), &rest),
            "/v1/completions",
            &["/prompt"],
        ),
        (
            "llama-cpp",
            contents(&format!("{head}let"), &rest),
            "/completion",
            &["/prompt"],
        ),
        (
            "ollama",
            responses(&open, &rest),
            "/api/generate",
            &["/system", "/prompt"],
        ),
    ];
    for (kind, answer, path, places) in rows {
        for lane in [LaneKind::NextEdit, LaneKind::Fix] {
            let request = broken(CODE);
            let lines = format!("kind = {kind:?}\nmodel = \"small\"");
            let (answered, sent) = played(answer.clone(), (lane, &lines), &request).await;
            assert_eq!(sent.path, path);
            let body = body(&sent);
            assert_eq!(
                (&body["model"], &body["stream"]),
                (&json!("small"), &json!(true))
            );
            let told = places
                .iter()
                .map(|it| body.pointer(it).unwrap().as_str().unwrap());
            let told: String = told.collect();
            assert!(told.contains("    let answer = ;\n"), "{told}");
            let tells_what_is_wrong = told.contains("expected expression");
            assert_eq!(tells_what_is_wrong, lane == LaneKind::Fix, "{kind}: {told}");
            let answered = answered.unwrap();
            assert_eq!(written(&request, &answered), new, "{kind} {lane:?}");
        }
    }
}

#[tokio::test]
async fn without_anything_wrong_there_is_nothing_to_fix_and_nobody_is_asked() {
    let server = ModelServer::start(ScriptedAnswer::silence());
    let lane = lane_at(&server, LaneKind::Fix, "kind = \"openai-chat\"");
    let answered = lane
        .ask(Arc::new(request(CODE)), CancellationToken::new())
        .await;
    assert_eq!(answered.unwrap(), LaneAnswer::default());
    assert!(server.history().is_empty());
}

#[tokio::test]
async fn a_place_that_a_model_cannot_be_told_of_has_a_reason_and_nobody_is_asked() {
    let server = ModelServer::start(ScriptedAnswer::silence());
    for (format, text, says) in [
        ("zeta-2", "a‸\n<<<<<<< HEAD\nb\n", "merge conflict"),
        ("sweep", "a‸\n<|file_sep|>b\n", "control token"),
    ] {
        let lines = format!("kind = \"openai\"\nmodel = \"m\"\nformat = {format:?}");
        let lane = lane_at(&server, LaneKind::NextEdit, &lines);
        let answered = lane
            .ask(Arc::new(request(text)), CancellationToken::new())
            .await;
        let fault = answered.unwrap_err();
        assert_eq!(fault.failure.kind.name(), "untold");
        assert!(fault.says.contains(says), "{fault}");
    }
    assert!(server.history().is_empty());
}

#[tokio::test]
async fn an_answer_may_be_as_long_as_a_region_where_nobody_says_how_long() {
    for (format, lines, tokens) in [
        ("zeta-2.1", "", 1_000),
        ("sweep", "", 1_000),
        ("zeta-2.1", "maxTokens = 300", 300),
        ("rewrite", "", 256),
    ] {
        let lines = format!("kind = \"openai\"\nmodel = \"m\"\nformat = {format:?}\n{lines}");
        let lane = (LaneKind::NextEdit, lines.as_str());
        let (_, sent) = played(choices("4", "2"), lane, &request(CODE)).await;
        assert_eq!(body(&sent)["max_tokens"], tokens, "{format}");
    }
}

#[tokio::test]
async fn the_model_for_explicit_requests_is_asked_when_the_person_asks() {
    let lines = "kind = \"openai\"\nmodel = \"qwen-small\"\nexplicitModel = \"deepseek-coder-v2\"";
    for (is_explicit, model, token) in [
        (false, "qwen-small", "<|fim_prefix|>"),
        (true, "deepseek-coder-v2", "<｜fim▁begin｜>"),
    ] {
        let mut request = request(CODE);
        request.is_explicit = is_explicit;
        let (_, sent) = played(choices("4", "2"), (LaneKind::Fim, lines), &request).await;
        let body = body(&sent);
        assert_eq!(body["model"], model);
        assert!(body["prompt"].as_str().unwrap().contains(token), "{body}");
    }
}

#[tokio::test]
async fn other_code_goes_ahead_as_the_model_knows_it() {
    let mut request = request(CODE);
    let piece = ContextPiece {
        path: "src/tax.rs".into(),
        text: "fn tax() {}".into(),
    };
    request.context = Arc::new(LaneContext::of_pieces([piece]));
    for (model, told) in [
        (
            "qwen-small",
            "<|file_sep|>src/tax.rs\nfn tax() {}\n<|file_sep|>src/cart.rs\n",
        ),
        (
            "codellama",
            "// path: src/tax.rs\n// fn tax() {}\n// path: src/cart.rs\n",
        ),
    ] {
        let lines = format!("kind = \"openai\"\nmodel = {model:?}");
        let (_, sent) = played(choices("4", "2"), (LaneKind::Fim, &lines), &request).await;
        let body = body(&sent);
        let prompt = body["prompt"].as_str().unwrap();
        assert!(prompt.contains(told), "{prompt}");
    }
    let lines = "kind = \"llama-cpp\"";
    let (_, sent) = played(contents("4", "2"), (LaneKind::Fim, lines), &request).await;
    let file = json!({ "filename": "src/tax.rs", "text": "fn tax() {}" });
    assert_eq!(body(&sent)["input_extra"], json!([file]));
}

#[tokio::test]
async fn what_it_took_is_estimated_where_the_server_does_not_say() {
    let answer = ScriptedAnswer::events(["4", "2", ""].map(|text| {
        let end = text.is_empty().then_some("stop");
        json!({ "choices": [{ "text": text, "finish_reason": end }] }).to_string()
    }));
    let lines = "kind = \"openai\"\nmodel = \"qwen-small\"";
    let (answered, sent) = played(answer, (LaneKind::Fim, lines), &request(CODE)).await;
    let TokenUsage {
        prompt_tokens,
        completion_tokens,
        ..
    } = answered.unwrap().usage;
    assert_eq!(completion_tokens, 2, "a token for each piece");
    let sent = u64::try_from(sent.body.len()).unwrap();
    assert!(
        (sent / 8..=sent / 3).contains(&prompt_tokens),
        "{prompt_tokens} tokens of {sent} bytes"
    );
}

#[tokio::test]
async fn counts_of_nothing_are_no_counts() {
    for usage in [
        json!({}),
        json!({ "prompt_tokens": 0, "completion_tokens": 0 }),
    ] {
        let answer = ScriptedAnswer::events([
            json!({ "choices": [{ "text": "42", "finish_reason": "stop" }] }).to_string(),
            json!({ "choices": [], "usage": usage }).to_string(),
        ]);
        let lines = "kind = \"openai\"\nmodel = \"qwen-small\"";
        let (answered, _) = played(answer, (LaneKind::Fim, lines), &request(CODE)).await;
        let usage = answered.unwrap().usage;
        assert_eq!(usage.completion_tokens, 1);
        assert!(usage.prompt_tokens > 10, "{usage:?}");
    }
}

#[tokio::test]
async fn a_model_that_will_not_answer_has_not_said_that_there_is_nothing_to_suggest() {
    let text = |text: &str, end: Option<&str>| {
        json!({ "choices": [{ "text": text, "finish_reason": end }] }).to_string()
    };
    let delta = |text: &str, end: Option<&str>| {
        let choice = json!({ "delta": { "content": text }, "finish_reason": end });
        json!({ "choices": [choice] }).to_string()
    };
    let refusal = json!({ "choices": [{ "delta": { "refusal": "I would rather not" } }],
        "usage": { "prompt_tokens": 7, "completion_tokens": 2 } });
    let filtered = Some("content_filter");
    let fim = (LaneKind::Fim, "kind = \"openai\"\nmodel = \"qwen-small\"");
    let chat = (LaneKind::NextEdit, "kind = \"openai-chat\"\nmodel = \"m\"");
    for (lane, frames) in [
        (fim, [text("4", None), text("", filtered)]),
        (fim, [text("4", None), text("2", filtered)]),
        (chat, [delta("```rust\nfn", None), delta("", filtered)]),
        (chat, [delta("", None), refusal.to_string()]),
    ] {
        let (answered, _) = played(ScriptedAnswer::events(frames), lane, &request(CODE)).await;
        let fault = answered.unwrap_err();
        assert_eq!(fault.failure.kind, FailureKind::Empty);
        assert!(
            fault.says.starts_with("the model will not answer"),
            "{fault}"
        );
        assert!(!fault.says.contains("rather"), "{fault}");
        assert!(fault.usage.prompt_tokens > 0);
    }
    let (answered, _) = played(
        ScriptedAnswer::events([delta("", None), refusal.to_string()]),
        chat,
        &request(CODE),
    )
    .await;
    assert_eq!(answered.unwrap_err().usage, TOOK);
}

#[tokio::test]
async fn an_answer_is_not_kept_back_for_a_count_that_does_not_come() {
    let end = json!({ "choices": [{ "text": "42", "finish_reason": "stop" }] }).to_string();
    let answer = ScriptedAnswer::events_without_done([end]).then(AnswerEnding::Silence);
    let server = ModelServer::start(answer);
    let lane = lane_at(&server, LaneKind::Fim, NO_LIMITS);
    let asked = lane.ask(Arc::new(request(CODE)), CancellationToken::new());
    let asked = tokio::time::timeout(AT_ONCE, asked).await;
    let answered = asked.expect("nobody waits for the count");
    assert_eq!(answered.unwrap().candidates.len(), 1);
}

#[tokio::test]
async fn a_control_token_ends_an_answer_wherever_it_is_cut() {
    let lines = "kind = \"openai\"\nmodel = \"qwen-small\"";
    for (first, second) in [
        ("42<|endoftext|>\nfn", " more()"),
        ("42<|endo", "ftext|>fn more()"),
        ("42<", "|fim_prefix|>fn more()"),
    ] {
        let request = request(CODE);
        let (answered, _) = played(choices(first, second), (LaneKind::Fim, lines), &request).await;
        let text = written(&request, &answered.unwrap());
        assert_eq!(text, CODE.replace('‸', "42"), "{first}{second}");
    }
}

#[tokio::test]
async fn a_control_token_in_the_document_is_not_sent() {
    let code = "// <|fim_middle|> of nowhere\nlet answer = ‸;\n";
    let lines = "kind = \"openai\"\nmodel = \"qwen-small\"";
    let (_, sent) = played(choices("4", "2"), (LaneKind::Fim, lines), &request(code)).await;
    let body = body(&sent);
    let prompt = body["prompt"].as_str().unwrap();
    assert_eq!(prompt.matches("<|fim_middle|>").count(), 1, "{prompt}");
}

#[tokio::test]
async fn a_secret_is_a_mark_on_the_wire() {
    let code = format!("let key = \"{SECRET}\";\nlet answer = ‸;\nlet other = \"{SECRET}\";\n");
    let rows = [
        (LaneKind::Fim, "openai", choices("4", "2")),
        (LaneKind::Fim, "llama-cpp", contents("4", "2")),
        (LaneKind::Fim, "ollama", responses("4", "2")),
        (LaneKind::Fim, "mistral", deltas("4", "2")),
        (LaneKind::NextEdit, "openai-chat", deltas("4", "2")),
        (LaneKind::Fix, "openai", choices("4", "2")),
        (LaneKind::Fix, "llama-cpp", contents("4", "2")),
        (LaneKind::Fix, "ollama", responses("4", "2")),
    ];
    for (lane, kind, answer) in rows {
        let lines = format!("kind = {kind:?}\nmodel = \"small\"");
        let (_, sent) = played(answer, (lane, &lines), &broken(&code)).await;
        let told = format!("{:?} {}", sent.headers, sent.text());
        assert!(!told.contains(SECRET), "{kind}: {told}");
        let marked = format!(r#"= \"{MARK}\";"#);
        assert_eq!(told.matches(&marked).count(), 2, "{kind}: {told}");
    }
}

#[tokio::test]
async fn a_mark_in_what_is_filled_in_is_withheld() {
    let code = format!("let key = \"{SECRET}\";\nlet answer = ‸;\n");
    let lines = "kind = \"openai\"\nmodel = \"qwen-small\"";
    let answer = choices("\"[REDAC", "TED-1]\"");
    let (answered, _) = played(answer, (LaneKind::Fim, lines), &request(&code)).await;
    let answered = answered.unwrap();
    assert_eq!((answered.candidates.len(), answered.withheld), (0, 1));
}

#[tokio::test]
async fn a_mark_in_a_rewritten_region_is_the_secret_again() {
    let code = format!("let key = \"{SECRET}\";\nlet answer = ‸;\n");
    let new = format!("let key = \"{MARK}\";\nlet answer = 42;\n");
    let request = request(&code);
    let answer = deltas("```rust\n", &format!("{new}```\n"));
    let lines = "kind = \"openai-chat\"";
    let (answered, _) = played(answer, (LaneKind::NextEdit, lines), &request).await;
    assert_eq!(
        written(&request, &answered.unwrap()),
        code.replace('‸', "42")
    );
}

/// Waits until the client closes the server's only connection, which it must do before the script is over and
/// at once. Returns how long after a moment that was.
async fn closed_after(server: &ModelServer, moment: Instant) -> Duration {
    let is_closed = |entries: &[HistoryEntry]| {
        let last = entries.last();
        last.is_some_and(|entry| entry.what == ConnectionEvent::ClosedByClient)
    };
    assert!(server.until(is_closed).await, "{:?}", server.history());
    let history = server.history();
    let happened = |what: &ConnectionEvent| history.iter().any(|entry| entry.what == *what);
    assert!(!happened(&ConnectionEvent::Answered), "{history:?}");
    assert_eq!(server.open_connections(), 0);
    let took = history.last().unwrap().at.saturating_duration_since(moment);
    assert!(took < AT_ONCE, "{took:?}");
    took
}

#[tokio::test]
async fn an_answer_that_is_enough_closes_the_connection() {
    let line = "let answer = ‸ + 1;\n";
    let endless = |frame: &str| AnswerEnding::Endless(format!("data: {frame}\n\n").into_bytes());
    let one = json!({ "choices": [{ "text": "42\nmore" }] }).to_string();
    let silent = ScriptedAnswer::events_without_done([&one]).then(AnswerEnding::Silence);
    let talkative = ScriptedAnswer::events_without_done([&one]).then(endless(&one));
    for answer in [silent, talkative] {
        let server = ModelServer::start(answer);
        let lane = lane_at(&server, LaneKind::Fim, NO_LIMITS);
        let request = request(line);
        let asking = lane.ask(Arc::new(request.clone()), CancellationToken::new());
        let answered = asking.await.unwrap();
        let moment = Instant::now();
        assert_eq!(written(&request, &answered), line.replace('‸', "42"));
        let took = closed_after(&server, moment).await;
        println!("closed {took:?} after the answer");
    }
}

/// Servers that have not begun, and that have.
fn slow() -> [ScriptedAnswer; 2] {
    let begun = json!({ "choices": [{ "text": "4" }] }).to_string();
    [
        ScriptedAnswer::silence(),
        ScriptedAnswer::events_without_done([begun]).then(AnswerEnding::Silence),
    ]
}

/// Waits until a server is asked, and a moment for what it says to come in.
async fn until_asked(server: &ModelServer) {
    let is_asked = |entries: &[HistoryEntry]| {
        let mut all = entries.iter();
        all.any(|entry| matches!(entry.what, ConnectionEvent::Asked(_)))
    };
    assert!(server.until(is_asked).await);
    tokio::time::sleep(Duration::from_millis(20)).await;
}

#[tokio::test]
async fn cancelling_closes_the_connection() {
    for answer in slow() {
        let server = ModelServer::start(answer);
        let lane = lane_at(&server, LaneKind::Fim, NO_LIMITS);
        let stop = CancellationToken::new();
        let asking = tokio::spawn(lane.ask(Arc::new(request(CODE)), stop.clone()));
        until_asked(&server).await;
        let moment = Instant::now();
        stop.cancel();
        let took = closed_after(&server, moment).await;
        println!("closed {took:?} after it was cancelled");
        assert!(asking.await.unwrap().is_err(), "nobody hears that");
    }
}

#[tokio::test]
async fn giving_up_closes_the_connection() {
    for answer in slow() {
        let server = ModelServer::start(answer);
        let lane = lane_at(&server, LaneKind::Fim, NO_LIMITS);
        let mut asking = lane.ask(Arc::new(request(CODE)), CancellationToken::new());
        tokio::select! {
            _ = &mut asking => unreachable!("the server never ends"),
            () = until_asked(&server) => {}
        }
        let moment = Instant::now();
        drop(asking);
        let took = closed_after(&server, moment).await;
        println!("closed {took:?} after it was dropped");
    }
}

#[tokio::test]
async fn a_token_that_is_cancelled_before_asks_nobody() {
    let server = ModelServer::start(ScriptedAnswer::silence());
    let lane = lane_at(
        &server,
        LaneKind::Fim,
        "kind = \"openai\"\nmodel = \"qwen-small\"",
    );
    let stop = CancellationToken::new();
    stop.cancel();
    assert!(lane.ask(Arc::new(request(CODE)), stop).await.is_err());
    assert!(server.history().is_empty());
}

#[tokio::test]
async fn the_next_question_uses_the_same_connection() {
    for (kind, answer) in [
        ("openai", choices("4", "2")),
        ("llama-cpp", contents("4", "2")),
        ("ollama", responses("4", "2")),
    ] {
        let server = ModelServer::start(answer);
        let lines = format!("kind = {kind:?}\nmodel = \"qwen-small\"");
        let lane = lane_at(&server, LaneKind::Fim, &lines);
        for _ in 0..4 {
            let asking = lane.ask(Arc::new(request(CODE)), CancellationToken::new());
            asking.await.unwrap();
            // The end of the answer comes in.
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let history = server.history();
        let connected = history
            .iter()
            .filter(|it| it.what == ConnectionEvent::Connected);
        assert_eq!(connected.count(), 1, "{kind}");
    }
}

/// Among characters that people see; what is only invisible is withheld by whoever judges all lanes.
#[tokio::test]
async fn an_answer_that_hides_something_is_none() {
    let fim = (LaneKind::Fim, "kind = \"openai\"\nmodel = \"tiny\"");
    let place = request(CODE);
    for hidden in [
        "is_admin(\u{202e}\u{2066})",
        "load(\u{3164})",
        "\"a\u{e0068}\u{e0069}\"",
        "\"a\u{fe00}\u{fe0f}\u{fe03}\"",
    ] {
        let (answered, _) = played(choices("4 + ", hidden), fim, &place).await;
        let kind = answered.err().map(|fault| fault.failure.kind);
        assert_eq!(kind, Some(FailureKind::MalformedStream), "{hidden:?}");
    }
    let emoji = "\"❤\u{fe0f}\u{200d}🔥 می\u{200c}خواهم\"";
    let (answered, _) = played(choices("", emoji), fim, &place).await;
    assert!(written(&place, &answered.unwrap()).contains(emoji));
}

/// A server of llama.cpp's that says what it is.
fn llama(props: ScriptedAnswer, tokens: Value) -> ModelServer {
    ModelServer::start_with(move |_, request| match request.path.as_str() {
        "/props" => props.clone(),
        "/tokenize" => ScriptedAnswer::json(json!({ "tokens": tokens }).to_string()),
        _ => contents("4", "2"),
    })
}

/// The paths that a server was asked at for two questions, and the slot of the last.
async fn asked_twice(server: &ModelServer, lane: LaneKind) -> (Vec<String>, Value) {
    let asked = lane_at(server, lane, "kind = \"llama-cpp\"");
    for _ in 0..2 {
        let request = Arc::new(broken(CODE));
        let _ = asked.ask(request, CancellationToken::new()).await;
    }
    let requests = server.requests();
    let paths = requests.iter().map(|it| it.path.clone()).collect();
    (paths, body(requests.last().unwrap())["id_slot"].clone())
}

#[tokio::test]
async fn a_server_is_asked_once_what_it_is_and_then_as_its_model_was_trained() {
    let props = json!({ "model_alias": "my-qwen", "total_slots": 4 }).to_string();
    let server = llama(ScriptedAnswer::json(&props), json!([]));
    let (paths, slot) = asked_twice(&server, LaneKind::Fim).await;
    assert_eq!(paths, ["/props", "/completion", "/completion"]);
    assert_eq!(slot, 0);
    let server = llama(ScriptedAnswer::json(&props), json!([]));
    let (paths, slot) = asked_twice(&server, LaneKind::NextEdit).await;
    assert_eq!(paths, ["/props", "/completion", "/completion"]);
    assert_eq!(slot, 1);
}

#[tokio::test]
async fn a_model_without_a_telling_name_is_known_by_its_tokens() {
    let props = json!({ "model_path": "/models/mine.gguf", "total_slots": 1 }).to_string();
    let pieces = ["<fim_prefix>", "\n", "<fim_suffix>", "\n", "<fim_middle>"];
    let tokens: Vec<Value> = pieces.iter().map(|it| json!({ "piece": it })).collect();
    let server = llama(ScriptedAnswer::json(&props), Value::from(tokens));
    let (paths, slot) = asked_twice(&server, LaneKind::Fim).await;
    assert_eq!(paths, ["/props", "/tokenize", "/completion", "/completion"]);
    assert_eq!(slot, Value::Null);
    let server = llama(
        ScriptedAnswer::json(&props),
        json!([{ "piece": "<fim_prefix>" }]),
    );
    let (paths, _) = asked_twice(&server, LaneKind::Fim).await;
    assert_eq!(paths, ["/props", "/tokenize", "/infill", "/infill"]);
}

#[tokio::test]
async fn a_server_that_does_not_say_what_it_is_is_asked_all_the_same() {
    let server = llama(ScriptedAnswer::status(404), json!([]));
    let (paths, _) = asked_twice(&server, LaneKind::Fim).await;
    assert_eq!(paths, ["/props", "/infill", "/infill"]);
    // So is one that is still loading.
    let server = llama(ScriptedAnswer::status(503), json!([]));
    let (paths, _) = asked_twice(&server, LaneKind::Fim).await;
    assert_eq!(paths.iter().filter(|path| *path == "/infill").count(), 2);
}

/// The same server with another model and less room, once it has failed.
#[tokio::test]
async fn a_server_that_was_started_anew_was_told_what_the_model_before_had_been() {
    let server = ModelServer::start_with(|number, request| match (request.path.as_str(), number) {
        ("/props", 0) => {
            let context = json!({ "n_ctx": 32_768 });
            let props = json!({ "model_alias": "qwen", "default_generation_settings": context });
            ScriptedAnswer::json(props.to_string())
        }
        ("/props", _) => {
            let context = json!({ "n_ctx": 2_048 });
            let props =
                json!({ "model_alias": "starcoder2", "default_generation_settings": context });
            ScriptedAnswer::json(props.to_string())
        }
        (_, 1) => ScriptedAnswer::status(500),
        _ => contents("4", "2"),
    });
    let mut request = request(CODE);
    let short = "fn tax() {} // <fim_middle>\n".to_owned();
    let long = short.repeat(400);
    request.context = Arc::new(LaneContext::of_pieces([short, long].map(|text| {
        ContextPiece {
            path: format!("src/{}.rs", text.len()).into(),
            text: text.into(),
        }
    })));
    let lines = format!("url = {:?}\nkind = \"llama-cpp\"", server.url());
    let settings = lane_settings_of(LaneKind::Fim, &lines);
    let asked = ModelLane::with_book(LaneKind::Fim, &settings, fast_book(&server), None);
    let request = Arc::new(request);
    for _ in 0..2 {
        let _ = asked
            .ask(Arc::clone(&request), CancellationToken::new())
            .await;
    }
    let paths: Vec<String> = server.requests().into_iter().map(|it| it.path).collect();
    assert_eq!(paths, ["/props", "/completion", "/props", "/completion"]);
    let sent = asked_for_an_answer(&server);
    let prompts = sent
        .iter()
        .map(|it| body(it)["prompt"].as_str().unwrap().to_owned());
    let prompts: Vec<String> = prompts.collect();
    assert!(prompts[0].contains("<|fim_middle|>") && prompts[0].len() > 10_000);
    assert!(prompts[1].contains("fn tax() {} // "), "{}", prompts[1]);
    assert!(prompts[1].len() < 6_000, "{}", prompts[1].len());
    assert_eq!(prompts[1].matches("<fim_middle>").count(), 1);
}

/// A book by which a server is so fast that it is told everything.
fn fast_book(server: &ModelServer) -> Arc<SpeedBook> {
    let book = SpeedBook::default();
    let key = SpeedKey {
        server: server.url(),
        model: None,
    };
    let sample = SpeedSample {
        read: Some(100_000.0),
        written: Some(1_000.0),
    };
    book.learn(&key, sample);
    Arc::new(book)
}

/// It would refuse what is longer, each time.
#[tokio::test]
async fn a_server_with_a_short_context_is_told_as_much_as_it_has_room_for() {
    let line = "    let another = something_that_was_there(before, and, is, long);\n";
    let text = format!(
        "{}    let answer = ‸;\n{}",
        line.repeat(200),
        line.repeat(200)
    );
    let told_chars = async |context: Value| {
        let props = json!({ "model_alias": "my-qwen", "default_generation_settings": context });
        let server = llama(ScriptedAnswer::json(props.to_string()), json!([]));
        let lines = format!("url = {:?}\nkind = \"llama-cpp\"", server.url());
        let settings = lane_settings_of(LaneKind::Fim, &lines);
        let asked = ModelLane::with_book(LaneKind::Fim, &settings, fast_book(&server), None);
        let request = Arc::new(request(&text));
        let answered = asked.ask(request, CancellationToken::new()).await;
        assert_eq!(answered.unwrap().candidates.len(), 1);
        let body = body(asked_for_an_answer(&server).first().unwrap());
        body["prompt"].as_str().unwrap().len()
    };
    let everything = told_chars(json!({})).await;
    assert_eq!(told_chars(json!({ "n_ctx": 32_768 })).await, everything);
    assert_eq!(told_chars(json!({ "n_ctx": "many" })).await, everything);
    let short = told_chars(json!({ "n_ctx": 2_048 })).await;
    assert!(
        (2_000..6_000).contains(&short) && short < everything,
        "{short}"
    );
    assert!(told_chars(json!({ "n_ctx": 256 })).await < 600);
    assert_eq!(told_chars(json!({ "n_ctx": 1 })).await, everything);
}

#[tokio::test]
async fn a_server_that_says_how_far_it_has_read_is_not_silent() {
    let reading = |read: u64| {
        let progress = json!({ "total": 40, "cache": 0, "processed": read });
        json!({ "content": "", "stop": false, "prompt_progress": progress }).to_string()
    };
    let last = json!({ "content": "42", "stop": true, "stop_type": "eos", "tokens_evaluated": 40,
        "tokens_predicted": 2,
        "timings": { "cache_n": 30, "prompt_n": 10, "prompt_ms": 100.0, "predicted_n": 2, "predicted_ms": 9.0 } });
    let frames = [reading(0), reading(20), last.to_string()];
    let answer = ScriptedAnswer::events_without_done(frames).every(Duration::from_millis(350));
    let lines = "kind = \"llama-cpp\"\nfirstByteMs = 200\nidleMs = 200";
    let (answered, _) = played(answer, (LaneKind::Fim, lines), &request(CODE)).await;
    assert_eq!(answered.unwrap().usage.read_tokens, Some(10));
    // As long as it says nothing, it is.
    let silent = json!({ "content": "", "stop": false }).to_string();
    let frames = [silent.clone(), silent, last.to_string()];
    let answer = ScriptedAnswer::events_without_done(frames).every(Duration::from_millis(350));
    let (answered, _) = played(answer, (LaneKind::Fim, lines), &request(CODE)).await;
    assert_eq!(answered.unwrap_err().failure.kind, FailureKind::Stalled);
}

#[tokio::test]
async fn a_server_that_reads_on_is_told_of_and_one_that_says_the_same_again_is_not() {
    let reading = |read: u64| {
        let progress = json!({ "total": 40, "cache": 10, "processed": read });
        json!({ "content": "", "stop": false, "prompt_progress": progress }).to_string()
    };
    let text = json!({ "content": "4", "stop": false }).to_string();
    let last = json!({ "content": "2", "stop": true, "stop_type": "eos" }).to_string();
    let told = async |read: [u64; 2]| {
        let frames = read.map(reading).into_iter();
        let frames = frames.chain([text.clone(), last.clone()]);
        let server = ModelServer::start(ScriptedAnswer::events_without_done(frames));
        let lane = lane_at(&server, LaneKind::Fim, "kind = \"llama-cpp\"");
        let told = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&told);
        let progress = Arc::new(move |it| heard.lock().unwrap().push(it));
        let request = Arc::new(request(CODE));
        let answered = lane.ask_telling(request, CancellationToken::new(), progress);
        assert_eq!(answered.await.unwrap().candidates.len(), 1);
        let mut told = std::mem::take(&mut *told.lock().unwrap());
        // On a machine that is busy, it is told more often.
        told.dedup();
        told
    };
    let writing = LaneProgress::Writing(Vec::new());
    assert_eq!(
        told([20, 30]).await,
        [LaneProgress::Reading, writing.clone()]
    );
    assert_eq!(told([10, 10]).await, [writing]);
}
