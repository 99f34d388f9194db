//! A session that is recorded: the file is whole when the session is over, however it ended, and what is
//! in it replays to the answers that the client got.

use std::fs;
use std::path::Path;
use std::time::Instant;

use foretell_core::{Answer, Order};
use foretell_lsp::{ServerOptions, SessionEnd};
use foretell_observe::{NewRecording, RecordedContent};
use foretell_trace::{Replay, ReplayOptions, Trace, TurnOutcome};
use lsp_server::Message;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::{ClientConnection, MAIN, PATIENCE, scripted};

/// A server that records, in a directory of its own.
fn recording(kind: RecordedContent) -> (ClientConnection, TempDir) {
    let directory = tempfile::tempdir().expect("a directory");
    let recording = NewRecording::create(&directory.path().join("session.jsonl"), kind);
    let mut client = ClientConnection::start(ServerOptions {
        recording: Some(recording.expect("a file")),
        ..scripted()
    });
    client.begin(json!({ "capabilities": {} }));
    (client, directory)
}

/// What of a session is looked at again: how long each suggestion is that was answered.
fn session(client: &mut ClientConnection) -> Vec<usize> {
    client.open(MAIN, "let x\nlet größe\n");
    let mut lengths = Vec::new();
    let mut ask = |client: &mut ClientConnection, line, column| {
        let items = client.items(line, column);
        let texts = items.iter().map(|it| it["insertText"].as_str());
        lengths.extend(texts.map(|it| it.expect("a text").len()));
        items
            .first()
            .map(|it| it["command"]["arguments"][0].clone())
    };
    ask(client, 0, 5);
    client.type_at(2, (0, 5), " ");
    client.type_at(3, (0, 6), "=");
    ask(client, 0, 7);
    let offered = ask(client, 1, 9).expect("something");
    client.notify("foretell/didReject", json!({ "id": offered }));
    ask(client, 1, 9);
    lengths
}

/// The answers that a replay of a recording gives.
fn replayed(file: &Path) -> (Vec<usize>, String) {
    let lines = fs::read_to_string(file).expect("a recording");
    assert!(lines.ends_with('\n'), "whole lines");
    let trace = Trace::read("session.jsonl", lines.as_bytes()).expect("a trace");
    let mut replay =
        Replay::new(&trace, &[], ReplayOptions::default()).expect("settings that apply");
    let mut lengths = Vec::new();
    while let Some(turn) = replay.advance() {
        for outcome in turn.outcomes {
            if let TurnOutcome::Order(Order::Answer {
                answer: Answer::Candidates(offers),
                ..
            }) = outcome
            {
                let parts = offers
                    .iter()
                    .flat_map(|it| it.candidate.edit.replacements());
                lengths.extend(parts.map(|it| it.new_text().len()));
            }
        }
    }
    (lengths, lines)
}

fn file(directory: &TempDir) -> std::path::PathBuf {
    directory.path().join("session.jsonl")
}

#[test]
fn a_recorded_session_replays_to_the_same_answers() {
    for kind in [RecordedContent::Whole, RecordedContent::Shape] {
        let (mut client, directory) = recording(kind);
        let got = session(&mut client);
        assert_eq!(got.len(), 3, "the last was rejected");
        client.leave();
        let (replayed, lines) = replayed(&file(&directory));
        assert_eq!(replayed, got);
        assert!(lines.contains(r#""event":"connect""#));
        assert!(lines.contains(r#""event":"shutdown""#), "to the end");
        let is_readable = lines.contains("größe") || lines.contains("src/main");
        assert_eq!(is_readable, kind == RecordedContent::Whole);
    }
}

#[test]
fn a_recording_is_whole_however_a_session_ends() {
    let (mut client, directory) = recording(RecordedContent::Whole);
    let got = session(&mut client);
    assert_eq!(client.exit(), SessionEnd::WithoutShutdown);
    assert_eq!(replayed(&file(&directory)).0, got);

    let (mut client, directory) = recording(RecordedContent::Whole);
    let got = session(&mut client);
    assert_eq!(client.vanish(), SessionEnd::WithoutShutdown);
    assert_eq!(replayed(&file(&directory)).0, got);

    let (client, directory) = recording(RecordedContent::Shape);
    client.leave();
    let (got, lines) = replayed(&file(&directory));
    assert_eq!(got, [0; 0]);
    assert!(lines.lines().count() >= 3, "{lines}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_the_recording_and_not_the_server() {
    let recording = NewRecording::create(Path::new("/dev/full"), RecordedContent::Whole);
    let mut client = ClientConnection::start(ServerOptions {
        recording: Some(recording.expect("a device")),
        ..scripted()
    });
    client.begin(json!({ "capabilities": {} }));
    client.open(MAIN, "let x");
    let (mut shown, mut logged) = (Vec::new(), 0);
    let deadline = Instant::now() + PATIENCE;
    // The disk is found to be full sooner or later, and that is said once.
    let mut more = 20;
    while more > 0 {
        assert!(Instant::now() < deadline, "it is said in time");
        more -= usize::from(!shown.is_empty());
        let asked = client.ask(0, 5);
        loop {
            match client.hear() {
                Message::Notification(it) if it.method == "window/showMessage" => {
                    shown.push(it.params);
                }
                Message::Notification(it) if it.method == "window/logMessage" => logged += 1,
                Message::Response(it) => {
                    assert_eq!(it.id, asked.into());
                    let answer = it.response_result.expect("an answer");
                    assert_eq!(answer["items"][0]["insertText"], " = 1;");
                    break;
                }
                other => unreachable!("{other:?}"),
            }
        }
    }
    let words = shown[0]["message"].as_str().expect("words");
    assert!(words.contains("/dev/full: No space left"), "{words}");
    assert_eq!((shown.len(), logged), (1, 1), "once");
    assert_eq!(shown[0]["type"], Value::from(2));
    client.leave();
}
