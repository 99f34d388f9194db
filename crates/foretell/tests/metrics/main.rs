//! `foretell lsp --metrics`: what a Prometheus on this machine reads while somebody works.
//!
//! Each story is played with the binary over its pipes, and scraped over a plain socket.

mod exposition;
#[path = "../support/framed.rs"]
mod framed;
mod session;
#[path = "../support/workspace.rs"]
mod workspace;

use std::collections::BTreeMap;
use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::Path;

use foretell_testkit::model_server::{ModelServer, ScriptedAnswer};
use serde_json::{Value, json};

use self::exposition::Scrape;
use self::session::{Session, page, scrape};
use self::workspace::Workspace;

/// Words that must never be on a page: of a path, of a document, and of settings.
const PATH: &str = "file:///zanzibar/quokka.rs";
const MARKS: [&str; 5] = ["zanzibar", "quokka", "xylophone", "umbrella", "saffron"];
const TEXT: &str = "fn xylophone() {\n    let umbrella = \n}\n";

/// What the model says, and what that took.
const FILLED: &str = r#"{"choices":[{"text":"affron(1);","finish_reason":"stop"}]}"#;
const TOOK: &str = r#"{"choices":[],"usage":{"prompt_tokens":90,"completion_tokens":4}}"#;

fn asked(kind: u32, (line, column): (u32, u32)) -> Value {
    json!({
        "textDocument": { "uri": PATH },
        "position": { "line": line, "character": column },
        "context": { "triggerKind": kind },
    })
}

fn typed(version: u32, (line, column): (u32, u32), text: &str) -> Value {
    let at = json!({ "line": line, "character": column });
    json!({
        "textDocument": { "uri": PATH, "version": version },
        "contentChanges": [{ "range": { "start": at, "end": at }, "text": text }],
    })
}

/// Opens the document.
fn open(session: &mut Session) {
    let document = json!({ "uri": PATH, "languageId": "rust", "version": 1, "text": TEXT });
    session.notify("textDocument/didOpen", json!({ "textDocument": document }));
}

/// Asks for a suggestion, shows it, and gives its name; or says why there was none.
fn shown(session: &mut Session, at: (u32, u32)) -> Value {
    let answer = session.result(COMPLETE, asked(2, at));
    let name = answer["items"][0]["command"]["arguments"][0].clone();
    if !name.is_string() {
        let why = session.result("foretell/why", json!({ "limit": 9 }));
        unreachable!("nothing is suggested: {}", why["text"]);
    }
    let id = json!({ "id": name });
    session.notify("foretell/didShow", id.clone());
    id
}

const COMPLETE: &str = "textDocument/inlineCompletion";

