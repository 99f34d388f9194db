//! Arbitrary events: bytes turned into moments and events, mostly likely ones, now and then such as
//! cannot be.

use std::sync::Arc;

use foretell_core::{
    EditPlace, Event, FailureKind, GAP_STEPS, LaneCandidate, LaneFailure, RejectionId,
    RejectionReports, RequestCause, RequestId, RequestKind, Spot, SuggestionId, SuggestionRequest,
    TokenUsage, TypingGaps,
};
use foretell_settings::{BackEnd, Millis, SameLineMemory, Settings};
use foretell_text::{
    ByteOffset, ByteRange, ChangeReason, CursorPrediction, Diagnostic, DiagnosticSeverity,
    DocumentId, Edit, LaneKind, LaneSpeed, Language, Replacement, Text, TextProbability, Version,
};

use super::{ArbitrarySession, DOCUMENTS, KEPT, keep};
use crate::string_model;

/// Documents are cut when they grow beyond this many bytes.
const LONGEST_TEXT: usize = 48;

/// The texts of documents that are opened.
pub(super) const TEXTS: [&str; 6] = [
    "",
    "fn a() {}\n",
    "a\nb\nc\n\nd e f\n",
    "é\r\n中😀\rx\n",
    "fn a() {}\nfn b() {}\nfn c() {}\n",
    "aaa\naaa\naaa",
];

/// Texts that are typed and suggested; few, so that the same comes again.
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

