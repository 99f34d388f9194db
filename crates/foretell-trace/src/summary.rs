//! [`ReplaySummary`]: what is counted while a trace is replayed.

use foretell_core::MachineCounts;

use crate::pacing::ReplayPacing;
use crate::replay::{ReplayTurn, TurnCause, TurnOutcome};

/// The counts of a replay.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplaySummary {
    /// Lines of the trace, all but the header.
    pub events: u64,
    /// Times that a timer fired.
    pub timers: u64,
    /// Checks whether an edit is rejected.
    pub checks: u64,
    /// Those of which the answer was yes.
    pub rejected: u64,
    /// Those for which the trace says what to expect.
    pub expected: u64,
    /// Those that came out otherwise.
    pub differing: u64,
    /// How requests were paced.
    pub pacing: ReplayPacing,
    /// The machine's own counts.
    pub counts: MachineCounts,
}

impl ReplaySummary {
    pub(crate) fn count(&mut self, turn: &ReplayTurn<'_>) {
        match turn.cause {
            TurnCause::Line(_) => self.events += 1,
            TurnCause::Timer => self.timers += 1,
            TurnCause::Asks(_) | TurnCause::Answers(_) => {}
        }
        self.pacing.note(turn);
        for outcome in &turn.outcomes {
            if let TurnOutcome::Checked {
                rejection,
                expected,
            } = outcome
            {
                self.checks += 1;
                self.rejected += u64::from(rejection.is_some());
                self.expected += u64::from(expected.is_some());
                self.differing += u64::from(outcome.differs());
            }
        }
    }
}
