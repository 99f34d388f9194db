//! Following documents: every change of a text goes from here to everything that depends on it, in
//! one order, and a text that is lost is asked for.

use foretell_text::{
    ByteOffset, ByteRange, ChangeReason, DocumentId, Edit, Language, Replacement, Text, Version,
};

use super::Core;
use super::untyped_change::is_untyped;
use crate::action::Order;
use crate::documents::{Document, TextSync};
use crate::event::SuggestionId;
use crate::moment::Moment;
use crate::pace::TypedEdit;
use crate::reason::Reason;
use crate::recent_changes::RecentChange;
use crate::window::TextChange;

impl Core {
    pub(super) fn open(
        &mut self,
        now: Moment,
        document: &DocumentId,
        language: Language,
        version: Version,
        text: Text,
    ) {
        self.replace(now, document, &text, ChangeReason::Other);
        self.hold(now, document, language, version, text);
    }

    /// Follows the change from the text that is held of a document, if any is, to another.
    pub(super) fn replace(
        &mut self,
        now: Moment,
        document: &DocumentId,
        text: &Text,
        reason: ChangeReason,
    ) {
        let Some(held) = self.documents.text(document).filter(|held| *held != text) else {
            return;
        };
        let whole = ByteRange::new(ByteOffset::ZERO, held.end()).unwrap_or_default();
        let change = Edit::from(Replacement::new(whole, text.to_string()));
        let change = change.trimmed(held).unwrap_or_default();
        let before = held.clone();
        let reason = self.reason_of(document, &before, &change, reason);
        self.take_in(now, document, &change, reason, text);
        self.note_stroke(now, document, &before, &change, reason);
    }

    /// Holds the whole text of a document.
    pub(super) fn hold(
        &mut self,
        now: Moment,
        document: &DocumentId,
        language: Language,
        version: Version,
        text: Text,
    ) {
        self.rejections.opened(document, &text, &mut self.outbox);
        self.typed_over.opened(document, &text);
        self.documents
            .open(document.clone(), language, version, text);
        while let Some(oldest) = self.documents.one_too_many() {
            self.close(now, &oldest);
            self.outbox.put(Order::Release {
                document: oldest,
                reason: Reason::TooManyDocuments,
            });
        }
    }

    pub(super) fn change(
        &mut self,
        now: Moment,
        document: &DocumentId,
        version: Version,
        edits: &[Edit],
        reason: ChangeReason,
    ) {
        let Some(open) = self.documents.touch(document) else {
            return self.miss(document);
        };
        if open.step == TextSync::Lost {
            return self.outbox.ignore(Some(document), Reason::OutOfStep);
        }
        let before = open.text.clone();
        let whole = match edits {
            [only] => Some(only.clone()),
            several => {
                let mut edits = several.iter();
                edits.try_fold(Edit::empty(), |all, edit| all.compose(edit).ok())
            }
        };
        let whole = whole.unwrap_or_default();
        let reason = self.reason_of(document, &before, &whole, reason);
        for edit in edits {
            let text = self.documents.text(document);
            let Some(Ok(after)) = text.map(|text| edit.apply(text)) else {
                return self.lose_step(now, document);
            };
            self.take_in(now, document, edit, reason, &after);
        }
        if let Some(open) = self.documents.touch(document) {
            open.version = version;
        }
        self.note_stroke(now, document, &before, &whole, reason);
        self.outbox.counts.changes += 1;
    }

    /// Returns how a change came about: as was told, unless that cannot be. What we have offered may be taken
    /// at once however many places it is about.
    fn reason_of(
        &self,
        document: &DocumentId,
        before: &Text,
        change: &Edit,
        told: ChangeReason,
    ) -> ChangeReason {
        let is_untyped = told == ChangeReason::Typed
            && is_untyped(before, change)
            && !self.requests.is_offered(document, before, change);
        if is_untyped {
            ChangeReason::Other
        } else {
            told
        }
    }

    /// Takes note of what the person typed for the pace. One message is one stroke, however many cursors
    /// there are.
    fn note_stroke(
        &mut self,
        now: Moment,
        document: &DocumentId,
        before: &Text,
        change: &Edit,
        reason: ChangeReason,
    ) {
        let after = self.documents.text(document);
        let after = after.filter(|_| reason == ChangeReason::Typed && !change.is_nothing());
        if let Some(after) = after {
            let typed = TypedEdit {
                document,
                edit: change,
                before,
                after,
            };
            self.pace.typed(now, typed);
        }
    }

    /// Takes note that the last change of a document was a suggestion: the change is told before that. One that is
    /// still to be made, as far as is known here, was not.
    pub(super) fn note_accepted(&mut self, suggestion: SuggestionId, length: Option<usize>) {
        let Some(offer) = self.requests.suggestion(suggestion) else {
            return;
        };
        let is_made = length.is_some() || offer.left().is_none_or(Edit::is_nothing);
        let document = offer.document.clone();
        if is_made {
            self.documents.accept_last_change(&document);
        }
    }

