//! The requests of one document that wait for an answer, the calls that lanes
//! were started with, and what was answered last.
//!
//! There is at most one unanswered request of each kind, since a newer one takes the place of an
//! older. There is at most one call of each lane, and requests of both kinds share it: what counts
//! is the place a call was made for. A call that was answered stays until the next one of its lane,
//! so that the same question is not put twice.

use foretell_text::{ByteOffset, Diagnostic, DocumentId, LaneCandidate, LaneKind, PerLane, Text};

use super::carried::{CarriedAnswer, CarriedOffer, OvertypedOffer};
use super::instant_answers::{InstantState, PendingPrediction};
use crate::action::Spot;
use crate::event::{RequestCause, RequestId, RequestKind, SuggestionId};
use crate::moment::Moment;
use crate::reason::Reason;
use crate::recent_changes::RecentChange;

/// Everything that is going on for a document.
#[derive(Debug, Default)]
pub(super) struct DocumentRequests {
    inline: Option<PendingRequest>,
    edit: Option<PendingRequest>,
    calls: PerLane<Option<LaneCall>>,
    /// The last answers, by kind.
    given_inline: Option<CarriedAnswer>,
    given_edit: Option<CarriedAnswer>,
    /// Where the person asked last, unless the cursor has moved since.
    pub(super) cursor: Option<AnsweredPlace>,
    /// What answers at once has to be kept in mind for.
    pub(super) instant: InstantState,
    /// The moment that its alarm is set to.
    pub(super) alarm: Option<Moment>,
}

/// A text and a place in it: what a question is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AnsweredPlace {
    // First, because it is compared first.
    pub(super) at: ByteOffset,
    pub(super) text: Text,
}

/// A request without an answer.
#[derive(Debug)]
pub(super) struct PendingRequest {
    pub(super) request: RequestId,
    pub(super) kind: RequestKind,
    pub(super) cause: RequestCause,
    pub(super) place: AnsweredPlace,
    pub(super) stage: RequestStage,
    /// When the pace lets it start lanes.
    pub(super) due: Moment,
    /// When it is answered at the latest, once its race has begun: starting over gives it no more time.
    pub(super) ends: Option<Moment>,
    /// Whether a lane was started for it.
    pub(super) has_started: bool,
    /// Its question to the predictor that answers at once.
    pub(super) prediction: PendingPrediction,
}

#[derive(Debug)]
pub(super) enum RequestStage {
    /// Until the person pauses.
    Waiting { until: Moment },
    /// For its lanes to end.
    Racing(Race),
}

/// The lanes that a request waits for.
#[derive(Debug)]
pub(super) struct Race {
    /// In order of priority.
    pub(super) runners: Vec<RaceRunner>,
    /// When they were started.
    pub(super) since: Moment,
    /// When nothing is waited for any longer.
    pub(super) cap: Moment,
    /// When it is to be looked at again.
    pub(super) until: Moment,
}

impl PendingRequest {
    /// Whether a request of the other kind has taken one of its lanes.
    pub(super) fn is_robbed(&self) -> bool {
        let mut ends = self.runners().iter().filter_map(|runner| runner.end);
        ends.any(|(_, lost)| lost == Some(Reason::Superseded))
    }

    /// Whether the answer of a lane was there before it was.
    pub(super) fn has_repeated(&self) -> bool {
        self.runners().iter().any(|runner| runner.is_repeated)
    }

    /// The lanes in its race; none while it waits.
    pub(super) fn runners(&self) -> &[RaceRunner] {
        match &self.stage {
            RequestStage::Waiting { .. } => &[],
            RequestStage::Racing(race) => &race.runners,
        }
    }

    /// Whether it waits for a server.
    pub(super) fn has_queued(&self) -> bool {
        self.runners().iter().any(|runner| runner.is_queued)
    }

    /// When it is to be looked at again.
    fn until(&self) -> Moment {
        let until = match &self.stage {
            RequestStage::Waiting { until } | RequestStage::Racing(Race { until, .. }) => *until,
        };
        self.prediction.due().map_or(until, |due| due.min(until))
    }
}

