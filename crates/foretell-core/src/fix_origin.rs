//! The diagnostic that a fix on offer is for, and what becomes of the offer with it.
//!
//! A fix is right as long as the fault is there, and not a moment longer: it goes when the compiler
//! no longer reports the fault, and when the text that the fault is about changes.
//!
//! Absent on purpose: the offer itself ([`carried`](crate::requests)).

use foretell_text::{ByteRange, Diagnostic, DiagnosticSeverity, Edit};

use crate::documents::{Document, rewrites};
use crate::fix_trials::FixKind;

/// The diagnostic that a fix is for, in the text as it is.
#[derive(Clone, Debug)]
pub(crate) struct FixOrigin {
    range: ByteRange,
    message: String,
    pub(crate) kind: FixKind,
}

impl FixOrigin {
    /// The diagnostic of a document that an edit of its text would clear: one that has it as a fix, or
    /// else the nearest.
    pub(crate) fn of(edit: &Edit, open: &Document) -> Option<Self> {
        let text = &open.text;
        let effect = edit.effect(text).ok();
        let span = edit.span()?;
        let errors = open.diagnostics.iter();
        let errors = errors.filter(|it| it.severity == DiagnosticSeverity::Error);
        let fix_of = |it: &&Diagnostic| {
            let mut fixes = it.fixes.iter();
            fixes.any(|fix| fix.edit.effect(text).ok() == effect)
        };
        let found = errors.clone().find(fix_of);
        let nearest = || errors.min_by_key(|it| distance(it.range, span));
        let diagnostic = found.or_else(nearest)?;
        let fix = diagnostic.fixes.iter();
        let fix = fix
            .into_iter()
            .find(|fix| fix.edit.effect(text).ok() == effect);
        Some(FixOrigin {
            range: diagnostic.range,
            message: diagnostic.message.clone(),
            kind: FixKind::of(diagnostic, fix),
        })
    }

    /// Follows an edit of the text. Says no if the text that it is about is no longer there.
    pub(crate) fn follow(&mut self, edit: &Edit) -> bool {
        let is_there = !rewrites(edit, self.range);
        self.range = edit.map_range(self.range);
        is_there
    }

    /// Whether it is among what is reported now.
    pub(crate) fn is_among(&self, diagnostics: &[Diagnostic]) -> bool {
        let mut same = diagnostics.iter();
        same.any(|it| it.message == self.message && it.range.touches(self.range))
    }
}

/// How far apart two ranges are.
fn distance(one: ByteRange, other: ByteRange) -> usize {
    let (one, other) = if one.start() <= other.start() {
        (one, other)
    } else {
        (other, one)
    };
    other.start().get().saturating_sub(one.end().get())
}
