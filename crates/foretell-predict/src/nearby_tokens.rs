//! [`NearbyTokens`]: the code around the cursor, searched token by token.
//!
//! What is close matters more than its count says: the line above is most often the model of the line
//! that is typed, but for one value. So the lines around are looked through for the places that came
//! about as this one did, and it is told how much of the way there was the same. And the names that stood here
//! last are told, however they came about: what was just declared is used next.

use crate::mixer_weights::DISTANCES;
use crate::token_mixer::TokenMixer;
use crate::token_vocabulary::{TokenId, TokenRarity, TokenVocabulary};

/// How many lines above and below are looked at.
pub(crate) const LINES_ABOVE: usize = 200;
pub(crate) const LINES_BELOW: usize = 80;

/// More tokens than these are not searched.
const MOST: usize = 6_000;
/// How much of the way to a place is compared.
const LONGEST: usize = 20;

/// Where the first three contexts of this search begin among all.
const FIRST_CONTEXT: usize = 32;

/// The context of the words nearby that begin as the one that is being typed.
const WORD_CONTEXT: usize = 42;

/// The context of the rare names that stood last, how many of them, and among how many tokens.
const NAME_CONTEXT: usize = 43;
const LATEST_NAMES: usize = 12;
const LATEST_TOKENS: usize = 160;

/// The code around the cursor.
#[derive(Clone, Debug, Default)]
pub(crate) struct NearbyTokens {
    tokens: Vec<TokenId>,
    stems: Vec<TokenId>,
    /// For each stem the question at which it was met here, and where it stands last.
    last_places: Vec<(u32, u32)>,
    question: u32,
    /// Where the line of the cursor begins.
    line: usize,
    /// What was pushed since, with where it stood before.
    pushed: Vec<(TokenId, (u32, u32))>,
    latest_names: Vec<(TokenId, u32)>,
    longest: Vec<(TokenId, u32)>,
    any: Vec<(TokenId, u32)>,
}

impl NearbyTokens {
    /// Takes the tokens below, above, and on the line before the cursor.
    pub(crate) fn fill(&mut self, tokens: &[TokenId], vocabulary: &TokenVocabulary) {
        let spare = tokens.len().saturating_sub(MOST);
        self.tokens.clear();
        self.tokens.extend(tokens.iter().skip(spare));
        self.stems.clear();
        self.stems
            .extend(self.tokens.iter().map(|token| vocabulary.stem(*token)));
        self.question = self.question.wrapping_add(1);
        self.pushed.clear();
        if self.last_places.len() < vocabulary.len() {
            self.last_places.resize(vocabulary.len() * 2, (0, 0));
        }
        for (at, stem) in self.stems.iter().enumerate() {
            if let Some(place) = self.last_places.get_mut(stem.index()) {
                *place = (self.question, at as u32);
            }
        }
        self.line = self
            .stems
            .iter()
            .rposition(|it| is_line_start(*it))
            .unwrap_or_default();
    }

    pub(crate) fn push(&mut self, token: TokenId, vocabulary: &TokenVocabulary) {
        let stem = vocabulary.stem(token);
        if self.last_places.len() <= stem.index() {
            self.last_places.resize(vocabulary.len() * 2, (0, 0));
        }
        if let Some(place) = self.last_places.get_mut(stem.index()) {
            self.pushed.push((stem, *place));
            *place = (self.question, self.stems.len() as u32);
        }
        self.tokens.push(token);
        self.stems.push(stem);
    }

    /// How far away a token stood last: on this line, or so many tokens before; the last one, if not here.
    pub(crate) fn distance(&self, token: TokenId, vocabulary: &TokenVocabulary) -> usize {
        let stem = vocabulary.stem(token);
        let place = self.last_places.get(stem.index()).copied();
        let Some((_, at)) = place.filter(|(question, _)| *question == self.question) else {
            return DISTANCES - 1;
        };
        let at = at as usize;
        if at >= self.line {
            return 0;
        }
        match self.stems.len() - at {
            0..=8 => 1,
            9..=20 => 2,
            21..=45 => 3,
            46..=100 => 4,
            101..=300 => 5,
            _ => 6,
        }
    }

