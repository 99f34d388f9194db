//! The threads that are kept busy by what has to be worked out: which parts of a text are secret, and
//! which code is alike.
//!
//! A processor does only so much at once. A person who types fast asks for more than that, and most of
//! it is not wanted any more by the time it would begin. So there are a few threads for all of it, and
//! a caller that waits for one and is dropped costs nothing.
//!
//! Absent on purpose: what waits for a disk, which has threads of its own that may be stuck.

use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio::task::{JoinError, spawn_blocking};

/// How many there are: enough for an ordinary machine, and few enough to leave it to others.
const MOST_THREADS: usize = 4;

/// The threads, which are shared.
#[derive(Clone, Debug)]
pub struct WorkThreads(Arc<Semaphore>);

impl Default for WorkThreads {
    fn default() -> Self {
        WorkThreads(Arc::new(Semaphore::new(MOST_THREADS)))
    }
}

impl WorkThreads {
    /// Does some work when there is a thread for it. If this is dropped before, it is not done.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, JoinError> {
        // It is never closed.
        let thread = Arc::clone(&self.0).acquire_owned().await;
        spawn_blocking(move || {
            // The slot is taken for as long as the work lasts, also if the caller has stopped waiting.
            let _thread = thread;
            work()
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc::channel;

    use tokio::task::JoinSet;

    use super::*;

    #[tokio::test]
    async fn of_much_work_a_few_threads_do_all() {
        let threads = WorkThreads::default();
        let (busy, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let mut works = JoinSet::new();
        for _ in 0..200 {
            let (threads, busy, most) = (threads.clone(), Arc::clone(&busy), Arc::clone(&most));
            works.spawn(async move {
                let work = move || {
                    let now = busy.fetch_add(1, Ordering::SeqCst) + 1;
                    most.fetch_max(now, Ordering::SeqCst);
                    std::thread::yield_now();
                    busy.fetch_sub(1, Ordering::SeqCst);
                };
                threads.run(work).await.is_ok()
            });
        }
        assert_eq!(works.join_all().await, [true; 200]);
        assert!(most.load(Ordering::SeqCst) <= MOST_THREADS);
    }

    #[tokio::test]
    async fn what_nobody_waits_for_any_more_is_not_begun() {
        let threads = WorkThreads::default();
        let (release, held) = channel::<()>();
        let held = Arc::new(std::sync::Mutex::new(held));
        let mut works = JoinSet::new();
        for _ in 0..MOST_THREADS {
            let (threads, held) = (threads.clone(), Arc::clone(&held));
            let hold = move || drop(held.lock().map(|held| held.recv()));
            works.spawn(async move { threads.run(hold).await.is_ok() });
        }
        while threads.0.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        let begun = Arc::new(AtomicUsize::new(0));
        let counts = Arc::clone(&begun);
        let waiting = threads.clone();
        let unwanted = tokio::spawn(async move {
            waiting
                .run(move || counts.fetch_add(1, Ordering::SeqCst))
                .await
                .is_ok()
        });
        tokio::task::yield_now().await;
        unwanted.abort();
        assert!(unwanted.await.is_err());
        drop(release);
        assert_eq!(works.join_all().await, [true; MOST_THREADS]);
        assert_eq!(begun.load(Ordering::SeqCst), 0);
    }
}
