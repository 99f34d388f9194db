//! [`WorkspaceShelf`]: where the code of workspaces is put for the language model, which takes it when it
//! is asked next.
//!
//! Whoever makes an array does so in the background and at any time; the model lives on a loop that waits
//! for nobody. Looking whether something is new costs one read.
//!
//! Absent on purpose: how an array is made, and when.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};

use foretell_predict::WorkspacePart;
use foretell_text::PoisonedLock;

/// The code of workspaces, as far as it is known.
#[derive(Debug, Default)]
pub struct WorkspaceShelf {
    /// How many places were given.
    places: AtomicU64,
    /// How often it has changed.
    changes: AtomicU64,
    parts: Mutex<BTreeMap<ShelfPlace, WorkspacePart>>,
}

/// The place of one workspace, for as long as it is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ShelfPlace(u64);

impl WorkspaceShelf {
    /// A place that nobody else has.
    pub fn place(&self) -> ShelfPlace {
        ShelfPlace(self.places.fetch_add(1, Ordering::Relaxed))
    }

    /// Puts the code of a workspace there, which takes the place of what was there of it.
    pub fn put(&self, place: ShelfPlace, part: WorkspacePart) {
        let mut parts = self.parts();
        parts.insert(place, part);
        self.changes.fetch_add(1, Ordering::Release);
    }

    /// Takes the code of a workspace away.
    pub fn remove(&self, place: ShelfPlace) {
        let mut parts = self.parts();
        if parts.remove(&place).is_some() {
            self.changes.fetch_add(1, Ordering::Release);
        }
    }

    /// All of it, if it has changed since that many changes; which are then those that there were.
    pub(crate) fn take_new(&self, seen: &mut u64) -> Option<Vec<WorkspacePart>> {
        if self.changes.load(Ordering::Acquire) == *seen {
            return None;
        }
        let parts = self.parts();
        *seen = self.changes.load(Ordering::Acquire);
        Some(parts.values().cloned().collect())
    }

    fn parts(&self) -> MutexGuard<'_, BTreeMap<ShelfPlace, WorkspacePart>> {
        self.parts.lock().unpoison()
    }
}
