//! A model that has nothing at the cursor is asked once more, about another place: what its server is sent then,
//! and what is suggested, by real sockets.
//!
//! The model is one for next edits. It says "no edits" to the first question, and to the others that every call
//! of `load` in the lines it may rewrite gets a second argument.

use std::time::Duration;

use foretell_context::ExclusionGlobs;
use foretell_core::{Answer, Event, RequestCause, RequestId, RequestKind, SuggestionRequest};
use foretell_testkit::model_server::{ModelServer, ReceivedRequest, ScriptedAnswer};
use foretell_text::{
    ByteOffset, ChangeReason, DocumentId, Edit, Language, Replacement, Text, Version,
};
use serde_json::{Value, json};

use crate::desk::{Desk, PATIENT, resolved};

const NAME: &str = "file:///src/load.rs";
const OTHER: &str = "file:///src/main.rs";
const CALL: &str = "    load(name);\n";

/// A function, and a call of it that is far away.
fn code() -> String {
    let remarks = "// A remark.\n".repeat(30);
    format!("fn load(path: &str) {{}}\n{remarks}fn main() {{\n{CALL}}}\n")
}

fn prompt(request: &ReceivedRequest) -> String {
    let body: Value = serde_json::from_slice(&request.body).unwrap();
    body["prompt"].as_str().unwrap().to_owned()
}

/// The lines that a question wants rewritten, without the mark of the cursor.
fn region(prompt: &str) -> String {
    let (_, behind) = prompt.split_once("<<<<<<< CURRENT\n").unwrap();
    let (region, _) = behind.split_once("\n=======").unwrap();
    region.replace("<|user_cursor|>", "")
}

fn model() -> ModelServer {
    ModelServer::start_with(|number, request| {
        let said = match number {
            0 => "NO_EDITS\n>>>>>>> UPDATED\n".to_owned(),
            _ => {
                let new = region(&prompt(request)).replace("load(name)", "load(name, 0)");
                format!("{new}\n>>>>>>> UPDATED\n")
            }
        };
        let said = json!({ "choices": [{ "text": said, "finish_reason": "stop" }] });
        ScriptedAnswer::events([said.to_string()])
    })
}

fn written(server: &ModelServer, lines: &str) -> String {
    format!(
        "[race]\ngraceMs = 30000\ncapMs = 30000\n\
         [lanes]\nfim.enabled = false\nfix.enabled = false\n\
         [lanes.nextEdit]\nkind = \"openai\"\nmodel = \"zeta-2\"\nurl = {:?}\n{PATIENT}{lines}",
        server.url()
    )
}

fn open(desk: &mut Desk, name: &str, text: &str) {
    desk.engine.tell(Event::DocumentOpened {
        document: DocumentId::new(name),
        language: Language::new("rust"),
        version: Version::new(1),
        text: Text::from(text),
    });
    desk.take();
}

/// Somebody adds a parameter to the function.
fn add_parameter(desk: &mut Desk) -> usize {
    let at = "fn load(path: &str".len();
    let added = ", mode: u8";
    desk.engine.tell(Event::DocumentChanged {
        document: DocumentId::new(NAME),
        version: Version::new(2),
        edits: vec![Edit::from(Replacement::insertion(
            ByteOffset::new(at),
            added,
        ))],
        reason: ChangeReason::Typed,
    });
    desk.take();
    at + added.len()
}

/// The editor asks for the next edit behind the new parameter.
async fn ask(desk: &mut Desk, cause: RequestCause) -> Answer {
    let at = add_parameter(desk);
    desk.engine
        .tell(Event::SuggestionRequested(SuggestionRequest {
            request: RequestId::new(1),
            document: DocumentId::new(NAME),
            version: None,
            at: ByteOffset::new(at),
            cause,
            kind: RequestKind::Edit,
        }));
    desk.take();
    desk.until_answered(1).await.0
}

/// The document that the first suggestion is about, and its text with that.
fn suggested(desk: &Desk, answer: &Answer) -> Option<(DocumentId, String)> {
    let Answer::Candidates(offers) = answer else {
        return None;
    };
    let candidate = &offers.first()?.candidate;
    let text = desk.engine.core().text(&candidate.document)?;
    let after = candidate.edit.apply(text).ok()?;
    Some((candidate.document.clone(), after.to_string()))
}

