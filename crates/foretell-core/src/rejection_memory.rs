//! The suggestions that the person rejected, and must not see again.
//!
//! Every explicit rejection is kept, however briefly the suggestion was visible, and every lane is
//! checked against all of them. A rejection follows its edit through the changes of the
//! document; this module keeps them, finds the one a suggestion matches, and makes room.
//!
//! **Matching is by effect**: a suggestion is rejected when it would turn the text into the same text
//! as a rejected edit. It is looked up by fingerprint, so the cost grows neither with
//! the document nor with the number of rejections. Beginnings are compared with those of their document.
//!
//! **Beginnings.** What was rejected while a model was still writing is the beginning of more, and so is what was
//! said at once, which ends where it gets uncertain: whatever goes on with it is rejected too. And what a model
//! has said so far, or is said at once, is withheld if something rejected begins with it.
//! That a rejection is one of a beginning is not listed, so a restart forgets it; all of what the model had to
//! say is remembered by then, once it has said it.
//!
//! **Room.** At most so many per document, so many documents, and so many in all. Sleeping ones go
//! first, since they match nothing; then the oldest. A match refreshes nothing. When a
//! document too many comes, the one goes whose rejections all sleep, or else the one in which the
//! last rejection is longest ago.
//!
//! **Closing** a document lets its text go: its rejections sleep, with the digest of the text they
//! belong to, and opening the same text wakes them.

pub(crate) mod beginnings;
mod document_rejections;
mod fingerprint;
mod rejection;

use std::collections::BTreeMap;
use std::fmt;

use foretell_settings::settings::RejectionSettings as Capacity;
use foretell_text::{DocumentId, Edit, Text};

use crate::digest::TextDigest;
use crate::note::Note;
use crate::outbox::Outbox;
use crate::target::Target;
use crate::window::TextChange;
use document_rejections::DocumentRejections;
use fingerprint::EditFingerprint;
use rejection::RejectedEdit;

/// Which rejection is meant: they are numbered in the order they were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RejectionId(u64);

impl RejectionId {
    /// The rejection of a number.
    pub const fn new(number: u64) -> Self {
        RejectionId(number)
    }

    /// Its number.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl fmt::Display for RejectionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A rejection as it is listed, and given back after a restart. One that was touched is listed for
/// each text it belongs to, under the same number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRejection {
    /// Its number; a new one is given when it is restored.
    pub id: RejectionId,
    /// The document it is about.
    pub document: DocumentId,
    /// The rejected edit, for the text of the digest.
    pub edit: Edit,
    /// The text it belongs to; not known for one that fell asleep before its document was closed.
    pub text: Option<TextDigest>,
    /// Whether it matches nothing at the moment.
    pub asleep: bool,
}

/// Whether what goes on with a rejected edit is rejected with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RejectedExtent {
    /// It was all that there was to say.
    Whole,
    /// It was said first, and more may follow.
    Beginning,
}

/// Why a rejection was forgotten.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ForgetCause {
    /// Room was needed.
    Capacity,
    /// All were cleared.
    Cleared,
    /// The person asked to forget it.
    Asked,
}

impl ForgetCause {
    /// The name that traces and reports print.
    pub const fn name(self) -> &'static str {
        match self {
            ForgetCause::Capacity => "capacity",
            ForgetCause::Cleared => "cleared",
            ForgetCause::Asked => "forgotten",
        }
    }
}

/// Why a rejection fell asleep or woke.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SleepCause {
    /// A change met it and is not on the way to it.
    Conflict,
    /// The change that had met it is gone again, or turned out to be on the way.
    ConflictGone,
    /// Its document was closed.
    Closed,
    /// Its document was opened with the text it belongs to.
    Reopened,
}

impl SleepCause {
    /// The words that a person reads.
    pub const fn words(self) -> &'static str {
        match self {
            SleepCause::Conflict => "something else was typed there",
            SleepCause::ConflictGone => "what was typed there is gone",
            SleepCause::Closed => "its document was closed",
            SleepCause::Reopened => "its document was opened with the same text",
        }
    }
}

