//! What is secret in the documents that a context is about, read whole before any of it is quoted.
//!
//! A diagnostic quotes a password without the name it is given to, and a change shows the middle of a
//! key. Only the document around them says what they are, so it is read here, as it is now and as it
//! was before each change: what was removed is quoted too.
//!
//! It is apart from gathering because it takes time that grows with the documents. Of a very long one
//! only what is near is read.

use foretell_context::{ContextRequest, Learned, Redaction, Redactor};
use foretell_text::{ByteOffset, ByteRange, Text};

/// How much is read on each side of a place, in bytes.
const AROUND: usize = 128 << 10;

/// What is secret around the place of a request, and around every change that may be told of.
pub(crate) fn learn(redactor: &Redactor, request: &ContextRequest) -> Vec<Learned> {
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
    }
    learned
}

/// Makes a redaction look for all of it.
pub(crate) fn remember(redaction: &mut Redaction<'_>, learned: Vec<Learned>) {
    for learned in learned {
        redaction.remember(learned);
    }
}

/// What is before, in and behind a range of a text, as far as it is near.
fn around(text: &Text, range: ByteRange) -> [String; 3] {
    let read = |start: ByteOffset, end: ByteOffset| {
        let range = ByteRange::new(start, end).ok();
        let read = range.and_then(|range| text.read(range).ok());
        read.unwrap_or_default().into_owned()
    };
    let start = near(text, range.start().get().saturating_sub(AROUND));
    let end = near(text, range.end().get().saturating_add(AROUND));
    [
        read(start, range.start()),
        read(range.start(), range.end()),
        read(range.end(), end),
    ]
}

/// The offset, or the first before it that is between two characters.
pub(crate) fn near(text: &Text, offset: usize) -> ByteOffset {
    let offset = offset.min(text.end().get());
    let offsets = (offset.saturating_sub(3)..=offset).rev();
    let mut offsets = offsets.map(ByteOffset::new);
    let found = offsets.find(|offset| text.check(*offset).is_ok());
    found.unwrap_or_default()
}
