//! `foretell config` as a person meets it: who wins, what a workspace may not say, and a file to
//! begin with.

#[path = "support/workspace.rs"]
mod workspace;

use std::fs;

use serde_json::Value;

use crate::workspace::{Ended, Workspace};

/// `config show` with these arguments and variables.
fn show(workspace: &Workspace, arguments: &[&str], variables: &[(&str, &str)]) -> Ended {
    let arguments: Vec<_> = ["show"].iter().chain(arguments).copied().collect();
    let mut command = workspace.command("config", &arguments);
    let output = command.envs(variables.iter().copied()).output();
    Ended::from(output.expect("the binary under test starts"))
}

/// The line of one setting, without the spaces of columns.
fn line(ended: &Ended, name: &str) -> String {
    let mut lines = ended.stdout.lines();
    let line = lines.find(|line| line.split_whitespace().next() == Some(name));
    let words: Vec<_> = line.unwrap_or_default().split_whitespace().collect();
    words.join(" ")
}

#[test]
fn the_last_home_that_speaks_wins_and_is_named() {
    let workspace = Workspace::new(&[]);
    let mut variables = Vec::new();
    let mut flags = vec!["pace"];
    let expect = |arguments: &[&str], variables: &[(&str, &str)], expected: &str| {
        let ended = show(&workspace, arguments, variables);
        assert_eq!(
            line(&ended, "pace.baseMs"),
            format!("pace.baseMs {expected}")
        );
        assert_eq!((ended.stderr.as_str(), ended.status), ("", Some(0)));
    };
    expect(&flags, &variables, "250 default");

    let own = workspace.write_own(b"[pace]\nbaseMs = 301\n");
    expect(&flags, &variables, &format!("301 {}:2:1", own.display()));

    let root = workspace.path().canonicalize().unwrap();
    workspace.write(".foretell.toml", b"\npace.baseMs = 302\n");
    let file = root.join(".foretell.toml");
    expect(&flags, &variables, &format!("302 {}:2:6", file.display()));

    variables.push(("FORETELL_PACE_BASE_MS", "303"));
    expect(&flags, &variables, "303 FORETELL_PACE_BASE_MS");

    flags.extend(["--set", "pace.baseMs=304"]);
    expect(&flags, &variables, "304 --set");
}

#[test]
fn every_setting_is_printed_with_the_workspace_that_is_named() {
    let workspace = Workspace::new(&[]);
    let ended = show(&workspace, &[], &[]);
    assert_eq!(ended.stdout.lines().count(), 138);
    assert_eq!(line(&ended, "lanes.fim.url"), "lanes.fim.url unset default");
    assert!(!ended.stdout.contains('\u{1b}'));

    let other = Workspace::new(&[(".foretell.toml", "gate.enabled = false")]);
    let directory = other.path().display().to_string();
    let ended = show(&workspace, &["gate", "--workspace", &directory], &[]);
    assert!(line(&ended, "gate.enabled").starts_with("gate.enabled false /"));

    let ended = show(&workspace, &["--workspace", "nowhere"], &[]);
    assert_eq!(ended.status, Some(2));
}

#[test]
fn a_name_picks_a_group_or_what_begins_with_it() {
    let workspace = Workspace::new(&[]);
    let names = |name: &str| -> Vec<String> {
        let ended = show(
            &workspace,
            &[name, "--set", "languages.rust.gate.enabled=false"],
            &[],
        );
        let first = |line: &str| line.split(' ').next().unwrap_or_default().to_owned();
        ended.stdout.lines().map(first).collect()
    };
    assert_eq!(names("lanes.fim").len(), 26);
    assert_eq!(names("Lanes.FIM.").len(), 26);
    assert_eq!(names("log"), ["log.file", "log.level"]);
    assert_eq!(names("log.level"), ["log.level"]);
    assert_eq!(names("lanes.fi").len(), 52);
    assert_eq!(names("languages"), ["languages.rust.gate.enabled"]);

    let ended = show(&workspace, &["lines"], &[]);
    assert_eq!((ended.stdout.as_str(), ended.status), ("", Some(1)));
    assert_eq!(
        ended.stderr,
        "warning: no setting begins with \"lines\"; foretell config show prints all of them\n"
    );
}

