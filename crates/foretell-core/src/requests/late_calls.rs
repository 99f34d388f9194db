//! Calls that outlive their requests: a model may answer after the editor was answered, and after the person
//! has typed on.
//!
//! An editor does not wait, so a request has a cap. A model on the person's own machine may need longer, and
//! most of its time goes into reading the prompt: stopping the call throws that away. So a call to a model
//! has a patience of its own. It goes on when its request was answered, cancelled or superseded, while its
//! answer can still be used:
//!
//! - A request at a text that is *on the way* from the call's waits for that call instead of making another.
//!   On the way is a text in which nothing else has changed but what stands between the cursor of the call
//!   and the cursor of the request, and brackets and quotes that the editor closed behind it.
//! - An answer is moved to the text as it is when it comes. If the person has typed something else, those who
//!   wait for it start over.
//! - If nobody waits for it any more, the editor is told to ask, provided that the person is still there,
//!   would see something, and has not just said no to something on that line. Clients that cannot be told get it
//!   with their next request.
//! - A model that writes tells what it has written line by line. What contradicts the person is given up at
//!   once. What stands when the request must be answered is answered; an editor that asks when it is told to
//!   is answered with the first line, and told when there is more.
//!
//! A request elsewhere or off the way replaces the call. When a server is asked something else meanwhile is told
//! in [`server_queue`](super::server_queue). A call that never comes back fails by its lane's own
//! clock. The deadline here is for lanes that have none, and for servers that promise to read and do not: it moves
//! on whenever the server has read or the model written more, and once it has passed the lane has failed.

use foretell_settings::settings;
use foretell_text::{ByteOffset, ByteRange, DocumentId, Edit, LaneCandidate, LaneKind};

use super::carried_offers::up_to_date;
use super::document_requests::{
    AnsweredPlace, CallState, DocumentRequests, LaneCall, LaneCandidates, PendingRequest,
    RequestStage,
};
use super::kept_answers::KeptAnswers;
use super::race::may_be_shown;
use super::{RequestContext, Requests, gather, spot};
use crate::action::{AskCause, Order};
use crate::documents::Document;
use crate::event::{RequestCause, RequestId, RequestKind};
use crate::filters::CursorPosition;
use crate::note::Note;
use crate::reason::Reason;
use crate::rejection_memory::beginnings::written_beyond;

/// How much longer than its first byte may take a call may be without any progress, in milliseconds. Its lane
/// stops at tokens, bytes and silence long before.
const LONGEST_SILENCE: u64 = 60_000;

/// How many bytes an editor closes by itself.
const MOST_CLOSED: usize = 8;

/// How long a call of a lane may take without any progress, in milliseconds, given how long its request waits.
pub(super) fn patience(lane: &settings::LaneSettings, cap: u64) -> u64 {
    if lane.tells_others() {
        cap.max(lane.first_byte.get().saturating_add(LONGEST_SILENCE))
    } else {
        cap
    }
}

/// What became of an answer when it was moved to the text as it is now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MovedAnswer {
    /// It is an answer for the text as it is now.
    UpToDate,
    /// Something else was typed, or there was nothing to begin with.
    Useless,
}

impl LaneCall {
    /// Whether all that it has said so far is rejected by now, for the text as it is.
    pub(super) fn is_rejected_so_far(
        &self,
        document: &DocumentId,
        lane: LaneKind,
        open: &Document,
        around: &RequestContext<'_>,
    ) -> bool {
        let said = left_of(&self.so_far, self, document, lane, open);
        let is_rejected = |it: &LaneCandidate| {
            let found = around.rejections.find(&it.document, &open.text, &it.edit);
            found.is_some()
        };
        !said.is_empty() && said.iter().all(is_rejected)
    }

    /// Whether it runs, and a place is on the way from its own.
    pub(super) fn leads_to(&self, place: &AnsweredPlace, open: &Document) -> bool {
        let is_awaited = self.is_patient && self.deadline().is_some() && !self.is_overtaken;
        is_awaited && self.is_before(place, open)
    }

