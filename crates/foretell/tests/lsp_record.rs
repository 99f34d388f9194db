//! `foretell lsp --record` and `--record-shape` as an editor starts them: what is in the file when the
//! process is over, and that replaying it gives the answers that the editor got.

#[path = "support/server.rs"]
mod server;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

use server::Server;

const SCRIPT: &str = r#"[{"after": "let secretword", "insert": " = 1;", "delayMs": 5}]"#;

/// A directory for a test, with a script in it.
fn directory(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).expect("a directory");
    fs::write(directory.join("script.json"), SCRIPT).expect("a file");
    directory
}

/// Plays a session: how many suggestions each request got.
fn play(server: &mut Server) -> Vec<usize> {
    let document = json!({ "uri": "file:///home/somebody/a.rs", "languageId": "rust", "version": 1,
        "text": "let secret\n" });
    let params = json!({ "textDocument": document });
    server.say(&json!({ "method": "textDocument/didOpen", "params": params }));
    let mut answers = Vec::new();
    for (id, letter) in (10..).zip("word".chars()) {
        let at = json!({ "line": 0, "character": id });
        let change = json!({ "range": { "start": at, "end": at }, "text": letter.to_string() });
        let params = json!({
            "textDocument": { "uri": "file:///home/somebody/a.rs", "version": id },
            "contentChanges": [change],
        });
        server.say(&json!({ "method": "textDocument/didChange", "params": params }));
        let params = json!({
            "textDocument": { "uri": "file:///home/somebody/a.rs" },
            "position": { "line": 0, "character": id + 1 },
            "context": { "triggerKind": 1 },
        });
        server.ask(id, "textDocument/inlineCompletion", params);
        let answer = server.hear();
        let items = answer["result"]["items"].as_array().expect("a list");
        answers.push(items.len());
    }
    assert_eq!(answers, [0, 0, 0, 1]);
    answers
}

fn start(directory: &Path, flags: &[&str]) -> Server {
    let script = directory.join("script.json");
    let script = script.to_str().expect("a path in text");
    Server::ready(&[&["--script", script], flags].concat())
}

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_foretell"));
    command.args(arguments).output().expect("the binary runs")
}

/// How many suggestions each request got in a replay.
fn replayed(file: &Path) -> Vec<usize> {
    let output = run(&["replay", "--json", file.to_str().expect("a path in text")]);
    let said = String::from_utf8(output.stdout).expect("text");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    let rows = said
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    let answers = rows.filter(|row: &Value| row["action"] == "answer");
    let answers = answers.map(|row| row["candidates"].as_array().map_or(0, Vec::len));
    answers.collect()
}

#[test]
fn a_session_is_recorded_and_replays() {
    for (flag, is_readable) in [("--record", true), ("--record-shape", false)] {
        let directory = directory(&format!("record{flag}"));
        let file = directory.join("session.jsonl");
        let mut server = start(&directory, &[flag, file.to_str().expect("text")]);
        let answers = play(&mut server);
        server.ask(2, "shutdown", Value::Null);
        assert_eq!(server.hear()["id"], 2);
        server.say(&json!({ "jsonrpc": "2.0", "method": "exit" }));
        assert_eq!(server.end(), Some(0));

        assert_eq!(replayed(&file), answers);
        let lines = fs::read_to_string(&file).expect("a recording");
        assert!(lines.ends_with("\"event\":\"shutdown\"}\n"), "{lines}");
        assert_eq!(lines.contains("let secret"), is_readable);
        assert_eq!(lines.contains("somebody"), is_readable);

        // People read it too.
        let told = run(&["replay", file.to_str().expect("text")]);
        let told = String::from_utf8(told.stdout).expect("text");
        assert!(told.starts_with("0:00.000 "), "{told}");
        let evaluated = run(&["eval", file.to_str().expect("text")]);
        assert_eq!(evaluated.status.code(), Some(0));
    }
}

#[test]
fn nothing_is_lost_when_the_input_is_closed() {
    let directory = directory("record-closed");
    let file = directory.join("session.jsonl");
    let mut server = start(&directory, &["--record", file.to_str().expect("text")]);
    let answers = play(&mut server);
    assert_eq!(server.end(), Some(1));
    assert_eq!(replayed(&file), answers);
}

#[test]
fn an_earlier_recording_is_left_alone() {
    let directory = directory("record-again");
    let file = directory.join("session.jsonl");
    fs::write(&file, "mine").expect("a file");
    let mut server = start(
        &directory,
        &["--record-shape", file.to_str().expect("text")],
    );
    let answers = play(&mut server);
    assert_eq!(server.end(), Some(1));
    assert_eq!(fs::read_to_string(&file).expect("a file"), "mine");
    assert_eq!(replayed(&directory.join("session.1.jsonl")), answers);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said_once_and_the_server_goes_on() {
    let directory = directory("record-full");
    let mut server = start(&directory, &["--record", "/dev/full"]);
    let document = json!({ "uri": "file:///a", "languageId": "rust", "version": 1,
        "text": "let secretword" });
    let params = json!({ "textDocument": document });
    server.say(&json!({ "method": "textDocument/didOpen", "params": params }));
    let (mut shown, mut answered) = (0, 0);
    for id in 10..60 {
        let params = json!({
            "textDocument": { "uri": "file:///a" },
            "position": { "line": 0, "character": 14 },
            "context": { "triggerKind": 1 },
        });
        server.ask(id, "textDocument/inlineCompletion", params);
        loop {
            let message = server.hear();
            if message["id"] == id {
                answered += message["result"]["items"].as_array().map_or(0, Vec::len);
                break;
            }
            if message["method"] == "window/showMessage" {
                let words = message["params"]["message"].as_str().expect("words");
                assert!(words.contains("stopped recording to /dev/full"), "{words}");
                shown += 1;
            }
        }
    }
    assert_eq!((shown, answered), (1, 50));
    assert_eq!(server.end(), Some(1));
}

#[test]
fn where_nothing_can_be_recorded_no_server_starts() {
    let directory = directory("record-nowhere");
    let absent = directory.join("absent/session.jsonl");
    for path in [absent.as_path(), directory.as_path()] {
        let path = path.to_str().expect("text");
        let output = run(&["lsp", "--record", path]);
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stdout.is_empty());
        let words = String::from_utf8_lossy(&output.stderr);
        assert!(words.contains(path), "{words}");
        assert!(
            words.contains("Nothing is recorded; name a file"),
            "{words}"
        );
    }
    let both = run(&["lsp", "--record", "a", "--record-shape", "b"]);
    assert_eq!(both.status.code(), Some(2));
    assert!(!Path::new("a").exists(), "nothing was made");
}

#[test]
fn the_page_shows_what_a_replay_of_the_example_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("docs/traces.md")).expect("the page");
    let example = root.join("examples/recorded-shape.jsonl");
    let replayed = run(&["replay", example.to_str().expect("text")]);
    let replayed = String::from_utf8(replayed.stdout).expect("text");
    let (_, shown) = page.split_once("```text\n").expect("what it prints");
    let (shown, _) = shown.split_once("```").expect("an end");
    assert!(replayed.contains(shown), "{replayed}");

    let recorded = fs::read_to_string(&example).expect("the example");
    let (_, lines) = page.split_once("```json\n").expect("its lines");
    let (lines, _) = lines.split_once("```").expect("an end");
    let mut lines = lines.lines();
    assert!(lines.all(|line| recorded.lines().any(|it| it == line)));
}
