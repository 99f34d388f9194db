//! Offers that were typed over, in an editor that reports no rejections.
//!
//! A plain client says nothing when a suggestion goes away, so that all there is to go by is what the
//! person types. An offer at whose place they write something else was *typed over*: it counts as
//! ignored, once. An edit of equal effect that was offered and typed over so often as
//! `rejections.inferAfter` says is remembered as rejected, and that is all: it starts no cooldown and
//! does not slow the pace, because the person has not said no.
//!
//! **Shy on purpose.** People come back to what they passed over once. Only the first of an answer
//! counts, which is what editors draw; only writing at its place, not deleting there and not moving
//! on; and what the person then takes, or types out themselves, begins anew.
//!
//! An offer that was typed over is followed through the changes of its document as rejections are, by a
//! memory like theirs whose notes stay here. Absent on purpose: clocks. An offer counts however briefly it
//! stood, as a rejection does.

use std::collections::{BTreeMap, BTreeSet};

use foretell_settings::settings::RejectionSettings as Capacity;
use foretell_text::{DocumentId, Edit, Text};

use crate::action::Action;
use crate::event::{RejectionReports, SuggestionId};
use crate::note::Note;
use crate::outbox::Outbox;
use crate::rejection_memory::{RejectedExtent, RejectionId, RejectionMemory};
use crate::requests::{OfferFate, OvertypedOffer};
use crate::window::TextChange;

/// How many offers are followed in a document, in how many documents, and in all.
const PER_DOCUMENT: usize = 20;
const DOCUMENTS: usize = 20;
const TOTAL: usize = 400;

/// Offers that were typed over.
#[derive(Debug)]
pub(crate) struct TypedOverOffers {
    reports: RejectionReports,
    followed: RejectionMemory,
    /// How often each was typed over.
    times: BTreeMap<RejectionId, usize>,
    /// The latest rejections that were made of what was typed over.
    inferred: BTreeSet<RejectionId>,
    /// The offer that was typed over last, in case that turns out to have been the person taking it.
    last: Option<(SuggestionId, OfferRecord)>,
    /// The notes of the memory, which are read here only.
    unheard: Outbox,
}

/// Where an offer that was typed over is found.
#[derive(Clone, Copy, Debug)]
enum OfferRecord {
    /// Among what is followed.
    Followed(RejectionId),
    /// Among what is rejected.
    Rejected(RejectionId),
}

impl Default for TypedOverOffers {
    /// Nothing is inferred of an editor that did not say who it is.
    fn default() -> Self {
        let capacity = Capacity {
            per_document: PER_DOCUMENT,
            documents: DOCUMENTS,
            total: TOTAL,
            infer_after: 0,
        };
        TypedOverOffers {
            reports: RejectionReports::Explicit,
            followed: RejectionMemory::new(capacity),
            times: BTreeMap::new(),
            inferred: BTreeSet::new(),
            last: None,
            unheard: Outbox::default(),
        }
    }
}

impl TypedOverOffers {
    /// An editor has connected, and says what it will tell.
    pub(crate) fn connect(&mut self, reports: RejectionReports) {
        self.reports = reports;
    }

    /// Takes note of what typing has done to what was offered. The same may have been offered in several
    /// ways, and was typed over once.
    pub(crate) fn hear(
        &mut self,
        document: &DocumentId,
        typed: TextChange<'_>,
        overtyped: Vec<OvertypedOffer>,
        settings: &Capacity,
        rejections: &mut RejectionMemory,
        outbox: &mut Outbox,
    ) {
        if self.reports == RejectionReports::Explicit {
            return;
        }
        let mut effects = Vec::new();
        for one in overtyped {
            let effect = one.edit.effect(typed.before).ok();
            if !effects.contains(&effect) {
                effects.push(effect);
                self.hear_one(document, typed, one, settings, rejections, outbox);
            }
        }
    }

