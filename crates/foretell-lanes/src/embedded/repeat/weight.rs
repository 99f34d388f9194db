//! How much it says that two places have a piece in common.
//!
//! A long name that stands at both says a lot, a keyword a little, a comma next to nothing. The
//! further away a neighbour is, the less it says of the place between.

use foretell_text::language::common_words::is_frequent;

use super::document_pieces::CodePiece;
use foretell_text::code_tokens::TokenKind;

/// The worth of a piece that says something.
pub(super) fn weight(piece: &CodePiece, said: &str) -> u32 {
    match piece.kind {
        TokenKind::Word if !is_telling(said) => 10,
        TokenKind::Word if said.len() >= 8 => 30,
        TokenKind::Word => 20,
        TokenKind::Number => 10,
        _ => 4,
    }
}

/// Whether a word is a chosen name, and not one of a few letters.
pub(super) fn is_telling(word: &str) -> bool {
    word.chars().count() >= 3 && !is_frequent(word)
}

/// The worth of the nearest so many neighbours together, from none to all.
pub(super) fn sums(weights: impl Iterator<Item = u32>) -> Vec<u32> {
    let (mut sum, mut share) = (0, 100);
    let mut sums = vec![0];
    for weight in weights {
        sum += weight * share / 100;
        share = share * 9 / 10;
        sums.push(sum);
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequent_and_short_words_tell_nothing() {
        assert!(!is_telling("return") && !is_telling("id") && is_telling("index"));
    }

    #[test]
    fn far_neighbours_are_worth_less() {
        assert_eq!(sums([10, 10, 10].into_iter()), [0, 10, 19, 27]);
    }
}
