//! `foretell eval`: how often lanes foresee what the person did next.
//!
//! All traces are read before anything is written. The same files and flags give the same bytes.
//! Beside the lanes stands the simplest rule that works, asked in the same run, so that you need not
//! remember what is easy.

mod commit_files;
mod each;
mod git_history;
mod hunks;
mod live;
mod score_json;
mod score_table;
mod simplest;
pub(crate) mod typing;
mod word_difference;

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
use foretell_predict::Likelihood;
use simplest::SimplestRule;
use typing::{AskMoments, HistoryPart, HistorySpan, TypingQuestion};

/// Fewer traces than this are scored before a person could read the bar.
const MANY: u64 = 20;

/// Score lanes by what people did next in recorded sessions
///
/// Where a trace says what to expect, lanes are asked once, before it; elsewhere in every pause of
/// more than a second, and the person's next edit is the right answer. The baseline is the simplest
/// rule that works: the latest replacement, at the nearest other place. With --ask the embedded language
/// model is asked while the sessions are typed again, with --typing while the commits of a repository are.
/// With --hunks the embedded next edits are asked before each hunk of such commits, and the hunk is right.
/// With --live sessions are played with all that an editor would ask, and every next edit that would have
/// been shown is explained.
/// The exit status is 0, or 2 if a trace or a repository cannot be read
#[derive(Args)]
pub(crate) struct EvalCommand {
    /// The traces, or directories with traces (*.jsonl) in them; - reads standard input
    #[arg(required_unless_present = "history", conflicts_with = "history")]
    files: Vec<PathBuf>,

    /// Ask the embedded language model before every key, or in sampled pauses of 0.3 s
    #[arg(long, value_name = "MOMENTS", conflicts_with_all = ["each", "lane"])]
    ask: Option<AskArgument>,

    /// Type the commits of a repository, from --since to --until; may be given several times
    #[arg(long, value_name = "REPOSITORY", group = "history", requires_all = ["since", "until"], conflicts_with_all = ["each", "lane"])]
    typing: Vec<PathBuf>,

    /// Make the commits of a repository, from --since to --until, hunk by hunk; may be given several times
    #[arg(long, value_name = "REPOSITORY", group = "history", requires_all = ["since", "until"], conflicts_with_all = ["typing", "ask", "lane"])]
    hunks: Vec<PathBuf>,

    /// Show every next edit that somebody would have been shown in a session, and what became of it; with
    /// --typing each commit is a session
    #[arg(long, conflicts_with_all = ["ask", "each", "lane", "hunks"])]
    live: bool,

    /// The revision to begin with, or a date (2019-07-01): the last commit before it
    #[arg(
        long,
        value_name = "REV",
        requires = "history",
        allow_hyphen_values = false
    )]
    since: Option<String>,

    /// The last revision, or a date
    #[arg(long, value_name = "REV", requires = "history")]
    until: Option<String>,

    /// Suggest what is at least so likely, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 60, value_parser = clap::value_parser!(u8).range(1..=100))]
    threshold: u8,

    /// Type one of so many commits, in two stretches, and put in the others at once
    #[arg(long, value_name = "N", default_value_t = 1, requires = "typing", value_parser = clap::value_parser!(u16).range(1..))]
    every: u16,

    /// Know only what is open and what was typed, not the rest of the workspace
    #[arg(long, requires = "typing")]
    no_workspace: bool,

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

/// When the language model is asked.
#[derive(Clone, Copy, ValueEnum)]
enum AskArgument {
    Keys,
    Pauses,
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
        if !self.hunks.is_empty() {
            return self.make_hunks();
        }
        if self.live {
            return self.play_live();
        }
        if self.ask.is_some() || !self.typing.is_empty() {
            return self.type_again();
        }
        let files = self.files()?;
        let bar = progress(files.len());
        let mut scores = EvalScores::default();
        let mut simplest = self.lane.compares().then(EvalScores::default);
        let mut questions = Vec::new();
        for file in &files {
            let (name, bytes) = read(file)?;
            let trace = Trace::read(&name, &bytes).map_err(CommandFailure::Unscored)?;
            let found = eval(&trace, self.lane.which(), &EmbeddedAnswerer::default())
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

    /// Asks the language model while somebody types.
    fn type_again(&self) -> Result<CommandOutcome, CommandFailure> {
        let question = TypingQuestion {
            moments: match self.ask {
                Some(AskArgument::Pauses) => AskMoments::Pauses,
                Some(AskArgument::Keys) | None => AskMoments::Keys,
            },
            threshold: Likelihood::percent(self.threshold),
            with_workspace: !self.no_workspace,
            every: usize::from(self.every),
            with_baselines: true,
            part: HistoryPart::Asked,
        };
        let spans = self.spans(&self.typing);
        let report = if !spans.is_empty() {
            typing::score_repositories(&spans, question).map_err(CommandFailure::NoHistory)?
        } else {
            let mut traces = Vec::new();
            for file in &self.files()? {
                let (name, bytes) = read(file)?;
                traces.push(Trace::read(&name, &bytes).map_err(CommandFailure::Unscored)?);
            }
            typing::score_sessions(&traces, question)
        };
        let mut out = BufWriter::new(anstream::stdout().lock());
        typing::write(&report, self.json, &mut out)?;
        out.flush()?;
        Ok(CommandOutcome::Well)
    }

    /// Asks next edits before each hunk of commits.
    fn make_hunks(&self) -> Result<CommandOutcome, CommandFailure> {
        let spans = self.spans(&self.hunks);
        let report = hunks::score_repositories(&spans).map_err(CommandFailure::NoHistory)?;
        let mut out = BufWriter::new(anstream::stdout().lock());
        if self.each {
            report.write_each(&mut out)?;
        }
        if self.json {
            report.write_json(&mut out)?;
        } else {
            report.write_table(&mut out)?;
        }
        out.flush()?;
        Ok(CommandOutcome::Well)
    }

    /// Plays sessions as they were lived, or commits as they may have been.
    fn play_live(&self) -> Result<CommandOutcome, CommandFailure> {
        let mut report = live::LiveReport::default();
        for span in self.spans(&self.typing) {
            live::type_repository(span, usize::from(self.every), &mut report)
                .map_err(CommandFailure::NoHistory)?;
        }
        for file in &self.files()? {
            let (name, bytes) = read(file)?;
            let trace = Trace::read(&name, &bytes).map_err(CommandFailure::Unscored)?;
            report.add(live::play(&trace).map_err(CommandFailure::BadSettings)?);
        }
        let mut out = BufWriter::new(anstream::stdout().lock());
        if self.json {
            report.write_json(&mut out)?;
        } else {
            report.write_table(&mut out)?;
        }
        out.flush()?;
        Ok(CommandOutcome::Well)
    }

    /// The histories between the two revisions that were given.
    fn spans<'a>(&'a self, repositories: &'a [PathBuf]) -> Vec<HistorySpan<'a>> {
        let (Some(since), Some(until)) = (&self.since, &self.until) else {
            return Vec::new();
        };
        let spans = repositories.iter().map(|repository| HistorySpan {
            repository,
            since,
            until,
        });
        spans.collect()
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
