//! The open documents: their texts, what changed lately, and whether they are in step.
//!
//! A change whose ranges do not fit means that the editor holds another text than we do. The
//! document is then *out of step*: nothing is suggested for it until its whole text is sent again.

use std::collections::BTreeMap;

use foretell_text::{ByteRange, Diagnostic, DocumentId, Language, Text, Version};

use crate::changes::Changes;
use crate::history::History;
use crate::moment::Moment;

/// How many documents are kept in full.
pub(crate) const MOST_DOCUMENTS: usize = 200;

/// A document that is open.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    pub(crate) language: Language,
    pub(crate) version: Version,
    pub(crate) text: Text,
    pub(crate) step: InStep,
    pub(crate) history: History,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// What in it is secret, as far as anybody has looked.
    pub(crate) secrets: Vec<ByteRange>,
    /// The last changes, for what answers an older text.
    pub(crate) changes: Changes,
    /// When the person typed in it last.
    pub(crate) typed: Option<Moment>,
    /// Whether it has changed since the cursor was last seen in it.
    pub(crate) is_changed: bool,
    /// When it was looked at last, by a count that grows.
    looked_at: u64,
}

/// Whether our text is the editor's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InStep {
    Yes,
    No,
}

/// All open documents.
#[derive(Debug, Default)]
pub(crate) struct Documents {
    open: BTreeMap<DocumentId, Document>,
    looks: u64,
}

impl Documents {
    pub(crate) fn get(&self, document: &DocumentId) -> Option<&Document> {
        self.open.get(document)
    }

    /// A document that something happens to, which counts as being looked at.
    pub(crate) fn touch(&mut self, document: &DocumentId) -> Option<&mut Document> {
        self.looks += 1;
        let open = self.open.get_mut(document)?;
        open.looked_at = self.looks;
        Some(open)
    }

    pub(crate) fn text(&self, document: &DocumentId) -> Option<&Text> {
        self.open.get(document).map(|document| &document.text)
    }

    pub(crate) fn len(&self) -> usize {
        self.open.len()
    }

    /// Opens a document, or takes the whole text of an open one anew.
    pub(crate) fn open(
        &mut self,
        document: DocumentId,
        language: Language,
        version: Version,
        text: Text,
    ) {
        self.looks += 1;
        let held = self.open.remove(&document);
        let typed = held.as_ref().and_then(|held| held.typed);
        let changes = held.as_ref().map(|held| held.changes.clone());
        let changes = changes.unwrap_or_default();
        let (history, diagnostics) = match held {
            Some(held) if held.text == text => (held.history, held.diagnostics),
            Some(held) => (held.history, Vec::new()),
            None => (History::default(), Vec::new()),
        };
        let opened = Document {
            language,
            version,
            text,
            step: InStep::Yes,
            history,
            diagnostics,
            secrets: Vec::new(),
            changes,
            typed,
            is_changed: false,
            looked_at: self.looks,
        };
        self.open.insert(document, opened);
    }

    pub(crate) fn close(&mut self, document: &DocumentId) -> Option<Document> {
        self.open.remove(document)
    }

    /// The one not looked at for longest, if there are too many.
    pub(crate) fn one_too_many(&self) -> Option<DocumentId> {
        if self.open.len() <= MOST_DOCUMENTS {
            return None;
        }
        self.open
            .iter()
            .min_by_key(|(_, document)| document.looked_at)
            .map(|(id, _)| id.clone())
    }
}
