//! `foretell eval --typing` and `--ask` as a person meets them: commits and sessions, typed again.

#[path = "support/eval_run.rs"]
mod eval_run;
#[path = "support/git_repository.rs"]
mod git_repository;

use std::fs;
use std::path::Path;

use eval_run::{EndedRun, eval};
use git_repository::GitRepository;
use serde_json::Value;

const SESSION: &str = r#"{"foretell":"trace","version":1,"offsets":"utf-16"}
{"t":0,"event":"open","doc":"file:///b.rs","language":"rust","text":"print(total_amount);\nprint(total_amount);\n"}
{"t":1000,"event":"edit","doc":"file:///b.rs","changes":[{"at":42,"delete":0,"insert":"p"}]}
{"t":1100,"event":"edit","doc":"file:///b.rs","changes":[{"at":43,"delete":0,"insert":"r"}]}
{"t":1200,"event":"edit","doc":"file:///b.rs","changes":[{"at":44,"delete":0,"insert":"int(total_amount);"}]}
"#;

/// The objects of `--json`, without the times, which differ.
fn objects(ended: &EndedRun) -> Vec<Value> {
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    let lines = ended.stdout.lines().map(|line| {
        let mut object: Value = serde_json::from_str(line).expect("each line is an object");
        for time in ["p50Ms", "p99Ms"] {
            let time = object
                .as_object_mut()
                .and_then(|object| object.remove(time));
            assert!(time.is_some_and(|time| time.is_number()));
        }
        object
    });
    lines.collect()
}

/// A repository with three commits; nothing, where there is no git.
fn repository(name: &str) -> Option<GitRepository> {
    let repository = GitRepository::new(&format!("eval-typing/{name}"))?;
    let row = |name: &str| format!("    table.insert(\"{name}\", Row::empty(columns));\n");
    let mut lines: String = ["one", "two", "three", "four"].map(row).concat();
    for more in ["five", "six", "seven"] {
        let table = format!("fn fill(table: &mut Table) {{\n{lines}}}\n");
        let notes = format!("Now {more}\n");
        repository.commit(more, &[("table.rs", &table), ("NOTES.md", &notes)]);
        lines.push_str(&row(more));
    }
    Some(repository)
}

#[test]
fn commits_are_typed_again_and_lines_like_others_save_keys() {
    let Some(repository) = repository("typed") else {
        return;
    };
    let path = repository.path();
    let arguments = [
        "--typing", path, "--since", "HEAD~2", "--until", "HEAD", "--json",
    ];
    let first = objects(&eval(&arguments));
    assert_eq!(first.len(), 2);
    let (own, total) = (&first[0], &first[1]);
    assert_eq!(own["repository"], "typed");
    assert_eq!(total["total"], true);
    // Two lines of which each has a line break, and no indent that anybody types. Notes are not code.
    let line = "table.insert(\"five\", Row::empty(columns));".len() as u64 + 1;
    assert_eq!(own["typed"], 2 * line - 1);
    assert_eq!(own["novel"]["typed"], own["typed"]);
    assert!(own["saved"].as_f64().expect("a number") > 30.0, "{own}");
    assert!(
        own["tenths"]
            .as_array()
            .is_some_and(|tenths| !tenths.is_empty())
    );
    for baseline in ["lineCompletion", "nestedNgrams", "recall"] {
        assert!(own["baselines"][baseline].get("saved").is_some(), "{own}");
    }
    assert_eq!(objects(&eval(&arguments)), first);
}

#[test]
fn asked_in_pauses_it_says_less() {
    let Some(repository) = repository("pauses") else {
        return;
    };
    let path = repository.path();
    let arguments = [
        "--typing", path, "--since", "HEAD~2", "--until", "HEAD", "--json",
    ];
    let keys = objects(&eval(&arguments));
    let pauses = objects(&eval(&[&arguments[..], &["--ask", "pauses"]].concat()));
    let asked = |objects: &[Value]| objects[0]["asked"].as_u64().expect("a number");
    assert!(asked(&pauses) < asked(&keys));
    assert_eq!(pauses[0]["typed"], keys[0]["typed"]);
}

#[test]
fn a_session_is_typed_again() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("eval-typing");
    fs::create_dir_all(&directory).expect("a directory for a test can be made");
    let file = directory.join("session.jsonl");
    fs::write(&file, SESSION).expect("written");
    let ended = eval(&[
        file.to_str().expect("a path in text"),
        "--ask",
        "keys",
        "--json",
    ]);
    let objects = objects(&ended);
    assert_eq!(objects[0]["typed"], "print(total_amount);".len());
    assert!(
        objects[0]["session"]
            .as_str()
            .is_some_and(|name| name.ends_with("session.jsonl"))
    );
    assert_eq!(objects[1]["total"], true);
    assert!(objects[1]["right"].as_u64() > Some(0), "{}", ended.stdout);
}

#[test]
fn a_revision_that_is_not_there_is_named() {
    let Some(repository) = repository("revisions") else {
        return;
    };
    let path = repository.path();
    let ended = eval(&["--typing", path, "--since", "nowhere", "--until", "HEAD"]);
    assert_eq!(ended.status, Some(2));
    assert!(ended.stderr.contains("\"nowhere\""), "{}", ended.stderr);
    assert!(ended.stdout.is_empty());
}
