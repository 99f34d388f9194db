//! What a model is told besides the document, as those who gather it hand it to those who tell it.
//!
//! Models that take messages are told Markdown, and models that continue files are told files. So
//! there is both: a section as Markdown, and the code that it quotes, each piece with the path of its
//! file and without times, numbers of lines and remarks, so that it is the same the next time it is
//! told.
//!
//! Nothing in here is secret: it was redacted before.

use std::fmt;
use std::sync::Arc;

/// What stands between two sections in Markdown, of which each ends with a newline.
pub const SECTION_SEPARATOR: &str = "\n---\n\n";

/// What a source of context found, as it is told.
#[derive(Clone, PartialEq, Eq)]
pub struct ToldSection {
    /// Which source.
    pub source: &'static str,
    /// In Markdown.
    pub markdown: Arc<str>,
    /// The code in it, as far as it is told whole.
    pub pieces: Vec<ContextPiece>,
}

/// Code of a file that a model is told besides the document.
#[derive(Clone, PartialEq, Eq)]
pub struct ContextPiece {
    /// What the file is called.
    pub path: Arc<str>,
    /// Its code, in whole lines, without an end behind the last.
    pub text: Arc<str>,
}

/// Which source and how long: what it quotes does not belong in a log.
impl fmt::Debug for ToldSection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (bytes, pieces) = (self.markdown.len(), self.pieces.len());
        write!(f, "{}: {bytes} bytes, {pieces} pieces", self.source)
    }
}

/// How long: what a piece says does not belong in a log.
impl fmt::Debug for ContextPiece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.text.len())
    }
}
