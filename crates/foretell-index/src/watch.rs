//! Watching the disk, so that changes in a workspace are found by themselves.
//!
//! Only directories that are searched are watched, each by itself where the system counts watches
//! one by one: a build directory with a hundred thousand files costs nothing. An event of the
//! system is a hint to look, as everything that [`Index::changed`] is told.
//!
//! - Changes that come together are looked at once, when nothing more follows (see [`due_looks`]).
//! - More changes at once than [`MOST_PATHS`] (another branch is checked out) are one update. So are all
//!   files that say which others are ignored.
//! - When nothing has happened for [`REST`], what changed is written to disk; while files change all
//!   the time, every [`LONGEST_UNWRITTEN`].
//! - An update that could not be, because another process was writing or the disk said no, is tried
//!   again until it can. So is writing. An index that was deleted or damaged is built anew.
//! - Where the system has no more watches to give, the rest is updated every [`ROUND`].
//! - A directory that has come, gone or changed its name is watched anew: what is there now may be
//!   another of the same name.
//! - Names that change are told to the listener for renames (see [`crate::IndexOptions::renamed`]) before
//!   either is looked at, where the system says which became which. macOS does not.
//!
//! - An update waits for its turn, if others have one ([`WatchOptions::update_lock`]); nothing else
//!   does.
//!
//! All of this happens on one thread, which ends with the [`IndexWatch`].

mod due_looks;
mod fs_events;

use std::collections::BTreeSet;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use foretell_text::FilePath;
use notify::{RecommendedWatcher, RecursiveMode, Watcher};

use self::due_looks::DueLooks;
use self::fs_events::{FsEventReader, WatchMessage};
use crate::build_progress::{BuildOutcome, BuildReport};
use crate::file_changes::ChangeOutcome;
use crate::index::{Index, UpdateError};
use crate::store::StoreError;
use crate::update_lock::UpdateLock;
use crate::walk::{WalkScope, directories, name_in};

/// How long nothing changes before what did is written to disk, and what failed is tried again.
const REST: Duration = Duration::from_secs(2);
/// How long what changed is not written to disk at most.
const LONGEST_UNWRITTEN: Duration = Duration::from_secs(5);
/// How often everything is looked at if not everything can be watched, and how often at least what
/// fails is tried again.
const ROUND: Duration = Duration::from_secs(60);
/// How soon it is looked again whether it is its turn.
const TURN: Duration = Duration::from_millis(200);
/// How many changes at once are looked at one by one.
const MOST_PATHS: usize = 500;

/// Whether watching a directory watches all that is in it, at no more cost.
const WATCHES_TREES: bool = cfg!(any(target_os = "macos", target_os = "windows"));

