//! [`SaidProbability`]: how often what was said to be so likely was right.
//!
//! A product of probabilities is too sure of itself, the more so the longer the suggestion and the less
//! familiar the text. So every key scores what would have been said, shown or not, and what is said the
//! next time is what came true. What is shipped is worth so many observations; what is seen in the
//! workspace takes over. And since unfamiliar text is so in all cells at once, how much was right lately of
//! what was expected moves all of them.

use crate::fixed_point::ONE;

const TENTHS: usize = 20;
const STEPS: usize = 5;
const PLACES: usize = 3;
/// How many cells there are of all that is thought.
const CELLS: usize = TENTHS * STEPS * PLACES;
/// How long what is shipped is, in bytes.
pub(crate) const SHIPPED: usize = (CELLS + TENTHS) * 4;

/// The shipped cells are worth at most so many observations.
const PRIOR: u32 = 200;
/// After so many observations of a cell, older ones count half.
const MEMORY: u32 = 1_000;

/// As much as so many observations says that what is expected comes true.
const LATELY_PRIOR: u32 = 24;
/// After so many, older ones count half.
const LATELY: u32 = 200;

/// Where something was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SaidPlace {
    /// At the start of a word, in code.
    Start,
    /// Behind a part of a word.
    Within,
    /// In a comment.
    Prose,
}

/// What was said: in which place, of how many tokens, how likely.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SaidThing {
    pub(crate) place: SaidPlace,
    pub(crate) steps: usize,
    /// Sixteen bits behind the point.
    pub(crate) probability: i32,
}

/// How often what was said to be so likely was right.
#[derive(Clone, Debug)]
pub(crate) struct SaidProbability {
    thought: CellCounts,
    chosen: CellCounts,
    lately: LatelyChosen,
}

/// How much was expected of what was chosen lately, and what came of it. Unfamiliar text is so in all respects
/// at once, and it takes long until each cell has seen it.
#[derive(Clone, Copy, Debug, Default)]
struct LatelyChosen {
    count: u32,
    /// Sixteen bits behind the point.
    expected: u64,
    right: u64,
}

/// Right, and in all, by cells.
#[derive(Clone, Debug)]
struct CellCounts {
    /// As shipped.
    prior: Vec<(u32, u32)>,
    /// What was seen since.
    seen: Vec<(u32, u32)>,
}

impl SaidProbability {
    pub(crate) fn new() -> Self {
        SaidProbability {
            thought: CellCounts::new(vec![(0, 0); CELLS]),
            chosen: CellCounts::new(vec![(0, 0); TENTHS]),
            lately: LatelyChosen::default(),
        }
    }

    /// What was shipped: two numbers of 16 bits for each cell.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        if bytes.len() != SHIPPED {
            return None;
        }
        let cells = bytes.chunks_exact(4).map(|cell| {
            let right = u16::from_le_bytes([cell[0], cell[1]]);
            let all = u16::from_le_bytes([cell[2], cell[3]]);
            (u32::from(right.min(all)), u32::from(all))
        });
        let mut thought: Vec<(u32, u32)> = cells.collect();
        let chosen = thought.split_off(CELLS);
        Some(SaidProbability {
            thought: CellCounts::new(thought),
            chosen: CellCounts::new(chosen),
            lately: LatelyChosen::default(),
        })
    }

    /// What was seen, as it is shipped; where nothing was to be learned, what was shipped.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        [self.thought.to_bytes(), self.chosen.to_bytes()].concat()
    }

    /// How likely that is, by what came true.
    pub(crate) fn of(&self, said: SaidThing) -> i32 {
        self.thought
            .between(said.probability, |tenth| index(said, tenth))
    }

    /// How likely what is chosen is, by what came true of what was as likely.
    pub(crate) fn of_chosen(&self, thought: i32) -> i32 {
        let chosen = self.chosen.between(thought, |tenth| tenth);
        self.lately.correct(chosen)
    }

    /// Adds what was seen elsewhere.
    pub(crate) fn add(&mut self, other: &SaidProbability) {
        self.thought.add(&other.thought);
        self.chosen.add(&other.chosen);
    }

    /// Forgets what came true of what was chosen.
    pub(crate) fn forget_chosen(&mut self) {
        self.chosen = CellCounts::new(vec![(0, 0); TENTHS]);
    }

    /// Learns whether it was right.
    pub(crate) fn learn(&mut self, said: SaidThing, was_right: bool, phase: CalibrationPhase) {
        self.thought
            .learn(index(said, tenth_of(said.probability)), was_right, phase);
    }

    /// Learns whether what was chosen was right.
    pub(crate) fn learn_chosen(&mut self, thought: i32, was_right: bool, phase: CalibrationPhase) {
        if phase == CalibrationPhase::Use {
            let expected = self.chosen.between(thought, |tenth| tenth);
            self.lately.learn(expected, was_right);
        }
        self.chosen.learn(tenth_of(thought), was_right, phase);
    }
}

