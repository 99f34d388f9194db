//! `foretell complete` as a person meets it: what it prints, where, and with which exit status.

#[path = "support/workspace.rs"]
mod workspace;

use std::fs::File;
use std::process::Stdio;
use std::time::{Duration, Instant};

use foretell_testkit::model_server::{ModelServer, ScriptedAnswer};
use serde_json::Value;

use crate::workspace::{Ended, Workspace};

const FILLED: &str = r#"{"choices":[{"text":"0;","finish_reason":"stop"}]}"#;
const SECRET: &str = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";

/// Settings by which a server fills in.
fn asks(url: &str) -> String {
    format!("[lanes.fim]\nkind = 'openai'\nurl = '{url}'\nmodel = 'm'\ntemplate = 'qwen'\n")
}

const SHAPES: &str =
    "this.width = width;\nthis.depth = depth;\nthis.color = color;\nthis.height = \n";

#[test]
fn a_line_goes_on_as_others_do() {
    let workspace = Workspace::new(&[("shapes.js", SHAPES)]);
    let ended = workspace.run("complete", &["shapes.js:4:15"]);
    assert_eq!(
        (ended.stdout.as_str(), ended.stderr.as_str()),
        ("height;\n", "")
    );
    assert_eq!(ended.status, Some(0));
    let ended = workspace.run("complete", &["shapes.js:4", "--diff"]);
    let expected = "--- a/shapes.js\n+++ b/shapes.js\n@@ -1,4 +1,4 @@\n this.width = width;\n this.depth = depth;\n this.color = color;\n-this.height = \n+this.height = height;\n";
    assert_eq!(ended.stdout, expected);
}

#[test]
fn all_that_was_decided_is_data() {
    let workspace = Workspace::new(&[("shapes.js", SHAPES)]);
    let ended = workspace.run("complete", &["shapes.js:4:15", "--json"]);
    let json: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    assert_eq!(json["file"], "shapes.js");
    assert_eq!(json["withheld"], Value::Null);
    let change = &json["candidates"][0]["changes"][0];
    assert_eq!(json["candidates"][0]["lane"], "fim");
    assert_eq!(change["newText"], "height;");
    assert_eq!(change["range"]["start"]["line"], 3);
    assert_eq!(change["range"]["start"]["character"], 14);
    let lanes = json["lanes"].as_array().expect("an array");
    assert_eq!(lanes[0]["lane"], "fim");
    assert_eq!(lanes[0]["lost"], Value::Null);
}

#[test]
fn neighbours_and_the_workspace_are_looked_at() {
    let ours = "export function start() {\n    register(name, { eager: \n}\n";
    let theirs = "    register(name, { eager: true, once: false });\n".repeat(3);
    let workspace = Workspace::new(&[("src/start.ts", ours), ("src/stop.ts", &theirs)]);
    let ended = workspace.run("complete", &["src/start.ts:2"]);
    assert_eq!(ended.stdout, "true, once: false });\n", "{}", ended.stderr);
    let far = Workspace::new(&[("src/start.ts", ours), ("lib/deep/stop.ts", &theirs)]);
    let ended = far.run("complete", &["src/start.ts:2"]);
    assert_eq!(ended.stdout, "true, once: false });\n", "{}", ended.stderr);
}

#[test]
fn a_diagnostic_that_names_its_remedy_is_followed() {
    let found = r#"[{"range":{"start":{"line":1,"character":4},"end":{"line":1,"character":8}},
        "severity":1,"source":"ts","message":"Cannot find name 'totl'. Did you mean 'total'?"}]"#;
    let code = "function total() {}\n    totl();\n";
    let files = [("a.ts", code), ("found.json", found)];
    let workspace = Workspace::new(&files);
    let asked = ["a.ts:2:7", "--diagnostics", "found.json", "--why"];
    let ended = workspace.run("complete", &asked);
    assert_eq!(ended.stdout, "total\n");
    assert!(ended.stderr.contains("fix: won after "), "{}", ended.stderr);
}

