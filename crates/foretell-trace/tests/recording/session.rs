//! An editor in which somebody types: stories told in a few words become what a machine is told.
//!
//! After every edit the editor asks where the cursor is, and lanes that are started answer at once or
//! later, as the story says.

use std::sync::Arc;

use foretell_core::{
    Action, Answer, Core, Event, Moment, Order, RejectionReports, RequestCause, RequestId,
    RequestKind, SuggestionId, SuggestionRequest, TokenUsage,
};
use foretell_settings::Settings;
use foretell_testkit::string_model::range;
use foretell_text::{
    ByteOffset, ByteRange, ChangeReason, DocumentId, Edit, LaneCandidate, LaneKind, Language,
    Replacement, Text, Version,
};

use crate::compare::Told;

pub(crate) const MAIN: &str = "file:///home/person/secret-project/main.rs";

/// An editor, and all that a machine was told by it.
pub(crate) struct Editor {
    core: Core,
    pub(crate) settings: Arc<Settings>,
    pub(crate) told: Told,
    now: u64,
    document: DocumentId,
    version: i64,
    pub(crate) cursor: usize,
    requests: u64,
    /// What lanes say, wherever they are started: how much is taken out at the cursor, and what is
    /// put in.
    suggestion: Option<(usize, String)>,
    pub(crate) offered: Option<SuggestionId>,
    undo: Vec<Edit>,
    /// How often something was offered, and how often nothing because it was rejected.
    pub(crate) answers: usize,
}

impl Editor {
    /// With a document open, and the cursor at a bar in it.
    pub(crate) fn at(text: &str) -> Self {
        let cursor = text.find('|').expect("a cursor");
        let settings = Arc::new(Settings::default());
        let mut editor = Editor {
            core: Core::new(Arc::clone(&settings)),
            settings,
            told: Told::new(),
            now: 36_000_000,
            document: DocumentId::new(MAIN),
            version: 0,
            cursor,
            requests: 100,
            suggestion: None,
            offered: None,
            undo: Vec::new(),
            answers: 0,
        };
        editor.tell(Event::ClientConnected {
            rejections: RejectionReports::Explicit,
            asks_when_told: true,
        });
        editor.open(&text.replace('|', ""));
        editor
    }

    pub(crate) fn open(&mut self, text: &str) {
        self.version += 1;
        self.tell(Event::DocumentOpened {
            document: self.document.clone(),
            language: Language::new("rust"),
            version: Version::new(self.version),
            text: Text::from(text),
        });
    }

    pub(crate) fn close(&mut self) {
        let document = self.document.clone();
        self.tell(Event::DocumentClosed { document });
    }

    pub(crate) fn text(&self) -> String {
        let text = self.core.text(&self.document);
        text.map(Text::to_string).unwrap_or_default()
    }

    /// Lanes put this in at the cursor from now on.
    pub(crate) fn suggests(&mut self, insert: &str) {
        self.suggestion = Some((0, insert.to_owned()));
    }

    /// Lanes have nothing to say from now on.
    pub(crate) fn suggests_nothing(&mut self) {
        self.suggestion = None;
    }

    /// Lanes replace so many bytes behind the cursor from now on.
    pub(crate) fn suggests_instead_of(&mut self, delete: usize, insert: &str) {
        self.suggestion = Some((delete, insert.to_owned()));
    }

    /// Types letter by letter, and asks after each.
    pub(crate) fn types(&mut self, text: &str) {
        for letter in text.chars() {
            self.replaces(0, &letter.to_string(), ChangeReason::Typed);
        }
    }

    /// Puts all of it in at once.
    pub(crate) fn pastes(&mut self, text: &str) {
        self.replaces(0, text, ChangeReason::Typed);
    }

    /// Takes out so many characters before the cursor, one by one.
    pub(crate) fn deletes(&mut self, many: usize) {
        for _ in 0..many {
            let text = self.text();
            let before = text.get(..self.cursor).expect("a place in it");
            let before = before.chars().next_back();
            let length = before.map_or(0, char::len_utf8);
            self.replaces(length, "", ChangeReason::Typed);
        }
    }

