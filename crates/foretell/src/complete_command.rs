//! `foretell complete`: one suggestion at a place, from the lanes that are configured.
//!
//! It drives the same engine as the language server, once: the file is opened, and with it a few of
//! its neighbours, as somebody would have them open who works on it; the person asks; the first answer
//! is printed. There is no history here, so what is suggested comes from the file, its neighbours and
//! the index of its workspace.
//!
//! In a file that is excluded only that file is looked at, and no model is asked.
//!
//! | part | what it is |
//! | --- | --- |
//! | `answer` | what came of asking |
//! | `explain_prompt` | what models would be told, by lanes that note it and send nothing |
//! | `message` | one of these, for people and for machines |
//! | `neighbours` | files that somebody would have open, too |

mod answer;
mod explain_prompt;
mod message;
mod neighbours;

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use foretell_context::{CountTokens, Redactor, TokenEstimate};
use foretell_core::{
    Action, Event, Fact, FactScene, Moment, Observer, Order, RequestCause, RequestId, RequestKind,
    SuggestionRequest,
};
use foretell_engine::context_source::{self, NoIndex};
use foretell_engine::workspace::name_in;
use foretell_engine::{
    ChooseLane, Engine, EngineSurroundings, ExactTokens, ExcludedFiles, FileWorkspaces,
    LARGEST_DOCUMENT, ReadError, SharedObserver, UsageFile, UserDirectories, read_text,
};
use foretell_lanes::{CodeSearch, NoCode};
use foretell_settings::Settings;
use foretell_text::{
    ByteOffset, Diagnostic, DocumentId, FilePath, LaneKind, Language, Text, Version,
};

use self::answer::{CompletionReport, CompletionSubject, CompletionTurn};
use self::explain_prompt::{PromptExplanation, PromptNotes};
use crate::context_command::{FilePlace, read_diagnostics};
use crate::failure::{CommandFailure, CommandOutcome, visible, warn};
use crate::given_settings::{GivenSettings, in_workspace};
use crate::workspace_index;

/// Print one suggestion at a place, from the lanes that are configured
///
/// The suggestion goes to standard output: the text to insert, or with --diff the change. The exit
/// status is 0, or 1 if there is nothing to suggest (or, with --explain-prompt, to send), or 2 if
/// something cannot be read, or a lane failed or did not answer in time
#[derive(Args)]
pub(crate) struct CompleteCommand {
    /// The place: FILE:LINE:COLUMN, counted from 1; a column is a character, and without one it is
    /// the end of the line
    #[arg(value_name = "FILE:LINE[:COL]")]
    place: FilePlace,

    /// Print what would change as a unified diff
    #[arg(long, conflicts_with = "json")]
    diff: bool,

    /// Print all candidates, and each lane's result, as JSON
    #[arg(long)]
    json: bool,

    /// Say what was decided, and why
    #[arg(long)]
    why: bool,

    /// Print exactly what each model would be sent, and send nothing
    ///
    /// Places for keys are hidden: the path of an address and the values of your headers are ***. The
    /// headers host, user-agent and content-length are left out
    #[arg(long, conflicts_with_all = ["diff", "why"])]
    explain_prompt: bool,

    /// Read diagnostics from a JSON file: what a language server publishes, an array of that, or an
    /// array of diagnostics of this file
    #[arg(long, value_name = "FILE")]
    diagnostics: Option<PathBuf>,

    #[command(flatten)]
    settings: GivenSettings,
}

impl CompleteCommand {
    pub(crate) fn run(&self) -> Result<CommandOutcome, CommandFailure> {
        let file =
            std::path::absolute(&self.place.file).map_err(|why| CommandFailure::Unreadable {
                name: self.name(),
                why,
            })?;
        let (given, not_applied) = self.settings.with_own_to_check()?;
        let here = std::env::current_dir().unwrap_or_default();
        let workspaces = FileWorkspaces::of(&file, &here)?;
        workspaces.faults.iter().map(visible).for_each(warn);
        let (settings, faults) = in_workspace(&workspaces, given);
        faults.iter().map(visible).for_each(warn);
        not_applied.check(&settings)?.iter().for_each(warn);
        let home = UserDirectories::of_platform().home;
        let excluded = Arc::new(workspaces.excluded(&settings.context.exclude, home.as_deref())?);

        let text = read_text(&file, LARGEST_DOCUMENT).map_err(|error| {
            let file = self.name();
            CommandFailure::File(ReadError { file, ..error })
        })?;
        let text = Text::from(text.as_str());
        let at = self.place.end_in(&text);
        let at = at.map_err(|why| CommandFailure::Outside {
            name: self.name(),
            why,
        })?;
        let diagnostics = match &self.diagnostics {
            Some(path) => read_diagnostics(path, &file, &text)?.diagnostics,
            None => Vec::new(),
        };
        let asks = CompletionQuestion {
            file: &file,
            text,
            at,
            diagnostics,
        };
        if self.explain_prompt {
            let explained = asks.explain(&workspaces, settings, &excluded)?;
            self.print_explained(&explained)
        } else {
            let answered = asks.answer(&workspaces, settings, &excluded)?;
            self.print(&answered)
        }
    }

