//! What the machine may do, told as plainly as possible.
//!
//! A [`Watch`] hears every event before the machine does, and sees every action. It keeps what the
//! rules speak of and nothing else: who waits for an answer, which lanes run, what was edited and
//! rejected when, and which lines were asked about. It knows no timers, so it cannot say what the
//! machine must do next, only what it must not.

use std::collections::BTreeMap;
use std::sync::Arc;

use foretell_core::{
    Action, Answer, AskCause, Core, Event, Moment, Note, Offer, Order, Reason, RequestCause,
    RequestId, SuggestionRequest,
};
use foretell_settings::Settings;
use foretell_text::{
    ByteOffset, ByteRange, ChangeReason, DocumentId, Edit, LaneKind, PositionEncoding, Text,
    Version,
};

/// The longest that any settings let a request take, in milliseconds: the wait before lanes start and
/// the time they have.
const LONGEST: u64 = 3_000 + 10_000;

/// How often things happened that a rule is about.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) asked_at_once: u64,
    pub(crate) asked_late: u64,
    pub(crate) started: u64,
    pub(crate) cancelled: u64,
    pub(crate) joined: u64,
    pub(crate) offered: u64,
    pub(crate) withheld: u64,
    pub(crate) spared: u64,
    pub(crate) ignored: u64,
}

impl Tally {
    pub(crate) fn add(&mut self, other: Tally) {
        self.asked_at_once += other.asked_at_once;
        self.asked_late += other.asked_late;
        self.started += other.started;
        self.cancelled += other.cancelled;
        self.joined += other.joined;
        self.offered += other.offered;
        self.withheld += other.withheld;
        self.spared += other.spared;
        self.ignored += other.ignored;
    }
}

/// What brought an action about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Because {
    /// An event that was told just now.
    Event,
    /// Time has passed.
    Time,
}

/// The account of one session.
pub(crate) struct Watch {
    settings: Arc<Settings>,
    documents: BTreeMap<DocumentId, Document>,
    unanswered: BTreeMap<RequestId, Asked>,
    running: BTreeMap<(RequestId, LaneKind), DocumentId>,
    /// The last call of a lane in a document, while it runs or has been answered.
    calls: BTreeMap<(DocumentId, LaneKind), Call>,
    /// Where the person is.
    here: Option<DocumentId>,
    /// Whether focus or selections were ever told of: without them, requests say where the person is.
    is_told: bool,
    last_edit: Option<Moment>,
    rejected: Option<Moment>,
    /// Whether the last event rejects a suggestion that was answered.
    says_no: bool,
    tally: Tally,
}

struct Document {
    language: String,
    version: Version,
    text: Text,
    is_in_step: bool,
    edited: Option<Moment>,
    /// Lines that were asked about; forgotten when a change might have moved them.
    lines: BTreeMap<u32, Moment>,
    /// Moves of the cursor that have not been overtaken.
    moves: Vec<Move>,
}

/// A move of the cursor, as far as it may make the editor ask.
#[derive(Clone, Copy)]
struct Move {
    moment: Moment,
    /// When it asks, if it has to wait.
    due: Moment,
    may_ask: Option<AskCause>,
    same_line_cooldown: u64,
    /// Whether lines have moved since.
    is_displaced: bool,
}

struct Asked {
    moment: Moment,
    document: DocumentId,
    at: ByteOffset,
    text: Option<Text>,
    cause: RequestCause,
}

struct Call {
    request: RequestId,
    at: ByteOffset,
    text: Text,
}

impl Watch {
    pub(crate) fn new(settings: Arc<Settings>) -> Self {
        Watch {
            settings,
            documents: BTreeMap::new(),
            unanswered: BTreeMap::new(),
            running: BTreeMap::new(),
            calls: BTreeMap::new(),
            here: None,
            is_told: false,
            last_edit: None,
            rejected: None,
            says_no: false,
            tally: Tally::default(),
        }
    }

    pub(crate) fn text(&self, document: &DocumentId) -> Option<&Text> {
        self.documents.get(document).map(|open| &open.text)
    }

    pub(crate) fn version(&self, document: &DocumentId) -> Option<Version> {
        self.documents.get(document).map(|open| open.version)
    }

    pub(crate) fn unanswered(&self) -> Vec<RequestId> {
        self.unanswered.keys().copied().collect()
    }

    pub(crate) fn running(&self) -> Vec<(RequestId, LaneKind, DocumentId)> {
        let running = self.running.iter();
        running
            .map(|((request, lane), document)| (*request, *lane, document.clone()))
            .collect()
    }

