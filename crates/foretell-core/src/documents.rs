//! The open documents: their texts, what changed lately, and whether they are in step.
//!
//! A change whose ranges do not fit means that the editor holds another text than we do. The
//! document is then *out of step*: nothing is suggested for it until its whole text is sent again.

use std::collections::{BTreeMap, VecDeque};

use foretell_text::{
    ByteOffset, ByteRange, ChangeReason, Diagnostic, DiagnosticSeverity, DocumentId, Edit,
    Language, OffsetBias, Text, Version,
};

use crate::diagnosed_places::DiagnosedPlaces;
use crate::edit_history::EditHistory;
use crate::moment::Moment;
use crate::recent_changes::RecentChanges;
use crate::typing_place::TypingPlace;

/// How many documents are kept in full.
pub(crate) const MOST_DOCUMENTS: usize = 200;

/// A document that is open.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    pub(crate) language: Language,
    pub(crate) version: Version,
    pub(crate) text: Text,
    pub(crate) step: TextSync,
    pub(crate) history: EditHistory,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// How many errors the editor has reported last.
    pub(crate) errors: usize,
    /// Where the person is writing.
    pub(crate) typing: TypingPlace,
    /// Where the cursor is, if the editor tells.
    pub(crate) cursor: Option<ByteOffset>,
    /// Of which places they say something that has a fix.
    pub(crate) diagnosed: DiagnosedPlaces,
    /// Its secrets, as far as they were looked for.
    pub(crate) secrets: Vec<ByteRange>,
    /// Whether it must not be told to others.
    pub(crate) is_excluded: bool,
    /// Whether the person wants no suggestions in it for now.
    pub(crate) is_paused: bool,
    /// The last changes, for what answers an older text.
    pub(crate) changes: RecentChanges,
    /// When the person typed in it last.
    pub(crate) typed: Option<Moment>,
    /// When it changed last, by the count of all changes.
    pub(crate) changed_at: u64,
    /// Whether it has changed since the cursor was last seen in it.
    pub(crate) is_changed: bool,
    /// When it was looked at last, by a count that grows.
    looked_at: u64,
}

/// Whether our text is the editor's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextSync {
    InStep,
    Lost,
}

impl Document {
    /// Takes what compilers say of the text as it is, in the place of what they said before.
    pub(crate) fn diagnose(&mut self, diagnostics: Vec<Diagnostic>) {
        let errors = diagnostics.iter();
        let errors = errors.filter(|it| it.severity == DiagnosticSeverity::Error);
        self.errors = errors.count();
        self.diagnostics = diagnostics;
    }

    /// Moves what was said of places along with an edit of the text. What was said of a text that is no longer
    /// there is dropped, and so is a fix of which the place has changed: compilers will say more.
    pub(crate) fn follow(&mut self, edit: &Edit, reason: ChangeReason) {
        self.diagnosed.follow(edit);
        self.diagnostics.retain_mut(|it| {
            if rewrites(edit, it.range) {
                return false;
            }
            it.range = edit.map_range(it.range);
            it.fixes
                .retain_mut(|fix| fix.edit.rebase_over(edit).is_ok());
            true
        });
        for secret in &mut self.secrets {
            *secret = edit.map_range(*secret);
        }
        self.cursor = self.cursor.map(|at| edit.map_offset(at, OffsetBias::After));
        self.typing = match reason {
            ChangeReason::Typed if !edit.is_nothing() => TypingPlace::of(edit),
            ChangeReason::Typed => self.typing,
            ChangeReason::Undo | ChangeReason::Redo | ChangeReason::Other => TypingPlace::Nowhere,
        };
    }
}

/// Whether an edit changes what stands in a range: something in it, or the word at one of its ends.
pub(crate) fn rewrites(edit: &Edit, range: ByteRange) -> bool {
    let is_of_word = |c: char| c.is_alphanumeric() || c == '_';
    edit.replacements().iter().any(|part| {
        let (place, new_text) = (part.range(), part.new_text());
        let is_within = place.start() < range.end() && range.start() < place.end();
        let goes_on = place.start() == range.end() && new_text.starts_with(is_of_word);
        let leads_in = place.end() == range.start() && new_text.ends_with(is_of_word);
        is_within || goes_on || leads_in
    })
}

/// All open documents.
#[derive(Debug, Default)]
pub(crate) struct Documents {
    open: BTreeMap<DocumentId, Document>,
    /// Those that are not open and that something happened to all the same, the latest last: their
    /// text was asked for and has not come.
    awaited: VecDeque<DocumentId>,
    looks: u64,
    /// How many changes there were of any document, opening one included.
    changes: u64,
}

impl Documents {
    pub(crate) fn get(&self, document: &DocumentId) -> Option<&Document> {
        self.open.get(document)
    }

