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
    ByteOffset, CodeSearch, Diagnostic, DocumentId, FilePath, Language, NoCode, RecentEdit,
    RefusedChange, Text,
};

use crate::lane_context::LaneContext;
use crate::lane_redaction::{BlankRedaction, Redact};

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
    pub refused: Vec<RefusedChange>,
    /// Finds code in the workspace.
    pub code: Arc<dyn CodeSearch>,
    /// The context of the place, without secrets, for lanes that want it.
    pub context: Arc<LaneContext>,
    /// Takes secrets out of everything that is sent.
    pub redact: Arc<dyn Redact>,
    /// Whether the person asked for it.
    pub is_explicit: bool,
    /// Whether a change counts though the person may be in the middle of it, as it does where they ask.
    pub counts_unfinished: bool,
    /// What it is asked for.
    pub purpose: QuestionPurpose,
}

/// What a lane is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QuestionPurpose {
    /// Suggestions that somebody waits for.
    #[default]
    Suggest,
    /// Nothing: its server reads the prompt, so that the next question there is short. Only a lane that tells
    /// others has anything to do.
    Warm,
    /// Suggestions for a text that may never be: that after accepting what is shown.
    LookAhead,
}

impl QuestionPurpose {
    /// Whether nobody waits for it.
    pub fn is_ahead(self) -> bool {
        self != QuestionPurpose::Suggest
    }
}

impl LaneRequest {
    /// A request at a place of a document, with nothing around it, and of which nothing may be sent.
    pub fn new(document: OpenDocument, at: ByteOffset) -> Self {
        LaneRequest {
            document,
            at,
            others: Vec::new(),
            diagnostics: Vec::new(),
            refused: Vec::new(),
            code: Arc::new(NoCode),
            context: Arc::default(),
            redact: Arc::new(BlankRedaction),
            is_explicit: false,
            counts_unfinished: false,
            purpose: QuestionPurpose::Suggest,
        }
    }
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

impl OpenDocument {
    /// A document that is called after its path, and that nobody has changed.
    pub fn new(file: &str, language: &str, text: &str) -> Self {
        OpenDocument {
            id: DocumentId::new(format!("file:///{file}")),
            file: FilePath::new(file),
            language: Language::new(language),
            text: Text::from(text),
            edits: Vec::new(),
        }
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