#[test]
fn what_is_set_stands_out_where_colours_are_wanted() {
    let workspace = Workspace::new(&[]);
    let arguments = ["show", "log", "--set", "log.level=warn"];
    let mut command = workspace.command("config", &arguments);
    let output = command.env("CLICOLOR_FORCE", "1").output().unwrap();
    let ended = Ended::from(output);
    let lines: Vec<_> = ended.stdout.lines().collect();
    assert!(lines[0].starts_with("log.file "), "{ended:?}");
    assert!(lines[1].starts_with("\u{1b}[1mlog.level"), "{ended:?}");
}

#[test]
fn json_has_values_of_their_kinds_and_where_they_come_from() {
    let workspace = Workspace::new(&[(".foretell.toml", "carry.enabled = false\nnonsense = 1\n")]);
    let file = workspace
        .path()
        .canonicalize()
        .unwrap()
        .join(".foretell.toml");
    let ended = show(&workspace, &["--json"], &[("FORETELL_PACE_BASE_MS", "7")]);
    let shown: Value = serde_json::from_str(&ended.stdout).unwrap();
    let find = |name: &str| {
        let mut settings = shown["settings"].as_array().unwrap().iter();
        settings.find(|it| it["name"] == name).unwrap().clone()
    };
    let carry = find("carry.enabled");
    assert_eq!(carry["value"], false);
    assert_eq!(carry["origins"][0]["home"], "workspace file");
    assert_eq!(carry["origins"][0]["source"], file.display().to_string());
    assert_eq!(carry["origins"][0]["line"], 1);
    assert_eq!(carry["origins"][0]["column"], 7);
    assert_eq!(find("pace.baseMs")["value"], 7);
    assert_eq!(find("pace.baseMs")["origins"][0]["line"], Value::Null);
    assert_eq!(find("lanes.fim.url")["value"], Value::Null);
    assert_eq!(find("pace.rejectedFactor")["value"], 1.5);
    let problem = format!("{}:2:1: unknown setting \"nonsense\"", file.display());
    assert_eq!(shown["problems"], serde_json::json!([problem]));
    assert_eq!(ended.stderr, format!("warning: {problem}\n"));
}

#[test]
fn keys_are_never_shown() {
    const KEY: &str = "correct-horse-battery-staple-4711";
    let workspace = Workspace::new(&[]);
    workspace.write_own(
        format!(
            "[lanes.fim]\nurl = 'https://me:{KEY}@host/{KEY}?key={KEY}'\nheaders.x-key = '{KEY}'\n\
             apiKeyCommand = 'echo {KEY}'\napiKeyEnv = '{KEY}'\nmaxTokens = '{KEY}'\n"
        )
        .as_bytes(),
    );
    let variables = [
        ("FORETELL_LANES_FIX_URL", KEY),
        ("FORETELL_LANES_FIX_HEADERS_AUTHORIZATION", KEY),
        ("FORETELL_LANES_FIM_KEY", KEY),
        ("FORETELL_LANES_FIM_API_KEY", KEY),
        ("FORETELL_LANES_FIX_API_KEY_ENV", KEY),
        ("FORETELL_PACE_BASE_MS", KEY),
    ];
    for arguments in [&["lanes"] as &[&str], &["--json"]] {
        let ended = show(&workspace, arguments, &variables);
        assert_eq!(ended.status, Some(0));
        assert!(!ended.stdout.contains(KEY), "{}", ended.stdout);
        assert!(!ended.stderr.contains(KEY), "{}", ended.stderr);
        assert!(ended.stdout.contains("https://***@host/***"));
        assert!(ended.stdout.contains("x-key"));
    }
}

