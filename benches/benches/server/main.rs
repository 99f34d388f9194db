//! The language server as an editor feels it: how long it takes to start and to answer, and how much
//! memory and time it costs, over real pipes.
//!
//! `cargo build --release -p foretell`, then `cargo bench --bench server`; the binary is the one in the
//! release directory, or in `TEST_FORETELL_BINARY`. Arguments choose parts: `start`, `hang`, `change`,
//! `metrics`, `memory`, `record`, `day`. The session of a day is looked for in `TEST_FORETELL_TRACES` or
//! `../shared/traces`.
//!
//! Whoever measures and what is measured share the machine with whatever else runs, so that the load is
//! printed, and the time of a plain pipe (`cat`) next to that of the server.
#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a benchmark is a program whose output is its table"
)]

mod day;
mod editor;
mod record;

use std::env;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use foretell_benches::documents::document;
use foretell_benches::sources;
use serde_json::{Value, json};

use self::editor::{Editor, asked, framed, typed};

const STARTS: usize = 30;
const ROUNDS: usize = 400;
const LINES: usize = 1_000_000;
const KEYS: usize = 2_000;

fn main() {
    if !foretell_benches::is_wanted() {
        return;
    }
    let Some(binary) = foretell_benches::binary() else {
        println!("there is no server: cargo build --release -p foretell");
        return;
    };
    let place = tempfile::tempdir().expect("a place for files");
    let bench = Bench {
        binary,
        home: place.path().to_owned(),
    };
    let parts = [
        "start", "hang", "change", "metrics", "memory", "record", "day",
    ];
    let chosen: Vec<String> = env::args().collect();
    let is_any = parts.iter().any(|part| chosen.iter().any(|it| it == part));
    for part in parts {
        if is_any && !chosen.iter().any(|it| it == part) {
            continue;
        }
        println!("\n{part} (load {})", load());
        match part {
            "start" => bench.start(),
            "hang" => bench.hang(),
            "change" => bench.change(),
            "metrics" => bench.metrics(),
            "memory" => bench.memory(),
            "record" => record::compare(&bench.binary, &bench.home),
            _ => day::work(&bench.binary, &bench.home),
        }
    }
}

/// What is measured, and where it may write.
struct Bench {
    binary: PathBuf,
    home: PathBuf,
}

impl Bench {
    /// From starting the process until `initialize` is answered.
    fn start(&self) {
        heading();
        let times = (0..STARTS).map(|_| {
            let start = Instant::now();
            let mut editor = Editor::start(&self.binary, &self.home, &[]);
            editor.initialize(None);
            let time = start.elapsed();
            editor.leave();
            time
        });
        row("start to initialize", times.collect(), "10 ms");
        let times = (0..STARTS).map(|_| {
            let start = Instant::now();
            let status = Command::new(&self.binary)
                .arg("--version")
                .stdout(Stdio::null())
                .status();
            status.expect("it starts");
            start.elapsed()
        });
        row("  of which a process: --version", times.collect(), "");
    }

    /// What is answered while a model hangs.
    fn hang(&self) {
        heading();
        row("a plain pipe: cat", plain_pipe(), "");
        let (url, calls) = hanging_server();
        let script = self.home.join("script.json");
        let suggested = " = compute(first, second, third);";
        let entry = json!([{ "after": "let x", "insert": suggested }]);
        fs::write(&script, entry.to_string()).expect("a file");
        let url = format!("lanes.nextEdit.url={url}");
        let arguments = [
            "--script",
            script.to_str().expect("a path"),
            "--set",
            "lanes.nextEdit.kind=openai",
            "--set",
            "lanes.nextEdit.model=m",
            "--set",
            &url,
        ];
        let mut editor = Editor::ready(&self.binary, &self.home, &arguments, None);
        let (main, other) = ("file:///stress/main.rs", "file:///stress/other.rs");
        let (mut carried, mut unknown) = (Vec::new(), Vec::new());
        let rounds = ROUNDS / suggested.len() + 1;
        editor.open(other, "rust", "fn other() {}\n");
        for round in 0..rounds {
            editor.open(main, "rust", "let x");
            let first = editor.result("textDocument/inlineCompletion", asked(main, 1, (0, 5)));
            assert_eq!(first["items"][0]["insertText"], suggested, "round {round}");
            // The model thinks from here on, about the other document.
            let params = json!({ "textDocument": { "uri": other, "version": 1 },
                "position": { "line": 0, "character": 4 }, "context": { "triggerKind": 1 } });
            editor.ask("textDocument/copilotInlineEdit", params);
            for (number, key) in suggested.chars().take(suggested.len() - 1).enumerate() {
                let at = (0, 5 + number as u32);
                let change = typed(main, 2 + number, at, &key.to_string());
                let params = asked(main, 2, (0, at.1 + 1));
                let method = "textDocument/inlineCompletion";
                let (time, answer) = editor.time_behind(change, method, params);
                let rest = suggested.get(number + 1..);
                assert_eq!(
                    answer["items"][0]["insertText"].as_str(),
                    rest,
                    "key {number}"
                );
                carried.push(time);
                unknown.push(editor.time(Vec::new(), "stress/unknown", Value::Null));
            }
            editor.notify(
                "textDocument/didClose",
                json!({ "textDocument": { "uri": main } }),
            );
        }
        row("carried, behind a key", carried, "1 ms");
        row("an unknown method", unknown, "1 ms");
        println!(
            "  the model was called {} times and hangs",
            calls.load(Ordering::Relaxed)
        );
        editor.leave();
    }

