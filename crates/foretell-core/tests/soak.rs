//! A million events in one machine: what it holds does not grow with the length of a session.
//!
//! Somebody types in three hundred documents, a hundred more than are kept in full, moves the cursor,
//! is asked about, takes and rejects what lanes suggest, and goes from one document to another. After
//! a tenth of the session everything that is bounded is full; the rest of it may not add to that.
#![allow(
    clippy::unwrap_used,
    reason = "a session that goes wrong should stop where it does"
)]

use std::sync::Arc;

use allocation_counter::measure;
use foretell_core::{
    Action, Answer, Core, Event, FailureKind, LaneCandidate, LaneFailure, Moment, Order,
    RequestCause, RequestId, RequestKind, SuggestionId, SuggestionRequest, TokenUsage,
};
use foretell_settings::Settings;
use foretell_text::{
    ByteOffset, ByteRange, ChangeReason, DocumentId, Edit, LaneKind, Language, Replacement, Text,
    Version,
};

const EVENTS: usize = 1_000_000;
const DOCUMENTS: usize = 300;
/// Documents stay below this many bytes, so that what grows is not what was typed.
const LONGEST: usize = 64;

#[test]
fn a_long_session_holds_no_more_than_a_short_one() {
    let mut session = None;
    let early = measure(|| {
        let mut started = Session::new();
        started.run(EVENTS / 10);
        session = Some(started);
    });
    let mut session = session.unwrap();
    let counts = session.core.counts();
    assert_eq!(counts.open_documents, 200, "there is room for no more");

    let later = measure(|| session.run(EVENTS - EVENTS / 10));
    session.core.assert_invariants();

    let counts = session.core.counts();
    println!(
        "{} bytes after {} events, {} more after {}",
        early.bytes_current,
        EVENTS / 10,
        later.bytes_current,
        counts.events
    );
    // Each of these happened often enough to show if it left something behind.
    let asked: u64 = counts.triggers.values().sum();
    let started: u64 = counts.calls.values().sum();
    let happened = [
        asked,
        started,
        counts.answered,
        counts.rejected,
        counts.remembered,
        counts.joined,
        counts.gate_blocked,
    ];
    assert!(happened.iter().all(|times| *times > 1_000), "{counts:?}");
    assert!(
        later.bytes_current.abs() < early.bytes_current / 10,
        "{} bytes on top of {}",
        later.bytes_current,
        early.bytes_current
    );
}

/// A person, their editor and some lanes.
struct Session {
    core: Core,
    now: u64,
    events: usize,
    dice: Dice,
    document: usize,
    documents: Vec<DocumentId>,
    cursor: ByteOffset,
    version: i64,
    requests: u64,
    /// The calls that run, and where the person was when they were made.
    running: Vec<(RequestId, LaneKind, usize)>,
    shown: Option<SuggestionId>,
    undo: Option<Edit>,
}

impl Session {
    fn new() -> Self {
        let documents =
            (0..DOCUMENTS).map(|number| DocumentId::new(format!("file:///src/module_{number}.rs")));
        let mut session = Session {
            core: Core::new(Arc::new(Settings::default())),
            now: 0,
            events: 0,
            dice: Dice(7),
            document: 0,
            documents: documents.collect(),
            cursor: ByteOffset::ZERO,
            version: 0,
            requests: 0,
            running: Vec::new(),
            shown: None,
            undo: None,
        };
        session.go_to(0);
        session
    }

    /// Lets so many events happen.
    fn run(&mut self, events: usize) {
        let end = self.events + events;
        while self.events < end {
            self.now += self.dice.below(400) as u64;
            match self.dice.below(100) {
                0..14 => self.edit(),
                14..18 => self.undo(),
                18..56 => self.select(),
                56..82 => self.ask(),
                82..94 => self.lane_ends(),
                94 => self.cancel(),
                95 | 96 => self.judge(),
                97 => self.reject(),
                _ => {
                    let document = self.dice.below(DOCUMENTS);
                    self.go_to(document);
                }
            }
        }
    }

    fn tell(&mut self, event: Event) {
        self.events += 1;
        self.core.handle(Moment::from_millis(self.now), event);
        while let Some(action) = self.core.poll_action() {
            match action {
                Action::Order(Order::StartLane { request, lane, .. }) => {
                    self.running.push((request, lane, self.document));
                }
                Action::Order(Order::CancelLane { request, lane, .. }) => {
                    self.running.retain(|it| (it.0, it.1) != (request, lane));
                }
                Action::Order(Order::Answer {
                    request,
                    answer: Answer::Candidates(_),
                    ..
                }) => {
                    let candidate = 0;
                    self.shown = Some(SuggestionId { request, candidate });
                }
                _ => {}
            }
        }
    }

    fn here(&self) -> DocumentId {
        self.documents[self.document].clone()
    }

