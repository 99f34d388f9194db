//! An editor with one person in it, driving the machine.
//!
//! Stories about what the machine does are told with this, so that they read as what a person does.
//! After every event the machine checks itself.

use std::sync::Arc;

use foretell_core::{Action, Core, Event, Moment, Record, RejectionId};
use foretell_settings::Settings;
use foretell_text::{
    ByteOffset, ChangeReason, DocumentId, Edit, Language, Replacement, Text, Version,
};

use crate::model::range;

/// An editor with one person in it.
pub struct Editor {
    /// What it drives.
    pub core: Core,
    /// The document that is looked at.
    pub document: DocumentId,
    version: i64,
    undo: Vec<Edit>,
    records: Vec<Record>,
}

impl Editor {
    /// An editor in which a text is open.
    pub fn with(text: &str) -> Self {
        Editor::with_settings(text, |_| {})
    }

    /// The same with other settings.
    pub fn with_settings(text: &str, change: impl FnOnce(&mut Settings)) -> Self {
        let mut settings = Settings::default();
        change(&mut settings);
        let mut editor = Editor {
            core: Core::new(Arc::new(settings)),
            document: DocumentId::new("file:///test.ts"),
            version: 0,
            undo: Vec::new(),
            records: Vec::new(),
        };
        editor.open(text);
        editor
    }

    /// Tells the machine something and lets it check itself.
    pub fn tell(&mut self, event: Event) {
        self.tell_at(Moment::from_millis(0), event);
    }

    /// The same at a moment.
    pub fn tell_at(&mut self, now: Moment, event: Event) {
        self.core.handle(now, event);
        while let Some(action) = self.core.poll_action() {
            if let Action::Record(record) = action {
                self.records.push(record);
            }
        }
        self.core.assert_invariants();
    }

    /// Opens the document, or sends its whole text again.
    pub fn open(&mut self, text: &str) {
        self.tell(Event::DocumentOpened {
            document: self.document.clone(),
            language: Language::new("typescript"),
            version: Version::new(self.version),
            text: Text::from(text),
        });
    }

    /// Closes the document and gives its last text.
    pub fn close(&mut self) -> String {
        let text = self.text();
        self.tell(Event::DocumentClosed {
            document: self.document.clone(),
        });
        text
    }

    /// Goes to another document, which is opened if it was not.
    pub fn go_to(&mut self, uri: &str, text: &str) {
        self.document = DocumentId::new(uri);
        if self.core.text(&self.document).is_none() {
            self.open(text);
        }
    }

    /// The text as the machine has it.
    pub fn text(&self) -> String {
        self.core.text(&self.document).unwrap().to_string()
    }

    /// Makes a change that can be undone.
    pub fn edit(&mut self, edit: Edit) {
        let inverse = edit.inverse(self.core.text(&self.document).unwrap());
        self.undo.push(inverse.unwrap());
        self.edits(vec![edit], ChangeReason::Typed);
    }

    /// Makes several changes in one notification.
    pub fn edits(&mut self, edits: Vec<Edit>, reason: ChangeReason) {
        self.edits_at(Moment::from_millis(0), edits, reason);
    }

    /// The same at a moment.
    pub fn edits_at(&mut self, now: Moment, edits: Vec<Edit>, reason: ChangeReason) {
        self.version += 1;
        self.tell_at(
            now,
            Event::DocumentChanged {
                document: self.document.clone(),
                version: Version::new(self.version),
                edits,
                reason,
            },
        );
    }

    /// Types a text key by key.
    pub fn type_at(&mut self, at: usize, keys: &str) {
        for (offset, key) in keys.char_indices() {
            self.edit(insert(at + offset, &key.to_string()));
        }
    }

    /// Takes the last change back.
    pub fn undo(&mut self) {
        let inverse = self.undo.pop().unwrap();
        self.edits(vec![inverse], ChangeReason::Undo);
    }

    /// Rejects an edit.
    pub fn reject(&mut self, edit: &Edit) {
        self.tell(Event::EditRejected {
            document: self.document.clone(),
            edit: edit.clone(),
        });
    }

    /// Whether an edit is rejected.
    pub fn rejects(&self, edit: &Edit) -> bool {
        self.matches(edit).is_some()
    }

    /// By which rejection an edit is rejected.
    pub fn matches(&self, edit: &Edit) -> Option<u64> {
        let matched = self.core.is_rejected(&self.document, edit);
        matched.map(RejectionId::get)
    }

    /// What the machine wrote down last.
    pub fn last_record(&self) -> &Record {
        self.records.last().unwrap()
    }
}

/// Puts a text in.
pub fn insert(at: usize, new_text: &str) -> Edit {
    Edit::from(Replacement::insertion(ByteOffset::new(at), new_text))
}

/// Takes a stretch out.
pub fn delete(start: usize, end: usize) -> Edit {
    Edit::from(Replacement::deletion(range(start, end)))
}

/// Puts a text in the place of a stretch.
pub fn replace(start: usize, end: usize, new_text: &str) -> Edit {
    Edit::from(Replacement::new(range(start, end), new_text))
}
