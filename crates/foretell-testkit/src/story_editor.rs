//! An editor with one person in it, driving the machine.
//!
//! Stories about what the machine does are told with this, so that they read as what a person does.
//! There is a clock that only the story moves: [`Editor::at`] lets time pass, and what is due by then
//! happens at its own moment. Everything that the machine wants is kept as short lines
//! ([`Editor::log`]); lines and columns are counted from one, as people do.
//!
//! After every event the machine checks itself, and this checks what no single event shows: that
//! every request is answered exactly once, that only what runs is stopped, and that no time that the
//! machine asks to be woken at passes without it; and what holds in every session
//! ([`standing_promises`](crate::standing_promises)).

mod log_lines;
pub(crate) mod promises;

use std::sync::Arc;

use expect_test::Expect;
use foretell_core::{
    Action, Answer, Core, EditPlace, Event, FailureKind, LaneCandidate, LaneFailure, LaneReport,
    Moment, Note, Offer, Order, RejectionId, RequestCause, RequestId, RequestKind, Spot,
    SuggestionId, SuggestionRequest, TokenUsage,
};
use foretell_settings::{Millis, Settings};
use foretell_text::{
    ByteOffset, ByteRange, ChangeReason, CursorPrediction, Diagnostic, DiagnosticFix,
    DiagnosticSeverity, DocumentId, Edit, LaneKind, Language, OffsetBias, Position,
    PositionEncoding, RecentEdit, Replacement, Text, TextProbability, Version,
};

use crate::standing_promises::StandingPromises;
use crate::string_model::range;
use promises::MachinePromises;

/// An editor with one person in it.
pub struct Editor {
    /// The machine that it drives.
    pub core: Core,
    /// The document that is looked at.
    pub document: DocumentId,
    now: Moment,
    /// Where the cursor is in that document.
    pub cursor: ByteOffset,
    settings: Settings,
    version: i64,
    /// How many requests were made.
    requests: u64,
    undo: Vec<Edit>,
    redo: Vec<Edit>,
    notes: Vec<Note>,
    reports: Vec<LaneReport>,
    offers: Vec<Offer>,
    log: Vec<String>,
    promises: MachinePromises,
    standing: StandingPromises,
    /// The lines that a predictor which answers at once knows, each with its probability in thousandths.
    known_lines: Vec<(String, u16)>,
    /// Whether that predictor is asked and never answers.
    pub is_predictor_silent: bool,
    /// Whether the person saves after every change, so that it is finished at once.
    pub saves_at_once: bool,
}

impl Editor {
    /// An editor in which a text is open.
    pub fn with(text: &str) -> Self {
        Editor::with_settings(text, |_| {})
    }

    /// The same with other settings.
    pub fn with_settings(text: &str, change: impl FnOnce(&mut Settings)) -> Self {
        let mut settings = Settings::default();
        change(&mut settings);
        let mut editor = Editor {
            core: Core::new(Arc::new(settings.clone())),
            document: DocumentId::new("file:///test.ts"),
            now: Moment::default(),
            cursor: ByteOffset::ZERO,
            version: 0,
            requests: 0,
            undo: Vec::new(),
            redo: Vec::new(),
            notes: Vec::new(),
            reports: Vec::new(),
            offers: Vec::new(),
            log: Vec::new(),
            promises: MachinePromises::default(),
            standing: StandingPromises::new(Arc::new(settings.clone())),
            known_lines: Vec::new(),
            is_predictor_silent: false,
            saves_at_once: true,
            settings,
        };
        editor.open(text);
        editor
    }

    /// The same with a predictor that answers at once. It knows some lines, each with how likely it is, in
    /// thousandths, that a line which begins so goes on so.
    pub fn predicting(
        text: &str,
        known_lines: &[(&str, u16)],
        change: impl FnOnce(&mut Settings),
    ) -> Self {
        let mut editor = Editor::with_settings("", change);
        let core = Core::new(Arc::new(editor.settings.clone()));
        editor.core = core.with_predictor();
        editor.log.clear();
        editor.learn(known_lines);
        editor.open(text);
        editor
    }

