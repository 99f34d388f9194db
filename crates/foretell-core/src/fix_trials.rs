//! Fixes that made things worse: after one was accepted, the editor reported more errors than before.
//!
//! A kind of fix that did so is not offered again for as long as the server runs. The verdict is on the fix
//! only while nothing else has changed in its document, and from the reports that come until then: what
//! compilers say first is often not all.
//!
//! Absent on purpose: taking the change back. It is the person's, and one step of undo.

use std::collections::BTreeSet;

use foretell_text::{Diagnostic, DiagnosticFix, DocumentId};

/// What fixes have in common that do the same to the same fault.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FixKind {
    source: Option<String>,
    code: Option<String>,
    /// The title of the fix, or the message that names the remedy, without what is quoted.
    words: String,
}

impl FixKind {
    /// The kind of a fix, or of what the message of a diagnostic names.
    pub(crate) fn of(diagnostic: &Diagnostic, fix: Option<&DiagnosticFix>) -> Self {
        let words = fix.map_or(&diagnostic.message, |fix| &fix.title);
        FixKind {
            source: diagnostic.source.clone(),
            code: diagnostic.code.clone(),
            words: unquoted(words),
        }
    }
}

/// Words without what stands in quotes, and of what is left the letters.
fn unquoted(words: &str) -> String {
    let is_quote = |c: char| matches!(c, '\'' | '"' | '`' | '‘' | '’' | '“' | '”');
    let parts = words.split(is_quote).step_by(2);
    let letters = |c: &char| c.is_alphabetic() || *c == ' ';
    parts.flat_map(str::chars).filter(letters).collect()
}

/// The kinds of fixes that are not offered any more, and the fix that was taken last.
#[derive(Debug, Default)]
pub(crate) struct FixTrials {
    distrusted: BTreeSet<FixKind>,
    trial: Option<FixTrial>,
}

/// A fix that was taken, until something else changes.
#[derive(Debug)]
struct FixTrial {
    document: DocumentId,
    kind: FixKind,
    errors_before: usize,
}

impl FixTrials {
    /// Whether fixes of a kind may be offered.
    pub(crate) fn trusts(&self, kind: &FixKind) -> bool {
        !self.distrusted.contains(kind)
    }

    /// A fix was taken in a document, of which so many errors had been reported.
    pub(crate) fn begin(&mut self, document: DocumentId, kind: FixKind, errors_before: usize) {
        self.trial = Some(FixTrial {
            document,
            kind,
            errors_before,
        });
    }

    /// The text of a document has changed: what is reported from now on may have another cause.
    pub(crate) fn change(&mut self, document: &DocumentId) {
        self.trial.take_if(|trial| trial.document == *document);
    }

    /// So many errors are reported of a document.
    pub(crate) fn hear(&mut self, document: &DocumentId, errors: usize) {
        let worse =
            |trial: &mut FixTrial| trial.document == *document && errors > trial.errors_before;
        if let Some(trial) = self.trial.take_if(worse) {
            self.distrusted.insert(trial.kind);
        }
    }
}
