//! A request to a lane: an immutable picture of the moment it is asked in.
//!
//! It is made for each lane that is started. Texts are snapshots, so that making it costs nothing
//! however large the documents are.
//!
//! Absent on purpose: any way to change something, and excluded documents: a request is made without
//! those, but for the one the cursor is in, of which no model is told then.

use std::fmt;
use std::sync::Arc;

use foretell_text::{
    ByteOffset, Chunk, Diagnostic, DocumentId, FilePath, Language, RecentEdit, Refused, Text,
};

use crate::lane_redaction::Redact;

/// Everything a lane may know.
#[derive(Clone)]
pub struct LaneRequest {
    /// The document that the cursor is in.
    pub document: OpenDocument,
    /// Where the cursor is.
    pub at: ByteOffset,
    /// The other documents that are open, the one looked at last first.
    pub others: Vec<OpenDocument>,
    /// The diagnostics of the document.
    pub diagnostics: Vec<Diagnostic>,
    /// Changes that the person took back or did not want, the latest first.
    pub refused: Vec<Refused>,
    /// Finds code in the workspace.
    pub code: Arc<dyn FindCode>,
    /// The context of the place, without secrets, for lanes that want it.
    pub context: Arc<str>,
    /// Takes secrets out of everything that is sent.
    pub redact: Arc<dyn Redact>,
    /// Whether the person asked for it.
    pub is_explicit: bool,
}

/// A document that is open.
#[derive(Clone, Debug)]
pub struct OpenDocument {
    /// Which.
    pub id: DocumentId,
    /// Its path in the workspace, or its whole path elsewhere.
    pub file: FilePath,
    /// Its language.
    pub language: Language,
    /// Its text.
    pub text: Text,
    /// The person's latest changes in it, the latest first.
    pub edits: Vec<RecentEdit>,
}

/// Finds code in the workspace. An index is one; a test's list is another.
pub trait FindCode: Send + Sync {
    /// Chunks that have the words of a text, the best first, at most so many; none if there is no
    /// workspace or it is not indexed yet. Returns early when `is_stopped` says so.
    fn find(&self, text: &str, most: usize, is_stopped: &dyn Fn() -> bool) -> Vec<Chunk>;
}

/// A workspace without code.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoCode;

impl FindCode for NoCode {
    fn find(&self, _: &str, _: usize, _: &dyn Fn() -> bool) -> Vec<Chunk> {
        Vec::new()
    }
}

/// Where, and how much there is: what people write does not belong in a log.
impl fmt::Debug for LaneRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LaneRequest")
            .field("document", &self.document.id)
            .field("at", &self.at)
            .field("others", &self.others.len())
            .field("diagnostics", &self.diagnostics.len())
            .field("refused", &self.refused.len())
            .finish_non_exhaustive()
    }
}
