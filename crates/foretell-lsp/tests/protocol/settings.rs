//! Settings: their homes in order, changes while the server runs, and what a repository cannot do.
//!
//! What applies is seen by what is suggested: without the FIM lane the script says nothing.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::time::Duration;

use foretell_engine::UserDirectories;
use foretell_lsp::ServerOptions;
use foretell_settings::RawSettings;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::{ClientConnection, MAIN, scripted};

/// A person's directories and a folder of theirs.
struct Home {
    directory: TempDir,
}

impl Home {
    fn new() -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let home = Home { directory };
        fs::create_dir_all(home.folder()).expect("a folder");
        home
    }

    fn folder(&self) -> PathBuf {
        let real = self.directory.path().canonicalize().expect("it is there");
        real.join("folder")
    }

    fn config(&self) -> PathBuf {
        self.directory.path().join("config.toml")
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.folder().join(file);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(path, text).expect("a file");
    }

    fn configure(&self, text: &str) {
        fs::write(self.config(), text).expect("a file");
    }

    fn start(&self, flags: &[&str]) -> ServerOptions {
        let flag = |it: &&str| RawSettings::from_assignment("--set", it).0;
        ServerOptions {
            places: UserDirectories {
                config_file: Some(self.config()),
                ..UserDirectories::default()
            },
            given: flags.iter().map(flag).collect(),
            ..scripted()
        }
    }

    /// A client with this folder open, a document in it, and settings of its own.
    fn client(&self, flags: &[&str], options: &Value) -> ClientConnection {
        let mut client = ClientConnection::start(self.start(flags));
        client.begin(json!({
            "workspaceFolders": [{ "uri": uri(&self.folder()), "name": "folder" }],
            "initializationOptions": options,
            "capabilities": {},
        }));
        client
    }

    fn document(&self) -> String {
        uri(&self.folder().join("main.rs"))
    }
}

fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

const OFF: &str = "[lanes.fim]\nenabled = false\n";
const ON: &str = "[lanes.fim]\nenabled = true\n";

/// Whether the FIM lane is asked in a document that is opened for it.
fn is_on(client: &mut ClientConnection, home: &Home) -> bool {
    client.open(&home.document(), "let x");
    let asked = client.ask_in(&home.document(), 1, (0, 5));
    let is_on = !client.items_of(asked).is_empty();
    let document = json!({ "uri": home.document() });
    client.notify("textDocument/didClose", json!({ "textDocument": document }));
    is_on
}

fn saved(client: &mut ClientConnection, path: &Path) {
    let document = json!({ "uri": uri(path) });
    client.notify("textDocument/didSave", json!({ "textDocument": document }));
}

/// Whether settings come through, at the start or when they change, which is a matter of milliseconds.
fn comes_to(client: &mut ClientConnection, home: &Home, expected: bool) -> bool {
    (0..1_000).any(|_| {
        let is_so = is_on(client, home) == expected;
        if !is_so {
            std::thread::sleep(Duration::from_millis(10));
        }
        is_so
    })
}

/// Waits until a change of settings has come through.
fn until(client: &mut ClientConnection, home: &Home, expected: bool) {
    let is_so = comes_to(client, home, expected);
    assert!(is_so, "the change never came through");
}

#[test]
fn each_home_beats_those_below_it() {
    let home = Home::new();
    let editor = |on: bool| json!({ "lanes": { "fim": { "enabled": on } } });
    for (file, options, flags, expected) in [
        (None, json!(null), None, true),
        (Some(OFF), json!(null), None, false),
        (Some(OFF), editor(true), None, true),
        (Some(ON), editor(false), None, false),
        (
            Some(ON),
            editor(false),
            Some("lanes.fim.enabled=true"),
            true,
        ),
        (None, json!({ "foretell": editor(false) }), None, false),
        (None, json!({ "lanes.fim.enabled": false }), None, false),
        (
            None,
            json!({ "languages": { "rust": editor(false) } }),
            None,
            false,
        ),
    ] {
        match file {
            Some(text) => home.configure(text),
            None => drop(fs::remove_file(home.config())),
        }
        let flags: Vec<&str> = flags.into_iter().collect();
        let mut client = home.client(&flags, &options);
        let is_so = comes_to(&mut client, &home, expected);
        assert!(is_so, "{file:?} {options} {flags:?}");
        client.leave();
    }
}

