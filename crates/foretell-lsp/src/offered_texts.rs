//! The latest offers, word for word, and the texts they were made for.
//!
//! An editor that says how much of a suggestion was taken counts in UTF-16 units of the text it was
//! sent, and the machine wants bytes. Only the text itself can tell, so the latest are kept. So is
//! where they were offered, because there are editors that say the same whether the person dismissed
//! a suggestion or typed something else.

use std::collections::BTreeMap;

use foretell_core::{Core, SuggestionId};
use foretell_text::{
    ByteOffset, ByteRange, DocumentId, Edit, OffsetError, Text, Utf16Offset, Version,
};

/// How many suggestions are kept.
const MOST: usize = 256;

/// The latest suggestions.
#[derive(Default)]
pub(crate) struct OfferedTexts {
    all: BTreeMap<SuggestionId, OfferedText>,
}

/// A suggestion as it was sent.
pub(crate) struct OfferedText {
    /// Its words, as far as an editor counts them.
    pub(crate) words: String,
    /// How many UTF-16 units of the line were sent in front of them.
    pub(crate) in_front: usize,
    /// Its changes.
    pub(crate) edit: Edit,
    /// In which document, in which of its texts, and how long that was.
    pub(crate) document: DocumentId,
    pub(crate) version: Version,
    pub(crate) end_of_text: ByteOffset,
}

/// From where on an editor counts how much of a suggestion was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CountsFrom {
    /// From the start of the line, with what was sent in front of it.
    Line,
    /// From the cursor, as far as anybody knows.
    Cursor,
}

/// The person's edits since a suggestion was offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TypedSince {
    /// Nothing.
    Nothing,
    /// They have typed the beginning of it.
    TypedIntoIt,
    /// They have typed something else, or the document is gone.
    TypedOverIt,
}

impl OfferedTexts {
    pub(crate) fn put(&mut self, suggestion: SuggestionId, offered: OfferedText) {
        self.all.insert(suggestion, offered);
        if self.all.len() > MOST {
            // Numbers grow, so that the first is the oldest.
            self.all.pop_first();
        }
    }

    /// How many bytes of a suggestion so many UTF-16 units are. Nothing, if that is all of it, or if
    /// it is not known any more.
    pub(crate) fn bytes_of(
        &self,
        suggestion: SuggestionId,
        units: usize,
    ) -> Result<Option<usize>, OffsetError> {
        let Some(offered) = self.all.get(&suggestion) else {
            return Ok(None);
        };
        let words = offered.words.as_str();
        let bytes = Text::from(words).byte_of(Utf16Offset::new(units))?;
        Ok(Some(bytes.get()).filter(|bytes| *bytes < words.len()))
    }

    /// The same for editors that may tell more than there is of it, which is all of it.
    pub(crate) fn bytes_of_at_most(
        &self,
        suggestion: SuggestionId,
        units: usize,
    ) -> Result<Option<usize>, OffsetError> {
        let offered = self.all.get(&suggestion);
        let all = offered.map_or(0, |it| it.words.encode_utf16().count());
        if units >= all {
            Ok(None)
        } else {
            self.bytes_of(suggestion, units)
        }
    }

    /// The same for editors that were sent the line in front of it as well. More than there is of it,
    /// counted from the cursor on, was counted from the start of the line on, if it can have been.
    pub(crate) fn bytes_of_line(
        &self,
        suggestion: SuggestionId,
        units: usize,
        from: CountsFrom,
    ) -> Result<Option<usize>, OffsetError> {
        let Some(offered) = self.all.get(&suggestion) else {
            return Ok(None);
        };
        let all = offered.words.encode_utf16().count();
        if from == CountsFrom::Cursor && units <= all {
            return self.bytes_of_at_most(suggestion, units);
        }
        // Nothing of it cannot be taken: somebody has counted something else.
        match units.saturating_sub(offered.in_front) {
            0 => Ok(None),
            units => self.bytes_of_at_most(suggestion, units),
        }
    }

    /// A suggestion that is still known.
    pub(crate) fn get(&self, suggestion: SuggestionId) -> Option<&OfferedText> {
        self.all.get(&suggestion)
    }
}

impl OfferedText {
    /// Compares the text with the one it was offered for.
    pub(crate) fn since(&self, core: &Core) -> TypedSince {
        if core.version(&self.document) == Some(self.version) {
            return TypedSince::Nothing;
        }
        let text = core.text(&self.document);
        if text.is_some_and(|text| self.is_typed_into(text)) {
            TypedSince::TypedIntoIt
        } else {
            TypedSince::TypedOverIt
        }
    }

