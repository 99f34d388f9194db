//! The suggestions of lanes, without those that would write a secret or write over one: a line of another file
//! goes on with a password, and that is where it should stay.
//!
//! The lines are judged as they are and as they would be, since a password is known by the name
//! before it. It is done where the lane ran, and not on the task that owns the machine.

use foretell_context::Redactor;
use foretell_lanes::{LaneAnswer, LaneRequest};
use foretell_text::{ByteRange, LaneCandidate, Replacement, Text};

/// How much of the text around a change is read on either side, in bytes.
const AROUND: usize = 4 << 10;

/// An answer without candidates that would touch a secret.
pub(super) fn screened(
    redactor: &Redactor,
    request: &LaneRequest,
    mut answer: LaneAnswer,
) -> LaneAnswer {
    let found = answer.candidates.len();
    answer.candidates.retain(|candidate| {
        let open = [&request.document].into_iter().chain(&request.others);
        let mut open = open.filter(|open| open.id == candidate.document);
        open.next()
            .is_none_or(|open| !touches_secret(redactor, &open.text, candidate))
    });
    answer.withheld += found - answer.candidates.len();
    answer
}

/// Whether any of what a candidate takes out or puts in is a secret.
fn touches_secret(redactor: &Redactor, text: &Text, candidate: &LaneCandidate) -> bool {
    let Ok(after) = candidate.edit.apply(text) else {
        // It does not fit, which is for the machine to say.
        return false;
    };
    let mut grown = 0_isize;
    candidate.edit.replacements().iter().any(|replacement| {
        let old = replacement.range();
        let start = old.start().get().saturating_add_signed(grown);
        let written = replacement.new_text().len();
        grown += growth(replacement);
        let end = start.saturating_add(written);
        let writes = written > 0 && has_secret(redactor, &after, start..end);
        let old = old.start().get()..old.end().get();
        writes || (!old.is_empty() && has_secret(redactor, text, old))
    })
}

fn growth(replacement: &Replacement) -> isize {
    let (old, new) = (replacement.range().len(), replacement.new_text().len());
    isize::try_from(new).unwrap_or(isize::MAX) - isize::try_from(old).unwrap_or(isize::MAX)
}

/// Whether a stretch of a text has any of a secret in it, as the lines around it tell.
fn has_secret(redactor: &Redactor, text: &Text, stretch: std::ops::Range<usize>) -> bool {
    let line_start = |at: usize| {
        let line = text.line_at(text.floor(at)).ok();
        line.map_or(at, |line| line.start().get())
    };
    let start = line_start(stretch.start).max(stretch.start.saturating_sub(AROUND));
    let end = stretch.end.saturating_add(AROUND).min(text.end().get());
    let (start, end) = (text.floor(start), text.floor(end));
    let read = ByteRange::new(start, end).ok();
    let Some(read) = read.and_then(|range| text.read(range).ok()) else {
        return false;
    };
    let base = start.get();
    redactor.ranges(&read).iter().any(|secret| {
        let (from, to) = (base + secret.start().get(), base + secret.end().get());
        from < stretch.end && stretch.start < to
    })
}
