//! How a command ends, and the one place where what went wrong becomes words: what it was, and what
//! to do next.

use std::error::Error;
use std::fmt::Display;
use std::io::{self, Write};
use std::panic::Location;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use foretell_context::BadGlob;
use foretell_engine::directories::PlaceError;
pub(crate) use foretell_engine::terminal_safe::with_causes;
use foretell_engine::user_settings_file::OwnError;
pub(crate) use foretell_engine::visible;
use foretell_engine::workspace::WorkspaceError;
use foretell_engine::{ReadError as FileError, ReadTextError, TokenizerError};
use foretell_index::{StoreError, UpdateError};
use foretell_lsp::ScriptError;
use foretell_observe::RecordError;
use foretell_settings::SettingsFault;
use foretell_text::DecodeError;
use foretell_trace::TraceReadError;

use crate::context_command::{NotDiagnostics, OutsideFile};

/// Says where a bug of ours stopped something, and nothing of what it was working on: that may be
/// somebody's text.
pub(crate) fn say_where(location: Option<&Location<'_>>) {
    let place = location.map_or("an unknown place".to_owned(), ToString::to_string);
    let mut stderr = anstream::stderr().lock();
    // If this cannot be written either, the command only ends.
    let _ = writeln!(stderr, "a bug in foretell, at {place}: please report it");
}

/// Says that something is not as it should be, and that the command goes on.
pub(crate) fn warn(what: impl Display) {
    let yellow = Style::new().bold().fg_color(Some(AnsiColor::Yellow.into()));
    // If not even this can be written, the command only ends.
    let _ = writeln!(
        anstream::stderr().lock(),
        "{yellow}warning:{yellow:#} {what}"
    );
}

/// A directory that a person named, by its real path.
pub(crate) fn real_directory(named: &Path) -> Result<PathBuf, CommandFailure> {
    let real = named.canonicalize();
    real.map_err(|why| CommandFailure::NoDirectory {
        name: named.display().to_string(),
        why,
    })
}

/// How a command ended that did its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CommandOutcome {
    /// All is well.
    Well,
    /// The command found nothing, or not what was expected.
    NotSo,
    /// A lane did not answer, and the command has said so.
    Unanswered,
}

impl From<CommandOutcome> for ExitCode {
    fn from(done: CommandOutcome) -> Self {
        match done {
            CommandOutcome::Well => ExitCode::SUCCESS,
            CommandOutcome::NotSo => ExitCode::from(1),
            CommandOutcome::Unanswered => ExitCode::from(2),
        }
    }
}

/// Why a command could not do its work.
#[derive(Debug)]
pub(crate) enum CommandFailure {
    /// A file that cannot be read.
    Unreadable { name: String, why: io::Error },
    /// The same of a trace, which may come by standard input.
    NoTrace { name: String, why: io::Error },
    /// A trace that is not one.
    BadTrace(TraceReadError),
    /// A trace among those to be scored that is not one.
    Unscored(TraceReadError),
    /// A repository whose history cannot be read.
    NoHistory(io::Error),
    /// A script for the language server that is not one.
    BadScript { name: String, why: ScriptError },
    /// Settings that do not apply.
    BadSettings(Vec<SettingsFault>),
    /// The person's own settings are there and cannot be understood, and a model could be asked.
    UnknownExclusions(Vec<String>),
    /// A document that cannot be told of.
    File(FileError),
    /// A place that its file does not have.
    Outside { name: String, why: OutsideFile },
    /// Globs of excluded files that are none.
    BadGlobs(Vec<BadGlob>),
    /// A file of diagnostics that is not one.
    BadDiagnostics { name: String, why: NotDiagnostics },
    /// A tokenizer that is not one.
    BadTokenizer(TokenizerError),
    /// An index that cannot be made or used.
    Index(UpdateError),
    /// There is no such directory.
    NoDirectory { name: String, why: io::Error },
    /// There is no directory for the person's own settings.
    NoPlaceForSettings,
    /// The file to be written exists.
    AlreadyThere { name: String },
    /// A file cannot be written.
    NotWritten { name: String, why: io::Error },
    /// No setup has kept what a settings file was.
    NothingToUndo { name: String, why: io::Error },
    /// A session cannot be recorded there.
    NotRecorded { name: String, why: RecordError },
    /// There is no directory for what is kept.
    Nowhere,
    /// The directory for what is kept depends on where the command runs.
    NotAPlace { directory: String },
    /// The person stopped it.
    Interrupted { kept: String },
    /// Not even the clock can be had.
    Unstartable(io::Error),
    /// The output cannot be written.
    Unwritable(io::Error),
}

impl From<UpdateError> for CommandFailure {
    fn from(why: UpdateError) -> Self {
        CommandFailure::Index(why)
    }
}