    /// Takes note of an event, before the machine is told.
    pub(crate) fn told(&mut self, now: Moment, event: &Event) {
        self.says_no = matches!(event, Event::SuggestionRejected { .. });
        match event {
            Event::DocumentOpened {
                document,
                language,
                version,
                text,
            } => {
                let held = self.documents.get_mut(document);
                if let Some(open) = held.filter(|open| open.text != *text) {
                    open.lines.clear();
                    self.edited(now, document);
                    self.may_take_back(document);
                }
                let held = self.documents.remove(document);
                let (edited, lines, moves) = held.map_or_else(Default::default, |held| {
                    (held.edited, held.lines, held.moves)
                });
                let opened = Document {
                    language: language.as_str().to_owned(),
                    version: *version,
                    text: text.clone(),
                    is_in_step: true,
                    edited,
                    lines,
                    moves,
                };
                self.documents.insert(document.clone(), opened);
            }
            Event::DocumentChanged {
                document,
                version,
                edits,
                reason,
            } => self.changed(now, document, (*version, edits, *reason)),
            Event::DocumentClosed { document } => {
                self.documents.remove(document);
                self.calls.retain(|(of, _), _| of != document);
                if self.here.as_ref() == Some(document) {
                    self.here = None;
                }
            }
            Event::DocumentFocused { document } => self.seen_in(document),
            Event::SelectionChanged {
                document,
                version,
                selections,
            } => self.selected(now, document, *version, selections),
            Event::SuggestionRequested(SuggestionRequest {
                request,
                document,
                at,
                cause,
                ..
            }) => {
                if !self.is_told && self.documents.contains_key(document) {
                    self.go_to(document);
                }
                let asked = Asked {
                    moment: now,
                    document: document.clone(),
                    at: *at,
                    text: self.text(document).cloned(),
                    cause: *cause,
                };
                // One that is asked while it waits for its answer is not a second one.
                self.unanswered.entry(*request).or_insert(asked);
            }
            Event::LaneAnswered { request, lane, .. } => {
                self.running.remove(&(*request, *lane));
            }
            Event::LaneFailed { request, lane, .. } => self.ended(*request, *lane),
            Event::SuggestionRejected { .. } | Event::EditRejected { .. } => {
                self.rejected = Some(now);
                let documents = self.documents.values_mut();
                documents.for_each(|open| open.moves.clear());
            }
            Event::SettingsChanged { settings } => self.settings = Arc::clone(settings),
            Event::DiagnosticsChanged { document, .. } => {
                // Of other faults the same may be asked again.
                self.calls.remove(&(document.clone(), LaneKind::Fix));
            }
            _ => {}
        }
    }

    /// Looks at what the machine did.
    pub(crate) fn did(&mut self, now: Moment, action: &Action, because: Because, core: &Core) {
        match action {
            Action::Order(Order::AskEditor {
                cause: AskCause::Diagnostics,
                ..
            }) => {
                // No move asks, and the line of a fix that is gone has had its turn.
                assert_eq!(because, Because::Event, "diagnostics are told");
            }
            Action::Order(Order::AskEditor { spot, cause }) => {
                self.asks((now, because), &spot.document, spot.at, *cause);
            }
            Action::Order(Order::GatherContext { request, .. }) => {
                assert!(self.unanswered.contains_key(request), "context for nothing");
            }
            Action::Order(Order::StartLane { request, lane, .. }) => self.starts(*request, *lane),
            Action::Order(Order::CancelLane { request, lane, .. }) => {
                self.tally.cancelled += 1;
                let was_running = self.running.contains_key(&(*request, *lane));
                assert!(was_running, "{lane} of {request:?} does not run");
                self.ended(*request, *lane);
            }
            Action::Order(Order::Answer {
                request, answer, ..
            }) => {
                let asked = self.unanswered.remove(request);
                let asked = asked.expect("a request is answered once");
                let took = now.since(asked.moment);
                assert!(took <= LONGEST, "{request:?} is answered after {took} ms");
                match answer {
                    Answer::Candidates(offers) => {
                        self.tally.offered += 1;
                        assert!(!offers.is_empty(), "an answer says something or why not");
                        offers.iter().for_each(|offer| self.offers(offer, core));
                    }
                    Answer::Withheld(_) => self.tally.withheld += 1,
                }
            }
            Action::Order(Order::Join { request, older }) => {
                self.tally.joined += 1;
                let older = self.unanswered[older].cause;
                let newer = self.unanswered.get_mut(request).unwrap();
                newer.cause = newer.cause.max(older);
            }
            Action::Note(Note::Spared { .. }) => self.tally.spared += 1,
            Action::Note(Note::IgnoredEvent { document, reason }) => {
                self.tally.ignored += 1;
                let open = document.as_ref().and_then(|it| self.documents.get(it));
                let is_in_step = open.is_some_and(|open| open.is_in_step);
                // What was answered is carried along with the text it is about.
                let is_of_ours = self.says_no && *reason == Reason::OutOfStep;
                assert!(!(is_of_ours && is_in_step), "a suggestion lost its place");
            }
            Action::Order(_) | Action::Note(_) => {}
        }
    }

