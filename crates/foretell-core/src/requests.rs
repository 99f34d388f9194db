//! Requests: from the editor's question to its one answer, which is the ghost text or next edit it draws.
//!
//! A request is judged when it comes ([`Requests::ask`]): whether it may be asked at all, whether it
//! takes the place of an older one, which lanes it needs ([`eligible`]). If any lane has to be
//! started it waits for the person to pause, while the context is gathered; then the lanes start
//! ([`Requests::handle_timeout`]), and it is answered when they have ended or their time is up
//! ([`race`], [`lane_endings`]).
//!
//! A newer request of the same kind for the same document takes the place of the older, which is
//! answered `Superseded`. At the same text and place it *joins*: it has waited as long, and the
//! lanes that run are its own. At another text or place the lanes of the older go on running until
//! the newer starts its own.
//!
//! Every request is answered exactly once, whatever happens to its document. No lane is started
//! twice in a row for the same text and place unless the person asks, the first call never came back,
//! or its answer was forgotten: with the document that was left, or with a change of another that was
//! taken back or gone on with.

mod carried;
mod carried_offers;
mod document_requests;
mod eligible;
mod instant_answers;
mod kept_answers;
mod lane_calls;
mod lane_endings;
mod late_calls;
mod offer_cursor;
mod quiet_places;
mod race;
mod second_look;
mod server_queue;
mod work_ahead;

use std::collections::{BTreeMap, BTreeSet};

use foretell_settings::Settings;
use foretell_text::{ByteOffset, Diagnostic, DocumentId, Edit, LaneKind, Text};

use crate::action::{Answer, Order, Spot};
use crate::documents::{Document, Documents, TextSync};
use crate::editor_focus::EditorFocus;
use crate::event::{RequestCause, RequestId, RequestKind, SuggestionId, SuggestionRequest};
use crate::fix_trials::FixTrials;
use crate::gate::Gate;
use crate::lane_health::LaneHealth;
use crate::moment::Moment;
use crate::note::Note;
use crate::outbox::Outbox;
use crate::pace::Pace;
use crate::reason::Reason;
use crate::recent_changes::RecentChange;
use crate::rejection_memory::{RejectedExtent, RejectionMemory};
use crate::trigger;
use carried::CarriedOffer;
pub(crate) use carried::{OfferFate, OvertypedOffer};
pub(crate) use document_requests::LaneCandidates;
use document_requests::{
    AnsweredPlace, CallState, DocumentRequests, LaneCall, PendingRequest, Race, RequestStage,
};
use eligible::{EligibleLanes, GatedLane, LaneQuestion};
use instant_answers::PendingPrediction;
use kept_answers::KeptAnswers;
use lane_calls::LaneCaller;
use second_look::SecondLooks;
use work_ahead::AheadPlan;

/// How many requests may be without an answer.
pub(crate) const MOST_PENDING: usize = 1_000;

/// Every request that has no answer yet, every call, and the last answers.
#[derive(Debug, Default)]
pub(crate) struct Requests {
    by_document: BTreeMap<DocumentId, DocumentRequests>,
    /// Where the requests are that have no answer.
    pending: BTreeMap<RequestId, (DocumentId, RequestKind)>,
    /// Where the last answers were given.
    given: BTreeMap<RequestId, DocumentId>,
    /// The documents that something was answered about elsewhere, and where.
    abroad: BTreeMap<DocumentId, BTreeSet<DocumentId>>,
    /// Where the calls are that run.
    running: BTreeMap<(RequestId, LaneKind), DocumentId>,
    /// When something is due, and where.
    alarms: BTreeSet<(Moment, DocumentId)>,
    /// What models have answered.
    kept: KeptAnswers,
    /// Whether lanes may be waiting for a server.
    has_queued: bool,
    /// What models are asked before anybody asks.
    ahead: AheadPlan,
    /// Where else models may be asked.
    second_looks: SecondLooks,
    /// Whether the editor asks when it is told to.
    asks_when_told: bool,
}