    /// The predictor knows other lines now.
    pub fn learn(&mut self, known_lines: &[(&str, u16)]) {
        let known = known_lines.iter();
        self.known_lines = known
            .map(|(line, odds)| ((*line).to_owned(), *odds))
            .collect();
    }

    /// Changes settings.
    pub fn set(&mut self, change: impl FnOnce(&mut Settings)) {
        change(&mut self.settings);
        let settings = Arc::new(self.settings.clone());
        self.tell(Event::SettingsChanged { settings });
    }

    /// Lets time pass until so many milliseconds after the beginning. Everything due by then happens at
    /// its own moment, one after the other.
    pub fn at(&mut self, millis: u64) -> &mut Self {
        let until = Moment::from_millis(millis);
        assert!(self.now <= until, "a story that goes back in time");
        while let Some(due) = self.core.poll_timeout().filter(|due| *due <= until) {
            assert!(self.now <= due, "something was due before {}", self.now);
            self.now = due;
            self.core.handle_timeout(due);
            self.listen();
            // Waking it twice does no harm.
            self.core.handle_timeout(due);
            assert_eq!(self.core.poll_action(), None, "said at the second call");
            let next = self.core.poll_timeout();
            assert!(next.is_none_or(|next| next > due), "still due: {next:?}");
        }
        self.now = until;
        self
    }

    /// The same from now on.
    pub fn after(&mut self, millis: u64) -> &mut Self {
        self.at(self.now.after(millis).millis())
    }

    /// The machine's actions since this was last asked, each with its time.
    pub fn log(&mut self) -> Vec<String> {
        std::mem::take(&mut self.log)
    }

    /// Compares the machine's actions since this was last asked with a story: one line for each, and a
    /// single one without the end of its line, so that it stands in one line of the test.
    pub fn expect_log(&mut self, story: Expect) {
        let mut log = self.log();
        if log.len() > 1 {
            log.push(String::new());
        }
        story.assert_eq(&log.join("\n"));
    }

    /// Tells the machine something and lets it check itself.
    pub fn tell(&mut self, event: Event) {
        self.promises.told(&event);
        self.standing.told(&event);
        self.core.handle(self.now, event);
        self.listen();
    }

    /// The same at a moment, if that is still to come.
    pub fn tell_at(&mut self, now: Moment, event: Event) {
        self.at(now.max(self.now).millis());
        self.tell(event);
    }

    /// Opens the document, or sends its whole text again. Its language goes by the end of its name.
    pub fn open(&mut self, text: &str) {
        let language = match self.document.as_str().rsplit_once('.') {
            Some((_, "ts")) => "typescript",
            Some((_, "py")) => "python",
            _ => "plaintext",
        };
        self.tell(Event::DocumentOpened {
            document: self.document.clone(),
            language: Language::new(language),
            version: Version::new(self.version),
            text: Text::from(text),
        });
    }

    /// Closes the document and gives its last text.
    pub fn close(&mut self) -> String {
        let text = self.text();
        self.tell(Event::DocumentClosed {
            document: self.document.clone(),
        });
        text
    }

    /// Goes to another document, which is opened if it was not. The machine is not told; see
    /// [`focus`](Editor::focus).
    pub fn go_to(&mut self, uri: &str, text: &str) -> &mut Self {
        self.document = DocumentId::new(uri);
        self.cursor = ByteOffset::ZERO;
        if self.core.text(&self.document).is_none() {
            self.open(text);
        }
        self
    }

    /// Tells the machine that the person looks at the document.
    pub fn focus(&mut self) {
        self.tell(Event::DocumentFocused {
            document: self.document.clone(),
        });
    }

    /// The latest changes in the document, the latest first.
    pub fn recent_edits(&self) -> Vec<RecentEdit> {
        self.core.recent_edits(self.now, &self.document)
    }

    /// The text as the machine has it.
    pub fn text(&self) -> String {
        self.core.text(&self.document).unwrap().to_string()
    }

    /// Makes a change that can be undone.
    pub fn edit(&mut self, edit: Edit) {
        self.undo.push(self.inverse(&edit));
        self.redo.clear();
        self.edits(vec![edit], ChangeReason::Typed);
    }