#[test]
fn nothing_to_suggest_has_a_reason() {
    let workspace = Workspace::new(&[("a.rs", "fn main() {}\n"), ("empty.rs", "")]);
    for place in ["a.rs:1:4", "empty.rs:1"] {
        let ended = workspace.run("complete", &[place]);
        assert_eq!((ended.stdout.as_str(), ended.status), ("", Some(1)));
        assert!(
            ended.stderr.starts_with("Nothing to suggest: "),
            "{}",
            ended.stderr
        );
    }
    workspace.write("odd.nobodyknows", b"one two\n");
    let ended = workspace.run("complete", &["odd.nobodyknows:1", "--json"]);
    assert_eq!(ended.status, Some(1));
    let json: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    assert_eq!(json["withheld"], "nothing-found");
    let long = File::create(workspace.path().join("long.rs")).expect("a file");
    long.set_len(0).expect("it is empty");
    workspace.write("long.rs", &vec![b'a'; 5_000_000]);
    let ended = workspace.run("complete", &["long.rs:1:4000"]);
    assert_eq!((ended.stdout.as_str(), ended.status), ("", Some(1)));
}

#[test]
fn in_an_excluded_file_only_that_file_is_looked_at() {
    let ours = "one = first\ntwo = \n";
    let theirs = "two = correct-horse-battery\n".repeat(4);
    let workspace = Workspace::new(&[(".env", ours), (".env.local", &theirs), ("a.txt", &theirs)]);
    let ended = workspace.run("complete", &[".env:2:7"]);
    assert_eq!((ended.stdout.as_str(), ended.status), ("", Some(1)));
    // Nor does anybody else see it.
    workspace.write("b.txt", ours.as_bytes());
    workspace.write("a.txt", b"");
    let ended = workspace.run("complete", &["b.txt:2:7"]);
    assert_eq!((ended.stdout.as_str(), ended.status), ("", Some(1)));
}

#[test]
fn what_cannot_be_asked_says_what_to_do_next() {
    let workspace = Workspace::new(&[("a.rs", "fn main() {}\n"), ("bad.rs", "")]);
    workspace.write("bad.rs", b"\xff\n");
    let asked = |arguments: &[&str]| workspace.run("complete", arguments);
    let missing = asked(&["nowhere.rs:1"]);
    missing.refused(
        "nowhere.rs: No such file or directory (os error 2)",
        "Check the path",
    );
    let outside = asked(&["a.rs:9"]);
    outside.refused(
        "a.rs: there is no line 9: it has 2",
        "Give a line from 1 to 2",
    );
    let bad = asked(&["bad.rs:1"]);
    assert_eq!(bad.status, Some(2), "{}", bad.stderr);
}

#[test]
fn a_model_fills_in() {
    let server = ModelServer::start(ScriptedAnswer::events([FILLED]));
    let workspace = Workspace::new(&[("shapes.js", SHAPES)]);
    workspace.write_own(asks(&server.url()).as_bytes());
    let ended = workspace.run("complete", &["shapes.js:4:15"]);
    assert_eq!((ended.stdout.as_str(), ended.stderr.as_str()), ("0;\n", ""));
    assert_eq!(server.asked(), 1);
}

#[test]
fn a_server_that_nobody_started_is_said_with_what_to_do() {
    let url = ModelServer::refusing();
    let workspace = Workspace::new(&[("shapes.js", SHAPES)]);
    workspace.write_own(asks(&url).as_bytes());
    let says = format!("nobody listens at {url}: start the model server, or correct lanes.fim.url");
    let ended = workspace.run("complete", &["shapes.js:4:15"]);
    let expected =
        format!("Nothing to suggest: fim failed, {says}\nLook into it with foretell doctor\n");
    assert_eq!((ended.stdout.as_str(), ended.stderr), ("", expected));
    assert_eq!(ended.status, Some(2));
    let ended = workspace.run("complete", &["shapes.js:4:15", "--why"]);
    assert!(
        ended.stderr.contains("fim: the lane failed ("),
        "{}",
        ended.stderr
    );
    assert!(
        ended.stderr.contains(&format!(" ms): {says}\n")),
        "{}",
        ended.stderr
    );
    let ended = workspace.run("complete", &["shapes.js:4:15", "--json"]);
    let json: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    assert_eq!(json["lanes"][0]["fault"]["kind"], "refused");
    assert_eq!(json["lanes"][0]["fault"]["says"], says);
    assert_eq!(ended.status, Some(2));
}

