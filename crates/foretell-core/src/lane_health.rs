//! Taking care of lanes: one that keeps failing rests, and one that has had its share waits.
//!
//! After three failures in a row a lane is left alone for ten seconds, then for twice as long each
//! time, up to five minutes; one answer, and all is forgiven. A server that says how long it wants
//! to be left alone is left alone at least that long, whatever is answered meanwhile. A call that
//! was made before a rest began says nothing about the rest: its answer does not end it, and its
//! failure does not make it longer.
//!
//! A lane whose settings change is another one, and rests no longer.
//!
//! A call that is stopped because its time is up has not failed: automatic requests have little time,
//! and whether a model that takes longer is broken is for its lane to say.
//!
//! Limits on requests and tokens are the person's own settings. Nothing is called once one of them
//! is reached. That keeps to the requests exactly, but what a call costs in tokens is known when it
//! is answered, so those that run at that moment may go over, and what was stopped before its
//! answer was on the way is never counted. Minutes slide, days are counted by the clock that tells
//! the time here.

use std::collections::VecDeque;

use foretell_settings::settings;
use foretell_text::{Failure, FailureKind, LaneKind, Usage};

use crate::moment::Moment;
use crate::reason::Reason;

/// How many failures in a row are too many.
const TOO_MANY: u32 = 3;
/// The first rest and the longest, in milliseconds.
const FIRST_REST: u64 = 10_000;
const LONGEST_REST: u64 = 300_000;
/// The longest rest that a server may ask for, in milliseconds: nobody meant more than a day.
const LONGEST_ASKED_FOR: u64 = DAY;

const MINUTE: u64 = 60_000;
const DAY: u64 = 24 * 60 * MINUTE;

/// How many calls are remembered for counting them by the minute. Nobody allows more.
const MOST_CALLS: usize = 10_000;

/// How each lane is doing.
#[derive(Debug, Default)]
pub(crate) struct LaneHealth {
    lanes: [LaneCondition; LaneKind::ALL.len()],
}

#[derive(Debug, Default)]
struct LaneCondition {
    breaker: CircuitBreaker,
    /// What its server asked for.
    asked_for: Option<BreakerRest>,
    /// When it was called, the oldest first.
    calls: VecDeque<Moment>,
    day: DailyUsage,
}

/// What a lane has used up of its limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Used {
    /// How often it was called within the last minute.
    pub requests_last_minute: u64,
    /// How often it was called today.
    pub requests_today: u64,
    /// How many tokens that took.
    pub tokens_today: u64,
}

/// What keeps requests away from a lane that fails.
#[derive(Debug, Default)]
struct CircuitBreaker {
    /// How many in a row.
    failures: u32,
    /// How long the last rest was, in milliseconds, if nothing was answered since.
    last: u64,
    rest: Option<BreakerRest>,
}

/// A time in which a lane is left alone.
#[derive(Clone, Copy, Debug)]
struct BreakerRest {
    since: Moment,
    until: Moment,
}

/// What was used up in one day.
#[derive(Clone, Copy, Debug, Default)]
struct DailyUsage {
    number: u64,
    requests: u64,
    tokens: u64,
}

impl LaneHealth {
    /// Why a lane must not be called now, if it must not.
    pub(crate) fn objection(
        &self,
        now: Moment,
        lane: LaneKind,
        settings: &settings::Lane,
    ) -> Option<Reason> {
        let tended = &self.lanes[lane as usize];
        if tended.rests_until(now).is_some() {
            return Some(Reason::LaneResting);
        }
        let last_minute = || tended.called_last_minute(now);
        let today = tended.day.on(now);
        let is_over =
            |limit: Option<u64>, used: &dyn Fn() -> u64| limit.is_some_and(|limit| used() >= limit);
        let is_too_much = is_over(settings.requests_per_minute, &last_minute)
            || is_over(settings.requests_per_day, &|| today.requests)
            || is_over(settings.tokens_per_day, &|| today.tokens);
        is_too_much.then_some(Reason::OverLimit)
    }

    /// A lane is called.
    pub(crate) fn called(&mut self, now: Moment, lane: LaneKind) {
        let tended = &mut self.lanes[lane as usize];
        tended.calls.push_back(now);
        let is_old = |call: &Moment| now.since(*call) >= MINUTE;
        while tended.calls.len() > MOST_CALLS || tended.calls.front().is_some_and(is_old) {
            tended.calls.pop_front();
        }
        tended.day = tended.day.on(now);
        tended.day.requests = tended.day.requests.saturating_add(1);
    }

