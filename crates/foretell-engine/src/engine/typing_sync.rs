//! How the person types, told to the machine and to the file that keeps it.
//!
//! The machine is told before anything else what was known on other days. The file is written now and
//! then by a thread of its own, which the loop does not wait for, and once more when the engine ends. Nothing is
//! kept while the wait does not follow the rhythm of typing (`pace.rhythm`).

use std::sync::Arc;
use std::time::Duration;

use foretell_core::Event;
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::timeout;

use super::Engine;

/// After how many changes of documents it is written again.
const OFTEN: u32 = 1_000;

/// How long an engine that ends waits for a disk.
const PATIENCE: Duration = Duration::from_secs(1);

/// The typing as the file knows it.
#[derive(Default)]
pub(super) struct TypingSync {
    /// How many changes there were since it was written.
    changes: u32,
    /// The file is being written.
    keeping: JoinSet<()>,
}

impl Engine {
    /// Tells the machine how the person typed on other days.
    pub(super) fn tell_typing(&mut self) {
        let kept = self.surroundings.typing.as_ref();
        let gaps = kept.map(|file| file.read()).unwrap_or_default();
        if self.settings.pace.rhythm && !gaps.is_empty() {
            self.handle(Event::TypingGapsKnown { gaps });
        }
    }

    /// Takes note of a change of a document, and keeps how the person types when there were many.
    pub(super) fn note_typing(&mut self) {
        self.typing.changes = self.typing.changes.saturating_add(1);
        while self.typing.keeping.try_join_next().is_some() {}
        let is_due = self.typing.changes >= OFTEN && self.typing.keeping.is_empty();
        let Some(file) = self.surroundings.typing.as_ref().filter(|_| is_due) else {
            return;
        };
        self.typing.changes = 0;
        if self.settings.pace.rhythm {
            let (file, gaps) = (Arc::clone(file), self.core.typing_gaps());
            // What could not be kept is kept the next time.
            self.typing.keeping.spawn_blocking(move || {
                let _ = file.keep(&gaps);
            });
        }
    }

    /// Keeps how the person types when the engine ends, but does not wait for long.
    pub(super) async fn end_keeping_typing(&mut self) {
        let file = self.surroundings.typing.clone();
        if let Some(file) = file.filter(|_| self.settings.pace.rhythm) {
            let gaps = self.core.typing_gaps();
            let kept = spawn_blocking(move || file.keep(&gaps));
            let _ = timeout(PATIENCE, kept).await;
        }
        self.typing.keeping.detach_all();
    }
}
