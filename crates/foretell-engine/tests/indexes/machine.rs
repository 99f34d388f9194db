//! A machine with folders in it, and the indexes of some of them.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use foretell_context::Redactor;
use foretell_engine::indexes::{IndexProgress, IndexState};
use foretell_engine::{Indexes, LoadedFolders, OpenFolders, UserDirectories};
use foretell_lanes::CodeSearch;
use foretell_lanes::embedded::WorkspaceShelf;
use tempfile::TempDir;

/// How long anything may take on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(60);

/// A machine with folders, and nothing of the person who runs the test.
pub(crate) struct Machine {
    directory: TempDir,
}

impl Machine {
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let machine = Machine {
            directory: tempfile::tempdir().unwrap(),
        };
        fs::create_dir(machine.path("home")).unwrap();
        for (name, text) in files {
            machine.write(name, text);
        }
        machine
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().canonicalize().unwrap().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn places(&self) -> UserDirectories {
        UserDirectories {
            config_file: Some(self.path("config.toml")),
            cache_dir: Some(self.path("cache")),
            home: Some(self.path("home")),
            ..UserDirectories::default()
        }
    }

    pub(crate) fn load(&self, folders: &[&str], before: Option<&LoadedFolders>) -> LoadedFolders {
        let folders: Vec<_> = folders.iter().map(|it| self.path(it)).collect();
        OpenFolders::load(&self.places(), &folders, &[], before)
    }

    pub(crate) fn start(&self, folders: &[&str]) -> Running {
        self.start_for(folders, None)
    }

    /// The same for a language model, which takes the code of the folders from a shelf.
    pub(crate) fn start_for(
        &self,
        folders: &[&str],
        shelf: Option<Arc<WorkspaceShelf>>,
    ) -> Running {
        let loaded = self.load(folders, None);
        let (sender, progress) = channel();
        let tell = move |it| drop(sender.send(it));
        let redactor = Redactor::new();
        let indexes = Indexes::start(&self.places(), &loaded, redactor, shelf, Box::new(tell));
        Running {
            indexes,
            loaded,
            progress,
        }
    }
}

pub(crate) struct Running {
    pub(crate) indexes: Indexes,
    pub(crate) loaded: LoadedFolders,
    pub(crate) progress: Receiver<IndexProgress>,
}

impl Running {
    /// Waits until something is so.
    pub(crate) fn until(&self, is_so: impl Fn(&Self) -> bool) {
        let began = Instant::now();
        while !is_so(self) {
            assert!(began.elapsed() < PATIENCE, "{:?}", self.indexes.status());
            thread::sleep(Duration::from_millis(5));
        }
    }

    pub(crate) fn until_ready(&self) {
        let is_ready = |it: &IndexState| matches!(it, IndexState::Ready(_) | IndexState::Off(_));
        self.until(|it| it.states().iter().all(is_ready));
    }

    pub(crate) fn states(&self) -> Vec<IndexState> {
        let status = self.indexes.status().into_iter();
        status.map(|it| it.state).collect()
    }

    /// The files in which something is found, the best first.
    pub(crate) fn found(&self, text: &str) -> Vec<String> {
        let found = self.indexes.find(text, None, 10, &|| false);
        found
            .unwrap_or_default()
            .iter()
            .map(|it| it.file.to_string())
            .collect()
    }
}

pub(crate) const NOTHING: [&str; 0] = [];
