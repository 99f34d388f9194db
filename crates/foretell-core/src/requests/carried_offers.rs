//! Answering with what the person is on the way to, and bringing late answers up to date.

use foretell_text::{DocumentId, LaneCandidate, LaneKind};

use super::carried::{CarriedAnswer, CarriedOffer, MOST_CARRIED};
use super::document_requests::{AnsweredPlace, LaneCall, PendingRequest};
use super::race::may_be_shown;
use super::{RequestContext, Requests};
use crate::action::{Answer, Offer, OfferedFrom, Order};
use crate::documents::Document;
use crate::event::{RequestId, RequestKind};
use crate::filters::{self, CursorPosition};
use crate::reason::Reason;

/// What became of an answer that came late.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LateAnswer {
    /// There is nothing to do about it: a request got it, or it says nothing new.
    Settled,
    /// It waits for the next request.
    Waits,
}

impl Requests {
    /// Returns the rest of the last answer that may be shown to the request of a kind, each with its place
    /// among what is carried.
    pub(super) fn carried_offers(
        &self,
        document: &DocumentId,
        kind: RequestKind,
        around: &RequestContext<'_>,
    ) -> Option<Vec<(usize, Offer)>> {
        let open = around.documents.get(document)?;
        if !around.settings_of(open).carry.enabled {
            return None;
        }
        let of_document = self.by_document.get(document)?;
        let (pending, carried) = (of_document.pending(kind)?, of_document.carried(kind)?);
        if pending.place.text != open.text {
            // The text has moved on, and there was no newer request: its place is no place of this text.
            return None;
        }
        let offers = still_good(&carried.held, document, pending, around);
        (!offers.is_empty()).then_some(offers)
    }

    /// Answers a request at once with what is carried.
    pub(super) fn answer_carried(
        &mut self,
        document: &DocumentId,
        kind: RequestKind,
        offers: Vec<(usize, Offer)>,
        around: &mut RequestContext<'_>,
    ) {
        let (places, offers): (Vec<_>, Vec<_>) = offers.into_iter().unzip();
        let Some(pending) = self.take(document, kind) else {
            return;
        };
        let request = pending.request;
        around.outbox.counts.carried += 1;
        // A carried answer goes on as it is, under the name of the newer request.
        let of_document = self.by_document.entry(document.clone()).or_default();
        if let Some(carried) = of_document.carried_mut(kind) {
            let forgotten = carried.rename(request, places);
            carried.answered_at = Some(pending.place);
            for name in forgotten {
                self.forget_given(name, document);
            }
            self.given.insert(request, document.clone());
        }
        around.outbox.put(Order::Answer {
            request,
            answer: Answer::Candidates(offers),
            lanes: Vec::new(),
        });
    }

    /// Takes note of what is answered, to carry it.
    pub(super) fn give(
        &mut self,
        document: &DocumentId,
        kind: RequestKind,
        request: RequestId,
        offers: &[Offer],
        around: &RequestContext<'_>,
    ) {
        let text_of = |of: &DocumentId| around.documents.text(of);
        let changes = around.documents.changes();
        let carried = CarriedAnswer::of(request, kind, changes, offers, text_of);
        self.hold(document, kind, carried, around);
    }

    /// Brings the answer of a lane up to date if no request raced on it any more, or the text has moved on
    /// since it was asked. The rest of it may serve the request that waits now, or the next; if it is
    /// dropped, that is said.
    pub(super) fn carry_late(
        &mut self,
        document: &DocumentId,
        lane: LaneKind,
        is_raced: bool,
        around: &mut RequestContext<'_>,
    ) -> Result<LateAnswer, Reason> {
        let of_document = self.by_document.entry(document.clone()).or_default();
        let open = around.documents.get(document);
        let Some((call, open)) = of_document.call(lane).zip(open) else {
            return Ok(LateAnswer::Settled);
        };
        let (request, kind) = (call.request, call.kind);
        let candidates = call.candidates().unwrap_or_default();
        let is_same = call.place.text == open.text;
        // An answer at a place of this very text is known to the next request there.
        let dropped = if is_same || candidates.is_empty() {
            Ok(LateAnswer::Settled)
        } else {
            Err(Reason::Overtaken)
        };
        if is_same && is_raced {
            return Ok(LateAnswer::Settled);
        }
        let late = up_to_date(candidates, call, document, lane, open);
        let settings = around.settings_of(open);
        if late.is_empty() {
            return dropped;
        }
        if !settings.carry.enabled {
            // The next request at this text is answered with the call itself.
            return if is_same {
                Ok(LateAnswer::Waits)
            } else {
                dropped
            };
        }
        // A suggestion on the screen is not taken away for a late one.
        let place = of_document.pending(kind).map(|pending| &pending.place);
        let place = place.filter(|place| place.text == open.text);
        let is_left = |held: &CarriedOffer| {
            let left = match place {
                Some(place) if held.document == *document => held.left_at(place.at, &place.text),
                Some(_) | None => held.left(),
            };
            left.is_some_and(|left| !left.is_nothing())
        };
        let carried = of_document.carried(kind);
        let shown = carried.and_then(|carried| carried.held.iter().position(is_left));
        if let Some(place_shown) = shown {
            // But one that goes on where it ends takes its place.
            let carried = of_document.carried_mut(kind).as_mut();
            let shown = carried.and_then(|carried| carried.held.get_mut(place_shown));
            let goes_on = shown.zip(late.first());
            if goes_on.is_some_and(|(shown, late)| shown.go_on_with(late.clone())) {
                return Ok(LateAnswer::Waits);
            }
            if self.shows_more_than(document, place_shown, late.first()) {
                return Ok(LateAnswer::Settled);
            }
            if !self.may_replace(document, place_shown, late.first(), around) {
                return dropped;
            }
        }
        self.hold(document, kind, CarriedAnswer::late(request, late), around);
        if let Some(offers) = self.carried_offers(document, kind, around) {
            let is_racing = self.by_document.get(document).is_some_and(|of_document| {
                let pending = of_document.pending(kind);
                pending.is_some_and(|pending| pending.has_started)
            });
            // A request whose lanes run gets their answer; one that waits is served.
            if !is_racing {
                self.answer_carried(document, kind, offers, around);
                return Ok(LateAnswer::Settled);
            }
        }
        Ok(LateAnswer::Waits)
    }

