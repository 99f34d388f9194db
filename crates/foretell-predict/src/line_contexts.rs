//! [`LineWalk`]: the contexts that a token stands in, as it is met on the way through a line.
//!
//! A context is a number: two places with the same number are taken to be alike in that respect. What
//! comes after a place is counted under each of its contexts.
//!
//! Kept: a walk knows what it has met and nothing else, so that the same tokens give the same numbers.

use crate::token_vocabulary::{TokenId, TokenVocabulary, mixed};

/// How many contexts a place has.
pub(crate) const PLACE_CONTEXTS: usize = 15;
/// By how many of its first characters a word is counted, too.
pub(crate) const LONGEST_BEGINNING: usize = 3;

const TAIL: usize = 6;
const DEPTH: usize = 4;

/// An open bracket.
#[derive(Clone, Copy, Debug, Default)]
struct OpenBracket {
    head: TokenId,
    bracket: TokenId,
    arguments: u32,
}

/// What was met of a document so far, as far as it matters to what comes next.
#[derive(Clone, Debug)]
pub(crate) struct LineWalk {
    /// The last tokens, the latest first.
    tail: [TokenId; TAIL],
    shapes: [TokenId; 4],
    line: u64,
    line_shape: u64,
    first: TokenId,
    before: LineEnds,
    brackets: [OpenBracket; DEPTH],
    /// How a line is indented, in columns; of an empty one, as the one before.
    indent: u32,
}

/// The line before that is not empty.
#[derive(Clone, Copy, Debug, Default)]
struct LineEnds {
    whole: u64,
    first: TokenId,
    last: TokenId,
}

impl LineWalk {
    pub(crate) fn new() -> Self {
        LineWalk {
            tail: [TokenId::UNREAD; TAIL],
            shapes: [TokenId::UNREAD; 4],
            line: 0,
            line_shape: 0,
            first: TokenId::UNREAD,
            before: LineEnds::default(),
            brackets: [OpenBracket::default(); DEPTH],
            indent: 0,
        }
    }

    /// The token that a line begins with.
    pub(crate) fn start_token(&self, indent: u32) -> TokenId {
        if indent == self.indent {
            TokenId::SAME_INDENT
        } else if indent > self.indent {
            TokenId::MORE_INDENT
        } else if self.indent - indent <= 4 {
            TokenId::LESS_INDENT
        } else {
            TokenId::FAR_LESS_INDENT
        }
    }

    /// Goes to the next line. An empty one has no indent of its own.
    pub(crate) fn begin_line(&mut self, indent: Option<u32>) -> TokenId {
        if self.first != TokenId::UNREAD {
            self.before = LineEnds {
                whole: self.line,
                first: self.first,
                last: self.tail[0],
            };
        }
        let start = indent.map_or(TokenId::SAME_INDENT, |indent| self.start_token(indent));
        self.indent = indent.unwrap_or(self.indent);
        self.line = 0;
        self.line_shape = 0;
        self.first = TokenId::UNREAD;
        self.meet(start, start);
        start
    }

    /// Goes behind a token.
    pub(crate) fn push(&mut self, token: TokenId, vocabulary: &TokenVocabulary) {
        self.push_as(token, vocabulary.shape(token), vocabulary);
    }

    /// The same where it is known what stands for the token in an abstract context.
    pub(crate) fn push_as(&mut self, token: TokenId, shape: TokenId, vocabulary: &TokenVocabulary) {
        let stem = vocabulary.stem(token);
        self.follow_brackets(stem, vocabulary);
        if self.first == TokenId::UNREAD {
            self.first = stem;
        }
        self.meet(stem, shape);
    }

    fn meet(&mut self, stem: TokenId, shape: TokenId) {
        self.tail.rotate_right(1);
        self.tail[0] = stem;
        self.shapes.rotate_right(1);
        self.shapes[0] = shape;
        self.line = mixed(self.line ^ u64::from(stem.0)).wrapping_add(1);
        self.line_shape = mixed(self.line_shape ^ u64::from(shape.0)).wrapping_add(1);
    }

    fn follow_brackets(&mut self, stem: TokenId, vocabulary: &TokenVocabulary) {
        match vocabulary.bare_text(stem) {
            "(" | "[" | "{" => {
                self.brackets.rotate_right(1);
                self.brackets[0] = OpenBracket {
                    head: self.tail[0],
                    bracket: stem,
                    arguments: 0,
                };
            }
            ")" | "]" | "}" => {
                self.brackets[0] = OpenBracket::default();
                self.brackets.rotate_left(1);
            }
            "," => self.brackets[0].arguments = (self.brackets[0].arguments + 1).min(7),
            _ => {}
        }
    }

    /// The numbers of the contexts of what comes next.
    pub(crate) fn contexts(&self) -> [u32; PLACE_CONTEXTS] {
        let mut numbers = [0; PLACE_CONTEXTS];
        let mut hash = 0;
        for (at, token) in self.tail.iter().enumerate() {
            hash = mixed(hash ^ u64::from(token.0)).wrapping_add(1);
            numbers[at] = number(at, hash);
        }
        let id = |token: TokenId| u64::from(token.0);
        let pair = |a: u64, b: u64| mixed(a.rotate_left(32) ^ mixed(b).wrapping_add(7));
        let [one, two, three, ..] = self.tail;
        let ends = pair(id(self.before.first), id(self.before.last));
        let [a, b, c, d] = self.shapes;
        let shapes = pair(pair(id(a), id(b)), pair(id(c), id(d)));
        let bracket = self.brackets[0];
        let bracket = pair(
            pair(id(bracket.head), id(bracket.bracket)),
            u64::from(bracket.arguments),
        );
        let others = [
            self.line,
            pair(self.line, self.before.whole),
            pair(self.line, ends),
            shapes,
            self.line_shape,
            bracket,
            pair(bracket, id(one)),
            pair(id(two), id(three)),
            pair(id(one), id(three)),
        ];
        for (at, hash) in others.into_iter().enumerate() {
            numbers[TAIL + at] = number(TAIL + at, hash);
        }
        numbers
    }
}

/// The number of the words that begin with some characters, from one to [`LONGEST_BEGINNING`].
pub(crate) fn beginning(bare: &str, characters: usize) -> Option<u32> {
    let end = bare.char_indices().nth(characters.checked_sub(1)?)?;
    let begin = bare.get(..end.0 + end.1.len_utf8())?;
    let hash = begin.bytes().fold(0, |hash, byte| {
        mixed(hash ^ u64::from(byte)).wrapping_add(1)
    });
    Some(number(PLACE_CONTEXTS + characters, hash))
}

/// No two contexts of a place share a number but by chance. Zero is no context.
fn number(kind: usize, hash: u64) -> u32 {
    let hash = mixed(hash ^ (kind as u64 + 1).wrapping_mul(0x2545_f491_4f6c_dd1d));
    ((hash >> 32) as u32).max(1)
}
