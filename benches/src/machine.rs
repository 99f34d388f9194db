//! A machine with something in it to measure: rejections, lines that were asked about, or everything
//! there is; and what it is told.

use std::sync::Arc;

use foretell_core::{
    Action, Core, Event, LaneCandidate, Moment, Order, RequestCause, RequestId, RequestKind,
    SuggestionRequest, TokenUsage,
};
use foretell_settings::Settings;
use foretell_text::{
    ByteOffset, ByteRange, ChangeReason, DocumentId, Edit, LaneKind, Language, Replacement, Text,
    Version,
};

use crate::documents::places;

/// The moment of everything: nothing here depends on time.
pub const NOW: Moment = Moment::from_millis(0);

/// The document of everything.
pub fn document_id() -> DocumentId {
    DocumentId::new("file:///src/lib.rs")
}

/// Suggestions all over a text, each another.
pub fn suggestions(text: &str, count: usize) -> Vec<Edit> {
    let numbered = places(text, count).into_iter().enumerate();
    numbered
        .map(|(number, place)| {
            let suggestion = format!("suggestion_{number}();\n");
            Edit::from(Replacement::insertion(place, suggestion))
        })
        .collect()
}

/// A machine that holds a text and has edits of it rejected, with room for one more.
pub fn with_rejected(text: &Text, rejected: &[Edit]) -> Core {
    let mut settings = Settings::default();
    settings.rejections.per_document = rejected.len() + 1;
    settings.rejections.total = rejected.len() + 1;
    let mut core = Core::new(Arc::new(settings));
    core.handle(NOW, opened(text));
    for edit in rejected {
        core.handle(NOW, rejects(edit));
    }
    drain(&mut core);
    core
}

/// A machine that holds a text at whose end somebody has just typed, however many lines it has.
pub fn with_typing(text: &Text, change: impl FnOnce(&mut Settings)) -> Core {
    let mut settings = Settings::default();
    settings.trigger.max_lines = usize::MAX;
    change(&mut settings);
    let mut core = Core::new(Arc::new(settings));
    core.handle(NOW, opened(text));
    let typed = Replacement::insertion(text.end(), "x");
    core.handle(NOW, changed(&typed.into()));
    drain(&mut core);
    core
}

/// What all eight candidates that [`Everything`] carries begin with.
pub const SHARED: &str = "let total = items.iter().map(";

/// How many rejections each of twenty documents has in [`Everything`].
const REJECTED: usize = 20;

/// A machine in the middle of a session: 400 rejections in 20 documents, 20 of them in this one, a
/// history, eight candidates that are shown at the cursor, and a request whose lanes run.
pub struct Everything {
    /// The machine.
    pub core: Core,
    /// Where the cursor is, in the middle.
    pub at: ByteOffset,
    /// What was rejected in this document.
    pub rejected: Vec<Edit>,
    /// What is carried.
    pub candidates: Vec<String>,
    requests: u64,
}

impl Everything {
    /// The middle of a session in a text.
    pub fn new(text: &Text) -> Self {
        let model = text.to_string();
        let mut rejected = suggestions(&model, REJECTED);
        let mut core = with_typing(text, |settings| {
            (settings.rejections.per_document, settings.rejections.total) =
                (REJECTED, 20 * REJECTED);
        });
        for number in 1..20 {
            let document = DocumentId::new(format!("file:///src/module_{number}.rs"));
            let other = crate::documents::document(5_000);
            core.handle(
                NOW,
                Event::DocumentOpened {
                    document: document.clone(),
                    language: Language::new("rust"),
                    version: Version::new(0),
                    text: Text::from(other.as_str()),
                },
            );
            for edit in suggestions(&other, REJECTED) {
                let document = document.clone();
                core.handle(NOW, Event::EditRejected { document, edit });
            }
        }
        rejected
            .iter()
            .for_each(|edit| core.handle(NOW, rejects(edit)));
        // A history of a few places, and a new line for the cursor.
        let half = model.get(..text.end().get() / 2 + 1).map_or(0, str::len);
        let at = model
            .bytes()
            .take(half)
            .rposition(|byte| byte == b'\n')
            .map_or(0, |it| it + 1);
        let mut at = ByteOffset::new(at);
        for number in (0..6).rev() {
            let place = ByteOffset::new(at.get() / 6 * number);
            if text.check(place).is_ok() {
                let typed = Edit::from(Replacement::insertion(place, "// \n"));
                core.handle(NOW, changed(&typed));
                at = typed.map_offset(at, foretell_text::OffsetBias::After);
                for edit in &mut rejected {
                    *edit = edit.rebased_over(&typed).unwrap_or_default();
                }
            }
        }
        core.handle(NOW, changed(&Replacement::insertion(at, "\n").into()));
        core.handle(NOW, selected(at));
        drain(&mut core);
        let candidates = (0..8).map(|number| format!("{SHARED}|item| item.price * {number})"));
        let mut everything = Everything {
            core,
            at,
            rejected,
            candidates: candidates.collect(),
            requests: 1,
        };
        everything.show();
        everything.leave_pending();
        everything
    }

