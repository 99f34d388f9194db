//! A workspace on a real disk, and commands of the binary in it, with a cache that is theirs alone.
#![allow(dead_code, reason = "not every test needs everything")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// A workspace for a test, gone when the test ends.
pub(crate) struct Workspace {
    directory: TempDir,
    cache: TempDir,
}

impl Workspace {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let directory = tempfile::tempdir().expect("a directory for a test");
        fs::create_dir(directory.path().join(".git")).expect("a directory");
        let cache = tempfile::tempdir().expect("a directory for a test");
        let workspace = Workspace { directory, cache };
        for (name, text) in files {
            workspace.write(name, text.as_bytes());
        }
        workspace
    }

    pub(crate) fn write(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.directory.path().join(name);
        let parent = path.parent().expect("it is in a directory");
        fs::create_dir_all(parent).expect("a directory");
        fs::write(&path, content).expect("a file for a test can be written");
        path
    }

    /// Writes the person's own settings.
    pub(crate) fn write_own(&self, content: &[u8]) -> PathBuf {
        let directory = self.cache.path().join("config").join("foretell");
        fs::create_dir_all(&directory).expect("a directory");
        let path = directory.join("config.toml");
        fs::write(&path, content).expect("a file for a test can be written");
        path
    }

    /// A command of the binary in the workspace, with a cache of its own.
    pub(crate) fn command(&self, command: &str, arguments: &[&str]) -> Command {
        let mut started = Command::new(env!("CARGO_BIN_EXE_foretell"));
        started
            .current_dir(self.directory.path())
            .arg(command)
            .args(arguments)
            .env_remove("NO_COLOR")
            .env_remove("CLICOLOR_FORCE")
            .env("XDG_CACHE_HOME", self.cache.path())
            .env("HOME", self.cache.path())
            .env("LOCALAPPDATA", self.cache.path())
            // Nobody's own settings are read, and nothing is counted as theirs.
            .env("XDG_CONFIG_HOME", self.cache.path().join("config"))
            .env("XDG_STATE_HOME", self.cache.path().join("state"))
            .env("APPDATA", self.cache.path().join("config"));
        // Nor what the environment of the tests sets.
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy();
            if name.to_uppercase().starts_with("FORETELL_") {
                started.env_remove(&*name);
            }
        }
        started
    }

    /// Runs a command to its end.
    pub(crate) fn run(&self, command: &str, arguments: &[&str]) -> Ended {
        let output = self.command(command, arguments).output();
        Ended::from(output.expect("the binary under test starts"))
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Where everything that is kept for it is.
    pub(crate) fn cache(&self) -> &Path {
        self.cache.path()
    }

    pub(crate) fn context(&self, arguments: &[&str]) -> Ended {
        self.run("context", arguments)
    }
}

#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) status: Option<i32>,
}

impl From<Output> for Ended {
    fn from(output: Output) -> Self {
        Ended {
            stdout: String::from_utf8(output.stdout).expect("text"),
            stderr: String::from_utf8(output.stderr).expect("text"),
            status: output.status.code(),
        }
    }
}

impl Ended {
    /// That it failed with one error and one line on what to do next.
    pub(crate) fn refused(&self, problem: &str, next: &str) {
        assert_eq!(self.stderr, format!("error: {problem}\n{next}\n"));
        assert_eq!((self.stdout.as_str(), self.status), ("", Some(2)));
    }
}
