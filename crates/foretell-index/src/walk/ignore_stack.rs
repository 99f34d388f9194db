//! Ignore files, and which files of a walk they ignore.
//!
//! As git and ripgrep have it: of each kind of ignore file the one nearest to a file that says
//! anything of it counts, and the last line in it that does. The kinds come in this order:
//!
//! | kind | where |
//! | --- | --- |
//! | `.foretellignore`, `.ignore`, `.gitignore` | in every directory |
//! | `info/exclude` | in the directory of git |
//! | what git's `core.excludesFile` names | the person's own |
//!
//! Those above the root count as far up as its repository goes.
//!
//! The walk itself reads none of them: they come in through the door ([`crate::door`]), and every glob
//! is measured before it is compiled. A compiled one is kept for as long as it says the same, so that
//! a file which changes costs reading ignore files and nothing more. Lines that have to be left out
//! are told; of a `.foretellignore` nothing is left out, and one that cannot be followed to the letter
//! ignores everything below it.
//!
//! Invariant: what a file is judged by depends on the ignore files above it and on nothing else, so
//! that one file alone is judged as a whole walk does it. That is why room for globs is counted from
//! the top down.

mod git;
mod ignore_globs;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use foretell_text::glob::LONGEST_TO_THE_LETTER;
use foretell_text::{FilePath, PoisonedLock};
use ignore::{DirEntry, Match};

use self::git::exclude_file_of;
use self::ignore_globs::{GlobBudget, IgnoreGlobs};
use super::{IGNORE_FILE, name_in};
use crate::build_progress::{FileFault, SkippedFile};
use crate::door::{DoorRefusal, LinkPolicy, read_plain};

/// How large an ignore file may be, in bytes.
const LARGEST: u64 = 1 << 20;

/// How many globs with a wildcard are kept compiled, some twenty kilobytes each, before all are
/// forgotten. More than one chain of directories can have.
const MOST_KEPT: usize = 6_000;

/// The ignore files of a workspace, compiled, as far as they were asked for.
#[derive(Debug, Default)]
pub(crate) struct IgnoreFiles {
    kept: Mutex<BTreeMap<PathBuf, Arc<IgnoreGlobs>>>,
}

/// Which kind an ignore file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum IgnoreFileKind {
    Own,
    General,
    Git,
    GitExclude,
}

const KINDS: [IgnoreFileKind; 4] = [
    IgnoreFileKind::Own,
    IgnoreFileKind::General,
    IgnoreFileKind::Git,
    IgnoreFileKind::GitExclude,
];

/// The ignore files in the course of one walk.
pub(crate) struct IgnoreStack {
    files: Arc<IgnoreFiles>,
    root: PathBuf,
    global: Option<Arc<IgnoreGlobs>>,
    /// From the top down, those of the directory where the walk is and of all above it.
    levels: Mutex<Vec<IgnoreLevel>>,
    faults: Mutex<Vec<SkippedFile>>,
}

/// The ignore files of a directory.
struct IgnoreLevel {
    directory: PathBuf,
    /// Those that say anything.
    globs: Vec<(IgnoreFileKind, Arc<IgnoreGlobs>)>,
    /// Whether everything in it is ignored, because it is not known what is to be.
    is_closed: bool,
    /// How much more those further down may say.
    room: GlobBudget,
}

impl IgnoreStack {
    /// Those that a walk of a workspace meets.
    pub(crate) fn new(files: Arc<IgnoreFiles>, root: &Path) -> Self {
        let ignored = IgnoreStack {
            files,
            root: root.to_owned(),
            global: None,
            levels: Mutex::default(),
            faults: Mutex::default(),
        };
        let mut room = GlobBudget::default();
        let global = ignored.global_globs(&mut room);
        let mut levels = Vec::new();
        for directory in above(root) {
            levels.push(ignored.level(directory, &mut room));
        }
        IgnoreStack {
            global,
            levels: Mutex::new(levels),
            ..ignored
        }
    }