#[tokio::test]
async fn who_adds_a_parameter_is_offered_the_call_that_lacks_it() {
    for cause in [RequestCause::Automatic, RequestCause::Explicit] {
        let server = model();
        let mut desk = Desk::with(&written(&server, ""));
        open(&mut desk, NAME, &code());
        let answer = ask(&mut desk, cause).await;
        let (document, after) = suggested(&desk, &answer).unwrap();
        assert_eq!(document, DocumentId::new(NAME));
        assert!(after.contains("load(name, 0);"), "{after}");
        let sent: Vec<String> = server.requests().iter().map(prompt).collect();
        let [first, second] = &sent[..] else {
            panic!("{sent:#?}");
        };
        assert!(region(first).contains("fn load"), "{first}");
        assert!(region(second).contains(CALL), "{second}");
        let counts = desk.engine.core().counts();
        assert_eq!((counts.second_looks, counts.second_looks_found), (1, 1));
    }
}

#[tokio::test]
async fn the_call_may_be_in_another_open_document() {
    let server = model();
    let mut desk = Desk::with(&written(&server, ""));
    open(&mut desk, OTHER, &format!("fn main() {{\n{CALL}}}\n"));
    open(&mut desk, NAME, "fn load(path: &str) {}\n");
    // Until it is known what may be told of the other one.
    desk.pass(Duration::from_millis(300)).await;
    let answer = ask(&mut desk, RequestCause::Automatic).await;
    assert_eq!(server.asked(), 2);
    let (document, after) = suggested(&desk, &answer).unwrap();
    assert_eq!(document, DocumentId::new(OTHER));
    assert!(after.contains("load(name, 0);"), "{after}");
}

#[tokio::test]
async fn a_document_that_no_model_may_see_is_not_looked_at() {
    let server = model();
    let (globs, wrong) = ExclusionGlobs::new(&["**/main.rs".to_owned()]);
    assert!(wrong.is_empty(), "{wrong:?}");
    let mut desk = Desk::excluding(resolved(&written(&server, "")), globs);
    open(&mut desk, OTHER, &format!("fn main() {{\n{CALL}}}\n"));
    open(&mut desk, NAME, "fn load(path: &str) {}\n");
    desk.pass(Duration::from_millis(300)).await;
    let answer = ask(&mut desk, RequestCause::Automatic).await;
    assert!(suggested(&desk, &answer).is_none());
    assert_eq!(server.asked(), 1);
}

#[tokio::test]
async fn a_setting_turns_it_off() {
    let server = model();
    let mut desk = Desk::with(&written(&server, "jump = false\n"));
    open(&mut desk, NAME, &code());
    let answer = ask(&mut desk, RequestCause::Automatic).await;
    assert!(suggested(&desk, &answer).is_none());
    assert_eq!(server.asked(), 1);
}

#[tokio::test]
async fn where_the_change_was_rejected_nobody_is_asked() {
    let server = model();
    let mut desk = Desk::with(&written(&server, ""));
    // A name is changed, which is known to stand in one more place.
    let (before, behind) = ("let count = 1;\n", "show(count);\n");
    let far = "// A remark.\n".repeat(30);
    open(&mut desk, NAME, &format!("{before}{far}{behind}"));
    let rename = |at: usize| {
        let range = foretell_testkit::string_model::range(at, at + "count".len());
        Edit::from(Replacement::new(range, "total"))
    };
    desk.engine.tell(Event::DocumentChanged {
        document: DocumentId::new(NAME),
        version: Version::new(2),
        edits: vec![rename("let ".len())],
        reason: ChangeReason::Typed,
    });
    desk.engine.tell(Event::EditRejected {
        document: DocumentId::new(NAME),
        edit: rename(before.len() + far.len() + "show(".len()),
    });
    desk.take();
    desk.engine
        .tell(Event::SuggestionRequested(SuggestionRequest {
            request: RequestId::new(1),
            document: DocumentId::new(NAME),
            version: None,
            at: ByteOffset::new("let total".len()),
            cause: RequestCause::Explicit,
            kind: RequestKind::Edit,
        }));
    desk.take();
    let (answer, _) = desk.until_answered(1).await;
    assert!(suggested(&desk, &answer).is_none());
    assert_eq!(server.asked(), 1);
}
