//! The person's latest changes for a prompt: small differences of whole lines, the newest last.
//!
//! ```diff
//! @@ src/cart.rs line 12 @@
//! -    let sum = total(items);
//! +    let sum = total(items, rate);
//! ```
//!
//! A changed word alone would not say what was meant, and half of a secret does not look like one: so
//! lines are told whole, and are redacted together with what is around them. They are told as they were right
//! before and right after the change, whatever was typed there later. Undone changes, and those
//! of a formatter or a save, are not told; neither is a change that is too large to be an example of
//! anything.

use std::borrow::Cow;

use foretell_text::{
    ByteOffset, ByteRange, ChangeReason, EditMoment, PositionEncoding, Text, edit_moments,
};

use super::super::redaction_margin::with_margin;
use super::quote::one_line;
use super::text_lines::texts;
use crate::lane_redaction::SecretMarks;
use crate::lane_request::{LaneRequest, OpenDocument};

/// How many changes are told at most.
const MOST: usize = 6;
/// How many bytes all of them take at most, and how many lines one has on either side of it.
const MOST_BYTES: usize = 2_000;
const MOST_LINES: usize = 12;
/// How much around a change is looked at for secrets, in bytes on either side.
const MARGIN: usize = 4 << 10;

/// The latest changes of all open documents, without secrets; empty if there are none.
pub(super) fn told(request: &LaneRequest, marks: &mut dyn SecretMarks) -> String {
    let documents = std::iter::once(&request.document).chain(&request.others);
    let edits = documents.flat_map(|document| {
        let moments = edit_moments(&document.text, &document.edits);
        moments.map(move |moment| (document, moment))
    });
    let is_persons =
        |reason: ChangeReason| matches!(reason, ChangeReason::Typed | ChangeReason::Redo);
    let mut edits: Vec<_> = edits
        .filter(|(_, moment)| is_persons(moment.edit.reason))
        .collect();
    edits.sort_by_key(|(_, moment)| moment.edit.age_ms);
    let (mut told, mut left) = (Vec::new(), MOST_BYTES);
    for (document, moment) in edits {
        if told.len() == MOST {
            break;
        }
        let Some(entry) = entry(document, &moment, marks) else {
            continue;
        };
        let Some(rest) = left.checked_sub(entry.len()) else {
            break;
        };
        left = rest;
        told.push(entry);
    }
    told.reverse();
    told.concat()
}

/// One change, if it is worth telling.
fn entry(
    document: &OpenDocument,
    moment: &EditMoment<'_>,
    marks: &mut dyn SecretMarks,
) -> Option<String> {
    let EditMoment { edit, after, range } = moment;
    let (text, range, now) = (after, *range, &edit.new_text);
    if edit.old_text.len() > MOST_BYTES || now.len() > MOST_BYTES {
        return None;
    }
    if *now == edit.old_text {
        return None;
    }
    let first = text.line_at(range.start()).ok()?;
    let last = text.line_at(range.end()).ok()?;
    // Between the halves of a line end, or on a line too long to be told.
    let head = ByteRange::new(first.start(), range.start()).ok()?;
    let tail = ByteRange::new(range.end(), last.end()).ok()?;
    if head.len() + tail.len() > MOST_BYTES {
        return None;
    }
    let around = ChangeSurroundings::of(text, head.start(), tail.end())?;
    let (head, tail) = (text.read(head).ok()?, text.read(tail).ok()?);
    let old = [&*head, &*edit.old_text, &*tail].concat();
    let new = [&*head, &**now, &*tail].concat();
    // Each by itself: a line says that the next is a secret, and both cannot be the next at once.
    let (old, new) = (around.redacted(marks, &old), around.redacted(marks, &new));
    let (old, new) = (texts(&old), texts(&new));
    if old.len() > MOST_LINES || new.len() > MOST_LINES {
        return None;
    }
    let line = text
        .position_of(range.start(), PositionEncoding::Utf8)
        .ok()?;
    let line = u64::from(line.line) + 1;
    let file = one_line(&marks.redact(&document.file.told()));
    let mut entry = format!("@@ {file} line {line} @@\n");
    for (sign, lines) in [('-', old), ('+', new)] {
        for says in lines {
            entry.push(sign);
            entry.push_str(says);
            entry.push('\n');
        }
    }
    Some(entry)
}

/// The text around a stretch.
struct ChangeSurroundings<'t> {
    before: Cow<'t, str>,
    behind: Cow<'t, str>,
}

impl<'t> ChangeSurroundings<'t> {
    fn of(text: &'t Text, start: ByteOffset, end: ByteOffset) -> Option<Self> {
        let (from, to) = with_margin(text, start, end, MARGIN);
        Some(ChangeSurroundings {
            before: text.read(ByteRange::new(from, start).ok()?).ok()?,
            behind: text.read(ByteRange::new(end, to).ok()?).ok()?,
        })
    }

    /// Something that stands there, without secrets.
    fn redacted(&self, marks: &mut dyn SecretMarks, part: &str) -> String {
        let whole = [&*self.before, part, &*self.behind].concat();
        let start = self.before.len();
        marks.redact_part(&whole, start..start + part.len())
    }
}
