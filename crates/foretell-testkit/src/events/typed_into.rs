//! The text that was shown at once and is being typed into, as the simplest model has it: until something
//! else happens to its document, what is shown there begins with the rest of it, or has another beginning.
//!
//! It is the rule that ghost text does not flicker: a text that is typed into is never replaced by another
//! one that begins as it does.

use foretell_core::{Answer, Event, OfferedFrom, RequestCause, RequestKind};
use foretell_text::{ByteOffset, ChangeReason, DocumentId, Edit};

use super::WaitingRequest;

/// What was shown at once last.
#[derive(Default)]
pub(super) struct ShownPrediction(Option<RestOfPrediction>);

/// The rest of it.
struct RestOfPrediction {
    document: DocumentId,
    at: ByteOffset,
    rest: String,
    is_typed_into: bool,
}

impl ShownPrediction {
    /// Takes note of an event: only typing into it leaves it as it is.
    pub(super) fn told(&mut self, event: &Event) {
        let Some(shown) = self.0.take() else {
            return;
        };
        self.0 = match event {
            Event::DocumentChanged {
                document,
                edits,
                reason: ChangeReason::Typed,
                ..
            } if *document == shown.document => shown.typed(edits),
            Event::LaneAnswered { .. }
            | Event::LaneProgressed { .. }
            | Event::LaneReading { .. }
            | Event::LaneFailed { .. }
            | Event::Predicted { .. }
            | Event::RequestCancelled { .. }
            | Event::SelectionChanged { .. }
            | Event::SuggestionRequested(_)
            | Event::SuggestionShown { .. } => Some(shown),
            _ => None,
        };
    }

    /// Checks an answer against it, and takes note of what is shown now.
    pub(super) fn answered(&mut self, answer: &Answer, asked: &WaitingRequest) {
        let Answer::Candidates(offers) = answer else {
            return;
        };
        let Some(offer) = offers.first().filter(|_| asked.kind == RequestKind::Inline) else {
            return;
        };
        let written = written_at(&offer.candidate.edit, asked.at);
        let is_automatic = asked.cause == RequestCause::Automatic;
        if let Some(shown) = self.0.as_ref().filter(|it| it.document == asked.document) {
            let is_there = is_automatic && shown.is_typed_into && shown.at == asked.at;
            if let Some(written) = written.filter(|_| is_there) {
                let is_alike = written.chars().next() == shown.rest.chars().next();
                let goes_on = written.starts_with(&shown.rest);
                assert!(
                    goes_on || !is_alike,
                    "{:?} is typed into and becomes {written:?}",
                    shown.rest
                );
            }
        }
        match (offer.from, written) {
            (OfferedFrom::AtOnce, Some(written)) => {
                self.0 = Some(RestOfPrediction {
                    document: asked.document.clone(),
                    at: asked.at,
                    rest: written.to_owned(),
                    is_typed_into: false,
                });
            }
            // It is the rest of what was shown, which is known.
            (OfferedFrom::Carried, _) if is_automatic => {}
            _ if self
                .0
                .as_ref()
                .is_some_and(|it| it.document != asked.document) => {}
            _ => self.0 = None,
        }
    }
}

impl RestOfPrediction {
    /// The same after edits, if they are one insertion of its beginning.
    fn typed(self, edits: &[Edit]) -> Option<Self> {
        let [edit] = edits else {
            return None;
        };
        let typed = written_at(edit, self.at)?;
        let rest = self.rest.strip_prefix(typed)?;
        if typed.is_empty() || rest.is_empty() {
            return None;
        }
        Some(RestOfPrediction {
            at: ByteOffset::new(self.at.get() + typed.len()),
            rest: rest.to_owned(),
            is_typed_into: true,
            ..self
        })
    }
}

/// What an edit puts in at a place, if that is all it does.
fn written_at(edit: &Edit, at: ByteOffset) -> Option<&str> {
    let [only] = edit.replacements() else {
        return None;
    };
    (only.range().is_empty() && only.range().start() == at).then(|| only.new_text())
}
