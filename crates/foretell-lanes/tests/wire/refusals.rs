//! What statuses mean, and what is repeated of what a server says with them.

use foretell_testkit::model_server::{ModelServer, ScriptedAnswer};
use foretell_text::FailureKind;

use crate::{heard, kind, played, server_at, told};

#[tokio::test]
async fn each_status_has_its_kind_and_says_what_to_do() {
    let server_error = "http://127.0.0.1 is broken itself: see what the model server logs";
    let cases = [
        (400, "client-error: http://127.0.0.1 does not take the request: check lanes.fim.kind, .model and .template".to_owned()),
        (401, "client-error: http://127.0.0.1 wants a key: name one by lanes.fim.apiKeyEnv, .apiKeyFile or .apiKeyCommand".to_owned()),
        (404, "client-error: http://127.0.0.1 has no such endpoint or model: check lanes.fim.kind, .url and .model".to_owned()),
        (413, "client-error: http://127.0.0.1 finds the request too large: lower lanes.fim.maxPrefixChars or the context's budget".to_owned()),
        (429, "too-many-requests: http://127.0.0.1 has had too many requests: wait, or set lanes.fim.requestsPerMinute lower".to_owned()),
        (500, format!("server-error: {server_error}")),
        (501, "server-error: http://127.0.0.1 cannot do that: choose another lanes.fim.model or .kind".to_owned()),
        (503, format!("server-error: {server_error}")),
        (529, format!("server-error: {server_error}")),
    ];
    for (status, words) in cases {
        let (_, fault) = played(ScriptedAnswer::status(status)).await;
        assert_eq!(told(fault), format!("{words} (status {status})"));
    }
}

#[tokio::test]
async fn a_server_that_loads_its_model_says_so() {
    let body = r#"{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}"#;
    let (_, fault) = played(ScriptedAnswer::status(503).body(body)).await;
    let words = "loading: http://127.0.0.1 is still loading its model: wait a moment (status 503)";
    assert_eq!(told(fault), format!("{words}; it says: Loading model"));
}

#[tokio::test]
async fn a_server_is_quoted() {
    let body = r#"{"error":"model 'tiny' not found, try pulling it first"}"#;
    let (_, fault) = played(ScriptedAnswer::status(404).body(body)).await;
    let told = told(fault);
    assert!(
        told.ends_with("(status 404); it says: model 'tiny' not found, try pulling it first"),
        "{told}"
    );
}

#[tokio::test]
async fn a_page_is_not_quoted() {
    for body in ["<html><h1>Bad gateway</h1>", "\u{0}\u{1}"] {
        let (_, fault) = played(ScriptedAnswer::status(502).body(body)).await;
        assert!(told(fault).ends_with("(status 502)"));
    }
}