#[test]
fn nothing_is_sent_while_ones_own_exclusions_are_not_known() {
    let server = ModelServer::start(ScriptedAnswer::events([FILLED]));
    let workspace = Workspace::new(&[("secrets.js", SHAPES)]);
    let url = format!("lanes.fim.url={}", server.url());
    let of_language = format!("languages.javascript.lanes.fim.url={}", server.url());
    let flags: [&[&str]; 2] = [
        &["--set", "lanes.fim.kind=llama-cpp", "--set", &url],
        &[
            "--set",
            "languages.javascript.lanes.fim.kind=llama-cpp",
            "--set",
            &of_language,
        ],
    ];
    let files: [&[u8]; 4] = [
        b"context.exclude = ['secrets.js']\npace.baseMs = = 3\n",
        b"context.exclude = ['secrets.js']\n# \xff\n",
        b"context.exclud = ['secrets.js']\n",
        &vec![b'#'; (1 << 20) + 1],
    ];
    for own in files {
        let path = workspace.write_own(own);
        for flags in flags {
            for more in [&[][..], &["--explain-prompt"]] {
                let all = [&["secrets.js:4:15"], flags, more].concat();
                let ended = workspace.run("complete", &all);
                let said = &ended.stderr;
                assert_eq!(
                    (ended.stdout.as_str(), ended.status),
                    ("", Some(2)),
                    "{said}"
                );
                let named = format!("error: {}", path.display());
                assert!(said.starts_with(&named), "{said}");
            }
        }
    }
    assert_eq!(server.asked(), 0);
    // It does no harm where nothing could be sent, and another file stands in its place.
    let ended = workspace.run("complete", &["secrets.js:4:15"]);
    assert_eq!(ended.stdout, "height;\n", "{}", ended.stderr);
    assert!(ended.stderr.starts_with("warning: "), "{}", ended.stderr);
    let other = workspace.write("other.toml", b"");
    let other = other.display().to_string();
    let all = [&["secrets.js:4:15", "--settings", &other], flags[0]].concat();
    workspace.run("complete", &all);
    let requests = server.requests();
    let about_code = requests.iter().filter(|it| it.method == "POST");
    assert_eq!(about_code.count(), 1);
}

#[test]
fn what_to_do_about_ones_own_settings_is_said() {
    let workspace = Workspace::new(&[("a.js", SHAPES)]);
    workspace.write_own(b"= 3\n");
    let flags = ["--set", "lanes.fix.kind=openai-chat"];
    let ended = workspace.run("complete", &[&["a.js:4"][..], &flags].concat());
    let expected = "Nothing was sent, because that file may exclude something; correct it, \
        or give another with --settings FILE\n";
    assert!(ended.stderr.ends_with(expected), "{}", ended.stderr);
    let off = [
        &["a.js:4"][..],
        &flags,
        &["--set", "lanes.fix.enabled=false"],
    ]
    .concat();
    assert_eq!(workspace.run("complete", &off).status, Some(0));
}

#[test]
fn a_limit_that_is_reached_is_named_with_its_end() {
    let server = ModelServer::start(ScriptedAnswer::events([FILLED]));
    let workspace = Workspace::new(&[("shapes.js", SHAPES)]);
    let limit = "requestsPerDay = 1\n";
    workspace.write_own(format!("{}{limit}", asks(&server.url())).as_bytes());
    let ended = workspace.run("complete", &["shapes.js:4:15"]);
    assert_eq!(ended.stdout, "0;\n", "{}", ended.stderr);
    let says = "lanes.fim.requestsPerDay (1) is reached until midnight UTC";
    let ended = workspace.run("complete", &["shapes.js:4:15"]);
    let expected = format!("Nothing to suggest: fim was not asked, {says}\n");
    assert_eq!((ended.stdout.as_str(), ended.stderr), ("", expected));
    assert_eq!(ended.status, Some(1));
    let ended = workspace.run("complete", &["shapes.js:4:15", "--json"]);
    let json: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    assert_eq!(json["withheld"], "over-limit");
    let spared = serde_json::json!([
        {"lane": "fim", "reason": "over-limit", "says": says},
        {"lane": "fix", "reason": "nothing-to-ask", "says": "there is no diagnostic on this line"},
    ]);
    assert_eq!(json["spared"], spared);
    assert_eq!(server.asked(), 1);
}

#[test]
fn a_server_that_is_too_slow_is_named_with_the_setting_that_gave_it_up() {
    let server = ModelServer::start(ScriptedAnswer::silence());
    let workspace = Workspace::new(&[("shapes.js", SHAPES)]);
    let settings = format!("race.explicitCapMs = 300\n{}", asks(&server.url()));
    workspace.write_own(settings.as_bytes());
    let ended = workspace.run("complete", &["shapes.js:4:15"]);
    let expected = format!(
        "Nothing to suggest: fim ({}) did not answer within race.explicitCapMs (300 ms)\n\
         Look into it with foretell doctor, or raise that setting\n",
        server.url()
    );
    assert_eq!((ended.stdout.as_str(), ended.stderr), ("", expected));
    assert_eq!(ended.status, Some(2));
}

