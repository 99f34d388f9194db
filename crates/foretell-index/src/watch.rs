//! Watching the disk, so that what changes in a workspace is found without anybody telling.
//!
//! Only directories that are searched are watched, each by itself where the system counts watches
//! one by one: a build directory with a hundred thousand files costs nothing. What the system tells
//! is a hint to look, as everything that [`Index::changed`] is told.
//!
//! - Changes that come together are looked at once, [`QUIET`] after the last.
//! - A file that changes all the time is looked at once in [`AGAIN`].
//! - More changes at once than [`MOST_PATHS`] (another branch is checked out) are one update.
//! - When nothing has happened for [`REST`], what changed is written to disk.
//! - Where the system has no more watches to give, the rest is updated every [`ROUND`].
//!
//! All of this happens on one thread, which ends with the [`Watch`].

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use foretell_text::FilePath;
use notify::event::{AccessKind, AccessMode, EventKind};
use notify::{RecommendedWatcher, RecursiveMode, Watcher};

use crate::follow::Followed;
use crate::index::{Index, UpdateError};
use crate::progress::Report;
use crate::walk::{Within, directories, name_in};

/// How long nothing changes before what did is looked at.
const QUIET: Duration = Duration::from_millis(30);
/// How long a file is left alone after it was looked at.
const AGAIN: Duration = Duration::from_secs(1);
/// How long nothing changes before what did is written to disk.
const REST: Duration = Duration::from_secs(2);
/// How often everything is looked at if not everything can be watched.
const ROUND: Duration = Duration::from_secs(60);
/// How many changes at once are looked at one by one.
const MOST_PATHS: usize = 500;

/// Whether watching a directory watches all that is in it, at no more cost.
const WATCHES_TREES: bool = cfg!(any(target_os = "macos", target_os = "windows"));

