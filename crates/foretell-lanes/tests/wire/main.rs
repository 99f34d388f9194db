//! A model server and everything that goes wrong with one, against a scripted server: real sockets,
//! and real time where a fault is about time.
#![allow(
    clippy::unwrap_used,
    reason = "a test may stop at what it did not expect"
)]
#![allow(
    clippy::print_stdout,
    reason = "a test that runs itself in another process reads what it prints there"
)]

mod addresses;
mod closing;
mod encryption;
mod faults;
mod framing;
mod keys;
mod proxies;
mod refusals;
mod secrecy;

use foretell_lanes::LaneFault;
use foretell_lanes::model::server_client::ServerClient;
use foretell_settings::settings;
use foretell_testkit::model_server::{ModelServer, ScriptedAnswer};
use foretell_testkit::written_settings::lane_settings_of;
use foretell_text::{FailureKind, LaneKind};
use serde_json::{Value, json};

/// The fim lane's settings, from the lines of a table.
fn lane(lines: &str) -> settings::LaneSettings {
    lane_settings_of(LaneKind::Fim, lines)
}

/// A server at an address, with more of its settings.
fn server_at(url: &str, lines: &str) -> ServerClient {
    ServerClient::new(LaneKind::Fim, &lane(&format!("url = {url:?}\n{lines}"))).unwrap()
}

/// What is asked where it does not matter.
fn question() -> Value {
    json!({"model": "tiny", "prompt": "let answer = "})
}

/// Every payload of a server's answer, and the fault that ended it, if one did.
async fn heard(server: &ServerClient) -> (Vec<String>, Option<LaneFault>) {
    let mut payloads = Vec::new();
    let mut reply = match server.post("/v1/completions", &question()).await {
        Ok(reply) => reply,
        Err(fault) => return (payloads, Some(fault)),
    };
    loop {
        match reply.next().await {
            Ok(Some(payload)) => payloads.push(payload),
            Ok(None) => return (payloads, None),
            Err(fault) => return (payloads, Some(fault)),
        }
    }
}

/// What comes of an answer, with short patience: payloads and the fault.
async fn played(answer: ScriptedAnswer) -> (Vec<String>, Option<LaneFault>) {
    let scripted = ModelServer::start(answer);
    heard(&server_at(
        &scripted.url(),
        "firstByteMs = 300\nidleMs = 200",
    ))
    .await
}

/// A fault as `kind: words`, with the port taken out of the address.
fn told(fault: Option<LaneFault>) -> String {
    let Some(fault) = fault else {
        return "no fault".to_owned();
    };
    let words: Vec<String> = fault.says.split(' ').map(without_port).collect();
    format!("{}: {}", fault.failure.kind.name(), words.join(" "))
}

fn without_port(word: &str) -> String {
    match word.split_once("://127.0.0.1:") {
        Some((scheme, rest)) => {
            let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            format!("{scheme}://127.0.0.1{rest}")
        }
        None => word.to_owned(),
    }
}

/// That a fault is of a kind.
fn kind(fault: &Option<LaneFault>) -> Option<FailureKind> {
    fault.as_ref().map(|fault| fault.failure.kind)
}
