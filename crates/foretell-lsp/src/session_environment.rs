//! The surroundings of the machine: the client's folders, the homes of settings, and what is made of
//! them.
//!
//! Files are read on a thread that may wait ([`SessionEnvironment::load`]); what came of it is a [`LoadedFolders`] and the
//! [`EngineSurroundings`] that follow from it. There is no watcher and no timer for settings: whether their
//! files have changed is looked at when the client says something, at most once a second, because
//! until then no setting matters. Until they have been read for the first time every document counts
//! as excluded, so that no model is told anything.
//!
//! Absent on purpose: which home may set what, which is `foretell-settings`'s; whose word the editor's
//! settings are, which is the engine's; and telling the client, which is the server's.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use foretell_engine::context_source::NoIndex;
use foretell_engine::folders::{LoadedFolders, OpenFolders};
use foretell_engine::indexes::{Indexes, TellProgress};
use foretell_engine::lane_backends::by_settings_with;
use foretell_engine::last_sent::LastSent;
use foretell_engine::reexports::{
    CodeSearch, CountTokens, Exclude, InstantPredictor, LineModel, NoCode, TokenEstimate,
    WorkspaceShelf,
};
use foretell_engine::speed_file::SpeedFile;
use foretell_engine::{
    ChooseLane, EditorSettings, EngineSurroundings, ExactTokens, FindFolder, NameDocument,
    SiftedSettings, UntrustedSettings, context_source,
};
use foretell_settings::{RawSettings, Settings};
use foretell_text::{DocumentId, FilePath, LaneKind};
use tokio::time::Instant;

use crate::server_options::{PredictorChoice, ServerOptions};
use crate::uri;

/// How long what was seen of the files counts as new.
const FRESH: Duration = Duration::from_secs(1);

/// How long it is worth waiting for them. A disk that takes longer than this hangs.
const SETTLING: Duration = Duration::from_millis(100);

/// How long it is worth waiting for what the editor says. One that takes longer than this has no
/// settings to give.
const ANSWERING: Duration = Duration::from_secs(5);

/// The client's folders and all that comes of them.
pub(crate) struct SessionEnvironment {
    start: ServerOptions,
    lanes: ChooseLane,
    /// The last message to each model.
    sent: Arc<LastSent>,
    /// How fast model servers are, in a file that outlives this session.
    speeds: Option<Arc<SpeedFile>>,
    /// The code of the folders, for what answers at once.
    shelf: Arc<WorkspaceShelf>,
    pub(crate) editor: EditorSettings,
    pub(crate) folders: Vec<PathBuf>,
    /// The latest reading.
    read: Option<Arc<SettingsReading>>,
    stage: ReadingStage,
    /// When it was last looked whether files have changed.
    looked: Option<Instant>,
    /// Since when something goes on.
    since: Option<Instant>,
    /// Since when the editor is asked for its settings.
    asked_editor: Option<Instant>,
}

/// How reading goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReadingStage {
    /// Nothing is read now.
    Resting,
    /// It is being looked whether there is something to read.
    Looking,
    /// Something is, and what was to be read is still the same.
    Going,
    /// Something is, and there is more to read by now.
    Outdated,
}

/// The settings of the folders as they were read, and what was made of them.
pub(crate) struct SettingsReading {
    pub(crate) loaded: LoadedFolders,
    pub(crate) indexes: Arc<Indexes>,
    counter: TokenCounting,
    /// Settings of the editor that a repository may have written.
    contested: UntrustedSettings,
    /// Why the log is not where settings say.
    log_fault: Option<String>,
}

impl SettingsReading {
    /// Everything that does not apply, in words.
    pub(crate) fn faults(&self) -> impl Iterator<Item = &String> {
        let ours = self.counter.fault.iter().chain(&self.log_fault);
        let contested = self.contested.words();
        self.loaded.faults.iter().chain(contested).chain(ours)
    }
}

/// The token counter, which takes long to make.
#[derive(Clone)]
struct TokenCounting {
    file: Option<String>,
    counts: Arc<dyn CountTokens>,
    fault: Option<String>,
}

impl SessionEnvironment {
    pub(crate) fn new(start: ServerOptions) -> Self {
        let sent = Arc::new(LastSent::default());
        let speeds = start.places.speeds().map(Arc::new);
        let book = speeds.as_ref().map(|file| Arc::clone(file.book()));
        let notes = Some(Arc::clone(&sent) as _);
        let by_settings = by_settings_with(book.unwrap_or_default(), notes);
        let lanes: ChooseLane = match start.script.clone() {
            None => by_settings,
            Some(script) => Arc::new(move |lane, settings| match lane {
                LaneKind::Fim => Arc::new(script.clone()),
                LaneKind::NextEdit | LaneKind::Fix => by_settings(lane, settings),
            }),
        };
        SessionEnvironment {
            start,
            lanes,
            sent,
            speeds,
            shelf: Arc::default(),
            editor: EditorSettings::default(),
            folders: Vec::new(),
            read: None,
            stage: ReadingStage::Resting,
            looked: None,
            since: None,
            asked_editor: None,
        }
    }