    /// Whether a place of the text as it is is on the way from its own.
    fn is_before(&self, place: &AnsweredPlace, open: &Document) -> bool {
        if place.text != open.text {
            return false;
        }
        let Some(changes) = open.changes.since(self.changes) else {
            return false;
        };
        let start = self.place.at.get();
        let mut end = start;
        for change in changes {
            let mut written = end;
            for part in change.edit.replacements() {
                let range = part.range();
                if range.start().get() < start || range.end().get() > end {
                    return false;
                }
                written = written + part.new_text().len() - range.len();
            }
            end = written;
        }
        let Ok(behind) = ByteRange::new(place.at, ByteOffset::new(end)) else {
            return false;
        };
        place.at.get() >= start
            && behind.len() <= MOST_CLOSED
            && place
                .text
                .read(behind)
                .is_ok_and(|it| it.chars().all(closes))
    }
}

/// Whether editors put a character in by themselves, behind the cursor.
fn closes(c: char) -> bool {
    matches!(c, ')' | ']' | '}' | '>' | '"' | '\'' | '`')
}

impl Requests {
    /// Moves the answer of a patient call to the text as it is now.
    pub(super) fn catch_up(
        &mut self,
        document: &DocumentId,
        lane: LaneKind,
        around: &RequestContext<'_>,
    ) -> MovedAnswer {
        let of_document = self.by_document.entry(document.clone()).or_default();
        let open = around.documents.get(document);
        let Some((call, open)) = of_document.call(lane).zip(open) else {
            return MovedAnswer::UpToDate;
        };
        if !call.is_patient || call.place.text == open.text {
            return MovedAnswer::UpToDate;
        }
        let CallState::Answered(found) = &call.state else {
            return MovedAnswer::UpToDate;
        };
        let left = left_of(&found.candidates, call, document, lane, open);
        let withheld = found.withheld;
        if left.is_empty() {
            return MovedAnswer::Useless;
        }
        // A place that it was not on the way to has not been asked about.
        let asked = of_document.pending(call.kind).map(|it| &it.place);
        let mut places = asked.into_iter().chain(of_document.cursor.as_ref());
        let place = places.find(|place| call.is_before(place, open)).cloned();
        let start = left.first().and_then(|it| it.edit.span());
        let place = place.or_else(|| {
            let text = open.text.clone();
            start.map(|span| AnsweredPlace {
                at: span.start(),
                text,
            })
        });
        if let Some((call, place)) = of_document.call_mut(lane).as_mut().zip(place) {
            call.place = place;
            call.changes = open.changes.made();
            call.state = CallState::Answered(LaneCandidates {
                candidates: left,
                withheld,
            });
        }
        MovedAnswer::UpToDate
    }

    /// What a call has answered, if the person has rejected its beginning.
    pub(super) fn refused_answer(
        &self,
        document: &DocumentId,
        lane: LaneKind,
        around: &RequestContext<'_>,
    ) -> Option<LaneCandidate> {
        let open = around.documents.get(document)?;
        let call = self.call_of(document, lane)?;
        let candidate = call.candidates()?.first()?;
        let is_here = candidate.document == *document && call.place.text == open.text;
        let memory = around.rejections;
        memory
            .find_beginning(document, &open.text, &candidate.edit)
            .filter(|_| is_here)?;
        Some(candidate.clone())
    }

    /// Whether an edit is the beginning of what a model has more to say of.
    pub(crate) fn is_beginning(&self, document: &DocumentId, open: &Document, edit: &Edit) -> bool {
        let Some(of_document) = self.by_document.get(document) else {
            return false;
        };
        LaneKind::ALL.into_iter().any(|lane| {
            // Only what was said in pieces was shown in pieces.
            let call = of_document.call(lane);
            let Some(call) = call.filter(|call| !call.so_far.is_empty()) else {
                return false;
            };
            let said = call.candidates().unwrap_or(&call.so_far);
            let least = usize::from(call.deadline().is_none());
            let said = left_of(said, call, document, lane, open);
            said.iter().any(|it| {
                let beyond = written_beyond(edit, &it.edit, &open.text);
                beyond.is_some_and(|beyond| beyond >= least)
            })
        })
    }

    /// A server reads on.
    pub(crate) fn lane_reads_on(
        &mut self,
        request: RequestId,
        lane: LaneKind,
        around: &mut RequestContext<'_>,
    ) {
        let Some(document) = self.running.get(&(request, lane)).cloned() else {
            return around.outbox.ignore(None, Reason::UnknownId);
        };
        self.renew_patience(&document, lane, around);
        self.rearm(&document);
    }