#[tokio::test]
async fn of_a_flood_the_beginning_is_quoted() {
    let flood = "x".repeat(1_000_000);
    let cut = |text: &str| text.chars().take(300).chain(['…']).collect::<String>();
    for (body, words) in [
        (
            format!("no such model\n{flood}"),
            "no such model".to_owned(),
        ),
        (flood.clone(), cut(&flood)),
        (
            format!(r#"{{"detail":[{{"msg":"no such \"model\"","input":"{flood}"}}]}}"#),
            r#"no such "model""#.to_owned(),
        ),
        (
            format!(r#"{{"error":{{"message":"no such model: {flood}"}}}}"#),
            cut(&format!("no such model: {flood}")),
        ),
        (
            format!(r#"{{"error":"no\n such \ud83e\udd80{flood}"}}"#),
            cut(&format!("no such 🦀{flood}")),
        ),
    ] {
        let (_, fault) = played(ScriptedAnswer::status(422).body(&body)).await;
        let told = told(fault);
        assert!(
            told.ends_with(&format!("(status 422); it says: {words}")),
            "{told}"
        );
    }
}

#[tokio::test]
async fn what_a_refusal_has_said_is_quoted_though_it_does_not_end() {
    use foretell_testkit::model_server::AnswerEnding;
    let answer = ScriptedAnswer::status(500)
        .body("it is tired")
        .then(AnswerEnding::Silence);
    let (_, fault) = played(answer).await;
    assert!(told(fault).ends_with("(status 500); it says: it is tired"));
}

#[tokio::test]
async fn a_refusal_that_never_ends_is_one_all_the_same() {
    use foretell_testkit::model_server::AnswerEnding;
    let endings = [
        AnswerEnding::Silence,
        AnswerEnding::Cut,
        AnswerEnding::Endless(b"more ".to_vec()),
    ];
    for ending in endings {
        let (_, fault) = played(ScriptedAnswer::status(500).body("it is ").then(ending)).await;
        assert_eq!(kind(&fault), Some(FailureKind::ServerError), "{fault:?}");
    }
}

#[tokio::test]
async fn a_rest_is_kept_as_the_server_asks() {
    let cases = [
        (429, "7", Some(7_000)),
        (429, "0", Some(0)),
        (429, "99999999999", Some(86_400_000)),
        (429, "Wed, 21 Oct 2015 07:28:00 GMT", Some(0)),
        (429, "-1", None),
        (429, "soon", None),
        (503, "2", Some(2_000)),
        (500, "2", None),
    ];
    for (status, says, expected) in cases {
        let (_, fault) = played(ScriptedAnswer::status(status).header("retry-after", says)).await;
        assert_eq!(
            fault.unwrap().failure.retry_after_ms,
            expected,
            "{status} {says}"
        );
    }
    let (_, fault) = played(ScriptedAnswer::status(429)).await;
    assert_eq!(fault.unwrap().failure.retry_after_ms, None);
}

#[tokio::test]
async fn a_redirect_is_not_followed_but_named() {
    let elsewhere = ModelServer::start(ScriptedAnswer::json("{}"));
    let to = format!("{}/secret?key=1", elsewhere.url());
    let cases = [
        (302, to.as_str(), "127.0.0.1"),
        (307, "https://api.example.com/v1?key=1", "api.example.com"),
        (308, "/other", "127.0.0.1"),
        (301, "http://[", "another address"),
        (304, "", "127.0.0.1"),
    ];
    for (status, to, host) in cases {
        let answer = ScriptedAnswer::status(status).header("location", to);
        let (_, fault) = played(answer).await;
        assert_eq!(
            told(fault),
            format!(
                "client-error: http://127.0.0.1 sends requests on to {host}: set lanes.fim.url to \
                 where they belong (status {status})"
            )
        );
    }
    assert!(elsewhere.requests().is_empty());
}

#[tokio::test]
async fn what_was_sent_is_not_repeated() {
    let echo = ModelServer::start_with(|_, request| {
        let told = format!("cannot read {}", request.text());
        ScriptedAnswer::status(400)
            .body(serde_json::json!({"error": {"message": told}}).to_string())
    });
    let (_, fault) = heard(&server_at(&echo.url(), "")).await;
    let told = told(fault);
    assert!(!told.contains("let answer"), "{told}");
    assert!(told.contains("it says: cannot read"), "{told}");
}

#[tokio::test]
async fn what_was_sent_is_not_repeated_in_capitals_either() {
    let echo = ModelServer::start_with(|_, request| {
        let told = format!("CANNOT READ {}", request.text().to_uppercase());
        ScriptedAnswer::status(400)
            .body(serde_json::json!({"error": {"message": told}}).to_string())
    });
    let (_, fault) = heard(&server_at(&echo.url(), "")).await;
    let told = told(fault);
    assert!(!told.contains("LET ANSWER"), "{told}");
    assert!(told.contains("it says: CANNOT READ"), "{told}");
}

#[tokio::test]
async fn what_was_sent_is_not_repeated_in_an_address_either() {
    use std::fmt::Write as _;
    let echo = ModelServer::start_with(|_, request| {
        let mut told = String::from("no such page: /?q=");
        request.text().bytes().for_each(|byte| match byte {
            b'a'..=b'z' => told.push(char::from(byte)),
            _ => write!(told, "%{byte:02X}").expect("a text"),
        });
        ScriptedAnswer::status(404).body(told)
    });
    let (_, fault) = heard(&server_at(&echo.url(), "")).await;
    let told = told(fault);
    assert!(!told.contains("answer"), "{told}");
    assert!(told.contains("it says: no such page: /?q="), "{told}");
}
