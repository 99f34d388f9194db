//! Carrying: what was answered stays true while the person types into it, so that ghost text does not flicker.
//!
//! Every candidate of the last answer is a [`Target`]: the text as it would be after accepting it.
//! The rest of the way there is shown, at once and without any lane, for as long as the person
//! is on the way; off the way it is lost, and found again when they return to it. A suggestion at
//! the cursor ends when the person types in another line. One elsewhere in the document moves
//! with the text, until the person undoes something, takes back by hand what was changed before it
//! was answered, or goes on with the latest of that: a next edit follows from what was changed, and
//! may not follow from the text of now. For the same reason, a person who rejects one next edit of
//! an answer has rejected the others with it.
//!
//! So a person who pauses in the middle of a name, and is offered half of it everywhere else, is
//! offered all of it once they have written it: the half is let go at the next letter, and the lane
//! is asked again. A change anywhere else leaves what was offered, and so does accepting one of
//! several, which is made elsewhere too. Who goes on typing elsewhere for some dozens of keys has passed
//! it over, and what was offered leaves.

use foretell_text::{
    ByteOffset, ChangeReason, Diagnostic, DocumentId, Edit, LaneCandidate, LaneKind, Text,
};

use super::document_requests::AnsweredPlace;
use super::offer_cursor::OfferCursor;
use crate::action::{Offer, OfferedFrom};
use crate::documents::Document;
use crate::event::{RequestId, RequestKind, SuggestionId};
use crate::fix_origin::FixOrigin;
use crate::recent_changes::RecentChange;
use crate::rejection_memory::RejectedExtent;
use crate::rejection_memory::beginnings::written_beyond;
use crate::target::Target;
use crate::window::{ChangeStep, TextGrowth};

/// How many candidates of an answer are carried.
pub(super) const MOST_CARRIED: usize = 8;

/// How many keys a person types elsewhere before a next edit that stands is passed over.
const MOST_PASSED: u32 = 40;

/// How many names an answer goes by.
const MOST_NAMES: usize = 16;

/// The last answer, and what has become of it.
#[derive(Debug)]
pub(super) struct CarriedAnswer {
    /// The names it goes by, the oldest first: what a person says of it may cross a newer answer on
    /// its way.
    pub(super) names: Vec<OfferName>,
    /// Where it was answered last.
    pub(super) answered_at: Option<AnsweredPlace>,
    /// In the order of the first answer. One that is over stays, so that the others keep their
    /// places.
    pub(super) held: Vec<CarriedOffer>,
}

/// A request that was answered with it.
#[derive(Debug)]
pub(super) struct OfferName {
    pub(super) request: RequestId,
    /// Where each candidate of that answer is held.
    places: Vec<usize>,
}

/// A candidate of an answer.
#[derive(Clone, Debug)]
pub(crate) struct CarriedOffer {
    /// The kind of request it answered.
    kind: RequestKind,
    pub(crate) document: DocumentId,
    pub(super) lane: LaneKind,
    /// How many changes there were of any document when it was made.
    changes: u64,
    /// Nothing once it is over for good.
    target: Option<Target>,
    /// Whether an answer was given without it: it is not shown again.
    is_retired: bool,
    /// Whether it was the first of an answer, which editors draw, and the person has not left its way
    /// since.
    is_offered: bool,
    /// Whether it was said at once, by no lane.
    is_prediction: bool,
    /// Whether the person has typed some of it.
    is_typed_into: bool,
    /// Where the cursor goes once it is accepted, if its lane has said so.
    cursor: Option<OfferCursor>,
    /// How many keys they have typed elsewhere since.
    passed: u32,
    /// How much is rejected with it, given what was shown: it, or its beginning, may have been shown before
    /// all of it was said.
    extent: RejectedExtent,
    /// The diagnostic that it is for, if it is a fix.
    origin: Option<FixOrigin>,
}

/// The effect of typing on an offer.
#[derive(Clone, Debug)]
pub(crate) struct OvertypedOffer {
    /// Its latest name.
    pub(crate) suggestion: SuggestionId,
    /// The rest of it, for the text before.
    pub(crate) edit: Edit,
    pub(crate) fate: OfferFate,
}

