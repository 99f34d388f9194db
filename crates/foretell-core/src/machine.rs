//! [`Core`]: the machine. Events and the time go in, actions come out.
//!
//! It has four verbs and no clock. The same events at the same moments give the same actions, so a
//! recorded session replays to the byte. It cannot fail: an event that does not make sense becomes a
//! record with a reason.

use std::sync::Arc;

use foretell_settings::Settings;
use foretell_text::{
    ByteOffset, ByteRange, ChangeReason, Diagnostic, DocumentId, Edit, Language, RecentEdit,
    Replacement, Text, Version,
};

use crate::action::{Action, Answer, Record};
use crate::counts::Counts;
use crate::documents::{Document, Documents, InStep};
use crate::event::Event;
use crate::moment::Moment;
use crate::outbox::Outbox;
use crate::reason::Reason;
use crate::rejections::{Kept, RejectionId, RejectionMemory, StoredRejection};

/// Decides. See the [crate] for how to drive it.
#[derive(Debug)]
pub struct Core {
    settings: Arc<Settings>,
    documents: Documents,
    rejections: RejectionMemory,
    outbox: Outbox,
}

impl Core {
    /// A machine to which nothing has happened.
    pub fn new(settings: Arc<Settings>) -> Self {
        Core {
            documents: Documents::default(),
            rejections: RejectionMemory::new(settings.rejections.clone()),
            outbox: Outbox::default(),
            settings,
        }
    }

    /// Tells it that something happened.
    pub fn handle(&mut self, now: Moment, event: Event) {
        self.outbox.counts.events += 1;
        match event {
            Event::DocumentOpened {
                document,
                language,
                version,
                text,
            } => self.open(now, &document, language, version, text),
            Event::DocumentChanged {
                document,
                version,
                edits,
                reason,
            } => self.change(now, &document, version, &edits, reason),
            Event::DocumentClosed { document } => self.close(&document),
            Event::DocumentFocused { document } => {
                if self.documents.touch(&document).is_none() {
                    self.outbox.ignore(Some(&document), Reason::UnknownDocument);
                }
            }
            Event::DiagnosticsChanged {
                document,
                version,
                diagnostics,
            } => match self.documents.touch(&document) {
                // Late ones are about places that have moved; there will be others.
                Some(open) if version.is_some_and(|version| version != open.version) => {
                    self.outbox.ignore(Some(&document), Reason::OutOfStep);
                }
                Some(open) => open.diagnostics = diagnostics,
                None => self.outbox.ignore(Some(&document), Reason::UnknownDocument),
            },
            Event::EditRejected { document, edit } => self.reject(&document, &edit),
            Event::RejectionForgotten { rejection } => {
                if !self.rejections.forget(rejection, &mut self.outbox) {
                    self.outbox.ignore(None, Reason::UnknownId);
                }
            }
            Event::RejectionsCleared => self.rejections.clear(&mut self.outbox),
            Event::RejectionsRestored { rejections } => {
                let text_of = |document: &DocumentId| self.documents.text(document);
                let room_of =
                    |document: &DocumentId| room(&self.settings, &self.documents, document);
                self.rejections
                    .restore(&rejections, text_of, room_of, &mut self.outbox);
            }
            Event::SettingsChanged { settings } => {
                let room_of = |document: &DocumentId| room(&settings, &self.documents, document);
                let capacity = settings.rejections.clone();
                self.rejections
                    .set_capacity(capacity, room_of, &mut self.outbox);
                self.settings = settings;
            }
            Event::SuggestionRequested { request, .. } => self.outbox.put(Action::Answer {
                request,
                answer: Answer::Withheld(Reason::NotActedOn),
                lanes: Vec::new(),
            }),
            Event::SelectionChanged { document, .. } => {
                self.outbox.ignore(Some(&document), Reason::NotActedOn);
            }
            Event::ClientConnected { .. }
            | Event::RequestCancelled { .. }
            | Event::LaneAnswered { .. }
            | Event::LaneFailed { .. }
            | Event::SuggestionShown { .. }
            | Event::SuggestionAccepted { .. }
            | Event::SuggestionRejected { .. }
            | Event::SuggestionIgnored { .. } => self.outbox.ignore(None, Reason::NotActedOn),
        }
    }

    /// Tells it that time has passed. Calling early or again does no harm.
    pub fn handle_timeout(&mut self, _now: Moment) {
        // Nothing waits yet, so there is nothing whose time could come.
    }

    /// What it wants done next, until there is nothing more.
    pub fn poll_action(&mut self) -> Option<Action> {
        self.outbox.take()
    }

    /// When it wants to be told the time again.
    pub fn poll_timeout(&self) -> Option<Moment> {
        None
    }

    /// The rejection that an edit of a document matches: it must not be shown.
    pub fn is_rejected(&self, document: &DocumentId, edit: &Edit) -> Option<RejectionId> {
        let open = self.documents.get(document)?;
        match open.step {
            InStep::Yes => self.rejections.find(document, &open.text, edit),
            InStep::No => None,
        }
    }

