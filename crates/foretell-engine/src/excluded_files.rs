//! Files that nothing is told of, on a real disk: where a file has more names than one.
//!
//! The pure rules judge a name. Here every name that leads to the same file is judged, and one that
//! is excluded excludes them all:
//!
//! - the name itself, without `.` and `..`;
//! - what it links to, step by step, and where it really is: `link/..` is above what the link leads
//!   to, whatever the name looks like;
//! - its other names in the same directory, if it has any (hard links). Those in other directories
//!   could only be found by reading the whole disk;
//! - the names it had before, and those it got later, if one of them is excluded at that moment:
//!   [`ExcludedFiles::renamed`] keeps them for the session. A file that was `.env` a minute ago is no less
//!   secret as `env.txt`; and what was typed into `notes.txt` before it became `.env` is remembered
//!   under its old name. A new file that takes such a name is excluded too, which is the price.
//!
//! A name within the workspace is judged by its path from the root, any other by its whole path, of which
//! a glob may mean the end. Globs of whole paths hold everywhere. The globs of directories further up,
//! and the `.foretellignore` files of all directories that a name is in, hold besides: where a workspace
//! begins is a guess, and a wrong one must give nothing away. So do the settings files of workspaces
//! within a workspace. Whatever cannot be found out excludes. A line just written holds at once.
//!
//! | module | what it is |
//! | --- | --- |
//! | `alias` | the names that a disk has for one file |
//! | `person_globs` | the person's globs, with their home and where things really are |
//! | `ignore_file` | what `.foretellignore` files say |
//! | `stat_cache` | what was made of a file, for as long as that has not changed |
//! | `renames` | the names that files had before and those they got later |
//! | `exclusion_rule` | why a file is excluded, in words |
//! | `settings_file` | what settings files within a workspace exclude |
//! | `verdicts` | which files one request may tell of, without waiting for a disk |
//!
//! Absent on purpose: walking directories and `.gitignore`, which are the index's.

mod alias;
mod exclusion_rule;
mod ignore_file;
pub(crate) mod person_globs;
mod renames;
mod settings_file;
pub(crate) mod stat_cache;
mod verdicts;

#[cfg(test)]
mod tests;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use foretell_context::{BadGlob, Exclude, ExclusionGlobs, begins_at_a_root};
use foretell_text::FilePath;

use self::alias::{HardLinks, plain, really, slashed, steps};
use self::ignore_file::DiskIgnoreFiles;
use self::renames::{FileRename, FileRenames, RenamedKind, files_within};
use self::settings_file::SettingsFiles;

pub use self::exclusion_rule::{ExclusionCause, ExclusionRule};
pub use self::ignore_file::IGNORE_FILE;
pub use self::verdicts::DiskThreads;
pub(crate) use self::verdicts::RequestVerdicts;

/// How many names a file may have before it is not told of for that alone.
const MOST_NAMES: usize = 64;
/// How much of a directory that has another name is looked at, before it is kept in mind for that
/// alone.
const MOST_WITHIN: usize = 1_000;

/// Knows which files of a disk nothing is told of.
#[derive(Debug)]
pub struct ExcludedFiles {
    /// The exclusions outside of all workspaces, and where names begin that are no whole paths.
    outside: GlobScope,
    /// Whole paths that globs mean wherever they are; nothing, if there are no such globs.
    whole: Option<GlobScope>,
    workspaces: Vec<GlobScope>,
    further_up: Vec<GlobScope>,
    seen: Arc<DiskMemory>,
}

/// The files and directories that were seen so far, whatever is excluded by them.
#[derive(Debug, Default)]
struct DiskMemory {
    ignore_files: DiskIgnoreFiles,
    settings_files: SettingsFiles,
    hard_links: HardLinks,
    renames: FileRenames,
}

impl ExcludedFiles {
    /// The files of a workspace that look secret, that any of the globs means, or that ignore files
    /// name; with the globs that cannot be followed.
    pub fn new(root: &Path, globs: &[String]) -> (Self, Vec<BadGlob>) {
        let (names, faults) = ExclusionGlobs::new(globs);
        let excluded = ExcludedFiles {
            outside: GlobScope::of_whole_paths(root, globs),
            whole: GlobScope::of_roots(globs),
            workspaces: vec![GlobScope::new(root, names, globs)],
            further_up: Vec::new(),
            seen: Arc::default(),
        };
        (excluded, faults)
    }

    /// The same for several workspaces, or none; names are whole paths then. Knowledge of before about
    /// the disk, names that changed above all, stays known.
    pub(crate) fn of_all(roots: &[PathBuf], globs: &[String], before: Option<&Self>) -> Self {
        let (names, _) = ExclusionGlobs::new(globs);
        let scope = |root: &PathBuf| GlobScope::new(root, names.clone(), globs);
        ExcludedFiles {
            workspaces: roots.iter().map(scope).collect(),
            further_up: Vec::new(),
            seen: before.map_or_else(Arc::default, |it| Arc::clone(&it.seen)),
            outside: GlobScope::of_whole_paths(Path::new(""), globs),
            whole: GlobScope::of_roots(globs),
        }
    }