    /// Whether an entry of the walk is left out.
    pub(crate) fn leaves_out(&self, entry: &DirEntry) -> bool {
        let path = entry.path();
        let Some(directory) = path.parent() else {
            return false;
        };
        let mut levels = self.levels.lock().unpoison();
        self.go_to(directory, &mut levels);
        if levels.iter().any(|it| it.is_closed) {
            return true;
        }
        let is_directory = entry.file_type().is_some_and(|it| it.is_dir());
        for kind in KINDS {
            let of_kind = |level: &IgnoreLevel| {
                let mut globs = level.globs.iter();
                let (_, globs) = globs.find(|(it, _)| *it == kind)?;
                says(globs, path, is_directory)
            };
            if let Some(is_ignored) = levels.iter().rev().find_map(of_kind) {
                return is_ignored;
            }
        }
        let global = self.global.as_deref();
        let global = global.and_then(|globs| says(globs, path, is_directory));
        global.unwrap_or_else(|| is_hidden(entry))
    }

    /// The faults of ignore files since the last call.
    pub(crate) fn faults(&self) -> Vec<SkippedFile> {
        std::mem::take(&mut self.faults.lock().unpoison())
    }

    /// Lets the levels be those of a directory of the workspace.
    fn go_to(&self, directory: &Path, levels: &mut Vec<IgnoreLevel>) {
        while levels
            .last()
            .is_some_and(|it| !directory.starts_with(&it.directory))
        {
            levels.pop();
        }
        let is_new = |it: &&Path| {
            let is_within = it.starts_with(&self.root);
            let is_known = levels.last().is_some_and(|last| last.directory == **it);
            is_within && !is_known
        };
        let new: Vec<&Path> = directory.ancestors().take_while(is_new).collect();
        let mut room = levels.last().map_or_else(GlobBudget::default, |it| it.room);
        for directory in new.into_iter().rev() {
            let level = self.level(directory, &mut room);
            levels.push(level);
        }
    }

    /// Reads the ignore files of a directory.
    fn level(&self, directory: &Path, room: &mut GlobBudget) -> IgnoreLevel {
        let mut level = IgnoreLevel {
            directory: directory.to_owned(),
            globs: Vec::new(),
            is_closed: false,
            room: *room,
        };
        for kind in KINDS {
            let (path, links) = match kind {
                IgnoreFileKind::Own => (
                    Some(directory.join(IGNORE_FILE)),
                    LinkPolicy::WithinRepository,
                ),
                IgnoreFileKind::General => (Some(directory.join(".ignore")), LinkPolicy::Refused),
                IgnoreFileKind::Git => (Some(directory.join(".gitignore")), LinkPolicy::Refused),
                IgnoreFileKind::GitExclude => match exclude_file_of(directory) {
                    Ok(path) => (path, LinkPolicy::Refused),
                    Err(why) => {
                        self.tell(&directory.join(".git"), why);
                        continue;
                    }
                },
            };
            let Some(path) = path else { continue };
            let globs = self.globs(
                &path,
                directory,
                links,
                kind == IgnoreFileKind::Own,
                &mut level.room,
            );
            match globs {
                Ok(Some(globs)) => level.globs.push((kind, globs)),
                Ok(None) => {}
                Err(why) if kind == IgnoreFileKind::Own => {
                    let why = why.to_string();
                    self.tell(&path, FileFault::Unclear { why });
                    level.is_closed = true;
                }
                Err(why) => self.tell(&path, why),
            }
        }
        *room = level.room;
        level
    }

    /// The person's own global ignore file of git.
    fn global_globs(&self, room: &mut GlobBudget) -> Option<Arc<IgnoreGlobs>> {
        let path = ignore::gitignore::gitconfig_excludes_path()?;
        // A home may be full of links.
        let globs = self.globs(&path, &self.root, LinkPolicy::Followed, false, room);
        globs.unwrap_or_else(|why| {
            self.tell(&path, why);
            None
        })
    }

