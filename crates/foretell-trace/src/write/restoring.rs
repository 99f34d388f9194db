//! Rejections that an editor gives back after a restart, in a recording.
//!
//! Each belongs to the text of a digest, and that text is mostly opened later. Where words are recorded
//! the digest is written, and that is all. A shape has other texts: what belongs to a text that is open
//! is written in its words at once, and says so; the rest has a name in the place of the digest, and
//! the line that opens the text has the name and what was rejected in the words of that text.

use std::borrow::Cow;
use std::collections::BTreeMap;

use foretell_core::{Digest, StoredRejection};
use foretell_text::Edit;

use super::row::{Change, Restored};
use super::{changes, in_rows};
use crate::read::restored::{NAME, NOW};
use crate::shape::sheet::{Sheet, Words, Written};

/// What waits for its text.
#[derive(Debug, Default)]
pub(super) struct Restoring {
    waiting: BTreeMap<Digest, Waiting>,
    names: usize,
}

#[derive(Debug)]
struct Waiting {
    name: String,
    edits: Vec<Edit>,
}

impl Restoring {
    /// A rejection that is given back, for a document and the text that is held of it.
    pub(super) fn restored<'e>(
        &mut self,
        stored: &'e StoredRejection,
        (doc, sheet): (Cow<'e, str>, Option<&Sheet>),
        words: &Words,
    ) -> Restored<'e> {
        let as_it_is = |text: Option<String>, changes: Vec<Change<'e>>| Restored {
            doc: doc.clone(),
            changes,
            text,
            asleep: stored.asleep,
        };
        let Words::Shape(key) = words else {
            let digest = stored.text.map(|digest| digest.to_string());
            let written = stored.edit.replacements().iter().map(|it| Written {
                range: it.range(),
                new_text: Cow::Borrowed(it.new_text()),
            });
            return as_it_is(digest, in_rows(written.collect()));
        };
        let held = sheet.filter(|sheet| stored.text == Some(Digest::of(sheet.text())));
        if let Some(changes) = held.and_then(|sheet| changes(sheet, &stored.edit, words)) {
            return as_it_is(Some(NOW.to_owned()), changes);
        }
        let name = stored.text.map(|digest| {
            let waiting = self.waiting.entry(digest).or_insert_with(|| {
                self.names += 1;
                Waiting {
                    name: format!("{NAME}{}", self.names),
                    edits: Vec::new(),
                }
            });
            waiting.edits.push(stored.edit.clone());
            waiting.name.clone()
        });
        let written = stored.edit.replacements().iter().map(|it| Written {
            range: it.range(),
            new_text: Cow::Owned(key.text(it.new_text())),
        });
        as_it_is(name, in_rows(written.collect()))
    }

    /// The name of a text that is opened, and what was rejected in it, if anything waits for it.
    pub(super) fn opened<'e>(
        &self,
        sheet: &Sheet,
        words: &Words,
    ) -> Option<(String, Vec<Vec<Change<'e>>>)> {
        if self.waiting.is_empty() {
            return None;
        }
        let waiting = self.waiting.get(&Digest::of(sheet.text()))?;
        let edits = waiting.edits.iter().map(|edit| {
            let (_, written) = sheet.edited(edit, words)?;
            Some(in_rows(written.into_iter().map(Written::owned).collect()))
        });
        let edits: Option<Vec<_>> = edits.collect();
        Some((waiting.name.clone(), edits.unwrap_or_default()))
    }
}
