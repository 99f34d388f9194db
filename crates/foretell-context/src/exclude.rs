//! Files that nothing is told of.
//!
//! Some files are there to hold secrets: nothing in them is for a model, whatever it looks like. They
//! are known by their names, wherever they are, and a name is read as generously as a file system
//! might: in capitals or not, with either slash, with dots and blanks at its end, as the copy that an
//! editor leaves behind. The person's own globs come on top, and nothing takes a file out again.
//!
//! Absent on purpose: files themselves. What a link leads to, what a file was called before, and what
//! `.foretellignore` says is known by those who read files; they ask here once per name.

mod secret_file_names;

use std::sync::LazyLock;

use foretell_text::glob::{MOST_GLOBS_IN_SETTINGS, cost_of_glob};
use foretell_text::language::is_source_ending;
use foretell_text::plain::is_invisible;
use foretell_text::{FilePath, GlobExcess, measure_glob};
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use secret_file_names::{BUILT_IN, COPIES, UNLESS_SOURCE};

/// How much is shown of a glob that is too long to be one, in characters.
const SHOWN_OF_EXCESS: usize = 24;

/// Knows which files nothing is told of.
pub trait Exclude: Send + Sync {
    /// Whether nothing may be told of a file.
    fn excludes(&self, file: &FilePath) -> bool;

    /// Why nothing may be told of a file, in words that go on behind a colon; nothing, if it may.
    fn why_excluded(&self, file: &FilePath) -> Option<String> {
        let is_excluded = self.excludes(file);
        is_excluded.then(|| "it is excluded".to_owned())
    }
}

/// Files that look secret by their name, and those the person named.
#[derive(Clone, Debug)]
pub struct ExclusionGlobs {
    persons: GlobSet,
}

/// Names that look secret. It is a static, and so is the next, because it is the same for everybody and is
/// compiled from very many globs, while [`ExclusionGlobs`] are made often and by themselves: for every
/// directory with settings, at every change of them, and once more to say which glob it was.
static LOOKS_SECRET: LazyLock<GlobSet> = LazyLock::new(|| set(anywhere(BUILT_IN)));

/// Names that look secret, but that source code has as well.
static LOOKS_SECRET_UNLESS_SOURCE: LazyLock<GlobSet> =
    LazyLock::new(|| set(anywhere(UNLESS_SOURCE)));

/// A glob of the person's that cannot be followed; the others are.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadGlob {
    /// It is not a glob.
    #[error("`{glob}` is not a glob: {why}")]
    Malformed {
        /// The glob as it was written.
        glob: String,
        /// Its fault.
        why: String,
    },
    /// It begins with `!`, as if it took something back.
    #[error("`{glob}` would take an exclusion back, which nothing can")]
    TakesBack {
        /// The glob as it was written.
        glob: String,
    },
    /// It is a URI, which no path is.
    #[error("`{glob}` is a URI, which excludes nothing; write a path")]
    Uri {
        /// The glob as it was written.
        glob: String,
    },
    /// It leads above where it begins, where nothing is.
    #[error("`{glob}` has `..` in it, which excludes nothing; write the whole path")]
    LeadsAbove {
        /// The glob as it was written.
        glob: String,
    },
    /// It says nothing.
    #[error("an empty glob excludes nothing")]
    Empty,
    /// It would cost too much to compile.
    #[error("`{glob}` cannot be followed: {why}")]
    Excess {
        /// How it begins.
        glob: String,
        /// The measure that it exceeds.
        why: GlobExcess,
    },
    /// There are too many of them.
    #[error(
        "there are {number} globs at one place, and at most {MOST_GLOBS_IN_SETTINGS} can be \
         followed, fewer if they are long; name directories, or use a .foretellignore"
    )]
    TooMany {
        /// How many there are.
        number: usize,
    },
}

impl ExclusionGlobs {
    /// Files that look secret, and those that any of the globs means; with the globs that cannot be
    /// followed.
    ///
    /// A glob is read as in an ignore file: without a `/` inside it means a name anywhere, with one
    /// a path from the root of the workspace; and what is in a folder that it means is meant as well.
    pub fn new(globs: &[String]) -> (Self, Vec<BadGlob>) {
        if let Err(fault) = count(globs) {
            let persons = everything();
            return (ExclusionGlobs { persons }, vec![fault]);
        }
        let mut faults = Vec::new();
        let mut persons = Vec::new();
        for glob in globs {
            match rooted(glob) {
                Ok(glob) => persons.push(glob),
                Err(fault) => faults.push(fault),
            }
        }
        let persons = set(persons.into_iter());
        (ExclusionGlobs { persons }, faults)
    }