#[test]
fn a_cloned_repository_cannot_change_where_text_is_sent_or_what_is_run() {
    for (text, line) in [
        ("[lanes.fim]\nurl = 'http://evil'", 2),
        ("[lanes]\nfim = { url = 'http://evil' }", 2),
        ("lanes.fim.url = 'http://evil'", 1),
        ("\"lanes.fim.url\" = 'http://evil'", 1),
        ("\"lanes.fim\".url = 'http://evil'", 1),
        ("lanes.\"fim.url\" = 'http://evil'", 1),
        ("[\"lanes.fim\"]\nurl = 'http://evil'", 2),
        ("[LANES.fim]\nurl = 'http://evil'", 2),
        ("Lanes.Fim.URL = 'http://evil'", 1),
        ("lanes.fim.\"\\u0075rl\" = 'http://evil'", 1),
        ("[languages.rust.lanes.fim]\nurl = 'http://evil'", 2),
        ("languages.rust.lanes.fim.kind = 'openai'", 1),
        ("[languages.\"rust.lanes\"]\nfim.url = 'http://evil'", 2),
        ("languages.languages.rust.lanes.fim.url = 'http://evil'", 1),
        ("lanes.fim.headers.authorization = 'evil'", 1),
        ("[lanes.fim.headers]\nx-evil = '1'", 2),
        ("lanes.fix.apiKeyCommand = 'touch evil'", 1),
        ("lanes.fix.apiKeyFile = '/etc/passwd'", 1),
        ("lanes.nextEdit.kind = 'ollama'", 1),
        ("lanes.nextEdit.allowInsecure = true", 1),
        ("lanes.fim.caFile = 'evil.pem'", 1),
        ("context.tokenizer = 'evil.json'", 1),
        ("context.enabled = false", 1),
        ("context.timeoutMs = 1", 1),
        ("index.dir = '/evil'", 1),
        ("log.file = '/evil'", 1),
        ("log.level = 'trace'", 1),
        ("include = 'evil.toml'", 1),
        ("include = ['evil.toml']", 1),
        ("[include]\nfile = 'evil.toml'", 2),
        ("extends = 'evil.toml'", 1),
        ("trigger.include = 'evil.toml'", 1),
        ("[[lanes.fim]]\nurl = 'http://evil'", 1),
        ("lanes = [{ fim = { url = 'http://evil' } }]", 1),
        ("trigger.enabled.lanes.fim.url = 'http://evil'", 1),
        ("FORETELL_LANES_FIM_URL = 'http://evil'", 1),
    ] {
        let evil = "lanes.fim.url = 'http://evil'\n";
        let workspace = Workspace::new(&[(".foretell.toml", text), ("evil.toml", evil)]);
        let ended = show(&workspace, &[], &[]);
        let root = workspace.path().canonicalize().unwrap();
        let file = root.join(".foretell.toml");
        let said = format!("warning: {}:{line}:", file.display());
        assert!(ended.stderr.starts_with(&said), "{text}\n{}", ended.stderr);
        assert_eq!(ended.stderr.lines().count(), 1, "{text}\n{}", ended.stderr);
        let mut lines = ended.stdout.lines();
        let taken = lines.find(|line| !line.ends_with("  default"));
        assert_eq!(taken, None, "{text}");
        assert_eq!(ended.status, Some(0));
    }
}

#[test]
fn a_workspace_may_say_when_to_speak_and_may_add_exclusions() {
    let file = "trigger.enabled = false\nlanguages.rust.pace.baseMs = 400\n\
        lanes.fim.url = 'http://evil'\ncontext.exclude = ['theirs/**']\n";
    let workspace = Workspace::new(&[(".foretell.toml", file)]);
    workspace.write_own(b"context.exclude = ['mine/**']\n");
    let ended = show(&workspace, &[], &[]);
    let starts = |name: &str, begin: &str| {
        let line = line(&ended, name);
        assert!(line.starts_with(&format!("{name} {begin} ")), "{line}");
    };
    starts("trigger.enabled", "false");
    starts("languages.rust.pace.baseMs", "400");
    starts("lanes.fim.url", "unset");
    starts("context.exclude", "[\"mine/**\", \"theirs/**\"]");
    let refused = ":3:11: lanes.fim.url is refused in a workspace file, because cloned code must not \
        decide where code is sent, what is run or what is read; set it in your own config.toml\n";
    assert!(ended.stderr.ends_with(refused), "{}", ended.stderr);
}

