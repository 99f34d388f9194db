//! The index of one folder, as everyone but its thread sees it.
//!
//! Whatever is told here is only taken down (see [`IndexQueue`]); the thread, a [`IndexKeeper`], does it. So no
//! caller waits for a disk, and one folder whose disk does not answer holds up no other.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use foretell_index::Index;
use foretell_lanes::embedded::ShelfPlace;
use foretell_text::{FilePath, PoisonedLock};

use super::SharedIndexState;
use super::array_keeper::ArraySignal;
use super::index_keeper::IndexKeeper;
use super::index_plan::{IndexPlan, IndexRefusal};
use super::index_queue::IndexQueue;
use super::index_state::{FolderIndexStatus, IndexState};
use crate::context_source::NoIndex;
use crate::folders::OpenFolder;
use crate::workspace::name_in;

/// How often it is looked whether a thread has ended.
const LOOK_EVERY: Duration = Duration::from_millis(2);

/// The index of one folder.
pub(super) struct FolderIndex {
    /// Its name may change.
    folder: Mutex<Arc<OpenFolder>>,
    pub(super) plan: Result<IndexPlan, IndexRefusal>,
    /// As soon as it is open.
    pub(super) index: OnceLock<Arc<Index>>,
    pub(super) queue: IndexQueue,
    /// Wakes the thread that keeps its code ready for the language model.
    pub(super) array: ArraySignal,
    /// Where that code is put.
    pub(super) place: ShelfPlace,
    said: Mutex<KeeperReport>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

pub(super) struct KeeperReport {
    pub(super) state: IndexState,
    pub(super) problem: Option<String>,
}

impl FolderIndex {
    /// Begins to open an index, if there is to be one.
    pub(super) fn start(
        folder: OpenFolder,
        plan: Result<IndexPlan, IndexRefusal>,
        common: &Arc<SharedIndexState>,
    ) -> Arc<Self> {
        let state = match &plan {
            Ok(_) => IndexState::Opening,
            Err(why) => IndexState::Off(why.clone()),
        };
        let part = Arc::new(FolderIndex {
            folder: Mutex::new(Arc::new(folder)),
            plan,
            index: OnceLock::new(),
            queue: IndexQueue::default(),
            array: ArraySignal::default(),
            place: common.shelf.place(),
            said: Mutex::new(KeeperReport {
                state,
                problem: None,
            }),
            thread: Mutex::default(),
        });
        let Ok(plan) = part.plan.clone() else {
            part.queue.stop();
            return part;
        };
        // Those that were opened before.
        let documents: Vec<_> = common.documents().keys().cloned().collect();
        documents.iter().for_each(|it| part.opened(it));
        let keeper = IndexKeeper::new(Arc::clone(&part), Arc::clone(common));
        let thread = thread::Builder::new().name("foretell-index".to_owned());
        match thread.spawn(move || keeper.run(&plan)) {
            Ok(thread) => *part.thread() = Some(thread),
            Err(why) => {
                let why = format!("no thread can be started for it: {why}");
                part.said().state = IndexState::Unusable(why);
                part.queue.stop();
            }
        }
        part
    }

    /// Whether it is the index of a folder, whatever that is called.
    pub(super) fn is_of(
        &self,
        folder: &OpenFolder,
        plan: &Result<IndexPlan, IndexRefusal>,
    ) -> bool {
        let own = self.folder();
        own.path == folder.path && own.real == folder.real && self.plan == *plan
    }

    /// Is the index of the same folder, which may be called something else now.
    pub(super) fn call(&self, folder: &OpenFolder) {
        let own = self.folder.lock();
        *own.unpoison() = Arc::new(folder.clone());
        self.array.change();
    }

    pub(super) fn folder(&self) -> Arc<OpenFolder> {
        let folder = self.folder.lock();
        Arc::clone(&folder.unpoison())
    }

    /// Has everything looked at again, because other files are excluded.
    pub(super) fn look_again(&self) {
        self.queue.look_again();
        self.array.change();
    }

    /// Tells the thread to end.
    pub(super) fn end(&self) {
        self.queue.stop();
        self.array.stop();
    }

    /// Waits until the thread has ended, but no longer than that. One that hangs is left behind, and
    /// ends when it can.
    pub(super) fn wait(&self, until: Instant) {
        let Some(thread) = self.thread().take() else {
            return;
        };
        while !thread.is_finished() {
            if Instant::now() >= until {
                return;
            }
            thread::sleep(LOOK_EVERY);
        }
        // It does not panic; if it did, there would be nothing left to wait for.
        let _ = thread.join();
    }

    /// Has the index told of a document that says something else now.
    pub(super) fn opened(&self, path: &Path) {
        if self.has(path) {
            self.queue.opened([path.to_owned()]);
        }
    }

    /// Has the index told that a document is no longer open.
    pub(super) fn closed(&self, path: &Path) {
        self.queue.closed(path);
    }

    /// Has a file or a directory looked at.
    pub(super) fn changed(&self, path: &Path) {
        if let Some(file) = self.file(path) {
            self.queue.changed(file);
        }
    }

    pub(super) fn has(&self, path: &Path) -> bool {
        self.folder().rest_of(path).is_some()
    }

    pub(super) fn was_built(&self) -> bool {
        self.index.get().is_some_and(|it| it.was_built())
    }

    pub(super) fn status(&self) -> FolderIndexStatus {
        let folder = self.folder();
        let said = self.said();
        FolderIndexStatus {
            folder: folder.path.clone(),
            name: folder.name.clone(),
            state: said.state.clone(),
            problem: said.problem.clone(),
        }
    }

    /// Why there is nothing to find code in, if there is not and will not be.
    pub(super) fn none(&self) -> Option<NoIndex> {
        match (&self.plan, &self.said().state) {
            (Err(why), _) => Some(why.in_general()),
            (Ok(_), IndexState::Unusable(_)) => Some(NoIndex::Unusable),
            (Ok(_), _) => None,
        }
    }

    /// Returns the name of a file in the index, if it is in this folder.
    pub(super) fn file(&self, path: &Path) -> Option<FilePath> {
        let folder = self.folder();
        let rest = folder.rest_of(path)?;
        Some(name_in(Path::new(""), rest))
    }

    pub(super) fn said(&self) -> MutexGuard<'_, KeeperReport> {
        self.said.lock().unpoison()
    }

    fn thread(&self) -> MutexGuard<'_, Option<JoinHandle<()>>> {
        self.thread.lock().unpoison()
    }
}
