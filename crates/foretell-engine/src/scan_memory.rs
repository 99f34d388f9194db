//! What the redactor remembers of the texts that it looked at last, shared by the threads of one engine.
//!
//! Every question is about a text that differs from the last one by a few keys, and looking for secrets in
//! all of it again would be most of what this program adds to a model's own time. What is remembered lives
//! as long as documents are open: it is forgotten when one is closed.

use std::sync::Mutex;

use foretell_context::{LastScans, ShareScans};
use foretell_text::PoisonedLock;

/// A memory with a lock, which is held while texts are compared and never while anything is waited for.
#[derive(Debug, Default)]
pub(crate) struct ScanMemory(Mutex<LastScans>);

impl ShareScans for ScanMemory {
    fn lend(&self, borrow: &mut dyn FnMut(&mut LastScans)) {
        borrow(&mut self.0.lock().unpoison());
    }
}
