//! The names that files had before and those they got later, as far as that keeps anything secret.
//!
//! A session lasts for days, and most editors save a file by giving it another name for a moment. So
//! what is kept has a bound, and no bound may give anything away:
//!
//! - Only a pair of names that excludes something is kept at all; that is for who asks to find out.
//! - Of those the oldest go that exclude nothing any more: a plain name that nothing has now, and that
//!   leads to no other.
//! - If there are too many all the same, the older half goes, and the directories of their plain names
//!   are excluded with everything in them.
//!
//! Absent on purpose: which names are excluded.

use std::collections::{BTreeSet, VecDeque};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use foretell_text::PoisonedLock;

use super::alias::below;

/// How many pairs there are before it is looked which of them are over: fewer than a file may have
/// names.
const FEW: usize = 32;
/// How many pairs are kept.
const MOST: usize = 1_024;
/// How many directories are excluded as a whole.
const MOST_CLOSED: usize = 64;

/// The names that files had before and those they got later.
#[derive(Debug, Default)]
pub(super) struct FileRenames {
    pairs: Mutex<RenamePairs>,
    closed: Mutex<BTreeSet<PathBuf>>,
}

/// The oldest first.
#[derive(Debug, Default)]
struct RenamePairs {
    all: VecDeque<FileRename>,
    /// How many there are when it is looked the next time which of them are over.
    look_at: usize,
}

/// A file, or a directory with all that is in it, that has another name now.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FileRename {
    pub(super) from: PathBuf,
    pub(super) to: PathBuf,
    pub(super) kind: RenamedKind,
}

/// The kind of thing that has another name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum RenamedKind {
    File,
    Directory,
    /// It was gone before it could be looked at.
    Unknown,
}

impl FileRename {
    /// Two names, and what is there now.
    pub(super) fn new(from: PathBuf, to: PathBuf) -> Self {
        let there = [&to, &from].into_iter();
        let kind = there.map(fs::symlink_metadata);
        let kind = match kind.into_iter().find_map(Result::ok) {
            Some(there) if there.is_dir() => RenamedKind::Directory,
            Some(_) => RenamedKind::File,
            None => RenamedKind::Unknown,
        };
        FileRename { from, to, kind }
    }

    fn names(&self) -> [&PathBuf; 2] {
        [&self.from, &self.to]
    }

    /// Whether a name has to do with one of these.
    fn touches(&self, name: &Path) -> bool {
        let mut names = self.names().into_iter();
        names.any(|it| it.starts_with(name) || name.starts_with(it))
    }
}

impl FileRenames {
    /// Keeps a pair of names; who asks says which names are excluded by themselves.
    pub(super) fn keep(&self, renamed: FileRename, is_excluded: impl Fn(&Path) -> bool) {
        let Some(mut kept) = self.add(renamed) else {
            return;
        };
        let all: BTreeSet<FileRename> = kept.iter().cloned().collect();
        // Nothing is locked meanwhile: who asks for a name does not wait for the disk of another.
        let_go(&mut kept, &is_excluded);
        if kept.len() > MOST {
            self.close_oldest(&mut kept, &is_excluded);
        }
        let kept: BTreeSet<FileRename> = kept.into_iter().collect();
        let mut pairs = self.pairs();
        let newer = pairs.all.iter().filter(|it| !all.contains(it));
        let newer: Vec<FileRename> = newer.cloned().collect();
        let leads_on = |it: &FileRename| {
            let names = it.names();
            newer
                .iter()
                .any(|it| names.iter().any(|name| it.touches(name)))
        };
        let gone = all.into_iter();
        let gone = gone.filter(|it| !kept.contains(it) && !leads_on(it));
        let gone: BTreeSet<FileRename> = gone.collect();
        pairs.all.retain(|it| !gone.contains(it));
        pairs.look_at = (pairs.all.len() * 2).min(MOST);
    }

    /// Adds a pair; gives all of them, if it is time to look which are over.
    fn add(&self, renamed: FileRename) -> Option<VecDeque<FileRename>> {
        let mut pairs = self.pairs();
        if pairs.all.contains(&renamed) {
            return None;
        }
        pairs.all.push_back(renamed);
        let is_time = pairs.all.len() > pairs.look_at.max(FEW);
        is_time.then(|| pairs.all.clone())
    }

