//! Requests to a lane, and redactors to go with them: one that knows no secret, and one that knows one.

use std::ops::Range;
use std::sync::Arc;

use foretell_lanes::{LaneRequest, OpenDocument, Redact, SecretMarks};
use foretell_text::ByteOffset;

/// The secret that [`OneSecret`] knows.
pub const SECRET: &str = "hunter2hunter2";

/// The mark that stands for it.
pub const MARK: &str = "[REDACTED-1]";

/// A request in a document, where its text has a cursor: at its `‸`, or else at its first `|`.
pub fn request_at_cursor(file: &str, language: &str, text: &str) -> LaneRequest {
    let halves = text.split_once('‸').or_else(|| text.split_once('|'));
    let (before, after) = halves.expect("a text with a cursor");
    request_at(file, language, &[before, after].concat(), before.len())
}

/// A request at a byte of a document.
pub fn request_at(file: &str, language: &str, text: &str, at: usize) -> LaneRequest {
    LaneRequest::new(OpenDocument::new(file, language, text), ByteOffset::new(at))
}

/// The same request, in which one secret is known.
pub fn with_one_secret(request: LaneRequest) -> LaneRequest {
    let redact = Arc::new(OneSecret);
    LaneRequest { redact, ..request }
}

/// The same request, in which no secret is known.
pub fn with_no_secrets(request: LaneRequest) -> LaneRequest {
    let redact = Arc::new(BlindRedactor);
    LaneRequest { redact, ..request }
}

/// A redactor that knows no secret.
#[derive(Clone, Copy, Debug, Default)]
pub struct BlindRedactor;

impl Redact for BlindRedactor {
    fn begin(&self) -> Box<dyn SecretMarks> {
        Box::new(BlindRedactor)
    }
}

impl SecretMarks for BlindRedactor {
    fn redact_part(&mut self, whole: &str, part: Range<usize>) -> String {
        whole[part].to_owned()
    }

    fn restore(&self, _: &str, answer: &str) -> Option<String> {
        Some(answer.to_owned())
    }
}

/// A redactor that knows one secret.
#[derive(Clone, Copy, Debug, Default)]
pub struct OneSecret;

impl Redact for OneSecret {
    fn begin(&self) -> Box<dyn SecretMarks> {
        Box::new(OneSecret)
    }
}

impl SecretMarks for OneSecret {
    fn redact_part(&mut self, whole: &str, part: Range<usize>) -> String {
        let mut told = String::new();
        let mut at = part.start;
        for (start, secret) in whole.match_indices(SECRET) {
            let end = (start + secret.len()).min(part.end);
            let start = start.max(part.start);
            if start < end {
                told.push_str(&whole[at..start]);
                told.push_str(MARK);
                at = end;
            }
        }
        told.push_str(&whole[at..part.end]);
        told
    }

    fn restore(&self, told: &str, answer: &str) -> Option<String> {
        let count = |text: &str| text.matches("[REDACTED-").count();
        let is_kept = count(told) == count(answer) && count(answer) == answer.matches(MARK).count();
        is_kept.then(|| answer.replace(MARK, SECRET))
    }
}
