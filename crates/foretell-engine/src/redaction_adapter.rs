//! Secrets, between those who know what they look like and the lanes that must not tell them.
//!
//! Each lane that is asked begins from the marks of the context that it is told, so that a mark means
//! one secret in all of what is sent, and each has its own from there on.

use std::ops::Range;

use foretell_context::Redaction;
use foretell_lanes::{Redact, SecretMarks};

/// Takes secrets out of what lanes tell, from where a redaction has come to.
#[derive(Clone, Debug)]
pub struct LaneRedaction(pub Redaction);

impl Redact for LaneRedaction {
    fn begin(&self) -> Box<dyn SecretMarks> {
        Box::new(self.clone())
    }
}

impl SecretMarks for LaneRedaction {
    fn redact_part(&mut self, whole: &str, part: Range<usize>) -> String {
        self.0.redact_part(whole, part)
    }

    fn restore(&self, told: &str, answer: &str) -> Option<String> {
        self.0.restore(told, answer).ok()
    }
}
