//! What has to be looked up about documents, where that may take long: which are excluded, and where
//! there are secrets in them.
//!
//! Nobody waits for it. Until it is known a document counts as excluded, and what is found of a text
//! that has moved on is turned away by the machine. An engine that ends does not wait for it either:
//! a disk may never answer.

use std::collections::BTreeMap;
use std::sync::Arc;

use foretell_core::{Event, Spot};
use foretell_text::{ByteRange, DocumentId, Version};
use tokio::task::JoinSet;

use super::Engine;

/// What is known of documents, and what is being looked up.
#[derive(Default)]
pub(super) struct Looking {
    pub(super) tasks: JoinSet<Looked>,
    excluded: BTreeMap<DocumentId, bool>,
    /// In which text of a document secrets were looked for last.
    searched: BTreeMap<DocumentId, Version>,
}

/// What came of looking.
pub(super) enum Looked {
    Excluded(DocumentId, bool),
    Secrets(DocumentId, Version, Vec<ByteRange>),
}

impl Looking {
    /// Whether nothing may be told of a document, as far as is known.
    pub(super) fn excludes(&self, document: &DocumentId) -> bool {
        self.excluded.get(document).copied().unwrap_or(true)
    }

    /// Forgets a document.
    pub(super) fn forget(&mut self, document: &DocumentId) {
        self.excluded.remove(document);
        self.searched.remove(document);
    }
}

impl Engine {
    /// Asks whether a document is excluded.
    pub(super) fn judge(&mut self, document: &DocumentId) {
        let (document, file) = (document.clone(), (self.surroundings.name)(document));
        let exclude = Arc::clone(&self.surroundings.exclude);
        self.looking.tasks.spawn_blocking(move || {
            let is_excluded = exclude.excludes(&file);
            Looked::Excluded(document, is_excluded)
        });
    }

    /// Asks anew for every document: what is excluded may be others now.
    pub(super) fn judge_all(&mut self) {
        self.looking.excluded.clear();
        let open = self.core.open_documents().into_iter();
        for document in open.cloned().collect::<Vec<_>>() {
            self.judge(&document);
        }
    }

    /// Looks for secrets in the text that something is asked about, unless that was done.
    pub(super) fn look_for_secrets(&mut self, spot: &Spot) {
        let Spot {
            document, version, ..
        } = spot;
        let Some(text) = self.core.text(document).cloned() else {
            return;
        };
        if self.looking.searched.get(document) == Some(version) {
            return;
        }
        self.looking.searched.insert(document.clone(), *version);
        let (document, version) = (document.clone(), *version);
        let redactor = self.surroundings.redactor.clone();
        self.looking.tasks.spawn_blocking(move || {
            let found = redactor.ranges(&text.to_string());
            Looked::Secrets(document, version, found)
        });
    }

    pub(super) fn looked(&mut self, looked: Looked) {
        match looked {
            Looked::Excluded(document, is_excluded) => {
                if self.core.text(&document).is_some() {
                    self.looking.excluded.insert(document, is_excluded);
                }
            }
            Looked::Secrets(document, version, ranges) => {
                if self.core.version(&document) == Some(version) {
                    self.handle(Event::SecretsFound {
                        document,
                        version,
                        ranges,
                    });
                }
            }
        }
    }
}
