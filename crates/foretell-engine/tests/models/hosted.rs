//! What is paid for on a server that is not on this machine: by real sockets, a session of lines that are typed,
//! suggested to, taken back and typed again.
//!
//! A prompt that stays as it is saves a server of one's own the reading. Where every token of it is paid for, it may
//! cost hardly more than one that follows the cursor would, with as many characters on both sides as settings
//! allow: it grows by a quarter until it is cut, and is shorter than that afterwards.

use foretell_core::{Answer, Event, RequestCause, RequestId, RequestKind, SuggestionRequest};
use foretell_engine::lane_backends;
use foretell_testkit::model_server::{ModelServer, ScriptedAnswer};
use foretell_text::{
    ByteOffset, ByteRange, ChangeReason, DocumentId, Edit, Language, Replacement, Text, Version,
};
use serde_json::{Value, json};

use crate::desk::{Desk, PATIENT, resolved, settings};

const NAME: &str = "file:///src/paid.rs";
/// How many characters are told on each side.
const BEFORE: usize = 4_000;
const BEHIND: usize = 2_000;
/// What stands around the texts of a prompt, at most: control tokens.
const BESIDES: usize = 100;

/// A person whose model is paid for, and the text that they see.
struct HostedDesk {
    desk: Desk,
    server: ModelServer,
    text: String,
    at: usize,
    version: i64,
    asked: u64,
    shown: usize,
    /// How many characters a window around the cursor would have had in all questions.
    following: usize,
}

impl HostedDesk {
    fn new() -> HostedDesk {
        let server = ModelServer::start_with(|number, _| {
            let said = format!("value_{number}();");
            let said = json!({ "choices": [{ "text": said, "finish_reason": "stop" }] });
            ScriptedAnswer::events([said.to_string()])
        });
        // An address that this machine answers by, and that is not said to be this machine's.
        let elsewhere = server.url().replace("127.0.0.1", "0.0.0.0");
        let fim = format!(
            "url = {elsewhere:?}\nallowInsecure = true\nmaxPrefixChars = {BEFORE}\n\
             maxSuffixChars = {BEHIND}\n{PATIENT}"
        );
        let written = format!(
            "{}\n[lanes.nextEdit]\nenabled = false\n[pace]\nbaseMs = 0\nminMs = 0\n",
            settings(&fim)
        );
        let mut desk = Desk::of(resolved(&written), lane_backends::by_settings());
        let functions = (0..300).map(|it| format!("fn part_{it}() {{\n    let a = {it};\n}}\n\n"));
        let mut text: String = functions.collect();
        let at = text.find("fn part_150").unwrap();
        text.insert(at, '\n');
        desk.engine.tell(Event::DocumentOpened {
            document: DocumentId::new(NAME),
            language: Language::new("rust"),
            version: Version::new(1),
            text: Text::from(&*text),
        });
        desk.take();
        HostedDesk {
            desk,
            server,
            text,
            at,
            version: 1,
            asked: 0,
            shown: 0,
            following: 0,
        }
    }

    fn change(&mut self, deleted: usize, new_text: &str) {
        let start = self.at - deleted;
        let range = ByteRange::new(ByteOffset::new(start), ByteOffset::new(self.at)).unwrap();
        self.text.replace_range(start..self.at, new_text);
        self.at = start + new_text.len();
        self.version += 1;
        self.desk.engine.tell(Event::DocumentChanged {
            document: DocumentId::new(NAME),
            version: Version::new(self.version),
            edits: vec![Edit::from(Replacement::new(range, new_text))],
            reason: ChangeReason::Typed,
        });
        self.desk.take();
    }

    fn types(&mut self, keys: &str) {
        for key in keys.chars() {
            self.change(0, &key.to_string());
        }
    }

    /// The editor asks at a pause. Returns what is suggested.
    async fn pauses(&mut self) -> String {
        self.asked += 1;
        let request = SuggestionRequest {
            request: RequestId::new(self.asked),
            document: DocumentId::new(NAME),
            version: None,
            at: ByteOffset::new(self.at),
            cause: RequestCause::Automatic,
            kind: RequestKind::Inline,
        };
        let asked_before = self.server.asked();
        self.desk.engine.tell(Event::SuggestionRequested(request));
        self.desk.take();
        let (answer, _) = self.desk.until_answered(self.asked).await;
        let calls = self.server.asked() - asked_before;
        let behind = self.text.len() - self.at;
        self.following += calls * (self.at.min(BEFORE) + behind.min(BEHIND));
        let Answer::Candidates(offers) = answer else {
            panic!("nothing was suggested: {answer:?}");
        };
        self.shown += 1;
        let edit = &offers[0].candidate.edit;
        edit.replacements()[0].new_text().to_owned()
    }

    /// How many characters all prompts had.
    fn sent(&self) -> usize {
        let requests = self.server.requests();
        let bodies = requests.iter().map(|request| {
            let body: Value = serde_json::from_slice(&request.body).unwrap();
            body["prompt"].as_str().unwrap().len()
        });
        bodies.sum()
    }
}

#[tokio::test]
async fn only_new_questions_are_paid_for_and_prompts_that_stay_cost_hardly_more() {
    let mut hosted = HostedDesk::new();
    for line in 0..40 {
        hosted.types(&format!("    let line_{line} = "));
        let suggested = hosted.pauses().await;
        // Some of it is typed, some is accepted, and some is passed over.
        match line % 3 {
            0 => {
                let (typed, accepted) = suggested.split_at_checked(3).unwrap();
                hosted.types(typed);
                hosted.pauses().await;
                hosted.change(0, accepted);
            }
            1 => hosted.change(0, &suggested),
            _ => hosted.types("other();"),
        }
        hosted.types("\n");
    }
    // What was asked before is known where somebody comes back to it.
    hosted.types("    let again = ");
    hosted.pauses().await;
    hosted.types("x");
    hosted.change(1, "");
    hosted.pauses().await;

    assert_eq!(hosted.server.asked(), 41, "one call for each new question");
    assert_eq!(hosted.shown, 56);
    let besides = 41 * BESIDES;
    let (sent, following) = (hosted.sent(), hosted.following + besides);
    let most = following + following / 10;
    assert!(sent <= most, "{sent} characters, and {following}");
}
