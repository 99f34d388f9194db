//! `foretell eval`: how often lanes foresee what the person did next.
//!
//! All traces are read before anything is written. The same files and flags give the same bytes.
//! Beside the lanes stands the simplest rule that works, asked in the same run, so that you need not
//! remember what is easy.

mod each;
mod score_json;
mod score_table;
mod simplest;

use std::fs;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use foretell_text::LaneKind;
use foretell_trace::{EvalScores, LaneChoice, Trace, eval};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::embedded_answerer::EmbeddedAnswerer;
use crate::failure::{CommandFailure, CommandOutcome};
use crate::replay_command::{plain_words, read};
use simplest::SimplestRule;

/// Fewer traces than this are scored before a person could read the bar.
const MANY: u64 = 20;

/// Score lanes by what people did next in recorded sessions
///
/// Where a trace says what to expect, lanes are asked once, before it; elsewhere in every pause of
/// more than a second, and the person's next edit is the right answer. The baseline is the simplest
/// rule that works: the latest replacement, at the nearest other place. The exit status is 0, or 2 if a
/// trace cannot be read
#[derive(Args)]
pub(crate) struct EvalCommand {
    /// The traces, or directories with traces (*.jsonl) in them; - reads standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,

    /// Choose the lane to ask: `embedded` asks all that an editor would, and the first answer counts
    #[arg(long, value_name = "LANE", default_value = "embedded")]
    lane: EvalLane,

    /// Also print every question, its answer and the right one
    #[arg(long, conflicts_with = "json")]
    each: bool,

    /// Print one line of JSON for each class, and one with the totals
    #[arg(long)]
    json: bool,
}

/// Which lanes are asked.
#[derive(Clone, Copy, ValueEnum)]
enum EvalLane {
    Embedded,
    Fim,
    NextEdit,
    Fix,
}

impl EvalLane {
    fn which(self) -> LaneChoice {
        match self {
            EvalLane::Embedded => LaneChoice::All,
            EvalLane::Fim => LaneChoice::Only(LaneKind::Fim),
            EvalLane::NextEdit => LaneChoice::Only(LaneKind::NextEdit),
            EvalLane::Fix => LaneChoice::Only(LaneKind::Fix),
        }
    }

    /// Whether the simplest rule is about the same thing.
    fn compares(self) -> bool {
        matches!(self, EvalLane::Embedded | EvalLane::NextEdit)
    }
}

impl EvalCommand {
    pub(crate) fn run(&self) -> Result<CommandOutcome, CommandFailure> {
        let files = self.files()?;
        let bar = progress(files.len());
        let mut scores = EvalScores::default();
        let mut simplest = self.lane.compares().then(EvalScores::default);
        let mut questions = Vec::new();
        for file in &files {
            let (name, bytes) = read(file)?;
            let trace = Trace::read(&name, &bytes).map_err(CommandFailure::Unscored)?;
            let found = eval(&trace, self.lane.which(), &EmbeddedAnswerer)
                .map_err(CommandFailure::BadSettings)?;
            if self.each {
                each::write(&trace, &found, &mut questions)?;
            }
            scores.add(trace.class(), &found);
            if let Some(simplest) = &mut simplest {
                let which = LaneChoice::Only(LaneKind::NextEdit);
                let found =
                    eval(&trace, which, &SimplestRule).map_err(CommandFailure::BadSettings)?;
                simplest.add(trace.class(), &found);
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        let mut out = BufWriter::new(anstream::stdout().lock());
        out.write_all(&questions)?;
        if self.json {
            score_json::write(&scores, simplest.as_ref(), &mut out)?
        } else {
            score_table::write(files.len(), &scores, simplest.as_ref(), &mut out)?
        }
        out.flush()?;
        Ok(CommandOutcome::Well)
    }

    /// The traces that were named, and those in directories that were.
    fn files(&self) -> Result<Vec<PathBuf>, CommandFailure> {
        let mut files = Vec::new();
        for given in &self.files {
            if !given.is_dir() {
                files.push(given.clone());
                continue;
            }
            let known = files.len();
            find_traces(given, &mut files).map_err(|why| unreadable(given, why))?;
            let found = files.split_at_mut(known).1;
            if found.is_empty() {
                let why = io::Error::new(io::ErrorKind::NotFound, "no trace (*.jsonl) is in it");
                return Err(unreadable(given, why));
            }
            // Directories come in any order, and the output is to be the same every time.
            found.sort();
        }
        Ok(files)
    }
}

fn unreadable(path: &Path, why: io::Error) -> CommandFailure {
    let name = path.display().to_string();
    CommandFailure::NoTrace { name, why }
}

/// Adds the traces in a directory and in those within it. Links to directories are not followed,
/// since they may lead in a circle.
fn find_traces(directory: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            find_traces(&path, found)?;
        } else if path.extension().is_some_and(|it| it == "jsonl") {
            found.push(path);
        }
    }
    Ok(())
}

/// A bar on a terminal; the output comes in the end, so that they do not meet.
fn progress(files: usize) -> ProgressBar {
    let (files, target) = (files as u64, ProgressDrawTarget::stderr());
    if files < MANY || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(files), target);
    let style = ProgressStyle::with_template("scoring [{bar:40}] {pos} of {len} traces");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.with_style(style.progress_chars("=> "))
}
