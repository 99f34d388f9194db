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
use foretell_engine::own::OwnError;
use foretell_engine::places::PlaceError;
pub(crate) use foretell_engine::visible;
pub(crate) use foretell_engine::visible::with_causes;
use foretell_engine::workspace::WorkspaceError;
use foretell_engine::{ReadError as FileError, TokenizerError, Unreadable};
use foretell_index::{StoreError, UpdateError};
use foretell_lsp::ScriptError;
use foretell_observe::RecordError;
use foretell_settings::Fault;
use foretell_trace::ReadError;

use crate::context::{NotDiagnostics, Outside};

/// Says where a bug of ours stopped something, and nothing of what it was working on: that may be
/// somebody's text.
pub(crate) fn say_where(location: Option<&Location<'_>>) {
    let place = location.map_or("an unknown place".to_owned(), ToString::to_string);
    let mut stderr = anstream::stderr().lock();
    // There is nobody left to tell if this cannot be written.
    let _ = writeln!(stderr, "a bug in foretell, at {place}: please report it");
}

/// Says that something is not as it should be, and that the command goes on.
pub(crate) fn warn(what: impl Display) {
    let yellow = Style::new().bold().fg_color(Some(AnsiColor::Yellow.into()));
    // If not even this can be written, there is nobody to tell.
    let _ = writeln!(
        anstream::stderr().lock(),
        "{yellow}warning:{yellow:#} {what}"
    );
}

/// A directory that a person named, by its real path.
pub(crate) fn real_directory(named: &Path) -> Result<PathBuf, Failure> {
    let real = named.canonicalize();
    real.map_err(|why| Failure::NoDirectory {
        name: named.display().to_string(),
        why,
    })
}

/// How a command ended that did its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Done {
    /// All is well.
    Well,
    /// What was looked for is not so.
    NotSo,
    /// What was asked did not answer, which has been said.
    Unanswered,
}

impl From<Done> for ExitCode {
    fn from(done: Done) -> Self {
        match done {
            Done::Well => ExitCode::SUCCESS,
            Done::NotSo => ExitCode::from(1),
            Done::Unanswered => ExitCode::from(2),
        }
    }
}

/// Why a command could not do its work.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A file that cannot be read.
    Unreadable { name: String, why: io::Error },
    /// The same of a trace, which may come by standard input.
    NoTrace { name: String, why: io::Error },
    /// A trace that is not one.
    BadTrace(ReadError),
    /// A trace among those to be scored that is not one.
    Unscored(ReadError),
    /// A script for the language server that is not one.
    BadScript { name: String, why: ScriptError },
    /// Settings that do not apply.
    BadSettings(Vec<Fault>),
    /// The person's own settings are there and cannot be understood, and a model could be asked.
    UnknownExclusions(Vec<String>),
    /// A document that cannot be told of.
    File(FileError),
    /// A place that its file does not have.
    Outside { name: String, why: Outside },
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
    /// What was to be written is there.
    AlreadyThere { name: String },
    /// A file cannot be written.
    NotWritten { name: String, why: io::Error },
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

impl From<UpdateError> for Failure {
    fn from(why: UpdateError) -> Self {
        Failure::Index(why)
    }
}

impl From<StoreError> for Failure {
    fn from(why: StoreError) -> Self {
        Failure::Index(why.into())
    }
}

impl From<OwnError> for Failure {
    fn from(why: OwnError) -> Self {
        match why {
            OwnError::Faults(faults) => Failure::BadSettings(faults),
            OwnError::UnknownExclusions(problems) => Failure::UnknownExclusions(problems),
        }
    }
}

impl From<WorkspaceError> for Failure {
    fn from(why: WorkspaceError) -> Self {
        match why {
            WorkspaceError::Unreadable(why) => Failure::File(why),
            WorkspaceError::Faults(faults) => Failure::BadSettings(faults),
            WorkspaceError::Globs(globs) => Failure::BadGlobs(globs),
        }
    }
}

impl From<PlaceError> for Failure {
    fn from(why: PlaceError) -> Self {
        match why {
            PlaceError::Nowhere => Failure::Nowhere,
            PlaceError::NotWhole { directory } => Failure::NotAPlace { directory },
        }
    }
}

impl From<io::Error> for Failure {
    fn from(why: io::Error) -> Self {
        Failure::Unwritable(why)
    }
}

