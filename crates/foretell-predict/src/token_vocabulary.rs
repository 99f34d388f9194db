//! [`TokenVocabulary`]: every token that was read, as a number.
//!
//! A token is a word, a number or a mark with the blank before it, since both are typed. Contexts do not
//! care for the blank: each token has a *stem*, the number of the same token without one.
//!
//! A token that nobody has typed or read is `UNREAD`, and so is every new one once the vocabulary is full:
//! it is a context like others, and is never suggested. Before that happens whoever reads begins anew, with
//! an empty one.
//!
//! Kept: the numbers depend on the order of reading alone.

/// A token, as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct TokenId(pub(crate) u32);

impl TokenId {
    /// A token that is not in the vocabulary.
    pub(crate) const UNREAD: TokenId = TokenId(0);
    /// The end of a line.
    pub(crate) const LINE_END: TokenId = TokenId(1);
    /// The start of a line, by how it is indented next to the one before.
    pub(crate) const SAME_INDENT: TokenId = TokenId(2);
    pub(crate) const MORE_INDENT: TokenId = TokenId(3);
    pub(crate) const LESS_INDENT: TokenId = TokenId(4);
    pub(crate) const FAR_LESS_INDENT: TokenId = TokenId(5);
    /// What a rare name is in an abstract context, by how it is written.
    pub(crate) const SOME_NAME: TokenId = TokenId(6);
    pub(crate) const SOME_TYPE: TokenId = TokenId(7);
    pub(crate) const SOME_CONSTANT: TokenId = TokenId(8);
    pub(crate) const SOME_NUMBER: TokenId = TokenId(9);
    const FIRST_FREE: u32 = 10;

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a token is to the mixer: how much is to be given on a name depends on how rare it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenRarity {
    /// A mark, or the end of a line.
    Mark,
    /// A word that is used all over.
    Common,
    /// Any other word, and numbers.
    Rare,
}

/// The longest token that is read, in bytes.
pub(crate) const LONGEST_TOKEN: usize = 80;
/// How many tokens the vocabulary holds: more than stand in all that is learned at a time, each with and
/// without a blank.
pub(crate) const CAPACITY: usize = 1 << 18;
/// Before it is full, so many are left for what is read until it is cleared.
const RESERVE: usize = 1 << 14;
/// A word that was read as often is common.
const COMMON: u32 = 24;

#[derive(Clone, Copy, Debug)]
struct TokenFacts {
    /// Where its text is.
    start: u32,
    length: u8,
    /// How many bytes of it are the blank before.
    blank: u8,
    stem: TokenId,
    /// What it is where names are abstracted, if it is a word or a number.
    shape: TokenId,
    /// How often it stands in what was learned, for a stem: with any blank.
    count: u32,
}

/// Every token that was read.
#[derive(Clone, Debug)]
pub(crate) struct TokenVocabulary {
    text: String,
    facts: Vec<TokenFacts>,
    /// Open addressing; the number of a token, or zero.
    slots: Vec<u32>,
}

impl TokenVocabulary {
    pub(crate) fn new() -> Self {
        let none = TokenFacts {
            start: 0,
            length: 0,
            blank: 0,
            stem: TokenId::UNREAD,
            shape: TokenId::UNREAD,
            count: 0,
        };
        let mut facts = vec![none; TokenId::FIRST_FREE as usize];
        for (facts, id) in facts.iter_mut().zip(0..) {
            facts.stem = TokenId(id);
        }
        TokenVocabulary {
            text: String::new(),
            facts,
            slots: vec![0; 1 << 12],
        }
    }

    /// The text of a token, with the blank before it.
    pub(crate) fn text(&self, id: TokenId) -> &str {
        let facts = self.facts(id);
        let start = facts.start as usize;
        let text = self.text.get(start..start + usize::from(facts.length));
        text.unwrap_or_default()
    }

    /// The text without the blank.
    pub(crate) fn bare_text(&self, id: TokenId) -> &str {
        let blank = usize::from(self.facts(id).blank);
        self.text(id).get(blank..).unwrap_or_default()
    }

    pub(crate) fn stem(&self, id: TokenId) -> TokenId {
        self.facts(id).stem
    }

    /// What stands for a token in an abstract context: itself, unless it is a rare name.
    pub(crate) fn shape(&self, id: TokenId) -> TokenId {
        match self.rarity(id) {
            TokenRarity::Rare => self.facts(id).shape,
            TokenRarity::Mark | TokenRarity::Common => self.stem(id),
        }
    }