#[test]
fn faults_are_told_with_place_and_nearest_name_and_the_rest_applies() {
    let workspace = Workspace::new(&[]);
    let own = workspace.write_own(b"[trigger]\nenable = false\nmaxLines = 5\n");
    let variables = [
        ("FORETELL_GATE_ENABLE", "false"),
        ("FORETELL_CARRY_ENABLED", "no"),
    ];
    let ended = show(&workspace, &["trigger"], &variables);
    assert_eq!(
        ended.stderr,
        format!(
            "warning: {}:2:1: unknown setting \"trigger.enable\"; did you mean \
             \"trigger.enabled\"?\n\
             warning: FORETELL_GATE_ENABLE: names no setting, so it sets nothing; did you mean \
             \"FORETELL_GATE_ENABLED\"?\n\
             warning: FORETELL_CARRY_ENABLED: carry.enabled is a text, but must be true or false\n",
            own.display()
        )
    );
    let expected = format!("trigger.maxLines 5 {}:3:1", own.display());
    assert_eq!(line(&ended, "trigger.maxLines"), expected);
    assert_eq!(ended.status, Some(0));

    // Other commands say so too, and go on.
    let mut command = workspace.command("clean", &[]);
    let ended = Ended::from(command.envs(variables).output().unwrap());
    assert_eq!(ended.stderr.lines().count(), 3, "{}", ended.stderr);
    assert_eq!(ended.status, Some(0));
}

#[test]
fn a_file_that_cannot_be_read_costs_itself_only() {
    let workspace = Workspace::new(&[(".foretell.toml", "[trigger\n")]);
    workspace.write_own(b"gate = [\n");
    let ended = show(&workspace, &["log"], &[("FORETELL_LOG_LEVEL", "warn")]);
    assert_eq!(
        line(&ended, "log.level"),
        "log.level \"warn\" FORETELL_LOG_LEVEL"
    );
    assert_eq!(ended.stderr.matches("not valid TOML").count(), 2);
    assert_eq!(ended.status, Some(0));
}

#[test]
fn a_file_that_is_named_takes_the_place_of_the_persons_own() {
    let workspace = Workspace::new(&[("other.json", "{\"log\": {\"level\": \"debug\"}}")]);
    workspace.write_own(b"log.level = 'error'\nlog.file = 'a'\n");
    let ended = show(&workspace, &["log", "--settings", "other.json"], &[]);
    assert_eq!(
        line(&ended, "log.level"),
        "log.level \"debug\" other.json:1:10"
    );
    assert_eq!(line(&ended, "log.file"), "log.file unset default");
}

#[test]
fn a_named_file_that_is_not_there_is_not_offered_to_be_piped() {
    let workspace = Workspace::new(&[]);
    for name in ["no.toml", "-"] {
        let ended = show(&workspace, &["--settings", name], &[]);
        assert!(ended.stderr.starts_with(&format!("error: {name}: ")));
        assert!(
            ended.stderr.ends_with("\nCheck the path\n"),
            "{}",
            ended.stderr
        );
        assert_eq!(ended.status, Some(2));
    }
}

#[test]
fn the_environment_is_heard_by_other_commands_and_below_the_command_line() {
    let workspace = Workspace::new(&[]);
    let run = |arguments: &[&str]| {
        let mut command = workspace.command("clean", arguments);
        let output = command
            .env("FORETELL_INDEX_DIR", "/nowhere/by-variable")
            .output();
        Ended::from(output.unwrap()).stdout
    };
    assert_eq!(run(&[]), "nothing is kept in /nowhere/by-variable\n");
    let flag = ["--set", "index.dir=/nowhere/by-flag"];
    assert_eq!(run(&flag), "nothing is kept in /nowhere/by-flag\n");
}

#[test]
fn where_nobody_knows_what_a_variable_excludes_nothing_is_done() {
    let workspace = Workspace::new(&[("a.rs", "fn main() {}\n")]);
    for (variable, value) in [
        ("FORETELL_CONTEXT_EXCLUDE", "private/**"),
        ("FORETELL_CONTEXT_EXCLUDES", "['private/**']"),
    ] {
        let mut command = workspace.command("context", &["a.rs:1"]);
        let ended = Ended::from(command.env(variable, value).output().unwrap());
        assert_eq!((ended.stdout.as_str(), ended.status), ("", Some(2)));
        assert!(ended.stderr.starts_with(&format!("error: {variable}: ")));
    }
}

