//! Pieces of a workspace's code, as a search finds them.
//!
//! The code that cuts files and the code that quotes pieces share these nouns and nothing else. A chunk
//! is what a file said when it was read: the file may say something else by now.
//!
//! Absent on purpose: how pieces are found and ranked. That is behind [`CodeSearch`].

use std::error::Error;
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::document::Language;
use crate::file_path::FilePath;
use crate::offset::ByteRange;

/// A stretch of a file that makes sense by itself.
#[derive(Clone, PartialEq, Eq)]
pub struct CodeChunk {
    /// In which file.
    pub file: FilePath,
    /// On which lines, the first line of a file being 1.
    pub lines: RangeInclusive<usize>,
    /// Its language.
    pub language: Language,
    /// The kind of code.
    pub kind: ChunkKind,
    /// Its name, if it has one.
    pub name: Option<Arc<str>>,
    /// Its text: those lines, whole, with or without the last line end.
    pub text: Arc<str>,
    /// Which parts of what it says are never told: those that the whole file said are secret. A part of
    /// a key does not look like one.
    pub secrets: Arc<[ByteRange]>,
}

/// Which file and how long: what a file says does not belong in a log.
impl fmt::Debug for CodeChunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, last) = (self.lines.start(), self.lines.end());
        write!(f, "{}:{first}-{last}, {} bytes", self.file, self.text.len())
    }
}

/// Finds code in a workspace. An index is one; a test's list is another.
///
/// Blocking: do not call it on the loop.
pub trait CodeSearch: Send + Sync {
    /// Returns the chunks that have the words of a text, the best first, at most so many; of several
    /// folders, that of the file `near` comes first.
    ///
    /// A search asks `is_stopped` every millisecond or so while it works, and gives up with
    /// [`CodeSearchError::Stopped`].
    fn find(
        &self,
        text: &str,
        near: Option<&FilePath>,
        most: usize,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Vec<CodeChunk>, CodeSearchError>;
}

/// Why nothing could be looked for. Finding nothing is not an error.
#[derive(Debug, thiserror::Error)]
pub enum CodeSearchError {
    /// There is no index yet.
    #[error("the workspace is not indexed yet")]
    NotReady,
    /// It was told to stop.
    #[error("the search was stopped")]
    Stopped,
    /// The index cannot be used.
    #[error("the index cannot be read")]
    Broken(#[source] Box<dyn Error + Send + Sync>),
}

/// A workspace without code.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoCode;

impl CodeSearch for NoCode {
    fn find(
        &self,
        _: &str,
        _: Option<&FilePath>,
        _: usize,
        _: &dyn Fn() -> bool,
    ) -> Result<Vec<CodeChunk>, CodeSearchError> {
        Ok(Vec::new())
    }
}

/// A kind of chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChunkKind {
    /// A function.
    Function,
    /// A function of a type.
    Method,
    /// A class, a struct, an enum, an interface, an alias.
    Type,
    /// Another item at the top of a file.
    Item,
    /// Lines between blank ones, where nothing is known of the language.
    Block,
}

impl ChunkKind {
    /// As models and people read it.
    pub const fn name(self) -> &'static str {
        match self {
            ChunkKind::Function => "function",
            ChunkKind::Method => "method",
            ChunkKind::Type => "type",
            ChunkKind::Item => "item",
            ChunkKind::Block => "block",
        }
    }
}
