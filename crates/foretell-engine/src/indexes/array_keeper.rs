//! The thread that keeps the code of one folder ready for the language model.
//!
//! It makes the model's array of what is in the index, puts it on the shelf, and makes it anew when enough
//! has changed. Nobody waits for it: it is told that the index has changed, and does the rest when the
//! cores have time for it.
//!
//! - What is on the shelf is never known to be wrong: a file that is another by now, is gone, ignored or
//!   excluded is left out at once, long before there is a newer array.
//! - An array of which something may not be known any more is deleted and made anew at once.
//! - Otherwise it is made anew when one file in fifty has changed, or after five minutes if anything has;
//!   and so that it takes no more than a twentieth of a core over time.
//! - One process makes it; the others see that there is a newer one and take that.
//! - One folder at a time does so in this process.
//!
//! Absent on purpose: what is in an array, which is `learned_workspace`'s.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use foretell_index::Index;
use foretell_predict::WorkspacePart;
use foretell_predict::array_writer::CAPACITY;
use foretell_text::{FilePath, PoisonedLock};

use super::SharedIndexState;
use super::folder_index::FolderIndex;
use crate::folders::FolderExclusions;
use crate::learned_workspace::{
    LearnedFreshness, LearnedWorkspace, LearningOutcome, learn_workspace,
};

/// Of so many files one has to change before an array is made anew at once.
const ENOUGH: usize = 50;
/// How long any change waits for a newer array at most.
const LONGEST: Duration = Duration::from_secs(300);
/// How long it is at least between two, and how many times as long as making one takes.
const SHORTEST: Duration = Duration::from_secs(20);
const SHARE: u32 = 20;
/// When what could not be done is tried again.
const TRY_AGAIN: Duration = Duration::from_secs(10);
/// How long one waits who is not to be woken at a certain time: another process may have made one.
const LONG: Duration = Duration::from_secs(600);
/// How much less important the thread is than what a person waits for.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 15;

/// How the thread is told of something.
#[derive(Debug, Default)]
pub(super) struct ArraySignal {
    has_changed: Mutex<bool>,
    woken: Condvar,
    is_stopped: AtomicBool,
}

impl ArraySignal {
    /// The index has changed, or what may be known of it, or the folder's name.
    pub(super) fn change(&self) {
        *self.has_changed() = true;
        self.woken.notify_all();
    }

    /// Has the thread end.
    pub(super) fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
        self.change();
    }

    fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// Waits until something has changed, or for so long.
    fn wait(&self, until: Option<Instant>) {
        let time = until.map_or(LONG, |it| it.saturating_duration_since(Instant::now()));
        let waited = self
            .woken
            .wait_timeout_while(self.has_changed(), time, |has_changed| !*has_changed);
        *waited.unpoison().0 = false;
    }

    fn has_changed(&self) -> MutexGuard<'_, bool> {
        self.has_changed.lock().unpoison()
    }
}

/// The state of the thread.
pub(super) struct ArrayKeeper {
    part: Arc<FolderIndex>,
    common: Arc<SharedIndexState>,
    index: Arc<Index>,
    learned: Option<LearnedWorkspace>,
    /// The exclusions that it was looked at with.
    judged: Option<Arc<FolderExclusions>>,
    /// When it was made last, and how long that took.
    made: Option<(Instant, Duration)>,
    /// What is on the shelf: the number of the array, the names of the folder, and what is left out.
    put: Option<(u64, Box<str>, Vec<Box<str>>)>,
}

impl ArrayKeeper {
    /// Begins to keep the code of a folder ready. Where no thread can be started, the model does without.
    pub(super) fn start(
        part: &Arc<FolderIndex>,
        common: &Arc<SharedIndexState>,
        index: &Arc<Index>,
    ) {
        let mut keeper = ArrayKeeper {
            part: Arc::clone(part),
            common: Arc::clone(common),
            index: Arc::clone(index),
            learned: None,
            judged: None,
            made: None,
            put: None,
        };
        let thread = thread::Builder::new().name("foretell-learn".to_owned());
        let _ = thread.spawn(move || keeper.run());
    }

    fn run(&mut self) {
        // Where that is of the thread alone.
        #[cfg(target_os = "linux")]
        let _ = rustix::process::nice(NICENESS);
        let mut due = None;
        loop {
            self.part.array.wait(due);
            if self.part.array.is_stopped() {
                break;
            }
            due = self.look();
        }
        self.common.shelf.remove(self.part.place);
    }

