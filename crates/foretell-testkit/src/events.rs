//! Arbitrary bytes as events: the body of a fuzz target, of a test that runs it on random bytes, and
//! of the long session that everything must survive.
//!
//! Somebody types, is asked about, takes and rejects what lanes suggest and types into it, mostly
//! where they were; and now and then what cannot be happens: documents that nobody opened, offsets
//! inside of characters and past the end, lanes that nobody started, names used twice, time that
//! stands still, jumps by hours and runs backwards. After every event the machine is looked at: every
//! request is answered once and in time, and nothing is offered that does not fit the text as it is,
//! changes nothing, was rejected, or lies off the line that an inline request was made on.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use foretell_core::{
    Action, Answer, Candidate, Core, Event, Failure, FailureKind, Moment, Offer, Record,
    RejectionId, RejectionReports, RequestCause, RequestId, RequestKind, Spot, SuggestionId, Usage,
};
use foretell_settings::{Millis, SameLineMemory, Settings};
use foretell_text::{
    ByteOffset, ByteRange, ChangeReason, Diagnostic, DocumentId, Edit, Encoding, LaneKind,
    Language, Replacement, Severity, Text, Version,
};

use crate::model;

/// Some more than are kept open, so that some are let go.
const DOCUMENTS: usize = 220;
/// Documents are cut when they grow beyond this many bytes.
const LONGEST_TEXT: usize = 48;
/// The longest that a request may take, in milliseconds: the wait before lanes start and the time
/// they have. No settings that are used here allow more.
const LONGEST_WAIT: u64 = 3_000 + 10_000;
/// How much is kept of what happened, to come back to it.
const KEPT: usize = 6;

/// What documents are opened with.
const TEXTS: [&str; 6] = [
    "",
    "fn a() {}\n",
    "a\nb\nc\n\nd e f\n",
    "é\r\n中😀\rx\n",
    "fn a() {}\nfn b() {}\nfn c() {}\n",
    "aaa\naaa\naaa",
];

/// What is typed and suggested; few, so that the same comes again.
const PIECES: [&str; 16] = [
    "a",
    "b",
    "x",
    "a",
    "foo",
    "\n",
    "}\n",
    "é",
    "😀",
    "\r",
    " ",
    "",
    "foobar(a, b)",
    "a\nb",
    "()",
    "let x = a;",
];

/// Tells a machine what the bytes say, until they are used up.
pub fn core_events(bytes: &[u8]) {
    let mut session = Session::new(bytes.iter().copied());
    while session.step() {
        session.assert_invariants();
    }
    session.end();
}

/// Bytes that look random, never end, and are the same in every run.
pub fn endless(seed: u64) -> impl Iterator<Item = u8> {
    let mut state = seed | 1;
    std::iter::repeat_with(move || {
        // Xorshift, and the upper part of what it gives, which is mixed best.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as u8
    })
}

/// A machine, and somebody who tells it what bytes say.
pub struct Session<B> {
    core: Core,
    bytes: B,
    is_over: bool,
    settings: Vec<Arc<Settings>>,
    now: u64,
    documents: Vec<Known>,
    numbers: BTreeMap<DocumentId, usize>,
    /// Where the person is.
    here: usize,
    requests: u64,
    unanswered: BTreeMap<RequestId, Asked>,
    running: Vec<(RequestId, LaneKind, usize)>,
    /// Whose text was asked for and has not come.
    awaited: BTreeSet<DocumentId>,
    answered: VecDeque<SuggestionId>,
    /// What was offered or rejected lately, or what is left of it.
    suggested: VecDeque<(usize, Edit)>,
    undo: VecDeque<(usize, Edit)>,
    /// What was rejected in texts that have not changed since: what they must not become.
    unwanted: VecDeque<(RejectionId, DocumentId, Text)>,
    /// Whether time has jumped over moments at which the machine wanted to be woken.
    is_late: bool,
    actions: Vec<Action>,
}

/// What is known of a document, open or not.
struct Known {
    document: DocumentId,
    cursor: ByteOffset,
    version: i64,
    is_in_step: bool,
}