    /// The globs of an ignore file for a directory; nothing, if there is none.
    fn globs(
        &self,
        path: &Path,
        directory: &Path,
        links: LinkPolicy,
        is_strict: bool,
        room: &mut GlobBudget,
    ) -> Result<Option<Arc<IgnoreGlobs>>, FileFault> {
        let largest = if is_strict {
            LONGEST_TO_THE_LETTER
        } else {
            LARGEST
        };
        let text = match read_plain(path, largest, links) {
            Ok(text) => text,
            Err(DoorRefusal::Io(why)) if is_absent(&why) => {
                // A link to nowhere is there, and says that something was to be ignored.
                return if is_strict && path.symlink_metadata().is_ok() {
                    Err(FileFault::Link)
                } else {
                    Ok(None)
                };
            }
            Err(why) => return Err(FileFault::from(why)),
        };
        let kept = self.files.get(path);
        let same = kept.filter(|it| it.is_of(&text, *room));
        let globs = match same {
            Some(same) => same,
            None => {
                let globs = if is_strict {
                    IgnoreGlobs::to_the_letter(directory, text, *room)?
                } else {
                    IgnoreGlobs::as_far_as_possible(directory, text, *room)
                };
                self.files.keep(path, Arc::new(globs))
            }
        };
        if let Some(left_out) = globs.left_out() {
            let left_out = left_out.to_owned();
            self.tell(path, FileFault::GlobsLeftOut { left_out });
        }
        *room = room.without(&globs);
        Ok(Some(globs))
    }

    /// Takes note that something is wrong with an ignore file.
    fn tell(&self, path: &Path, why: FileFault) {
        let name = name_in(&self.root, path);
        let file = name.unwrap_or_else(|| FilePath::new(path.to_string_lossy()));
        let mut faults = self.faults.lock().unpoison();
        faults.push(SkippedFile { file, why });
    }
}

impl IgnoreFiles {
    fn get(&self, path: &Path) -> Option<Arc<IgnoreGlobs>> {
        let kept = self.kept.lock().unpoison();
        kept.get(path).cloned()
    }

    fn keep(&self, path: &Path, globs: Arc<IgnoreGlobs>) -> Arc<IgnoreGlobs> {
        let mut kept = self.kept.lock().unpoison();
        kept.insert(path.to_owned(), Arc::clone(&globs));
        let weight: usize = kept.values().map(|it| it.weight()).sum();
        if weight > MOST_KEPT {
            kept.clear();
        }
        globs
    }
}

/// Whether globs ignore a file, or take back that it is; nothing, if they do not say.
fn says(globs: &IgnoreGlobs, path: &Path, is_directory: bool) -> Option<bool> {
    match globs.matched(path, is_directory) {
        Match::None => None,
        Match::Ignore(_) => Some(true),
        Match::Whitelist(_) => Some(false),
    }
}

/// The directories above the root of a workspace that are in its repository, from the top down.
fn above(root: &Path) -> Vec<&Path> {
    let is_top = |it: &Path| it.join(".git").symlink_metadata().is_ok();
    let Some(depth) = root.ancestors().position(is_top) else {
        return Vec::new();
    };
    let above = root.ancestors().skip(1).take(depth);
    let mut above: Vec<&Path> = above.collect();
    above.reverse();
    above
}

fn is_absent(why: &std::io::Error) -> bool {
    use std::io::ErrorKind::{NotADirectory, NotFound};
    matches!(why.kind(), NotFound | NotADirectory)
}

/// Whether a system does not show a file unless it is asked to.
fn is_hidden(entry: &DirEntry) -> bool {
    let name = entry.file_name().as_encoded_bytes();
    name.starts_with(b".") || has_hidden_attribute(entry)
}

#[cfg(windows)]
fn has_hidden_attribute(entry: &DirEntry) -> bool {
    use std::os::windows::fs::MetadataExt;

    const HIDDEN: u32 = 0x2;
    let metadata = entry.metadata();
    metadata.is_ok_and(|it| it.file_attributes() & HIDDEN != 0)
}

#[cfg(not(windows))]
fn has_hidden_attribute(_: &DirEntry) -> bool {
    false
}
