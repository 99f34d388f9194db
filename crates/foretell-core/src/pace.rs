//! The pace: how long to wait after an editor asked before a lane starts.
//!
//! `wait = max(idle, clamp(min, max, rhythm x feedback))`, in whole milliseconds. The ideal is one
//! call for every pause and none at any other moment: [`rhythm`] judges from the person's own typing
//! whether a pause has begun, [`suggestion_feedback`] goes slower after rejections and faster after
//! acceptances. Requests that the person makes, and the first in a document they have come to, do
//! not wait; that is decided where requests are.

mod rhythm;
mod suggestion_feedback;

use foretell_settings::settings;
use foretell_text::Edit;

use crate::moment::Moment;
use rhythm::{PersonStroke, Rhythm};
use suggestion_feedback::SuggestionFeedback;

pub(crate) use suggestion_feedback::SuggestionVerdict;

/// How long to wait.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    feedback: SuggestionFeedback,
    rhythm: Rhythm,
}

impl Pace {
    /// The person typed.
    pub(crate) fn typed(&mut self, now: Moment, edit: &Edit) {
        self.rhythm.feel(now, PersonStroke::of(edit));
    }

    /// The person moved the cursor without typing.
    pub(crate) fn moved(&mut self, now: Moment) {
        self.rhythm.feel(now, PersonStroke::Move);
    }

    /// The person took or rejected something.
    pub(crate) fn judged(&mut self, now: Moment, verdict: SuggestionVerdict) {
        self.feedback.judged(now, verdict);
    }

    /// How many milliseconds a request that is made now waits.
    pub(crate) fn wait(&self, now: Moment, settings: &settings::PaceSettings) -> u64 {
        let base = settings.base.get() as f64;
        let start = if settings.rhythm {
            self.rhythm.wait(now, base)
        } else {
            base
        };
        let wait = self.feedback.weigh(now, start, settings);
        settings.idle.get().max(wait.round() as u64)
    }
}
