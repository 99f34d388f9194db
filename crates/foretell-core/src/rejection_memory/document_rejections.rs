//! The rejections of one document: finding the one a suggestion matches, and following changes.
//!
//! Those that are awake are filed by fingerprint, so a suggestion is looked up without looking at the
//! others. How much room there is, and what goes when there is none, is decided by the memory that
//! holds those of all documents.

use std::collections::BTreeMap;

use foretell_text::{ByteRange, Edit, Text};

use super::beginnings::written_beyond;
use super::fingerprint::EditFingerprint;
use super::rejection::RejectedEdit;
use super::{RejectionId, SleepCause};
use crate::digest::TextDigest;
use crate::note::Note;
use crate::outbox::Outbox;
use crate::window::{ChangeStep, TextChange, TextGrowth};

/// The rejections of one document, in the order they were made.
#[derive(Debug, Default)]
pub(super) struct DocumentRejections {
    /// How many there may be.
    pub(super) room: usize,
    pub(super) rejections: Vec<RejectedEdit>,
    /// Those that are awake, by fingerprint.
    pub(super) awake: BTreeMap<EditFingerprint, Vec<RejectionId>>,
}

impl DocumentRejections {
    /// The rejection that a suggestion for the document's text matches.
    pub(super) fn matching(&self, text: &Text, edit: &Edit) -> Option<RejectionId> {
        let filed = self.awake.get(&EditFingerprint::of(edit, text).ok()?)?;
        let filed = filed.iter().filter_map(|id| self.find(*id));
        // Most suggestions that come back are written as they were. One replacement that is trimmed
        // has an effect; several may cancel out, and must be looked at.
        let is_written_so = |found: &&RejectedEdit| found.active().any(|active| active == edit);
        if edit.replacements().len() == 1 {
            if let Some(found) = filed.clone().find(is_written_so) {
                return Some(found.id);
            }
        }
        // The others are compared by what they do; most of those are the same change elsewhere.
        let effect = edit.effect(text).ok()?;
        let starts = effect.starts(text)?;
        let matches = |active: &Edit| {
            let could_be = match active.replacements() {
                [only] => starts.contains(ByteRange::empty(only.range().start())),
                _ => true,
            };
            could_be && active.effect(text).as_ref() == Ok(&effect)
        };
        let does_the_same = |found: &&RejectedEdit| found.active().any(matches);
        filed.clone().find(does_the_same).map(|found| found.id)
    }

    /// The rejection of a beginning that a suggestion goes on with.
    pub(super) fn gone_on_with(&self, text: &Text, edit: &Edit) -> Option<RejectionId> {
        let beginnings = self.rejections.iter().filter(|it| it.is_beginning);
        let goes_on = |beginning: &Edit| written_beyond(beginning, edit, text).is_some();
        let mut found = beginnings.filter(|it| it.active().any(goes_on));
        found.next().map(|it| it.id)
    }

    /// The rejection of what a suggestion is the beginning of.
    pub(super) fn begun_by(&self, text: &Text, edit: &Edit) -> Option<RejectionId> {
        let begins = |whole: &Edit| written_beyond(edit, whole, text).is_some();
        let mut found = self.rejections.iter();
        found.find(|it| it.active().any(begins)).map(|it| it.id)
    }

    /// Takes note that an edit which is rejected was the beginning of more, however it is stored.
    pub(super) fn mark_beginning(&mut self, text: &Text, edit: &Edit) {
        let effect = edit.effect(text);
        let is_it = |active: &Edit| active.effect(text) == effect;
        let marked = self.rejections.iter_mut();
        for marked in marked.filter(|it| it.active().any(is_it)) {
            marked.is_beginning = true;
        }
    }

