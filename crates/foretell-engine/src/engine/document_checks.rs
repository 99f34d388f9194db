//! Checks of documents that may take long: which are excluded, and where
//! there are secrets in them.
//!
//! The loop does not wait for them. Until it is known a document counts as excluded, and secrets of a text
//! that has moved on are turned away by the machine. An engine that ends does not wait for it either:
//! a disk may never answer.
//!
//! - Of each document one judgement is out at a time, and only so many of all: a thread that a disk
//!   does not answer cannot be stopped, so that none is begun for the same question. A document that is
//!   asked about meanwhile is judged when the one that is out has come back.
//! - Judgements are numbered as they begin. A caller that waits for one names the first that is new enough,
//!   so that a slow disk gives late answers, and neither old ones nor none.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use foretell_context::{Exclude, LearnedSecrets};
use foretell_core::{Event, Spot};
use foretell_text::{ByteOffset, ByteRange, DocumentId, FilePath, Version};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::Engine;
use crate::secrets;

/// The checks of documents that have ended, and those that go on.
#[derive(Default)]
pub(super) struct DocumentChecks {
    pub(super) tasks: JoinSet<CheckedDocument>,
    judged: BTreeMap<DocumentId, ExclusionCheck>,
    /// How many judgements have begun.
    begun: u64,
    /// The documents that a judgement is out for, whether or not they are still open.
    out: BTreeSet<DocumentId>,
    /// Those that the machine knows to be excluded.
    told: BTreeSet<DocumentId>,
    /// In which text of a document secrets were looked for last, and around which place.
    searched: BTreeMap<DocumentId, (Version, ByteOffset)>,
    /// Tells the last of those searches that there is a newer one.
    searches: BTreeMap<DocumentId, CancellationToken>,
    /// The secrets in it then: a secret stays one while the person types.
    learned: BTreeMap<DocumentId, LearnedSecrets>,
}

/// How long a judgement holds where others may be told something: a person who writes down what is not to
/// be told wants it to count at once, for documents that are open, too.
const JUDGED_LATELY: Duration = Duration::from_secs(1);
/// How many judgements are out at most, each with a thread of its own.
const MOST_OUT: usize = 64;

/// The judgements of a document.
struct ExclusionCheck {
    /// The first judgement that is by the rules that hold now.
    by_rules: u64,
    /// The first that is new enough for the request of now.
    wanted: u64,
    /// The last that has begun, and when; none, if there was none since the document was opened.
    last: Option<(u64, Instant)>,
    /// The outcome of the last one that has come back.
    ended: watch::Sender<Option<ExclusionOutcome>>,
}

/// The outcome of a judgement.
#[derive(Clone)]
struct ExclusionOutcome {
    number: u64,
    /// Why nothing may be told of the document, in words; nothing, if it may.
    why: Option<Arc<str>>,
}

impl ExclusionCheck {
    fn is_begun(&self) -> bool {
        self.last.is_some_and(|(number, _)| number >= self.wanted)
    }

    fn is_old(&self) -> bool {
        self.last
            .is_none_or(|(_, at)| at.elapsed() >= JUDGED_LATELY)
    }
}

/// The result of a check.
pub(super) enum CheckedDocument {
    Excluded {
        document: DocumentId,
        number: u64,
        why: Option<Arc<str>>,
    },
    Secrets {
        document: DocumentId,
        version: Version,
        ranges: Vec<ByteRange>,
        learned: LearnedSecrets,
    },
    /// A search that a newer one has taken the place of.
    Nothing,
}

impl DocumentChecks {
    /// Whether nothing may be told of a document, as far as is known.
    pub(super) fn excludes(&self, document: &DocumentId) -> bool {
        self.known(document).is_none_or(|why| why.is_some())
    }

    /// Why nothing may be told of a document, if that is known.
    pub(super) fn why(&self, document: &DocumentId) -> Option<Arc<str>> {
        self.known(document).flatten()
    }

    /// Whether it is about to be known whether something may be told of a document.
    pub(super) fn is_undecided(&self, document: &DocumentId) -> bool {
        self.judged.contains_key(document) && self.known(document).is_none()
    }

