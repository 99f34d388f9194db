//! What was said just before the machine decided that it has no effect.
//!
//! A record of that kind says of which document and why, and not what it was that had no effect. The
//! journal hears every event before the machine does, so that it can tell, if the event is one that is
//! turned away for that reason. What lanes say is not heard here, and is taken for nothing else.

use foretell_core::{Event, Moment, Reason};
use foretell_text::DocumentId;

/// How long after an event what is said of it is said, in milliseconds.
const AT_ONCE: u64 = 50;

/// What was said, as far as that is ever without effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Heard {
    Opened,
    Changed,
    Replaced,
    Lost,
    Closed,
    Focused,
    Diagnostics,
    Asked,
    Cancelled,
    Shown,
    Accepted,
    Rejected,
    Ignored,
    Forgotten,
}

/// What was said last.
#[derive(Debug)]
pub(super) struct Last {
    at: Moment,
    heard: Heard,
    document: Option<DocumentId>,
}

impl Last {
    /// Takes note of an event, if it is one that may be turned away.
    pub(super) fn of(at: Moment, event: &Event) -> Option<Self> {
        let (heard, document) = match event {
            Event::DocumentOpened { document, .. } => (Heard::Opened, Some(document)),
            Event::DocumentChanged { document, .. } => (Heard::Changed, Some(document)),
            Event::DocumentReplaced { document, .. } => (Heard::Replaced, Some(document)),
            Event::DocumentLost { document } => (Heard::Lost, Some(document)),
            Event::DocumentClosed { document } => (Heard::Closed, Some(document)),
            Event::DocumentFocused { document } => (Heard::Focused, Some(document)),
            Event::DiagnosticsChanged { document, .. } => (Heard::Diagnostics, Some(document)),
            Event::SuggestionRequested { document, .. } => (Heard::Asked, Some(document)),
            Event::EditRejected { document, .. } => (Heard::Rejected, Some(document)),
            Event::RequestCancelled { .. } => (Heard::Cancelled, None),
            Event::SuggestionShown { .. } => (Heard::Shown, None),
            Event::SuggestionAccepted { .. } => (Heard::Accepted, None),
            Event::SuggestionRejected { .. } => (Heard::Rejected, None),
            Event::SuggestionIgnored { .. } => (Heard::Ignored, None),
            Event::RejectionForgotten { .. } => (Heard::Forgotten, None),
            _ => return None,
        };
        let document = document.cloned();
        Some(Last {
            at,
            heard,
            document,
        })
    }

    /// What it was, if it is what had no effect on a document for a reason.
    pub(super) fn is_it(
        &self,
        now: Moment,
        document: Option<&DocumentId>,
        reason: Reason,
    ) -> Option<Heard> {
        let is_named = match reason {
            Reason::UnknownId => self.document.is_none() && document.is_none(),
            // What a lane says can be overtaken, too; of what editors say only a rejection is.
            Reason::Overtaken => self.heard == Heard::Rejected,
            _ => self.heard == Heard::Rejected || self.document.as_ref() == document,
        };
        (is_named && now.since(self.at) <= AT_ONCE).then_some(self.heard)
    }
}

impl Heard {
    /// In words that go on with "had no effect".
    pub(super) const fn words(self) -> &'static str {
        match self {
            Heard::Opened => "opening it",
            Heard::Changed => "a change of the text",
            Heard::Replaced => "sending the whole text",
            Heard::Lost => "a change that does not fit the text",
            Heard::Closed => "closing it",
            Heard::Focused => "going to it",
            Heard::Diagnostics => "what a compiler or linter said",
            Heard::Asked => "asking for a suggestion",
            Heard::Cancelled => "cancelling a request",
            Heard::Shown => "showing a suggestion",
            Heard::Accepted => "taking a suggestion",
            Heard::Rejected => "rejecting a suggestion",
            Heard::Ignored => "letting a suggestion go",
            Heard::Forgotten => "forgetting a rejection",
        }
    }
}