#[test]
fn a_session_with_a_model_is_counted_stage_by_stage() {
    // The second time the model is broken.
    let model = ModelServer::start_with(|number, _| match number {
        1 => ScriptedAnswer::status(500),
        _ => ScriptedAnswer::events([FILLED, TOOK]),
    });
    let workspace = Workspace::new(&[]);
    // However busy the machine is, nothing here is too late.
    let settings = format!(
        "race.capMs = 60000\nrace.explicitCapMs = 60000\nlanes.nextEdit.enabled = false\n\
         lanes.fix.enabled = false\n[lanes.fim]\nkind = 'openai'\nurl = '{}'\n\
         model = 'umbrella-7b'\ntemplate = 'qwen'\n",
        model.url()
    );
    workspace.write_own(settings.as_bytes());
    let mut session = Session::start(&workspace, &["--metrics", "localhost:0"]);
    let address = session.address();
    assert!(address.starts_with("127.0.0.1:"), "{address}");
    let unborn = scrape(&address);
    session.begin();
    // On a busy machine settings come later than the first words, and until then no model is asked.
    while session.result("foretell/status", Value::Null)["lanes"][0]["kind"] != "openai" {}
    let idle = scrape(&address);
    idle.assert_grown(&unborn);
    assert_eq!(idle.number("foretell_requests_total", &[]), 0.0);

    // Somebody types and pauses; the model suggests; they type on, see the rest, and take it.
    open(&mut session);
    session.notify("textDocument/didChange", typed(2, (1, 19), "s"));
    shown(&mut session, (1, 20));
    session.notify("textDocument/didChange", typed(3, (1, 20), "aff"));
    let rest = shown(&mut session, (1, 23));
    session.notify("foretell/didAccept", rest);
    // What comes after a question comes after everything that was said before it.
    session.answer("foretell/unknown", Value::Null);
    let first = scrape(&address);
    first.assert_grown(&idle);
    let fim = ("lane", "fim");
    let expected = r#"
        foretell_requests_total 2
        foretell_requests_started_total 1
        foretell_requests_answered_total 2
        foretell_requests_carried_total 1
        foretell_document_changes_total 2
        foretell_documents_open 1
        foretell_suggestions_accepted_total 1
        foretell_suggestions_rejected_total 0
        foretell_gate_asked_total 1
        foretell_lane_calls_total{lane="fim"} 1
        foretell_lane_answers_total{lane="fim"} 1
        foretell_lane_raced_total{lane="fim"} 1
        foretell_lane_wins_total{lane="fim"} 1
        foretell_lane_resting{lane="fim"} 0
        foretell_lane_seconds_count{lane="fim"} 1
        foretell_lane_seconds_count{lane="fix"} 0
        foretell_context_seconds_count 1
        foretell_request_seconds_count{outcome="lane"} 1
        foretell_request_seconds_count{outcome="carried"} 1
        foretell_request_seconds_count{outcome="withheld"} 0
        foretell_editor_to_suggestion_seconds_count 2
        foretell_trigger_to_suggestion_seconds_count 0
        foretell_messages_heard_total{class="change"} 2
        foretell_messages_heard_total{class="request"} 2
        foretell_messages_heard_total{class="feedback"} 3
        foretell_messages_heard_total{class="unknown"} 1
        foretell_messages_refused_total{why="unknown-method"} 1
        foretell_message_handling_seconds_count{kind="change"} 2
        foretell_message_handling_seconds_count{kind="request"} 2
        foretell_messages_told_total{class="answer"} 2
        foretell_messages_told_total{class="error"} 1
        foretell_lane_tokens_total{lane="fim",direction="prompt"} 90
        foretell_lane_tokens_total{lane="fim",direction="completion"} 4
    "#;
    first.assert_since(&idle, expected);
    let carried = [("outcome", "carried")];
    let carried = first.number("foretell_request_seconds_sum", &carried);
    assert!(carried > 0.0, "less than a millisecond is not nothing");

    // The model breaks; then the cursor moves, the editor is told to ask, and the person says no.
    session.notify("textDocument/didChange", typed(4, (0, 0), "\n"));
    let answer = session.result(COMPLETE, asked(1, (0, 0)));
    assert_eq!(answer["items"], json!([]));
    session.notify("textDocument/didChange", typed(5, (0, 0), "//"));
    // On another line than the ones that had their turn.
    let at = json!({ "line": 3, "character": 1 });
    let selection = json!({
        "textDocument": { "uri": PATH, "version": 5 },
        "selections": [{ "start": at, "end": at }],
    });
    session.notify("foretell/didChangeSelection", selection);
    session.answer("foretell/unknown", Value::Null);
    let triggers = session.told.iter();
    let triggers = triggers.filter(|it| it["method"] == "foretell/trigger");
    assert_eq!(triggers.count(), 1, "{:?}", session.told);
    let unwanted = shown(&mut session, (2, 4));
    session.notify("foretell/didReject", unwanted);
    session.notify("textDocument/didChange", json!({ "textDocument": 1 }));
    session.write("{{{");
    // What is said of the one before comes another way, and may come first.
    while session.hear()["error"]["code"] != -32700 {}
    session.answer("foretell/unknown", Value::Null);
    let last = scrape(&address);
    last.assert_grown(&first);
    let expected = r#"
        foretell_requests_total 4
        foretell_requests_answered_total 3
        foretell_requests_withheld_total{reason="lane-failed"} 1
        foretell_request_seconds_count{outcome="withheld"} 1
        foretell_request_seconds_count{outcome="lane"} 2
        foretell_trigger_to_suggestion_seconds_count 1
        foretell_triggers_total{cause="selection"} 1
        foretell_triggers_rejected_at_once_total 1
        foretell_suggestions_rejected_total 1
        foretell_rejections_remembered_total 1
        foretell_rejections{state="awake"} 1
        foretell_lane_failures_total{lane="fim",failure="server-error"} 1
        foretell_lane_answers_total{lane="fim"} 2
        foretell_lane_seconds_count{lane="fim"} 3
        foretell_context_seconds_count 3
        foretell_messages_refused_total{why="malformed"} 1
        foretell_messages_unreadable_total 1
        foretell_messages_told_total{class="trigger"} 1
    "#;
    last.assert_since(&unborn, expected);
    let ended: f64 = ["answers", "failures", "stopped"]
        .map(|it| last.sum(&format!("foretell_lane_{it}_total"), &[fim]))
        .iter()
        .sum();
    assert_eq!(last.number("foretell_lane_calls_total", &[fim]), ended);
    assert!(last.number("foretell_pace_wait_seconds_count", &[]) >= 1.0);
    assert!(last.number("process_resident_memory_bytes", &[]) > 1e6 || !cfg!(target_os = "linux"));

    assert_is_documented(&last);
    let page = page(&address);
    let is_marked = |it: &&str| page.to_lowercase().contains(*it);
    assert_eq!(MARKS.into_iter().find(is_marked), None, "{page}");
    assert!(!page.contains("127.0.0.1"), "{page}");
    let home = workspace.path().display().to_string();
    assert!(!page.contains(&home), "{page}");
    session.leave();
}

