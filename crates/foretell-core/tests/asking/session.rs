//! A random session: turns numbers into events that are about what is there by then, or about what
//! is not.

use std::collections::BTreeMap;
use std::sync::Arc;

use foretell_core::{
    Action, Answer, Core, Event, FailureKind, LaneCandidate, LaneFailure, Moment, Order,
    RejectionId, RejectionReports, RequestCause, RequestId, RequestKind, SuggestionId,
    SuggestionRequest, TokenUsage,
};
use foretell_settings::Settings;
use foretell_testkit::string_model::{boundaries, range};
use foretell_text::{
    ByteOffset, ByteRange, ChangeReason, Diagnostic, DiagnosticSeverity, DocumentId, Edit,
    LaneKind, Language, Replacement, Text, Version,
};

use crate::watch::{Because, Tally, Watch};

/// Something that happens, some time after what happened before.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// In milliseconds; before the last moment if negative.
    pub(crate) pause: i64,
    pub(crate) verb: Verb,
    pub(crate) dice: u64,
}

/// What happens. *Oddly* is what cannot be: offsets that do not fit, names that nobody gave.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Verb {
    Type,
    Undo,
    ChangeOtherwise,
    ChangeOddly,
    Select,
    SelectOddly,
    Flood,
    Ask,
    AskOddly,
    AskAgain,
    LaneAnswers,
    LaneAnswersOddly,
    LaneFails,
    Cancel,
    Wait,
    Focus,
    Open,
    Close,
    Diagnose,
    Judge,
    RejectEdit,
    Rejections,
    Settings,
    Connect,
}

/// The documents there are; the last is never opened.
const DOCUMENTS: [(&str, &str); 5] = [
    ("file:///a.rs", "rust"),
    ("file:///b.md", "markdown"),
    ("file:///c.rs", "rust"),
    ("output:///log", "log"),
    ("file:///nowhere.rs", "rust"),
];

/// What documents are opened with.
const TEXTS: [&str; 6] = [
    "",
    "fn a() {}\n",
    "a\nb\nc\n\nd e f\n",
    "é\r\n中😀\rx\n",
    "fn a() {}\nfn b() {}\nfn c() {}\nfn d() {}\n",
    "aaa\naaa\naaa",
];

/// What is typed and suggested; few, so that the same comes again.
const PIECES: [&str; 12] = [
    "a", "b", "x", "a", "foo", "\n", "}\n", "é", "😀", "\r", " ", "",
];

/// Two machines, and who watches.
pub(crate) struct Session<'a> {
    core: Core,
    /// Is told of events only.
    twin: Core,
    watch: Watch,
    settings: &'a [Arc<Settings>],
    now: u64,
    requests: u64,
    undo: Vec<(DocumentId, Edit)>,
    rejected: Vec<(DocumentId, Edit)>,
    cursors: BTreeMap<DocumentId, ByteOffset>,
    answered: Vec<SuggestionId>,
    /// What the machine did that its twin has not been told enough for.
    actions: Vec<Action>,
}

impl<'a> Session<'a> {
    /// A session in which two documents are open.
    pub(crate) fn new(settings: &'a [Arc<Settings>], first: usize) -> Self {
        let mut session = Session {
            core: Core::new(Arc::clone(&settings[first])),
            twin: Core::new(Arc::clone(&settings[first])),
            watch: Watch::new(Arc::clone(&settings[first])),
            settings,
            now: 1_000_000_000,
            requests: 0,
            undo: Vec::new(),
            rejected: Vec::new(),
            cursors: BTreeMap::new(),
            answered: Vec::new(),
            actions: Vec::new(),
        };
        for number in [0, 1] {
            let (uri, language) = DOCUMENTS[number];
            let opened = open(DocumentId::new(uri), language, TEXTS[4]);
            session.tell(session.now, opened);
        }
        session
    }

    /// Lets something happen.
    pub(crate) fn happen(&mut self, step: &Step) {
        let told = self.now.saturating_add_signed(step.pause);
        self.now = self.now.max(told);
        self.wait_until(Moment::from_millis(self.now));
        let mut dice = Dice(step.dice | 1);
        for event in self.events(step.verb, &mut dice) {
            self.tell(told, event);
        }
    }

    /// Lets everything happen that is still due.
    pub(crate) fn end(mut self) -> Tally {
        for _ in 0..10_000 {
            let Some(due) = self.core.poll_timeout() else {
                break;
            };
            self.wait_until(due);
            self.now = due.millis();
        }
        assert_eq!(self.core.poll_timeout(), None, "there is always one more");
        self.twin.handle_timeout(Moment::from_millis(self.now));
        self.compare();
        self.watch.end()
    }

