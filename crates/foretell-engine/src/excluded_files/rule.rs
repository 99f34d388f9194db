//! Why nothing is told of a file, as a value and in words.

use std::fmt;

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
    /// An ignore file or a directory of which it is unknown what is in it.
    Unclear {
        /// Which one.
        file: String,
        /// Why not.
        why: String,
    },
    /// It is unknown what it is.
    TooManyNames,
    /// It has other names, and they are not looked for among so many files.
    TooManySiblings {
        /// The directory of those files.
        directory: String,
    },
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
            Rule::TooManySiblings { directory } => write!(
                f,
                "it has other names, and {directory} has too many files to find them"
            ),
        }
    }
}