    fn text(&self) -> &Text {
        self.core.text(&self.documents[self.document]).unwrap()
    }

    /// Goes to a document, which is opened if it is not or was let go.
    fn go_to(&mut self, number: usize) {
        self.document = number;
        self.undo = None;
        let document = self.here();
        if self.core.text(&document).is_none() {
            self.tell(Event::DocumentOpened {
                document: document.clone(),
                language: Language::new("rust"),
                version: Version::new(self.version),
                text: Text::from("fn main() {\n}\n"),
            });
        }
        self.cursor = self.text().end();
        self.tell(Event::DocumentFocused { document });
    }

    fn edit(&mut self) {
        let (end, at) = (self.text().end().get(), self.cursor.get());
        let edit = match self.dice.below(8) {
            _ if end > LONGEST => delete(LONGEST / 4, end),
            0 if at > 0 => delete(at - 1, at),
            1 => insert(at, "\n"),
            2 => insert(at, "let value = compute();"),
            _ => insert(at, "x"),
        };
        let only = &edit.replacements()[0];
        let cursor = only.range().start().get() + only.new_text().len();
        self.undo = Some(edit.inverse(self.text()).unwrap());
        self.change(edit, ChangeReason::Typed);
        self.cursor = ByteOffset::new(cursor);
    }

    fn undo(&mut self) {
        if let Some(inverse) = self.undo.take() {
            self.change(inverse, ChangeReason::Undo);
            self.cursor = self.cursor.min(self.text().end());
        }
    }

    fn change(&mut self, edit: Edit, reason: ChangeReason) {
        self.version += 1;
        self.tell(Event::DocumentChanged {
            document: self.here(),
            version: Version::new(self.version),
            edits: vec![edit],
            reason,
        });
    }

    fn select(&mut self) {
        if self.dice.below(2) == 0 {
            let end = self.text().end().get();
            self.cursor = ByteOffset::new(self.dice.below(end + 1));
        }
        self.tell(Event::SelectionChanged {
            document: self.here(),
            version: None,
            selections: vec![ByteRange::empty(self.cursor)],
        });
    }

    fn ask(&mut self) {
        self.requests += 1;
        let cause = match self.dice.below(10) {
            0 => RequestCause::Explicit,
            _ => RequestCause::Automatic,
        };
        let kind = match self.dice.below(4) {
            0 => RequestKind::Edit,
            _ => RequestKind::Inline,
        };
        self.tell(Event::SuggestionRequested(SuggestionRequest {
            request: RequestId::new(self.requests),
            document: self.here(),
            version: None,
            at: self.cursor,
            cause,
            kind,
        }));
    }

    fn lane_ends(&mut self) {
        let Some((request, lane, document)) = self.running.pop() else {
            return;
        };
        if self.dice.below(10) == 0 {
            let failure = LaneFailure {
                kind: FailureKind::ServerError,
                retry_after_ms: None,
            };
            return self.tell(Event::LaneFailed {
                request,
                lane,
                failure,
                usage: TokenUsage::default(),
            });
        }
        let document = &self.documents[document];
        let end = self.core.text(document).map_or(0, |text| text.end().get());
        let candidates = (0..self.dice.below(3))
            .map(|_| {
                LaneCandidate::new(
                    document.clone(),
                    insert(end, &format!("suggestion_{}();", self.dice.below(1_000))),
                )
            })
            .collect();
        self.tell(Event::LaneAnswered {
            request,
            lane,
            candidates,
            usage: TokenUsage::default(),
            withheld: 0,
        });
    }

    fn cancel(&mut self) {
        let request = RequestId::new(self.requests);
        self.tell(Event::RequestCancelled { request });
    }

    fn judge(&mut self) {
        let Some(suggestion) = self.shown else {
            return;
        };
        let length = None;
        let event = match self.dice.below(3) {
            0 => Event::SuggestionRejected { suggestion },
            1 => Event::SuggestionAccepted { suggestion, length },
            _ => Event::SuggestionShown { suggestion },
        };
        self.tell(event);
    }

    fn reject(&mut self) {
        let number = self.dice.below(1_000);
        let edit = insert(self.cursor.get(), &format!("suggestion_{number}();"));
        let document = self.here();
        self.tell(Event::EditRejected { document, edit });
    }
}

fn insert(at: usize, new_text: &str) -> Edit {
    Edit::from(Replacement::insertion(ByteOffset::new(at), new_text))
}

fn delete(start: usize, end: usize) -> Edit {
    let range = ByteRange::new(ByteOffset::new(start), ByteOffset::new(end));
    Edit::from(Replacement::deletion(range.unwrap()))
}

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        // Xorshift, and the upper half of what it gives, which is mixed best.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 32) % bound as u64) as usize
    }
}
