//! `foretell lsp --record` and `--record-shape` as an editor starts them: what is in the file when the
//! process is over, and that replaying it gives the answers that the editor got.

#[path = "support/server.rs"]
mod server;

use std::fs;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use server::Server;

/// How long a test waits for what must come: far longer than it takes, on any machine.
const PATIENCE: Duration = Duration::from_secs(60);

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
    let deadline = Instant::now() + PATIENCE;
    // It is found to be full sooner or later, and that is said once.
    let (mut shown, mut since) = (0, 0);
    for id in 10.. {
        if since == 20 {
            break;
        }
        assert!(Instant::now() < deadline, "it is said in time");
        since += shown;
        let params = json!({
            "textDocument": { "uri": "file:///a" },
            "position": { "line": 0, "character": 14 },
            "context": { "triggerKind": 1 },
        });
        server.ask(id, "textDocument/inlineCompletion", params);
        loop {
            let message = server.hear();
            if message["id"] == id {
                let items = message["result"]["items"].as_array().expect("a list");
                assert_eq!(items.len(), 1, "it goes on");
                break;
            }
            if message["method"] == "window/showMessage" {
                let words = message["params"]["message"].as_str().expect("words");
                assert!(words.contains("stopped recording to /dev/full"), "{words}");
                shown += 1;
            }
        }
    }
    assert_eq!(shown, 1, "once");
    assert_eq!(server.end(), Some(1));
}

/// A disk has room for some of what an editor says in its last moment.
#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_is_full_at_the_end_is_said_and_has_all_lines_that_fit() {
    const BLOCKS: u32 = 40;
    let directory = directory("record-full-at-the-end");
    let file = directory.join("session.jsonl");
    let mut process = Command::new("sh")
        .args(["-c", r#"trap "" XFSZ; ulimit -f "$0"; exec "$@""#])
        .arg(BLOCKS.to_string())
        .args([env!("CARGO_BIN_EXE_foretell"), "lsp", "--record"])
        .arg(&file)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a shell");
    let mut log = process.stderr.take().expect("a pipe");
    let mut server = Server {
        input: process.stdin.take(),
        output: BufReader::new(process.stdout.take().expect("a pipe")),
        process,
    };
    server.ask(1, "initialize", json!({ "capabilities": {} }));
    server.hear();
    for number in 0..500 {
        let document = json!({ "uri": format!("file:///{number}.rs"), "languageId": "rust",
            "version": 1, "text": "fn main() {}\n" });
        let params = json!({ "textDocument": document });
        server.say(&json!({ "method": "textDocument/didOpen", "params": params }));
    }
    server.ask(2, "shutdown", Value::Null);
    // Where it is found to be full before that, the editor is told.
    while server.hear()["id"] != 2 {}
    server.say(&json!({ "jsonrpc": "2.0", "method": "exit" }));
    assert_eq!(server.end(), Some(0));

    let mut words = String::new();
    log.read_to_string(&mut words).expect("text");
    assert_eq!(words.matches("stopped recording").count(), 1, "{words}");
    let lines = fs::read_to_string(&file).expect("a recording");
    assert!(lines.ends_with('\n'), "whole lines");
    // A shell's block is 512 bytes or 1,024.
    let room = match lines.len() {
        0..=20_480 => 20_480,
        _ => 40_960,
    };
    let longest = lines.lines().skip(2).map(str::len).max();
    let left = room - lines.len();
    assert!(
        left <= longest.expect("lines") + 10,
        "{left} bytes more fit"
    );
    assert_eq!(replayed(&file), [0; 0]);
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
    let (_, lines) = page.split_once("```jsonl\n").expect("its lines");
    let (lines, _) = lines.split_once("```").expect("an end");
    let mut lines = lines.lines();
    assert!(lines.all(|line| recorded.lines().any(|it| it == line)));
}
