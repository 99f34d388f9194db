//! `foretell complete` with a real llama.cpp server.
//!
//! The server is the program that `TEST_FORETELL_LLAMA` names, which `.ci/llama` unpacks; where it is
//! not set, these tests say that they were left out. The model that fills in the middle says noise, and
//! the one that chats is too small to be good at it, so what is looked at is that the way there and
//! back works: a suggestion, or a silence with a name.
#![allow(
    clippy::print_stdout,
    reason = "a test that was left out says so, and what a model said is worth seeing"
)]

#[path = "support/workspace.rs"]
mod workspace;

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::workspace::{Ended, Workspace};

const VARIABLE: &str = "TEST_FORETELL_LLAMA";

const CODE: &str = "def add(a, b):\n    return a + b\n\n\ndef sub(a, b):\n    return \n";
const PLACE: &str = "sums.py:6:12";

/// A server that runs until this is dropped.
struct Llama {
    process: Child,
    url: String,
}

impl Llama {
    /// Starts one with a model; nothing where there is none to start.
    fn start(model: &str) -> Option<Llama> {
        let Some(program) = std::env::var_os(VARIABLE) else {
            println!("left out: {VARIABLE} is not set; see .ci/llama");
            return None;
        };
        // It ends when its input does, and so with this process however that ends.
        let started = Command::new(program)
            .args([model, "0"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let mut process = started.expect("the program that was named starts");
        let said = process.stdout.take().expect("it is piped");
        let mut url = String::new();
        let read = BufReader::new(said).read_line(&mut url);
        assert!(read.is_ok_and(|read| read > 0), "the server did not begin");
        let url = url.trim().to_owned();
        assert!(url.starts_with("http://127.0.0.1:"), "{url}");
        Some(Llama { process, url })
    }
}

impl Drop for Llama {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}

/// What came of asking with one lane alone, set up as these say.
fn complete(llama: &Llama, lane: &str, more: &[&str]) -> (Ended, Value) {
    let workspace = Workspace::new(&[("sums.py", CODE)]);
    let url = format!("lanes.{lane}.url={}", llama.url);
    let patience = format!("lanes.{lane}.firstByteMs=60000");
    let pause = format!("lanes.{lane}.idleMs=30000");
    let mut arguments = vec![PLACE, "--json"];
    let others = ["fim", "nextEdit", "fix"]
        .into_iter()
        .filter(|it| *it != lane);
    let others: Vec<String> = others
        .map(|it| format!("lanes.{it}.enabled=false"))
        .collect();
    let set = [url.as_str(), &patience, &pause, "race.explicitCapMs=120000"];
    let others = others.iter().map(String::as_str);
    for setting in set.into_iter().chain(others).chain(more.iter().copied()) {
        arguments.extend(["--set", setting]);
    }
    let ended = workspace.run("complete", &arguments);
    println!("{lane} with {more:?}: {}{}", ended.stdout, ended.stderr);
    let is_well = matches!(ended.status, Some(0..=2));
    assert!(is_well, "{:?}: {}", ended.status, ended.stderr);
    let json = serde_json::from_str(&ended.stdout).expect("JSON");
    (ended, json)
}

/// That something is suggested, or that there is a name for why not.
fn is_named(ended: &Ended, json: &Value) {
    let candidates = json["candidates"].as_array().map_or(0, Vec::len);
    match ended.status {
        Some(0) => assert!(candidates > 0, "{json}"),
        _ => assert!(json["withheld"].is_string(), "{json}"),
    }
    assert_ne!(json["withheld"], "timed-out", "it is slow, but not as slow");
}

#[test]
fn noise_is_filled_in_or_named() {
    let Some(llama) = Llama::start("fim") else {
        return;
    };
    let ways: [&[&str]; 3] = [
        &["lanes.fim.kind=llama-cpp"],
        &[
            "lanes.fim.kind=openai",
            "lanes.fim.model=tiny-fim",
            "lanes.fim.template=qwen",
        ],
        &[
            "lanes.fim.kind=openai",
            "lanes.fim.template={prefix}<|fim_suffix|>{suffix}",
        ],
    ];
    for way in ways {
        let (ended, json) = complete(&llama, "fim", way);
        is_named(&ended, &json);
        if json["withheld"] == "lane-failed" {
            // Noise may have characters in it that no text has.
            let kind = &json["lanes"][0]["fault"]["kind"];
            assert_eq!(kind, "malformed-stream", "{json}");
        }
    }
}

#[test]
fn a_small_model_rewrites_or_says_what_cannot_be_placed() {
    let Some(llama) = Llama::start("chat") else {
        return;
    };
    for kind in ["openai-chat", "openai", "llama-cpp"] {
        let kind = format!("lanes.nextEdit.kind={kind}");
        let more = [kind.as_str(), "lanes.nextEdit.maxTokens=200"];
        let (ended, json) = complete(&llama, "nextEdit", &more);
        is_named(&ended, &json);
        if json["withheld"] == "lane-failed" {
            assert_eq!(json["lanes"][0]["fault"]["kind"], "unplaced", "{json}");
        }
    }
}

/// The formats of models that were trained for next edits, told to models that were not: the prompt gets there,
/// the answer comes back, and nothing of it reaches the document.
#[test]
fn noise_in_the_format_of_a_next_edit_reaches_no_document() {
    for model in ["fim", "chat"] {
        let Some(llama) = Llama::start(model) else {
            return;
        };
        let completing = ["zeta-2.1", "zeta-2", "sweep", "sweep-v2"];
        let ways = completing.map(|format| (format, &["llama-cpp", "openai"][..]));
        // The first model was taught no chat.
        let chatting = (model == "chat").then_some(("mercury", &["openai-chat"][..]));
        for (format, kinds) in ways.into_iter().chain(chatting) {
            for kind in kinds {
                let kind = format!("lanes.nextEdit.kind={kind}");
                let format = format!("lanes.nextEdit.format={format}");
                let more = [kind.as_str(), &format, "lanes.nextEdit.maxTokens=96"];
                let (ended, json) = complete(&llama, "nextEdit", &more);
                is_named(&ended, &json);
                let candidates = json["candidates"].to_string();
                for marker in ["<|", "|>", "<[", "<<<<<<<", ">>>>>>>", "NO_EDITS", "```"] {
                    assert!(!candidates.contains(marker), "{format}: {candidates}");
                }
                if model == "fim" {
                    assert_ne!(ended.status, Some(0), "{format}: {json}");
                }
                if json["withheld"] == "lane-failed" {
                    let kind = json["lanes"][0]["fault"]["kind"]
                        .as_str()
                        .unwrap_or_default();
                    let is_known = ["unplaced", "empty", "malformed-stream"].contains(&kind);
                    assert!(is_known, "{format}: {json}");
                }
            }
        }
    }
}

#[test]
fn a_model_that_cannot_fill_in_says_so() {
    let Some(llama) = Llama::start("chat") else {
        return;
    };
    let (ended, json) = complete(&llama, "fim", &["lanes.fim.kind=llama-cpp"]);
    assert_eq!(ended.status, Some(2));
    assert_eq!(json["withheld"], "lane-failed");
    let fault = &json["lanes"][0]["fault"];
    assert_eq!(fault["kind"], "server-error", "{json}");
    let says = fault["says"].as_str().unwrap_or_default();
    assert!(
        says.contains("Infill is not supported by this model"),
        "{says}"
    );
}