    /// Whether what was said at once and is shown is what a late answer says, or begins with that.
    fn shows_more_than(
        &self,
        document: &DocumentId,
        shown: usize,
        late: Option<&CarriedOffer>,
    ) -> bool {
        let of_document = self.by_document.get(document);
        let carried = of_document.and_then(|it| it.carried(RequestKind::Inline));
        let shown = carried.and_then(|carried| carried.held.get(shown));
        let shown = shown.filter(|shown| shown.is_prediction());
        shown
            .zip(late)
            .is_some_and(|(shown, late)| shown.begins_with(late))
    }

    /// Keeps what is carried, in the place of what was.
    fn hold(
        &mut self,
        document: &DocumentId,
        kind: RequestKind,
        carried: CarriedAnswer,
        around: &RequestContext<'_>,
    ) {
        let of_document = self.by_document.entry(document.clone()).or_default();
        let slot = of_document.carried_mut(kind);
        let mut carried = carried;
        for held in &mut carried.held {
            if let Some(open) = around.documents.get(&held.document) {
                held.find_origin(open);
            }
        }
        if let Some(older) = slot.as_ref() {
            carried.remember_extents(older);
        }
        let forgotten = slot.take().map(|older| carried.succeed(older));
        let request = carried.names.last().map(|name| name.request);
        *slot = Some(carried);
        let others: Vec<_> = of_document.others_than(document).cloned().collect();
        for name in forgotten.into_iter().flatten() {
            self.forget_given(name, document);
        }
        if let Some(request) = request {
            self.given.insert(request, document.clone());
        }
        self.forget_abroad(document);
        for about in others {
            let asked_in = self.abroad.entry(about).or_default();
            asked_in.insert(document.clone());
        }
    }
}

/// What is left of the candidates of a call for the text as it is now.
pub(super) fn up_to_date(
    candidates: &[LaneCandidate],
    call: &LaneCall,
    document: &DocumentId,
    lane: LaneKind,
    open: &Document,
) -> Vec<CarriedOffer> {
    let changes: Vec<_> = if call.place.text == open.text {
        Vec::new()
    } else {
        match open.changes.since(call.changes) {
            Some(changes) => changes.collect(),
            // More changes were made since than are kept.
            None => return Vec::new(),
        }
    };
    // Suggestions for other documents are for texts that were not kept.
    let here = candidates.iter().take(MOST_CARRIED);
    let here = here.filter(|candidate| candidate.document == *document);
    let late = here.map(|candidate| {
        let (seen, text) = (call.all_changes, &call.place.text);
        let mut held = CarriedOffer::of(call.kind, seen, lane, candidate, text);
        for change in &changes {
            held.follow(change, &mut None);
        }
        held
    });
    late.filter(|held| held.left().is_some()).collect()
}

/// Returns the rests of candidates that may be shown to a request.
fn still_good(
    held: &[CarriedOffer],
    document: &DocumentId,
    pending: &PendingRequest,
    around: &RequestContext<'_>,
) -> Vec<(usize, Offer)> {
    let cursor = CursorPosition::of(pending.place.at, &pending.place.text);
    let offers = held.iter().enumerate().filter_map(|(place, held)| {
        let AnsweredPlace { at, text } = &pending.place;
        let (left, here) = if held.document == *document {
            let left = held.left_at(*at, text)?;
            (left, filters::written_at(*at, left, text))
        } else {
            (held.left()?, None)
        };
        let left_in = around.documents.text(&held.document)?;
        let candidate = LaneCandidate {
            cursor: held.cursor(left, left_in),
            ..LaneCandidate::new(held.document.clone(), here.unwrap_or_else(|| left.clone()))
        };
        let version = may_be_shown(&candidate, document, pending.kind, cursor, around).ok()?;
        let offer = Offer {
            candidate,
            version,
            lane: held.lane,
            from: OfferedFrom::Carried,
        };
        Some((place, offer))
    });
    offers.collect()
}
