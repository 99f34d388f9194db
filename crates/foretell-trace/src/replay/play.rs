//! What a replay adds to what the trace has: an editor that asks, and lanes that answer. And what it
//! leaves out: what a client that knows only the standard protocol would not have said.
//!
//! What the trace itself asks and answers is left to it.

use foretell_core::Event;
use foretell_text::ChangeReason;

use crate::answerer::Answerer;
use crate::trace::What;

/// What a replay adds to what the trace has.
#[derive(Clone, Copy, Debug, Default)]
pub struct Play<'a> {
    /// What the editor tells.
    pub client: Client,
    /// Who asks.
    pub requests: Requests,
    /// Who answers.
    pub lanes: Lanes<'a>,
}

/// What the editor of a replay tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Client {
    /// All that the trace says.
    #[default]
    Recorded,
    /// What a client of the standard protocol tells, which knows of no selection, no focus, no
    /// diagnostic and nothing of what became of a suggestion but that it was taken, and calls every
    /// change typed.
    Plain,
}

impl Client {
    /// Whether it would have told what a line says.
    pub(super) fn tells(self, what: &What) -> bool {
        let is_beyond_the_standard = matches!(
            what,
            What::Event(
                Event::ClientConnected { .. }
                    | Event::SelectionChanged { .. }
                    | Event::DocumentFocused { .. }
                    | Event::DiagnosticsChanged { .. }
                    | Event::SuggestionShown { .. }
                    | Event::SuggestionRejected { .. }
                    | Event::SuggestionIgnored { .. }
                    | Event::EditRejected { .. }
                    | Event::RejectionsRestored { .. }
            )
        );
        self == Client::Recorded || !is_beyond_the_standard
    }

    /// What it says of something that happened.
    pub(super) fn says(self, event: &Event) -> Event {
        let mut event = event.clone();
        match &mut event {
            Event::DocumentChanged { reason, .. } | Event::DocumentReplaced { reason, .. }
                if self == Client::Plain =>
            {
                *reason = ChangeReason::Typed;
            }
            _ => {}
        }
        event
    }
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