#[test]
fn a_file_that_is_saved_applies_at_once() {
    let home = Home::new();
    let mut client = home.client(&[], &Value::Null);
    assert!(is_on(&mut client, &home));
    home.configure(OFF);
    saved(&mut client, &home.config());
    until(&mut client, &home, false);
    home.configure(ON);
    saved(&mut client, &home.config());
    until(&mut client, &home, true);
    client.leave();
}

#[test]
fn a_file_that_somebody_else_changed_applies_soon() {
    let home = Home::new();
    let mut client = home.client(&[], &Value::Null);
    assert!(is_on(&mut client, &home));
    home.configure(OFF);
    until(&mut client, &home, false);
    client.leave();
}

#[test]
fn a_file_that_cannot_be_understood_leaves_what_it_said_before() {
    let home = Home::new();
    home.configure(OFF);
    let mut client = home.client(&[], &Value::Null);
    until(&mut client, &home, false);
    home.configure("[lanes.fim\nenabled = true");
    saved(&mut client, &home.config());
    let shown = client.told("window/showMessage");
    let message = shown["message"].as_str().expect("words");
    assert!(message.contains("config.toml:1:"), "{message}");
    let logged = client.told("window/logMessage");
    assert_eq!(
        format!("Foretell: {}", logged["message"].as_str().expect("words")),
        message
    );
    assert!(!is_on(&mut client, &home));
    client.leave();
}

#[test]
fn what_is_wrong_is_said_once_with_its_place_and_the_rest_applies() {
    let home = Home::new();
    home.configure("[lanes.fim]\nenabeld = true\nenabled = false\n");
    let mut client = home.client(&[], &Value::Null);
    let shown = client.told("window/showMessage");
    let logged = client.told("window/logMessage");
    let words = r#"unknown setting "lanes.fim.enabeld"; did you mean "lanes.fim.enabled"?"#;
    let place = format!("{}:2:1: {words}", home.config().display());
    assert_eq!(
        shown,
        json!({ "type": 2, "message": format!("Foretell: {place}") })
    );
    assert_eq!(logged, json!({ "type": 2, "message": place }));
    assert!(!is_on(&mut client, &home));
    // It is read again, and nobody wants to hear the same again.
    saved(&mut client, &home.config());
    assert!(!is_on(&mut client, &home));
    client.leave();
}

#[test]
fn an_editor_that_can_be_asked_is_asked() {
    let home = Home::new();
    let mut client = ClientConnection::start(home.start(&[]));
    let workspace = json!({
        "configuration": true,
        "didChangeConfiguration": { "dynamicRegistration": true },
        "didChangeWatchedFiles": { "dynamicRegistration": true },
    });
    client.begin(json!({ "rootUri": null, "capabilities": { "workspace": workspace } }));
    let (question, params) = client.asked("workspace/configuration");
    assert_eq!(params, json!({ "items": [{ "section": "foretell" }] }));
    let (registered, params) = client.asked("client/registerCapability");
    let methods: Vec<_> = params["registrations"]
        .as_array()
        .expect("a list")
        .iter()
        .collect();
    assert_eq!(methods[0]["method"], "workspace/didChangeConfiguration");
    assert_eq!(methods[1]["method"], "workspace/didChangeWatchedFiles");
    client.reply(registered, Value::Null);
    client.reply(
        question,
        json!([{ "lanes": { "fim": { "enabled": false } } }]),
    );
    until(&mut client, &home, false);
    // Whatever it says along with that, it is asked again.
    client.notify(
        "workspace/didChangeConfiguration",
        json!({ "settings": null }),
    );
    let (question, _) = client.asked("workspace/configuration");
    client.reply(
        question,
        json!([{ "lanes": { "fim": { "enabled": true } } }]),
    );
    until(&mut client, &home, true);
    client.leave();
}

#[test]
fn an_editor_that_cannot_be_asked_says_it_in_the_message() {
    let home = Home::new();
    let mut client = home.client(&[], &Value::Null);
    assert!(is_on(&mut client, &home));
    let settings = json!({ "foretell": { "lanes": { "fim": { "enabled": false } } } });
    client.notify(
        "workspace/didChangeConfiguration",
        json!({ "settings": settings }),
    );
    until(&mut client, &home, false);
    client.leave();
}

