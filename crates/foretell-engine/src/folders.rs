//! The folders that an editor has open, and everything that is read of their settings: none, one or
//! many of them, which come and go.
//!
//! [`OpenFolders::load`] reads the person's own file and those of all workspaces that the folders are in,
//! and gives what a server needs to go on. It is called again when a file has changed
//! ([`SettingsStamp::is_current`]) or the editor says so, with what came of it the last time. The rules:
//!
//! - The person's own file is weakest, then come the files of workspaces, then what is given (the
//!   editor's word, environment variables, the command line).
//! - The settings of a folder's workspace apply: those of the nearest directory, from the folder up, at
//!   which one begins. Of several folders that set the same thing **the first folder wins**, since
//!   there is one machine for all of them.
//! - What any workspace excludes stays excluded: those around a folder, and those within it.
//! - What was to be excluded and is not known excludes everything, unless it was known before.
//!
//! A setting that a file that came with the code may not set is refused by `foretell-settings`, for every way
//! to write it.
//!
//! | module | what it is |
//! | --- | --- |
//! | `folder_names` | folders, and what files are called in them |
//! | `watched_settings_file` | a settings file that is read again and again |
//! | `exclusions` | which files of all folders nothing is told of |
//! | `settings_stamp` | whether anything has changed since |
//! | `settings_sources` | which files were read, for a person who asks |
//!
//! Absent on purpose: watching these files, and every protocol.

mod exclusions;
mod folder_names;
mod settings_sources;
mod settings_stamp;
mod watched_settings_file;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use foretell_context::ExclusionGlobs;
use foretell_settings::{Home, RawSettings, Settings, SettingsFault};

use self::watched_settings_file::SettingsFile;
use crate::directories::UserDirectories;
use crate::excluded_files::person_globs::on_disk;
use crate::excluded_files::{ExcludedFiles, IGNORE_FILE};
use crate::terminal_safe::visible;
use crate::workspace::{SETTINGS_FILE, all_exclusions, begins_at, hides_exclusions};

pub use self::exclusions::{FolderExclusions, WhyExcluded};
pub use self::folder_names::{OpenFolder, OpenFolders};
pub use self::settings_sources::{ApplicableSettings, SettingsSource};
pub use self::settings_stamp::SettingsStamp;

/// The settings and exclusions of some folders.
#[derive(Clone, Debug)]
pub struct LoadedFolders {
    /// The folders, and what files are called in them.
    pub folders: Arc<OpenFolders>,
    /// The settings that apply.
    pub settings: Arc<Settings>,
    /// Everything that does not apply, in words, with what to do about it.
    pub faults: Vec<String>,
    /// Which files nothing is told of; the same as before if nothing has changed.
    pub exclude: Arc<FolderExclusions>,
    /// The stamps of the files that were looked at.
    pub stamp: SettingsStamp,
    /// Which files those were, and what of them applies.
    pub sources: Vec<SettingsSource>,
    files: Vec<SettingsFile>,
    /// The exclusions in settings besides files; nothing, if they are unknown.
    given_exclude: Option<Vec<String>>,
}

impl OpenFolders {
    /// Reads the settings of folders with whole paths, in the editor's order, below what is given.
    /// The last load stands in for files that cannot be understood now.
    ///
    /// Blocking: do not call it on the loop. It never fails: what is wrong is among the faults.
    pub fn load(
        places: &UserDirectories,
        folders: &[PathBuf],
        given: &[RawSettings],
        before: Option<&LoadedFolders>,
    ) -> LoadedFolders {
        let mut load = FolderLoad {
            stamp: SettingsStamp::default(),
            files: Vec::new(),
            home: places.home.as_deref(),
            before,
        };
        let folders = OpenFolders::new(folders);
        let own = places.config_file.as_deref();
        let own = own.map(|path| load.read(path, Home::UserFile));
        let mut applied: Vec<usize> = own.into_iter().collect();
        // The first folder is applied last, so that it wins.
        let nearest: Vec<_> = folders.all().iter().map(|it| load.folder(it)).collect();
        applied.extend(nearest.into_iter().flatten().rev());
        load.finish(folders, own, &applied, given)
    }
}

impl LoadedFolders {
    /// Whether it is unknown what is to be excluded, so that everything is.
    pub fn excludes_everything(&self) -> bool {
        self.exclude.is_everything
    }
}

/// A load that goes on.
struct FolderLoad<'a> {
    stamp: SettingsStamp,
    files: Vec<SettingsFile>,
    /// The person's.
    home: Option<&'a Path>,
    before: Option<&'a LoadedFolders>,
}

