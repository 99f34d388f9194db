//! Answers at once: what a predictor that costs nothing says at every key, before pace and gate.
//!
//! A driver that has such a predictor says so ([`Core::with_predictor`](crate::Core::with_predictor)). It is a
//! function that answers within the turn in which it is asked, so that it is no lane: nothing runs, nothing
//! can be stopped, shared, late, too expensive or left alone. Making it a kind of lane would put a row that
//! says "not for this one" into every table of lanes, and it would take the place of the model that fills
//! in, beside which it is wanted. So it has an order and an event of its own, and stands before the lanes:
//!
//! - An automatic request for what is drawn at the cursor asks it first, between two keys. What it has is
//!   the answer, if it is likely enough (`recall.keyThreshold`), long enough, and passes every filter.
//! - Otherwise the request goes on as ever. When the person has not typed for a moment and the request is
//!   still there, it is asked once more, for what is likely enough in a pause (`recall.threshold`). A
//!   request that has nothing else to wait for waits for that.
//! - What it has said is carried, as every answer is, and stays while it is typed into.
//! - A model is the next step up. If one fills in here, it is still asked when the pace and the gate let it,
//!   in the name of the request that was answered. Its answer goes on where the prediction ends; or takes
//!   its place, if the two contradict and the person has paused. What is typed into is never
//!   replaced by another text that begins as it does. Either way the editor is told to ask. An answer that
//!   is what is shown, or the beginning of it, changes nothing.
//! - It is silent for a while where the person has said no, or deleted something ([`quiet_places`]).
//!
//! A driver that never answers costs nothing: the request goes on a moment later without. Absent on purpose:
//! what a prediction is made of.
//!
//! [`quiet_places`]: super::quiet_places

use foretell_settings::choice::RecallMode;
use foretell_text::{
    ByteOffset, CursorPrediction, DocumentId, LaneKind, PredictionAsk, Replacement, TextProbability,
};

use super::carried::CarriedOffer;
use super::carried_offers::LateAnswer;
use super::document_requests::{
    AnsweredPlace, CallState, DocumentRequests, LaneCall, PendingRequest, RequestStage,
};
use super::eligible::{EligibleLanes, LaneQuestion};
use super::lane_calls::LaneCaller;
use super::quiet_places::{QuietPlaces, is_same_line};
use super::race::may_be_shown;
use super::server_queue::share_server;
use super::{RequestContext, Requests, cap, gather, note_spared, spot};
use crate::action::{Answer, LaneReport, Offer, OfferedFrom, Order};
use crate::documents::Document;
use crate::event::{RequestCause, RequestId, RequestKind};
use crate::filters::CursorPosition;
use crate::moment::Moment;
use crate::note::Note;
use crate::reason::Reason;
use crate::recent_changes::RecentChange;

/// How long the person must not have typed for it to be a pause, in milliseconds.
const PAUSE: u64 = 300;

/// How many characters are worth a look.
const SHORTEST: usize = 4;

/// How long a driver may take to say what its predictor has, in milliseconds. It answers in the same
/// turn; this is for one that never does.
const PATIENCE: u64 = 100;

/// The question to the predictor, of one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PendingPrediction {
    /// It is not put.
    Unwanted,
    /// It is put then.
    Due(Moment),
    /// It was put, and is answered by then.
    Asked {
        ask: PredictionAsk,
        until: Moment,
        /// Whether the request goes on to its lanes after it.
        is_first: bool,
    },
    /// It was answered.
    Over,
}

impl PendingPrediction {
    /// When it is to be looked at again.
    pub(super) fn due(self) -> Option<Moment> {
        match self {
            PendingPrediction::Due(due) | PendingPrediction::Asked { until: due, .. } => Some(due),
            PendingPrediction::Unwanted | PendingPrediction::Over => None,
        }
    }
}

/// What is kept of a document for answers at once.
#[derive(Debug, Default)]
pub(super) struct InstantState {
    pub(super) quiet: QuietPlaces,
    /// Where the last request ended with nothing, after the predictor was asked.
    asked_at: Option<AnsweredPlace>,
    /// The model that is still to be asked.
    pub(super) pursuit: Option<ModelPursuit>,
}