/// A request that waits for its answer.
struct Asked {
    moment: u64,
    document: DocumentId,
    at: ByteOffset,
    kind: RequestKind,
}

impl<B: Iterator<Item = u8>> Session<B> {
    /// A session in which nothing has happened.
    pub fn new(bytes: B) -> Self {
        let settings = settings();
        let known = |number| Known {
            document: DocumentId::new(match number {
                3 => "output:///log".to_owned(),
                _ => format!("file:///{number}.rs"),
            }),
            cursor: ByteOffset::ZERO,
            version: 0,
            is_in_step: true,
        };
        let documents: Vec<Known> = (0..DOCUMENTS).map(known).collect();
        let named = documents.iter().map(|known| known.document.clone());
        let mut session = Session {
            numbers: named.zip(0..).collect(),
            documents,
            core: Core::new(Arc::clone(&settings[0])),
            bytes,
            is_over: false,
            settings,
            now: 1_000_000,
            here: 0,
            requests: 0,
            unanswered: BTreeMap::new(),
            running: Vec::new(),
            awaited: BTreeSet::new(),
            answered: VecDeque::new(),
            suggested: VecDeque::new(),
            undo: VecDeque::new(),
            unwanted: VecDeque::new(),
            is_late: false,
            actions: Vec::new(),
        };
        for number in 0..2 {
            let opened = session.opened(number, TEXTS[4]);
            session.tell(session.now, opened);
        }
        session
    }

    /// Lets one event happen; whether there are bytes left for another.
    pub fn step(&mut self) -> bool {
        self.actions.clear();
        let told = self.moment();
        let now = self.now.max(told);
        self.is_late = self.byte() < 16;
        if !self.is_late {
            self.wake_until(now);
        }
        // All that was due happens before the event, and for the texts before it.
        self.now = now;
        self.core.handle_timeout(Moment::from_millis(self.now));
        self.look();
        let event = self.event();
        self.tell(told, event);
        let due = self.core.poll_timeout();
        assert!(due.is_none_or(|due| due.millis() > self.now), "overdue");
        !self.is_over
    }

    /// Lets everything happen that is still due, after which nobody waits for an answer.
    pub fn end(mut self) -> Core {
        self.is_late = false;
        self.wake_until(u64::MAX);
        assert_eq!(self.core.poll_timeout(), None, "there is always one more");
        let unanswered = self.unanswered.keys();
        assert_eq!(unanswered.len(), 0, "never answered: {unanswered:?}");
        assert!(self.running.is_empty(), "never ended: {:?}", self.running);
        self.core.assert_invariants();
        self.core
    }

    /// The machine.
    pub fn core(&self) -> &Core {
        &self.core
    }

    /// What the machine did in the last step.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// Checks what every event keeps.
    pub fn assert_invariants(&self) {
        self.core.assert_invariants();
    }

    fn byte(&mut self) -> u8 {
        let byte = self.bytes.next();
        self.is_over |= byte.is_none();
        byte.unwrap_or(0)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::from(self.byte()) % bound
    }

    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// Mostly now or soon; seldom hours later, in the past, or at the end of time.
    fn moment(&mut self) -> u64 {
        let pause = match self.byte() {
            0..96 => 0,
            byte @ 96..160 => u64::from(byte) - 96,
            byte @ 160..224 => 12 * (u64::from(byte) - 160),
            byte @ 224..248 => 250 * (u64::from(byte) - 223),
            248..252 => self.of(&[300, 1_800, 4_999, 5_000, 9_999, 10_000]),
            252 => 3_600_000 * u64::from(self.byte()),
            253 => return self.now.saturating_sub(u64::from(self.byte())),
            254 => return u64::from(self.byte()),
            _ => match (self.byte(), self.byte(), self.byte()) {
                (255, 255, 255) => u64::MAX,
                _ => 40_000,
            },
        };
        self.now.saturating_add(pause)
    }

