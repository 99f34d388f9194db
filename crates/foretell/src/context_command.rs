//! `foretell context`: what a model would be told about a place, and why no more.
//!
//! The place is looked up, the sources are asked, and the context is printed as it would be sent:
//! within its budget and without secrets. Of an excluded file nothing is read at all. The index of the
//! workspace is brought up to date first, so that related code is that of now. There is no editor
//! here, so nothing is known of recent changes, and diagnostics come from a file.

mod diagnostics_file;
mod file_place;

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anstyle::Style;
use clap::Args;
use foretell_context::{ContextRequest, CountTokens, Exclude, Redactor, TokenEstimate, budget};
use foretell_engine::workspace::name_in;
use foretell_engine::{
    ContextReport, ContextSource, DiskThreads, ExactTokens, FileWorkspaces, GatherOptions,
    LARGEST_DOCUMENT, ReadError, UserDirectories, WorkThreads, context_source, gather, read_text,
};
use foretell_settings::Settings;
use foretell_text::{Language, Text};
use tokio_util::sync::CancellationToken;

use self::diagnostics_file::FileDiagnostics;
pub(crate) use self::diagnostics_file::NotDiagnostics;
use self::file_place::LineSpan;
pub(crate) use self::file_place::{FilePlace, OutsideFile};
use crate::failure::{CommandFailure, CommandOutcome, visible, warn};
use crate::given_settings::{GivenSettings, in_workspace};
use crate::workspace_index;

/// The largest file of diagnostics that is read, in bytes.
const LARGEST_DIAGNOSTICS: u64 = 64 << 20;

/// Print the context that a model would get for a place
///
/// The context goes to standard output, and a line on each source to standard error. The exit status
/// is 0, or 1 if there is no context or the file is excluded, or 2 if something cannot be read
#[derive(Args)]
pub(crate) struct ContextCommand {
    /// The place: FILE:LINE or FILE:LINE:COLUMN, counted from 1; a column is a character
    #[arg(value_name = "FILE:LINE[:COL]")]
    place: FilePlace,

    /// Say what to do there, in your own words
    #[arg(long, value_name = "TEXT", default_value = "")]
    instruction: String,

    /// Select whole lines, from the first to the last
    #[arg(long, value_name = "A:B")]
    select: Option<LineSpan>,

    /// Print at most so many tokens
    #[arg(long, value_name = "N")]
    max_tokens: Option<usize>,

    /// Read diagnostics from a JSON file: what a language server publishes, an array of that, or an
    /// array of diagnostics of this file
    #[arg(long, value_name = "FILE")]
    diagnostics: Option<PathBuf>,

    /// Count tokens as a model does, by its tokenizer.json
    #[arg(long, value_name = "FILE")]
    tokenizer: Option<PathBuf>,

    /// Leave out files that match a glob; may be given several times
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,

    #[command(flatten)]
    settings: GivenSettings,

    /// Print the context and a report on each source as JSON
    #[arg(long)]
    json: bool,
}

impl ContextCommand {
    pub(crate) fn run(&self) -> Result<CommandOutcome, CommandFailure> {
        let file = std::path::absolute(&self.place.file);
        let file = file.map_err(|why| self.unreadable(why))?;
        let given = self.settings.with_own()?;
        let here = std::env::current_dir().unwrap_or_default();
        let workspaces = FileWorkspaces::of(&file, &here)?;
        workspaces.faults.iter().map(visible).for_each(warn);
        let (mut settings, faults) = in_workspace(&workspaces, given);
        faults.iter().map(visible).for_each(warn);
        if let Some(most) = self.max_tokens {
            settings.context.token_budget.max_context_tokens = most;
        }
        let globs = &settings.context.exclude;
        let home = UserDirectories::of_platform().home;
        let excluded =
            workspaces.excluded(&[&globs[..], &self.exclude].concat(), home.as_deref())?;
        // Files that are excluded for once stay in the index, and are not told.
        let unindexed = Arc::new(workspaces.excluded(globs, home.as_deref())?);

        let name = name_in(&workspaces.root, &file);
        let place = match excluded.locate(&name) {
            Ok(place) => place,
            Err(why) => return self.print_excluded(&why.to_string()),
        };

        // From where it was judged to be; what cannot be read there is called what it was called.
        let text = read_text(&place, LARGEST_DOCUMENT).map_err(|error| {
            let file = self.name();
            CommandFailure::File(ReadError { file, ..error })
        })?;
        let text = Text::from(text.as_str());
        let cursor = self.place.offset_in(&text);
        let cursor = cursor.map_err(|why| self.outside(why))?;
        let selection = self.select.map(|lines| lines.range_in(&text)).transpose();
        let selection = selection.map_err(|why| self.outside(why))?;
        let reported = match &self.diagnostics {
            Some(path) => read_diagnostics(path, &file, &text)?,
            None => FileDiagnostics::default(),
        };
        self.print_notes(&reported)?;
        let counter = read_tokenizer(self.tokenizer.as_deref())?;
        // By the name that the index has for it, if it was called by that of a link.
        let real = fs::canonicalize(&workspaces.root);
        let root = real.as_ref().unwrap_or(&workspaces.root);
        let name = match place.strip_prefix(root) {
            Ok(_) => name_in(root, &place),
            Err(_) => name,
        };
        let request = ContextRequest {
            file: name,
            language: Language::of_file(&file.to_string_lossy()),
            text,
            cursor,
            selection,
            instruction: self.instruction.clone(),
            diagnostics: reported.diagnostics,
            changes: Vec::new(),
        };
        let code = workspace_index::of_workspace(&workspaces, &settings, &unindexed);
        let sources = context_source::all(code.map(|code| code as _));
        let excluded: Arc<dyn Exclude> = Arc::new(excluded);
        self.print(&gathered(
            request, &sources, &settings, &*counter, &excluded,
        )?)
    }

