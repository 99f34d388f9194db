//! The index of a workspace: what everyone else has to do with.
//!
//! It puts the parts together: what is on disk ([`crate::store`]), what is newer than that
//! ([`crate::file_changes`]), and how the one is brought up to date with the workspace ([`crate::build`]).
//! All of it can be called from any thread at any time. Searching waits for nothing but other
//! changes in memory; two updates of one process go one after the other.
//!
//! A file that is excluded is never returned, even if it became so a moment ago and no event said so: each
//! search asks for each file that it finds something in, once.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, RwLock, RwLockReadGuard, RwLockWriteGuard};

use foretell_text::{ByteRange, CodeChunk, FilePath, PoisonedLock};

use crate::build::IndexBuild;
use crate::build::cutter::FileCutter;
use crate::build_progress::{BuildOutcome, BuildProgress, BuildReport, FileFault};
use crate::file_changes::overlay::StoreOverlay;
use crate::index_status::IndexStatus;
use crate::name_words;
use crate::store::ranked_search::{QueryWord, in_order};
use crate::store::writer::WriteAmount;
use crate::store::{IndexStore, StoreError, StoreOrigin};
use crate::walk::WalkGround;
use crate::walk::ignore_stack::IgnoreFiles;

/// Says of a file, by its path from the root, whether nothing may be known of it.
pub type ExclusionTest = Arc<dyn Fn(&Path) -> bool + Send + Sync>;

/// Says which parts of a file's whole text are never told: in order, and between characters.
pub type SecretFinder = Arc<dyn Fn(&str) -> Vec<ByteRange> + Send + Sync>;

/// Takes note that a file or a directory has another name now: the old one and the new one, each by
/// its path from the root.
pub type RenameListener = Arc<dyn Fn(&Path, &Path) + Send + Sync>;

/// How many different words are asked for at most: the first ones of a query.
const MOST_WORDS: usize = 64;

/// After how many words one counts half of what the first does.
const HALF_WEIGHT: f32 = 8.0;

/// How many cutters are kept for the next change: as many as change files at once, as a rule.
const MOST_CUTTERS: usize = 2;

/// The workspace of an index, its directory and its limits.
#[derive(Clone)]
pub struct IndexOptions {
    /// The workspace.
    pub root: PathBuf,
    /// Where the index is kept: a directory of its own.
    pub directory: PathBuf,
    /// How many files are searched at most.
    pub most_files: usize,
    /// Which files nothing may be known of. Asked often, and from several threads at once.
    pub excluded: ExclusionTest,
    /// Which parts of a text are never told. Asked once for each text that is cut up, as a whole; every
    /// chunk keeps what is in it.
    pub secrets: SecretFinder,
    /// Told of names that change on disk, before the file is looked at: a file that was excluded
    /// stays so under its next name.
    pub renamed: Option<RenameListener>,
    /// How many files are read at the same time.
    pub threads: usize,
}

impl fmt::Debug for IndexOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IndexOptions")
            .field("root", &self.root)
            .field("directory", &self.directory)
            .field("most_files", &self.most_files)
            .field("threads", &self.threads)
            .finish_non_exhaustive()
    }
}

/// The index of a workspace.
pub struct Index {
    options: IndexOptions,
    store: IndexStore,
    origin: StoreOrigin,
    overlay: RwLock<StoreOverlay>,
    /// Cutters for files that change, kept for their parsers.
    cutters: Mutex<Vec<FileCutter>>,
    ignore_files: Arc<IgnoreFiles>,
    /// Held while the disk is written.
    writing: Mutex<()>,
}

impl Index {
    /// Opens the index of a workspace, or begins a new one. Nothing of the workspace is read yet.
    pub fn open(mut options: IndexOptions) -> Result<Self, StoreError> {
        let canonical = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        options.root = canonical(&options.root);
        let (store, origin) = IndexStore::open(&options.directory, &options.root)?;
        // Now that it exists.
        options.directory = canonical(&options.directory);
        Ok(Index {
            options,
            store,
            origin,
            overlay: RwLock::default(),
            cutters: Mutex::default(),
            ignore_files: Arc::default(),
            writing: Mutex::new(()),
        })
    }

