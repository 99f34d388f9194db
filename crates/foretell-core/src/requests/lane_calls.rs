//! Calls: lanes that are started, stopped and forgotten.
//!
//! Every call is made and ended here, so that the requests of its document, the index of what runs, the refresh
//! gate and the care of lanes never disagree about it. Whether a call is needed is decided elsewhere.

use foretell_text::{DocumentId, FailureKind, LaneFailure, LaneKind};

use super::document_requests::{AnsweredPlace, CallState, LaneCall};
use super::lane_endings::note_failure;
use super::late_calls::patience;
use super::{RequestContext, Requests, spot};
use crate::action::{Order, Spot};
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

    /// Makes a call at the place of its request.
    pub(super) fn call(
        &mut self,
        document: &DocumentId,
        lane: LaneKind,
        caller: LaneCaller<'_>,
        around: &mut RequestContext<'_>,
    ) {
        self.make_call(document, lane, caller, None, around);
    }

    /// Makes a call that is about another place than its request, if one is named.
    pub(super) fn make_call(
        &mut self,
        document: &DocumentId,
        lane: LaneKind,
        caller: LaneCaller<'_>,
        second_look: Option<Spot>,
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
        let of_language = around.settings_of(open);
        let settings = of_language.lanes.of(lane);
        if cause == RequestCause::Automatic {
            let speeds = &mut around.lane_health.speeds;
            speeds.tried(around.now, lane, around.settings, of_language);
        }
        let is_patient = settings.tells_others();
        if is_patient {
            self.free_server(document, lane, cause, around);
        }
        let ahead = self.make_way_ahead(document, lane, cause, place, around);
        let state = CallState::Running {
            deadline: around.now.after(patience(settings, cap)),
        };
        let call = LaneCall {
            request,
            kind,
            missed_by: request,
            cause,
            changes: open.changes.made(),
            all_changes: around.documents.changes(),
            place: place.clone(),
            started: ahead.map_or(around.now, |taken| taken.started),
            state,
            so_far: Vec::new(),
            has_begun: false,
            is_patient,
            second_look: second_look.clone(),
            is_overtaken: false,
        };
        let of_document = self.by_document.entry(document.clone()).or_default();
        *of_document.call_mut(lane) = Some(call);
        self.running.insert((request, lane), document.clone());
        if lane == LaneKind::Fim {
            around.gate.sent(document, request, place.text.clone());
        }
        if ahead.is_none() {
            around.lane_health.called(around.now, lane);
        }
        around.pace.served();
        around.outbox.put(Order::StartLane {
            request,
            lane,
            spot: second_look.unwrap_or_else(|| spot(document, open, place.at)),
            ahead: ahead.map(|taken| taken.call),
        });
    }

    /// Ends calls that had all their time. For a model that was time without any progress, so that its lane has
    /// failed, whether or not somebody still waits.
    pub(super) fn end_overdue(
        &mut self,
        document: &DocumentId,
        overdue: &[LaneKind],
        around: &mut RequestContext<'_>,
    ) {
        for lane in overdue {
            let call = self.call_of(document, *lane);
            let failed = call.filter(|call| call.is_patient).map(|it| it.started);
            self.stop_call(document, *lane, Reason::TimedOut, around);
            if let Some(started) = failed {
                let failure = LaneFailure {
                    kind: FailureKind::TimedOut,
                    retry_after_ms: None,
                };
                note_failure(*lane, started, failure, around);
            }
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
        self.stop_looking_at(document, reason, around);
        self.kept.forget(document);
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
