//! An engine with lanes by its settings, a document that is being changed, and somebody who asks.
//!
//! A rename is under way in the document, so that the embedded predictor of next edits has something
//! to say on the cursor's line whatever a model does.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use foretell_context::{ExclusionGlobs, Redactor, TokenEstimate};
use foretell_core::{
    Answer, Event, Fact, FactScene, LaneReport, Moment, Note, Observer, Order, RequestCause,
    RequestId, RequestKind, SuggestionRequest,
};
use foretell_engine::{ChooseLane, Engine, EngineSurroundings, lane_backends};
use foretell_lanes::NoCode;
use foretell_settings::Settings;
use foretell_testkit::written_settings::settings_of;
use foretell_text::{
    ByteOffset, ByteRange, ChangeReason, DocumentId, Edit, FilePath, LaneKind, Language,
    Replacement, Text, Version,
};
use tokio::time::{Instant, timeout, timeout_at};

/// What is open, before `count` is renamed where it is made. The comment is so far away that changes
/// of it are changes of their own.
const CODE: &str = "fn main() {\n    let count = 1;\n    show(count);\n    show(count);\n}\n\
                    \n\n\n\n\n\n\n\n\n\n\n\n\n\n// 1\n";

/// A fim lane that asks a server, and nothing but next edits besides. An answer of those is held for
/// longer than any fault takes. Limits of time are the test's to set: [`PATIENT`] or [`HASTY`].
pub(crate) fn settings(fim: &str) -> String {
    format!(
        "[race]\nholdMs = 30000\nexplicitCapMs = 30000\n\
         [lanes.fix]\nenabled = false\n\
         [lanes.fim]\nkind = \"openai\"\nmodel = \"qwen-small\"\n{fim}"
    )
}

/// Limits that a server keeps, on any machine, if it answers at all.
pub(crate) const PATIENT: &str = "firstByteMs = 20000\nidleMs = 20000\n";

/// Limits that end a test soon if the server does not answer.
pub(crate) const HASTY: &str = "firstByteMs = 300\nidleMs = 200\n";

/// Settings as they are used, from those that are written.
pub(crate) fn resolved(written: &str) -> Arc<Settings> {
    Arc::new(settings_of(written))
}

/// Keeps the notes of an engine.
struct NotesSeen(Arc<Mutex<Vec<Note>>>);

impl Observer for NotesSeen {
    fn saw(&mut self, _: Moment, fact: Fact<'_>, _: &FactScene<'_>) {
        if let Fact::Note(note) = fact {
            self.0.lock().unwrap().push(note.clone());
        }
    }
}

pub(crate) struct Desk {
    pub(crate) engine: Engine,
    /// How long lanes were said to rest.
    pub(crate) rests: Vec<(LaneKind, u64)>,
    notes: Arc<Mutex<Vec<Note>>>,
    /// What was answered, by request; taken out by whoever waits for it.
    pub(crate) answers: BTreeMap<u64, (Answer, Vec<LaneReport>)>,
    /// Every request that was answered.
    pub(crate) done: BTreeSet<u64>,
    /// Everything that was ordered, as it prints, if that is kept.
    pub(crate) printed: Option<String>,
    asked: u64,
    versions: BTreeMap<String, i64>,
}

impl Desk {
    pub(crate) fn with(written: &str) -> Desk {
        Desk::of(resolved(written), lane_backends::by_settings())
    }

    pub(crate) fn of(settings: Arc<Settings>, lanes: ChooseLane) -> Desk {
        Desk::made(settings, lanes, ExclusionGlobs::default())
    }

    /// One where nothing is told of some files.
    pub(crate) fn excluding(settings: Arc<Settings>, exclude: ExclusionGlobs) -> Desk {
        Desk::made(settings, lane_backends::by_settings(), exclude)
    }

    fn made(settings: Arc<Settings>, lanes: ChooseLane, exclude: ExclusionGlobs) -> Desk {
        let surroundings = EngineSurroundings {
            lanes,
            code: Arc::new(NoCode),
            sources: Vec::new(),
            counter: Arc::new(TokenEstimate),
            redactor: Redactor::new(),
            exclude: Arc::new(exclude),
            name: Arc::new(|document| FilePath::new(document.as_str())),
            folder: Arc::new(|_| None),
            usage: None,
            speeds: None,
            typing: None,
        };
        let mut engine = Engine::new(settings, surroundings);
        let notes = Arc::default();
        engine.observe(NotesSeen(Arc::clone(&notes)));
        Desk {
            engine,
            rests: Vec::new(),
            notes,
            answers: BTreeMap::new(),
            done: BTreeSet::new(),
            printed: None,
            asked: 0,
            versions: BTreeMap::new(),
        }
    }

