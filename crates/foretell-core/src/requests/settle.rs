//! From the ends of lanes to the one answer.
//!
//! An automatic request is answered with what the best lane has, as soon as every better lane has
//! ended without anything. One that the person made is answered when all have ended, with
//! everything. What a lane suggests must still fit the text, change something, and not have been
//! rejected; a lane of which nothing is left has lost, and the race goes on without it.

use foretell_text::{DocumentId, LaneKind};

use super::desk::{Desk, Pending, Race, Runner, Stage};
use super::{Around, Requests};
use crate::action::{Action, Answer, LaneReport, Offer, OfferedFrom};
use crate::documents::InStep;
use crate::event::{Candidate, RequestCause, RequestKind};
use crate::reason::Reason;

/// How a race ended.
pub(super) struct Decision {
    answer: Answer,
    lanes: Vec<LaneReport>,
}

impl Requests {
    /// Answers a request if its race has ended. `without_any` is why there is nothing to say if no
    /// lane was in it.
    pub(super) fn conclude(
        &mut self,
        document: &DocumentId,
        kind: RequestKind,
        without_any: Reason,
        around: &mut Around<'_>,
    ) {
        let Some(decision) = self.decide(document, kind, without_any, around) else {
            return;
        };
        let Some(pending) = self.take(document, kind) else {
            return;
        };
        self.stop_raced(document, &pending, Reason::Outrun, around);
        self.answer(document, &pending, decision, around);
    }

    /// Stops the calls that a request raced on and that no other does.
    ///
    /// What still runs for an older request at another place goes on until its own end: the refresh
    /// gate counts on its answer.
    pub(super) fn stop_raced(
        &mut self,
        document: &DocumentId,
        pending: &Pending,
        reason: Reason,
        around: &mut Around<'_>,
    ) {
        let Stage::Racing(Race { runners, .. }) = &pending.stage else {
            return;
        };
        for Runner { lane, .. } in runners {
            let desk = self.desks.get(document);
            let desk = desk.filter(|desk| !desk.is_raced(*lane));
            let call = desk.and_then(|desk| desk.call(*lane));
            if call.is_some_and(|call| call.place == pending.place) {
                self.stop_call(document, *lane, reason, around);
            }
        }
    }

    /// Ends the race of a request whose lanes have had their time.
    pub(super) fn time_out(
        &mut self,
        document: &DocumentId,
        kind: RequestKind,
        around: &mut Around<'_>,
    ) {
        for lane in LaneKind::ALL {
            let desk = self.desks.get_mut(document);
            let pending = desk.and_then(|desk| desk.pending_mut(kind).as_mut());
            let Some(Pending {
                stage: Stage::Racing(race),
                ..
            }) = pending
            else {
                return;
            };
            if !race.end(lane, around.now, Some(Reason::TimedOut)) {
                continue;
            }
            let is_raced = self.desks.get(document).is_some_and(|it| it.is_raced(lane));
            if !is_raced {
                self.stop_call(document, lane, Reason::TimedOut, around);
            }
        }
        self.conclude(document, kind, Reason::TimedOut, around);
    }

    /// Ends a lane for every request that races on it.
    pub(super) fn end_runners(
        &mut self,
        document: &DocumentId,
        lane: LaneKind,
        reason: Option<Reason>,
        around: &mut Around<'_>,
    ) {
        for kind in [RequestKind::Inline, RequestKind::Edit] {
            self.end_runner(document, (lane, kind), reason, around);
        }
    }

    /// Ends a lane for the request of a kind, if it races on it.
    pub(super) fn end_runner(
        &mut self,
        document: &DocumentId,
        (lane, kind): (LaneKind, RequestKind),
        reason: Option<Reason>,
        around: &mut Around<'_>,
    ) {
        let desk = self.desks.get_mut(document);
        let pending = desk.and_then(|desk| desk.pending_mut(kind).as_mut());
        let Some(Pending {
            stage: Stage::Racing(race),
            ..
        }) = pending
        else {
            return;
        };
        if race.end(lane, around.now, reason) {
            self.conclude(document, kind, Reason::NothingFound, around);
        }
    }

