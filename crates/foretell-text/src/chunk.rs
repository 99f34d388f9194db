//! Pieces of a workspace's code, as a search finds them.
//!
//! The code that cuts files and the code that quotes pieces share this noun and nothing else. A chunk
//! is what a file said when it was read: the file may say something else by now.
//!
//! Absent on purpose: how pieces are found and ranked.

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::document::Language;
use crate::file_path::FilePath;
use crate::offset::ByteRange;

/// A stretch of a file that makes sense by itself.
#[derive(Clone, PartialEq, Eq)]
pub struct Chunk {
    /// In which file.
    pub file: FilePath,
    /// On which lines, the first line of a file being 1.
    pub lines: RangeInclusive<usize>,
    /// What it is written in.
    pub language: Language,
    /// What it is.
    pub kind: ChunkKind,
    /// What it is called, if it has a name.
    pub name: Option<Arc<str>>,
    /// What it says: those lines, whole, with or without the last line end.
    pub text: Arc<str>,
    /// Which parts of what it says are never told: those that the whole file said are secret. A part of
    /// a key does not look like one.
    pub secrets: Arc<[ByteRange]>,
}

/// Which file and how long: what a file says does not belong in a log.
impl fmt::Debug for Chunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, last) = (self.lines.start(), self.lines.end());
        write!(f, "{}:{first}-{last}, {} bytes", self.file, self.text.len())
    }
}

/// What a chunk is.
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
