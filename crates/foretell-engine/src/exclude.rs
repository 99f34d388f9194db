//! Files that nothing is told of, on a real disk: where a file has more names than one.
//!
//! The pure rules judge a name. Here every name that leads to the same file is judged, and one that
//! is excluded excludes them all:
//!
//! - the name itself, without `.` and `..`;
//! - what it links to, step by step, and where it really is;
//! - its other names in the same directory, if it has any (hard links). Those in other directories
//!   could only be found by reading the whole disk;
//! - the names it had before, and those it got later: [`ExcludedFiles::renamed`] keeps them until the
//!   end of the session. What was `.env` a minute ago is no less secret as `env.txt`; and what was
//!   typed into `notes.txt` before it became `.env` is remembered under its old name. A new file
//!   that takes such a name is excluded too, which is the price.
//!
//! A name within the workspace is judged by its path from the root, any other by its whole path. In
//! the workspace `.foretellignore` files hold besides, in the format of `.gitignore`, for their
//! directory and all below, in any case. A `!` takes back what stands above it in the same file, and
//! nothing else: no file can give away what the rules for names, or a file further up, keep. They
//! are read whenever they are asked, so that a line just written holds at once. One that cannot be
//! read or understood excludes everything below it, since nobody knows what it was to keep.
//!
//! Absent on purpose: walking directories and `.gitignore`, which are the index's.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use foretell_context::{BadGlob, Exclude, Exclusions};
use foretell_text::FilePath;
use ignore::gitignore::GitignoreBuilder;

use crate::read::{Unreadable, read_text};

/// The name of the files that people exclude files with.
pub const IGNORE_FILE: &str = ".foretellignore";

/// How large such a file may be, in bytes.
const LARGEST_IGNORE_FILE: u64 = 1 << 20;
/// How many names a file may have before it is not told of for that alone.
const MOST_NAMES: usize = 64;
/// How many files a directory may have for hard links in it to be looked for.
const MOST_SIBLINGS: usize = 10_000;

/// Knows which files of a disk nothing is told of.
#[derive(Debug)]
pub struct ExcludedFiles {
    root: PathBuf,
    names: Exclusions,
    /// The person's, to say which of them it was.
    globs: Vec<String>,
    renames: Mutex<Vec<(PathBuf, PathBuf)>>,
}

impl ExcludedFiles {
    /// The files of a workspace that look secret, that any of the globs means, or that its ignore
    /// files name; with the globs that cannot be followed.
    pub fn new(root: &Path, globs: &[String]) -> (Self, Vec<BadGlob>) {
        let (names, faults) = Exclusions::new(globs);
        let excluded = ExcludedFiles {
            root: fs::canonicalize(root).unwrap_or_else(|_| root.to_owned()),
            names,
            globs: globs.to_vec(),
            renames: Mutex::default(),
        };
        (excluded, faults)
    }

    /// Takes note that a file, or a directory with all that is in it, has another name now.
    pub fn renamed(&self, from: &FilePath, to: &FilePath) {
        let renamed = (self.path_of(from), self.path_of(to));
        let mut renames = self.renames.lock().unwrap_or_else(PoisonError::into_inner);
        if !renames.contains(&renamed) {
            renames.push(renamed);
        }
    }

    /// Why nothing may be told of a file; nothing, if it may.
    pub fn why(&self, file: &FilePath) -> Option<Exclusion> {
        let mut names = vec![self.path_of(file)];
        let mut judged = 0;
        while let Some(name) = names.get(judged).cloned() {
            judged += 1;
            let alias = (judged > 1).then(|| name.display().to_string());
            if let Some(rule) = self.rule_for(&name) {
                return Some(Exclusion { alias, rule });
            }
            for other in self.other_names(&name) {
                if !names.contains(&other) {
                    names.push(other);
                }
            }
            if names.len() > MOST_NAMES {
                let rule = Rule::TooManyNames;
                return Some(Exclusion { alias: None, rule });
            }
        }
        None
    }

    /// Where a file is, by its name alone.
    fn path_of(&self, file: &FilePath) -> PathBuf {
        plain(&self.root.join(file.as_str()))
    }

    /// The rule that excludes a name, whatever it leads to.
    fn rule_for(&self, path: &Path) -> Option<Rule> {
        let within = path.strip_prefix(&self.root).ok();
        let name = FilePath::new(slashed(within.unwrap_or(path)));
        if self.names.excludes(&name) {
            return Some(self.rule_of_name(&name));
        }
        // From the root down: what a file further up keeps, no other gives away.
        let mut directory = self.root.clone();
        let mut parts = within?.components();
        loop {
            let below = parts.as_path();
            if below.as_os_str().is_empty() {
                return None;
            }
            if let Some(rule) = rule_of_file(&directory, below) {
                return Some(rule);
            }
            directory.push(parts.next()?);
        }
    }