#[cfg(unix)]
#[test]
fn a_key_file_that_nobody_writes_is_not_waited_for_for_ever() {
    let server = ModelServer::start(ScriptedAnswer::events([FILLED]));
    let workspace = Workspace::new(&[("shapes.js", SHAPES)]);
    let pipe = workspace.path().join("key");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.is_ok_and(|it| it.success()), "a pipe");
    let key = format!("apiKeyFile = '{}'\n", pipe.display());
    workspace.write_own(format!("{}{key}", asks(&server.url())).as_bytes());
    let began = Instant::now();
    let complete = workspace.command("complete", &["shapes.js:4:15"]);
    let doctor = workspace.command("doctor", &[]);
    let started = [complete, doctor].map(|mut it| {
        let piped = it.stdout(Stdio::piped()).stderr(Stdio::piped());
        piped.spawn().expect("the binary under test starts")
    });
    for (child, status) in started.into_iter().zip([2, 1]) {
        let ended = Ended::from(child.wait_with_output().expect("it ends"));
        let said = [ended.stdout, ended.stderr].concat();
        let said: Vec<&str> = said.split_whitespace().collect();
        let said = said.join(" ");
        assert!(said.contains("could not be read in time"), "{said}");
        assert_eq!(ended.status, Some(status), "{said}");
    }
    // A file has 5 seconds, once.
    let took = began.elapsed();
    assert!(took < Duration::from_secs(9), "{took:?}");
    assert_eq!(server.asked(), 0);
}

#[test]
fn a_lane_that_fails_does_not_keep_another_from_answering() {
    let url = ModelServer::refusing();
    let workspace = Workspace::new(&[("shapes.js", SHAPES)]);
    let settings = asks(&url).replace("lanes.fim", "lanes.nextEdit");
    workspace.write_own(settings.as_bytes());
    let ended = workspace.run("complete", &["shapes.js:4:15"]);
    assert_eq!(
        (ended.stdout.as_str(), ended.status),
        ("height;\n", Some(0))
    );
}

