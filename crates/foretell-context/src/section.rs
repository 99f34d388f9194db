//! The findings of a source, as Markdown.

use std::fmt;

use foretell_text::{ByteRange, FilePath};

/// A heading, and entries of which each stands or falls as a whole.
#[derive(Clone, PartialEq, Eq)]
pub struct Section {
    /// What it is about, without the `##`.
    pub heading: String,
    /// What was found, the most important first.
    pub entries: Vec<Entry>,
    /// What stands between two entries.
    pub spacing: Spacing,
}

/// One diagnostic, one change, one chunk.
#[derive(Clone, PartialEq, Eq)]
pub struct Entry {
    /// The file it quotes, if it quotes one: it is dropped if that file is excluded.
    pub file: Option<FilePath>,
    /// What it says, as Markdown.
    pub text: String,
    /// Which parts of that are known to be secret, whatever they look like: in what it quotes, the
    /// whole said so.
    pub secrets: Vec<ByteRange>,
}

/// What stands between the entries of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Spacing {
    /// Each begins on a line of its own.
    Lines,
    /// An empty line is between them.
    Paragraphs,
}

/// How long: what a section quotes does not belong in a log.
impl fmt::Debug for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} entries", self.heading, self.entries.len())
    }
}

/// How long: what an entry quotes does not belong in a log.
impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.text.len())
    }
}