    /// The settings as far as they are known.
    pub(crate) fn settings(&self) -> Arc<Settings> {
        match &self.read {
            Some(read) => Arc::clone(&read.loaded.settings),
            None => Arc::new(Settings::resolve(&self.given()).0),
        }
    }

    /// The machine's surroundings, as far as they are known.
    pub(crate) fn surroundings(&self) -> EngineSurroundings {
        let read = self.read.as_deref();
        let indexes = read.map(|it| Arc::clone(&it.indexes));
        let found = match indexes.as_ref().map(|it| it.none()) {
            None => Err(NoIndex::NotYet),
            Some(Some(why)) => Err(why),
            Some(None) => indexes.ok_or(NoIndex::NotYet),
        };
        let code: Arc<dyn CodeSearch> = match &found {
            Ok(indexes) => Arc::clone(indexes) as _,
            Err(_) => Arc::new(NoCode),
        };
        let exclude: Arc<dyn Exclude> = match read {
            Some(read) => Arc::clone(&read.loaded.exclude) as _,
            None => Arc::new(ExcludeEverything),
        };
        let counter = read.map(|it| Arc::clone(&it.counter.counts));
        EngineSurroundings {
            lanes: Arc::clone(&self.lanes),
            code,
            sources: context_source::all(found.map(|it| it as _)),
            counter: counter.unwrap_or_else(|| Arc::new(TokenEstimate)),
            redactor: self.start.redactor.clone(),
            exclude,
            name: self.names(),
            folder: self.document_folders(),
            usage: self.start.places.usage().map(Arc::new),
            speeds: self.speeds.clone(),
            typing: self.start.places.typing().map(Arc::new),
        }
    }

    /// What answers at once, if anything does.
    pub(crate) fn predictor(&self) -> Option<Box<dyn InstantPredictor>> {
        self.has_predictor().then(|| {
            let shelf = Arc::clone(&self.shelf);
            Box::new(LineModel::with_workspaces(shelf)) as _
        })
    }

    fn has_predictor(&self) -> bool {
        match self.start.predictor {
            _ if self.start.script.is_some() => false,
            PredictorChoice::Nothing => false,
            PredictorChoice::LineModel => true,
        }
    }

    /// The names of documents, for the code that decides what is told of them. Each name knows its
    /// form for others.
    pub(crate) fn names(&self) -> NameDocument {
        let folders = self.read.as_ref();
        let folders = folders.map(|it| Arc::clone(&it.loaded.folders));
        Arc::new(move |document| name_of(folders.as_deref(), document))
    }

    /// The folders of the workspace that documents are in.
    fn document_folders(&self) -> FindFolder {
        let folders = self.read.as_ref();
        let folders = folders.map(|it| Arc::clone(&it.loaded.folders));
        Arc::new(move |document| {
            let path = uri::path_of(document.as_str())?;
            let (folder, _) = folders.as_ref()?.folder_of(&path)?;
            Some(folder.real.to_string_lossy().into())
        })
    }

    /// The last message to each model.
    pub(crate) fn last_sent(&self) -> &LastSent {
        &self.sent
    }

    /// The latest reading.
    pub(crate) fn read(&self) -> Option<&Arc<SettingsReading>> {
        self.read.as_ref()
    }

    /// Why the settings may not be the person's, in words, if that is so: no model is asked then.
    pub(crate) fn contested(&self) -> Option<&str> {
        let read = self.read.as_ref()?;
        read.contested.words().next().map(String::as_str)
    }

    /// The indexes, if there are any yet.
    pub(crate) fn indexes(&self) -> Option<&Arc<Indexes>> {
        self.read.as_ref().map(|it| &it.indexes)
    }

    /// The faults of the settings that the server was started with, in words.
    pub(crate) fn given_faults(&self) -> &[String] {
        &self.start.faults
    }

    /// Until when what applies may change and is worth waiting for, if it may.
    pub(crate) fn settles_until(&self) -> Option<Instant> {
        let until = self.since? + SETTLING;
        (until > Instant::now()).then_some(until)
    }

    /// Until when nothing is told to models, if it may change what they may be told.
    pub(crate) fn holds_until(&self) -> Option<Instant> {
        let editor = self.asked_editor.map(|it| it + ANSWERING);
        let editor = editor.filter(|it| *it > Instant::now());
        self.settles_until().max(editor)
    }

    /// The editor was asked for its settings.
    pub(crate) fn wait_for_editor(&mut self) {
        self.asked_editor = Some(Instant::now());
    }

    /// The editor has answered, or will not.
    pub(crate) fn hear_editor(&mut self) {
        self.asked_editor = None;
    }

    /// Whether files are being read, and none have been so far.
    pub(crate) fn is_first_load(&self) -> bool {
        self.read.is_none() && matches!(self.stage, ReadingStage::Going | ReadingStage::Outdated)
    }