    /// What stands for a rare name in an abstract context, by how it is written.
    pub(crate) fn abstract_shape(&self, id: TokenId) -> TokenId {
        self.facts(id).shape
    }

    pub(crate) fn rarity(&self, id: TokenId) -> TokenRarity {
        let facts = self.facts(id);
        if facts.shape == TokenId::UNREAD {
            TokenRarity::Mark
        } else if self.facts(facts.stem).count >= COMMON {
            TokenRarity::Common
        } else {
            TokenRarity::Rare
        }
    }

    /// How many numbers there are.
    pub(crate) fn len(&self) -> usize {
        self.facts.len()
    }

    /// Whether it is time to begin anew: tokens that stand nowhere any more are not taken out.
    pub(crate) fn is_nearly_full(&self) -> bool {
        self.facts.len() + RESERVE >= CAPACITY
    }

    pub(crate) fn count(&mut self, id: TokenId, up: bool) {
        let stem = self.stem(id);
        if let Some(facts) = self.facts.get_mut(stem.index()) {
            let count = facts.count;
            facts.count = if up {
                count.saturating_add(1)
            } else {
                count.saturating_sub(1)
            };
        }
    }

    /// How often a token stands in what was learned.
    #[cfg(test)]
    pub(crate) fn uses(&self, id: TokenId) -> u32 {
        self.facts(id).count
    }

    /// The number of a token of which the first so many bytes are the blank before it.
    pub(crate) fn read(&mut self, text: &str, blank: usize) -> TokenId {
        if let Some(known) = self.find(text) {
            return known;
        }
        if text.len() > LONGEST_TOKEN || text.is_empty() || self.facts.len() >= CAPACITY {
            return TokenId::UNREAD;
        }
        let bare = text.get(blank..).unwrap_or_default();
        let stem = if blank > 0 {
            Some(self.read(bare, 0))
        } else {
            None
        };
        let id = TokenId(self.facts.len() as u32);
        let Ok(start) = u32::try_from(self.text.len()) else {
            return TokenId::UNREAD;
        };
        self.text.push_str(text);
        self.facts.push(TokenFacts {
            start,
            length: text.len() as u8,
            blank: blank.min(text.len()) as u8,
            stem: stem.unwrap_or(id),
            shape: shape_of(bare),
            count: 0,
        });
        if self.facts.len() * 2 > self.slots.len() {
            self.grow();
        } else {
            self.place(id);
        }
        id
    }

    /// The number of a token that was read before.
    pub(crate) fn find(&self, text: &str) -> Option<TokenId> {
        let mask = self.slots.len() - 1;
        let mut slot = hash_of(text) as usize & mask;
        loop {
            match self.slots[slot] {
                0 => return None,
                id if self.text(TokenId(id)) == text => return Some(TokenId(id)),
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    fn facts(&self, id: TokenId) -> &TokenFacts {
        self.facts.get(id.index()).unwrap_or(&self.facts[0])
    }

    fn grow(&mut self) {
        self.slots = vec![0; self.slots.len() * 2];
        for id in TokenId::FIRST_FREE..self.facts.len() as u32 {
            self.place(TokenId(id));
        }
    }

    fn place(&mut self, id: TokenId) {
        let mask = self.slots.len() - 1;
        let mut slot = hash_of(self.text(id)) as usize & mask;
        while self.slots[slot] != 0 {
            slot = (slot + 1) & mask;
        }
        self.slots[slot] = id.0;
    }
}

fn shape_of(bare: &str) -> TokenId {
    let Some(first) = bare.chars().next() else {
        return TokenId::UNREAD;
    };
    if first.is_ascii_digit() {
        return TokenId::SOME_NUMBER;
    }
    if !foretell_text::plain::is_word(first) {
        return TokenId::UNREAD;
    }
    if !first.is_uppercase() {
        return TokenId::SOME_NAME;
    }
    if bare.len() > 1 && !bare.chars().any(char::is_lowercase) {
        return TokenId::SOME_CONSTANT;
    }
    TokenId::SOME_TYPE
}

fn hash_of(text: &str) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for chunk in text.as_bytes().chunks(8) {
        let mut word = [0; 8];
        for (to, from) in word.iter_mut().zip(chunk) {
            *to = *from;
        }
        hash = mixed(hash ^ u64::from_le_bytes(word));
    }
    mixed(hash ^ text.len() as u64)
}

/// Spreads every bit of a number over all.
pub(crate) fn mixed(mut hash: u64) -> u64 {
    hash ^= hash >> 32;
    hash = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash ^= hash >> 29;
    hash = hash.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash ^ (hash >> 32)
}