    /// Everything that is rejected, the first first.
    pub fn rejections(&self) -> Vec<StoredRejection> {
        self.rejections
            .list(|document| self.documents.text(document))
    }

    /// The text of an open document.
    pub fn text(&self, document: &DocumentId) -> Option<&Text> {
        self.documents.text(document)
    }

    /// What an open document is written in.
    pub fn language(&self, document: &DocumentId) -> Option<&Language> {
        self.documents.get(document).map(|open| &open.language)
    }

    /// Which text of an open document is held.
    pub fn version(&self, document: &DocumentId) -> Option<Version> {
        self.documents.get(document).map(|open| open.version)
    }

    /// What compilers and linters say of an open document.
    pub fn diagnostics(&self, document: &DocumentId) -> &[Diagnostic] {
        let open = self.documents.get(document);
        open.map_or(&[], |open| &open.diagnostics)
    }

    /// What was changed lately in a document, the latest first.
    pub fn recent_edits(&self, now: Moment, document: &DocumentId) -> Vec<RecentEdit> {
        let open = self.documents.get(document);
        open.map_or(Vec::new(), |open| open.history.recent(now, &open.text))
    }

    /// What has been counted.
    pub fn counts(&self) -> Counts {
        let (awake, asleep) = self.rejections.counts();
        Counts {
            open_documents: self.documents.len(),
            rejections_awake: awake,
            rejections_asleep: asleep,
            ..self.outbox.counts.clone()
        }
    }

    /// Checks what every event keeps; for tests, after each of their steps.
    ///
    /// # Panics
    /// If the machine is broken.
    pub fn assert_invariants(&self) {
        assert!(self.documents.len() <= crate::documents::MOST_DOCUMENTS);
        self.rejections
            .assert_invariants(|document| self.documents.text(document));
    }

    fn open(
        &mut self,
        now: Moment,
        document: &DocumentId,
        language: Language,
        version: Version,
        text: Text,
    ) {
        if let Some(open) = self
            .documents
            .touch(document)
            .filter(|open| open.text != text)
        {
            // The whole text of a document that is open: a change like any other.
            let whole = ByteRange::new(ByteOffset::ZERO, open.text.end()).unwrap_or_default();
            let change = Edit::from(Replacement::new(whole, text.to_string()));
            let change = change.trimmed(&open.text).unwrap_or_default();
            let made = (&change, ChangeReason::Other);
            let Document {
                text: before,
                history,
                ..
            } = open;
            self.rejections
                .follow(document, before, made, &text, &mut self.outbox);
            history.change(now, before, made, &text);
        }
        self.rejections.opened(document, &text, &mut self.outbox);
        self.documents
            .open(document.clone(), language, version, text);
        while let Some(oldest) = self.documents.one_too_many() {
            self.close(&oldest);
            self.outbox.record(Record::LetGo {
                document: oldest,
                reason: Reason::TooManyDocuments,
            });
        }
    }

    fn change(
        &mut self,
        now: Moment,
        document: &DocumentId,
        version: Version,
        edits: &[Edit],
        reason: ChangeReason,
    ) {
        let Some(open) = self.documents.touch(document) else {
            return self.outbox.ignore(Some(document), Reason::UnknownDocument);
        };
        if open.step == InStep::No {
            return self.outbox.ignore(Some(document), Reason::OutOfStep);
        }
        for edit in edits {
            let Ok(after) = edit.apply(&open.text) else {
                open.step = InStep::No;
                return self.outbox.ignore(Some(document), Reason::OutOfStep);
            };
            let Document { text, history, .. } = open;
            self.rejections
                .follow(document, text, (edit, reason), &after, &mut self.outbox);
            history.change(now, text, (edit, reason), &after);
            *text = after;
        }
        open.version = version;
        self.outbox.counts.changes += 1;
    }

    fn close(&mut self, document: &DocumentId) {
        match self.documents.close(document) {
            Some(closed) => {
                self.rejections
                    .closed(document, &closed.text, &mut self.outbox);
            }
            None => self.outbox.ignore(Some(document), Reason::UnknownDocument),
        }
    }

    fn reject(&mut self, document: &DocumentId, edit: &Edit) {
        let Some(open) = self.documents.get(document) else {
            return self.outbox.ignore(Some(document), Reason::UnknownDocument);
        };
        if open.step == InStep::No {
            return self.outbox.ignore(Some(document), Reason::OutOfStep);
        }
        let room = room(&self.settings, &self.documents, document);
        let kept = self
            .rejections
            .reject((document, room), &open.text, edit, &mut self.outbox);
        let nothing_new = match kept {
            Kept::New => return,
            Kept::Already => Reason::PreviouslyRejected,
            Kept::NoEffect => Reason::NoEffect,
            Kept::DoesNotFit => Reason::OutOfStep,
        };
        self.outbox.ignore(Some(document), nothing_new);
    }
}

/// How many rejections a document may have: languages may have settings of their own.
fn room(settings: &Settings, documents: &Documents, document: &DocumentId) -> usize {
    let language = documents.get(document).map(|open| open.language.as_str());
    let settings = language.map_or(settings, |language| settings.for_language(language));
    settings.rejections.per_document
}
