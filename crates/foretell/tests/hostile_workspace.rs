//! A workspace that somebody made to do harm, opened by somebody who does not know: every request is
//! answered, every command ends, and what is wrong is said.
#![cfg(unix)]

#[path = "support/framed.rs"]
mod framed;
#[path = "support/workspace.rs"]
mod workspace;

use std::fs;
use std::io::BufReader;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::workspace::Workspace;

/// How long an index may take to be ready, or a command to end, on any machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// How soon it is asked again.
const AGAIN: Duration = Duration::from_millis(20);

/// An odd file that a workspace has, and what it does there.
struct Odd {
    name: &'static str,
    make: fn(&Path),
}

fn pipe(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status();
    assert!(made.expect("mkfifo is there").success());
}

/// Everything of the kind that a clone or an archive can bring.
const ODD: [Odd; 14] = [
    Odd {
        name: ".gitignore",
        make: |it| link(it, "/dev/stdin"),
    },
    Odd {
        name: ".gitignore",
        make: |it| link(it, "/dev/zero"),
    },
    Odd {
        name: ".gitignore",
        make: pipe,
    },
    Odd {
        name: ".gitignore",
        make: |it| write(it, &"{a,".repeat(16_000)),
    },
    Odd {
        name: "sub/.ignore",
        make: |it| link(it, "/dev/stdin"),
    },
    Odd {
        name: "sub/.ignore",
        make: pipe,
    },
    Odd {
        name: "sub/.foretellignore",
        make: |it| link(it, "/dev/stdin"),
    },
    Odd {
        name: "sub/.foretellignore",
        make: |it| link(it, "/dev/zero"),
    },
    Odd {
        name: "sub/.foretellignore",
        make: pipe,
    },
    Odd {
        name: "sub/.foretellignore",
        make: |it| write(it, &"{a,".repeat(16_000)),
    },
    Odd {
        name: ".git/info/exclude",
        make: pipe,
    },
    Odd {
        name: ".git/info/exclude",
        make: |it| link(it, "/dev/stdin"),
    },
    Odd {
        name: ".vscode/settings.json",
        make: |it| link(it, "/dev/stdin"),
    },
    Odd {
        name: ".vscode/settings.json",
        make: pipe,
    },
];

fn link(path: &Path, target: &str) {
    symlink(target, path).expect("a link");
}

fn write(path: &Path, text: &str) {
    fs::write(path, text).expect("a file");
}

fn with(odd: &Odd) -> Workspace {
    let workspace = Workspace::new(&[
        ("a.rs", "fn open_door() {\n    let door = 1;\n}\n"),
        ("sub/b.rs", "fn shut_door() {}\n"),
    ]);
    let path = workspace.path().join(odd.name);
    fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
    (odd.make)(&path);
    workspace
}

/// A server in a workspace, and the ends of its pipes.
struct Session {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    asked: u32,
}

impl Session {
    fn start(workspace: &Workspace) -> Self {
        let mut command = workspace.command("lsp", &[]);
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().expect("the binary under test starts");
        let input = process.stdin.take().expect("a pipe");
        let output = BufReader::new(process.stdout.take().expect("a pipe"));
        let mut session = Session {
            process,
            input,
            output,
            asked: 0,
        };
        let uri = format!("file://{}", workspace.path().display());
        let folders = json!([{ "uri": uri, "name": "it" }]);
        session.ask(
            "initialize",
            json!({ "capabilities": {}, "workspaceFolders": folders }),
        );
        session.say("initialized", json!({}));
        session
    }

    fn say(&mut self, method: &str, params: Value) {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        framed::say(&mut self.input, &message.to_string());
    }