    /// Tells the mixer which rare names stood here last.
    pub(crate) fn tell_latest_names(
        &mut self,
        mixer: &mut TokenMixer,
        vocabulary: &TokenVocabulary,
        partial: &str,
    ) {
        self.latest_names.clear();
        if partial.trim_start().is_empty() {
            for token in self.tokens.iter().rev().take(LATEST_TOKENS) {
                if vocabulary.rarity(*token) != TokenRarity::Rare
                    || !vocabulary.text(*token).starts_with(partial)
                {
                    continue;
                }
                let known = self.latest_names.iter_mut().find(|(it, _)| it == token);
                if let Some((_, count)) = known {
                    *count += 1;
                } else if self.latest_names.len() < LATEST_NAMES {
                    self.latest_names.push((*token, 1));
                }
            }
        }
        mixer.hear(NAME_CONTEXT, None, &self.latest_names, vocabulary);
    }

    /// How many tokens there are, to go back to.
    pub(crate) fn len(&self) -> usize {
        self.tokens.len()
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        while self.stems.len() > len {
            self.stems.pop();
            if let Some((stem, place)) = self.pushed.pop() {
                if let Some(known) = self.last_places.get_mut(stem.index()) {
                    *known = place;
                }
            }
        }
        self.tokens.truncate(len);
    }

    /// The tokens before the cursor, the latest first, without their blanks and without empty lines.
    pub(crate) fn latest(&self) -> impl Iterator<Item = TokenId> {
        let mut is_before_start = false;
        self.stems.iter().rev().copied().filter(move |token| {
            let is_empty_line = is_line_start(*token) && is_before_start;
            is_before_start = is_line_start(*token);
            !is_empty_line
        })
    }

    /// Tells the mixer what came at the places that are most like the end of these tokens.
    pub(crate) fn tell_likest(
        &mut self,
        mixer: &mut TokenMixer,
        vocabulary: &TokenVocabulary,
        partial: &str,
    ) {
        let fits =
            |token: TokenId| partial.is_empty() || vocabulary.text(token).starts_with(partial);
        self.longest.clear();
        self.any.clear();
        mixer.set_state(0, 0);
        let Some((last, before)) = self.stems.split_last() else {
            return;
        };
        let mut most = 0;
        let mut nearest: Option<(TokenId, usize)> = None;
        let mut siblings = SiblingTokens::default();
        for (at, _) in before
            .iter()
            .enumerate()
            .rev()
            .filter(|(_, stem)| *stem == last)
        {
            let next = self.token_at(at + 1);
            if next == TokenId::UNREAD {
                continue;
            }
            let ways = before.iter().rev().zip(before.iter().take(at).rev());
            let same = ways
                .take(LONGEST)
                .take_while(|(a, b)| a == b && **a != TokenId::UNREAD);
            let length = 1 + same.count();
            if length >= 2 {
                siblings.meet(next);
            }
            if !fits(next) {
                continue;
            }
            count(&mut self.any, next);
            if length > most {
                most = length;
                self.longest.clear();
            }
            if length == most {
                count(&mut self.longest, next);
            }
            if length >= 2 && nearest.is_none() {
                nearest = Some((next, length));
            }
        }
        let kind = kind_of(*last, vocabulary);
        mixer.set_state(length_class(most).min(5) * 4 + self.line_class(), kind);
        let of_two_minds = usize::from(self.longest.len() > 1);
        let kind = 1 + 2 * length_class(most) + of_two_minds;
        mixer.hear(FIRST_CONTEXT, Some(kind), &self.longest, vocabulary);
        let mut alone = [(TokenId::UNREAD, 0)];
        let mut kind = 0;
        if let Some((next, length)) = nearest {
            alone = [(next, 1)];
            let length = length_class(length).saturating_sub(1).min(4);
            kind = 1 + 3 * length + siblings.likeness() as usize;
        }
        let said = if kind > 0 { &alone[..] } else { &[] };
        mixer.hear(FIRST_CONTEXT + 1, Some(kind), said, vocabulary);
    }

    /// How much of the line is there: nothing, one token, two or three, more.
    fn line_class(&self) -> usize {
        let tokens = self.tokens.iter().rev().take(4);
        let tokens = tokens.take_while(|it| !is_line_start(**it));
        [0, 1, 2, 2, 3][tokens.count()]
    }

    /// And the words that begin as the one that is being typed, the nearest first.
    pub(crate) fn tell_words(
        &mut self,
        mixer: &mut TokenMixer,
        vocabulary: &TokenVocabulary,
        partial: &str,
    ) {
        if partial.trim_start().is_empty() {
            return;
        }
        self.any.clear();
        for token in self.tokens.iter().rev() {
            if *token > TokenId::FAR_LESS_INDENT && vocabulary.text(*token).starts_with(partial) {
                count(&mut self.any, *token);
            }
        }
        mixer.hear(WORD_CONTEXT, None, &self.any, vocabulary);
    }