#[test]
fn in_the_middle_of_a_very_long_key_nothing_of_it_would_be_sent() {
    let digits = |number: u64| format!("{:016x}", number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let line = |number: u64| [1, 3, 5, 7].map(|odd| digits(number * 8 + odd)).concat();
    let key: Vec<String> = (1..=1_500).map(line).collect();
    let (begin, end) = ("-----BEGIN RSA PRIVATE ", "-----END RSA PRIVATE ");
    let text = format!(
        "first\n{begin}KEY-----\n{}\n{end}KEY-----\nlast\n",
        key.join("\n")
    );
    let workspace = Workspace::new(&[("deploy.txt", &*text)]);
    let both = asks("http://127.0.0.1:9")
        + &asks("http://127.0.0.1:9")
            .replace("fim", "nextEdit")
            .replace("template = 'qwen'\n", "");
    workspace.write_own(both.as_bytes());
    for place in ["deploy.txt:40", "deploy.txt:750", "deploy.txt:1460"] {
        let told = workspace.run("complete", &[place, "--explain-prompt"]);
        assert_eq!(told.status, Some(0), "{}", told.stderr);
        let sent = key.iter().filter(|it| told.stdout.contains(&***it)).count();
        assert_eq!(sent, 0, "{place}: {}", told.stdout);
        assert!(
            told.stdout.contains("[REDACTED-"),
            "{place}: {}",
            told.stdout
        );
    }
}

#[test]
fn what_would_be_sent_is_shown_without_secrets_and_not_sent() {
    let server = ModelServer::start(ScriptedAnswer::events([FILLED]));
    let code = format!("token = '{SECRET}'\r\nheight = \n");
    let workspace = Workspace::new(&[("shapes.py", &code)]);
    let headers = "headers.x-team = 'blue'\napiKeyEnv = 'TEST_FORETELL_KEY'\n";
    workspace.write_own(format!("{}{headers}", asks(&server.url())).as_bytes());
    let run = |arguments: &[&str]| {
        let all = [&["shapes.py:2:10"], arguments].concat();
        let mut command = workspace.command("complete", &all);
        let ended = command.env("TEST_FORETELL_KEY", "a-key").output();
        Ended::from(ended.expect("the binary under test starts"))
    };
    let shown = run(&["--explain-prompt"]);
    assert_eq!(shown.status, Some(0), "{}", shown.stderr);
    let url = server.url();
    for expected in [
        &format!("  POST {url}/v1/completions\n"),
        "  authorization: ***\n",
        "  x-team: ***\n",
        "  1 secret is taken out (",
        "token = '[REDACTED-1]'",
        "next-edit  sends nothing: it is embedded\n",
        "fix        sends nothing: there is no diagnostic on this line\n",
    ] {
        assert!(
            shown.stdout.contains(expected),
            "{expected:?} in {}",
            shown.stdout
        );
    }
    let told = run(&["--explain-prompt", "--json"]);
    for (all, hidden) in [
        (&shown, SECRET),
        (&shown, "blue"),
        (&told, SECRET),
        (&told, "blue"),
    ] {
        assert!(!all.stdout.contains(hidden), "{}", all.stdout);
        assert!(!all.stdout.contains("a-key"), "{}", all.stdout);
    }
    assert_eq!(server.asked(), 0);

    // It is what is sent then.
    run(&[]);
    let json: Value = serde_json::from_str(&told.stdout).expect("JSON");
    let sends = &json["lanes"][0]["sends"];
    let [sent] = &server.requests()[..] else {
        panic!("it asks once");
    };
    let body: Value = serde_json::from_slice(&sent.body).expect("JSON");
    assert_eq!(sends["body"], body);
    assert_eq!(sends["secrets"]["count"], 1);
    let told = sends["headers"].as_object().expect("headers");
    for (name, says) in &sent.headers {
        let own = ["host", "content-length", "user-agent", "accept-encoding"];
        if !own.contains(&name.as_str()) {
            let shown = told.get(name).and_then(Value::as_str);
            assert!(
                shown == Some("***") || shown == Some(says),
                "{name}: {shown:?}"
            );
        }
    }
}

#[test]
fn a_mark_in_the_instructions_is_no_secret() {
    let workspace = Workspace::new(&[("shapes.js", SHAPES)]);
    let settings =
        asks("http://127.0.0.1:1/a-key-in-a-path").replace("lanes.fim", "lanes.nextEdit");
    workspace.write_own(settings.as_bytes());
    let ended = workspace.run("complete", &["shapes.js:4:15", "--explain-prompt"]);
    assert!(
        ended.stdout.contains("  no secret is in it\n"),
        "{}",
        ended.stdout
    );
    assert!(
        ended.stdout.contains("  POST http://127.0.0.1:1/***/v1/"),
        "{}",
        ended.stdout
    );
    assert!(
        !ended.stdout.contains("a-key-in-a-path"),
        "{}",
        ended.stdout
    );
}

#[test]
fn of_an_excluded_file_nothing_would_be_sent() {
    let server = ModelServer::start(ScriptedAnswer::events([FILLED]));
    let workspace = Workspace::new(&[(".env", "one = first\ntwo = \n")]);
    workspace.write_own(asks(&server.url()).as_bytes());
    let ended = workspace.run("complete", &[".env:2:7", "--explain-prompt"]);
    let expected = ".env is excluded: files with such a name hold secrets\n\
        Nothing of it is sent to any model\n";
    assert!(ended.stdout.starts_with(expected), "{}", ended.stdout);
    assert!(!ended.stdout.contains("POST"), "{}", ended.stdout);
    assert_eq!(ended.status, Some(1));
    let ended = workspace.run("complete", &[".env:2:7"]);
    assert_eq!((ended.stdout.as_str(), ended.status), ("", Some(1)));
    assert_eq!(server.asked(), 0);
}

#[test]
fn a_lane_that_could_not_be_asked_says_so_instead_of_what_it_would_send() {
    let workspace = Workspace::new(&[("shapes.js", SHAPES)]);
    let cases = [
        (
            asks("http://models.example.org"),
            "unencrypted to models.example.org",
        ),
        (
            asks("http://127.0.0.1:1").replace("'qwen'", "'{suffix}'"),
            "{prefix}",
        ),
    ];
    for (settings, expected) in cases {
        workspace.write_own(settings.as_bytes());
        let ended = workspace.run("complete", &["shapes.js:4:15", "--explain-prompt"]);
        assert!(
            ended.stdout.contains("fim        sends nothing: "),
            "{}",
            ended.stdout
        );
        assert!(ended.stdout.contains(expected), "{}", ended.stdout);
        assert_eq!(ended.status, Some(1));
        let ended = workspace.run("complete", &["shapes.js:4:15"]);
        assert!(ended.stderr.contains(expected), "{}", ended.stderr);
    }
}