impl FolderLoad<'_> {
    /// Reads a file, if it has not been; says which it is.
    fn read(&mut self, path: &Path, home: Home) -> usize {
        if let Some(known) = self.files.iter().position(|it| it.path == path) {
            return known;
        }
        self.stamp.note(path);
        let before = self.before.iter().flat_map(|it| &it.files);
        let before = before.into_iter().find(|it| it.path == path);
        let file = SettingsFile::read(path, home, before);
        self.files.push(file);
        self.files.len() - 1
    }

    /// Reads the files of all workspaces that a folder is in, itself above all; says which of them is
    /// the nearest.
    fn folder(&mut self, folder: &OpenFolder) -> Option<usize> {
        let mut nearest = None;
        // Above the path as it is written, and above where the folder really is.
        for path in [&folder.real, &folder.path] {
            for directory in path.ancestors() {
                let file = directory.join(SETTINGS_FILE);
                self.stamp.note_presence(&directory.join(".git"));
                self.stamp.note(&file);
                self.stamp.note(&directory.join(IGNORE_FILE));
                let is_folder = directory == folder.path || directory == folder.real;
                if !is_folder && !begins_at(directory) {
                    continue;
                }
                let real = directory.canonicalize();
                let real = real.map_or(file, |it| it.join(SETTINGS_FILE));
                let read = self.read(&real, Home::WorkspaceFile);
                if nearest.is_none() && begins_at(directory) {
                    nearest = Some(read);
                }
            }
        }
        nearest
    }

    /// Puts together what was read: files that apply, the weakest first, and what is given.
    fn finish(
        self,
        folders: OpenFolders,
        own: Option<usize>,
        applied: &[usize],
        given: &[RawSettings],
    ) -> LoadedFolders {
        let settings_of = |it: &usize| self.files.get(*it).and_then(|it| it.settings.clone());
        let sources = applied.iter().filter_map(settings_of);
        let sources: Vec<RawSettings> = sources.chain(given.iter().cloned()).collect();
        let (settings, found) = Settings::resolve(&sources);
        let mut faults: Vec<String> = Vec::new();
        faults.extend(self.files.iter().flat_map(|it| it.problems.clone()));
        faults.extend(self.in_words(&found));
        // Those around a folder do not apply to it, but what is wrong with them is said.
        for (number, file) in self.files.iter().enumerate() {
            let settings = file.settings.as_ref();
            if let Some(settings) = settings.filter(|_| !applied.contains(&number)) {
                let (_, found) = Settings::resolve(std::slice::from_ref(settings));
                faults.extend(self.in_words(&found));
            }
        }
        let given_exclude = self.given_exclude(given, &mut faults);
        let exclude = FolderExclusions {
            files: self.excluded_files(&folders, own, given, given_exclude.as_deref()),
            is_everything: given_exclude.is_none()
                || self.files.iter().any(|it| it.exclude.is_none()),
            folders: Arc::new(folders),
        };
        faults.extend(exclude.unclear());
        // Its results need not be found out again.
        let before = self.before.filter(|it| it.stamp.is_same(&self.stamp));
        let before = before.map(|it| &it.exclude);
        let before = before.filter(|it| it.folders == exclude.folders && it.has_rules_of(&exclude));
        let exclude = before.map_or_else(|| Arc::new(exclude), Arc::clone);
        LoadedFolders {
            folders: Arc::clone(&exclude.folders),
            settings: Arc::new(settings),
            faults,
            exclude,
            sources: self.files.iter().map(SettingsFile::source).collect(),
            stamp: self.stamp,
            files: self.files,
            given_exclude,
        }
    }

    /// Faults in words, but for those in what a file said before: they were said then, and are
    /// somewhere else in it by now.
    fn in_words(&self, faults: &[SettingsFault]) -> Vec<String> {
        let held = self.files.iter().filter(|it| it.is_held);
        let held: Vec<String> = held.map(|it| it.path.display().to_string()).collect();
        let news = faults.iter().filter(|it| !held.contains(&it.origin.source));
        news.map(visible).collect()
    }

    /// Returns the exclusions in settings besides files, now or before; nothing, if they are unknown.
    fn given_exclude(
        &self,
        given: &[RawSettings],
        faults: &mut Vec<String>,
    ) -> Option<Vec<String>> {
        let (settings, found) = Settings::resolve(given);
        let exclude = all_exclusions(&settings);
        let bad_globs = ExclusionGlobs::new(&exclude).1;
        let origin = settings.origin_of("context.exclude");
        let origin = origin.map_or_else(String::new, |it| format!("{it}: "));
        let in_words = bad_globs.iter().map(|it| visible(format!("{origin}{it}")));
        faults.extend(in_words);
        if bad_globs.is_empty() && !found.iter().any(hides_exclusions) {
            return Some(exclude);
        }
        let before = self.before.and_then(|it| it.given_exclude.clone());
        faults.push(match before {
            Some(_) => "context.exclude: what was excluded before stays excluded until that is \
                        corrected"
                .to_owned(),
            None => "context.exclude: what is to be excluded is not known, so no model is told \
                     anything until that is corrected"
                .to_owned(),
        });
        before
    }

    /// The person's globs hold from the beginning of every folder and every workspace, or are whole
    /// paths; those of each settings file hold from where it lies.
    fn excluded_files(
        &self,
        folders: &OpenFolders,
        own: Option<usize>,
        given: &[RawSettings],
        given_exclude: Option<&[String]>,
    ) -> ExcludedFiles {
        let own = own.and_then(|it| self.files.get(it));
        let settings = own.and_then(|it| it.settings.clone());
        let persons: Vec<_> = settings.into_iter().chain(given.iter().cloned()).collect();
        let mut persons = all_exclusions(&Settings::resolve(&persons).0);
        if given_exclude != Some(&all_exclusions(&Settings::resolve(given).0)) {
            // They are not understood, and so is not known what they would take the place of.
            let own = own.and_then(|it| it.exclude.as_deref());
            persons.extend(own.into_iter().chain(given_exclude).flatten().cloned());
        }
        if let Some(own) = own.and_then(|it| it.held_exclusions()) {
            persons.extend_from_slice(own);
        }
        let persons = on_disk(&persons, self.home);
        let roots: Vec<_> = folders.all().iter().map(|it| it.real.clone()).collect();
        let before = self.before.map(|it| &it.exclude.files);
        let mut excluded = ExcludedFiles::of_all(&roots, &persons, before);
        for file in self
            .files
            .iter()
            .filter(|it| it.home == Home::WorkspaceFile)
        {
            let globs = file.exclude.as_deref().unwrap_or_default();
            let directory = file.path.parent().unwrap_or(&file.path);
            // A directory that cannot be followed was reported, and is held instead.
            excluded.add(directory, &[&persons[..], globs].concat());
        }
        excluded
    }
}