    /// Makes several changes in one notification.
    pub fn edits(&mut self, edits: Vec<Edit>, reason: ChangeReason) {
        self.edits_at(self.now, edits, reason);
    }

    /// The same at a moment.
    pub fn edits_at(&mut self, now: Moment, edits: Vec<Edit>, reason: ChangeReason) {
        self.version += 1;
        for edit in &edits {
            self.cursor = edit.map_offset(self.cursor, OffsetBias::After);
        }
        self.tell_at(
            now,
            Event::DocumentChanged {
                document: self.document.clone(),
                version: Version::new(self.version),
                edits,
                reason,
            },
        );
        if self.saves_at_once && self.core.text(&self.document).is_some() {
            let document = self.document.clone();
            self.tell(Event::DocumentSaved { document });
        }
    }

    /// Types a text key by key.
    pub fn type_at(&mut self, at: usize, keys: &str) {
        self.cursor = ByteOffset::new(at);
        self.type_keys(keys);
    }

    /// Types a text key by key where the cursor is.
    pub fn type_keys(&mut self, keys: &str) {
        for key in keys.chars() {
            self.edit(insert(self.cursor.get(), &key.to_string()));
        }
    }

    /// Deletes the character before the cursor.
    pub fn backspace(&mut self) {
        let text = self.text();
        let before = text[..self.cursor.get()].char_indices().next_back();
        self.edit(delete(before.unwrap().0, self.cursor.get()));
    }

    /// Takes the last change back.
    pub fn undo(&mut self) {
        let inverse = self.undo.pop().unwrap();
        self.redo.push(self.inverse(&inverse));
        self.edits(vec![inverse], ChangeReason::Undo);
    }

    /// Makes the change again that was taken back last.
    pub fn redo(&mut self) {
        let again = self.redo.pop().unwrap();
        self.undo.push(self.inverse(&again));
        self.edits(vec![again], ChangeReason::Redo);
    }

    /// Puts the cursor on a line and column without telling the machine.
    pub fn place_cursor(&mut self, line: u32, column: u32) {
        self.cursor = self.offset_of(line, column);
    }

    /// Moves the cursor to a line and column.
    pub fn move_to(&mut self, line: u32, column: u32) {
        self.place_cursor(line, column);
        self.rest();
    }

    /// Tells where the cursor is, as editors do after every key.
    pub fn rest(&mut self) {
        let cursor = ByteRange::empty(self.cursor);
        self.select(&[cursor]);
    }

    /// Selects something, with as many cursors.
    pub fn select(&mut self, selections: &[ByteRange]) {
        self.tell(Event::SelectionChanged {
            document: self.document.clone(),
            version: self.core.version(&self.document),
            selections: selections.to_vec(),
        });
    }

    /// The editor asks for something to draw at the cursor, by itself.
    pub fn ask(&mut self) -> RequestId {
        self.request(RequestCause::Automatic, RequestKind::Inline)
    }

    /// The person asks for something at the cursor, by a key.
    pub fn invoke(&mut self) -> RequestId {
        self.request(RequestCause::Explicit, RequestKind::Inline)
    }

    /// Asks for a suggestion at the cursor. Requests are numbered from one.
    pub fn request(&mut self, cause: RequestCause, kind: RequestKind) -> RequestId {
        self.requests += 1;
        let request = RequestId::new(self.requests);
        self.tell(Event::SuggestionRequested(SuggestionRequest {
            request,
            document: self.document.clone(),
            version: self.core.version(&self.document),
            at: self.cursor,
            cause,
            kind,
        }));
        request
    }

    /// The editor no longer wants an answer.
    pub fn cancel(&mut self, request: RequestId) {
        self.tell(Event::RequestCancelled { request });
    }

    /// There are places of the document that a lane may be asked about besides.
    pub fn places_found(&mut self, request: RequestId, lane: LaneKind, places: &[usize]) {
        let document = &self.document;
        let places = places.iter().map(|at| EditPlace {
            document: document.clone(),
            at: ByteOffset::new(*at),
        });
        self.tell(Event::PlacesFound {
            request,
            lane,
            places: places.collect(),
        });
    }