    /// The context, or the report of it, and how it is to be taken.
    fn print(&self, report: &ContextReport) -> Result<CommandOutcome, CommandFailure> {
        let mut out = BufWriter::new(io::stdout().lock());
        if self.json {
            serde_json::to_writer_pretty(&mut out, report).map_err(io::Error::from)?;
            writeln!(out)?;
        } else {
            let dim = Style::new().dimmed();
            let summary = report.summary();
            writeln!(anstream::stderr().lock(), "{dim}{summary}{dim:#}")?;
            out.write_all(report.text.as_bytes())?;
        }
        out.flush()?;
        if report.text.is_empty() {
            Ok(CommandOutcome::NotSo)
        } else {
            Ok(CommandOutcome::Well)
        }
    }

    /// That nothing is told of the file, and why.
    fn print_excluded(&self, why: &str) -> Result<CommandOutcome, CommandFailure> {
        if self.json {
            return self.print(&ContextReport::excluded(why.to_owned()));
        }
        let file = self.place.file.display();
        let mut talk = anstream::stderr().lock();
        writeln!(talk, "{file} is excluded: {why}")?;
        writeln!(
            talk,
            "Nothing of it is read or told; if that is not meant, change that rule or the file's name"
        )?;
        Ok(CommandOutcome::NotSo)
    }

    /// Remarks on things that a person would otherwise miss in the context.
    fn print_notes(&self, reported: &FileDiagnostics) -> Result<(), CommandFailure> {
        let mut talk = anstream::stderr().lock();
        let count = |count| match count {
            1 => "1 diagnostic is".to_owned(),
            count => format!("{count} diagnostics are"),
        };
        if reported.elsewhere > 0 {
            let count = count(reported.elsewhere);
            writeln!(talk, "{count} left out: about other files")?;
        }
        if reported.misplaced > 0 {
            let count = count(reported.misplaced);
            writeln!(
                talk,
                "{count} left out: at places that the file does not have"
            )?;
        }
        Ok(())
    }

    fn name(&self) -> String {
        self.place.file.display().to_string()
    }

    fn unreadable(&self, why: io::Error) -> CommandFailure {
        let name = self.name();
        CommandFailure::Unreadable { name, why }
    }

    fn outside(&self, why: OutsideFile) -> CommandFailure {
        let name = self.name();
        CommandFailure::Outside { name, why }
    }
}

/// Asks the sources on this thread, and makes a report of what they say.
fn gathered(
    request: ContextRequest,
    sources: &[Arc<dyn ContextSource>],
    settings: &Settings,
    counter: &dyn CountTokens,
    exclude: &Arc<dyn Exclude>,
) -> Result<ContextReport, CommandFailure> {
    let budget = budget::available(
        &settings.context.token_budget,
        counter,
        &request.instruction,
        &request.selected(),
    );
    let redactor = Redactor::new();
    let mut redaction = redactor.begin();
    let gathering = GatherOptions {
        sources,
        settings: &settings.context,
        max_lines: settings.trigger.max_lines,
        counter,
        exclude,
        threads: &DiskThreads::default(),
        work: &WorkThreads::default(),
        stop: &CancellationToken::new(),
    };
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime
        .enable_time()
        .build()
        .map_err(CommandFailure::Unstartable)?;
    let context = runtime.block_on(gather(request, gathering, &mut redaction));
    // The token is never used, so the search is never stopped.
    let context = context.unwrap_or_default();
    Ok(ContextReport::of(context, budget, redaction.len()))
}

pub(crate) fn read_diagnostics(
    path: &Path,
    file: &Path,
    text: &Text,
) -> Result<FileDiagnostics, CommandFailure> {
    let json = read_text(path, LARGEST_DIAGNOSTICS).map_err(CommandFailure::File)?;
    diagnostics_file::read(&json, file, text).map_err(|why| CommandFailure::BadDiagnostics {
        name: path.display().to_string(),
        why,
    })
}

fn read_tokenizer(path: Option<&Path>) -> Result<Box<dyn CountTokens>, CommandFailure> {
    let Some(path) = path else {
        return Ok(Box::new(TokenEstimate));
    };
    let exact = ExactTokens::load(path).map_err(CommandFailure::BadTokenizer)?;
    Ok(Box::new(exact))
}