    /// Lets time pass, from one timer to the next.
    fn wake_until(&mut self, now: u64) {
        let mut last = None;
        let is_due = |due: &Moment| due.millis() <= now;
        while let Some(due) = self.core.poll_timeout().filter(is_due) {
            assert!(last.is_none_or(|last| last < due), "{due:?} comes again");
            last = Some(due);
            self.now = self.now.max(due.millis());
            self.core.handle_timeout(due);
            self.look();
        }
    }

    fn tell(&mut self, told: u64, event: Event) {
        self.note(&event);
        self.core.handle(Moment::from_millis(told), event);
        self.look();
    }

    /// Keeps what is needed to judge what the machine does.
    fn note(&mut self, event: &Event) {
        match event {
            Event::SuggestionRequested {
                request,
                document,
                at,
                kind,
                ..
            } => {
                // One that is asked again while it waits for its answer is not a second one.
                self.unanswered.entry(*request).or_insert(Asked {
                    moment: self.now,
                    document: document.clone(),
                    at: *at,
                    kind: *kind,
                });
            }
            Event::LaneAnswered { request, lane, .. } | Event::LaneFailed { request, lane, .. } => {
                let ended = (*request, *lane);
                self.running.retain(|it| (it.0, it.1) != ended);
            }
            Event::DocumentOpened { document, .. } | Event::DocumentClosed { document } => {
                self.unwanted.retain(|(_, of, _)| of != document);
                self.awaited.remove(document);
            }
            Event::DocumentReplaced { document, .. } => {
                self.unwanted.retain(|(_, of, _)| of != document);
                // Nobody knows what a document is written in that was never opened.
                if self.core.text(document).is_some() {
                    self.awaited.remove(document);
                }
            }
            Event::DocumentLost { document } | Event::DocumentChanged { document, .. } => {
                self.unwanted.retain(|(_, of, _)| of != document);
            }
            _ => {}
        }
    }

    /// Looks at what the machine did.
    fn look(&mut self) {
        while let Some(action) = self.core.poll_action() {
            match &action {
                Action::AskEditor { spot, .. } => self.is_held(spot),
                Action::GatherContext { request, spot } => {
                    assert!(self.unanswered.contains_key(request), "context for nothing");
                    self.is_held(spot);
                }
                Action::StartLane {
                    request,
                    lane,
                    spot,
                } => {
                    self.is_held(spot);
                    let asked = &self.unanswered[request];
                    let number = self.number_of(&asked.document).expect("it was opened");
                    let runs = (*request, *lane, number);
                    assert!(!self.running.contains(&runs), "{runs:?} runs already");
                    self.running.push(runs);
                }
                Action::CancelLane { request, lane, .. } => {
                    let stopped = (*request, *lane);
                    let found = self.running.iter().position(|it| (it.0, it.1) == stopped);
                    self.running.remove(found.expect("what is stopped runs"));
                }
                Action::Answer {
                    request, answer, ..
                } => self.answers(*request, answer),
                Action::Resync { document } => self.wants(document),
                Action::Record(record) => self.records(record),
            }
            self.actions.push(action);
        }
    }

    /// Checks that a place is one of the text that is held.
    fn is_held(&self, spot: &Spot) {
        assert_eq!(self.core.version(&spot.document), Some(spot.version));
        let text = self.core.text(&spot.document).expect("it is open");
        text.check(spot.at).expect("the place is in the text");
    }

    /// Checks that a text is asked for once, until it has come.
    fn wants(&mut self, document: &DocumentId) {
        let is_news = self.awaited.insert(document.clone());
        assert!(is_news, "the text of {document} is asked for again");
    }

