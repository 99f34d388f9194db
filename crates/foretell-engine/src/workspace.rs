//! The workspaces a file belongs to, as far as its path can tell: where they begin, what their settings
//! files add, and which files they keep to themselves.
//!
//! The nearest one is the file's, and its settings apply. But it may be in others: a repository in a
//! repository, a directory reached through a link. A file that any of them excludes stays excluded, since
//! no directory may give away what is kept further up.
//!
//! Absent on purpose: the person's own settings ([`crate::user_settings_file`]), and the environment: the directory
//! that a command runs in is told.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use foretell_context::BadGlob;
use foretell_settings::{Home, RawSettings, Settings, SettingsFault, SettingsProblem};
use foretell_text::FilePath;

use crate::excluded_files::ExcludedFiles;
use crate::excluded_files::person_globs::on_disk;
use crate::read_text::{ReadError, ReadTextError, is_absent, read_text_of_workspace};
use crate::terminal_safe::in_one_line;
use crate::user_settings_file::LARGEST_SETTINGS;

/// The file in which a workspace has settings.
pub const SETTINGS_FILE: &str = ".foretell.toml";

/// The workspaces that a file is in.
#[derive(Debug)]
pub struct FileWorkspaces {
    /// Where the file's own begins: the nearest directory above it that is a repository or has
    /// settings; otherwise the current one, if the file is in it, or else the file's own.
    pub root: PathBuf,
    /// Whether a workspace does begin there, so that all of it belongs together.
    pub is_one: bool,
    /// The settings of that one's file.
    settings: RawSettings,
    /// Every directory above it at which one begins, that one included, and what is excluded there.
    pub all: Vec<WorkspaceRoot>,
    /// The settings in all of these files that do not apply.
    pub faults: Vec<SettingsFault>,
}

/// A directory at which a workspace begins.
#[derive(Debug)]
pub struct WorkspaceRoot {
    /// Which.
    pub directory: PathBuf,
    /// Globs of its settings file.
    pub exclude: Vec<String>,
}

impl FileWorkspaces {
    /// Those of a file with a whole path. The directory that a command runs in is one of them, if the
    /// file is in it.
    pub fn of(file: &Path, current: &Path) -> Result<Self, WorkspaceError> {
        let nearest = file.ancestors().skip(1).find(|it| begins_at(it));
        let root = match nearest {
            Some(root) => root.to_owned(),
            None if file.starts_with(current) => current.to_owned(),
            None => file.parent().unwrap_or(file).to_owned(),
        };
        FileWorkspaces::at(root, file, current)
    }

    /// Those of a directory with a whole path, which is one itself if it is in none.
    pub fn of_directory(directory: &Path, current: &Path) -> Result<Self, WorkspaceError> {
        let nearest = directory.ancestors().find(|it| begins_at(it));
        let root = nearest.unwrap_or(directory).to_owned();
        // Any name in it will do.
        let file = root.join(SETTINGS_FILE);
        FileWorkspaces::at(root, &file, current)
    }

    fn at(root: PathBuf, file: &Path, current: &Path) -> Result<Self, WorkspaceError> {
        let mut workspaces = FileWorkspaces {
            settings: read_settings(&root)?.0,
            is_one: begins_at(&root),
            root,
            all: Vec::new(),
            faults: Vec::new(),
        };
        let is_one = |directory: &&Path| {
            begins_at(directory) || *directory == current || **directory == workspaces.root
        };
        // Above the path as it is written, and above where the file really is.
        let real = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
        let above = [file, &real].map(|file| file.ancestors().skip(1));
        let found = above.into_iter().flatten().filter(is_one);
        let real = |it: &Path| fs::canonicalize(it).unwrap_or_else(|_| it.to_owned());
        let found: BTreeSet<PathBuf> = found.map(real).collect();
        for directory in found {
            let (settings, mut faults) = read_settings(&directory)?;
            let (settings, more) = Settings::resolve(&[settings]);
            faults.extend(more);
            if faults.iter().any(hides_exclusions) {
                return Err(WorkspaceError::Faults(faults));
            }
            workspaces.faults.extend(faults);
            workspaces.all.push(WorkspaceRoot {
                directory,
                exclude: all_exclusions(&settings),
            });
        }
        Ok(workspaces)
    }

