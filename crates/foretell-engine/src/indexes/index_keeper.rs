//! The thread that opens the index of one folder and keeps it up to date.
//!
//! It opens the index, begins to watch, and updates: whatever changes after that the watch hears of.
//! From then on it does what it is told (see [`IndexQueue`](super::index_queue::IndexQueue)), and sleeps in between.
//!
//! - Documents come first, also while everything is looked at: a person has just typed them. Then come
//!   updates, which look at all that changed, and then what changed file by file.
//! - An update waits for its turn among all folders, and does not keep the thread from anything else
//!   meanwhile.
//! - What could not be done, because another process writes or a disk is away, is tried again, later
//!   each time. So is opening an index that another process has; nothing else keeps it from being
//!   opened that would pass by itself.

use std::cell::Cell;
use std::error::Error;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use foretell_index::{
    BuildOutcome, BuildProgress, Index, IndexOptions, IndexWatch, StoreError, UpdateError,
    WatchEvent, WatchOptions,
};
use foretell_text::FilePath;

use super::SharedIndexState;
use super::array_keeper::ArrayKeeper;
use super::folder_index::FolderIndex;
use super::index_plan::IndexPlan;
use super::index_state::{FolderIndexContents, IndexProgress, IndexState, IndexStep, IndexWait};
use crate::terminal_safe::{visible, with_causes};
use crate::workspace_code::threads;

/// How often it is told how far an update is.
const TELL_EVERY: Duration = Duration::from_millis(200);
/// How long nothing changes before what is in the index is counted: by then it is written to disk.
const COUNT_AFTER: Duration = Duration::from_secs(4);
/// How soon what could not be done is tried again, and how late at most.
const TRY_AGAIN: Duration = Duration::from_secs(2);
const LATEST: Duration = Duration::from_secs(60);
/// How soon it is looked again whether it is its turn.
const TURN: Duration = Duration::from_millis(100);

/// The state of the thread.
pub(super) struct IndexKeeper {
    part: Arc<FolderIndex>,
    common: Arc<SharedIndexState>,
    /// When everything is looked at.
    next_update: Option<Instant>,
    /// When it is counted what is in it.
    next_count: Option<Instant>,
    /// How long to wait before what failed is tried again.
    pause: Duration,
    is_watched: bool,
}

impl IndexKeeper {
    pub(super) fn new(part: Arc<FolderIndex>, common: Arc<SharedIndexState>) -> Self {
        IndexKeeper {
            part,
            common,
            next_update: Some(Instant::now()),
            next_count: None,
            pause: TRY_AGAIN,
            is_watched: false,
        }
    }

    /// All that the thread does.
    pub(super) fn run(mut self, plan: &IndexPlan) {
        if let Some(index) = self.open(plan) {
            if plan.learns && self.common.learns {
                ArrayKeeper::start(&self.part, &self.common, &index);
            }
            self.keep(&index);
        }
        // No thread is left that would do anything.
        self.part.queue.stop();
        self.part.array.stop();
        let state = &mut self.part.said().state;
        if !matches!(state, IndexState::Unusable(_)) {
            *state = IndexState::Ended;
        }
    }

    /// Opens the index, as soon as that can be done.
    fn open(&mut self, plan: &IndexPlan) -> Option<Arc<Index>> {
        while !self.is_stopped() {
            match Index::open(self.options(plan)) {
                Ok(index) => {
                    self.pause = TRY_AGAIN;
                    self.part.said().problem = None;
                    self.part.said().state = IndexState::Opening;
                    return Some(Arc::new(index));
                }
                Err(why @ StoreError::Locked) => {
                    self.part.said().state = IndexState::Waiting(IndexWait::Another);
                    self.fail(in_words(&why));
                    let again = self.after_failure();
                    self.part.queue.wait_for_stop(again);
                }
                Err(why) => {
                    let why = in_words(&why);
                    self.part.said().state = IndexState::Unusable(why.clone());
                    self.tell(IndexStep::Failed(why));
                    return None;
                }
            }
        }
        None
    }