/// The parts of the machine that requests need.
pub(crate) struct RequestContext<'a> {
    pub(crate) now: Moment,
    pub(crate) settings: &'a Settings,
    /// Whether nothing is begun any more.
    pub(crate) is_ending: bool,
    /// Whether no lane is asked that tells others.
    pub(crate) is_contested: bool,
    /// Whether there is a predictor that answers at once.
    pub(crate) has_predictor: bool,
    pub(crate) documents: &'a Documents,
    pub(crate) rejections: &'a RejectionMemory,
    pub(crate) gate: &'a mut Gate,
    pub(crate) lane_health: &'a mut LaneHealth,
    pub(crate) pace: &'a mut Pace,
    pub(crate) focus: &'a mut EditorFocus,
    pub(crate) fix_trials: &'a FixTrials,
    pub(crate) outbox: &'a mut Outbox,
}

impl<'a> RequestContext<'a> {
    /// The settings of a document's language.
    fn settings_of(&self, open: &Document) -> &'a Settings {
        self.settings.for_language(open.language.as_str())
    }
}

impl Requests {
    /// Takes a request.
    pub(crate) fn ask(&mut self, asked: &SuggestionRequest, around: &mut RequestContext<'_>) {
        let (request, document) = (asked.request, &asked.document);
        if self.pending.contains_key(&request) {
            // An answer could not say to which of the two it belongs.
            return around.outbox.ignore(Some(document), Reason::AlreadyAsked);
        }
        around.outbox.counts.requests += 1;
        // Lanes may still run for a request of that name that has its answer, and what they say
        // could not be told apart from what they say to this one.
        let is_name_taken = LaneKind::ALL
            .iter()
            .any(|lane| self.running.contains_key(&(request, *lane)));
        let admitted = if is_name_taken {
            Err(Reason::AlreadyAsked)
        } else {
            admit(asked, around)
        };
        let open = match admitted {
            Ok(open) => open,
            // A request that never begins takes no other's place.
            Err(reason) => return withhold(asked, reason, around),
        };
        let place = AnsweredPlace {
            at: asked.at,
            text: open.text.clone(),
        };
        let of_document = self.by_document.entry(document.clone()).or_default();
        of_document.cursor = Some(place.clone());
        let older = of_document.pending(asked.kind);
        // A request whose lane was taken by one of the other kind has nothing to share.
        if older.is_some_and(|older| older.place == place && !older.is_robbed()) {
            return self.join(asked, around);
        }
        self.supersede(asked, around);
        self.begin(asked, place, open, around);
        self.rearm(document);
    }

    /// The editor no longer wants an answer.
    pub(crate) fn cancel(&mut self, request: RequestId, around: &mut RequestContext<'_>) {
        let Some((document, kind)) = self.pending.get(&request).cloned() else {
            return around.outbox.ignore(None, Reason::UnknownId);
        };
        if let Some(pending) = self.take(&document, kind) {
            self.stop_raced(&document, &pending, Reason::Cancelled, around);
            self.withhold_pending(&pending, Reason::Cancelled, around);
        }
        self.rearm(&document);
    }

    /// Takes note of what the editor can do.
    pub(crate) fn connect(&mut self, asks_when_told: bool) {
        self.asks_when_told = asks_when_told;
    }

    /// Starts what has waited long enough, and stops what has run for too long.
    pub(crate) fn handle_timeout(&mut self, around: &mut RequestContext<'_>) {
        while let Some((due, document)) = self.alarms.first().cloned() {
            if due > around.now {
                break;
            }
            let of_document = self.by_document.entry(document.clone()).or_default();
            if let Some(kind) = of_document.due_request(around.now) {
                if self.predict_when_due(&document, kind, around) {
                    self.rearm(&document);
                    continue;
                }
                let of_document = self.by_document.entry(document.clone()).or_default();
                let pending = of_document.pending(kind);
                if pending.is_some_and(|it| matches!(it.stage, RequestStage::Racing(_))) {
                    self.take_so_far(&document, kind, around);
                    self.miss(&document, kind);
                    self.conclude(&document, kind, Reason::TimedOut, around)
                } else {
                    self.start(&document, kind, around)
                }
            } else if !self.pursue_when_due(&document, around) {
                let of_document = self.by_document.entry(document.clone()).or_default();
                let overdue = of_document.overdue(around.now);
                self.end_overdue(&document, &overdue, around);
            }
            self.rearm(&document);
        }
        self.work_ahead(around);
    }

