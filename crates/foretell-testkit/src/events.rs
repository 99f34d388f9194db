//! Arbitrary bytes as events: the body of a fuzz target, of a test that runs it on random bytes, and
//! of the long session that everything must survive.
//!
//! Somebody types, is asked about, takes and rejects what lanes suggest and types into it, mostly
//! where they were; and now and then what cannot be happens: documents that were never opened, offsets
//! inside of characters and past the end, lanes that were never started, names used twice, time that
//! stands still, jumps by hours and runs backwards. After every event the machine is looked at: every
//! request is answered once and in time, and nothing is offered that does not fit the text as it is,
//! changes nothing, was rejected, or lies off the line that an inline request was made on. What a lane has
//! said so far is not offered if something rejected begins with it, and once it was rejected nothing is that
//! goes on with it.

mod arbitrary_event;
mod typed_into;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use foretell_core::{
    Action, AheadCallId, Answer, Core, Event, LaneCandidate, Moment, Note, Offer, OfferedFrom,
    Order, RejectionId, RequestCause, RequestId, RequestKind, Spot, SuggestionId,
    SuggestionRequest,
};
use foretell_settings::Settings;
use foretell_text::{ByteOffset, ByteRange, DocumentId, Edit, LaneKind, PositionEncoding, Text};

use crate::standing_promises::{StandingPromises, writes_first, written_by};
use crate::story_editor::promises::may_be_pursued;
use crate::string_model;
use arbitrary_event::{TEXTS, settings};
use typed_into::ShownPrediction;

/// Some more than are kept open, so that some are let go.
const DOCUMENTS: usize = 220;
/// The longest that a request may take, in milliseconds: the wait before lanes start, which what the
/// person asks for does not have, and the time of the lanes. No settings that are used here allow
/// more.
const LONGEST_AUTOMATIC: u64 = 3_000 + 1_800;
const LONGEST_EXPLICIT: u64 = 3_000 + 10_000;
/// How much is kept of what happened, to come back to it.
const KEPT: usize = 6;

/// How many requests that were answered at once are kept in mind.
const MOST_PURSUED: usize = 64;