/// A model that is still to be asked, after a request was answered at once.
#[derive(Debug)]
pub(super) struct ModelPursuit {
    pub(super) request: RequestId,
    place: AnsweredPlace,
    due: Moment,
    /// Whether its moment has passed, and it waits for its server.
    pub(super) is_queued: bool,
}

impl InstantState {
    /// When something is due.
    pub(super) fn due(&self) -> Option<Moment> {
        let pursuit = self.pursuit.as_ref();
        let pursuit = pursuit.filter(|pursuit| !pursuit.is_queued);
        pursuit.map(|pursuit| pursuit.due)
    }

    /// Whether the predictor was asked about a place, and nothing came of the request.
    pub(super) fn is_asked(&self, is_here: impl Fn(&AnsweredPlace) -> bool) -> bool {
        self.asked_at.as_ref().is_some_and(is_here)
    }

    /// Takes note of where a request ended with nothing.
    pub(super) fn ended(&mut self, pending: &PendingRequest) {
        if pending.prediction == PendingPrediction::Over {
            self.asked_at = Some(pending.place.clone());
        }
    }

    /// Follows a change of the document.
    pub(super) fn follow(&mut self, change: &RecentChange) {
        if !change.edit.is_nothing() {
            self.asked_at = None;
            self.pursuit = None;
            self.quiet.follow(change);
        }
    }

    /// The person has said no where the cursor is, or to an edit.
    pub(super) fn refuse(&mut self, now: Moment, at: ByteOffset) {
        let is_there = |it: &mut ModelPursuit| is_same_line(&it.place.text, it.place.at, at);
        self.pursuit.take_if(is_there);
        self.quiet.refuse(now, at);
    }
}

impl PendingRequest {
    /// Holds a request whose lanes have ended with nothing until the pause in which the predictor is asked, and
    /// until it has answered, unless that is too late. Returns whether it is held.
    pub(super) fn hold_for_pause(&mut self, now: Moment) -> bool {
        let (Some(due), RequestStage::Racing(race)) = (self.prediction.due(), &mut self.stage)
        else {
            return false;
        };
        let is_asked = matches!(self.prediction, PendingPrediction::Asked { .. });
        let until = due.min(race.cap);
        // There must be some time left to answer in.
        let is_held = now < until && (is_asked || due < race.cap);
        if is_held {
            race.until = until;
        }
        is_held
    }
}

impl DocumentRequests {
    /// Whether what is shown at the cursor was said at once.
    fn shows_prediction(&self) -> bool {
        let carried = self.carried(RequestKind::Inline);
        carried.is_some_and(|carried| carried.held.iter().any(CarriedOffer::is_prediction))
    }
}

impl Requests {
    /// Answers a request with what was said at once and is being typed into. Returns whether there is
    /// anything of the kind.
    pub(super) fn go_on_showing(
        &mut self,
        document: &DocumentId,
        kind: RequestKind,
        around: &mut RequestContext<'_>,
    ) -> bool {
        let of_document = self.by_document.get(document);
        let is_shown = of_document.is_some_and(DocumentRequests::shows_prediction);
        let pending = of_document.and_then(|of_document| of_document.pending(kind));
        let is_automatic = |it: &&PendingRequest| it.cause == RequestCause::Automatic;
        let Some(pending) = pending.filter(is_automatic) else {
            return false;
        };
        if kind != RequestKind::Inline || !is_shown {
            return false;
        }
        let Some(offers) = self.carried_offers(document, kind, around) else {
            return false;
        };
        let pursuit = ModelPursuit {
            request: pending.request,
            place: pending.place.clone(),
            due: pending.due,
            is_queued: false,
        };
        self.answer_carried(document, kind, offers, around);
        self.pursue_later(document, pursuit, around);
        true
    }

