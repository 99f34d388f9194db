//! What whoever asks is told of what a lane sends: the very bytes, and nothing where nothing leaves.
#![allow(
    clippy::unwrap_used,
    reason = "a test may stop at what it did not expect"
)]

use std::sync::{Arc, Mutex};

use foretell_lanes::model::{ModelLane, SentRequest, SentRequestObserver};
use foretell_lanes::{Lane, LaneRequest};
use foretell_settings::settings;
use foretell_testkit::lane_requests::{MARK, SECRET, request_at, with_one_secret};
use foretell_testkit::model_server::{ModelServer, ScriptedAnswer};
use foretell_testkit::written_settings::lane_settings_of;
use foretell_text::LaneKind;
use tokio_util::sync::CancellationToken;

/// Keeps all that it is told.
#[derive(Default)]
struct Notes(Mutex<Vec<SentRequest>>);

impl SentRequestObserver for Notes {
    fn sent(&self, sent: SentRequest) {
        self.0.lock().unwrap().push(sent);
    }
}

fn request() -> LaneRequest {
    let text = format!("let password = {SECRET:?};\nlet answer = ");
    with_one_secret(request_at("src/cart.rs", "rust", &text, text.len()))
}

fn settings_of(lines: &str) -> settings::LaneSettings {
    let lines = format!("kind = \"openai\"\nmodel = \"qwen2.5-coder\"\n{lines}");
    lane_settings_of(LaneKind::Fim, &lines)
}

/// What was told of a question by a lane with these settings.
async fn noted(lines: &str) -> Vec<SentRequest> {
    let notes = Arc::new(Notes::default());
    let told = Arc::clone(&notes);
    let lane = ModelLane::with_book(
        LaneKind::Fim,
        &settings_of(lines),
        Arc::default(),
        Some(told),
    );
    let asked = lane.ask(Arc::new(request()), CancellationToken::new());
    let _ = asked.await;
    std::mem::take(&mut *notes.0.lock().unwrap())
}

#[tokio::test]
async fn what_is_told_is_what_the_server_got_to_the_byte() {
    let server = ModelServer::start(ScriptedAnswer::json(r#"{"choices":[{"text":"42"}]}"#));
    let url = server.url();
    let headers = "headers = { x-token = \"sk-header\" }";
    let noted = noted(&format!("url = \"{url}/sk-path/v1\"\n{headers}\n")).await;
    let got = server.requests();
    assert_eq!((noted.len(), got.len()), (1, 1));
    let sent = &noted[0];
    assert_eq!(sent.body, got[0].body, "the same bytes");
    let body = String::from_utf8(sent.body.to_vec()).unwrap();
    assert!(body.contains(MARK) && !body.contains(SECRET), "{body}");
    assert_eq!((&*sent.to, sent.has_hidden_path), (&*url, true));
    assert_eq!(sent.path, "/v1/completions");
    assert_eq!(sent.document.as_str(), "file:///src/cart.rs");
    let all = format!("{sent:?}{body}{}", sent.to);
    assert!(!all.contains("sk-"), "no key, and no place for one: {all}");
}

#[tokio::test]
async fn without_its_key_nothing_leaves_and_nothing_is_told() {
    let server = ModelServer::start(ScriptedAnswer::json("{}"));
    let url = server.url();
    let key = "apiKeyEnv = \"FORETELL_TEST_NO_SUCH_KEY\"";
    let noted = noted(&format!("url = {url:?}\n{key}\n")).await;
    assert_eq!((noted.len(), server.requests().len()), (0, 0));
}
