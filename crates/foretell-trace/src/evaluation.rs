//! How often lanes foresee what the person did next.
//!
//! A trace is replayed, and at some moments lanes are asked what the person will do. Their answers
//! are compared with what the trace knows: its `expect` lines, or what was really typed next.
//! Nothing that is asked here changes the replay.
//!
//! | module | what it is |
//! | --- | --- |
//! | `eval_questions` | when something is asked, and what would be right |
//! | [`verdict`] | what one answer is worth |
//! | [`score`] | what many are |
//!
//! Only the first candidate of an answer counts: it is what a person would see first, and a lane
//! that says many things to have one of them right has not foreseen anything.
//!
//! Absent on purpose: the race, the pace and the filters of the machine. This scores what lanes
//! know, not when they are asked.

mod eval_questions;
pub mod score;
pub mod verdict;

use foretell_core::{Core, Moment, Spot};
use foretell_settings::SettingsFault;
use foretell_text::{ByteOffset, DocumentId, LaneCandidate, LaneKind};

use crate::answerer::LaneAnswerer;
use crate::replay::{Replay, ReplayOptions, TurnCause};
use crate::trace::{ExpectedEdit, Trace};
use eval_questions::{EvalQuestion, QuestionSource};
pub use score::{EvalScore, EvalScores};
pub use verdict::AnswerVerdict;

/// Which lanes are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneChoice {
    /// This one, at every question.
    Only(LaneKind),
    /// Those that the machine would ask: all in a pause of typing, and those that know of edits
    /// elsewhere where the trace says what to expect.
    All,
}

/// The result of a trace.
#[derive(Clone, Debug, Default)]
pub struct TraceEvaluation {
    /// Every question, in order.
    pub asked: Vec<ScoredQuestion>,
}

/// A question and its answers.
#[derive(Clone, Debug)]
pub struct ScoredQuestion {
    /// After which line of the trace.
    pub line: usize,
    /// When.
    pub now: Moment,
    /// In which document the cursor is.
    pub document: DocumentId,
    /// Where the cursor is.
    pub at: ByteOffset,
    /// The right answers, and those that are wrong for sure.
    pub expected: Vec<ExpectedEdit>,
    /// How many characters the person typed until the next question.
    pub typed: u64,
    /// The answers of the lanes, in order of priority.
    pub answers: Vec<ScoredAnswer>,
}

/// A lane's answer to a question.
#[derive(Clone, Debug)]
pub struct ScoredAnswer {
    /// Which.
    pub lane: LaneKind,
    /// Its first suggestion, if it has any.
    pub candidate: Option<LaneCandidate>,
    /// The verdict on it.
    pub verdict: AnswerVerdict,
}

impl ScoredQuestion {
    /// The answer that a person would have seen: that of the first lane that spoke, or else the silence
    /// of all.
    pub fn shown(&self) -> Option<&ScoredAnswer> {
        let spoke = self.answers.iter().find(|it| it.verdict.spoke);
        spoke.or(self.answers.first())
    }
}

/// Asks lanes at every question of a trace. It fails where its settings do not apply.
pub fn eval(
    trace: &Trace,
    which: LaneChoice,
    by: &dyn LaneAnswerer,
) -> Result<TraceEvaluation, Vec<SettingsFault>> {
    let mut questions = eval_questions::all(trace).into_iter().peekable();
    let mut replay = Replay::new(trace, &[], ReplayOptions::default())?;
    let mut asked = Vec::new();
    while let Some(turn) = replay.advance() {
        let TurnCause::Line(line) = turn.cause else {
            continue;
        };
        while let Some(question) = questions.next_if(|it| it.after == line.number) {
            asked.extend(ask(question, replay.core(), which, by));
        }
    }
    Ok(TraceEvaluation { asked })
}

fn ask(
    question: EvalQuestion,
    core: &Core,
    which: LaneChoice,
    by: &dyn LaneAnswerer,
) -> Option<ScoredQuestion> {
    let spot = Spot {
        version: core.version(&question.document)?,
        document: question.document.clone(),
        at: question.at,
    };
    let lanes = match (which, question.source) {
        (LaneChoice::Only(lane), _) => vec![lane],
        (LaneChoice::All, QuestionSource::Pause) => LaneKind::ALL.to_vec(),
        (LaneChoice::All, QuestionSource::Expect) => vec![LaneKind::NextEdit, LaneKind::Fix],
    };
    let answers = lanes.into_iter().map(|lane| {
        let candidates = by.answer(core, question.now, lane, &spot);
        let candidate = candidates.into_iter().next();
        let text_of = |document: &DocumentId| core.text(document);
        ScoredAnswer {
            lane,
            verdict: AnswerVerdict::of(candidate.as_ref(), &question.expected, text_of),
            candidate,
        }
    });
    Some(ScoredQuestion {
        answers: answers.collect(),
        line: question.after,
        now: question.now,
        document: question.document,
        at: question.at,
        expected: question.expected,
        typed: question.typed,
    })
}