/// All rejections, by document.
#[derive(Debug)]
pub(crate) struct RejectionMemory {
    capacity: Capacity,
    shelves: BTreeMap<DocumentId, DocumentRejections>,
    total: usize,
    next: u64,
}

impl RejectionMemory {
    pub(crate) fn new(capacity: Capacity) -> Self {
        RejectionMemory {
            capacity,
            shelves: BTreeMap::new(),
            total: 0,
            next: 1,
        }
    }

    /// Remembers an edit of a document's text as rejected.
    ///
    /// The room is that of the document's language.
    pub(crate) fn reject(
        &mut self,
        document: &DocumentId,
        room: usize,
        text: &Text,
        edit: &Edit,
        outbox: &mut Outbox,
    ) -> RejectionOutcome {
        let Ok(trimmed) = edit.trimmed(text) else {
            return RejectionOutcome::DoesNotFit;
        };
        let Ok(effect) = trimmed.effect(text) else {
            return RejectionOutcome::DoesNotFit;
        };
        if effect.is_nothing() {
            return RejectionOutcome::NoEffect;
        }
        let Ok(fingerprint) = EditFingerprint::of(&trimmed, text) else {
            return RejectionOutcome::DoesNotFit;
        };
        let tracked = self.shelves.get(document).is_some_and(|shelf| {
            let filed = shelf.awake.get(&fingerprint).into_iter().flatten();
            let mut found = filed.filter_map(|id| shelf.find(*id));
            found.any(|rejection| rejection.is_stored_as(&trimmed))
        });
        if tracked {
            return RejectionOutcome::Already;
        }
        let id = self.next_id();
        outbox.note(Note::Remembered {
            rejection: id,
            document: document.clone(),
            edit: trimmed.clone(),
        });
        let rejection = RejectedEdit::new(id, trimmed, Some(text));
        self.put(document, room, rejection, Some(text), outbox);
        RejectionOutcome::New
    }

    /// Remembers a suggestion whose way the person had left before they said no, or without saying it.
    /// It sleeps for as long as nothing is left of it; then it is told of as it `stood`, if that is
    /// known.
    pub(crate) fn reject_lost(
        &mut self,
        document: &DocumentId,
        room: usize,
        text: &Text,
        (target, extent): (Target, RejectedExtent),
        stood: Option<Edit>,
        outbox: &mut Outbox,
    ) -> RejectionId {
        let id = self.next_id();
        let rejection = RejectedEdit::following(id, target, extent);
        let left = rejection.active().next().cloned();
        let is_asleep = left.is_none();
        outbox.note(Note::Remembered {
            rejection: id,
            document: document.clone(),
            edit: left.or(stood).unwrap_or_default(),
        });
        if is_asleep {
            outbox.note(Note::Asleep {
                rejection: id,
                because: SleepCause::Conflict,
            });
        }
        self.put(document, room, rejection, Some(text), outbox);
        id
    }

    /// The rejection that a suggestion for a document's text matches.
    pub(crate) fn find(
        &self,
        document: &DocumentId,
        text: &Text,
        edit: &Edit,
    ) -> Option<RejectionId> {
        let shelf = self.shelves.get(document)?;
        let matching = shelf.matching(text, edit);
        matching.or_else(|| shelf.gone_on_with(text, edit))
    }

    /// The rejection of a beginning that a suggestion goes on with.
    pub(crate) fn find_beginning(
        &self,
        document: &DocumentId,
        text: &Text,
        edit: &Edit,
    ) -> Option<RejectionId> {
        self.shelves.get(document)?.gone_on_with(text, edit)
    }

    /// The rejection that a suggestion would match if it went on: what a model has said so far must not be
    /// shown then.
    pub(crate) fn find_begun(
        &self,
        document: &DocumentId,
        text: &Text,
        edit: &Edit,
    ) -> Option<RejectionId> {
        self.shelves.get(document)?.begun_by(text, edit)
    }