    /// Excludes directories instead of names, the oldest first, until there is room for a while.
    fn close_oldest(&self, all: &mut VecDeque<FileRename>, is_excluded: &impl Fn(&Path) -> bool) {
        while all.len() > MOST / 2 {
            let Some(oldest) = all.pop_front() else {
                break;
            };
            let is_plain = |it: &&PathBuf| !is_excluded(it);
            for name in oldest.names().into_iter().filter(is_plain) {
                self.close(match oldest.kind {
                    RenamedKind::Directory => name,
                    RenamedKind::File | RenamedKind::Unknown => name.parent().unwrap_or(name),
                });
            }
        }
    }

    /// The other names of what has a name.
    pub(super) fn others(&self, path: &Path) -> Vec<PathBuf> {
        let mut others = Vec::new();
        for FileRename { from, to, .. } in &self.pairs().all {
            for (old, new) in [(from, to), (to, from)] {
                if let Ok(rest) = path.strip_prefix(old) {
                    others.push(below(new, rest));
                }
            }
        }
        others
    }

    /// Whether a name is in a directory that is excluded as a whole.
    pub(super) fn is_closed(&self, path: &Path) -> bool {
        let closed = self.closed();
        !closed.is_empty() && path.ancestors().any(|it| closed.contains(it))
    }

    fn close(&self, directory: &Path) {
        let mut closed = self.closed();
        closed.insert(directory.to_owned());
        while closed.len() > MOST_CLOSED {
            // The one that is furthest down makes the least difference.
            let deepest = closed.iter().max_by_key(|it| it.components().count());
            let Some(deepest) = deepest.cloned() else {
                break;
            };
            closed.remove(&deepest);
            closed.insert(deepest.parent().unwrap_or(&deepest).to_owned());
        }
    }

    fn pairs(&self) -> MutexGuard<'_, RenamePairs> {
        self.pairs.lock().unpoison()
    }

    fn closed(&self) -> MutexGuard<'_, BTreeSet<PathBuf>> {
        self.closed.lock().unpoison()
    }

    #[cfg(test)]
    pub(super) fn count(&self) -> usize {
        self.pairs().all.len()
    }
}

/// Lets go of the oldest that exclude nothing any more.
fn let_go(all: &mut VecDeque<FileRename>, is_excluded: &impl Fn(&Path) -> bool) {
    let mut at = 0;
    while all.len() > FEW && at < all.len() {
        if is_over(all, at, is_excluded) {
            drop(all.remove(at))
        } else {
            at += 1
        }
    }
}

fn is_over(all: &VecDeque<FileRename>, at: usize, is_excluded: &impl Fn(&Path) -> bool) -> bool {
    let Some(renamed) = all.get(at) else {
        return false;
    };
    // A name that cannot be looked at leads to nothing that can.
    let leads_on = |other: &FileRename, name: &Path| {
        let is_known = [renamed, other]
            .iter()
            .any(|it| it.kind != RenamedKind::Unknown);
        is_known && other.touches(name)
    };
    let is_last = |name: &Path| {
        let mut others = all.iter().enumerate().filter(|(it, _)| *it != at);
        !others.any(|(_, other)| leads_on(other, name))
    };
    let names = renamed.names();
    let are_gone = || names.iter().all(|it| is_gone(it));
    let are_last = || names.iter().all(|it| is_last(it));
    match renamed.kind {
        // One that is excluded is why the other one is, which may be there.
        RenamedKind::File => {
            let mut plain = names.iter().filter(|it| !is_excluded(it));
            plain.any(|it| is_gone(it) && is_last(it))
        }
        RenamedKind::Directory => are_gone() && are_last(),
        // A thing of such a name now is something else; it may be a file that is saved.
        RenamedKind::Unknown => {
            let is_plain = !names.iter().any(|it| is_excluded(it));
            (is_plain || are_gone()) && are_last()
        }
    }
}

/// Whether nothing has a name. If that is unknown, something may.
fn is_gone(name: &Path) -> bool {
    let there = fs::symlink_metadata(name);
    there.is_err_and(|why| matches!(why.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory))
}

/// The paths of all files in a directory, from there; nothing, if it cannot be read or has more than so
/// many files and directories.
pub(super) fn files_within(directory: &Path, most: usize) -> Option<Vec<PathBuf>> {
    let (mut files, mut seen) = (Vec::new(), 0);
    let mut directories = vec![PathBuf::new()];
    while let Some(within) = directories.pop() {
        for entry in fs::read_dir(directory.join(&within)).ok()? {
            let entry = entry.ok()?;
            seen += 1;
            if seen > most {
                return None;
            }
            let path = within.join(entry.file_name());
            if entry.file_type().ok()?.is_dir() {
                directories.push(path)
            } else {
                files.push(path)
            }
        }
    }
    Some(files)
}