    /// Whether a later text is the one it was offered for, with the beginning of it typed. That is looked
    /// at where it is one piece, as what is drawn at the cursor is.
    fn is_typed_into(&self, text: &Text) -> bool {
        let [piece] = self.edit.replacements() else {
            return false;
        };
        let typed = text.end().get().checked_sub(self.end_of_text.get());
        let Some(typed) = typed.and_then(|typed| piece.new_text().get(..typed)) else {
            return false;
        };
        let start = piece.range().start();
        let end = ByteOffset::new(start.get() + typed.len());
        let there = ByteRange::new(start, end).ok();
        let there = there.and_then(|there| text.read(there).ok());
        !typed.is_empty() && there.is_some_and(|there| there == typed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foretell_core::RequestId;
    use foretell_text::Replacement;

    fn suggestion(number: u64) -> SuggestionId {
        SuggestionId {
            request: RequestId::new(number),
            candidate: 0,
        }
    }

    /// Something offered behind `let x`.
    fn offered(words: &str) -> OfferedText {
        OfferedText {
            words: words.to_owned(),
            in_front: 5,
            edit: Edit::from(Replacement::insertion(ByteOffset::new(5), words)),
            document: DocumentId::new("file:///a"),
            version: Version::new(1),
            end_of_text: ByteOffset::new(5),
        }
    }

    #[test]
    fn units_become_bytes() {
        let mut all = OfferedTexts::default();
        all.put(suggestion(1), offered("a😀b"));
        assert_eq!(all.bytes_of(suggestion(1), 3), Ok(Some(5)));
        assert_eq!(all.bytes_of(suggestion(1), 4), Ok(None), "all of it");
        assert!(all.bytes_of(suggestion(1), 2).is_err(), "half a face");
        assert!(all.bytes_of(suggestion(1), 5).is_err());
        assert_eq!(all.bytes_of(suggestion(2), 5), Ok(None), "unknown");
        assert_eq!(all.bytes_of_at_most(suggestion(1), 3), Ok(Some(5)));
        assert_eq!(all.bytes_of_at_most(suggestion(1), 5), Ok(None));
        assert!(all.bytes_of_at_most(suggestion(1), 2).is_err());
    }

    #[test]
    fn units_of_a_line_become_bytes_of_what_was_put_behind_it() {
        let mut all = OfferedTexts::default();
        all.put(suggestion(1), offered("a😀b"));
        let bytes_of = |units, from| all.bytes_of_line(suggestion(1), units, from);
        assert_eq!(bytes_of(6, CountsFrom::Line), Ok(Some(1)));
        assert_eq!(bytes_of(8, CountsFrom::Line), Ok(Some(5)));
        assert_eq!(bytes_of(9, CountsFrom::Line), Ok(None), "all of it");
        assert_eq!(bytes_of(90, CountsFrom::Line), Ok(None));
        assert_eq!(bytes_of(5, CountsFrom::Line), Ok(None), "nothing of it");
        assert!(bytes_of(7, CountsFrom::Line).is_err(), "half a face");
        assert_eq!(bytes_of(3, CountsFrom::Cursor), Ok(Some(5)));
        assert_eq!(bytes_of(4, CountsFrom::Cursor), Ok(None), "all of it");
        assert_eq!(bytes_of(6, CountsFrom::Cursor), Ok(Some(1)), "of the line");
        assert_eq!(bytes_of(9, CountsFrom::Cursor), Ok(None));
    }

    #[test]
    fn the_oldest_go_first() {
        let mut all = OfferedTexts::default();
        for number in 0..1_000 {
            all.put(suggestion(number), offered("ab"));
        }
        assert_eq!(all.all.len(), MOST);
        assert_eq!(all.bytes_of(suggestion(0), 1), Ok(None));
        assert_eq!(all.bytes_of(suggestion(999), 1), Ok(Some(1)));
    }

    #[test]
    fn typing_into_a_suggestion_is_told_from_typing_over_it() {
        let offered = offered(" = 😀;");
        for into in ["let x ", "let x = ", "let x = 😀"] {
            assert!(offered.is_typed_into(&Text::from(into)), "{into}");
        }
        for over in [
            "let x",
            "let",
            "let x;",
            "let y ",
            "let x = 😀;;",
            "aaaaaaaaaaaa",
        ] {
            let is_into = offered.is_typed_into(&Text::from(over));
            // The text in front of it is not looked at.
            assert_eq!(is_into, over == "let y ", "{over}");
        }
    }
}
