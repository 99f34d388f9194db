//! Servers that are slow, lie about it, change while they run, or have little room, and the prompts that they
//! get.
#![allow(
    clippy::unwrap_used,
    reason = "a test may stop at what it did not expect"
)]

use std::sync::Arc;
use std::time::Duration;

use foretell_lanes::model::ModelLane;
use foretell_lanes::model::server_speed::{SpeedBook, SpeedKey, SpeedSample};
use foretell_lanes::{Lane, LaneAnswer, LaneContext, LaneFault, LaneRequest, QuestionPurpose};
use foretell_testkit::lane_requests::{request_at, with_one_secret};
use foretell_testkit::model_server::{ModelServer, ReceivedRequest, ScriptedAnswer};
use foretell_testkit::written_settings::lane_settings_of;
use foretell_text::{FailureKind, LaneKind};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

/// A token of code has three characters, at the least on average.
const CHARS_PER_TOKEN: usize = 3;

/// A long file with the cursor in the middle of it, and code of other files.
fn request() -> LaneRequest {
    request_in(0)
}

/// The same in another place for each number.
fn request_in(number: usize) -> LaneRequest {
    let line = |index: usize| format!("let place_{number}_{index} = order.price({index}, rate);\n");
    let text: String = (0..600).map(line).collect();
    let at = text.find(&format!("place_{number}_300")).unwrap() - 4;
    let mut request = with_one_secret(request_at("src/cart.ts", "typescript", &text, at));
    let context = format!("## Related code\n\n{}", "const other = 1;\n".repeat(400));
    request.context = Arc::new(LaneContext::of_markdown(context));
    request
}

fn settings_lines(server: &ModelServer, lines: &str) -> String {
    format!("url = {:?}\n{lines}", server.url())
}

fn lane_at(server: &ModelServer, lane: LaneKind, lines: &str) -> ModelLane {
    ModelLane::new(
        lane,
        &lane_settings_of(lane, &settings_lines(server, lines)),
    )
}

async fn ask(lane: &ModelLane, request: LaneRequest) -> Result<LaneAnswer, LaneFault> {
    lane.ask(Arc::new(request), CancellationToken::new()).await
}

/// The bodies of the requests for an answer.
fn prompts(server: &ModelServer) -> Vec<Value> {
    let asks = |request: &ReceivedRequest| request.method == "POST";
    let requests = server.requests().into_iter().filter(asks);
    let body = |request: ReceivedRequest| serde_json::from_slice::<Value>(&request.body).unwrap();
    requests
        .map(body)
        .filter(|body| body.get("stream").is_some())
        .collect()
}

/// How long all texts of a body are, in estimated tokens.
fn tokens(body: &Value) -> usize {
    fn length(value: &Value) -> usize {
        match value {
            Value::String(text) => text.len(),
            Value::Array(items) => items.iter().map(length).sum(),
            Value::Object(fields) => fields.values().map(length).sum(),
            Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        }
    }
    length(body) / CHARS_PER_TOKEN
}

/// An answer of llama.cpp's with these timings.
fn timed(timings: &Value) -> ScriptedAnswer {
    let word = |index: usize| format!("word_{index} ");
    let frames = (0..12).map(|index| {
        json!({ "content": word(index), "stop": false, "timings": timings }).to_string()
    });
    let last = json!({ "content": "", "stop": true, "stop_type": "eos", "tokens_evaluated": 2000,
                       "tokens_predicted": 12, "timings": timings });
    ScriptedAnswer::events_without_done(frames.chain([last.to_string()]))
}

fn of_llama(
    props: Value,
    answer: impl Fn(usize) -> ScriptedAnswer + Send + Sync + 'static,
) -> ModelServer {
    ModelServer::start_with(move |number, request| match request.path.as_str() {
        "/props" => ScriptedAnswer::json(props.to_string()),
        _ => answer(number),
    })
}