    /// The same for whole paths: a glob that begins at a root means a path from there, and any other one
    /// means the end of a path, since it is not known where else it was to begin.
    pub fn of_whole_paths(globs: &[String]) -> Self {
        if count(globs).is_err() {
            let persons = everything();
            return ExclusionGlobs { persons };
        }
        let globs = globs.iter();
        let ends = globs.filter_map(|glob| {
            let rooted = rooted(glob).ok()?;
            let is_end = !begins_at_a_root(glob) && !rooted.starts_with("**/");
            Some(if is_end {
                format!("**/{rooted}")
            } else {
                rooted
            })
        });
        ExclusionGlobs { persons: set(ends) }
    }

    /// Whether the person named a file, whatever it looks like.
    pub fn names(&self, file: &FilePath) -> bool {
        let path = plain(file.as_str());
        let original = original(&path);
        self.persons.is_match(&path) || original.is_some_and(|path| self.persons.is_match(path))
    }

    fn means(&self, path: &str) -> bool {
        LOOKS_SECRET.is_match(path)
            || self.persons.is_match(path)
            || (LOOKS_SECRET_UNLESS_SOURCE.is_match(path) && !is_source(path))
    }
}

impl Default for ExclusionGlobs {
    fn default() -> Self {
        ExclusionGlobs::new(&[]).0
    }
}

impl Exclude for ExclusionGlobs {
    fn excludes(&self, file: &FilePath) -> bool {
        let path = plain(file.as_str());
        self.means(&path) || original(&path).is_some_and(|path| self.means(&path))
    }
}

/// Whether a glob begins where a whole path does: at a root, or on a drive.
pub fn begins_at_a_root(glob: &str) -> bool {
    let glob = glob.trim();
    glob.starts_with(['/', '\\']) || has_drive(glob)
}

fn has_drive(glob: &str) -> bool {
    glob.starts_with(|c: char| c.is_ascii_alphabetic()) && glob.get(1..2) == Some(":")
}

/// Whether there are no more globs than can be followed at once.
fn count(globs: &[String]) -> Result<(), BadGlob> {
    let cost: usize = globs.iter().map(|glob| cost_of_glob(glob)).sum();
    if globs.len() > MOST_GLOBS_IN_SETTINGS || cost > MOST_GLOBS_IN_SETTINGS {
        let number = globs.len();
        return Err(BadGlob::TooMany { number });
    }
    Ok(())
}

/// A person's glob, as it is matched against a whole path.
fn rooted(glob: &str) -> Result<String, BadGlob> {
    measure_glob(glob).map_err(|why| {
        let begins: String = glob.chars().take(SHOWN_OF_EXCESS).collect();
        let glob = format!("{begins}…");
        BadGlob::Excess { glob, why }
    })?;
    // As in paths: some file systems do not see these at all.
    let seen: String = glob.chars().filter(|c| !is_invisible(*c)).collect();
    let trimmed = seen.trim().replace('\\', "/").to_lowercase();
    if trimmed.starts_with('!') {
        let glob = glob.to_owned();
        return Err(BadGlob::TakesBack { glob });
    }
    if is_uri(&trimmed) {
        let glob = glob.to_owned();
        return Err(BadGlob::Uri { glob });
    }
    if trimmed.split('/').any(|part| part == "..") {
        let glob = glob.to_owned();
        return Err(BadGlob::LeadsAbove { glob });
    }
    let inner = trimmed.trim_end_matches('/');
    let inner = inner.strip_prefix("./").unwrap_or(inner);
    let (is_rooted, inner) = match inner.strip_prefix('/') {
        Some(inner) => (true, inner),
        None => (inner.contains('/'), inner),
    };
    if inner.is_empty() {
        return Err(BadGlob::Empty);
    }
    // A fault is reported of the glob as the person wrote it.
    let rooted = if is_rooted {
        inner.to_owned()
    } else {
        format!("**/{inner}")
    };
    let malformed = |error: globset::Error| BadGlob::Malformed {
        glob: glob.to_owned(),
        why: error.kind().to_string(),
    };
    compiled(&rooted).map(|_| rooted).map_err(malformed)
}

/// Whether a glob begins with a scheme. No name has a colon where names are compared, but for a drive's.
fn is_uri(glob: &str) -> bool {
    let in_schemes = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    let scheme = glob.split_once(':').map(|(scheme, _)| scheme);
    scheme.is_some_and(|it| it.len() > 1 && it.chars().all(in_schemes))
}

fn compiled(glob: &str) -> Result<globset::Glob, globset::Error> {
    let mut builder = GlobBuilder::new(glob);
    builder.literal_separator(true).build()
}

/// Globs that have been seen to be globs, each with all that is below what it means.
fn set(globs: impl Iterator<Item = String>) -> GlobSet {
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        let below = format!("{glob}/**");
        for glob in [glob, below].iter().filter_map(|glob| compiled(glob).ok()) {
            set.add(glob);
        }
    }
    // Only a set too large to be compiled fails, and then everything is excluded rather than nothing.
    set.build().unwrap_or_else(|_| everything())
}

fn everything() -> GlobSet {
    let everything = compiled("**").into_iter().collect::<Vec<_>>();
    GlobSet::new(&everything).unwrap_or_default()
}