    /// And then what came at all places that are like it at all.
    pub(crate) fn tell_all(&self, mixer: &mut TokenMixer, vocabulary: &TokenVocabulary) {
        mixer.hear(FIRST_CONTEXT + 2, None, &self.any, vocabulary);
    }

    /// What stands there: the start of the next line is the end of the one before.
    fn token_at(&self, at: usize) -> TokenId {
        let token = self.tokens.get(at).copied().unwrap_or_default();
        if is_line_start(token) {
            TokenId::LINE_END
        } else {
            token
        }
    }
}

/// What came at the two nearest places that are like this one. Where it was not the same, it is the value that
/// lines like this one differ by, and neither is likely to come again.
#[derive(Clone, Copy, Debug, Default)]
struct SiblingTokens {
    nearest: Option<TokenId>,
    next: Option<TokenId>,
}

/// Whether lines like this one have the same there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SiblingLikeness {
    Unknown,
    Same,
    Other,
}

impl SiblingTokens {
    fn meet(&mut self, token: TokenId) {
        if self.nearest.is_none() {
            self.nearest = Some(token);
        } else if self.next.is_none() {
            self.next = Some(token);
        }
    }

    fn likeness(self) -> SiblingLikeness {
        match self.next {
            None => SiblingLikeness::Unknown,
            next if next == self.nearest => SiblingLikeness::Same,
            _ => SiblingLikeness::Other,
        }
    }
}

fn is_line_start(token: TokenId) -> bool {
    token >= TokenId::SAME_INDENT && token <= TokenId::FAR_LESS_INDENT
}

fn count(counts: &mut Vec<(TokenId, u32)>, token: TokenId) {
    if let Some((_, count)) = counts.iter_mut().find(|(known, _)| *known == token) {
        *count += 1;
    } else if counts.len() < 32 {
        counts.push((token, 1));
    }
}

/// What a token is to what comes next; an opened bracket wants something else than a dot.
fn kind_of(token: TokenId, vocabulary: &TokenVocabulary) -> usize {
    match (vocabulary.rarity(token), vocabulary.bare_text(token)) {
        (TokenRarity::Common, _) => 1,
        (TokenRarity::Rare, _) => 2,
        (_, "") => 0,
        (_, ".") => 3,
        (_, "::" | "->" | "?.") => 7,
        (_, "(") => 4,
        (_, "{") => 8,
        (_, "[" | "<") => 9,
        (_, ",") => 5,
        (_, ":") => 10,
        (_, ";" | ")" | "]" | "}" | ">") => 11,
        (_, "=" | ":=" | "=>") => 6,
        (_, "==" | "+" | "&&" | "||" | "!=" | "&" | "!" | "*") => 12,
        (_, "\"" | "'" | "`") => 13,
        (_, "//" | "///" | "#" | "/*" | "/**" | "//!") => 14,
        _ => 15,
    }
}

fn length_class(length: usize) -> usize {
    match length {
        0..=1 => 0,
        2 => 1,
        3 => 2,
        4 => 3,
        5..=6 => 4,
        7..=10 => 5,
        _ => 6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_line_does_not_stand_between_two_others() {
        let mut vocabulary = TokenVocabulary::new();
        let [a, b] = ["a", "b"].map(|text| vocabulary.read(text, 0));
        let (same, more) = (TokenId::SAME_INDENT, TokenId::MORE_INDENT);
        let mut nearby = NearbyTokens::default();
        nearby.fill(&[same, a, same, same, more, b], &vocabulary);
        let latest: Vec<TokenId> = nearby.latest().collect();
        assert_eq!(latest, [b, more, a, same]);
    }

    #[test]
    fn what_lines_like_this_one_differ_by_is_told_apart() {
        let likeness = |met: &[u32]| {
            let mut siblings = SiblingTokens::default();
            met.iter().for_each(|token| siblings.meet(TokenId(*token)));
            siblings.likeness()
        };
        assert_eq!(likeness(&[11]), SiblingLikeness::Unknown);
        assert_eq!(likeness(&[11, 11, 12]), SiblingLikeness::Same);
        assert_eq!(likeness(&[11, 12, 11]), SiblingLikeness::Other);
    }
}
