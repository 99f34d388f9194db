//! [`RecordQueue`]: between the loop, which puts events there, and the thread that writes them.
//!
//! The thread is woken seldom: it lets events gather for a moment, unless they are many or large, and
//! takes all there are. It is bounded by number and by size, since an event may hold a whole text; a
//! thread that does not keep up is stopped, and the loop never waits.

use std::fmt;
use std::io;
use std::mem;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use foretell_core::{AheadOutcome, Event, Moment};
use foretell_text::{Edit, Text};

/// How long events gather before they are written.
const GATHERS: Duration = Duration::from_millis(200);

/// How many events are written before they have gathered for so long, and how many bytes of text.
const MANY: usize = 4 << 10;
const LARGE: usize = 4 << 20;

/// How many events may wait.
pub(super) const MOST: usize = 64 << 10;

/// How much text may wait, in bytes. One event may always: nothing is slow before the second.
pub(super) const LARGEST: usize = 64 << 20;

/// Why a recording has stopped.
#[derive(Debug, thiserror::Error)]
pub(super) enum StopReason {
    #[error("{0}; make room or name another file")]
    NotWritten(io::Error),
    #[error("the disk does not keep up; name a file on another one")]
    TooSlow,
}

/// The queue between the loop and the thread that writes.
#[derive(Default)]
pub(super) struct RecordQueue {
    queue: Mutex<QueuedEvents>,
    news: Condvar,
    /// The same as whether there is a reason in the queue, to look at often.
    has_stopped: AtomicBool,
    /// How often the thread began or ended to wait for the disk: while it waits this is odd.
    at_disk: AtomicU64,
}

#[derive(Default)]
struct QueuedEvents {
    waiting: Vec<(Moment, Event)>,
    /// How much text waits, in bytes.
    size: usize,
    is_over: bool,
    stopped: Option<StopReason>,
}

/// Nothing of what waits: it is people's text.
impl fmt::Debug for RecordQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RecordQueue")
    }
}

impl RecordQueue {
    /// Takes an event to be written.
    pub(super) fn put(&self, now: Moment, event: &Event) {
        if self.has_stopped.load(Ordering::Relaxed) {
            return;
        }
        let mut queue = self.lock();
        if queue.is_over {
            return;
        }
        let was_urgent = queue.is_urgent();
        queue.waiting.push((now, event.clone()));
        queue.size += size_of(event);
        let many = queue.waiting.len();
        if many > MOST || (many > 1 && queue.size > LARGEST) {
            drop(queue);
            return self.stop(StopReason::TooSlow);
        }
        let is_new = many == 1 || (queue.is_urgent() && !was_urgent);
        drop(queue);
        if is_new {
            self.news.notify_one();
        }
    }

    /// Lets the disk do something, which may take for ever.
    pub(super) fn wait_for_disk<T>(&self, work: impl FnOnce() -> T) -> T {
        self.at_disk.fetch_add(1, Ordering::Relaxed);
        let done = work();
        self.at_disk.fetch_add(1, Ordering::Relaxed);
        done
    }

    /// The number of what the disk is waited for, if it is.
    pub(super) fn waits_for_disk(&self) -> Option<u64> {
        let number = self.at_disk.load(Ordering::Relaxed);
        Some(number).filter(|number| number % 2 == 1)
    }

    /// Takes nothing more: what there is, is all.
    pub(super) fn close(&self) {
        self.lock().is_over = true;
        self.news.notify_one();
    }

    /// Throws away what waits, because it cannot be written.
    pub(super) fn stop(&self, why: StopReason) {
        let mut queue = self.lock();
        (queue.waiting, queue.size) = (Vec::new(), 0);
        queue.stopped.get_or_insert(why);
        self.has_stopped.store(true, Ordering::Relaxed);
        drop(queue);
        self.news.notify_one();
    }

    /// Why it was stopped, if it was.
    pub(super) fn why_stopped(&self) -> Option<String> {
        if !self.has_stopped.load(Ordering::Relaxed) {
            return None;
        }
        self.lock().stopped.as_ref().map(StopReason::to_string)
    }

    /// Waits for what is to be written next, and says whether there will be more.
    pub(super) fn take(&self) -> (Vec<(Moment, Event)>, bool) {
        let is_idle = |queue: &mut QueuedEvents| queue.waiting.is_empty() && queue.goes_on();
        let gathers = |queue: &mut QueuedEvents| !queue.is_urgent() && queue.goes_on();
        let queue = self.lock();
        let waited = self.news.wait_while(queue, is_idle);
        let queue = waited.unwrap_or_else(PoisonError::into_inner);
        let waited = self.news.wait_timeout_while(queue, GATHERS, gathers);
        let (mut queue, _) = waited.unwrap_or_else(PoisonError::into_inner);
        queue.size = 0;
        (mem::take(&mut queue.waiting), queue.goes_on())
    }

    fn lock(&self) -> MutexGuard<'_, QueuedEvents> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl QueuedEvents {
    /// Whether there is so much that it is written at once.
    fn is_urgent(&self) -> bool {
        self.waiting.len() >= MANY || self.size >= LARGE
    }

    fn goes_on(&self) -> bool {
        !self.is_over && self.stopped.is_none()
    }
}

/// How much text an event holds, in bytes, where that may be much. The rest is bounded by the number.
fn size_of(event: &Event) -> usize {
    let of_text = |text: &Text| text.end().get();
    let of_edit = |edit: &Edit| -> usize {
        let parts = edit.replacements().iter();
        parts.map(|it| it.new_text().len()).sum()
    };
    match event {
        Event::DocumentOpened { text, .. } | Event::DocumentReplaced { text, .. } => of_text(text),
        Event::DocumentChanged { edits, .. } => edits.iter().map(of_edit).sum(),
        Event::EditRejected { edit, .. } => of_edit(edit),
        Event::LaneAnswered { candidates, .. } | Event::LaneProgressed { candidates, .. } => {
            candidates.iter().map(|it| of_edit(&it.edit)).sum()
        }
        Event::Predicted { prediction, .. } => {
            let edit = prediction.as_ref().map(|it| &it.candidate.edit);
            edit.map_or(0, of_edit)
        }
        Event::AheadEnded {
            outcome: AheadOutcome::Answered(Some(answer)),
            ..
        } => answer.new_text.len(),
        Event::RejectionsRestored { rejections } => {
            rejections.iter().map(|it| of_edit(&it.edit)).sum()
        }
        _ => 0,
    }
}
