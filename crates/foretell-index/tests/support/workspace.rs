//! A workspace on a real disk for tests, with an index of it, and a person who excludes files.
#![allow(dead_code, reason = "not every test needs everything")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use foretell_index::{BuildReport, Index, IndexOptions, directory_for, kept_in};
use foretell_text::{ByteOffset, ByteRange};
use tempfile::TempDir;

pub struct Workspace {
    place: TempDir,
    /// Parts of paths, in small letters, that exclude a file.
    secrets: Arc<Mutex<Vec<String>>>,
    pub most_files: usize,
}

impl Workspace {
    /// A workspace with some files in it.
    pub fn with(files: &[(&str, &str)]) -> Self {
        let workspace = Workspace {
            place: tempfile::tempdir().unwrap(),
            secrets: Arc::default(),
            most_files: 10_000,
        };
        fs::create_dir_all(workspace.root()).unwrap();
        for (name, text) in files {
            workspace.write(name, text);
        }
        workspace
    }

    pub fn root(&self) -> PathBuf {
        self.place.path().join("workspace")
    }

    pub fn directory(&self) -> PathBuf {
        directory_for(self.place.path(), &self.root())
    }

    /// Deletes what is kept on disk, as the person may at any time.
    pub fn clean(&self) {
        for kept in kept_in(self.place.path()) {
            kept.remove().unwrap();
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn delete(&self, name: &str) {
        fs::remove_file(self.path(name)).unwrap();
    }

    pub fn rename(&self, from: &str, to: &str) {
        fs::rename(self.path(from), self.path(to)).unwrap();
    }

    /// From now on nothing may be known of files with this in their path, in any case.
    pub fn exclude(&self, part: &str) {
        self.secrets.lock().unwrap().push(part.to_lowercase());
    }

    /// Waits until the files are old enough for their times to be relied on.
    pub fn settle(&self) {
        thread::sleep(Duration::from_millis(30));
    }

    pub fn options(&self) -> IndexOptions {
        self.options_in(&self.directory())
    }

    pub fn options_in(&self, directory: &Path) -> IndexOptions {
        let secrets = self.secrets.clone();
        let renamed = self.secrets.clone();
        let root = self.root().canonicalize().unwrap();
        IndexOptions {
            root: self.root(),
            directory: directory.to_owned(),
            most_files: self.most_files,
            // Like the real one, it also judges what a name leads to.
            excluded: Arc::new(move |path| {
                let real = root.join(path).canonicalize().unwrap_or_default();
                let names = [path.to_string_lossy(), real.to_string_lossy()];
                let secrets = secrets.lock().unwrap();
                let has = |name: &str| secrets.iter().any(|it| name.contains(it));
                names.iter().any(|name| has(&name.to_lowercase()))
            }),
            secrets: Arc::new(passages),
            // What was excluded stays so, whatever it is called.
            renamed: Some(Arc::new(move |from, to| {
                let [from, to] = [from, to].map(|it| it.to_string_lossy().to_lowercase());
                let mut secrets = renamed.lock().unwrap();
                if secrets.iter().any(|it| from.contains(it)) {
                    secrets.push(to);
                }
            })),
            threads: 2,
        }
    }

    /// Opens the index, as it is.
    pub fn open(&self) -> Index {
        Index::open(self.options()).unwrap()
    }

    /// Opens the index and brings it up to date.
    pub fn indexed(&self) -> Index {
        let index = self.open();
        update(&index);
        index
    }
}

pub fn update(index: &Index) -> BuildReport {
    index.update(&|_| {}, &|| false).unwrap()
}

/// The files of what is found, the best first, each once.
pub fn found(index: &Index, query: &str) -> Vec<String> {
    let chunks = index.search(query, 10, &|| false).unwrap();
    let mut files: Vec<String> = Vec::new();
    for chunk in chunks {
        if !files.contains(&chunk.file.to_string()) {
            files.push(chunk.file.to_string());
        }
    }
    files
}

pub const NOTHING: [&str; 0] = [];

/// What is between `<<` and `>>`, which are in it.
fn passages(text: &str) -> Vec<ByteRange> {
    let starts = text.match_indices("<<").map(|(start, _)| start);
    let passage = |start: usize| {
        let end = text.get(start..).and_then(|it| it.find(">>"));
        let end = end.map_or(text.len(), |it| start + it + 2);
        ByteRange::new(ByteOffset::new(start), ByteOffset::new(end)).unwrap()
    };
    starts.map(passage).collect()
}
