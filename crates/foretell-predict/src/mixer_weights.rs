//! [`MixerWeights`]: how much is given on what each context says.
//!
//! They are shipped as a file of small numbers that `foretell train` makes (its header says from what),
//! and go on learning in memory.

use crate::token_mixer::TypedPart;
use crate::token_vocabulary::TokenRarity;

/// How many contexts may speak.
pub(crate) const CONTEXTS: usize = 44;
/// How many kinds of a context are told apart.
pub(crate) const BUCKETS: usize = 16;
const TYPED: usize = 4;
const RARITIES: usize = 3;

const VOTES: usize = CONTEXTS * BUCKETS * TYPED * RARITIES * 2;
const ESCAPES: usize = CONTEXTS * BUCKETS * TYPED;
const LATEST: usize = CONTEXTS * RANKS * RARITIES;
/// How many ranks among what came after a context are told apart.
const RANKS: usize = 8;
/// How many states of a question are told apart: six of how much of the way there was met nearby, each by how
/// much of the line is there.
pub(crate) const STATES: usize = 24;
/// How many kinds of a token before are told apart.
pub(crate) const KINDS: usize = 16;
/// How many distances are told apart at which a token stood last.
pub(crate) const DISTANCES: usize = 8;
const SECOND: usize = CONTEXTS * STATES * 2;
const THIRD: usize = CONTEXTS * KINDS * RARITIES * 2;
const ALWAYS: usize = (STATES + KINDS) * TYPED;
const RECENT: usize = DISTANCES * KINDS * RARITIES * TYPED;
/// How many weights there are.
pub(crate) const WEIGHTS: usize = VOTES + ESCAPES + LATEST + SECOND + THIRD + ALWAYS + RECENT;

/// A shipped weight has this many bits behind the point, and sixteen in memory.
const SHIPPED_SHIFT: u32 = 4;
/// No weight becomes larger than this.
const LARGEST: i32 = 7 << 16;

/// How much is given on what each context says.
#[derive(Clone, Debug)]
pub(crate) struct MixerWeights {
    weights: Vec<i32>,
}

impl MixerWeights {
    /// Every context counts a little: what training begins with.
    pub(crate) fn even() -> Self {
        let mut weights = vec![0; WEIGHTS];
        for (at, weight) in weights.iter_mut().enumerate().take(VOTES) {
            if at % 2 == 0 {
                *weight = 1 << 13;
            }
        }
        MixerWeights { weights }
    }

    /// With these weights.
    pub(crate) fn of(weights: impl Iterator<Item = i32>) -> Self {
        let weights = weights.map(|weight| weight.clamp(-LARGEST, LARGEST));
        MixerWeights {
            weights: weights.collect(),
        }
    }

    /// What was shipped; `None` if it is not of this shape.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        if bytes.len() != WEIGHTS * 2 {
            return None;
        }
        let pairs = bytes.chunks_exact(2);
        let weights = pairs.map(|pair| {
            let small = i16::from_le_bytes([pair[0], pair[1]]);
            i32::from(small) << SHIPPED_SHIFT
        });
        Some(MixerWeights {
            weights: weights.collect(),
        })
    }

    /// As they are shipped.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let rounded = self.weights.iter().map(|weight| {
            let small = (weight + (1 << (SHIPPED_SHIFT - 1))) >> SHIPPED_SHIFT;
            small.clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16
        });
        rounded.flat_map(i16::to_le_bytes).collect()
    }

    /// Where the weight of a vote is; its bias is behind it.
    pub(crate) fn vote(
        context: usize,
        bucket: usize,
        typed: TypedPart,
        rarity: TokenRarity,
    ) -> u32 {
        let at = (context * BUCKETS + bucket) * TYPED + typed as usize;
        ((at * RARITIES + rarity as usize) * 2) as u32
    }

    /// Where the weight is of what the escape takes from a context.
    pub(crate) fn escape(context: usize, bucket: usize, typed: TypedPart) -> u32 {
        (VOTES + (context * BUCKETS + bucket) * TYPED + typed as usize) as u32
    }

    /// Where the weight is of having come last of so many.
    pub(crate) fn latest(context: usize, rank: usize, of: usize, rarity: TokenRarity) -> u32 {
        let place = match (rank, of) {
            (0, 0..=1) => 0,
            (0, _) => 1,
            (1..=4, _) => rank + 1,
            (5..=7, _) => 6,
            (_, _) => 7,
        };
        let at = (context * RANKS + place) * RARITIES + rarity as usize;
        (VOTES + ESCAPES + at) as u32
    }

    /// Where the second weight of a vote is, which depends on the state of the question; its bias is behind it.
    pub(crate) fn second(context: usize, state: usize) -> u32 {
        (VOTES + ESCAPES + LATEST + (context * STATES + state) * 2) as u32
    }

    /// Where the third is, which depends on the token before.
    pub(crate) fn third(context: usize, kind: usize, rarity: TokenRarity) -> u32 {
        let at = (context * KINDS + kind) * RARITIES + rarity as usize;
        (VOTES + ESCAPES + LATEST + SECOND + at * 2) as u32
    }

    /// Where the weights are of what the escape is given in a state, and behind a kind of token.
    pub(crate) fn always(state: usize, kind: usize, typed: TypedPart) -> [u32; 2] {
        let first = VOTES + ESCAPES + LATEST + SECOND + THIRD;
        [state, STATES + kind].map(|at| (first + at * TYPED + typed as usize) as u32)
    }

    /// Where the weight is of having stood so far away last.
    pub(crate) fn recent(
        distance: usize,
        kind: usize,
        typed: TypedPart,
        rarity: TokenRarity,
    ) -> u32 {
        let first = VOTES + ESCAPES + LATEST + SECOND + THIRD + ALWAYS;
        let at = (distance.min(DISTANCES - 1) * KINDS + kind) * TYPED + typed as usize;
        (first + at * RARITIES + rarity as usize) as u32
    }

    pub(crate) fn get(&self, at: u32) -> i32 {
        self.weights.get(at as usize).copied().unwrap_or_default()
    }

    /// What a vote of so much adds to a score.
    pub(crate) fn score(&self, at: u32, log: i32) -> i32 {
        ((self.get(at) * log) >> 8) + self.get(at + 1)
    }

    /// Moves the weight of a vote, and its bias.
    pub(crate) fn step(&mut self, at: u32, error: i32, log: i32, rate: u32) {
        self.shift(at, rounded(error * log, 8 + rate));
        self.shift(at + 1, rounded(error, rate));
    }

    pub(crate) fn step_bias(&mut self, at: u32, error: i32, rate: u32) {
        self.shift(at, rounded(error, rate));
    }

    fn shift(&mut self, at: u32, by: i32) {
        if let Some(weight) = self.weights.get_mut(at as usize) {
            *weight = (*weight + by).clamp(-LARGEST, LARGEST);
        }
    }
}

/// Divides by a power of two, to the nearest: what is too little for a step is none, in either direction.
fn rounded(error: i32, bits: u32) -> i32 {
    (error + (1 << (bits - 1))) >> bits
}
