//! Servers that load their model, hang, or talk nonsense about themselves, and a document that is too long for any
//! of them: slower, never wrong, and always with a reason.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use foretell_core::{Event, RequestCause, RequestId, RequestKind, SuggestionRequest};
use foretell_testkit::model_server::{ModelServer, ScriptedAnswer};
use foretell_text::{ByteOffset, DocumentId, LaneKind, Language, Text, Version};
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::desk::{Desk, HASTY, PATIENT, from, settings};

fn desk(server: &ModelServer, times: &str) -> Desk {
    Desk::with(&settings(&format!("{times}url = {:?}\n", server.url())))
}

/// One that answers questions by a script, knowing how many there were before, and nothing else.
fn questioned(script: impl Fn(usize) -> ScriptedAnswer + Send + Sync + 'static) -> ModelServer {
    let questions = AtomicUsize::new(0);
    ModelServer::start_with(move |_, request| match request.method.as_str() {
        "POST" => script(questions.fetch_add(1, Ordering::Relaxed)),
        _ => ScriptedAnswer::status(404),
    })
}

fn filled_in(more: &Value) -> ScriptedAnswer {
    let mut said = json!({ "choices": [{ "text": "42", "finish_reason": "stop" }] });
    for (name, value) in more.as_object().into_iter().flatten() {
        said[name] = value.clone();
    }
    ScriptedAnswer::events([said.to_string()])
}

#[tokio::test]
async fn a_server_that_loads_its_model_is_asked_again_and_does_not_rest() {
    let loading = json!({ "error": { "code": 503, "message": "Loading model",
                                     "type": "unavailable_error" } });
    let server = questioned(move |number| match number {
        0..4 => ScriptedAnswer::status(503).body(loading.to_string()),
        _ => filled_in(&json!({})),
    });
    let mut desk = desk(&server, PATIENT);
    desk.open("a.rs");
    let end = Instant::now() + Duration::from_secs(30);
    loop {
        let (answer, _) = desk.touch_and_ask("a.rs").await;
        if from(&answer) == Some(LaneKind::Fim) {
            break;
        }
        assert_eq!(desk.fault(LaneKind::Fim).0, "loading");
        assert!(Instant::now() < end, "it has its model by now");
        desk.pass(Duration::from_millis(250)).await;
    }
    assert_eq!(desk.fault(LaneKind::Fim).0, "none");
    // Three failures would have let it rest for ten seconds.
    assert!(
        desk.rests.iter().all(|(_, millis)| *millis < 10_000),
        "{:?}",
        desk.rests
    );
}

#[tokio::test]
async fn a_server_that_never_answers_rests_after_three() {
    let server = questioned(|_| ScriptedAnswer::silence());
    let mut desk = desk(&server, HASTY);
    desk.open("a.rs");
    for _ in 0..3 {
        assert_eq!(desk.rests, []);
        desk.touch_and_ask("a.rs").await;
    }
    assert_eq!(desk.rests, [(LaneKind::Fim, 10_000)]);
    let (kind, says) = desk.fault(LaneKind::Fim);
    assert_eq!(kind, "timed-out");
    assert!(says.contains("lanes.fim.firstByteMs"), "{says}");
}

#[tokio::test]
async fn nonsense_about_tokens_and_times_changes_no_answer() {
    let nonsense = [
        json!({ "usage": { "prompt_tokens": -1, "completion_tokens": 1e300 } }),
        json!({ "usage": "many", "timings": { "prompt_n": "all", "prompt_ms": null } }),
        json!({ "timings": { "prompt_n": u64::MAX, "prompt_ms": 1e-300, "predicted_n": -1 } }),
        json!({ "usage": null, "timings": [] }),
    ];
    let times = nonsense.len();
    let server = questioned(move |number| filled_in(&nonsense[number % nonsense.len()]));
    let mut desk = desk(&server, PATIENT);
    desk.open("a.rs");
    for _ in 0..times {
        let (answer, _) = desk.touch_and_ask("a.rs").await;
        assert_eq!(from(&answer), Some(LaneKind::Fim));
    }
    assert_eq!(desk.rests, []);
}

#[tokio::test]
async fn of_a_document_of_5_megabytes_as_much_is_told_as_of_any_other() {
    let server = questioned(|_| filled_in(&json!({})));
    let mut desk = desk(&server, PATIENT);
    let line = "    let price = order.price * rate; // 価格\n";
    let text = line.repeat(5_000_000 / line.len());
    let at = ByteOffset::new(line.len() * 60_000 - 1);
    let document = DocumentId::new("file:///long.rs");
    desk.engine.tell(Event::DocumentOpened {
        document: document.clone(),
        language: Language::new("rust"),
        version: Version::new(1),
        text: Text::from(&*text),
    });
    desk.engine
        .tell(Event::SuggestionRequested(SuggestionRequest {
            request: RequestId::new(1),
            document,
            version: None,
            at,
            cause: RequestCause::Explicit,
            kind: RequestKind::Inline,
        }));
    desk.take();
    let (answer, _) = desk.until_answered(1).await;
    assert_eq!(from(&answer), Some(LaneKind::Fim));
    let requests = server.requests();
    let asked = requests.iter().find(|it| it.method == "POST").unwrap();
    assert!(asked.body.len() < 40_000, "{}", asked.body.len());
}