/// A lane in the race for one request.
#[derive(Debug)]
pub(super) struct RaceRunner {
    pub(super) lane: LaneKind,
    pub(super) since: Moment,
    /// When it ended, and why without candidates if so.
    pub(super) end: Option<(Moment, Option<Reason>)>,
    /// Whether its answer was there before the request was.
    pub(super) is_repeated: bool,
    /// Whether its call was under way before the request came.
    pub(super) is_shared: bool,
    /// Whether it has no call yet, because its server is busy.
    pub(super) is_queued: bool,
    /// What it had said for the text of the request when it was no longer waited for.
    pub(super) so_far: Vec<LaneCandidate>,
}

impl RaceRunner {
    /// Whether it has a call that has not ended for the request.
    pub(super) fn is_running(&self) -> bool {
        self.end.is_none() && !self.is_queued
    }
}

/// A lane that was started.
#[derive(Debug)]
pub(super) struct LaneCall {
    /// In whose name, and for what kind of request.
    pub(super) request: RequestId,
    pub(super) kind: RequestKind,
    /// The last request that waited for it in vain: the one that it was made for, or one that shared it.
    pub(super) missed_by: RequestId,
    /// Whether the editor or the person wanted it when it was started.
    pub(super) cause: RequestCause,
    pub(super) place: AnsweredPlace,
    /// How many changes its document had seen.
    pub(super) changes: u64,
    /// How many changes there were of any document.
    pub(super) all_changes: u64,
    pub(super) started: Moment,
    pub(super) state: CallState,
    /// What it has said so far, for its own text.
    pub(super) so_far: Vec<LaneCandidate>,
    /// Whether its model has begun to say something.
    pub(super) has_begun: bool,
    /// Whether it goes on when its request is over: a model was asked.
    pub(super) is_patient: bool,
    /// The place that it is about instead of its own, where its lane had nothing before.
    pub(super) second_look: Option<Spot>,
    /// Whether a change that it has seen in another document was taken back or gone on with while it
    /// runs.
    pub(super) is_overtaken: bool,
}

#[derive(Debug)]
pub(super) enum CallState {
    Running {
        deadline: Moment,
    },
    Answered(LaneCandidates),
    /// The person did not want what it answered.
    Refused,
}

/// The suggestions of a lane.
#[derive(Debug)]
pub(crate) struct LaneCandidates {
    pub(crate) candidates: Vec<LaneCandidate>,
    /// How many more there were that would have touched a secret.
    pub(crate) withheld: usize,
}

impl DocumentRequests {
    pub(super) fn pending(&self, kind: RequestKind) -> Option<&PendingRequest> {
        match kind {
            RequestKind::Inline => self.inline.as_ref(),
            RequestKind::Edit => self.edit.as_ref(),
        }
    }

    pub(super) fn pending_mut(&mut self, kind: RequestKind) -> &mut Option<PendingRequest> {
        match kind {
            RequestKind::Inline => &mut self.inline,
            RequestKind::Edit => &mut self.edit,
        }
    }

    /// Those that are there, in a fixed order.
    pub(super) fn all_pending(&self) -> impl Iterator<Item = &PendingRequest> {
        self.inline.iter().chain(&self.edit)
    }

    pub(super) fn call(&self, lane: LaneKind) -> Option<&LaneCall> {
        self.calls[lane].as_ref()
    }

    pub(super) fn call_mut(&mut self, lane: LaneKind) -> &mut Option<LaneCall> {
        &mut self.calls[lane]
    }

    /// Whether there is a question about a place already: a request that has no answer yet, a call
    /// that was answered, or something that was carried there.
    pub(super) fn is_asked(&self, text: &Text, at: ByteOffset) -> bool {
        let is_here = |place: &AnsweredPlace| place.at == at && place.text == *text;
        let is_pending = self.all_pending().any(|pending| is_here(&pending.place));
        let mut carried = self.all_carried().filter_map(|it| it.answered_at.as_ref());
        is_pending
            || self
                .calls
                .values()
                .flatten()
                .any(|call| is_here(&call.place))
            || carried.any(is_here)
            || self.instant.is_asked(is_here)
    }

    /// When something is due next.
    pub(super) fn next_timeout(&self) -> Option<Moment> {
        let requests = self.all_pending().map(PendingRequest::until);
        let calls = self.calls.values().flatten().filter_map(LaneCall::deadline);
        requests.chain(calls).chain(self.instant.due()).min()
    }