#[cfg(unix)]
#[test]
fn a_variable_that_is_no_text_is_told_and_sets_nothing() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let workspace = Workspace::new(&[("a.rs", "fn main() {}\n")]);
    let run = |command: &str, arguments: &[&str], variable: &str| {
        let mut command = workspace.command(command, arguments);
        let odd = OsStr::from_bytes(b"logs/\xff");
        Ended::from(command.env(variable, odd).output().unwrap())
    };
    let ended = run("config", &["show", "log"], "FORETELL_LOG_FILE");
    assert_eq!(line(&ended, "log.file"), "log.file unset default");
    assert_eq!(
        ended.stderr,
        "warning: FORETELL_LOG_FILE: is not valid UTF-8, so it sets nothing; write that setting \
         into config.toml\n"
    );
    let ended = run("context", &["a.rs:1"], "foretell_context_exclude");
    assert_eq!((ended.stdout.as_str(), ended.status), ("", Some(2)));
    let ended = run("config", &["show"], "SOMETHING_ELSE");
    assert_eq!((ended.stderr.as_str(), ended.status), ("", Some(0)));
}

#[test]
fn doctor_counts_variables_and_says_what_is_wrong_with_them() {
    let workspace = Workspace::new(&[("a.rs", "fn main() {}\n")]);
    let doctor = |variables: &[(&str, &str)]| {
        let mut command = workspace.command("doctor", &[]);
        let output = command.envs(variables.iter().copied()).output();
        let ended = Ended::from(output.unwrap());
        let words: Vec<_> = ended.stdout.split_whitespace().collect();
        (words.join(" "), ended.status)
    };
    let (said, status) = doctor(&[("FORETELL_PACE_BASE_MS", "300")]);
    assert!(said.contains("ok variables 1 setting "), "{said}");
    assert_eq!(status, Some(0));
    let (said, status) = doctor(&[
        ("FORETELL_PACE_BASE_MS", "300"),
        ("FORETELL_PACE_MIN_MS", "soon"),
        ("FORETELL_PAGE", "1"),
    ]);
    assert!(
        said.contains("ok variables 1 setting wrong variables FORETELL_PACE_MIN_MS: "),
        "{said}"
    );
    assert!(
        said.contains("wrong variables FORETELL_PAGE: names no setting"),
        "{said}"
    );
    assert_eq!(status, Some(1));
}

#[test]
fn the_schema_is_json() {
    let workspace = Workspace::new(&[]);
    let ended = workspace.run("config", &["schema"]);
    let schema: Value = serde_json::from_str(&ended.stdout).unwrap();
    let draft = "https://json-schema.org/draft/2020-12/schema";
    assert_eq!(schema["$schema"], draft);
    assert_eq!(schema["additionalProperties"], false);
}

#[test]
fn init_makes_a_file_that_changes_nothing_and_never_overwrites_one() {
    let workspace = Workspace::new(&[]);
    let own = workspace.cache().join("config/foretell/config.toml");
    let before = show(&workspace, &[], &[]).stdout;
    let ended = workspace.run("config", &["init"]);
    assert_eq!(ended.stdout, format!("wrote {}\n", own.display()));
    assert_eq!((ended.stderr.as_str(), ended.status), ("", Some(0)));
    let after = show(&workspace, &[], &[]);
    assert_eq!((after.stdout, after.stderr.as_str()), (before, ""));

    workspace.write_own(b"gate.enabled = false\n");
    let problem = format!("{} is there already", own.display());
    let next = "Nothing was written; edit that file, write another with --path FILE, or lose it with \
        --force";
    workspace.run("config", &["init"]).refused(&problem, next);
    assert_eq!(fs::read_to_string(&own).unwrap(), "gate.enabled = false\n");
    assert_eq!(
        workspace.run("config", &["init", "--force"]).status,
        Some(0)
    );
    assert!(
        fs::read_to_string(&own)
            .unwrap()
            .contains("#gate.enabled = true\n")
    );
    let there = fs::read_dir(own.parent().unwrap()).unwrap().count();
    assert_eq!(there, 1, "nothing is left beside it");
}

