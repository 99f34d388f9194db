//! Control tokens: words that mean something to a model besides what they say.
//!
//! Written by a document they would end its prefix, or the whole prompt, wherever the person put
//! them; so they are taken out of everything that is told. Written by a model they say that its answer
//! is over. Both are done here, so that both mean the same words.
//!
//! Taking one out may bring together the halves of another. So text is taken in character by
//! character, and whatever has come together at its end is taken away at once: what is left never had
//! one in it.

use std::sync::Arc;

/// The control tokens of a model, the most telling first. Clones share them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ControlTokens {
    words: Arc<[Box<str>]>,
    /// Their last characters, each once.
    lasts: Arc<[char]>,
}

impl ControlTokens {
    /// The words as control tokens, each once; an empty one is none.
    pub fn new<'a>(words: impl IntoIterator<Item = &'a str>) -> Self {
        let mut kept: Vec<Box<str>> = Vec::new();
        for word in words {
            if !word.is_empty() && kept.iter().all(|it| **it != *word) {
                kept.push(word.into());
            }
        }
        let mut lasts: Vec<_> = kept
            .iter()
            .filter_map(|it| it.chars().next_back())
            .collect();
        lasts.sort_unstable();
        lasts.dedup();
        ControlTokens {
            words: kept.into(),
            lasts: lasts.into(),
        }
    }

    /// All of them.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(|word| &**word)
    }

    /// A text without any of them.
    pub(super) fn without(&self, text: &str) -> String {
        let mut left = String::with_capacity(text.len());
        self.push_without(&mut left, 0, text);
        left
    }

    /// Puts a text behind another so that none comes about from `floor` on.
    pub(super) fn push_without(&self, to: &mut String, floor: usize, text: &str) {
        // Nothing comes about but where one of them ends.
        for piece in text.split_inclusive(&*self.lasts) {
            to.push_str(piece);
            let own = to.get(floor..).unwrap_or_default();
            if let Some(length) = self.at_end(own) {
                to.truncate(to.len() - length);
            }
        }
    }

    /// Whether one of them is in a text.
    pub(super) fn is_in(&self, text: &str) -> bool {
        self.words().any(|word| text.contains(word))
    }

    /// A text up to those that it ends with, and up to the space between them.
    pub(super) fn before_last<'t>(&self, text: &'t str) -> &'t str {
        let mut left = text;
        while let Some(length) = self.at_end(left.trim_end()) {
            let said = left.trim_end();
            left = said.get(..said.len() - length).unwrap_or_default();
        }
        left
    }

    /// How long the longest of them is that a text ends with.
    pub(super) fn at_end(&self, text: &str) -> Option<usize> {
        // Nearly every text ends with none.
        let last = text.chars().next_back()?;
        if !self.lasts.contains(&last) {
            return None;
        }
        let found = self.words().filter(|word| text.ends_with(word));
        found.map(str::len).max()
    }

    /// How long the end of a text is that is at least half of one of them, cut off.
    ///
    /// Less than that is left alone: code may well end with `<`.
    pub(super) fn half_at_end(&self, text: &str) -> usize {
        let halves = self.words().filter_map(|word| {
            let lengths = (word.len().div_ceil(2)..word.len()).rev();
            let mut beginnings = lengths.filter_map(|length| word.get(..length));
            let found = beginnings.find(|beginning| text.ends_with(beginning));
            found.map(str::len)
        });
        halves.max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_token_is_taken_out() {
        let controls = ControlTokens::new(["<fim_prefix>", "[SUFFIX]"]);
        let left = controls.without("a<fim_prefix>b[SUFFIX][SUFFIX]<fim_prefix c");
        assert_eq!(left, "ab<fim_prefix c");
    }

    #[test]
    fn taking_one_out_does_not_bring_another_together() {
        let controls = ControlTokens::new(["<A>", "<BB>"]);
        assert_eq!(controls.without("<<A>A>"), "");
        assert_eq!(controls.without("<B<A>B>!"), "!");
        assert_eq!(controls.without("<<<A>A>A>x<B<<A>A>B>"), "x");
        let nested = format!("{}{}", "<".repeat(5_000), "A>".repeat(5_000));
        assert_eq!(controls.without(&nested), "");
    }

    #[test]
    fn of_two_at_the_same_place_the_longer_goes() {
        let controls = ControlTokens::new(["</s>", "<|</s>"]);
        assert_eq!(controls.without("a<|</s>b"), "ab");
    }

    #[test]
    fn what_comes_before_the_floor_is_left_alone() {
        let controls = ControlTokens::new(["<A>"]);
        let mut text = "<A><".to_owned();
        controls.push_without(&mut text, 4, "A>b<A>");
        assert_eq!(text, "<A><A>b");
    }

    #[test]
    fn half_of_one_at_the_end_is_known() {
        let controls = ControlTokens::new(["<|endoftext|>", "<｜end｜>"]);
        assert_eq!(controls.half_at_end("a <"), 0);
        assert_eq!(controls.half_at_end("a <|end"), 0);
        assert_eq!(controls.half_at_end("a <|endof"), "<|endof".len());
        assert_eq!(controls.half_at_end("<｜end｜"), "<｜end｜".len());
        assert_eq!(controls.half_at_end("<|endoftext|>"), 0);
    }

    #[test]
    fn those_at_the_end_go_and_the_space_before_stays() {
        let controls = ControlTokens::new(["<A>", "<BB>"]);
        assert_eq!(controls.before_last("a\n<A>\n <BB><A>\n"), "a\n");
        assert_eq!(controls.before_last("<A>a \n"), "<A>a \n");
        assert_eq!(controls.before_last("<A>"), "");
        assert_eq!(controls.before_last(""), "");
    }

    #[test]
    fn words_are_kept_once_and_in_order() {
        let controls = ControlTokens::new(["b", "", "a", "b"]);
        assert_eq!(controls.words().collect::<Vec<_>>(), ["b", "a"]);
    }
}
