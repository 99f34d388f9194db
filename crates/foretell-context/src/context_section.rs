//! The findings of a source, as Markdown.

use std::fmt;

use foretell_text::{ByteRange, FilePath};

/// A heading, and entries of which each stands or falls as a whole.
#[derive(Clone, PartialEq, Eq)]
pub struct ContextSection {
    /// Its heading, without the `##`.
    pub heading: String,
    /// Its entries, the most important first.
    pub entries: Vec<ContextEntry>,
    /// The space between two entries.
    pub spacing: EntrySpacing,
}

/// One diagnostic, one change, one chunk.
#[derive(Clone, PartialEq, Eq)]
pub struct ContextEntry {
    /// The file it quotes, if it quotes one: it is dropped if that file is excluded.
    pub file: Option<FilePath>,
    /// Its text, as Markdown.
    pub text: String,
    /// Where in that the code of the file is, if it quotes some: whole lines, without remarks.
    pub code: Option<ByteRange>,
    /// Which parts of that are known to be secret, whatever they look like: in what it quotes, the
    /// whole said so.
    pub secrets: Vec<ByteRange>,
}

/// The space between the entries of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntrySpacing {
    /// Each begins on a line of its own.
    Lines,
    /// An empty line is between them.
    Paragraphs,
}

/// How long: what a section quotes does not belong in a log.
impl fmt::Debug for ContextSection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} entries", self.heading, self.entries.len())
    }
}

/// How long: what an entry quotes does not belong in a log.
impl fmt::Debug for ContextEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.text.len())
    }
}