    /// Does what is to be done, until it is to end.
    fn keep(&mut self, index: &Arc<Index>) {
        let _ = self.part.index.set(Arc::clone(index));
        self.tell_of_documents(index);
        let watch = self.watch(index);
        self.is_watched = watch.is_some();
        while !self.is_stopped() {
            self.do_next(index);
        }
        drop(watch);
    }

    fn options(&self, plan: &IndexPlan) -> IndexOptions {
        let root = self.part.folder().real.clone();
        let (excludes, follows) = (Arc::clone(&self.common), Arc::clone(&self.common));
        let (from_root, to_root) = (root.clone(), root.clone());
        let redactor = self.common.redactor.clone();
        IndexOptions {
            root,
            directory: plan.directory.clone(),
            most_files: plan.most_files,
            excluded: Arc::new(move |file| {
                let path = from_root.join(file);
                excludes.exclude().why_path(&path).is_some()
            }),
            secrets: Arc::new(move |text| redactor.ranges(text)),
            renamed: Some(Arc::new(move |from, to| {
                let (from, to) = (to_root.join(from), to_root.join(to));
                follows.exclude().renamed(&from, &to);
            })),
            threads: threads(),
        }
    }

    fn watch(&self, index: &Arc<Index>) -> Option<IndexWatch> {
        let options = WatchOptions {
            update_lock: self.common.building.clone(),
            is_stopped: Arc::clone(self.part.queue.stops()),
        };
        let part = Arc::downgrade(&self.part);
        let tell = move |watched: WatchEvent| {
            let Some(part) = Weak::upgrade(&part) else {
                return;
            };
            match watched {
                WatchEvent::Followed(_) | WatchEvent::Updated(_) => {
                    part.said().problem = None;
                    part.queue.count();
                }
                WatchEvent::Failed(why) => part.said().problem = Some(in_words(&why)),
            }
        };
        match IndexWatch::start(Arc::clone(index), options, tell) {
            Ok(watch) => Some(watch),
            Err(why) => {
                let seconds = LATEST.as_secs();
                self.fail(format!(
                    "{}; everything is looked at every {seconds} seconds instead",
                    in_words(&why)
                ));
                None
            }
        }
    }

    /// Does the next thing, or waits until there is one.
    fn do_next(&mut self, index: &Index) {
        let now = Instant::now();
        let queue = &self.part.queue;
        if queue.takes_look() {
            self.next_update = Some(now);
        }
        if queue.takes_count() {
            self.next_count = Some(now + COUNT_AFTER);
        }
        self.tell_of_documents(index);
        let is_past = |at: Option<Instant>| at.is_some_and(|at| at <= now);
        if is_past(self.next_update) {
            self.update(index);
        } else if let Some(file) = self.part.queue.take_path() {
            self.look_at(index, &file);
        } else if is_past(self.next_count) {
            self.count(index);
        } else {
            let next = self.next_update.into_iter().chain(self.next_count).min();
            self.part.queue.wait(next);
        }
    }

    /// Tells the index what documents say that are open, and which are no longer.
    fn tell_of_documents(&self, index: &Index) {
        while let Some(path) = self.part.queue.take_document() {
            if self.is_stopped() {
                return;
            }
            let Some(file) = self.part.file(&path) else {
                continue;
            };
            // Nothing waits for it while the index is told.
            let document = self.common.documents().get(&path).cloned();
            match document {
                Some((language, text)) => index.opened(&file, &language, &text.to_string()),
                None => {
                    index.closed(&file);
                    self.part.queue.told_closed(&path);
                }
            }
        }
    }

    /// Looks at a file or a directory that is said to have changed.
    fn look_at(&mut self, index: &Index, file: &FilePath) {
        let path = self.part.folder().real.join(file.as_str());
        let now = Instant::now();
        match index.changed(&path) {
            Ok(followed) if followed.owes_update => self.next_update = Some(now),
            Ok(_) => self.next_count = Some(now + COUNT_AFTER),
            // An update does away with most of what can be wrong, and says what it cannot; unless that
            // was tried before and is waited for.
            Err(_) => {
                self.next_update.get_or_insert(now);
            }
        }
    }

