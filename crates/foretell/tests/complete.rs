//! `foretell complete` as a person meets it: what it prints, where, and with which exit status.

#[path = "support/workspace.rs"]
mod workspace;

use std::fs::File;

use serde_json::Value;

use crate::workspace::Workspace;

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
    let model = asked(&["a.rs:1", "--set", "lanes.fim.kind=openai"]);
    model.refused(
        "lanes.fim.kind names a model, and there are none yet",
        "Set it to embedded, or switch the lane off with --set lanes.fim.enabled=false",
    );
}
