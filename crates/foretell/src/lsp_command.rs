//! `foretell lsp`: the language server over standard input and output.
//!
//! It hands the server what only a process has: the person's directories, the environment, the flags
//! and the log; and gives how the session ended an exit status. Everything between is `foretell-lsp`.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use foretell_engine::UserDirectories;
use foretell_lsp::{LaneScript, PredictorChoice, ServerOptions, SessionEnd, serve_stdio};
use foretell_observe::{Log, MetricsAddress, NewRecording, RecordedContent};

use crate::environment;
use crate::failure::{CommandFailure, CommandOutcome, visible};
use crate::given_settings;

/// Serve an editor over standard input and output
///
/// Settings come from your own config.toml, the workspace's .foretell.toml, the editor, the
/// environment and --set. The exit status is 0 if the editor said shutdown first, 1 if it did not, and
/// 2 if the server cannot start
#[derive(Args)]
pub(crate) struct LspCommand {
    /// Set one setting; may be given several times
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,

    /// Serve metrics for Prometheus at /metrics there, for this machine only
    ///
    /// Give 127.0.0.1:PORT, localhost:PORT, or ::1 in brackets; port 0 is any free port, which the log names.
    /// If the port is in use, the log says so, and the server works without metrics
    #[arg(long, value_name = "ADDRESS:PORT")]
    metrics: Option<MetricsAddress>,

    /// Record the session to FILE, a trace for foretell replay
    ///
    /// It has the text of every document you open and all you type, but no addresses and keys of model
    /// servers. On Unix only you can read the file. An existing FILE is left alone, and the new one gets a
    /// number: session.jsonl, session.1.jsonl and so on
    #[arg(long, value_name = "FILE", conflicts_with = "record_shape")]
    record: Option<PathBuf>,

    /// Record the session to FILE without the words, to attach to a report
    ///
    /// Every word becomes another of the same length, always the same one, so that decisions replay.
    /// Lengths, punctuation and times stay visible, and beginnings of words can be guessed from common
    /// words that begin alike; docs/traces.md says more. FILE is numbered as with --record
    #[arg(long, value_name = "FILE")]
    record_shape: Option<PathBuf>,

    /// Accepted because many editors pass it; standard input and output are the only transport
    #[arg(long, hide = true)]
    stdio: bool,

    /// Accepted because some editors pass it; processId in initialize counts
    #[arg(long = "clientProcessId", value_name = "PID", hide = true)]
    client_process_id: Option<u64>,

    /// Let the FIM lane answer from a JSON file, for tests
    #[arg(long, value_name = "FILE", hide = true)]
    script: Option<PathBuf>,
}

impl LspCommand {
    pub(crate) fn run(&self) -> Result<CommandOutcome, CommandFailure> {
        let script = self.script.as_deref().map(read_script).transpose()?;
        let (variables, faults) = environment::read();
        environment::check(&faults)?;
        // Flags are meant, so that a fault in one ends the command.
        let given = [variables]
            .into_iter()
            .chain(given_settings::assigned(&self.set)?);
        let recording = self.recording()?;
        let start = ServerOptions {
            predictor: PredictorChoice::LineModel,
            places: UserDirectories::of_platform(),
            given: given.collect(),
            faults: faults.iter().map(visible).collect(),
            script,
            log: Log::start(),
            metrics: self.metrics,
            recording,
            ..ServerOptions::default()
        };
        match serve_stdio(start)? {
            SessionEnd::AfterShutdown => Ok(CommandOutcome::Well),
            SessionEnd::WithoutShutdown => Ok(CommandOutcome::NotSo),
        }
    }

    /// The file that the session is recorded to, made before anything else happens.
    fn recording(&self) -> Result<Option<NewRecording>, CommandFailure> {
        let (path, kind) = match (&self.record, &self.record_shape) {
            (Some(path), _) => (path, RecordedContent::Whole),
            (None, Some(path)) => (path, RecordedContent::Shape),
            (None, None) => return Ok(None),
        };
        let recording = NewRecording::create(path, kind);
        let recording = recording.map_err(|why| CommandFailure::NotRecorded {
            name: path.display().to_string(),
            why,
        })?;
        Ok(Some(recording))
    }
}

fn read_script(path: &Path) -> Result<LaneScript, CommandFailure> {
    let name = path.display().to_string();
    let json = match fs::read_to_string(path) {
        Ok(json) => json,
        Err(why) => return Err(CommandFailure::Unreadable { name, why }),
    };
    LaneScript::from_json(&json).map_err(|why| CommandFailure::BadScript { name, why })
}
