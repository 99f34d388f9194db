//! [`LearnedLine`]: the tokens of a line, and under which contexts each was counted.
//!
//! Forgetting takes back exactly what was learned, whatever stands around the line by then. The contexts
//! themselves would be eighteen numbers a token, so they are not kept but made again: of the tokens, of
//! what stood above, and of which names were rare when the line was learned.

use std::sync::Arc;

use crate::line_contexts::{LONGEST_BEGINNING, LineWalk, beginning};
use crate::successor_table::SuccessorTable;
use crate::token_vocabulary::{TokenId, TokenVocabulary};

/// The mark of a token that stood for its shape when it was learned.
const ABSTRACT: u32 = 1 << 31;

/// The tokens of a line, and what its contexts are made of.
#[derive(Debug)]
pub(crate) struct LearnedLine {
    /// Where a walk is behind the line above.
    above: Arc<LineWalk>,
    /// In columns; an empty line has none.
    indent: Option<u32>,
    tokens: Box<[u32]>,
}

impl LearnedLine {
    /// A line below another, and where a walk is behind it.
    pub(crate) fn read(
        tokens: impl Iterator<Item = TokenId>,
        above: Arc<LineWalk>,
        indent: Option<u32>,
        vocabulary: &TokenVocabulary,
    ) -> (Self, LineWalk) {
        let marked = |token: TokenId| {
            let is_abstract = vocabulary.shape(token) != vocabulary.stem(token);
            token.0 | if is_abstract { ABSTRACT } else { 0 }
        };
        let line = LearnedLine {
            above,
            indent,
            tokens: tokens.map(marked).collect(),
        };
        let walk = line.each_context(vocabulary, |_, _| {});
        (line, walk)
    }

    pub(crate) fn tokens(&self) -> impl Iterator<Item = TokenId> {
        self.tokens.iter().map(|token| TokenId(token & !ABSTRACT))
    }

    /// How many tokens it has, its end included.
    pub(crate) fn len(&self) -> usize {
        self.tokens.len() + 1
    }

    pub(crate) fn teach(&self, table: &mut SuccessorTable, vocabulary: &TokenVocabulary) {
        self.each_context(vocabulary, |context, token| table.add(context, token));
    }

    pub(crate) fn unteach(&self, table: &mut SuccessorTable, vocabulary: &TokenVocabulary) {
        self.each_context(vocabulary, |context, token| table.remove(context, token));
    }

    /// Goes through the line, and says where a walk is behind it.
    fn each_context(
        &self,
        vocabulary: &TokenVocabulary,
        mut each: impl FnMut(u32, TokenId),
    ) -> LineWalk {
        let mut walk = LineWalk::clone(&self.above);
        walk.begin_line(self.indent);
        for marked in &self.tokens {
            let token = TokenId(marked & !ABSTRACT);
            if token != TokenId::UNREAD {
                for context in walk.contexts() {
                    each(context, token);
                }
                let bare = vocabulary.bare_text(token);
                let first = bare.chars().next();
                if first.is_some_and(foretell_text::plain::is_word) {
                    let lengths = 1..=LONGEST_BEGINNING;
                    let begin = lengths.map_while(|length| beginning(bare, length));
                    begin.for_each(|begin| each(begin, token));
                }
            }
            let shape = if marked & ABSTRACT != 0 {
                vocabulary.abstract_shape(token)
            } else {
                vocabulary.stem(token)
            };
            walk.push_as(token, shape, vocabulary);
        }
        for context in walk.contexts() {
            each(context, TokenId::LINE_END);
        }
        walk
    }
}
