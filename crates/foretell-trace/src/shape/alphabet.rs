//! Which character stands for which, behind the beginning of a word.
//!
//! Characters of one class are permuted among themselves, so that two different ones never have the
//! same substitute in the same place. The classes of ASCII are small, and are shuffled. The others are
//! large, and a Feistel network permutes the numbers of a whole range of them; a number that is not of
//! the class is permuted again, until one is.

use super::{ShapeKey, WordBeginning, is_word};

/// Hashed to go on to the next character.
pub(super) const NEXT: u64 = 1 << 32;
/// Hashed to shuffle a small class.
const SHUFFLE: u64 = 2 << 32;
/// Hashed in the rounds of a network.
const ROUND: u64 = 1 << 40;

/// How often the halves of a number are mixed.
const ROUNDS: u64 = 6;

/// Scripts that are permuted within themselves, so that a shape looks like something.
const SCRIPTS: [(u32, u32); 8] = [
    (0x0080, 0x024f),
    (0x0370, 0x03ff),
    (0x0400, 0x052f),
    (0x0590, 0x06ff),
    (0x3040, 0x30ff),
    (0x4e00, 0x9fff),
    (0xac00, 0xd7a3),
    (0x1f000, 0x1faff),
];

/// All that is left of each length in UTF-8.
const OTHERS: [(u32, u32); 3] = [(0x80, 0x7ff), (0x800, 0xffff), (0x1_0000, 0x10_ffff)];

/// Characters that stand for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CharacterClass {
    Small,
    Capital,
    Digit,
    /// Not ASCII: its range, and whether it is a letter or a digit to Unicode.
    Wide((u32, u32), bool),
}

impl CharacterClass {
    /// The class of a character, if it belongs to a word.
    pub(super) fn of(c: char) -> Option<Self> {
        if !is_word(c) {
            return None;
        }
        Some(match c {
            'a'..='z' => CharacterClass::Small,
            'A'..='Z' => CharacterClass::Capital,
            '0'..='9' => CharacterClass::Digit,
            _ => CharacterClass::Wide(range_of(c), c.is_alphanumeric()),
        })
    }
}

/// The substitute of a character of a class behind a beginning.
pub(super) fn image(
    key: &ShapeKey,
    beginning: WordBeginning,
    class: CharacterClass,
    c: char,
) -> char {
    match class {
        CharacterClass::Small => shuffled(key, beginning, b'a', 26, c),
        CharacterClass::Capital => shuffled(key, beginning, b'A', 26, c),
        CharacterClass::Digit => shuffled(key, beginning, b'0', 10, c),
        CharacterClass::Wide((first, last), _) => permuted(key, beginning, class, first, last, c),
    }
}

/// The substitute of a character in a shuffled alphabet.
fn shuffled(key: &ShapeKey, beginning: WordBeginning, first: u8, many: u8, c: char) -> char {
    let place = u8::try_from(c).unwrap_or_default().saturating_sub(first);
    let mut alphabet: [u8; 26] = std::array::from_fn(|index| u8::try_from(index).unwrap_or(0));
    let mut random = key.hash(beginning.0, SHUFFLE | u64::from(first));
    for last in (1..usize::from(many)).rev() {
        random = scrambled(random);
        // Never with itself, so that all of them are one circle and none stays what it is.
        let other = usize::try_from(random % last as u64).unwrap_or_default();
        alphabet.swap(last, other);
    }
    let image = alphabet.get(usize::from(place)).copied();
    char::from(first + image.unwrap_or(place))
}

/// The substitute of a character in a permuted range.
fn permuted(
    key: &ShapeKey,
    beginning: WordBeginning,
    class: CharacterClass,
    first: u32,
    last: u32,
    c: char,
) -> char {
    let bits = u32::BITS - (last - first).leading_zeros();
    let half = bits.div_ceil(2);
    let mask = (1_u32 << half) - 1;
    let mut number = u32::from(c) - first;
    // It comes back to where it began at the latest, and that is of the class.
    loop {
        let (mut left, mut right) = (number >> half, number & mask);
        for round in 0..ROUNDS {
            let told = ROUND | (round << 33) | u64::from(right);
            let mixed = u32::try_from(key.hash(beginning.0, told) & u64::from(mask));
            (left, right) = (right, left ^ mixed.unwrap_or_default());
        }
        number = (left << half) | right;
        let found = char::from_u32(first.saturating_add(number));
        if let Some(found) = found.filter(|it| CharacterClass::of(*it) == Some(class)) {
            return found;
        }
    }
}

fn range_of(c: char) -> (u32, u32) {
    let number = u32::from(c);
    let is_in = |range: &(u32, u32)| (range.0..=range.1).contains(&number);
    let mut all = SCRIPTS.into_iter().chain(OTHERS);
    all.find(is_in).unwrap_or((number, number))
}

/// The next number of a sequence that looks random (SplitMix64).
fn scrambled(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn key(seed: u64) -> ShapeKey {
        ShapeKey::new(move |one, other| scrambled(scrambled(seed ^ one) ^ other))
    }

    #[test]
    fn characters_of_a_class_stand_for_each_other() {
        let key = key(7);
        for beginning in [WordBeginning::NONE, WordBeginning(77)] {
            for sample in [
                'a', 'Z', '5', 'é', '·', 'ж', 'λ', '中', 'か', '한', '😀', '→', '\u{301}',
            ] {
                let class = CharacterClass::of(sample).unwrap();
                let all: Vec<char> = (0..0x2_0000)
                    .filter_map(char::from_u32)
                    .filter(|c| CharacterClass::of(*c) == Some(class))
                    .collect();
                let images: BTreeSet<char> = all
                    .iter()
                    .map(|c| image(&key, beginning, class, *c))
                    .collect();
                assert_eq!(images.len(), all.len(), "{sample}: none for two");
                let stays = |c: &&char| image(&key, beginning, class, **c) == **c;
                let is_small = !matches!(class, CharacterClass::Wide(..));
                assert!(
                    !is_small || !all.iter().any(|c| stays(&c)),
                    "{sample}: none stays"
                );
                for image in images {
                    assert_eq!(CharacterClass::of(image), Some(class));
                    assert_eq!(image.len_utf8(), sample.len_utf8());
                    assert_eq!(image.len_utf16(), sample.len_utf16());
                    assert_eq!(image.is_alphanumeric(), sample.is_alphanumeric());
                    assert!(!image.is_whitespace());
                }
            }
        }
    }

    #[test]
    fn words_that_begin_alike_have_substitutes_that_begin_alike() {
        let key = key(3);
        let [long, short, other] = ["foobar2é", "foob", "fooxar2é"].map(|it| key.text(it));
        assert!(long.starts_with(&short));
        assert_eq!(long.get(..3), other.get(..3));
        let differing = long.chars().zip(other.chars()).skip(3);
        assert!(differing.filter(|(a, b)| a != b).count() >= 3);
        assert_eq!(key.text("a foobar2é"), format!("{} {long}", key.text("a")));
        assert_ne!(self::key(4).text("foobar2é"), long);
    }

    #[test]
    fn what_is_no_word_stays() {
        let key = key(3);
        let text = "_ \t\r\n{}()[];.,\u{a0}\u{2028}\"'-=+$#\u{7f}\0";
        assert_eq!(key.text(text), text);
    }
}