    /// Gives a call that goes on as much time as one that is made now.
    fn renew_patience(
        &mut self,
        document: &DocumentId,
        lane: LaneKind,
        around: &RequestContext<'_>,
    ) {
        let Some(open) = around.documents.get(document) else {
            return;
        };
        let settings = around.settings_of(open).lanes.of(lane);
        let of_document = self.by_document.entry(document.clone()).or_default();
        let call = of_document.call_mut(lane).as_mut();
        let call = call.filter(|call| call.is_patient);
        if let Some(CallState::Running { deadline }) = call.map(|call| &mut call.state) {
            *deadline = around.now.after(patience(settings, 0)).max(*deadline);
        }
    }

    /// A model has said something, and goes on.
    pub(crate) fn lane_progressed(
        &mut self,
        request: RequestId,
        lane: LaneKind,
        candidates: Vec<LaneCandidate>,
        around: &mut RequestContext<'_>,
    ) {
        let Some(document) = self.running.get(&(request, lane)).cloned() else {
            return around.outbox.ignore(None, Reason::UnknownId);
        };
        self.renew_patience(&document, lane, around);
        let of_document = self.by_document.entry(document.clone()).or_default();
        let open = around.documents.get(&document);
        let call = of_document.call_mut(lane).as_mut();
        let Some((call, open)) = call.filter(|call| call.is_patient).zip(open) else {
            return self.rearm(&document);
        };
        call.has_begun = true;
        if candidates.is_empty() {
            return self.rearm(&document);
        }
        let is_first = call.so_far.is_empty();
        if is_first {
            let millis = around.now.since(call.started);
            around.lane_health.spoke(lane, millis);
        }
        call.so_far = candidates;
        let is_contradicted = !call.so_far.is_empty()
            && left_of(&call.so_far, call, &document, lane, open).is_empty();
        if is_contradicted {
            self.stop_call(&document, lane, Reason::Overtaken, around);
            self.start_over(&document, lane, around);
        } else if self.asks_when_told {
            if is_first && lane == LaneKind::Fim {
                // Where no request waits any more: the first line is not to wait for the last one.
                self.ask_for_late(&document, lane, around);
            }
            self.offer_first_line(&document, lane, around);
        }
        self.rearm(&document);
    }

    /// Answers an automatic request with what a model has said so far, if that may be shown. Returns whether it
    /// is answered.
    pub(super) fn offer_first_line(
        &mut self,
        document: &DocumentId,
        lane: LaneKind,
        around: &mut RequestContext<'_>,
    ) -> bool {
        let kind = RequestKind::Inline;
        let of_document = self.by_document.get(document);
        let pending = of_document.and_then(|of_document| of_document.pending(kind));
        let is_awaited =
            |it: &PendingRequest| it.awaits(lane) && it.cause == RequestCause::Automatic;
        let is_answered = self.asks_when_told
            && pending.is_some_and(is_awaited)
            && self.take_lane_so_far(document, kind, lane, around);
        if is_answered {
            self.conclude(document, kind, Reason::NothingFound, around);
        }
        is_answered
    }

    /// Takes note of the calls that a request waits for no longer.
    pub(super) fn miss(&mut self, document: &DocumentId, kind: RequestKind) {
        let of_document = self.by_document.entry(document.clone()).or_default();
        let Some(pending) = of_document.pending(kind) else {
            return;
        };
        let request = pending.request;
        let awaited = LaneKind::ALL.map(|lane| pending.awaits(lane).then_some(lane));
        for lane in awaited.into_iter().flatten() {
            if let Some(call) = of_document.call_mut(lane) {
                call.missed_by = request;
            }
        }
    }

    /// Takes what models have said so far for a request that has to be answered now.
    pub(super) fn take_so_far(
        &mut self,
        document: &DocumentId,
        kind: RequestKind,
        around: &RequestContext<'_>,
    ) {
        for lane in LaneKind::ALL {
            self.take_lane_so_far(document, kind, lane, around);
        }
    }

