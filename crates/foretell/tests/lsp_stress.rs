//! `foretell lsp` with clients that no editor is: one that says nonsense, one that leaves while a model
//! thinks, and one that never reads.
#![cfg(unix)]
#![allow(clippy::panic, reason = "this is how a test fails")]

#[path = "support/framed.rs"]
mod framed;

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufReader, Read, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use foretell_testkit::nonsense::{ExpectedReading, NonsenseClient, frame};
use serde_json::{Value, json};

use framed::hear_any;

/// How long a test waits for what must come: far longer than it takes, on any machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Starts a server that has nothing of the person's.
fn start(name: &str, arguments: &[&str]) -> (Child, ChildStdin, BufReader<ChildStdout>) {
    start_with(name, arguments, Stdio::null())
}

/// The same, with its log going somewhere.
fn start_with(
    name: &str,
    arguments: &[&str],
    log: Stdio,
) -> (Child, ChildStdin, BufReader<ChildStdout>) {
    let home = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let mut process = Command::new(env!("CARGO_BIN_EXE_foretell"))
        .arg("lsp")
        .args(arguments)
        .env("XDG_CACHE_HOME", home.join("cache"))
        .env("XDG_CONFIG_HOME", home.join("config"))
        .env("XDG_STATE_HOME", home.join("state"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(log)
        .spawn()
        .expect("the binary under test starts");
    let input = process.stdin.take().expect("a pipe");
    let output = BufReader::new(process.stdout.take().expect("a pipe"));
    (process, input, output)
}

/// What nonsense begins with: always the same, unless somebody wants other nonsense.
fn seed() -> u64 {
    let named = std::env::var("TEST_FORETELL_SEED").ok();
    named.map_or(7, |seed| {
        seed.parse().expect("TEST_FORETELL_SEED is a number")
    })
}

fn message(body: &Value) -> Vec<u8> {
    let mut bytes = Vec::new();
    frame(&mut bytes, body.to_string().as_bytes());
    bytes
}

fn request(id: impl Into<Value>, method: &str, params: Value) -> Vec<u8> {
    message(&json!({ "id": id.into(), "method": method, "params": params }))
}

fn open(text: &str) -> Vec<u8> {
    let document =
        json!({ "uri": "file:///a.rs", "languageId": "rust", "version": 1, "text": text });
    message(&json!({ "method": "textDocument/didOpen", "params": { "textDocument": document } }))
}

fn suggest(id: impl Into<Value>) -> Vec<u8> {
    let params = json!({
        "textDocument": { "uri": "file:///a.rs" },
        "position": { "line": 0, "character": 5 },
        "context": { "triggerKind": 1 },
    });
    request(id, "textDocument/inlineCompletion", params)
}

/// How a process ended, and how long that took.
fn ended(process: &mut Child) -> (Option<i32>, Duration) {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        if let Some(status) = process.try_wait().expect("a process") {
            return (status.code(), start.elapsed());
        }
        thread::sleep(Duration::from_millis(5));
    }
    process.kill().expect("a process");
    panic!("it never ended");
}

#[test]
fn after_twenty_thousand_pieces_of_nonsense_it_shuts_down_well() {
    let (mut process, mut input, mut output) = start("nonsense", &[]);
    let mut bytes = request("first", "initialize", json!({ "capabilities": {} }));
    let mut owed: BTreeMap<String, i32> =
        BTreeMap::from([("\"first\"".to_owned(), 1), ("\"last\"".to_owned(), 1)]);
    let seed = seed();
    println!("TEST_FORETELL_SEED={seed}");
    let mut nonsense = NonsenseClient::new(seed);
    for _ in 0..20_000 {
        for reads in nonsense.write(&mut bytes).1 {
            let name = match reads {
                ExpectedReading::Request(id) => id,
                ExpectedReading::Unreadable => "null".to_owned(),
                ExpectedReading::Other => continue,
            };
            *owed.entry(name).or_default() += 1;
        }
    }
    bytes.extend(request("last", "shutdown", Value::Null));
    bytes.extend(message(&json!({ "method": "exit" })));
    let writer = thread::spawn(move || {
        input.write_all(&bytes).expect("it is read");
        input
    });
    let mut last = Value::Null;
    while let Some(heard) = hear_any(&mut output) {
        if heard.get("method").is_none() {
            let owed = owed.get_mut(&heard["id"].to_string());
            *owed.unwrap_or_else(|| panic!("nobody asked {heard}")) -= 1;
            if heard["id"] == "last" {
                last = heard;
            }
        }
    }
    assert_eq!(
        last,
        json!({ "jsonrpc": "2.0", "id": "last", "result": null })
    );
    assert_eq!(ended(&mut process).0, Some(0));
    drop(writer.join().expect("it is read to the end"));
    owed.retain(|_, owed| *owed != 0);
    assert_eq!(owed, BTreeMap::new(), "each is answered once");
}

#[test]
fn when_the_client_leaves_while_a_model_thinks_it_is_gone() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!(
        "lanes.fim.url=http://{}",
        listener.local_addr().expect("an address")
    );
    let settings = ["lanes.fim.kind=openai", "lanes.fim.model=m", &url];
    let settings = settings.map(|it| ["--set", it]).concat();
    let (mut process, mut input, mut output) = start("leaves", &settings);
    let first = request(1, "initialize", json!({ "capabilities": {} }));
    input.write_all(&first).expect("it is read");
    assert_eq!(hear_any(&mut output).expect("an answer")["id"], 1);
    let asked = [open("let x"), suggest(2)].concat();
    input.write_all(&asked).expect("it is read");
    let (call, _) = listener.accept().expect("the model is asked");
    drop((input, output));
    let (status, took) = ended(&mut process);
    println!("gone after {} ms", took.as_millis());
    assert_eq!(status, Some(1));
    assert!(took < Duration::from_secs(5), "{took:?}");
    drop(call);
}

