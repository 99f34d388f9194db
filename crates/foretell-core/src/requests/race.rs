//! The race: from the ends of lanes to the one answer.
//!
//! An automatic request is answered with the first answer that may be shown, but one of a lane with
//! a better one still running is held for a moment, so that a predictor that answers in microseconds
//! does not always beat a model. Once FIM has nothing, or was never asked, the others have some
//! grace; nothing is waited for beyond the cap. A request of the person's is answered when all lanes
//! have ended, with everything. A suggestion that may not be shown counts as none, and the race goes on.

use foretell_text::{DocumentId, LaneCandidate, LaneKind, Version};

use super::carried::MOST_CARRIED;
use super::document_requests::{
    AnsweredPlace, CallState, DocumentRequests, LaneCall, PendingRequest, Race, RaceRunner,
    RequestStage,
};
use super::{RequestContext, Requests};
use crate::action::{Answer, LaneReport, Offer, OfferedFrom, Order};
use crate::documents::TextSync;
use crate::event::{RequestCause, RequestKind};
use crate::filters::{self, CursorPosition, FilterScene};
use crate::moment::Moment;
use crate::note::Note;
use crate::reason::Reason;
use crate::takes_back::takes_back;

/// The state of a race.
pub(super) enum RaceVerdict {
    /// It goes on, at least until then unless a lane ends.
    Open(Moment),
    /// It is over.
    Over(RaceDecision),
}

/// How a race ended.
pub(super) struct RaceDecision {
    answer: Answer,
    lanes: Vec<LaneReport>,
    /// Why those that still run are stopped.
    losers: Reason,
}

impl RaceDecision {
    /// The same with what is carried first.
    fn after(mut self, carried: Vec<Offer>) -> Self {
        let found = match self.answer {
            Answer::Candidates(found) => found,
            Answer::Withheld(_) if carried.is_empty() => return self,
            Answer::Withheld(_) => Vec::new(),
        };
        let offers = carried.into_iter().chain(found);
        self.answer = Answer::Candidates(offers.collect());
        self
    }

    /// The same with each change once, however it is written, and no more than can be carried: what
    /// a person rejects has to be known again.
    fn distinct(mut self, around: &RequestContext<'_>) -> Self {
        if let Answer::Candidates(offers) = &mut self.answer {
            let mut seen = Vec::new();
            offers.retain(|offer| {
                let LaneCandidate { document, edit, .. } = &offer.candidate;
                let text = around.documents.text(document);
                let effect = text.and_then(|text| edit.effect(text).ok());
                let is_news = !seen.contains(&(document.clone(), effect.clone()));
                seen.push((document.clone(), effect));
                is_news
            });
            offers.truncate(MOST_CARRIED);
        }
        self
    }
}

impl Requests {
    /// Answers a request if its race is over. `without_any` is why there is nothing to say if no
    /// lane was in it.
    pub(super) fn conclude(
        &mut self,
        document: &DocumentId,
        kind: RequestKind,
        without_any: Reason,
        around: &mut RequestContext<'_>,
    ) {
        let of_document = self.by_document.entry(document.clone()).or_default();
        let decision = match look(of_document, document, kind, without_any, around) {
            None => return,
            Some(RaceVerdict::Over(decision)) => {
                // In a pause the predictor that answers at once may still have something.
                let is_nothing = matches!(decision.answer, Answer::Withheld(_));
                let pending = of_document.pending_mut(kind).as_mut();
                if pending.is_some_and(|pending| is_nothing && pending.hold_for_pause(around.now)) {
                    return;
                }
                decision
            }
            Some(RaceVerdict::Open(until)) => {
                let pending = of_document.pending_mut(kind).as_mut();
                if let Some(RequestStage::Racing(race)) = pending.map(|pending| &mut pending.stage)
                {
                    race.until = until;
                }
                return;
            }
        };
        let cause = of_document.pending(kind).map(|pending| pending.cause);
        let decision = match cause {
            Some(RequestCause::Explicit) => {
                let carried = self.carried_offers(document, kind, around).into_iter();
                decision.after(carried.flatten().map(|(_, offer)| offer).collect())
            }
            _ => decision,
        };
        let decision = decision.distinct(around);
        let Some(pending) = self.take(document, kind) else {
            return;
        };
        for runner in pending.runners().iter().filter(|it| it.is_queued) {
            around.outbox.note(Note::Spared {
                request: pending.request,
                lane: runner.lane,
                reason: decision.losers,
            });
        }
        self.stop_raced(document, &pending, decision.losers, around);
        self.answer(document, &pending, decision, around);
    }