    /// Tells both machines, at a moment that may be in the past.
    fn tell(&mut self, told: u64, event: Event) {
        let now = Moment::from_millis(self.now);
        self.watch.told(now, &event);
        self.core.handle(Moment::from_millis(told), event.clone());
        self.look(now, Because::Event);
        assert!(self.core.poll_timeout().is_none_or(|due| due >= now));
        self.twin.handle(now, event);
        self.compare();
    }

    /// Lets time pass, from one timer to the next.
    fn wait_until(&mut self, now: Moment) {
        while let Some(due) = self.core.poll_timeout().filter(|due| *due <= now) {
            self.core.handle_timeout(due);
            assert!(self.core.poll_timeout().is_none_or(|next| next > due));
            self.look(due, Because::Time);
        }
        self.core.handle_timeout(now);
        assert_eq!(self.core.poll_action(), None, "nothing was due");
        assert!(self.core.poll_timeout().is_none_or(|due| due > now));
    }

    fn look(&mut self, now: Moment, because: Because) {
        while let Some(action) = self.core.poll_action() {
            self.watch.did(now, &action, because, &self.core);
            self.note(&action);
            self.actions.push(action);
        }
        self.core.assert_invariants();
    }

    fn note(&mut self, action: &Action) {
        if let Action::Order(Order::Answer {
            request,
            answer: Answer::Candidates(offers),
            ..
        }) = action
        {
            let (request, last) = (*request, offers.len() - 1);
            for candidate in [0, last] {
                self.answered.push(SuggestionId { request, candidate });
            }
        }
    }

    /// The twin has done the same.
    fn compare(&mut self) {
        for ours in self.actions.drain(..) {
            assert_eq!(self.twin.poll_action(), Some(ours));
        }
        assert_eq!(self.twin.poll_action(), None);
        assert_eq!(self.twin.poll_timeout(), self.core.poll_timeout());
        assert_eq!(self.twin.counts(), self.core.counts());
    }

    fn events(&mut self, verb: Verb, dice: &mut Dice) -> Vec<Event> {
        let document = dice.document();
        let event = match verb {
            Verb::Wait => return Vec::new(),
            Verb::Type => return self.change(document, ChangeReason::Typed, dice),
            Verb::ChangeOtherwise => {
                let reasons = [ChangeReason::Other, ChangeReason::Redo];
                return self.change(document, *dice.of(&reasons), dice);
            }
            Verb::Undo => return self.take_back(),
            Verb::ChangeOddly => {
                let odd = insertion(self.odd_place(&document, dice), "odd");
                let edits = vec![self.edit(&document, dice), odd];
                self.changed(document, edits, ChangeReason::Typed)
            }
            Verb::Select => self.select(document, dice),
            Verb::SelectOddly => self.select_oddly(document, dice),
            Verb::Flood => return self.flood(document),
            Verb::Ask => {
                let at = self.place(&document, dice);
                let version = self.watch.version(&document).filter(|_| dice.one_in(2));
                self.requests += 1;
                let request = RequestId::new(self.requests);
                self.ask(request, document, (version, at), dice)
            }
            Verb::AskOddly => {
                let at = self.odd_place(&document, dice);
                let version = dice.one_in(2).then_some(Version::new(-7));
                self.requests += 1;
                let request = RequestId::new(self.requests);
                self.ask(request, document, (version, at), dice)
            }
            Verb::AskAgain => {
                // By a name that may wait for an answer, have one, or be new.
                let request = RequestId::new(self.requests.saturating_sub(dice.below(4) as u64));
                let at = self.place(&document, dice);
                self.ask(request, document, (None, at), dice)
            }
            Verb::LaneAnswers | Verb::LaneAnswersOddly | Verb::LaneFails => {
                return self.lane(verb, dice);
            }
            Verb::Cancel => {
                let mut requests = self.watch.unanswered();
                requests.push(RequestId::new(dice.below(100) as u64));
                let request = *dice.of(&requests);
                Event::RequestCancelled { request }
            }
            Verb::Focus => Event::DocumentFocused { document },
            Verb::Open => return self.open(dice),
            Verb::Close => Event::DocumentClosed { document },
            Verb::Diagnose => self.diagnose(document, dice),
            Verb::Judge => self.judge(dice),
            Verb::RejectEdit => {
                let edit = self.suggestion(&document, dice).edit;
                self.rejected.push((document.clone(), edit.clone()));
                Event::EditRejected { document, edit }
            }
            Verb::Rejections => match dice.below(3) {
                0 => Event::RejectionsCleared,
                1 => Event::RejectionsRestored {
                    rejections: self.core.rejections().into(),
                },
                _ => Event::RejectionForgotten {
                    rejection: RejectionId::new(dice.below(20) as u64),
                },
            },
            Verb::Settings => Event::SettingsChanged {
                settings: Arc::clone(dice.of(self.settings)),
            },
            Verb::Connect => Event::ClientConnected {
                rejections: RejectionReports::Explicit,
                asks_when_told: dice.below(2) == 0,
            },
        };
        vec![event]
    }

