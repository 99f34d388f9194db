//! [`TrainingExamples`]: questions that were asked while commits were typed, and the weights they teach.
//!
//! What contexts say does not depend on weights. So questions are written down once, and the weights are
//! found afterwards, by going through all of them several times in a mixed order: what is met last is worth
//! no more than what is met first. Each weight has steps of its own size, which shrink by what it was moved
//! before.
//!
//! Kept: the same examples give the same weights on every machine: of what machines have only sums,
//! products, quotients and square roots of floating point are used, which are the same everywhere.
//!
//! Absent on purpose: all of this where somebody types. Prediction has whole numbers only.

use crate::fixed_point::{ONE, exp2};
use crate::mixer_weights::{MixerWeights, WEIGHTS};
use crate::said_probability::SaidProbability;

// A weight is written down by a number of 16 bits.
const _: () = assert!(WEIGHTS <= 1 << 16);

/// How often all examples are gone through.
const ROUNDS: u32 = 6;
/// How large the first step of a weight is, and how much of it is left in the last round.
const FIRST_STEP: f32 = 0.06;
const LAST_STEP: f32 = 0.008;

/// Questions, and what came then.
#[derive(Clone, Debug, Default)]
pub struct TrainingExamples {
    pub(crate) votes: Vec<ExampleVote>,
    pub(crate) escapes: Vec<u16>,
    /// For each token that was weighed the weight of how far away it stood last.
    pub(crate) recents: Vec<u16>,
    pub(crate) questions: Vec<ExampleQuestion>,
}

/// That a context named a token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExampleVote {
    pub(crate) weight: u16,
    pub(crate) second: u16,
    pub(crate) third: u16,
    pub(crate) latest: u16,
    pub(crate) log: u16,
    pub(crate) candidate: u8,
}

/// What was asked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExampleQuestion {
    /// Where its votes end, and its escapes.
    pub(crate) votes: u32,
    pub(crate) escapes: u32,
    pub(crate) recents: u32,
    /// How many tokens were weighed.
    pub(crate) candidates: u8,
    /// Which of them it was; none, if it was none of them.
    pub(crate) truth: Option<u8>,
}

impl ExampleVote {
    fn weights(self) -> [usize; 3] {
        [self.weight, self.second, self.third].map(usize::from)
    }
}

impl TrainingExamples {
    /// How many questions there are.
    pub fn len(&self) -> usize {
        self.questions.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.questions.is_empty()
    }

    fn parts(&self, at: usize) -> (ExampleQuestion, &[ExampleVote], &[u16], &[u16]) {
        let question = self.questions[at];
        let before = at.checked_sub(1).map(|before| self.questions[before]);
        let (votes, escapes, recents) =
            before.map_or((0, 0, 0), |it| (it.votes, it.escapes, it.recents));
        (
            question,
            &self.votes[votes as usize..question.votes as usize],
            &self.escapes[escapes as usize..question.escapes as usize],
            &self.recents[recents as usize..question.recents as usize],
        )
    }

    /// The weights that examples teach, as they are shipped, with a calibration that knows nothing yet.
    pub fn teach(all: &[TrainingExamples]) -> Vec<u8> {
        let mut training = MixerTraining::new();
        let mut order: Vec<(usize, usize)> = Vec::new();
        for (which, examples) in all.iter().enumerate() {
            order.extend((0..examples.len()).map(|at| (which, at)));
        }
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        for round in 0..ROUNDS {
            for at in (1..order.len()).rev() {
                seed ^= seed << 13;
                seed ^= seed >> 7;
                seed ^= seed << 17;
                order.swap(at, (seed % (at as u64 + 1)) as usize);
            }
            let share = round as f32 / (ROUNDS - 1) as f32;
            let step = FIRST_STEP + (LAST_STEP - FIRST_STEP) * share;
            for (which, at) in &order {
                training.learn(all[*which].parts(*at), step);
            }
        }
        let weights = training.weights().to_bytes();
        [weights, SaidProbability::new().to_bytes()].concat()
    }
}

/// Weights that are being found.
struct MixerTraining {
    weights: Vec<f32>,
    /// The sum of the squares of all gradients of each.
    moved: Vec<f32>,
    scores: [f32; 256],
    errors: [f32; 256],
}

