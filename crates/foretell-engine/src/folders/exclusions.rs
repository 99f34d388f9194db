//! Which files of all folders nothing is told of, by the names that files have there.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use foretell_context::Exclude;
use foretell_text::FilePath;

use super::folder_names::{OpenFolder, OpenFolders};
use crate::excluded_files::{ExcludedFiles, ExclusionCause, ExclusionRule};
use crate::terminal_safe::visible;

/// Knows which files of some folders, and of everywhere else, nothing is told of.
#[derive(Debug)]
pub struct FolderExclusions {
    pub(crate) folders: Arc<OpenFolders>,
    pub(super) files: ExcludedFiles,
    /// Whether something is excluded, and it is unknown what.
    pub(super) is_everything: bool,
}

/// Why nothing is told of a file of some folders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhyExcluded {
    /// Something is excluded, and it is unknown what.
    Unknown,
    /// It is excluded itself.
    Known(ExclusionCause),
}

impl FolderExclusions {
    /// Why nothing may be told of a file, or of a document by its URI; nothing, if it may.
    ///
    /// A document is known by the path in its URI, whatever its scheme: `untitled:.env` is going to
    /// be that file, and `git:/app/.env` was.
    pub fn why(&self, file: &FilePath) -> Option<WhyExcluded> {
        let meant = file.meant().into_iter();
        let mut names = std::iter::once(file.clone()).chain(meant);
        names.find_map(|it| self.why_name(&it))
    }

    fn why_name(&self, file: &FilePath) -> Option<WhyExcluded> {
        if self.is_everything {
            return Some(WhyExcluded::Unknown);
        }
        if let Some(path) = self.folders.path_of(file) {
            return self.why_path(&path);
        }
        // It is no file, or was one of a folder that is gone. It is judged by its name, and as if it
        // were in each folder.
        let places = self.folders.all().iter();
        let places = places.map(|folder| folder.real.join(file.as_str()));
        let by_name = self.files.why(file).map(WhyExcluded::Known);
        by_name.or_else(|| places.into_iter().find_map(|it| self.why_path(&it)))
    }

    /// Why nothing may be told of a file with a whole path.
    pub fn why_path(&self, path: &Path) -> Option<WhyExcluded> {
        if self.is_everything {
            return Some(WhyExcluded::Unknown);
        }
        match path.to_str() {
            Some(path) => self.files.why(&FilePath::new(path)).map(WhyExcluded::Known),
            // It is not known to be allowed.
            None => Some(WhyExcluded::Unknown),
        }
    }

    /// The folders of which nothing is told because of a file that cannot be understood, in words. Files that
    /// others exclude are as the person wanted it.
    pub(super) fn unclear(&self) -> Vec<String> {
        // Any file will do that nothing else excludes.
        let any = |folder: &OpenFolder| self.why_path(&folder.real.join("any"));
        let folders = self.folders.all().iter();
        let unclear = folders.filter_map(|it| match any(it)? {
            WhyExcluded::Known(ExclusionCause {
                rule: rule @ ExclusionRule::Unclear { .. },
                ..
            }) => Some(format!(
                "{}, so that no model is told anything of {} until that is corrected",
                visible(rule),
                visible(&it.name)
            )),
            _ => None,
        });
        unclear.collect()
    }

    /// Whether both exclude the same, as far as settings go.
    pub(crate) fn has_rules_of(&self, other: &Self) -> bool {
        self.is_everything == other.is_everything && self.files.has_rules_of(&other.files)
    }

    /// Takes note that a file, or a directory with all that is in it, has another name now: both with
    /// their whole paths. An excluded file stays excluded.
    pub fn renamed(&self, from: &Path, to: &Path) {
        let (Some(from), Some(to)) = (from.to_str(), to.to_str()) else {
            return;
        };
        let (from, to) = (FilePath::new(from), FilePath::new(to));
        if self.is_everything {
            self.files.renamed_unseen(&from, &to)
        } else {
            self.files.renamed(&from, &to)
        }
    }
}

impl Exclude for FolderExclusions {
    fn excludes(&self, file: &FilePath) -> bool {
        self.why(file).is_some()
    }

    fn why_excluded(&self, file: &FilePath) -> Option<String> {
        self.why(file).map(|it| it.to_string())
    }
}

impl fmt::Display for WhyExcluded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WhyExcluded::Unknown => {
                f.write_str("what is to be excluded is not known; correct the settings file")
            }
            WhyExcluded::Known(why) => why.fmt(f),
        }
    }
}
