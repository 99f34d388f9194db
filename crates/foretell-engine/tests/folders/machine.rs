//! A machine with folders in it, and what is asked of what was loaded.

use std::fs;
use std::path::PathBuf;

use foretell_context::Exclude;
use foretell_engine::{LoadedFolders, OpenFolders, UserDirectories};
use foretell_settings::{Home, RawSettings};
use foretell_text::FilePath;
use tempfile::TempDir;

/// A machine with folders, and nothing of the person who runs the test.
pub(crate) struct Machine {
    directory: TempDir,
}

impl Machine {
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let machine = Machine {
            directory: tempfile::tempdir().unwrap(),
        };
        for (name, text) in files {
            machine.write(name, text);
        }
        machine
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().canonicalize().unwrap().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn places(&self) -> UserDirectories {
        UserDirectories {
            config_file: Some(self.path("config/config.toml")),
            ..UserDirectories::default()
        }
    }

    pub(crate) fn load(&self, folders: &[&str]) -> LoadedFolders {
        self.load_with(folders, &[], None)
    }

    pub(crate) fn load_with(
        &self,
        folders: &[&str],
        given: &[RawSettings],
        before: Option<&LoadedFolders>,
    ) -> LoadedFolders {
        let folders: Vec<_> = folders.iter().map(|it| self.path(it)).collect();
        OpenFolders::load(&self.places(), &folders, given, before)
    }

    /// What is said to be wrong, without where the test happens to run.
    pub(crate) fn faults(&self, loaded: &LoadedFolders) -> Vec<String> {
        let place = format!("{}/", self.path("").display());
        let place = place.replace("//", "/");
        let faults = loaded.faults.iter();
        faults.map(|it| it.replace(&place, "")).collect()
    }
}

pub(crate) fn excludes(loaded: &LoadedFolders, name: &str) -> bool {
    loaded.exclude.excludes(&FilePath::new(name))
}

pub(crate) fn editor(json: &str) -> RawSettings {
    let (settings, faults) = RawSettings::from_json(Home::Editor, "editor", json);
    assert_eq!(faults, []);
    settings
}
