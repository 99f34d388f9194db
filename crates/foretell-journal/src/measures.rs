//! [`JournalMeasures`]: how long things took and how they went, for the status.
//!
//! Of each duration the last thousand are kept, not a histogram of all: the figures are exact, they are
//! those of the model server that runs now and not of the one of this morning, and all of them together
//! take less than 40 KB. They are sorted when the status is asked for. Metrics get a histogram of all
//! besides.
//!
//! - **Trigger to suggestion** runs from the moment the editor is told to ask to the answer with
//!   something in it; what the editor asks by itself is kept apart.
//! - **A request** is counted by its outcome. One that was superseded, cancelled or ended with the
//!   process says nothing about how long answers take, and is left out.
//! - **A lane's call** is counted if it came back. One that was stopped, or was still running when the
//!   race was over, was as long as it was let.
//!
//! Time is told in whole milliseconds, so that 0 means less than one. Absent on purpose: clocks, and
//! what the machine counts itself.

use std::collections::VecDeque;

use foretell_core::{LaneReport, Moment, OfferedFrom, Reason, RequestCause};
use foretell_text::{LaneKind, PerLane};
use serde::Serialize;

use crate::decision::{PersonVerdict, RequestOutcome, RequestStory};
use crate::numbers::histogram::Histogram;
use crate::numbers::seconds;

/// How many of each duration are kept.
const MOST: usize = 1_000;

/// A suggestion, in seconds, by a clock of whole milliseconds; the aim is under a second.
const SUGGESTION: &[f64] = &[
    0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0, 1.25, 1.5,
    2.0, 3.0,
];

/// How soon after a suggestion is shown its rejection says that it was unwelcome, in milliseconds.
const AT_ONCE: u64 = 2_000;

/// Durations, and how things went.
#[derive(Debug, Default)]
pub(crate) struct JournalMeasures {
    /// From the editor being told to ask to a suggestion.
    pub(crate) from_trigger: DurationLog,
    /// From the editor asking by itself to a suggestion.
    pub(crate) from_editor: DurationLog,
    /// Requests by what they were answered with.
    pub(crate) carried: DurationLog,
    pub(crate) repeated: DurationLog,
    /// Of requests that were answered at once, by no lane.
    pub(crate) at_once: DurationLog,
    pub(crate) lane: DurationLog,
    pub(crate) withheld: DurationLog,
    /// Triggers whose suggestion was rejected at once.
    pub(crate) rejected_at_once: u64,
    lanes: PerLane<LaneMeasures>,
}

/// How a lane is doing.
#[derive(Debug, Default)]
pub(crate) struct LaneMeasures {
    /// Calls that came back.
    pub(crate) durations: DurationLog,
    /// How many of them were answers, also if there was nothing to suggest.
    pub(crate) answers: u64,
    pub(crate) failures: u64,
    /// Calls that took longer than they had.
    pub(crate) late: u64,
}

impl JournalMeasures {
    /// How a lane is doing.
    pub(crate) fn of(&self, lane: LaneKind) -> &LaneMeasures {
        &self.lanes[lane]
    }

    /// A request is answered.
    pub(crate) fn answered(&mut self, now: Moment, story: &RequestStory, came: RequestOutcome) {
        let took = now.since(story.asked);
        let from = match came {
            RequestOutcome::Suggested { from, .. } => from,
            RequestOutcome::Withheld(
                Reason::Superseded | Reason::Cancelled | Reason::ShuttingDown,
            ) => return,
            RequestOutcome::Withheld(_) => return self.withheld.add(took),
        };
        match from {
            OfferedFrom::Carried => self.carried.add(took),
            OfferedFrom::Repeated => self.repeated.add(took),
            OfferedFrom::Lane => self.lane.add(took),
            OfferedFrom::AtOnce => self.at_once.add(took),
        }
        match (story.triggered, story.cause) {
            (Some(told), _) => self.from_trigger.add(now.since(told)),
            (None, RequestCause::Automatic) => self.from_editor.add(took),
            (None, RequestCause::Explicit) => {}
        }
    }