    fn answers(&mut self, request: RequestId, answer: &Answer) {
        let asked = self.unanswered.remove(&request);
        let asked = asked.expect("a request is answered once");
        let took = self.now.saturating_sub(asked.moment);
        // Whoever sleeps through a timer gets answers late.
        let is_in_time = took <= LONGEST_WAIT || self.is_late;
        assert!(is_in_time, "{request:?} is answered after {took} ms");
        let Answer::Candidates(offers) = answer else {
            return;
        };
        assert!(!offers.is_empty(), "an answer says something or why not");
        for (candidate, offer) in offers.iter().enumerate() {
            self.offers(offer, &asked);
            keep(&mut self.answered, SuggestionId { request, candidate });
            if let Some(of) = self.number_of(&offer.candidate.document) {
                keep(&mut self.suggested, (of, offer.candidate.edit.clone()));
            }
        }
    }

    fn offers(&self, offer: &Offer, asked: &Asked) {
        let Candidate { document, edit } = &offer.candidate;
        let text = self.core.text(document).expect("what is offered is open");
        let known = self.number_of(document).map(|it| &self.documents[it]);
        assert!(
            known.is_some_and(|it| it.is_in_step),
            "nobody knows {document}"
        );
        let after = edit.apply(text).expect("what is offered fits");
        assert!(after != *text, "what is offered changes something");
        let rejected = self.core.is_rejected(document, edit);
        assert_eq!(rejected, None, "what is offered was rejected");
        for (rejection, of, unwanted) in &self.unwanted {
            let is_unwanted = of == document && *unwanted == after;
            assert!(!is_unwanted, "{edit:?} is what {rejection:?} is about");
        }
        if asked.kind == RequestKind::Inline {
            assert_eq!(*document, asked.document, "inline is where it was asked");
            let is_on_line = touches_line(edit, (text, &after), asked.at);
            assert!(is_on_line, "{edit:?} is not on the line of {:?}", asked.at);
        }
    }

    fn records(&mut self, record: &Record) {
        match record {
            Record::Remembered {
                rejection,
                document,
                edit,
            } => {
                let text = self.core.text(document);
                if let Some(Ok(after)) = text.map(|text| edit.apply(text)) {
                    keep(&mut self.unwanted, (*rejection, document.clone(), after));
                }
                if let Some(number) = self.number_of(document) {
                    keep(&mut self.suggested, (number, edit.clone()));
                }
            }
            Record::Forgotten { rejection, .. } | Record::Asleep { rejection, .. } => {
                self.unwanted.retain(|(of, ..)| of != rejection);
            }
            Record::LetGo { document, .. } => {
                self.awaited.remove(document);
                self.unwanted.retain(|(_, of, _)| of != document);
            }
            _ => {}
        }
    }

    fn number_of(&self, document: &DocumentId) -> Option<usize> {
        self.numbers.get(document).copied()
    }

    /// Mostly where the person is.
    fn document(&mut self) -> usize {
        match self.byte() {
            0..208 => self.here,
            208..248 => self.below(5),
            _ => self.below(DOCUMENTS),
        }
    }

    fn text(&self, number: usize) -> Option<&Text> {
        self.core.text(&self.documents[number].document)
    }

    fn event(&mut self) -> Event {
        let number = self.document();
        let document = self.documents[number].document.clone();
        let known = &self.documents[number];
        let is_lost = !known.is_in_step || self.core.text(&document).is_none();
        match self.byte() {
            // Those who have lost a document open it again before long.
            0..64 if is_lost => self.open(number),
            0..36 => self.type_something(number, ChangeReason::Typed),
            36..60 => self.type_into(number),
            60..68 => self.take_back(number),
            68..72 => self.type_something(number, ChangeReason::Other),
            72 => self.change_oddly(number),
            73..101 => self.select(number),
            101..153 => self.ask(number),
            153..193 => self.lane_answers(),
            193..198 => self.lane_fails(),
            198..204 => self.cancel(),
            204..212 => self.judge(),
            212..215 => {
                let edit = self.suggestion(number).edit;
                Event::EditRejected { document, edit }
            }
            215..224 => self.open(number),
            224 => Event::DocumentClosed { document },
            225 if self.byte() < 64 => {
                self.documents[number].is_in_step = false;
                Event::DocumentLost { document }
            }
            225 => self.replace(number),
            226..232 => {
                self.here = number;
                Event::DocumentFocused { document }
            }
            232..237 => self.diagnose(number),
            237..240 => self.find_secrets(number),
            240..243 => Event::RejectionForgotten {
                rejection: RejectionId::new(u64::from(self.byte())),
            },
            243..245 => self.select(number),
            245 if self.byte() < 32 => Event::RejectionsCleared,
            246 => Event::RejectionsRestored {
                rejections: self.core.rejections().into_iter().take(3).collect(),
            },
            247..252 => {
                let which = self.below(4 * self.settings.len());
                // Mostly the first.
                let settings = self.settings.get(which).unwrap_or(&self.settings[0]);
                let settings = Arc::clone(settings);
                Event::SettingsChanged { settings }
            }
            252 => Event::ClientConnected {
                rejections: self.of(&[RejectionReports::Explicit, RejectionReports::Inferred]),
            },
            _ => {
                let number = self.below(DOCUMENTS);
                self.here = number;
                self.open(number)
            }
        }
    }

