//! Which files one request may tell of.
//!
//! Asking reads the disk, which may be slow or gone. So files are asked about on a thread that may
//! wait, each once per request, and whoever needs to know waits no longer than the request does.
//! Invariant: a file of which nothing is known yet is excluded.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use foretell_context::Exclude;
use foretell_text::FilePath;
use tokio::task::spawn_blocking;

/// What is known of the files of a request.
pub(crate) struct Verdicts {
    asked: Arc<dyn Exclude>,
    known: Mutex<BTreeMap<FilePath, Verdict>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Told,
    Excluded,
}

impl Verdicts {
    pub(crate) fn new(asked: Arc<dyn Exclude>) -> Self {
        Verdicts {
            asked,
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
        let asked = Arc::clone(&self.asked);
        let judge = move |file: FilePath| {
            let verdict = match asked.excludes(&file) {
                true => Verdict::Excluded,
                false => Verdict::Told,
            };
            (file, verdict)
        };
        let judged = spawn_blocking(|| files.into_iter().map(judge).collect::<Vec<_>>());
        // If it panicked, nothing is known.
        let judged = judged.await.unwrap_or_default();
        self.known().extend(judged);
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<FilePath, Verdict>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Exclude for Verdicts {
    fn excludes(&self, file: &FilePath) -> bool {
        self.known().get(file) != Some(&Verdict::Told)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// Excludes what is called `secret`, breaks at `broken`, and counts how often it is asked.
    #[derive(Default)]
    struct Played(AtomicUsize);

    impl Exclude for Played {
        fn excludes(&self, file: &FilePath) -> bool {
            self.0.fetch_add(1, Ordering::SeqCst);
            assert_ne!(file.as_str(), "broken");
            file.as_str() == "secret"
        }
    }

    #[tokio::test]
    async fn every_file_is_asked_about_once() {
        let played = Arc::new(Played::default());
        let verdicts = Verdicts::new(Arc::clone(&played) as Arc<dyn Exclude>);
        for _ in 0..3 {
            let files = ["open", "secret", "open"].map(FilePath::new);
            verdicts.learn(files).await;
        }
        assert_eq!(played.0.load(Ordering::SeqCst), 2);
        assert!(!verdicts.excludes(&FilePath::new("open")));
        assert!(verdicts.excludes(&FilePath::new("secret")));
    }

    #[tokio::test]
    async fn what_is_not_known_is_excluded() {
        let verdicts = Verdicts::new(Arc::new(Played::default()));
        assert!(verdicts.excludes(&FilePath::new("open")));
        verdicts.learn([FilePath::new("broken")]).await;
        assert!(verdicts.excludes(&FilePath::new("broken")));
        drop(verdicts.learn([FilePath::new("open")]));
        assert!(verdicts.excludes(&FilePath::new("open")));
    }
}