/// How an offer ended by typing.
#[derive(Clone, Debug)]
pub(crate) enum OfferFate {
    /// Something else was typed at its place. This is where it leads, followed to the text after.
    TypedOver(Target),
    /// The text is what it would have made it.
    Reached,
}

impl CarriedOffer {
    /// A candidate for a text.
    pub(super) fn of(
        kind: RequestKind,
        changes: u64,
        lane: LaneKind,
        candidate: &LaneCandidate,
        text: &Text,
    ) -> Self {
        // Trimmed once, when it comes: what it leaves as it is, the person may not change.
        let trimmed = candidate.edit.trimmed(text).ok();
        let cursor = candidate.cursor.zip(trimmed.as_ref());
        let cursor = cursor.and_then(|(at, edit)| OfferCursor::of(at, edit, text));
        CarriedOffer {
            kind,
            document: candidate.document.clone(),
            lane,
            changes,
            target: trimmed.map(|edit| Target::of(edit, text)),
            is_retired: false,
            is_offered: false,
            is_prediction: false,
            is_typed_into: false,
            cursor,
            passed: 0,
            extent: RejectedExtent::Whole,
            origin: None,
        }
    }

    /// Takes note of what it is for, given its document.
    pub(super) fn find_origin(&mut self, open: &Document) {
        if self.lane == LaneKind::Fix && self.origin.is_none() {
            self.origin = self.left().and_then(|left| FixOrigin::of(left, open));
        }
    }

    /// The diagnostic that it is for, if it is a fix.
    pub(crate) fn origin(&self) -> Option<&FixOrigin> {
        self.origin.as_ref()
    }

    /// Shows a fix no longer of which the diagnostic is not reported any more. Says whether it was on
    /// offer.
    pub(super) fn expect_reported(&mut self, diagnostics: &[Diagnostic]) -> bool {
        let is_gone = self
            .origin
            .as_ref()
            .is_some_and(|origin| !origin.is_among(diagnostics));
        let was_offered = is_gone && self.is_offered && self.left().is_some();
        self.is_retired |= is_gone;
        was_offered
    }

    /// Whether it was said at once, by no lane.
    pub(super) fn is_prediction(&self) -> bool {
        self.is_prediction
    }

    /// Whether the person has typed some of it.
    pub(super) fn is_typed_into(&self) -> bool {
        self.is_typed_into
    }

    /// How much is rejected with it. What was said at once ends where it gets uncertain, so that there is
    /// always more to say; and what a model has said so far may be all that it ever says.
    pub(crate) fn extent(&self) -> RejectedExtent {
        if self.is_prediction {
            RejectedExtent::Beginning
        } else {
            self.extent
        }
    }

    /// Whether a rejected edit of its text is about it: it does the same; or is what was shown of it first,
    /// which an editor shows until it has asked for the rest.
    pub(super) fn is_meant_by(&self, rejected: &Edit, text: &Text) -> bool {
        let Some((left, effect)) = self.left().zip(rejected.effect(text).ok()) else {
            return false;
        };
        let is_same = left.effect(text).as_ref() == Ok(&effect);
        let was_begun = self.extent == RejectedExtent::Beginning;
        is_same || was_begun && written_beyond(rejected, left, text).is_some()
    }

    /// Where the rest of it is drawn at the cursor, if it is.
    pub(super) fn place(&self) -> Option<ByteOffset> {
        let left = self.left().filter(|_| self.kind == RequestKind::Inline);
        Some(left?.span()?.start())
    }

    /// Whether the rest of another one begins with the same character at the same place.
    pub(super) fn begins_like(&self, other: &CarriedOffer) -> bool {
        let beginning = |offer: &CarriedOffer| match offer.left().map(Edit::replacements) {
            Some([part]) => Some((part.range().start(), part.new_text().chars().next()?)),
            _ => None,
        };
        let ours = beginning(self);
        ours.is_some() && ours == beginning(other)
    }

    /// Whether the rest of another one is the beginning of the rest of it, or all of that.
    pub(super) fn begins_with(&self, other: &CarriedOffer) -> bool {
        let rests = self.left().zip(other.left());
        rests.is_some_and(
            |(ours, theirs)| match (ours.replacements(), theirs.replacements()) {
                ([ours], [theirs]) => {
                    ours.range() == theirs.range() && ours.new_text().starts_with(theirs.new_text())
                }
                _ => false,
            },
        )
    }

