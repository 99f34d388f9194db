//! A git repository for a test: made where tests may write, by commits of whole files.

#![allow(clippy::print_stderr, reason = "a test that was left out says so")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A repository.
pub(crate) struct GitRepository {
    path: PathBuf,
}

impl GitRepository {
    /// An empty one; nothing, where there is no git.
    pub(crate) fn new(name: &str) -> Option<Self> {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("git-repositories")
            .join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a directory for a test can be made");
        let repository = GitRepository { path };
        if repository.git(&["init", "--quiet"]) {
            return Some(repository);
        }
        eprintln!("left out: there is no git");
        None
    }

    /// Commits files as they are to be.
    pub(crate) fn commit(&self, message: &str, files: &[(&str, &str)]) {
        for (path, text) in files {
            fs::write(self.path.join(path), text).expect("written");
        }
        assert!(self.git(&["add", "."]) && self.git(&["commit", "--quiet", "--message", message]));
    }

    pub(crate) fn path(&self) -> &str {
        self.path.to_str().expect("a path in text")
    }

    fn git(&self, arguments: &[&str]) -> bool {
        let identity = [
            "-c",
            "user.name=A",
            "-c",
            "user.email=a@example.org",
            "-c",
            "commit.gpgSign=false",
        ];
        let done = Command::new("git")
            .args(identity)
            .args(arguments)
            .current_dir(&self.path)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .stdin(Stdio::null())
            .output();
        done.is_ok_and(|done| done.status.success())
    }
}
