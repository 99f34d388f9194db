//! `foretell setup` as a person meets it: servers that are found, what is written, and the way back.

#[path = "support/workspace.rs"]
mod workspace;

use std::fs;

use foretell_testkit::model_server::{ModelServer, ScriptedAnswer};

use crate::workspace::{Ended, Workspace};

/// An Ollama with these models, that fills in what belongs there.
fn ollama(models: &[&str]) -> ModelServer {
    let listed = |field: &str| {
        let models: Vec<String> = models
            .iter()
            .map(|it| format!(r#"{{"{field}":"{it}"}}"#))
            .collect();
        models.join(",")
    };
    let tags = format!(r#"{{"models":[{}]}}"#, listed("name"));
    let list = format!(r#"{{"data":[{}]}}"#, listed("id"));
    ModelServer::start_with(move |_, request| match request.path.as_str() {
        "/api/tags" => ScriptedAnswer::json(&tags),
        "/v1/models" => ScriptedAnswer::json(&list),
        "/api/generate" => ScriptedAnswer::lines([
            r#"{"response":"width, height","done":false}"#,
            r#"{"response":"","done":true,"prompt_eval_count":1200,"prompt_eval_duration":8000000000,"eval_count":4,"eval_duration":200000000}"#,
        ]),
        _ => ScriptedAnswer::status(404),
    })
}

fn setup(workspace: &Workspace, server: &ModelServer, more: &[&str]) -> Ended {
    let port = server.port().to_string();
    let mut arguments = vec!["--port", &port];
    arguments.extend(more);
    workspace.run("setup", &arguments)
}

#[track_caller]
fn assert_says(ended: &Ended, status: i32, expected: &[&str]) {
    for expected in expected {
        assert!(
            ended.stdout.contains(expected),
            "no {expected:?} in\n{}{}",
            ended.stdout,
            ended.stderr
        );
    }
    assert_eq!(
        ended.status,
        Some(status),
        "{}{}",
        ended.stdout,
        ended.stderr
    );
}

#[test]
fn a_server_that_runs_is_found_tried_and_set_up_and_all_of_it_can_be_taken_back() {
    let workspace = Workspace::new(&[]);
    let before = "# mine\n[pace]\nbaseMs = 300 # slow\n\n[lanes.fim]\nkind = 'openai' # was hosted\n\
                  url = 'https://models.example'\napiKeyEnv = 'HOSTED_KEY'\nmaxTokens = 100\n";
    let own = workspace.write_own(before.as_bytes());
    let server = ollama(&["llama3.2:3b", "qwen2.5-coder:1.5b", "zeta-2"]);
    let ended = setup(&workspace, &server, &["--yes"]);
    assert_says(
        &ended,
        0,
        &[
            "qwen2.5-coder:1.5b  fills in at the cursor",
            "zeta-2  next edits, in the format zeta-2",
            "llama3.2:3b  chat",
            "def area([width, height]):",
            "qwen2.5-coder:1.5b on Ollama for what goes in at the cursor",
            "zeta-2 on Ollama for next edits",
        ],
    );
    let url = server.url();
    let written = fs::read_to_string(&own).expect("the file");
    assert_eq!(
        written,
        format!(
            "# mine\n[pace]\nbaseMs = 300 # slow\n\n[lanes.fim]\nkind = \"ollama\" # was hosted\n\
             url = \"{url}\"\nmaxTokens = 100\nmodel = \"qwen2.5-coder:1.5b\"\n\n\
             [lanes.nextEdit]\nkind = \"ollama\"\nurl = \"{url}\"\nmodel = \"zeta-2\"\n"
        ),
        "comments stay, and the key of the server before does not"
    );
    let shown = workspace.run("config", &["show", "lanes.fim.model"]);
    assert!(
        shown.stdout.contains("qwen2.5-coder:1.5b"),
        "{}",
        shown.stdout
    );

    let undone = workspace.run("setup", &["--undo"]);
    assert_says(&undone, 0, &["is as it was before"]);
    assert_eq!(fs::read_to_string(&own).expect("the file"), before);
    let again = workspace.run("setup", &["--undo"]);
    assert_eq!(again.status, Some(2));
    assert!(
        again.stderr.contains("There is nothing to take back"),
        "{}",
        again.stderr
    );
}

#[test]
fn nothing_is_asked_of_a_model_and_nothing_is_written_before_the_person_agrees() {
    let workspace = Workspace::new(&[]);
    let server = ollama(&["qwen2.5-coder:1.5b"]);
    let ended = setup(&workspace, &server, &[]);
    assert_says(
        &ended,
        1,
        &["nothing of yours? Nobody can be asked here; --yes agrees."],
    );
    let asked = server.requests().into_iter().map(|request| request.path);
    let asked: Vec<String> = asked.collect();
    assert_eq!(asked, ["/v1/models", "/api/tags"]);
    assert!(
        !workspace
            .cache()
            .join("config/foretell/config.toml")
            .exists()
    );
}

#[test]
fn without_a_file_one_is_made_and_taking_it_back_leaves_none() {
    let workspace = Workspace::new(&[]);
    let own = workspace.cache().join("config/foretell/config.toml");
    let server = ollama(&["qwen2.5-coder:1.5b"]);
    assert_says(
        &setup(&workspace, &server, &["--yes"]),
        0,
        &["Next edits stay as they are"],
    );
    assert!(own.exists());
    assert_says(&workspace.run("setup", &["--undo"]), 0, &[]);
    assert!(!own.exists());
}

#[test]
fn one_setup_after_the_other_is_taken_back() {
    let workspace = Workspace::new(&[]);
    let own = workspace.write_own(b"# hosted\n[lanes.fim]\nkind = 'openai'\napiKeyEnv = 'KEY'\n");
    let read = || fs::read_to_string(&own).expect("the file");
    let mut texts = vec![read()];
    for model in ["qwen2.5-coder:1.5b", "qwen2.5-coder:7b"] {
        let server = ollama(&[model]);
        assert_says(&setup(&workspace, &server, &["--yes"]), 0, &[model]);
        texts.push(read());
    }
    for before in texts.iter().rev().skip(1) {
        assert_says(&workspace.run("setup", &["--undo"]), 0, &[]);
        assert_eq!(read(), *before);
    }
}

#[test]
fn a_model_that_suggests_nothing_is_not_set_up() {
    let workspace = Workspace::new(&[]);
    let server = ModelServer::start_with(|_, request| match request.path.as_str() {
        "/api/tags" => ScriptedAnswer::json(r#"{"models":[{"name":"qwen2.5-coder:1.5b"}]}"#),
        "/api/generate" => ScriptedAnswer::lines([r#"{"response":"","done":true}"#]),
        _ => ScriptedAnswer::status(404),
    });
    let ended = setup(&workspace, &server, &["--yes"]);
    assert_says(&ended, 1, &["stays as it is"]);
}

#[test]
fn where_nothing_answers_it_says_how_to_start_something() {
    let workspace = Workspace::new(&[]);
    let refusing = ModelServer::refusing();
    let port = refusing.rsplit(':').next().expect("a port");
    let ended = workspace.run("setup", &["--yes", "--port", port]);
    assert_says(
        &ended,
        1,
        &[
            "No model server answers",
            "llama-server --fim-qwen-1.5b-default",
        ],
    );
}

#[test]
fn a_server_that_is_something_else_is_no_model_server() {
    let workspace = Workspace::new(&[]);
    let server = ModelServer::start(ScriptedAnswer::status(401));
    let port = server.port().to_string();
    let ended = workspace.run("setup", &["--yes", "--port", &port]);
    assert_says(
        &ended,
        1,
        &["something answers that lists no models without a key"],
    );
}

#[test]
fn a_model_that_fails_leaves_everything_as_it_is() {
    let workspace = Workspace::new(&[]);
    let server = ModelServer::start_with(|_, request| match request.path.as_str() {
        "/api/tags" => ScriptedAnswer::json(r#"{"models":[{"name":"qwen2.5-coder:1.5b"}]}"#),
        _ => ScriptedAnswer::status(500),
    });
    let ended = setup(&workspace, &server, &["--yes"]);
    assert_says(&ended, 1, &["It cannot be used: ", "stays as it is"]);
    assert!(
        !workspace
            .cache()
            .join("config/foretell/config.toml")
            .exists()
    );
}

#[test]
fn a_broken_file_is_left_alone() {
    let workspace = Workspace::new(&[]);
    let own = workspace.write_own(b"[lanes.fim\n");
    let server = ollama(&["qwen2.5-coder:1.5b"]);
    let ended = setup(&workspace, &server, &["--yes"]);
    assert_eq!(ended.status, Some(2));
    assert!(
        ended.stderr.contains("it cannot be understood"),
        "{}",
        ended.stderr
    );
    assert_eq!(fs::read_to_string(&own).expect("the file"), "[lanes.fim\n");
}

#[test]
fn a_model_may_be_named_and_must_be_there() {
    let workspace = Workspace::new(&[]);
    let server = ollama(&["qwen2.5-coder:1.5b", "qwen2.5-coder:7b"]);
    let ended = setup(
        &workspace,
        &server,
        &["--yes", "--model", "qwen2.5-coder:7b"],
    );
    assert_says(
        &ended,
        0,
        &["qwen2.5-coder:7b on Ollama for what goes in at the cursor"],
    );
    let ended = setup(&workspace, &server, &["--yes", "--model", "huge"]);
    assert_says(&ended, 1, &["No server has a model huge"]);
}
