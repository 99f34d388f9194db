//! Secrets of the documents that a context is about, read whole before any of it is quoted.
//!
//! A diagnostic quotes a password without the name it is given to, and a change shows the middle of a
//! key. Only the document around them says what they are, so it is read here, as it is now and as it
//! was before each change: what was removed is quoted too.
//!
//! It is apart from gathering because it takes time that grows with the documents. Of a very long one
//! only what is near is read.

use foretell_context::{ContextRequest, LearnedSecrets, Redaction, Redactor};
use foretell_text::{ByteOffset, ByteRange, Text};

/// How much is read on each side of a place, in bytes.
const AROUND: usize = 128 << 10;

/// The secrets around the place of a request, and around every change that may be told of.
pub(crate) fn learn(redactor: &Redactor, request: &ContextRequest) -> Vec<LearnedSecrets> {
    let here = ByteRange::empty(request.cursor);
    let here = request.selection.unwrap_or(here);
    let mut learned = vec![redactor.learn(&around(&request.text, here).concat())];
    for change in &request.changes {
        let [before, now, behind] = around(&change.text, change.edit.range);
        if change.file != request.file {
            learned.push(redactor.learn(&[&*before, &*now, &*behind].concat()));
        }
        let old = [&*before, &*change.edit.old_text, &*behind].concat();
        learned.push(redactor.learn(&old));
        // What stands around it may have changed since.
        if let Some(made) = &change.made {
            let [before, _, behind] = around(&made.text, made.range);
            let then = [&*before, &*change.edit.old_text, &*behind].concat();
            if then != old {
                learned.push(redactor.learn(&then));
            }
        }
    }
    learned
}

/// Where secrets are around a place of a text, and what they are, as far as it is near; in a text that
/// is not very long, everywhere.
pub(crate) fn find(
    redactor: &Redactor,
    text: &Text,
    at: ByteOffset,
) -> (Vec<ByteRange>, LearnedSecrets) {
    let (start, end) = if text.end().get() <= 2 * AROUND {
        (ByteOffset::ZERO, text.end())
    } else {
        (
            text.floor(at.get().saturating_sub(AROUND)),
            text.floor(at.get().saturating_add(AROUND)),
        )
    };
    let read = ByteRange::new(start, end).ok();
    let read = read.and_then(|range| text.read(range).ok());
    let read = read.unwrap_or_default();
    let found = redactor.ranges(&read);
    let learned = if found.is_empty() {
        LearnedSecrets::default()
    } else {
        redactor.learn(&read)
    };
    let moved = |it: ByteOffset| ByteOffset::new(start.get() + it.get());
    let moved = |it: ByteRange| ByteRange::new(moved(it.start()), moved(it.end())).ok();
    (found.into_iter().filter_map(moved).collect(), learned)
}

/// Whether who looked around one place has seen what is near another.
pub(crate) fn is_found(text: &Text, around: ByteOffset, at: ByteOffset) -> bool {
    text.end().get() <= 2 * AROUND || around.get().abs_diff(at.get()) <= AROUND / 2
}

/// Makes a redaction look for all of it.
pub(crate) fn remember(redaction: &mut Redaction, learned: Vec<LearnedSecrets>) {
    for learned in learned {
        redaction.remember(learned);
    }
}

/// Returns the text before, in and behind a range, as far as it is near.
fn around(text: &Text, range: ByteRange) -> [String; 3] {
    let read = |start: ByteOffset, end: ByteOffset| {
        let range = ByteRange::new(start, end).ok();
        let read = range.and_then(|range| text.read(range).ok());
        read.unwrap_or_default().into_owned()
    };
    let start = text.floor(range.start().get().saturating_sub(AROUND));
    let end = text.floor(range.end().get().saturating_add(AROUND));
    [
        read(start, range.start()),
        read(range.start(), range.end()),
        read(range.end(), end),
    ]
}
