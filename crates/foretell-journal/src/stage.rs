//! A machine with a journal beside it, and a clock that only the story moves. For tests.
//!
//! What is due happens at its own moment; every event is heard before the machine is told, and every
//! order in its order, as the server does it.

#![allow(
    clippy::unwrap_used,
    reason = "a test that is wrong about its own input should stop at once and say where"
)]

use std::collections::BTreeMap;
use std::sync::Arc;

use foretell_core::{
    Core, Event, Fact, FactScene, FailureKind, FaultReport, LaneCandidate, LaneFailure, Moment,
    Observer, RequestCause, RequestId, RequestKind, SuggestionId, SuggestionRequest, TokenUsage,
};
use foretell_settings::{Home, RawSettings, Settings};
use foretell_text::{
    ByteOffset, ByteRange, ChangeReason, CodePlace, DocumentId, Edit, LaneKind, Language,
    Replacement, Text, Version,
};

use crate::explain::WhyContext;
use crate::journal::Journal;
use crate::why_report::WhyReport;

/// When the clock of people stood at when the machine's began.
pub(crate) const BEGAN: u64 = 1_700_000_000_000;

/// Lanes start as soon as they are asked for, and only fim is asked.
pub(crate) const FIM_ALONE: &str = "[pace]\nbaseMs = 0\nminMs = 0\nrhythm = false\n\
    [context]\nenabled = false\n[lanes.nextEdit]\nenabled = false\n[lanes.fix]\nenabled = false\n";

pub(crate) struct JournalStage {
    pub(crate) core: Core,
    pub(crate) journal: Journal,
    pub(crate) settings: Arc<Settings>,
    pub(crate) document: DocumentId,
    pub(crate) now: Moment,
    pub(crate) learned_from: Option<CodePlace>,
    pub(crate) excluded: Option<Arc<str>>,
    pub(crate) contested: Option<String>,
    pub(crate) faults: BTreeMap<LaneKind, FaultReport>,
    version: i64,
    requests: u64,
}

impl JournalStage {
    /// A document with a text, and settings besides those of [`FIM_ALONE`].
    pub(crate) fn with(written: &str, text: &str) -> Self {
        let written = format!("{written}\n{FIM_ALONE}");
        JournalStage::plainly(&written, text)
    }

    /// The same with these settings only.
    pub(crate) fn plainly(written: &str, text: &str) -> Self {
        JournalStage::set_up(&[(Home::UserFile, "config.toml", written)], text)
    }

    /// The same with settings from several homes.
    pub(crate) fn set_up(homes: &[(Home, &str, &str)], text: &str) -> Self {
        let read = homes.iter().map(|(home, source, written)| {
            let (raw, faults) = RawSettings::from_toml(*home, source, written);
            assert!(faults.is_empty(), "{faults:?}");
            raw
        });
        let (settings, faults) = Settings::resolve(&read.collect::<Vec<_>>());
        assert!(faults.is_empty(), "{faults:?}");
        let settings = Arc::new(settings);
        let mut stage = JournalStage {
            core: Core::new(Arc::clone(&settings)),
            journal: Journal::default(),
            settings,
            document: DocumentId::new("file:///src/cart.ts"),
            now: Moment::from_millis(0),
            learned_from: None,
            excluded: None,
            contested: None,
            faults: BTreeMap::new(),
            version: 1,
            requests: 0,
        };
        stage.open("file:///src/cart.ts", text);
        stage
    }

    pub(crate) fn open(&mut self, uri: &str, text: &str) {
        self.document = DocumentId::new(uri);
        self.tell(Event::DocumentOpened {
            document: self.document.clone(),
            language: Language::new("typescript"),
            version: Version::new(self.version),
            text: Text::from(text),
        });
    }

    /// Lets time pass until so many milliseconds after the beginning.
    pub(crate) fn at(&mut self, millis: u64) -> &mut Self {
        let until = Moment::from_millis(millis);
        while let Some(due) = self.core.poll_timeout().filter(|due| *due <= until) {
            self.now = due;
            self.core.handle_timeout(due);
            self.listen();
        }
        self.now = until;
        self
    }

    pub(crate) fn tell(&mut self, event: Event) {
        self.see(Fact::Event(&event));
        self.core.handle(self.now, event);
        self.listen();
    }

    fn listen(&mut self) {
        while let Some(action) = self.core.poll_action() {
            self.see(Fact::from(&action));
        }
    }

    fn see(&mut self, fact: Fact<'_>) {
        let faults = &self.faults;
        let scene = FactScene {
            core: &self.core,
            fault: &|lane| faults.get(&lane).cloned(),
        };
        self.journal.saw(self.now, fact, &scene);
    }