/// Globs of names, as they are matched against a whole path.
fn anywhere(names: &[&str]) -> impl Iterator<Item = String> {
    names.iter().map(|name| format!("**/{name}"))
}

/// Whether a file, or what it is a copy of, is source code by its name.
fn is_source(path: &str) -> bool {
    let original = original(path);
    let path = original.as_deref().unwrap_or(path);
    let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    ending.is_some_and(is_source_ending)
}

/// A path in the one form that names are compared in.
fn plain(path: &str) -> String {
    // Some file systems do not see these at all, so that a name with them means the same file.
    let path: String = path.chars().filter(|c| !is_invisible(*c)).collect();
    let path = path.replace('\\', "/").to_lowercase();
    let parts = path.split('/').map(|part| {
        // A stream of a file is that file.
        let name = match part.split_once(':') {
            Some((name, _)) if name.len() > 1 => name,
            _ => part,
        };
        match name.trim_end_matches([' ', '.']) {
            "" => name,
            trimmed => trimmed.trim_start_matches(' '),
        }
    });
    let parts: Vec<_> = parts
        .filter(|part| !part.is_empty() && *part != ".")
        .collect();
    parts.join("/")
}

/// The path of the file that this one is a copy of, if it is named like one.
fn original(path: &str) -> Option<String> {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let mut original = name;
    // `.#name`, `#name#`, `name~`, `name.bak`, `.name.swp`, and one on top of another.
    while let Some(shorter) = COPIES.iter().find_map(|end| original.strip_suffix(end)) {
        original = shorter;
    }
    let is_hidden_copy = original.len() < name.len() && !original.starts_with(".env");
    original = original.trim_start_matches(".#").trim_start_matches('#');
    let visible = original.strip_prefix('.').filter(|_| is_hidden_copy);
    let copied = visible.filter(|visible| visible.contains('.') || visible.starts_with("id_"));
    let original = copied.unwrap_or(original);
    (original != name && !original.is_empty()).then(|| format!("{folder}/{original}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_glob_is_named_and_the_others_apply() {
        let globs = ["[", "*.sql", "!keep.sql", " "].map(str::to_owned);
        let (exclusions, faults) = ExclusionGlobs::new(&globs);
        assert!(exclusions.excludes(&FilePath::new("db/dump.sql")));
        let said: Vec<_> = faults.iter().map(ToString::to_string).collect();
        assert_eq!(said.len(), 3);
        assert!(said[0].starts_with("`[` is not a glob: "), "{said:?}");
        assert!(said[1].starts_with("`!keep.sql` would take"), "{said:?}");
        assert_eq!(faults[2], BadGlob::Empty);
    }

    #[test]
    fn what_could_never_mean_a_file_is_no_glob() {
        for glob in [
            "file:///home/ada/**",
            "untitled:x",
            "FILE:/a",
            "../a/**",
            "a/..",
        ] {
            let (_, faults) = ExclusionGlobs::new(&[glob.to_owned()]);
            assert_eq!(faults.len(), 1, "{glob}");
            let says = faults[0].to_string();
            assert!(says.contains(glob) && says.contains("write"), "{says}");
        }
        let (_, faults) = ExclusionGlobs::new(&["c:/a/**".to_owned(), "a..b".to_owned()]);
        assert_eq!(faults, []);
    }

    #[test]
    fn of_a_whole_path_a_glob_means_the_end_or_all_of_it() {
        let means = |glob: &str, path: &str| {
            let exclusions = ExclusionGlobs::of_whole_paths(&[glob.to_owned()]);
            exclusions.names(&FilePath::new(path))
        };
        assert!(means("customers/**", "/home/ada/customers/x.py"));
        assert!(means("./a/b", "/home/a/b/x.py"));
        assert!(means("customers", "/home/ada/customers/x.py"));
        assert!(means("/home/*/x", "/home/ada/x"));
        assert!(!means("/ada/x", "/home/ada/x"));
        assert!(means("C:/Users/**", "c:\\users\\x"));
        assert!(!means("c:/users/**", "d:/users/x"));
        assert!(
            !means("a", "/home/.env"),
            "which looks secret, and is not named"
        );
    }

    #[test]
    fn paths_are_compared_in_one_form() {
        assert_eq!(plain("A\\B.Key. "), "a/b.key");
        assert_eq!(plain("./a//.en\u{200c}v"), "a/.env");
        assert_eq!(plain("c:/x/.env::$DATA"), "c:/x/.env");
        assert_eq!(plain("../.."), "../..");
    }

    #[test]
    fn copies_are_known_by_what_they_are_copies_of() {
        assert_eq!(original("a/.server.key.swp"), Some("a/server.key".into()));
        assert_eq!(original("a/x.pem~"), Some("a/x.pem".into()));
        assert_eq!(original("a/#x.pem#"), Some("a/x.pem".into()));
        assert_eq!(original("a/x.rs"), None);
    }
}
