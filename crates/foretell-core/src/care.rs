//! Taking care of lanes: one that keeps failing rests, and one that has had its share waits.
//!
//! After three failures in a row a lane is left alone for ten seconds, then for twice as long each
//! time, up to five minutes; one answer, and all is forgiven. A server that says how long it wants
//! to be left alone is left alone at least that long, whatever is answered meanwhile. A call that
//! was made before a rest began says nothing about the rest: its answer does not end it, and its
//! failure does not make it longer.
//!
//! A call that had all its time and said nothing has failed too. But automatic requests have little
//! time, and a slow model may be good enough for somebody who asks and waits. So what the person
//! asks for has a breaker of its own, which hears of every failure except those where only the time
//! of automatic requests was up: a rest that came of nothing else keeps automatic requests away, and
//! no others.
//!
//! Limits on requests and tokens are the person's own settings. Nothing is called once one of them
//! is reached. That keeps to the requests exactly, but what a call costs in tokens is known when it
//! is answered, so those that run at that moment may go over, and what was stopped before its
//! answer was on the way is never counted. Minutes slide, days are counted by the clock that tells
//! the time here.

use std::collections::VecDeque;

use foretell_settings::settings;
use foretell_text::LaneKind;

use crate::event::{Failure, FailureKind, RequestCause, Usage};
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

/// Who may ask, each with a breaker of its own.
const CAUSES: [RequestCause; 2] = [RequestCause::Automatic, RequestCause::Explicit];

/// How each lane is doing.
#[derive(Debug, Default)]
pub(crate) struct Care {
    lanes: [Tended; LaneKind::ALL.len()],
}

#[derive(Debug, Default)]
struct Tended {
    breakers: [Breaker; CAUSES.len()],
    /// What its server asked for.
    asked_for: Option<Rest>,
    /// When it was called, the oldest first.
    calls: VecDeque<Moment>,
    day: Day,
}

/// What keeps requests of one cause away from a lane that fails.
#[derive(Debug, Default)]
struct Breaker {
    /// How many in a row.
    failures: u32,
    /// How long the last rest was, in milliseconds, if nothing was answered since.
    last: u64,
    rest: Option<Rest>,
}

/// A time in which a lane is left alone.
#[derive(Clone, Copy, Debug)]
struct Rest {
    since: Moment,
    until: Moment,
}

/// What was used up in one day.
#[derive(Clone, Copy, Debug, Default)]
struct Day {
    number: u64,
    requests: u64,
    tokens: u64,
}

impl Care {
    /// Why a lane must not be called now for a request of such a cause, if it must not.
    pub(crate) fn objection(
        &self,
        now: Moment,
        (lane, cause): (LaneKind, RequestCause),
        settings: &settings::Lane,
    ) -> Option<Reason> {
        let tended = &self.lanes[lane as usize];
        if tended.rests_until(now, cause).is_some() {
            return Some(Reason::LaneResting);
        }
        let last_minute = || {
            let recent = |call: &&Moment| now.since(**call) < MINUTE;
            tended.calls.iter().rev().take_while(recent).count() as u64
        };
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
        tended.day.requests += 1;
    }

    /// A lane has used something up, whether or not anybody still wanted it.
    pub(crate) fn used(&mut self, now: Moment, lane: LaneKind, usage: Usage) {
        let tended = &mut self.lanes[lane as usize];
        tended.day = tended.day.on(now);
        let used = usage.prompt_tokens.saturating_add(usage.completion_tokens);
        tended.day.tokens = tended.day.tokens.saturating_add(used);
    }

    /// A lane has answered a call that was made then.
    pub(crate) fn answered(&mut self, (lane, started): (LaneKind, Moment)) {
        for breaker in &mut self.lanes[lane as usize].breakers {
            (breaker.failures, breaker.last) = (0, 0);
            // While it rests it can still be called by those whom that rest does not keep away.
            breaker.rest = breaker.rest.filter(|rest| started <= rest.since);
        }
    }

