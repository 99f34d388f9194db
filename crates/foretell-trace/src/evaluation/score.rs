//! The verdict on many answers: counts, and the shares that follow from them.
//!
//! Counts can be added up over traces, shares cannot, so that only counts are kept. Silence where
//! nothing was to be said is right, but says nothing of how far one can trust what is said: it is in
//! the coverage and not in the precision.

use std::collections::BTreeMap;

use foretell_text::LaneKind;

use super::verdict::AnswerVerdict;
use super::{ScoredQuestion, TraceEvaluation};

/// Counts of verdicts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EvalScore {
    /// How often something was asked.
    pub asked: u64,
    /// How often something was suggested.
    pub spoke: u64,
    /// How often what was suggested was right.
    pub right: u64,
    /// How often nothing was to be suggested, and nothing was.
    pub rightly_silent: u64,
    /// How often the first line of what was suggested was right.
    pub first_line: u64,
    /// How often what was suggested was at the right place.
    pub place: u64,
    /// Keys that right answers save.
    pub saved: u64,
    /// Keys that right first lines save.
    pub saved_by_first_line: u64,
    /// Characters that were typed.
    pub typed: u64,
}

impl EvalScore {
    /// How many of those that spoke were right.
    pub fn precision(&self) -> Option<f64> {
        share(self.right, self.spoke)
    }

    /// In how many of all questions the answer was right.
    pub fn coverage(&self) -> Option<f64> {
        share(self.right + self.rightly_silent, self.asked)
    }

    /// How many of those that spoke had the first line right.
    pub fn first_line_right(&self) -> Option<f64> {
        share(self.first_line, self.spoke)
    }

    /// How many of those that spoke had the place right.
    pub fn place_right(&self) -> Option<f64> {
        share(self.place, self.spoke)
    }

    /// How many keys right answers save for every hundred that are typed.
    pub fn keys_saved(&self) -> Option<f64> {
        share(self.saved * 100, self.typed)
    }

    /// How many keys right first lines save for every hundred that are typed.
    pub fn keys_saved_by_first_lines(&self) -> Option<f64> {
        share(self.saved_by_first_line * 100, self.typed)
    }

    /// Takes one more answer in.
    pub fn add(&mut self, verdict: &AnswerVerdict, typed: u64) {
        self.asked += 1;
        self.spoke += u64::from(verdict.spoke);
        self.right += u64::from(verdict.spoke && verdict.right);
        self.rightly_silent += u64::from(!verdict.spoke && verdict.right);
        self.first_line += u64::from(verdict.first_line);
        self.place += u64::from(verdict.place);
        self.saved += verdict.saved;
        self.saved_by_first_line += verdict.saved_by_first_line;
        self.typed += typed;
    }
}

/// Scores by class, by lane and in total.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EvalScores {
    /// By class; traces without one are last.
    pub classes: BTreeMap<TraceClass, EvalScore>,
    /// By lane.
    pub lanes: BTreeMap<LaneKind, EvalScore>,
    /// Of what a person would have seen.
    pub total: EvalScore,
}

/// The class of a trace; one without comes after all others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TraceClass {
    /// The class in its header.
    Named(String),
    /// Its header does not say.
    Unnamed,
}

impl EvalScores {
    /// Takes what came of a trace in.
    pub fn add(&mut self, class: Option<&str>, evaluation: &TraceEvaluation) {
        let class = class.map_or(TraceClass::Unnamed, |name| {
            TraceClass::Named(name.to_owned())
        });
        for asked in &evaluation.asked {
            self.take(&class, asked);
        }
    }

    fn take(&mut self, class: &TraceClass, asked: &ScoredQuestion) {
        for answered in &asked.answers {
            let score = self.lanes.entry(answered.lane).or_default();
            score.add(&answered.verdict, asked.typed);
        }
        if let Some(shown) = asked.shown() {
            let score = self.classes.entry(class.clone()).or_default();
            score.add(&shown.verdict, asked.typed);
            self.total.add(&shown.verdict, asked.typed);
        }
    }
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
