//! Locks whose holder has panicked.
//!
//! Every value that is locked here is whole between any two statements, so that a panic elsewhere is no
//! reason to stop: the next holder goes on with it.

use std::sync::{LockResult, PoisonError};

/// A lock that gives its value even if a holder has panicked.
pub trait PoisonedLock {
    /// The guard of the value.
    type Guard;

    /// Takes it.
    fn unpoison(self) -> Self::Guard;
}

impl<Guard> PoisonedLock for LockResult<Guard> {
    type Guard = Guard;

    fn unpoison(self) -> Guard {
        self.unwrap_or_else(PoisonError::into_inner)
    }
}