    /// What is answered right behind a change.
    fn change(&self) {
        heading();
        row("a plain pipe: cat", plain_pipe(), "");
        for (name, size) in [("50 KB", 50_000), ("5 MB", 5_000_000)] {
            let text = document(size);
            let lines = text.lines().count() as u32;
            let mut editor = Editor::ready(&self.binary, &self.home, &[], None);
            let uri = "file:///stress/large.rs";
            editor.open(uri, "rust", &text);
            editor.result("stress/unknown", Value::Null);
            let (mut unknown, mut refused, mut suggested) = (Vec::new(), Vec::new(), Vec::new());
            for number in 0..ROUNDS {
                let at = (number as u32 * 7919 % lines, 0);
                let change = |version| typed(uri, 2 + 3 * number + version, at, "x");
                unknown.push(editor.time(change(0), "stress/unknown", Value::Null));
                // A place that is in no text is answered without any lane.
                let nowhere = asked(uri, 2, (lines * 2, 0));
                let method = "textDocument/inlineCompletion";
                refused.push(editor.time(change(1), method, nowhere));
                let here = asked(uri, 1, (at.0, 1));
                suggested.push(editor.time(change(2), method, here));
            }
            row(&format!("{name}: unknown method"), unknown, "1 ms");
            row(
                &format!("{name}: inlineCompletion, no lane"),
                refused,
                "1 ms",
            );
            row(
                &format!("{name}: inlineCompletion, all lanes"),
                suggested,
                "",
            );
            editor.leave();
        }
    }

    /// What a key costs the server without metrics and with them: the time that the process worked, since
    /// that of an answer is mostly the pipe's. The rounds take turns, so that whatever else the machine
    /// does is in both.
    fn metrics(&self) {
        let port = ["--metrics", "127.0.0.1:0"];
        let mut without = Editor::ready(&self.binary, &self.home, &[], None);
        let mut with = Editor::ready(&self.binary, &self.home, &port, None);
        let uri = "file:///stress/keys.rs";
        let mut worked = [Vec::new(), Vec::new()];
        for editor in [&mut without, &mut with] {
            editor.open(uri, "rust", &document(50_000));
            editor.result("stress/unknown", Value::Null);
        }
        for round in 0..ROUNDS / 20 {
            for (editor, worked) in [&mut without, &mut with].into_iter().zip(&mut worked) {
                let before = editor.worked();
                for key in 0..KEYS {
                    let number = round * KEYS + key;
                    let change = typed(uri, 2 + number, (number as u32 % 100, 0), "x");
                    match key + 1 < KEYS {
                        true => editor.write(&change),
                        false => drop(editor.time(change, "stress/unknown", Value::Null)),
                    }
                }
                worked.push((editor.worked() - before) * 1e6 / KEYS as f64);
            }
        }
        let [without_it, with_it] = worked.map(|it| it.iter().sum::<f64>() / it.len() as f64);
        println!("  without {without_it:.2} µs a key, with {with_it:.2} µs a key");
        println!("  {:.3} times", with_it / without_it);
        without.leave();
        with.leave();
    }