#[test]
fn init_makes_directories_and_says_what_it_cannot_write() {
    let workspace = Workspace::new(&[("a-file", "")]);
    let ended = workspace.run("config", &["init", "--path", "some/where/else.toml"]);
    assert_eq!(ended.stdout, "wrote some/where/else.toml\n");
    assert!(workspace.path().join("some/where/else.toml").is_file());
    assert_eq!(
        workspace
            .run("config", &["init", "--path", "here.toml"])
            .status,
        Some(0)
    );

    let ended = workspace.run("config", &["init", "--path", "a-file/config.toml"]);
    assert_eq!((ended.stdout.as_str(), ended.status), ("", Some(2)));
    assert!(
        ended.stderr.starts_with("error: a-file/config.toml: "),
        "{}",
        ended.stderr
    );
    let ended = workspace.run("config", &["init", "--force", "--path", "some"]);
    assert_eq!((ended.stdout.as_str(), ended.status), ("", Some(2)));
}

#[cfg(unix)]
#[test]
fn init_does_not_lose_a_link() {
    let workspace = Workspace::new(&[("dotfiles.toml", "gate.enabled = false\n")]);
    let link = workspace.path().join("config.toml");
    std::os::unix::fs::symlink(workspace.path().join("dotfiles.toml"), &link).unwrap();
    let ended = workspace.run("config", &["init", "--path", "config.toml"]);
    assert_eq!(ended.status, Some(2));
    let ended = workspace.run("config", &["init", "--force", "--path", "config.toml"]);
    assert_eq!(ended.status, Some(0));
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    let written = fs::read_to_string(workspace.path().join("dotfiles.toml")).unwrap();
    assert!(written.contains("#gate.enabled = true\n"));

    let nowhere = workspace.path().join("nowhere.toml");
    std::os::unix::fs::symlink("/nowhere/at/all", &nowhere).unwrap();
    let ended = workspace.run("config", &["init", "--path", "nowhere.toml"]);
    assert!(
        ended.stderr.contains("is there already"),
        "{}",
        ended.stderr
    );
}

#[test]
fn a_server_that_cannot_be_asked_is_said_as_doctor_says_it() {
    let workspace = Workspace::new(&[]);
    let own = "[lanes.fim]\nkind = \"openai\"\nurl = \"ftp://x\"\n\
        [languages.rust.lanes.fix]\nkind = \"ollama\"\nurl = \"gopher://x\"\n";
    workspace.write_own(own.as_bytes());
    let ended = show(&workspace, &["lanes.fim.url"], &[]);
    assert_eq!(ended.status, Some(0));
    let said: Vec<_> = ended.stderr.lines().collect();
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[0].contains("lanes.fim.url"), "{said:?}");
    assert!(said[1].contains("for rust: lanes.fix.url"), "{said:?}");
    let doctor = workspace.run("doctor", &[]);
    let words = said[0].split_once(": ").expect("words").1;
    // Whose lines are broken to be read.
    let doctor: Vec<_> = doctor.stdout.split_whitespace().collect();
    assert!(doctor.join(" ").contains(words), "{words} in {doctor:?}");
    // What is switched off asks nobody.
    let off = [
        "lanes.fim.url",
        "--set",
        "lanes.fim.enabled=false",
        "--json",
    ];
    let report: Value = serde_json::from_str(&show(&workspace, &off, &[]).stdout).expect("JSON");
    assert_eq!(report["problems"].as_array().expect("a list").len(), 1);
}

#[test]
fn settings_that_contradict_each_other_are_said_whichever_homes_they_are_from() {
    let workspace = Workspace::new(&[(".foretell.toml", "pace.maxMs = 400")]);
    let low = "pace.minMs=500";
    for (arguments, variables) in [
        (&["pace", "--set", low][..], &[][..]),
        (&["pace"], &[("FORETELL_PACE_MIN_MS", "500")]),
    ] {
        let ended = show(&workspace, arguments, variables);
        let said: Vec<_> = ended.stderr.lines().collect();
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(said[0].contains("pace.minMs"), "{said:?}");
        assert!(said[0].contains("pace.maxMs"), "{said:?}");
        assert_eq!(ended.status, Some(0));
    }
    // Of one file it is said once.
    workspace.write(".foretell.toml", b"pace.maxMs = 400\npace.minMs = 500\n");
    let ended = show(&workspace, &["pace"], &[]);
    assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
    workspace.write_own(b"pace.minMs = 500\n");
    workspace.write(".foretell.toml", b"pace.maxMs = 400\n");
    let ended = show(&workspace, &["pace"], &[]);
    assert!(
        ended.stderr.contains(".foretell.toml:1:"),
        "{}",
        ended.stderr
    );
    assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
}
