//! The pace: how long to wait after an editor asked before a lane starts.
//!
//! `wait = max(idle, clamp(min, max, rhythm x feedback))`, in whole milliseconds. The ideal is one
//! call for every pause and none at any other moment: [`rhythm`] judges from the person's own typing
//! when a pause has begun, [`suggestion_feedback`] goes slower after rejections and faster after
//! acceptances. Requests that the person makes, and the first in a document they have come to, do
//! not wait; that is decided where requests are. What a call of a model on the person's own machine costs is
//! known by how long that takes ([`call_price`]).

mod call_price;
mod person_stroke;
mod rhythm;
mod suggestion_feedback;
pub(crate) mod typing_gaps;
mod usual_gaps;

use foretell_settings::settings;
use foretell_text::{ByteOffset, DocumentId, Edit, Text};

use crate::moment::Moment;
use person_stroke::{StrokePlace, end_of_only, is_over_closer};
use rhythm::Rhythm;
use suggestion_feedback::SuggestionFeedback;
use typing_gaps::{TypingGaps, UsualGaps};

pub(crate) use call_price::CallPrice;
pub(crate) use suggestion_feedback::SuggestionVerdict;

/// How long to wait.
#[derive(Debug)]
pub(crate) struct Pace {
    feedback: SuggestionFeedback,
    rhythm: Rhythm,
    /// Where the last key left the cursor.
    typed_at: Option<(DocumentId, ByteOffset)>,
}

/// What the person typed.
#[derive(Clone, Copy)]
pub(crate) struct TypedEdit<'a> {
    pub(crate) document: &'a DocumentId,
    pub(crate) edit: &'a Edit,
    pub(crate) before: &'a Text,
    pub(crate) after: &'a Text,
}

impl Pace {
    /// A pace for people who type as is usual.
    pub(crate) fn new(usual: UsualGaps) -> Self {
        Pace {
            feedback: SuggestionFeedback::default(),
            rhythm: Rhythm::new(usual),
            typed_at: None,
        }
    }

    /// The person typed.
    pub(crate) fn typed(&mut self, now: Moment, typed: TypedEdit<'_>) {
        let TypedEdit {
            document,
            edit,
            before,
            after,
        } = typed;
        self.rhythm.typed(now, StrokePlace::of(edit, before, after));
        self.typed_at = end_of_only(edit).map(|at| (document.clone(), at));
    }

    /// The cursor is where a change has left it, which the end of what was put in does not say: editors add
    /// what closes a bracket.
    pub(crate) fn followed(&mut self, document: &DocumentId, to: Option<ByteOffset>) {
        if self
            .typed_at
            .as_ref()
            .is_some_and(|(typed, _)| typed == document)
        {
            self.typed_at = to.map(|to| (document.clone(), to));
        }
    }

    /// The cursor was moved, and nothing was changed. It is known where to if there is only one, and in which text.
    pub(crate) fn moved(
        &mut self,
        now: Moment,
        document: &DocumentId,
        to: Option<(&Text, ByteOffset)>,
    ) {
        let typed_at = self.typed_at.take().filter(|(typed, _)| typed == document);
        let passed = typed_at
            .zip(to)
            .filter(|((_, from), (text, to))| is_over_closer(text, *from, *to));
        match passed {
            // Some editors tell of a closer that is typed over the one they put in as of a move.
            Some((_, (text, to))) => {
                self.rhythm.typed(now, StrokePlace::of_closer(text, to));
                self.typed_at = Some((document.clone(), to));
            }
            None => self.rhythm.moved(now),
        }
    }

    /// A lane was started.
    pub(crate) fn served(&mut self) {
        self.rhythm.served();
    }

    /// The person took or rejected something.
    pub(crate) fn judged(&mut self, now: Moment, verdict: SuggestionVerdict) {
        self.feedback.judged(now, verdict);
    }

    /// Takes over the gaps that were kept of the person.
    pub(crate) fn take_over(&mut self, kept: &TypingGaps) {
        self.rhythm.take_over(kept);
    }

    /// The gaps of the person that are to be kept.
    pub(crate) fn to_keep(&self) -> TypingGaps {
        self.rhythm.to_keep()
    }

    /// How many milliseconds a request waits that is made now, given what its calls cost.
    pub(crate) fn wait(
        &self,
        now: Moment,
        price: CallPrice,
        settings: &settings::PaceSettings,
    ) -> u64 {
        let base = settings.base.get();
        let start = if settings.rhythm {
            self.rhythm.wait(now, base, price)
        } else {
            base
        };
        let wait = self.feedback.weigh(now, start as f64, settings);
        settings.idle.get().max(wait.round() as u64)
    }
}