    /// The kind of request that has waited long enough, for a pause or for its lanes.
    pub(super) fn due_request(&self, now: Moment) -> Option<RequestKind> {
        let due = self.all_pending().find(|pending| pending.until() <= now);
        due.map(|pending| pending.kind)
    }

    /// The lanes whose time is up.
    pub(super) fn overdue(&self, now: Moment) -> Vec<LaneKind> {
        let is_overdue = |lane: &LaneKind| {
            let deadline = self.call(*lane).and_then(LaneCall::deadline);
            deadline.is_some_and(|deadline| deadline <= now)
        };
        LaneKind::ALL.into_iter().filter(is_overdue).collect()
    }

    /// Whether a request races on the call of a lane.
    pub(super) fn is_raced(&self, lane: LaneKind) -> bool {
        self.all_pending().any(|pending| pending.awaits(lane))
    }

    /// The same, for a request of another kind than this.
    pub(super) fn is_raced_by_other(&self, lane: LaneKind, kind: RequestKind) -> bool {
        let mut others = self.all_pending().filter(|pending| pending.kind != kind);
        others.any(|pending| pending.awaits(lane))
    }

    /// Whether any call runs.
    pub(super) fn is_running(&self) -> bool {
        let mut calls = self.calls.values().flatten();
        calls.any(|call| call.deadline().is_some())
    }

    /// Forgets the answer of a lane, if it has one.
    pub(super) fn forget_answer(&mut self, lane: LaneKind) {
        let call = self.call_mut(lane);
        if call.as_ref().is_some_and(|call| call.deadline().is_none()) {
            *call = None;
        }
    }

    /// Returns the last answer to requests of a kind.
    pub(super) fn carried(&self, kind: RequestKind) -> Option<&CarriedAnswer> {
        match kind {
            RequestKind::Inline => self.given_inline.as_ref(),
            RequestKind::Edit => self.given_edit.as_ref(),
        }
    }

    pub(super) fn carried_mut(&mut self, kind: RequestKind) -> &mut Option<CarriedAnswer> {
        match kind {
            RequestKind::Inline => &mut self.given_inline,
            RequestKind::Edit => &mut self.given_edit,
        }
    }

    /// Returns the last answers, to both kinds.
    pub(super) fn all_carried(&self) -> impl Iterator<Item = &CarriedAnswer> {
        self.given_inline.iter().chain(&self.given_edit)
    }

    fn all_carried_mut(&mut self) -> impl Iterator<Item = &mut CarriedAnswer> {
        self.given_inline.iter_mut().chain(&mut self.given_edit)
    }

    /// One of the candidates that were answered last.
    pub(super) fn suggestion(&self, suggestion: SuggestionId) -> Option<&CarriedOffer> {
        let mut given = self.all_carried();
        given.find_map(|given| given.held.get(given.place_of(suggestion)?))
    }

    /// Returns a suggestion's name in the latest answer that it was in.
    pub(super) fn latest_name(&self, suggestion: SuggestionId) -> Option<SuggestionId> {
        let mut given = self.all_carried();
        given.find_map(|given| given.latest_name(given.place_of(suggestion)?))
    }

    /// The same, for ending it.
    pub(super) fn suggestion_mut(&mut self, suggestion: SuggestionId) -> Option<&mut CarriedOffer> {
        let mut given = self.all_carried_mut();
        given.find_map(|given| {
            let place = given.place_of(suggestion)?;
            given.held.get_mut(place)
        })
    }

    /// Lets the rest of an answer go, of which a suggestion was rejected. Its lanes' suggestions are not
    /// made again.
    pub(super) fn refuse(&mut self, mut is_of_it: impl FnMut(&mut CarriedAnswer) -> bool) {
        let given = self.all_carried_mut();
        let lanes = given.filter_map(|given| is_of_it(given).then(|| given.refuse()));
        let lanes: Vec<LaneKind> = lanes.flatten().collect();
        for lane in lanes {
            // A pending request waits for another answer, which has not been seen yet.
            let is_awaited = |call: &LaneCall| self.all_pending().any(|it| it.place == call.place);
            let is_seen = |call: &LaneCall| call.deadline().is_none() && !is_awaited(call);
            let is_refused = self.call(lane).is_some_and(is_seen);
            if let Some(call) = self.call_mut(lane).as_mut().filter(|_| is_refused) {
                call.state = CallState::Refused;
            }
        }
    }