    /// A lane broke in a call that was made then. Gives for how many milliseconds it is left alone,
    /// if it is from now on.
    pub(crate) fn failed(
        &mut self,
        now: Moment,
        (lane, started): (LaneKind, Moment),
        failure: Failure,
    ) -> Option<u64> {
        self.lanes[lane as usize].failed(now, started, (failure, &CAUSES))
    }

    /// A call that was made then had all the time of such requests, and nothing came. Gives the same.
    pub(crate) fn timed_out(
        &mut self,
        now: Moment,
        (lane, started): (LaneKind, Moment),
        patience: RequestCause,
    ) -> Option<u64> {
        let failure = Failure {
            kind: FailureKind::TimedOut,
            retry_after_ms: None,
        };
        let told: &[RequestCause] = match patience {
            RequestCause::Automatic => &[RequestCause::Automatic],
            RequestCause::Explicit => &CAUSES,
        };
        self.lanes[lane as usize].failed(now, started, (failure, told))
    }

    /// Until when a lane is left alone, if it is, be it only by automatic requests.
    pub(crate) fn rests_until(&self, now: Moment, lane: LaneKind) -> Option<Moment> {
        let tended = &self.lanes[lane as usize];
        let rests = CAUSES.map(|cause| tended.rests_until(now, cause));
        rests.into_iter().flatten().max()
    }
}

impl Tended {
    /// Takes note of a failure, and tells the breakers of these causes. Gives for how many
    /// milliseconds the lane is left alone if that is longer than was known, for anyone.
    fn failed(
        &mut self,
        now: Moment,
        started: Moment,
        (failure, told): (Failure, &[RequestCause]),
    ) -> Option<u64> {
        let before = CAUSES.map(|cause| self.rests_until(now, cause));
        let is_known = self.asked_for.is_some_and(|it| it.foretold(now, started));
        let asked_for = failure.retry_after_ms;
        let is_told_off = failure.kind == FailureKind::TooManyRequests && asked_for.is_none();
        for cause in told {
            let breaker = &mut self.breakers[*cause as usize];
            breaker.failures = breaker.failures.saturating_add(1);
            let is_too_much = is_told_off || breaker.failures >= TOO_MANY;
            if is_too_much && !is_known {
                breaker.rest(now, started);
            }
        }
        let asked_for = asked_for.map(|millis| Rest::of(now, millis.min(LONGEST_ASKED_FOR)));
        let longer = asked_for.filter(|it| self.asked_for.is_none_or(|last| last.until < it.until));
        self.asked_for = longer.or(self.asked_for);

        let after = CAUSES.map(|cause| self.rests_until(now, cause));
        let rests = after.into_iter().zip(before);
        let longer = rests.filter(|(after, before)| after > before);
        let until = longer.filter_map(|(after, _)| after).max();
        until.map(|until| until.since(now))
    }

    fn rests_until(&self, now: Moment, cause: RequestCause) -> Option<Moment> {
        let own = self.breakers[cause as usize].rest;
        let rests = own.into_iter().chain(self.asked_for);
        let rests = rests.filter(|rest| now < rest.until);
        rests.map(|rest| rest.until).max()
    }
}

impl Breaker {
    /// Lets the lane rest, unless it is resting and the call was made before that.
    fn rest(&mut self, now: Moment, started: Moment) {
        if self.rest.is_some_and(|rest| rest.foretold(now, started)) {
            return;
        }
        let longer = self.last.saturating_mul(2);
        self.last = longer.clamp(FIRST_REST, LONGEST_REST);
        self.rest = Some(Rest::of(now, self.last));
    }
}

impl Rest {
    /// One that begins now.
    fn of(now: Moment, millis: u64) -> Self {
        Rest {
            since: now,
            until: now.after(millis),
        }
    }

    /// Whether it goes on, and began after a call was made: how that call ends says nothing new.
    fn foretold(self, now: Moment, started: Moment) -> bool {
        now < self.until && started <= self.since
    }
}