impl MixerTraining {
    fn new() -> Self {
        let even = MixerWeights::even();
        MixerTraining {
            weights: (0..WEIGHTS as u32)
                .map(|at| even.get(at) as f32 / ONE as f32)
                .collect(),
            moved: vec![1.0; WEIGHTS],
            scores: [0.0; 256],
            errors: [0.0; 256],
        }
    }

    fn learn(
        &mut self,
        (question, votes, escapes, recents): (ExampleQuestion, &[ExampleVote], &[u16], &[u16]),
        step: f32,
    ) {
        let count = usize::from(question.candidates);
        let escape: f32 = escapes
            .iter()
            .map(|at| self.weights[usize::from(*at)])
            .sum();
        for (score, at) in self.scores.iter_mut().zip(recents) {
            *score = self.weights[usize::from(*at)];
        }
        self.scores[count] = escape;
        for vote in votes {
            let log = f32::from(vote.log) / 256.0;
            let mut score = self.weights[usize::from(vote.latest)];
            for at in vote.weights() {
                score += self.weights[at] * log + self.weights[at + 1];
            }
            self.scores[usize::from(vote.candidate)] += score;
        }
        let scores = &self.scores[..=count];
        let highest = scores.iter().copied().fold(f32::MIN, f32::max);
        let mut sum = 0.0;
        for (error, score) in self.errors.iter_mut().zip(scores) {
            let below = ((score - highest).max(-30.0) * ONE as f32) as i32;
            *error = exp2(below) as f32;
            sum += *error;
        }
        for error in &mut self.errors[..=count] {
            *error = -*error / sum;
        }
        self.errors[question.truth.map_or(count, usize::from)] += 1.0;
        for vote in votes {
            let error = self.errors[usize::from(vote.candidate)];
            if error.abs() < 1e-4 {
                continue;
            }
            let log = f32::from(vote.log) / 256.0;
            for at in vote.weights() {
                self.shift(at, error * log, step);
                self.shift(at + 1, error, step);
            }
            self.shift(usize::from(vote.latest), error, step);
        }
        for (which, at) in recents.iter().enumerate() {
            self.shift(usize::from(*at), self.errors[which], step);
        }
        let error = self.errors[count];
        for escape in escapes {
            self.shift(usize::from(*escape), error, step);
        }
    }

    fn shift(&mut self, at: usize, gradient: f32, step: f32) {
        let moved = &mut self.moved[at];
        *moved += gradient * gradient;
        self.weights[at] += step * gradient / moved.sqrt();
    }

    fn weights(&self) -> MixerWeights {
        MixerWeights::of(self.weights.iter().map(|it| (it * ONE as f32) as i32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Predictor;
    use foretell_text::{ChangeReason, DocumentId, Edit, Language, Replacement, Text};

    /// What is written down while somebody types.
    fn examples(typed: &str) -> TrainingExamples {
        let mut predictor = Predictor::untrained();
        let document = DocumentId::new("file:///a.rs");
        let mut text = Text::from("");
        predictor.open(&document, &Language::new("rust"), &text);
        for key in typed.chars() {
            predictor.predict(&document, text.end());
            let edit = Edit::from(Replacement::insertion(text.end(), key.to_string()));
            text = edit.apply(&text).expect("it fits");
            predictor.change(&document, &text, &edit, ChangeReason::Typed);
        }
        predictor.take_examples()
    }

    #[test]
    fn the_same_examples_give_the_same_weights_and_those_say_what_came() {
        let all = [examples(&"table.insert(\"a\", 1);\n".repeat(20))];
        let taught = TrainingExamples::teach(&all);
        assert!(taught == TrainingExamples::teach(&all));
        assert!(Predictor::with_training(&taught).is_some());
        let unlikely = |weights: &MixerWeights| -> f32 {
            let mut training = MixerTraining::new();
            let weights = (0..WEIGHTS as u32).map(|at| weights.get(at));
            training.weights = weights.map(|it| it as f32 / ONE as f32).collect();
            let mut sum = 0.0;
            for at in 0..all[0].len() {
                let parts = all[0].parts(at);
                let question = parts.0;
                training.learn(parts, 0.0);
                let truth = question.truth.unwrap_or(question.candidates);
                sum += training.errors[usize::from(truth)];
            }
            sum
        };
        let taught = MixerWeights::read(&taught[..WEIGHTS * 2]).expect("it is of this shape");
        assert!(unlikely(&taught) < 0.7 * unlikely(&MixerWeights::even()));
    }
}