    /// Whether what is known already answers a request.
    pub(super) fn is_settled(
        &self,
        document: &DocumentId,
        kind: RequestKind,
        around: &RequestContext<'_>,
    ) -> bool {
        let of_document = self.by_document.get(document);
        let verdict = of_document.and_then(|of_document| {
            look(of_document, document, kind, Reason::NothingFound, around)
        });
        matches!(
            verdict,
            Some(RaceVerdict::Over(RaceDecision {
                answer: Answer::Candidates(_),
                ..
            }))
        )
    }

    /// Whether another lane than one of a request has ended with something that may be shown.
    pub(super) fn has_more_than(
        &self,
        document: &DocumentId,
        kind: RequestKind,
        lane: LaneKind,
        around: &RequestContext<'_>,
    ) -> bool {
        let of_document = self.by_document.get(document);
        let pending = of_document.and_then(|of_document| of_document.pending(kind));
        of_document
            .zip(pending)
            .is_some_and(|(of_document, pending)| {
                let mut others = pending.runners().iter().filter(|it| it.lane != lane);
                others.any(|it| survivors(of_document, it, document, pending, around).is_ok())
            })
    }

    /// Stops the calls that a request raced on and that no other does.
    ///
    /// A call that still runs for an older request at another place goes on until its own end: the refresh
    /// gate counts on its answer.
    pub(super) fn stop_raced(
        &mut self,
        document: &DocumentId,
        pending: &PendingRequest,
        reason: Reason,
        around: &mut RequestContext<'_>,
    ) {
        // What goes on writing after its beginning was taken has more to say.
        let runners = pending.runners().iter();
        for RaceRunner { lane, .. } in runners.filter(|runner| runner.so_far.is_empty()) {
            let of_document = self.by_document.get(document);
            let of_document = of_document.filter(|of_document| !of_document.is_raced(*lane));
            let call = of_document.and_then(|of_document| of_document.call(*lane));
            let is_over = |call: &LaneCall| !(call.is_patient && outlives(reason));
            if call.is_some_and(|call| call.place == pending.place && is_over(call)) {
                self.stop_call(document, *lane, reason, around);
            }
        }
    }

    /// Ends a lane for every request that races on it.
    pub(super) fn end_runners(
        &mut self,
        document: &DocumentId,
        lane: LaneKind,
        reason: Option<Reason>,
        around: &mut RequestContext<'_>,
    ) {
        for kind in [RequestKind::Inline, RequestKind::Edit] {
            self.end_runner(document, lane, kind, reason, around);
        }
    }

    /// Ends a lane for the request of a kind, if it races on it.
    pub(super) fn end_runner(
        &mut self,
        document: &DocumentId,
        lane: LaneKind,
        kind: RequestKind,
        reason: Option<Reason>,
        around: &mut RequestContext<'_>,
    ) {
        let of_document = self.by_document.get_mut(document);
        let pending = of_document.and_then(|of_document| of_document.pending_mut(kind).as_mut());
        let Some(PendingRequest {
            stage: RequestStage::Racing(race),
            ..
        }) = pending
        else {
            return;
        };
        if race.end(lane, around.now, reason) {
            self.conclude(document, kind, Reason::NothingFound, around);
            self.note_held(document, lane, kind, around);
        }
    }

