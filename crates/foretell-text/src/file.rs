//! Files by the names people know them by.
//!
//! A name only: whether there is such a file, and what it links to, is known elsewhere. It is taken
//! as it comes, also with line ends and backticks in it, which file systems allow; whoever quotes it
//! takes care of them. Two names are equal when they are spelled alike.

use std::fmt;
use std::sync::Arc;

/// A file's path from the root of its workspace, with `/` between the parts on every platform.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FilePath(Arc<str>);

impl FilePath {
    /// The file of a path.
    pub fn new(path: impl Into<Arc<str>>) -> Self {
        FilePath(path.into())
    }

    /// Its path.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for FilePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
