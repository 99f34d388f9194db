//! [`PredictedLine`]: how the line goes on, step by step, and [`Prediction`]: how much of it is said.
//!
//! What is said is what saves most, if that is likely enough: its length times its probability, and what can
//! be said behind it once it is taken. So it ends before a token that is in doubt, and the rest comes after
//! it. It never ends inside a word, is never shorter than four characters, and claims the end of the line
//! only where that was foreseen, too.

use crate::fixed_point::ONE;
use crate::said_probability::SaidThing;

/// Nothing shorter is said, in characters.
const SHORTEST: usize = 4;

/// What it costs to take a suggestion, in characters.
const ACCEPTING: usize = 1;

/// How likely something is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Likelihood(pub(crate) i32);

impl Likelihood {
    /// So many of a hundred.
    pub const fn percent(percent: u8) -> Likelihood {
        let percent = if percent > 100 { 100 } else { percent };
        Likelihood(((percent as i32) << 16) / 100)
    }

    /// So many of a thousand.
    pub const fn from_thousandths(thousandths: u16) -> Likelihood {
        let thousandths = if thousandths > 1000 {
            1000
        } else {
            thousandths
        };
        Likelihood(((thousandths as i32) << 16) / 1000)
    }

    /// In thousandths.
    pub const fn thousandths(self) -> u32 {
        ((self.0 as i64 * 1000 + (1 << 15)) >> 16) as u32
    }
}

/// What goes in at the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prediction {
    /// The text, on one line.
    pub text: String,
    /// How likely it is that all of it is typed next.
    pub probability: Likelihood,
    /// Whether the line ends behind it.
    pub ends_line: bool,
}

/// How the line goes on.
#[derive(Clone, Debug, Default)]
pub struct PredictedLine {
    pub(crate) text: String,
    pub(crate) steps: Vec<PredictedStep>,
    /// How likely it is that the line ends behind the last step.
    pub(crate) line_end: i32,
}

/// A token of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PredictedStep {
    /// Where it ends in the text.
    pub(crate) end: usize,
    /// Its characters up to there.
    pub(crate) characters: usize,
    /// How likely it was said to be so far, before what came true was asked.
    pub(crate) said: SaidThing,
    /// The same by what came true.
    pub(crate) thought: i32,
    /// And if it is what is chosen.
    pub(crate) probability: i32,
}

impl PredictedLine {
    /// What is worth saying of it, if as much as this is expected of a suggestion.
    pub fn cut(&self, threshold: Likelihood) -> Option<Prediction> {
        let best = self.best_step(threshold)?;
        let is_last = self.steps.last().is_some_and(|last| last.end == best.end);
        Some(Prediction {
            text: self.text.get(..best.end)?.to_owned(),
            probability: Likelihood(best.probability),
            ends_line: is_last && self.line_end > ONE - ONE / 16,
        })
    }

    /// Up to where it is worth saying: what is right is taken, and then the rest of it is said.
    pub(crate) fn best_step(&self, threshold: Likelihood) -> Option<&PredictedStep> {
        let likely = |step: &PredictedStep| i64::from(step.probability).max(1);
        // What the steps behind each are worth, once it is taken.
        let mut worths = vec![0_i64; self.steps.len()];
        let mut best = None;
        for from in (0..=self.steps.len()).rev() {
            let begun = from.checked_sub(1).and_then(|at| self.steps.get(at));
            let (characters, before) =
                begun.map_or((0, i64::from(ONE)), |step| (step.characters, likely(step)));
            let mut most = 0;
            for (at, step) in self.steps.iter().enumerate().skip(from) {
                let length = step.characters.saturating_sub(characters);
                let share = ((likely(step) << 16) / before).min(ONE.into());
                if length < SHORTEST || share < threshold.0.into() {
                    continue;
                }
                let worth = share * (((length - ACCEPTING) as i64) << 16) + share * worths[at];
                let worth = worth >> 16;
                if worth > most {
                    most = worth;
                    if from == 0 {
                        best = Some(step);
                    }
                }
            }
            if let Some(at) = from.checked_sub(1) {
                worths[at] = most;
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::said_probability::SaidPlace;

    /// What is said of steps that end behind so many characters and are so likely, in percent.
    fn said(steps: &[(usize, i32)]) -> Option<usize> {
        let step = |(characters, percent): &(usize, i32)| {
            let probability = ONE / 100 * percent;
            PredictedStep {
                end: *characters,
                characters: *characters,
                said: SaidThing {
                    place: SaidPlace::Start,
                    steps: 1,
                    probability,
                },
                thought: probability,
                probability,
            }
        };
        let line = PredictedLine {
            text: "x".repeat(80),
            steps: steps.iter().map(step).collect(),
            line_end: 0,
        };
        let best = line.best_step(Likelihood::percent(60));
        best.map(|step| step.characters)
    }

    #[test]
    fn it_ends_before_what_is_in_doubt_and_goes_on_over_what_is_not() {
        assert_eq!(said(&[(8, 95), (20, 94)]), Some(20));
        assert_eq!(said(&[(8, 95), (20, 62)]), Some(8));
        // The rest would be too short to be said once this is taken.
        assert_eq!(said(&[(8, 95), (10, 70)]), Some(8));
        assert_eq!(said(&[(8, 95), (10, 94)]), Some(10));
        assert_eq!(said(&[(3, 95), (8, 59)]), None);
    }
}