    /// A lane has used something up, whether or not anybody still wanted it.
    pub(crate) fn used(&mut self, now: Moment, lane: LaneKind, usage: Usage) {
        let tended = &mut self.lanes[lane as usize];
        tended.day = tended.day.on(now);
        let used = usage.prompt_tokens.saturating_add(usage.completion_tokens);
        tended.day.tokens = tended.day.tokens.saturating_add(used);
    }

    /// What was used up in a day is known from elsewhere. What was counted here is part of it, if it is
    /// more.
    pub(crate) fn known(
        &mut self,
        now: Moment,
        (lane, day): (LaneKind, u64),
        (requests, tokens): (u64, u64),
    ) {
        let tended = &mut self.lanes[lane as usize];
        let today = tended.day.on(now);
        if day < today.number {
            return;
        }
        let counted = if day == today.number {
            today
        } else {
            DailyUsage::default()
        };
        tended.day = DailyUsage {
            number: day,
            requests: counted.requests.max(requests),
            tokens: counted.tokens.max(tokens),
        };
    }

    /// A lane is set up otherwise, and is not what failed before.
    pub(crate) fn forgive(&mut self, lane: LaneKind) {
        let tended = &mut self.lanes[lane as usize];
        tended.breaker = CircuitBreaker::default();
        tended.asked_for = None;
    }

    /// A lane has answered a call that was made then.
    pub(crate) fn answered(&mut self, (lane, started): (LaneKind, Moment)) {
        let breaker = &mut self.lanes[lane as usize].breaker;
        (breaker.failures, breaker.last) = (0, 0);
        breaker.rest = breaker.rest.filter(|rest| started <= rest.since);
    }

    /// A lane broke in a call that was made then. Gives for how many milliseconds it is left alone,
    /// if it is from now on.
    pub(crate) fn failed(
        &mut self,
        now: Moment,
        (lane, started): (LaneKind, Moment),
        failure: Failure,
    ) -> Option<u64> {
        self.lanes[lane as usize].failed(now, started, failure)
    }

    /// What a lane has used up.
    pub(crate) fn used_up(&self, now: Moment, lane: LaneKind) -> Used {
        let tended = &self.lanes[lane as usize];
        let today = tended.day.on(now);
        Used {
            requests_last_minute: tended.called_last_minute(now),
            requests_today: today.requests,
            tokens_today: today.tokens,
        }
    }

    /// Until when a lane is left alone, if it is.
    pub(crate) fn rests_until(&self, now: Moment, lane: LaneKind) -> Option<Moment> {
        self.lanes[lane as usize].rests_until(now)
    }
}

impl LaneCondition {
    /// Takes note of a failure. Gives for how many milliseconds the lane is left alone if that is
    /// longer than was known.
    fn failed(&mut self, now: Moment, started: Moment, failure: Failure) -> Option<u64> {
        let before = self.rests_until(now);
        let is_known = self.asked_for.is_some_and(|it| it.foretold(now, started));
        let asked_for = failure.retry_after_ms;
        let is_told_off = failure.kind == FailureKind::TooManyRequests && asked_for.is_none();
        let breaker = &mut self.breaker;
        breaker.failures = breaker.failures.saturating_add(1);
        let is_too_much = is_told_off || breaker.failures >= TOO_MANY;
        if is_too_much && !is_known {
            breaker.rest(now, started);
        }
        let asked_for = asked_for.map(|millis| BreakerRest::of(now, millis.min(LONGEST_ASKED_FOR)));
        let longer = asked_for.filter(|it| self.asked_for.is_none_or(|last| last.until < it.until));
        self.asked_for = longer.or(self.asked_for);

        let until = self
            .rests_until(now)
            .filter(|_| self.rests_until(now) > before);
        until.map(|until| until.since(now))
    }

    fn called_last_minute(&self, now: Moment) -> u64 {
        let recent = |call: &&Moment| now.since(**call) < MINUTE;
        self.calls.iter().rev().take_while(recent).count() as u64
    }

    fn rests_until(&self, now: Moment) -> Option<Moment> {
        let rests = self.breaker.rest.into_iter().chain(self.asked_for);
        let rests = rests.filter(|rest| now < rest.until);
        rests.map(|rest| rest.until).max()
    }
}