#[test]
fn a_repository_decides_when_to_speak_and_nothing_else() {
    let home = Home::new();
    let sneaky = "lanes.fim.enabled = false\n\
        \"lanes.fim.url\" = \"http://elsewhere.example\"\n\
        include = \"other.toml\"\n\
        trigger.enabled = false\n";
    home.write(".foretell.toml", sneaky);
    let mut client = home.client(&[], &Value::Null);
    let shown = client.told("window/showMessage");
    let message = shown["message"].as_str().expect("words");
    assert!(
        message.ends_with("(and 2 more problems, in the log)"),
        "{message}"
    );
    for (line, setting) in [
        (1, "lanes.fim.enabled"),
        (2, "lanes.fim.url"),
        (3, "include"),
    ] {
        let logged = client.told("window/logMessage");
        let message = logged["message"].as_str().expect("words");
        assert!(
            message.contains(&format!(".foretell.toml:{line}:")),
            "{message}"
        );
        assert!(message.contains(setting), "{message}");
    }
    assert!(is_on(&mut client, &home), "it may not switch a lane off");
    // But it may say when not to ask: no trigger comes of this.
    client.open(&home.document(), "let x\n");
    let at = json!({ "line": 1, "character": 0 });
    let range = json!({ "start": at, "end": at });
    let document = json!({ "uri": home.document(), "version": 2 });
    let changes = json!([{ "range": range, "text": "y" }]);
    client.notify(
        "textDocument/didChange",
        json!({ "textDocument": document, "contentChanges": changes }),
    );
    let end = json!({ "line": 1, "character": 1 });
    let selections = json!([{ "start": end, "end": end }]);
    client.notify(
        "foretell/didChangeSelection",
        json!({ "textDocument": document, "selections": selections }),
    );
    client.leave();
}

#[test]
fn a_repository_cannot_speak_through_the_editor() {
    let off = r#""lanes.fim.enabled": false, "trigger.enabled": false"#;
    let ours = |off: &str| {
        off.replace("\"l", "\"foretell.l")
            .replace("\"t", "\"foretell.t")
    };
    let nested = r#"{ "foretell": { "lanes": { "fim": { "enabled": false } } } }"#.to_owned();
    let large = format!("{{ {} }}{}", ours(off), " ".repeat(2 << 20));
    // As an editor would send it that does not know whose word it is.
    let mixed = json!({ "lanes": { "fim": { "enabled": false } }, "trigger": { "enabled": true } });
    for (file, text) in [
        (
            ".vscode/settings.json",
            format!("{{\n // for all\n {},\n}}", ours(off)),
        ),
        (".vscode/settings.json", nested),
        (
            ".vscode/settings.json",
            format!("{{ \"[rust]\": {{ {} }} }}", ours(off)),
        ),
        (".vscode/settings.json", format!("{{ {}, oops", ours(off))),
        (".vscode/settings.json", large),
        (
            "all.code-workspace",
            format!("{{ \"settings\": {{ {} }} }}", ours(off)),
        ),
        (
            "dev/x.code-workspace",
            format!(
                "{{ \"folders\": [{{ \"path\": \"..\" }}], \"settings\": {{ {} }} }}",
                ours(off)
            ),
        ),
    ] {
        let home = Home::new();
        home.write(file, &text);
        let mut client = home.client(&[], &mixed);
        let shown = client.told("window/showMessage");
        let message = shown["message"].as_str().expect("words");
        assert!(message.contains(file), "{message}");
        client.told("window/logMessage");
        assert!(is_on(&mut client, &home), "{message}");
        client.leave();
    }
    // What has nothing to do with it changes nothing, and neither does what the editor overrules.
    for text in [
        r#"{ "editor.tabSize": 2, "foretell.trigger.enabled": true }"#,
        r#"{ "foretell.lanes.fim.enabled": true }"#,
    ] {
        let home = Home::new();
        home.write(".vscode/settings.json", text);
        let mut client = home.client(&[], &mixed);
        assert!(comes_to(&mut client, &home, false), "{text}");
        client.leave();
    }
}

#[test]
fn what_belongs_to_other_servers_is_not_spoken_of() {
    let home = Home::new();
    let off = json!({ "lanes": { "fim": { "enabled": false } } });
    let mut client = home.client(&[], &off);
    until(&mut client, &home, false);
    let theirs = json!({ "settings": { "python": { "analysis": { "x": 1 } } } });
    client.notify("workspace/didChangeConfiguration", theirs);
    assert!(!is_on(&mut client, &home));
    client.leave();
}