    /// Returns the outcome of the last judgement, if that was by the rules that hold now.
    fn known(&self, document: &DocumentId) -> Option<Option<Arc<str>>> {
        let judged = self.judged.get(document)?;
        let ended = judged.ended.borrow();
        let ended = ended.as_ref().filter(|it| it.number >= judged.by_rules)?;
        Some(ended.why.clone())
    }

    /// Whether a document is excluded, for a caller that has to know before going on.
    pub(super) fn verdict(&self, document: &DocumentId) -> AwaitedVerdict {
        let judged = self.judged.get(document);
        AwaitedVerdict(judged.map(|it| (it.wanted, it.ended.subscribe())))
    }

    /// Returns the secrets of a document when it was last looked at.
    pub(super) fn learned(&self, document: &DocumentId) -> Option<&LearnedSecrets> {
        self.learned.get(document)
    }

    /// Whether a stretch of a line has any secret of any open document in it, as far as they were looked at.
    pub(super) fn is_secret(&self, line: &str, stretch: Range<usize>) -> bool {
        let mut learned = self.learned.values();
        learned.any(|learned| learned.is_any_in(line, stretch.clone()))
    }

    fn note(&mut self, document: &DocumentId, is_excluded: bool) {
        if is_excluded {
            self.told.insert(document.clone())
        } else {
            self.told.remove(document)
        };
    }

    /// Forgets a document. A judgement that is out for it is dropped when it comes.
    pub(super) fn forget(&mut self, document: &DocumentId) {
        self.told.remove(document);
        self.judged.remove(document);
        self.searched.remove(document);
        let search = self.searches.remove(document);
        search.inspect(CancellationToken::cancel);
        self.learned.remove(document);
    }

    /// The next document for which a judgement is to begin, with its number.
    fn begin_next(&mut self) -> Option<(DocumentId, u64)> {
        if self.out.len() >= MOST_OUT {
            return None;
        }
        let out = &self.out;
        let mut waiting = self.judged.iter_mut();
        let (document, judged) =
            waiting.find(|(document, it)| !it.is_begun() && !out.contains(*document))?;
        self.begun += 1;
        judged.last = Some((self.begun, Instant::now()));
        self.out.insert(document.clone());
        Some((document.clone(), self.begun))
    }
}

/// Whether a document is excluded, which is known or will be.
pub(super) struct AwaitedVerdict(Option<(u64, watch::Receiver<Option<ExclusionOutcome>>)>);

impl AwaitedVerdict {
    /// Why nothing may be told of it, in words; nothing, if it may. A document that is never judged counts as
    /// excluded.
    pub(super) async fn wait(self) -> Option<Arc<str>> {
        let unknown = || Some("whether it is excluded is not known".into());
        let Some((wanted, mut ended)) = self.0 else {
            return unknown();
        };
        let is_new =
            |it: &Option<ExclusionOutcome>| it.as_ref().is_some_and(|it| it.number >= wanted);
        match ended.wait_for(is_new).await.ok().as_deref() {
            Some(Some(ended)) => ended.why.clone(),
            _ => unknown(),
        }
    }
}

impl Engine {
    /// Asks whether a document is excluded, by rules that were not asked before.
    pub(super) fn judge(&mut self, document: &DocumentId) {
        let next = self.checks.begun + 1;
        let judged = self.checks.judged.entry(document.clone());
        let judged = judged.or_insert_with(|| ExclusionCheck {
            by_rules: next,
            wanted: next,
            last: None,
            ended: watch::Sender::new(None),
        });
        (judged.by_rules, judged.wanted) = (next, next);
        self.begin_judging();
    }

    /// Asks anew for every document: what is excluded may be others now.
    pub(super) fn judge_all(&mut self) {
        let open = self.core.open_documents().into_iter();
        for document in open.cloned().collect::<Vec<_>>() {
            self.judge(&document);
        }
    }

