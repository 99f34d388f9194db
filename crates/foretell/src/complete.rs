//! `foretell complete`: one suggestion at a place, from the lanes that are configured.
//!
//! It drives the same engine as the language server, once: the file is opened, and with it a few of
//! its neighbours, as somebody would have them open who works on it; the person asks; the first answer
//! is printed. There is no history here, so what is suggested comes from the file, its neighbours and
//! the index of its workspace.
//!
//! In a file that is excluded only that file is looked at.

mod answer;
mod neighbours;

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use foretell_context::{Estimate, Redactor};
use foretell_core::{Action, Event, RequestCause, RequestId, RequestKind};
use foretell_engine::{
    Engine, ExcludedFiles, LARGEST_DOCUMENT, ReadError, Surroundings, read_text,
};
use foretell_index::dialect::language_of_file;
use foretell_lanes::embedded::Embedded;
use foretell_lanes::{FindCode, NoCode};
use foretell_settings::Settings;
use foretell_settings::choice::BackEnd;
use foretell_text::{ByteOffset, Diagnostic, DocumentId, FilePath, LaneKind, Text, Version};

use self::answer::{About, Answered};
use crate::code;
use crate::context::{Place, read_diagnostics};
use crate::failure::{Done, Failure};
use crate::settings::GivenSettings;
use crate::workspace::{Workspaces, name_in};

/// Print one suggestion at a place, from the lanes that are configured
///
/// The suggestion goes to standard output: the text that would be put in, or with --diff what would
/// change. The exit status is 0, or 1 if there is nothing to suggest, or 2 if something cannot be
/// read
#[derive(Args)]
pub(crate) struct Complete {
    /// The place: FILE:LINE:COLUMN, counted from 1; a column is a character, and without one it is
    /// the end of the line
    #[arg(value_name = "FILE:LINE[:COL]")]
    place: Place,

    /// Print what would change as a unified diff
    #[arg(long, conflicts_with = "json")]
    diff: bool,

    /// Print all candidates, and what each lane came to, as JSON
    #[arg(long)]
    json: bool,

    /// Say what was decided on the way, and why
    #[arg(long)]
    why: bool,

    /// Take diagnostics from a JSON file: what a language server publishes, an array of that, or an
    /// array of diagnostics of this file
    #[arg(long, value_name = "FILE")]
    diagnostics: Option<PathBuf>,

    #[command(flatten)]
    settings: GivenSettings,
}

impl Complete {
    pub(crate) fn run(&self) -> Result<Done, Failure> {
        let file = std::path::absolute(&self.place.file).map_err(|why| Failure::Unreadable {
            name: self.name(),
            why,
        })?;
        let given = self.settings.read()?;
        let workspaces = Workspaces::of(&file)?;
        workspaces.warn();
        let settings = workspaces.resolve(given);
        let language = language_of_file(&file.to_string_lossy());
        expect_embedded(settings.for_language(language.as_str()))?;
        let excluded = Arc::new(workspaces.excluded(&settings.context.exclude)?);

        let text = read_text(&file, LARGEST_DOCUMENT).map_err(|error| {
            let file = self.name();
            Failure::File(ReadError { file, ..error })
        })?;
        let text = Text::from(text.as_str());
        let at = self.place.end_in(&text);
        let at = at.map_err(|why| Failure::Outside {
            name: self.name(),
            why,
        })?;
        let diagnostics = match &self.diagnostics {
            Some(path) => read_diagnostics(path, &file, &text)?.diagnostics,
            None => Vec::new(),
        };
        let asks = Asks {
            file: &file,
            text,
            at,
            diagnostics,
        };
        let answered = asks.answer(&workspaces, settings, &excluded)?;
        self.print(&answered)
    }

    fn print(&self, answered: &Answered) -> Result<Done, Failure> {
        if self.why {
            answered.write_why(&mut anstream::stderr().lock())?;
        }
        let mut out = BufWriter::new(io::stdout().lock());
        match () {
            () if self.json => answered.write_json(&mut out)?,
            () if self.diff => answered.write_diff(&mut out)?,
            () => answered.write_text(&mut out)?,
        }
        out.flush()?;
        match answered.withheld() {
            None => Ok(Done::Well),
            Some(reason) => {
                if !self.json {
                    let words = reason.words();
                    writeln!(anstream::stderr().lock(), "Nothing to suggest: {words}")?;
                }
                Ok(Done::NotSo)
            }
        }
    }