    /// Which of the rules for names excludes one that is excluded.
    fn rule_of_name(&self, name: &FilePath) -> Rule {
        if Exclusions::default().excludes(name) {
            return Rule::LooksSecret;
        }
        let excludes = |glob: &&String| {
            let (alone, _) = Exclusions::new(std::slice::from_ref(*glob));
            alone.excludes(name)
        };
        match self.globs.iter().find(excludes) {
            Some(glob) => Rule::Glob(glob.clone()),
            None => Rule::LooksSecret,
        }
    }

    /// Other names of the file of a name, one step away.
    fn other_names(&self, path: &Path) -> Vec<PathBuf> {
        let mut others = Vec::new();
        if let Ok(target) = fs::read_link(path) {
            let directory = path.parent().unwrap_or(path);
            others.push(plain(&directory.join(target)));
        }
        others.extend(really(path));
        others.extend(hard_links(path));
        let renames = self.renames.lock().unwrap_or_else(PoisonError::into_inner);
        for (from, to) in renames.iter() {
            for (old, new) in [(from, to), (to, from)] {
                if let Ok(below) = path.strip_prefix(old) {
                    // Joining nothing would put a `/` behind the name.
                    others.push(match below.as_os_str().is_empty() {
                        true => new.clone(),
                        false => new.join(below),
                    });
                }
            }
        }
        others
    }
}

impl Exclude for ExcludedFiles {
    fn excludes(&self, file: &FilePath) -> bool {
        self.why(file).is_some()
    }
}

/// Why nothing is told of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exclusion {
    /// The name of it that is excluded, if it is another than the one that was asked about.
    pub alias: Option<String>,
    /// What excludes that name.
    pub rule: Rule,
}

/// What excludes a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// It looks secret.
    LooksSecret,
    /// A glob of the person's means it.
    Glob(String),
    /// A line of an ignore file.
    Line {
        /// Which file.
        file: String,
        /// What the line says.
        line: String,
    },
    /// An ignore file of which nobody knows what it says.
    Unclear {
        /// Which file.
        file: String,
        /// Why not.
        why: String,
    },
    /// Nobody can tell what it is.
    TooManyNames,
}

impl fmt::Display for Exclusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(alias) = &self.alias {
            write!(f, "it is also {alias}, and ")?;
        }
        self.rule.fmt(f)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rule::LooksSecret => f.write_str("files with such a name hold secrets"),
            Rule::Glob(glob) => write!(f, "the glob {glob:?} means it"),
            Rule::Line { file, line } => write!(f, "{file} says {line:?}"),
            Rule::Unclear { file, why } => write!(f, "{file} cannot be used: {why}"),
            Rule::TooManyNames => f.write_str("it has too many names to be sure of it"),
        }
    }
}

/// What the ignore file of a directory says of a path below it.
fn rule_of_file(directory: &Path, below: &Path) -> Option<Rule> {
    let path = directory.join(IGNORE_FILE);
    let file = || path.display().to_string();
    let unclear = |why: String| Rule::Unclear { file: file(), why };
    let text = match read_text(&path, LARGEST_IGNORE_FILE) {
        Ok(text) => text,
        Err(error) => {
            return match error.why {
                Unreadable::Io(why) if is_absent(&why) => None,
                why => Some(unclear(why.to_string())),
            };
        }
    };
    let mut rules = GitignoreBuilder::new(directory);
    // In any case: a disk that does not tell them apart finds the file under all of them.
    if let Err(why) = rules.case_insensitive(true) {
        return Some(unclear(why.to_string()));
    }
    for (number, line) in text.lines().enumerate() {
        if let Err(why) = rules.add_line(None, line) {
            return Some(unclear(format!("line {}: {why}", number + 1)));
        }
    }
    let rules = match rules.build() {
        Ok(rules) => rules,
        Err(why) => return Some(unclear(why.to_string())),
    };
    let is_directory = directory.join(below).is_dir();
    match rules.matched_path_or_any_parents(below, is_directory) {
        ignore::Match::Ignore(glob) => Some(Rule::Line {
            file: file(),
            line: glob.original().to_owned(),
        }),
        ignore::Match::None | ignore::Match::Whitelist(_) => None,
    }
}