    fn print_explained(
        &self,
        explained: &PromptExplanation,
    ) -> Result<CommandOutcome, CommandFailure> {
        if self.json {
            explained.write_json(&mut io::stdout().lock())?
        } else {
            explained.write(&mut anstream::stdout().lock())?
        }
        if explained.is_anything_sent() {
            Ok(CommandOutcome::Well)
        } else {
            Ok(CommandOutcome::NotSo)
        }
    }

    fn print(&self, answered: &CompletionReport) -> Result<CommandOutcome, CommandFailure> {
        if self.why {
            answered.write_why(&mut anstream::stderr().lock())?;
        }
        let mut out = BufWriter::new(io::stdout().lock());
        if self.json {
            answered.write_json(&mut out)?;
        } else if self.diff {
            answered.write_diff(&mut out)?;
        } else {
            answered.write_text(&mut out)?;
        }
        out.flush()?;
        match answered.withheld() {
            None => Ok(CommandOutcome::Well),
            Some(_) => {
                if !self.json {
                    answered.write_withheld(&mut anstream::stderr().lock())?;
                }
                if answered.is_failure() {
                    Ok(CommandOutcome::Unanswered)
                } else {
                    Ok(CommandOutcome::NotSo)
                }
            }
        }
    }

    fn name(&self) -> String {
        self.place.file.display().to_string()
    }
}

/// A question, and its place.
struct CompletionQuestion<'a> {
    file: &'a Path,
    text: Text,
    at: ByteOffset,
    diagnostics: Vec<Diagnostic>,
}

impl CompletionQuestion<'_> {
    /// Asks as a person would, and waits for the answer.
    fn answer(
        self,
        workspaces: &FileWorkspaces,
        settings: Settings,
        excluded: &Arc<ExcludedFiles>,
    ) -> Result<CompletionReport, CommandFailure> {
        let about = self.about(workspaces, &settings, excluded);
        let speeds = UserDirectories::of_platform().speeds().map(Arc::new);
        let book = speeds.as_ref().map(|file| Arc::clone(file.book()));
        let lanes =
            foretell_engine::lane_backends::by_settings_with(book.unwrap_or_default(), None);
        let usage = UserDirectories::of_platform().usage().map(Arc::new);
        let came = self.ask(workspaces, settings, excluded, lanes, usage)?;
        if let Some(speeds) = speeds {
            // The next prompt has the same size then.
            let _ = speeds.keep();
        }
        Ok(CompletionReport::of(came, about))
    }

    /// Asks lanes that only note what they would send.
    fn explain(
        self,
        workspaces: &FileWorkspaces,
        settings: Settings,
        excluded: &Arc<ExcludedFiles>,
    ) -> Result<PromptExplanation, CommandFailure> {
        let about = self.about(workspaces, &settings, excluded);
        let notes = PromptNotes::default();
        // Nothing is used up.
        let came = self.ask(workspaces, settings, excluded, notes.lanes(), None)?;
        Ok(PromptExplanation::of(about, &came, &notes))
    }

    fn about(
        &self,
        workspaces: &FileWorkspaces,
        settings: &Settings,
        excluded: &ExcludedFiles,
    ) -> CompletionSubject {
        let name = name_in(&workspaces.root, self.file);
        let language = Language::of_file(&self.file.to_string_lossy());
        let settings = settings.for_language(language.as_str());
        CompletionSubject {
            excluded: excluded.why(&name),
            file: name,
            text: self.text.clone(),
            lanes: settings.lanes.clone(),
            cap: settings.race.explicit_cap,
        }
    }

    /// Opens the file and its neighbours, and drives an engine until it has answered.
    fn ask(
        self,
        workspaces: &FileWorkspaces,
        settings: Settings,
        excluded: &Arc<ExcludedFiles>,
        lanes: ChooseLane,
        usage: Option<Arc<UsageFile>>,
    ) -> Result<CompletionTurn, CommandFailure> {
        let is_excluded = excluded
            .why(&name_in(&workspaces.root, self.file))
            .is_some();
        let found = if is_excluded {
            Err(NoIndex::SwitchedOff)
        } else {
            workspace_index::of_workspace(workspaces, &settings, excluded)
        };
        let code: Arc<dyn CodeSearch> = match &found {
            Ok(code) => Arc::clone(code) as _,
            // It does without.
            Err(_) => Arc::new(NoCode),
        };
        let mut open = if is_excluded {
            Vec::new()
        } else {
            neighbours::of(self.file, &workspaces.root, excluded)
        };
        open.push((self.file.to_owned(), self.text.clone()));
        let document = document(self.file);
        let names = open.iter().map(|(file, _)| {
            let name = name_in(&workspaces.root, file);
            (self::document(file), name)
        });
        let names: BTreeMap<DocumentId, FilePath> = names.collect();
        let surroundings = EngineSurroundings {
            lanes,
            code,
            sources: context_source::all(found.map(|code| code as _)),
            counter: counter(&settings)?,
            redactor: Redactor::new(),
            exclude: Arc::clone(excluded) as _,
            name: Arc::new(move |document| match names.get(document) {
                Some(name) => name.clone(),
                None => FilePath::new(document.as_str()),
            }),
            folder: Arc::new(|_| None),
            usage,
            // They are kept when the question is answered.
            speeds: None,
            typing: None,
        };
        let open = open.into_iter();
        let mut events: Vec<Event> = open.map(|(file, text)| opened(&file, text)).collect();
        events.push(Event::DiagnosticsChanged {
            document: document.clone(),
            version: None,
            diagnostics: self.diagnostics,
        });
        let asks = Event::SuggestionRequested(SuggestionRequest {
            request: RequestId::new(1),
            document,
            version: None,
            at: self.at,
            cause: RequestCause::Explicit,
            kind: RequestKind::Inline,
        });
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_all().build();
        let runtime = runtime.map_err(CommandFailure::Unstartable)?;
        let came = runtime.block_on(drive(settings, surroundings, events, asks));
        // A disk that hangs, or a pipe that a key is to come from, is not waited for.
        runtime.shutdown_background();
        Ok(came)
    }
}