    fn opened(&mut self, number: usize, text: &str) -> Event {
        let known = &mut self.documents[number];
        known.is_in_step = true;
        known.version += 1;
        known.cursor = ByteOffset::new(text.len());
        Event::DocumentOpened {
            document: known.document.clone(),
            language: Language::new(if number == 1 { "markdown" } else { "rust" }),
            version: Version::new(known.version),
            text: Text::from(text),
        }
    }

    fn open(&mut self, number: usize) -> Event {
        let same = self.text(number).map(Text::to_string);
        match same.filter(|_| self.byte() < 64) {
            Some(same) => self.opened(number, &same),
            None => {
                let text = self.of(&TEXTS);
                self.opened(number, text)
            }
        }
    }

    fn replace(&mut self, number: usize) -> Event {
        let text = self.of(&TEXTS);
        let Event::DocumentOpened {
            document,
            version,
            text,
            ..
        } = self.opened(number, text)
        else {
            unreachable!("that is what it makes");
        };
        Event::DocumentReplaced {
            document,
            version,
            text,
            reason: self.of(&[ChangeReason::Typed, ChangeReason::Undo, ChangeReason::Other]),
        }
    }

    fn type_something(&mut self, number: usize, reason: ChangeReason) -> Event {
        let end = self.text(number).map_or(0, |text| text.end().get());
        let mut edit = self.edit(number);
        if end > LONGEST_TEXT {
            let cut = model::boundaries(&self.text(number).unwrap().to_string());
            edit = Replacement::deletion(model::range(
                cut[cut.len() / 3].get(),
                cut[cut.len() - 1].get(),
            ))
            .into();
        }
        let mut edits = vec![edit];
        if self.byte() < 16 {
            // Fits only if the first leaves enough.
            edits.push(self.edit(number));
        }
        self.change(number, edits, reason)
    }

    /// The next character of something that was suggested, or all of it.
    fn type_into(&mut self, number: usize) -> Event {
        let recent = self.suggested.iter_mut().rev().find(|it| it.0 == number);
        let (at, rest) = match recent.and_then(|it| it.1.replacements().first()) {
            Some(part) => (part.range(), part.new_text().to_owned()),
            None => return self.type_something(number, ChangeReason::Typed),
        };
        let typed = match self.byte() {
            0..224 => rest.chars().next().map(String::from).unwrap_or_default(),
            _ => rest.clone(),
        };
        let text = self.text(number);
        let fits = text.is_some_and(|text| text.read(at).is_ok());
        if !fits || (typed.is_empty() && at.is_empty()) {
            self.suggested.clear();
            return self.type_something(number, ChangeReason::Typed);
        }
        let behind = ByteOffset::new(at.start().get() + typed.len());
        let left = Edit::from(Replacement::insertion(behind, &rest[typed.len()..]));
        if let Some(recent) = self.suggested.iter_mut().rev().find(|it| it.0 == number) {
            recent.1 = left;
        }
        let edit = Edit::from(Replacement::new(at, typed));
        self.change(number, vec![edit], ChangeReason::Typed)
    }