    /// The same for one lane. Returns whether it has said anything that may be shown.
    fn take_lane_so_far(
        &mut self,
        document: &DocumentId,
        kind: RequestKind,
        lane: LaneKind,
        around: &RequestContext<'_>,
    ) -> bool {
        let of_document = self.by_document.entry(document.clone()).or_default();
        let open = around.documents.get(document);
        let call = of_document.call(lane);
        let Some((call, open)) = call.zip(open) else {
            return false;
        };
        let Some(pending) = of_document.pending(kind) else {
            return false;
        };
        if call.so_far.is_empty() || pending.place.text != open.text {
            return false;
        }
        let mut so_far = left_of(&call.so_far, call, document, lane, open);
        let AnsweredPlace { at, text } = &pending.place;
        let cursor = CursorPosition::of(*at, text);
        so_far.retain(|it| {
            let begun = around.rejections.find_begun(document, text, &it.edit);
            begun.is_none() && may_be_shown(it, document, kind, cursor, around).is_ok()
        });
        let pending = of_document.pending_mut(kind).as_mut();
        let race = pending.and_then(|pending| match &mut pending.stage {
            RequestStage::Racing(race) => Some(race),
            RequestStage::Waiting { .. } => None,
        });
        let Some(race) = race.filter(|_| !so_far.is_empty()) else {
            return false;
        };
        let mut running = race.runners.iter_mut().filter(|it| it.is_running());
        let Some(runner) = running.find(|runner| runner.lane == lane) else {
            return false;
        };
        runner.end = Some((around.now, None));
        runner.so_far = so_far;
        true
    }

    /// Lets those who wait for a call that came to nothing here make their own, once the pace lets them.
    pub(super) fn start_over(
        &mut self,
        document: &DocumentId,
        lane: LaneKind,
        around: &mut RequestContext<'_>,
    ) {
        let Some(open) = around.documents.get(document) else {
            return;
        };
        for kind in [RequestKind::Inline, RequestKind::Edit] {
            let of_document = self.by_document.entry(document.clone()).or_default();
            let pending = of_document.pending_mut(kind).as_mut();
            let Some(pending) = pending.filter(|pending| pending.awaits(lane)) else {
                continue;
            };
            let until = pending.due.max(around.now);
            pending.stage = RequestStage::Waiting { until };
            if pending.place.text == open.text {
                let spot = spot(document, open, pending.place.at);
                gather(pending.request, spot, open, around);
            }
            if until <= around.now {
                self.start(document, kind, around);
            }
        }
    }

    /// Tells the editor to ask for an answer that nobody waits for, if the person would see it.
    pub(super) fn offer_late(
        &mut self,
        document: &DocumentId,
        lane: LaneKind,
        around: &mut RequestContext<'_>,
    ) {
        let Some(of_document) = self.by_document.get(document) else {
            return;
        };
        let Some(call) = of_document.call(lane).filter(|call| call.is_patient) else {
            return;
        };
        if of_document.pending(call.kind).is_some() {
            return;
        }
        let request = call.missed_by;
        let millis = around.now.since(call.started);
        around.outbox.note(Note::Late {
            request,
            lane,
            millis,
        });
        self.ask_for_late(document, lane, around);
    }

    /// Tells the editor to ask for what a model has said, all of it or a part that is certain, if no request
    /// waits for it and the person would see it.
    fn ask_for_late(&self, document: &DocumentId, lane: LaneKind, around: &mut RequestContext<'_>) {
        let of_document = self.by_document.get(document);
        let open = around.documents.get(document);
        let Some((of_document, open)) = of_document.zip(open) else {
            return;
        };
        let Some(call) = of_document.call(lane) else {
            return;
        };
        let kind = call.kind;
        if of_document.pending(kind).is_some() {
            return;
        }
        let is_there = of_document.cursor.as_ref() == Some(&call.place);
        // Who has just said no is not shown something else before they ask.
        let cooldown = around.settings_of(open).trigger.rejection_cooldown.get();
        let quiet = &of_document.instant.quiet;
        let is_there = is_there && !quiet.is_cooling(around.now, &call.place, cooldown);
        let cursor = CursorPosition::of(call.place.at, &call.place.text);
        let text = &call.place.text;
        let is_shown = |candidate: &LaneCandidate| {
            let begun = around
                .rejections
                .find_begun(document, text, &candidate.edit);
            let is_rejected = call.candidates().is_none() && begun.is_some();
            !is_rejected && may_be_shown(candidate, document, kind, cursor, around).is_ok()
        };
        let mut candidates = call.candidates().unwrap_or(&call.so_far).iter();
        if is_there && call.place.text == open.text && candidates.any(is_shown) {
            let spot = spot(document, open, call.place.at);
            let cause = AskCause::Late;
            around.outbox.put(Order::AskEditor { spot, cause });
        }
    }