    /// Takes note of what typing has done to an offer, and remembers it as rejected if that has happened
    /// often enough.
    fn hear_one(
        &mut self,
        document: &DocumentId,
        typed: TextChange<'_>,
        overtyped: OvertypedOffer,
        settings: &Capacity,
        rejections: &mut RejectionMemory,
        outbox: &mut Outbox,
    ) {
        let OvertypedOffer {
            suggestion,
            edit,
            fate,
        } = overtyped;
        let TextChange { before, after, .. } = typed;
        let target = match fate {
            OfferFate::Reached => {
                let known = self.followed.find(document, before, &edit);
                return known.into_iter().for_each(|id| self.forget(id));
            }
            OfferFate::TypedOver(target) => target,
        };
        let Some((id, times)) = self.count(document, before, &edit) else {
            return;
        };
        self.last = Some((suggestion, OfferRecord::Followed(id)));
        outbox.note(Note::TypedOver {
            suggestion,
            document: document.clone(),
            times,
        });
        if settings.infer_after > 0 && times >= settings.infer_after {
            // Into the memory, and no further: the person has not said no.
            let (room, stood) = (settings.per_document, Some(edit));
            let lost = (target, RejectedExtent::Whole);
            let rejection = rejections.reject_lost(document, room, after, lost, stood, outbox);
            self.last = Some((suggestion, OfferRecord::Rejected(rejection)));
            self.inferred.insert(rejection);
            if self.inferred.len() > TOTAL {
                // Numbers grow, so that the first is the oldest.
                self.inferred.pop_first();
            }
            // If the person has the rejection forgotten, it is counted from the beginning, too.
            self.forget(id);
        }
    }

    /// Whether a rejection was inferred from typing, without the person saying so.
    pub(crate) fn has_inferred(&self, rejection: RejectionId) -> bool {
        self.inferred.contains(&rejection)
    }

    /// Whether a suggestion is the one that was typed over last.
    pub(crate) fn has_counted(&self, suggestion: SuggestionId) -> bool {
        self.last.is_some_and(|(last, _)| last == suggestion)
    }

    /// The person has taken a suggestion, of which this is `left` in the text of a document if that is
    /// yet to be told: it begins anew, and if it was thought to be typed over, it was not. Gives the
    /// rejection that was made of it.
    pub(crate) fn accepted(
        &mut self,
        suggestion: SuggestionId,
        left: Option<(&DocumentId, &Text, &Edit)>,
    ) -> Option<RejectionId> {
        let known =
            left.and_then(|(document, text, edit)| self.followed.find(document, text, edit));
        known.into_iter().for_each(|id| self.forget(id));
        let (_, filed) = self.last.take_if(|(last, _)| *last == suggestion)?;
        match filed {
            OfferRecord::Followed(id) => {
                self.forget(id);
                None
            }
            OfferRecord::Rejected(id) => Some(id),
        }
    }

    /// Follows a change of a document.
    pub(crate) fn follow(&mut self, document: &DocumentId, change: TextChange<'_>) {
        self.followed.follow(document, change, &mut self.unheard);
        self.tidy();
    }

    /// A document was opened with a text.
    pub(crate) fn opened(&mut self, document: &DocumentId, text: &Text) {
        self.followed.opened(document, text, &mut self.unheard);
        self.tidy();
    }

    /// A document is about to be closed.
    pub(crate) fn closed(&mut self, document: &DocumentId, text: &Text) {
        self.followed.closed(document, text, &mut self.unheard);
        self.tidy();
    }

    /// Forgets everything: the person wants to begin anew.
    pub(crate) fn clear(&mut self) {
        self.followed.clear(&mut self.unheard);
        self.inferred.clear();
        self.last = None;
        self.tidy();
    }

    /// Checks what every event keeps.
    pub(crate) fn assert_invariants<'t>(&self, text_of: impl Fn(&DocumentId) -> Option<&'t Text>) {
        self.followed.assert_invariants(text_of);
        let (awake, asleep) = self.followed.counts();
        assert_eq!(self.times.len(), awake + asleep, "each is counted");
    }

    /// Counts an edit of a text once more: under which number it is followed, and how often it was typed
    /// over by now.
    fn count(
        &mut self,
        document: &DocumentId,
        before: &Text,
        edit: &Edit,
    ) -> Option<(RejectionId, usize)> {
        let known = self.followed.find(document, before, edit);
        let id = known.or_else(|| {
            let unheard = &mut self.unheard;
            self.followed
                .reject(document, PER_DOCUMENT, before, edit, unheard);
            self.followed.find(document, before, edit)
        })?;
        self.tidy();
        let times = self.times.entry(id).or_default();
        *times += 1;
        Some((id, *times))
    }

    fn forget(&mut self, id: RejectionId) {
        self.followed.forget(id, &mut self.unheard);
        self.tidy();
    }

    /// Lets go of what the memory had no more room for.
    fn tidy(&mut self) {
        while let Some(action) = self.unheard.take() {
            match action {
                Action::Note(Note::Remembered { rejection, .. }) => {
                    self.times.insert(rejection, 0);
                }
                Action::Note(Note::Forgotten { rejection, .. }) => {
                    self.times.remove(&rejection);
                }
                _ => {}
            }
        }
    }
}
