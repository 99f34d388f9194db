//! The answer to a person who asks what left their machine.

use std::sync::Arc;
use std::time::Duration;

use foretell_engine::reexports::SentRequest;
use foretell_text::{DocumentId, LaneKind};
use serde_json::json;

use super::*;

fn kept(lane: LaneKind, has_hidden_path: bool, body: &str) -> SentRecord {
    SentRecord {
        at: UNIX_EPOCH + Duration::from_secs(1_000),
        sent: SentRequest {
            lane,
            document: DocumentId::new("file:///src/cart.rs"),
            is_ahead: false,
            is_explicit: false,
            to: Arc::from("https://models.example:8443"),
            has_hidden_path,
            path: "/v1/completions",
            body: body.to_owned().into(),
        },
    }
}

fn now() -> SystemTime {
    UNIX_EPOCH + Duration::from_millis(1_002_500)
}

#[test]
fn without_models_nothing_was_sent() {
    let told = serde_json::to_value(sent(&[], now())).unwrap();
    let expected = json!({ "sent": [], "text": "Nothing was sent to any model.\n" });
    assert_eq!(told, expected);
}

#[test]
fn all_of_it_is_shown_with_its_marks() {
    let body = json!({
        "max_tokens": 64,
        "prompt": "let key = \"[REDACTED-1]\";\nlet a = [REDACTED-2] + [REDACTED-1]",
    });
    let all = [
        kept(LaneKind::Fim, true, &body.to_string()),
        kept(LaneKind::Fix, false, "{}"),
    ];
    let told = sent(&all, now());
    let expected = "What each lane sent last, the latest first.\n\
        \n\
        fim, 2.5 s ago, about cart.rs: 93 bytes; 2 secrets were taken out and marked\n\
        POST https://models.example:8443/***/v1/completions\n\
        \x20 \"max_tokens\": 64\n\
        \x20 \"prompt\":\n\
        \x20   | let key = \"[REDACTED-1]\";\n\
        \x20   | let a = [REDACTED-2] + [REDACTED-1]\n\
        \n\
        fix, 2.5 s ago, about cart.rs: 2 bytes; no secret was found in it\n\
        POST https://models.example:8443/v1/completions\n\
        \x20 {}\n";
    assert_eq!(told.text, expected, "\n{}", told.text);
    let data = serde_json::to_value(&told.sent[0]).unwrap();
    let expected = json!({
        "lane": "fim",
        "at": 1_000_000,
        "ago": 2_500,
        "uri": "file:///src/cart.rs",
        "explicit": false,
        "url": "https://models.example:8443/***/v1/completions",
        "secrets": 2,
        "body": body,
    });
    assert_eq!(data, expected);
    let printed = format!("{:?}", told.sent);
    assert!(!printed.contains("let key"), "{printed}");
}

#[test]
fn a_clock_that_was_set_back_does_no_harm() {
    let told = sent(
        &[kept(LaneKind::Fim, false, "not json \u{1b}[31m")],
        UNIX_EPOCH,
    );
    assert_eq!(told.sent[0].ago, 0);
    assert_eq!(told.sent[0].body, json!("not json \u{1b}[31m"));
    assert!(!told.text.contains('\u{1b}'));
}
