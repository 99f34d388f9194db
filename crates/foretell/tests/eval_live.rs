//! `foretell eval --live` as a person meets it: a session, and what became of each next edit that they
//! would have been shown.

#[path = "support/eval_run.rs"]
mod eval_run;
#[path = "support/git_repository.rs"]
mod git_repository;

use std::fs;
use std::path::Path;

use eval_run::{EndedRun, eval};
use git_repository::GitRepository;
use serde_json::Value;

/// Somebody renames a variable where it is declared, and then where it is used next; its last place they
/// leave alone.
const SESSION: &str = r#"{"foretell":"trace","version":1,"offsets":"utf-8"}
{"t":0,"event":"open","doc":"file:///a.rs","language":"rust","text":"fn f() {\n    let total_amount = 1;\n    g(total_amount);\n\n\n\n\n\n\n\n\n\n\n\n    h(total_amount);\n}\n"}
{"t":1000,"event":"select","doc":"file:///a.rs","selections":[[17,29]]}
{"t":2000,"event":"edit","doc":"file:///a.rs","changes":[{"at":17,"delete":12,"insert":"row_count"}]}
{"t":2000,"event":"select","doc":"file:///a.rs","selections":[[26,26]]}
{"t":9000,"event":"select","doc":"file:///a.rs","selections":[[38,50]]}
{"t":9500,"event":"edit","doc":"file:///a.rs","changes":[{"at":38,"delete":12,"insert":"row_count"}]}
{"t":9500,"event":"select","doc":"file:///a.rs","selections":[[47,47]]}
{"t":16000,"event":"select","doc":"file:///a.rs","selections":[[7,7]]}
"#;

fn objects(ended: &EndedRun) -> Vec<Value> {
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    let lines = ended.stdout.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("each line is an object"))
        .collect()
}

#[test]
fn a_next_edit_that_is_done_is_right_and_one_that_is_left_alone_is_wrong() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("eval-live");
    fs::create_dir_all(&directory).expect("a directory for a test can be made");
    let file = directory.join("rename.jsonl");
    fs::write(&file, SESSION).expect("written");
    let file = file.to_str().expect("a path in text");

    let ended = eval(&["--live", file]);
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    let line = |start: &str| {
        let mut lines = ended.stdout.lines();
        let found = lines.find(|line| line.contains(start));
        found.unwrap_or_else(|| panic!("{start}: {}", ended.stdout))
    };
    let done = line("a.rs:3 \"total_amount\" -> \"row_count\"");
    assert!(done.contains(": done next, after 6.5 s"), "{done}");
    let left = line("a.rs:15 \"total_amount\" -> \"row_count\"");
    assert!(left.contains(": never done, stood 7.0 s"), "{left}");

    let objects = objects(&eval(&["--live", file, "--json"]));
    let [own, total] = objects.as_slice() else {
        panic!("one session and the total: {objects:?}");
    };
    assert_eq!(own["session"], "rename");
    assert_eq!(total["total"], true);
    for (name, count) in [("offers", 2), ("next", 1), ("later", 0), ("wrong", 1)] {
        assert_eq!(own[name], count, "{name}: {own}");
    }
    assert_eq!(own["rightShare"], 0.5);
    assert_eq!(own["wrongStoodMedianSeconds"], 7.0);
    assert_eq!(own["wrongOnTheirLine"], 0);
}

#[test]
fn a_commit_is_typed_as_a_session() {
    let Some(repository) = GitRepository::new("eval-live/typed") else {
        return;
    };
    let before = "fn f() {\n    let total_amount = 1;\n    g();\n    h(total_amount);\n}\n";
    repository.commit("first", &[("a.rs", before)]);
    let after = before.replace("total_amount", "row_count");
    repository.commit("rename", &[("a.rs", &after)]);
    let arguments = [
        "--live",
        "--typing",
        repository.path(),
        "--since",
        "HEAD~1",
        "--until",
        "HEAD",
        "--json",
    ];
    let first = objects(&eval(&arguments));
    let own = &first[0];
    assert_eq!(own["repository"], "typed");
    assert!(own["next"].as_u64() >= Some(1), "{own}");
    assert!(own["activeMinutes"].as_f64() > Some(0.0), "{own}");
    assert_eq!(objects(&eval(&arguments)), first);
}

#[test]
fn nothing_is_asked_about_hunks_of_a_session() {
    let ended = eval(&[
        "--live", "--hunks", ".", "--since", "HEAD", "--until", "HEAD",
    ]);
    assert_eq!(ended.status, Some(2));
    assert!(ended.stderr.contains("--live"), "{}", ended.stderr);
}