    /// Returns the job that reads the files, for a thread that may wait; nothing while one runs,
    /// which then reads again.
    pub(crate) fn load(
        &mut self,
        tell: TellProgress,
    ) -> Option<impl FnOnce() -> SettingsReading + Send + 'static> {
        if self.stage != ReadingStage::Resting {
            self.stage = ReadingStage::Outdated;
            return None;
        }
        self.stage = ReadingStage::Going;
        self.since = Some(Instant::now());
        let (places, folders) = (self.start.places.clone(), self.folders.clone());
        let (given, before) = (self.given(), self.read.clone());
        let (editor, log) = (self.editor.clone(), self.start.log.clone());
        let redactor = self.start.redactor.clone();
        let shelf = self.has_predictor().then(|| Arc::clone(&self.shelf));
        Some(move || {
            // Nothing is looked at before this is over, so that nothing waits for it later.
            redactor.make_ready();
            let SiftedSettings {
                settings: given,
                contested,
            } = editor.sift(&folders, given);
            let before_loaded = before.as_ref().map(|it| &it.loaded);
            let loaded = OpenFolders::load(&places, &folders, &given, before_loaded);
            let log_fault = match &log {
                Some(log) => log.follow(&loaded.settings.log).err(),
                None => None,
            };
            let indexes = match &before {
                Some(before) => {
                    before.indexes.follow(&loaded);
                    Arc::clone(&before.indexes)
                }
                None => Arc::new(Indexes::start(&places, &loaded, redactor, shelf, tell)),
            };
            let counter = before.as_ref().map(|it| &it.counter);
            let counter = TokenCounting::of(&loaded.settings, counter);
            SettingsReading {
                loaded,
                indexes,
                counter,
                contested,
                log_fault: log_fault.map(|it| it.to_string()),
            }
        })
    }

    /// Takes what was read, and says whether it is out of date already.
    pub(crate) fn take(&mut self, read: SettingsReading) -> bool {
        let is_outdated = self.rest() == ReadingStage::Outdated;
        if !is_outdated {
            self.editor.contest(&read.contested);
        }
        self.read = Some(Arc::new(read));
        is_outdated
    }

    /// Reading has failed, by a fault of ours: what was read before holds.
    pub(crate) fn not_read(&mut self) {
        self.rest();
    }

    /// Nothing goes on any more; says what did.
    fn rest(&mut self) -> ReadingStage {
        self.since = None;
        self.looked = Some(Instant::now());
        std::mem::replace(&mut self.stage, ReadingStage::Resting)
    }

    /// Returns the job that looks whether files have changed, if it is time to, for a thread that
    /// may wait.
    pub(crate) fn look(&mut self) -> Option<impl FnOnce() -> bool + Send + 'static> {
        let is_time = self.looked.is_none_or(|it| it.elapsed() >= FRESH);
        if self.stage != ReadingStage::Resting || !is_time {
            return None;
        }
        self.stage = ReadingStage::Looking;
        self.since = Some(Instant::now());
        let read = self.read.clone();
        // Files that could not be read at all are tried again.
        Some(move || read.is_some_and(|it| it.loaded.stamp.is_current()))
    }

    /// Somebody has looked, and says whether there is something to read.
    pub(crate) fn looked(&mut self, is_current: bool) -> bool {
        let before = self.rest();
        !is_current || before == ReadingStage::Outdated
    }

    /// Whether a file is one that settings come from.
    pub(crate) fn is_settings_file(&self, path: &Path) -> bool {
        let read = self.read.as_deref();
        read.is_some_and(|it| it.loaded.stamp.files().any(|file| file == path))
    }

    /// The settings besides files, the weakest first.
    fn given(&self) -> Vec<RawSettings> {
        let editor = self.editor.settings();
        editor.chain(&self.start.given).cloned().collect()
    }
}

impl TokenCounting {
    /// The one that settings name; the one there is, if that is it.
    fn of(settings: &Settings, before: Option<&TokenCounting>) -> Self {
        let file = settings.context.tokenizer.clone();
        if let Some(before) = before.filter(|it| it.file == file && it.fault.is_none()) {
            return before.clone();
        }
        let estimate = |fault| TokenCounting {
            file: file.clone(),
            counts: Arc::new(TokenEstimate),
            fault,
        };
        let Some(path) = &file else {
            return estimate(None);
        };
        match ExactTokens::load(Path::new(path)) {
            Ok(exact) => TokenCounting {
                counts: Arc::new(exact),
                ..estimate(None)
            },
            Err(why) => estimate(Some(format!(
                "context.tokenizer: {why}; tokens are estimated until that is corrected"
            ))),
        }
    }
}

/// The name of a document: its file's in the folders, or its URI if it is no file.
fn name_of(folders: Option<&OpenFolders>, document: &DocumentId) -> FilePath {
    let path = uri::path_of(document.as_str());
    match (path, folders) {
        (Some(path), Some(folders)) => folders.name_of(&path),
        (Some(path), None) => FilePath::new(path.to_string_lossy().into_owned()),
        (None, _) => FilePath::new(document.as_str()),
    }
}

/// Excludes everything, until it is known what to exclude.
struct ExcludeEverything;

impl Exclude for ExcludeEverything {
    fn excludes(&self, _: &FilePath) -> bool {
        true
    }

    fn why_excluded(&self, _: &FilePath) -> Option<String> {
        Some("what is to be excluded is not known yet".to_owned())
    }
}