    fn name(&self) -> String {
        self.place.file.display().to_string()
    }
}

/// That every lane that is on is one there is.
fn expect_embedded(settings: &Settings) -> Result<(), Failure> {
    for lane in LaneKind::ALL {
        let lane_settings = settings.lanes.of(lane);
        if lane_settings.enabled && lane_settings.kind != BackEnd::Embedded {
            return Err(Failure::NoSuchLane(lane));
        }
    }
    Ok(())
}

/// What is asked, and where.
struct Asks<'a> {
    file: &'a Path,
    text: Text,
    at: ByteOffset,
    diagnostics: Vec<Diagnostic>,
}

impl Asks<'_> {
    /// Opens the file and its neighbours, asks as a person would, and waits for the answer.
    fn answer(
        self,
        workspaces: &Workspaces,
        settings: Settings,
        excluded: &Arc<ExcludedFiles>,
    ) -> Result<Answered, Failure> {
        let name = name_in(&workspaces.root, self.file);
        let why_excluded = excluded.why(&name);
        let is_excluded = why_excluded.is_some();
        let code: Arc<dyn FindCode> = match is_excluded {
            true => Arc::new(NoCode),
            false => match code::of_workspace(workspaces, &settings, excluded) {
                Ok(code) => code,
                // It does without.
                Err(_) => Arc::new(NoCode),
            },
        };
        let mut open = match is_excluded {
            true => Vec::new(),
            false => neighbours::of(self.file, &workspaces.root, excluded),
        };
        open.push((self.file.to_owned(), self.text.clone()));
        let document = document(self.file);
        let names = open.iter().map(|(file, _)| {
            let name = name_in(&workspaces.root, file);
            (self::document(file), name)
        });
        let names: BTreeMap<DocumentId, FilePath> = names.collect();
        let surroundings = Surroundings {
            lanes: Arc::new(|lane, _| Arc::new(Embedded(lane))),
            code,
            sources: Vec::new(),
            counter: Arc::new(Estimate),
            redactor: Redactor::new(),
            exclude: Arc::clone(excluded) as _,
            name: Arc::new(move |document| match names.get(document) {
                Some(name) => name.clone(),
                None => FilePath::new(document.as_str()),
            }),
        };
        let mut events: Vec<Event> = open.into_iter().map(opened).collect();
        events.push(Event::DiagnosticsChanged {
            document: document.clone(),
            version: None,
            diagnostics: self.diagnostics,
        });
        let asks = Event::SuggestionRequested {
            request: RequestId::new(1),
            document: document.clone(),
            version: None,
            at: self.at,
            cause: RequestCause::Explicit,
            kind: RequestKind::Inline,
        };
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_time().build();
        let runtime = runtime.map_err(Failure::Unstartable)?;
        let language = language_of_file(&self.file.to_string_lossy());
        let lanes = &settings.for_language(language.as_str()).lanes;
        let off = LaneKind::ALL
            .into_iter()
            .filter(|it| !lanes.of(*it).enabled);
        let about = About {
            file: name,
            text: self.text,
            excluded: why_excluded,
            off: off.collect(),
        };
        let actions = runtime.block_on(drive(settings, surroundings, events, asks));
        Ok(Answered::of(actions, about))
    }
}

/// Runs an engine until it has answered.
async fn drive(
    settings: Settings,
    surroundings: Surroundings,
    events: Vec<Event>,
    asks: Event,
) -> Vec<Action> {
    let mut engine = Engine::new(Arc::new(settings), surroundings);
    for event in events {
        engine.tell(event);
    }
    // Until it is known which of them are excluded.
    while engine.running() > 0 {
        engine.turn().await;
    }
    engine.tell(asks);
    let mut actions = Vec::new();
    loop {
        while let Some(action) = engine.poll_action() {
            let is_answer = matches!(action, Action::Answer { .. });
            actions.push(action);
            if is_answer {
                engine.shut_down().await;
                return actions;
            }
        }
        engine.turn().await;
    }
}

fn opened((file, text): (PathBuf, Text)) -> Event {
    Event::DocumentOpened {
        document: document(&file),
        language: language_of_file(&file.to_string_lossy()),
        version: Version::new(1),
        text,
    }
}

/// A name for a file that no other has.
fn document(file: &Path) -> DocumentId {
    DocumentId::new(format!("file://{}", file.display()))
}
