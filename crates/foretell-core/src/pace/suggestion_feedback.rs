//! Feedback: what the person made of the last suggestions.
//!
//! Each of the last ten verdicts multiplies the wait, by less the older it is. Suggestions that
//! went away without a word are no verdict.

use std::collections::VecDeque;

use foretell_settings::settings;

use crate::moment::Moment;

/// How many verdicts count.
const COUNTED: usize = 10;

/// The person's verdict on a suggestion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SuggestionVerdict {
    Accepted,
    Rejected,
}

/// The last verdicts, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct SuggestionFeedback {
    verdicts: VecDeque<(Moment, SuggestionVerdict)>,
}

impl SuggestionFeedback {
    pub(crate) fn judged(&mut self, now: Moment, verdict: SuggestionVerdict) {
        self.verdicts.push_back((now, verdict));
        if self.verdicts.len() > COUNTED {
            self.verdicts.pop_front();
        }
    }

    /// Returns the wait as changed by the verdicts, within its bounds, in milliseconds.
    pub(crate) fn weigh(&self, now: Moment, wait: f64, settings: &settings::PaceSettings) -> f64 {
        let memory = settings.memory.get();
        let recent = self.verdicts.iter().filter(|it| now.since(it.0) <= memory);
        let weighed = recent.fold(wait, |wait, (then, verdict)| {
            let weight = match verdict {
                SuggestionVerdict::Accepted => settings.accepted_factor,
                SuggestionVerdict::Rejected => settings.rejected_factor,
            };
            let freshness = (-(now.since(*then) as f64) / memory as f64).exp();
            wait * (1.0 + (weight - 1.0) * freshness)
        });
        // The settings keep the shortest below the longest.
        weighed.clamp(settings.min.get() as f64, settings.max.get() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foretell_settings::Settings;
    use serde::Deserialize;

    #[derive(Deserialize)]
    struct FeedbackVectors {
        cases: Vec<FeedbackCase>,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct FeedbackCase {
        base_debounce: f64,
        backoff: bool,
        actions: Vec<FeedbackEvent>,
        create_at: u64,
        expect: ExpectedWait,
    }

    #[derive(Deserialize)]
    struct FeedbackEvent {
        t: u64,
        kind: String,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct ExpectedWait {
        expected_total_time: Option<f64>,
    }

    #[test]
    fn the_wait_is_that_of_the_reference() {
        let vectors: FeedbackVectors =
            serde_json::from_str(include_str!("../../tests/vectors/delay.json")).unwrap();
        let settings = Settings::default().pace;
        let mut compared = 0;
        for (index, case) in vectors.cases.iter().enumerate() {
            let mut feedback = SuggestionFeedback::default();
            for action in &case.actions {
                let at = Moment::from_millis(action.t);
                match action.kind.as_str() {
                    "accepted" => feedback.judged(at, SuggestionVerdict::Accepted),
                    "rejected" => feedback.judged(at, SuggestionVerdict::Rejected),
                    other => assert_eq!(other, "ignored"),
                }
            }
            // Without backing off the reference has no such time.
            assert_eq!(case.backoff, case.expect.expected_total_time.is_some());
            let Some(expected) = case.expect.expected_total_time else {
                continue;
            };
            let now = Moment::from_millis(case.create_at);
            let wait = feedback.weigh(now, case.base_debounce, &settings);
            let off = (wait - expected).abs() / expected;
            assert!(off <= 1e-12, "case {index}: {wait} and not {expected}");
            compared += 1;
        }
        assert_eq!((vectors.cases.len(), compared), (500, 453));
    }
}