    /// When something is due next.
    pub(crate) fn next_timeout(&self) -> Option<Moment> {
        let alarm = self.alarms.first().map(|(moment, _)| *moment);
        alarm.into_iter().chain(self.ahead.next_timeout()).min()
    }

    /// Whether a place of a document's text is asked about already.
    pub(crate) fn is_asked(&self, document: &DocumentId, text: &Text, at: ByteOffset) -> bool {
        let of_document = self.by_document.get(document);
        of_document.is_some_and(|of_document| of_document.is_asked(text, at))
    }

    /// Since when a lane is being asked for a request, if it still is: in its own name, or in that of an
    /// older one whose call it shared.
    pub(crate) fn asked_since(&self, request: RequestId, lane: LaneKind) -> Option<Moment> {
        let calls = self.by_document.values().filter_map(|it| it.call(lane));
        let mut running = calls.filter(|call| call.deadline().is_some());
        let call = running.find(|call| call.request == request || call.missed_by == request)?;
        Some(call.started)
    }

    /// Whether a lane works on some text of a document.
    pub(crate) fn is_running(&self, document: &DocumentId) -> bool {
        let of_document = self.by_document.get(document);
        of_document.is_some_and(DocumentRequests::is_running)
    }

    /// Carries what was answered over a change of a document, and says what that has done to what was
    /// offered.
    pub(crate) fn follow(
        &mut self,
        document: &DocumentId,
        change: &RecentChange,
    ) -> Vec<OvertypedOffer> {
        let mut overtyped = Vec::new();
        if let Some(of_document) = self.by_document.get_mut(document) {
            of_document.instant.follow(change);
            self.rearm(document);
        }
        self.kept.follow(document);
        let abroad = self.abroad.get(document).into_iter().flatten();
        for asked_in in [document].into_iter().chain(abroad) {
            if let Some(of_document) = self.by_document.get_mut(asked_in) {
                overtyped.extend(of_document.follow(document, change));
            }
        }
        if change.may_unsettle() {
            for (asked_in, of_document) in &mut self.by_document {
                of_document.doubt(document, change);
                if asked_in != document {
                    of_document.doubt_call(change);
                }
            }
        }
        overtyped
    }

    /// Compilers say something else of a document. Says whether a fix was withdrawn that was on offer.
    pub(crate) fn diagnosed(&mut self, document: &DocumentId, diagnostics: &[Diagnostic]) -> bool {
        let Some(of_document) = self.by_document.get_mut(document) else {
            return false;
        };
        of_document.forget_answer(LaneKind::Fix);
        let was_offered = of_document.expect_reported(document, diagnostics);
        self.rearm(document);
        was_offered
    }

    /// Whether there is a request for a place of a document's text that has no answer yet.
    pub(crate) fn is_pending(&self, document: &DocumentId, text: &Text, at: ByteOffset) -> bool {
        let of_document = self.by_document.get(document);
        of_document.is_some_and(|of_document| {
            let mut pending = of_document.all_pending();
            pending.any(|it| it.place.at == at && it.place.text == *text)
        })
    }

    /// A suggestion, if it was one of the last.
    pub(crate) fn suggestion(&self, suggestion: SuggestionId) -> Option<&CarriedOffer> {
        let document = self.given.get(&suggestion.request)?;
        self.by_document.get(document)?.suggestion(suggestion)
    }

    /// Whether an edit of a document's text does what was offered.
    pub(crate) fn is_offered(&self, document: &DocumentId, text: &Text, edit: &Edit) -> bool {
        let all = self.by_document.values();
        let given = all.flat_map(DocumentRequests::all_carried);
        let mut offers = given.flat_map(|given| &given.held);
        offers.any(|it| it.document == *document && it.is_meant_by(edit, text))
    }