    /// How much memory it has.
    fn memory(&self) {
        println!(
            "{:<34} {:>9} {:>9} {:>9} {:>9} {:>8}",
            "MB", "all", "own", "files", "most", "aim"
        );
        let print = |name: &str, editor: &Editor, aim: &str| {
            let memory = editor.memory();
            println!(
                "{name:<34} {:>9.1} {:>9.1} {:>9.1} {:>9.1} {aim:>8}",
                memory.all, memory.own, memory.files, memory.most
            );
        };
        let rest = Duration::from_secs(2);
        let editor = Editor::ready(&self.binary, &self.home, &[], None);
        thread::sleep(rest);
        print("idle, no workspace", &editor, "20");
        let before = editor.worked();
        thread::sleep(rest);
        println!(
            "  idle it works {:.2} % of a core",
            (editor.worked() - before) * 50.0
        );
        editor.leave();

        let mut editor = Editor::ready(&self.binary, &self.home, &[], None);
        let text = document(5_000_000);
        let uri = "file:///stress/large.rs";
        editor.open(uri, "rust", &text);
        editor.result("stress/unknown", Value::Null);
        print("5 MB document, opened", &editor, "");
        for number in 0..KEYS {
            let change = typed(uri, 2 + number, (5_000, number as u32 % 60), "x");
            let here = asked(uri, 2, (5_000, number as u32 % 60 + 1));
            match number % 20 {
                0 => drop(editor.time(change, "textDocument/inlineCompletion", here)),
                _ => drop(editor.time(change, "stress/unknown", Value::Null)),
            }
        }
        print("5 MB document, after 2,000 keys", &editor, "40");
        thread::sleep(2 * rest);
        print("5 MB document, rested", &editor, "40");
        editor.leave();

        let Some(folder) = self.workspace() else {
            return;
        };
        let mut editor = Editor::ready(&self.binary, &self.home, &[], Some(&folder));
        for _ in 0..5 {
            thread::sleep(rest);
            print("idle, a million lines indexed", &editor, "40");
        }
        let path = format!("file://{}", folder.join("main.rs").display());
        editor.open(&path, "rust", "fn main() {\n    let map = HashMap::\n}\n");
        for number in 0..20 {
            let change = typed(&path, 2 + number, (1, 23), "n");
            editor.time(
                change,
                "textDocument/inlineCompletion",
                asked(&path, 1, (1, 24)),
            );
            let position = json!({ "line": 1, "character": 24 });
            let params = json!({ "textDocument": { "uri": path }, "position": position });
            editor.result("foretell/context", params);
        }
        print("  after 20 questions to it", &editor, "");
        editor.leave();
    }

    /// A folder of a million lines that has been indexed.
    fn workspace(&self) -> Option<PathBuf> {
        let folder = self.home.join("workspace");
        let mut lines = 0;
        for source in sources::rust(LINES) {
            let path = folder.join(&source.krate).join(&source.path);
            fs::create_dir_all(path.parent()?).ok()?;
            fs::write(path, &source.text).ok()?;
            lines += source.text.lines().count();
        }
        let start = Instant::now();
        let status = Command::new(&self.binary)
            .arg("index")
            .arg(&folder)
            .env("XDG_CACHE_HOME", self.home.join("cache"))
            .env("XDG_CONFIG_HOME", self.home.join("config"))
            .env("XDG_STATE_HOME", self.home.join("state"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        println!(
            "  {lines} lines indexed in {:.0} s",
            start.elapsed().as_secs_f64()
        );
        status.is_ok_and(|it| it.success()).then_some(folder)
    }
}

/// A server that takes every call and never says a word; and how many it took.
fn hanging_server() -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    thread::spawn(move || {
        let mut held = Vec::new();
        while let Ok((call, _)) = listener.accept() {
            counted.fetch_add(1, Ordering::Relaxed);
            held.push(call);
        }
    });
    (url, calls)
}

/// How long a few bytes take through two pipes and another process that does nothing with them.
fn plain_pipe() -> Vec<Duration> {
    let cat = Command::new("cat")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let mut cat = cat.expect("cat");
    let mut input = cat.stdin.take().expect("a pipe");
    let mut output = cat.stdout.take().expect("a pipe");
    let bytes = framed(&asked("file:///stress/main.rs", 1, (0, 0)));
    let mut back = vec![0; bytes.len()];
    let times = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        input.write_all(&bytes).expect("it is read");
        output.read_exact(&mut back).expect("it comes back");
        start.elapsed()
    });
    let times = times.collect();
    drop(input);
    let _ = cat.wait();
    times
}

fn heading() {
    println!(
        "{:<34} {:>9} {:>9} {:>9} {:>9} {:>8}",
        "ms", "p50", "p95", "p99", "most", "aim"
    );
}

fn row(name: &str, mut times: Vec<Duration>, aim: &str) {
    times.sort();
    let at = |share: f64| {
        let index = ((times.len() as f64 * share) as usize).min(times.len().saturating_sub(1));
        times
            .get(index)
            .map_or(f64::NAN, |it| it.as_secs_f64() * 1e3)
    };
    println!(
        "{name:<34} {:>9.3} {:>9.3} {:>9.3} {:>9.3} {aim:>8}",
        at(0.5),
        at(0.95),
        at(0.99),
        at(1.0)
    );
}

/// How busy the machine is.
fn load() -> String {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let cores = thread::available_parallelism().map_or(1, usize::from);
    format!(
        "{} on {cores} cores",
        load.split(' ').next().unwrap_or_default()
    )
}
