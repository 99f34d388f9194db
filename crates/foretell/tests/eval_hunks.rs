//! `foretell eval --hunks` as a person meets it: commits, made hunk by hunk, and next edits asked before
//! each.

#[path = "support/eval_run.rs"]
mod eval_run;
#[path = "support/git_repository.rs"]
mod git_repository;

use eval_run::eval;
use git_repository::GitRepository;
use serde_json::{Value, json};

const BEFORE: &str = "\
fn sum(rows: &[Row]) -> u64 {
    let mut total_amount = 0;
    for row in rows {
        total_amount += row.amount;
    }
    report(rows);
    let share = total_amount / 2;

    audit(share);
    check(rows.len());
    total_amount
}
";

/// A repository whose second commit makes one name another and changes a call besides.
fn renamed(name: &str) -> Option<GitRepository> {
    let repository = GitRepository::new(&format!("eval-hunks/{name}"))?;
    repository.commit("first", &[("sum.rs", BEFORE), ("NOTES.md", "sum\n")]);
    let after = BEFORE.replace("total_amount", "amount_of_rows");
    let after = after.replace("audit(share)", "review(share, true)");
    repository.commit("rename", &[("sum.rs", &after), ("NOTES.md", "sums\n")]);
    Some(repository)
}

#[test]
fn each_place_of_a_rename_is_foreseen_and_what_else_is_done_is_not() {
    let Some(repository) = renamed("renamed") else {
        return;
    };
    let arguments = [
        "--hunks",
        repository.path(),
        "--since",
        "HEAD~1",
        "--until",
        "HEAD",
    ];
    let ended = eval(&[&arguments[..], &["--json"]].concat());
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    let objects: Vec<Value> = ended
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).expect("each line is an object"))
        .collect();
    let [own, total] = objects.as_slice() else {
        panic!("one repository and the total: {}", ended.stdout);
    };
    assert_eq!(own["repository"], "renamed");
    assert_eq!(total["total"], true);
    assert_eq!(own["all"], total["all"]);
    // The first of five hunks is not asked about, and one of the others is another change, before which the
    // next place of the name is offered.
    let counted = |hunks: u64, right: u64, later: u64| json!({ "hunks": hunks, "again": 3, "offers": right + later, "right": right, "later": later });
    for (class, counted) in [("rename", counted(3, 3, 0)), ("all", counted(4, 3, 1))] {
        for (what, count) in counted.as_object().expect("counts") {
            assert_eq!(&own[class][what], count, "{class} {what}: {own}");
        }
    }
    assert_eq!(own["rename"]["precision"], 1.0);
    assert_eq!(own["all"]["coverage"], 0.75);
    assert_eq!(own["repeat"]["precision"], Value::Null);

    let told = eval(&[&arguments[..], &["--each"]].concat()).stdout;
    let place = "(rename): right, sum.rs:4 \"total_amount\" -> \"amount_of_rows\"";
    assert!(told.contains(place), "{told}");
    assert!(told.contains("(single): later, sum.rs:11"), "{told}");
    assert!(told.contains("renamed rename"), "{told}");
}

#[test]
fn one_history_is_typed_or_made_hunk_by_hunk_and_not_both() {
    let ended = eval(&[
        "--hunks", ".", "--typing", ".", "--since", "HEAD", "--until", "HEAD",
    ]);
    assert_eq!(ended.status, Some(2));
    assert!(ended.stderr.contains("--typing"), "{}", ended.stderr);
}