    /// A lane comes back with nothing, while there are other places of the document to ask about.
    pub fn lane_has_nothing(&mut self, request: RequestId, lane: LaneKind, places: &[usize]) {
        self.places_found(request, lane, places);
        self.lane_answers(request, lane, &[]);
    }

    /// A lane comes back with changes of the document.
    pub fn lane_answers(&mut self, request: RequestId, lane: LaneKind, edits: &[Edit]) {
        let candidates = edits
            .iter()
            .map(|edit| LaneCandidate::new(self.document.clone(), edit.clone()));
        self.tell(Event::LaneAnswered {
            request,
            lane,
            candidates: candidates.collect(),
            usage: TokenUsage::default(),
            withheld: 0,
        });
    }

    /// A lane has said a part of its answer, and goes on.
    pub fn lane_goes_on(&mut self, request: RequestId, lane: LaneKind, edits: &[Edit]) {
        let candidates = edits
            .iter()
            .map(|edit| LaneCandidate::new(self.document.clone(), edit.clone()));
        let candidates = candidates.collect();
        self.tell(Event::LaneProgressed {
            request,
            lane,
            candidates,
        });
    }

    /// The server of a lane reads on.
    pub fn lane_reads_on(&mut self, request: RequestId, lane: LaneKind) {
        self.tell(Event::LaneReading { request, lane });
    }

    /// A lane comes back with a text to put in at the cursor.
    pub fn lane_suggests(&mut self, request: RequestId, lane: LaneKind, new_text: &str) {
        let edit = insert(self.cursor.get(), new_text);
        self.lane_answers(request, lane, &[edit]);
    }

    /// A lane breaks.
    pub fn lane_fails(&mut self, request: RequestId, lane: LaneKind) {
        let failure = LaneFailure {
            kind: FailureKind::ServerError,
            retry_after_ms: None,
        };
        self.tell(Event::LaneFailed {
            request,
            lane,
            failure,
            usage: TokenUsage::default(),
        });
    }

    /// A compiler has something to say about a stretch of the document, and nothing else.
    pub fn diagnose(&mut self, start: usize, end: usize) {
        self.diagnose_with(start, end, Vec::new());
    }

    /// The same, and knows what should stand there.
    pub fn diagnose_fixable(&mut self, start: usize, end: usize, fixed: &str) {
        let fix = DiagnosticFix {
            title: "mend it".to_owned(),
            standing: foretell_text::FixStanding::Possible,
            edit: Edit::from(Replacement::new(range(start, end), fixed)),
        };
        self.diagnose_with(start, end, vec![fix]);
    }

    fn diagnose_with(&mut self, start: usize, end: usize, fixes: Vec<DiagnosticFix>) {
        let diagnostic = Diagnostic {
            range: range(start, end),
            severity: DiagnosticSeverity::Error,
            source: None,
            code: None,
            message: "this does not work".to_owned(),
            fixes,
        };
        self.tell(Event::DiagnosticsChanged {
            document: self.document.clone(),
            version: self.core.version(&self.document),
            diagnostics: vec![diagnostic],
        });
    }

    /// The person takes the first candidate of an answer. The document is not changed.
    pub fn accept(&mut self, request: RequestId) {
        self.tell(Event::SuggestionAccepted {
            suggestion: first_of(request),
            length: None,
        });
    }

    /// The person rejects the first candidate of an answer.
    pub fn dismiss(&mut self, request: RequestId) {
        self.tell(Event::SuggestionRejected {
            suggestion: first_of(request),
        });
    }

    /// The first candidate of an answer goes away without a word.
    pub fn pass_over(&mut self, request: RequestId) {
        self.tell(Event::SuggestionIgnored {
            suggestion: first_of(request),
        });
    }

    /// Rejects an edit.
    pub fn reject(&mut self, edit: &Edit) {
        self.tell(Event::EditRejected {
            document: self.document.clone(),
            edit: edit.clone(),
        });
    }

    /// Whether an edit is rejected.
    pub fn rejects(&self, edit: &Edit) -> bool {
        self.matches(edit).is_some()
    }

