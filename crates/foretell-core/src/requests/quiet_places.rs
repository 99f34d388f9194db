//! Places at which nothing is said at once: where the person has just said no, and where they have just
//! deleted something.
//!
//! - After a refusal the line is quiet, until the cursor asks on another one. There may be several: who says
//!   no to a next edit further down has not taken back what they said at the cursor.
//! - For some seconds after a refusal nothing new is offered on that line unless somebody asks there: a model
//!   that answers late is not heard at once.
//! - After a deletion its place is quiet, until something is written there. What was deleted is not
//!   offered again, nor the rest of it once its beginning is written, until the cursor asks on another
//!   line or the person has written all of it themselves.
//!
//! A place is followed through the changes of its document. Absent on purpose: what is rejected for good, which
//! is the rejection memory's.

use foretell_text::{ByteOffset, ByteRange, ChangeReason, Edit, OffsetBias, Text};

use super::document_requests::AnsweredPlace;
use crate::moment::Moment;
use crate::reason::Reason;
use crate::recent_changes::RecentChange;

/// The longest deletion that is kept in mind, in bytes.
const LONGEST_DELETED: usize = 512;

/// How many refusals are kept in mind.
const MOST_REFUSED: usize = 8;

/// The quiet places of a document.
#[derive(Debug, Default)]
pub(super) struct QuietPlaces {
    /// The latest last.
    refused: Vec<ByteOffset>,
    /// Where something was refused lately, and when. The latest last.
    cooling: Vec<CoolingPlace>,
    deleted: Option<DeletedText>,
}

/// A place at which something was refused.
#[derive(Debug)]
struct CoolingPlace {
    at: ByteOffset,
    since: Moment,
}

/// A text that was deleted last, and what was written in its place.
#[derive(Debug)]
struct DeletedText {
    text: String,
    written: ByteRange,
}

impl QuietPlaces {
    /// The person has said no at a place.
    pub(super) fn refuse(&mut self, now: Moment, at: ByteOffset) {
        self.refused.retain(|refused| *refused != at);
        self.refused.push(at);
        if self.refused.len() > MOST_REFUSED {
            self.refused.remove(0);
        }
        self.cooling.retain(|it| it.at != at);
        self.cooling.push(CoolingPlace { at, since: now });
        if self.cooling.len() > MOST_REFUSED {
            self.cooling.remove(0);
        }
    }

    /// Whether something was refused on the line of a place within so many milliseconds.
    pub(super) fn is_cooling(&self, now: Moment, place: &AnsweredPlace, cooldown: u64) -> bool {
        self.cooling
            .iter()
            .any(|it| now.since(it.since) < cooldown && is_same_line(&place.text, it.at, place.at))
    }

    /// Follows a change of the document.
    pub(super) fn follow(&mut self, change: &RecentChange) {
        let RecentChange { edit, before, .. } = change;
        let cooling = self.cooling.iter_mut().map(|it| &mut it.at);
        for at in self.refused.iter_mut().chain(cooling) {
            *at = edit.map_offset(*at, OffsetBias::Before);
        }
        let is_theirs = matches!(change.reason, ChangeReason::Typed | ChangeReason::Undo);
        let gone = deletion(edit, before).filter(|_| is_theirs);
        self.deleted = match (self.deleted.take(), gone) {
            (Some(older), Some((range, text))) => Some(older.and(range, text)),
            (None, Some((range, text))) => Some(DeletedText::at(range.start(), text)),
            (older, None) => older.map(|older| DeletedText {
                written: moved(older.written, edit),
                ..older
            }),
        };
    }

    /// Why nothing is said at a place. Forgets what has had its time.
    pub(super) fn objection(&mut self, place: &AnsweredPlace) -> Option<Reason> {
        let AnsweredPlace { at, text } = place;
        self.refused.retain(|it| is_same_line(text, *it, *at));
        self.deleted = self.deleted.take().filter(|deleted| {
            let typed = deleted.typed_before(*at, text);
            typed.is_some_and(|typed| !typed.starts_with(&deleted.text))
        });
        let is_deleted_here =
            |deleted: &DeletedText| deleted.written.is_empty() && deleted.written.start() == *at;
        if !self.refused.is_empty() {
            Some(Reason::RefusedHere)
        } else if self.deleted.as_ref().is_some_and(is_deleted_here) {
            Some(Reason::JustDeleted)
        } else {
            None
        }
    }

    /// Whether a text for a place is what was deleted there, or the rest of it.
    pub(super) fn is_deleted(&self, place: &AnsweredPlace, new_text: &str) -> bool {
        let typed = |deleted: &DeletedText| deleted.typed_before(place.at, &place.text);
        self.deleted.as_ref().is_some_and(|deleted| {
            let Some(typed) = typed(deleted) else {
                return false;
            };
            let whole = [typed.as_str(), new_text].concat();
            whole.starts_with(&deleted.text) || deleted.text.starts_with(&whole)
        })
    }
}

impl DeletedText {
    /// A text that was deleted at a place, where nothing has been written since.
    fn at(place: ByteOffset, text: String) -> Self {
        DeletedText {
            text,
            written: ByteRange::empty(place),
        }
    }

    /// The same after another deletion: further on in the same place, or of something else.
    fn and(self, range: ByteRange, text: String) -> Self {
        let DeletedText {
            text: ours,
            written,
        } = self;
        let (start, end) = (written.start().get(), written.end().get());
        if range.start().get() >= start && range.end().get() <= end && !written.is_empty() {
            // What was written instead is taken back.
            let end = ByteOffset::new(end - range.len());
            let written = ByteRange::new(written.start(), end);
            return DeletedText {
                text: ours,
                written: written.unwrap_or_default(),
            };
        }
        if range.end().get() == end {
            let before = start.saturating_sub(range.start().get());
            let text = [text.get(..before).unwrap_or_default(), &ours].concat();
            return DeletedText::at(range.start(), text);
        }
        if written.is_empty() && range.start() == written.start() {
            return DeletedText::at(range.start(), ours + &text);
        }
        DeletedText::at(range.start(), text)
    }

    /// What is written between its place and a cursor behind it on the same line.
    fn typed_before(&self, cursor: ByteOffset, text: &Text) -> Option<String> {
        let start = self.written.start();
        let range = ByteRange::new(start, cursor).ok()?;
        let is_near = range.len() <= LONGEST_DELETED && is_same_line(text, start, cursor);
        let typed = text.read(range).ok().filter(|_| is_near)?;
        Some(typed.into_owned())
    }
}

/// What an edit deletes, if it does nothing else.
fn deletion(edit: &Edit, before: &Text) -> Option<(ByteRange, String)> {
    let [only] = edit.replacements() else {
        return None;
    };
    let range = only.range();
    let is_deletion = only.new_text().is_empty() && !range.is_empty();
    if !is_deletion || range.len() > LONGEST_DELETED {
        return None;
    }
    let text = before.read(range).ok()?;
    Some((range, text.into_owned()))
}

/// What was written in a place after one more change: what is put in at its end belongs to it.
fn moved(written: ByteRange, edit: &Edit) -> ByteRange {
    let start = edit.map_offset(written.start(), OffsetBias::Before);
    let end = edit.map_offset(written.end(), OffsetBias::After);
    ByteRange::new(start, end).unwrap_or(ByteRange::empty(start))
}

pub(super) fn is_same_line(text: &Text, one: ByteOffset, other: ByteOffset) -> bool {
    let line = |at| text.line_at(at).ok();
    line(one).is_some_and(|it| line(other) == Some(it))
}
