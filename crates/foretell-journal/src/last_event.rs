//! The last event before the machine decided that it has no effect.
//!
//! A record of that kind says of which document and why, and not what it was that had no effect. The
//! journal hears every event before the machine does, so that it can tell, if the event is one that is
//! turned away for that reason. Answers of lanes are not heard here, and not mistaken for anything
//! else.

use foretell_core::{Event, Moment, Reason, SuggestionRequest};
use foretell_text::DocumentId;

/// How long after an event what is said of it is said, in milliseconds.
const AT_ONCE: u64 = 50;

/// The events that can be without effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EventWords {
    Opened,
    Changed,
    Replaced,
    Lost,
    Closed,
    Focused,
    Saved,
    Diagnostics,
    Asked,
    Cancelled,
    Shown,
    Accepted,
    Rejected,
    Ignored,
    Forgotten,
}

/// The last event.
#[derive(Debug)]
pub(super) struct LastEvent {
    at: Moment,
    heard: EventWords,
    document: Option<DocumentId>,
}

impl LastEvent {
    /// Takes note of an event, if it is one that may be turned away.
    pub(super) fn of(at: Moment, event: &Event) -> Option<Self> {
        let (heard, document) = match event {
            Event::DocumentOpened { document, .. } => (EventWords::Opened, Some(document)),
            Event::DocumentChanged { document, .. } => (EventWords::Changed, Some(document)),
            Event::DocumentReplaced { document, .. } => (EventWords::Replaced, Some(document)),
            Event::DocumentLost { document } => (EventWords::Lost, Some(document)),
            Event::DocumentClosed { document } => (EventWords::Closed, Some(document)),
            Event::DocumentFocused { document } => (EventWords::Focused, Some(document)),
            Event::DocumentSaved { document } => (EventWords::Saved, Some(document)),
            Event::DiagnosticsChanged { document, .. } => (EventWords::Diagnostics, Some(document)),
            Event::SuggestionRequested(SuggestionRequest { document, .. }) => {
                (EventWords::Asked, Some(document))
            }
            Event::EditRejected { document, .. } => (EventWords::Rejected, Some(document)),
            Event::RequestCancelled { .. } => (EventWords::Cancelled, None),
            Event::SuggestionShown { .. } => (EventWords::Shown, None),
            Event::SuggestionAccepted { .. } => (EventWords::Accepted, None),
            Event::SuggestionRejected { .. } => (EventWords::Rejected, None),
            Event::SuggestionIgnored { .. } => (EventWords::Ignored, None),
            Event::RejectionForgotten { .. } => (EventWords::Forgotten, None),
            _ => return None,
        };
        let document = document.cloned();
        Some(LastEvent {
            at,
            heard,
            document,
        })
    }

    /// The words for it, if it is the event that had no effect on a document for a reason.
    pub(super) fn is_it(
        &self,
        now: Moment,
        document: Option<&DocumentId>,
        reason: Reason,
    ) -> Option<EventWords> {
        let is_named = match reason {
            Reason::UnknownId => self.document.is_none() && document.is_none(),
            // A lane's answer can be overtaken, too; of an editor's events only a rejection can.
            Reason::Overtaken => self.heard == EventWords::Rejected,
            _ => self.heard == EventWords::Rejected || self.document.as_ref() == document,
        };
        (is_named && now.since(self.at) <= AT_ONCE).then_some(self.heard)
    }
}

impl EventWords {
    /// In words that go on with "had no effect".
    pub(super) const fn words(self) -> &'static str {
        match self {
            EventWords::Opened => "opening it",
            EventWords::Changed => "a change of the text",
            EventWords::Replaced => "sending the whole text",
            EventWords::Lost => "a change that does not fit the text",
            EventWords::Closed => "closing it",
            EventWords::Focused => "going to it",
            EventWords::Saved => "saving it",
            EventWords::Diagnostics => "what a compiler or linter said",
            EventWords::Asked => "asking for a suggestion",
            EventWords::Cancelled => "cancelling a request",
            EventWords::Shown => "showing a suggestion",
            EventWords::Accepted => "taking a suggestion",
            EventWords::Rejected => "rejecting a suggestion",
            EventWords::Ignored => "letting a suggestion go",
            EventWords::Forgotten => "forgetting a rejection",
        }
    }
}