    /// What a request is answered; what is said besides is passed over.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        let mut message = json!({ "jsonrpc": "2.0", "id": id, "method": method });
        if !params.is_null() {
            message["params"] = params;
        }
        framed::say(&mut self.input, &message.to_string());
        loop {
            let answer = framed::hear(&mut self.output);
            if answer["id"] == id {
                return answer;
            }
        }
    }

    /// What the index of its folder is doing, once it has been opened.
    fn index(&mut self) -> String {
        let until = Instant::now() + PATIENCE;
        loop {
            let status = self.ask("foretell/status", Value::Null);
            let state = status["result"]["index"][0]["state"].as_str();
            let state = state.unwrap_or("opening").to_owned();
            let is_ready = state.starts_with("ready");
            if is_ready || Instant::now() > until {
                return state;
            }
            thread::sleep(AGAIN);
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn every_request_is_answered_and_every_key_arrives() {
    for odd in &ODD {
        let workspace = with(odd);
        let mut session = Session::start(&workspace);
        let uri = format!("file://{}", workspace.path().join("a.rs").display());
        let document = json!({ "uri": uri, "languageId": "rust", "version": 1, "text": "" });
        session.say("textDocument/didOpen", json!({ "textDocument": document }));
        for version in 2..80 {
            let change = json!({
                "range": { "start": { "line": 0, "character": version - 2 }, "end": { "line": 0, "character": version - 2 } },
                "text": "x",
            });
            let params = json!({
                "textDocument": { "uri": uri, "version": version },
                "contentChanges": [change],
            });
            session.say("textDocument/didChange", params);
            let place = json!({ "textDocument": { "uri": uri }, "position": { "line": 0, "character": version - 1 } });
            let answer = session.ask("foretell/context", place);
            assert!(answer["error"].is_null(), "{}: {answer}", odd.name);
        }
        let state = session.index();
        assert!(state.starts_with("ready"), "{}: {state}", odd.name);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn no_path_leads_to_what_client_and_server_say() {
    let workspace = Workspace::new(&[("a.rs", "")]);
    let session = Session::start(&workspace);
    let opened = |number: u8| {
        let path = format!("/proc/{}/fd/{number}", session.process.id());
        fs::read_link(path).expect("it is open")
    };
    assert_eq!(opened(0), PathBuf::from("/dev/null"));
    assert_eq!(opened(1), PathBuf::from("/dev/null"));
}

/// How a command ends, if it does.
fn ends(workspace: &Workspace, command: &str, arguments: &[&str]) -> Option<i32> {
    let mut command = workspace.command(command, arguments);
    // An input that says nothing and does not end.
    let command = command.stdin(Stdio::piped());
    let command = command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut process = command.spawn().expect("the binary under test starts");
    let until = Instant::now() + PATIENCE;
    loop {
        if let Some(status) = process.try_wait().expect("it is ours") {
            return status.code();
        }
        if Instant::now() > until {
            process.kill().expect("it is ours");
            process.wait().expect("it is ours");
            return None;
        }
        thread::sleep(AGAIN);
    }
}

#[test]
fn every_command_ends() {
    for odd in &ODD {
        let workspace = with(odd);
        assert_eq!(ends(&workspace, "index", &[]), Some(0), "{}", odd.name);
        let asked = ends(&workspace, "complete", &["a.rs:2:5"]);
        assert!(matches!(asked, Some(0 | 1)), "{}: {asked:?}", odd.name);
    }
}

#[test]
fn what_does_not_count_is_said() {
    let workspace = with(&Odd {
        name: ".gitignore",
        make: |it| link(it, "/dev/stdin"),
    });
    let made = workspace.run("index", &[]);
    let said = ".gitignore: it is a link, which is not followed";
    assert!(made.stdout.contains(said), "{made:?}");
    let workspace = with(&Odd {
        name: "sub/.foretellignore",
        make: |it| write(it, &"{a,".repeat(16_000)),
    });
    let made = workspace.run("index", &[]);
    let said = "sub/.foretellignore: it cannot be read: line 1: it is longer than 1024 bytes; \
                nothing below its directory is searched until that is corrected";
    assert!(made.stdout.contains(said), "{made:?}");
}

#[test]
fn settings_whose_globs_would_cost_too_much_are_refused_and_said() {
    let deep = "{a,".repeat(16_000);
    let long = "*a".repeat(400_000);
    for glob in [deep, long] {
        let workspace = Workspace::new(&[("a.rs", "fn a() {}\n")]);
        let settings = format!("context.exclude = ['{glob}']\n");
        workspace.write(".foretell.toml", settings.as_bytes());
        for (command, arguments) in [("index", &[][..]), ("complete", &["a.rs:1:5"][..])] {
            let ended = workspace.run(command, arguments);
            assert_eq!(ended.status, Some(2), "{command}");
            let said = "cannot be followed: it is longer than 1024 bytes";
            assert!(ended.stderr.contains(said), "{command}: {ended:?}");
        }
        let mut session = Session::start(&workspace);
        for _ in 0..20 {
            session.ask("foretell/status", Value::Null);
        }
    }
}

/// 11,000 names that are none of ours ended the server, and 1,000 kept every command for half a minute.
#[test]
fn settings_with_more_names_than_anybody_writes_are_refused_and_said() {
    let workspace = Workspace::new(&[("a.rs", "fn a() {}\n")]);
    let names =
        |count: usize| -> String { (0..count).map(|name| format!("k{name} = 1\n")).collect() };
    workspace.write(".foretell.toml", names(11_000).as_bytes());
    let ended = workspace.run("index", &[]);
    assert_eq!(ended.status, Some(2), "{ended:?}");
    let said = "it sets 11000 things, and at most 2000 are read";
    assert!(ended.stderr.contains(said), "{ended:?}");
    for count in [1_000, 11_000] {
        workspace.write(".foretell.toml", names(count).as_bytes());
        let mut session = Session::start(&workspace);
        for _ in 0..20 {
            session.ask("foretell/status", Value::Null);
        }
    }
    workspace.write(".foretell.toml", names(1_000).as_bytes());
    assert_eq!(ends(&workspace, "index", &[]), Some(0));
    assert_eq!(ends(&workspace, "config", &["show"]), Some(0));
}

/// A thousand globs of five hundred stars each took more than a gigabyte.
#[test]
fn many_globs_of_many_wildcards_are_refused_and_said() {
    let workspace = Workspace::new(&[("a.rs", "fn a() {}\n")]);
    let wild = (0..20).map(|glob| format!("'{glob}{}'", "*a".repeat(500)));
    let long = (0..999).map(|glob| format!("'{glob}*{}'", "a".repeat(1_000)));
    for (globs, said) in [
        (wild.collect::<Vec<_>>(), "it has more than 64 wildcards"),
        (
            long.collect::<Vec<_>>(),
            "globs at one place, and at most 1000",
        ),
    ] {
        let settings = format!("context.exclude = [{}]\n", globs.join(","));
        workspace.write(".foretell.toml", settings.as_bytes());
        let ended = workspace.run("index", &[]);
        assert_eq!(ended.status, Some(2), "{ended:?}");
        assert!(ended.stderr.contains(said), "{ended:?}");
    }
}

#[test]
fn the_name_of_a_directory_does_nothing_to_a_terminal() {
    let workspace = Workspace::new(&[]);
    let odd = "x\u{1b}]0;pwn\u{7}\u{202e}y";
    workspace.write(&format!("{odd}/.git/HEAD"), b"");
    workspace.write(&format!("{odd}/.foretell.toml"), b"unknown = 1\n");
    workspace.write(&format!("{odd}/a.rs"), b"fn a() {}\n");
    let at = format!("{odd}/a.rs:1:5");
    for (command, argument) in [("index", odd), ("complete", &*at), ("context", &*at)] {
        let ended = workspace.run(command, &[argument]);
        assert!(
            ended.stderr.contains("unknown setting"),
            "{command}: {ended:?}"
        );
        let is_odd = |c: char| matches!(c, '\u{7}' | '\u{202e}');
        assert!(!ended.stderr.contains(is_odd), "{command}: {ended:?}");
        assert!(!ended.stderr.contains("\u{1b}]"), "{command}: {ended:?}");
    }
}