    /// Asks anew for documents that were not judged lately, if others may be told of them. A lane that is
    /// about to tell something waits for it.
    pub(super) fn judge_again(&mut self, asked_in: &DocumentId) {
        let Some(language) = self.core.language(asked_in) else {
            return;
        };
        if !self.tells_others(self.settings.for_language(language.as_str())) {
            return;
        }
        let open = self.core.open_documents().into_iter();
        for document in open.cloned().collect::<Vec<_>>() {
            self.judge_lately(&document);
        }
    }

    /// Asks anew for a document that was not judged lately. By the same rules it is probably the same,
    /// which is enough for lanes that send nothing elsewhere.
    pub(super) fn judge_lately(&mut self, document: &DocumentId) {
        let next = self.checks.begun + 1;
        match self.checks.judged.get_mut(document) {
            None => self.judge(document),
            Some(judged) if judged.is_old() => {
                judged.wanted = next;
                self.begin_judging();
            }
            Some(_) => {}
        }
    }

    /// Begins what is to be judged and may be.
    fn begin_judging(&mut self) {
        while let Some((document, number)) = self.checks.begin_next() {
            let file = (self.surroundings.name)(&document);
            let exclude = Arc::clone(&self.surroundings.exclude);
            self.checks
                .tasks
                .spawn_blocking(move || CheckedDocument::Excluded {
                    document,
                    number,
                    why: judged(&*exclude, &file),
                });
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
        if self.checks.searched.get(document).is_some_and(is_known) {
            return;
        }
        let searched = (*version, *at);
        self.checks.searched.insert(document.clone(), searched);
        let newer = CancellationToken::new();
        let older = self.checks.searches.insert(document.clone(), newer.clone());
        older.inspect(CancellationToken::cancel);
        let redactor = self.surroundings.redactor.clone();
        let work = self.work.clone();
        let (document, version, at) = (document.clone(), *version, *at);
        self.checks.tasks.spawn(async move {
            let find = move || {
                // There is a newer text by the time there is a thread for this one.
                let is_wanted = !newer.is_cancelled();
                is_wanted.then(|| secrets::find(&redactor, &text, at))
            };
            match work.run(find).await {
                Ok(Some((ranges, learned))) => CheckedDocument::Secrets {
                    document,
                    version,
                    ranges,
                    learned,
                },
                // If it panicked, nothing is known of this text.
                Ok(None) | Err(_) => CheckedDocument::Nothing,
            }
        });
    }

    pub(super) fn looked(&mut self, looked: CheckedDocument) {
        match looked {
            CheckedDocument::Nothing => {}
            CheckedDocument::Excluded {
                document,
                number,
                why,
            } => {
                self.checks.out.remove(&document);
                self.take_judgement(document, ExclusionOutcome { number, why });
                self.begin_judging();
            }
            CheckedDocument::Secrets {
                document,
                version,
                ranges,
                learned,
            } => {
                if self.core.text(&document).is_some() {
                    self.checks.learned.insert(document.clone(), learned);
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

    fn take_judgement(&mut self, document: DocumentId, ended: ExclusionOutcome) {
        let judged = self.checks.judged.get(&document);
        // It was closed meanwhile, or other rules hold.
        let Some(judged) = judged.filter(|it| ended.number >= it.by_rules) else {
            return;
        };
        let is_excluded = ended.why.is_some();
        judged.ended.send_replace(Some(ended));
        // The machine takes them for not excluded until it is told.
        let is_news = is_excluded || self.checks.told.contains(&document);
        if !is_excluded {
            self.teach_text(&document);
        }
        if is_news && self.core.text(&document).is_some() {
            self.checks.note(&document, is_excluded);
            self.handle(Event::ExclusionKnown {
                document,
                is_excluded,
            });
        }
        self.predict_waiting();
    }
}

/// Why nothing may be told of a file, in words; nothing, if it may. A check that breaks counts as a no.
fn judged(exclude: &dyn Exclude, file: &FilePath) -> Option<Arc<str>> {
    let why = catch_unwind(AssertUnwindSafe(|| exclude.why_excluded(file)));
    let broken = |_| Some("whether it is excluded could not be found out".to_owned());
    why.unwrap_or_else(broken).map(Arc::from)
}
