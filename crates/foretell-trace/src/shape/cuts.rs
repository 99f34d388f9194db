//! [`WordCuts`]: the places in a text from which on a word goes on behind another beginning.
//!
//! "Replace all" changes a text in many places one after the other, and each change moves whatever is
//! behind it. So cuts have a gap where the last change was: those before it are counted from the
//! start of the text, and those behind it from its end, and none of them moves. Changes next to the
//! last one, or on and on in one direction, cost little.
//!
//! They are shared by all texts that have the same ones, and copied only when some move or change. So
//! the texts of many requests, which somebody made while typing at one place, have one list.

use std::sync::Arc;

use super::WordBeginning;

/// A place in a text from which on a word goes on behind another beginning than what stands there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WordCut {
    pub(super) at: usize,
    pub(super) behind: WordBeginning,
}

/// All cuts of a text. The caller knows the length of the text.
#[derive(Clone, Debug, Default)]
pub(super) struct WordCuts {
    /// Those before the gap, in order.
    before: Vec<WordCut>,
    /// Those behind it, the last of the text first, by how far they are from its end.
    after: Vec<WordCut>,
}

impl WordCuts {
    /// Moves the gap, so that all before a place are before it. The text is so long.
    pub(super) fn open_at(cuts: &mut Arc<WordCuts>, at: usize, length: usize) {
        let first = cuts.before.partition_point(|cut| cut.at < at);
        let passed = cuts.many_while(|place| place < at, length);
        if first == cuts.before.len() && passed == 0 {
            return;
        }
        let cuts = Arc::make_mut(cuts);
        let back = cuts.before.drain(first..).rev();
        cuts.after.extend(back.map(|cut| mirrored(cut, length)));
        let forth = cuts.after.drain(cuts.after.len() - passed..).rev();
        cuts.before.extend(forth.map(|cut| mirrored(cut, length)));
    }

    /// The last one before the gap.
    pub(super) fn last_before(&self) -> Option<WordCut> {
        self.before.last().copied()
    }

    /// The last one from the gap up to a place, that included.
    pub(super) fn last_up_to(&self, end: usize, length: usize) -> Option<WordCut> {
        let last = self.up_to(end, length).first();
        last.map(|cut| mirrored(*cut, length))
    }

    /// Takes out all from the gap up to a place, that included, and perhaps puts another there.
    pub(super) fn replace(
        cuts: &mut Arc<WordCuts>,
        end: usize,
        length: usize,
        behind: Option<WordBeginning>,
    ) {
        let at = length - end;
        let cut = behind.map(|behind| WordCut { at, behind });
        let old = cuts.up_to(end, length);
        if old == cut.as_slice() {
            return;
        }
        let kept = cuts.after.len() - old.len();
        let cuts = Arc::make_mut(cuts);
        cuts.after.truncate(kept);
        cuts.after.extend(cut);
    }

    /// All, in order.
    #[cfg(test)]
    pub(super) fn all(&self, length: usize) -> Vec<WordCut> {
        let after = self.after.iter().rev().map(|cut| mirrored(*cut, length));
        self.before.iter().copied().chain(after).collect()
    }

    /// Those from the gap up to a place, that included, the last first.
    fn up_to(&self, end: usize, length: usize) -> &[WordCut] {
        let many = self.many_while(|place| place <= end, length);
        let first = self.after.len() - many;
        self.after.get(first..).unwrap_or_default()
    }

    /// How many there are behind the gap at places of which something holds.
    fn many_while(&self, holds: impl Fn(usize) -> bool, length: usize) -> usize {
        let nearest = self.after.iter().rev();
        nearest.take_while(|cut| holds(length - cut.at)).count()
    }
}

/// The same counted from the other end.
fn mirrored(cut: WordCut, length: usize) -> WordCut {
    WordCut {
        at: length - cut.at,
        ..cut
    }
}