#[test]
fn a_log_that_nobody_reads_keeps_nobody_from_ending() {
    let settings = ["--set", "log.level=debug"];
    let (mut process, mut input, output) = start_with("unread", &settings, Stdio::piped());
    let mut bytes = request(0, "initialize", json!({ "capabilities": {} }));
    // Each of them is said something of in the log.
    let nonsense = message(&json!({ "method": "textDocument/didOpen", "params": 7 }));
    bytes.extend(nonsense.repeat(10_000));
    bytes.extend(request("last", "shutdown", Value::Null));
    bytes.extend(message(&json!({ "method": "exit" })));
    let reader = thread::spawn(move || {
        let mut output = output;
        while hear_any(&mut output).is_some() {}
    });
    input.write_all(&bytes).expect("it is read");
    let (status, took) = ended(&mut process);
    println!("gone after {} ms", took.as_millis());
    assert_eq!(status, Some(0));
    reader.join().expect("it ends");
}

/// A busy machine gives a client little time to read, and the server has long ended its session by
/// then: what it has said is still read to the end.
#[test]
fn a_client_that_reads_slowly_is_told_everything_before_the_server_is_gone() {
    const ASKED: usize = 5_000;
    let (mut process, mut input, output) = start("slow", &[]);
    let mut bytes = request(0, "initialize", json!({ "capabilities": {} }));
    for number in 1..=ASKED {
        bytes.extend(request(number, "stress/unknown", Value::Null));
    }
    bytes.extend(request("last", "shutdown", Value::Null));
    bytes.extend(message(&json!({ "method": "exit" })));
    let writer = thread::spawn(move || {
        input.write_all(&bytes).expect("it is read");
        input
    });
    let mut heard = Vec::new();
    let mut output = output.into_inner();
    let mut piece = [0; 8 << 10];
    while let Ok(read @ 1..) = output.read(&mut piece) {
        heard.extend(&piece[..read]);
        thread::sleep(Duration::from_millis(15));
    }
    let mut heard = BufReader::new(&*heard);
    let answers = std::iter::from_fn(|| hear_any(&mut heard));
    let answers = answers.filter(|it| it.get("method").is_none());
    let names: Vec<_> = answers.map(|it| it["id"].clone()).collect();
    assert_eq!(names.len(), ASKED + 2, "all of them, and the last whole");
    assert_eq!(names.last(), Some(&json!("last")));
    assert_eq!(ended(&mut process).0, Some(0));
    drop(writer.join().expect("it is read to the end"));
}