    /// Follows one edit of a document's text everywhere that depends on it.
    fn take_in(
        &mut self,
        now: Moment,
        document: &DocumentId,
        edit: &Edit,
        reason: ChangeReason,
        after: &Text,
    ) {
        let number = self.documents.changes();
        let Some(open) = self.documents.touch(document) else {
            return;
        };
        let settings = self.settings.for_language(open.language.as_str());
        let Document { text, history, .. } = open;
        let made = TextChange {
            before: text,
            edit,
            reason,
            after,
        };
        let change = RecentChange {
            before: text.clone(),
            edit: edit.clone(),
            reason,
            after: after.clone(),
            continues: history.continued(text, edit),
            takes_back: history.change(now, number, made),
        };
        self.rejections.follow(document, made, &mut self.outbox);
        self.fix_trials.change(document);
        let overtyped = self.requests.follow(document, &change);
        self.typed_over.hear(
            document,
            made,
            overtyped,
            &settings.rejections,
            &mut self.rejections,
            &mut self.outbox,
        );
        self.typed_over.follow(document, made);
        self.trigger
            .edit(now, document, made, &settings.trigger, &mut self.outbox);
        if reason == ChangeReason::Typed && !edit.is_nothing() {
            open.typed = Some(now);
        }
        open.is_changed |= !edit.is_nothing();
        open.follow(edit, reason);
        if self.requests.is_running(document) {
            open.changes.note(change)
        } else {
            open.changes.pass()
        }
        self.documents.set_text(document, after.clone());
    }

    /// It is known whether a document may be told to others.
    pub(super) fn exclude(&mut self, now: Moment, document: &DocumentId, is_excluded: bool) {
        let Some(open) = self.documents.touch(document) else {
            return self.outbox.ignore(Some(document), Reason::UnknownDocument);
        };
        open.is_excluded = is_excluded;
        if is_excluded {
            let (requests, mut around) = self.parts(now);
            requests.keep_in(document, Reason::ExcludedDocument, &mut around);
        }
    }

    /// The person wants no suggestions in a document, or wants them again.
    pub(super) fn pause(&mut self, now: Moment, document: &DocumentId, is_paused: bool) {
        let Some(open) = self.documents.touch(document) else {
            return self.outbox.ignore(Some(document), Reason::UnknownDocument);
        };
        open.is_paused = is_paused;
        if is_paused {
            let (requests, mut around) = self.parts(now);
            requests.keep_in(document, Reason::Paused, &mut around);
        }
    }

    /// It is known whether the settings may be a repository's word.
    pub(super) fn contest(&mut self, now: Moment, is_contested: bool) {
        self.is_contested = is_contested;
        if is_contested {
            let documents: Vec<_> = self.documents.by_look().into_iter().cloned().collect();
            let (requests, mut around) = self.parts(now);
            for document in &documents {
                requests.keep_in(document, Reason::ContestedSettings, &mut around);
            }
        }
    }

    /// The editor's text is no longer known.
    pub(super) fn lose_step(&mut self, now: Moment, document: &DocumentId) {
        if let Some(open) = self.documents.touch(document) {
            open.step = TextSync::Lost;
        }
        self.outbox.ignore(Some(document), Reason::OutOfStep);
        let resync = document.clone();
        self.outbox.put(Order::Resync { document: resync });
        self.trigger.lose_step(document, &mut self.outbox);
        let (requests, mut around) = self.parts(now);
        requests.end_all(document, Reason::OutOfStep, &mut around);
    }

    /// Something happened to a document that is not open: it was let go, or never told of.
    pub(super) fn miss(&mut self, document: &DocumentId) {
        self.outbox.ignore(Some(document), Reason::UnknownDocument);
        self.want(document);
    }

    /// Asks for the text of a document unless it is open, once.
    pub(super) fn want(&mut self, document: &DocumentId) {
        if self.documents.await_text(document) {
            let document = document.clone();
            self.outbox.put(Order::Resync { document });
        }
    }

    pub(super) fn close(&mut self, now: Moment, document: &DocumentId) {
        let Some(closed) = self.documents.close(document) else {
            return self.outbox.ignore(Some(document), Reason::UnknownDocument);
        };
        self.rejections
            .closed(document, &closed.text, &mut self.outbox);
        self.typed_over.closed(document, &closed.text);
        self.trigger.close(document, &mut self.outbox);
        self.focus.close(document);
        let (requests, mut around) = self.parts(now);
        requests.end_all(document, Reason::UnknownDocument, &mut around);
    }
}