impl Failure {
    /// Tells the person, and gives the exit status.
    pub(crate) fn explain(self) -> ExitCode {
        if matches!(&self, Failure::Unwritable(why) if why.kind() == io::ErrorKind::BrokenPipe) {
            // Whoever read the output has seen enough.
            return ExitCode::SUCCESS;
        }
        let status = match &self {
            // As shells have it.
            Failure::Interrupted { .. } => 130,
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

    /// What went wrong, for those who go on without.
    pub(crate) fn problems(self) -> Vec<String> {
        self.words().0
    }

    /// What went wrong, and what to do next.
    fn words(self) -> (Vec<String>, String) {
        match self {
            Failure::Unreadable { name, why } => {
                let next = after_not_read(&why).to_owned();
                (vec![format!("{}: {why}", visible(name))], next)
            }
            Failure::NoTrace { name, why } => {
                let next = match why.kind() {
                    io::ErrorKind::NotFound => "Check the path, or give - to read standard input",
                    _ => after_not_read(&why),
                };
                (vec![format!("{}: {why}", visible(name))], next.to_owned())
            }
            Failure::BadTrace(error) => {
                let next = "Nothing was replayed; correct that line, or record the trace again";
                (vec![error.to_string()], next.to_owned())
            }
            Failure::Unscored(error) => {
                let next = "No trace was scored; correct that line, or leave that trace out";
                (vec![error.to_string()], next.to_owned())
            }
            Failure::BadScript { name, why } => {
                let fault = why.source().map(ToString::to_string).unwrap_or_default();
                let next = "Nothing was served; correct the script and try again";
                (vec![format!("{name}: {why}: {fault}")], next.to_owned())
            }
            Failure::BadSettings(faults) => {
                let problems = faults.iter().map(visible).collect();
                let next = "Nothing was done; correct the settings and try again";
                (problems, next.to_owned())
            }
            Failure::UnknownExclusions(problems) => {
                let next = "Nothing was sent, since nobody knows what that file was to exclude; \
                    correct it, or give another with --settings FILE";
                (problems, next.to_owned())
            }
            Failure::File(error) => {
                let next = after_unreadable(&error.why);
                (vec![visible(&error)], next.to_owned())
            }
            Failure::Outside { name, why } => {
                let next = match why {
                    Outside::Line { lines, .. } => format!("Give a line from 1 to {lines}"),
                    Outside::Column { columns, .. } => {
                        format!("Give a column from 1 to {columns}, or none")
                    }
                };
                (vec![format!("{}: {why}", visible(name))], next)
            }
            Failure::BadGlobs(faults) => {
                let problems = faults.iter().map(visible).collect();
                let next = "Nothing was read; correct --exclude or context.exclude and try again";
                (problems, next.to_owned())
            }
            Failure::BadDiagnostics { name, why } => {
                let next = "Give what a language server publishes, or an array of diagnostics";
                (vec![format!("{name}: {why}")], next.to_owned())
            }
            Failure::BadTokenizer(error) => {
                let next = match &error {
                    TokenizerError::Read(error) => after_unreadable(&error.why),
                    TokenizerError::NotATokenizer { .. } => {
                        "Give the tokenizer.json that the model is published with, or none to estimate"
                    }
                };
                (vec![error.to_string()], next.to_owned())
            }
            Failure::Index(error) => {
                let problem = visible(with_causes(&error));
                (vec![problem], after_index(&error).to_owned())
            }
            Failure::NoDirectory { name, why } => {
                let next = match why.kind() {
                    io::ErrorKind::PermissionDenied => "Check that you may read it",
                    _ => "Give a directory of the workspace, or none for the current one",
                };
                (vec![format!("{}: {why}", visible(name))], next.to_owned())
            }
            Failure::NotAPlace { directory } => {
                let problem = format!("index.dir is {directory:?}, which is not a whole path");
                let next = "Give one that begins at the root, or with ~/ for your home";
                (vec![problem], next.to_owned())
            }
            Failure::NoPlaceForSettings => {
                let problem = "there is no directory for this person's settings".to_owned();
                (vec![problem], "Say where with --path FILE".to_owned())
            }
            Failure::AlreadyThere { name } => {
                let next = "Nothing was written; edit that file, write another with --path FILE, or \
                    lose it with --force";
                let problem = format!("{} is there already", visible(name));
                (vec![problem], next.to_owned())
            }
            Failure::NotWritten { name, why } => {
                let next = "Nothing was written there; check that you may, and that there is room";
                (vec![format!("{}: {why}", visible(name))], next.to_owned())
            }
            Failure::NotRecorded { name, why } => {
                let next = "Nothing is recorded; name a file in a directory that is there and that you \
                            may write to";
                (vec![format!("{}: {why}", visible(name))], next.to_owned())
            }
            Failure::Nowhere => {
                let problem = "there is no cache directory for this person".to_owned();
                (
                    vec![problem],
                    "Say where with --set index.dir=DIR".to_owned(),
                )
            }
            Failure::Interrupted { kept } => (vec!["stopped".to_owned()], kept),
            Failure::Unstartable(why) => {
                let next = "Nothing was done; try again when the machine is less busy";
                (vec![format!("cannot start: {why}")], next.to_owned())
            }
            Failure::Unwritable(why) => {
                let next = "Check that there is room where the output goes, and try again";
                (vec![format!("cannot write: {why}")], next.to_owned())
            }
        }
    }
}

/// What to do about an index.
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

/// What to do about a file that the system does not let us read.
fn after_not_read(why: &io::Error) -> &'static str {
    match why.kind() {
        io::ErrorKind::NotFound => "Check the path",
        io::ErrorKind::PermissionDenied => "Check that you may read it",
        _ => "Check that it is a file that you can read",
    }
}

/// What to do about a file that cannot be read, or be told of.
fn after_unreadable(why: &Unreadable) -> &'static str {
    match why {
        Unreadable::Io(why) => after_not_read(why),
        Unreadable::Directory | Unreadable::NotAFile | Unreadable::Link => "Give a file",
        Unreadable::TooLarge { .. } => "Give a smaller file",
        Unreadable::Binary => "Give a file with text in it",
        Unreadable::NotUtf8 { .. } => "Save it as UTF-8, or give another file",
    }
}