    /// Returns the rest of it, trimmed, unless the person has left its way.
    pub(crate) fn left(&self) -> Option<&Edit> {
        let target = self.target.as_ref().filter(|_| !self.is_retired);
        target.and_then(|target| match self.kind {
            RequestKind::Inline => target.left_here(),
            RequestKind::Edit => target.left_anywhere(),
        })
    }

    /// Returns the rest to show to a cursor in its document: nothing while that stands behind the
    /// end of it, written too early.
    pub(super) fn left_at(&self, cursor: ByteOffset, text: &Text) -> Option<&Edit> {
        let (target, left) = (self.target.as_ref()?, self.left()?);
        (!target.is_gap_before(cursor, left, text)).then_some(left)
    }

    /// Where it leads, unless it is over for good.
    pub(crate) fn target(&self) -> Option<&Target> {
        self.target.as_ref()
    }

    /// Shows it no longer; it can still be rejected.
    pub(super) fn retire(&mut self) {
        self.is_retired = true;
    }

    /// Shows it no longer if it may have followed from what a change takes back or goes on with.
    pub(super) fn doubt(&mut self, change: &RecentChange) {
        // A suggestion at the cursor follows from the text there, and a fix from a diagnostic.
        let follows_from_changes =
            self.kind == RequestKind::Edit && self.lane == LaneKind::NextEdit;
        self.is_retired |= follows_from_changes && change.unsettles(self.changes);
    }

    /// Where the cursor goes once the rest of it is accepted, given that rest and the text that it is for.
    pub(super) fn cursor(&self, left: &Edit, text: &Text) -> Option<ByteOffset> {
        self.cursor?.place(left, text)
    }

    /// Shows it no longer if the person has passed it over: they have typed that much elsewhere. What they
    /// typed may lead elsewhere, too, so that the lane is asked again.
    fn pass_over(&mut self, change: &RecentChange) {
        let is_next = self.kind == RequestKind::Edit && self.lane == LaneKind::NextEdit;
        if is_next && change.reason == ChangeReason::Typed && !change.edit.is_nothing() {
            self.passed = self.passed.saturating_add(1);
            self.is_retired |= self.passed > MOST_PASSED;
        }
    }

    /// Follows a change of its document; `steps` is the change in steps, once they are needed.
    pub(super) fn follow(&mut self, change: &RecentChange, steps: &mut Option<Vec<ChangeStep>>) {
        if let Some(origin) = &mut self.origin {
            // Its own effect is on the way to it, and ends it as any other.
            let is_there = origin.follow(&change.edit);
            let made = change.edit.trimmed(&change.before).ok();
            let is_made = self.left().is_some_and(|left| made.as_ref() == Some(left));
            self.is_retired |= !is_there && !is_made;
        }
        if change.reason == ChangeReason::Other && self.kind == RequestKind::Edit {
            // The file was reverted, or something else has gone over it.
            self.retire();
        }
        let cursor = self.cursor;
        let stood = cursor.and_then(|_| self.left().cloned());
        self.follow_target(change, steps);
        self.cursor = cursor.and_then(|it| it.moved(change, stood.as_ref(), self.left()));
    }

    fn follow_target(&mut self, change: &RecentChange, steps: &mut Option<Vec<ChangeStep>>) {
        let (Some(target), Some(span)) = (&mut self.target, change.edit.span()) else {
            return;
        };
        let is_drawn_here = self.kind == RequestKind::Inline;
        if is_drawn_here && change.reason == ChangeReason::Typed && !target.is_near(span) {
            // The person types somewhere else, and what was drawn at the cursor is over, unless that
            // is in the same line.
            let steps = steps.get_or_insert_with(|| change.steps());
            if !target.follow_beside(&change.before, &change.edit, steps, &change.after) {
                self.end();
            }
            self.doubt(change);
            return;
        }
        if target.passes(span, TextGrowth::of(&change.edit)) {
            self.doubt(change);
            self.pass_over(change);
            return;
        }
        // Where it is touched, what is undone or gone on with may be the way to it.
        let is_touched = target.is_touched_by(&change.edit);
        let steps = steps.get_or_insert_with(|| change.steps());
        target.follow(&change.before, &change.edit, steps, &change.after);
        if !is_touched {
            self.doubt(change);
        }
        self.is_typed_into |= is_touched && change.writes() && self.left().is_some();
    }

