//! The workspaces a file belongs to, as far as a command on its own can tell: where they begin, what
//! their settings files add, and which files they keep to themselves.
//!
//! The nearest one is the file's, and its settings apply. But it may be in others: a repository in a
//! repository, a directory reached through a link. What any of them excludes stays excluded, since
//! no directory may give away what is kept further up.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use foretell_engine::{ExcludedFiles, ReadError, Unreadable, read_text};
use foretell_settings::{Fault, Home, Problem, RawSettings, Settings};
use foretell_text::FilePath;

use crate::failure::{Failure, warn};
use crate::own::LARGEST_SETTINGS;

/// The file in which a workspace has settings.
pub(crate) const SETTINGS_FILE: &str = ".foretell.toml";

/// The workspaces that a file is in.
pub(crate) struct Workspaces {
    /// Where the file's own begins: the nearest directory above it that is a repository or has
    /// settings; otherwise the current one, if the file is in it, or else the file's own.
    pub(crate) root: PathBuf,
    /// Whether a workspace does begin there, so that all of it belongs together.
    pub(crate) is_one: bool,
    /// What the settings file of that one says.
    settings: RawSettings,
    /// Every directory above it at which one begins, that one included, and what is excluded there.
    pub(crate) all: Vec<Workspace>,
    /// What in all of these settings files does not apply.
    pub(crate) faults: Vec<Fault>,
}

/// A directory at which a workspace begins.
pub(crate) struct Workspace {
    pub(crate) directory: PathBuf,
    /// Globs of its settings file.
    pub(crate) exclude: Vec<String>,
}

impl Workspaces {
    /// Those of a file with a whole path.
    pub(crate) fn of(file: &Path) -> Result<Self, Failure> {
        let current = std::env::current_dir().unwrap_or_default();
        let nearest = file.ancestors().skip(1).find(|it| begins_at(it));
        let root = match nearest {
            Some(root) => root.to_owned(),
            None if file.starts_with(&current) => current,
            None => file.parent().unwrap_or(file).to_owned(),
        };
        Workspaces::at(root, file)
    }

    /// Those of a directory with a whole path, which is one itself if it is in none.
    pub(crate) fn of_directory(directory: &Path) -> Result<Self, Failure> {
        let nearest = directory.ancestors().find(|it| begins_at(it));
        let root = nearest.unwrap_or(directory).to_owned();
        // Any name in it will do.
        let file = root.join(SETTINGS_FILE);
        Workspaces::at(root, &file)
    }

    fn at(root: PathBuf, file: &Path) -> Result<Self, Failure> {
        let current = std::env::current_dir().unwrap_or_default();
        let mut workspaces = Workspaces {
            settings: read_settings(&root)?.0,
            is_one: begins_at(&root),
            root,
            all: Vec::new(),
            faults: Vec::new(),
        };
        let is_one = |directory: &&Path| {
            begins_at(directory) || **directory == current || **directory == workspaces.root
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
                return Err(Failure::BadSettings(faults));
            }
            workspaces.faults.extend(faults);
            workspaces.all.push(Workspace {
                directory,
                exclude: settings.context.exclude,
            });
        }
        Ok(workspaces)
    }

    /// The settings that apply there: those of the workspace, and those given on top.
    pub(crate) fn resolve(&self, given: Vec<RawSettings>) -> Settings {
        let mut sources = vec![self.settings.clone()];
        sources.extend(given);
        // What is wrong with them has been said.
        Settings::resolve(&sources).0
    }

    /// The settings file of the file's own workspace, and how many settings it has.
    pub(crate) fn settings_file(&self) -> Option<(PathBuf, usize)> {
        let path = self.root.join(SETTINGS_FILE);
        let is_there = fs::symlink_metadata(&path).is_ok();
        is_there.then(|| (path, self.settings.names().count()))
    }

    /// The files that nothing is told of. The person's globs hold from the beginning of every
    /// workspace, and those of each settings file from where it lies.
    pub(crate) fn excluded(&self, persons: &[String]) -> Result<ExcludedFiles, Failure> {
        let (mut excluded, mut faults) = ExcludedFiles::new(&self.root, persons);
        for workspace in &self.all {
            let globs = [persons, &workspace.exclude].concat();
            faults.extend(excluded.add(&workspace.directory, &globs));
        }
        match faults.is_empty() {
            true => Ok(excluded),
            // Nobody knows what they were to keep.
            false => Err(Failure::BadGlobs(faults)),
        }
    }

    /// Says what in their settings files does not apply; the rest of it does.
    pub(crate) fn warn(&self) {
        for fault in &self.faults {
            warn(fault);
        }
    }
}

/// A directory that a person named, by its real path.
pub(crate) fn real_directory(named: &Path) -> Result<PathBuf, Failure> {
    let real = named.canonicalize();
    real.map_err(|why| Failure::NoDirectory {
        name: named.display().to_string(),
        why,
    })
}

/// Whether a workspace begins at a directory.
fn begins_at(directory: &Path) -> bool {
    // A link to nowhere says so too.
    let has = |name: &str| fs::symlink_metadata(directory.join(name)).is_ok();
    has(".git") || has(SETTINGS_FILE)
}

/// What the settings file of a workspace says, and what in it does not apply. Such a file may only
/// add to what is excluded, and a few things that have nothing to do with context.
fn read_settings(root: &Path) -> Result<(RawSettings, Vec<Fault>), Failure> {
    let path = root.join(SETTINGS_FILE);
    let name = path.display().to_string();
    let from = |text: &str| RawSettings::from_toml(Home::WorkspaceFile, &name, text);
    match fs::symlink_metadata(&path) {
        Ok(_) => {
            let text = read_text(&path, LARGEST_SETTINGS).map_err(Failure::File)?;
            Ok(from(&text))
        }
        Err(why) if is_absent(&why) => Ok(from("")),
        Err(why) => Err(Failure::File(ReadError {
            file: name,
            why: Unreadable::Io(why),
        })),
    }
}

/// Whether there is no such file, not even a link to nowhere.
pub(crate) fn is_absent(why: &io::Error) -> bool {
    use io::ErrorKind::{NotADirectory, NotFound};
    matches!(why.kind(), NotFound | NotADirectory)
}

/// Whether nobody knows what a settings file was to exclude.
pub(crate) fn hides_exclusions(fault: &Fault) -> bool {
    match &fault.problem {
        Problem::Syntax { .. } => true,
        Problem::WrongKind { name, .. } | Problem::Duplicate { name } => {
            name.ends_with("exclude") || name == "context"
        }
        Problem::Group { name, .. } => name == "context",
        // Somebody meant it.
        Problem::Unknown { nearest, .. } => nearest
            .as_deref()
            .is_some_and(|it| it.ends_with("context.exclude")),
        _ => false,
    }
}

/// What a file is called in its workspace; outside of it, its whole path.
pub(crate) fn name_in(root: &Path, file: &Path) -> FilePath {
    let within = file.strip_prefix(root).unwrap_or(file);
    let name = within.to_string_lossy();
    FilePath::new(match std::path::MAIN_SEPARATOR {
        '/' => name.into_owned(),
        separator => name.replace(separator, "/"),
    })
}