    /// Follows one change of the document.
    pub(super) fn follow(&mut self, change: TextChange<'_>, outbox: &mut Outbox) {
        let TextChange {
            before,
            edit,
            after,
            ..
        } = change;
        let Some(span) = edit.span() else {
            return;
        };
        let growth = TextGrowth::of(edit);
        let mut met = Vec::new();
        for (index, rejection) in self.rejections.iter_mut().enumerate() {
            if rejection.parked.is_none() && !rejection.passes(span, growth) {
                met.push(index);
            }
        }
        // The text may have become one that others belong to.
        self.unpark(after, outbox);
        if met.is_empty() {
            return;
        }
        let steps = ChangeStep::all(change);
        for index in met {
            let was_asleep = self.rejections[index].is_asleep();
            self.rejections[index].follow(before, edit, &steps, after);
            let because = if was_asleep {
                SleepCause::ConflictGone
            } else {
                SleepCause::Conflict
            };
            self.refile(index, was_asleep, after, because, outbox);
        }
    }

    /// Puts everything to sleep until this text is here again.
    pub(super) fn park(&mut self, text: &Text, outbox: &mut Outbox) {
        let digest = TextDigest::of(text);
        self.awake.clear();
        for rejection in &mut self.rejections {
            let was_asleep = rejection.is_asleep();
            rejection.filed.clear();
            rejection.parked.get_or_insert(digest);
            if !was_asleep {
                outbox.note(Note::Asleep {
                    rejection: rejection.id,
                    because: SleepCause::Closed,
                });
            }
        }
    }

    pub(super) fn index_of(&self, id: RejectionId) -> Result<usize, usize> {
        self.rejections
            .binary_search_by_key(&id, |rejection| rejection.id)
    }

    pub(super) fn find(&self, id: RejectionId) -> Option<&RejectedEdit> {
        self.index_of(id).ok().map(|index| &self.rejections[index])
    }

    /// Files a rejection under what it is now, which is nothing while it sleeps.
    pub(super) fn file(&mut self, index: usize, text: &Text) {
        let rejection = &mut self.rejections[index];
        let fingerprints = rejection.fingerprints(text);
        if rejection.filed == fingerprints {
            return;
        }
        let old = std::mem::replace(&mut rejection.filed, fingerprints.clone());
        let id = rejection.id;
        self.unfile(id, &old);
        for fingerprint in fingerprints {
            let filed = self.awake.entry(fingerprint).or_default();
            let at = filed.partition_point(|other| *other < id);
            filed.insert(at, id);
        }
    }

    pub(super) fn unfile(&mut self, id: RejectionId, from: &[EditFingerprint]) {
        for fingerprint in from {
            if let Some(filed) = self.awake.get_mut(fingerprint) {
                filed.retain(|other| *other != id);
                if filed.is_empty() {
                    self.awake.remove(fingerprint);
                }
            }
        }
    }

    /// Wakes what belongs to this very text.
    pub(super) fn unpark(&mut self, text: &Text, outbox: &mut Outbox) {
        let mut parked = self.rejections.iter().filter_map(|found| found.parked);
        if !parked.any(|digest| digest.could_be(text)) {
            return;
        }
        let digest = TextDigest::of(text);
        for index in 0..self.rejections.len() {
            if self.rejections[index].parked == Some(digest) {
                self.rejections[index].unpark(text);
                self.refile(index, true, text, SleepCause::Reopened, outbox);
            }
        }
    }

    /// Files a rejection that has changed, and records if it fell asleep or woke.
    fn refile(
        &mut self,
        index: usize,
        was_asleep: bool,
        text: &Text,
        because: SleepCause,
        outbox: &mut Outbox,
    ) {
        self.file(index, text);
        let rejection = &self.rejections[index];
        let (id, is_asleep) = (rejection.id, rejection.is_asleep());
        match (was_asleep, is_asleep) {
            (false, true) => outbox.note(Note::Asleep {
                rejection: id,
                because,
            }),
            (true, false) => outbox.note(Note::Awake {
                rejection: id,
                because,
            }),
            (true, true) | (false, false) => {}
        }
    }
}