    /// Whether it was there, and if not, why.
    pub fn origin(&self) -> &StoreOrigin {
        &self.origin
    }

    /// Brings it up to date with the workspace: reads what changed, and forgets what is gone, ignored
    /// or excluded now.
    ///
    /// It says how far it is after every file, and stops soon after `is_stopped` says so. If what is
    /// on disk turns out to be damaged, it begins anew, and reports that. Earlier changes count no
    /// more: the update has seen them.
    pub fn update(
        &self,
        progress: &dyn Fn(BuildProgress),
        is_stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<BuildReport, UpdateError> {
        let root = &self.options.root;
        root.read_dir().map_err(|why| UpdateError::NoWorkspace {
            root: root.clone(),
            why,
        })?;
        let _writing = self.writing();
        let turn = self.overlay_mut().draw();
        let report = match self.update_store(progress, is_stopped) {
            Err(StoreError::Damaged { why }) => {
                self.store.rebuild()?;
                let mut report = self.update_store(progress, is_stopped)?;
                report.rebuilt = Some(why);
                report
            }
            updated => updated?,
        };
        if report.outcome == BuildOutcome::Finished {
            // Of these it does not know better.
            let unread = report.skipped.iter();
            let unread = unread.filter(|it| it.why == FileFault::ChangedWhileRead);
            let unread: BTreeSet<_> = unread.map(|it| it.file.clone()).collect();
            self.overlay_mut().settle_until(turn, &unread);
        }
        self.settle_what_is_written()?;
        self.close_what_is_ignored();
        Ok(report)
    }

    fn update_store(
        &self,
        progress: &dyn Fn(BuildProgress),
        is_stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<BuildReport, StoreError> {
        let Some(writer) = self.store.writer(WriteAmount::Workspace)? else {
            return Ok(BuildReport {
                outcome: BuildOutcome::WrittenByAnother,
                ..BuildReport::default()
            });
        };
        let manifest = self.store.manifest()?;
        let build = IndexBuild {
            ground: self.ground(),
            most_files: self.options.most_files,
            threads: self.options.threads,
            excluded: &self.options.excluded,
            secrets: &self.options.secrets,
            manifest: &manifest,
        };
        let report = build.run(writer, progress, is_stopped)?;
        if report.outcome == BuildOutcome::Finished {
            self.store.purge(&|file| self.is_kept_out(file))?;
        }
        Ok(report)
    }

    /// The chunks that have to do with a text, the best first, at most so many. The text is taken for
    /// its words, of which the first 64 different ones count: a rare one more than one that
    /// is everywhere, and an earlier one more than a later one.
    pub fn search(
        &self,
        text: &str,
        most: usize,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Vec<CodeChunk>, SearchError> {
        let words = words_of(text);
        if words.is_empty() || most == 0 {
            return Ok(Vec::new());
        }
        // In this order: what is written to the store in between is hidden by what is here.
        let overlay = self.overlay().clone();
        let searcher = self.store.searcher()?;
        let words = self.store.telling(&searcher, words)?;
        let verdicts = RefCell::new(BTreeMap::new());
        let is_excluded = |file: &FilePath| {
            let known = verdicts.borrow().get(file).copied();
            known.unwrap_or_else(|| {
                let verdict = self.excludes(file);
                verdicts.borrow_mut().insert(file.clone(), verdict);
                verdict
            })
        };
        let is_hidden = |file: &FilePath| overlay.hides(file) || is_excluded(file);
        let found = self
            .store
            .search(&searcher, &words, most, &is_hidden, is_stopped)?;
        let mut found = found.ok_or(SearchError::Stopped)?;
        if !overlay.is_empty() {
            let rarity = self.store.rarity(&searcher, &words)?;
            found.extend(overlay.search(&words, &rarity, most, &is_excluded));
        }
        found.sort_by(|one, other| in_order(one.0, &one.1, other.0, &other.1));
        found.truncate(most);
        Ok(found.into_iter().map(|(_, chunk)| chunk).collect())
    }

    /// Whether the whole workspace was ever in it.
    pub fn was_built(&self) -> bool {
        self.store.was_built()
    }

    /// Its contents, in numbers.
    pub fn status(&self) -> Result<IndexStatus, StoreError> {
        self.store.status()
    }

    /// The workspace that it is of.
    pub fn workspace(&self) -> &Path {
        &self.options.root
    }

    pub(crate) fn root(&self) -> &Path {
        &self.options.root
    }

    /// The ground of a walk for its files.
    pub(crate) fn ground(&self) -> WalkGround<'_> {
        WalkGround {
            root: &self.options.root,
            apart: &self.options.directory,
            ignore_files: &self.ignore_files,
        }
    }

    /// Where it is kept.
    pub fn directory(&self) -> &Path {
        &self.options.directory
    }

    pub(crate) fn store(&self) -> &IndexStore {
        &self.store
    }

    pub(crate) fn excludes(&self, file: &FilePath) -> bool {
        (self.options.excluded)(Path::new(file.as_str()))
    }

    /// Whether nothing of a file that is not in the index may be left of it: it is excluded, or there
    /// all the same, and so ignored.
    fn is_kept_out(&self, file: &FilePath) -> bool {
        let is_there = || self.options.root.join(file.as_str()).symlink_metadata();
        self.excludes(file) || is_there().is_ok()
    }

    pub(crate) fn most_files(&self) -> usize {
        self.options.most_files
    }

    /// Calls the listener for renames: a file or a directory has another name now.
    pub(crate) fn tell_renamed(&self, from: &FilePath, to: &FilePath) {
        if let Some(renamed) = &self.options.renamed {
            renamed(Path::new(from.as_str()), Path::new(to.as_str()));
        }
    }

    /// Lends a cutter, which takes a while to make.
    pub(crate) fn with_cutter<T>(&self, cut: impl FnOnce(&mut FileCutter) -> T) -> T {
        let cutters = || self.cutters.lock().unpoison();
        let kept = cutters().pop();
        let mut cutter =
            kept.unwrap_or_else(|| FileCutter::new(self.root(), &self.options.secrets));
        let done = cut(&mut cutter);
        let mut cutters = cutters();
        if cutters.len() < MOST_CUTTERS {
            cutters.push(cutter);
        }
        done
    }

    pub(crate) fn overlay(&self) -> RwLockReadGuard<'_, StoreOverlay> {
        self.overlay.read().unpoison()
    }

    pub(crate) fn overlay_mut(&self) -> RwLockWriteGuard<'_, StoreOverlay> {
        self.overlay.write().unpoison()
    }

    pub(crate) fn writing(&self) -> MutexGuard<'_, ()> {
        self.writing.lock().unpoison()
    }
}

impl fmt::Debug for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.options.fmt(f)
    }
}

/// Why an index could not be brought up to date.
#[derive(Debug, thiserror::Error)]
pub enum UpdateError {
    /// There is no such workspace. Its index is left as it is, since a disk may only be away.
    #[error("the workspace {} cannot be read", .root.display())]
    NoWorkspace {
        /// Which.
        root: PathBuf,
        /// Why not.
        #[source]
        why: io::Error,
    },
    /// The files on disk cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why nothing could be looked for. Finding nothing is not an error.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// It was told to stop.
    #[error("the search was stopped")]
    Stopped,
    /// The files on disk cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The first different words of a text, and what each counts by its place.
fn words_of(text: &str) -> Vec<QueryWord> {
    let mut found: Vec<QueryWord> = Vec::new();
    for word in name_words::words(text) {
        if found.len() >= MOST_WORDS {
            break;
        }
        if !found.iter().any(|it| it.word == word) {
            found.push(QueryWord {
                word: word.into_owned(),
                weight: 1.0 / (1.0 + found.len() as f32 / HALF_WEIGHT),
            });
        }
    }
    found
}
