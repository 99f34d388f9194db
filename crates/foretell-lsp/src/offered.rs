//! What was offered lately, word for word.
//!
//! An editor that says how much of a suggestion was taken counts in UTF-16 units of the text it was
//! sent, and the machine wants bytes. Only the text itself can tell, so the latest are kept.

use std::collections::BTreeMap;

use foretell_core::SuggestionId;
use foretell_text::{OffsetError, Text, Utf16Offset};

/// How many suggestions are kept.
const MOST: usize = 256;

/// The latest suggestions.
#[derive(Default)]
pub(crate) struct Offered {
    texts: BTreeMap<SuggestionId, String>,
}

impl Offered {
    pub(crate) fn put(&mut self, suggestion: SuggestionId, text: String) {
        self.texts.insert(suggestion, text);
        if self.texts.len() > MOST {
            // Numbers grow, so that the first is the oldest.
            self.texts.pop_first();
        }
    }

    /// How many bytes of a suggestion so many UTF-16 units are. Nothing, if that is all of it, or if
    /// it is not known any more.
    pub(crate) fn bytes_of(
        &self,
        suggestion: SuggestionId,
        units: usize,
    ) -> Result<Option<usize>, OffsetError> {
        let Some(text) = self.texts.get(&suggestion) else {
            return Ok(None);
        };
        let bytes = Text::from(text.as_str()).byte_of(Utf16Offset::new(units))?;
        Ok(Some(bytes.get()).filter(|bytes| *bytes < text.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foretell_core::RequestId;

    fn suggestion(number: u64) -> SuggestionId {
        SuggestionId {
            request: RequestId::new(number),
            candidate: 0,
        }
    }

    #[test]
    fn units_become_bytes() {
        let mut offered = Offered::default();
        offered.put(suggestion(1), "a😀b".to_owned());
        assert_eq!(offered.bytes_of(suggestion(1), 3), Ok(Some(5)));
        assert_eq!(offered.bytes_of(suggestion(1), 4), Ok(None), "all of it");
        assert!(offered.bytes_of(suggestion(1), 2).is_err(), "half a face");
        assert!(offered.bytes_of(suggestion(1), 5).is_err());
        assert_eq!(offered.bytes_of(suggestion(2), 5), Ok(None), "unknown");
    }

    #[test]
    fn the_oldest_go_first() {
        let mut offered = Offered::default();
        for number in 0..1_000 {
            offered.put(suggestion(number), "ab".to_owned());
        }
        assert_eq!(offered.texts.len(), MOST);
        assert_eq!(offered.bytes_of(suggestion(0), 1), Ok(None));
        assert_eq!(offered.bytes_of(suggestion(999), 1), Ok(Some(1)));
    }
}
