//! [`TaughtPredictor`]: a predictor that answers at once, and what each event teaches it.
//!
//! The engine and those who replay a session teach in the same way, so that a replay says what the session
//! said. A document is opened when it may be told of, edited as the editor edits it, and closed when the
//! machine has let go of it. An editor that sends whole texts has edited, too: the predictor is told the
//! difference.
//!
//! Kept: nothing is told of a document that may not be told of, and one that must not be told of any more is
//! forgotten, with all that was typed into it. Lines with a secret are not learned. A document is placed in its
//! workspace before it is told of.
//!
//! Absent on purpose: what is excluded, which the caller says.

use foretell_context::Redactor;
use foretell_core::{Core, Event};
use foretell_lanes::{DocumentHome, InstantPredictor, LineScreen, PredictionQuestion};
use foretell_text::{ChangeReason, CodePlace, CursorPrediction, DocumentId, Edit, Text};

use crate::engine::{FindFolder, NameDocument};

/// A predictor that is told of what happens.
pub struct TaughtPredictor {
    predictor: Box<dyn InstantPredictor>,
    name: NameDocument,
    /// Nothing, if all documents are taken to be in one workspace.
    folder: Option<FindFolder>,
}

/// What an event means for the predictor, once the machine knows of it.
pub struct PredictorLesson(Lesson);

enum Lesson {
    Nothing,
    /// A document has another text, or it may be known by now whether it is excluded.
    Opened(DocumentId),
    /// A document was edited, and had this text before.
    Edited {
        document: DocumentId,
        before: Text,
        edits: Vec<Edit>,
        reason: ChangeReason,
    },
    /// The same with a text as a whole.
    Replaced {
        document: DocumentId,
        before: Text,
        reason: ChangeReason,
    },
    /// A document is gone.
    Closed(DocumentId),
    /// A document must not be told of.
    Excluded(DocumentId),
}

impl PredictorLesson {
    /// The lesson of an event of which the machine does not know yet.
    pub fn of(event: &Event, core: &Core) -> Self {
        PredictorLesson(match event {
            Event::DocumentChanged {
                document,
                edits,
                reason,
                ..
            } => match core.text(document) {
                Some(before) => Lesson::Edited {
                    document: document.clone(),
                    before: before.clone(),
                    edits: edits.clone(),
                    reason: *reason,
                },
                None => Lesson::Nothing,
            },
            Event::DocumentReplaced {
                document, reason, ..
            } => match core.text(document) {
                Some(before) => Lesson::Replaced {
                    document: document.clone(),
                    before: before.clone(),
                    reason: *reason,
                },
                None => Lesson::Opened(document.clone()),
            },
            Event::DocumentOpened { document, .. } => Lesson::Opened(document.clone()),
            Event::DocumentClosed { document } | Event::DocumentLost { document } => {
                Lesson::Closed(document.clone())
            }
            Event::ExclusionKnown {
                document,
                is_excluded: true,
            } => Lesson::Excluded(document.clone()),
            _ => Lesson::Nothing,
        })
    }
}

impl TaughtPredictor {
    /// One that knows nothing yet, and what files documents are called by. It learns no line in which there
    /// is a secret.
    pub fn new(
        mut predictor: Box<dyn InstantPredictor>,
        name: NameDocument,
        redactor: &Redactor,
    ) -> Self {
        let redactor = redactor.without_memory();
        predictor.screen_lines(LineScreen::new(move |above, line| {
            redactor.is_secret_line(above, line)
        }));
        TaughtPredictor {
            predictor,
            name,
            folder: None,
        }
    }

    /// The same for documents of several workspaces, or of none.
    pub fn in_folders(self, folder: FindFolder) -> Self {
        TaughtPredictor {
            folder: Some(folder),
            ..self
        }
    }

    /// Documents have other names by now, or are in other workspaces.
    pub fn rename(&mut self, name: NameDocument, folder: FindFolder, core: &Core) {
        self.name = name;
        self.folder = Some(folder);
        for document in core.open_documents() {
            if self.predictor.knows(document) {
                self.call(document);
            }
        }
    }

    /// Tells the predictor what a document is called, and where it is.
    fn call(&mut self, document: &DocumentId) {
        if let Some(folder) = &self.folder {
            let home = folder(document);
            let home = home.map_or(DocumentHome::Nowhere, DocumentHome::Workspace);
            self.predictor.place(document, home);
        }
        self.predictor.call(document, &(self.name)(document));
    }

    /// Tells the predictor what has happened, by what the machine knows since.
    pub fn teach(
        &mut self,
        lesson: PredictorLesson,
        core: &Core,
        is_excluded: &dyn Fn(&DocumentId) -> bool,
    ) {
        match lesson.0 {
            Lesson::Nothing => {}
            Lesson::Closed(document) => self.close(&document),
            Lesson::Excluded(document) => {
                self.call(&document);
                self.predictor.forget(&document);
            }
            Lesson::Opened(document) => {
                self.close(&document);
                self.open(&document, core, is_excluded);
            }
            Lesson::Edited {
                document,
                before,
                edits,
                reason,
            } => {
                if !self.predictor.knows(&document) {
                    return self.open(&document, core, is_excluded);
                }
                let mut text = before;
                for edit in &edits {
                    let Ok(after) = edit.apply(&text) else {
                        // The machine is out of step with the editor, too.
                        return self.close(&document);
                    };
                    self.predictor.change(&document, &after, edit, reason);
                    text = after;
                }
            }
            Lesson::Replaced {
                document,
                before,
                reason,
            } => {
                let after = core.text(&document);
                match after.filter(|_| self.predictor.knows(&document)) {
                    Some(after) => {
                        let edit = Edit::between(&before, after);
                        self.predictor.change(&document, after, &edit, reason);
                    }
                    None => self.open(&document, core, is_excluded),
                }
            }
        }
    }

    /// Tells the predictor of the text of a document that it does not know, if that may be told.
    pub fn open(
        &mut self,
        document: &DocumentId,
        core: &Core,
        is_excluded: &dyn Fn(&DocumentId) -> bool,
    ) {
        let text = core.text(document).zip(core.language(document));
        if let Some((text, language)) = text
            && !self.predictor.knows(document)
            && !is_excluded(document)
        {
            self.call(document);
            self.predictor.open(document, language, text);
        }
    }

    /// A document is let go of.
    pub fn close(&mut self, document: &DocumentId) {
        if self.predictor.knows(document) {
            self.predictor.close(document);
        }
    }

    /// What is excluded may be others now, and nobody asks for documents that are closed.
    pub fn forget_closed(&mut self) {
        self.predictor.forget_closed();
    }

    /// How the text goes on at a place.
    pub fn predict(&mut self, question: &PredictionQuestion<'_>) -> Option<CursorPrediction> {
        self.predictor.predict(question)
    }

    /// The line of a workspace that what was said last was learned from, if it was.
    pub fn source(&self) -> Option<CodePlace> {
        self.predictor.source()
    }
}
