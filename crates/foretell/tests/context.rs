//! `foretell context` as a person meets it: what it prints, where, and with which exit status.

#[path = "support/workspace.rs"]
mod workspace;

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

use foretell_testkit::expect;
use serde_json::Value;

use crate::workspace::{Ended, Workspace};

const CODE: &str = "fn main() {\n    totl();\n}\n";

const DIAGNOSTICS: &str = r#"[{"range":{"start":{"line":1,"character":4},"end":{"line":1,"character":8}},
    "severity":1,"source":"rustc","message":"cannot find function `totl`"}]"#;

fn with_diagnostics() -> Workspace {
    with_found(DIAGNOSTICS)
}

/// A workspace of one file, and diagnostics that are no part of it.
fn with_found(diagnostics: &str) -> Workspace {
    Workspace::new(&[
        ("src/main.rs", CODE),
        ("found.json", diagnostics),
        (".gitignore", "found.json\n"),
    ])
}

const ASK: [&str; 3] = ["src/main.rs:2:5", "--diagnostics", "found.json"];

#[test]
fn the_context_is_data_and_what_became_of_the_sources_is_talk() {
    let ended = with_diagnostics().context(&ASK);
    expect![[r#"
        ## Diagnostics

        **ERROR** [rustc] (line 2): cannot find function `totl`
    "#]]
    .assert_eq(&ended.stdout);
    expect![[r#"
        diagnostics: 1; history: nothing; semantic: nothing; 18 of 2000 tokens
    "#]]
    .assert_eq(&ended.stderr);
    assert_eq!(ended.status, Some(0));
}

#[test]
fn nothing_to_tell_is_said_by_the_exit_status() {
    let workspace = with_diagnostics();
    let ended = workspace.context(&["src/main.rs:2"]);
    assert_eq!((ended.stdout.as_str(), ended.status), ("", Some(1)));
    assert!(ended.stderr.starts_with("diagnostics: nothing; "));
    let ended = workspace.context(&[&ASK[..], &["--max-tokens", "0"]].concat());
    assert_eq!((ended.stdout.as_str(), ended.status), ("", Some(1)));
    assert!(
        ended.stderr.contains("there is no room for it"),
        "{ended:?}"
    );
    let ended = workspace.context(&[&ASK[..], &["--max-tokens", "3"]].concat());
    assert_eq!((ended.stdout.as_str(), ended.status), ("", Some(1)));
    assert!(ended.stderr.contains("no room for 1"), "{ended:?}");
}

#[test]
fn the_report_is_json() {
    let ended = with_diagnostics().context(&[&ASK[..], &["--json"]].concat());
    assert_eq!((ended.stderr.as_str(), ended.status), ("", Some(0)));
    let report: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    assert_eq!(report["tokens"], 18);
    assert_eq!(report["budget"], 2000);
    assert_eq!(report["redacted"], 0);
    assert_eq!(report["excluded"], Value::Null);
    let text = report["text"].as_str().expect("a text");
    assert!(text.starts_with("## Diagnostics\n"), "{text}");
    let sources = report["sources"].as_array().expect("an array");
    let told: Vec<_> = sources
        .iter()
        .map(|it| ["source", "fate", "found", "excluded", "included"].map(|name| &it[name]))
        .map(|it| it.map(Value::to_string).join(" "))
        .collect();
    assert_eq!(
        told,
        [
            r#""diagnostics" "included" 1 0 1"#,
            r#""history" "nothing" 0 0 0"#,
            r#""semantic" "nothing" 0 0 0"#,
        ]
    );
    assert!(sources.iter().all(|it| it["ms"].is_number()));
    assert!(sources[0]["tokens"].as_u64() > Some(10));
    assert_eq!(sources[0]["why"], Value::Null);
    assert_eq!(sources[1]["why"], "it found nothing");
    assert_eq!(sources[2]["why"], "it found nothing");
}

#[test]
fn an_instruction_and_a_selection_beyond_their_reserve_cost_context() {
    let long = "do it ".repeat(500);
    let workspace = with_diagnostics();
    let more = ["--instruction", &long, "--select", "1:2", "--json"];
    let ended = workspace.context(&[&ASK[..], &more].concat());
    let report: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    assert_eq!(report["budget"], 2000 - (750 - 500));
}

#[test]
fn a_secret_in_a_diagnostic_is_never_printed() {
    let secret = "hunter2-and-a-half";
    let found = DIAGNOSTICS.replace("cannot find", &format!("password = '{secret}' cannot find"));
    let workspace = with_found(&found);
    for more in [&[][..], &["--json"], &["--max-tokens", "25"]] {
        let ended = workspace.context(&[&ASK[..], more].concat());
        let all = format!("{}{}", ended.stdout, ended.stderr);
        assert!(!all.contains("hunter2"), "{all}");
    }
    let ended = workspace.context(&ASK);
    assert!(ended.stdout.contains("[REDACTED-1]"), "{}", ended.stdout);
    assert!(ended.stderr.ends_with(", 1 secret taken out\n"));
}

#[test]
fn the_example_shows_a_secret_taken_out() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/context");
    let place = format!("{}:14", examples.join("checkout.ts").display());
    let found = examples.join("diagnostics.json");
    let found = found.to_str().expect("a path in text");
    let ended = Workspace::new(&[]).context(&[&place, "--diagnostics", found]);
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    assert!(ended.stdout.contains("(line 14): Cannot find name 'totl'."));
    assert!(
        ended.stdout.contains("password=[REDACTED-1]"),
        "{}",
        ended.stdout
    );
    assert!(!ended.stdout.contains("correct-horse"), "{}", ended.stdout);
}

#[test]
fn what_is_about_something_else_is_left_out_and_said() {
    let far = DIAGNOSTICS.replace(r#""line":1"#, r#""line":90"#);
    let workspace = with_found(&far);
    let ended = workspace.context(&ASK);
    assert_eq!(ended.status, Some(1));
    let said = "1 diagnostic is left out: at places that the file does not have\n";
    assert!(ended.stderr.starts_with(said), "{}", ended.stderr);
    let other = format!(r#"{{"uri":"file:///else.rs","diagnostics":{DIAGNOSTICS}}}"#);
    workspace.write("found.json", other.as_bytes());
    let ended = workspace.context(&ASK);
    let said = "1 diagnostic is left out: about other files\n";
    assert!(ended.stderr.starts_with(said), "{}", ended.stderr);
    let here = workspace.path().canonicalize().expect("a path");
    let here = here.join("src/main.rs");
    let ours = other.replace("/else.rs", here.to_str().expect("a path in text"));
    workspace.write("found.json", ours.as_bytes());
    assert_eq!(workspace.context(&ASK).status, Some(0));
}

#[test]
fn a_place_that_is_none_says_how_to_write_one() {
    let workspace = with_diagnostics();
    for place in ["src/main.rs", r"C:\src\main.rs", "src/main.rs:x"] {
        let ended = workspace.context(&[place]);
        assert!(ended.stderr.contains(place), "{}", ended.stderr);
        let like = "it names no line; write it like src/main.rs:12 or src/main.rs:12:5";
        assert!(ended.stderr.contains(like), "{}", ended.stderr);
        assert!(ended.stderr.contains("--help"), "{}", ended.stderr);
        assert_eq!((ended.stdout.as_str(), ended.status), ("", Some(2)));
    }
    let ended = workspace.context(&["src/main.rs:0"]);
    assert!(ended.stderr.contains("counted from 1"), "{}", ended.stderr);
}

#[test]
fn a_place_outside_of_the_file_says_what_there_is() {
    let workspace = with_diagnostics();
    let refused = |place: &str, problem: &str, next: &str| {
        let problem = format!("src/main.rs: {problem}");
        workspace.context(&[place]).refused(&problem, next);
    };
    refused(
        "src/main.rs:99",
        "there is no line 99: it has 4",
        "Give a line from 1 to 4",
    );
    refused(
        "src/main.rs:2:99",
        "there is no column 99 on line 2: it ends at column 12",
        "Give a column from 1 to 12, or none",
    );
    workspace
        .context(&["src/main.rs:2", "--select", "1:9"])
        .refused(
            "src/main.rs: there is no line 9: it has 4",
            "Give a line from 1 to 4",
        );
}

#[test]
fn a_file_that_is_no_text_is_refused_in_one_line() {
    let workspace = Workspace::new(&[]);
    workspace.write("latin.rs", b"fn main() {}\n// gr\xf6\xdfe\n");
    workspace.write("program", b"\x7fELF\x02\0\0");
    let film = File::create(workspace.path().join("film")).expect("a file");
    film.set_len(1 << 30).expect("a file with a hole");
    let refused = |place: &str, problem: &str, next: &str| {
        workspace.context(&[place]).refused(problem, next);
    };
    refused(
        "latin.rs:1",
        "latin.rs: line 2 is not UTF-8",
        "Save it as UTF-8, or give another file",
    );
    refused(
        "program:1",
        "program: it is binary, not text",
        "Give a file with text in it",
    );
    refused(
        "film:1",
        "film: it is larger than 16 MiB",
        "Give a smaller file",
    );
    refused(".git:1", ".git: it is a directory", "Give a file");
    let ended = workspace.context(&["gone.rs:1"]);
    assert!(ended.stderr.starts_with("error: gone.rs: "), "{ended:?}");
    assert!(ended.stderr.ends_with("Check the path\n"), "{ended:?}");
    assert_eq!(ended.status, Some(2));
}

#[cfg(unix)]
#[test]
fn a_pipe_or_a_device_is_not_waited_for() {
    let workspace = Workspace::new(&[]);
    let pipe = workspace.path().join("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.is_ok_and(|status| status.success()));
    for place in ["pipe:1", "/dev/zero:1"] {
        let (file, _) = place.split_once(':').expect("a line");
        let problem = format!("{file}: it is not a plain file");
        workspace.context(&[place]).refused(&problem, "Give a file");
    }
}

/// Whoever may read everything is refused nothing, so there it is run as nobody in particular; unless
/// nobody may start it.
#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_read_says_so() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;

    let workspace = with_diagnostics();
    let root = workspace.path();
    let path = root.join("src/main.rs");
    let allow = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("it is ours");
    };
    allow(root, 0o755);
    allow(&path, 0o000);
    let mut command = workspace.command("context", &ASK);
    if File::open(&path).is_ok() {
        command.uid(65_534).gid(65_534);
    }
    let Ok(output) = command.output() else {
        eprintln!("skipped: this user may read everything, and another may not start the binary");
        return;
    };
    let ended = Ended::from(output);
    let said = "error: src/main.rs: Permission denied";
    assert!(ended.stderr.starts_with(said), "{ended:?}");
    assert!(ended.stderr.ends_with("Check that you may read it\n"));
    assert_eq!((ended.stdout.as_str(), ended.status), ("", Some(2)));
}

#[test]
fn a_tokenizer_that_is_none_says_so() {
    let workspace = with_diagnostics();
    workspace.write("tokenizer.json", b"{}");
    workspace.write("broken.json", b"\xff\xfe{");
    let with = |file: &str| workspace.context(&[&ASK[..], &["--tokenizer", file]].concat());
    let ended = with("tokenizer.json");
    let said = "error: tokenizer.json: it is not a tokenizer: ";
    assert!(ended.stderr.starts_with(said), "{ended:?}");
    let next = "Give the tokenizer.json that the model is published with, or none to estimate\n";
    assert!(ended.stderr.ends_with(next), "{ended:?}");
    assert_eq!((ended.stdout.as_str(), ended.status), ("", Some(2)));
    with("broken.json").refused(
        "broken.json: line 1 is not UTF-8",
        "Save it as UTF-8, or give another file",
    );
    assert!(with("gone.json").stderr.starts_with("error: gone.json: "));
}

#[test]
fn diagnostics_that_are_none_say_where() {
    let workspace = with_diagnostics();
    let next = "Give what a language server publishes, or an array of diagnostics";
    for (json, problem) in [
        ("[", "line 1, column 1: it ends too early"),
        ("[{}]", "[0].range: a range is expected"),
        ("{\"diagnostics\":3}", "diagnostics: an array is expected"),
    ] {
        workspace.write("found.json", json.as_bytes());
        let problem = format!("found.json: {problem}");
        workspace.context(&ASK).refused(&problem, next);
    }
}

/// That nothing is told, with this among the reasons.
fn is_excluded(workspace: &Workspace, arguments: &[&str], why: &str) {
    let ended = workspace.context(arguments);
    assert_eq!((ended.stdout.as_str(), ended.status), ("", Some(1)));
    assert!(ended.stderr.contains(" is excluded: "), "{ended:?}");
    assert!(ended.stderr.contains(why), "{ended:?}");
    assert!(!ended.stderr.contains("hunter2"), "{ended:?}");
}

#[test]
fn nothing_is_told_of_an_excluded_file() {
    let secret = "password=hunter2\n";
    let workspace = Workspace::new(&[
        (".env", secret),
        ("config/.ENV.Local", secret),
        ("notes/plan.txt", secret),
        ("src/keep.rs", secret),
        (".foretellignore", "Notes/\n"),
        (".foretell.toml", "[context]\nexclude = ['keep.*']\n"),
        ("found.json", DIAGNOSTICS),
    ]);
    is_excluded(&workspace, &[".env:1"], "hold secrets");
    is_excluded(&workspace, &["./config/../.env:1"], "hold secrets");
    is_excluded(&workspace, &["config/.ENV.Local:1"], "hold secrets");
    is_excluded(&workspace, &["notes/plan.txt:1"], "Notes/");
    is_excluded(&workspace, &["src/keep.rs:1"], "keep.*");
    let with = ["found.json:1", "--exclude", "*.JSON"];
    is_excluded(&workspace, &with, "*.JSON");
    let ended = workspace.context(&[".env:1", "--json", "--diagnostics", "found.json"]);
    let report: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    assert_eq!((report["text"].as_str(), ended.status), (Some(""), Some(1)));
    assert!(report["excluded"].is_string());
}

#[cfg(unix)]
#[test]
fn a_link_to_an_excluded_file_is_excluded() {
    use std::os::unix::fs::symlink;

    let workspace = Workspace::new(&[(".env", "password=hunter2\n"), ("found.json", DIAGNOSTICS)]);
    let root = workspace.path();
    symlink(".env", root.join("settings.txt")).expect("a link");
    symlink("settings.txt", root.join("twice.txt")).expect("a link");
    fs::hard_link(root.join(".env"), root.join("hard.txt")).expect("a link");
    for place in ["settings.txt:1", "twice.txt:1", "hard.txt:1"] {
        is_excluded(&workspace, &[place], "it is also ");
    }
}

/// What people see as `a/link/../notes.txt` the system sees as `private/notes.txt`.
#[cfg(unix)]
#[test]
fn the_parent_of_a_link_is_judged_where_it_is() {
    let workspace = Workspace::new(&[
        (".foretellignore", "private/\n"),
        ("private/notes.txt", "password=hunter2\n"),
        ("private/sub/x", ""),
        ("a/notes.txt", "open\n"),
        ("found.json", DIAGNOSTICS),
    ]);
    let link = workspace.path().join("a/link");
    std::os::unix::fs::symlink("../private/sub", link).expect("a link");
    is_excluded(&workspace, &["private/notes.txt:1"], "private/");
    is_excluded(&workspace, &["a/link/../notes.txt:1"], "private/");
    let ended = workspace.context(&["a/notes.txt:1"]);
    assert!(ended.stderr.starts_with("diagnostics: "), "{ended:?}");
}

#[test]
fn a_workspace_within_a_workspace_gives_nothing_away() {
    let workspace = Workspace::new(&[
        (".foretellignore", "private/\n"),
        (
            ".foretell.toml",
            "[context]\nexclude = ['/open/deep/keep.rs']\n",
        ),
        ("private/sub/git/.git/HEAD", ""),
        ("private/sub/git/f.rs", CODE),
        ("private/sub/toml/.foretell.toml", ""),
        ("private/sub/toml/f.rs", CODE),
        ("open/deep/.git/HEAD", ""),
        ("open/deep/keep.rs", CODE),
        ("open/deep/f.rs", CODE),
    ]);
    is_excluded(&workspace, &["private/sub/git/f.rs:1"], "private/");
    is_excluded(&workspace, &["private/sub/toml/f.rs:1"], "private/");
    is_excluded(&workspace, &["open/deep/keep.rs:1"], "keep.rs");
    let persons = ["open/deep/f.rs:1", "--exclude", "open/deep/f*"];
    is_excluded(&workspace, &persons, "open/deep/f*");
    let ended = workspace.context(&["open/deep/f.rs:1"]);
    assert!(ended.stderr.starts_with("diagnostics: "), "{ended:?}");
}

#[test]
fn being_further_down_gives_nothing_away() {
    let workspace = Workspace::new(&[
        ("plain/.foretellignore", "sub/\n"),
        ("plain/sub/f.rs", CODE),
    ]);
    let root = workspace.path();
    fs::remove_dir(root.join(".git")).expect("a directory");
    let mut command = workspace.command("context", &["f.rs:1"]);
    let output = command.current_dir(root.join("plain/sub")).output();
    let ended = Ended::from(output.expect("the binary under test starts"));
    assert!(ended.stderr.starts_with("f.rs is excluded: "), "{ended:?}");
    assert_eq!((ended.stdout.as_str(), ended.status), ("", Some(1)));
}

#[cfg(unix)]
#[test]
fn what_says_what_to_exclude_and_leads_nowhere_excludes_everything() {
    use std::os::unix::fs::symlink;

    let workspace = with_diagnostics();
    let root = workspace.path();
    symlink("gone", root.join("src/.foretellignore")).expect("a link");
    is_excluded(&workspace, &ASK, ".foretellignore cannot be used: ");
    fs::remove_file(root.join("src/.foretellignore")).expect("a link");
    symlink("gone", root.join(".foretell.toml")).expect("a link");
    let ended = workspace.context(&ASK);
    assert!(ended.stderr.contains(".foretell.toml: "), "{ended:?}");
    assert_eq!((ended.stdout.as_str(), ended.status), ("", Some(2)));
}

#[test]
fn a_workspace_file_that_cannot_be_understood_may_exclude_anything() {
    let workspace = with_diagnostics();
    for broken in ["[context\nexclude = ['src/']\n", "context.exclude = 3\n"] {
        workspace.write(".foretell.toml", broken.as_bytes());
        let ended = workspace.context(&ASK);
        assert!(ended.stderr.starts_with("error: "), "{ended:?}");
        assert_eq!((ended.stdout.as_str(), ended.status), ("", Some(2)));
    }
}

#[test]
fn the_persons_own_settings_apply() {
    let workspace = with_diagnostics();
    let own = "[context]\nexclude = ['main.*']\n";
    workspace.write("own.toml", own.as_bytes());
    let with = |more: &[&str]| workspace.context(&[&ASK[..], more].concat());
    let ended = with(&["--settings", "own.toml"]);
    assert!(ended.stderr.contains(" is excluded: "), "{ended:?}");
    assert_eq!((ended.stdout.as_str(), ended.status), ("", Some(1)));
    let ended = with(&["--set", "context.providers.diagnostics.enabled=false"]);
    let said = "diagnostics: unavailable (a setting switches it off)";
    assert!(ended.stderr.starts_with(said), "{ended:?}");
    let tokens = "context.tokenBudget.maxContextTokens=700";
    let ended = with(&["--set", tokens]);
    assert!(ended.stderr.ends_with(" of 700 tokens\n"), "{ended:?}");
    let ended = with(&["--set", tokens, "--max-tokens", "600"]);
    assert!(ended.stderr.ends_with(" of 600 tokens\n"), "{ended:?}");
    let ended = with(&["--set", "context.enable=false"]);
    let said = "error: --set: unknown setting \"context.enable\"";
    assert!(ended.stderr.starts_with(said), "{ended:?}");
    assert_eq!((ended.stdout.as_str(), ended.status), ("", Some(2)));
}

#[test]
fn every_source_that_is_not_told_whole_says_why() {
    let found: Vec<_> = (0..5)
        .map(|number| DIAGNOSTICS.replace("totl", &format!("totl{number} {}", "so ".repeat(90))))
        .map(|json| json.trim_matches(['[', ']']).to_owned())
        .collect();
    let workspace = Workspace::new(&[("src/main.rs", CODE)]);
    workspace.write("found.json", format!("[{}]", found.join(",")).as_bytes());
    let with = |tokens: &str, more: &[&str]| {
        workspace.context(&[&ASK[..], &["--max-tokens", tokens], more].concat())
    };
    let first = |ended: &Ended| {
        let report: Value = serde_json::from_str(&ended.stdout).expect("JSON");
        format!(
            "{} {}",
            report["sources"][0]["fate"], report["sources"][0]["why"]
        )
    };
    assert_eq!(
        first(&with("200", &["--json"])),
        "\"truncated\" \"the budget has room for 2 of 5, the last perhaps in part\""
    );
    let words = "diagnostics: 2 of 5, as far as there is room; history: nothing; ";
    assert!(with("200", &[]).stderr.starts_with(words));
    assert_eq!(
        first(&with("50", &["--json"])),
        "\"over-budget\" \"the budget has no room left for any of it\""
    );
}

#[test]
fn a_glob_that_is_none_is_refused() {
    let workspace = with_diagnostics();
    let ended = workspace.context(&["src/main.rs:1", "--exclude", "a[b"]);
    let said = "error: `a[b` is not a glob: ";
    assert!(ended.stderr.starts_with(said), "{ended:?}");
    let next = "Nothing was read; correct --exclude or context.exclude and try again\n";
    assert!(ended.stderr.ends_with(next), "{ended:?}");
    assert_eq!((ended.stdout.as_str(), ended.status), ("", Some(2)));
}

#[test]
fn what_turns_a_text_around_stays_out_of_what_is_said_of_a_glob() {
    let workspace = with_diagnostics();
    let globs = ["a[\u{202e}b", "!\u{2066}x", "\u{1b}[2Jx/../y"];
    for glob in globs {
        let ended = workspace.context(&["src/main.rs:1", "--exclude", glob]);
        assert_eq!(ended.status, Some(2), "{ended:?}");
        let is_harmful = |c: char| c != '\n' && c.is_control() || "\u{202e}\u{2066}".contains(c);
        assert!(!ended.stderr.contains(is_harmful), "{ended:?}");
    }
    let settings = format!("context.exclude = ['{}']\n", globs[0]);
    workspace.write(".foretell.toml", settings.as_bytes());
    let ended = workspace.context(&["src/main.rs:1"]);
    assert_eq!(ended.status, Some(2), "{ended:?}");
    assert!(!ended.stderr.contains('\u{202e}'), "{ended:?}");
    // Nor does a name of a file.
    let ended = workspace.context(&["src/\u{202e}gone.rs:1"]);
    assert!(!ended.stderr.contains('\u{202e}'), "{ended:?}");
}

#[test]
fn a_workspace_file_is_taken_as_far_as_it_may_be() {
    let workspace = with_diagnostics();
    workspace.write(".foretell.toml", b"[context]\nenabled = false\n");
    let ended = workspace.context(&ASK);
    assert!(ended.stderr.starts_with("warning: "), "{ended:?}");
    assert!(ended.stderr.contains("context.enabled"), "{ended:?}");
    assert_eq!(ended.status, Some(0));
}

#[test]
fn colour_is_for_whoever_wants_it() {
    let workspace = with_diagnostics();
    let coloured = |key: &str, value: &str| {
        let output = workspace.command("context", &ASK).env(key, value).output();
        let ended = Ended::from(output.expect("the binary under test starts"));
        assert!(!ended.stdout.contains('\u{1b}'));
        ended.stderr.contains('\u{1b}')
    };
    assert!(coloured("CLICOLOR_FORCE", "1"));
    assert!(!coloured("NO_COLOR", "1"));
}

#[test]
fn whoever_has_read_enough_may_go() {
    let found: Vec<_> = (0..4_000)
        .map(|number| DIAGNOSTICS.replace("totl", &format!("totl{number}")))
        .map(|json| json.trim_matches(['[', ']']).to_owned())
        .collect();
    let workspace = Workspace::new(&[("src/main.rs", CODE)]);
    workspace.write("found.json", format!("[{}]", found.join(",")).as_bytes());
    let mut command = workspace.command("context", &[&ASK[..], &["--json"]].concat());
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    drop(child.stdout.take());
    let mut talk = String::new();
    let mut stderr = child.stderr.take().expect("it is a pipe");
    stderr.read_to_string(&mut talk).expect("text");
    assert_eq!(child.wait().expect("it ends").code(), Some(0), "{talk}");
    assert_eq!(talk, "");
}

#[test]
fn the_lines_around_the_cursor_are_not_told_under_another_name() {
    let code = "fn unusual_name() {\n    unusual_name();\n}\n";
    let workspace = Workspace::new(&[("src/a.rs", code), ("src/copy.rs", code)]);
    let asked = workspace.context(&["src/a.rs:2"]);
    assert_eq!((asked.stdout.as_str(), asked.status), ("", Some(1)));
    #[cfg(unix)]
    {
        let root = workspace.path();
        std::os::unix::fs::symlink(root.join("src/a.rs"), root.join("link.rs")).expect("a link");
        let other = "fn other() {\n    unusual_name();\n}\n";
        workspace.write("src/copy.rs", other.as_bytes());
        let asked = workspace.context(&["link.rs:2"]);
        let told = asked.stdout.matches("**File**").count();
        assert!(asked.stdout.contains("`src/copy.rs`"), "{}", asked.stdout);
        assert_eq!(told, 1, "{}", asked.stdout);
    }
}

#[test]
fn what_is_excluded_for_once_stays_in_the_index() {
    let code = "fn unusual_name() {}\n";
    let files = [
        ("src/a.rs", "fn main() {\n    unusual_name();\n}\n"),
        ("src/b.rs", code),
    ];
    let workspace = Workspace::new(&files);
    let without = workspace.context(&["src/a.rs:2", "--exclude", "b.rs"]);
    assert_eq!((without.stdout.as_str(), without.status), ("", Some(1)));
    let status = workspace.run("index", &["--status", "--json"]);
    let status: Value = serde_json::from_str(&status.stdout).expect("JSON");
    assert_eq!(status["files"], 2);
    let with = workspace.context(&["src/a.rs:2"]);
    assert!(with.stdout.contains("`src/b.rs`"), "{}", with.stdout);
}
