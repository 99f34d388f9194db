//! The latest changes of the person, as the lanes and the context are told.

use std::fmt;
use std::sync::Arc;

use crate::offset::ByteRange;

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
    /// How long ago its last change was made.
    pub age_ms: u64,
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
