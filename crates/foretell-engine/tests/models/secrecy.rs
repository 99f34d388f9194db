//! A key that can be recognised, and everything that could have it.
//!
//! The test runs itself in another process, which gets the key in its environment, does all it can to
//! let it out, and prints everything there is to print. What that process printed, by whichever part of
//! it, is searched here.

use std::process::Command;

use foretell_lanes::model::{ModelLane, probe, server_client::ServerClient};
use foretell_testkit::model_server::{AnswerEnding, ModelServer, ScriptedAnswer};
use foretell_text::LaneKind;
use serde_json::json;

use crate::desk::{Desk, PATIENT, resolved, settings};

const VARIABLE: &str = "TEST_FORETELL_KEY";
const KEY: &str = "sk-RECOGNISABLE-4711x-x0815";
/// The same in an address.
const ESCAPED: &str = "sk%2DRECOGNISABLE%2D4711x%2Dx0815";
const HEADER: &str = "UNMISTAKABLE-x2342";

#[test]
fn a_key_is_in_nothing_that_a_process_prints() {
    let this = std::env::current_exe().unwrap();
    let mut command = Command::new(this);
    command.args([
        "--exact",
        "secrecy::everything_is_printed",
        "--nocapture",
        "--test-threads=1",
    ]);
    command.env(VARIABLE, KEY).env("RUST_BACKTRACE", "1");
    let ended = command.output().unwrap();
    let printed = [ended.stdout, ended.stderr].concat();
    let printed = String::from_utf8_lossy(&printed);
    assert!(ended.status.success(), "{printed}");
    assert!(printed.contains("everything: 65 questions"), "{printed}");
    assert!(printed.contains("reqwest::"), "the client's log is printed");
    for piece in ["RECOGN", "4711x", "x0815", "UNMIST", "x2342"] {
        let found = printed.lines().find(|line| line.contains(piece));
        assert_eq!(found, None, "{piece} was printed");
    }
}

/// Everything that a server could say with a key in it.
fn echoes() -> Vec<ScriptedAnswer> {
    let quoted = format!(
        "wrong key {KEY}, or {HEADER}; sk-RECOGN*****x0815; POST /{KEY}/v1/completions?key={ESCAPED}"
    );
    let object = json!({ "error": { "message": quoted } }).to_string();
    let piece = json!({ "choices": [{ "text": "4" }] }).to_string();
    vec![
        ScriptedAnswer::status(401).body(&object),
        ScriptedAnswer::status(403).body(&quoted),
        ScriptedAnswer::status(429)
            .body(&object)
            .header("retry-after", KEY),
        ScriptedAnswer::status(500).body(&object),
        ScriptedAnswer::json(&object),
        ScriptedAnswer::events([object.as_str()]),
        ScriptedAnswer::events([piece.as_str(), &object]),
        ScriptedAnswer::events([piece.as_str(), &quoted]),
        ScriptedAnswer::json(json!({ "error": quoted }).to_string()),
        ScriptedAnswer::json(json!({ "object": "error", "message": quoted }).to_string()),
        ScriptedAnswer::json(format!("{{\"choices\": \"{quoted}\"}}")).content_type(KEY),
        ScriptedAnswer::status(307).header("location", format!("https://example.com/{KEY}")),
        ScriptedAnswer::events([piece.as_bytes(), quoted.as_bytes(), b"\xff"])
            .then(AnswerEnding::Cut),
    ]
}

/// A log of everything that anybody logs, the HTTP client included.
struct Printed;

impl log::Log for Printed {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        println!("{} {}", record.target(), record.args());
    }

    fn flush(&self) {}
}

#[tokio::test]
async fn everything_is_printed() {
    if std::env::var_os(VARIABLE).is_none() {
        return;
    }
    log::set_logger(&Printed).unwrap();
    log::set_max_level(log::LevelFilter::Trace);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("key");
    std::fs::write(&file, KEY).unwrap();
    let file = file.to_str().unwrap();
    let sources = [
        format!("apiKeyEnv = {VARIABLE:?}"),
        format!("apiKeyFile = {file:?}"),
        format!("apiKeyCommand = 'cat \"{file}\"'"),
        format!("headers = {{ authorization = \"Bearer {KEY}\" }}"),
        "headers = {}".to_owned(),
    ];
    let mut asked = 0;
    for source in &sources {
        for answer in echoes() {
            let server = ModelServer::start(answer);
            let source = if source.starts_with("headers") {
                source.clone()
            } else {
                format!("{source}\nheaders = {{ x-other = {HEADER:?} }}")
            };
            // The last one has it in the address.
            let address = if source.ends_with("{}") {
                format!("{}/{KEY}?key={ESCAPED}", server.url())
            } else {
                server.url()
            };
            let written = settings(&format!("{PATIENT}url = {address:?}\n{source}\n"));
            asked += print_all(&written, &server).await;
        }
    }
    println!("everything: {asked} questions");
}

/// Asks by the engine, by the lane and by a probe, and prints all that comes of it.
async fn print_all(written: &str, server: &ModelServer) -> usize {
    let settings = resolved(written);
    // What the person wrote as an address is theirs to see among their settings.
    if !written.contains(ESCAPED) {
        println!("{settings:?}\n{settings:#?}");
    }
    let fim = &settings.lanes.fim;
    let (lane, wire) = (
        ModelLane::new(LaneKind::Fim, fim),
        ServerClient::new(LaneKind::Fim, fim),
    );
    println!("{lane:?}\n{lane:#?}\n{wire:?}");
    let mut desk = Desk::with(written);
    desk.printed = Some(String::new());
    desk.open("a.rs");
    let request = desk.ask("a.rs");
    let answered = desk.until_answered(request).await;
    println!("{answered:?}\n{}", desk.printed.take().unwrap());
    for lane in LaneKind::ALL {
        let fault = desk.engine.fault(lane);
        println!("{fault:?}\n{fault:#?}\n{:?}", desk.fault(lane));
    }
    println!("{:?}", desk.rests);
    let said = server.requests();
    assert!(!said.is_empty(), "nobody was asked");
    let in_header = |it: &str| it.ends_with(KEY);
    let is_sent = said.iter().all(|it| {
        let header = it.header("authorization");
        header.is_some_and(in_header) || it.path.contains(KEY)
    });
    assert!(is_sent, "the key was not sent");
    let probed = probe::probe(LaneKind::Fim, fim).await;
    println!("{probed:?}\n{probed:#?}");
    let left = desk.engine.shut_down().await;
    println!("{left:?}");
    1
}

#[test]
fn settings_that_are_turned_away_do_not_print_what_they_say() {
    let written = format!(
        "[lanes.fim]\nheaders = \"{KEY}\"\napiKeyFile = 3\napiKeyEnv = \"{KEY}\"\napiKey = \"{KEY}\"\n"
    );
    let (raw, faults) = foretell_settings::RawSettings::from_toml(
        foretell_settings::Home::UserFile,
        "config.toml",
        &written,
    );
    let (settings, more) = foretell_settings::Settings::resolve(&[raw]);
    let said: Vec<_> = more.iter().map(ToString::to_string).collect();
    assert_eq!(said.len(), 4, "{said:?}");
    let printed = format!("{faults:?} {more:?} {said:?} {settings:?}");
    assert!(!printed.contains("RECOGN"), "{printed}");
}
