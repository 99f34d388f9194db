//! Recording a session to a file, as a trace that `foretell replay` reads.
//!
//! The loop hands over a copy of every event and goes on: texts are copied by reference, and a thread
//! does what takes time (following documents, finding substitutes, writing JSON, the disk). A
//! `record_queue` lies between the two, and the thread writes to a `file`.
//!
//! - Nothing is lost at the end of a session: the thread is told as soon as the client says that it
//!   ends, and whatever was handed over until then is written before the process ends, unless the disk
//!   hangs. Nothing is decided after that, so nothing more is taken. A process that is killed before
//!   loses what was gathering.
//! - A failed write ends the recording and not the server. The file is cut back to the last whole
//!   line, so that it is a trace all the same.
//! - The queue is bounded: a disk that cannot keep up ends the recording, too.
//! - A recording holds source code, so that only the person may read it, and none that is there is
//!   written over: an editor that is restarted makes another.

mod file;
mod record_queue;

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use foretell_core::{Fact, FactScene, Moment, Observer};
use foretell_settings::Settings;
use foretell_trace::{ShapeKey, TraceWriter};
use tokio::sync::oneshot::{self, Receiver};
use tokio::time::timeout;

use file::RecordFile;
pub use file::{RecordDisk, RecordError};
use record_queue::{RecordQueue, StopReason};

/// How much is written at once, in bytes.
const PIECE: usize = 1 << 20;

/// A recording that has not begun.
#[derive(Debug)]
pub struct NewRecording {
    file: RecordFile,
    kind: RecordedContent,
}

/// The content of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordedContent {
    /// Everything that decides, the words of documents included.
    Whole,
    /// The same without the words.
    Shape,
}

impl NewRecording {
    /// A recording to a new file. Where there is one by that name already, the new one has a number
    /// before its extension: `session.jsonl`, `session.1.jsonl`, and so on.
    pub fn create(path: &Path, kind: RecordedContent) -> Result<Self, RecordError> {
        let file = RecordFile::create(path)?;
        Ok(NewRecording { file, kind })
    }

    /// A recording to a disk that is there already, by a name.
    pub fn on(path: PathBuf, disk: impl RecordDisk + 'static, kind: RecordedContent) -> Self {
        let file = RecordFile::on(path, disk);
        NewRecording { file, kind }
    }

    /// Where it goes.
    pub fn path(&self) -> &Path {
        self.file.path()
    }
}

/// A recording that goes on.
#[derive(Debug)]
pub struct Recorder {
    path: PathBuf,
    queue: Arc<RecordQueue>,
    ended: Receiver<()>,
    /// Whether it was said that it has stopped.
    is_said: bool,
}

impl Recorder {
    /// Begins to record what a machine is told that was made with these settings.
    pub fn start(
        recording: NewRecording,
        now: Moment,
        settings: Arc<Settings>,
    ) -> (Self, EventCopier) {
        let queue = Arc::new(RecordQueue::default());
        let (ends, ended) = oneshot::channel();
        let path = recording.path().to_owned();
        let (writes, hears) = (Arc::clone(&queue), Arc::clone(&queue));
        let thread = thread::Builder::new()
            .name("record".to_owned())
            .spawn(move || {
                let written = write_all(&writes, recording, now, &settings);
                if let Err(why) = written {
                    writes.stop(StopReason::NotWritten(why));
                }
                let _ = ends.send(());
            });
        if let Err(why) = thread {
            queue.stop(StopReason::NotWritten(why));
        }
        let copier = EventCopier(hears);
        let recorder = Recorder {
            path,
            queue,
            ended,
            is_said: false,
        };
        (recorder, copier)
    }

    /// Why it has stopped, in words for people, the first time that it is asked after it has.
    pub fn news(&mut self) -> Option<String> {
        if self.is_said {
            return None;
        }
        let why = self.queue.why_stopped()?;
        self.is_said = true;
        Some(format!(
            "Foretell has stopped recording to {}: {why}, and restart the server to record again. \
             You can replay what was written before.",
            self.path.display()
        ))
    }

    /// Takes nothing more, and has what there is written at once.
    pub fn finish(&self) {
        self.queue.close();
    }

    /// Waits until all is written, however much that is, unless the disk hangs: it is given up when it
    /// was waited for in vain for this long. Returns false if it was given up, or if the thread never
    /// began or broke; a write that the disk refused is in the news.
    pub async fn written(&mut self, patience: Duration) -> bool {
        let mut waits_for = None;
        loop {
            match timeout(patience, &mut self.ended).await {
                Ok(ended) => return ended.is_ok(),
                Err(_) => {
                    let still = self.queue.waits_for_disk();
                    if still.is_some() && still == waits_for {
                        return false;
                    }
                    waits_for = still;
                }
            }
        }
    }
}

/// The observer that hands every event over.
#[derive(Debug)]
pub struct EventCopier(Arc<RecordQueue>);

impl Observer for EventCopier {
    fn saw(&mut self, at: Moment, fact: Fact<'_>, _: &FactScene<'_>) {
        if let Fact::Event(event) = fact {
            self.0.put(at, event);
        }
    }
}

/// Writes whatever comes, until there is no more or it cannot be written.
fn write_all(
    queue: &RecordQueue,
    recording: NewRecording,
    now: Moment,
    settings: &Settings,
) -> io::Result<()> {
    let NewRecording { mut file, kind } = recording;
    let mut writer = match kind {
        RecordedContent::Whole => TraceWriter::whole(),
        RecordedContent::Shape => {
            let random = RandomState::new();
            TraceWriter::shape(ShapeKey::new(move |one, other| {
                random.hash_one((one, other))
            }))
        }
    };
    let mut lines = Vec::new();
    writer.begin(env!("CARGO_PKG_VERSION"), now, settings, &mut lines);
    loop {
        queue.wait_for_disk(|| file.write_lines(&mut lines))?;
        let (events, goes_on) = queue.take();
        for (now, event) in &events {
            writer.write(*now, event, &mut lines);
            if lines.len() >= PIECE {
                queue.wait_for_disk(|| file.write_lines(&mut lines))?;
            }
        }
        if !goes_on {
            return queue.wait_for_disk(|| file.write_lines(&mut lines));
        }
    }
}

#[cfg(test)]
mod tests;