    /// Asks the predictor about a request that begins, or says when that is to be done. Returns whether the
    /// request waits for it.
    pub(super) fn predict_first(
        &mut self,
        document: &DocumentId,
        kind: RequestKind,
        around: &mut RequestContext<'_>,
    ) -> bool {
        let now = around.now;
        let Some(open) = around.documents.get(document) else {
            return false;
        };
        let settings = around.settings_of(open);
        let of_document = self.by_document.entry(document.clone()).or_default();
        let is_wanted = around.has_predictor
            && kind == RequestKind::Inline
            && settings.lanes.fim.enabled
            && settings.recall.mode != RecallMode::Off;
        let Some(pending) = of_document
            .pending_mut(kind)
            .as_mut()
            .filter(|pending| is_wanted && pending.cause == RequestCause::Automatic)
        else {
            return false;
        };
        let pause = pause_after(open, now);
        if settings.recall.mode == RecallMode::Pauses && pause > now {
            pending.prediction = PendingPrediction::Due(pause);
            return false;
        }
        let ask = if pause > now {
            PredictionAsk::Key
        } else {
            PredictionAsk::Pause
        };
        self.ask_predictor(document, kind, ask, true, around)
    }

    /// Puts the question to the predictor, unless its place is quiet. Returns whether it was put.
    fn ask_predictor(
        &mut self,
        document: &DocumentId,
        kind: RequestKind,
        ask: PredictionAsk,
        is_first: bool,
        around: &mut RequestContext<'_>,
    ) -> bool {
        let Some(open) = around.documents.get(document) else {
            return false;
        };
        let of_document = self.by_document.entry(document.clone()).or_default();
        let Some(place) = of_document.pending(kind).map(|it| it.place.clone()) else {
            return false;
        };
        let is_held = place.text == open.text;
        let objection = of_document.instant.quiet.objection(&place);
        let Some(pending) = of_document.pending_mut(kind) else {
            return false;
        };
        let request = pending.request;
        if !is_held || objection.is_some() {
            pending.prediction = PendingPrediction::Over;
            if let Some(reason) = objection {
                let outbox = &mut around.outbox;
                outbox.note(Note::PredictionDropped {
                    request,
                    ask,
                    reason,
                });
            }
            return false;
        }
        let until = around.now.after(PATIENCE);
        pending.prediction = PendingPrediction::Asked {
            ask,
            until,
            is_first,
        };
        if is_first {
            // It races on nothing yet.
            pending.stage = RequestStage::Waiting { until };
        }
        around.outbox.put(Order::Predict {
            request,
            spot: spot(document, open, place.at),
            ask,
            threshold: threshold(open, ask, around),
        });
        true
    }

    /// The predictor has answered.
    pub(crate) fn predicted(
        &mut self,
        request: RequestId,
        prediction: Option<CursorPrediction>,
        withheld: usize,
        around: &mut RequestContext<'_>,
    ) {
        let found = self.pending.get(&request).cloned();
        let Some((document, kind)) = found else {
            return around.outbox.ignore(None, Reason::UnknownId);
        };
        let of_document = self.by_document.entry(document.clone()).or_default();
        let Some(pending) = of_document.pending_mut(kind) else {
            return;
        };
        let PendingPrediction::Asked { ask, is_first, .. } = pending.prediction else {
            return around.outbox.ignore(Some(&document), Reason::UnknownId);
        };
        let judged = self.judge_prediction(&document, kind, ask, prediction, withheld, around);
        match judged {
            Ok(offer) => self.answer_at_once(&document, kind, offer, around),
            Err(reason) => {
                if reason != Reason::NothingFound {
                    let outbox = &mut around.outbox;
                    outbox.note(Note::PredictionDropped {
                        request,
                        ask,
                        reason,
                    });
                }
                self.go_on_without(&document, kind, ask, is_first, around);
            }
        }
        self.rearm(&document);
    }

