//! The documents of a recording, as whoever reads it will have them, and as the machine has them.
//!
//! The machine follows a document until the editor says something that does not fit; from then on it
//! ignores every edit until it is sent the whole text. Which text the editor speaks of is told by
//! versions, which a trace does not have: whether they are the same is found out here.
//!
//! A document that was closed is kept, for its shape: the same text opened again has the same one, and
//! is known again. The latest of those are enough.

use std::collections::{BTreeMap, VecDeque};

use foretell_text::{DocumentId, Text, Version};

use crate::shape::sheet::{Sheet, Words};

/// How many closed documents are kept.
const MOST_CLOSED: usize = 500;

/// All documents.
#[derive(Debug, Default)]
pub(super) struct Documents {
    open: BTreeMap<DocumentId, Document>,
    /// The latest last.
    closed: VecDeque<(DocumentId, Sheet)>,
}

#[derive(Debug)]
struct Document {
    sheet: Sheet,
    version: Version,
    is_lost: bool,
}

impl Documents {
    /// The text that is held of a document, if it is open.
    pub(super) fn sheet(&self, document: &DocumentId) -> Option<&Sheet> {
        self.open.get(document).map(|open| &open.sheet)
    }

    /// The same, if edits of it are followed.
    pub(super) fn followed(&self, document: &DocumentId) -> Option<&Sheet> {
        let open = self.open.get(document).filter(|open| !open.is_lost);
        open.map(|open| &open.sheet)
    }

    /// Whether an editor that names a version speaks of another text than the one that is held.
    pub(super) fn is_another(&self, document: &DocumentId, version: Option<Version>) -> bool {
        let open = self.open.get(document);
        open.zip(version)
            .is_some_and(|(open, version)| open.version != version)
    }

    /// Takes the whole text of a document.
    pub(super) fn open(
        &mut self,
        (document, version): (&DocumentId, Version),
        text: &Text,
        words: &Words,
    ) -> &Sheet {
        let was_closed = self.closed.iter().rposition(|(it, _)| it == document);
        let was_closed = was_closed.and_then(|index| self.closed.remove(index));
        let held = self.open.remove(document).map(|open| open.sheet);
        let held = held.or(was_closed.map(|(_, sheet)| sheet));
        let sheet = match held {
            Some(held) => held.replaced(text, words),
            None => Sheet::new(text, words),
        };
        let opened = Document {
            sheet,
            version,
            is_lost: false,
        };
        &self.open.entry(document.clone()).or_insert(opened).sheet
    }

    /// Takes what an edit that is followed has come to.
    pub(super) fn change(&mut self, (document, version): (&DocumentId, Version), sheet: Sheet) {
        if let Some(open) = self.open.get_mut(document) {
            open.sheet = sheet;
            open.version = version;
        }
    }

    /// Takes what an edit has come to that could not be followed to its end.
    pub(super) fn lose_at(&mut self, document: &DocumentId, sheet: Sheet) {
        if let Some(open) = self.open.get_mut(document) {
            open.sheet = sheet;
            open.is_lost = true;
        }
    }

    pub(super) fn lose(&mut self, document: &DocumentId) {
        if let Some(open) = self.open.get_mut(document) {
            open.is_lost = true;
        }
    }

    pub(super) fn close(&mut self, document: &DocumentId) {
        let Some((document, closed)) = self.open.remove_entry(document) else {
            return;
        };
        self.closed.push_back((document, closed.sheet));
        if self.closed.len() > MOST_CLOSED {
            self.closed.pop_front();
        }
    }
}