    /// How the race of a request ends, if it does.
    pub(super) fn decide(
        &self,
        document: &DocumentId,
        kind: RequestKind,
        without_any: Reason,
        around: &Around<'_>,
    ) -> Option<Decision> {
        let desk = self.desks.get(document)?;
        let pending = desk.pending(kind)?;
        let Stage::Racing(Race { runners, .. }) = &pending.stage else {
            return None;
        };
        let mut offers = Vec::new();
        let mut silence = None;
        let mut lanes = Vec::new();
        for runner in runners {
            let has_won = !offers.is_empty() && pending.cause == RequestCause::Automatic;
            let lost = match (has_won, runner.end) {
                (true, _) => Some(Reason::Outrun),
                (false, None) => return None,
                (false, Some((_, Some(reason)))) => Some(reason),
                (false, Some((_, None))) => {
                    let found = survivors(desk, runner, (document, pending), around);
                    match found {
                        Ok(found) => {
                            offers.extend(found);
                            None
                        }
                        Err(reason) => Some(reason),
                    }
                }
            };
            silence = silence.max(lost.map(|reason| (weight(reason), reason)));
            let end = runner.end.map_or(around.now, |(end, _)| end);
            let is_started = desk.call(runner.lane).is_some() || runner.end.is_some();
            if is_started && !runner.is_repeated {
                lanes.push(LaneReport {
                    lane: runner.lane,
                    took_ms: end.since(runner.since),
                    lost,
                });
            }
        }
        let silence = silence.map_or(without_any, |(_, reason)| reason);
        Some(Decision {
            answer: match offers.is_empty() {
                true => Answer::Withheld(silence),
                false => Answer::Candidates(offers),
            },
            lanes,
        })
    }

    /// Answers a request that has been taken off its desk with nothing.
    pub(super) fn withhold_pending(
        &mut self,
        pending: &Pending,
        reason: Reason,
        around: &mut Around<'_>,
    ) {
        count_saved(pending, reason, around);
        around.outbox.put(Action::Answer {
            request: pending.request,
            answer: Answer::Withheld(reason),
            lanes: Vec::new(),
        });
    }

    fn answer(
        &mut self,
        document: &DocumentId,
        pending: &Pending,
        decision: Decision,
        around: &mut Around<'_>,
    ) {
        let Decision { answer, lanes } = decision;
        let request = pending.request;
        match &answer {
            Answer::Candidates(offers) => {
                count_saved(pending, Reason::AlreadyAsked, around);
                let desk = self.desks.entry(document.clone()).or_default();
                let older: Vec<_> = desk.given().collect();
                desk.give(pending.kind, request, offers);
                for older in older {
                    self.forget_given(older, document);
                }
                let desk = self.desks.entry(document.clone()).or_default();
                for given in desk.given() {
                    self.given.insert(given, document.clone());
                }
                let others: Vec<_> = desk.others_than(document).cloned().collect();
                self.forget_abroad(document);
                for about in others {
                    let asked_in = self.abroad.entry(about).or_default();
                    asked_in.insert(document.clone());
                }
            }
            // Of lanes that were asked here before, the request spares what they would have cost.
            Answer::Withheld(_) if pending.has_repeated() => {
                count_saved(pending, Reason::AlreadyAsked, around);
            }
            Answer::Withheld(reason) => count_saved(pending, *reason, around),
        }
        around.outbox.put(Action::Answer {
            request,
            answer,
            lanes,
        });
    }
}

/// Counts an automatic request for which no lane was started.
fn count_saved(pending: &Pending, reason: Reason, around: &mut Around<'_>) {
    if pending.cause == RequestCause::Automatic && !pending.has_started {
        let saved = &mut around.outbox.counts.requests_saved;
        *saved.entry(reason).or_default() += 1;
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

/// What may be shown of what a lane suggests, or why there is nothing.
fn survivors(
    desk: &Desk,
    runner: &Runner,
    (document, pending): (&DocumentId, &Pending),
    around: &Around<'_>,
) -> Result<Vec<Offer>, Reason> {
    let call = desk.call(runner.lane);
    let candidates = call.and_then(|call| call.candidates()).unwrap_or_default();
    let mut offers = Vec::new();
    let mut turned_away = Reason::NothingFound;
    for candidate in candidates {
        match fits(candidate, (document, pending), around) {
            Ok(()) => offers.push(Offer {
                candidate: candidate.clone(),
                lane: runner.lane,
                from: match runner.is_repeated {
                    true => OfferedFrom::Repeated,
                    false => OfferedFrom::Lane,
                },
            }),
            Err(reason) => turned_away = reason,
        }
    }
    match offers.is_empty() {
        true => Err(turned_away),
        false => Ok(offers),
    }
}

fn fits(
    candidate: &Candidate,
    (document, pending): (&DocumentId, &Pending),
    around: &Around<'_>,
) -> Result<(), Reason> {
    let open = around.documents.get(&candidate.document);
    let open = open.ok_or(Reason::UnknownDocument)?;
    if open.step == InStep::No {
        return Err(Reason::OutOfStep);
    }
    let text = &open.text;
    if candidate.document == *document && *text != pending.place.text {
        return Err(Reason::Overtaken);
    }
    let effect = candidate.edit.effect(text);
    if effect.map_err(|_| Reason::OutOfStep)?.is_nothing() {
        return Err(Reason::NoEffect);
    }
    let rejected = around
        .rejections
        .find(&candidate.document, text, &candidate.edit);
    match rejected {
        Some(_) => Err(Reason::PreviouslyRejected),
        None => Ok(()),
    }
}