impl CircuitBreaker {
    /// Lets the lane rest, unless it is resting and the call was made before that.
    fn rest(&mut self, now: Moment, started: Moment) {
        if self.rest.is_some_and(|rest| rest.foretold(now, started)) {
            return;
        }
        let longer = self.last.saturating_mul(2);
        self.last = longer.clamp(FIRST_REST, LONGEST_REST);
        self.rest = Some(BreakerRest::of(now, self.last));
    }
}

impl BreakerRest {
    /// One that begins now.
    fn of(now: Moment, millis: u64) -> Self {
        BreakerRest {
            since: now,
            until: now.after(millis),
        }
    }

    /// Whether it goes on, and began after a call was made: how that call ends says nothing new.
    fn foretold(self, now: Moment, started: Moment) -> bool {
        now < self.until && started <= self.since
    }
}

impl DailyUsage {
    /// What was used up on the day of a moment, or on a later one that is known to have begun.
    fn on(self, now: Moment) -> Self {
        let number = now.millis() / DAY;
        if self.number >= number {
            self
        } else {
            DailyUsage {
                number,
                ..DailyUsage::default()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foretell_settings::Settings;

    const LANE: LaneKind = LaneKind::Fim;

    fn failure(kind: FailureKind, retry_after_ms: Option<u64>) -> Failure {
        Failure {
            kind,
            retry_after_ms,
        }
    }

    fn at(millis: u64) -> Moment {
        Moment::from_millis(millis)
    }

    #[test]
    fn three_failures_in_a_row_and_it_rests_longer_each_time() {
        let mut care = LaneHealth::default();
        let settings = Settings::default().lanes.fim;
        let refused = failure(FailureKind::Refused, None);
        let mut now = 0;
        let mut rests = Vec::new();
        while rests.len() < 7 {
            assert_eq!(care.objection(at(now), LANE, &settings), None);
            match care.failed(at(now), (LANE, at(now)), refused) {
                None => now += 1,
                Some(rest) => {
                    rests.push(rest);
                    let last = at(now + rest - 1);
                    let resting = Some(Reason::LaneResting);
                    assert_eq!(care.objection(last, LANE, &settings), resting);
                    now += rest;
                }
            }
        }
        let expected = [10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000];
        assert_eq!(rests, expected);
        care.answered((LANE, at(now)));
        assert_eq!(care.failed(at(now), (LANE, at(now)), refused), None);
    }

    #[test]
    fn a_server_that_says_how_long_is_believed() {
        let mut care = LaneHealth::default();
        let told_off = failure(FailureKind::TooManyRequests, Some(1_234));
        assert_eq!(care.failed(at(0), (LANE, at(0)), told_off), Some(1_234));
        assert_eq!(care.rests_until(at(1_233), LANE), Some(at(1_234)));
        assert_eq!(care.rests_until(at(1_234), LANE), None);
        let without = failure(FailureKind::TooManyRequests, None);
        let made = (LANE, at(2_000));
        assert_eq!(care.failed(at(2_000), made, without), Some(FIRST_REST));
    }

    #[test]
    fn limits_are_kept_and_end() {
        let mut care = LaneHealth::default();
        let mut settings = Settings::default().lanes.fim;
        settings.requests_per_minute = Some(2);
        settings.requests_per_day = Some(3);
        settings.tokens_per_day = Some(100);
        let over = Some(Reason::OverLimit);
        care.called(at(0), LANE);
        care.called(at(30_000), LANE);
        assert_eq!(care.objection(at(59_999), LANE, &settings), over);
        assert_eq!(care.objection(at(60_000), LANE, &settings), None);
        care.called(at(60_000), LANE);
        let used = Used {
            requests_last_minute: 2,
            requests_today: 3,
            tokens_today: 0,
        };
        assert_eq!(care.used_up(at(60_000), LANE), used);
        assert_eq!(care.used_up(at(DAY), LANE), Used::default());
        assert_eq!(care.objection(at(DAY - 1), LANE, &settings), over);
        assert_eq!(care.objection(at(DAY), LANE, &settings), None);
        let used = Usage {
            prompt_tokens: 60,
            completion_tokens: 40,
        };
        care.used(at(DAY), LANE, used);
        assert_eq!(care.objection(at(DAY + 1), LANE, &settings), over);
        assert_eq!(care.objection(at(2 * DAY), LANE, &settings), None);
        assert_eq!(care.objection(at(DAY + 1), LaneKind::Fix, &settings), None);
    }
}