    /// Takes note that an edit which is rejected was the beginning of more.
    pub(crate) fn mark_beginning(&mut self, document: &DocumentId, text: &Text, edit: &Edit) {
        if let Some(shelf) = self.shelves.get_mut(document) {
            shelf.mark_beginning(text, edit);
        }
    }

    /// Follows one change of a document.
    pub(crate) fn follow(
        &mut self,
        document: &DocumentId,
        change: TextChange<'_>,
        outbox: &mut Outbox,
    ) {
        if let Some(shelf) = self.shelves.get_mut(document) {
            shelf.follow(change, outbox);
        }
    }

    /// Wakes what belongs to the text that a document was opened with.
    pub(crate) fn opened(&mut self, document: &DocumentId, text: &Text, outbox: &mut Outbox) {
        if let Some(shelf) = self.shelves.get_mut(document) {
            shelf.unpark(text, outbox);
        }
    }

    /// Puts what belongs to a document to sleep; its text is about to be let go.
    pub(crate) fn closed(&mut self, document: &DocumentId, text: &Text, outbox: &mut Outbox) {
        if let Some(shelf) = self.shelves.get_mut(document) {
            shelf.park(text, outbox);
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self, outbox: &mut Outbox) {
        let mut ids: Vec<RejectionId> = self.ids().collect();
        ids.sort();
        self.shelves.clear();
        self.total = 0;
        for rejection in ids {
            outbox.note(Note::Forgotten {
                rejection,
                because: ForgetCause::Cleared,
            });
        }
    }

    /// Forgets one; whether it was known.
    pub(crate) fn forget(&mut self, id: RejectionId, outbox: &mut Outbox) -> bool {
        let Some(document) = self.document_of(id) else {
            return false;
        };
        self.take(&document, id, ForgetCause::Asked, outbox);
        true
    }

    /// Returns the edits that are rejected in a document as it reads now, the latest first. It is called
    /// for every lane, so it looks at nothing else.
    pub(crate) fn awake(&self, document: &DocumentId) -> impl Iterator<Item = &Edit> {
        let shelf = self.shelves.get(document).into_iter();
        let rejections = shelf.flat_map(|shelf| shelf.rejections.iter().rev());
        rejections.flat_map(RejectedEdit::active)
    }

    /// The rejections of a document: those that are awake, and those that sleep. Unlike a list of all it
    /// costs nothing that grows with texts.
    pub(crate) fn of(&self, document: &DocumentId) -> (Vec<RejectionId>, Vec<RejectionId>) {
        let shelf = self.shelves.get(document).into_iter();
        let all = shelf.flat_map(|shelf| &shelf.rejections);
        let (asleep, awake): (Vec<_>, Vec<_>) = all.partition(|it| it.is_asleep());
        let ids = |all: Vec<&RejectedEdit>| all.into_iter().map(|it| it.id).collect();
        (ids(awake), ids(asleep))
    }

    /// Everything there is, in the order it was rejected. One that was touched comes several times:
    /// as it is rejected now, and as it was for the text before. Texts are those of the open
    /// documents.
    pub(crate) fn list<'a>(
        &self,
        text_of: impl Fn(&DocumentId) -> Option<&'a Text>,
    ) -> Vec<StoredRejection> {
        let mut list = Vec::with_capacity(self.total);
        for (document, shelf) in &self.shelves {
            let now = text_of(document).map(|text| (text, TextDigest::of(text)));
            for rejection in &shelf.rejections {
                for (edit, text) in rejection.belongs_to(now) {
                    let is_now = text.is_some() && text == now.map(|(_, digest)| digest);
                    list.push(StoredRejection {
                        id: rejection.id,
                        document: document.clone(),
                        edit,
                        text,
                        asleep: rejection.is_asleep() || !is_now,
                    });
                }
            }
        }
        list.sort_by_key(|stored| stored.id);
        list
    }

