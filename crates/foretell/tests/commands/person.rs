//! Somebody who has cloned the repository and installed the binary, and types.
//!
//! They have a home of their own, which is empty, and what of a clone the pages speak of. Nothing of the
//! machine's own environment is theirs but where its programs are.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::markdown::root;

const BINARY: &str = env!("CARGO_BIN_EXE_foretell");

/// What of the repository is in their clone: commands are about these, and an index of all the rest
/// would take a minute to make.
const CLONED: &[&str] = &[".ci", "examples", "crates/foretell-core/src"];

pub(crate) struct Person {
    directory: TempDir,
}

/// What was printed, and how it ended.
pub(crate) struct Said {
    stdout: String,
    stderr: String,
    pub(crate) status: Option<i32>,
}

impl Said {
    pub(crate) fn all(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }
}

impl Person {
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().expect("a directory for a test");
        let person = Person { directory };
        for made in ["home", "bin", "clone/.git"] {
            fs::create_dir_all(person.place(made)).expect("a directory");
        }
        symlink(BINARY, person.place("bin/foretell")).expect("a link");
        for part in CLONED {
            copy(&root().join(part), &person.place("clone").join(part));
        }
        person
    }

    fn place(&self, name: &str) -> std::path::PathBuf {
        self.directory.path().join(name)
    }

    /// Types a line into a shell in the clone, and waits for its end.
    pub(crate) fn types(&self, line: &str) -> Said {
        let machine = std::env::var("PATH").unwrap_or_default();
        let path = format!("{}:{machine}", self.place("bin").display());
        let output = Command::new("sh")
            .args(["-c", line])
            .current_dir(self.place("clone"))
            .env_clear()
            .env("PATH", path)
            .env("HOME", self.place("home"))
            .stdin(Stdio::null())
            .output()
            .expect("there is a shell");
        Said {
            stdout: String::from_utf8(output.stdout).expect("text"),
            stderr: String::from_utf8(output.stderr).expect("text"),
            status: output.status.code(),
        }
    }

    /// Every file in their home and their clone.
    pub(crate) fn belongings(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let mut unread = vec![self.place("home"), self.place("clone")];
        while let Some(directory) = unread.pop() {
            for entry in fs::read_dir(directory).expect("a directory") {
                let path = entry.expect("a file").path();
                if path.is_dir() {
                    unread.push(path)
                } else {
                    found.insert(path.display().to_string());
                }
            }
        }
        found
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a directory");
    for entry in fs::read_dir(from).expect("a directory") {
        let from = entry.expect("a file").path();
        let to = to.join(from.file_name().expect("it has a name"));
        if from.is_dir() {
            copy(&from, &to)
        } else {
            fs::copy(&from, &to).expect("a copy");
        }
    }
}