    /// Looks at what there is, and makes it anew if that is due. Says when to look again.
    fn look(&mut self) -> Option<Instant> {
        let now = Instant::now();
        let again = Some(now + TRY_AGAIN);
        if !self.index.was_built() {
            return again;
        }
        let Ok(code) = self.index.code() else {
            return again;
        };
        let newest = self.index.side_file_number();
        let known = self.learned.as_ref().map(|it| it.number);
        if newest != known {
            self.learned = LearnedWorkspace::of(&self.index);
            self.judged = None;
        }
        let Some(learned) = self.learned.clone() else {
            return self.make(now);
        };
        let exclude = self.common.exclude();
        let is_judged = self.judged.as_ref();
        let is_judged = is_judged.is_some_and(|judged| Arc::ptr_eq(judged, &exclude));
        let root = self.folder();
        // What was excluded since is not in the index.
        let is_excluded =
            |file: &FilePath| !is_judged && exclude.why_path(&root.join(file.as_str())).is_some();
        let freshness = learned.freshness(&self.index, &code, &is_excluded);
        if !is_judged {
            // Whoever excludes others takes away what was there.
            self.put = None;
        }
        self.judged = Some(exclude);
        if freshness.is_any_kept_out {
            self.common.shelf.remove(self.part.place);
            self.put = None;
            self.learned = None;
            self.index.remove_side_files();
            return self.make(now);
        }
        self.put(&learned, &freshness);
        self.renew(now, &freshness)
    }

    /// Puts what is known on the shelf, if it is not there.
    fn put(&mut self, learned: &LearnedWorkspace, freshness: &LearnedFreshness) {
        let folder = self.folder();
        let folders = Arc::clone(&self.common.exclude().folders);
        let name = folders.name_of(&folder.join("x")).to_string();
        let prefix: Box<str> = name.strip_suffix('x').unwrap_or_default().into();
        let put = (learned.number, prefix.clone(), freshness.outdated.clone());
        if self.put.as_ref() == Some(&put) || self.part.array.is_stopped() {
            return;
        }
        let part = WorkspacePart {
            prefix,
            array: Arc::clone(&learned.array),
            left_out: freshness.outdated.clone().into(),
        };
        let place = self.part.place;
        self.common.shelf.put(place, part);
        let exclude = self.common.exclude();
        let is_judged = self.judged.as_ref();
        let is_judged = is_judged.is_some_and(|judged| Arc::ptr_eq(judged, &exclude));
        if is_judged && !self.part.array.is_stopped() {
            self.put = Some(put);
        } else {
            // Others are excluded since, or the folder is closed.
            self.common.shelf.remove(place);
        }
    }

    /// Makes it anew if enough has changed, or says when that is due.
    fn renew(&mut self, now: Instant, freshness: &LearnedFreshness) -> Option<Instant> {
        let changed = freshness.outdated.len() + freshness.new;
        if changed == 0 {
            return None;
        }
        let is_enough = changed.saturating_mul(ENOUGH) >= freshness.known;
        let due = match self.made {
            // Nobody knows when it was made: it is what was there.
            None if is_enough => now,
            None => {
                self.made = Some((now, Duration::ZERO));
                now + LONGEST
            }
            Some(_) if is_enough => now,
            Some((made, _)) => made + LONGEST,
        };
        if due <= now {
            self.make(now)
        } else {
            Some(due)
        }
    }

    /// Until when nothing is made, since something was a while ago.
    fn rest(&self) -> Option<Instant> {
        let (made, took) = self.made.filter(|(_, took)| !took.is_zero())?;
        Some(made + SHORTEST.max(took.saturating_mul(SHARE)))
    }

    /// Makes it anew, and puts it on the shelf.
    fn make(&mut self, now: Instant) -> Option<Instant> {
        let again = Some(now + TRY_AGAIN);
        if let Some(rest) = self.rest().filter(|rest| *rest > now) {
            return Some(rest);
        }
        let Some(turn) = self.common.learning.take() else {
            return again;
        };
        let signal = &self.part.array;
        let is_stopped = || {
            turn.go_on();
            signal.is_stopped()
        };
        let made = learn_workspace(&self.index, CAPACITY, &is_stopped);
        drop(turn);
        match made {
            Ok(LearningOutcome::Finished) => {}
            Ok(LearningOutcome::ByAnother | LearningOutcome::Stopped) | Err(_) => return again,
        }
        let ended = Instant::now();
        self.made = Some((ended, ended.saturating_duration_since(now)));
        self.learned = LearnedWorkspace::of(&self.index);
        // It is looked at as any other, and left out of it what has changed meanwhile.
        self.judged = None;
        self.part.array.change();
        None
    }

    fn folder(&self) -> PathBuf {
        self.part.folder().real.clone()
    }
}
