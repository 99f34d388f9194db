//! How long a text is for a model.
//!
//! Counting is a trait, so that an exact tokenizer can take the estimate's place. Such tokenizers are
//! slow, and they are neither additive (two texts side by side may share a token) nor monotone (one
//! more character may merge two tokens into one). So no counts are added up here to decide anything:
//! what must fit is counted as the one text that it will be. What keeps that cheap is being allowed
//! to say no early: [`CountTokens::fewest`] without looking, [`CountTokens::count_within`] as soon as
//! it is clear.

/// Counts the tokens of a text.
pub trait CountTokens: Send + Sync {
    /// How many tokens a text has.
    fn count(&self, text: &str) -> usize;

    /// How many tokens a text of so many bytes has at least, without looking at it. Never more for
    /// fewer bytes; nothing, where nothing is known. A tokenizer can divide by the length of its
    /// longest token.
    fn fewest(&self, _bytes: usize) -> usize {
        0
    }

    /// How many tokens a text has, unless they are more than `limit`.
    ///
    /// This always agrees with [`count`](Self::count). A tokenizer that works from front to back does
    /// well to have its own, which stops as soon as there are too many: it is asked about texts that
    /// are many times too long.
    fn count_within(&self, text: &str, limit: usize) -> Option<usize> {
        if self.fewest(text.len()) > limit {
            return None;
        }
        Some(self.count(text)).filter(|tokens| *tokens <= limit)
    }
}

/// How many UTF-16 units are taken as one token.
const UNITS: usize = 4;
/// The most bytes that one UTF-16 unit stands for.
const MOST_BYTES_OF_A_UNIT: usize = 3;

/// One token for every 4 UTF-16 units, rounded up: what is used where no tokenizer is configured.
#[derive(Clone, Copy, Debug, Default)]
pub struct TokenEstimate;

impl CountTokens for TokenEstimate {
    fn count(&self, text: &str) -> usize {
        str_indices::utf16::count(text).div_ceil(UNITS)
    }

    fn fewest(&self, bytes: usize) -> usize {
        bytes.div_ceil(MOST_BYTES_OF_A_UNIT * UNITS)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn four_units_are_a_token_and_a_begun_one_counts() {
        let counts = [
            "",
            "a",
            "abcd",
            "abcde",
            "größe",
            "合計が上限",
            "🎉🎉",
            "🎉🎉🎉",
        ]
        .map(|text| TokenEstimate.count(text));
        assert_eq!(counts, [0, 1, 1, 2, 2, 2, 1, 2]);
    }

    #[test]
    fn a_long_text_is_turned_away_by_its_length_alone() {
        assert_eq!(TokenEstimate.fewest(200_000), 16_667);
        assert_eq!(
            TokenEstimate.count_within(&"語".repeat(8_000), 2_000),
            Some(2_000)
        );
        assert_eq!(TokenEstimate.count_within(&"語".repeat(8_001), 2_000), None);
    }

    proptest! {
        #[test]
        fn the_estimate_is_that_of_the_plainest_model(text in any::<String>(), limit in 0..80_usize) {
            let plain = text.encode_utf16().count().div_ceil(4);
            prop_assert_eq!(TokenEstimate.count(&text), plain);
            prop_assert!(TokenEstimate.fewest(text.len()) <= plain);
            let within = (plain <= limit).then_some(plain);
            prop_assert_eq!(TokenEstimate.count_within(&text, limit), within);
        }
    }
}