/// Every key of somebody who types faster than anything can be worked out asks for something: only so
/// many threads are busy with it, however far behind they are.
#[cfg(target_os = "linux")]
#[test]
fn typing_at_speed_takes_a_few_threads() {
    /// Those that work something out, those that ask a disk about six documents, and those that the
    /// process always has.
    const FEW: usize = 40;
    let (mut process, mut input, mut output) = start("speed", &[]);
    let tasks = format!("/proc/{}/task", process.id());
    let reader = thread::spawn(move || while hear_any(&mut output).is_some() {});
    let first = request(0, "initialize", json!({ "capabilities": {} }));
    input.write_all(&first).expect("it is read");
    let text = "fn area(width: u32) -> u32 { width * height } // password\n".repeat(2_000);
    let uri = |number: usize| format!("file:///{}.rs", number % 6);
    for number in 0..6 {
        let document =
            json!({ "uri": uri(number), "languageId": "rust", "version": 0, "text": text });
        let opened =
            json!({ "method": "textDocument/didOpen", "params": { "textDocument": document } });
        input.write_all(&message(&opened)).expect("it is read");
    }
    let mut most = 0;
    for number in 1..=600 {
        let at = json!({ "line": 1_000, "character": 0 });
        let document = json!({ "uri": uri(number), "version": number });
        let change = json!({ "range": { "start": at, "end": at }, "text": "x" });
        let params = json!({ "textDocument": document, "contentChanges": [change] });
        let mut bytes = message(&json!({ "method": "textDocument/didChange", "params": params }));
        let params = json!({
            "textDocument": { "uri": uri(number) },
            "position": { "line": 1_000, "character": 1 },
            "context": { "triggerKind": 1 },
        });
        bytes.extend(request(number, "textDocument/inlineCompletion", params));
        input.write_all(&bytes).expect("it is read");
        let tasks = fs::read_dir(&tasks).expect("it runs").count();
        most = most.max(tasks);
    }
    println!("{most} threads");
    let last = [
        request("last", "shutdown", Value::Null),
        message(&json!({ "method": "exit" })),
    ];
    input.write_all(&last.concat()).expect("it is read");
    assert_eq!(ended(&mut process).0, Some(0));
    reader.join().expect("it ends");
    assert!(most <= FEW, "{most} threads");
}

#[test]
fn a_client_that_never_reads_is_left_and_costs_little() {
    let (mut process, mut input, output) = start("deaf", &[]);
    let status = format!("/proc/{}/status", process.id());
    let writer = thread::spawn(move || {
        let mut bytes = request(0, "initialize", json!({ "capabilities": {} }));
        bytes.extend(open(&"let x = 1; // a line of a document\n".repeat(500)));
        let position = json!({ "line": 250, "character": 5 });
        let document = json!({ "uri": "file:///a.rs" });
        let params = json!({ "textDocument": document, "position": position });
        for number in 1..=100_000 {
            bytes.extend(match number % 3 {
                0 => request(number, "foretell/context", params.clone()),
                1 => request(number, "stress/unknown", Value::Null),
                _ => suggest(number),
            });
            if bytes.len() > 1 << 16 {
                // It hangs up when nobody has read for too long.
                if input.write_all(&bytes).is_err() {
                    return number;
                }
                bytes.clear();
            }
        }
        100_000
    });
    let (mut most, start) = (0, Instant::now());
    let code = loop {
        if let Some(status) = process.try_wait().expect("a process") {
            break status.code();
        }
        let resident = fs::read_to_string(&status).unwrap_or_default();
        let resident = resident.lines().find_map(|it| it.strip_prefix("VmRSS:"));
        let resident = resident.and_then(|it| it.split_whitespace().next()?.parse().ok());
        most = most.max(resident.unwrap_or(0_u64));
        if start.elapsed() > 2 * PATIENCE {
            process.kill().expect("a process");
            panic!("it never ended; it has {most} KB");
        }
        thread::sleep(Duration::from_millis(10));
    };
    let taken = writer.join().expect("no panic");
    println!(
        "{taken} requests, {most} KB, {} ms",
        start.elapsed().as_millis()
    );
    drop(output);
    assert_eq!(code, Some(1), "it was not shut down");
    assert!(most < 200 << 10, "{most} KB");
}
