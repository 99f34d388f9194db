//! One question at a time: a server on this machine is not asked a second one before it has answered the first.
//!
//! Such a server shares one processor among all that it is asked, so that two questions at once are both
//! answered late. A lane whose server is busy has no call: it stays in the race of its request, *queued*, and is
//! called when the server is free, as long as the request waits. What the person asks for goes first, then what
//! goes in at the cursor, then the latest.
//!
//! - FIM comes first. The next edit, or a fix, of the same server is called when FIM has nothing; if FIM has
//!   something it is not needed. When the person types on, a next edit that is being asked for makes way for
//!   FIM ([`eligible`](super::eligible)) and is queued behind it.
//! - A call that no request waits for any more is stopped if it is one of another document. One of this document
//!   that is still here is on the way to the text as it is: it is waited for, but for two cases. FIM takes the
//!   place of another lane's call that has not begun to answer, and what the person asks for takes the place
//!   of any.
//! - A request that is answered while one of its lanes is queued does without that lane, and says so. The model
//!   that is still to be asked after a request was answered at once ([`instant_answers`]) is queued like one
//!   of its lanes, until the person types.
//!
//! Servers on this machine are told apart by their ports, others by their addresses as they are written. A server
//! elsewhere has more than one machine behind it, or none of ours, and is asked everything at once; only calls of
//! other documents that nobody waits for are stopped there too, since they cost money.
//!
//! [`instant_answers`]: super::instant_answers

use std::cmp::Reverse;

use foretell_settings::{Settings, settings};
use foretell_text::{DocumentId, LaneKind};

use super::document_requests::{LaneCall, PendingRequest, RaceRunner, RequestStage};
use super::eligible::objection;
use super::instant_answers::ModelPursuit;
use super::lane_calls::LaneCaller;
use super::{RequestContext, Requests, cap};
use crate::event::{RequestCause, RequestKind};
use crate::note::Note;
use crate::reason::Reason;

/// Whether two lanes ask one server on this machine.
pub(super) fn share_server(settings: &Settings, one: LaneKind, other: LaneKind) -> bool {
    let (one, other) = (settings.lanes.of(one), settings.lanes.of(other));
    one.is_on_this_machine() && is_same_server(one, other)
}

fn is_same_server(one: &settings::LaneSettings, other: &settings::LaneSettings) -> bool {
    let urls = one.url.as_ref().zip(other.url.as_ref());
    let is_same = urls.is_none_or(|(one, other)| one.is_same_server(other));
    other.tells_others() && one.url.is_some() == other.url.is_some() && is_same
}

/// A call that waits for its server.
enum QueuedCall {
    /// A request of that kind races on it.
    Raced(RequestKind),
    /// Its request was answered at once.
    Pursued(ModelPursuit),
}

impl Requests {
    /// Makes a call for a request that races on it, or queues it.
    pub(super) fn call_when_free(
        &mut self,
        document: &DocumentId,
        lane: LaneKind,
        caller: LaneCaller<'_>,
        around: &mut RequestContext<'_>,
    ) {
        let is_free = self.is_server_free(document, lane, caller.cause, around);
        let kind = caller.kind;
        if is_free {
            self.call(document, lane, caller, around);
        }
        self.has_queued |= !is_free;
        let of_document = self.by_document.entry(document.clone()).or_default();
        let Some(pending) = of_document.pending_mut(kind) else {
            return;
        };
        if is_free {
            around.outbox.counts.requests_started += u64::from(!pending.has_started);
            pending.has_started = true;
        }
        if let Some(runner) = pending.runner_mut(lane) {
            runner.is_queued = !is_free;
            runner.since = around.now;
        }
    }

    /// Calls those that are queued and whose server is free by now.
    pub(crate) fn start_queued(&mut self, around: &mut RequestContext<'_>) {
        if !std::mem::take(&mut self.has_queued) {
            return;
        }
        let mut queue = Vec::new();
        for (request, (document, kind)) in &self.pending {
            let of_document = self.by_document.get(document);
            let pending = of_document.and_then(|of_document| of_document.pending(*kind));
            for runner in pending.into_iter().flat_map(PendingRequest::runners) {
                if let Some(pending) = pending.filter(|_| runner.is_queued) {
                    let order = (Reverse(pending.cause), runner.lane, Reverse(*request));
                    queue.push((order, document.clone(), QueuedCall::Raced(*kind)));
                }
            }
        }
        for (document, of_document) in &mut self.by_document {
            let pursuit = &mut of_document.instant.pursuit;
            if let Some(pursuit) = pursuit.take_if(|it| it.is_queued) {
                let cause = Reverse(RequestCause::Automatic);
                let order = (cause, LaneKind::Fim, Reverse(pursuit.request));
                queue.push((order, document.clone(), QueuedCall::Pursued(pursuit)));
            }
        }
        queue.sort_by_key(|(order, ..)| *order);
        for ((_, lane, _), document, queued) in queue {
            match queued {
                QueuedCall::Raced(kind) => self.start_if_free(&document, kind, lane, around),
                QueuedCall::Pursued(pursuit) => self.pursue(&document, pursuit, around),
            }
            self.rearm(&document);
        }
    }

