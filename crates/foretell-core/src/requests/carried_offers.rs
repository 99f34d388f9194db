//! Answering with what the person is on the way to, and bringing late answers up to date.

use foretell_text::{Candidate, DocumentId, LaneKind};

use super::carried::{Carried, CarriedOffer, MOST_CARRIED};
use super::document_requests::{AnsweredPlace, PendingRequest};
use super::race::may_be_shown;
use super::{RequestContext, Requests};
use crate::action::{Answer, Offer, OfferedFrom, Order};
use crate::event::{RequestId, RequestKind};
use crate::filters::{self, Cursor};
use crate::reason::Reason;

impl Requests {
    /// What is left of the last answer and may be shown to the request of a kind, each with its place
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
            // The text has moved on and nobody asked again: where they asked is no place of it.
            return None;
        }
        let offers = still_good(&carried.held, (document, pending), around);
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
        // What is carried goes on as it is, under the name of the newer request.
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
        let made = (kind, around.documents.changes());
        self.hold(document, kind, Carried::of(request, made, offers, text_of));
    }

    /// Brings the answer of a lane up to date if nobody raced on it any more, or the text has moved on
    /// since it was asked. What is left of it may serve whoever waits now, or asks next; if it is
    /// dropped, that is said.
    pub(super) fn carry_late(
        &mut self,
        document: &DocumentId,
        (lane, is_raced): (LaneKind, bool),
        around: &mut RequestContext<'_>,
    ) -> Result<(), Reason> {
        let of_document = self.by_document.entry(document.clone()).or_default();
        let open = around.documents.get(document);
        let Some((call, open)) = of_document.call(lane).zip(open) else {
            return Ok(());
        };
        let (request, kind) = (call.request, call.kind);
        let candidates = call.candidates().unwrap_or_default();
        let is_same = call.place.text == open.text;
        // What was said at a place of this very text is known to whoever asks there.
        let dropped = if is_same || candidates.is_empty() {
            Ok(())
        } else {
            Err(Reason::Overtaken)
        };
        if is_same && is_raced {
            return Ok(());
        }
        let changes: Vec<_> = match (is_same, open.changes.since(call.changes)) {
            (true, _) => Vec::new(),
            (false, Some(changes)) => changes.collect(),
            // More has happened since than anybody kept.
            (false, None) => return dropped,
        };
        let late = candidates
            .iter()
            .take(MOST_CARRIED)
            .filter_map(|candidate| {
                // What it says of other documents is for texts that nobody kept.
                let is_here = candidate.document == *document;
                let (of, text) = (candidate.document.clone(), &call.place.text);
                let made = (kind, call.all_changes);
                let mut held = CarriedOffer::of(made, (of, lane), &candidate.edit, text);
                for change in &changes {
                    held.follow(change, &mut None);
                }
                (is_here && held.left().is_some()).then_some(held)
            });
        let late: Vec<CarriedOffer> = late.collect();
        let settings = around.settings_of(open);
        if late.is_empty() || !settings.carry.enabled {
            return dropped;
        }
        // What a person sees is not taken away for what came late.
        let place = of_document.pending(kind).map(|pending| &pending.place);
        let place = place.filter(|place| place.text == open.text);
        let is_shown = of_document.carried(kind).is_some_and(|carried| {
            let mut left = carried.held.iter().filter_map(|held| match place {
                Some(place) if held.document == *document => held.left_at(place.at, &place.text),
                Some(_) | None => held.left(),
            });
            left.any(|left| !left.is_nothing())
        });
        if is_shown {
            return dropped;
        }
        self.hold(document, kind, Carried::late(request, late));
        if let Some(offers) = self.carried_offers(document, kind, around) {
            let is_racing = self.by_document.get(document).is_some_and(|of_document| {
                let pending = of_document.pending(kind);
                pending.is_some_and(|pending| pending.has_started)
            });
            // Whose lanes run gets their answer; whoever waits is served.
            if !is_racing {
                self.answer_carried(document, kind, offers, around);
            }
        }
        Ok(())
    }

    /// Keeps what is carried, in the place of what was.
    fn hold(&mut self, document: &DocumentId, kind: RequestKind, carried: Carried) {
        let of_document = self.by_document.entry(document.clone()).or_default();
        let slot = of_document.carried_mut(kind);
        let mut carried = carried;
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

/// What is left of candidates and may be shown to a request.
fn still_good(
    held: &[CarriedOffer],
    (document, pending): (&DocumentId, &PendingRequest),
    around: &RequestContext<'_>,
) -> Vec<(usize, Offer)> {
    let cursor = Cursor::of(pending.place.at, &pending.place.text);
    let offers = held.iter().enumerate().filter_map(|(place, held)| {
        let AnsweredPlace { at, text } = &pending.place;
        let (left, here) = if held.document == *document {
            let left = held.left_at(*at, text)?;
            (left, filters::written_at(*at, left, text))
        } else {
            (held.left()?, None)
        };
        let candidate = Candidate {
            document: held.document.clone(),
            edit: here.unwrap_or_else(|| left.clone()),
        };
        let version = may_be_shown(&candidate, (document, pending, cursor), around).ok()?;
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
