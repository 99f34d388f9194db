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
//! A call that is stopped because its request has ended has not failed: automatic requests have little time. A
//! call to a model that makes no progress for as long as it may has failed, whoever notices first: its lane, or
//! the machine.
//!
//! Limits on requests and tokens are the person's own settings. Nothing is called once one of them
//! is reached. That keeps to the requests exactly, but what a call costs in tokens is known when it
//! is answered, so those that run at that moment may go over, and what was stopped before its
//! answer was on the way is never counted. Minutes slide, days are counted by the clock that tells
//! the time here.

use std::collections::VecDeque;

use foretell_settings::settings;
use foretell_text::{FailureKind, LaneFailure, LaneKind, PerLane, TokenUsage};

use crate::lane_speeds::LaneSpeeds;
use crate::moment::Moment;
use crate::reason::Reason;

/// How many failures in a row are too many.
const TOO_MANY: u32 = 3;
/// The first rest and the longest, in milliseconds.
const FIRST_REST: u64 = 10_000;
const LONGEST_REST: u64 = 300_000;
/// How long a server is left alone that loads its model, in milliseconds.
const WHILE_LOADING: u64 = 1_000;
/// The longest rest that a server may ask for, in milliseconds: a day.
const LONGEST_ASKED_FOR: u64 = DAY;

/// How soon a quick lane says something, in milliseconds.
const QUICK: u64 = 250;

const MINUTE: u64 = 60_000;
const DAY: u64 = 24 * 60 * MINUTE;

/// How many calls are remembered for counting them by the minute. No setting allows more.
const MOST_CALLS: usize = 10_000;

/// How each lane is doing.
#[derive(Debug, Default)]
pub(crate) struct LaneHealth {
    lanes: PerLane<LaneCondition>,
    /// How fast their servers are.
    pub(crate) speeds: LaneSpeeds,
}

#[derive(Debug, Default)]
struct LaneCondition {
    breaker: CircuitBreaker,
    /// The rest that its server asked for.
    asked_for: Option<BreakerRest>,
    /// How long it takes until it says something, in milliseconds, as far as it has lately.
    first_words: Option<u64>,
    /// When it was called, the oldest first.
    calls: VecDeque<Moment>,
    day: DailyUsage,
}

/// A lane's usage, as far as there are limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaneUsage {
    /// How often it was called within the last minute.
    pub requests_last_minute: u64,
    /// How often it was called today.
    pub requests_today: u64,
    /// How many tokens that took.
    pub tokens_today: u64,
}

/// The circuit breaker, which keeps requests away from a lane that fails.
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

