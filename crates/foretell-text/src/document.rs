//! The nouns of a document that every crate shares: its name, its version, its language.
//!
//! They are names only. What is open, and what its text is, is known elsewhere.

use std::fmt;
use std::sync::Arc;

/// The name of a document: the URI its editor uses, never interpreted here.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocumentId(Arc<str>);

impl DocumentId {
    /// The document of a URI.
    pub fn new(uri: impl Into<Arc<str>>) -> Self {
        DocumentId(uri.into())
    }

    /// Its URI.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The scheme of its URI, if it has one.
    pub fn scheme(&self) -> Option<&str> {
        self.0.split_once(':').map(|(scheme, _)| scheme)
    }
}

impl fmt::Display for DocumentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Which text of a document is meant; it grows with every change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(i64);

impl Version {
    /// The version an editor names by a number.
    pub const fn new(number: i64) -> Self {
        Version(number)
    }

    /// The number.
    pub const fn get(self) -> i64 {
        self.0
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A language, by the identifier editors use: `rust`, `typescriptreact`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Language(Arc<str>);

impl Language {
    /// The language of an identifier.
    pub fn new(id: impl Into<Arc<str>>) -> Self {
        Language(id.into())
    }

    /// Its identifier.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