    /// Takes back the list of before a restart, in its order. Rejections of the text of an
    /// open document are awake at once; the rest sleeps until its text is opened. Those of no
    /// known text could never wake and are left out.
    pub(crate) fn restore<'a>(
        &mut self,
        list: &[StoredRejection],
        text_of: impl Fn(&DocumentId) -> Option<&'a Text>,
        room_of: impl Fn(&DocumentId) -> usize,
        outbox: &mut Outbox,
    ) {
        for stored in list {
            let Some(belongs_to) = stored.text else {
                continue;
            };
            let room = room_of(&stored.document);
            match text_of(&stored.document) {
                Some(text) if TextDigest::of(text) == belongs_to => {
                    self.reject(&stored.document, room, text, &stored.edit, outbox);
                }
                _ => self.park(stored, room, belongs_to, outbox),
            }
        }
    }

    /// Changes how many may be kept, and lets go what is too many.
    pub(crate) fn set_capacity(
        &mut self,
        capacity: Capacity,
        room_of: impl Fn(&DocumentId) -> usize,
        outbox: &mut Outbox,
    ) {
        self.capacity = capacity;
        let documents: Vec<DocumentId> = self.shelves.keys().cloned().collect();
        for document in &documents {
            if let Some(shelf) = self.shelves.get_mut(document) {
                shelf.room = room_of(document);
            }
            self.make_room_in(document, outbox);
        }
        self.make_room(outbox);
    }

    /// How many there are: awake and asleep.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let all = self.shelves.values().flat_map(|shelf| &shelf.rejections);
        let asleep = all.filter(|rejection| rejection.is_asleep()).count();
        (self.total - asleep, asleep)
    }

    /// Files a rejection of a text that is not here.
    fn park(
        &mut self,
        stored: &StoredRejection,
        room: usize,
        belongs_to: TextDigest,
        outbox: &mut Outbox,
    ) {
        let held = self.shelves.get(&stored.document);
        let is_held = |shelf: &DocumentRejections| {
            let mut rejections = shelf.rejections.iter();
            rejections.any(|rejection| rejection.is_parked_as(&stored.edit, belongs_to))
        };
        if held.is_some_and(is_held) {
            return;
        }
        let id = self.next_id();
        outbox.note(Note::Remembered {
            rejection: id,
            document: stored.document.clone(),
            edit: stored.edit.clone(),
        });
        outbox.note(Note::Asleep {
            rejection: id,
            because: SleepCause::Closed,
        });
        let mut rejection = RejectedEdit::new(id, stored.edit.clone(), None);
        rejection.parked = Some(belongs_to);
        // Its fingerprints are found when its text is here.
        self.put(&stored.document, room, rejection, None, outbox);
    }

    /// Takes a rejection in; with the text of its document, if that is the one it belongs to.
    fn put(
        &mut self,
        document: &DocumentId,
        room: usize,
        rejection: RejectedEdit,
        text: Option<&Text>,
        outbox: &mut Outbox,
    ) {
        let shelf = self.shelves.entry(document.clone()).or_default();
        shelf.room = room;
        shelf.rejections.push(rejection);
        if let Some(text) = text {
            shelf.file(shelf.rejections.len() - 1, text);
        }
        self.total += 1;
        self.make_room_in(document, outbox);
        self.make_room(outbox);
    }

    fn make_room_in(&mut self, document: &DocumentId, outbox: &mut Outbox) {
        while let Some(shelf) = self.shelves.get(document) {
            if shelf.rejections.len() <= shelf.room {
                return;
            }
            let first = first_to_go(shelf.rejections.iter());
            let Some(id) = first else { return };
            self.take(document, id, ForgetCause::Capacity, outbox);
        }
    }

    fn make_room(&mut self, outbox: &mut Outbox) {
        while self.shelves.len() > self.capacity.documents {
            let Some(document) = self.first_document_to_go() else {
                return;
            };
            while let Some(shelf) = self.shelves.get(&document) {
                let Some(first) = shelf.rejections.first() else {
                    break;
                };
                self.take(&document, first.id, ForgetCause::Capacity, outbox);
            }
        }
        while self.total > self.capacity.total {
            let all = self.shelves.values().flat_map(|shelf| &shelf.rejections);
            let Some(id) = first_to_go(all) else { return };
            let Some(document) = self.document_of(id) else {
                return;
            };
            self.take(&document, id, ForgetCause::Capacity, outbox);
        }
    }

    fn document_of(&self, id: RejectionId) -> Option<DocumentId> {
        let mut shelves = self.shelves.iter();
        let holder = shelves.find(|(_, shelf)| shelf.find(id).is_some());
        holder.map(|(document, _)| document.clone())
    }

    fn first_document_to_go(&self) -> Option<DocumentId> {
        let rank = |shelf: &DocumentRejections| {
            let any_awake = shelf
                .rejections
                .iter()
                .any(|rejection| !rejection.is_asleep());
            (any_awake, shelf.rejections.last().map(|last| last.id))
        };
        self.shelves
            .iter()
            .min_by_key(|(_, shelf)| rank(shelf))
            .map(|(document, _)| document.clone())
    }

    fn take(
        &mut self,
        document: &DocumentId,
        id: RejectionId,
        because: ForgetCause,
        outbox: &mut Outbox,
    ) {
        let Some(shelf) = self.shelves.get_mut(document) else {
            return;
        };
        if let Ok(index) = shelf.index_of(id) {
            let rejection = shelf.rejections.remove(index);
            shelf.unfile(id, &rejection.filed);
            self.total -= 1;
        }
        if shelf.rejections.is_empty() {
            self.shelves.remove(document);
        }
        outbox.note(Note::Forgotten {
            rejection: id,
            because,
        });
    }

    fn next_id(&mut self) -> RejectionId {
        let id = RejectionId(self.next);
        self.next += 1;
        id
    }

    fn ids(&self) -> impl Iterator<Item = RejectionId> {
        let all = self.shelves.values().flat_map(|shelf| &shelf.rejections);
        all.map(|rejection| rejection.id)
    }

    /// Checks what every event keeps.
    pub(crate) fn assert_invariants<'a>(&self, text_of: impl Fn(&DocumentId) -> Option<&'a Text>) {
        assert_eq!(
            self.total,
            self.ids().count(),
            "rejections are counted wrongly"
        );
        assert!(
            self.total <= self.capacity.total,
            "more rejections than room"
        );
        assert!(
            self.shelves.len() <= self.capacity.documents,
            "more documents than room"
        );
        for (document, shelf) in &self.shelves {
            assert!(!shelf.rejections.is_empty(), "an empty shelf is kept");
            assert!(shelf.rejections.len() <= shelf.room, "a shelf is too full");
            assert!(shelf.rejections.is_sorted_by_key(|rejection| rejection.id));
            let text = text_of(document);
            for rejection in &shelf.rejections {
                match text {
                    Some(text) => rejection.assert_invariants(text),
                    None => assert!(rejection.parked.is_some(), "awake without a document"),
                }
            }
            let mut filed = BTreeMap::<_, Vec<_>>::new();
            for rejection in &shelf.rejections {
                for under in &rejection.filed {
                    filed.entry(*under).or_default().push(rejection.id);
                }
            }
            assert_eq!(
                filed, shelf.awake,
                "what is awake is filed, and nothing else"
            );
        }
    }
}

/// How rejecting an edit ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RejectionOutcome {
    /// It is remembered from now on.
    New,
    /// It was remembered in this very form.
    Already,
    /// It would change nothing, so there is nothing to remember.
    NoEffect,
    /// It does not fit the text.
    DoesNotFit,
}

/// Sleeping ones, the oldest first; then the oldest.
fn first_to_go<'a>(rejections: impl Iterator<Item = &'a RejectedEdit>) -> Option<RejectionId> {
    rejections
        .min_by_key(|rejection| (!rejection.is_asleep(), rejection.id))
        .map(|rejection| rejection.id)
}