/// The usage of one day.
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
        settings: &settings::LaneSettings,
    ) -> Option<Reason> {
        let condition = &self.lanes[lane];
        if condition.rests_until(now).is_some() {
            return Some(Reason::LaneResting);
        }
        let last_minute = || condition.called_last_minute(now);
        let today = condition.day.on(now);
        let is_over =
            |limit: Option<u64>, used: &dyn Fn() -> u64| limit.is_some_and(|limit| used() >= limit);
        let is_too_much = is_over(settings.requests_per_minute, &last_minute)
            || is_over(settings.requests_per_day, &|| today.requests)
            || is_over(settings.tokens_per_day, &|| today.tokens);
        is_too_much.then_some(Reason::OverLimit)
    }

    /// A lane is called.
    pub(crate) fn called(&mut self, now: Moment, lane: LaneKind) {
        let condition = &mut self.lanes[lane];
        condition.calls.push_back(now);
        let is_old = |call: &Moment| now.since(*call) >= MINUTE;
        while condition.calls.len() > MOST_CALLS || condition.calls.front().is_some_and(is_old) {
            condition.calls.pop_front();
        }
        condition.day = condition.day.on(now);
        condition.day.requests = condition.day.requests.saturating_add(1);
    }

    /// A lane has used tokens, whether or not its answer was still wanted.
    pub(crate) fn used(&mut self, now: Moment, lane: LaneKind, usage: TokenUsage) {
        let condition = &mut self.lanes[lane];
        condition.day = condition.day.on(now);
        let used = usage.prompt_tokens.saturating_add(usage.completion_tokens);
        condition.day.tokens = condition.day.tokens.saturating_add(used);
    }

    /// The usage of a day is known from elsewhere. The larger of this and the
    /// machine's own count holds.
    pub(crate) fn known(
        &mut self,
        now: Moment,
        lane: LaneKind,
        day: u64,
        requests: u64,
        tokens: u64,
    ) {
        let condition = &mut self.lanes[lane];
        let today = condition.day.on(now);
        if day < today.number {
            return;
        }
        let counted = if day == today.number {
            today
        } else {
            DailyUsage::default()
        };
        condition.day = DailyUsage {
            number: day,
            requests: counted.requests.max(requests),
            tokens: counted.tokens.max(tokens),
        };
    }

    /// A lane is set up otherwise, and is not what failed before.
    pub(crate) fn forgive(&mut self, lane: LaneKind) {
        let condition = &mut self.lanes[lane];
        condition.breaker = CircuitBreaker::default();
        condition.asked_for = None;
        self.speeds.forget(lane);
    }

    /// A lane has said its first words so many milliseconds after it was called.
    pub(crate) fn spoke(&mut self, lane: LaneKind, millis: u64) {
        let usual = &mut self.lanes[lane].first_words;
        // Each call counts for a quarter, so that one slow answer among quick ones changes little.
        *usual = Some(usual.map_or(millis, |usual| (3 * usual + millis) / 4));
    }

    /// Whether a lane usually says something before a person notices that it was asked.
    pub(crate) fn is_quick(&self, lane: LaneKind) -> bool {
        let usual = self.lanes[lane].first_words;
        usual.is_some_and(|usual| usual <= QUICK)
    }

    /// A lane has answered a call that was made then.
    pub(crate) fn answered(&mut self, lane: LaneKind, started: Moment) {
        let breaker = &mut self.lanes[lane].breaker;
        (breaker.failures, breaker.last) = (0, 0);
        breaker.rest = breaker.rest.filter(|rest| started <= rest.since);
    }

    /// A lane broke in a call that was made then. Gives for how many milliseconds it is left alone,
    /// if it is from now on.
    pub(crate) fn failed(
        &mut self,
        now: Moment,
        lane: LaneKind,
        started: Moment,
        failure: LaneFailure,
    ) -> Option<u64> {
        self.lanes[lane].failed(now, started, failure)
    }

    /// Returns a lane's usage.
    pub(crate) fn used_up(&self, now: Moment, lane: LaneKind) -> LaneUsage {
        let condition = &self.lanes[lane];
        let today = condition.day.on(now);
        LaneUsage {
            requests_last_minute: condition.called_last_minute(now),
            requests_today: today.requests,
            tokens_today: today.tokens,
        }
    }

    /// Until when a lane is left alone, if it is.
    pub(crate) fn rests_until(&self, now: Moment, lane: LaneKind) -> Option<Moment> {
        self.lanes[lane].rests_until(now)
    }
}

