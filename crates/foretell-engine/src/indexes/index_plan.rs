//! Which folders are indexed, and where that is kept.

use std::path::{Path, PathBuf};

use foretell_index::{directory_for, kept_at};
use foretell_settings::choice::RecallMode;

use crate::context_source::NoIndex;
use crate::directories::{PlaceError, UserDirectories};
use crate::folders::{LoadedFolders, OpenFolder};
use crate::workspace::begins_at;

/// How a folder is indexed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct IndexPlan {
    pub(super) directory: PathBuf,
    pub(super) most_files: usize,
    /// Whether the language model is to know its code.
    pub(super) learns: bool,
}

/// Why a folder is not indexed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IndexRefusal {
    /// The person does not want one.
    #[error("index.enabled is false")]
    SwitchedOff,
    /// No lane would ask.
    #[error("context.providers.semantic.enabled is false")]
    Unused,
    /// Something is excluded, and it is unknown what.
    #[error("what is to be excluded is not known; correct the settings file")]
    Unknown,
    /// There is no such folder.
    #[error("there is no such folder")]
    Gone,
    /// All that a person has.
    #[error("it is your home; foretell index makes an index of it all the same")]
    Home,
    /// All that a machine has.
    #[error("it is the root of a file system; foretell index makes an index of it all the same")]
    Root,
    /// Nothing says that what is in it belongs together.
    #[error(
        "it is no workspace, without .git or .foretell.toml; foretell index makes an index of it all \
         the same"
    )]
    NoWorkspace,
    /// There is no place for it.
    #[error(transparent)]
    NoPlace(PlaceError),
}

impl IndexPlan {
    /// Decides about a folder. One that the person made an index of once is indexed, whatever it
    /// is.
    pub(super) fn of(
        places: &UserDirectories,
        loaded: &LoadedFolders,
        folder: &OpenFolder,
    ) -> Result<Self, IndexRefusal> {
        let settings = &loaded.settings;
        if !settings.index.enabled {
            return Err(IndexRefusal::SwitchedOff);
        }
        if !settings.context.providers.semantic.enabled {
            return Err(IndexRefusal::Unused);
        }
        if loaded.excludes_everything() {
            // An update would forget everything.
            return Err(IndexRefusal::Unknown);
        }
        if !folder.real.is_dir() {
            return Err(IndexRefusal::Gone);
        }
        let all = places.indexes(settings).map_err(IndexRefusal::NoPlace)?;
        let directory = directory_for(&all, &folder.real);
        if kept_at(&directory).is_none() {
            is_workspace(places, &folder.real)?;
        }
        Ok(IndexPlan {
            directory,
            most_files: settings.index.max_files,
            learns: settings.recall.mode != RecallMode::Off,
        })
    }
}

fn is_workspace(places: &UserDirectories, folder: &Path) -> Result<(), IndexRefusal> {
    let home = places.home.as_ref();
    let home = home.map(|it| it.canonicalize().unwrap_or_else(|_| it.clone()));
    if folder.parent().is_none() {
        return Err(IndexRefusal::Root);
    }
    // Above a home there is even more.
    if home.is_some_and(|it| it.starts_with(folder)) {
        return Err(IndexRefusal::Home);
    }
    if folder.ancestors().any(begins_at) {
        Ok(())
    } else {
        Err(IndexRefusal::NoWorkspace)
    }
}

impl IndexRefusal {
    /// The same for those who only ask whether there is an index.
    pub(super) fn in_general(&self) -> NoIndex {
        match self {
            IndexRefusal::SwitchedOff | IndexRefusal::Unused => NoIndex::SwitchedOff,
            IndexRefusal::Gone
            | IndexRefusal::Home
            | IndexRefusal::Root
            | IndexRefusal::NoWorkspace => NoIndex::NoWorkspace,
            IndexRefusal::Unknown | IndexRefusal::NoPlace(_) => NoIndex::Unusable,
        }
    }
}