    /// The same, and says how it ended if it was on offer and the change has ended that. Deleting at its
    /// place says nothing of it, and neither does typing somewhere else.
    fn follow_offer(
        &mut self,
        change: &RecentChange,
        steps: &mut Option<Vec<ChangeStep>>,
    ) -> Option<(Edit, OfferFate)> {
        let stood = self.left().filter(|_| self.is_offered).cloned();
        let span = change.edit.span();
        let is_at_its_place = self
            .target
            .as_ref()
            .zip(span)
            .is_some_and(|(it, span)| it.is_near(span));
        self.follow(change, steps);
        let stood = stood?;
        let fate = match (self.left(), &self.target) {
            (Some(left), _) if left.is_nothing() => Some(OfferFate::Reached),
            (Some(_), _) => return None,
            (None, _) if change.begins_with(&stood) => Some(OfferFate::Reached),
            (None, Some(target)) if is_at_its_place && change.writes() && !self.is_retired => {
                Some(OfferFate::TypedOver(target.clone()))
            }
            (None, _) => None,
        };
        self.is_offered = false;
        Some((stood, fate?))
    }

    /// Takes a later answer of the same lane in its place, if that goes on where this ends. Returns whether
    /// it does.
    pub(super) fn go_on_with(&mut self, later: CarriedOffer) -> bool {
        let single = |offer: &CarriedOffer| match offer.left().map(Edit::replacements) {
            Some([part]) => Some((part.range().start(), part.new_text().to_owned())),
            _ => None,
        };
        let (Some((start, text)), Some((later_start, more))) = (single(self), single(&later))
        else {
            return false;
        };
        let goes_on = self.lane == later.lane
            && start == later_start
            && more.len() > text.len()
            && more.starts_with(&text);
        if goes_on {
            *self = CarriedOffer {
                is_offered: self.is_offered,
                extent: self.extent(),
                ..later
            };
        }
        goes_on
    }

    /// Whether it was ended.
    pub(super) fn is_over(&self) -> bool {
        self.target.is_none()
    }

    /// Ends it for good.
    pub(super) fn end(&mut self) {
        self.target = None;
    }
}