/// Keeps an index up to date with the disk, as long as it lives.
#[derive(Debug)]
pub struct Watch {
    messages: Sender<Message>,
    is_stopped: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// What came of something that changed on disk.
#[derive(Debug)]
pub enum Watched {
    /// Some files were looked at.
    Followed(Followed),
    /// The whole workspace was.
    Updated(Report),
    /// It could not be looked at. The next change is.
    Failed(UpdateError),
}

/// Why nothing can be watched.
#[derive(Debug, thiserror::Error)]
#[error("the system does not let files be watched")]
pub struct WatchError(#[source] notify::Error);

enum Message {
    Changed(Vec<PathBuf>),
    /// So much changed that nobody kept count.
    Overrun,
    Stop,
}

impl Watch {
    /// Begins to watch the workspace of an index, and tells what comes of each change. Whatever
    /// changes from when this returns is heard of, so that an update after it misses nothing.
    pub fn start(
        index: Arc<Index>,
        tell: impl FnMut(Watched) + Send + 'static,
    ) -> Result<Self, WatchError> {
        let (messages, inbox) = channel();
        let sender = messages.clone();
        let watcher = notify::recommended_watcher(move |event| {
            // Nobody is left to tell once the thread has ended.
            let _ = message_of(event).map(|message| sender.send(message));
        });
        let is_stopped = Arc::new(AtomicBool::new(false));
        let mut watching = Watching {
            watcher: watcher.map_err(WatchError)?,
            watched: BTreeSet::new(),
            unwatched: 0,
            due: BTreeMap::new(),
            looked_at: BTreeMap::new(),
            is_stopped: Arc::clone(&is_stopped),
            tell: Box::new(tell),
            index,
        };
        let root = watching.index.root().to_owned();
        let mode = match WATCHES_TREES {
            true => RecursiveMode::Recursive,
            false => RecursiveMode::NonRecursive,
        };
        watching.watcher.watch(&root, mode).map_err(WatchError)?;
        watching.watched.insert(root);
        watching.watch_below(&FilePath::new(""));
        let thread = thread::Builder::new().name("foretell-watch".to_owned());
        let thread = thread.spawn(move || watching.run(&inbox));
        let thread = thread.map_err(|why| WatchError(notify::Error::io(why)))?;
        Ok(Watch {
            messages,
            is_stopped,
            thread: Some(thread),
        })
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.is_stopped.store(true, Ordering::Relaxed);
        let _ = self.messages.send(Message::Stop);
        if let Some(thread) = self.thread.take() {
            // It does not panic; if it did, there would be nothing left to stop.
            let _ = thread.join();
        }
    }
}

/// What an event means here; reading a file means nothing.
fn message_of(event: notify::Result<notify::Event>) -> Option<Message> {
    match event {
        Ok(event) if event.need_rescan() => Some(Message::Overrun),
        Ok(event) => match event.kind {
            EventKind::Access(AccessKind::Close(AccessMode::Write)) => {
                Some(Message::Changed(event.paths))
            }
            EventKind::Access(_) => None,
            _ => Some(Message::Changed(event.paths)),
        },
        Err(_) => Some(Message::Overrun),
    }
}

/// What the thread has.
struct Watching {
    index: Arc<Index>,
    watcher: RecommendedWatcher,
    watched: BTreeSet<PathBuf>,
    /// How many directories could not be watched.
    unwatched: usize,
    /// What is to be looked at, and when.
    due: BTreeMap<PathBuf, Instant>,
    /// What was looked at a moment ago, and when.
    looked_at: BTreeMap<PathBuf, Instant>,
    is_stopped: Arc<AtomicBool>,
    tell: Box<dyn FnMut(Watched) + Send>,
}

impl Watching {
    fn run(mut self, inbox: &Receiver<Message>) {
        let mut is_flushed = true;
        let mut next_round = Instant::now() + ROUND;
        loop {
            let now = Instant::now();
            let looks = self.due.values().min().copied();
            let rests = (!is_flushed && self.due.is_empty()).then(|| now + REST);
            let rounds = (self.unwatched > 0).then_some(next_round);
            let wakes = looks.into_iter().chain(rests).chain(rounds).min();
            let message = match wakes {
                Some(at) => inbox.recv_timeout(at.saturating_duration_since(now)),
                None => inbox.recv().map_err(RecvTimeoutError::from),
            };
            match message {
                Ok(Message::Changed(paths)) => self.note(paths),
                Ok(Message::Overrun) => self.update(),
                Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) if looks.is_some_and(|at| at <= Instant::now()) => {
                    self.look();
                    is_flushed = false;
                }
                Err(RecvTimeoutError::Timeout) => {
                    if rounds.is_some_and(|at| at <= Instant::now()) {
                        next_round = Instant::now() + ROUND;
                        self.update();
                    }
                    self.flush();
                    is_flushed = true;
                }
            }
        }
        // What is not written is read again by the next update.
        self.flush();
    }

    fn note(&mut self, paths: Vec<PathBuf>) {
        let now = Instant::now();
        self.looked_at.retain(|_, at| *at + AGAIN > now);
        for path in paths {
            let again = self.looked_at.get(&path).map(|at| *at + AGAIN);
            let due = again.unwrap_or(now).max(now + QUIET);
            self.due.insert(path, due);
        }
        if self.due.len() > MOST_PATHS {
            self.update();
        }
    }

    /// Looks at what is due.
    fn look(&mut self) {
        let now = Instant::now();
        let due = self.due.iter().filter(|(_, at)| **at <= now);
        let due: Vec<_> = due.map(|(path, _)| path.clone()).collect();
        for path in due {
            self.due.remove(&path);
            if self.is_stopped.load(Ordering::Relaxed) {
                return;
            }
            if let Some(name) = name_in(self.index.root(), &path).filter(|_| path.is_dir()) {
                self.watch_below(&name);
            }
            let followed = self.index.changed(&path);
            self.looked_at.insert(path, Instant::now());
            (self.tell)(match followed {
                Ok(followed) => Watched::Followed(followed),
                Err(error) => Watched::Failed(error),
            });
        }
    }

    /// Looks at everything.
    fn update(&mut self) {
        self.due.clear();
        self.watch_below(&FilePath::new(""));
        let stopped = || self.is_stopped.load(Ordering::Relaxed);
        let updated = self.index.update(&|_| {}, &stopped);
        (self.tell)(match updated {
            Ok(report) => Watched::Updated(report),
            Err(error) => Watched::Failed(error),
        });
    }

    fn flush(&mut self) {
        if let Err(error) = self.index.flush() {
            (self.tell)(Watched::Failed(error));
        }
    }

    /// Watches a directory and those in it that are searched, as far as they are not watched yet.
    fn watch_below(&mut self, name: &FilePath) {
        if WATCHES_TREES {
            return;
        }
        self.watched.retain(|path| path.is_dir());
        let within = match name.as_str() {
            "" => Within::Workspace,
            _ => Within::Path(name.clone()),
        };
        let mut unwatched = 0;
        for path in directories(self.index.root(), self.index.directory(), &within) {
            if self.is_stopped.load(Ordering::Relaxed) {
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
            Within::Workspace => self.unwatched = unwatched,
            Within::Path(_) => self.unwatched += unwatched,
        }
    }
}