    /// Takes note that what a lane has is held for better ones.
    fn note_held(
        &self,
        document: &DocumentId,
        lane: LaneKind,
        kind: RequestKind,
        around: &mut RequestContext<'_>,
    ) {
        let of_document = self.by_document.get(document);
        let Some((of_document, pending)) =
            of_document.and_then(|of_document| Some((of_document, of_document.pending(kind)?)))
        else {
            return;
        };
        let runners = pending.runners().iter();
        let mut ended = runners.filter(|runner| runner.lane == lane);
        let is_held = ended.any(|it| survivors(of_document, it, document, pending, around).is_ok());
        if is_held && pending.cause == RequestCause::Automatic {
            let request = pending.request;
            around.outbox.note(Note::Held { request, lane });
        }
    }

    /// Answers a request that is no longer among those of its document with nothing.
    pub(super) fn withhold_pending(
        &mut self,
        pending: &PendingRequest,
        reason: Reason,
        around: &mut RequestContext<'_>,
    ) {
        count_saved(pending, reason, around);
        around.outbox.put(Order::Answer {
            request: pending.request,
            answer: Answer::Withheld(reason),
            lanes: Vec::new(),
        });
    }

    fn answer(
        &mut self,
        document: &DocumentId,
        pending: &PendingRequest,
        decision: RaceDecision,
        around: &mut RequestContext<'_>,
    ) {
        let RaceDecision { answer, lanes, .. } = decision;
        let request = pending.request;
        count_race(pending.cause, &answer, &lanes, around);
        if matches!(answer, Answer::Withheld(_)) {
            let of_document = self.by_document.entry(document.clone()).or_default();
            of_document.instant.ended(pending);
        }
        match &answer {
            Answer::Candidates(offers) => {
                count_saved(pending, Reason::AlreadyAsked, around);
                self.give(document, pending.kind, request, offers, around);
                let of_document = self.by_document.entry(document.clone()).or_default();
                if let Some(carried) = of_document.carried_mut(pending.kind) {
                    let begun = pending.runners().iter().filter(|it| !it.so_far.is_empty());
                    begun.for_each(|runner| carried.goes_on(runner.lane));
                }
            }
            // Of lanes that were asked here before, the request spares what they would have cost.
            Answer::Withheld(_) if pending.has_repeated() => {
                count_saved(pending, Reason::AlreadyAsked, around);
            }
            Answer::Withheld(reason) => count_saved(pending, *reason, around),
        }
        around.outbox.put(Order::Answer {
            request,
            answer,
            lanes,
        });
    }
}

/// Whether a call to a model goes on when its request ends for a reason.
fn outlives(reason: Reason) -> bool {
    matches!(reason, Reason::TimedOut | Reason::Cancelled)
}

/// Looks at the race of a request, if it is in one.
fn look(
    of_document: &DocumentRequests,
    document: &DocumentId,
    kind: RequestKind,
    without_any: Reason,
    around: &RequestContext<'_>,
) -> Option<RaceVerdict> {
    let pending = of_document.pending(kind)?;
    let RequestStage::Racing(race) = &pending.stage else {
        return None;
    };
    let found: Vec<_> = race
        .runners
        .iter()
        .map(|runner| survivors(of_document, runner, document, pending, around))
        .collect();
    let limits = match (pending.cause, around.documents.get(document)) {
        (RequestCause::Automatic, Some(open)) => {
            let settings = &around.settings_of(open).race;
            Some((settings.hold.get(), settings.grace.get()))
        }
        _ => None,
    };
    let now = around.now;
    let mut until = race.cap;
    let mut is_open = false;
    let mut is_won = false;
    for (runner, found) in race.runners.iter().zip(&found) {
        match (runner.end, found) {
            (None, _) => is_open = true,
            (Some((end, _)), Ok(_)) => {
                // An answer waits for better lanes, but not for long.
                let held = limits.map(|(hold, _)| end.after(hold));
                is_won |= held.is_some_and(|held| !is_open || held <= now);
                until = until.min(held.filter(|_| is_open).unwrap_or(until));
            }
            (Some(_), Err(_)) => {}
        }
    }
    let mut raced = race.runners.iter().zip(&found);
    let without_fim = match raced.find(|(runner, _)| runner.lane == LaneKind::Fim) {
        None => Some(race.since),
        Some((RaceRunner { end, .. }, Err(_))) => end.map(|(end, _)| end),
        Some((_, Ok(_))) => None,
    };
    if let Some((over, (_, grace))) = without_fim.zip(limits) {
        until = until.min(over.after(grace));
    }
    let is_late = until <= now;
    if is_open && !is_won && !is_late {
        return Some(RaceVerdict::Open(until));
    }
    Some(RaceVerdict::Over(decision(
        race,
        found,
        of_document,
        pending,
        without_any,
        now,
        is_late && !is_won,
    )))
}