impl<B: Iterator<Item = u8>> ArbitrarySession<B> {
    /// The next byte, or nothing for ever.
    pub(super) fn byte(&mut self) -> u8 {
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
    pub(super) fn moment(&mut self) -> u64 {
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

    /// The next event.
    pub(super) fn event(&mut self) -> Event {
        let number = self.document();
        let document = self.documents[number].document.clone();
        let known = &self.documents[number];
        let is_lost = !known.is_in_step || self.core.text(&document).is_none();
        if let Some(edit) = self.said_so_far(&document) {
            // Many reject a first line while the model goes on.
            if self.byte() < 96 {
                return Event::EditRejected { document, edit };
            }
        }
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
            226 => Event::DocumentSaved { document },
            227..232 => {
                self.here = number;
                Event::DocumentFocused { document }
            }
            232..237 => self.diagnose(number),
            237..239 => self.find_secrets(number),
            239 if self.byte() < 64 => Event::DocumentPaused {
                document: self.documents[number].document.clone(),
                is_paused: self.byte() < 128,
            },
            239 => Event::ExclusionKnown {
                document: self.documents[number].document.clone(),
                is_excluded: self.byte() < 64,
            },
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
            252 if self.byte() < 128 => Event::ContestKnown {
                is_contested: self.byte() < 64,
            },
            253 if self.byte() < 64 => Event::LaneSpeedKnown {
                lane: LaneKind::ALL[self.below(LaneKind::ALL.len())],
                speed: LaneSpeed {
                    read: Some(self.byte().into()),
                    written: Some(self.byte().into()),
                    repeats_region: self.byte() < 128,
                },
            },
            253 if self.byte() < 128 => Event::TypingGapsKnown {
                gaps: TypingGaps::from_rows([("word.line-end.3", [self.byte().into(); GAP_STEPS])]),
            },
            252 => Event::ClientConnected {
                rejections: self.of(&[RejectionReports::Explicit, RejectionReports::Inferred]),
                asks_when_told: self.byte() < 128,
            },
            _ => {
                let number = self.below(DOCUMENTS);
                self.here = number;
                self.open(number)
            }
        }
    }

    /// A document is opened with a text.
    pub(super) fn opened(&mut self, number: usize, text: &str) -> Event {
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
            let cut = string_model::boundaries(&self.text(number).unwrap().to_string());
            edit = Replacement::deletion(string_model::range(
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
                let grown = edit.map_offset(last.range().end(), foretell_text::OffsetBias::After);
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
            240..248 => vec![string_model::range(0, 1)],
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
        Event::SuggestionRequested(SuggestionRequest {
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
        })
    }

    /// What a model that goes on has said of a document's text, as it is now.
    fn said_so_far(&self, document: &DocumentId) -> Option<Edit> {
        let text = self.core.text(document)?;
        let said = self.said.values();
        let mut said = said.filter(|it| it.document == *document && it.text == *text);
        said.find_map(|it| it.edits.first().cloned())
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
        if self.byte() >= 192 {
            return self.places_found(request, lane);
        }
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
        let goes_on = self.byte();
        if goes_on >= 240 {
            return Event::LaneReading { request, lane };
        }
        if goes_on >= 176 {
            return Event::LaneProgressed {
                request,
                lane,
                candidates,
            };
        }
        let prompt_tokens = u64::from(self.byte());
        Event::LaneAnswered {
            request,
            lane,
            candidates,
            usage: TokenUsage {
                prompt_tokens,
                completion_tokens: u64::from(self.byte()),
                read_tokens: (prompt_tokens % 2 == 0).then_some(prompt_tokens / 2),
            },
            withheld: self.below(8) / 7,
        }
    }

    /// Places to ask about besides, most of them in open documents.
    fn places_found(&mut self, request: RequestId, lane: LaneKind) -> Event {
        let places = (0..self.below(12)).map(|_| {
            let number = self.document();
            EditPlace {
                document: self.documents[number].document.clone(),
                at: self.place(number),
            }
        });
        let places = places.collect();
        Event::PlacesFound {
            request,
            lane,
            places,
        }
    }

    /// What the predictor says that answers at once: mostly something at the cursor.
    pub(super) fn predicted(&mut self, request: RequestId, spot: &Spot) -> Event {
        let number = self.number_of(&spot.document).unwrap_or_default();
        let candidate = match self.byte() {
            0..40 => None,
            40..200 => Some(LaneCandidate::new(
                spot.document.clone(),
                insertion(spot.at, self.of(&PIECES)),
            )),
            _ => Some(self.suggestion(number)),
        };
        let prediction = candidate.map(|candidate| CursorPrediction {
            candidate,
            probability: TextProbability::from_thousandths(4 * u16::from(self.byte())),
        });
        Event::Predicted {
            request,
            prediction,
            withheld: self.below(8) / 7,
        }
    }

    fn lane_fails(&mut self) -> Event {
        let (request, lane, _) = self.call();
        let failure = LaneFailure {
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
            usage: TokenUsage::default(),
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
            severity: DiagnosticSeverity::Error,
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

    /// A lane's answer about a document: mostly something that fits, often something that was
    /// offered or rejected before, seldom what cannot be.
    fn suggestion(&mut self, number: usize) -> LaneCandidate {
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
        let document = self.documents[number].document.clone();
        LaneCandidate {
            // Somewhere, and seldom in the text that it leads to.
            cursor: (which % 2 == 0).then(|| ByteOffset::new(which * 3)),
            ..LaneCandidate::new(document, edit)
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
        let places = string_model::boundaries(&text.to_string());
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

fn insertion(at: ByteOffset, new_text: &str) -> Edit {
    Edit::from(Replacement::insertion(at, new_text))
}

/// Settings that differ in what matters here; the first are those of everybody, but for the size of
/// the memory.
pub(super) fn settings() -> Vec<Arc<Settings>> {
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
            // The least that settings can say, so that a trace can say it too.
            (it.race.cap, it.race.explicit_cap) = (Millis::new(1), Millis::new(1));
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
        changed(&|it| {
            // One server, which answers one question at a time.
            it.lanes.fim.kind = BackEnd::LlamaCpp;
            it.lanes.next_edit.kind = BackEnd::OpenAiChat;
            it.lanes.fim.url = Some("http://localhost:8080".into());
            it.lanes.next_edit.url = it.lanes.fim.url.clone();
        }),
        changed(&|it| {
            it.lanes.fim.requests_per_minute = Some(10);
            it.lanes.next_edit.tokens_per_day = Some(2_000);
            it.lanes.fix.requests_per_day = Some(3);
        }),
    ]
}
