//! Files that nothing is told of.
//!
//! Some files are there to hold secrets: nothing in them is for a model, whatever it looks like. They
//! are known by their names, wherever they are, and a name is read as generously as a file system
//! might: in capitals or not, with either slash, with dots and blanks at its end, as the copy that an
//! editor leaves behind. The person's own globs come on top, and nothing takes a file out again.
//!
//! Absent on purpose: files themselves. What a link leads to, what a file was called before, and what
//! `.foretellignore` says is known by those who read files; they ask here once per name.

mod names;

use foretell_text::FilePath;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use names::{BUILT_IN, COPIES, SOURCE, UNLESS_SOURCE};

/// Knows which files nothing is told of.
pub trait Exclude: Send + Sync {
    /// Whether nothing may be told of a file.
    fn excludes(&self, file: &FilePath) -> bool;
}

/// Files that look secret by their name, and those the person named.
#[derive(Clone, Debug)]
pub struct Exclusions {
    built_in: GlobSet,
    /// What looks secret, but is as well what source code is called.
    unless_source: GlobSet,
    persons: GlobSet,
}

/// A glob of the person's that cannot be followed; the others are.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadGlob {
    /// It is not a glob.
    #[error("`{glob}` is not a glob: {why}")]
    Malformed {
        /// What was written.
        glob: String,
        /// What is wrong with it.
        why: String,
    },
    /// It begins with `!`, as if it took something back.
    #[error("`{glob}` would take an exclusion back, which nothing can")]
    TakesBack {
        /// What was written.
        glob: String,
    },
    /// It says nothing.
    #[error("an empty glob excludes nothing")]
    Empty,
}

impl Exclusions {
    /// Files that look secret, and those that any of the globs means; with the globs that cannot be
    /// followed.
    ///
    /// A glob is read as in an ignore file: without a `/` inside it means a name anywhere, with one
    /// a path from the root of the workspace; and what is in a folder that it means is meant as well.
    pub fn new(globs: &[String]) -> (Self, Vec<BadGlob>) {
        let built_in = Exclusions {
            built_in: set(anywhere(BUILT_IN)),
            unless_source: set(anywhere(UNLESS_SOURCE)),
            persons: GlobSet::empty(),
        };
        built_in.with(globs)
    }

    /// The same with these globs in place of the person's. What looks secret is the same everywhere,
    /// and takes long to compile.
    pub fn with(&self, globs: &[String]) -> (Self, Vec<BadGlob>) {
        let mut faults = Vec::new();
        let mut persons = Vec::new();
        for glob in globs {
            match rooted(glob) {
                Ok(glob) => persons.push(glob),
                Err(fault) => faults.push(fault),
            }
        }
        let exclusions = Exclusions {
            built_in: self.built_in.clone(),
            unless_source: self.unless_source.clone(),
            persons: set(persons.into_iter()),
        };
        (exclusions, faults)
    }

    fn means(&self, path: &str) -> bool {
        self.built_in.is_match(path)
            || self.persons.is_match(path)
            || (self.unless_source.is_match(path) && !is_source(path))
    }
}

impl Default for Exclusions {
    fn default() -> Self {
        Exclusions::new(&[]).0
    }
}

impl Exclude for Exclusions {
    fn excludes(&self, file: &FilePath) -> bool {
        let path = plain(file.as_str());
        self.means(&path) || original(&path).is_some_and(|path| self.means(&path))
    }
}

/// A person's glob, as it is matched against a whole path.
fn rooted(glob: &str) -> Result<String, BadGlob> {
    let trimmed = glob.trim().replace('\\', "/").to_lowercase();
    if trimmed.starts_with('!') {
        let glob = glob.to_owned();
        return Err(BadGlob::TakesBack { glob });
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
    // What is wrong with it is said of what the person wrote.
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
    ending.is_some_and(|ending| SOURCE.contains(&ending))
}

/// A path in the one form that names are compared in.
fn plain(path: &str) -> String {
    // Some file systems do not see these at all, so that a name with them means the same file.
    let is_invisible = |c: char| matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\0');
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
        let (exclusions, faults) = Exclusions::new(&globs);
        assert!(exclusions.excludes(&FilePath::new("db/dump.sql")));
        let said: Vec<_> = faults.iter().map(ToString::to_string).collect();
        assert_eq!(said.len(), 3);
        assert!(said[0].starts_with("`[` is not a glob: "), "{said:?}");
        assert!(said[1].starts_with("`!keep.sql` would take"), "{said:?}");
        assert_eq!(faults[2], BadGlob::Empty);
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
