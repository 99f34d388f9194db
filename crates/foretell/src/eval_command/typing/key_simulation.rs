//! [`KeySimulation`]: keys, one by one, what is said before each, and what it is worth.
//!
//! A suggestion is right if all of it is typed next, it does not end inside a word, and it claims the
//! end of the line only where that is. A right one is taken at once; a wrong one stays, and counts once,
//! for as long as it is typed into. Several ways to suggest may be counted in the same run: what is
//! typed is the same for all.

use foretell_predict::{Prediction, is_right};

/// Something that was said.
#[derive(Clone, Debug)]
pub(crate) struct SaidText {
    pub(crate) text: String,
    pub(crate) ends_line: bool,
    /// How likely it was said to be, in thousandths; nothing, if it was not said.
    pub(crate) probability: Option<u32>,
}

impl From<Prediction> for SaidText {
    fn from(said: Prediction) -> Self {
        SaidText {
            text: said.text,
            ends_line: said.ends_line,
            probability: Some(said.probability.thousandths()),
        }
    }
}

/// What was counted.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeyCounts {
    /// Characters.
    pub(crate) typed: u64,
    pub(crate) asked: u64,
    pub(crate) shown: u64,
    pub(crate) right: u64,
    /// Characters of the right ones, less one each.
    pub(crate) saved: u64,
}

impl KeyCounts {
    pub(crate) fn add(&mut self, other: &KeyCounts) {
        self.typed += other.typed;
        self.asked += other.asked;
        self.shown += other.shown;
        self.right += other.right;
        self.saved += other.saved;
    }

    /// Characters saved of a hundred that are typed.
    pub(crate) fn saved_of_100(&self) -> Option<f64> {
        (self.typed > 0).then(|| 100.0 * self.saved as f64 / self.typed as f64)
    }

    /// Right of those shown.
    pub(crate) fn accepted(&self) -> Option<f64> {
        (self.shown > 0).then(|| self.right as f64 / self.shown as f64)
    }
}

/// A run of text that is typed at one place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TypedRun<'text> {
    pub(crate) text: &'text str,
    /// What stands behind it.
    pub(crate) behind: &'text str,
}

/// One way to suggest, as it goes through a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeySimulation {
    pub(crate) counts: KeyCounts,
    /// By tenths of what was said: the sum of what was said in thousandths, how many were right, and all.
    pub(crate) tenths: [(u64, u64, u64); 10],
    /// Up to here a suggestion was taken.
    taken: usize,
    /// What is left of the wrong one that is shown.
    wrong: String,
}

impl KeySimulation {
    /// Another run begins.
    pub(crate) fn begin(&mut self) {
        self.taken = 0;
        self.wrong.clear();
    }

    /// Whether anything would be asked before the key at an offset of the run.
    pub(crate) fn is_open(&self, at: usize) -> bool {
        at >= self.taken && self.wrong.is_empty()
    }

    /// Before a key: what is said, if anything.
    pub(crate) fn hear(&mut self, run: TypedRun<'_>, at: usize, said: Option<&SaidText>) {
        self.counts.asked += 1;
        let Some(said) = said else {
            return;
        };
        let rest = run.text.get(at..).unwrap_or_default();
        let right = Self::is_right(run, rest, said);
        self.counts.shown += 1;
        if let Some(probability) = said.probability {
            let tenth = &mut self.tenths[(probability as usize / 100).min(9)];
            *tenth = (
                tenth.0 + u64::from(probability),
                tenth.1 + u64::from(right),
                tenth.2 + 1,
            );
        }
        if right {
            self.counts.right += 1;
            self.counts.saved += (said.text.chars().count() as u64).saturating_sub(1);
            self.taken = at + said.text.len();
        } else {
            self.wrong.clone_from(&said.text);
        }
    }

    /// A key is typed.
    pub(crate) fn key(&mut self, key: char) {
        let rest = self.wrong.strip_prefix(key).unwrap_or_default();
        self.wrong = rest.to_owned();
    }

    fn is_right(run: TypedRun<'_>, rest: &str, said: &SaidText) -> bool {
        if !rest.starts_with(&said.text) {
            return false;
        }
        let next = format!("{rest}{}", run.behind);
        let after = next.get(said.text.len()..).unwrap_or_default();
        let ends = after.is_empty() || after.starts_with(['\n', '\r']);
        is_right(&said.text, &next) && (ends || !said.ends_line)
    }
}