impl From<StoreError> for CommandFailure {
    fn from(why: StoreError) -> Self {
        CommandFailure::Index(why.into())
    }
}

impl From<OwnError> for CommandFailure {
    fn from(why: OwnError) -> Self {
        match why {
            OwnError::Faults(faults) => CommandFailure::BadSettings(faults),
            OwnError::UnknownExclusions(problems) => CommandFailure::UnknownExclusions(problems),
        }
    }
}

impl From<WorkspaceError> for CommandFailure {
    fn from(why: WorkspaceError) -> Self {
        match why {
            WorkspaceError::Unreadable(why) => CommandFailure::File(why),
            WorkspaceError::Faults(faults) => CommandFailure::BadSettings(faults),
            WorkspaceError::Globs(globs) => CommandFailure::BadGlobs(globs),
        }
    }
}

impl From<PlaceError> for CommandFailure {
    fn from(why: PlaceError) -> Self {
        match why {
            PlaceError::Nowhere => CommandFailure::Nowhere,
            PlaceError::NotWhole { directory } => CommandFailure::NotAPlace { directory },
        }
    }
}

impl From<io::Error> for CommandFailure {
    fn from(why: io::Error) -> Self {
        CommandFailure::Unwritable(why)
    }
}

impl CommandFailure {
    /// Tells the person, and gives the exit status.
    pub(crate) fn explain(self) -> ExitCode {
        if matches!(&self, CommandFailure::Unwritable(why) if why.kind() == io::ErrorKind::BrokenPipe)
        {
            // The reader of the output has seen enough.
            return ExitCode::SUCCESS;
        }
        let status = match &self {
            // As shells have it.
            CommandFailure::Interrupted { .. } => 130,
            _ => 2,
        };
        let (problems, next) = self.words();
        let red = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
        let mut stderr = anstream::stderr().lock();
        for problem in problems {
            // If not even this can be written, the exit status is all that is left.
            let _ = writeln!(stderr, "{red}error:{red:#} {problem}");
        }
        let _ = writeln!(stderr, "{next}");
        ExitCode::from(status)
    }

    /// The error in words, for commands that go on without.
    pub(crate) fn problems(self) -> Vec<String> {
        self.words().0
    }