    /// A lane was in the race for an answer.
    pub(crate) fn lane(&mut self, report: &LaneReport) {
        let lane = &mut self.lanes[report.lane];
        match report.lost {
            Some(Reason::LaneFailed) => lane.failures += 1,
            Some(Reason::TimedOut) => lane.late += 1,
            // It may have come back or not.
            Some(Reason::Outrun | Reason::Superseded | Reason::Overtaken) => {}
            Some(_) | None => {
                lane.answers += 1;
                lane.durations.add(report.took_ms);
            }
        }
    }

    /// The person rejects what a request was answered with. Not every client says when it is shown;
    /// then it is shown when it is answered.
    pub(crate) fn rejected(&mut self, now: Moment, story: &RequestStory) {
        let answered = story.answer.map(|(at, _)| at);
        let is_at_once = story
            .shown
            .or(answered)
            .is_some_and(|shown| now.since(shown) <= AT_ONCE);
        let is_news = !matches!(story.verdict, Some((_, PersonVerdict::Rejected)));
        let is_counted = story.triggered.is_some() && is_at_once && is_news;
        self.rejected_at_once += u64::from(is_counted);
    }
}

/// The last durations of one kind, in milliseconds, and all of them in a histogram.
#[derive(Debug)]
pub(crate) struct DurationLog {
    last: VecDeque<u32>,
    all: Histogram,
}

impl Default for DurationLog {
    fn default() -> Self {
        DurationLog {
            last: VecDeque::new(),
            all: Histogram::new(SUGGESTION),
        }
    }
}

/// Durations as they are told. Of none there is nothing but their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DurationSpread {
    /// How many there were in all; the rest is about the last thousand.
    pub(crate) count: u64,
    pub(crate) p50_ms: Option<u32>,
    pub(crate) p95_ms: Option<u32>,
    pub(crate) p99_ms: Option<u32>,
}

impl DurationLog {
    /// All of them.
    pub(crate) fn all(&self) -> &Histogram {
        &self.all
    }

    pub(crate) fn add(&mut self, millis: u64) {
        self.all.add(seconds(millis));
        if self.last.len() == MOST {
            self.last.pop_front();
        }
        self.last
            .push_back(u32::try_from(millis).unwrap_or(u32::MAX));
    }

    pub(crate) fn spread(&self) -> DurationSpread {
        let mut sorted: Vec<u32> = self.last.iter().copied().collect();
        sorted.sort_unstable();
        // The smallest that so many in a hundred do not exceed.
        let percentile = |hundredths: usize| {
            let rank = (sorted.len() * hundredths).div_ceil(100);
            sorted.get(rank.saturating_sub(1)).copied()
        };
        DurationSpread {
            count: self.all.count(),
            p50_ms: percentile(50),
            p95_ms: percentile(95),
            p99_ms: percentile(99),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread_of(durations: impl IntoIterator<Item = u64>) -> DurationSpread {
        let mut all = DurationLog::default();
        durations.into_iter().for_each(|it| all.add(it));
        all.spread()
    }

    #[test]
    fn percentiles_are_those_of_the_definition() {
        let spread = spread_of(1..=100);
        let figures = (spread.p50_ms, spread.p95_ms, spread.p99_ms);
        assert_eq!(figures, (Some(50), Some(95), Some(99)));
        let one = spread_of([7]);
        assert_eq!(
            (one.p50_ms, one.p95_ms, one.p99_ms),
            (Some(7), Some(7), Some(7))
        );
        assert_eq!(spread_of([]).p50_ms, None);
    }

    #[test]
    fn what_is_long_ago_no_longer_counts_and_takes_no_room() {
        let long_ago = std::iter::repeat_n(60_000, 5_000);
        let lately = std::iter::repeat_n(20, MOST);
        let mut durations = DurationLog::default();
        long_ago.chain(lately).for_each(|it| durations.add(it));
        assert_eq!(durations.last.len(), MOST);
        let spread = durations.spread();
        assert_eq!((spread.count, spread.p99_ms), (6_000, Some(20)));
    }

    #[test]
    fn a_duration_beyond_all_is_the_longest_there_is() {
        assert_eq!(spread_of([u64::MAX]).p50_ms, Some(u32::MAX));
    }
}
