//! [`CommitFiles`]: the files of a repository as they are before a commit, line by line.
//!
//! Separate because hunks and typed sessions both begin with them and make a commit hunk by hunk.

use std::collections::BTreeMap;

use super::git_history::{CommitPatch, FilePatch, PatchHunk};

/// The files, by path.
#[derive(Debug)]
pub(super) struct CommitFiles(BTreeMap<String, Vec<String>>);

/// A file, some hunks of a commit after it.
#[derive(Clone, Debug)]
pub(super) struct FileInHunks {
    lines: Vec<String>,
    /// How many more lines it has than before the first hunk.
    shift: isize,
}

impl CommitFiles {
    pub(super) fn new(base: &BTreeMap<String, String>) -> Self {
        let lines = |text: &str| text.split('\n').map(str::to_owned).collect();
        let files = base.iter().map(|(path, text)| (path.clone(), lines(text)));
        CommitFiles(files.collect())
    }

    /// The files that a commit changes, and neither makes nor deletes, as they are before it.
    pub(super) fn changed<'c>(&self, commit: &'c CommitPatch) -> Vec<(&'c FilePatch, FileInHunks)> {
        let changed = commit.files.iter().filter(|patch| !patch.is_deleted);
        let known = changed.filter_map(|patch| {
            let lines = self.0.get(&patch.path)?.clone();
            Some((patch, FileInHunks { lines, shift: 0 }))
        });
        known.collect()
    }

    /// Puts a commit in at once.
    pub(super) fn put(&mut self, commit: &CommitPatch) {
        for patch in &commit.files {
            if patch.is_deleted {
                self.0.remove(&patch.path);
                continue;
            }
            let lines = self
                .0
                .entry(patch.path.clone())
                .or_insert_with(|| vec![String::new()]);
            // From the last one on, so that no hunk moves another.
            for hunk in patch.hunks.iter().rev() {
                let at = hunk.at.min(lines.len());
                let end = (at + hunk.old.len()).min(lines.len());
                lines.splice(at..end, hunk.new.iter().cloned());
            }
            if lines.is_empty() {
                lines.push(String::new());
            }
        }
    }
}

impl FileInHunks {
    pub(super) fn text(&self) -> String {
        self.lines.join("\n")
    }

    /// Where a hunk begins that it does not have yet, from zero.
    pub(super) fn line_of(&self, hunk: &PatchHunk) -> usize {
        let at = usize::try_from(hunk.at as isize + self.shift).unwrap_or_default();
        at.min(self.lines.len())
    }

    /// As it is after such a hunk.
    pub(super) fn with(&self, hunk: &PatchHunk) -> FileInHunks {
        let at = self.line_of(hunk);
        let end = (at + hunk.old.len()).min(self.lines.len());
        let mut lines = self.lines.clone();
        lines.splice(at..end, hunk.new.iter().cloned());
        let grown = hunk.new.len() as isize - hunk.old.len() as isize;
        FileInHunks {
            lines,
            shift: self.shift + grown,
        }
    }
}

/// How many lines a commit adds.
pub(super) fn added_lines(commit: &CommitPatch) -> usize {
    let hunks = commit.files.iter().flat_map(|file| &file.hunks);
    hunks.map(|hunk| hunk.new.len()).sum()
}