    /// Deals with what is due of a request's question. Returns whether there was anything.
    pub(super) fn predict_when_due(
        &mut self,
        document: &DocumentId,
        kind: RequestKind,
        around: &mut RequestContext<'_>,
    ) -> bool {
        let of_document = self.by_document.get(document);
        let pending = of_document.and_then(|of_document| of_document.pending(kind));
        let Some(pending) = pending else {
            return false;
        };
        let is_due = pending
            .prediction
            .due()
            .is_some_and(|due| due <= around.now);
        match pending.prediction {
            PendingPrediction::Asked { ask, is_first, .. } if is_due => {
                // The driver says nothing.
                self.go_on_without(document, kind, ask, is_first, around);
                true
            }
            PendingPrediction::Due(_) if is_due => {
                let ask = PredictionAsk::Pause;
                if !self.ask_predictor(document, kind, ask, false, around) {
                    self.go_on_without(document, kind, ask, false, around);
                }
                true
            }
            _ => false,
        }
    }

    /// Looks after the model that is still to be asked. Returns whether that was due.
    pub(super) fn pursue_when_due(
        &mut self,
        document: &DocumentId,
        around: &mut RequestContext<'_>,
    ) -> bool {
        let of_document = self.by_document.entry(document.clone()).or_default();
        let is_due = |due: Moment| due <= around.now;
        if !of_document.instant.due().is_some_and(is_due) {
            return false;
        }
        if let Some(pursuit) = of_document.instant.pursuit.take() {
            self.pursue(document, pursuit, around);
        }
        true
    }

    /// Whether a late answer may take the place of what was said at once and contradicts it: the person has
    /// paused, and has not typed into a text that begins alike. If only the pause is missing, it is
    /// looked at again then.
    pub(super) fn may_replace(
        &mut self,
        document: &DocumentId,
        shown: usize,
        late: Option<&CarriedOffer>,
        around: &RequestContext<'_>,
    ) -> bool {
        let kind = RequestKind::Inline;
        let of_document = self.by_document.entry(document.clone()).or_default();
        let held = of_document.carried(kind).and_then(|it| it.held.get(shown));
        let Some((held, late)) = held.filter(|held| held.is_prediction()).zip(late) else {
            return false;
        };
        if held.is_typed_into() && held.begins_like(late) {
            return false;
        }
        let Some(open) = around.documents.get(document) else {
            return false;
        };
        let pause = pause_after(open, around.now);
        if pause <= around.now {
            return true;
        }
        let request = of_document.carried(kind).and_then(|it| it.names.last());
        let place = of_document.cursor.clone();
        let here = place.filter(|place| place.text == open.text);
        if let Some((request, place)) = request.map(|name| name.request).zip(here) {
            of_document.instant.pursuit = Some(ModelPursuit {
                request,
                place,
                due: pause,
                is_queued: false,
            });
        }
        false
    }

    /// Whether a prediction may be shown, as an offer.
    fn judge_prediction(
        &self,
        document: &DocumentId,
        kind: RequestKind,
        ask: PredictionAsk,
        prediction: Option<CursorPrediction>,
        withheld: usize,
        around: &RequestContext<'_>,
    ) -> Result<Offer, Reason> {
        let of_document = self.by_document.get(document);
        let open = around.documents.get(document);
        let (of_document, open) = of_document.zip(open).ok_or(Reason::UnknownDocument)?;
        let pending = of_document.pending(kind).ok_or(Reason::UnknownId)?;
        let nothing = if withheld > 0 {
            Reason::TouchesSecret
        } else {
            Reason::NothingFound
        };
        let CursorPrediction {
            candidate,
            probability,
        } = prediction.ok_or(nothing)?;
        if candidate.document != *document {
            return Err(Reason::Elsewhere);
        }
        if probability < threshold(open, ask, around) {
            return Err(Reason::Unsure);
        }
        let AnsweredPlace { at, text } = &pending.place;
        let cursor = CursorPosition::of(*at, text);
        let version = may_be_shown(&candidate, document, kind, cursor, around)?;
        let memory = around.rejections;
        if memory.find_begun(document, text, &candidate.edit).is_some() {
            return Err(Reason::PreviouslyRejected);
        }
        let trimmed = candidate
            .edit
            .trimmed(text)
            .map_err(|_| Reason::OutOfStep)?;
        let parts = trimmed.replacements().iter().map(Replacement::new_text);
        let characters = parts.map(|new_text| new_text.chars().count());
        if characters.sum::<usize>() < SHORTEST {
            return Err(Reason::TooShort);
        }
        let mut written = candidate.edit.replacements().iter();
        let is_deleted = |it: &Replacement| {
            let quiet = &of_document.instant.quiet;
            it.range().start() == *at && quiet.is_deleted(&pending.place, it.new_text())
        };
        if written.any(is_deleted) {
            return Err(Reason::JustDeleted);
        }
        Ok(Offer {
            candidate,
            version,
            lane: LaneKind::Fim,
            from: OfferedFrom::AtOnce,
        })
    }

