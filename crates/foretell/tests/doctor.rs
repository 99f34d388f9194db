//! `foretell doctor` as a person meets it, against nothing and against a server that does what it is
//! told to.

#[path = "support/workspace.rs"]
mod workspace;

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use foretell_testkit::model_server::{ConnectionEvent, HistoryEntry, ModelServer, ScriptedAnswer};
use serde_json::Value;

use crate::workspace::{Ended, Workspace};

const KEY: &str = "correct-horse-battery-staple-4711";
/// What belongs where a probe asks.
const FILLED: &str = r#"{"choices":[{"text":"width, height","finish_reason":"stop"}]}"#;

/// A server with one model, that says this to every question.
fn server(answer: ScriptedAnswer) -> ModelServer {
    ModelServer::start_with(move |_, request| match request.path.as_str() {
        "/v1/models" => {
            ScriptedAnswer::json(r#"{"data":[{"id":"tiny-coder"},{"id":"large-coder"}]}"#)
        }
        _ => answer.clone(),
    })
}

/// Settings by which such a server fills in.
fn asks(url: &str) -> String {
    format!(
        "{}template = 'qwen'\n",
        asks_as(url, "openai", "tiny-coder")
    )
}

/// Settings by which a model at a kind of server fills in.
fn asks_as(url: &str, kind: &str, model: &str) -> String {
    format!("[lanes.fim]\nkind = '{kind}'\nurl = '{url}'\nmodel = '{model}'\n")
}

fn doctor(own: &str) -> Ended {
    let workspace = Workspace::new(&[("a.rs", "fn main() {}\n")]);
    workspace.write_own(own.as_bytes());
    workspace.run("doctor", &[])
}

/// What was printed, without line breaks and columns.
fn flat(ended: &Ended) -> String {
    let words: Vec<&str> = ended.stdout.split_whitespace().collect();
    words.join(" ")
}

#[track_caller]
fn assert_says(ended: &Ended, status: i32, expected: &str) {
    let said = flat(ended);
    assert!(said.contains(expected), "{said}\n{}", ended.stderr);
    assert_eq!(ended.status, Some(status), "{said}\n{}", ended.stderr);
    let path = |line: &str| line.contains('/') || line.contains("is excluded");
    let mut lines = ended.stdout.lines();
    let long = lines.find(|line| line.chars().count() > 80 && !path(line));
    assert_eq!(long, None);
}

#[test]
fn with_nothing_set_up_all_is_well() {
    let workspace = Workspace::new(&[("a.rs", "fn main() {}\n")]);
    let ended = workspace.run("doctor", &[]);
    assert_says(&ended, 0, "ok fim embedded: no server, and nothing is sent");
    assert_says(&ended, 0, "All is well");
    assert_says(&ended, 0, "or make it with foretell index");
    assert_eq!(ended.stderr, "");
    assert_eq!(workspace.run("index", &[]).status, Some(0));
    let ended = workspace.run("doctor", &[]);
    assert_says(&ended, 0, "ok index 1 file, brought up to date just now");
}

#[test]
fn a_server_that_nobody_started_is_named_with_what_to_do() {
    let url = ModelServer::refusing();
    let expected = format!(
        "wrong fim openai: nobody listens at {url}: start the model server, or correct lanes.fim.url"
    );
    let ended = doctor(&asks(&url));
    assert_says(&ended, 1, &expected);
    assert_says(&ended, 1, "1 thing is wrong");
}

#[test]
fn a_server_that_answers_is_well() {
    let server = server(ScriptedAnswer::events([FILLED]));
    let url = server.url();
    let ended = doctor(&asks(&url));
    let expected = format!(
        "ok fim openai at {url} has tiny-coder, which fills in at the cursor and answers in "
    );
    assert_says(&ended, 0, &expected);
    assert!(!flat(&ended).contains(FILLED));
}

#[test]
fn a_model_that_is_missing_is_named_with_those_that_are_there() {
    let server =
        server(ScriptedAnswer::status(404).body(r#"{"error":{"message":"no such model"}}"#));
    let settings = asks(&server.url()).replace("tiny-coder", "huge-coder");
    let expected = "The server has no model \"huge-coder\"; set lanes.fim.model to one that it has: \
        tiny-coder, large-coder";
    assert_says(&doctor(&settings), 1, expected);
}

#[test]
fn a_model_that_is_not_listed_but_answers_is_noted() {
    let server = server(ScriptedAnswer::events([FILLED]));
    let settings = asks(&server.url()).replace("tiny-coder", "huge-coder");
    let ended = doctor(&settings);
    assert_says(&ended, 0, "note fim openai at ");
    assert_says(&ended, 0, "It does not list the model \"huge-coder\"");
}

#[test]
fn a_model_that_fills_in_nothing_is_noted() {
    let nothing = r#"{"choices":[{"text":"\n","finish_reason":"stop"}]}"#;
    let server = server(ScriptedAnswer::events([nothing]));
    let ended = doctor(&asks(&server.url()));
    assert_says(
        &ended,
        0,
        "It answered, but with nothing usable: a small or slow model does this, too",
    );
}

#[test]
fn a_model_that_does_not_mind_what_stands_behind_the_cursor_is_noted() {
    let on = r#"{"choices":[{"text":"radius","finish_reason":"stop"}]}"#;
    let server = server(ScriptedAnswer::events([on]));
    let ended = doctor(&asks(&server.url()));
    assert_says(&ended, 0, "note fim openai at ");
    assert_says(&ended, 0, "does not fit the text behind the cursor");
    assert!(!flat(&ended).contains("fills in"), "{}", ended.stdout);
}

#[test]
fn that_an_unknown_model_fills_in_is_not_claimed_where_suffixes_are_ignored() {
    let server = server(ScriptedAnswer::events([FILLED]));
    let settings = asks_as(&server.url(), "openai", "tiny-coder");
    let ended = doctor(&settings);
    assert_says(&ended, 0, "note fim openai at ");
    assert_says(&ended, 0, "ignore the suffix: name the family");
    assert!(!flat(&ended).contains("fills in"), "{}", ended.stdout);
}

#[test]
fn a_server_that_only_quotes_a_status_is_not_believed() {
    let says = r#"{"error":{"message":"see (status 501)"}}"#;
    let server = server(ScriptedAnswer::status(400).body(says));
    let ended = doctor(&asks(&server.url()));
    assert_says(&ended, 1, "it says: see (status 501)");
    assert!(!flat(&ended).contains("Filling in"), "{}", ended.stdout);
}

#[test]
fn a_server_that_never_comes_to_an_end_is_not_waited_for_for_ever() {
    let life = ": keep-alive\n\n";
    let alive = ScriptedAnswer::status(200)
        .content_type("text/event-stream")
        .body(life.repeat(1_000))
        .in_pieces_of(life.len())
        .every(Duration::from_millis(200));
    let server = server(alive);
    let settings = format!("{}firstByteMs = 1000\n", asks(&server.url()));
    let began = Instant::now();
    let ended = doctor(&settings);
    let took = began.elapsed();
    let expected = "has not come to the end of an answer of 16 tokens within 11 s";
    assert_says(&ended, 1, expected);
    assert!(took < Duration::from_secs(60), "{took:?}");
}

#[test]
fn a_silent_server_is_waited_for_once() {
    let server = ModelServer::start(ScriptedAnswer::silence());
    let settings = format!("{}firstByteMs = 4000\n", asks(&server.url()));
    let began = Instant::now();
    let ended = doctor(&settings);
    let took = began.elapsed();
    assert_says(&ended, 1, "wrong fim openai: ");
    assert!(took < Duration::from_millis(7_500), "{took:?}");
    assert_eq!(server.asked(), 2);
}

#[cfg(unix)]
#[test]
fn a_key_that_is_not_to_be_had_is_asked_for_once() {
    let server = server(ScriptedAnswer::events([FILLED]));
    let workspace = Workspace::new(&[("a.rs", "")]);
    let asked = workspace.path().join("asked");
    let key = format!("apiKeyCommand = 'echo >> {}; exit 3'\n", asked.display());
    workspace.write_own(format!("{}{key}", asks(&server.url())).as_bytes());
    let ended = workspace.run("doctor", &[]);
    assert_says(&ended, 1, "the command of lanes.fim.apiKeyCommand failed");
    assert_eq!(fs::read_to_string(asked).expect("it ran"), "\n");
    assert_eq!(server.asked(), 0);
}

#[test]
fn a_server_that_is_too_slow_for_typing_is_noted() {
    let server = server(ScriptedAnswer::events([FILLED]).after(Duration::from_millis(300)));
    let settings = format!("race.capMs = 200\n{}", asks(&server.url()));
    let ended = doctor(&settings);
    assert_says(&ended, 0, "note fim openai at ");
    assert_says(
        &ended,
        0,
        "That is longer than the editor waits (race.capMs is 200 ms)",
    );
}

#[test]
fn a_server_on_this_machine_is_measured_with_a_prompt_of_real_size() {
    let timings =
        r#""timings":{"prompt_n":1200,"prompt_ms":400.0,"predicted_n":40,"predicted_ms":20.0}"#;
    let frame = format!(r#"{{"content":"width, height","stop":true,{timings}}}"#);
    let answer = ScriptedAnswer::events_without_done([frame]).after(Duration::from_millis(410));
    let server = ModelServer::start_with(move |_, request| match request.path.as_str() {
        "/props" => ScriptedAnswer::json(
            r#"{"model_alias":"qwen2.5-coder","total_slots":4,
                "default_generation_settings":{"n_ctx":8192}}"#,
        ),
        "/completion" => answer.clone(),
        _ => ScriptedAnswer::status(404),
    });
    let ended = doctor(&asks_as(&server.url(), "llama-cpp", "qwen2.5-coder"));
    assert_says(
        &ended,
        0,
        "fim reads 3,000 and writes 2,000 tokens a second",
    );
    assert_says(&ended, 0, "4 slots, a context of 8,192 tokens");
    assert_says(&ended, 0, "at a new place (2,666 tokens)");
    let requests = server.requests();
    let asks = requests.iter().filter(|it| it.path == "/completion");
    let sizes: Vec<usize> = asks.map(|it| it.body.len()).collect();
    // A tiny question, and two of real size.
    assert_eq!(sizes.len(), 3, "{sizes:?}");
    assert!(
        sizes[0] < 1_000 && sizes[1] > 3_000 && sizes[2] > sizes[1],
        "{sizes:?}"
    );
    assert!(!ended.stdout.contains("a.rs"), "{}", ended.stdout);
}

#[test]
fn a_model_for_when_one_asks_is_asked_too() {
    let server = ModelServer::start_with(|_, request| {
        let body = String::from_utf8_lossy(&request.body);
        match request.path.as_str() {
            "/v1/models" => ScriptedAnswer::json(r#"{"data":[{"id":"tiny-coder"}]}"#),
            _ if body.contains("large-coder") => ScriptedAnswer::status(404),
            _ => ScriptedAnswer::events([FILLED]),
        }
    });
    let settings = format!("{}explicitModel = 'large-coder'\n", asks(&server.url()));
    let ended = doctor(&settings);
    assert_says(&ended, 1, "has tiny-coder, which fills in");
    assert_says(&ended, 1, "wrong fim when you ask, openai: ");
    assert_says(
        &ended,
        1,
        "set lanes.fim.explicitModel to one that it has: tiny-coder",
    );
    let same = settings.replace("'large-coder'", "'tiny-coder'");
    // Besides those by which the server is measured.
    let questions = || {
        let requests = server.requests();
        let is_tiny = |length: usize| (1..1_000).contains(&length);
        requests.iter().filter(|it| is_tiny(it.body.len())).count()
    };
    let asked = questions();
    assert_says(&doctor(&same), 0, "fills in");
    assert_eq!(questions() - asked, 1);
}

#[test]
fn a_model_for_when_one_asks_is_enough() {
    let filled = r#"{"response":"width, height","done":true,"done_reason":"stop"}"#;
    let server = ModelServer::start_with(move |_, request| match request.path.as_str() {
        "/api/tags" => ScriptedAnswer::json(r#"{"models":[{"name":"qwen2.5-coder:latest"}]}"#),
        _ => ScriptedAnswer::lines([filled]),
    });
    let settings = asks_as(&server.url(), "ollama", "qwen2.5-coder");
    let ended = doctor(&settings.replace("model =", "explicitModel ="));
    assert_says(&ended, 0, "note fim when you ask, ollama at ");
    assert_says(&ended, 0, "has qwen2.5-coder, which fills in at the cursor");
    assert_says(&ended, 0, "lanes.fim.model is not set");
}

#[test]
fn a_model_that_cannot_fill_in_says_which_ones_can() {
    let says = r#"{"error":{"code":501,"message":"This server does not support infill."}}"#;
    let server = server(ScriptedAnswer::status(501).body(says));
    let url = server.url();
    let settings = format!("[lanes.fim]\nkind = 'llama-cpp'\nurl = '{url}'\n");
    let ended = doctor(&settings);
    assert_says(&ended, 1, "wrong fim llama-cpp: ");
    assert_says(&ended, 1, "Choose a model that can fill in the middle");
}

#[test]
fn a_key_that_is_not_accepted_is_never_shown() {
    let says = format!(r#"{{"error":{{"message":"bad key {KEY}"}}}}"#);
    let server = server(ScriptedAnswer::status(401).body(says));
    let workspace = Workspace::new(&[("a.rs", "fn main() {}\n"), ("key", KEY)]);
    let file = workspace.path().join("key");
    let from = [
        "apiKeyEnv = 'TEST_FORETELL_KEY'".to_owned(),
        format!("apiKeyFile = '{}'", file.display()),
        format!("apiKeyCommand = 'cat {}'", file.display()),
    ];
    for key in from {
        workspace.write_own(format!("{}{key}\n", asks(&server.url())).as_bytes());
        let asked = server.asked();
        let commands: [&[&str]; 5] = [
            &["doctor"],
            &["doctor", "--json"],
            &["complete", "a.rs:1:4", "--why"],
            &["complete", "a.rs:1:4", "--json"],
            &["complete", "a.rs:1:4", "--explain-prompt"],
        ];
        for command in commands {
            let mut started = workspace.command(command[0], &command[1..]);
            let ended = started.env("TEST_FORETELL_KEY", KEY).output();
            let ended = Ended::from(ended.expect("the binary under test starts"));
            let all = [ended.stdout.as_str(), &ended.stderr].concat();
            assert!(!all.contains(KEY), "{command:?} with {key}: {all}");
            let expected = if command.contains(&"--explain-prompt") {
                "authorization: ***"
            } else {
                "does not accept the key"
            };
            let words: Vec<&str> = all.split_whitespace().collect();
            assert!(words.join(" ").contains(expected), "{command:?}: {all}");
        }
        let authorized = format!("Bearer {KEY}");
        let requests = server.requests();
        let sent = requests.iter().skip(asked);
        assert!(sent.clone().count() > 0);
        assert!(
            sent.clone()
                .all(|it| it.header("authorization") == Some(&authorized))
        );
    }
}

#[test]
fn what_is_set_up_wrongly_is_said_in_the_words_of_the_setting() {
    let cases = [
        (
            "[lanes.fim]\nkind = 'openai'\n".to_owned(),
            "lanes.fim.url is not set",
        ),
        (asks("not an address"), "lanes.fim.url is not an address"),
        (
            asks("http://models.example.org"),
            "lanes.fim.url would send code and keys unencrypted to models.example.org: use https",
        ),
        (
            asks("http://127.0.0.1:1").replace("'qwen'", "'{suffix} only'"),
            "{prefix}",
        ),
        (
            "[lanes.nextEdit]\nkind = 'mistral'\nurl = 'http://127.0.0.1:1'\n".to_owned(),
            "wrong next-edit mistral: this kind of server only fills in at the cursor",
        ),
    ];
    for (settings, expected) in cases {
        assert_says(&doctor(&settings), 1, expected);
    }
}

#[test]
fn servers_are_asked_at_the_same_time() {
    let slow = ScriptedAnswer::json("{}").after(Duration::from_secs(3));
    let server = ModelServer::start(slow);
    let url = server.url();
    let lane =
        |name, kind| format!("[lanes.{name}]\nkind = '{kind}'\nurl = '{url}'\nmodel = 'm'\n");
    let settings = [
        lane("fim", "llama-cpp"),
        lane("nextEdit", "openai-chat"),
        lane("fix", "openai"),
    ];
    doctor(&settings.concat());
    let history = server.history();
    let answered = history
        .iter()
        .position(|it| it.what == ConnectionEvent::Answered);
    let before = history.iter().take(answered.expect("it answers"));
    let is_list = |it: &&HistoryEntry| match &it.what {
        ConnectionEvent::Asked(request) => request.path == "/v1/models",
        _ => false,
    };
    // Each for what it has, before the first has answered. The first questions follow.
    assert_eq!(before.filter(is_list).count(), 3);
}

#[test]
fn a_language_with_a_server_of_its_own_is_looked_at() {
    let url = ModelServer::refusing();
    let settings = format!("[languages.rust.lanes.fim]\nkind = 'llama-cpp'\nurl = '{url}'\n");
    let ended = doctor(&settings);
    assert_says(&ended, 1, "ok fim embedded");
    assert_says(&ended, 1, "wrong fim (rust) llama-cpp: nobody listens at ");
}

#[test]
fn ones_own_settings_are_read_and_their_faults_named() {
    let workspace = Workspace::new(&[("a.rs", "fn main() {}\n")]);
    let path = workspace.write_own(b"trigger.enabled = false\npace.bseMs = 3\n");
    let named = format!("{}:2:6: unknown setting \"pace.bseMs\"", path.display());
    let ended = workspace.run("doctor", &[]);
    assert_says(
        &ended,
        1,
        &format!("ok yours 1 setting in {}", path.display()),
    );
    assert_says(&ended, 1, &format!("wrong yours {named}"));
    for command in [
        &["complete", "a.rs:1"][..],
        &["context", "a.rs:1"],
        &["index"],
    ] {
        let ended = workspace.run(command[0], &command[1..]);
        assert!(
            ended.stderr.contains(&format!("warning: {named}")),
            "{}",
            ended.stderr
        );
    }
    // Another file stands in its place.
    let other = workspace.write("other.toml", b"");
    let other = other.display().to_string();
    let ended = workspace.run("doctor", &["--settings", &other]);
    assert_says(
        &ended,
        0,
        "- yours not read, since --settings names another file",
    );
    let named = format!("ok --settings 0 settings in {other}");
    assert_says(&ended, 0, &named);
    let ended = workspace.run("context", &["a.rs:1", "--settings", &other]);
    assert!(!ended.stderr.contains("warning"), "{}", ended.stderr);
}

#[test]
fn ones_own_settings_that_cannot_be_read_are_said_and_the_rest_goes_on() {
    let workspace = Workspace::new(&[("a.rs", "fn main() {}\n")]);
    let path = workspace.write_own(&vec![b'#'; (1 << 20) + 1]);
    let ended = workspace.run("context", &["a.rs:1"]);
    assert!(
        ended
            .stderr
            .contains("none of your settings apply: make it smaller"),
        "{}",
        ended.stderr
    );
    assert_eq!(ended.status, Some(1));
    assert_says(&workspace.run("doctor", &[]), 1, "make it smaller");
    workspace.write_own(b"\xff\xff");
    let ended = workspace.run("index", &[]);
    assert!(
        ended.stderr.contains("save it as UTF-8"),
        "{}",
        ended.stderr
    );
    assert_eq!(ended.status, Some(0));
    fs::remove_file(&path).expect("it is there");
    fs::create_dir(&path).expect("a directory");
    let ended = workspace.run("complete", &["a.rs:1"]);
    assert!(
        ended.stderr.contains("put a file with settings there"),
        "{}",
        ended.stderr
    );
}

#[test]
fn nothing_is_told_while_it_is_not_known_what_was_to_be_excluded() {
    let workspace = Workspace::new(&[("a.rs", "fn main() {}\n")]);
    workspace.write_own(b"context.exclude = 3\n");
    let ended = workspace.run("complete", &["a.rs:1"]);
    assert_eq!(ended.status, Some(2), "{}", ended.stderr);
    assert_says(&workspace.run("doctor", &[]), 1, "context.exclude");
}

#[test]
fn a_fault_in_the_settings_of_a_workspace_is_named() {
    let files = [(".foretell.toml", "lanes.fim.url = 'http://127.0.0.1:1'\n")];
    let workspace = Workspace::new(&files);
    let ended = workspace.run("doctor", &[]);
    assert_says(&ended, 1, "wrong workspace ");
    assert_says(&ended, 1, "lanes.fim.url is refused in a workspace file");
    workspace.write(".foretell.toml", b"= 3");
    assert_says(&workspace.run("doctor", &[]), 1, "not valid TOML");
}

#[test]
fn what_was_used_up_is_shown_where_there_is_a_limit() {
    let server = server(ScriptedAnswer::events([FILLED]));
    let workspace = Workspace::new(&[("a.py", "def add(a, b):\n    return \n")]);
    let limits = "requestsPerDay = 1\ntokensPerDay = 100000\n";
    workspace.write_own(format!("{}{limits}", asks(&server.url())).as_bytes());
    assert_says(
        &workspace.run("doctor", &[]),
        0,
        "0 of 1 requests, 0 of 100,000 tokens today",
    );
    let asked = server.asked();
    let ended = workspace.run("complete", &["a.py:2:12"]);
    assert_eq!(
        (ended.stdout.as_str(), ended.status),
        ("width, height\n", Some(0)),
        "{}",
        ended.stderr
    );
    let ended = workspace.run("doctor", &[]);
    assert_says(&ended, 0, "note fim 1 of 1 requests");
    assert_says(&ended, 0, "quiet until the day ends");
    // Nor does it ask itself then.
    let says = "not asked, since lanes.fim.requestsPerDay (1) is reached until midnight UTC";
    assert_says(&ended, 0, &format!("note fim openai: {says}"));
    assert_eq!(server.asked(), asked + 1);
}

#[test]
fn counts_that_cannot_be_kept_are_noted() {
    let workspace = Workspace::new(&[("a.rs", "")]);
    workspace.write_own(b"lanes.fim.requestsPerDay = 5\n");
    let state = workspace.cache().join("state");
    fs::create_dir_all(state.join("foretell")).expect("a directory");
    let file = state.join("foretell").join("usage.json");
    fs::write(&file, "{").expect("a file");
    let ended = workspace.run("doctor", &[]);
    assert_says(&ended, 0, "note counts today's usage cannot be understood");
    fs::remove_dir_all(&state).expect("it is there");
    assert!(!flat(&workspace.run("doctor", &[])).contains("counts"));
    assert!(!state.exists(), "nothing is changed");
    fs::write(&state, "").expect("a file");
    let ended = workspace.run("doctor", &[]);
    assert_says(&ended, 0, "note counts usage cannot be written");
}

#[cfg(unix)]
#[test]
fn a_limit_that_a_full_disk_forgets_is_noted() {
    let workspace = Workspace::new(&[("a.rs", "")]);
    workspace.write_own(b"lanes.fim.requestsPerDay = 5\n");
    let state = workspace.cache().join("state");
    fs::create_dir_all(state.join("foretell")).expect("a directory");
    // Files can be made and nothing can be written to them, as on a disk without room.
    let doctor = workspace.command("doctor", &[]);
    let variables = doctor
        .get_envs()
        .filter_map(|(name, value)| Some((name, value?)));
    let ended = Command::new("sh")
        .args(["-c", r#"trap "" XFSZ; ulimit -f 0; exec "$0" doctor"#])
        .arg(doctor.get_program())
        .current_dir(workspace.path())
        .envs(variables)
        .output()
        .expect("a shell");
    let said = String::from_utf8_lossy(&ended.stdout);
    let noted = "usage cannot be written: File too large";
    assert!(said.contains(noted), "{said}");
    assert!(
        !state.join("foretell/usage.new").exists(),
        "nothing is left"
    );
}

#[test]
fn who_looks_at_the_first_lines_still_learns_that_something_is_wrong() {
    let workspace = Workspace::new(&[("a.rs", "")]);
    workspace.write_own(b"nonsense = 3\n");
    for (arguments, status) in [(&[][..], 1), (&["--json"], 1)] {
        let mut command = workspace.command("doctor", arguments);
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary under test starts");
        drop(child.stdout.take());
        let ended = Ended::from(child.wait_with_output().expect("it ends"));
        assert_eq!((ended.stderr.as_str(), ended.status), ("", Some(status)));
    }
}

#[test]
fn of_settings_of_which_nothing_applies_nothing_is_called_well() {
    for own in [&b"= 3"[..], b"nonsense = 3\n", b"\xff"] {
        let workspace = Workspace::new(&[("a.rs", "")]);
        workspace.write_own(own);
        let ended = workspace.run("doctor", &[]);
        assert_says(&ended, 1, "settings wrong yours ");
        assert!(!flat(&ended).contains("ok yours"), "{}", ended.stdout);
    }
}

#[test]
fn all_that_was_found_is_data() {
    let url = ModelServer::refusing();
    let workspace = Workspace::new(&[("a.rs", "fn main() {}\n")]);
    let path = workspace.write_own(asks(&format!("{url}/{KEY}")).as_bytes());
    let ended = workspace.run("doctor", &["--json"]);
    assert_eq!((ended.stderr.as_str(), ended.status), ("", Some(1)));
    assert!(!ended.stdout.contains(KEY), "{}", ended.stdout);
    let json: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    assert_eq!(json["isWell"], false);
    assert_eq!(json["settings"][0]["file"], path.display().to_string());
    assert_eq!(json["settings"][0]["count"], 4);
    let fim = &json["lanes"][0];
    assert_eq!(
        (&fim["about"], &fim["failure"]),
        (&"fim".into(), &"refused".into())
    );
    assert_eq!(fim["address"], url);
    assert_eq!(json["lanes"][1]["kind"], "embedded");
}

#[test]
fn a_directory_that_is_not_there_cannot_be_looked_at() {
    let workspace = Workspace::new(&[]);
    let ended = workspace.run("doctor", &["nowhere"]);
    ended.refused(
        "nowhere: No such file or directory (os error 2)",
        "Give a directory of the workspace, or none for the current one",
    );
}

#[test]
fn an_ignore_file_that_nobody_understands_is_wrong() {
    let workspace = Workspace::new(&[("a.rs", ""), (".foretellignore", "cust[omers/\n")]);
    let ended = workspace.run("doctor", &[]);
    let said = flat(&ended);
    assert!(said.contains("cannot be used: line 1"), "{said}");
    assert!(!said.contains("All is well"), "{said}");
    assert_ne!(ended.status, Some(0), "{said}");
}
