//! The ends of calls: a lane has answered, or broke.
//!
//! An answer goes to those who race on it first, then to a request that waits for a pause, and then it is
//! carried for the next. Nothing of an answer is shown that followed from what is gone, or whose beginning the
//! person has rejected.

use foretell_text::{DocumentId, FailureKind, LaneCandidate, LaneFailure, LaneKind, TokenUsage};

use super::carried_offers::LateAnswer;
use super::document_requests::{CallState, LaneCandidates, PendingRequest, Race, RequestStage};
use super::eligible::{EligibleLanes, LaneQuestion};
use super::late_calls::MovedAnswer;
use super::{RequestContext, Requests};
use crate::action::Order;
use crate::event::{RequestId, RequestKind};
use crate::moment::Moment;
use crate::reason::Reason;

impl Requests {
    /// A lane has come back. Gives what was rejected when only its beginning had been said.
    pub(crate) fn lane_answered(
        &mut self,
        request: RequestId,
        lane: LaneKind,
        found: LaneCandidates,
        usage: TokenUsage,
        around: &mut RequestContext<'_>,
    ) -> Option<LaneCandidate> {
        // It is paid for, also if the order to stop was on its way.
        around.lane_health.used(around.now, lane, usage);
        let Some(document) = self.running.remove(&(request, lane)) else {
            around.outbox.ignore(None, Reason::UnknownId);
            return None;
        };
        let of_document = self.by_document.entry(document.clone()).or_default();
        let is_raced = of_document.is_raced(lane);
        let places = self.second_looks.take_places(request, lane, around);
        let mut is_overtaken = false;
        if let Some(call) = of_document.call_mut(lane) {
            around.lane_health.answered(lane, call.started);
            self.ahead.trust(lane);
            if call.is_patient && call.so_far.is_empty() {
                let millis = around.now.since(call.started);
                around.lane_health.spoke(lane, millis);
            }
            let has_found = call.second_look.is_some() && !found.candidates.is_empty();
            around.outbox.counts.second_looks_found += u64::from(has_found);
            call.state = CallState::Answered(found);
            is_overtaken = call.is_overtaken;
        }
        if is_overtaken {
            // It followed from what is gone, and the next request has it asked again.
            self.drop_call(&document, lane, around);
            self.end_runners(&document, lane, Some(Reason::Overtaken), around);
            if !is_raced {
                around.outbox.ignore(Some(&document), Reason::Overtaken);
            }
            self.rearm(&document);
            return None;
        }
        self.keep_answer(&document, lane, around);
        if self.catch_up(&document, lane, around) == MovedAnswer::Useless {
            self.drop_call(&document, lane, around);
            self.start_over(&document, lane, around);
            if !is_raced {
                around.outbox.ignore(Some(&document), Reason::Overtaken);
            }
            self.rearm(&document);
            return None;
        }
        let refused = self.refused_answer(&document, lane, around);
        if self.look_elsewhere(&document, lane, &places, around) {
            self.rearm(&document);
            return None;
        }
        self.end_runners(&document, lane, None, around);
        if refused.is_some() {
            self.rearm(&document);
            return refused;
        }
        for kind in [RequestKind::Inline, RequestKind::Edit] {
            self.serve_waiting(&document, kind, around);
        }
        let carried = self.carry_late(&document, lane, is_raced, around);
        // Requests that raced on it have been answered.
        match carried {
            Err(reason) if !is_raced => around.outbox.ignore(Some(&document), reason),
            Ok(LateAnswer::Waits) if !is_raced => self.offer_late(&document, lane, around),
            _ => {}
        }
        self.rearm(&document);
        None
    }

    /// A lane broke.
    pub(crate) fn lane_failed(
        &mut self,
        request: RequestId,
        lane: LaneKind,
        failure: LaneFailure,
        usage: TokenUsage,
        around: &mut RequestContext<'_>,
    ) {
        around.lane_health.used(around.now, lane, usage);
        let Some(document) = self.running.remove(&(request, lane)) else {
            return around.outbox.ignore(None, Reason::UnknownId);
        };
        let call = self.call_of(&document, lane);
        let started = call.map_or(around.now, |call| call.started);
        let place = call.map(|call| call.place.clone());
        note_failure(lane, started, failure, around);
        let is_loading = failure.kind == FailureKind::Loading && lane == LaneKind::Fim;
        if let Some(place) = place.filter(|_| is_loading) {
            self.wait_for_model(&document, place, around);
        }
        self.drop_call(&document, lane, around);
        self.end_runners(&document, lane, Some(Reason::LaneFailed), around);
        self.rearm(&document);
    }

    /// Answers a request that waits, if what is known by now answers it.
    fn serve_waiting(
        &mut self,
        document: &DocumentId,
        kind: RequestKind,
        around: &mut RequestContext<'_>,
    ) {
        let Some(open) = around.documents.get(document) else {
            return;
        };
        let of_document = self.by_document.entry(document.clone()).or_default();
        let Some(PendingRequest {
            stage: RequestStage::Waiting { until },
            cause,
            place,
            ..
        }) = of_document.pending(kind)
        else {
            return;
        };
        let (until, cause, place) = (*until, *cause, place.clone());
        if place.text != open.text {
            return;
        }
        let question = LaneQuestion {
            cause,
            kind,
            place: &place,
            open,
        };
        let lanes = EligibleLanes::of(document, question, None, of_document, around);
        let race = Race::begin(lanes.runners(of_document, around.now), around.now, until);
        if let Some(pending) = of_document.pending_mut(kind) {
            pending.stage = RequestStage::Racing(race);
        }
        if self.is_settled(document, kind, around) {
            return self.conclude(document, kind, Reason::NothingFound, around);
        }
        let of_document = self.by_document.entry(document.clone()).or_default();
        if let Some(pending) = of_document.pending_mut(kind) {
            pending.stage = RequestStage::Waiting { until };
        }
    }
}

/// Takes note that a lane has failed in a call that was made then.
pub(super) fn note_failure(
    lane: LaneKind,
    started: Moment,
    failure: LaneFailure,
    around: &mut RequestContext<'_>,
) {
    let rest = around
        .lane_health
        .failed(around.now, lane, started, failure);
    if let Some(millis) = rest {
        around.outbox.put(Order::Rest { lane, millis });
    }
}
