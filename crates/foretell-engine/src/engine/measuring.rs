//! What the engine did, how long it took and how it ended, for whoever measures.
//!
//! The machine reports a race when it is over, in whole milliseconds of its own clock. What is told here
//! is what only the engine sees: a context that is there, and a lane that has come back or was stopped,
//! each as it happens. Nobody is told anything unless they asked for it by [`Engine::measure`].
//!
//! Absent on purpose: what is made of it, and every name and text.

use std::sync::Arc;
use std::time::Duration;

use foretell_core::Reason;
use foretell_text::{FailureKind, LaneKind, Usage};

use super::Engine;

/// Something that the engine did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measured {
    /// A context was gathered, however much is in it. One that nobody wanted any more is not told.
    Context {
        /// From the beginning to the finished text.
        took: Duration,
    },
    /// A lane came back.
    Lane {
        /// Which.
        lane: LaneKind,
        /// How long it was asked, without what had to be known before; nothing, if it never was.
        took: Option<Duration>,
        /// Whether it answered, or how it broke.
        came: Result<(), FailureKind>,
        /// The tokens that it says it took.
        usage: Usage,
    },
    /// A lane was stopped before it came back.
    Stopped {
        /// Which.
        lane: LaneKind,
        /// Why.
        reason: Reason,
    },
}

/// Whoever measures. It is called on the task that owns the engine, and must not take long.
pub type Measure = Arc<dyn Fn(Measured) + Send + Sync>;

impl Engine {
    /// Tells somebody from now on what is done, in the place of whoever was told before.
    pub fn measure(&mut self, measure: Measure) {
        self.measure = Some(measure);
    }

    pub(super) fn measured(&self, measured: Measured) {
        if let Some(measure) = &self.measure {
            measure(measured);
        }
    }
}
