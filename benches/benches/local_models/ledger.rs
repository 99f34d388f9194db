//! What the model server was asked, call by call.

use std::sync::{Arc, Mutex};
use std::time::Instant;

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallEnd {
    /// It was answered to its end.
    Answered,
    /// The client left while the prompt was read.
    LeftWhileReading,
    /// The client left while the answer was written.
    LeftWhileWriting,
    /// The client left before its turn came, and nothing was read.
    LeftWhileWaiting,
    /// The server refused it.
    Refused,
}

impl CallEnd {
    /// Whether the client left before there was a word for it.
    pub(crate) fn is_given_up(self) -> bool {
        match self {
            CallEnd::LeftWhileReading | CallEnd::LeftWhileWaiting => true,
            CallEnd::Answered | CallEnd::LeftWhileWriting | CallEnd::Refused => false,
        }
    }
}

/// A call, counted in the server's own tokens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    /// When it came in.
    pub(crate) came_in: Instant,
    /// When its turn came.
    pub(crate) began: Instant,
    /// When the server was free again.
    pub(crate) ended: Instant,
    /// How long its prompt was.
    pub(crate) prompt: usize,
    /// How much of it had to be read anew.
    pub(crate) read: usize,
    /// How much was written until the client had it all, or left.
    pub(crate) written: usize,
    pub(crate) end: CallEnd,
    /// Whether this machine was slower than the speed that it plays.
    pub(crate) was_late: bool,
}

/// All calls, in the order in which they ended.
#[derive(Clone, Default)]
pub(crate) struct Ledger(Arc<Mutex<Entries>>);

#[derive(Default)]
struct Entries {
    calls: Vec<Call>,
    /// How many wait or are answered.
    under_way: usize,
}

impl Ledger {
    pub(crate) fn begin(&self) {
        let mut entries = self.0.lock().expect("nobody panics with it");
        entries.under_way += 1;
    }

    pub(crate) fn end(&self, call: Call) {
        let mut entries = self.0.lock().expect("nobody panics with it");
        entries.calls.push(call);
        entries.under_way -= 1;
    }

    pub(crate) fn calls(&self) -> Vec<Call> {
        let entries = self.0.lock().expect("nobody panics with it");
        entries.calls.clone()
    }

    /// Whether a call waits or is answered.
    pub(crate) fn is_busy(&self) -> bool {
        let entries = self.0.lock().expect("nobody panics with it");
        entries.under_way > 0
    }
}