    /// Takes note of where the cursor is.
    pub(crate) fn cursor_moved(&mut self, document: &DocumentId, at: Option<ByteOffset>) {
        if let Some(of_document) = self.by_document.get_mut(document) {
            let is_there = |place: &AnsweredPlace| Some(place.at) == at;
            of_document.cursor = of_document.cursor.take().filter(is_there);
        }
    }

    /// Keeps what a model has just answered.
    pub(super) fn keep_answer(
        &mut self,
        document: &DocumentId,
        lane: LaneKind,
        around: &RequestContext<'_>,
    ) {
        let of_document = self.by_document.get(document);
        let call = of_document.and_then(|of_document| of_document.call(lane));
        let Some(call) = call.filter(|call| call.is_patient && lane == LaneKind::Fim) else {
            return;
        };
        // It may use a name that another document no longer has.
        let is_outdated = around
            .documents
            .has_other_changed(document, call.all_changes);
        let candidate = call.candidates().and_then(<[_]>::first);
        if let Some(candidate) = candidate.filter(|_| !is_outdated) {
            self.kept.keep(candidate, &call.place.text, call.place.at);
        }
    }

    /// Forgets what models have answered: it was another's word.
    pub(crate) fn forget_kept(&mut self) {
        self.kept = KeptAnswers::default();
        self.ahead.outdate();
    }

    /// Puts in what FIM has answered around a place before. Returns whether there was anything.
    pub(super) fn recall(
        &mut self,
        document: &DocumentId,
        kind: RequestKind,
        around: &mut RequestContext<'_>,
    ) -> bool {
        let lane = LaneKind::Fim;
        let Some(open) = around.documents.get(document) else {
            return false;
        };
        let settings = around.settings_of(open).lanes.of(lane);
        let of_document = self.by_document.get(document);
        let pending = of_document.and_then(|of_document| of_document.pending(kind));
        let is_wanted = kind == RequestKind::Inline && settings.enabled && settings.tells_others();
        let Some(pending) = pending.filter(|_| is_wanted) else {
            return false;
        };
        let AnsweredPlace { at, text } = &pending.place;
        let cursor = CursorPosition::of(*at, text);
        let kept = self.kept.find(document, text, *at);
        let Some(candidate) =
            kept.filter(|it| may_be_shown(it, document, kind, cursor, around).is_ok())
        else {
            return false;
        };
        let call = LaneCall {
            request: pending.request,
            kind,
            missed_by: pending.request,
            cause: RequestCause::Automatic,
            place: pending.place.clone(),
            changes: open.changes.made(),
            all_changes: around.documents.changes(),
            started: around.now,
            state: CallState::Answered(LaneCandidates {
                candidates: vec![candidate],
                withheld: 0,
            }),
            so_far: Vec::new(),
            has_begun: true,
            is_patient: true,
            second_look: None,
            is_overtaken: false,
        };
        self.note_ahead(document, &call.place, around);
        self.stop_call(document, lane, Reason::Outrun, around);
        let of_document = self.by_document.entry(document.clone()).or_default();
        *of_document.call_mut(lane) = Some(call);
        true
    }
}

/// What is left of the candidates of a call for the text as it is now.
fn left_of(
    candidates: &[LaneCandidate],
    call: &LaneCall,
    document: &DocumentId,
    lane: LaneKind,
    open: &Document,
) -> Vec<LaneCandidate> {
    if call.place.text == open.text {
        return candidates.to_vec();
    }
    let left = up_to_date(candidates, call, document, lane, open).into_iter();
    let left = left.filter_map(|held| {
        let edit = held.left().filter(|left| !left.is_nothing())?.clone();
        Some(LaneCandidate {
            cursor: held.cursor(&edit, &open.text),
            ..LaneCandidate::new(document.clone(), edit)
        })
    });
    left.collect()
}

impl PendingRequest {
    /// Whether it races on the call of a lane that has not ended for it.
    pub(super) fn awaits(&self, lane: LaneKind) -> bool {
        let mut running = self.runners().iter().filter(|it| it.is_running());
        running.any(|runner| runner.lane == lane)
    }
}

impl DocumentRequests {
    /// Whether a patient call runs.
    pub(super) fn is_awaiting_model(&self, lane: LaneKind) -> bool {
        let call = self.call(lane);
        call.is_some_and(|call| call.is_patient && call.deadline().is_some())
    }
}