impl LaneCondition {
    /// Takes note of a failure. Gives for how many milliseconds the lane is left alone if that is
    /// longer than was known.
    fn failed(&mut self, now: Moment, started: Moment, failure: LaneFailure) -> Option<u64> {
        if failure.kind == FailureKind::Loading {
            // It is no failure, and nothing to tell people of: the server is asked again in a moment.
            let rest = BreakerRest::of(now, WHILE_LOADING);
            let longer = self.asked_for.filter(|it| it.until > rest.until);
            self.asked_for = longer.or(Some(rest));
            return None;
        }
        if failure.kind == FailureKind::Untold {
            // Nobody was asked, and a line further down it may be.
            return None;
        }
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
    /// Returns the usage of the day of a moment, or of a later one that is known to have begun.
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

    fn failure(kind: FailureKind, retry_after_ms: Option<u64>) -> LaneFailure {
        LaneFailure {
            kind,
            retry_after_ms,
        }
    }

    fn at(millis: u64) -> Moment {
        Moment::from_millis(millis)
    }

    #[test]
    fn three_failures_in_a_row_and_it_rests_longer_each_time() {
        let mut health = LaneHealth::default();
        let settings = Settings::default().lanes.fim;
        let refused = failure(FailureKind::Refused, None);
        let mut now = 0;
        let mut rests = Vec::new();
        while rests.len() < 7 {
            assert_eq!(health.objection(at(now), LANE, &settings), None);
            match health.failed(at(now), LANE, at(now), refused) {
                None => now += 1,
                Some(rest) => {
                    rests.push(rest);
                    let last = at(now + rest - 1);
                    let resting = Some(Reason::LaneResting);
                    assert_eq!(health.objection(last, LANE, &settings), resting);
                    now += rest;
                }
            }
        }
        let expected = [10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000];
        assert_eq!(rests, expected);
        health.answered(LANE, at(now));
        assert_eq!(health.failed(at(now), LANE, at(now), refused), None);
    }

    #[test]
    fn a_lane_that_could_not_be_told_of_a_place_does_not_rest() {
        let mut health = LaneHealth::default();
        for now in 0..20 {
            let untold = failure(FailureKind::Untold, None);
            assert_eq!(health.failed(at(now), LANE, at(now), untold), None);
            assert_eq!(health.rests_until(at(now), LANE), None);
        }
    }

    #[test]
    fn a_server_that_says_how_long_is_believed() {
        let mut health = LaneHealth::default();
        let told_off = failure(FailureKind::TooManyRequests, Some(1_234));
        assert_eq!(health.failed(at(0), LANE, at(0), told_off), Some(1_234));
        assert_eq!(health.rests_until(at(1_233), LANE), Some(at(1_234)));
        assert_eq!(health.rests_until(at(1_234), LANE), None);
        let without = failure(FailureKind::TooManyRequests, None);
        let made = at(2_000);
        assert_eq!(health.failed(made, LANE, made, without), Some(FIRST_REST));
    }

    #[test]
    fn a_server_that_loads_its_model_is_asked_again_in_a_moment() {
        let mut care = LaneHealth::default();
        let loading = failure(FailureKind::Loading, None);
        for second in 0..60 {
            let now = at(second * 2_000);
            assert_eq!(care.failed(now, LANE, now, loading), None);
            assert_eq!(care.rests_until(now, LANE), Some(now.after(WHILE_LOADING)));
            assert_eq!(care.rests_until(now.after(WHILE_LOADING), LANE), None);
        }
    }

    #[test]
    fn limits_are_kept_and_end() {
        let mut health = LaneHealth::default();
        let mut settings = Settings::default().lanes.fim;
        settings.requests_per_minute = Some(2);
        settings.requests_per_day = Some(3);
        settings.tokens_per_day = Some(100);
        let over = Some(Reason::OverLimit);
        health.called(at(0), LANE);
        health.called(at(30_000), LANE);
        assert_eq!(health.objection(at(59_999), LANE, &settings), over);
        assert_eq!(health.objection(at(60_000), LANE, &settings), None);
        health.called(at(60_000), LANE);
        let used = LaneUsage {
            requests_last_minute: 2,
            requests_today: 3,
            tokens_today: 0,
        };
        assert_eq!(health.used_up(at(60_000), LANE), used);
        assert_eq!(health.used_up(at(DAY), LANE), LaneUsage::default());
        assert_eq!(health.objection(at(DAY - 1), LANE, &settings), over);
        assert_eq!(health.objection(at(DAY), LANE, &settings), None);
        let used = TokenUsage {
            prompt_tokens: 60,
            completion_tokens: 40,
            read_tokens: None,
        };
        health.used(at(DAY), LANE, used);
        assert_eq!(health.objection(at(DAY + 1), LANE, &settings), over);
        assert_eq!(health.objection(at(2 * DAY), LANE, &settings), None);
        assert_eq!(
            health.objection(at(DAY + 1), LaneKind::Fix, &settings),
            None
        );
    }
}
