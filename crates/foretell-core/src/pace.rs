//! The pace: how long to wait after an editor asked before a lane starts.
//!
//! `wait = max(idle, clamp(min, max, rhythm x feedback))`, in whole milliseconds. The ideal is one
//! call for every pause and none at any other moment: [`rhythm`] judges from the person's own typing
//! whether a pause has begun, [`feedback`] goes slower after rejections and faster after
//! acceptances. Requests that the person makes, and the first in a document they have come to, do
//! not wait; that is decided where requests are.

mod feedback;
mod rhythm;

use foretell_settings::settings;
use foretell_text::Edit;

use crate::moment::Moment;
use feedback::Feedback;
use rhythm::{Rhythm, Stroke};

pub(crate) use feedback::Verdict;

/// How long to wait.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    feedback: Feedback,
    rhythm: Rhythm,
}

impl Pace {
    /// The person typed.
    pub(crate) fn typed(&mut self, now: Moment, edit: &Edit) {
        self.rhythm.feel(now, Stroke::of(edit));
    }

    /// The person moved the cursor without typing.
    pub(crate) fn moved(&mut self, now: Moment) {
        self.rhythm.feel(now, Stroke::Move);
    }

    /// The person took or rejected something.
    pub(crate) fn judged(&mut self, now: Moment, verdict: Verdict) {
        self.feedback.judged(now, verdict);
    }

    /// How many milliseconds a request that is made now waits.
    pub(crate) fn wait(&self, now: Moment, settings: &settings::Pace) -> u64 {
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