/// Whether there is no such file, or it could not be told of anyway.
fn is_absent(why: &io::Error) -> bool {
    use io::ErrorKind::{NotADirectory, NotFound};
    matches!(why.kind(), NotFound | NotADirectory)
}

/// Where a file really is. One that does not exist is where its directory really is.
fn really(path: &Path) -> Option<PathBuf> {
    if let Ok(real) = fs::canonicalize(path) {
        return Some(real);
    }
    let directory = fs::canonicalize(path.parent()?).ok()?;
    Some(directory.join(path.file_name()?))
}

/// The other names that a file has in its directory.
#[cfg(unix)]
fn hard_links(path: &Path) -> Vec<PathBuf> {
    use std::os::unix::fs::MetadataExt;

    let is_linked = |it: &fs::Metadata| it.is_file() && it.nlink() > 1;
    let Some(it) = fs::symlink_metadata(path).ok().filter(is_linked) else {
        return Vec::new();
    };
    let siblings = path.parent().and_then(|it| fs::read_dir(it).ok());
    let siblings = siblings.into_iter().flatten().flatten().take(MOST_SIBLINGS);
    let same = siblings.filter(|sibling| {
        let other = sibling.metadata();
        other.is_ok_and(|other| (other.dev(), other.ino()) == (it.dev(), it.ino()))
    });
    same.map(|sibling| sibling.path()).collect()
}

#[cfg(not(unix))]
fn hard_links(_: &Path) -> Vec<PathBuf> {
    Vec::new()
}

/// A path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

