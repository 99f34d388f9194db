//! Calls ahead of time: what a model is asked before anybody has asked for a suggestion.
//!
//! They are no requests: nobody waits for them, nothing is shown because of them, and every one of them gives way to a
//! request. So they have names and ends of their own. Which of them are made, and when, is decided in
//! `requests/work_ahead.rs`.

use std::sync::Arc;

use foretell_text::{ByteOffset, Edit, LaneFailure, LaneKind};

use crate::action::Spot;

/// A call's name, counted by the machine, so that a replay gives the same names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AheadCallId(u64);

impl AheadCallId {
    /// The call of a number.
    pub const fn new(number: u64) -> Self {
        AheadCallId(number)
    }

    /// Its number.
    pub const fn get(self) -> u64 {
        self.0
    }
}

/// The purpose of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AheadWork {
    /// The server reads the prompt of a place, so that the first question there is answered sooner.
    Warm,
    /// The model is asked what follows a suggestion, before that is accepted.
    LookAhead,
}

impl AheadWork {
    /// All of them.
    pub const ALL: [AheadWork; 2] = [AheadWork::Warm, AheadWork::LookAhead];

    /// Its name in traces and figures.
    pub const fn name(self) -> &'static str {
        match self {
            AheadWork::Warm => "warm",
            AheadWork::LookAhead => "look-ahead",
        }
    }
}

/// What a model is asked ahead of time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AheadQuestion {
    /// By which name it ends.
    pub call: AheadCallId,
    /// The lane.
    pub lane: LaneKind,
    /// Where, in the text that is held.
    pub spot: Spot,
    /// The suggestion that it follows, as an edit of that text; nothing, if the prompt is only read.
    pub accepted: Option<Edit>,
    /// Where the cursor is in the text after that.
    pub at: ByteOffset,
    /// Whether context is gathered for it, as for a request.
    pub has_context: bool,
}

impl AheadQuestion {
    /// Its purpose.
    pub fn work(&self) -> AheadWork {
        if self.accepted.is_some() {
            AheadWork::LookAhead
        } else {
            AheadWork::Warm
        }
    }
}

/// How a call ahead of time ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AheadOutcome {
    /// The server has read the prompt, or the model has answered: with this, or with nothing.
    Answered(Option<AheadAnswer>),
    /// It broke, which is no failure of the lane: nobody was waiting.
    Failed(LaneFailure),
}

/// The answer of a model to what would follow a suggestion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AheadAnswer {
    /// The text to put in where the cursor would be.
    pub new_text: Arc<str>,
    /// How many bytes of the text behind that place it replaces.
    pub covered: usize,
}