#[tokio::test]
async fn a_server_that_says_how_slow_it_is_gets_a_prompt_that_it_reads_in_time() {
    let props = json!({ "model_alias": "qwen2.5-coder", "total_slots": 1 });
    let slow =
        json!({ "prompt_n": 900, "prompt_ms": 90.0, "predicted_n": 12, "predicted_ms": 1.0 });
    let server = of_llama(props, move |_| {
        timed(&slow).after(Duration::from_millis(100))
    });
    // 10,000 tokens a second, of which a fiftieth of a second has room for 200.
    let lane = lane_at(
        &server,
        LaneKind::Fim,
        "kind = \"llama-cpp\"\ntargetMs = 20",
    );
    for number in 0..3 {
        ask(&lane, request_in(number)).await.unwrap();
    }
    assert_eq!(lane.speed().unwrap().read, Some(10_000));
    let sizes: Vec<usize> = prompts(&server).iter().map(tokens).collect();
    assert!(sizes[0] > 600, "nothing was known: {sizes:?}");
    assert!((200..400).contains(&sizes[1]), "{sizes:?}");
    assert!((200..400).contains(&sizes[2]), "{sizes:?}");
}

#[tokio::test]
async fn a_server_that_says_nonsense_is_measured_by_the_clock() {
    for nonsense in [
        json!({ "prompt_n": 0, "prompt_ms": 0, "predicted_n": 0, "predicted_ms": 0 }),
        json!({ "prompt_n": -5, "prompt_ms": -1e300, "predicted_n": -1, "predicted_ms": -1 }),
        json!({ "prompt_n": 900, "prompt_ms": 1e300, "predicted_n": 12, "predicted_ms": 1e300 }),
        json!({ "prompt_n": "many", "prompt_ms": "soon", "predicted_n": {}, "predicted_ms": [] }),
        json!({ "prompt_n": 1e300, "prompt_ms": 1e-300, "predicted_n": null }),
        json!({ "prompt_n": u64::MAX, "prompt_ms": 1.0, "predicted_n": u64::MAX, "predicted_ms": 1.0 }),
        json!("fast"),
        json!(null),
    ] {
        let timings = nonsense.clone();
        let props = json!({ "model_alias": "qwen2.5-coder", "total_slots": 1 });
        let server = of_llama(props, move |_| {
            timed(&timings).after(Duration::from_millis(100))
        });
        let lane = lane_at(&server, LaneKind::Fim, "kind = \"llama-cpp\"");
        let answer = ask(&lane, request()).await.unwrap();
        assert!(
            answer.usage.read_tokens.is_none_or(|read| read <= 2_000),
            "{nonsense}"
        );
        let speed = lane.speed().unwrap();
        // A thousand tokens in a tenth of a second, however busy this machine is.
        let read = speed.read.unwrap_or_default();
        assert!((10..20_001).contains(&read), "{nonsense}: {speed:?}");
    }
}

#[tokio::test]
async fn a_server_that_only_reads_ahead_says_how_fast_it_reads() {
    let props = json!({ "model_alias": "qwen2.5-coder", "total_slots": 1 });
    let server = of_llama(props, |_| {
        let timings = json!({ "cache_n": 0, "prompt_n": 900, "prompt_ms": 90.0,
                              "predicted_n": 0, "predicted_ms": 0.0 });
        let last = json!({ "content": "", "stop": true, "stop_type": "limit",
                           "tokens_evaluated": 900, "tokens_predicted": 0, "timings": timings });
        ScriptedAnswer::events_without_done([last.to_string()]).after(Duration::from_millis(100))
    });
    let lane = lane_at(&server, LaneKind::Fim, "kind = \"llama-cpp\"");
    let warm = LaneRequest {
        purpose: QuestionPurpose::Warm,
        ..request()
    };
    ask(&lane, warm).await.unwrap();
    let speed = lane.speed().unwrap();
    assert_eq!((speed.read, speed.written), (Some(10_000), None));
}

