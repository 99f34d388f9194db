//! The queue of an index's thread: tasks that it has not begun.
//!
//! Adding something never waits, however long the thread has been at a disk that does not answer.
//! So the queue has to have a bound, and what is added twice is there once:
//!
//! - A document that is open is marked. Its text is looked up when its turn comes, and so it is the
//!   newest, whatever came in between. One that is closed needs no mark if the index was never told of
//!   it: there are no more marks than documents are open, and were when the thread began to wait.
//! - A path is there once; more than [`MOST_PATHS`] are one look at everything.
//! - Looking at everything, counting and ending are a flag each.
//!
//! Absent on purpose: the disk, and in which order it is all done.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use foretell_text::{FilePath, PoisonedLock};

/// How many paths are looked at one by one.
const MOST_PATHS: usize = 1_000;
/// How long one waits who is not to be woken at a certain time.
const LONG: Duration = Duration::from_secs(3_600);

/// The work of a thread.
#[derive(Debug, Default)]
pub(super) struct IndexQueue {
    waiting: Mutex<WaitingTasks>,
    woken: Condvar,
    is_stopped: Arc<AtomicBool>,
}

#[derive(Debug, Default)]
struct WaitingTasks {
    /// Documents that the index is to be told of, or no longer.
    documents: BTreeSet<PathBuf>,
    /// Documents that the index was told of, or is being.
    told: BTreeSet<PathBuf>,
    paths: BTreeSet<FilePath>,
    looks_again: bool,
    counts: bool,
}

impl IndexQueue {
    /// Has the index told of documents that are open.
    pub(super) fn opened(&self, documents: impl IntoIterator<Item = PathBuf>) {
        self.add(|waiting| waiting.documents.extend(documents));
    }

    /// Has the index told that a document is no longer open.
    pub(super) fn closed(&self, document: &Path) {
        self.add(|waiting| {
            if waiting.told.contains(document) {
                waiting.documents.insert(document.to_owned())
            } else {
                waiting.documents.remove(document)
            };
        });
    }

    /// Has a file or a directory looked at.
    pub(super) fn changed(&self, path: FilePath) {
        self.add(|waiting| {
            if waiting.looks_again {
                return;
            }
            waiting.paths.insert(path);
            if waiting.paths.len() > MOST_PATHS {
                waiting.look_again();
            }
        });
    }

    /// Has everything looked at.
    pub(super) fn look_again(&self) {
        self.add(WaitingTasks::look_again);
    }

    /// Has it counted what is in the index.
    pub(super) fn count(&self) {
        self.add(|waiting| waiting.counts = true);
    }

    /// Has the thread end. Nothing is added any more.
    pub(super) fn stop(&self) {
        let mut waiting = self.waiting();
        self.is_stopped.store(true, Ordering::Relaxed);
        *waiting = WaitingTasks::default();
        self.woken.notify_all();
    }

    /// Is set when the thread is to end.
    pub(super) fn stops(&self) -> &Arc<AtomicBool> {
        &self.is_stopped
    }

    /// Whether the thread is to end.
    pub(super) fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// Takes a document that the index is to be told of. Its text is looked up after this.
    pub(super) fn take_document(&self) -> Option<PathBuf> {
        let mut waiting = self.waiting();
        let document = waiting.documents.pop_first()?;
        waiting.told.insert(document.clone());
        Some(document)
    }

    /// Takes note that the index was told that a document is not open.
    pub(super) fn told_closed(&self, document: &Path) {
        self.waiting().told.remove(document);
    }

    /// A file or directory that is to be looked at.
    pub(super) fn take_path(&self) -> Option<FilePath> {
        self.waiting().paths.pop_first()
    }

    /// Whether everything is to be looked at.
    pub(super) fn takes_look(&self) -> bool {
        std::mem::take(&mut self.waiting().looks_again)
    }

    /// Whether it is to be counted what is in the index.
    pub(super) fn takes_count(&self) -> bool {
        std::mem::take(&mut self.waiting().counts)
    }