/// Every metric and every value of a label is one that the page for people names.
fn assert_is_documented(scrape: &Scrape) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/metrics.md");
    let page = fs::read_to_string(path).expect("the page for people");
    let mut known: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for row in page.lines().filter_map(|it| it.strip_prefix("| `")) {
        let (name, rest) = row.split_once('`').expect("a name");
        let words = rest.split('`').skip(1).step_by(2);
        known.entry(name).or_default().extend(words);
    }
    for name in scrape.names() {
        assert!(known.contains_key(name.as_str()), "{name}");
    }
    for (name, label, value) in scrape.labels() {
        match label {
            "le" => continue,
            "version" => assert_eq!(value, env!("CARGO_PKG_VERSION")),
            "protocol" => assert!(value.parse::<u32>().is_ok()),
            _ => assert!(known[label].contains(&value), "{name}: {label} is {value}"),
        }
        assert!(known[name].contains(&label), "{name} has {label}");
    }
}

#[test]
fn an_address_that_others_can_reach_is_refused_before_anything_starts() {
    let workspace = Workspace::new(&[]);
    for (given, what) in [
        ("0.0.0.0:9464", "other machines could read them there"),
        ("[::]:9464", "other machines could read them there"),
        ("192.168.1.7:9464", "other machines could read them there"),
        ("example.org:9464", "not an address of this machine"),
        ("9464", "not an address of this machine"),
        ("127.0.0.1", "not an address of this machine"),
        ("127.0.0.1:port", "not an address of this machine"),
        ("", "not an address of this machine"),
    ] {
        let ended = workspace.run("lsp", &["--metrics", given]);
        assert_eq!(ended.status, Some(2), "{given}: {}", ended.stderr);
        assert_eq!(ended.stdout, "", "{given}");
        assert!(ended.stderr.contains(what), "{given}: {}", ended.stderr);
        assert!(ended.stderr.contains("127.0.0.1:PORT"), "{}", ended.stderr);
    }
}

#[test]
fn a_second_editor_with_the_same_port_works_without_metrics() {
    let workspace = Workspace::new(&[]);
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    let mut session = Session::start(&workspace, &["--metrics", &address]);
    session.begin();
    open(&mut session);
    session.result(COMPLETE, asked(1, (1, 19)));
    let says = |it: &&Value| {
        it["params"]["message"]
            .as_str()
            .is_some_and(|it| it.contains(&address))
    };
    let told: Vec<Value> = session.told.iter().filter(says).cloned().collect();
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0]["method"], "window/logMessage");
    let log = session.leave();
    assert_eq!(log.matches(&address).count(), 1, "{log}");
    assert!(log.contains("there are no metrics"), "{log}");
}

#[test]
fn six_is_an_address_of_this_machine_too() {
    // Not every machine has it.
    if TcpListener::bind("[::1]:0").is_err() {
        return;
    }
    let workspace = Workspace::new(&[]);
    let mut session = Session::start(&workspace, &["--metrics", "[::1]:0"]);
    let address = session.address();
    assert!(address.starts_with("[::1]:"), "{address}");
    session.begin();
    let scraped = scrape(&address);
    assert_eq!(scraped.number("foretell_documents_open", &[]), 0.0);
    session.leave();
}

#[test]
fn the_port_is_free_when_the_server_has_ended_though_somebody_is_connected() {
    let workspace = Workspace::new(&[]);
    let mut session = Session::start(&workspace, &["--metrics", "127.0.0.1:0"]);
    let address = session.address();
    session.begin();
    let silent = TcpStream::connect(&address).expect("somebody listens");
    session.leave();
    assert!(TcpStream::connect(&address).is_err());
    drop(silent);
}