#[tokio::test]
async fn a_server_that_drops_its_cache_gets_prompts_of_one_size() {
    let props = json!({ "model_alias": "qwen2.5-coder", "total_slots": 1 });
    let all = json!({ "cache_n": 0, "prompt_n": 400, "prompt_ms": 100.0, "predicted_n": 12,
                      "predicted_ms": 1.0 });
    let server = of_llama(props, move |_| {
        timed(&all).after(Duration::from_millis(110))
    });
    let lane = lane_at(
        &server,
        LaneKind::Fim,
        "kind = \"llama-cpp\"\ntargetMs = 200",
    );
    for _ in 0..5 {
        ask(&lane, request()).await.unwrap();
    }
    let sizes: Vec<usize> = prompts(&server).iter().map(tokens).collect();
    assert!(sizes[1..].iter().all(|size| *size == sizes[1]), "{sizes:?}");
}

#[tokio::test]
async fn a_server_that_takes_as_long_for_every_prompt_gets_prompts_of_one_size() {
    let server = ModelServer::start_with(|_, request| match request.path.as_str() {
        "/v1/completions" => {
            let usage = json!({ "prompt_tokens": 900, "completion_tokens": 1,
                                "prompt_tokens_details": { "cached_tokens": 0 } });
            let frames = [
                json!({ "choices": [{ "text": "x", "finish_reason": "stop" }] }).to_string(),
                json!({ "choices": [], "usage": usage }).to_string(),
            ];
            ScriptedAnswer::events(frames).after(Duration::from_millis(100))
        }
        _ => ScriptedAnswer::status(404),
    });
    let lines = "kind = \"openai\"\nmodel = \"qwen2.5-coder\"\ntargetMs = 40";
    let lane = lane_at(&server, LaneKind::Fim, lines);
    for number in 0..10 {
        ask(&lane, request_in(number)).await.unwrap();
    }
    let sizes: Vec<usize> = prompts(&server).iter().map(tokens).collect();
    assert!(
        sizes.iter().all(|size| size.abs_diff(sizes[0]) < 20),
        "{sizes:?}"
    );
}

#[tokio::test]
async fn a_chat_fits_into_a_context_of_2048_tokens() {
    let props = json!({ "default_generation_settings": { "n_ctx": 2048 }, "total_slots": 1 });
    let server = of_llama(props, |_| {
        ScriptedAnswer::events([
            r#"{"choices":[{"delta":{"content":"```\nx\n```"},"finish_reason":"stop"}]}"#,
        ])
    });
    let lines = "kind = \"openai-chat\"\nmodel = \"any\"";
    for lane in [LaneKind::NextEdit, LaneKind::Fix] {
        let lane = lane_at(&server, lane, lines);
        // What it says of the region is nothing to suggest.
        let _ = ask(&lane, request()).await;
    }
    let prompts = prompts(&server);
    let prompt = &prompts[0];
    let answer = prompt["max_tokens"].as_u64().unwrap() as usize;
    assert!(
        tokens(prompt) + answer <= 2_048,
        "{} + {answer}",
        tokens(prompt)
    );
    let told = prompt["messages"][1]["content"].as_str().unwrap();
    assert!(told.contains("place_0_300"), "{told}");
    assert!(told.contains("place_0_299"), "{told}");
}

