//! What has to be looked up about documents, where that may take long: which are excluded, and where
//! there are secrets in them.
//!
//! Nobody waits for it. Until it is known a document counts as excluded, and what is found of a text
//! that has moved on is turned away by the machine. An engine that ends does not wait for it either:
//! a disk may never answer.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use foretell_context::Learned;
use foretell_core::{Event, Spot};
use foretell_text::{ByteOffset, ByteRange, DocumentId, Version};
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::Engine;
use crate::secrets;

/// What is known of documents, and what is being looked up.
#[derive(Default)]
pub(super) struct Looking {
    pub(super) tasks: JoinSet<Looked>,
    judged: BTreeMap<DocumentId, Judgement>,
    judgements: u64,
    /// Those that the machine knows to be excluded.
    told: BTreeSet<DocumentId>,
    /// In which text of a document secrets were looked for last, and around which place.
    searched: BTreeMap<DocumentId, (Version, ByteOffset)>,
    /// What was secret in it then: what is secret stays so while the person types.
    learned: BTreeMap<DocumentId, Learned>,
}

/// The last judgement of a document.
struct Judgement {
    /// Which one: an older one that comes later does not count.
    number: u64,
    /// Whether it is excluded; nothing while that is being looked up.
    is_excluded: watch::Sender<Option<bool>>,
}

/// What came of looking.
pub(super) enum Looked {
    Excluded {
        document: DocumentId,
        number: u64,
        is_excluded: bool,
    },
    Secrets {
        document: DocumentId,
        version: Version,
        ranges: Vec<ByteRange>,
        learned: Learned,
    },
}

impl Looking {
    /// Whether nothing may be told of a document, as far as is known.
    pub(super) fn excludes(&self, document: &DocumentId) -> bool {
        let judged = self.judged.get(document);
        let known = judged.and_then(|it| *it.is_excluded.borrow());
        known.unwrap_or(true)
    }

    /// Whether a document is excluded, for whoever has to know before going on.
    pub(super) fn verdict(&self, document: &DocumentId) -> Verdict {
        let judged = self.judged.get(document);
        Verdict(judged.map(|it| it.is_excluded.subscribe()))
    }

    /// What was secret in a document when it was last looked at.
    pub(super) fn learned(&self, document: &DocumentId) -> Option<&Learned> {
        self.learned.get(document)
    }

    fn note(&mut self, document: &DocumentId, is_excluded: bool) {
        match is_excluded {
            true => self.told.insert(document.clone()),
            false => self.told.remove(document),
        };
    }

    /// Forgets a document.
    pub(super) fn forget(&mut self, document: &DocumentId) {
        self.told.remove(document);
        self.judged.remove(document);
        self.searched.remove(document);
        self.learned.remove(document);
    }
}

/// Whether a document is excluded, which is known or will be.
pub(super) struct Verdict(Option<watch::Receiver<Option<bool>>>);

impl Verdict {
    /// Whether it is. What is never known counts as excluded.
    pub(super) async fn wait(self) -> bool {
        let Some(mut verdict) = self.0 else {
            return true;
        };
        let known = verdict.wait_for(Option::is_some).await;
        known.ok().and_then(|it| *it).unwrap_or(true)
    }
}

impl Engine {
    /// Asks whether a document is excluded.
    pub(super) fn judge(&mut self, document: &DocumentId) {
        self.looking.judgements += 1;
        let number = self.looking.judgements;
        let judged = self.looking.judged.entry(document.clone());
        let judged = judged.or_insert_with(|| Judgement {
            number,
            is_excluded: watch::Sender::new(None),
        });
        judged.number = number;
        judged.is_excluded.send_replace(None);
        let (document, file) = (document.clone(), (self.surroundings.name)(document));
        let exclude = Arc::clone(&self.surroundings.exclude);
        self.looking.tasks.spawn_blocking(move || {
            let is_excluded = exclude.excludes(&file);
            Looked::Excluded {
                document,
                number,
                is_excluded,
            }
        });
    }

    /// Asks anew for every document: what is excluded may be others now.
    pub(super) fn judge_all(&mut self) {
        let open = self.core.open_documents().into_iter();
        for document in open.cloned().collect::<Vec<_>>() {
            self.judge(&document);
        }
    }

    /// Looks for secrets in a document that was opened, so that they are known when something is asked.
    pub(super) fn learn(&mut self, document: &DocumentId) {
        if let Some(version) = self.core.version(document) {
            self.look_for_secrets(&Spot {
                document: document.clone(),
                version,
                at: ByteOffset::ZERO,
            });
        }
    }

    /// Looks for secrets in the text that something is asked about, unless that was done.
    pub(super) fn look_for_secrets(&mut self, spot: &Spot) {
        let Spot {
            document,
            version,
            at,
        } = spot;
        let Some(text) = self.core.text(document).cloned() else {
            return;
        };
        let is_known = |(searched, around): &(Version, ByteOffset)| {
            searched == version && secrets::is_found(&text, *around, *at)
        };
        if self.looking.searched.get(document).is_some_and(is_known) {
            return;
        }
        let searched = (*version, *at);
        self.looking.searched.insert(document.clone(), searched);
        let (document, version, at) = (document.clone(), *version, *at);
        let redactor = self.surroundings.redactor.clone();
        self.looking.tasks.spawn_blocking(move || {
            let (ranges, learned) = secrets::find(&redactor, &text, at);
            Looked::Secrets {
                document,
                version,
                ranges,
                learned,
            }
        });
    }

    pub(super) fn looked(&mut self, looked: Looked) {
        match looked {
            Looked::Excluded {
                document,
                number,
                is_excluded,
            } => {
                let judged = self.looking.judged.get(&document);
                let Some(judged) = judged.filter(|it| it.number == number) else {
                    return;
                };
                judged.is_excluded.send_replace(Some(is_excluded));
                // The machine takes them for not excluded until it is told.
                let is_news = is_excluded || self.looking.told.contains(&document);
                if is_news && self.core.text(&document).is_some() {
                    self.looking.note(&document, is_excluded);
                    self.handle(Event::ExclusionKnown {
                        document,
                        is_excluded,
                    });
                }
            }
            Looked::Secrets {
                document,
                version,
                ranges,
                learned,
            } => {
                if self.core.text(&document).is_some() {
                    self.looking.learned.insert(document.clone(), learned);
                }
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
