//! [`TokenMixer`]: what all contexts say together of the next token.
//!
//! Each context that was met before names some tokens. A token's score is the sum of what its contexts
//! say: how often it came there, as a logarithm, times a weight, and a bias. Weight and bias depend on the
//! context, on how much it has seen and how much it was of one mind, on how much of a word is typed, and
//! on whether the token is a mark, a common word or a rare one; to these come two that depend on the context
//! and on what stands before the cursor: how much of it was met before, and what the last token is. And how
//! far away a token stood last counts, whatever contexts say. A softmax makes probabilities of scores.
//! Beside the tokens stands the *escape*: that it is none of these.
//!
//! The weights learn from every token that is typed, by a small step down the gradient; what is shipped was
//! found by `mixer_training`.
//!
//! Kept: whole numbers only, in a fixed order, so that the same questions give the same bits everywhere.

use crate::fixed_point::{ONE, exp2, log2};
use crate::mixer_training::{ExampleQuestion, ExampleVote, TrainingExamples};
use crate::mixer_weights::{KINDS, MixerWeights, STATES};
use crate::token_vocabulary::{TokenId, TokenRarity, TokenVocabulary};

/// How many tokens are weighed.
const CANDIDATES: usize = 48;
/// How often something comes is told apart up to one in 256.
const FLOOR: i32 = 8 << 8;

/// How much of the next token is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TypedPart {
    Nothing,
    /// The blank before it.
    Blank,
    /// One or two characters of it.
    Little,
    Much,
}