impl Day {
    /// What was used up on the day of a moment.
    fn on(self, now: Moment) -> Self {
        let number = now.millis() / DAY;
        match self.number == number {
            true => self,
            false => Day {
                number,
                ..Day::default()
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foretell_settings::Settings;

    const LANE: LaneKind = LaneKind::Fim;
    const AUTOMATIC: (LaneKind, RequestCause) = (LANE, RequestCause::Automatic);
    const EXPLICIT: (LaneKind, RequestCause) = (LANE, RequestCause::Explicit);

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
        let mut care = Care::default();
        let settings = Settings::default().lanes.fim;
        let refused = failure(FailureKind::Refused, None);
        let mut now = 0;
        let mut rests = Vec::new();
        while rests.len() < 7 {
            assert_eq!(care.objection(at(now), AUTOMATIC, &settings), None);
            match care.failed(at(now), (LANE, at(now)), refused) {
                None => now += 1,
                Some(rest) => {
                    rests.push(rest);
                    let last = at(now + rest - 1);
                    let resting = Some(Reason::LaneResting);
                    assert_eq!(care.objection(last, AUTOMATIC, &settings), resting);
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
        let mut care = Care::default();
        let told_off = failure(FailureKind::TooManyRequests, Some(1_234));
        assert_eq!(care.failed(at(0), (LANE, at(0)), told_off), Some(1_234));
        assert_eq!(care.rests_until(at(1_233), LANE), Some(at(1_234)));
        assert_eq!(care.rests_until(at(1_234), LANE), None);
        let without = failure(FailureKind::TooManyRequests, None);
        let made = (LANE, at(2_000));
        assert_eq!(care.failed(at(2_000), made, without), Some(FIRST_REST));
    }

    #[test]
    fn what_the_person_asks_for_is_kept_away_by_the_failures_of_the_lane_itself() {
        let mut care = Care::default();
        let settings = Settings::default().lanes.fim;
        let resting = Some(Reason::LaneResting);
        let mut now = 0;
        for _ in 0..5 {
            let rest = care.timed_out(at(now), (LANE, at(now)), RequestCause::Automatic);
            now += rest.unwrap_or(1) - 1;
            let is_resting = rest.and(resting);
            assert_eq!(care.objection(at(now), AUTOMATIC, &settings), is_resting);
            assert_eq!(care.objection(at(now), EXPLICIT, &settings), None);
            now += 1;
        }
        for _ in 0..3 {
            assert_eq!(care.objection(at(now), EXPLICIT, &settings), None);
            care.timed_out(at(now), (LANE, at(now)), RequestCause::Explicit);
            now += 1;
        }
        assert_eq!(care.objection(at(now), EXPLICIT, &settings), resting);
        assert_eq!(care.objection(at(now), AUTOMATIC, &settings), resting);
    }

    #[test]
    fn limits_are_kept_and_end() {
        let mut care = Care::default();
        let mut settings = Settings::default().lanes.fim;
        settings.requests_per_minute = Some(2);
        settings.requests_per_day = Some(3);
        settings.tokens_per_day = Some(100);
        let over = Some(Reason::OverLimit);
        let fix = (LaneKind::Fix, RequestCause::Automatic);
        care.called(at(0), LANE);
        care.called(at(30_000), LANE);
        assert_eq!(care.objection(at(59_999), AUTOMATIC, &settings), over);
        assert_eq!(care.objection(at(60_000), AUTOMATIC, &settings), None);
        care.called(at(60_000), LANE);
        assert_eq!(care.objection(at(DAY - 1), AUTOMATIC, &settings), over);
        assert_eq!(care.objection(at(DAY), AUTOMATIC, &settings), None);
        let used = Usage {
            prompt_tokens: 60,
            completion_tokens: 40,
        };
        care.used(at(DAY), LANE, used);
        assert_eq!(care.objection(at(DAY + 1), AUTOMATIC, &settings), over);
        assert_eq!(care.objection(at(2 * DAY), AUTOMATIC, &settings), None);
        assert_eq!(care.objection(at(DAY + 1), fix, &settings), None);
    }
}
