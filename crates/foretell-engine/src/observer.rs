//! [`SharedObserver`]: an observer that the driver of an engine looks at, too.
//!
//! Both are on one task, so that the lock is never waited for: it is there because an engine may be moved to
//! another thread with all its observers. It is never held while anything is waited for.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use foretell_core::{Fact, FactScene, Moment, Observer};

/// An observer with two owners.
#[derive(Debug, Default)]
pub struct SharedObserver<O>(Arc<Mutex<O>>);

impl<O> SharedObserver<O> {
    /// The observer, to look at.
    pub fn lock(&self) -> MutexGuard<'_, O> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<O> Clone for SharedObserver<O> {
    fn clone(&self) -> Self {
        SharedObserver(Arc::clone(&self.0))
    }
}

impl<O: Observer> Observer for SharedObserver<O> {
    fn saw(&mut self, at: Moment, fact: Fact<'_>, scene: &FactScene<'_>) {
        self.lock().saw(at, fact, scene);
    }
}
