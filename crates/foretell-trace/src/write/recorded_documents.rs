//! The documents of a recording, as its reader will have them, and as the machine has them.
//!
//! The machine follows a document until the editor says something that does not fit; from then on it
//! ignores every edit until it is sent the whole text. Which text the editor speaks of is told by
//! versions, which a trace does not have: whether they are the same is found out here.
//!
//! In a shape, a document that was closed is kept: the same text opened again has the same one, and is
//! known again. The latest of those are enough.

use std::collections::{BTreeMap, VecDeque};

use foretell_text::{DocumentId, Text, Version};

use crate::shape::recorded_text::{RecordedText, WordRecording};

/// How many closed documents are kept.
const MOST_CLOSED: usize = 500;

/// How much text of closed documents is kept, in bytes.
const LARGEST_CLOSED: usize = 32 << 20;

/// All documents.
#[derive(Debug, Default)]
pub(super) struct RecordedDocuments {
    open: BTreeMap<DocumentId, RecordedDocument>,
    /// Those of shapes, the latest last.
    closed: VecDeque<(DocumentId, RecordedText)>,
}

#[derive(Debug)]
struct RecordedDocument {
    sheet: RecordedText,
    version: Version,
    is_lost: bool,
}

impl RecordedDocuments {
    /// The text that is held of a document, if it is open.
    pub(super) fn sheet(&self, document: &DocumentId) -> Option<&RecordedText> {
        self.open.get(document).map(|open| &open.sheet)
    }

    /// The same, if edits of it are followed.
    pub(super) fn followed(&self, document: &DocumentId) -> Option<&RecordedText> {
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
        document: &DocumentId,
        version: Version,
        text: &Text,
        words: &WordRecording,
    ) -> &RecordedText {
        let was_closed = self.closed.iter().rposition(|(it, _)| it == document);
        let was_closed = was_closed.and_then(|index| self.closed.remove(index));
        let held = self.open.remove(document).map(|open| open.sheet);
        let held = held.or(was_closed.map(|(_, sheet)| sheet));
        let sheet = match held {
            Some(held) => held.replaced(text, words),
            None => RecordedText::new(text, words),
        };
        let opened = RecordedDocument {
            sheet,
            version,
            is_lost: false,
        };
        &self.open.entry(document.clone()).or_insert(opened).sheet
    }

    /// Takes what an edit that is followed has come to.
    pub(super) fn change(&mut self, document: &DocumentId, version: Version, sheet: RecordedText) {
        if let Some(open) = self.open.get_mut(document) {
            open.sheet = sheet;
            open.version = version;
        }
    }

    /// Takes what an edit has come to that could not be followed to its end.
    pub(super) fn lose_at(&mut self, document: &DocumentId, sheet: RecordedText) {
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

    pub(super) fn close(&mut self, document: &DocumentId, words: &WordRecording) {
        let Some((document, closed)) = self.open.remove_entry(document) else {
            return;
        };
        // Words are the same whenever they are written.
        if matches!(words, WordRecording::Whole) {
            return;
        }
        self.closed.push_back((document, closed.sheet));
        while self.closed.len() > MOST_CLOSED || self.closed_bytes() > LARGEST_CLOSED {
            self.closed.pop_front();
        }
    }

    fn closed_bytes(&self) -> usize {
        let sizes = self.closed.iter().map(|(_, it)| it.text().end().get());
        sizes.sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::ShapeKey;

    /// How many documents are kept when so many of a size were closed.
    fn kept(words: &WordRecording, count: usize, bytes: usize) -> usize {
        let mut documents = RecordedDocuments::default();
        let text = Text::from(" ".repeat(bytes).as_str());
        for number in 0..count {
            let document = DocumentId::new(number.to_string());
            documents.open(&document, Version::new(1), &text, words);
            documents.close(&document, words);
            assert!(documents.sheet(&document).is_none());
        }
        documents.closed.len()
    }

    #[test]
    fn closed_documents_are_kept_for_their_shapes_only_and_not_all() {
        let shape = WordRecording::Shape(ShapeKey::new(|one, other| one ^ other));
        assert_eq!(kept(&WordRecording::Whole, 3, 10), 0);
        assert_eq!(kept(&shape, 3, 10), 3);
        assert_eq!(kept(&shape, MOST_CLOSED + 3, 10), MOST_CLOSED);
        assert_eq!(kept(&shape, 2, LARGEST_CLOSED / 2 + 1), 1);
    }
}