    /// A document that something happens to, which counts as being looked at.
    pub(crate) fn touch(&mut self, document: &DocumentId) -> Option<&mut Document> {
        self.looks += 1;
        let open = self.open.get_mut(document)?;
        open.looked_at = self.looks;
        Some(open)
    }

    /// Takes note of another text.
    pub(crate) fn set_text(&mut self, document: &DocumentId, text: Text) {
        self.changes += 1;
        if let Some(open) = self.open.get_mut(document) {
            open.changed_at = self.changes;
            open.text = text;
        }
    }

    /// The person is done with what they have changed.
    pub(crate) fn finish_edits(&mut self) {
        let open = self.open.values_mut();
        open.for_each(|open| open.history.finish());
    }

    /// The last change of a document was a suggestion that the person took.
    pub(crate) fn accept_last_change(&mut self, document: &DocumentId) {
        let Some(open) = self.open.get_mut(document) else {
            return;
        };
        if let Some(number) = open.changed_at.checked_sub(1) {
            open.history.accept_last(number);
        }
    }

    /// How many changes there were of any document.
    pub(crate) fn changes(&self) -> u64 {
        self.changes
    }

    /// Whether another document than this has changed since there were so many changes, or was opened.
    pub(crate) fn has_other_changed(&self, document: &DocumentId, since: u64) -> bool {
        let mut others = self.open.iter().filter(|(other, _)| *other != document);
        others.any(|(_, open)| open.changed_at > since)
    }

    /// Takes note that the text of a document that is not open is wanted. Says whether that is news.
    pub(crate) fn await_text(&mut self, document: &DocumentId) -> bool {
        if self.open.contains_key(document) || self.awaited.contains(document) {
            return false;
        }
        if self.awaited.len() >= MOST_DOCUMENTS {
            self.awaited.pop_front();
        }
        self.awaited.push_back(document.clone());
        true
    }

    pub(crate) fn text(&self, document: &DocumentId) -> Option<&Text> {
        self.open.get(document).map(|document| &document.text)
    }

    pub(crate) fn version(&self, document: &DocumentId) -> Option<Version> {
        self.open.get(document).map(|document| document.version)
    }

    /// All of them, the one looked at last first.
    pub(crate) fn by_look(&self) -> Vec<&DocumentId> {
        let mut all: Vec<_> = self.open.iter().collect();
        all.sort_by_key(|(_, open)| std::cmp::Reverse(open.looked_at));
        all.into_iter().map(|(id, _)| id).collect()
    }

    pub(crate) fn len(&self) -> usize {
        self.open.len()
    }

    /// Opens a document, or takes the whole text of an open one anew.
    pub(crate) fn open(
        &mut self,
        document: DocumentId,
        language: Language,
        version: Version,
        text: Text,
    ) {
        self.looks += 1;
        self.awaited.retain(|awaited| *awaited != document);
        let held = self.open.remove(&document);
        let typed = held.as_ref().and_then(|held| held.typed);
        let changes = held.as_ref().map(|held| held.changes.clone());
        let changes = changes.unwrap_or_default();
        // Secrets were not looked for again: those that were found have moved along.
        let secrets = held.as_ref().map(|held| held.secrets.clone());
        let diagnosed = held.as_ref().map(|held| held.diagnosed.clone());
        let is_excluded = held.as_ref().is_some_and(|held| held.is_excluded);
        let is_paused = held.as_ref().is_some_and(|held| held.is_paused);
        self.changes += 1;
        let same = held.as_ref().filter(|held| held.text == text);
        let changed_at = same.map_or(self.changes, |held| held.changed_at);
        let errors = same.map_or(0, |held| held.errors);
        let cursor = same.and_then(|held| held.cursor);
        let (history, diagnostics) = match held {
            Some(held) if held.text == text => (held.history, held.diagnostics),
            Some(held) => (held.history, Vec::new()),
            None => (EditHistory::default(), Vec::new()),
        };
        let opened = Document {
            language,
            version,
            text,
            step: TextSync::InStep,
            history,
            diagnosed: diagnosed.unwrap_or_default(),
            diagnostics,
            errors,
            typing: TypingPlace::Nowhere,
            cursor,
            secrets: secrets.unwrap_or_default(),
            is_excluded,
            is_paused,
            changes,
            typed,
            changed_at,
            is_changed: false,
            looked_at: self.looks,
        };
        self.open.insert(document, opened);
    }

    pub(crate) fn close(&mut self, document: &DocumentId) -> Option<Document> {
        self.awaited.retain(|awaited| awaited != document);
        self.open.remove(document)
    }

    /// The one not looked at for longest, if there are too many.
    pub(crate) fn one_too_many(&self) -> Option<DocumentId> {
        if self.open.len() <= MOST_DOCUMENTS {
            return None;
        }
        self.open
            .iter()
            .min_by_key(|(_, document)| document.looked_at)
            .map(|(id, _)| id.clone())
    }
}
