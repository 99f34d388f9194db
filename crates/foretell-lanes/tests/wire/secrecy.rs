//! A key that can be recognised, in everything that can be printed.

use std::fmt::{Debug, Display};

use foretell_lanes::LaneFault;
use foretell_lanes::model::server_client::ServerClient;
use foretell_testkit::model_server::{AnswerEnding, ModelServer, ScriptedAnswer, TestCertificate};
use foretell_text::{FailureKind, LaneKind};

use crate::{lane, question, server_at};

const KEY: &str = "sk-RECOGNISABLE-4711x-x0815";
const HEADER: &str = "Bearer UNMISTAKABLE-x2342";

/// Settings with a key and a header.
fn secretly(folder: &tempfile::TempDir) -> String {
    let path = folder.path().join("key");
    std::fs::write(&path, KEY).unwrap();
    format!(
        "apiKeyFile = {:?}\nheaders = {{ x-other = {HEADER:?} }}\nfirstByteMs = 200\nidleMs = 100",
        path.to_str().unwrap()
    )
}

fn assert_silent(printed: &str) {
    for piece in ["RECOGN", "4711x", "x0815", "UNMIST", "x2342"] {
        assert!(!printed.contains(piece), "{piece} is in {printed}");
    }
}

fn printed(thing: &(impl Debug + Display)) -> String {
    format!("{thing} {thing:?} {thing:#?}")
}

#[tokio::test]
async fn no_failure_and_nothing_that_prints_has_a_key_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let lines = secretly(&folder);
    let quoted = format!("Incorrect API key {KEY} or {HEADER}; sk-RECOGN*****x0815, {KEY}");
    let object = serde_json::json!({"error": {"message": quoted}}).to_string();
    let mut answers = vec![
        ScriptedAnswer::silence(),
        ScriptedAnswer::hang_up(),
        ScriptedAnswer::raw(&quoted),
        ScriptedAnswer::json(&quoted),
        ScriptedAnswer::events_without_done(["{}"]).then(AnswerEnding::Silence),
        ScriptedAnswer::events_without_done(["{}"]).then(AnswerEnding::Cut),
        ScriptedAnswer::events_without_done(["{}"]).then(AnswerEnding::BadChunk),
        ScriptedAnswer::events([quoted.as_bytes(), b"\xff"]),
        ScriptedAnswer::status(302).header("location", format!("https://example.com/{KEY}")),
        ScriptedAnswer::json("{}").content_type(KEY),
    ];
    for status in [400, 401, 403, 404, 422, 429, 500, 503] {
        answers.push(ScriptedAnswer::status(status).body(&quoted));
        answers.push(ScriptedAnswer::status(status).body(&object));
    }
    let mut faults = 0;
    for answer in answers {
        let scripted = ModelServer::start(answer);
        let server = server_at(&scripted.url(), &lines);
        assert_silent(&format!("{server:?} {server:#?} {}", server.address()));
        let mut reply = match server.post("/v1/completions", &question()).await {
            Ok(reply) => reply,
            Err(fault) => {
                assert_silent(&printed(&fault));
                faults += 1;
                continue;
            }
        };
        assert_silent(&format!("{reply:?} {reply:#?}"));
        while let Some(payload) = reply.next().await.transpose() {
            assert_silent(&format!("{reply:?}"));
            if let Err(fault) = payload {
                assert_silent(&printed(&fault));
                faults += 1;
                break;
            }
        }
        assert_silent(&format!("{server:?}"));
        let asked = scripted.requests();
        let key = asked[0].header("authorization").unwrap();
        assert!(
            key.ends_with(KEY),
            "the key was not sent, so nothing was tested"
        );
    }
    assert!(faults > 20, "{faults}");
}

#[tokio::test]
async fn no_broken_connection_has_a_key_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let lines = secretly(&folder);
    let encrypted = ModelServer::start_encrypted(
        ScriptedAnswer::json("{}"),
        &TestCertificate::of("127.0.0.1"),
    );
    let query = format!("{}/v1?key={KEY}", encrypted.url());
    let refused = format!("{}/{KEY}", ModelServer::refusing());
    for url in [query.as_str(), &refused, "https://no-such-host.invalid"] {
        let server = server_at(url, &lines);
        assert_silent(&format!("{server:?} {}", server.address()));
        let fault = server
            .post("/v1/completions", &question())
            .await
            .unwrap_err();
        assert_silent(&printed(&fault));
    }
}