    fn take_back(&mut self, number: usize) -> Event {
        let recent = self.undo.pop_back().filter(|it| it.0 == number);
        match recent {
            Some((_, inverse)) => self.change(number, vec![inverse], ChangeReason::Undo),
            None => self.type_something(number, ChangeReason::Redo),
        }
    }

    fn change_oddly(&mut self, number: usize) -> Event {
        let odd = insertion(self.odd_place(number), "odd");
        let edits = vec![self.edit(number), odd];
        self.change(number, edits, ChangeReason::Typed)
    }

    /// A change, and where the cursor is after it.
    fn change(&mut self, number: usize, edits: Vec<Edit>, reason: ChangeReason) -> Event {
        let mut text = self.text(number).cloned();
        for edit in &edits {
            let Some(before) = &text else {
                break;
            };
            let Ok(after) = edit.apply(before) else {
                // The machine cannot follow, and says so.
                self.documents[number].is_in_step = false;
                break;
            };
            if let Ok(inverse) = edit.inverse(before) {
                keep(&mut self.undo, (number, inverse));
            }
            if let Some(last) = edit.replacements().last() {
                let grown = edit.map_offset(last.range().end(), foretell_text::Bias::After);
                self.documents[number].cursor = grown;
            }
            text = Some(after);
        }
        let known = &mut self.documents[number];
        known.version += 1;
        Event::DocumentChanged {
            document: known.document.clone(),
            version: Version::new(known.version),
            edits,
            reason,
        }
    }

    fn select(&mut self, number: usize) -> Event {
        let at = self.place(number);
        self.documents[number].cursor = at;
        let cursor = ByteRange::empty(at);
        let selections = match self.byte() {
            0..232 => vec![cursor],
            232..240 => vec![cursor, cursor],
            240..248 => vec![model::range(0, 1)],
            _ => Vec::new(),
        };
        Event::SelectionChanged {
            document: self.documents[number].document.clone(),
            version: self.version(number),
            selections,
        }
    }

    /// None, the right one, or seldom a wrong one.
    fn version(&mut self, number: usize) -> Option<Version> {
        match self.byte() {
            0..128 => None,
            128..248 => self.core.version(&self.documents[number].document),
            _ => Some(Version::new(-7)),
        }
    }

    fn ask(&mut self, number: usize) -> Event {
        self.requests += 1;
        let back = match self.byte() {
            0..244 => 0,
            // By a name that may wait for an answer, or have one.
            _ => self.below(4) as u64,
        };
        let at = self.place(number);
        Event::SuggestionRequested {
            request: RequestId::new(self.requests.saturating_sub(back)),
            document: self.documents[number].document.clone(),
            version: self.version(number),
            at,
            cause: match self.byte() {
                0..200 => RequestCause::Automatic,
                _ => RequestCause::Explicit,
            },
            kind: match self.byte() {
                0..176 => RequestKind::Inline,
                _ => RequestKind::Edit,
            },
        }
    }

    /// A call that runs, or seldom one that does not.
    fn call(&mut self) -> (RequestId, LaneKind, usize) {
        let odd = self.byte() >= 240;
        if odd || self.running.is_empty() {
            let request = self.requests.saturating_sub(self.below(8) as u64);
            let lane = self.of(&LaneKind::ALL);
            return (RequestId::new(request), lane, self.document());
        }
        let which = self.below(self.running.len());
        self.running[which]
    }

    fn lane_answers(&mut self) -> Event {
        let (request, lane, number) = self.call();
        let many = match self.byte() {
            0..248 => self.below(4),
            // More than are carried.
            _ => 12,
        };
        let candidates = (0..many)
            .map(|_| {
                let other = self.byte() >= 232;
                let number = if other { self.document() } else { number };
                self.suggestion(number)
            })
            .collect();
        Event::LaneAnswered {
            request,
            lane,
            candidates,
            usage: Usage::default(),
        }
    }

