//! Documents whose text the indexes do not have yet.
//!
//! Taking in a document costs more than a keystroke should, so that it is done when the person has
//! paused: so long after the last change, and then once.

use std::collections::BTreeMap;
use std::time::Duration;

use foretell_text::DocumentId;
use tokio::time::Instant;

/// How long nothing must change before a document is taken in.
const PAUSE: Duration = Duration::from_secs(2);

/// The documents, and when it is time for each.
#[derive(Debug, Default)]
pub(crate) struct PendingIndexUpdates {
    due: BTreeMap<DocumentId, Instant>,
}

impl PendingIndexUpdates {
    /// A document has changed, or was opened.
    pub(crate) fn put(&mut self, document: DocumentId) {
        self.due.insert(document, Instant::now() + PAUSE);
    }

    /// Nothing more will be heard of a document.
    pub(crate) fn forget(&mut self, document: &DocumentId) {
        self.due.remove(document);
    }

    /// Keeps them for later, as no index can take them yet.
    pub(crate) fn put_off(&mut self) {
        let later = Instant::now() + PAUSE;
        self.due.values_mut().for_each(|due| *due = later);
    }

    /// When the first is to be taken in.
    pub(crate) fn next(&self) -> Option<Instant> {
        self.due.values().min().copied()
    }

    /// One that it is time for.
    pub(crate) fn take(&mut self) -> Option<DocumentId> {
        let now = Instant::now();
        let due = self.due.iter().find(|(_, due)| **due <= now);
        let document = due.map(|(document, _)| document.clone())?;
        self.due.remove(&document);
        Some(document)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_document_is_taken_in_once_it_has_rested() {
        let mut unfiled = PendingIndexUpdates::default();
        let document = DocumentId::new("file:///a");
        unfiled.put(document.clone());
        tokio::time::advance(PAUSE / 2).await;
        unfiled.put(document.clone());
        tokio::time::advance(PAUSE / 2).await;
        assert_eq!(unfiled.take(), None, "it changed meanwhile");
        assert_eq!(unfiled.next(), Some(Instant::now() + PAUSE / 2));
        tokio::time::advance(PAUSE / 2).await;
        assert_eq!(unfiled.take(), Some(document));
        assert_eq!((unfiled.take(), unfiled.next()), (None, None));
    }
}