/// A path with `/` between its parts.
fn slashed(path: &Path) -> String {
    let path = path.to_string_lossy();
    match std::path::MAIN_SEPARATOR {
        '/' => path.into_owned(),
        separator => path.replace(separator, "/"),
    }
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    /// A workspace with some files in it.
    struct Disk {
        directory: TempDir,
        excluded: ExcludedFiles,
    }

    impl Disk {
        fn with(files: &[(&str, &str)]) -> Self {
            let directory = tempfile::tempdir().unwrap();
            for (name, text) in files {
                let path = directory.path().join(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
            let globs = ["*.Private".to_owned()];
            let (excluded, _) = ExcludedFiles::new(directory.path(), &globs);
            Disk {
                directory,
                excluded,
            }
        }

        fn path(&self, name: &str) -> PathBuf {
            self.directory.path().join(name)
        }

        fn excludes(&self, name: &str) -> bool {
            self.excluded.excludes(&FilePath::new(name))
        }

        fn why(&self, name: &str) -> String {
            let why = self.excluded.why(&FilePath::new(name));
            why.map_or_else(String::new, |why| why.to_string())
        }

        fn rename(&self, from: &str, to: &str) {
            self.excluded
                .renamed(&FilePath::new(from), &FilePath::new(to));
        }
    }

    #[test]
    fn a_name_is_judged_in_any_case_and_by_any_way_to_it() {
        let disk = Disk::with(&[(".env", ""), ("src/lib.rs", "")]);
        for name in [".env", ".ENV", "./.env", "src/../.env", "src/.Env.local"] {
            assert!(disk.excludes(name), "{name}");
        }
        let whole = disk.path(".env");
        assert!(disk.excludes(whole.to_str().unwrap()));
        for name in ["src/lib.rs", "src/env.rs", "not/there.rs", ""] {
            assert_eq!(disk.why(name), "", "{name}");
        }
    }

    #[test]
    fn the_rule_is_named() {
        let disk = Disk::with(&[]);
        assert_eq!(disk.why(".env"), "files with such a name hold secrets");
        assert_eq!(disk.why("a.private"), "the glob \"*.Private\" means it");
        let (_, faults) = ExcludedFiles::new(Path::new("."), &["a[b".to_owned()]);
        assert_eq!(faults.len(), 1);
    }

    #[test]
    fn what_is_outside_of_the_workspace_is_judged_by_its_whole_path() {
        let disk = Disk::with(&[("lib.rs", "")]);
        assert!(disk.excludes("/home/ada/.ssh/id_ed25519"));
        assert!(disk.excludes("../../.netrc"));
        assert!(!disk.excludes("/usr/include/stdio.h"));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_what_it_leads_to_and_every_step_on_the_way() {
        use std::os::unix::fs::symlink;

        let disk = Disk::with(&[(".env", ""), ("plain.txt", ""), ("keys/id_rsa", "")]);
        symlink(".env", disk.path("notes.txt")).unwrap();
        symlink("notes.txt", disk.path("again.txt")).unwrap();
        symlink("plain.txt", disk.path("server.pem")).unwrap();
        symlink("server.pem", disk.path("through.txt")).unwrap();
        symlink("keys", disk.path("docs")).unwrap();
        symlink("circle", disk.path("circle")).unwrap();
        symlink("nowhere", disk.path("dangling")).unwrap();
        for name in [
            "notes.txt",
            "again.txt",
            "server.pem",
            "through.txt",
            "docs/id_rsa",
        ] {
            assert!(disk.excludes(name), "{name}");
        }
        assert!(disk.why("again.txt").starts_with("it is also "));
        for name in ["plain.txt", "circle", "dangling"] {
            assert!(!disk.excludes(name), "{name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn another_name_in_the_same_directory_is_the_same_file() {
        let disk = Disk::with(&[(".env", "a"), ("plain.txt", "b"), ("far/x", "")]);
        fs::hard_link(disk.path(".env"), disk.path("hard.txt")).unwrap();
        fs::hard_link(disk.path("plain.txt"), disk.path("plain2.txt")).unwrap();
        assert!(disk.excludes("hard.txt"));
        assert!(!disk.excludes("plain2.txt"));
    }

    #[test]
    fn a_file_that_was_excluded_stays_so_under_its_new_name() {
        let disk = Disk::with(&[]);
        disk.rename(".env", "env.txt");
        disk.rename("env.txt", "docs/env.md");
        for name in ["env.txt", "docs/env.md", "docs/../env.txt"] {
            assert!(disk.excludes(name), "{name}");
        }
        disk.rename("lib.rs", "main.rs");
        assert!(!disk.excludes("main.rs"));
    }

    #[test]
    fn what_was_typed_before_a_file_became_secret_is_secret() {
        let disk = Disk::with(&[]);
        disk.rename("notes.txt", ".env");
        assert!(disk.excludes("notes.txt"));
    }

    #[test]
    fn a_directory_takes_its_files_along() {
        let disk = Disk::with(&[(".foretellignore", "/vault/\n"), ("vault/a.txt", "")]);
        assert!(disk.excludes("vault/a.txt"));
        disk.rename("vault", "open");
        assert!(disk.excludes("open/a.txt"));
        assert!(!disk.excludes("opened/a.txt"));
        // A directory that moves into itself has no end of names.
        disk.rename("b", "b/b");
        assert!(disk.excludes("b/x"));
    }

    #[test]
    fn ignore_files_hold_for_all_below_in_any_case() {
        let disk = Disk::with(&[
            (".foretellignore", "# Not for models\nNotes/\n*.Draft\n"),
            ("src/.foretellignore", "/local.rs\n"),
            ("notes/plan.txt", ""),
        ]);
        assert!(disk.excludes("notes/plan.txt"));
        assert!(disk.excludes("NOTES/deep/er.txt"));
        assert!(disk.excludes("src/a.draft"));
        assert!(disk.excludes("src/local.rs"));
        assert!(!disk.excludes("local.rs"));
        assert!(!disk.excludes("src/deep/local.rs"));
        let why = disk.why("notes/plan.txt");
        assert!(why.ends_with(".foretellignore says \"Notes/\""), "{why}");
        fs::remove_file(disk.path(".foretellignore")).unwrap();
        assert!(!disk.excludes("notes/plan.txt"), "it holds as it is now");
    }

    #[test]
    fn no_file_gives_away_what_another_keeps() {
        let disk = Disk::with(&[
            (".foretellignore", "*.txt\n!open.txt\n"),
            ("src/.foretellignore", "!a.txt\n!.env\n"),
        ]);
        assert!(!disk.excludes("open.txt"));
        assert!(disk.excludes("src/a.txt"));
        assert!(disk.excludes("src/.env"));
    }

    #[test]
    fn an_ignore_file_that_cannot_be_understood_keeps_everything() {
        for broken in [&b"a\nb{\n"[..], b"\xff\n"] {
            let disk = Disk::with(&[("src/lib.rs", "")]);
            fs::write(disk.path("src/.foretellignore"), broken).unwrap();
            assert!(disk.excludes("src/lib.rs"));
            assert!(!disk.excludes("lib.rs"));
            assert!(disk.why("src/lib.rs").contains(" cannot be used: "));
        }
        let disk = Disk::with(&[(".foretellignore/file", "")]);
        assert!(disk.why("lib.rs").ends_with("it is a directory"));
    }
}
