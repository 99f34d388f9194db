//! Where the literals of rules stand in the texts that were looked at last, so that a text which has changed
//! by a key is not scanned whole again.
//!
//! Most of the time that redaction takes goes into one scan for the literals of all rules; ordinary code has
//! few of them, and the closer looks are cheap. What was typed since the last question is a few bytes of
//! 50 KB. So the literals of the last texts are kept, and of the next text only what differs is scanned, with
//! as much before and behind it as the longest literal has.
//!
//! Nothing else is kept: what a secret is may depend on the whole text, and is decided anew from all
//! literals every time. They are the same, in the same order, as those of a scan of the whole text: whether a
//! literal ends at a place depends on no more bytes before that than the longest literal has.
//!
//! The texts are kept in memory, secrets and all, and are never printed. [`LastScans::forget`] lets them go.
//!
//! Absent on purpose: a lock. Who shares a memory between threads brings it ([`ShareScans`]).

use std::fmt;
use std::sync::Arc;

use aho_corasick::AhoCorasick;

/// How many texts are kept: of a few documents, the text around the cursor and all of it.
const MOST_KEPT: usize = 8;
/// A shorter text is scanned in no time.
const LEAST: usize = 4 << 10;
/// A longer one is not kept.
const MOST: usize = 320 << 10;
/// A text has fewer literals than one in so many bytes, or it is no ordinary one and takes too much room.
const BYTES_PER_LITERAL: usize = 4;

/// A literal in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LiteralMatch {
    /// Its number in the table.
    pub(super) number: usize,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl LiteralMatch {
    /// A match in a part of a text that begins there.
    pub(super) fn at(found: &aho_corasick::Match, base: usize) -> Self {
        LiteralMatch {
            number: found.pattern().as_usize(),
            start: base + found.start(),
            end: base + found.end(),
        }
    }
}

/// A text and its literals, in the order of their ends.
pub(super) struct ScannedText {
    text: String,
    pub(super) literals: Vec<LiteralMatch>,
}

/// The last texts, the latest last.
#[derive(Default)]
pub struct LastScans(Vec<Arc<ScannedText>>);

/// A memory that several threads have. It is lent while texts are compared, and not while one is scanned.
pub trait ShareScans {
    /// Lends it for a moment.
    fn lend(&self, borrow: &mut dyn FnMut(&mut LastScans));
}

/// How many there are: what they say is somebody's text.
impl fmt::Debug for LastScans {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LastScans").field(&self.0.len()).finish()
    }
}

impl LastScans {
    /// Lets all texts go.
    pub fn forget(&mut self) {
        self.0.clear();
    }

    /// The latest text that is the same for the most part, and how much of it.
    fn like(&self, text: &str) -> Option<(Arc<ScannedText>, SameEnds)> {
        let mut alike = self.0.iter().rev().filter_map(|it| {
            let same = SameEnds::of(&it.text, text);
            let is_like = (same.before + same.behind) * 2 >= text.len();
            is_like.then(|| (Arc::clone(it), same))
        });
        alike.next()
    }

    /// Keeps a text, in the place of the one that it was.
    fn keep(&mut self, scanned: Arc<ScannedText>, older: Option<&Arc<ScannedText>>) {
        self.0
            .retain(|it| !older.is_some_and(|older| Arc::ptr_eq(it, older)));
        self.0.push(scanned);
        let too_many = self.0.len().saturating_sub(MOST_KEPT);
        self.0.drain(..too_many);
    }
}

/// The literals of a text, found with what is remembered of the last ones; nothing if they are not worth
/// keeping.
pub(super) fn scan_again(
    text: &str,
    memory: &dyn ShareScans,
    automaton: &AhoCorasick,
) -> Option<Arc<ScannedText>> {
    if !(LEAST..=MOST).contains(&text.len()) {
        return None;
    }
    let mut like = None;
    memory.lend(&mut |last| like = last.like(text));
    let literals = match &like {
        Some((older, _)) if older.text == text => return Some(Arc::clone(older)),
        Some((older, same)) => older.literals_after(text, *same, automaton),
        None => scanned(text, automaton, 0),
    };
    if literals.len() > text.len() / BYTES_PER_LITERAL {
        return None;
    }
    let scanned = Arc::new(ScannedText {
        text: text.to_owned(),
        literals,
    });
    let older = like.as_ref().map(|(older, _)| older);
    memory.lend(&mut |last| last.keep(Arc::clone(&scanned), older));
    Some(scanned)
}

impl ScannedText {
    /// The literals of a text that has these ends in common with this one.
    fn literals_after(
        &self,
        text: &str,
        same: SameEnds,
        automaton: &AhoCorasick,
    ) -> Vec<LiteralMatch> {
        let longest = automaton.max_pattern_len();
        // One that ends further ahead begins where the texts are the same again.
        let from = (same.before + 1).saturating_sub(longest);
        let to = text.len() - same.behind + longest.saturating_sub(1);
        let to = to.min(text.len());
        let old_to = self.text.len() - (text.len() - to);

        let is_before = |it: &LiteralMatch| it.end <= same.before;
        let before = self.literals.partition_point(is_before);
        let behind = self.literals.partition_point(|it| it.end <= old_to);
        let mut literals = Vec::with_capacity(self.literals.len() + 8);
        literals.extend_from_slice(&self.literals[..before]);
        let changed = text.as_bytes().get(from..to).unwrap_or_default();
        let anew = scanned(changed, automaton, from).into_iter();
        literals.extend(anew.filter(|it| it.end > same.before));
        literals.extend(self.literals[behind.max(before)..].iter().map(|it| {
            // It ends behind what has changed, and so much is the same before its end.
            let moved = |at: usize| at + text.len() - self.text.len();
            LiteralMatch {
                number: it.number,
                start: moved(it.start),
                end: moved(it.end),
            }
        }));
        literals
    }
}