    /// Looks back when everything that was due has happened.
    pub(crate) fn end(&self) -> Tally {
        let unanswered = self.unanswered();
        assert!(unanswered.is_empty(), "never answered: {unanswered:?}");
        assert!(self.running.is_empty(), "never ended: {:?}", self.running);
        self.tally
    }

    fn changed(
        &mut self,
        now: Moment,
        document: &DocumentId,
        (version, edits, reason): (Version, &[Edit], ChangeReason),
    ) {
        let Some(open) = self.documents.get_mut(document) else {
            return;
        };
        if !open.is_in_step {
            return;
        }
        let settings = self.settings.for_language(&open.language);
        let keeps_lines =
            settings.trigger.same_line_memory == foretell_settings::SameLineMemory::Keep;
        for edit in edits {
            let Some(open) = self.documents.get_mut(document) else {
                return;
            };
            let Ok(after) = edit.apply(&open.text) else {
                open.is_in_step = false;
                open.moves.clear();
                self.calls.retain(|(of, _), _| of != document);
                return;
            };
            if !stays_within_lines(edit, &open.text, &after) {
                open.lines.clear();
                open.moves.iter_mut().for_each(|it| it.is_displaced = true);
            }
            let is_edit = !matches!(reason, ChangeReason::Undo | ChangeReason::Redo);
            if is_edit && !edit.is_nothing() {
                if !keeps_lines {
                    open.lines.clear();
                }
                self.edited(now, document);
            }
            if let Some(open) = self.documents.get_mut(document) {
                open.text = after;
            }
            self.may_take_back(document);
        }
        if let Some(open) = self.documents.get_mut(document) {
            open.version = version;
        }
    }

    /// A change that may take another back, by undo or by hand: what follows from changes of other
    /// documents may be another answer now.
    fn may_take_back(&mut self, document: &DocumentId) {
        let stays = |of: &DocumentId, lane| of == document || lane != LaneKind::NextEdit;
        self.calls.retain(|(of, lane), _| stays(of, *lane));
    }

    /// An edit that a move after it may ask about.
    fn edited(&mut self, now: Moment, document: &DocumentId) {
        let Some(open) = self.documents.get_mut(document) else {
            return;
        };
        open.moves.clear();
        let settings = self.settings.for_language(&open.language);
        if !is_ignored(document, settings) {
            open.edited = Some(now);
            self.last_edit = Some(now);
        }
    }

    fn selected(
        &mut self,
        now: Moment,
        document: &DocumentId,
        version: Option<Version>,
        selections: &[ByteRange],
    ) {
        self.seen_in(document);
        let Some(open) = self.documents.get_mut(document) else {
            return;
        };
        if version.is_some_and(|version| version != open.version) {
            return;
        }
        let settings = self.settings.for_language(&open.language);
        let is_ignored = is_ignored(document, settings);
        let settings = &settings.trigger;
        let is_one_cursor = matches!(selections, [only] if only.is_empty());
        let is_too_long = open.text.line_count() > settings.max_lines;
        if is_ignored || !open.is_in_step || !settings.enabled || !is_one_cursor || is_too_long {
            return;
        }
        let is_within =
            |since: Option<Moment>, limit: u64| since.is_some_and(|since| now.since(since) < limit);
        if is_within(self.rejected, settings.rejection_cooldown.get()) {
            (open.edited, open.lines) = Default::default();
            return;
        }
        let is_switch = is_within(self.last_edit, settings.document_switch.get());
        let may_ask = match open.edited {
            edited if is_within(edited, settings.recent_edit.get()) => Some(AskCause::Selection),
            None if is_switch => Some(AskCause::DocumentSwitch),
            _ => None,
        };
        open.moves.push(Move {
            moment: now,
            due: now.after(settings.selection_debounce.get()),
            may_ask,
            same_line_cooldown: settings.same_line_cooldown.get(),
            is_displaced: false,
        });
    }

