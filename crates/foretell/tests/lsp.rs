//! `foretell lsp` as an editor starts it: bytes on standard input and output, and an exit status.

#[path = "support/server.rs"]
mod server;

use std::fs;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use server::Server;

#[test]
fn shutdown_and_exit_end_it_well() {
    let mut server = Server::ready(&[]);
    server.ask(2, "shutdown", Value::Null);
    let answer = json!({ "jsonrpc": "2.0", "id": 2, "result": null });
    assert_eq!(server.hear(), answer);
    server.say(&json!({ "jsonrpc": "2.0", "method": "exit" }));
    // It ends by itself, while its input is still open.
    let status = server.process.wait().expect("it ends");
    assert_eq!(status.code(), Some(0));
    assert_eq!(server.end(), Some(0));
}

#[test]
fn exit_without_shutdown_is_1() {
    let mut server = Server::ready(&[]);
    server.say(&json!({ "jsonrpc": "2.0", "method": "exit" }));
    assert_eq!(server.end(), Some(1));
}

#[test]
fn a_closed_input_ends_it() {
    assert_eq!(Server::start(&[]).end(), Some(1));
    assert_eq!(Server::ready(&[]).end(), Some(1));
}

#[cfg(unix)]
#[test]
fn a_signal_ends_it_like_a_client_that_is_gone() {
    for signal in ["TERM", "INT", "HUP"] {
        let name = format!("ended-by-{signal}.jsonl");
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_file(&file);
        let mut server = Server::ready(&["--record", file.to_str().expect("a path in text")]);
        let document =
            json!({ "uri": "file:///a.rs", "languageId": "rust", "version": 1, "text": "fn" });
        let params = json!({ "textDocument": document });
        server
            .say(&json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": params }));
        // What was said before this is answered was heard.
        server.ask(2, "foretell/rejections", Value::Null);
        assert_eq!(server.hear()["id"], 2);
        let process = server.process.id().to_string();
        let killed = Command::new("kill").args(["-s", signal, &process]).status();
        assert!(killed.expect("kill is there").success());
        let status = server.process.wait().expect("it ends");
        assert_eq!(status.code(), Some(1), "{signal}");
        let recorded = fs::read_to_string(&file).expect("a recording");
        assert!(recorded.contains("file:///a.rs"), "{signal}: {recorded}");
    }
}

#[test]
fn what_is_not_json_is_answered_and_it_goes_on() {
    let mut server = Server::ready(&[]);
    server.write("{");
    let answer = server.hear();
    assert_eq!(answer["id"], Value::Null);
    assert_eq!(answer["error"]["code"], -32700);
    server.ask(2, "shutdown", Value::Null);
    assert_eq!(server.hear()["id"], 2);
    assert_eq!(server.end(), Some(0));
}

#[test]
fn without_a_script_there_is_nothing_to_suggest_and_with_one_there_is() {
    let script = Path::new(env!("CARGO_TARGET_TMPDIR")).join("script.json");
    let lines = r#"[{"after": "let x", "insert": " = 1;", "delayMs": 5}]"#;
    fs::write(&script, lines).expect("a file for a test can be written");
    let script = script.to_str().expect("a path in text");
    for (arguments, expected) in [(&[][..], 0), (&["--script", script][..], 1)] {
        let mut server = Server::ready(arguments);
        let document = json!({ "uri": "file:///a", "languageId": "rust", "version": 1,
            "text": "let x" });
        let params = json!({ "textDocument": document });
        server.say(&json!({ "method": "textDocument/didOpen", "params": params }));
        let params = json!({
            "textDocument": { "uri": "file:///a" },
            "position": { "line": 0, "character": 5 },
            "context": { "triggerKind": 1 },
        });
        server.ask(2, "textDocument/inlineCompletion", params);
        let answer = server.hear();
        let items = answer["result"]["items"].as_array().expect("a list");
        assert_eq!(items.len(), expected);
        assert_eq!(server.end(), Some(1));
    }
}

/// A directory for a test, with nothing in it, and a file that may be in it.
fn log_in(name: &str) -> (PathBuf, String) {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).expect("a directory");
    let file = directory.join("foretell.log");
    let flag = format!("log.file={}", file.display());
    (file, flag)
}

#[test]
fn a_log_goes_to_the_file_that_settings_name_and_to_standard_error() {
    let (file, flag) = log_in("log");
    let mut process = Command::new(env!("CARGO_BIN_EXE_foretell"))
        .args(["lsp", "--set", &flag, "--set", "log.level=debug"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary under test starts");
    let mut server = Server {
        input: process.stdin.take(),
        output: BufReader::new(process.stdout.take().expect("a pipe")),
        process,
    };
    converse(&mut server);
    let mut said = String::new();
    let mut errors = server.process.stderr.take().expect("a pipe");
    assert_eq!(server.end(), Some(1));
    errors.read_to_string(&mut said).expect("text");
    let logged = fs::read_to_string(file).expect("a log");
    assert!(!logged.is_empty());
    assert!(said.ends_with(&logged), "{said} and {logged}");
    assert!(!logged.contains("hunter2"), "no document is quoted");
}

#[test]
fn a_log_that_has_become_long_is_put_aside() {
    let (file, flag) = log_in("long-log");
    let old = file.with_extension("log.old");
    let long = "x".repeat((10 << 20) + 1);
    fs::write(&file, &long).expect("a file");
    fs::write(&old, "older").expect("a file");
    let mut server = Server::start(&["--set", &flag, "--set", "log.level=debug"]);
    converse(&mut server);
    assert_eq!(server.end(), Some(1));
    assert!(fs::read_to_string(old).expect("the old log") == long);
    let logged = fs::read_to_string(file).expect("a log");
    assert!((1..10_000).contains(&logged.len()), "{}", logged.len());
}

/// Says something that is worth a line in a log, after settings apply.
fn converse(server: &mut Server) {
    server.ask(1, "initialize", json!({ "capabilities": {} }));
    server.hear();
    // It is answered when settings have been read.
    for id in 2..4 {
        let document = json!({ "uri": "file:///a", "languageId": "rust", "version": 1,
            "text": "hunter2" });
        let params = json!({ "textDocument": document });
        server.say(&json!({ "method": "textDocument/didOpen", "params": params }));
        let params = json!({
            "textDocument": { "uri": "file:///a" },
            "position": { "line": 0, "character": 7 },
            "context": { "triggerKind": 1 },
        });
        server.ask(id, "textDocument/inlineCompletion", params);
        assert_eq!(server.hear()["id"], id);
    }
}

#[test]
fn a_script_that_is_none_is_refused_with_words() {
    let script = Path::new(env!("CARGO_TARGET_TMPDIR")).join("not-a-script.json");
    fs::write(&script, "[{\"after\": 1}]").expect("a file for a test can be written");
    let script = script.to_str().expect("a path in text");
    for (script, expected) in [
        (script, "not a script: invalid type"),
        ("gone", "gone: No such"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_foretell"))
            .args(["lsp", "--script", script])
            .output()
            .expect("the binary under test starts");
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stdout.is_empty());
        let words = String::from_utf8_lossy(&output.stderr);
        assert!(words.contains(expected), "{words}");
    }
}
