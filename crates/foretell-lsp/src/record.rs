//! Recording a session to a file, as a trace that `foretell replay` reads.
//!
//! The loop hands over a copy of every event and goes on: texts are copied by reference, and what takes
//! time (following documents, finding substitutes, writing JSON, the disk) is the business of a thread.
//! That thread is woken seldom: it lets events gather for a moment and writes all there is at once.
//!
//! - Nothing is lost at the end of a session: whatever was handed over is written before the process
//!   ends, unless the disk hangs. A process that is killed loses what was gathering.
//! - What cannot be written ends the recording and not the server. The file is cut back to the last
//!   whole line, so that it is a trace all the same.
//! - What waits is bounded: a disk that cannot keep up ends the recording, too.
//! - A recording holds source code, so that only the person may read it, and none that is there is
//!   written over: an editor that is restarted makes another.

mod file;

use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::BuildHasher;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use foretell_core::{Event, Moment};
use foretell_engine::Listener;
use foretell_settings::Settings;
use foretell_trace::{Key, Writer};

pub use file::RecordError;
use file::RecordFile;

/// How long events gather before they are written.
const GATHERS: Duration = Duration::from_millis(200);

/// How many events are written before they have gathered for so long.
const MANY: usize = 4 << 10;

/// How many events may wait.
const MOST: usize = 64 << 10;

/// How much is written at once, in bytes.
const PIECE: usize = 1 << 20;

/// A recording that has not begun.
#[derive(Clone, Debug)]
pub struct Recording {
    file: RecordFile,
    kind: Recorded,
}

/// What of a session is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// Everything that decides, the words of documents included.
    Whole,
    /// The same without the words.
    Shape,
}

impl Recording {
    /// A recording to a new file. Where there is one by that name already, the new one has a number
    /// before its extension: `session.jsonl`, `session.1.jsonl`, and so on.
    pub fn create(path: &Path, kind: Recorded) -> Result<Self, RecordError> {
        let file = RecordFile::create(path)?;
        Ok(Recording { file, kind })
    }

    /// Where it goes.
    pub fn path(&self) -> &Path {
        self.file.path()
    }
}

/// A recording that goes on.
#[derive(Debug)]
pub(crate) struct Recorder {
    path: PathBuf,
    desk: Arc<Desk>,
    ended: Receiver<()>,
    /// Whether it was said that it has stopped.
    is_said: bool,
}

/// Why a recording has stopped.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Stopped {
    #[error("{0}; make room or name another file")]
    NotWritten(io::Error),
    #[error("the disk does not keep up; name a file on another one")]
    TooSlow,
}

/// What lies between the loop and the thread that writes.
#[derive(Default)]
struct Desk {
    queue: Mutex<Queue>,
    news: Condvar,
    /// The same as whether there is a reason in the queue, to look at often.
    has_stopped: AtomicBool,
}

#[derive(Default)]
struct Queue {
    waiting: Vec<(Moment, Event)>,
    is_over: bool,
    stopped: Option<Stopped>,
}

/// Nothing of what waits: it is people's text.
impl fmt::Debug for Desk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Desk")
    }
}

impl Recorder {
    /// Begins to record what a machine is told that was made with these settings.
    pub(crate) fn start(
        recording: Recording,
        now: Moment,
        settings: Arc<Settings>,
    ) -> (Self, Listener) {
        let desk = Arc::new(Desk::default());
        let (ends, ended) = sync_channel(1);
        let path = recording.path().to_owned();
        let (writes, hears) = (Arc::clone(&desk), Arc::clone(&desk));
        let thread = thread::Builder::new()
            .name("record".to_owned())
            .spawn(move || {
                let written = writes.write_all(recording, now, &settings);
                if let Err(why) = written {
                    writes.stop(Stopped::NotWritten(why));
                }
                let _ = ends.send(());
            });
        if let Err(why) = thread {
            desk.stop(Stopped::NotWritten(why));
        }
        let listener: Listener = Box::new(move |now, event| hears.put(now, event));
        let recorder = Recorder {
            path,
            desk,
            ended,
            is_said: false,
        };
        (recorder, listener)
    }

    /// Why it has stopped, in words for people, the first time that it is asked after it has.
    pub(crate) fn news(&mut self) -> Option<String> {
        if self.is_said || !self.desk.has_stopped.load(Ordering::Relaxed) {
            return None;
        }
        self.is_said = true;
        let queue = self.desk.lock();
        let why = queue.stopped.as_ref()?;
        Some(format!(
            "Foretell has stopped recording to {}: {why}, and start the server again to record. What \
             was written before can be replayed.",
            self.path.display()
        ))
    }

    /// Writes what there is, and ends. Says whether that was done in time.
    pub(crate) fn end(self, patience: Duration) -> bool {
        self.desk.lock().is_over = true;
        self.desk.news.notify_all();
        self.ended.recv_timeout(patience).is_ok()
    }
}

impl Desk {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes an event to be written.
    fn put(&self, now: Moment, event: &Event) {
        if self.has_stopped.load(Ordering::Relaxed) {
            return;
        }
        let mut queue = self.lock();
        queue.waiting.push((now, event.clone()));
        let many = queue.waiting.len();
        if many > MOST {
            drop(queue);
            return self.stop(Stopped::TooSlow);
        }
        drop(queue);
        if many == 1 || many == MANY {
            self.news.notify_one();
        }
    }

    fn stop(&self, why: Stopped) {
        let mut queue = self.lock();
        queue.waiting = Vec::new();
        queue.stopped.get_or_insert(why);
        self.has_stopped.store(true, Ordering::Relaxed);
    }

    /// Waits for what is to be written next, and says whether there will be more.
    fn take(&self) -> (Vec<(Moment, Event)>, bool) {
        let is_idle = |queue: &mut Queue| queue.waiting.is_empty() && !queue.is_over;
        let gathers = |queue: &mut Queue| queue.waiting.len() < MANY && !queue.is_over;
        let queue = self.lock();
        let waited = self.news.wait_while(queue, is_idle);
        let queue = waited.unwrap_or_else(PoisonError::into_inner);
        let waited = self.news.wait_timeout_while(queue, GATHERS, gathers);
        let (mut queue, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let goes_on = !queue.is_over && queue.stopped.is_none();
        (std::mem::take(&mut queue.waiting), goes_on)
    }

    /// Writes whatever comes, until there is no more or it cannot be written.
    fn write_all(&self, recording: Recording, now: Moment, settings: &Settings) -> io::Result<()> {
        let Recording { mut file, kind } = recording;
        let mut writer = match kind {
            Recorded::Whole => Writer::whole(),
            Recorded::Shape => {
                let random = RandomState::new();
                Writer::shape(Key::new(move |one, other| random.hash_one((one, other))))
            }
        };
        let mut lines = Vec::new();
        writer.begin(env!("CARGO_PKG_VERSION"), now, settings, &mut lines);
        loop {
            file.write_lines(&mut lines)?;
            let (events, goes_on) = self.take();
            for (now, event) in &events {
                writer.write(*now, event, &mut lines);
                if lines.len() >= PIECE {
                    file.write_lines(&mut lines)?;
                }
            }
            if !goes_on {
                file.write_lines(&mut lines)?;
                return file.flush();
            }
        }
    }
}