impl CarriedAnswer {
    /// Carries an answer, given the texts that its candidates change.
    pub(super) fn of<'t>(
        request: RequestId,
        kind: RequestKind,
        changes: u64,
        offers: &[Offer],
        text_of: impl Fn(&DocumentId) -> Option<&'t Text>,
    ) -> Self {
        let held = offers.iter().take(MOST_CARRIED).filter_map(|offer| {
            let (lane, candidate) = (offer.lane, &offer.candidate);
            let text = text_of(&candidate.document)?;
            Some(CarriedOffer {
                is_prediction: offer.from == OfferedFrom::AtOnce,
                ..CarriedOffer::of(kind, changes, lane, candidate, text)
            })
        });
        let mut carried = CarriedAnswer::late(request, held.collect());
        carried.offer(0);
        carried
    }

    /// Carries an answer that came late and was brought up to date.
    pub(super) fn late(request: RequestId, held: Vec<CarriedOffer>) -> Self {
        let places = (0..held.len()).collect();
        CarriedAnswer {
            names: vec![OfferName { request, places }],
            answered_at: None,
            held,
        }
    }

    /// Takes note that a lane had not said all of its suggestions when they were answered.
    pub(super) fn goes_on(&mut self, lane: LaneKind) {
        let held = self.held.iter_mut().filter(|held| held.lane == lane);
        held.for_each(|held| held.extent = RejectedExtent::Beginning);
    }

    /// Keeps in mind what of it was a beginning in an older answer, however it was found this time.
    pub(super) fn remember_extents(&mut self, older: &CarriedAnswer) {
        let said = older.held.iter();
        let said = said.filter(|it| it.extent() == RejectedExtent::Beginning);
        for said in said {
            let ours = self.held.iter_mut();
            let same = ours.filter(|it| it.document == said.document && it.left() == said.left());
            same.for_each(|held| held.extent = RejectedExtent::Beginning);
        }
    }

    /// Takes over the names of an older answer, if this one says the same. Gives those that are
    /// forgotten for it.
    pub(super) fn succeed(&mut self, older: CarriedAnswer) -> Vec<RequestId> {
        let ours = self.held.iter().map(|held| (&held.document, held.left()));
        let theirs = older.held.iter().map(|held| (&held.document, held.left()));
        let is_same = ours.eq(theirs);
        let mut names = older.names;
        names.append(&mut self.names);
        let kept = if is_same {
            names.len().min(MOST_NAMES)
        } else {
            1
        };
        self.names = names.split_off(names.len() - kept);
        names.into_iter().map(|name| name.request).collect()
    }

    /// Gives it a newer name, under which only those at some places are offered. Those that are off
    /// the way now have had their time. Gives the names that are forgotten for it.
    pub(super) fn rename(&mut self, request: RequestId, places: Vec<usize>) -> Vec<RequestId> {
        for (place, held) in self.held.iter_mut().enumerate() {
            if !places.contains(&place) {
                held.retire();
            }
        }
        if let Some(first) = places.first() {
            self.offer(*first);
        }
        self.names.push(OfferName { request, places });
        let over = self.names.len().saturating_sub(MOST_NAMES);
        let forgotten = self.names.drain(..over);
        forgotten.map(|name| name.request).collect()
    }

    /// Where a suggestion is held, if this was answered by its name.
    pub(super) fn place_of(&self, suggestion: SuggestionId) -> Option<usize> {
        let mut names = self.names.iter().rev();
        let name = names.find(|name| name.request == suggestion.request)?;
        name.places.get(suggestion.candidate).copied()
    }

    /// Shows the others no longer once one of them was rejected, unless they are drawn at the cursor:
    /// those are several ways to go on, and who types on may want another. Gives the lanes whose
    /// answer was turned down.
    pub(super) fn refuse(&mut self) -> Vec<LaneKind> {
        let next = self.held.iter_mut();
        let next = next.filter(|held| held.kind == RequestKind::Edit);
        let refused = next.map(|held| {
            held.retire();
            held.lane
        });
        refused.collect()
    }

    /// Returns a suggestion's name in the latest answer that it was in.
    pub(super) fn latest_name(&self, place: usize) -> Option<SuggestionId> {
        self.names.iter().rev().find_map(|name| {
            let candidate = name.places.iter().position(|it| *it == place)?;
            let request = name.request;
            Some(SuggestionId { request, candidate })
        })
    }

    /// Follows a change of a document, and says what it has done to what was offered.
    pub(super) fn follow(
        &mut self,
        document: &DocumentId,
        change: &RecentChange,
    ) -> Option<OvertypedOffer> {
        let mut steps = None;
        let mut overtyped = None;
        for (place, held) in self.held.iter_mut().enumerate() {
            if held.document != *document {
                held.pass_over(change);
                continue;
            }
            // Of each answer one was offered.
            overtyped = overtyped.or(held.follow_offer(change, &mut steps).zip(Some(place)));
        }
        let ((edit, fate), place) = overtyped?;
        Some(OvertypedOffer {
            suggestion: self.latest_name(place)?,
            edit,
            fate,
        })
    }

    /// The one that is drawn, unless the person has left its way.
    pub(super) fn drawn(&self) -> Option<&CarriedOffer> {
        self.held.iter().find(|held| held.is_offered)
    }

    /// Takes note that one is drawn.
    fn offer(&mut self, place: usize) {
        if let Some(held) = self.held.get_mut(place) {
            held.is_offered = true;
        }
    }

    /// Checks what every event keeps.
    pub(super) fn assert_invariants<'t>(&self, text_of: impl Fn(&DocumentId) -> Option<&'t Text>) {
        assert!(self.held.len() <= MOST_CARRIED);
        assert!(self.names.len() <= MOST_NAMES);
        for held in &self.held {
            if let Some((target, text)) = held.target.as_ref().zip(text_of(&held.document)) {
                target.assert_invariants(text, "what is carried");
            }
        }
    }
}
