//! A machine with rejections in it, and what it is told.

use std::sync::Arc;

use foretell_core::{Core, Event, Moment};
use foretell_settings::Settings;
use foretell_text::{ChangeReason, DocumentId, Edit, Language, Replacement, Text, Version};

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

/// Fetches everything the machine wants done.
pub fn drain(core: &mut Core) {
    while core.poll_action().is_some() {}
}