/// The token counter: the tokenizer that settings name, or the estimate.
fn counter(settings: &Settings) -> Result<Arc<dyn CountTokens>, CommandFailure> {
    let Some(path) = &settings.context.tokenizer else {
        return Ok(Arc::new(TokenEstimate));
    };
    let exact = ExactTokens::load(Path::new(path)).map_err(CommandFailure::BadTokenizer)?;
    Ok(Arc::new(exact))
}

/// Runs an engine until it has answered.
async fn drive(
    settings: Settings,
    surroundings: EngineSurroundings,
    events: Vec<Event>,
    asks: Event,
) -> CompletionTurn {
    let mut engine = Engine::new(Arc::new(settings), surroundings);
    let decided = SharedObserver::<DecidedActions>::default();
    engine.observe(decided.clone());
    for event in events {
        engine.tell(event);
    }
    // Until it is known which of them are excluded.
    while engine.running() > 0 {
        engine.turn().await;
    }
    engine.tell(asks);
    loop {
        while let Some(placed) = engine.poll_order() {
            if matches!(placed.order, Order::Answer { .. }) {
                let fault = |lane| Some((lane, engine.fault(lane)?.clone()));
                let faults = LaneKind::ALL.into_iter().filter_map(fault).collect();
                engine.shut_down().await;
                let actions = std::mem::take(&mut decided.lock().actions);
                return CompletionTurn { actions, faults };
            }
        }
        engine.turn().await;
    }
}

/// The decisions until there was an answer.
#[derive(Default)]
struct DecidedActions {
    actions: Vec<Action>,
    is_answered: bool,
}

impl Observer for DecidedActions {
    fn saw(&mut self, _: Moment, fact: Fact<'_>, _: &FactScene<'_>) {
        let action = match fact {
            Fact::Order(order) => Action::Order(order.clone()),
            Fact::Note(note) => Action::Note(note.clone()),
            Fact::Event(_) | Fact::Measurement(_) => return,
        };
        let is_answer = matches!(action.order(), Some(Order::Answer { .. }));
        if !self.is_answered {
            self.actions.push(action);
        }
        self.is_answered |= is_answer;
    }
}

fn opened(file: &Path, text: Text) -> Event {
    Event::DocumentOpened {
        document: document(file),
        language: Language::of_file(&file.to_string_lossy()),
        version: Version::new(1),
        text,
    }
}

/// A name for a file that no other has.
fn document(file: &Path) -> DocumentId {
    DocumentId::new(format!("file://{}", file.display()))
}