    fn change(
        &mut self,
        document: DocumentId,
        reason: ChangeReason,
        dice: &mut Dice,
    ) -> Vec<Event> {
        let edit = self.edit(&document, dice);
        let inverse = self.watch.text(&document).map(|text| edit.inverse(text));
        if let Some(Ok(inverse)) = inverse {
            self.undo.push((document.clone(), inverse));
        }
        if let Some(last) = edit.replacements().last() {
            let end = last.range().start().get() + last.new_text().len();
            self.cursors.insert(document.clone(), ByteOffset::new(end));
        }
        vec![self.changed(document, vec![edit], reason)]
    }

    /// The last change, unless something has come in between.
    fn take_back(&mut self) -> Vec<Event> {
        let Some((document, inverse)) = self.undo.pop() else {
            return Vec::new();
        };
        let text = self.watch.text(&document);
        if text.is_none_or(|text| inverse.apply(text).is_err()) {
            return Vec::new();
        }
        vec![self.changed(document, vec![inverse], ChangeReason::Undo)]
    }

    fn changed(&self, document: DocumentId, edits: Vec<Edit>, reason: ChangeReason) -> Event {
        let version = self.watch.version(&document).map_or(0, Version::get) + 1;
        Event::DocumentChanged {
            version: Version::new(version),
            document,
            edits,
            reason,
        }
    }

    fn select(&mut self, document: DocumentId, dice: &mut Dice) -> Event {
        let at = self.place(&document, dice);
        self.cursors.insert(document.clone(), at);
        Event::SelectionChanged {
            version: self.watch.version(&document).filter(|_| dice.one_in(2)),
            document,
            selections: vec![ByteRange::empty(at)],
        }
    }

    fn select_oddly(&mut self, document: DocumentId, dice: &mut Dice) -> Event {
        let cursor = ByteRange::empty(self.place(&document, dice));
        let odd = ByteRange::empty(self.odd_place(&document, dice));
        let (version, selections) = match dice.below(5) {
            0 => (None, vec![odd]),
            1 => (Some(Version::new(-7)), vec![cursor]),
            2 => (None, vec![cursor, odd]),
            3 => (None, Vec::new()),
            _ => (None, vec![range(0, 1)]),
        };
        Event::SelectionChanged {
            document,
            version,
            selections,
        }
    }

    /// The cursor runs through a long document, all in one moment.
    fn flood(&mut self, document: DocumentId) -> Vec<Event> {
        let text = "line\n".repeat(300);
        let mut events = vec![
            open(document.clone(), "rust", &text),
            self.changed(
                document.clone(),
                vec![insertion(ByteOffset::ZERO, "a")],
                ChangeReason::Typed,
            ),
        ];
        events.extend((0..300).map(|line| Event::SelectionChanged {
            document: document.clone(),
            version: None,
            selections: vec![ByteRange::empty(ByteOffset::new(1 + line * 5))],
        }));
        events
    }

    fn ask(
        &mut self,
        request: RequestId,
        document: DocumentId,
        (version, at): (Option<Version>, ByteOffset),
        dice: &mut Dice,
    ) -> Event {
        let cause = match dice.one_in(5) {
            true => RequestCause::Explicit,
            false => RequestCause::Automatic,
        };
        let kind = match dice.one_in(3) {
            true => RequestKind::Edit,
            false => RequestKind::Inline,
        };
        Event::SuggestionRequested(SuggestionRequest {
            request,
            document,
            version,
            at,
            cause,
            kind,
        })
    }

    fn lane(&mut self, verb: Verb, dice: &mut Dice) -> Vec<Event> {
        let mut running = self.watch.running();
        if matches!(verb, Verb::LaneAnswersOddly) {
            let request = RequestId::new(dice.below(self.requests as usize + 2) as u64);
            running = vec![(request, *dice.of(&LaneKind::ALL), dice.document())];
        }
        if running.is_empty() {
            return Vec::new();
        }
        let (request, lane, document) = dice.of(&running).clone();
        let event = match verb {
            Verb::LaneFails => Event::LaneFailed {
                request,
                lane,
                failure: LaneFailure {
                    kind: *dice.of(&FailureKind::ALL),
                    retry_after_ms: None,
                },
                usage: TokenUsage::default(),
            },
            _ => Event::LaneAnswered {
                request,
                lane,
                candidates: (0..dice.below(4))
                    .map(|_| {
                        let other = dice.one_in(8).then(|| dice.document());
                        self.suggestion(other.as_ref().unwrap_or(&document), dice)
                    })
                    .collect(),
                usage: TokenUsage::default(),
                withheld: 0,
            },
        };
        vec![event]
    }

