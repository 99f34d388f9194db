//! Which names of another place stand for which names of ours.
//!
//! Two places are the same but for their names when every name of the one stands for exactly one of
//! the other. `this.width = width;` and `this.height = …` are: `width` stands for `height`, so the
//! line goes on with `height;`.
//!
//! Only names stand for each other: not the words of a language, not numbers, and not prose. A word
//! between two words, with nothing but blanks around it, is prose: there is no telling what would stand
//! for it. And a name that begins with a capital stands for one that does.

use std::borrow::Cow;

use foretell_text::language::common_words::is_keyword;

use super::line_words::LineWord;
use super::name_parts;
use foretell_text::code_tokens::TokenKind;

/// How many names may differ: places where more do are not the same.
const MOST_DIFFERENT: usize = 8;
/// How many names are remembered: a line with more of them is a list.
const MOST_NAMES: usize = 64;

/// Pairs of names that stand for each other, theirs first.
#[derive(Clone, Default)]
pub(super) struct NameMapping<'t>(Vec<(&'t str, &'t str)>);

/// Whether names may differ.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NameDifferences {
    Never,
    WhereMapped,
}

impl<'t> NameMapping<'t> {
    /// Takes in that a line of theirs begins as ours does, if it does.
    pub(super) fn align(
        &mut self,
        ours: &[LineWord<'t>],
        theirs: &[LineWord<'t>],
        differ: NameDifferences,
    ) -> bool {
        if theirs.len() < ours.len() {
            return false;
        }
        let pairs = ours.iter().zip(theirs).enumerate();
        let mut pairs = pairs.map(|(at, (our, their))| {
            let is_prose = is_prose(ours, at) || is_prose(theirs, at);
            (our, their, is_prose)
        });
        pairs.all(|(our, their, is_prose)| {
            if our.says == their.says {
                return !is_name(our) || is_prose || self.pair(their.says, our.says);
            }
            let may_differ = differ == NameDifferences::WhereMapped && !is_prose;
            may_differ && are_alike(our, their) && self.pair(their.says, our.says)
        })
    }

    /// Takes in that a name of theirs stands for one of ours, unless something speaks against it.
    pub(super) fn pair(&mut self, their: &'t str, our: &'t str) -> bool {
        let known = self.0.iter().find(|(t, o)| *t == their || *o == our);
        if let Some(known) = known {
            return *known == (their, our);
        }
        if their != our && self.different() >= MOST_DIFFERENT {
            return false;
        }
        if self.0.len() < MOST_NAMES {
            self.0.push((their, our));
        }
        true
    }

    /// The word of ours for a word of theirs, if it is another: what is known of it, or of a name that
    /// has parts in common with it.
    pub(super) fn ours(&self, their: &str) -> Option<Cow<'t, str>> {
        if let Some((_, our)) = self.0.iter().find(|(t, _)| *t == their) {
            return (*our != their).then_some(Cow::Borrowed(our));
        }
        let mut different = self.0.iter().filter(|(their, our)| their != our);
        different
            .find_map(|(t, o)| name_parts::like(their, t, o))
            .map(Cow::Owned)
    }

    /// Writes words of theirs in our names.
    pub(super) fn write(&self, theirs: &[LineWord<'t>], to: &mut String) {
        for word in theirs {
            to.push_str(word.gap);
            let ours = if is_name(word) {
                self.ours(word.says)
            } else {
                None
            };
            to.push_str(ours.as_deref().unwrap_or(word.says));
        }
    }

    /// Whether words of theirs follow from what is known: there is no name among them but those that
    /// stand for ours, and no number.
    pub(super) fn tell(&self, theirs: &[LineWord<'t>]) -> bool {
        theirs.iter().all(|word| {
            let is_choice = is_name(word) || word.kind == TokenKind::Number;
            let has = |name| name_parts::has(name, word.says);
            let mut known = self.0.iter();
            !is_choice
                || self.ours(word.says).is_some()
                || known.any(|(their, our)| *their == word.says || (has(their) && has(our)))
        })
    }

    /// How many names differ.
    pub(super) fn different(&self) -> usize {
        self.0.iter().filter(|(their, our)| their != our).count()
    }
}

/// Whether a word may stand for another.
pub(super) fn are_alike(our: &LineWord<'_>, their: &LineWord<'_>) -> bool {
    let starts_upper = |word: &LineWord<'_>| word.says.starts_with(char::is_uppercase);
    is_name(our) && is_name(their) && starts_upper(our) == starts_upper(their)
}

/// Whether a word is a name.
pub(super) fn is_name(word: &LineWord<'_>) -> bool {
    word.kind == TokenKind::Word && !is_keyword(word.says)
}

/// Whether a word stands in prose: between words, with only blanks around it.
fn is_prose(words: &[LineWord<'_>], at: usize) -> bool {
    let is_plain = |at: Option<usize>| at.and_then(|at| words.get(at)).is_some_and(is_name);
    is_plain(at.checked_sub(1)) || is_plain(at.checked_add(1))
}