fn scanned(part: impl AsRef<[u8]>, automaton: &AhoCorasick, base: usize) -> Vec<LiteralMatch> {
    let found = automaton.find_overlapping_iter(part.as_ref());
    found.map(|it| LiteralMatch::at(&it, base)).collect()
}

/// How many bytes of two texts are the same at their beginning, and how many of the rest at their end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SameEnds {
    before: usize,
    behind: usize,
}

impl SameEnds {
    fn of(one: &str, other: &str) -> Self {
        let (one, other) = (one.as_bytes(), other.as_bytes());
        let before = same_beginning(one, other);
        let behind = same_end(&one[before..], &other[before..]);
        SameEnds { before, behind }
    }
}

/// How many bytes are compared at once.
const BLOCK: usize = 256;

fn same_beginning(one: &[u8], other: &[u8]) -> usize {
    let blocks = one.chunks_exact(BLOCK).zip(other.chunks_exact(BLOCK));
    let same = blocks.take_while(|(one, other)| one == other).count() * BLOCK;
    let rest = one[same..].iter().zip(&other[same..]);
    same + rest.take_while(|(one, other)| one == other).count()
}

fn same_end(one: &[u8], other: &[u8]) -> usize {
    let blocks = one.rchunks_exact(BLOCK).zip(other.rchunks_exact(BLOCK));
    let same = blocks.take_while(|(one, other)| one == other).count() * BLOCK;
    let one = one[..one.len() - same].iter().rev();
    let other = other[..other.len() - same].iter().rev();
    let rest = one.zip(other);
    same + rest.take_while(|(one, other)| one == other).count()
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use aho_corasick::{AhoCorasickKind, MatchKind};
    use proptest::prelude::*;

    use super::*;

    /// Literals that lie in each other, begin with each other, and end with each other.
    const LITERALS: [&str; 8] = ["a", "aba", "bab", "abab", "key", "keys", "eys=", "é"];

    fn automaton() -> AhoCorasick {
        AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            .ascii_case_insensitive(true)
            .kind(Some(AhoCorasickKind::DFA))
            .build(LITERALS)
            .unwrap()
    }

    fn text() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec!["a", "b", "B", "key", "eys=", "s", "é", "\n", "."]);
        prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
    }

    fn after(old: &str, new: &str, automaton: &AhoCorasick) -> Vec<LiteralMatch> {
        let older = ScannedText {
            literals: scanned(old, automaton, 0),
            text: old.to_owned(),
        };
        older.literals_after(new, SameEnds::of(old, new), automaton)
    }

    proptest! {
        #[test]
        fn what_differs_is_all_that_has_to_be_scanned(
            (before, old, new, behind) in (text(), text(), text(), text()),
        ) {
            let automaton = automaton();
            let (old, new) = (
                [&*before, &*old, &*behind].concat(),
                [&*before, &*new, &*behind].concat(),
            );
            prop_assert_eq!(after(&old, &new, &automaton), scanned(&new, &automaton, 0));
        }

        #[test]
        fn ends_are_the_same_as_far_as_bytes_are(
            (before, old, new, behind) in (0..700_usize, text(), text(), 0..700_usize),
        ) {
            let whole = |inner: &str| ["x".repeat(before), inner.to_owned(), "y".repeat(behind)].concat();
            let (old, new) = (whole(&old), whole(&new));
            let SameEnds { before, behind } = SameEnds::of(&old, &new);
            let same = old.bytes().zip(new.bytes());
            prop_assert_eq!(before, same.take_while(|(old, new)| old == new).count());
            let (old, new) = (&old.as_bytes()[before..], &new.as_bytes()[before..]);
            let same = old.iter().rev().zip(new.iter().rev());
            prop_assert_eq!(behind, same.take_while(|(old, new)| old == new).count());
        }
    }

    /// A memory that one thread has.
    #[derive(Default)]
    struct OwnScans(RefCell<LastScans>);

    impl ShareScans for OwnScans {
        fn lend(&self, borrow: &mut dyn FnMut(&mut LastScans)) {
            borrow(&mut self.0.borrow_mut());
        }
    }
    #[test]
    fn a_text_that_has_changed_takes_the_place_of_what_it_was() {
        let (memory, automaton) = (OwnScans::default(), automaton());
        let kept = || memory.0.borrow().0.len();
        let code = "let keys = 1;\n".repeat(LEAST / 8);
        for key in 0..20 {
            let text = format!("{code}let b = {key};\n{code}");
            let found = scan_again(&text, &memory, &automaton).unwrap();
            assert_eq!(found.literals, scanned(&text, &automaton, 0));
            assert_eq!(kept(), 1);
        }
        let same = scan_again(&format!("{code}let b = 19;\n{code}"), &memory, &automaton);
        assert!(Arc::ptr_eq(&same.unwrap(), &memory.0.borrow().0[0]));
        memory.0.borrow_mut().forget();
        assert_eq!(kept(), 0);
    }

    #[test]
    fn only_a_few_texts_are_kept_and_none_that_takes_much_room() {
        let (memory, automaton) = (OwnScans::default(), automaton());
        for number in 0..MOST_KEPT * 2 {
            let text = format!("{number} of them\n").repeat(LEAST);
            scan_again(&text, &memory, &automaton);
        }
        for text in [
            "x".repeat(LEAST - 1),
            "x".repeat(MOST + 1),
            "ab".repeat(LEAST),
        ] {
            assert!(scan_again(&text, &memory, &automaton).is_none());
        }
        assert_eq!(format!("{:?}", memory.0.borrow()), "LastScans(8)");
    }
}
