//! Models for next edits on the command line: in which format each is asked, and how one finds out.

#[path = "support/workspace.rs"]
mod workspace;

use foretell_testkit::model_server::{ModelServer, ScriptedAnswer};
use serde_json::Value;

use crate::workspace::{Ended, Workspace};

const CODE: &str = "def add(a, b):\n    return a + b\n\n\ndef sub(a, b):\n    return \n";

/// What would be sent at a place of a file, by these settings.
fn explained(workspace: &Workspace, place: &str, set: &[&str]) -> Value {
    let mut arguments = vec![place, "--explain-prompt", "--json"];
    for setting in set {
        arguments.extend(["--set", setting]);
    }
    let ended = workspace.run("complete", &arguments);
    assert!(matches!(ended.status, Some(0 | 1)), "{}", ended.stderr);
    let json: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    let mut lanes = json["lanes"].as_array().expect("lanes").iter();
    let lane = lanes.find(|lane| lane["lane"] == "next-edit");
    lane.expect("the lane").clone()
}

fn asked(format: &str, kind: &str) -> Value {
    let workspace = Workspace::new(&[("sums.py", CODE)]);
    let format = format!("lanes.nextEdit.format={format}");
    let kind = format!("lanes.nextEdit.kind={kind}");
    let url = "lanes.nextEdit.url=http://127.0.0.1:1";
    let model = "lanes.nextEdit.model=m";
    explained(&workspace, "sums.py:6:12", &[&format, &kind, url, model])
}

#[test]
fn every_format_says_what_it_would_send() {
    let region = "def sub(a, b):\n    return ";
    for (format, begins, ends) in [
        (
            "zeta-2.1",
            "<[fim-suffix]>\n",
            "<|marker_2|>\n<[fim-middle]>",
        ),
        ("zeta-2", "<[fim-suffix]>\n", "\n=======\n<[fim-middle]>"),
        (
            "sweep",
            "<|file_sep|>original/sums.py\n",
            "<|file_sep|>updated/sums.py\n",
        ),
        (
            "sweep-v2",
            "<|file_sep|>sums.py\n",
            "<|file_sep|>updated/sums.py:4:6\n",
        ),
    ] {
        for (kind, path) in [
            ("openai", "/v1/completions"),
            ("llama-cpp", "/completion"),
            ("ollama", "/api/generate"),
        ] {
            let lane = asked(format, kind);
            assert_eq!(lane["format"], format);
            let url = lane["sends"]["url"].as_str().expect("an address");
            assert!(url.ends_with(path), "{url}");
            let prompt = lane["sends"]["body"]["prompt"].as_str().expect("a prompt");
            assert!(
                prompt.starts_with(begins) && prompt.ends_with(ends),
                "{prompt}"
            );
            assert!(prompt.contains(region), "{prompt}");
        }
    }
    let lane = asked("mercury", "mercury");
    let prompt = lane["sends"]["body"]["messages"][0]["content"].as_str();
    assert!(
        prompt
            .expect("a message")
            .contains("    return <|cursor|>\n<|/code_to_edit|>")
    );
    assert_eq!(asked("rewrite", "openai")["format"], "rewrite");
    let why = asked("zeta-2", "openai-chat")["why"]
        .as_str()
        .map(str::to_owned);
    assert!(
        why.expect("a reason")
            .contains("set the kind to openai, llama-cpp or ollama")
    );
}

#[test]
fn a_merge_conflict_is_not_asked_about_and_that_is_said() {
    let text = "a = 1\n<<<<<<< HEAD\nb = 2\n=======\nb = 3\n>>>>>>> theirs\n";
    let workspace = Workspace::new(&[("m.py", text)]);
    let set = [
        "lanes.nextEdit.kind=openai",
        "lanes.nextEdit.url=http://127.0.0.1:1",
        "lanes.nextEdit.model=zeta-2",
    ];
    let lane = explained(&workspace, "m.py:1:6", &set);
    assert_eq!(lane["sends"], Value::Null);
    let why = lane["why"].as_str().expect("a reason");
    assert!(why.contains("merge conflict"), "{why}");
}

/// What the doctor says of a server that has a model of this name.
fn doctor(model: &str, settings: &str) -> Ended {
    let listed = format!(r#"{{"data":[{{"id":"{model}"}}]}}"#);
    let server = ModelServer::start_with(move |_, request| {
        if request.path.ends_with("/models") {
            ScriptedAnswer::json(&listed)
        } else {
            let text = r#"{"choices":[{"text":"NO_EDITS","finish_reason":"stop"}]}"#;
            ScriptedAnswer::events([text])
        }
    });
    let workspace = Workspace::new(&[("sums.py", CODE)]);
    let url = server.url();
    workspace.write_own(
        format!("[lanes.nextEdit]\nkind = \"openai\"\nurl = {url:?}\n{settings}\n").as_bytes(),
    );
    workspace.run("doctor", &[])
}

fn says(ended: &Ended, expected: &str) -> bool {
    let words: Vec<&str> = ended.stdout.split_whitespace().collect();
    words.join(" ").contains(expected)
}

#[test]
fn the_doctor_says_in_which_format_a_model_is_asked() {
    let ended = doctor(
        "zed-industries/zeta-2.1",
        "model = \"zed-industries/zeta-2.1\"",
    );
    assert!(says(&ended, "in the format zeta-2.1"), "{}", ended.stdout);
    assert_eq!(ended.status, Some(0));
    let ended = doctor("qwen", "model = \"qwen\"");
    assert!(says(&ended, "in the format rewrite"), "{}", ended.stdout);
}

#[test]
fn the_doctor_knows_which_format_a_model_wants() {
    let wants = "The model was trained on the format zeta-2, and is asked in rewrite: set \
                 lanes.nextEdit.format to \"zeta-2\"";
    let ended = doctor("bartowski/zed-industries_zeta-2-GGUF", "");
    assert!(says(&ended, wants), "{}", ended.stdout);
    let wants = "The model was trained on the format sweep, and is asked in zeta-2";
    let ended = doctor(
        "sweep-next-edit-1.5b",
        "model = \"sweep-next-edit-1.5b\"\nformat = \"zeta-2\"",
    );
    assert!(says(&ended, wants), "{}", ended.stdout);
}