    /// Opens a document in which a rename begins.
    pub(crate) fn open(&mut self, name: &str) {
        self.engine.tell(Event::DocumentOpened {
            document: DocumentId::new(name),
            language: Language::new("rust"),
            version: Version::new(1),
            text: Text::from(CODE),
        });
        self.versions.insert(name.to_owned(), 1);
        self.change(name, "count", "total");
    }

    /// Changes the first place that says so.
    pub(crate) fn change(&mut self, name: &str, old: &str, new: &str) {
        let document = DocumentId::new(name);
        let text = self.engine.core().text(&document).unwrap().to_string();
        let start = ByteOffset::new(text.find(old).unwrap());
        let end = ByteOffset::new(start.get() + old.len());
        let range = ByteRange::new(start, end).unwrap();
        let version = self.versions.get_mut(name).unwrap();
        *version += 1;
        let version = Version::new(*version);
        self.engine.tell(Event::DocumentChanged {
            document,
            version,
            edits: vec![Edit::from(Replacement::new(range, new))],
            reason: ChangeReason::Typed,
        });
        self.take();
    }

    /// Changes something that nothing depends on, so that the next request asks something new.
    pub(crate) fn touch(&mut self, name: &str) {
        let text = self.engine.core().text(&DocumentId::new(name)).unwrap();
        if text.to_string().ends_with("// 1\n") {
            self.change(name, "// 1", "// 2")
        } else {
            self.change(name, "// 2", "// 1")
        }
    }

    /// Asks where the rename has not come to yet.
    pub(crate) fn ask(&mut self, name: &str) -> u64 {
        let document = DocumentId::new(name);
        let text = self.engine.core().text(&document).unwrap().to_string();
        let at = text.find("show(").unwrap() + "show(".len();
        self.asked += 1;
        self.engine
            .tell(Event::SuggestionRequested(SuggestionRequest {
                request: RequestId::new(self.asked),
                document,
                version: None,
                at: ByteOffset::new(at),
                cause: RequestCause::Explicit,
                kind: RequestKind::Inline,
            }));
        self.take();
        self.asked
    }

    /// Changes something, asks, and waits for the answer.
    pub(crate) async fn touch_and_ask(&mut self, name: &str) -> (Answer, Vec<LaneReport>) {
        self.touch(name);
        let request = self.ask(name);
        self.until_answered(request).await
    }

    pub(crate) async fn until_answered(&mut self, request: u64) -> (Answer, Vec<LaneReport>) {
        loop {
            if let Some(answer) = self.answers.remove(&request) {
                return answer;
            }
            let turn = timeout(Duration::from_secs(60), self.engine.turn()).await;
            turn.expect("it is answered at some time");
            self.take();
        }
    }

    /// Lets time pass.
    pub(crate) async fn pass(&mut self, time: Duration) {
        self.pass_until(Instant::now() + time).await;
    }

    pub(crate) async fn pass_until(&mut self, end: Instant) {
        while timeout_at(end, self.engine.turn()).await.is_ok() {
            self.take();
        }
    }

    /// Lets time pass until nothing runs; says whether that was within 10 s.
    pub(crate) async fn until_idle(&mut self) -> bool {
        let end = Instant::now() + Duration::from_secs(10);
        while !self.engine.is_idle() && timeout_at(end, self.engine.turn()).await.is_ok() {
            self.take();
        }
        self.engine.is_idle()
    }

    pub(crate) fn take(&mut self) {
        for note in self.notes.lock().unwrap().drain(..) {
            if let Some(printed) = &mut self.printed {
                printed.push_str(&format!("{note:?}\n{note:#?}\n"));
            }
        }
        while let Some(placed) = self.engine.poll_order() {
            if let Some(printed) = &mut self.printed {
                printed.push_str(&format!("{placed:?}\n{placed:#?}\n"));
            }
            match placed.order {
                Order::Answer {
                    request,
                    answer,
                    lanes,
                } => {
                    let is_new = self.done.insert(request.get());
                    assert!(is_new, "a request is answered once");
                    self.answers.insert(request.get(), (answer, lanes));
                }
                Order::Rest { lane, millis } => self.rests.push((lane, millis)),
                _ => {}
            }
        }
    }

    /// What is known of the last failure of a lane: its kind and its words.
    pub(crate) fn fault(&self, lane: LaneKind) -> (&'static str, String) {
        match self.engine.fault(lane) {
            Some(fault) => (fault.failure.kind.name(), fault.to_string()),
            None => ("none", String::new()),
        }
    }
}

/// Which lane an answer is from.
pub(crate) fn from(answer: &Answer) -> Option<LaneKind> {
    match answer {
        Answer::Candidates(offers) => offers.first().map(|offer| offer.lane),
        Answer::Withheld(_) => None,
    }
}