#[test]
fn no_model_is_told_anything_before_the_editor_has_said_what_its_settings_are() {
    let (home, model) = (Home::new(), Mute::new());
    let url = format!("lanes.fim.url={}", model.url());
    let flags = ["lanes.fim.kind=openai", "race.explicitCapMs=100", &url];
    let mut client = ClientConnection::start(ServerOptions {
        script: None,
        ..home.start(&flags)
    });
    let workspace = json!({ "configuration": true });
    client.begin(json!({ "rootUri": null, "capabilities": { "workspace": workspace } }));
    let (question, _) = client.asked("workspace/configuration");
    assert!(!is_on(&mut client, &home));
    assert!(!model.was_asked());
    client.reply(question, json!([null]));
    assert!(!is_on(&mut client, &home));
    assert!(model.was_asked());
    client.leave();
}

#[test]
fn a_lane_that_rests_says_so_once_for_each_cause() {
    let home = Home::new();
    let nobody = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("lanes.fim.url=http://{}", nobody.local_addr().expect("one"));
    drop(nobody);
    let mut client = with_model(&home, &["lanes.fim.kind=openai", &url], &Value::Null);
    client.open(MAIN, "let x");
    let mut shown = None;
    for _ in 0..10 {
        let asked = client.ask_in(MAIN, 1, (0, 5));
        shown = client.shown_before(asked);
        if shown.is_some() {
            break;
        }
    }
    let shown = shown.expect("it rests after a few");
    let message = shown["message"].as_str().expect("words");
    let expected = "Foretell: fim is left alone for 10 s: nobody listens at http://";
    assert!(message.starts_with(expected), "{message}");
    client.leave();
}

/// A model server that never answers, and knows how often it was asked.
struct Mute(TcpListener);

impl Mute {
    fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        listener.set_nonblocking(true).expect("it does not wait");
        Mute(listener)
    }

    fn url(&self) -> String {
        let address = self.0.local_addr().expect("an address");
        format!("http://{address}")
    }

    fn was_asked(&self) -> bool {
        std::iter::from_fn(|| self.0.accept().ok()).count() > 0
    }
}

/// A client of a server that asks a model, and does not wait long for it.
fn with_model(home: &Home, flags: &[&str], options: &Value) -> ClientConnection {
    let flags: Vec<&str> = flags
        .iter()
        .copied()
        .chain(["race.explicitCapMs=100"])
        .collect();
    // What the model never answers is not waited for in earnest.
    let mut client = ClientConnection::start_on_still_clock(ServerOptions {
        script: None,
        ..home.start(&flags)
    });
    client.begin(json!({
        "workspaceFolders": [{ "uri": uri(&home.folder()), "name": "folder" }],
        "initializationOptions": options,
        "capabilities": {},
    }));
    client
}

#[test]
fn no_model_is_asked_while_nobody_knows_whose_word_it_is() {
    let (home, model) = (Home::new(), Mute::new());
    let ours = json!({ "foretell.lanes.fim.url": model.url() }).to_string();
    home.write(".vscode/settings.json", &ours);
    let mixed = json!({ "lanes": { "fim": { "kind": "openai", "url": model.url() } } });
    let mut client = with_model(&home, &[], &mixed);
    client.told("window/showMessage");
    client.told("window/logMessage");
    assert!(!is_on(&mut client, &home));
    let why = client.result("foretell/why", json!({ "limit": 1 }));
    let words = why["text"].as_str().expect("words");
    assert!(words.contains(".vscode/settings.json:1:"), "{words}");
    assert!(!model.was_asked());
    client.leave();
    // Whoever says it in a way that no repository can means it.
    let flag = format!("lanes.fim.url={}", model.url());
    let mut client = with_model(&home, &[&flag], &mixed);
    assert!(!is_on(&mut client, &home));
    assert!(model.was_asked());
    client.leave();
}

