//! The last changes of a document, so that what answers an older text can be brought up to date.
//!
//! A lane works on the text it was started with, and people type on. Its answer is followed
//! through every change made since, one after the other, if those are still known. Texts are kept
//! only while a lane runs: each holds on to a part of the document.

use std::collections::VecDeque;
use std::ops::RangeInclusive;

use foretell_text::{ChangeReason, Edit, Text};

use crate::window::{ChangeStep, TextChange};

/// How many changes are kept: more than are typed while a lane may run.
const MOST_CHANGES: usize = 256;

/// The last changes of a document, counted from the first.
#[derive(Clone, Debug, Default)]
pub(crate) struct RecentChanges {
    last: VecDeque<RecentChange>,
    made: u64,
}

/// One change of a text.
#[derive(Clone, Debug)]
pub(crate) struct RecentChange {
    pub(crate) before: Text,
    pub(crate) edit: Edit,
    pub(crate) reason: ChangeReason,
    pub(crate) after: Text,
    /// How many changes there were of any document before the first that it takes back, if it takes
    /// any back as a whole.
    pub(crate) takes_back: Option<u64>,
    /// The answers that it outdates because it goes on with the change they follow from: those of lanes
    /// that were started after so many changes of any document.
    pub(crate) continues: Vec<RangeInclusive<u64>>,
}

impl RecentChanges {
    /// How many were made.
    pub(crate) fn made(&self) -> u64 {
        self.made
    }

    /// Takes note that there was a change, which no lane will ask for.
    pub(crate) fn pass(&mut self) {
        self.made += 1;
        self.last.clear();
    }

    /// Takes note of a change.
    pub(crate) fn note(&mut self, change: RecentChange) {
        self.made += 1;
        self.last.push_back(change);
        if self.last.len() > MOST_CHANGES {
            self.last.pop_front();
        }
    }

    /// Returns the changes since so many were made, if they are still known.
    pub(crate) fn since(&self, made: u64) -> Option<impl Iterator<Item = &RecentChange>> {
        let missed = usize::try_from(self.made.checked_sub(made)?).ok()?;
        let skipped = self.last.len().checked_sub(missed)?;
        Some(self.last.iter().skip(skipped))
    }
}

impl RecentChange {
    /// Whether anything that follows from earlier changes may not follow any more.
    pub(crate) fn may_unsettle(&self) -> bool {
        self.is_undo() || self.takes_back.is_some() || !self.continues.is_empty()
    }

    /// Whether what follows from the first so many changes of all documents may not follow any more.
    ///
    /// It may not once something is undone or redone, which does not tell how far the person
    /// goes back. By hand, people take back their slips all the time, and only what was seen can be
    /// missed. And who goes on with the latest change that was seen had not finished it: what
    /// follows from half of a name does not follow from the name.
    pub(crate) fn unsettles(&self, changes: u64) -> bool {
        let is_missed = self.takes_back.is_some_and(|number| number < changes);
        let is_continued = self.continues.iter().any(|seen| seen.contains(&changes));
        is_missed || is_continued || self.is_undo()
    }

    fn is_undo(&self) -> bool {
        let is_undo = matches!(self.reason, ChangeReason::Undo | ChangeReason::Redo);
        is_undo && !self.edit.is_nothing()
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
    pub(crate) fn steps(&self) -> Vec<ChangeStep> {
        ChangeStep::all(TextChange {
            before: &self.before,
            edit: &self.edit,
            reason: self.reason,
            after: &self.after,
        })
    }
}