    /// Looks at everything, if it is its turn.
    fn update(&mut self, index: &Index) {
        let Some(turn) = self.common.building.take() else {
            self.next_update = Some(Instant::now() + TURN);
            return;
        };
        self.part.queue.begin_look();
        self.part.said().state = IndexState::Updating(BuildProgress::default());
        self.tell(IndexStep::Began);
        let told = Cell::new(Instant::now());
        let progress = |progress: BuildProgress| {
            turn.go_on();
            self.tell_of_documents(index);
            if told.get().elapsed() >= TELL_EVERY {
                told.set(Instant::now());
                self.part.said().state = IndexState::Updating(progress);
                self.tell(IndexStep::Reached(progress));
            }
        };
        let queue = &self.part.queue;
        let updated = index.update(&progress, &|| queue.is_stopped());
        drop(turn);
        self.next_update = Some(self.after_failure());
        let mut wait = IndexWait::Another;
        match updated.map(|report| report.outcome) {
            Ok(BuildOutcome::Finished) => {
                self.pause = TRY_AGAIN;
                self.next_update = (!self.is_watched).then(|| Instant::now() + LATEST);
                if self.is_watched {
                    self.part.said().problem = None;
                }
            }
            // Its writes are found here, too.
            Ok(BuildOutcome::WrittenByAnother | BuildOutcome::Stopped) => {}
            Err(why) => {
                wait = IndexWait::Failed;
                self.fail(in_words(&why));
            }
        }
        self.count(index);
        let state = &mut self.part.said().state;
        if matches!(state, IndexState::Updating(_)) {
            *state = IndexState::Waiting(wait);
        }
        self.tell(IndexStep::Ended);
    }

    /// Counts what is in the index.
    fn count(&mut self, index: &Index) {
        self.next_count = None;
        self.part.array.change();
        match index.status() {
            // It was never as the folder is.
            Ok(status) if status.built.is_none() => {}
            Ok(status) => {
                self.part.said().state = IndexState::Ready(FolderIndexContents {
                    files: status.files,
                    chunks: status.chunks,
                    bytes_on_disk: status.bytes_on_disk,
                });
            }
            Err(why) => {
                self.part.said().state = IndexState::Unusable(in_words(&why));
            }
        }
    }

    /// When what failed is tried again: later each time.
    fn after_failure(&mut self) -> Instant {
        let at = Instant::now() + self.pause;
        self.pause = (self.pause * 2).min(LATEST);
        at
    }

    /// Takes note of what went wrong, and says it once.
    fn fail(&self, why: String) {
        let before = self.part.said().problem.replace(why.clone());
        if before.as_ref() != Some(&why) {
            self.tell(IndexStep::Failed(why));
        }
    }

    fn tell(&self, step: IndexStep) {
        let folder = self.part.folder();
        (self.common.progress)(IndexProgress {
            folder: folder.real.clone(),
            name: folder.name.clone(),
            step,
        });
    }

    fn is_stopped(&self) -> bool {
        self.part.queue.is_stopped()
    }
}

/// An error with all that is behind it, in one line, and what to do about it.
fn in_words(error: &(dyn Error + 'static)) -> String {
    let words = with_causes(error);
    let store = error.downcast_ref::<StoreError>();
    let store = store.or_else(|| match error.downcast_ref::<UpdateError>() {
        Some(UpdateError::Store(error)) => Some(error),
        _ => None,
    });
    let next = match store {
        Some(StoreError::Directory { .. }) => {
            "; check that you may write there, or choose another place with index.dir"
        }
        Some(StoreError::Damaged { .. }) => "; make it anew with foretell index --rebuild",
        Some(StoreError::Locked) => "; it is tried again within a minute",
        Some(StoreError::NotWritten(_)) => "; check that there is room on the disk",
        Some(StoreError::NotRead(_)) | None => "",
    };
    visible(format!("{words}{next}"))
}