    /// Returns a suggestion's name in the latest answer that it was in.
    pub(crate) fn latest_name(&self, suggestion: SuggestionId) -> Option<SuggestionId> {
        let document = self.given.get(&suggestion.request)?;
        self.by_document.get(document)?.latest_name(suggestion)
    }

    /// Shows a suggestion no longer: it was accepted or rejected. Says whether it was shown until now.
    pub(crate) fn end_suggestion(&mut self, suggestion: SuggestionId) -> bool {
        let document = self.given.get(&suggestion.request);
        let of_document = document.and_then(|document| self.by_document.get_mut(document));
        let held = of_document.and_then(|of_document| of_document.suggestion_mut(suggestion));
        held.is_some_and(|held| {
            let was_shown = !held.is_over();
            held.end();
            was_shown
        })
    }

    /// Lets a suggestion that was rejected go, and the rest of its answer.
    pub(crate) fn refuse(&mut self, now: Moment, suggestion: SuggestionId) {
        let refused_at = self.suggestion(suggestion).and_then(CarriedOffer::place);
        self.end_suggestion(suggestion);
        let Some(document) = self.given.get(&suggestion.request).cloned() else {
            return;
        };
        if let Some(of_document) = self.by_document.get_mut(&document) {
            of_document.refuse(|given| given.place_of(suggestion).is_some());
            if let Some(at) = refused_at {
                of_document.instant.refuse(now, at);
            }
        }
        self.forget_ahead(&document);
        self.rearm(&document);
    }

    /// The same for every suggestion that does what a rejected edit of a document's text does. Says how much is
    /// rejected with it.
    pub(crate) fn refuse_edit(
        &mut self,
        now: Moment,
        document: &DocumentId,
        text: &Text,
        edit: &Edit,
    ) -> RejectedExtent {
        let mut extent = RejectedExtent::Whole;
        let has_effect = edit.effect(text).is_ok_and(|it| !it.is_nothing());
        let Some(edit) = edit.trimmed(text).ok().filter(|_| has_effect) else {
            return extent;
        };
        self.forget_ahead(document);
        let here = self.by_document.get_mut(document);
        if let Some((of_document, span)) = here.zip(edit.span()) {
            of_document.instant.refuse(now, span.start());
            self.rearm(document);
        }
        for of_document in self.by_document.values_mut() {
            of_document.refuse(|given| {
                let held = given.held.iter_mut();
                let meant =
                    held.filter(|it| it.document == *document && it.is_meant_by(&edit, text));
                let refused = meant.map(|held| {
                    if held.extent() == RejectedExtent::Beginning {
                        extent = RejectedExtent::Beginning;
                    }
                    held.end();
                });
                refused.count() > 0
            });
        }
        extent
    }

    /// The person has gone to another document.
    pub(crate) fn left(&mut self, document: &DocumentId, gate: &mut Gate) {
        gate.forget(document);
        if let Some(of_document) = self.by_document.get_mut(document) {
            of_document.forget_answer(LaneKind::Fim);
        }
    }

    /// Answers everything that is asked, and stops everything that runs.
    pub(crate) fn stop(&mut self, reason: Reason, around: &mut RequestContext<'_>) {
        let documents: Vec<DocumentId> = self.by_document.keys().cloned().collect();
        for document in documents {
            self.end_all(&document, reason, around);
        }
    }

    /// Answers everything that is asked of a document, which has no text any more that could be
    /// asked about.
    pub(crate) fn end_all(
        &mut self,
        document: &DocumentId,
        reason: Reason,
        around: &mut RequestContext<'_>,
    ) {
        for kind in [RequestKind::Inline, RequestKind::Edit] {
            if let Some(pending) = self.take(document, kind) {
                self.withhold_pending(&pending, reason, around);
            }
        }
        for lane in LaneKind::ALL {
            self.stop_call(document, lane, reason, around);
        }
        around.gate.forget(document);
        self.kept.forget(document);
        self.ahead.lose(document);
        for asked_in in self.abroad.remove(document).into_iter().flatten() {
            if let Some(of_document) = self.by_document.get_mut(&asked_in) {
                of_document.lose(document);
            }
        }
        if let Some(of_document) = self.by_document.remove(document) {
            self.forget_abroad(document);
            for request in of_document.given() {
                self.forget_given(request, document);
            }
            if let Some(alarm) = of_document.alarm {
                self.alarms.remove(&(alarm, document.clone()));
            }
        }
    }

