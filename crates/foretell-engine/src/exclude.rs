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
//! - the names it had before, and those it got later: [`ExcludedFiles::renamed`] keeps them until the
//!   end of the session. What was `.env` a minute ago is no less secret as `env.txt`; and what was
//!   typed into `notes.txt` before it became `.env` is remembered under its old name. A new file
//!   that takes such a name is excluded too, which is the price.
//!
//! A name within the workspace is judged by its path from the root, any other by its whole path. The
//! globs of directories further up, and the `.foretellignore` files of all directories that a name is
//! in, hold besides: where a workspace begins is a guess, and a wrong one must give nothing away.
//! Whatever cannot be found out excludes. A line just written holds at once.
//!
//! | module | what it is |
//! | --- | --- |
//! | `alias` | the names that a disk has for one file |
//! | `ignore_file` | what `.foretellignore` files say |
//! | `kept` | what was made of a file, for as long as that has not changed |
//! | `rule` | why a file is excluded, in words |
//! | `verdicts` | which files one request may tell of, without waiting for a disk |
//!
//! Absent on purpose: walking directories and `.gitignore`, which are the index's.

mod alias;
mod ignore_file;
mod kept;
mod rule;
mod verdicts;

#[cfg(test)]
mod tests;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use foretell_context::{BadGlob, Exclude, Exclusions};
use foretell_text::FilePath;

use self::alias::{HardLinks, below, plain, really, slashed, steps};
use self::ignore_file::IgnoreFiles;

pub use self::ignore_file::IGNORE_FILE;
pub use self::rule::{Exclusion, Rule};
pub(crate) use self::verdicts::Verdicts;

/// How many names a file may have before it is not told of for that alone.
const MOST_NAMES: usize = 64;

/// Knows which files of a disk nothing is told of.
#[derive(Debug)]
pub struct ExcludedFiles {
    workspace: Scope,
    further_up: Vec<Scope>,
    ignore_files: IgnoreFiles,
    hard_links: HardLinks,
    renames: Mutex<Vec<(PathBuf, PathBuf)>>,
}

impl ExcludedFiles {
    /// The files of a workspace that look secret, that any of the globs means, or that ignore files
    /// name; with the globs that cannot be followed.
    pub fn new(root: &Path, globs: &[String]) -> (Self, Vec<BadGlob>) {
        let (names, faults) = Exclusions::new(globs);
        let workspace = Scope::new(root, names, globs);
        let excluded = ExcludedFiles {
            workspace,
            further_up: Vec::new(),
            ignore_files: IgnoreFiles::default(),
            hard_links: HardLinks::default(),
            renames: Mutex::default(),
        };
        (excluded, faults)
    }

    /// Excludes besides what the globs mean in another directory and all below; gives the globs that
    /// cannot be followed.
    pub fn add(&mut self, directory: &Path, globs: &[String]) -> Vec<BadGlob> {
        let (names, faults) = self.workspace.names.with(globs);
        self.further_up.push(Scope::new(directory, names, globs));
        faults
    }

    /// Takes note that a file, or a directory with all that is in it, has another name now.
    pub fn renamed(&self, from: &FilePath, to: &FilePath) {
        let (from, to) = (self.given(from), self.given(to));
        let as_written = Some((plain(&from), plain(&to)));
        let as_it_is = really(&from).zip(really(&to));
        let mut renames = self.renames();
        for renamed in as_written.into_iter().chain(as_it_is) {
            if !renames.contains(&renamed) {
                renames.push(renamed);
            }
        }
    }

    /// Why nothing may be told of a file; nothing, if it may.
    pub fn why(&self, file: &FilePath) -> Option<Exclusion> {
        self.locate(file).err()
    }

    /// Where a file really is, if it may be told of. Whoever reads it there reads what was judged,
    /// even if a link on the way leads elsewhere by now.
    pub fn locate(&self, file: &FilePath) -> Result<PathBuf, Exclusion> {
        let now = SystemTime::now();
        let given = self.given(file);
        let place = really(&given).unwrap_or_else(|| plain(&given));
        let mut names = vec![plain(&given)];
        add_new(&mut names, steps(&given));
        add_new(&mut names, vec![place.clone()]);
        let mut judged = 0;
        while let Some(name) = names.get(judged).cloned() {
            judged += 1;
            let alias = (judged > 1).then(|| name.display().to_string());
            if let Some(rule) = self.rule_for(now, &name) {
                return Err(Exclusion { alias, rule });
            }
            match self.other_names(now, &name) {
                Ok(others) => add_new(&mut names, others),
                Err(rule) => return Err(Exclusion { alias, rule }),
            }
            if names.len() > MOST_NAMES {
                let rule = Rule::TooManyNames;
                return Err(Exclusion { alias: None, rule });
            }
        }
        Ok(place)
    }

    /// The whole path of a file, as it was written.
    fn given(&self, file: &FilePath) -> PathBuf {
        self.workspace.directory.join(file.as_str())
    }

    /// The rule that excludes a name, whatever it leads to.
    fn rule_for(&self, now: SystemTime, path: &Path) -> Option<Rule> {
        let within = |scope: &Scope| {
            let below = path.strip_prefix(&scope.directory).ok()?;
            scope.rule_for(below)
        };
        let outside = || match path.starts_with(&self.workspace.directory) {
            true => None,
            false => self.workspace.rule_for(path),
        };
        within(&self.workspace)
            .or_else(outside)
            .or_else(|| self.further_up.iter().find_map(within))
            .or_else(|| self.ignore_files.rule_for(now, path))
    }

    /// Other names of the file of a name.
    fn other_names(&self, now: SystemTime, path: &Path) -> Result<Vec<PathBuf>, Rule> {
        let mut others = steps(path);
        others.extend(really(path));
        others.extend(self.hard_links.of(now, path)?);
        for (from, to) in self.renames().iter() {
            for (old, new) in [(from, to), (to, from)] {
                if let Ok(rest) = path.strip_prefix(old) {
                    others.push(below(new, rest));
                }
            }
        }
        Ok(others)
    }

    fn renames(&self) -> MutexGuard<'_, Vec<(PathBuf, PathBuf)>> {
        self.renames.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Exclude for ExcludedFiles {
    fn excludes(&self, file: &FilePath) -> bool {
        self.why(file).is_some()
    }
}

/// A directory, and which names in it and below are excluded.
#[derive(Debug)]
struct Scope {
    directory: PathBuf,
    names: Exclusions,
    /// The person's, to say which of them it was.
    globs: Vec<String>,
}

impl Scope {
    fn new(directory: &Path, names: Exclusions, globs: &[String]) -> Self {
        let real = fs::canonicalize(directory).or_else(|_| std::path::absolute(directory));
        Scope {
            directory: real.unwrap_or_else(|_| directory.to_owned()),
            names,
            globs: globs.to_vec(),
        }
    }

    /// The rule that excludes a path from this directory.
    fn rule_for(&self, path: &Path) -> Option<Rule> {
        let name = FilePath::new(slashed(path));
        let is_excluded = self.names.excludes(&name);
        is_excluded.then(|| self.rule_of_excluded(&name))
    }

    fn rule_of_excluded(&self, name: &FilePath) -> Rule {
        let excludes = |globs: &[String]| self.names.with(globs).0.excludes(name);
        if excludes(&[]) {
            return Rule::LooksSecret;
        }
        let mut globs = self.globs.iter();
        match globs.find(|glob| excludes(std::slice::from_ref(*glob))) {
            Some(glob) => Rule::Glob(glob.clone()),
            None => Rule::LooksSecret,
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