    /// Forgets what is looked at by looking at everything, which begins now.
    pub(super) fn begin_look(&self) {
        let mut waiting = self.waiting();
        waiting.looks_again = false;
        waiting.paths.clear();
    }

    /// Waits until there is something to do, or for so long.
    pub(super) fn wait(&self, until: Option<Instant>) {
        self.wait_while(until, WaitingTasks::is_empty);
    }

    /// Waits until the thread is to end, or for so long.
    pub(super) fn wait_for_stop(&self, until: Instant) {
        self.wait_while(Some(until), |_| true);
    }

    fn wait_while(&self, until: Option<Instant>, is_waiting: impl Fn(&WaitingTasks) -> bool) {
        let time = until.map_or(LONG, |it| it.saturating_duration_since(Instant::now()));
        let goes_on = |it: &mut WaitingTasks| !self.is_stopped() && is_waiting(it);
        // A thread that panicked with it left it whole.
        drop(self.woken.wait_timeout_while(self.waiting(), time, goes_on));
    }

    fn add(&self, add: impl FnOnce(&mut WaitingTasks)) {
        let mut waiting = self.waiting();
        if !self.is_stopped() {
            add(&mut waiting);
            self.woken.notify_all();
        }
    }

    fn waiting(&self) -> MutexGuard<'_, WaitingTasks> {
        self.waiting.lock().unpoison()
    }
}

impl WaitingTasks {
    fn look_again(&mut self) {
        self.looks_again = true;
        self.paths.clear();
    }

    fn is_empty(&self) -> bool {
        let are_none = self.documents.is_empty() && self.paths.is_empty();
        are_none && !self.looks_again && !self.counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(number: usize) -> PathBuf {
        PathBuf::from(format!("/app/{number}.rs"))
    }

    #[test]
    fn a_document_is_there_once_and_not_at_all_if_nobody_was_told() {
        let queue = IndexQueue::default();
        for number in 0..10_000 {
            queue.opened([document(number)]);
            queue.opened([document(number)]);
            queue.closed(&document(number));
        }
        queue.opened([document(1), document(1)]);
        assert_eq!(queue.take_document(), Some(document(1)));
        assert_eq!(queue.take_document(), None);
        // It is being told of it, so that it has to hear of the end.
        queue.closed(&document(1));
        queue.closed(&document(1));
        assert_eq!(queue.take_document(), Some(document(1)));
        assert_eq!(queue.take_document(), None);
        queue.told_closed(&document(1));
        queue.closed(&document(1));
        assert_eq!(queue.take_document(), None);
    }

    #[test]
    fn a_path_is_there_once_and_too_many_are_a_look_at_everything() {
        let path = |number: usize| FilePath::new(format!("{number}.rs"));
        let queue = IndexQueue::default();
        for _ in 0..2 {
            (0..MOST_PATHS).for_each(|it| queue.changed(path(it)));
        }
        assert!(!queue.takes_look());
        assert_eq!(queue.take_path(), Some(path(0)));
        (0..=MOST_PATHS).for_each(|it| queue.changed(path(it)));
        assert_eq!(queue.take_path(), None);
        assert!(queue.takes_look());
        assert!(!queue.takes_look(), "once");
        queue.changed(path(1));
        queue.look_again();
        queue.begin_look();
        assert!(!queue.takes_look());
        assert_eq!(queue.take_path(), None, "it is looked at with all others");
    }

    #[test]
    fn whoever_is_to_end_is_woken_and_given_nothing_more() {
        let queue = IndexQueue::default();
        let began = Instant::now();
        std::thread::scope(|scope| {
            scope.spawn(|| queue.wait(None));
            scope.spawn(|| queue.wait_for_stop(Instant::now() + LONG));
            queue.stop();
        });
        assert!(began.elapsed() < LONG);
        queue.opened([document(1)]);
        queue.changed(FilePath::new("a.rs"));
        assert_eq!((queue.take_document(), queue.take_path()), (None, None));
    }
}
