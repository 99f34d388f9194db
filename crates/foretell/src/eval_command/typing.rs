//! `foretell eval --typing` and `--ask`: what the embedded language model saves somebody who types.
//!
//! | module | what it is |
//! | --- | --- |
//! | `commit_typing` | commits as somebody may have typed them |
//! | `session_typing` | the same for a recorded session |
//! | `key_simulation` | what is said before each key, and what it is worth |
//! | `line_baselines` | what is easy, in the same run |
//! | `typing_evaluation` | all of them together |
//! | `typing_report` | the table, the JSON, and how certain the figures are |

mod commit_typing;
mod key_simulation;
mod line_baselines;
mod session_typing;
mod typing_evaluation;
mod typing_report;

use std::io::{self, Write};
use std::path::Path;
use std::thread;

use foretell_predict::{Likelihood, Predictor, TrainingExamples};
use foretell_trace::Trace;

use super::git_history::RepositoryHistory;
use commit_typing::TypingSession;
pub(super) use commit_typing::{MOST_LINES, is_typed};
pub(crate) use typing_evaluation::AskMoments;
pub(super) use typing_evaluation::repository_name;
use typing_evaluation::{TypingEvaluation, TypingScore};
use typing_report::TypingReport;

/// After so many commits the code of the workspace is read anew.
const COMMITS_PER_READING: usize = 30;
/// One in so many of the commits that the model is trained by is typed without a workspace, too.
const WITHOUT_WORKSPACE: usize = 8;
/// To find out what comes true, one of so many commits is enough.
const CALIBRATION_EVERY: usize = 24;

/// What is found out of what comes true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CalibrationRound {
    All,
    /// What is chosen to be said.
    Chosen,
}

/// What is asked, and how.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TypingQuestion {
    pub(crate) moments: AskMoments,
    pub(crate) threshold: Likelihood,
    pub(crate) with_workspace: bool,
    /// Of so many commits one is typed, and the others are put in.
    pub(crate) every: usize,
    pub(crate) with_baselines: bool,
    pub(crate) part: HistoryPart,
}

/// Of which part of a history some commits are typed, where not all are. From four on, of one of so many, no
/// commit is in both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HistoryPart {
    /// That which the model is measured on.
    Asked,
    /// That which the weights are made from.
    Learned,
}

/// Which commits of which repository.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HistorySpan<'a> {
    pub(crate) repository: &'a Path,
    pub(crate) since: &'a str,
    pub(crate) until: &'a str,
}

