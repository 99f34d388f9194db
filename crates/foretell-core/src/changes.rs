//! The last changes of a document, so that what answers an older text can be brought up to date.
//!
//! A lane works on the text it was started with, and people type on. What it says is followed
//! through every change made since, one after the other, if those are still known. Texts are kept
//! only while a lane runs: each holds on to a part of the document.

use std::collections::VecDeque;

use foretell_text::{ChangeReason, Edit, Text};

use crate::window::Step;

/// How many changes are kept: more than are typed while a lane may run.
const MOST_CHANGES: usize = 64;

/// The last changes of a document, counted from the first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changes {
    last: VecDeque<Change>,
    made: u64,
}

/// One change of a text.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) before: Text,
    pub(crate) edit: Edit,
    pub(crate) reason: ChangeReason,
    pub(crate) after: Text,
    /// How many changes there were of any document before the first that it takes back, if it takes
    /// any back as a whole.
    pub(crate) takes_back: Option<u64>,
}

impl Changes {
    /// How many were made.
    pub(crate) fn made(&self) -> u64 {
        self.made
    }

    /// Takes note that there was a change, which nobody will ask for.
    pub(crate) fn pass(&mut self) {
        self.made += 1;
        self.last.clear();
    }

    /// Takes note of a change.
    pub(crate) fn note(&mut self, change: Change) {
        self.made += 1;
        self.last.push_back(change);
        if self.last.len() > MOST_CHANGES {
            self.last.pop_front();
        }
    }

    /// What was changed since so many were made, if that is still known.
    pub(crate) fn since(&self, made: u64) -> Option<impl Iterator<Item = &Change>> {
        let missed = usize::try_from(self.made.checked_sub(made)?).ok()?;
        let skipped = self.last.len().checked_sub(missed)?;
        Some(self.last.iter().skip(skipped))
    }
}

impl Change {
    /// Whether it undoes or redoes something, or takes a change back by hand.
    pub(crate) fn goes_back(&self) -> bool {
        self.goes_back_behind(u64::MAX)
    }

    /// The same for whoever has seen only the first so many changes of all documents: by hand, people
    /// take back their slips all the time, and only what was seen can be missed.
    pub(crate) fn goes_back_behind(&self, changes: u64) -> bool {
        let is_undo = matches!(self.reason, ChangeReason::Undo | ChangeReason::Redo);
        let is_missed = self.takes_back.is_some_and(|number| number < changes);
        is_missed || (is_undo && !self.edit.is_nothing())
    }

    /// Whether the person wrote something.
    pub(crate) fn writes(&self) -> bool {
        let mut parts = self.edit.replacements().iter();
        self.reason == ChangeReason::Typed && parts.any(|part| !part.new_text().is_empty())
    }

    /// Whether it writes all that an edit of the text before would have written, and then something more.
    pub(crate) fn begins_with(&self, edit: &Edit) -> bool {
        let trimmed = self.edit.trimmed(&self.before).ok();
        let Some(([made], [part])) = trimmed
            .as_ref()
            .map(Edit::replacements)
            .zip(Some(edit.replacements()))
        else {
            return false;
        };
        made.range() == part.range() && made.new_text().starts_with(part.new_text())
    }

    /// The same as one replacement after the other.
    pub(crate) fn steps(&self) -> Vec<Step> {
        Step::all(&self.before, &self.edit, &self.after, self.reason)
    }
}
