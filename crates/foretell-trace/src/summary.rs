//! [`Summary`]: what is counted while a trace is replayed.

use std::collections::BTreeMap;

use foretell_core::{Action, Answer, Counts, Reason};

use crate::replay::{Cause, Outcome, Turn};

/// What was counted in a replay.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Lines of the trace, all but the header.
    pub events: u64,
    /// Times that a timer fired.
    pub timers: u64,
    /// Requests that were answered with something.
    pub answered: u64,
    /// Requests that were answered with nothing, by reason.
    pub withheld: BTreeMap<Reason, u64>,
    /// Checks whether an edit is rejected.
    pub checks: u64,
    /// Those of which the answer was yes.
    pub rejected: u64,
    /// Those for which the trace says what to expect.
    pub expected: u64,
    /// Those that came out otherwise.
    pub differing: u64,
    /// What the machine counted itself.
    pub counts: Counts,
}

impl Summary {
    /// Events and requests that this version takes note of without acting on them.
    pub fn not_acted_on(&self) -> u64 {
        let of = |counted: &BTreeMap<Reason, u64>| {
            let count = counted.get(&Reason::NotActedOn);
            count.copied().unwrap_or_default()
        };
        of(&self.counts.ignored) + of(&self.withheld)
    }

    pub(crate) fn count(&mut self, turn: &Turn<'_>) {
        match turn.cause {
            Cause::Line(_) => self.events += 1,
            Cause::Timer => self.timers += 1,
        }
        for outcome in &turn.outcomes {
            match outcome {
                Outcome::Action(Action::Answer { answer, .. }) => match answer {
                    Answer::Candidates(_) => self.answered += 1,
                    Answer::Withheld(reason) => {
                        *self.withheld.entry(*reason).or_default() += 1;
                    }
                },
                Outcome::Action(_) => {}
                Outcome::Checked {
                    rejection,
                    expected,
                } => {
                    self.checks += 1;
                    self.rejected += u64::from(rejection.is_some());
                    self.expected += u64::from(expected.is_some());
                    self.differing += u64::from(outcome.differs());
                }
            }
        }
    }
}
