//! Which files one request may tell of.
//!
//! Asking reads the disk, which may be slow or gone. So files are asked about on a thread that may
//! wait, each once per request, and the request waits no longer than its own time. A thread may
//! wait longer than that, for ever if need be; so there are only so many for all requests, and a request
//! that finds none free learns nothing.
//! Invariant: a file of which nothing is known yet is excluded.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard};

use foretell_context::Exclude;
use foretell_text::{FilePath, PoisonedLock};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

/// How many threads there are.
const MOST_THREADS: usize = 32;

/// The threads that a disk is asked on, for all requests of their owner. One that a disk does not
/// answer cannot be stopped, and is not there for others until it is answered.
#[derive(Clone, Debug)]
pub struct DiskThreads(Arc<Semaphore>);

impl Default for DiskThreads {
    fn default() -> Self {
        DiskThreads(Arc::new(Semaphore::new(MOST_THREADS)))
    }
}

/// The verdicts on the files of a request.
pub(crate) struct RequestVerdicts {
    asked: Arc<dyn Exclude>,
    threads: DiskThreads,
    known: Mutex<BTreeMap<FilePath, ExclusionVerdict>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ExclusionVerdict {
    Told,
    Excluded,
}

impl RequestVerdicts {
    pub(crate) fn new(asked: &Arc<dyn Exclude>, threads: &DiskThreads) -> Self {
        RequestVerdicts {
            asked: Arc::clone(asked),
            threads: threads.clone(),
            known: Mutex::default(),
        }
    }

    /// Finds out which of some files are excluded. If it is dropped before it ends, they all are.
    pub(crate) async fn learn(&self, files: impl IntoIterator<Item = FilePath>) {
        let mut files: BTreeSet<FilePath> = files.into_iter().collect();
        files.retain(|file| !self.known().contains_key(file));
        if files.is_empty() {
            return;
        }
        let Ok(thread) = Arc::clone(&self.threads.0).acquire_owned().await else {
            return;
        };
        let asked = Arc::clone(&self.asked);
        let judge = move |file: FilePath| {
            let verdict = if asked.excludes(&file) {
                ExclusionVerdict::Excluded
            } else {
                ExclusionVerdict::Told
            };
            (file, verdict)
        };
        let judged = spawn_blocking(move || {
            // The slot is taken for as long as the disk is, also if the caller has stopped waiting.
            let _thread = thread;
            files.into_iter().map(judge).collect::<Vec<_>>()
        });
        // If it panicked, nothing is known.
        let judged = judged.await.unwrap_or_default();
        self.known().extend(judged);
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<FilePath, ExclusionVerdict>> {
        self.known.lock().unpoison()
    }
}

impl Exclude for RequestVerdicts {
    fn excludes(&self, file: &FilePath) -> bool {
        self.known().get(file) != Some(&ExclusionVerdict::Told)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// Excludes what is called `secret`, breaks at `broken`, and counts how often it is asked.
    #[derive(Default)]
    struct CountingExclusion(AtomicUsize);

    impl Exclude for CountingExclusion {
        fn excludes(&self, file: &FilePath) -> bool {
            self.0.fetch_add(1, Ordering::SeqCst);
            assert_ne!(file.as_str(), "broken");
            file.as_str() == "secret"
        }
    }

    #[tokio::test]
    async fn every_file_is_asked_about_once() {
        let played = Arc::new(CountingExclusion::default());
        let asked = Arc::clone(&played) as Arc<dyn Exclude>;
        let verdicts = RequestVerdicts::new(&asked, &DiskThreads::default());
        for _ in 0..3 {
            let files = ["open", "secret", "open"].map(FilePath::new);
            verdicts.learn(files).await;
        }
        assert_eq!(played.0.load(Ordering::SeqCst), 2);
        assert!(!verdicts.excludes(&FilePath::new("open")));
        assert!(verdicts.excludes(&FilePath::new("secret")));
    }

    /// A disk that answers when the test is over, and counts how often it is asked.
    struct StuckDisk(AtomicUsize, Mutex<std::sync::mpsc::Receiver<()>>);

    impl Exclude for StuckDisk {
        fn excludes(&self, _: &FilePath) -> bool {
            self.0.fetch_add(1, Ordering::SeqCst);
            let over = self.1.lock().unwrap().recv();
            assert!(over.is_err(), "nobody sends");
            false
        }
    }

    #[tokio::test]
    async fn a_disk_that_does_not_answer_takes_only_so_many_threads() {
        let (over, wait) = std::sync::mpsc::channel();
        let stuck = Arc::new(StuckDisk(AtomicUsize::new(0), wait.into()));
        let asked = Arc::clone(&stuck) as Arc<dyn Exclude>;
        let threads = DiskThreads::default();
        for _ in 0..2 * MOST_THREADS {
            let verdicts = RequestVerdicts::new(&asked, &threads);
            let learn = verdicts.learn([FilePath::new("open")]);
            let learned = tokio::time::timeout(std::time::Duration::from_millis(1), learn).await;
            assert!(learned.is_err());
            assert!(verdicts.excludes(&FilePath::new("open")));
        }
        assert_eq!(threads.0.available_permits(), 0);
        assert!(stuck.0.load(Ordering::SeqCst) <= MOST_THREADS);
        drop(over);
    }

    #[tokio::test]
    async fn what_is_not_known_is_excluded() {
        let asked: Arc<dyn Exclude> = Arc::new(CountingExclusion::default());
        let verdicts = RequestVerdicts::new(&asked, &DiskThreads::default());
        assert!(verdicts.excludes(&FilePath::new("open")));
        verdicts.learn([FilePath::new("broken")]).await;
        assert!(verdicts.excludes(&FilePath::new("broken")));
        drop(verdicts.learn([FilePath::new("open")]));
        assert!(verdicts.excludes(&FilePath::new("open")));
    }
}
