//! Where the machine puts its orders and notes, and counts them.

use std::collections::VecDeque;

use foretell_text::DocumentId;

use crate::action::{Action, Order};
use crate::counts::MachineCounts;
use crate::note::Note;
use crate::reason::Reason;

/// Actions that have not been fetched yet, and the counts of all that were put here.
#[derive(Debug, Default)]
pub(crate) struct Outbox {
    actions: VecDeque<Action>,
    pub(crate) counts: MachineCounts,
}

impl Outbox {
    pub(crate) fn put(&mut self, order: Order) {
        self.counts.count_order(&order);
        self.actions.push_back(Action::Order(order));
    }

    pub(crate) fn note(&mut self, note: Note) {
        self.counts.count_note(&note);
        self.actions.push_back(Action::Note(note));
    }

    /// Notes that an event changed nothing.
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