    /// What a list of completions does: replaces what was typed of a word.
    pub(crate) fn completes(&mut self, typed: usize, whole: &str) {
        self.replaces(typed, whole, ChangeReason::Typed);
    }

    pub(crate) fn undoes(&mut self) {
        if let Some(edit) = self.undo.pop() {
            let part = edit.replacements()[0].clone();
            self.cursor = part.range().start().get() + part.new_text().len();
            self.change(edit, ChangeReason::Undo);
        }
    }

    pub(crate) fn moves(&mut self, to: usize) {
        self.cursor = to;
        let at = ByteRange::empty(ByteOffset::new(to));
        self.tell(Event::SelectionChanged {
            document: self.document.clone(),
            version: Some(Version::new(self.version)),
            selections: vec![at],
        });
    }

    pub(crate) fn rejects(&mut self) {
        let suggestion = self.offered.expect("something was offered");
        self.tell(Event::SuggestionShown { suggestion });
        self.tell(Event::SuggestionRejected { suggestion });
    }

    pub(crate) fn waits(&mut self, millis: u64) {
        self.now += millis;
        while let Some(due) = self.core.poll_timeout() {
            if due.millis() > self.now {
                break;
            }
            self.core.handle_timeout(due);
            self.look(due.millis());
        }
    }

    /// Asks, because the person wants something.
    pub(crate) fn asks(&mut self, cause: RequestCause) {
        self.requests += 1;
        self.tell(Event::SuggestionRequested(SuggestionRequest {
            request: RequestId::new(self.requests),
            document: self.document.clone(),
            version: Some(Version::new(self.version)),
            at: ByteOffset::new(self.cursor),
            cause,
            kind: RequestKind::Inline,
        }));
    }

    pub(crate) fn replaces(&mut self, delete: usize, insert: &str, reason: ChangeReason) {
        let start = self.cursor - delete;
        let range = range(start, self.cursor);
        self.cursor = start + insert.len();
        self.change(Replacement::new(range, insert).into(), reason);
        self.asks(RequestCause::Automatic);
        self.waits(90);
    }

    fn change(&mut self, edit: Edit, reason: ChangeReason) {
        let text = Text::from(self.text().as_str());
        if reason != ChangeReason::Undo {
            self.undo.push(edit.inverse(&text).expect("it fits"));
        }
        self.version += 1;
        self.tell(Event::DocumentChanged {
            document: self.document.clone(),
            version: Version::new(self.version),
            edits: vec![edit],
            reason,
        });
    }

    pub(crate) fn tell(&mut self, event: Event) {
        self.told
            .push((Moment::from_millis(self.now), event.clone()));
        self.core.handle(Moment::from_millis(self.now), event);
        self.look(self.now);
    }

    fn look(&mut self, now: u64) {
        let mut started = Vec::new();
        while let Some(action) = self.core.poll_action() {
            match action {
                Action::Order(Order::StartLane {
                    request,
                    lane,
                    spot,
                    ..
                }) => {
                    started.push((request, lane, spot.at.get()));
                }
                Action::Order(Order::Answer {
                    request,
                    answer: Answer::Candidates(_),
                    ..
                }) => {
                    self.answers += 1;
                    let candidate = 0;
                    self.offered = Some(SuggestionId { request, candidate });
                }
                _ => {}
            }
        }
        for (request, lane, at) in started {
            let suggestion = self.suggestion.clone().filter(|_| lane == LaneKind::Fim);
            let candidates = suggestion.map(|(delete, insert)| {
                LaneCandidate::new(
                    self.document.clone(),
                    Replacement::new(range(at, at + delete), insert).into(),
                )
            });
            let event = Event::LaneAnswered {
                request,
                lane,
                candidates: candidates.into_iter().collect(),
                usage: TokenUsage::default(),
                withheld: 0,
            };
            self.told.push((Moment::from_millis(now), event.clone()));
            self.core.handle(Moment::from_millis(now), event);
            self.look(now);
        }
    }
}
