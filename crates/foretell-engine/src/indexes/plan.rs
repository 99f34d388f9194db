//! Which folders are indexed, and where that is kept.

use std::path::{Path, PathBuf};

use foretell_index::{directory_for, kept_at};

use crate::context_source::NoIndex;
use crate::directories::{PlaceError, Places};
use crate::folders::{Folder, Loaded};
use crate::workspace::begins_at;

/// How a folder is indexed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    pub(super) directory: PathBuf,
    pub(super) most_files: usize,
}

/// Why a folder is not indexed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Off {
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

impl Plan {
    /// What is to be done with a folder. What somebody made an index of once is indexed, whatever it
    /// is.
    pub(super) fn of(places: &Places, loaded: &Loaded, folder: &Folder) -> Result<Self, Off> {
        let settings = &loaded.settings;
        if !settings.index.enabled {
            return Err(Off::SwitchedOff);
        }
        if !settings.context.providers.semantic.enabled {
            return Err(Off::Unused);
        }
        if loaded.excludes_everything() {
            // An update would forget everything.
            return Err(Off::Unknown);
        }
        if !folder.real.is_dir() {
            return Err(Off::Gone);
        }
        let all = places.indexes(settings).map_err(Off::NoPlace)?;
        let directory = directory_for(&all, &folder.real);
        if kept_at(&directory).is_none() {
            is_workspace(places, &folder.real)?;
        }
        Ok(Plan {
            directory,
            most_files: settings.index.max_files,
        })
    }
}

fn is_workspace(places: &Places, folder: &Path) -> Result<(), Off> {
    let home = places.home.as_ref();
    let home = home.map(|it| it.canonicalize().unwrap_or_else(|_| it.clone()));
    if folder.parent().is_none() {
        return Err(Off::Root);
    }
    // Above a home there is even more.
    if home.is_some_and(|it| it.starts_with(folder)) {
        return Err(Off::Home);
    }
    if folder.ancestors().any(begins_at) {
        Ok(())
    } else {
        Err(Off::NoWorkspace)
    }
}

impl Off {
    /// The same for those who only ask whether there is an index.
    pub(super) fn in_general(&self) -> NoIndex {
        match self {
            Off::SwitchedOff | Off::Unused => NoIndex::SwitchedOff,
            Off::Gone | Off::Home | Off::Root | Off::NoWorkspace => NoIndex::NoWorkspace,
            Off::Unknown | Off::NoPlace(_) => NoIndex::Unusable,
        }
    }
}
