//! Where the person is: the document they look at, and whether they have just come there.
//!
//! Focus and selections tell. An editor that sends neither asks only where the person is, so its
//! requests tell; but one that does send them may also ask about documents in the background, after
//! a rename for instance, and such a request says nothing about the person.

use foretell_text::DocumentId;

/// The document that the person looks at.
#[derive(Debug, Default)]
pub(crate) struct EditorFocus {
    here: Option<DocumentId>,
    /// Whether nothing was asked here yet.
    is_new: bool,
    /// Whether the editor tells of focus or selections.
    is_told: bool,
}

impl EditorFocus {
    /// Focus or a selection is in a document. Gives the one that was left for it.
    pub(crate) fn seen_in(&mut self, document: &DocumentId) -> Option<DocumentId> {
        self.is_told = true;
        self.go_to(document)
    }

    /// The document that the person looks at.
    pub(crate) fn here(&self) -> Option<&DocumentId> {
        self.here.as_ref()
    }

    /// A request is made in a document. Gives the one that was left for it.
    pub(crate) fn asks_in(&mut self, document: &DocumentId) -> Option<DocumentId> {
        if self.is_told {
            None
        } else {
            self.go_to(document)
        }
    }

    /// Whether this is the first request since the person came to a document. It is no longer, then.
    pub(crate) fn take_first_request(&mut self, document: &DocumentId) -> bool {
        let is_first = self.is_new && self.here.as_ref() == Some(document);
        if is_first {
            self.is_new = false;
        }
        is_first
    }

    /// A document is no longer open.
    pub(crate) fn close(&mut self, document: &DocumentId) {
        if self.here.as_ref() == Some(document) {
            self.here = None;
        }
    }

    fn go_to(&mut self, document: &DocumentId) -> Option<DocumentId> {
        if self.here.as_ref() == Some(document) {
            return None;
        }
        self.is_new = true;
        self.here.replace(document.clone())
    }
}
