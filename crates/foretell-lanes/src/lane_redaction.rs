//! Secrets, as lanes that tell somebody else know them: taken out of everything that is told, and put
//! back into what is answered.
//!
//! Everything that leaves passes here first, before it is cut. The rules for secrets are elsewhere: the
//! request brings them, as it brings code.

use std::fmt;
use std::ops::Range;

/// Takes secrets out. Marks are numbered per request, from those of the context on that comes with
/// it, so that each lane that is asked begins anew.
pub trait Redact: Send + Sync {
    /// Begins for one lane.
    fn begin(&self) -> Box<dyn SecretMarks>;
}

/// The secrets that one lane has met, each with the mark that stands for it.
pub trait SecretMarks: Send {
    /// A part of a text, with a mark in place of every secret of the whole. Where the part begins or
    /// ends within a secret, a mark stands for what is there of it.
    fn redact_part(&mut self, whole: &str, part: Range<usize>) -> String;

    /// The text that was written in place of `told` (a text that was redacted before; empty where
    /// something is only put in), with marks turned back into what they stood for. Nothing if a mark
    /// was lost, doubled, moved or invented: then it must not be suggested.
    fn restore(&self, told: &str, answer: &str) -> Option<String>;

    /// A text with a mark in place of every secret.
    fn redact(&mut self, text: &str) -> String {
        self.redact_part(text, 0..text.len())
    }
}

/// For lanes that send nothing: if one did, it would send nothing but empty texts.
#[derive(Clone, Copy, Debug, Default)]
pub struct BlankRedaction;

impl Redact for BlankRedaction {
    fn begin(&self) -> Box<dyn SecretMarks> {
        Box::new(BlankRedaction)
    }
}

impl SecretMarks for BlankRedaction {
    fn redact_part(&mut self, _: &str, _: Range<usize>) -> String {
        String::new()
    }

    fn restore(&self, _: &str, _: &str) -> Option<String> {
        None
    }
}

impl fmt::Debug for dyn Redact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Redact")
    }
}
