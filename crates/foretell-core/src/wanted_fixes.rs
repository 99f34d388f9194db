//! Which faults are to be mended now, and by which of their fixes: only what a person would take.
//!
//! - A fault is an error. What is a warning, a nudge or a matter of style may stay for as long as the
//!   person likes.
//! - It is near: on the cursor's line or two lines from it, and on the cursor's own where only that line can
//!   be drawn on.
//! - Its text is finished: not what is being typed just now, unless the person asks.
//! - There is one way to mend it: the one that the tool prefers, or the only one. A choice is the person's.
//!   A fault without any fix is handed on, since its message may name the remedy.
//! - The fix is small and local. What it does can be read at a glance: a few lines around the fault, or
//!   one line put in elsewhere, as an import is.
//! - No fix of its kind has made things worse in this session ([`fix_trials`](crate::fix_trials)).
//!
//! Absent on purpose: words. What a fix is worth by them is known when it comes
//! ([`fix_standing`](crate::fix_standing)), and what a message names is the lane's to find.

use foretell_text::{
    ByteOffset, ByteRange, Diagnostic, DiagnosticFix, DiagnosticSeverity, Edit, FixStanding,
    PositionEncoding, Text,
};

use crate::documents::Document;
use crate::event::{RequestCause, RequestKind};
use crate::fix_trials::{FixKind, FixTrials};

/// How far from the cursor a fault may be, in lines.
const LINES_AROUND: u32 = 2;
/// How far from its fault a fix may reach, in lines.
const LINES_AROUND_FAULT: u32 = 3;
/// How much a fix may take out and put in, in bytes and in lines.
const MOST_BYTES: usize = 240;
const MOST_LINES: usize = 3;
/// How many lines a fix may put in that is not near its fault.
const MOST_LINES_ELSEWHERE: usize = 1;

/// The place and the occasion of which fixes are wanted.
#[derive(Clone, Copy)]
pub(crate) struct FixQuestion<'a> {
    pub(crate) open: &'a Document,
    pub(crate) at: ByteOffset,
    pub(crate) cause: RequestCause,
    pub(crate) kind: RequestKind,
    pub(crate) trials: &'a FixTrials,
}

/// The faults that are to be mended, each with the fix that would be offered, if it has any.
pub(crate) fn wanted_fixes(question: FixQuestion<'_>) -> impl Iterator<Item = Diagnostic> + '_ {
    let text = &question.open.text;
    let near = lines_around(text, question.at, question.kind);
    let errors = question.open.diagnostics.iter();
    let errors = errors.filter(|it| it.severity == DiagnosticSeverity::Error);
    let near = errors.filter(move |it| near.is_some_and(|near| it.range.touches(near)));
    let finished = near.filter(move |it| {
        question.cause == RequestCause::Explicit
            || !question.open.typing.is_in(it.range, question.at)
    });
    finished.filter_map(move |it| {
        let fix = if it.fixes.is_empty() {
            None
        } else {
            Some(fix_of_choice(it, text)?)
        };
        let is_trusted = question.trials.trusts(&FixKind::of(it, fix));
        is_trusted.then(|| Diagnostic {
            fixes: fix.cloned().into_iter().collect(),
            ..it.clone()
        })
    })
}

/// The fix that would be offered for a diagnostic which has some.
fn fix_of_choice<'d>(diagnostic: &'d Diagnostic, text: &Text) -> Option<&'d DiagnosticFix> {
    let is_serious = |it: &&DiagnosticFix| it.standing != FixStanding::Cosmetic;
    let mut serious = diagnostic.fixes.iter().filter(is_serious);
    let is_preferred = |it: &&DiagnosticFix| it.standing == FixStanding::Preferred;
    let mut preferred = serious.clone().filter(is_preferred);
    let only = match (preferred.next(), preferred.next()) {
        (Some(only), None) => only,
        (Some(_), Some(_)) => return None,
        (None, _) => serious.next().filter(|_| serious.next().is_none())?,
    };
    is_small_and_local(&only.edit, diagnostic.range, text).then_some(only)
}

/// Whether what an edit does can be read at a glance by one who looks at a place.
fn is_small_and_local(edit: &Edit, place: ByteRange, text: &Text) -> bool {
    let Some((edit, span)) = edit
        .trimmed(text)
        .ok()
        .and_then(|edit| edit.span().map(|span| (edit, span)))
    else {
        return false;
    };
    let parts = edit.replacements();
    let new_bytes: usize = parts.iter().map(|it| it.new_text().len()).sum();
    let new_lines: usize = parts.iter().map(|it| line_ends(it.new_text())).sum();
    let old = text.read(span).unwrap_or_default();
    let is_small = new_bytes <= MOST_BYTES
        && new_lines <= MOST_LINES
        && old.len() <= MOST_BYTES
        && line_ends(&old) <= MOST_LINES;
    let line = |at| text.position_of(at, PositionEncoding::Utf8).ok();
    let lines = line(place.start()).zip(line(place.end()));
    let lines = lines.zip(line(span.start()).zip(line(span.end())));
    let is_near = lines.is_some_and(|((first, last), (start, end))| {
        start.line.saturating_add(LINES_AROUND_FAULT) >= first.line
            && end.line <= last.line.saturating_add(LINES_AROUND_FAULT)
    });
    let puts_in_one_line = parts.len() == 1 && span.is_empty() && new_lines <= MOST_LINES_ELSEWHERE;
    is_small && (is_near || puts_in_one_line)
}

fn line_ends(text: &str) -> usize {
    text.matches('\n').count()
}

/// The lines in which faults are near.
fn lines_around(text: &Text, at: ByteOffset, kind: RequestKind) -> Option<ByteRange> {
    let here = text.line_at(at).ok()?;
    if kind == RequestKind::Inline {
        return Some(here);
    }
    let line = text.position_of(at, PositionEncoding::Utf8).ok()?.line;
    let first = text.line(line.saturating_sub(LINES_AROUND)).unwrap_or(here);
    let last = (0..=LINES_AROUND).rev();
    let mut last = last.filter_map(|below| text.line(line.saturating_add(below)).ok());
    let last = last.next().unwrap_or(here);
    ByteRange::new(first.start(), last.end()).ok()
}
