//! Rejections that an editor gives back after a restart, in a recording.
//!
//! Each belongs to the text of a digest, and that text is mostly opened later. Where words are recorded
//! the digest is written, and that is all. A shape has other texts: what belongs to a text that is open
//! is written in its words at once, and says so; the rest has a name in the place of the digest, and
//! the line that opens the text has the name and what was rejected in the words of that text. With that
//! the name has served. Rejections of a text that is never opened make room for others in the end.

use std::borrow::Cow;
use std::collections::BTreeMap;

use foretell_core::{StoredRejection, TextDigest};
use foretell_text::Edit;

use super::recorded_line::{ChangeFields, RestoredFields};
use super::{changes, in_rows};
use crate::read::restored_texts::{NAME, NOW};
use crate::shape::recorded_text::{RecordedChange, RecordedText, WordRecording};

/// How many rejections wait for their texts: several times as many as a machine remembers, unless it
/// is told to remember more.
const MOST_WAITING: usize = 4_000;

/// Rejections that wait for their texts.
#[derive(Debug, Default)]
pub(super) struct PendingRestores {
    waiting: BTreeMap<TextDigest, WaitingEdits>,
    names: usize,
}

#[derive(Debug)]
struct WaitingEdits {
    number: usize,
    edits: Vec<Edit>,
}

impl WaitingEdits {
    fn name(&self) -> String {
        format!("{NAME}{}", self.number)
    }
}

impl PendingRestores {
    /// A rejection that is given back, for a document and the text that is held of it.
    pub(super) fn restored<'e>(
        &mut self,
        stored: &'e StoredRejection,
        doc: Cow<'e, str>,
        sheet: Option<&RecordedText>,
        words: &WordRecording,
    ) -> RestoredFields<'e> {
        let as_it_is = |text: Option<String>, changes: Vec<ChangeFields<'e>>| RestoredFields {
            doc: doc.clone(),
            changes,
            text,
            asleep: stored.asleep,
        };
        let WordRecording::Shape(key) = words else {
            let digest = stored.text.map(|digest| digest.to_string());
            let written = stored.edit.replacements().iter().map(|it| RecordedChange {
                range: it.range(),
                new_text: Cow::Borrowed(it.new_text()),
            });
            return as_it_is(digest, in_rows(written.collect()));
        };
        let held = sheet.filter(|sheet| stored.text == Some(TextDigest::of(sheet.text())));
        if let Some(changes) = held.and_then(|sheet| changes(sheet, &stored.edit, words)) {
            return as_it_is(Some(NOW.to_owned()), changes);
        }
        let name = stored.text.map(|digest| self.wait(digest, &stored.edit));
        let written = stored.edit.replacements().iter().map(|it| RecordedChange {
            range: it.range(),
            new_text: Cow::Owned(key.text(it.new_text())),
        });
        as_it_is(name, in_rows(written.collect()))
    }

    /// The name of a text that is opened, and what was rejected in it, if anything waits for it.
    pub(super) fn opened<'e>(
        &mut self,
        sheet: &RecordedText,
        words: &WordRecording,
    ) -> Option<(String, Vec<Vec<ChangeFields<'e>>>)> {
        if self.waiting.is_empty() {
            return None;
        }
        let waiting = self.waiting.remove(&TextDigest::of(sheet.text()))?;
        let edits = waiting.edits.iter().map(|edit| {
            let written = sheet.clone().edit(edit, words)?;
            Some(in_rows(
                written.into_iter().map(RecordedChange::owned).collect(),
            ))
        });
        let edits: Option<Vec<_>> = edits.collect();
        Some((waiting.name(), edits.unwrap_or_default()))
    }

    /// Lets something wait for the text of a digest, and says by which name.
    fn wait(&mut self, digest: TextDigest, edit: &Edit) -> String {
        let number = self.names + 1;
        let edits = Vec::new();
        let waiting = self.waiting.entry(digest);
        let waiting = waiting.or_insert(WaitingEdits { number, edits });
        waiting.edits.push(edit.clone());
        let name = waiting.name();
        self.names = self.names.max(waiting.number);
        while self.many() > MOST_WAITING {
            let oldest = self.waiting.iter().min_by_key(|(_, it)| it.number);
            let Some(oldest) = oldest.map(|(digest, _)| *digest) else {
                break;
            };
            self.waiting.remove(&oldest);
        }
        name
    }

    fn many(&self) -> usize {
        self.waiting.values().map(|it| it.edits.len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use foretell_core::RejectionId;
    use foretell_text::{ByteOffset, DocumentId, Replacement, Text};

    use super::*;
    use crate::shape::ShapeKey;

    fn stored(text: &str) -> StoredRejection {
        StoredRejection {
            id: RejectionId::new(0),
            document: DocumentId::new("a"),
            edit: Replacement::insertion(ByteOffset::ZERO, "x").into(),
            text: Some(TextDigest::of(&Text::from(text))),
            asleep: true,
        }
    }

    #[test]
    fn what_waits_is_forgotten_when_it_was_told_and_when_there_is_too_much() {
        let words = WordRecording::Shape(ShapeKey::new(|one, other| one ^ other));
        let mut restoring = PendingRestores::default();
        let give = |restoring: &mut PendingRestores, text: &str| {
            let stored = stored(text);
            restoring
                .restored(&stored, Cow::Borrowed("a"), None, &words)
                .text
        };
        assert_eq!(give(&mut restoring, "one").as_deref(), Some("#1"));
        let sheet = RecordedText::new(&Text::from("one"), &words);
        let told = restoring.opened(&sheet, &words).expect("it waits");
        assert_eq!((told.0.as_str(), told.1.len()), ("#1", 1));
        assert!(restoring.opened(&sheet, &words).is_none(), "it was told");
        assert_eq!(give(&mut restoring, "one").as_deref(), Some("#2"));

        for number in 0..MOST_WAITING {
            give(&mut restoring, &number.to_string());
        }
        assert_eq!(restoring.many(), MOST_WAITING);
        assert!(restoring.opened(&sheet, &words).is_none(), "the oldest");
    }
}