    /// Answers a request with a prediction. A model that fills in and runs already goes on.
    fn answer_at_once(
        &mut self,
        document: &DocumentId,
        kind: RequestKind,
        offer: Offer,
        around: &mut RequestContext<'_>,
    ) {
        let Some(pending) = self.take(document, kind) else {
            return;
        };
        let lanes = self.leave_race(document, &pending, around);
        let request = pending.request;
        let offers = vec![offer];
        around.outbox.counts.answered_at_once += 1;
        self.give(document, kind, request, &offers, around);
        let of_document = self.by_document.entry(document.clone()).or_default();
        if let Some(carried) = of_document.carried_mut(kind) {
            carried.answered_at = Some(pending.place.clone());
        }
        around.outbox.put(Order::Answer {
            request,
            answer: Answer::Candidates(offers),
            lanes,
        });
        let pursuit = ModelPursuit {
            request,
            place: pending.place,
            due: pending.due,
            is_queued: false,
        };
        self.pursue_later(document, pursuit, around);
    }

    /// Ends the race of a request that is answered without it: lanes that nobody needs any more are
    /// stopped, but for a model that fills in.
    fn leave_race(
        &mut self,
        document: &DocumentId,
        pending: &PendingRequest,
        around: &mut RequestContext<'_>,
    ) -> Vec<LaneReport> {
        let mut reports = Vec::new();
        for runner in pending.runners() {
            if runner.is_repeated {
                continue;
            }
            let lane = runner.lane;
            let call = self.call_of(document, lane);
            let is_here = call.is_some_and(|call| call.place == pending.place);
            if runner.end.is_some() || is_here || runner.is_shared {
                let end = runner.end.map_or(around.now, |(end, _)| end);
                reports.push(LaneReport {
                    lane,
                    took_ms: end.since(runner.since),
                    lost: Some(match runner.end {
                        Some((_, Some(reason))) => reason,
                        Some((_, None)) | None => Reason::Outrun,
                    }),
                });
            }
            let goes_on = lane == LaneKind::Fim && call.is_some_and(|call| call.is_patient);
            let of_document = self.by_document.get(document);
            let is_raced = of_document.is_some_and(|it| it.is_raced(lane));
            if is_here && !goes_on && !is_raced {
                self.stop_call(document, lane, Reason::Outrun, around);
            }
        }
        reports
    }

    /// Lets a request go on that the predictor had nothing for.
    fn go_on_without(
        &mut self,
        document: &DocumentId,
        kind: RequestKind,
        ask: PredictionAsk,
        is_first: bool,
        around: &mut RequestContext<'_>,
    ) {
        let Some(open) = around.documents.get(document) else {
            return;
        };
        let of_document = self.by_document.entry(document.clone()).or_default();
        let Some(pending) = of_document.pending_mut(kind) else {
            return;
        };
        let pause = pause_after(open, around.now);
        pending.prediction = match ask {
            PredictionAsk::Key if pause > around.now => PendingPrediction::Due(pause),
            PredictionAsk::Key | PredictionAsk::Pause => PendingPrediction::Over,
        };
        if is_first {
            self.wait_for_lanes(document, kind, around);
        } else {
            let question = LaneQuestion {
                cause: pending.cause,
                kind,
                place: &pending.place.clone(),
                open,
            };
            let lanes = EligibleLanes::of(document, question, None, of_document, around);
            self.conclude(document, kind, lanes.without_any(), around);
        }
    }