    fn lane_fails(&mut self) -> Event {
        let (request, lane, _) = self.call();
        let failure = Failure {
            kind: self.of(&FailureKind::ALL),
            retry_after_ms: match self.byte() {
                0..224 => None,
                byte => Some(100 * (u64::from(byte) - 224)),
            },
        };
        Event::LaneFailed {
            request,
            lane,
            failure,
        }
    }

    fn cancel(&mut self) -> Event {
        let which = self.below(self.unanswered.len().max(1));
        let waiting = self.unanswered.keys().nth(which).copied();
        let request = match (self.byte(), waiting) {
            (0..224, Some(waiting)) => waiting,
            _ => RequestId::new(self.requests.saturating_sub(self.below(8) as u64)),
        };
        Event::RequestCancelled { request }
    }

    fn judge(&mut self) -> Event {
        let which = self.below(KEPT);
        let answered = self.answered.get(which).copied();
        let suggestion = match (self.byte(), answered) {
            (0..232, Some(answered)) => answered,
            _ => SuggestionId {
                request: RequestId::new(u64::from(self.byte())),
                candidate: self.of(&[0, 1, 7, 8, usize::MAX]),
            },
        };
        match self.below(5) {
            0 => Event::SuggestionShown { suggestion },
            1 => Event::SuggestionAccepted {
                suggestion,
                length: self.of(&[None, Some(1), Some(usize::MAX)]),
            },
            2 => Event::SuggestionIgnored { suggestion },
            _ => Event::SuggestionRejected { suggestion },
        }
    }

    fn diagnose(&mut self, number: usize) -> Event {
        let start = self.place(number);
        let diagnostic = Diagnostic {
            range: ByteRange::empty(start),
            severity: Severity::Error,
            source: None,
            code: None,
            message: "no".to_owned(),
            fixes: Vec::new(),
        };
        Event::DiagnosticsChanged {
            document: self.documents[number].document.clone(),
            version: self.version(number),
            diagnostics: vec![diagnostic; self.below(3)],
        }
    }

    fn find_secrets(&mut self, number: usize) -> Event {
        let (one, other) = (self.place(number), self.place(number));
        let secret = ByteRange::new(one.min(other), one.max(other)).unwrap();
        let version = self.version(number);
        Event::SecretsFound {
            document: self.documents[number].document.clone(),
            version: version.unwrap_or(Version::new(0)),
            ranges: vec![secret; self.below(3) / 2],
        }
    }

    /// What a lane might say of a document: mostly something that fits, often something that was
    /// offered or rejected before, seldom what cannot be.
    fn suggestion(&mut self, number: usize) -> Candidate {
        let which = self.below(KEPT);
        let known = self.suggested.get(which).cloned();
        let (number, edit) = match (self.byte(), known) {
            (0..160, _) => (number, self.edit(number)),
            (160..216, Some(known)) => known,
            (216..232, _) => (number, self.two_places(number)),
            (232..240, _) => (number, insertion(self.odd_place(number), "odd")),
            _ => {
                let at = self.documents[number].cursor;
                (number, insertion(at, "foobar(a, b)"))
            }
        };
        Candidate {
            document: self.documents[number].document.clone(),
            edit,
        }
    }

    /// An edit that fits mostly, if the document is open.
    fn edit(&mut self, number: usize) -> Edit {
        let start = self.place(number);
        let piece = self.of(&PIECES);
        let many = match self.byte() {
            0..160 => 0,
            byte => usize::from(byte) % 4,
        };
        let text = self.text(number).map(Text::to_string).unwrap_or_default();
        let behind = text.get(start.get()..).unwrap_or_default();
        let len: usize = behind.chars().take(many).map(char::len_utf8).sum();
        let end = ByteOffset::new(start.get().saturating_add(len));
        Replacement::new(ByteRange::new(start, end).unwrap(), piece).into()
    }

    fn two_places(&mut self, number: usize) -> Edit {
        let (one, other) = (self.edit(number), self.edit(number));
        let both = one.replacements().iter().chain(other.replacements());
        let mut both: Vec<Replacement> = both.cloned().collect();
        both.sort_by_key(|part| part.range().start());
        Edit::new(both).unwrap_or(one)
    }

