//! Where the machine puts what it wants done, and counts it.

use std::collections::VecDeque;

use foretell_text::DocumentId;

use crate::action::Action;
use crate::counts::Counts;
use crate::note::Note;
use crate::reason::Reason;

/// Actions that have not been fetched yet, and the counts of all that were put here.
#[derive(Debug, Default)]
pub(crate) struct Outbox {
    actions: VecDeque<Action>,
    pub(crate) counts: Counts,
}

impl Outbox {
    pub(crate) fn put(&mut self, action: Action) {
        self.counts.count(&action);
        self.actions.push_back(action);
    }

    pub(crate) fn note(&mut self, note: Note) {
        self.put(Action::Note(note));
    }

    /// Records that an event changed nothing.
    pub(crate) fn ignore(&mut self, document: Option<&DocumentId>, reason: Reason) {
        self.note(Note::IgnoredEvent {
            document: document.cloned(),
            reason,
        });
    }

    pub(crate) fn take(&mut self) -> Option<Action> {
        self.actions.pop_front()
    }
}