    /// Calls a lane that is queued, if its server is free, or lets its request do without it.
    fn start_if_free(
        &mut self,
        document: &DocumentId,
        kind: RequestKind,
        lane: LaneKind,
        around: &mut RequestContext<'_>,
    ) {
        let of_document = self.by_document.get(document);
        let pending = of_document.and_then(|of_document| of_document.pending(kind));
        let open = around.documents.get(document);
        let Some((pending, open)) = pending.zip(open) else {
            return;
        };
        let mut queued = pending.runners().iter().filter(|it| it.is_queued);
        if !queued.any(|runner| runner.lane == lane) {
            return;
        }
        // A newer request is on its way if the text has moved on, and the call of the other kind comes first.
        let call = self.call_of(document, lane);
        let is_busy = call.is_some_and(|call| call.deadline().is_some());
        if pending.place.text != open.text || is_busy {
            self.has_queued = true;
            return;
        }
        let settings = around.settings_of(open);
        let (request, cause, place) = (pending.request, pending.cause, pending.place.clone());
        if let Some(reason) = objection(lane, cause, open, around) {
            self.let_go(document, kind, lane);
            around.outbox.note(Note::Spared {
                request,
                lane,
                reason,
            });
            return self.conclude(document, kind, Reason::NothingFound, around);
        }
        let caller = LaneCaller {
            request,
            kind,
            cause,
            place: &place,
            cap: cap(cause, settings),
        };
        self.call_when_free(document, lane, caller, around);
    }

    /// Takes a lane that is queued out of the race of a request.
    fn let_go(&mut self, document: &DocumentId, kind: RequestKind, lane: LaneKind) {
        let of_document = self.by_document.entry(document.clone()).or_default();
        let pending = of_document.pending_mut(kind).as_mut();
        if let Some(RequestStage::Racing(race)) = pending.map(|pending| &mut pending.stage) {
            race.runners
                .retain(|runner| !(runner.is_queued && runner.lane == lane));
        }
    }

    /// Whether the server of a lane has nothing else to do that is needed.
    pub(super) fn is_server_free(
        &self,
        document: &DocumentId,
        lane: LaneKind,
        cause: RequestCause,
        around: &RequestContext<'_>,
    ) -> bool {
        let Some(open) = around.documents.get(document) else {
            return true;
        };
        let server = around.settings_of(open).lanes.of(lane);
        let is_in_the_way = |other: LaneKind, asked_in: &DocumentId| {
            let is_here = asked_in == document;
            self.asks_server(other, asked_in, server, around)
                && (self.is_raced(asked_in, other)
                    || is_here && !self.gives_way(document, other, lane, cause))
        };
        let mut running = self.running.iter();
        !server.is_on_this_machine()
            || !running.any(|((_, other), asked_in)| is_in_the_way(*other, asked_in))
    }

    /// Whether a call of a document that no request waits for makes way for one of another lane.
    fn gives_way(
        &self,
        document: &DocumentId,
        lane: LaneKind,
        to: LaneKind,
        cause: RequestCause,
    ) -> bool {
        let call = self.call_of(document, lane);
        let is_first = cause == RequestCause::Explicit || to == LaneKind::Fim;
        is_first && lane != to && call.is_some_and(|call| call.gives_way(cause))
    }

    /// Stops calls to a server that is needed here, if no request waits for them: those of other documents, and
    /// those of this one that make way.
    pub(super) fn free_server(
        &mut self,
        document: &DocumentId,
        lane: LaneKind,
        cause: RequestCause,
        around: &mut RequestContext<'_>,
    ) {
        let Some(open) = around.documents.get(document) else {
            return;
        };
        let server = around.settings_of(open).lanes.of(lane);
        let may_stop_here = server.is_on_this_machine();
        let running = self.running.iter();
        let in_the_way = running.filter_map(|((_, other), asked_in)| {
            let is_here = asked_in == document;
            let makes_way =
                !is_here || may_stop_here && self.gives_way(document, *other, lane, cause);
            let is_useless = makes_way
                && self.asks_server(*other, asked_in, server, around)
                && !self.is_raced(asked_in, *other);
            is_useless.then(|| (asked_in.clone(), *other))
        });
        let in_the_way: Vec<_> = in_the_way.collect();
        for (asked_in, other) in in_the_way {
            self.stop_call(&asked_in, other, Reason::Superseded, around);
            self.rearm(&asked_in);
        }
    }

    /// Whether a lane of a document asks a server.
    fn asks_server(
        &self,
        lane: LaneKind,
        asked_in: &DocumentId,
        server: &settings::LaneSettings,
        around: &RequestContext<'_>,
    ) -> bool {
        let open = around.documents.get(asked_in);
        let settings = open.map(|open| around.settings_of(open).lanes.of(lane));
        settings.is_some_and(|settings| is_same_server(server, settings))
    }

    fn is_raced(&self, document: &DocumentId, lane: LaneKind) -> bool {
        let of_document = self.by_document.get(document);
        of_document.is_some_and(|of_document| of_document.is_raced(lane))
    }
}

impl PendingRequest {
    /// A lane in its race.
    fn runner_mut(&mut self, lane: LaneKind) -> Option<&mut RaceRunner> {
        match &mut self.stage {
            RequestStage::Waiting { .. } => None,
            RequestStage::Racing(race) => race.runners.iter_mut().find(|it| it.lane == lane),
        }
    }
}

impl LaneCall {
    /// Whether it makes way for a question that comes first, if no request waits for it.
    pub(super) fn gives_way(&self, cause: RequestCause) -> bool {
        // The rest of what is being written is sooner there than anything else.
        cause == RequestCause::Explicit || !self.has_begun
    }
}