/// Tells a machine what the bytes say, until they are used up.
pub fn core_events(bytes: &[u8]) {
    let mut session = ArbitrarySession::new(bytes.iter().copied());
    while session.step() {
        session.assert_invariants();
    }
    match bytes.len() % 2 {
        0 => drop(session.end()),
        _ => session.shut_down(),
    }
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
pub struct ArbitrarySession<B> {
    core: Core,
    bytes: B,
    is_over: bool,
    settings: Vec<Arc<Settings>>,
    now: u64,
    documents: Vec<KnownDocument>,
    numbers: BTreeMap<DocumentId, usize>,
    /// Where the person is.
    here: usize,
    requests: u64,
    unanswered: BTreeMap<RequestId, WaitingRequest>,
    /// The last requests that were answered at once, in whose name a model may still be asked.
    at_once: BTreeMap<RequestId, DocumentId>,
    /// The question to the predictor that answers at once, until it is put.
    predicting: Option<(RequestId, Spot)>,
    shown: ShownPrediction,
    promises: StandingPromises,
    running: Vec<(RequestId, LaneKind, usize)>,
    /// The call ahead of time that runs.
    ahead: Option<AheadCallId>,
    /// Documents of which the text was asked for and has not come.
    awaited: BTreeSet<DocumentId>,
    answered: VecDeque<SuggestionId>,
    /// Edits that were offered or rejected lately, or the rest of them.
    suggested: VecDeque<(usize, Edit)>,
    undo: VecDeque<(usize, Edit)>,
    /// Rejected results of texts that have not changed since: the texts must not become them.
    unwanted: VecDeque<UnwantedResult>,
    /// What models have said that have more to say.
    said: BTreeMap<(RequestId, LaneKind), SaidSoFar>,
    /// The settings of now.
    current: Arc<Settings>,
    /// How often something was rejected of which a model had more to say.
    beginnings: u64,
    /// Whether time has jumped over moments at which the machine wanted to be woken.
    is_late: bool,
    actions: Vec<Action>,
    /// The event of the last step, or the one before the first.
    told: Vec<(Moment, Event)>,
}

/// A document as the session knows it, open or not.
struct KnownDocument {
    document: DocumentId,
    cursor: ByteOffset,
    version: i64,
    is_in_step: bool,
}

/// What a model has said of the text that it was asked about.
struct SaidSoFar {
    document: DocumentId,
    text: Text,
    edits: Vec<Edit>,
}

/// The result of a rejected edit.
struct UnwantedResult {
    rejection: RejectionId,
    document: DocumentId,
    after: Text,
    /// Where it writes, in the result.
    written: Option<ByteRange>,
    /// Whether a lane had more to say of it.
    is_beginning: bool,
}

/// A request that waits for its answer.
struct WaitingRequest {
    moment: u64,
    document: DocumentId,
    at: ByteOffset,
    cause: RequestCause,
    kind: RequestKind,
}

impl<B: Iterator<Item = u8>> ArbitrarySession<B> {
    /// A session in which nothing has happened.
    pub fn new(bytes: B) -> Self {
        let settings = settings();
        let known = |number| KnownDocument {
            document: DocumentId::new(match number {
                3 => "output:///log".to_owned(),
                _ => format!("file:///{number}.rs"),
            }),
            cursor: ByteOffset::ZERO,
            version: 0,
            is_in_step: true,
        };
        let documents: Vec<KnownDocument> = (0..DOCUMENTS).map(known).collect();
        let named = documents.iter().map(|known| known.document.clone());
        let mut session = ArbitrarySession {
            numbers: named.zip(0..).collect(),
            documents,
            core: Core::new(Arc::clone(&settings[0])),
            bytes,
            is_over: false,
            current: Arc::clone(&settings[0]),
            promises: StandingPromises::new(Arc::clone(&settings[0])),
            settings,
            now: 1_000_000,
            here: 0,
            requests: 0,
            unanswered: BTreeMap::new(),
            at_once: BTreeMap::new(),
            predicting: None,
            shown: ShownPrediction::default(),
            running: Vec::new(),
            ahead: None,
            awaited: BTreeSet::new(),
            answered: VecDeque::new(),
            suggested: VecDeque::new(),
            undo: VecDeque::new(),
            unwanted: VecDeque::new(),
            said: BTreeMap::new(),
            beginnings: 0,
            is_late: false,
            actions: Vec::new(),
            told: Vec::new(),
        };
        for number in 0..2 {
            let opened = session.opened(number, TEXTS[4]);
            session.tell(session.now, opened);
        }
        session
    }

    /// The same with a predictor that answers at once, mostly.
    pub fn predicting(bytes: B) -> Self {
        let mut session = ArbitrarySession::new(bytes);
        session.core = Core::new(session.first_settings()).with_predictor();
        for number in 0..2 {
            let opened = session.opened(number, TEXTS[4]);
            session.tell(session.now, opened);
        }
        session
    }

    /// Lets one event happen; whether there are bytes left for another.
    pub fn step(&mut self) -> bool {
        self.actions.clear();
        self.told.clear();
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

    /// Lets everything happen that is still due, after which no answer is pending.
    pub fn end(mut self) -> Core {
        self.is_late = false;
        self.wake_until(u64::MAX);
        assert_eq!(self.core.poll_timeout(), None, "there is always one more");
        let unanswered = self.unanswered.keys();
        assert_eq!(unanswered.len(), 0, "never answered: {unanswered:?}");
        assert!(self.running.is_empty(), "never ended: {:?}", self.running);
        assert_eq!(self.ahead, None, "a call ahead of time never ended");
        self.core.assert_invariants();
        self.core
    }

    /// Ends it before everything has happened: no answer is pending after that either.
    pub fn shut_down(mut self) {
        self.tell(self.now, Event::ShuttingDown);
        assert_eq!(self.core.poll_timeout(), None, "something is waited for");
        assert!(self.unanswered.is_empty(), "never answered");
        assert!(self.running.is_empty(), "never stopped");
        assert_eq!(self.ahead, None, "a call ahead of time was never stopped");
        let asked = self.requests + 1;
        self.requests = asked;
        let document = self.documents[self.here].document.clone();
        let event = Event::SuggestionRequested(SuggestionRequest {
            request: RequestId::new(asked),
            document,
            version: None,
            at: ByteOffset::ZERO,
            cause: RequestCause::Explicit,
            kind: RequestKind::Inline,
        });
        self.tell(self.now, event);
        assert!(self.unanswered.is_empty(), "what comes late is answered");
        self.core.assert_invariants();
    }

    /// How often something was rejected of which a model had more to say.
    pub fn beginnings(&self) -> u64 {
        self.beginnings
    }

    /// The machine.
    pub fn core(&self) -> &Core {
        &self.core
    }

    /// The machine's actions in the last step.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// The event of the last step; before the first, the one that it began with.
    pub fn told(&self) -> &[(Moment, Event)] {
        &self.told
    }

    /// The settings that the machine was made with.
    pub fn first_settings(&self) -> Arc<Settings> {
        Arc::clone(&self.settings[0])
    }

    /// Checks what every event keeps.
    pub fn assert_invariants(&self) {
        self.core.assert_invariants();
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
        self.shown.told(&event);
        self.promises.told(&event);
        self.told.push((Moment::from_millis(told), event.clone()));
        self.core.handle(Moment::from_millis(told), event);
        self.look();
    }

    /// Keeps what is needed to judge what the machine does.
    fn note(&mut self, event: &Event) {
        match event {
            Event::SuggestionRequested(SuggestionRequest {
                request,
                document,
                at,
                cause,
                kind,
                ..
            }) => {
                // One that is asked again while it waits for its answer is not a second one.
                self.unanswered.entry(*request).or_insert(WaitingRequest {
                    moment: self.now,
                    document: document.clone(),
                    at: *at,
                    cause: *cause,
                    kind: *kind,
                });
            }
            Event::LaneAnswered { request, lane, .. } | Event::LaneFailed { request, lane, .. } => {
                let ended = (*request, *lane);
                self.running.retain(|it| (it.0, it.1) != ended);
                self.said.remove(&ended);
            }
            Event::LaneProgressed {
                request,
                lane,
                candidates,
            } => {
                if let Some(said) = self.said.get_mut(&(*request, *lane)) {
                    let here = candidates.iter().filter(|it| it.document == said.document);
                    said.edits = here.map(|it| it.edit.clone()).collect();
                }
            }
            Event::SettingsChanged { settings } => self.current = Arc::clone(settings),
            Event::AheadEnded { call, .. } => {
                self.ahead = self.ahead.filter(|runs| runs != call);
            }
            Event::DocumentOpened { document, .. } | Event::DocumentClosed { document } => {
                self.unwanted.retain(|it| it.document != *document);
                self.awaited.remove(document);
            }
            Event::DocumentReplaced { document, .. } => {
                self.unwanted.retain(|it| it.document != *document);
                // The language of a document that was never opened is not known.
                if self.core.text(document).is_some() {
                    self.awaited.remove(document);
                }
            }
            Event::DocumentLost { document } | Event::DocumentChanged { document, .. } => {
                self.unwanted.retain(|it| it.document != *document);
            }
            _ => {}
        }
    }

    /// Looks at what the machine did.
    fn look(&mut self) {
        while let Some(action) = self.core.poll_action() {
            self.promises.heard(&action, &self.core);
            match &action {
                Action::Order(order) => self.ordered(order),
                Action::Note(note) => self.noted(note),
            }
            self.actions.push(action);
            if let Some((request, spot)) = self.predicting.take() {
                // A driver that never answers does no harm.
                if self.byte() < 240 {
                    let event = self.predicted(request, &spot);
                    self.promises.told(&event);
                    self.told
                        .push((Moment::from_millis(self.now), event.clone()));
                    self.core.handle(Moment::from_millis(self.now), event);
                }
            }
        }
    }

    fn ordered(&mut self, order: &Order) {
        match order {
            Order::AskEditor { spot, .. } => self.assert_held(spot),
            Order::Predict { request, spot, .. } => {
                assert!(self.unanswered.contains_key(request), "asked for nothing");
                self.assert_held(spot);
                self.predicting = Some((*request, spot.clone()));
            }
            Order::GatherContext { request, spot } => {
                let is_wanted =
                    self.unanswered.contains_key(request) || self.at_once.contains_key(request);
                assert!(is_wanted, "context for nothing");
                self.assert_held(spot);
            }
            Order::StartLane {
                request,
                lane,
                spot,
                ahead,
            } => {
                if ahead.is_some() {
                    assert_eq!(self.ahead.take(), *ahead, "what is taken over runs");
                }
                self.assert_held(spot);
                let asked = self.unanswered.get(request).map(|asked| &asked.document);
                let asked = asked.or_else(|| self.at_once.get(request));
                let asked = asked.expect("it is asked for a request");
                let number = self.number_of(asked).expect("it was opened");
                let runs = (*request, *lane, number);
                assert!(!self.running.contains(&runs), "{runs:?} runs already");
                self.running.push(runs);
                let said = SaidSoFar {
                    document: asked.clone(),
                    text: self.core.text(asked).expect("it is open").clone(),
                    edits: Vec::new(),
                };
                if self.current.lanes.of(*lane).tells_others() {
                    self.said.insert((*request, *lane), said);
                }
            }
            Order::AskAhead(question) => {
                self.assert_held(&question.spot);
                let text = self.core.text(&question.spot.document).expect("it is open");
                let accepted = question.accepted.clone().unwrap_or_default();
                let after = accepted.apply(text).expect("what is shown fits");
                after.check(question.at).expect("the place is in the text");
                assert_eq!(self.ahead.replace(question.call), None, "one at once");
            }
            Order::StopAhead { call, .. } => {
                assert_eq!(self.ahead.take(), Some(*call), "what is stopped runs");
            }
            Order::CancelLane { request, lane, .. } => {
                let stopped = (*request, *lane);
                let found = self.running.iter().position(|it| (it.0, it.1) == stopped);
                self.running.remove(found.expect("what is stopped runs"));
                self.said.remove(&stopped);
            }
            Order::Answer {
                request, answer, ..
            } => self.answers(*request, answer),
            Order::Resync { document } => self.wants(document),
            // It has the time of the one that it takes the place of.
            Order::Join { request, older } => {
                let older = self.unanswered.get(older).map(|older| older.cause);
                if let Some(newer) = self.unanswered.get_mut(request) {
                    newer.cause = newer.cause.max(older.unwrap_or(newer.cause));
                }
            }
            Order::Release { document, .. } => {
                self.awaited.remove(document);
                self.unwanted.retain(|it| it.document != *document);
            }
            Order::Rest { .. } | Order::CheckQuota { .. } => {}
        }
    }

    /// Checks that a place is one of the text that is held.
    fn assert_held(&self, spot: &Spot) {
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
        // A driver that sleeps through a timer gets answers late.
        let longest = match asked.cause {
            RequestCause::Automatic => LONGEST_AUTOMATIC,
            RequestCause::Explicit => LONGEST_EXPLICIT,
        };
        let is_in_time = took <= longest || self.is_late;
        assert!(is_in_time, "{request:?} is answered after {took} ms");
        if may_be_pursued(answer) {
            self.at_once.insert(request, asked.document.clone());
            if self.at_once.len() > MOST_PURSUED {
                self.at_once.pop_first();
            }
        }
        self.shown.answered(answer, &asked);
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

    fn offers(&self, offer: &Offer, asked: &WaitingRequest) {
        let LaneCandidate { document, edit, .. } = &offer.candidate;
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
        for unwanted in self.unwanted.iter().filter(|it| it.document == *document) {
            let rejection = unwanted.rejection;
            let is_unwanted = unwanted.after == after;
            assert!(!is_unwanted, "{edit:?} is what {rejection:?} is about");
            let goes_on = unwanted.is_beginning && unwanted.begins(edit, &after);
            assert!(
                !goes_on,
                "{edit:?} goes on with what {rejection:?} is about"
            );
            let is_begun = self.is_said_so_far(offer, &asked.document, text)
                && unwanted.is_begun_by(edit, &after);
            assert!(!is_begun, "{edit:?} begins what {rejection:?} is about");
        }
        if asked.kind == RequestKind::Inline {
            assert_eq!(*document, asked.document, "inline is where it was asked");
            let is_on_line = touches_line(edit, text, &after, asked.at);
            assert!(is_on_line, "{edit:?} is not on the line of {:?}", asked.at);
        }
    }

    fn noted(&mut self, note: &Note) {
        match note {
            Note::Remembered {
                rejection,
                document,
                edit,
            } => {
                let text = self.core.text(document);
                if let Some(Ok(after)) = text.map(|text| edit.apply(text)) {
                    let mut unwanted = UnwantedResult {
                        rejection: *rejection,
                        document: document.clone(),
                        after,
                        written: written_by(edit),
                        is_beginning: false,
                    };
                    unwanted.is_beginning = self.is_beginning(&unwanted);
                    self.beginnings += u64::from(unwanted.is_beginning);
                    keep(&mut self.unwanted, unwanted);
                }
                if let Some(number) = self.number_of(document) {
                    keep(&mut self.suggested, (number, edit.clone()));
                }
            }
            Note::Forgotten { rejection, .. } | Note::Asleep { rejection, .. } => {
                self.unwanted.retain(|it| it.rejection != *rejection);
            }
            _ => {}
        }
    }

    /// Whether an offer is what a model has said that has more to say.
    fn is_said_so_far(&self, offer: &Offer, asked_in: &DocumentId, text: &Text) -> bool {
        let LaneCandidate { document, edit, .. } = &offer.candidate;
        let is_of_lane = offer.from == OfferedFrom::Lane && document == asked_in;
        let said = self
            .said
            .iter()
            .filter(|((_, lane), _)| *lane == offer.lane);
        let mut said = said.filter(|(_, said)| said.document == *document && said.text == *text);
        is_of_lane && said.any(|(_, said)| said.edits.contains(edit))
    }

    /// Whether a model had said what was just rejected, and has more to say.
    fn is_beginning(&self, unwanted: &UnwantedResult) -> bool {
        let is_told = matches!(
            self.told.last(),
            Some((
                _,
                Event::SuggestionRejected { .. } | Event::EditRejected { .. }
            ))
        );
        let text = self.core.text(&unwanted.document);
        let said = self.said.values();
        let mut said = said.filter(|it| it.document == unwanted.document && Some(&it.text) == text);
        is_told
            && said.any(|said| {
                let results = said.edits.iter().map(|edit| (edit, edit.apply(&said.text)));
                let mut results = results.filter_map(|(edit, after)| Some((edit, after.ok()?)));
                results.any(|(edit, after)| unwanted.begins(edit, &after))
            })
    }

    fn number_of(&self, document: &DocumentId) -> Option<usize> {
        self.numbers.get(document).copied()
    }
}

impl UnwantedResult {
    /// Whether another edit of the same text writes this and then more, given its result.
    fn begins(&self, edit: &Edit, after: &Text) -> bool {
        let written = self.written.zip(written_by(edit));
        written.is_some_and(|(ours, theirs)| writes_first(&self.after, ours, after, theirs))
    }

    /// The other way round.
    fn is_begun_by(&self, edit: &Edit, after: &Text) -> bool {
        let written = self.written.zip(written_by(edit));
        written.is_some_and(|(ours, theirs)| writes_first(after, theirs, &self.after, ours))
    }
}

/// Whether an edit, or anything else that makes the same of a text, touches the line of a cursor.
fn touches_line(edit: &Edit, before: &Text, after: &Text, cursor: ByteOffset) -> bool {
    let place = before.position_of(cursor, PositionEncoding::Utf8);
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
    string_model::range(first, last).touches(line)
}

/// Keeps the last few.
fn keep<T>(kept: &mut VecDeque<T>, one: T) {
    if kept.len() == KEPT {
        kept.pop_front();
    }
    kept.push_back(one);
}