/// Types the commits of repositories, one after the other.
pub(crate) fn score_repositories(
    spans: &[HistorySpan<'_>],
    question: TypingQuestion,
) -> io::Result<TypingReport> {
    let mut report = TypingReport::default();
    for span in spans {
        let (score, _) = type_repository(*span, question, Predictor::new())?;
        report.add("repository", repository_name(span.repository), score);
    }
    Ok(report)
}

/// Types recorded sessions again.
pub(crate) fn score_sessions(traces: &[Trace], question: TypingQuestion) -> TypingReport {
    let mut report = TypingReport::default();
    for trace in traces {
        let mut evaluation = evaluation(Predictor::new(), question);
        session_typing::play(trace, &mut evaluation);
        report.add("session", trace.source().to_owned(), evaluation.score);
    }
    report
}

/// The weights that repositories teach, and the calibration of what is said with them.
pub(crate) fn train(spans: &[HistorySpan<'_>], every: usize) -> io::Result<Vec<u8>> {
    let mut examples = Vec::new();
    for mut predictor in type_all(training_runs(spans, every), &Predictor::untrained)? {
        examples.push(predictor.take_examples());
    }
    let mut trained = TrainingExamples::teach(&examples);
    drop(examples);
    // Once more as it is used, for what is said to be what comes true; and a second time, since by then
    // something else is chosen.
    for round in [CalibrationRound::All, CalibrationRound::Chosen] {
        let predictor = || Predictor::calibrating(&trained).unwrap_or_default();
        let mut total = predictor();
        let runs = training_runs(spans, every.max(CALIBRATION_EVERY));
        for typed in type_all(runs, &predictor)? {
            total.calibrate_by(&typed);
        }
        if round == CalibrationRound::All {
            total.forget_chosen();
        }
        trained = total.trained();
    }
    Ok(trained)
}

/// Types several repositories at the same time, and says what each predictor has learned, in the same order.
fn type_all<'a>(
    runs: impl Iterator<Item = (HistorySpan<'a>, TypingQuestion)>,
    predictor: &(impl Fn() -> Predictor + Sync),
) -> io::Result<Vec<Predictor>> {
    thread::scope(|scope| {
        let run = |(span, question)| {
            scope.spawn(move || Ok(type_repository(span, question, predictor())?.1))
        };
        let runs: Vec<_> = runs.map(run).collect();
        let joined = runs.into_iter().map(|run| {
            let broken = |_| io::Error::other("typing a repository broke off");
            run.join().map_err(broken)?
        });
        joined.collect()
    })
}

/// What is typed for it: with the workspace, and a part of it without one, for those who have none.
fn training_runs<'a>(
    spans: &'a [HistorySpan<'a>],
    every: usize,
) -> impl Iterator<Item = (HistorySpan<'a>, TypingQuestion)> {
    let question = move |with_workspace| TypingQuestion {
        moments: AskMoments::Keys,
        threshold: Predictor::THRESHOLD,
        with_workspace,
        every: if with_workspace {
            every
        } else {
            every * WITHOUT_WORKSPACE
        },
        with_baselines: false,
        part: HistoryPart::Learned,
    };
    let both = move |span: &HistorySpan<'a>| [true, false].map(|it| (*span, question(it)));
    spans.iter().flat_map(both)
}

fn evaluation(predictor: Predictor, question: TypingQuestion) -> TypingEvaluation {
    TypingEvaluation::new(
        predictor,
        question.moments,
        question.threshold,
        question.with_baselines,
    )
}

fn type_repository(
    span: HistorySpan<'_>,
    question: TypingQuestion,
    predictor: Predictor,
) -> io::Result<(TypingScore, Predictor)> {
    let is_wanted = &commit_typing::is_typed;
    let history = RepositoryHistory::read(span.repository, span.since, span.until, is_wanted)?;
    let mut session = TypingSession::new(&history.base);
    let mut evaluation = evaluation(predictor, question);
    let mut read = None;
    let typed = typed_commits(history.commits.len(), question.every, question.part);
    for (at, commit) in history.commits.iter().enumerate() {
        if !typed(at) {
            session.put(commit);
            continue;
        }
        let is_stale = read.is_none_or(|read| at >= read + COMMITS_PER_READING);
        if question.with_workspace && is_stale {
            evaluation.set_workspace(session.files());
            read = Some(at);
        }
        session.play(commit, &mut evaluation);
    }
    let score = std::mem::take(&mut evaluation.score);
    Ok((score, evaluation.into_predictor()))
}

/// Which commits are typed, if one of so many is: those in two stretches, so that what is typed goes on
/// from what was typed before.
pub(super) fn typed_commits(
    commits: usize,
    every: usize,
    part: HistoryPart,
) -> impl Fn(usize) -> bool {
    let stretch = commits / every.max(1) / 2;
    let starts = match part {
        HistoryPart::Asked => [commits * 15 / 100, commits * 55 / 100],
        HistoryPart::Learned => [commits * 30 / 100, commits * 75 / 100],
    };
    move |at| {
        every <= 1
            || starts
                .iter()
                .any(|start| (*start..start + stretch).contains(&at))
    }
}

/// Writes a report.
pub(crate) fn write(report: &TypingReport, json: bool, out: &mut impl Write) -> io::Result<()> {
    if json {
        report.write_json(out)
    } else {
        report.write_table(out)
    }
}
