//! The language model that learns from the person's own code, as a predictor that answers at once.
//!
//! It knows what is open, what was typed and what is on the shelf of workspaces, and says how the line goes
//! on. Prose is not learned: what comes next there is not in the person's code.
//!
//! Absent on purpose: how it comes to what it says, which is `foretell-predict`'s, and whether it is shown.

use std::path::Path;
use std::sync::Arc;

use foretell_predict::{DocumentHome, Likelihood, LineScreen, Predictor};
use foretell_text::{
    ByteOffset, ChangeReason, CodePlace, CursorPrediction, DocumentId, Edit, FilePath,
    LaneCandidate, Language, Replacement, Text, TextProbability,
};

use super::workspace_shelf::WorkspaceShelf;
use crate::instant_predictor::{InstantPredictor, PredictionQuestion};

/// The language model.
#[derive(Debug, Default)]
pub struct LineModel {
    predictor: Predictor,
    shelf: Arc<WorkspaceShelf>,
    /// How many changes of the shelf it knows of.
    seen: u64,
}

impl LineModel {
    /// One that knows of workspaces, too.
    pub fn with_workspaces(shelf: Arc<WorkspaceShelf>) -> Self {
        LineModel {
            shelf,
            ..LineModel::default()
        }
    }

    /// How the line goes on, if that is as likely as this.
    fn predict_line(
        &mut self,
        document: &DocumentId,
        at: ByteOffset,
        threshold: TextProbability,
    ) -> Option<CursorPrediction> {
        if let Some(parts) = self.shelf.take_new(&mut self.seen) {
            self.predictor.set_workspaces(parts);
        }
        let line = self.predictor.predict(document, at)?;
        let said = line.cut(Likelihood::from_thousandths(threshold.thousandths()))?;
        let thousandths = u16::try_from(said.probability.thousandths()).unwrap_or(u16::MAX);
        Some(CursorPrediction {
            candidate: LaneCandidate::new(
                document.clone(),
                Edit::from(Replacement::insertion(at, said.text)),
            ),
            probability: TextProbability::from_thousandths(thousandths),
        })
    }
}

impl InstantPredictor for LineModel {
    fn screen_lines(&mut self, screen: LineScreen) {
        self.predictor.set_screen(screen);
    }

    fn open(&mut self, document: &DocumentId, language: &Language, text: &Text) {
        if language.facts().has_rules() {
            self.predictor.open(document, language, text);
        }
    }

    fn change(&mut self, document: &DocumentId, text: &Text, edit: &Edit, reason: ChangeReason) {
        self.predictor.change(document, text, edit, reason);
    }

    fn close(&mut self, document: &DocumentId) {
        self.predictor.close(document);
    }

    fn call(&mut self, document: &DocumentId, name: &FilePath) {
        // What has its whole path for a name is in none of the workspaces.
        let is_in_one = !Path::new(name.as_str()).is_absolute();
        let name = is_in_one.then_some(name.as_str());
        self.predictor.call(document, name);
    }

    fn place(&mut self, document: &DocumentId, home: DocumentHome) {
        self.predictor.place_document(document, home);
    }

    fn forget(&mut self, document: &DocumentId) {
        self.predictor.forget_document(document);
    }

    fn forget_closed(&mut self) {
        self.predictor.forget_closed();
    }

    fn knows(&self, document: &DocumentId) -> bool {
        self.predictor.knows(document)
    }

    fn predict(&mut self, question: &PredictionQuestion<'_>) -> Option<CursorPrediction> {
        self.predict_line(question.document, question.at, question.threshold)
    }

    fn source(&self) -> Option<CodePlace> {
        self.predictor.source()
    }
}