    /// Lets lanes suggest the candidates, which are shown.
    fn show(&mut self) {
        self.core.handle(
            NOW,
            Event::SuggestionRequested(SuggestionRequest {
                request: RequestId::new(1),
                document: document_id(),
                version: None,
                at: self.at,
                cause: RequestCause::Explicit,
                kind: RequestKind::Inline,
            }),
        );
        let mut started = Vec::new();
        while let Some(action) = self.core.poll_action() {
            if let Action::Order(Order::StartLane { request, lane, .. }) = action {
                started.push((request, lane));
            }
        }
        for (request, lane) in started {
            let suggested = match lane {
                LaneKind::Fim => &self.candidates[..],
                _ => &[],
            };
            let candidates = suggested.iter().map(|new_text| {
                LaneCandidate::new(
                    document_id(),
                    Replacement::insertion(self.at, new_text.as_str()).into(),
                )
            });
            self.core.handle(
                NOW,
                Event::LaneAnswered {
                    request,
                    lane,
                    candidates: candidates.collect(),
                    usage: TokenUsage::default(),
                    withheld: 0,
                },
            );
        }
        drain(&mut self.core);
        assert_eq!(self.core.counts().answered, 1, "they are shown");
    }

    /// Asks for an edit somewhere else, whose lanes run for as long as time stands still.
    fn leave_pending(&mut self) {
        self.core.handle(
            NOW,
            Event::SuggestionRequested(SuggestionRequest {
                request: RequestId::new(2),
                document: document_id(),
                version: None,
                at: ByteOffset::ZERO,
                cause: RequestCause::Explicit,
                kind: RequestKind::Edit,
            }),
        );
        self.requests = 2;
        let mut has_started = false;
        while let Some(action) = self.core.poll_action() {
            has_started |= matches!(action, Action::Order(Order::StartLane { .. }));
        }
        assert!(has_started, "a lane runs");
    }

    /// The keys that write what the candidates share, and delete it again.
    pub fn keys(&self) -> Vec<Edit> {
        let place = |index: usize| ByteOffset::new(self.at.get() + index);
        let typed = SHARED.char_indices();
        let typed = typed.map(|(index, key)| Replacement::insertion(place(index), key.to_string()));
        let deleted = (0..SHARED.len()).rev().map(|index| {
            let key = ByteRange::new(place(index), place(index + 1));
            Replacement::deletion(key.expect("in order"))
        });
        typed.chain(deleted).map(Edit::from).collect()
    }

    /// A key is typed or deleted.
    pub fn press(&mut self, key: &Edit) {
        self.core.handle(NOW, changed(key));
        drain(&mut self.core);
    }

    /// The editor asks, so far behind the place where the candidates begin.
    pub fn ask(&mut self, behind: usize) {
        self.requests += 1;
        let at = ByteOffset::new(self.at.get() + behind);
        self.core.handle(NOW, requested(self.requests, at));
        drain(&mut self.core);
    }
}

/// The document is opened.
pub fn opened(text: &Text) -> Event {
    Event::DocumentOpened {
        document: document_id(),
        language: Language::new("rust"),
        version: Version::new(0),
        text: text.clone(),
    }
}

/// An edit is rejected.
pub fn rejects(edit: &Edit) -> Event {
    Event::EditRejected {
        document: document_id(),
        edit: edit.clone(),
    }
}

/// An edit is made.
pub fn changed(edit: &Edit) -> Event {
    Event::DocumentChanged {
        document: document_id(),
        version: Version::new(0),
        edits: vec![edit.clone()],
        reason: ChangeReason::Typed,
    }
}

/// The cursor moves.
pub fn selected(at: ByteOffset) -> Event {
    Event::SelectionChanged {
        document: document_id(),
        version: None,
        selections: vec![ByteRange::empty(at)],
    }
}

/// The editor asks by itself for something to draw at the cursor.
pub fn requested(number: u64, at: ByteOffset) -> Event {
    Event::SuggestionRequested(SuggestionRequest {
        request: RequestId::new(number),
        document: document_id(),
        version: None,
        at,
        cause: RequestCause::Automatic,
        kind: RequestKind::Inline,
    })
}

/// Fetches everything the machine wants done.
pub fn drain(core: &mut Core) {
    while core.poll_action().is_some() {}
}