#[tokio::test]
async fn a_key_in_the_address_is_not_repeated() {
    let escaped = "sk%2DRECOGNISABLE%2D4711x%2Fx0815";
    let paths = [
        format!("/{KEY}"),
        format!("/gateway/{KEY}/v1/"),
        format!("/{escaped}"),
        format!("/?key={KEY}"),
        format!("/v1?user=a&key={escaped}"),
        format!("/?{KEY}"),
        "/short/x2342".to_owned(),
    ];
    let decoded = "sk-RECOGNISABLE-4711x/x0815";
    for path in paths {
        let quoted = format!(
            "no route POST {path}/v1/completions; {KEY} {escaped} {decoded} sk-RECOGN***x0815 (x2342)"
        );
        let quoted = if path.ends_with("x2342") {
            "no route POST /short/x2342/v1/completions (x2342)".to_owned()
        } else {
            quoted.replace("x2342", "")
        };
        let object = serde_json::json!({"error": {"message": quoted}}).to_string();
        for answer in [
            ScriptedAnswer::status(401).body(&quoted),
            ScriptedAnswer::status(404).body(&object),
            ScriptedAnswer::status(500).body(&object),
            ScriptedAnswer::events([&object]),
        ] {
            let scripted = ModelServer::start(answer);
            let server = server_at(&format!("{}{path}", scripted.url()), "");
            let fault = match server.post("/v1/completions", &question()).await {
                Err(fault) => fault,
                Ok(mut reply) => {
                    let payload = reply.next().await.unwrap().unwrap();
                    let broke = LaneFault::new(FailureKind::ServerError, "the server broke");
                    reply.own(broke, &payload)
                }
            };
            assert!(fault.says.contains("it says: no route POST ***"), "{fault}");
            assert_silent(&printed(&fault));
        }
    }
}

#[tokio::test]
async fn plain_words_of_an_address_cost_no_more_than_the_words_that_have_them() {
    let scripted =
        ModelServer::start(ScriptedAnswer::status(400).body("an apiary has no api for tiny"));
    let server = server_at(&format!("{}/api", scripted.url()), "");
    let fault = server
        .post("/v1/completions", &question())
        .await
        .unwrap_err();
    assert!(
        fault
            .says
            .ends_with("it says: an apiary has no *** for tiny"),
        "{fault}"
    );
}

#[test]
fn no_setting_that_is_turned_away_is_quoted() {
    let urls = [
        format!("https://{KEY}@example.com"),
        format!("https://example.com/#{KEY}"),
        format!("{KEY}://example.com"),
        format!("{KEY} and more"),
        format!("http://example.com/{KEY}"),
    ];
    for url in urls {
        let misconfigured = ServerClient::new(LaneKind::Fim, &lane(&format!("url = {url:?}")));
        assert_silent(&printed(&misconfigured.unwrap_err()));
    }
}

#[tokio::test]
async fn a_failure_told_in_the_middle_of_an_answer_is_repeated_without_what_was_sent() {
    let folder = tempfile::tempdir().unwrap();
    let told = format!("out of memory for {KEY} at let salary = sum(people)");
    let payload = serde_json::json!({"error": {"message": told}}).to_string();
    let scripted = ModelServer::start(ScriptedAnswer::events([&payload]));
    let server = server_at(&scripted.url(), &secretly(&folder));
    let asked = serde_json::json!({"prompt": "let salary = sum(people);"});
    let mut reply = server.post("/v1/completions", &asked).await.unwrap();
    let payload = reply.next().await.unwrap().unwrap();
    let broke = LaneFault::new(FailureKind::ServerError, "the server broke");
    let fault = reply.own(broke.clone(), &payload);
    assert_silent(&printed(&fault));
    assert_eq!(fault.failure, broke.failure);
    let says = "the server broke; it says: out of memory for *** at …";
    assert_eq!(&*fault.says, says);
    assert_eq!(reply.own(broke.clone(), "{}"), broke);
}