    /// The error in words, and a hint.
    fn words(self) -> (Vec<String>, String) {
        match self {
            CommandFailure::Unreadable { name, why } => {
                let next = after_not_read(&why).to_owned();
                (vec![format!("{}: {why}", visible(name))], next)
            }
            CommandFailure::NoTrace { name, why } => {
                let next = match why.kind() {
                    io::ErrorKind::NotFound => "Check the path, or give - to read standard input",
                    _ => after_not_read(&why),
                };
                (vec![format!("{}: {why}", visible(name))], next.to_owned())
            }
            CommandFailure::BadTrace(error) => {
                let next = "Nothing was replayed; correct that line, or record the trace again";
                (vec![error.to_string()], next.to_owned())
            }
            CommandFailure::Unscored(error) => {
                let next = "No trace was scored; correct that line, or leave that trace out";
                (vec![error.to_string()], next.to_owned())
            }
            CommandFailure::NoHistory(why) => {
                let next = match why.kind() {
                    io::ErrorKind::NotFound => {
                        "Check the path and the revisions, and that git is on PATH"
                    }
                    _ => "Run the same in the repository with git log, which says more",
                };
                (vec![visible(why)], next.to_owned())
            }
            CommandFailure::BadScript { name, why } => {
                let fault = why.source().map(ToString::to_string).unwrap_or_default();
                let next = "Nothing was served; correct the script and try again";
                (vec![format!("{name}: {why}: {fault}")], next.to_owned())
            }
            CommandFailure::BadSettings(faults) => {
                let problems = faults.iter().map(visible).collect();
                let next = "Nothing was done; correct the settings and try again";
                (problems, next.to_owned())
            }
            CommandFailure::UnknownExclusions(problems) => {
                let next = "Nothing was sent, because that file may exclude something; correct it, \
                    or give another with --settings FILE";
                (problems, next.to_owned())
            }
            CommandFailure::File(error) => {
                let next = after_unreadable(&error.why);
                (vec![visible(&error)], next.to_owned())
            }
            CommandFailure::Outside { name, why } => {
                let next = match why {
                    OutsideFile::Line { lines, .. } => format!("Give a line from 1 to {lines}"),
                    OutsideFile::Column { columns, .. } => {
                        format!("Give a column from 1 to {columns}, or none")
                    }
                };
                (vec![format!("{}: {why}", visible(name))], next)
            }
            CommandFailure::BadGlobs(faults) => {
                let problems = faults.iter().map(visible).collect();
                let next = "Nothing was read; correct --exclude or context.exclude and try again";
                (problems, next.to_owned())
            }
            CommandFailure::BadDiagnostics { name, why } => {
                let next = "Give what a language server publishes, or an array of diagnostics";
                (vec![format!("{name}: {why}")], next.to_owned())
            }
            CommandFailure::BadTokenizer(error) => {
                let next = match &error {
                    TokenizerError::Read(error) => after_unreadable(&error.why),
                    TokenizerError::NotATokenizer { .. } => {
                        "Give the tokenizer.json that the model is published with, or none to estimate"
                    }
                };
                (vec![error.to_string()], next.to_owned())
            }
            CommandFailure::Index(error) => {
                let problem = visible(with_causes(&error));
                (vec![problem], after_index(&error).to_owned())
            }
            CommandFailure::NoDirectory { name, why } => {
                let next = match why.kind() {
                    io::ErrorKind::PermissionDenied => "Check that you may read it",
                    _ => "Give a directory of the workspace, or none for the current one",
                };
                (vec![format!("{}: {why}", visible(name))], next.to_owned())
            }
            CommandFailure::NotAPlace { directory } => {
                let problem = format!("index.dir is {directory:?}, which is not a whole path");
                let next = "Give one that begins at the root, or with ~/ for your home";
                (vec![problem], next.to_owned())
            }
            CommandFailure::NoPlaceForSettings => {
                let problem = "there is no directory for this person's settings".to_owned();
                (vec![problem], "Say where with --path FILE".to_owned())
            }
            CommandFailure::AlreadyThere { name } => {
                let next = "Nothing was written; edit that file, write another with --path FILE, or \
                    lose it with --force";
                let problem = format!("{} is there already", visible(name));
                (vec![problem], next.to_owned())
            }
            CommandFailure::NotWritten { name, why } => {
                let next = "Nothing was written there; check that you may, and that there is room";
                (vec![format!("{}: {why}", visible(name))], next.to_owned())
            }
            CommandFailure::NothingToUndo { name, why } => {
                let next = match why.kind() {
                    io::ErrorKind::NotFound => {
                        "There is nothing to take back: no setup wrote that file, \
                        or it was taken back already"
                    }
                    _ => after_not_read(&why),
                };
                (vec![format!("{}: {why}", visible(name))], next.to_owned())
            }
            CommandFailure::NotRecorded { name, why } => {
                let next = "Nothing is recorded; name a file in a directory that is there and that you \
                            may write to";
                (vec![format!("{}: {why}", visible(name))], next.to_owned())
            }
            CommandFailure::Nowhere => {
                let problem = "there is no cache directory for this person".to_owned();
                (
                    vec![problem],
                    "Say where with --set index.dir=DIR".to_owned(),
                )
            }
            CommandFailure::Interrupted { kept } => (vec!["stopped".to_owned()], kept),
            CommandFailure::Unstartable(why) => {
                let next = "Nothing was done; try again when the machine is less busy";
                (vec![format!("cannot start: {why}")], next.to_owned())
            }
            CommandFailure::Unwritable(why) => {
                let next = "Check that there is room where the output goes, and try again";
                (vec![format!("cannot write: {why}")], next.to_owned())
            }
        }
    }
}

/// The hint about an index.
fn after_index(error: &UpdateError) -> &'static str {
    match error {
        UpdateError::NoWorkspace { .. } => "Give a directory that you can read",
        UpdateError::Store(error) => match error {
            StoreError::Directory { .. } => {
                "Check that you may write there, or choose another place with --set index.dir=DIR"
            }
            StoreError::Damaged { .. } => "Make it anew with foretell index --rebuild",
            StoreError::Locked => "Another Foretell is writing it; try again when it is done",
            StoreError::NotWritten(_) => {
                "Check that there is room on the disk, and try again; what was kept before still is"
            }
            StoreError::NotRead(_) => "Try again, or make it anew with foretell index --rebuild",
        },
    }
}

/// The hint about a file that the system does not let us read.
fn after_not_read(why: &io::Error) -> &'static str {
    match why.kind() {
        io::ErrorKind::NotFound => "Check the path",
        io::ErrorKind::PermissionDenied => "Check that you may read it",
        _ => "Check that it is a file that you can read",
    }
}

/// The hint about a file that cannot be read, or be told of.
fn after_unreadable(why: &ReadTextError) -> &'static str {
    match why {
        ReadTextError::Io(why) => after_not_read(why),
        ReadTextError::Directory | ReadTextError::NotAFile | ReadTextError::Link => "Give a file",
        ReadTextError::TooLarge { .. } => "Give a smaller file",
        ReadTextError::NotText(DecodeError::Binary) => "Give a file with text in it",
        ReadTextError::NotText(DecodeError::NotUtf8 { .. }) => {
            "Save it as UTF-8, or give another file"
        }
    }
}
