//! Why a document is about to change, as far as the editor has said.
//!
//! `didChange` does not say why. Our own clients say it just before, by `foretell/willChange`, and
//! the next change of that document takes the word with it. Editors that gather changes before they
//! send them may say several words before one change; the last counts. One that names the version
//! it is about waits for that version, and is forgotten when a later one has come.

use std::collections::BTreeMap;

use foretell_text::{ChangeReason, DocumentId, Version};

/// The words that wait for their change.
#[derive(Debug, Default)]
pub(crate) struct ChangeReasons {
    reasons: BTreeMap<DocumentId, (Option<Version>, ChangeReason)>,
}

impl ChangeReasons {
    /// The next change of a document, or the one to a version, comes about like this.
    pub(crate) fn put(
        &mut self,
        document: DocumentId,
        version: Option<Version>,
        reason: ChangeReason,
    ) {
        self.reasons.insert(document, (version, reason));
    }

    /// How a change came about: typed, unless something else was said.
    pub(crate) fn take(&mut self, document: &DocumentId, version: Version) -> ChangeReason {
        let Some((meant, reason)) = self.reasons.get(document).copied() else {
            return ChangeReason::Typed;
        };
        if meant.is_some_and(|meant| meant > version) {
            return ChangeReason::Typed;
        }
        self.reasons.remove(document);
        match meant {
            // Other changes came along in the same message: it is not just an undo any more.
            Some(meant) if meant < version => ChangeReason::Typed,
            _ => reason,
        }
    }

    /// Nothing more will be heard of a document.
    pub(crate) fn forget(&mut self, document: &DocumentId) {
        self.reasons.remove(document);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(announced: &[(Option<i64>, ChangeReason)], changes: &[i64]) -> Vec<ChangeReason> {
        let document = DocumentId::new("file:///a");
        let mut waiting = ChangeReasons::default();
        for (version, reason) in announced {
            waiting.put(document.clone(), version.map(Version::new), *reason);
        }
        let changes = changes.iter().copied().map(Version::new);
        changes
            .map(|version| waiting.take(&document, version))
            .collect()
    }

    #[test]
    fn a_word_is_for_one_change() {
        use ChangeReason::{Redo, Typed, Undo};
        assert_eq!(after(&[], &[2]), [Typed]);
        assert_eq!(after(&[(None, Undo)], &[2, 3]), [Undo, Typed]);
        assert_eq!(after(&[(None, Undo), (None, Redo)], &[2, 3]), [Redo, Typed]);
    }

    #[test]
    fn a_word_with_a_version_waits_for_it() {
        use ChangeReason::{Typed, Undo};
        assert_eq!(after(&[(Some(3), Undo)], &[2, 3, 4]), [Typed, Undo, Typed]);
        assert_eq!(after(&[(Some(3), Undo)], &[4, 5]), [Typed, Typed]);
    }
}