impl TypedPart {
    pub(crate) fn of(partial: &str) -> TypedPart {
        let bare = partial.trim_start();
        match (partial.is_empty(), bare.chars().take(3).count()) {
            (true, _) => TypedPart::Nothing,
            (false, 0) => TypedPart::Blank,
            (false, 1 | 2) => TypedPart::Little,
            (false, _) => TypedPart::Much,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct MixedCandidate {
    token: TokenId,
    rarity: TokenRarity,
    /// Where the weight is of having stood so far away last.
    recent: u32,
    score: i32,
    probability: i32,
}

/// That a context names a token.
#[derive(Clone, Copy, Debug)]
struct TokenVote {
    candidate: u8,
    weight: u32,
    second: u32,
    third: u32,
    latest: u32,
    log: i32,
}

/// What all contexts say together of the next token.
#[derive(Clone, Debug)]
pub(crate) struct TokenMixer {
    pub(crate) weights: MixerWeights,
    typed: TypedPart,
    /// By which the second and the third weights are chosen.
    state: usize,
    kind: usize,
    candidates: Vec<MixedCandidate>,
    votes: Vec<TokenVote>,
    /// The weights of the escape that count now.
    escapes: Vec<u32>,
    escape: i32,
    /// For each token the number of the question at which it became a candidate, and its place.
    places: Vec<(u32, u8)>,
    question: u32,
}

impl TokenMixer {
    pub(crate) fn new(weights: MixerWeights) -> Self {
        TokenMixer {
            weights,
            typed: TypedPart::Nothing,
            state: 0,
            kind: 0,
            candidates: Vec::with_capacity(CANDIDATES),
            votes: Vec::new(),
            escapes: Vec::new(),
            escape: 0,
            places: Vec::new(),
            question: 0,
        }
    }

    /// Begins a question.
    pub(crate) fn begin(&mut self, typed: TypedPart, vocabulary: &TokenVocabulary) {
        self.typed = typed;
        self.candidates.clear();
        self.votes.clear();
        self.escapes.clear();
        self.question = self.question.wrapping_add(1);
        self.make_room(vocabulary);
    }

    /// In which state the question is: how much of the way there was met before and how much of the line is
    /// there; and of which kind the token before it is.
    pub(crate) fn set_state(&mut self, state: usize, kind: usize) {
        self.state = state.min(STATES - 1);
        self.kind = kind.min(KINDS - 1);
    }

    /// There may be more tokens than before.
    pub(crate) fn make_room(&mut self, vocabulary: &TokenVocabulary) {
        if self.places.len() < vocabulary.len() {
            self.places.resize(vocabulary.len() * 2, (0, 0));
        }
    }

    /// What a context says: tokens, the latest first, and how often each came. `kind` tells contexts of
    /// one number apart that are of unlike worth; without one, counts do.
    pub(crate) fn hear(
        &mut self,
        context: usize,
        kind: Option<usize>,
        said: &[(TokenId, u32)],
        vocabulary: &TokenVocabulary,
    ) {
        let total: u32 = said.iter().map(|(_, count)| count).sum();
        let bucket = match kind {
            Some(kind) if !said.is_empty() => kind,
            _ => bucket_of(total, said.len()),
        };
        self.escapes
            .push(MixerWeights::escape(context, bucket, self.typed));
        let distinct = said.len() as u32;
        let scale = log2(2 * total + distinct);
        for (rank, (token, count)) in said.iter().enumerate() {
            let Some(candidate) = self.candidate(*token, vocabulary) else {
                continue;
            };
            let rarity = self.candidates[usize::from(candidate)].rarity;
            let log = (FLOOR + log2(2 * count) - scale).max(0);
            self.votes.push(TokenVote {
                candidate,
                weight: MixerWeights::vote(context, bucket, self.typed, rarity),
                second: MixerWeights::second(context, self.state),
                third: MixerWeights::third(context, self.kind, rarity),
                latest: MixerWeights::latest(context, rank, said.len(), rarity),
                log,
            });
        }
    }

    fn candidate(&mut self, token: TokenId, vocabulary: &TokenVocabulary) -> Option<u8> {
        if let Some((question, place)) = self.places.get(token.index()) {
            if *question == self.question {
                return Some(*place);
            }
        }
        let place = self.candidates.len();
        if place >= CANDIDATES {
            return None;
        }
        self.candidates.push(MixedCandidate {
            token,
            rarity: vocabulary.rarity(token),
            recent: 0,
            score: 0,
            probability: 0,
        });
        if let Some(known) = self.places.get_mut(token.index()) {
            *known = (self.question, place as u8);
        }
        Some(place as u8)
    }

    /// Ends the question: from here on it is known how likely each token is. It is told how far away each
    /// stood last.
    pub(crate) fn weigh(&mut self, distance: impl Fn(TokenId) -> usize) {
        for candidate in &mut self.candidates {
            let distance = distance(candidate.token);
            candidate.recent =
                MixerWeights::recent(distance, self.kind, self.typed, candidate.rarity);
            candidate.score = self.weights.get(candidate.recent);
        }
        let always = MixerWeights::always(self.state, self.kind, self.typed);
        self.escapes.extend(always);
        for vote in &self.votes {
            let score = self.weights.score(vote.weight, vote.log)
                + self.weights.score(vote.second, vote.log)
                + self.weights.score(vote.third, vote.log)
                + self.weights.get(vote.latest);
            self.candidates[usize::from(vote.candidate)].score += score;
        }
        let escapes = self.escapes.iter().map(|at| self.weights.get(*at));
        let escape: i32 = escapes.sum();
        let scores = self.candidates.iter().map(|it| it.score);
        let highest = scores.chain([escape]).max().unwrap_or_default();
        let mut sum = 0_u64;
        for candidate in &mut self.candidates {
            candidate.probability = exp2(candidate.score - highest) as i32;
            sum += candidate.probability as u64;
        }
        let escape = u64::from(exp2(escape - highest));
        sum += escape;
        let share = |part: u64| ((part << 16) / sum.max(1)) as i32;
        for candidate in &mut self.candidates {
            candidate.probability = share(candidate.probability as u64);
        }
        self.escape = share(escape);
    }

    /// The likeliest token, and how likely it is; none, if it is likeliest that none is.
    pub(crate) fn best(&self) -> Option<(TokenId, i32)> {
        let mut best = None;
        for candidate in &self.candidates {
            if best.is_none_or(|(_, most)| candidate.probability > most) {
                best = Some((candidate.token, candidate.probability));
            }
        }
        best
    }

    /// Writes down what was asked, and which token it was.
    pub(crate) fn write_example(&self, truth: TokenId, to: &mut TrainingExamples) {
        to.votes.extend(self.votes.iter().map(|vote| ExampleVote {
            weight: vote.weight as u16,
            second: vote.second as u16,
            third: vote.third as u16,
            latest: vote.latest as u16,
            log: vote.log as u16,
            candidate: vote.candidate,
        }));
        to.escapes.extend(self.escapes.iter().map(|at| *at as u16));
        to.recents
            .extend(self.candidates.iter().map(|it| it.recent as u16));
        let truth = self.candidates.iter().position(|it| it.token == truth);
        to.questions.push(ExampleQuestion {
            votes: to.votes.len() as u32,
            escapes: to.escapes.len() as u32,
            recents: to.recents.len() as u32,
            candidates: self.candidates.len() as u8,
            truth: truth.map(|at| at as u8),
        });
    }

    /// Learns which token it was.
    pub(crate) fn learn(&mut self, truth: TokenId, rate: u32) {
        let is_known = self.candidates.iter().any(|it| it.token == truth);
        for vote in &self.votes {
            let candidate = &self.candidates[usize::from(vote.candidate)];
            let right = if candidate.token == truth { ONE } else { 0 };
            let error = right - candidate.probability;
            self.weights.step(vote.weight, error, vote.log, rate);
            self.weights.step(vote.second, error, vote.log, rate);
            self.weights.step(vote.third, error, vote.log, rate);
            self.weights.step_bias(vote.latest, error, rate);
        }
        for candidate in &self.candidates {
            let right = if candidate.token == truth { ONE } else { 0 };
            self.weights
                .step_bias(candidate.recent, right - candidate.probability, rate);
        }
        let error = if is_known { 0 } else { ONE } - self.escape;
        for escape in &self.escapes {
            self.weights.step_bias(*escape, error, rate);
        }
    }
}

/// How much a context has seen, and how much it was of one mind.
fn bucket_of(total: u32, distinct: usize) -> usize {
    match (total, distinct) {
        (0, _) => 0,
        (1, _) => 1,
        (2, 1) => 2,
        (3..=4, 1) => 3,
        (5..=9, 1) => 4,
        (_, 1) => 5,
        (2, _) => 6,
        (3..=4, 2) => 7,
        (5..=9, 2) => 8,
        (_, 2) => 9,
        (3..=4, _) => 10,
        (5..=9, 3..=4) => 11,
        (5..=9, _) => 12,
        (_, 3..=5) => 13,
        (_, 6..=14) => 14,
        (_, _) => 15,
    }
}