    /// Checks what every event keeps.
    pub(crate) fn assert_invariants<'t>(&self, text_of: impl Fn(&DocumentId) -> Option<&'t Text>) {
        let is_open = |document: &DocumentId| text_of(document).is_some();
        assert!(self.by_document.keys().all(is_open), "only what is open");
        let abroad = self.abroad.iter();
        let mut abroad = abroad.flat_map(|(about, asked_in)| asked_in.iter().chain([about]));
        assert!(abroad.all(is_open), "nor is anything kept of others");
        self.ahead.assert_invariants(is_open);
        for carried in self
            .by_document
            .values()
            .flat_map(DocumentRequests::all_carried)
        {
            carried.assert_invariants(&text_of);
        }
        assert!(self.pending.len() <= MOST_PENDING);
        let pending = self
            .by_document
            .values()
            .flat_map(DocumentRequests::all_pending);
        let pending: BTreeSet<_> = pending.map(|pending| pending.request).collect();
        assert_eq!(pending, self.pending.keys().copied().collect());
        let alarms: BTreeSet<_> = self
            .by_document
            .iter()
            .filter_map(|(document, of_document)| {
                Some((of_document.next_timeout()?, document.clone()))
            })
            .collect();
        assert_eq!(
            alarms, self.alarms,
            "every of_document has its alarm, and no other"
        );
        for (document, of_document) in &self.by_document {
            for lane in LaneKind::ALL {
                let running = of_document
                    .call(lane)
                    .filter(|call| call.deadline().is_some());
                let is_known = running
                    .is_none_or(|call| self.running.get(&(call.request, lane)) == Some(document));
                assert!(is_known, "what runs can be found by its name");
                assert!(
                    running.is_some() || !of_document.is_raced(lane),
                    "a race is on a call"
                );
            }
        }
    }

    /// Forgets that something was answered in a document about others.
    fn forget_abroad(&mut self, asked_in: &DocumentId) {
        self.abroad.retain(|_, all| {
            all.remove(asked_in);
            !all.is_empty()
        });
    }

    /// A newer request asks the same as one that is pending.
    fn join(&mut self, asked: &SuggestionRequest, around: &mut RequestContext<'_>) {
        let SuggestionRequest {
            request,
            ref document,
            cause,
            kind,
            ..
        } = *asked;
        let Some(mut pending) = self.take(document, kind) else {
            return;
        };
        let older = std::mem::replace(&mut pending.request, request);
        around.outbox.put(Order::Join { request, older });
        around.outbox.put(Order::Answer {
            request: older,
            answer: Answer::Withheld(Reason::Superseded),
            lanes: Vec::new(),
        });
        let becomes_explicit =
            cause == RequestCause::Explicit && pending.cause == RequestCause::Automatic;
        pending.cause = pending.cause.max(cause);
        if becomes_explicit {
            // A person who asks by a key waits longer.
            pending.ends = None;
            pending.prediction = PendingPrediction::Unwanted;
        }
        let is_waiting = matches!(pending.stage, RequestStage::Waiting { .. });
        let may_start = is_waiting || becomes_explicit || pending.has_queued();
        self.put(document, pending);
        if let Some(open) = around.documents.get(document).filter(|_| may_start) {
            // Its lanes will be started in the newer name.
            let spot = spot(document, open, asked.at);
            gather(request, spot, open, around);
        }
        if becomes_explicit {
            // A request of the person's does not wait, and passes the gate.
            self.start(document, kind, around);
        }
        self.rearm(document);
    }

    /// Answers the request that a newer one takes the place of.
    fn supersede(&mut self, asked: &SuggestionRequest, around: &mut RequestContext<'_>) {
        if let Some(older) = self.take(&asked.document, asked.kind) {
            self.withhold_pending(&older, Reason::Superseded, around);
            self.rearm(&asked.document);
        }
    }

    /// Lets a request that was admitted begin.
    fn begin(
        &mut self,
        asked: &SuggestionRequest,
        place: AnsweredPlace,
        open: &Document,
        around: &mut RequestContext<'_>,
    ) {
        let SuggestionRequest {
            request,
            ref document,
            cause,
            kind,
            ..
        } = *asked;
        let settings = around.settings_of(open);
        let is_first = around.focus.take_first_request(document);
        let of_document = self.by_document.entry(document.clone()).or_default();
        let question = LaneQuestion {
            cause,
            kind,
            place: &place,
            open,
        };
        let lanes = EligibleLanes::of(document, question, None, of_document, around);
        let millis = wait_before_lanes(&lanes, question, is_first, around);
        // Known answers may settle it, and running calls have their own time.
        let cap = around.now.after(cap(cause, settings));
        let race = Race::begin(lanes.runners(of_document, around.now), around.now, cap);
        let stage = RequestStage::Racing(race);
        let pending = PendingRequest {
            request,
            kind,
            cause,
            place,
            stage,
            due: around.now.after(millis),
            ends: None,
            has_started: false,
            prediction: PendingPrediction::Unwanted,
        };
        self.put(document, pending);
        if self.go_on_showing(document, kind, around) {
            return;
        }
        let is_settled = self.is_settled(document, kind, around);
        if !is_settled && cause == RequestCause::Automatic {
            if let Some(offers) = self.carried_offers(document, kind, around) {
                return self.answer_carried(document, kind, offers, around);
            }
            if self.recall(document, kind, around) {
                return self.start(document, kind, around);
            }
        }
        if !is_settled && self.offer_first_line(document, LaneKind::Fim, around) {
            return;
        }
        if is_settled || !self.predict_first(document, kind, around) {
            self.wait_for_lanes(document, kind, around);
        }
    }

    /// Lets a request that has begun wait until its lanes may start, unless it needs none.
    fn wait_for_lanes(
        &mut self,
        document: &DocumentId,
        kind: RequestKind,
        around: &mut RequestContext<'_>,
    ) {
        let Some(open) = around.documents.get(document) else {
            return;
        };
        let of_document = self.by_document.entry(document.clone()).or_default();
        let Some(pending) = of_document.pending(kind) else {
            return;
        };
        if pending.place.text != open.text {
            // The text moved on while the predictor was asked, and there was no newer request.
            if let Some(pending) = self.take(document, kind) {
                self.withhold_pending(&pending, Reason::Overtaken, around);
            }
            return;
        }
        let (request, due, at) = (pending.request, pending.due, pending.place.at);
        let question = LaneQuestion {
            cause: pending.cause,
            kind,
            place: &pending.place,
            open,
        };
        let lanes = EligibleLanes::of(document, question, None, of_document, around);
        if matches!(pending.stage, RequestStage::Waiting { .. }) {
            let cap = around
                .now
                .after(cap(pending.cause, around.settings_of(open)));
            let race = Race::begin(lanes.runners(of_document, around.now), around.now, cap);
            if let Some(pending) = of_document.pending_mut(kind) {
                pending.stage = RequestStage::Racing(race);
            }
        }
        let is_settled = self.is_settled(document, kind, around);
        if is_settled || lanes.to_start.is_empty() {
            note_spared(&lanes, request, around);
            return self.conclude(document, kind, lanes.without_any(), around);
        }

        gather(request, spot(document, open, at), open, around);
        let millis = due.since(around.now);
        if millis == 0 {
            return self.start(document, kind, around);
        }
        around.outbox.note(Note::Waits { request, millis });
        let of_document = self.by_document.entry(document.clone()).or_default();
        if let Some(pending) = of_document.pending_mut(kind) {
            pending.stage = RequestStage::Waiting { until: due };
        }
    }

    /// Starts the lanes of a request whose wait is over.
    fn start(&mut self, document: &DocumentId, kind: RequestKind, around: &mut RequestContext<'_>) {
        let Some(open) = around.documents.get(document) else {
            return;
        };
        let Some(mut pending) = self.take(document, kind) else {
            return;
        };
        if pending.place.text != open.text {
            // The text moved on, and there was no newer request.
            return self.withhold_pending(&pending, Reason::Overtaken, around);
        }
        let settings = around.settings_of(open);
        let cap = cap(pending.cause, settings);
        let of_document = self.by_document.entry(document.clone()).or_default();
        let question = LaneQuestion {
            cause: pending.cause,
            kind,
            place: &pending.place,
            open,
        };
        let lanes = EligibleLanes::of(document, question, Some(around.now), of_document, around);
        let runners = lanes.runners(of_document, around.now);
        note_spared(&lanes, pending.request, around);
        let running = runners.iter().filter(|it| it.is_running());
        let raced: Vec<LaneKind> = running.map(|runner| runner.lane).collect();
        let (request, cause) = (pending.request, pending.cause);
        let place = pending.place.clone();
        let until = around.now.after(cap);
        let until = pending.ends.map_or(until, |ends| ends.min(until));
        pending.ends = Some(until);
        pending.stage = RequestStage::Racing(Race::begin(runners, around.now, until));
        // It is put among the requests of its document before any lane is started: making way for a lane may end
        // the race of the other request, and that stops every lane that is in no race.
        self.put(document, pending);
        if self.is_settled(document, kind, around) {
            // The answer has come meanwhile.
            return self.conclude(document, kind, lanes.without_any(), around);
        }
        for lane in LaneKind::ALL {
            let is_in_the_way = lanes.to_start.contains(&lane)
                || self.is_about_another_text(document, lane, &place, open);
            if is_in_the_way {
                self.make_way(document, lane, kind, around);
            }
        }
        let caller = LaneCaller {
            request,
            kind,
            cause,
            place: &place,
            cap,
        };
        for lane in &lanes.to_start {
            self.call_when_free(document, *lane, caller, around);
        }
        for lane in raced {
            // A call that is shared has the time it had, or that of what the person asks for.
            let of_document = self.by_document.entry(document.clone()).or_default();
            let call = of_document.call_mut(lane).as_mut();
            if let Some(CallState::Running { deadline }) = call.map(|call| &mut call.state) {
                if cause == RequestCause::Explicit {
                    *deadline = until.max(*deadline);
                }
            }
        }
        self.conclude(document, kind, lanes.without_any(), around);
    }

    /// The call of a lane for a document.
    fn call_of(&self, document: &DocumentId, lane: LaneKind) -> Option<&LaneCall> {
        self.by_document.get(document)?.call(lane)
    }

    /// Forgets where an answer was given, unless another document has answered by that name since.
    fn forget_given(&mut self, request: RequestId, document: &DocumentId) {
        if self.given.get(&request) == Some(document) {
            self.given.remove(&request);
        }
    }

    fn take(&mut self, document: &DocumentId, kind: RequestKind) -> Option<PendingRequest> {
        let taken = self
            .by_document
            .get_mut(document)?
            .pending_mut(kind)
            .take()?;
        self.pending.remove(&taken.request);
        Some(taken)
    }

    fn put(&mut self, document: &DocumentId, pending: PendingRequest) {
        let kind = pending.kind;
        let found_at = (document.clone(), kind);
        self.pending.insert(pending.request, found_at);
        let of_document = self.by_document.entry(document.clone()).or_default();
        *of_document.pending_mut(kind) = Some(pending);
    }

    /// Sets the alarm of a document anew.
    fn rearm(&mut self, document: &DocumentId) {
        let Some(of_document) = self.by_document.get_mut(document) else {
            return;
        };
        let due = of_document.next_timeout();
        if of_document.alarm == due {
            return;
        }
        if let Some(old) = of_document.alarm {
            self.alarms.remove(&(old, document.clone()));
        }
        of_document.alarm = due;
        if let Some(due) = due {
            self.alarms.insert((due, document.clone()));
        }
    }
}

