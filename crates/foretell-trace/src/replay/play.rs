//! What a replay adds to what the trace has: an editor that asks, and lanes that answer.
//!
//! What the trace itself asks and answers is left to it.

use crate::answerer::Answerer;

/// What a replay adds to what the trace has.
#[derive(Clone, Copy, Debug, Default)]
pub struct Play<'a> {
    /// Who asks.
    pub requests: Requests,
    /// Who answers.
    pub lanes: Lanes<'a>,
}

/// Who asks for suggestions in a replay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Requests {
    /// Only the trace.
    #[default]
    Recorded,
    /// An editor that asks after every typed edit, at the end of what was put in last, and whenever
    /// it is told to.
    Typing,
}

/// Who answers requests in a replay.
#[derive(Clone, Copy, Debug, Default)]
pub enum Lanes<'a> {
    /// Only the trace; what it does not answer times out.
    #[default]
    Recorded,
    /// Every lane says that it has nothing to suggest.
    Nothing {
        /// After so many milliseconds.
        latency: u64,
    },
    /// Somebody is asked the moment a lane is started.
    Asked {
        /// Who.
        by: &'a dyn Answerer,
        /// After so many milliseconds the answer is there.
        latency: u64,
    },
}