/// Keeps an index up to date with the disk, as long as it lives.
#[derive(Debug)]
pub struct IndexWatch {
    messages: Sender<WatchMessage>,
    is_stopped: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// The parts that a watch shares with its owner.
#[derive(Clone, Debug, Default)]
pub struct WatchOptions {
    /// Taken while everything is looked at.
    pub update_lock: UpdateLock,
    /// Ends it as soon as it is set, also while it begins.
    pub is_stopped: Arc<AtomicBool>,
}

/// The outcome of a change on disk.
#[derive(Debug)]
pub enum WatchEvent {
    /// Some files were looked at.
    Followed(ChangeOutcome),
    /// The whole workspace was.
    Updated(BuildReport),
    /// It could not be looked at, or not be written down. It will be tried again.
    Failed(UpdateError),
}

/// Why nothing can be watched.
#[derive(Debug, thiserror::Error)]
#[error("the system does not let files be watched")]
pub struct WatchError(#[source] notify::Error);

impl IndexWatch {
    /// Begins to watch the workspace of an index, and tells what comes of each change. Whatever
    /// changes from when this returns is heard of, so that an update after it misses nothing. It walks
    /// through all directories, unless it is stopped.
    pub fn start(
        index: Arc<Index>,
        options: WatchOptions,
        tell: impl FnMut(WatchEvent) + Send + 'static,
    ) -> Result<Self, WatchError> {
        let (messages, inbox) = channel();
        let sender = messages.clone();
        let mut hearing = FsEventReader::default();
        let watcher = notify::recommended_watcher(move |event| {
            // Once the thread has ended there is no one to tell.
            let _ = hearing.message_of(event).map(|it| sender.send(it));
        });
        let is_stopped = Arc::new(AtomicBool::new(false));
        let mut watching = WatchThread {
            watcher: watcher.map_err(WatchError)?,
            watched: BTreeSet::new(),
            unwatched: 0,
            due: DueLooks::default(),
            unwritten: None,
            owed: None,
            pause: REST,
            next_round: Instant::now() + ROUND,
            is_stopped: Arc::clone(&is_stopped),
            options,
            tell: Box::new(tell),
            index,
        };
        let root = watching.index.root().to_owned();
        let mode = if WATCHES_TREES {
            RecursiveMode::Recursive
        } else {
            RecursiveMode::NonRecursive
        };
        watching.watcher.watch(&root, mode).map_err(WatchError)?;
        watching.watched.insert(root);
        watching.watch_below(&FilePath::new(""));
        let thread = thread::Builder::new().name("foretell-watch".to_owned());
        let thread = thread.spawn(move || watching.run(&inbox));
        let thread = thread.map_err(|why| WatchError(notify::Error::io(why)))?;
        Ok(IndexWatch {
            messages,
            is_stopped,
            thread: Some(thread),
        })
    }
}

impl Drop for IndexWatch {
    fn drop(&mut self) {
        self.is_stopped.store(true, Ordering::Relaxed);
        let _ = self.messages.send(WatchMessage::Stop);
        if let Some(thread) = self.thread.take() {
            // It does not panic; if it did, there would be nothing left to stop.
            let _ = thread.join();
        }
    }
}

/// The state of the thread.
struct WatchThread {
    index: Arc<Index>,
    watcher: RecommendedWatcher,
    watched: BTreeSet<PathBuf>,
    /// How many directories could not be watched.
    unwatched: usize,
    due: DueLooks,
    /// Since when something is not written to disk, and when it will be.
    unwritten: Option<(Instant, Instant)>,
    /// When an update is tried that could not be.
    owed: Option<Instant>,
    /// How long to wait before what failed is tried again.
    pause: Duration,
    next_round: Instant,
    is_stopped: Arc<AtomicBool>,
    options: WatchOptions,
    tell: Box<dyn FnMut(WatchEvent) + Send>,
}

impl WatchThread {
    fn run(mut self, inbox: &Receiver<WatchMessage>) {
        loop {
            self.do_what_is_due();
            if self.is_stopped() {
                break;
            }
            let message = match self.wakes() {
                Some(at) => inbox.recv_timeout(at.saturating_duration_since(Instant::now())),
                None => inbox.recv().map_err(RecvTimeoutError::from),
            };
            match message {
                Ok(WatchMessage::Changed(paths)) => self.note(paths),
                Ok(WatchMessage::Named(paths)) => self.note_named(paths),
                Ok(WatchMessage::Renamed { from, to }) => self.note_renamed(from, to),
                Ok(WatchMessage::Overrun) => {
                    // Any of them may have been replaced.
                    self.watched.clear();
                    self.update();
                }
                Ok(WatchMessage::Stop) | Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        // Unwritten files are read again by the next update.
        if let Err(error) = self.index.flush() {
            (self.tell)(WatchEvent::Failed(error));
        }
    }

    /// When there is something to do, if nothing is heard until then.
    fn wakes(&self) -> Option<Instant> {
        let writes = self.unwritten.map(|(_, at)| at);
        let wakes = self.due.next().into_iter().chain(writes).chain(self.owed);
        wakes.chain(self.rounds()).min()
    }

    /// When everything is looked at, if not everything is watched.
    fn rounds(&self) -> Option<Instant> {
        (self.unwatched > 0).then_some(self.next_round)
    }

    fn do_what_is_due(&mut self) {
        let now = Instant::now();
        let is_past = |at: Option<Instant>| at.is_some_and(|at| at <= now);
        if is_past(self.owed) || is_past(self.rounds()) {
            self.update();
        } else if is_past(self.due.next()) {
            self.look(now);
        }
        if is_past(self.unwritten.map(|(_, at)| at)) {
            self.flush();
        }
    }

    fn note(&mut self, paths: Vec<PathBuf>) {
        let now = Instant::now();
        for path in paths {
            self.due.note(now, path);
        }
        if self.due.count() > MOST_PATHS {
            self.update();
        }
    }

    fn note_named(&mut self, paths: Vec<PathBuf>) {
        for path in &paths {
            self.unwatch_below(path);
        }
        self.note(paths);
    }

    fn note_renamed(&mut self, from: PathBuf, to: PathBuf) {
        let name = |path| name_in(self.index.root(), path);
        if let (Some(from), Some(to)) = (name(&from), name(&to)) {
            self.index.tell_renamed(&from, &to);
        }
        self.note_named(vec![from, to]);
    }

    /// Looks at what is due.
    fn look(&mut self, now: Instant) {
        let mut owes_update = false;
        for path in self.due.take(now) {
            if self.is_stopped() {
                return;
            }
            if let Some(name) = name_in(self.index.root(), &path).filter(|_| path.is_dir()) {
                self.watch_below(&name);
            }
            let followed = self.index.changed(&path);
            let now = Instant::now();
            self.due.looked_at(now, &path);
            let since = self.unwritten.map_or(now, |(since, _)| since);
            let at = (now + REST).min(since + LONGEST_UNWRITTEN);
            self.unwritten = Some((since, at));
            match followed {
                Ok(followed) if followed.owes_update => owes_update = true,
                Ok(followed) => (self.tell)(WatchEvent::Followed(followed)),
                Err(error) if is_damaged(&error) => {
                    // It looks at all the others that are due, too.
                    return self.update();
                }
                Err(error) => {
                    self.owed = Some(self.after_failure());
                    (self.tell)(WatchEvent::Failed(error));
                }
            }
        }
        if owes_update {
            self.update();
        }
    }

    /// Looks at everything, now or when it is its turn.
    fn update(&mut self) {
        self.next_round = Instant::now() + ROUND;
        let Some(turn) = self.options.update_lock.take() else {
            self.owed = Some(Instant::now() + TURN);
            // The others are looked at one by one meanwhile.
            if self.due.count() > MOST_PATHS {
                self.due.clear();
            }
            return;
        };
        self.due.clear();
        self.watch_below(&FilePath::new(""));
        let flags = [&self.is_stopped, &self.options.is_stopped];
        let updated = self.index.update(&|_| turn.go_on(), &|| is_any_set(flags));
        drop(turn);
        let now = Instant::now();
        self.next_round = now + ROUND;
        match updated {
            Ok(report) => {
                self.pause = REST;
                let is_done = report.outcome == BuildOutcome::Finished;
                self.owed = (!is_done).then_some(now + REST);
                (self.tell)(WatchEvent::Updated(report));
            }
            Err(error) => {
                self.owed = Some(self.after_failure());
                (self.tell)(WatchEvent::Failed(error));
            }
        }
    }

    /// Writes what changed to disk.
    fn flush(&mut self) {
        self.unwritten = None;
        let now = Instant::now();
        match self.index.flush() {
            Ok(0) => {}
            // Another process is writing.
            Ok(_) => self.unwritten = Some((now, now + REST)),
            Err(error) if is_damaged(&error) => self.update(),
            Err(error) => {
                self.unwritten = Some((now, self.after_failure()));
                (self.tell)(WatchEvent::Failed(error));
            }
        }
    }

    fn is_stopped(&self) -> bool {
        is_any_set([&self.is_stopped, &self.options.is_stopped])
    }

    /// When what failed is tried again: later each time, since it is tried in vain mostly.
    fn after_failure(&mut self) -> Instant {
        let at = Instant::now() + self.pause;
        self.pause = (self.pause * 2).min(ROUND);
        at
    }

    /// Forgets that a directory and those in it are watched.
    fn unwatch_below(&mut self, path: &Path) {
        if WATCHES_TREES {
            return;
        }
        // The contents of a directory come right after it.
        let from = self
            .watched
            .range::<Path, _>((Bound::Included(path), Bound::Unbounded));
        let gone = from.take_while(|it| it.starts_with(path)).cloned();
        for path in gone.collect::<Vec<_>>() {
            self.watched.remove(&path);
            // The system may have noticed itself.
            let _ = self.watcher.unwatch(&path);
        }
    }

    /// Watches a directory and those in it that are searched, as far as they are not watched yet.
    fn watch_below(&mut self, name: &FilePath) {
        if WATCHES_TREES {
            return;
        }
        let within = match name.as_str() {
            "" => WalkScope::Workspace,
            _ => WalkScope::Path(name.clone()),
        };
        let mut unwatched = 0;
        for path in directories(self.index.ground(), &within) {
            if self.is_stopped() {
                return;
            }
            if !self.watched.contains(&path) {
                match self.watcher.watch(&path, RecursiveMode::NonRecursive) {
                    Ok(()) => {
                        self.watched.insert(path);
                    }
                    Err(_) => unwatched += usize::from(path.is_dir()),
                }
            }
        }
        match within {
            WalkScope::Workspace => self.unwatched = unwatched,
            WalkScope::Path(_) => self.unwatched += unwatched,
        }
    }
}

/// Whether an index has to be made anew, which an update does.
fn is_damaged(error: &UpdateError) -> bool {
    matches!(error, UpdateError::Store(StoreError::Damaged { .. }))
}

fn is_any_set(flags: [&Arc<AtomicBool>; 2]) -> bool {
    flags.iter().any(|it| it.load(Ordering::Relaxed))
}