#[tokio::test]
async fn a_server_whose_context_became_shorter_is_told_less_after_it_refused() {
    let refusal = json!({ "error": { "code": 400, "type": "exceed_context_size_error",
        "message": "request (3000 tokens) exceeds the available context size (512 tokens), try increasing it" }});
    let server = ModelServer::start_with(move |_, request| match request.path.as_str() {
        "/v1/completions" if request.body.len() > 1_600 => {
            ScriptedAnswer::status(400).body(refusal.to_string())
        }
        "/v1/completions" => {
            ScriptedAnswer::events([r#"{"choices":[{"text":"x","finish_reason":"stop"}]}"#])
        }
        _ => ScriptedAnswer::status(404),
    });
    let lane = lane_at(
        &server,
        LaneKind::Fim,
        "kind = \"openai\"\nmodel = \"qwen2.5-coder\"\ntargetMs = 60000",
    );
    let fault = ask(&lane, request_in(1)).await.unwrap_err();
    assert_eq!(fault.failure.kind, FailureKind::ClientError);
    ask(&lane, request_in(2)).await.unwrap();
    let sizes: Vec<usize> = prompts(&server).iter().map(tokens).collect();
    assert!(sizes[1] < 512, "{sizes:?}");
}

#[tokio::test]
async fn looking_at_a_prompt_does_not_change_the_next_one() {
    let server = ModelServer::start(ScriptedAnswer::silence());
    let book = Arc::new(SpeedBook::default());
    let lines = settings_lines(&server, "kind = \"openai\"\nmodel = \"qwen2.5-coder\"");
    let settings = lane_settings_of(LaneKind::Fim, &lines);
    let lane = ModelLane::with_book(LaneKind::Fim, &settings, Arc::clone(&book), None);
    let learn = |read: f64| {
        let key = SpeedKey {
            server: format!("{} qwen2.5-coder", server.url()),
            model: None,
        };
        let (read, written) = (Some(read), None);
        // The middle one of five counts.
        (0..5).for_each(|_| book.learn(&key, SpeedSample { read, written }));
    };
    let explained = || {
        let message = lane.explain(&request()).unwrap().unwrap();
        tokens(&message.body)
    };
    learn(300.0);
    let small = explained();
    learn(1_000.0);
    let large = explained();
    assert!(large > small);
    // It is near to the large one, but no such prompt was sent.
    learn(700.0);
    let between = explained();
    assert!(
        small < between && between < large,
        "{small} {between} {large}"
    );
}

#[tokio::test]
async fn lanes_of_one_server_share_what_they_learn_of_it() {
    let server = ModelServer::start(ScriptedAnswer::silence());
    let book = Arc::new(SpeedBook::default());
    let key = SpeedKey {
        server: format!("{} any", server.url()),
        model: None,
    };
    let sample = SpeedSample {
        read: Some(150.0),
        written: Some(20.0),
    };
    book.learn(&key, sample);
    for (lane, repeats_region) in [(LaneKind::NextEdit, true), (LaneKind::Fix, true)] {
        let lines = settings_lines(&server, "kind = \"openai-chat\"\nmodel = \"any\"");
        let settings = lane_settings_of(lane, &lines);
        let lane = ModelLane::with_book(lane, &settings, Arc::clone(&book), None);
        let speed = lane.speed().unwrap();
        assert_eq!((speed.read, speed.written), (Some(150), Some(20)));
        assert_eq!(speed.repeats_region, repeats_region);
    }
}

#[tokio::test]
async fn ollama_is_asked_for_the_same_room_however_short_the_prompt_is() {
    let answer = json!({ "response": "x", "done": true, "done_reason": "stop", "prompt_eval_count": 900,
        "prompt_eval_duration": 55_000_000, "eval_count": 40, "eval_duration": -3 });
    let server = ModelServer::start(
        ScriptedAnswer::lines([answer.to_string()]).after(Duration::from_millis(60)),
    );
    let lane = lane_at(
        &server,
        LaneKind::Fim,
        "kind = \"ollama\"\nmodel = \"qwen2.5-coder\"\ntargetMs = 10",
    );
    for number in 0..3 {
        ask(&lane, request_in(number)).await.unwrap();
    }
    let prompts = prompts(&server);
    let rooms: Vec<&Value> = prompts.iter().map(|it| &it["options"]["num_ctx"]).collect();
    assert!(rooms.iter().all(|room| *room == rooms[0]), "{rooms:?}");
    assert!(tokens(&prompts[2]) < tokens(&prompts[0]));
}