    /// Asks a model later on, if one fills in here.
    fn pursue_later(
        &mut self,
        document: &DocumentId,
        pursuit: ModelPursuit,
        around: &RequestContext<'_>,
    ) {
        let Some(open) = around.documents.get(document) else {
            return;
        };
        let settings = around.settings_of(open);
        let fim = &settings.lanes.fim;
        let has_model = fim.enabled && fim.tells_others();
        // Also the first request in a document waits: something is shown by now.
        let soonest = around.now.after(settings.pace.min.get());
        let pursuit = ModelPursuit {
            due: pursuit.due.max(soonest),
            ..pursuit
        };
        let of_document = self.by_document.entry(document.clone()).or_default();
        of_document.instant.pursuit = Some(pursuit).filter(|_| has_model);
        self.rearm(document);
    }

    /// Asks a model in the name of a request that was answered at once, as if that had waited for it; or
    /// looks again at what it has answered.
    pub(super) fn pursue(
        &mut self,
        document: &DocumentId,
        pursuit: ModelPursuit,
        around: &mut RequestContext<'_>,
    ) {
        let (lane, kind) = (LaneKind::Fim, RequestKind::Inline);
        let (request, place) = (pursuit.request, pursuit.place.clone());
        let Some(open) = around.documents.get(document) else {
            return;
        };
        let of_document = self.by_document.entry(document.clone()).or_default();
        let is_there = of_document.cursor.as_ref() == Some(&place) && place.text == open.text;
        if !is_there || of_document.pending(kind).is_some() || around.is_ending {
            return;
        }
        let call = of_document.call(lane);
        let is_answered = |call: &LaneCall| matches!(call.state, CallState::Answered(_));
        if call.is_some_and(|call| call.place == place && is_answered(call)) {
            if let Ok(LateAnswer::Waits) = self.carry_late(document, lane, false, around) {
                self.offer_late(document, lane, around);
            }
            return;
        }
        // Another call of that name still runs, and theirs could not be told apart.
        if self.running.contains_key(&(request, lane)) {
            return;
        }
        let question = LaneQuestion {
            cause: RequestCause::Automatic,
            kind,
            place: &place,
            open,
        };
        let of_document = self.by_document.entry(document.clone()).or_default();
        let lanes = EligibleLanes::of(document, question, Some(around.now), of_document, around);
        let only = lanes.only(lane);
        if !lanes.to_start.contains(&lane) {
            return note_spared(&only, request, around);
        }
        let settings = around.settings_of(open);
        for other in LaneKind::ALL {
            let call = self.call_of(document, other);
            let is_elsewhere = call.is_some_and(|call| {
                // What the person asks for goes first.
                let is_automatic = call.cause == RequestCause::Automatic;
                is_automatic && call.deadline().is_some() && call.place != place
            });
            let is_in_the_way = share_server(settings, lane, other)
                || self.is_about_another_text(document, other, &place, open);
            if other == lane || is_elsewhere && is_in_the_way {
                self.make_way(document, other, kind, around);
            }
        }
        if !self.is_server_free(document, lane, RequestCause::Automatic, around) {
            let of_document = self.by_document.entry(document.clone()).or_default();
            of_document.instant.pursuit = Some(ModelPursuit {
                is_queued: true,
                ..pursuit
            });
            self.has_queued = true;
            return;
        }
        note_spared(&only, request, around);
        gather(request, spot(document, open, place.at), open, around);
        let caller = LaneCaller {
            request,
            kind,
            cause: RequestCause::Automatic,
            place: &place,
            cap: cap(RequestCause::Automatic, settings),
        };
        self.call(document, lane, caller, around);
        around.outbox.counts.requests_started += 1;
    }
}

/// How likely a prediction must be to be shown.
fn threshold(open: &Document, ask: PredictionAsk, around: &RequestContext<'_>) -> TextProbability {
    let settings = &around.settings_of(open).recall;
    match ask {
        PredictionAsk::Key => settings.key_threshold,
        PredictionAsk::Pause => settings.threshold,
    }
}

/// When it is a pause, if the person types nothing more.
fn pause_after(open: &Document, now: Moment) -> Moment {
    open.typed.map_or(now, |typed| typed.after(PAUSE))
}
