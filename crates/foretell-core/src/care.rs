//! Taking care of lanes: one that keeps failing rests, and one that has had its share waits.
//!
//! After three failures in a row a lane is left alone for ten seconds, then for twice as long each
//! time, up to five minutes; one answer, and all is forgiven. A server that says how long it wants
//! to be left alone is left alone that long. Limits on requests and tokens are the person's own
//! settings, and are never gone over: minutes slide, days are counted by the clock that tells the
//! time here.

use std::collections::VecDeque;

use foretell_settings::settings;
use foretell_text::LaneKind;

use crate::event::{Failure, FailureKind, Usage};
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
pub(crate) struct Care {
    lanes: [Tended; LaneKind::ALL.len()],
}

#[derive(Debug, Default)]
struct Tended {
    failures: u32,
    /// How long it rested last.
    rest: u64,
    rests_until: Option<Moment>,
    /// When it was called, the oldest first.
    calls: VecDeque<Moment>,
    day: Day,
}

/// What was used up in one day.
#[derive(Clone, Copy, Debug, Default)]
struct Day {
    number: u64,
    requests: u64,
    tokens: u64,
}

impl Care {
    /// Why a lane must not be called now, if it must not.
    pub(crate) fn objection(
        &self,
        now: Moment,
        lane: LaneKind,
        settings: &settings::Lane,
    ) -> Option<Reason> {
        let tended = &self.lanes[lane as usize];
        if tended.rests_until.is_some_and(|until| now < until) {
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

    /// A lane has answered.
    pub(crate) fn answered(&mut self, now: Moment, lane: LaneKind, usage: Usage) {
        let tended = &mut self.lanes[lane as usize];
        (tended.failures, tended.rest, tended.rests_until) = (0, 0, None);
        tended.day = tended.day.on(now);
        let used = usage.prompt_tokens.saturating_add(usage.completion_tokens);
        tended.day.tokens = tended.day.tokens.saturating_add(used);
    }

    /// A lane broke. Gives for how many milliseconds it is left alone, if it is from now on.
    pub(crate) fn failed(&mut self, now: Moment, lane: LaneKind, failure: Failure) -> Option<u64> {
        let tended = &mut self.lanes[lane as usize];
        tended.failures = tended.failures.saturating_add(1);
        let asked_for = failure.retry_after_ms;
        let is_told_off = failure.kind == FailureKind::TooManyRequests || asked_for.is_some();
        if !is_told_off && tended.failures < TOO_MANY {
            return None;
        }
        let rests_until = tended.rests_until.filter(|until| now < *until);
        if rests_until.is_some() && asked_for.is_none() {
            // The call was made before the rest began, and says nothing new.
            return None;
        }
        let asked_for = asked_for.map(|millis| millis.min(LONGEST_ASKED_FOR));
        let rest = asked_for.unwrap_or_else(|| {
            tended.rest = tended
                .rest
                .saturating_mul(2)
                .clamp(FIRST_REST, LONGEST_REST);
            tended.rest
        });
        let until = now.after(rest);
        if rests_until.is_some_and(|longer| until <= longer) {
            return None;
        }
        tended.rests_until = Some(until);
        Some(rest)
    }

    /// Until when a lane is left alone, if it is.
    pub(crate) fn rests_until(&self, now: Moment, lane: LaneKind) -> Option<Moment> {
        let until = self.lanes[lane as usize].rests_until;
        until.filter(|until| now < *until)
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
            assert_eq!(care.objection(at(now), LANE, &settings), None);
            match care.failed(at(now), LANE, refused) {
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
        care.answered(at(now), LANE, Usage::default());
        assert_eq!(care.failed(at(now), LANE, refused), None);
    }

    #[test]
    fn a_server_that_says_how_long_is_believed() {
        let mut care = Care::default();
        let told_off = failure(FailureKind::TooManyRequests, Some(1_234));
        assert_eq!(care.failed(at(0), LANE, told_off), Some(1_234));
        assert_eq!(care.rests_until(at(1_233), LANE), Some(at(1_234)));
        assert_eq!(care.rests_until(at(1_234), LANE), None);
        let without = failure(FailureKind::TooManyRequests, None);
        assert_eq!(care.failed(at(2_000), LANE, without), Some(FIRST_REST));
    }

    #[test]
    fn limits_are_kept_and_end() {
        let mut care = Care::default();
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
        assert_eq!(care.objection(at(DAY - 1), LANE, &settings), over);
        assert_eq!(care.objection(at(DAY), LANE, &settings), None);
        let used = Usage {
            prompt_tokens: 60,
            completion_tokens: 40,
        };
        care.answered(at(DAY), LANE, used);
        assert_eq!(care.objection(at(DAY + 1), LANE, &settings), over);
        assert_eq!(care.objection(at(2 * DAY), LANE, &settings), None);
        assert_eq!(care.objection(at(DAY + 1), LaneKind::Fix, &settings), None);
    }
}