#[test]
fn a_model_that_was_not_asked_neither_counts_nor_rests() {
    let (home, model) = (Home::new(), Mute::new());
    let ours = json!({ "foretell.lanes.fim.url": model.url() }).to_string();
    home.write(".vscode/settings.json", &ours);
    let kept = json!({ "fim": { "kind": "openai", "url": model.url() } });
    let mut client = with_model(&home, &[], &json!({ "lanes": kept }));
    client.told("window/showMessage");
    client.told("window/logMessage");
    // More often than a lane may fail before it rests.
    for _ in 0..4 {
        assert!(!is_on(&mut client, &home));
    }
    let why = client.result("foretell/why", json!({ "limit": 1 }));
    let fim = &why["decisions"][0]["lanes"][0];
    assert_eq!(fim["lost"], "contested-settings", "{why}");
    let status = client.result("foretell/status", Value::Null);
    let fim = &status["lanes"][0];
    assert_eq!(fim["used"]["requestsToday"], 0, "{fim}");
    assert_eq!(fim["restsMs"], Value::Null, "{fim}");
    assert!(!model.was_asked());
    // The same settings, which nobody else has a word in by now.
    home.write(".vscode/settings.json", "{}");
    let settings = json!({ "settings": { "foretell": { "lanes": kept } } });
    client.notify("workspace/didChangeConfiguration", settings);
    for _ in 0..100 {
        is_on(&mut client, &home);
        if model.was_asked() {
            return client.leave();
        }
    }
    unreachable!("it is never asked again");
}

#[test]
fn what_was_written_down_before_a_question_counts_for_it() {
    let (home, model) = (Home::new(), Mute::new());
    let asks = format!(
        "[lanes.fim]\nkind = \"openai\"\nurl = \"{}\"\n",
        model.url()
    );
    home.configure(&asks);
    let mut client = with_model(&home, &[], &Value::Null);
    client.open(&home.document(), "let x = 1;\nlet y");
    let ask = |client: &mut ClientConnection, line: u32| {
        let asked = client.ask_in(&home.document(), 1, (line, 5));
        client.items_of(asked);
        model.was_asked()
    };
    assert!(ask(&mut client, 0));
    // Longer than what was seen of a file counts as new.
    let a_while = Duration::from_millis(1_100);
    home.write(".foretellignore", "main.rs\n");
    client.let_pass(a_while);
    assert!(!ask(&mut client, 1), "it is excluded by now");
    home.write(".foretellignore", "");
    client.let_pass(a_while);
    // This way it takes another question, or as many as come while the file is read: nobody is told anything while
    // it is not known.
    let mut questions = (0..100).map(|number| ask(&mut client, number % 2));
    assert!(questions.any(|is_told| is_told));
    home.configure("");
    client.let_pass(a_while);
    assert!(!ask(&mut client, 1), "there is no model any more");
    client.leave();
}

#[test]
fn an_ignore_file_that_nobody_understands_is_said() {
    let home = Home::new();
    fs::write(home.folder().join(".foretellignore"), [0xff, 0xfe, b'\n']).expect("a file");
    let mut client = home.client(&[], &Value::Null);
    let shown = client.told("window/showMessage");
    let message = shown["message"].as_str().expect("words");
    assert!(
        message.contains(".foretellignore cannot be used"),
        "{message}"
    );
    let end = "so that no model is told anything of folder until that is corrected";
    assert!(message.ends_with(end), "{message}");
    client.told("window/logMessage");
    client.leave();
}

#[test]
fn folders_come_and_go() {
    let (one, other) = (Home::new(), Home::new());
    other.write(".foretell.toml", "nonsense = 1\n");
    let mut client = one.client(&[], &Value::Null);
    let event =
        json!({ "added": [{ "uri": uri(&other.folder()), "name": "other" }], "removed": [] });
    client.notify(
        "workspace/didChangeWorkspaceFolders",
        json!({ "event": event }),
    );
    client.told("window/showMessage");
    client.told("window/logMessage");
    let event =
        json!({ "added": [], "removed": [{ "uri": uri(&other.folder()), "name": "other" }] });
    client.notify(
        "workspace/didChangeWorkspaceFolders",
        json!({ "event": event }),
    );
    // Not wrong any more, and so said again when it comes back.
    let event = json!({ "added": [{ "uri": uri(&other.folder()), "name": "other" }] });
    client.notify(
        "workspace/didChangeWorkspaceFolders",
        json!({ "event": event }),
    );
    client.told("window/showMessage");
    client.told("window/logMessage");
    client.leave();
}
