//! Places in documents, and what diagnostics say of them.

use std::borrow::Cow;

use foretell_text::{ByteOffset, ByteRange, Diagnostic, DocumentId, FixStanding};

use super::recorded_line::{DiagnosticFields, FixFields, RangeEnds};
use super::{TraceWriter, changes, word_for};
use crate::read::event_reader::{SEVERITIES, STANDINGS};
use crate::shape::recorded_text::WordRecording;

impl TraceWriter {
    pub(super) fn item<'e>(
        &self,
        document: &DocumentId,
        diagnostic: &'e Diagnostic,
    ) -> DiagnosticFields<'e> {
        let sheet = self.documents.sheet(document);
        let [at, end] = self.ends(document, diagnostic.range);
        let fixes = diagnostic.fixes.iter().filter_map(|fix| {
            let changes = sheet.and_then(|sheet| changes(sheet, &fix.edit, &self.words))?;
            let title = self.spoken(&fix.title);
            let is_told = fix.standing != FixStanding::default();
            let standing = is_told.then(|| word_for(&STANDINGS, fix.standing));
            Some(FixFields {
                title,
                standing,
                changes,
            })
        });
        DiagnosticFields {
            at,
            len: at.zip(end).map_or(0, |(at, end)| end - at),
            severity: word_for(&SEVERITIES, diagnostic.severity),
            source: diagnostic.source.as_deref().map(|it| self.spoken(it)),
            code: diagnostic.code.as_deref().map(|it| self.spoken(it)),
            message: self.spoken(&diagnostic.message),
            fixes: fixes.collect(),
        }
    }

    /// Words that are no document's.
    fn spoken<'e>(&self, words: &'e str) -> Cow<'e, str> {
        match &self.words {
            WordRecording::Whole => Cow::Borrowed(words),
            WordRecording::Shape(key) => Cow::Owned(key.text(words)),
        }
    }

    /// A place, if the document has it. In one that is not open there is none, and none matters.
    pub(super) fn place(&self, document: &DocumentId, at: ByteOffset) -> Option<usize> {
        match self.documents.sheet(document) {
            Some(sheet) => sheet.text().check(at).is_ok().then_some(at.get()),
            None => Some(0),
        }
    }

    /// Both ends of a range, as far as the document has them. Whether anything is in it counts in any
    /// case.
    pub(super) fn ends(&self, document: &DocumentId, range: ByteRange) -> RangeEnds {
        let start = self.place(document, range.start());
        let end = self.place(document, range.end());
        if start.is_some() && end.is_some() {
            [start, end]
        } else if range.is_empty() {
            [None, None]
        } else {
            [start.or(Some(0)), None]
        }
    }
}
