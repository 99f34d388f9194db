//! Why nothing is told of a file, as a value and in words.

use std::fmt;

/// Why nothing is told of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExclusionCause {
    /// The name of it that is excluded, if it is another than the one that was asked about.
    pub alias: Option<String>,
    /// The rule that excludes that name.
    pub rule: ExclusionRule,
}

/// A rule that excludes a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExclusionRule {
    /// It looks secret.
    LooksSecret,
    /// A glob of the person's means it.
    Glob(String),
    /// A line of an ignore file.
    Line {
        /// Which file.
        file: String,
        /// The text of the line.
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

impl fmt::Display for ExclusionCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(alias) = &self.alias {
            write!(f, "it is also {alias}, and ")?;
        }
        self.rule.fmt(f)
    }
}

impl fmt::Display for ExclusionRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExclusionRule::LooksSecret => f.write_str("files with such a name hold secrets"),
            ExclusionRule::Glob(glob) => write!(f, "the glob {glob:?} means it"),
            ExclusionRule::Line { file, line } => write!(f, "{file} says {line:?}"),
            ExclusionRule::Unclear { file, why } => write!(f, "{file} cannot be used: {why}"),
            ExclusionRule::TooManyNames => f.write_str("it has too many names to be sure of it"),
            ExclusionRule::TooManySiblings { directory } => write!(
                f,
                "it has other names, and {directory} has too many files to find them"
            ),
        }
    }
}