/// Says that context may be gathered for a request, unless its document is too long for that.
fn gather(request: RequestId, spot: Spot, open: &Document, around: &mut RequestContext<'_>) {
    let settings = around.settings_of(open);
    let has_context =
        settings.context.enabled && open.text.line_count() <= settings.trigger.max_lines;
    if has_context {
        around.outbox.put(Order::GatherContext { request, spot });
    }
}

/// A place in the text that is held of a document.
fn spot(document: &DocumentId, open: &Document, at: ByteOffset) -> Spot {
    Spot {
        document: document.clone(),
        version: open.version,
        at,
    }
}

/// Takes note of the lanes that a request does without.
fn note_spared(lanes: &EligibleLanes, request: RequestId, around: &mut RequestContext<'_>) {
    around.outbox.counts.gate_asked += u64::from(lanes.gate.is_some());
    around.outbox.counts.gate_blocked += u64::from(lanes.gate == Some(GatedLane::Blocked));
    for (lane, reason) in lanes.spared.iter().copied() {
        let outbox = &mut around.outbox;
        outbox.note(Note::Spared {
            request,
            lane,
            reason,
        });
        if reason == Reason::OverLimit {
            outbox.put(Order::CheckQuota { lane });
        }
    }
}

/// Whether a request may be asked at all: the document it is about, or the reason why not.
fn admit<'a>(
    asked: &SuggestionRequest,
    around: &RequestContext<'a>,
) -> Result<&'a Document, Reason> {
    if around.is_ending {
        return Err(Reason::ShuttingDown);
    }
    let open = around.documents.get(&asked.document);
    let open = open.ok_or(Reason::UnknownDocument)?;
    let is_another = asked.version.is_some_and(|version| version != open.version);
    if open.step == TextSync::Lost || is_another || open.text.check(asked.at).is_err() {
        return Err(Reason::OutOfStep);
    }
    let settings = around.settings_of(open);
    let is_automatic = asked.cause == RequestCause::Automatic;
    if is_automatic && trigger::is_ignored(&asked.document, &settings.trigger) {
        return Err(Reason::IgnoredDocument);
    }
    Ok(open)
}