    /// Mostly where the cursor was, sometimes anywhere, seldom nowhere.
    fn place(&mut self, number: usize) -> ByteOffset {
        let byte = self.byte();
        if byte >= 252 {
            return self.odd_place(number);
        }
        let cursor = self.documents[number].cursor;
        let Some(text) = self.text(number) else {
            return ByteOffset::ZERO;
        };
        if byte < 176 && text.check(cursor).is_ok() {
            return cursor;
        }
        let places = model::boundaries(&text.to_string());
        places[self.below(places.len())]
    }

    /// Beyond the end, or within a character if there is one to be cut.
    fn odd_place(&mut self, number: usize) -> ByteOffset {
        let text = self.text(number).map(Text::to_string).unwrap_or_default();
        let within = (0..text.len()).find(|offset| !text.is_char_boundary(*offset));
        let beyond = text.len() + 1;
        let odd = [beyond, within.unwrap_or(beyond), beyond + 1_000, usize::MAX];
        ByteOffset::new(self.of(&odd))
    }
}

/// Whether an edit, or anything else that makes the same of a text, touches the line of a cursor.
fn touches_line(edit: &Edit, (before, after): (&Text, &Text), cursor: ByteOffset) -> bool {
    let place = before.position_of(cursor, Encoding::Utf8);
    let place = place.expect("the cursor is in the text");
    let line = before.line(place.line).expect("the cursor is on a line");
    let trimmed = edit.trimmed(before).expect("fits");
    if trimmed
        .replacements()
        .iter()
        .any(|it| it.range().touches(line))
    {
        return true;
    }
    let (old, new) = (before.to_string(), after.to_string());
    let same = |(a, b): &(u8, u8)| a == b;
    let front = old.bytes().zip(new.bytes()).take_while(same).count();
    let (old_back, new_back) = (old.bytes().rev(), new.bytes().rev());
    let back = old_back.zip(new_back).take_while(same).count();
    // Where both ends meet, what is put in or taken out may be anywhere between them.
    let (first, last) = (front.min(old.len() - back), front.max(old.len() - back));
    model::range(first, last).touches(line)
}

fn insertion(at: ByteOffset, new_text: &str) -> Edit {
    Edit::from(Replacement::insertion(at, new_text))
}

/// Keeps the last few.
fn keep<T>(kept: &mut VecDeque<T>, one: T) {
    if kept.len() == KEPT {
        kept.pop_front();
    }
    kept.push_back(one);
}

/// Settings that differ in what matters here; the first are those of everybody, but for the size of
/// the memory.
fn settings() -> Vec<Arc<Settings>> {
    let changed = |change: &dyn Fn(&mut Settings)| {
        let mut settings = Settings::default();
        // In texts of a few words every key touches all that was rejected there.
        (settings.rejections.per_document, settings.rejections.total) = (4, 100);
        change(&mut settings);
        Arc::new(settings)
    };
    vec![
        changed(&|_| {}),
        changed(&|it| {
            it.trigger.selection_debounce = Millis::ZERO;
            (it.pace.base, it.pace.min) = (Millis::ZERO, Millis::ZERO);
        }),
        changed(&|it| {
            it.trigger.rejection_cooldown = Millis::new(50);
            it.trigger.same_line_cooldown = Millis::new(100);
            it.trigger.immediate_selections = 0;
            it.pace.rhythm = false;
        }),
        changed(&|it| {
            it.trigger.same_line_memory = SameLineMemory::UntilEdit;
            it.gate.enabled = false;
        }),
        Arc::new(Settings::default()),
        changed(&|it| {
            (it.race.cap, it.race.explicit_cap) = (Millis::ZERO, Millis::new(1));
            it.lanes.next_edit.enabled = false;
        }),
        changed(&|it| {
            it.carry.enabled = false;
            it.trigger.max_lines = 3;
        }),
        changed(&|it| {
            it.lanes.fim.enabled = false;
            it.rejections.per_document = 1;
        }),
    ]
}
