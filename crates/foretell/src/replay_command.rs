//! `foretell replay`: runs a recorded session through the machine and says what came of it.
//!
//! The trace is read as a whole, and all settings are resolved, before anything is written. The
//! output is the same for the same file and flags, so there are no times in it but those of the
//! trace.

pub(crate) mod plain_words;
mod replay_progress;
mod replay_report;
mod report_row;
mod verify;

use std::fs;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use foretell_trace::{ClientKind, JsonLines, LaneSource, ReplayOptions, RequestSource, Trace};

use crate::embedded_answerer::EmbeddedAnswerer;
use crate::failure::{CommandFailure, CommandOutcome};
use crate::given_settings::given;
use replay_progress::ReplayProgress;
use replay_report::ReplayReport;
use verify::CheckVerifier;

/// Replay a recorded session and report what Foretell did and why
///
/// The exit status is 0, or 1 if --verify finds a difference, or 2 if the trace or the settings
/// cannot be read
#[derive(Args)]
pub(crate) struct ReplayCommand {
    /// The trace to replay; - reads standard input
    file: PathBuf,

    /// Print one line of JSON for each action, and one with the counts
    #[arg(long)]
    json: bool,

    /// Compare every check with what the trace expects, and print those that differ
    #[arg(long)]
    verify: bool,

    /// Play a client that reports less: `plain` knows only the standard protocol, without cursors and
    /// rejections, so rejections are inferred
    #[arg(long, value_name = "WHICH")]
    client: Option<ClientChoice>,

    /// Add requests that the trace does not have: `typing` asks after every typed edit, and whenever the
    /// server triggers
    #[arg(long, value_name = "WHEN")]
    requests: Option<RequestsChoice>,

    /// Answer for lanes that the trace has no answer of: `embedded` asks the predictors that need no
    /// model, `nothing` suggests nothing. Without it they time out
    #[arg(long, value_name = "WHICH")]
    lanes: Option<LanesChoice>,

    /// Set how long such lanes take
    #[arg(long, value_name = "MS", default_value_t = 300, requires = "lanes")]
    latency_ms: u64,

    /// Read settings from a file, TOML or JSON; your own config.toml is not read
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,

    /// Set one setting; may be given several times
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

/// The events that a played editor tells.
#[derive(Clone, Copy, ValueEnum)]
enum ClientChoice {
    Plain,
}

/// When an editor that is played asks.
#[derive(Clone, Copy, ValueEnum)]
enum RequestsChoice {
    Typing,
}

/// Which lanes are played.
#[derive(Clone, Copy, ValueEnum)]
enum LanesChoice {
    Embedded,
    Nothing,
}

impl ReplayCommand {
    pub(crate) fn run(&self) -> Result<CommandOutcome, CommandFailure> {
        let settings = given(self.settings.as_deref(), &self.set)?;
        let (name, bytes) = read(&self.file)?;
        let trace = Trace::read(&name, &bytes).map_err(CommandFailure::BadTrace)?;
        // Its text is in the trace now, and a long one need not be held twice.
        drop(bytes);
        let embedded = EmbeddedAnswerer::default();
        let replay = foretell_trace::Replay::new(&trace, &settings, self.play(&embedded));
        let replay = replay.map_err(CommandFailure::BadSettings)?;
        if self.json {
            self.print_json(&trace, replay)
        } else if self.verify {
            print_differences(&trace, replay)
        } else {
            print_report(&trace, replay)
        }
    }

    fn print_json(
        &self,
        trace: &Trace,
        mut replay: foretell_trace::Replay<'_>,
    ) -> Result<CommandOutcome, CommandFailure> {
        let mut out = BufWriter::new(io::stdout().lock());
        let json = JsonLines::of(trace.offsets());
        let mut verifier = CheckVerifier::new(trace);
        let progress = ReplayProgress::beside_a_pipe(trace);
        while let Some(turn) = replay.advance() {
            json.write_turn(&turn, &replay, &mut out)?;
            verifier.look_at(&turn);
            progress.follow(&turn);
        }
        json.write_summary(&replay.summary(), &mut out)?;
        out.flush()?;
        progress.end();
        if !self.verify {
            return Ok(CommandOutcome::Well);
        }
        // The data is on the other stream, so this is talk.
        let mut talk = anstream::stderr().lock();
        unless_gone(verifier.write(&replay.summary(), &mut talk))?;
        Ok(verifier.verdict())
    }

    /// The parts that are played besides the trace.
    fn play<'a>(&self, embedded: &'a EmbeddedAnswerer) -> ReplayOptions<'a> {
        ReplayOptions {
            usual_gaps: None,
            client: match self.client {
                None => ClientKind::Recorded,
                Some(ClientChoice::Plain) => ClientKind::Plain,
            },
            requests: match self.requests {
                None => RequestSource::Recorded,
                Some(RequestsChoice::Typing) => RequestSource::Typing,
            },
            lanes: match self.lanes {
                None => LaneSource::Recorded,
                Some(LanesChoice::Embedded) => LaneSource::Asked {
                    by: embedded,
                    latency: self.latency_ms,
                },
                Some(LanesChoice::Nothing) => LaneSource::Nothing {
                    latency: self.latency_ms,
                },
            },
        }
    }
}

fn print_report(
    trace: &Trace,
    mut replay: foretell_trace::Replay<'_>,
) -> Result<CommandOutcome, CommandFailure> {
    let out = BufWriter::new(anstream::stdout().lock());
    let mut report = ReplayReport::new(trace, out);
    let progress = ReplayProgress::beside_a_pipe(trace);
    while let Some(turn) = replay.advance() {
        report.take(&turn, &replay)?;
        progress.follow(&turn);
    }
    progress.end();
    report.finish(&replay.summary(), replay.now())?;
    Ok(CommandOutcome::Well)
}

fn print_differences(
    trace: &Trace,
    mut replay: foretell_trace::Replay<'_>,
) -> Result<CommandOutcome, CommandFailure> {
    let mut verifier = CheckVerifier::new(trace);
    let progress = ReplayProgress::before_the_output(trace);
    while let Some(turn) = replay.advance() {
        verifier.look_at(&turn);
        progress.follow(&turn);
    }
    progress.end();
    let mut out = BufWriter::new(anstream::stdout().lock());
    let written = verifier.write(&replay.summary(), &mut out);
    unless_gone(written.and_then(|()| out.flush()))?;
    Ok(verifier.verdict())
}

/// Differences count even if they are not read to the end.
fn unless_gone(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(why) if why.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// The bytes of a file or of standard input, and its name.
pub(crate) fn read(path: &Path) -> Result<(String, Vec<u8>), CommandFailure> {
    let (name, bytes) = if path == Path::new("-") {
        let mut bytes = Vec::new();
        let read = io::stdin().lock().read_to_end(&mut bytes);
        ("standard input".to_owned(), read.map(|_| bytes))
    } else {
        (path.display().to_string(), fs::read(path))
    };
    match bytes {
        Ok(bytes) => Ok((name, bytes)),
        Err(why) => Err(CommandFailure::NoTrace { name, why }),
    }
}