/// How long a request waits before its lanes start, in milliseconds. A request for a next edit that costs
/// nothing waits until the person's change is finished, and any other for as long as the pace says; a fix has
/// its own silence beside that.
fn wait_before_lanes(
    lanes: &EligibleLanes,
    question: LaneQuestion<'_>,
    is_first: bool,
    around: &RequestContext<'_>,
) -> u64 {
    let LaneQuestion {
        cause, kind, open, ..
    } = question;
    if cause == RequestCause::Explicit {
        return 0;
    }
    let settings = around.settings_of(open);
    let free_from = lanes.free_from(settings, open);
    let free_from = free_from.filter(|_| kind == RequestKind::Edit);
    let silence = match free_from {
        _ if is_first => 0,
        Some(_) => settings.pace.idle.get(),
        None => {
            let price = lanes.price(settings, around);
            around.pace.wait(around.now, price, &settings.pace)
        }
    };
    let unfinished = free_from.map_or(0, |from| from.since(around.now));
    let fix = lanes.wait_for_fix(question, around.now);
    silence.max(unfinished).max(fix)
}

/// How long a request waits for its lanes at most, in milliseconds.
fn cap(cause: RequestCause, settings: &Settings) -> u64 {
    match cause {
        RequestCause::Automatic => settings.race.cap.get(),
        RequestCause::Explicit => settings.race.explicit_cap.get(),
    }
}

/// Answers a request that never began.
fn withhold(asked: &SuggestionRequest, reason: Reason, around: &mut RequestContext<'_>) {
    if asked.cause == RequestCause::Automatic {
        *around
            .outbox
            .counts
            .requests_saved
            .entry(reason)
            .or_default() += 1;
    }
    around.outbox.put(Order::Answer {
        request: asked.request,
        answer: Answer::Withheld(reason),
        lanes: Vec::new(),
    });
}