    fn asks(
        &mut self,
        (now, because): (Moment, Because),
        document: &DocumentId,
        at: ByteOffset,
        cause: AskCause,
    ) {
        match because {
            Because::Event => self.tally.asked_at_once += 1,
            Because::Time => self.tally.asked_late += 1,
        }
        let open = self.documents.get_mut(document);
        let open = open.expect("nobody is asked about a document that is not open");
        assert!(open.is_in_step, "{document} is out of step");
        let place = open.text.position_of(at, PositionEncoding::Utf8);
        let line = place.expect("the cursor is somewhere in the text").line;

        // What asks at once is the move that was told just now; what has waited may be any that had
        // to wait until now.
        let last = open.moves.len().saturating_sub(1);
        let moves = match because {
            Because::Event => &open.moves[last..],
            Because::Time => &open.moves[..],
        };
        let is_now = |it: &&Move| because == Because::Event || it.due == now;
        let may_ask = |it: &&Move| is_now(it) && it.may_ask == Some(cause);
        assert!(moves.iter().any(|it| may_ask(&it)), "no move may ask");
        let asked = open.lines.get(&line);
        let has_cooled = |it: &&Move| asked.is_none_or(|asked| it.has_cooled(now, *asked));
        let found = moves.iter().find(|it| may_ask(it) && has_cooled(it));
        let found = *found.expect("the line was asked about a moment ago");
        // Where lines moved while it waited, its line may be another by now.
        if !found.is_displaced {
            open.lines.insert(line, found.moment);
        }
    }

    fn starts(&mut self, request: RequestId, lane: LaneKind) {
        self.tally.started += 1;
        let asked = self.unanswered.get(&request);
        let asked = asked.expect("lanes start for who waits for an answer");
        let open = self.documents.get(&asked.document);
        let open = open.expect("lanes start for what is open");
        let text = asked.text.clone();
        let text = text.expect("the document was open when it was asked");
        assert!(open.text == text, "a lane starts for an old text");

        let key = (asked.document.clone(), lane);
        if asked.cause == RequestCause::Automatic {
            if let Some(call) = self.calls.get(&key) {
                let is_same_text = call.text == text;
                let is_same_place = is_same_text && call.at == asked.at;
                assert!(!is_same_place, "{lane} is asked the same twice");
                let gate = &self.settings.for_language(&open.language).gate;
                let is_gated = lane == LaneKind::Fim && gate.enabled;
                assert!(!(is_gated && is_same_text), "the gate lets the text pass");
            }
        }
        let call = Call {
            request,
            at: asked.at,
            text,
        };
        self.calls.insert(key, call);
        let twice = self.running.insert((request, lane), asked.document.clone());
        assert!(twice.is_none(), "{lane} of {request:?} runs already");
    }

    fn offers(&self, offer: &Offer, core: &Core) {
        let candidate = &offer.candidate;
        let open = self.documents.get(&candidate.document);
        let open = open.expect("what is offered is for an open document");
        assert!(open.is_in_step, "what is offered is for a text we know");
        let after = candidate.edit.apply(&open.text);
        assert!(after.expect("what is offered fits") != open.text);
        let rejection = core.is_rejected(&candidate.document, &candidate.edit);
        assert_eq!(rejection, None, "what is offered was rejected");
    }

    /// A call has come to nothing.
    fn ended(&mut self, request: RequestId, lane: LaneKind) {
        if let Some(document) = self.running.remove(&(request, lane)) {
            let key = (document, lane);
            if self.calls.get(&key).is_some_and(|it| it.request == request) {
                self.calls.remove(&key);
            }
        }
    }

    fn seen_in(&mut self, document: &DocumentId) {
        // A look at the output is not leaving.
        if self.documents.contains_key(document) && !is_ignored(document, &self.settings) {
            self.is_told = true;
            self.go_to(document);
        }
    }

    fn go_to(&mut self, document: &DocumentId) {
        if self.here.as_ref() != Some(document) {
            if let Some(left) = self.here.replace(document.clone()) {
                self.calls.remove(&(left, LaneKind::Fim));
            }
        }
    }
}

impl Move {
    /// Whether a line that was asked about then may be asked about again.
    fn has_cooled(&self, now: Moment, asked: Moment) -> bool {
        // A later move may have asked first, when settings changed in between.
        let later = if asked > self.moment {
            now
        } else {
            self.moment
        };
        later.since(asked) >= self.same_line_cooldown
    }
}

fn is_ignored(document: &DocumentId, settings: &Settings) -> bool {
    let mut ignored = settings.trigger.ignored_schemes.iter();
    ignored.any(|scheme| document.scheme() == Some(scheme))
}

/// Whether every line is where it was.
fn stays_within_lines(edit: &Edit, before: &Text, after: &Text) -> bool {
    let [only] = edit.replacements() else {
        return edit.is_nothing();
    };
    let removed = before.read(only.range()).unwrap();
    let has_break = |text: &str| text.contains(['\n', '\r']);
    let is_within = !has_break(&removed) && !has_break(only.new_text());
    // Between a CR and a LF a character makes a line or takes one away.
    is_within && before.line_count() == after.line_count()
}
