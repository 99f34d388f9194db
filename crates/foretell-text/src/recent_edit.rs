//! The latest changes of the person, as the lanes and the context are told.

use std::fmt;
use std::sync::Arc;

use crate::edit::{Edit, Replacement};
use crate::offset::{ByteOffset, ByteRange};
use crate::text::Text;

/// Why a text changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeReason {
    /// The person typed, pasted, or took a completion.
    #[default]
    Typed,
    /// They took something back.
    Undo,
    /// They took that back.
    Redo,
    /// A formatter, a save, a refactoring.
    Other,
}

impl ChangeReason {
    /// As it is written in traces.
    pub const fn name(self) -> &'static str {
        match self {
            ChangeReason::Typed => "typed",
            ChangeReason::Undo => "undo",
            ChangeReason::Redo => "redo",
            ChangeReason::Other => "other",
        }
    }
}

/// A burst of changes at one place, as one.
#[derive(Clone, PartialEq, Eq)]
pub struct RecentEdit {
    /// Where it is now.
    pub range: ByteRange,
    /// The text that stood there before.
    pub old_text: Arc<str>,
    /// The text that took its place.
    pub new_text: Arc<str>,
    /// How it came about.
    pub reason: ChangeReason,
    /// Whether the person wrote none of it: all of it was suggested to them, and they took it.
    pub is_accepted: bool,
    /// How long ago its last change was made.
    pub age_ms: u64,
    /// Whether the person is done with it: they have left it, or have paused where it can end.
    pub is_finished: bool,
    /// Where its new text began in the text right after it, ahead of all later bursts; nothing if that is not
    /// known any more.
    pub made_at: Option<ByteOffset>,
}

/// A burst as it was made.
#[derive(Clone)]
pub struct EditMoment<'e> {
    /// The burst.
    pub edit: &'e RecentEdit,
    /// The text right after it, ahead of all later bursts.
    pub after: Text,
    /// Where its new text stands in that.
    pub range: ByteRange,
}

impl EditMoment<'_> {
    /// The text right before it.
    pub fn before(&self) -> Option<Text> {
        let back = Replacement::new(self.range, &*self.edit.old_text);
        Edit::from(back).apply(&self.after).ok()
    }
}

/// The bursts of a text, the latest first, each as it was made: those after it are undone in thought.
///
/// What stands at a place now may have come there later, so that the text of now says nothing of what a burst
/// was. They end with the first of which it is not known.
pub fn edit_moments<'e>(
    text: &Text,
    edits: &'e [RecentEdit],
) -> impl Iterator<Item = EditMoment<'e>> {
    let mut now = Some(text.clone());
    edits.iter().map_while(move |edit| {
        let after = now.take()?;
        let start = edit.made_at?;
        let end = ByteOffset::new(start.get().checked_add(edit.new_text.len())?);
        let range = ByteRange::new(start, end).ok()?;
        let is_there = after.read(range).is_ok_and(|read| *read == *edit.new_text);
        let moment = is_there.then_some(EditMoment { edit, after, range })?;
        now = moment.before();
        Some(moment)
    })
}

/// Where: what people type does not belong in a log.
impl fmt::Debug for EditMoment<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}, made at {}", self.edit, self.range)
    }
}

/// Where and how long: what people type does not belong in a log.
impl fmt::Debug for RecentEdit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (old, new) = (self.old_text.len(), self.new_text.len());
        let RecentEdit { range, age_ms, .. } = self;
        write!(f, "{old} bytes -> {new} bytes at {range}, {age_ms} ms ago")
    }
}

/// A change that the person took back or did not want.
#[derive(Clone, PartialEq, Eq)]
pub struct RefusedChange {
    /// The text that stood there.
    pub old_text: Arc<str>,
    /// The text that took its place, or would have.
    pub new_text: Arc<str>,
}

/// How long: what people write does not belong in a log.
impl fmt::Debug for RefusedChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (old, new) = (self.old_text.len(), self.new_text.len());
        write!(f, "{old} bytes -> {new} bytes")
    }
}