/// The answer of a race that is over.
fn decision(
    race: &Race,
    found: Vec<Result<Vec<Offer>, Reason>>,
    of_document: &DocumentRequests,
    pending: &PendingRequest,
    without_any: Reason,
    now: Moment,
    is_late: bool,
) -> RaceDecision {
    let cause = pending.cause;
    let mut offers: Vec<Offer> = Vec::new();
    let mut silence = None;
    let mut lanes = Vec::new();
    for (runner, found) in race.runners.iter().zip(found) {
        // Repeated answers, and lanes that were not started, have cost nothing.
        let call = of_document.call(runner.lane);
        let is_running = call.is_some_and(|call| call.place == pending.place);
        let is_running = (is_running || runner.is_shared) && !runner.is_queued;
        let is_started = !runner.is_repeated && (is_running || runner.end.is_some());
        let has_won = !offers.is_empty() && cause == RequestCause::Automatic;
        let lost = match (has_won, runner.end, found) {
            (true, ..) => Some(Reason::Outrun),
            (false, None, _) if is_late => Some(Reason::TimedOut),
            (false, None, _) => Some(Reason::Outrun),
            (false, Some(_), Err(reason)) => Some(reason),
            (false, Some(_), Ok(found)) => {
                offers.extend(found);
                None
            }
        };
        silence = silence.max(lost.map(|reason| (weight(reason), reason)));
        let end = runner.end.map_or(now, |(end, _)| end);
        if is_started {
            lanes.push(LaneReport {
                lane: runner.lane,
                took_ms: end.since(runner.since),
                lost,
            });
        }
    }
    let silence = silence.map_or(without_any, |(_, reason)| reason);
    RaceDecision {
        answer: if offers.is_empty() {
            Answer::Withheld(silence)
        } else {
            Answer::Candidates(offers)
        },
        lanes,
        losers: if is_late {
            Reason::TimedOut
        } else {
            Reason::Outrun
        },
    }
}

/// Counts an automatic request for which no lane was started.
fn count_saved(pending: &PendingRequest, reason: Reason, around: &mut RequestContext<'_>) {
    if pending.cause == RequestCause::Automatic && !pending.has_started {
        let saved = &mut around.outbox.counts.requests_saved;
        *saved.entry(reason).or_default() += 1;
    }
}

/// Counts who was in the race for an automatic request, and who won it. A lane whose answer was
/// there before, or that was not started after all, was in no race.
fn count_race(
    cause: RequestCause,
    answer: &Answer,
    lanes: &[LaneReport],
    around: &mut RequestContext<'_>,
) {
    if cause == RequestCause::Explicit {
        return;
    }
    let counts = &mut around.outbox.counts;
    for report in lanes {
        *counts.raced.entry(report.lane).or_default() += 1;
    }
    let first = match answer {
        Answer::Candidates(offers) => offers.first(),
        Answer::Withheld(_) => None,
    };
    if let Some(offer) = first.filter(|it| it.from == OfferedFrom::Lane) {
        *counts.wins.entry(offer.lane).or_default() += 1;
    }
}

/// Of the reasons of several lanes, the one that says most is given: what went wrong before what was
/// turned away, and that before there having been nothing.
fn weight(reason: Reason) -> u8 {
    match reason {
        Reason::NothingFound => 0,
        Reason::TimedOut | Reason::LaneFailed | Reason::Superseded => 2,
        _ => 1,
    }
}