    /// The requests that were answered last.
    pub(super) fn given(&self) -> impl Iterator<Item = RequestId> {
        let names = self.all_carried().flat_map(|given| &given.names);
        names.map(|name| name.request)
    }

    /// The other documents that what is left of the last answers is about.
    pub(super) fn others_than<'a>(
        &'a self,
        asked_in: &'a DocumentId,
    ) -> impl Iterator<Item = &'a DocumentId> {
        let held = self.all_carried().flat_map(|given| &given.held);
        let left = held.filter(|held| !held.is_over());
        let others = left.map(|held| &held.document);
        others.filter(move |of| *of != asked_in)
    }

    /// Lets go of what was answered about a document whose text is no longer known.
    pub(super) fn lose(&mut self, document: &DocumentId) {
        let held = self.all_carried_mut().flat_map(|given| &mut given.held);
        for held in held.filter(|held| held.document == *document) {
            held.end();
        }
    }

    /// Something was taken back or gone on with in a document, and what was answered about others may
    /// have followed from it.
    pub(super) fn doubt(&mut self, document: &DocumentId, change: &RecentChange) {
        let held = self.all_carried_mut().flat_map(|given| &mut given.held);
        held.filter(|held| held.document != *document)
            .for_each(|held| held.doubt(change));
    }

    /// Something was taken back or gone on with in another document, while the text here is still the
    /// one that was asked about: what the next edit was is forgotten, or not heard when it comes.
    pub(super) fn doubt_call(&mut self, change: &RecentChange) {
        let call = self.call_mut(LaneKind::NextEdit).as_mut();
        let Some(call) = call.filter(|call| change.unsettles(call.all_changes)) else {
            return;
        };
        call.is_overtaken = true;
        self.forget_answer(LaneKind::NextEdit);
    }

    /// Shows fixes no longer of which the diagnostic is not reported any more. Says whether one was on offer.
    pub(super) fn expect_reported(
        &mut self,
        document: &DocumentId,
        diagnostics: &[Diagnostic],
    ) -> bool {
        let held = self.all_carried_mut().flat_map(|given| &mut given.held);
        let held = held.filter(|held| held.document == *document);
        let withdrawn = held.filter_map(|held| held.expect_reported(diagnostics).then_some(()));
        withdrawn.count() > 0
    }

    /// Carries what was answered over a change of a document, and says what that has done to what was
    /// offered.
    pub(super) fn follow<'a>(
        &'a mut self,
        document: &'a DocumentId,
        change: &'a RecentChange,
    ) -> impl Iterator<Item = OvertypedOffer> + 'a {
        let given = self.all_carried_mut();
        given.filter_map(|given| given.follow(document, change))
    }
}

impl Race {
    /// One that begins now.
    pub(super) fn begin(runners: Vec<RaceRunner>, now: Moment, cap: Moment) -> Self {
        Race {
            runners,
            since: now,
            cap,
            until: cap,
        }
    }

    /// Ends a lane, unless it is not in the race any more.
    pub(super) fn end(&mut self, lane: LaneKind, now: Moment, reason: Option<Reason>) -> bool {
        let mut running = self.runners.iter_mut().filter(|it| it.is_running());
        match running.find(|runner| runner.lane == lane) {
            Some(runner) => {
                runner.end = Some((now, reason));
                true
            }
            None => false,
        }
    }
}

impl LaneCall {
    /// When its time is up, while it runs.
    pub(super) fn deadline(&self) -> Option<Moment> {
        match self.state {
            CallState::Running { deadline } => Some(deadline),
            CallState::Answered(_) | CallState::Refused => None,
        }
    }

    /// Returns its suggestions, once it has answered.
    pub(super) fn candidates(&self) -> Option<&[LaneCandidate]> {
        match &self.state {
            CallState::Running { .. } | CallState::Refused => None,
            CallState::Answered(found) => Some(&found.candidates),
        }
    }
}