impl LatelyChosen {
    fn correct(self, chosen: i32) -> i32 {
        let none = u64::from(LATELY_PRIOR) << 16;
        let corrected = chosen as u64 * (self.right + none) / (self.expected + none);
        corrected.min(ONE as u64 - 1) as i32
    }

    fn learn(&mut self, expected: i32, was_right: bool) {
        self.count += 1;
        self.expected += expected as u64;
        self.right += u64::from(was_right) << 16;
        if self.count >= LATELY {
            *self = LatelyChosen {
                count: self.count / 2,
                expected: self.expected / 2,
                right: self.right / 2,
            };
        }
    }
}

/// Whether old observations fade.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CalibrationPhase {
    /// All are kept, to be shipped.
    Training,
    Use,
}

impl CellCounts {
    fn new(prior: Vec<(u32, u32)>) -> Self {
        CellCounts {
            seen: vec![(0, 0); prior.len()],
            prior,
        }
    }

    fn add(&mut self, other: &CellCounts) {
        for (cell, other) in self.seen.iter_mut().zip(&other.seen) {
            *cell = (cell.0 + other.0, cell.1 + other.1);
        }
    }

    fn to_bytes(&self) -> Vec<u8> {
        let is_shipped = self.prior.iter().any(|(_, all)| *all > 0);
        let cells = if is_shipped { &self.prior } else { &self.seen };
        let cells = cells.iter().map(|(right, all)| {
            let most = u64::from(u16::MAX).min(u64::from(*all));
            let scale = |part: u32| (u64::from(part) * most / u64::from((*all).max(1))) as u16;
            [scale(*right).to_le_bytes(), scale(*all).to_le_bytes()].concat()
        });
        cells.flatten().collect()
    }

    /// Between the middles of two cells.
    fn between(&self, probability: i32, index: impl Fn(usize) -> usize) -> i32 {
        let scaled = i64::from(probability.clamp(0, ONE - 1)) * TENTHS as i64;
        let half = i64::from(ONE) / 2;
        let low = ((scaled - half).max(0) >> 16) as usize;
        let high = (low + 1).min(TENTHS - 1);
        let middle = ((low as i64) << 16) + half;
        let share = (scaled - middle).clamp(0, i64::from(ONE));
        let (a, b) = (self.cell(index(low), low), self.cell(index(high), high));
        (i64::from(a) + (((i64::from(b) - i64::from(a)) * share) >> 16)) as i32
    }

    fn cell(&self, at: usize, tenth: usize) -> i32 {
        let (prior_right, prior_all) = self.prior[at];
        let (right, all) = self.seen[at];
        // Where nothing is known, it is believed, as if four observations said so.
        let own = (u64::from(ONE as u32) * (2 * tenth as u64 + 1)) / (2 * TENTHS as u64);
        let worth = u64::from(prior_all.min(PRIOR));
        let prior = worth * (u64::from(prior_right) << 16) / u64::from(prior_all.max(1));
        let right = 4 * own + prior + (u64::from(right) << 16);
        let all = 4 + worth + u64::from(all);
        (right / all) as i32
    }

    fn learn(&mut self, at: usize, was_right: bool, phase: CalibrationPhase) {
        let Some(cell) = self.seen.get_mut(at) else {
            return;
        };
        cell.0 += u32::from(was_right);
        cell.1 += 1;
        if phase == CalibrationPhase::Use && cell.1 >= MEMORY {
            *cell = (cell.0 / 2, cell.1 / 2);
        }
    }
}

fn tenth_of(probability: i32) -> usize {
    let scaled = i64::from(probability.clamp(0, ONE - 1)) * TENTHS as i64;
    (scaled >> 16) as usize
}

fn index(said: SaidThing, tenth: usize) -> usize {
    let steps = match said.steps {
        0..=1 => 0,
        2 => 1,
        3..=4 => 2,
        5..=8 => 3,
        _ => 4,
    };
    ((said.place as usize) * STEPS + steps) * TENTHS + tenth.min(TENTHS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_what_is_said_does_not_come_true_less_is_soon_expected_of_all() {
        let mut said = SaidProbability::new();
        let likely = |said: &SaidProbability| said.of_chosen(ONE / 10 * 9) as f32 / ONE as f32;
        assert!((0.85..0.95).contains(&likely(&said)));
        for at in 0..60 {
            said.learn_chosen(ONE / 10 * 6, at % 3 == 0, CalibrationPhase::Use);
        }
        // One in three came true of what was thought to be three in five.
        assert!((0.5..0.75).contains(&likely(&said)), "{}", likely(&said));
        for _ in 0..400 {
            said.learn_chosen(ONE / 10 * 6, true, CalibrationPhase::Use);
        }
        assert!(likely(&said) > 0.9);
    }
}
