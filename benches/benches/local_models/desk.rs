//! The editor as the person has it before them: documents, a cursor, and ghost text.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use foretell_text::Edit;
use serde_json::{Value, json};

use crate::session::{OpenedDocument, PAUSE, TypedChange};

/// The documents, and where the person is.
#[derive(Default)]
pub(crate) struct Desk {
    documents: BTreeMap<String, DeskDocument>,
    /// Which document the cursor is in.
    pub(crate) path: String,
    /// Where it is, in bytes.
    pub(crate) cursor: usize,
}

pub(crate) struct DeskDocument {
    pub(crate) text: String,
    pub(crate) version: i64,
}

impl Desk {
    pub(crate) fn open(&mut self, opened: &OpenedDocument) {
        let version = self.documents.get(&opened.path).map_or(0, |it| it.version);
        let document = DeskDocument {
            text: opened.text.clone(),
            version: version + 1,
        };
        self.documents.insert(opened.path.clone(), document);
    }

    /// Changes a document, and says so in the language server's way.
    pub(crate) fn change(&mut self, change: &TypedChange) -> Vec<Value> {
        let document = self.documents.get_mut(&change.path);
        let document = document.expect("it was opened before");
        let mut changes = Vec::new();
        for edit in &change.edits {
            changes.extend(document.apply(edit));
        }
        document.version += 1;
        self.path.clone_from(&change.path);
        self.cursor = change.cursor.min(document.text.len());
        changes
    }

    /// The document with the cursor.
    pub(crate) fn document(&self) -> &DeskDocument {
        &self.documents[&self.path]
    }

    /// The text of a document.
    pub(crate) fn text(&self, path: &str) -> &str {
        &self.documents[path].text
    }

    /// What stands before and behind the cursor.
    pub(crate) fn around(&self) -> (&str, &str) {
        let around = self.document().text.split_at_checked(self.cursor);
        around.expect("a cursor is between characters")
    }
}

impl DeskDocument {
    /// Applies an edit from its end, so that the places before are as they were.
    fn apply(&mut self, edit: &Edit) -> Vec<Value> {
        let replacements = edit.replacements().iter().rev();
        let changes = replacements.map(|replacement| {
            let range = replacement.range();
            let (start, end) = (range.start().get(), range.end().get());
            let change = json!({
                "range": { "start": self.position(start), "end": self.position(end) },
                "text": replacement.new_text(),
            });
            self.text.replace_range(start..end, replacement.new_text());
            change
        });
        changes.collect()
    }

    /// A place as the protocol has it: the line, and UTF-16 units.
    pub(crate) fn position(&self, at: usize) -> Value {
        let before = self.text.get(..at).unwrap_or(&self.text);
        let line = before.matches('\n').count();
        let start = before.rfind('\n').map_or(0, |it| it + 1);
        let column = before.get(start..).unwrap_or_default();
        json!({ "line": line, "character": column.encode_utf16().count() })
    }

    /// The place of a position.
    pub(crate) fn offset(&self, position: &Value) -> Option<usize> {
        let line = position["line"].as_u64()? as usize;
        let start: usize = self
            .text
            .split_inclusive('\n')
            .take(line)
            .map(str::len)
            .sum();
        let mut units = position["character"].as_u64()? as usize;
        let mut at = start;
        for letter in self.text.get(start..)?.chars() {
            if units == 0 {
                break;
            }
            units = units.checked_sub(letter.len_utf16())?;
            at += letter.len_utf8();
        }
        Some(at)
    }
}

/// What a client wants to have on the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ScreenChange {
    /// A text at the cursor.
    Show(String),
    Clear,
}

/// What the person sees, and in which pauses they saw something.
pub(crate) struct Screen {
    ghost_text: Option<GhostText>,
    last_key: Option<Instant>,
    /// When something was first on the screen since the last key.
    seen: Option<Instant>,
    pub(crate) pauses: Vec<Pause>,
    /// How many suggestions were shown; one that is carried along counts once.
    pub(crate) shown: usize,
}

struct GhostText {
    path: String,
    at: usize,
    text: String,
}

/// A pause.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pause {
    /// How long after the last key something was on the screen, if it ever was.
    pub(crate) seen_after: Option<Duration>,
}

impl Screen {
    pub(crate) fn new() -> Self {
        Screen {
            ghost_text: None,
            last_key: None,
            seen: None,
            pauses: Vec::new(),
            shown: 0,
        }
    }

    /// A key was pressed. What is shown stays if the key is how it begins.
    pub(crate) fn press(&mut self, now: Instant, change: &TypedChange) {
        self.end_pause(now);
        self.last_key = Some(now);
        self.ghost_text = self.ghost_text.take().and_then(|it| it.typed_into(change));
        self.seen = self.ghost_text.as_ref().map(|_| now);
    }

    /// A client has something to show for the text as it is.
    pub(crate) fn draw(&mut self, now: Instant, desk: &Desk, change: ScreenChange) {
        let before = self.ghost_text.take();
        let ScreenChange::Show(text) = change else {
            return;
        };
        if text.trim().is_empty() {
            return;
        }
        let is_same = before.is_some_and(|it| it.text == text && it.at == desk.cursor);
        self.shown += usize::from(!is_same);
        self.seen.get_or_insert(now);
        self.ghost_text = Some(GhostText {
            path: desk.path.clone(),
            at: desk.cursor,
            text,
        });
    }

    /// A pause is over, if it was one.
    pub(crate) fn end_pause(&mut self, now: Instant) {
        let Some(last_key) = self.last_key.take() else {
            return;
        };
        if now - last_key > PAUSE {
            self.pauses.push(Pause {
                seen_after: self.seen.map(|it| it - last_key),
            });
        }
    }
}

impl GhostText {
    fn typed_into(self, change: &TypedChange) -> Option<GhostText> {
        let [edit] = &change.edits[..] else {
            return None;
        };
        let [typed] = edit.replacements() else {
            return None;
        };
        let is_here = change.path == self.path
            && typed.range().is_empty()
            && typed.range().start().get() == self.at;
        let rest = self.text.strip_prefix(typed.new_text())?;
        (is_here && !rest.is_empty()).then(|| GhostText {
            path: self.path,
            at: self.at + typed.new_text().len(),
            text: rest.to_owned(),
        })
    }
}