    fn open(&mut self, dice: &mut Dice) -> Vec<Event> {
        let (uri, language) = DOCUMENTS[dice.below(DOCUMENTS.len() - 1)];
        let document = DocumentId::new(uri);
        let held = self.watch.text(&document).map(Text::to_string);
        let text = match held.filter(|_| dice.one_in(3)) {
            Some(same) => same,
            None => (*dice.of(&TEXTS)).to_owned(),
        };
        vec![open(document, language, &text)]
    }

    fn diagnose(&mut self, document: DocumentId, dice: &mut Dice) -> Event {
        let start = self.place(&document, dice);
        let diagnostic = Diagnostic {
            range: range(start.get(), start.get() + dice.below(3)),
            severity: DiagnosticSeverity::Error,
            source: None,
            code: None,
            message: "no".to_owned(),
            fixes: Vec::new(),
        };
        let stale = dice.one_in(8).then_some(Version::new(-7));
        Event::DiagnosticsChanged {
            document,
            version: stale,
            diagnostics: vec![diagnostic; dice.below(3)],
        }
    }

    fn judge(&mut self, dice: &mut Dice) -> Event {
        let nobody = SuggestionId {
            request: RequestId::new(dice.below(30) as u64),
            candidate: dice.below(3),
        };
        let recent = self.answered.len().saturating_sub(6);
        let mut suggestions = self.answered[recent..].to_vec();
        suggestions.push(nobody);
        let suggestion = *dice.of(&suggestions);
        match dice.below(5) {
            0 => Event::SuggestionRejected { suggestion },
            1 => Event::SuggestionIgnored { suggestion },
            2 => Event::SuggestionShown { suggestion },
            _ => Event::SuggestionAccepted {
                suggestion,
                length: None,
            },
        }
    }

    /// What a lane might say of a document: mostly something that fits, often something that was
    /// rejected before.
    fn suggestion(&mut self, document: &DocumentId, dice: &mut Dice) -> LaneCandidate {
        let edit = match dice.below(8) {
            0 => insertion(self.odd_place(document, dice), "odd"),
            1 | 2 if !self.rejected.is_empty() => {
                let (document, edit) = dice.of(&self.rejected).clone();
                return LaneCandidate::new(document, edit);
            }
            _ => self.edit(document, dice),
        };
        let document = document.clone();
        LaneCandidate::new(document, edit)
    }

    /// An edit that fits, if the document is open.
    fn edit(&mut self, document: &DocumentId, dice: &mut Dice) -> Edit {
        let start = self.place(document, dice);
        let piece = *dice.of(&PIECES);
        if dice.below(3) > 0 {
            return insertion(start, piece);
        }
        let text = self.watch.text(document).map(Text::to_string);
        let places = boundaries(&text.unwrap_or_default());
        let behind = places.iter().filter(|place| **place > start).take(3);
        let end = behind.last().unwrap_or(&start);
        Edit::from(Replacement::new(range(start.get(), end.get()), piece))
    }

    /// A place in a document: often where the cursor was.
    fn place(&mut self, document: &DocumentId, dice: &mut Dice) -> ByteOffset {
        let Some(text) = self.watch.text(document) else {
            return ByteOffset::ZERO;
        };
        let cursor = self.cursors.get(document);
        let cursor = cursor.filter(|at| text.check(**at).is_ok());
        match cursor.filter(|_| !dice.one_in(3)) {
            Some(cursor) => *cursor,
            None => *dice.of(&boundaries(&text.to_string())),
        }
    }

    /// Beyond the end, or within a character if there is one to be cut.
    fn odd_place(&mut self, document: &DocumentId, dice: &mut Dice) -> ByteOffset {
        let text = self.watch.text(document).map(Text::to_string);
        let text = text.unwrap_or_default();
        let odd = (0..text.len()).filter(|offset| !text.is_char_boundary(*offset));
        let beyond = [text.len() + 1, text.len() + 1_000, usize::MAX];
        let odd: Vec<usize> = odd.chain(beyond).collect();
        ByteOffset::new(*dice.of(&odd))
    }
}

fn open(document: DocumentId, language: &str, text: &str) -> Event {
    Event::DocumentOpened {
        document,
        language: Language::new(language),
        version: Version::new(1),
        text: Text::from(text),
    }
}

fn insertion(at: ByteOffset, new_text: &str) -> Edit {
    Edit::from(Replacement::insertion(at, new_text))
}

/// Numbers from a seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        // Xorshift, and the upper half of what it gives, which is mixed best.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 32) % bound as u64) as usize
    }

    fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn of<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }

    /// Mostly the first.
    fn document(&mut self) -> DocumentId {
        let number = match self.below(20) {
            0..13 => 0,
            13..16 => 1,
            16..18 => 2,
            18 => 3,
            _ => 4,
        };
        DocumentId::new(DOCUMENTS[number].0)
    }
}