    pub(crate) fn type_at(&mut self, at: usize, new_text: &str) {
        self.version += 1;
        let insertion = Replacement::insertion(ByteOffset::new(at), new_text);
        self.tell(Event::DocumentChanged {
            document: self.document.clone(),
            version: Version::new(self.version),
            edits: vec![Edit::from(insertion)],
            reason: ChangeReason::Typed,
        });
    }

    pub(crate) fn move_to(&mut self, at: usize) {
        self.tell(Event::SelectionChanged {
            document: self.document.clone(),
            version: Some(Version::new(self.version)),
            selections: vec![ByteRange::empty(ByteOffset::new(at))],
        });
    }

    pub(crate) fn ask(&mut self, at: usize) -> RequestId {
        self.request(at, RequestCause::Automatic)
    }

    /// Asks for the next edit.
    pub(crate) fn ask_edit(&mut self, at: usize) -> RequestId {
        self.request_of(RequestKind::Edit, at, RequestCause::Automatic)
    }

    pub(crate) fn request(&mut self, at: usize, cause: RequestCause) -> RequestId {
        self.request_of(RequestKind::Inline, at, cause)
    }

    fn request_of(&mut self, kind: RequestKind, at: usize, cause: RequestCause) -> RequestId {
        self.requests += 1;
        let request = RequestId::new(self.requests);
        self.tell(Event::SuggestionRequested(SuggestionRequest {
            request,
            document: self.document.clone(),
            version: Some(Version::new(self.version)),
            at: ByteOffset::new(at),
            cause,
            kind,
        }));
        request
    }

    /// A lane comes back with a text to put in, or with nothing.
    pub(crate) fn lane_suggests(
        &mut self,
        request: RequestId,
        lane: LaneKind,
        put_in: Option<(usize, &str)>,
    ) {
        self.faults.remove(&lane);
        let candidate = put_in.map(|(at, new_text)| {
            LaneCandidate::new(
                self.document.clone(),
                Edit::from(Replacement::insertion(ByteOffset::new(at), new_text)),
            )
        });
        self.tell(Event::LaneAnswered {
            request,
            lane,
            candidates: candidate.into_iter().collect(),
            usage: TokenUsage {
                prompt_tokens: 100,
                completion_tokens: 10,
                read_tokens: None,
            },
            withheld: 0,
        });
    }

    pub(crate) fn lane_fails(&mut self, request: RequestId, lane: LaneKind, says: &str) {
        self.lane_fails_by(request, lane, FailureKind::Refused, says);
    }

    pub(crate) fn lane_fails_by(
        &mut self,
        request: RequestId,
        lane: LaneKind,
        kind: FailureKind,
        says: &str,
    ) {
        let says = says.into();
        self.faults.insert(lane, FaultReport { kind, says });
        self.tell(Event::LaneFailed {
            request,
            lane,
            failure: LaneFailure {
                kind,
                retry_after_ms: None,
            },
            usage: TokenUsage::default(),
        });
    }

    pub(crate) fn show(&mut self, request: RequestId) {
        let suggestion = first_of(request);
        self.tell(Event::SuggestionShown { suggestion });
    }

    pub(crate) fn reject(&mut self, request: RequestId) {
        let suggestion = first_of(request);
        self.tell(Event::SuggestionRejected { suggestion });
    }

    pub(crate) fn accept(&mut self, request: RequestId) {
        let suggestion = first_of(request);
        let length = None;
        self.tell(Event::SuggestionAccepted { suggestion, length });
    }

    /// Calls `ask` with the journal and all that a question needs besides.
    pub(crate) fn around<T>(&self, ask: impl FnOnce(&Journal, &WhyContext<'_>) -> T) -> T {
        let around = WhyContext {
            now: self.now,
            clock: BEGAN + self.now.millis(),
            core: &self.core,
            settings: &self.settings,
            fault: &|lane| self.faults.get(&lane).cloned(),
            learned_from: &|_| self.learned_from.clone(),
            excluded: &|_| self.excluded.clone(),
            contested: self.contested.as_deref(),
        };
        ask(&self.journal, &around)
    }

    pub(crate) fn why(&self, limit: usize) -> WhyReport {
        let document = self.document.clone();
        self.around(|journal, around| journal.why(Some(&document), limit, around))
    }

    /// The answer to a person who asks why nothing was shown in the document.
    pub(crate) fn text(&self) -> String {
        self.why(10).text
    }
}

fn first_of(request: RequestId) -> SuggestionId {
    SuggestionId {
        request,
        candidate: 0,
    }
}