    /// The settings that apply there: those of the workspace, and those given on top. And what of them
    /// does not apply because homes contradict each other; what is wrong with each of them alone has
    /// been said.
    pub fn resolve(&self, given: Vec<RawSettings>) -> (Settings, Vec<SettingsFault>) {
        let mut sources = vec![self.settings.clone()];
        sources.extend(given);
        let (settings, mut faults) = Settings::resolve(&sources);
        let mut alone: BTreeMap<Home, Vec<SettingsFault>> = BTreeMap::new();
        for home in faults.iter().map(|fault| fault.origin.home) {
            alone.entry(home).or_insert_with(|| {
                let of_home = sources.iter().filter(|it| it.home() == home);
                Settings::resolve(&of_home.cloned().collect::<Vec<_>>()).1
            });
        }
        faults.retain(|fault| !alone[&fault.origin.home].contains(fault));
        (settings, faults)
    }

    /// The settings file of the file's own workspace, and how many settings it has.
    pub fn settings_file(&self) -> Option<(PathBuf, usize)> {
        let path = self.root.join(SETTINGS_FILE);
        let is_there = fs::symlink_metadata(&path).is_ok();
        is_there.then(|| (path, self.settings.names().count()))
    }

    /// The files that nothing is told of. The person's globs hold from the beginning of every
    /// workspace, or are whole paths, perhaps from their home on; those of each settings file hold from
    /// where it lies.
    pub fn excluded(
        &self,
        persons: &[String],
        home: Option<&Path>,
    ) -> Result<ExcludedFiles, WorkspaceError> {
        let persons = on_disk(persons, home);
        let (mut excluded, mut faults) = ExcludedFiles::new(&self.root, &persons);
        for workspace in &self.all {
            let globs = [&persons[..], &workspace.exclude].concat();
            faults.extend(excluded.add(&workspace.directory, &globs));
        }
        if faults.is_empty() {
            Ok(excluded)
        } else {
            // It is not known what they were to keep.
            Err(WorkspaceError::Globs(faults))
        }
    }
}

/// Why nothing can be said of a workspace: it is unknown what it was to exclude.
#[derive(Debug, thiserror::Error)]
pub enum WorkspaceError {
    /// A settings file that cannot be read.
    #[error(transparent)]
    Unreadable(ReadError),
    /// A settings file that cannot be understood.
    #[error("{}", in_one_line(.0))]
    Faults(Vec<SettingsFault>),
    /// Globs that are none.
    #[error("{}", in_one_line(.0))]
    Globs(Vec<BadGlob>),
}

/// Whether a workspace begins at a directory.
pub(crate) fn begins_at(directory: &Path) -> bool {
    // A link to nowhere says so too.
    let has = |name: &str| fs::symlink_metadata(directory.join(name)).is_ok();
    has(".git") || has(SETTINGS_FILE)
}

/// Reads the settings file of a workspace, and says which of its settings do not apply. Such a file may only
/// add to what is excluded, and a few things that have nothing to do with context.
fn read_settings(root: &Path) -> Result<(RawSettings, Vec<SettingsFault>), WorkspaceError> {
    let path = root.join(SETTINGS_FILE);
    let name = path.display().to_string();
    let from = |text: &str| RawSettings::from_toml(Home::WorkspaceFile, &name, text);
    match fs::symlink_metadata(&path) {
        Ok(_) => {
            let text = read_text_of_workspace(&path, LARGEST_SETTINGS);
            let text = text.map_err(WorkspaceError::Unreadable)?;
            Ok(from(&text))
        }
        Err(why) if is_absent(&why) => Ok(from("")),
        Err(why) => Err(WorkspaceError::Unreadable(ReadError {
            file: name,
            why: ReadTextError::Io(why),
        })),
    }
}

/// Every glob that settings have, whichever language it was written for: a file may be opened as one
/// language and told of as another.
pub(crate) fn all_exclusions(settings: &Settings) -> Vec<String> {
    let all = settings.all_languages().flat_map(|it| &it.context.exclude);
    let mut seen = BTreeSet::new();
    all.filter(|it| seen.insert(*it)).cloned().collect()
}

/// Whether it is unknown what a settings file was to exclude.
pub fn hides_exclusions(fault: &SettingsFault) -> bool {
    match &fault.problem {
        SettingsProblem::Syntax { .. } => true,
        SettingsProblem::WrongKind { name, .. } | SettingsProblem::Duplicate { name } => {
            name.ends_with("exclude") || name == "context"
        }
        SettingsProblem::Group { name, .. } => name == "context",
        // It was meant.
        SettingsProblem::Unknown { nearest, .. } => nearest
            .as_deref()
            .is_some_and(|it| it.ends_with("context.exclude")),
        _ => false,
    }
}

/// Returns the name of a file in its workspace; outside of it, its whole path.
pub fn name_in(root: &Path, file: &Path) -> FilePath {
    let within = file.strip_prefix(root).unwrap_or(file);
    let name = within.to_string_lossy();
    FilePath::new(match std::path::MAIN_SEPARATOR {
        '/' => name.into_owned(),
        separator => name.replace(separator, "/"),
    })
}
