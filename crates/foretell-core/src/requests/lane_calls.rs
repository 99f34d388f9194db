//! Calls: lanes that are started, stopped and forgotten.
//!
//! Every call is made and ended here, so that the requests of its document, the index of what runs, the refresh
//! gate and the care of lanes never disagree about it. Whether a call is needed is decided elsewhere.

use foretell_text::{DocumentId, LaneKind};

use super::document_requests::{AnsweredPlace, CallState, LaneCall};
use super::late_calls::patience;
use super::{RequestContext, Requests, spot};
use crate::action::Order;
use crate::documents::Document;
use crate::event::{RequestCause, RequestId, RequestKind};
use crate::reason::Reason;

/// The request that makes a call.
#[derive(Clone, Copy)]
pub(super) struct LaneCaller<'a> {
    pub(super) request: RequestId,
    pub(super) kind: RequestKind,
    pub(super) cause: RequestCause,
    pub(super) place: &'a AnsweredPlace,
    /// How long the request waits for it, in milliseconds.
    pub(super) cap: u64,
}

impl Requests {
    /// Stops a call so that a request can make its own.
    pub(super) fn make_way(
        &mut self,
        document: &DocumentId,
        lane: LaneKind,
        kind: RequestKind,
        around: &mut RequestContext<'_>,
    ) {
        self.stop_call(document, lane, Reason::Superseded, around);
        let other = match kind {
            RequestKind::Inline => RequestKind::Edit,
            RequestKind::Edit => RequestKind::Inline,
        };
        self.end_runner(document, lane, other, Some(Reason::Superseded), around);
    }

    pub(super) fn is_about_another_text(
        &self,
        document: &DocumentId,
        lane: LaneKind,
        here: &AnsweredPlace,
        open: &Document,
    ) -> bool {
        let call = self.call_of(document, lane);
        let is_off_the_way =
            |call: &LaneCall| call.place.text != here.text && !call.leads_to(here, open);
        call.is_some_and(|call| call.deadline().is_some() && is_off_the_way(call))
    }

    /// Makes a call.
    pub(super) fn call(
        &mut self,
        document: &DocumentId,
        lane: LaneKind,
        caller: LaneCaller<'_>,
        around: &mut RequestContext<'_>,
    ) {
        let LaneCaller {
            request,
            kind,
            cause,
            place,
            cap,
        } = caller;
        let Some(open) = around.documents.get(document) else {
            return;
        };
        let settings = around.settings_of(open).lanes.of(lane);
        let is_patient = settings.tells_others();
        if is_patient {
            self.free_server(document, settings, around);
        }
        let state = CallState::Running {
            deadline: around.now.after(patience(settings, cap)),
        };
        let call = LaneCall {
            request,
            kind,
            cause,
            changes: open.changes.made(),
            all_changes: around.documents.changes(),
            place: place.clone(),
            started: around.now,
            state,
            so_far: Vec::new(),
            is_patient,
            is_refused: false,
            is_overtaken: false,
        };
        let of_document = self.by_document.entry(document.clone()).or_default();
        *of_document.call_mut(lane) = Some(call);
        self.running.insert((request, lane), document.clone());
        if lane == LaneKind::Fim {
            around.gate.sent(document, request, place.text.clone());
        }
        around.lane_health.called(around.now, lane);
        around.outbox.put(Order::StartLane {
            request,
            lane,
            spot: spot(document, open, place.at),
        });
    }

    /// Ends calls that had all their time.
    pub(super) fn end_overdue(
        &mut self,
        document: &DocumentId,
        overdue: &[LaneKind],
        around: &mut RequestContext<'_>,
    ) {
        for lane in overdue {
            self.stop_call(document, *lane, Reason::TimedOut, around);
            self.end_runners(document, *lane, Some(Reason::TimedOut), around);
        }
    }

    /// Ends the calls that tell others of a document, which must not leave.
    pub(crate) fn keep_in(
        &mut self,
        document: &DocumentId,
        reason: Reason,
        around: &mut RequestContext<'_>,
    ) {
        let Some(open) = around.documents.get(document) else {
            return;
        };
        let lanes = &around.settings_of(open).lanes;
        let tells = |lane: &LaneKind| lanes.of(*lane).tells_others();
        let telling: Vec<LaneKind> = LaneKind::ALL.into_iter().filter(tells).collect();
        for lane in telling {
            self.stop_call(document, lane, reason, around);
            self.end_runners(document, lane, Some(reason), around);
        }
        self.rearm(document);
    }

    /// Stops a call if it runs.
    pub(super) fn stop_call(
        &mut self,
        document: &DocumentId,
        lane: LaneKind,
        reason: Reason,
        around: &mut RequestContext<'_>,
    ) {
        let of_document = self.by_document.entry(document.clone()).or_default();
        let Some(call) = of_document
            .call(lane)
            .filter(|call| call.deadline().is_some())
        else {
            return;
        };
        let request = call.request;
        self.running.remove(&(request, lane));
        self.drop_call(document, lane, around);
        around.outbox.put(Order::CancelLane {
            request,
            lane,
            reason,
        });
    }

    /// Forgets a call that did not come back.
    pub(super) fn drop_call(
        &mut self,
        document: &DocumentId,
        lane: LaneKind,
        around: &mut RequestContext<'_>,
    ) {
        let of_document = self.by_document.entry(document.clone()).or_default();
        if let Some(call) = of_document.call_mut(lane).take() {
            if lane == LaneKind::Fim {
                around.gate.withdraw(document, call.request);
            }
        }
    }
}
