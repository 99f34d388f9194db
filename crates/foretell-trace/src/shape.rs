//! The shape of a text: every word replaced by another of the same length, so that decisions replay
//! and the words themselves are not in it.
//!
//! Words are runs of letters and digits; every character that is not ASCII counts as one of those,
//! unless it is white space. All else (white space, line ends, ASCII punctuation) stays as it is. A
//! substitute has the length of its character in UTF-8 and in UTF-16; small letters stay small, capital
//! ones capital, digits digits, and what is a letter to Unicode stays one.
//!
//! People type words letter by letter into what was suggested, and what they typed is compared with
//! it. So the substitute of a character depends on the characters before it in its word, and on nothing
//! behind it: words that begin alike have substitutes that begin alike, and others do not. Which letter
//! stands for which is a permutation, another one after every beginning, chosen by a [`ShapeKey`] that is
//! made for one recording and written nowhere.
//!
//! Characters keep their substitutes while others come and go around them (see `recorded_text`), so that
//! edits have the same places and lengths as the real ones.
//!
//! # What a shape still shows
//! How long words and lines are, the punctuation and indentation, which words are the same and which
//! begin alike, what was typed when and how fast, well-known languages, and the scripts that words are
//! written in. A person who has the text can see that it is the one.
//!
//! And beginnings of words can be guessed. All first letters of small-letter words go through one permutation
//! in the whole file, all second letters behind the same first one through another, and so on. A person who
//! guesses a common word from its place and length (`fn`, `let`, `return`) knows from then on the first
//! letters of all words that begin with the same letter, and as much of a longer word as it has in common with
//! one that was guessed: `letter` shows its `let`. The rest of the word is as secret as the key. It cannot be
//! otherwise while what is typed letter by letter is compared with what was suggested.
//!
//! # Where decisions may differ
//! The same word put together from other pieces is not known as the same: `bar` that is left of
//! `foobar`, and `bar` that is typed anew. Typing into a suggestion from the middle of one of its words
//! on is such a case. And where things happen in several documents at the very same moment, their order
//! is that of the names of the documents, which are others.

mod alphabet;
mod cuts;
pub(crate) mod recorded_text;

use std::fmt;

use alphabet::{CharacterClass, image};

/// Decides which letter stands for which. Made for one recording, of randomness that the caller
/// has.
pub struct ShapeKey {
    hash: Box<dyn Fn(u64, u64) -> u64 + Send>,
}

impl ShapeKey {
    /// A key by a hash of two numbers that cannot be foretold, such as one of the standard library's
    /// with a random state.
    pub fn new(hash: impl Fn(u64, u64) -> u64 + Send + 'static) -> Self {
        ShapeKey {
            hash: Box::new(hash),
        }
    }

    fn hash(&self, one: u64, other: u64) -> u64 {
        (self.hash)(one, other)
    }

    /// The substitute of a text that stands by itself.
    pub(crate) fn text(&self, text: &str) -> String {
        self.continued(WordBeginning::NONE, text).0
    }

    /// The substitute of a text that goes on behind the beginning of a word, and the beginning that
    /// whatever comes next goes on behind.
    fn continued(&self, mut beginning: WordBeginning, text: &str) -> (String, WordBeginning) {
        let mut substitute = String::with_capacity(text.len());
        for c in text.chars() {
            match CharacterClass::of(c) {
                Some(class) => {
                    substitute.push(image(self, beginning, class, c));
                    beginning = beginning.and(self, c);
                }
                None => {
                    substitute.push(c);
                    beginning = WordBeginning::NONE;
                }
            }
        }
        (substitute, beginning)
    }
}

/// It is a secret.
impl fmt::Debug for ShapeKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// The characters of a word before some place in it, as a number from which they cannot be recovered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WordBeginning(u64);

impl WordBeginning {
    /// Where a word begins.
    const NONE: WordBeginning = WordBeginning(0);

    /// The same and one character more.
    fn and(self, key: &ShapeKey, c: char) -> Self {
        WordBeginning(key.hash(self.0, alphabet::NEXT | u64::from(u32::from(c))))
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || (!c.is_ascii() && !c.is_whitespace())
}