/// Returns the suggestions of a lane that may be shown, or why there are none.
fn survivors(
    of_document: &DocumentRequests,
    runner: &RaceRunner,
    document: &DocumentId,
    pending: &PendingRequest,
    around: &RequestContext<'_>,
) -> Result<Vec<Offer>, Reason> {
    let Some((_, ended)) = runner.end else {
        return Err(Reason::NothingFound);
    };
    if let Some(reason) = ended {
        return Err(reason);
    }
    let call = of_document.call(runner.lane);
    let candidates = match runner.so_far.as_slice() {
        [] => call.and_then(|call| call.candidates()).unwrap_or_default(),
        so_far => so_far,
    };
    let cursor = CursorPosition::of(pending.place.at, &pending.place.text);
    let mut offers = Vec::new();
    let mut turned_away = match call.map(|call| &call.state) {
        Some(CallState::Refused) => Reason::PreviouslyRejected,
        Some(CallState::Answered(found)) if found.withheld > 0 => Reason::TouchesSecret,
        _ => Reason::NothingFound,
    };
    for candidate in candidates {
        let candidate = &at_the_cursor(candidate, document, pending);
        let is_overtaken = match around.documents.get(&candidate.document) {
            None => false,
            Some(open) if candidate.document == *document => open.text != pending.place.text,
            // The other documents are not kept as the lane has seen them.
            Some(open) => call.is_some_and(|call| {
                open.changed_at > call.all_changes || is_unsettled(document, call, around)
            }),
        };
        let judged = if is_overtaken {
            Err(Reason::Overtaken)
        } else {
            may_be_shown(candidate, document, pending.kind, cursor, around)
        };
        match judged {
            Ok(version) => offers.push(Offer {
                candidate: candidate.clone(),
                version,
                lane: runner.lane,
                from: if runner.is_repeated {
                    OfferedFrom::Repeated
                } else {
                    OfferedFrom::Lane
                },
            }),
            Err(reason) => turned_away = reason,
        }
    }
    if offers.is_empty() {
        Err(turned_away)
    } else {
        Ok(offers)
    }
}

/// Whether what a call has seen was taken back or gone on with in its own document since.
fn is_unsettled(document: &DocumentId, call: &LaneCall, around: &RequestContext<'_>) -> bool {
    let open = around.documents.get(document);
    let changes = open.and_then(|open| open.changes.since(call.changes));
    changes.is_some_and(|mut it| it.any(|change| change.unsettles(call.all_changes)))
}

/// A suggestion written on the line of the cursor, where it could be and is not.
fn at_the_cursor(
    candidate: &LaneCandidate,
    document: &DocumentId,
    pending: &PendingRequest,
) -> LaneCandidate {
    let AnsweredPlace { at, text } = &pending.place;
    let is_inline = candidate.document == *document && pending.kind == RequestKind::Inline;
    let trimmed = candidate.edit.trimmed(text).ok();
    let elsewhere = trimmed.filter(|it| is_inline && !filters::is_on_line_of(it, Some(*at), text));
    let here = elsewhere.and_then(|edit| filters::written_at(*at, &edit, text));
    LaneCandidate {
        edit: here.unwrap_or_else(|| candidate.edit.clone()),
        ..candidate.clone()
    }
}

/// Whether a suggestion for the texts as they are may be shown to a request, and of which text it is.
pub(super) fn may_be_shown(
    candidate: &LaneCandidate,
    document: &DocumentId,
    kind: RequestKind,
    cursor: CursorPosition,
    around: &RequestContext<'_>,
) -> Result<Version, Reason> {
    let open = around.documents.get(&candidate.document);
    let open = open.ok_or(Reason::UnknownDocument)?;
    if open.step == TextSync::Lost {
        return Err(Reason::OutOfStep);
    }
    let is_here = candidate.document == *document;
    let scene = FilterScene {
        text: &open.text,
        kind,
        cursor: is_here.then_some(cursor),
        secrets: &open.secrets,
    };
    filters::judge(&candidate.edit, scene)?;
    let edit = &candidate.edit;
    if takes_back(edit, &open.history.ways_back(&open.text), &open.text) {
        return Err(Reason::TakesBack);
    }
    let rejected = around
        .rejections
        .find(&candidate.document, &open.text, edit);
    match rejected {
        Some(_) => Err(Reason::PreviouslyRejected),
        None => Ok(open.version),
    }
}
