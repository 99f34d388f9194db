//! The refresh gate: no FIM call for a text that one was made for already.
//!
//! An editor asks again whenever the cursor moves, and a model would be told the same text again.
//! So the text of the last FIM call of each document is kept, and while the document has that text
//! no further call is made. Texts that return to it count as the same: what is compared is the
//! text, exactly, never a digest of it.
//!
//! A text is kept from the moment a call is really made, and only while that call runs or has been
//! answered: one that failed, was stopped or timed out blocks nothing. Going to another document,
//! or closing this one, forgets it.
//!
//! Comparing costs next to nothing when the revision is the same or the length differs. Keeping a
//! text copies nothing.

use std::collections::BTreeMap;

use foretell_text::{DocumentId, Text};

use crate::event::RequestId;

/// The last FIM call of each document.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    sent: BTreeMap<DocumentId, LastFimCall>,
}

#[derive(Debug)]
struct LastFimCall {
    request: RequestId,
    text: Text,
}

impl Gate {
    /// Whether the last call of a document was made for this very text.
    pub(crate) fn blocks(&self, document: &DocumentId, text: &Text) -> bool {
        let sent = self.sent.get(document);
        sent.is_some_and(|sent| sent.text == *text)
    }

    /// Takes note of a call that is made now.
    pub(crate) fn sent(&mut self, document: &DocumentId, request: RequestId, text: Text) {
        self.sent
            .insert(document.clone(), LastFimCall { request, text });
    }

    /// Takes a call back whose answer will not come.
    pub(crate) fn withdraw(&mut self, document: &DocumentId, request: RequestId) {
        let sent = self.sent.get(document);
        if sent.is_some_and(|sent| sent.request == request) {
            self.forget(document);
        }
    }

    /// Forgets what was sent of a document.
    pub(crate) fn forget(&mut self, document: &DocumentId) {
        self.sent.remove(document);
    }

    /// Checks what every event keeps.
    pub(crate) fn assert_invariants(&self, is_open: impl Fn(&DocumentId) -> bool) {
        assert!(self.sent.keys().all(is_open), "only what is open");
    }
}
