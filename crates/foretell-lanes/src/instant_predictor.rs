//! A predictor that answers at once: in well under a millisecond, without a task, a thread or anything to
//! wait for.
//!
//! It is told of documents as they change, and reads nothing when it is asked. Nothing is told of an
//! excluded document, nor of one of which it is not known yet.
//!
//! Absent on purpose: whether what it says is shown, and what is a secret, which the caller says.

pub use foretell_predict::{DocumentHome, LineScreen};
use foretell_text::{
    ByteOffset, ChangeReason, CodePlace, CursorPrediction, DocumentId, Edit, FilePath, Language,
    PredictionAsk, Text, TextProbability,
};

/// A predictor that answers at once.
pub trait InstantPredictor: Send {
    /// Lines of documents that are opened from now on are learned only if the screen lets them.
    fn screen_lines(&mut self, _screen: LineScreen) {}

    /// A document is open with a text, and may be learned from. One that is open already begins anew.
    fn open(&mut self, _document: &DocumentId, _language: &Language, _text: &Text) {}

    /// An edit was made in an open document, which has this text now.
    fn change(
        &mut self,
        _document: &DocumentId,
        _text: &Text,
        _edit: &Edit,
        _reason: ChangeReason,
    ) {
    }

    /// A document is closed: what stands in it is forgotten, what was typed into it may be kept.
    fn close(&mut self, _document: &DocumentId) {}

    /// A document may not be learned from any more, whether it is open or was: what stands in it is
    /// forgotten, and what was typed into it, and nothing that is known of its file counts.
    fn forget(&mut self, document: &DocumentId) {
        self.close(document);
    }

    /// It is not known any more which documents may be learned from of those that are closed: what was
    /// typed into them is forgotten.
    fn forget_closed(&mut self) {}

    /// Whether a document is open as far as is known here: one that was let go of is opened again.
    fn knows(&self, document: &DocumentId) -> bool;

    /// A document has this name: that of its file in a workspace, or a whole path.
    fn call(&mut self, _document: &DocumentId, _name: &FilePath) {}

    /// A document is in this workspace, or in none: what is typed in one is said in no other.
    fn place(&mut self, _document: &DocumentId, _home: DocumentHome) {}

    /// How the text goes on at a place.
    fn predict(&mut self, question: &PredictionQuestion<'_>) -> Option<CursorPrediction>;

    /// The line of a workspace that came about most like what was said last, if it was learned there.
    fn source(&self) -> Option<CodePlace> {
        None
    }
}

/// A question to a predictor that answers at once.
#[derive(Clone, Copy)]
pub struct PredictionQuestion<'a> {
    /// The document.
    pub document: &'a DocumentId,
    /// Where the cursor is.
    pub at: ByteOffset,
    /// The moment in which it is asked.
    pub ask: PredictionAsk,
    /// How likely what it says has to be.
    pub threshold: TextProbability,
}