    /// Excludes besides what the globs mean in another directory and all below; gives the globs that
    /// cannot be followed.
    pub fn add(&mut self, directory: &Path, globs: &[String]) -> Vec<BadGlob> {
        let (names, faults) = ExclusionGlobs::new(globs);
        self.further_up
            .push(GlobScope::new(directory, names, globs));
        faults
    }

    /// Whether both exclude the same, as far as settings go.
    pub(crate) fn has_rules_of(&self, other: &Self) -> bool {
        let rules = |it: &Self| {
            let scopes = it.workspaces.iter().chain(&it.further_up);
            let rules = scopes.map(|it| (it.directory.clone(), it.globs.clone()));
            (it.outside.globs.clone(), rules.collect::<Vec<_>>())
        };
        rules(self) == rules(other)
    }

    /// Takes note that a file, or a directory with all that is in it, has another name now. If nothing
    /// is excluded under either of them, there is nothing to keep in mind: files are saved by giving
    /// them names, all day long.
    pub fn renamed(&self, from: &FilePath, to: &FilePath) {
        for renamed in self.all_renamed(from, to) {
            if self.matters(&renamed) {
                self.keep(renamed);
            }
        }
    }

    /// The same, where everything is excluded at the moment.
    pub(crate) fn renamed_unseen(&self, from: &FilePath, to: &FilePath) {
        for renamed in self.all_renamed(from, to) {
            self.keep(renamed);
        }
    }

    /// Why nothing may be told of a file; nothing, if it may.
    pub fn why(&self, file: &FilePath) -> Option<ExclusionCause> {
        self.locate(file).err()
    }

    /// Where a file really is, if it may be told of. A read there reads what was judged,
    /// even if a link on the way leads elsewhere by now.
    pub fn locate(&self, file: &FilePath) -> Result<PathBuf, ExclusionCause> {
        self.judge(&self.given(file))
    }

    fn judge(&self, given: &Path) -> Result<PathBuf, ExclusionCause> {
        let now = SystemTime::now();
        let place = really(given).unwrap_or_else(|| plain(given));
        let mut names = vec![plain(given)];
        add_new(&mut names, steps(given));
        add_new(&mut names, vec![place.clone()]);
        let mut judged = 0;
        while let Some(name) = names.get(judged).cloned() {
            judged += 1;
            let alias = (judged > 1).then(|| name.display().to_string());
            if let Some(rule) = self.rule_for(now, &name) {
                return Err(ExclusionCause { alias, rule });
            }
            match self.other_names(now, &name) {
                Ok(others) => add_new(&mut names, others),
                Err(rule) => return Err(ExclusionCause { alias, rule }),
            }
            if names.len() > MOST_NAMES {
                let rule = ExclusionRule::TooManyNames;
                return Err(ExclusionCause { alias: None, rule });
            }
        }
        Ok(place)
    }

    /// Two names of a file, as they are written and as they are.
    fn all_renamed(&self, from: &FilePath, to: &FilePath) -> impl Iterator<Item = FileRename> {
        let (from, to) = (self.given(from), self.given(to));
        let as_written = Some((plain(&from), plain(&to)));
        let as_it_is = really(&from).zip(really(&to));
        let as_it_is = as_it_is.filter(|it| as_written.as_ref() != Some(it));
        let all = as_written.into_iter().chain(as_it_is);
        all.map(|(from, to)| FileRename::new(from, to))
    }

    fn keep(&self, renamed: FileRename) {
        let is_excluded = |it: &Path| self.rule_for(SystemTime::now(), it).is_some();
        self.seen.renames.keep(renamed, is_excluded);
    }

    /// Whether anything would not be excluded if it were unknown that it has both names.
    fn matters(&self, renamed: &FileRename) -> bool {
        let FileRename { from, to, kind } = renamed;
        let is_excluded = |it: &Path| self.judge(it).is_err();
        match kind {
            _ if is_excluded(from) || is_excluded(to) => true,
            RenamedKind::File => false,
            RenamedKind::Unknown => true,
            RenamedKind::Directory => {
                let there = if to.is_dir() { to } else { from };
                let differs = |it: PathBuf| self.differs(&from.join(&it), &to.join(&it));
                let within = files_within(there, MOST_WITHIN);
                within.is_none_or(|it| it.into_iter().any(differs))
            }
        }
    }

    /// Whether one name of a file is excluded and the other is not, by itself.
    fn differs(&self, from: &Path, to: &Path) -> bool {
        let by_itself = |it: &Path| match self.judge(it) {
            Ok(_) => Some(false),
            Err(ExclusionCause { alias: None, .. }) => Some(true),
            Err(_) => None,
        };
        match (by_itself(from), by_itself(to)) {
            (Some(from), Some(to)) => from != to,
            _ => true,
        }
    }

