//! A replay may add to its trace an editor that asks, and lanes that answer. It may
//! leave out events that a client of the standard protocol would not have told.
//!
//! Requests and answers of the trace itself stay as they are.

use foretell_core::{Event, RequestKind, UsualGaps};
use foretell_text::ChangeReason;

use crate::answerer::LaneAnswerer;
use crate::trace::LineContent;

/// The parts that are played besides the trace.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReplayOptions<'a> {
    /// The editor.
    pub client: ClientKind,
    /// Where requests come from.
    pub requests: RequestSource,
    /// Where answers come from.
    pub lanes: LaneSource<'a>,
    /// How people type, if otherwise than is usual.
    pub usual_gaps: Option<&'a UsualGaps>,
}

/// The events that the editor of a replay tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClientKind {
    /// All that the trace says.
    #[default]
    Recorded,
    /// Those of a client of the standard protocol, which knows of no selection, no focus, no
    /// diagnostic and nothing of what became of a suggestion but that it was taken, and calls every
    /// change typed.
    Plain,
}

impl ClientKind {
    /// Whether it would have told what a line says.
    pub(super) fn tells(self, what: &LineContent) -> bool {
        let is_beyond_the_standard = matches!(
            what,
            LineContent::Event(
                Event::ClientConnected { .. }
                    | Event::SelectionChanged { .. }
                    | Event::DocumentFocused { .. }
                    | Event::DocumentPaused { .. }
                    | Event::DiagnosticsChanged { .. }
                    | Event::SuggestionShown { .. }
                    | Event::SuggestionRejected { .. }
                    | Event::SuggestionIgnored { .. }
                    | Event::EditRejected { .. }
                    | Event::RejectionsRestored { .. }
            )
        );
        self == ClientKind::Recorded || !is_beyond_the_standard
    }

    /// An event as this client tells it.
    pub(super) fn says(self, event: &Event) -> Event {
        let mut event = event.clone();
        match &mut event {
            Event::DocumentChanged { reason, .. } | Event::DocumentReplaced { reason, .. }
                if self == ClientKind::Plain =>
            {
                *reason = ChangeReason::Typed;
            }
            _ => {}
        }
        event
    }
}

/// The source of requests in a replay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RequestSource {
    /// Only the trace.
    #[default]
    Recorded,
    /// An editor that asks after every typed edit, at the end of what was put in last, and whenever
    /// it is told to.
    Typing,
    /// An editor that besides asks for next edits: after every change, typed or not, and whenever it is
    /// told to, as the extension for VS Code does.
    Everything,
}

impl RequestSource {
    /// Whether requests of a kind are played.
    pub(super) fn asks(self, kind: RequestKind) -> bool {
        match self {
            RequestSource::Recorded => false,
            RequestSource::Typing => kind == RequestKind::Inline,
            RequestSource::Everything => true,
        }
    }
}

/// The source of answers in a replay.
#[derive(Clone, Copy, Debug, Default)]
pub enum LaneSource<'a> {
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
        /// The answerer that is asked.
        by: &'a dyn LaneAnswerer,
        /// After so many milliseconds the answer is there.
        latency: u64,
    },
}
