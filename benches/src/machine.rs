//! A machine with something in it to measure: rejections, or lines that were asked about; and what it
//! is told.

use std::sync::Arc;

use foretell_core::{Core, Event, Moment, RequestCause, RequestId, RequestKind};
use foretell_settings::Settings;
use foretell_text::{
    ByteOffset, ByteRange, ChangeReason, DocumentId, Edit, Language, Replacement, Text, Version,
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
    Event::SuggestionRequested {
        request: RequestId::new(number),
        document: document_id(),
        version: None,
        at,
        cause: RequestCause::Automatic,
        kind: RequestKind::Inline,
    }
}

/// Fetches everything the machine wants done.
pub fn drain(core: &mut Core) {
    while core.poll_action().is_some() {}
}