    /// The whole path of a file, as it was written.
    fn given(&self, file: &FilePath) -> PathBuf {
        self.outside.directory.join(file.as_str())
    }

    /// The rule that excludes a name, whatever it leads to.
    fn rule_for(&self, now: SystemTime, path: &Path) -> Option<ExclusionRule> {
        let within = |scope: &GlobScope| {
            let below = path.strip_prefix(&scope.directory).ok()?;
            scope.rule_for(below)
        };
        let root = |scope: &&GlobScope| path.starts_with(&scope.directory);
        let root = self.workspaces.iter().find(root).map(|it| &it.directory);
        let outside = || match root {
            Some(_) => None,
            None => self.outside.rule_for(path),
        };
        let settings_files = &self.seen.settings_files;
        let in_workspaces = self.workspaces.iter().find_map(within);
        in_workspaces
            .or_else(outside)
            .or_else(|| self.whole.as_ref()?.named(path))
            .or_else(|| self.further_up.iter().find_map(within))
            .or_else(|| settings_files.rule_for(now, path, root))
            .or_else(|| self.seen.ignore_files.rule_for(now, path))
            .or_else(|| {
                self.seen
                    .renames
                    .is_closed(path)
                    .then_some(ExclusionRule::TooManyNames)
            })
    }

    /// Other names of the file of a name.
    fn other_names(&self, now: SystemTime, path: &Path) -> Result<Vec<PathBuf>, ExclusionRule> {
        let mut others = steps(path);
        others.extend(really(path));
        others.extend(self.seen.hard_links.of(now, path)?);
        others.extend(self.seen.renames.others(path));
        Ok(others)
    }
}

impl Exclude for ExcludedFiles {
    fn excludes(&self, file: &FilePath) -> bool {
        self.why(file).is_some()
    }

    fn why_excluded(&self, file: &FilePath) -> Option<String> {
        self.why(file).map(|it| it.to_string())
    }
}

/// A directory, and which names in it and below are excluded.
#[derive(Debug)]
struct GlobScope {
    directory: PathBuf,
    names: ExclusionGlobs,
    /// The person's, to say which of them it was.
    globs: Vec<String>,
    globs_mean: GlobMeaning,
}

/// The part of a path that a glob is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GlobMeaning {
    /// A path from a directory on.
    FromDirectory,
    /// A whole path, or the end of one.
    WholePaths,
}

impl GlobScope {
    /// Whole paths, for names that begin in a directory if they are none.
    fn of_whole_paths(directory: &Path, globs: &[String]) -> Self {
        GlobScope {
            globs_mean: GlobMeaning::WholePaths,
            ..GlobScope::new(directory, ExclusionGlobs::of_whole_paths(globs), globs)
        }
    }

    /// Whole paths that globs mean from a root on.
    fn of_roots(globs: &[String]) -> Option<Self> {
        let globs = globs.iter().filter(|it| begins_at_a_root(it));
        let globs: Vec<String> = globs.cloned().collect();
        (!globs.is_empty()).then(|| GlobScope::of_whole_paths(Path::new(""), &globs))
    }

    fn new(directory: &Path, names: ExclusionGlobs, globs: &[String]) -> Self {
        let real = fs::canonicalize(directory).or_else(|_| std::path::absolute(directory));
        GlobScope {
            directory: real.unwrap_or_else(|_| directory.to_owned()),
            names,
            globs: globs.to_vec(),
            globs_mean: GlobMeaning::FromDirectory,
        }
    }

    /// The glob that means a path, whatever it looks like.
    fn named(&self, path: &Path) -> Option<ExclusionRule> {
        let name = FilePath::new(slashed(path));
        let is_named = self.names.names(&name);
        is_named.then(|| self.rule_of_named(&name))
    }

    /// The rule that excludes a path from this directory.
    fn rule_for(&self, path: &Path) -> Option<ExclusionRule> {
        let name = FilePath::new(slashed(path));
        let is_excluded = self.names.excludes(&name);
        let looks_secret = || ExclusionGlobs::default().excludes(&name);
        is_excluded.then(|| {
            if looks_secret() {
                ExclusionRule::LooksSecret
            } else {
                self.rule_of_named(&name)
            }
        })
    }

    fn rule_of_named(&self, name: &FilePath) -> ExclusionRule {
        let names = |glob: &&String| {
            let glob = std::slice::from_ref(*glob);
            let exclusions = match self.globs_mean {
                GlobMeaning::FromDirectory => ExclusionGlobs::new(glob).0,
                GlobMeaning::WholePaths => ExclusionGlobs::of_whole_paths(glob),
            };
            exclusions.names(name)
        };
        match self.globs.iter().find(names) {
            Some(glob) => ExclusionRule::Glob(glob.clone()),
            None => ExclusionRule::LooksSecret,
        }
    }
}

fn add_new(names: &mut Vec<PathBuf>, others: Vec<PathBuf>) {
    for other in others {
        if !names.contains(&other) {
            names.push(other);
        }
    }
}