    /// By which rejection an edit is rejected.
    pub fn matches(&self, edit: &Edit) -> Option<u64> {
        let matched = self.core.is_rejected(&self.document, edit);
        matched.map(RejectionId::get)
    }

    /// The machine's last note.
    pub fn last_record(&self) -> &Note {
        self.notes.last().unwrap()
    }

    /// The lane reports of the last answer.
    pub fn last_reports(&self) -> &[LaneReport] {
        &self.reports
    }

    /// What the last answer suggests.
    pub fn last_offers(&self) -> &[Offer] {
        &self.offers
    }

    /// The offset of a line and column.
    fn offset_of(&self, line: u32, column: u32) -> ByteOffset {
        let text = self.core.text(&self.document).unwrap();
        let position = Position::new(line - 1, column - 1);
        text.offset_at(position, PositionEncoding::Utf8).unwrap()
    }

    fn inverse(&self, edit: &Edit) -> Edit {
        let text = self.core.text(&self.document).unwrap();
        edit.inverse(text).unwrap()
    }

    /// Takes in what the machine wants, and lets it check itself.
    fn listen(&mut self) {
        self.hear_all();
        while let Some((request, spot)) = self.promises.take_prediction() {
            if self.is_predictor_silent {
                continue;
            }
            let prediction = self.prediction(&spot);
            self.core.handle(
                self.now,
                Event::Predicted {
                    request,
                    prediction,
                    withheld: 0,
                },
            );
            self.hear_all();
        }
        self.core.assert_invariants();
    }

    /// The first known line that begins as the one at a place does, if that is not all of it.
    fn prediction(&self, spot: &Spot) -> Option<CursorPrediction> {
        let text = self.core.text(&spot.document)?;
        let line = text.line_at(spot.at).ok()?;
        let before = text
            .read(ByteRange::new(line.start(), spot.at).ok()?)
            .ok()?;
        let before = before.trim_start();
        let mut known = self.known_lines.iter();
        let (rest, odds) = known.find_map(|(line, odds)| {
            let rest = line.strip_prefix(before).filter(|_| !before.is_empty())?;
            (!rest.is_empty()).then_some((rest, odds))
        })?;
        Some(CursorPrediction {
            candidate: LaneCandidate::new(spot.document.clone(), insert(spot.at.get(), rest)),
            probability: TextProbability::from_thousandths(*odds),
        })
    }

    /// Takes in what the machine wants.
    fn hear_all(&mut self) {
        while let Some(action) = self.core.poll_action() {
            self.standing.heard(&action, &self.core);
            self.log
                .push(log_lines::of(self.now, &action, &self.core, &self.document));
            match action {
                Action::Note(note) => self.notes.push(note),
                Action::Order(order) => {
                    self.promises.heard(&order);
                    if let Order::Answer { lanes, answer, .. } = order {
                        self.reports = lanes;
                        self.offers = match answer {
                            Answer::Candidates(offers) => offers,
                            Answer::Withheld(_) => Vec::new(),
                        };
                    }
                }
            }
        }
    }
}

fn first_of(request: RequestId) -> SuggestionId {
    SuggestionId {
        request,
        candidate: 0,
    }
}

/// Settings with which lanes start as soon as they are asked for, without context.
pub fn at_once(settings: &mut Settings) {
    settings.context.enabled = false;
    settings.pace.rhythm = false;
    settings.pace.base = Millis::ZERO;
    settings.pace.min = Millis::ZERO;
}

/// The same, and only FIM is asked.
pub fn fim_alone(settings: &mut Settings) {
    at_once(settings);
    settings.lanes.next_edit.enabled = false;
    settings.lanes.fix.enabled = false;
}

/// Puts a text in.
pub fn insert(at: usize, new_text: &str) -> Edit {
    Edit::from(Replacement::insertion(ByteOffset::new(at), new_text))
}

/// Takes a stretch out.
pub fn delete(start: usize, end: usize) -> Edit {
    Edit::from(Replacement::deletion(range(start, end)))
}

/// Puts a text in the place of a stretch.
pub fn replace(start: usize, end: usize, new_text: &str) -> Edit {
    Edit::from(Replacement::new(range(start, end), new_text))
}
