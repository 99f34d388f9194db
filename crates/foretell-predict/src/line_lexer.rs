//! A line of code as tokens: words, numbers, marks and operators, each with the blank before it.
//!
//! Strings and comments are read as what they are made of, since people type them a word at a time, too.
//! So a line can be read without those around it, and a key costs one line.
//!
//! Absent on purpose: the language. What its operators are is known well enough for all of them.

use std::ops::Range;

use foretell_text::code_tokens::{TokenKind, each_piece};

use crate::token_vocabulary::{LONGEST_TOKEN, TokenId, TokenVocabulary};

/// A longer line is not read: nobody typed it.
pub(crate) const LONGEST_LINE: usize = 1_000;

/// Marks that mean something together. Brackets are not among them: editors put in their closers.
const OPERATORS: [&str; 34] = [
    "->", "=>", "::", "==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "*=", "/=", "|=", "&=", "..",
    "...", "..=", ":=", "++", "--", "//", "///", "//!", "/*", "/**", "*/", "===", "!==", "<<",
    ">>", "?.", "</", "/>",
];

/// A token of a line, and where it is. The blank before it belongs to it.
#[derive(Clone, Debug)]
pub(crate) struct LexedToken {
    pub(crate) id: TokenId,
    /// With the blank.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests read it"))]
    pub(crate) bytes: Range<usize>,
}

/// The line before the cursor.
#[derive(Clone, Debug)]
pub(crate) struct LexedPrefix {
    pub(crate) tokens: Vec<LexedToken>,
    /// Where the token begins that is not finished: all from there on is the beginning of the next. At
    /// the end, if there is none.
    pub(crate) partial: usize,
}

/// The width of the blank that a line begins with, and how many bytes it is.
pub(crate) fn indent_of(line: &str) -> (u32, usize) {
    let bytes = line.len() - line.trim_start_matches([' ', '\t']).len();
    let blank = line.bytes().take(bytes);
    let width = blank.map(|byte| if byte == b'\t' { 4 } else { 1 });
    (width.sum(), bytes)
}

/// All tokens of a line, which is read without its line break.
pub(crate) fn lex_line(line: &str, vocabulary: &mut TokenVocabulary) -> Vec<LexedToken> {
    let pieces = pieces_of(line);
    let read = |piece: &LinePiece| LexedToken {
        id: id_of(line, piece, vocabulary),
        bytes: piece.start..piece.end,
    };
    pieces.iter().map(read).collect()
}

/// The tokens before the cursor, and what of the next is typed.
pub(crate) fn lex_prefix(prefix: &str, vocabulary: &mut TokenVocabulary) -> LexedPrefix {
    let mut pieces = pieces_of(prefix);
    let end = pieces.last().map_or(indent_of(prefix).1, |piece| piece.end);
    let mut partial = prefix.len();
    if end < prefix.len() {
        partial = end;
    } else if let Some(last) = pieces.last().filter(|piece| may_go_on(prefix, piece)) {
        partial = last.start;
        pieces.pop();
    }
    let read = |piece: &LinePiece| LexedToken {
        id: id_of(prefix, piece, vocabulary),
        bytes: piece.start..piece.end,
    };
    LexedPrefix {
        tokens: pieces.iter().map(read).collect(),
        partial,
    }
}

struct LinePiece {
    /// With the blank.
    start: usize,
    bare: usize,
    end: usize,
    kind: TokenKind,
}

fn may_go_on(text: &str, piece: &LinePiece) -> bool {
    let bare = text.get(piece.bare..piece.end).unwrap_or_default();
    match piece.kind {
        TokenKind::Word | TokenKind::Number => true,
        _ => OPERATORS
            .iter()
            .any(|it| it.len() > bare.len() && it.starts_with(bare)),
    }
}

fn id_of(text: &str, piece: &LinePiece, vocabulary: &mut TokenVocabulary) -> TokenId {
    if piece.end - piece.start > LONGEST_TOKEN {
        return TokenId::UNREAD;
    }
    let token = text.get(piece.start..piece.end).unwrap_or_default();
    vocabulary.read(token, piece.bare - piece.start)
}

fn pieces_of(line: &str) -> Vec<LinePiece> {
    let mut pieces: Vec<LinePiece> = Vec::with_capacity(line.len() / 4);
    let indent = indent_of(line).1;
    let mut start = indent;
    each_piece(line, indent..line.len(), |piece| {
        let (bare, end) = (piece.bytes.start, piece.bytes.end);
        if piece.kind == TokenKind::Space {
            return;
        }
        if piece.kind == TokenKind::Mark && start == bare {
            if let Some(last) = pieces.last_mut() {
                let joined = line.get(last.bare..end).unwrap_or_default();
                if last.kind == TokenKind::Mark && OPERATORS.contains(&joined) {
                    last.end = end;
                    start = end;
                    return;
                }
            }
        }
        pieces.push(LinePiece {
            start,
            bare,
            end,
            kind: piece.kind,
        });
        start = end;
    });
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Vec<&str> {
        let mut vocabulary = TokenVocabulary::new();
        let tokens = lex_line(line, &mut vocabulary);
        tokens
            .iter()
            .map(|it| line.get(it.bytes.clone()).unwrap())
            .collect()
    }

    #[test]
    fn each_token_has_the_blank_before_it() {
        assert_eq!(
            read("  let a_b = f(x)?;"),
            ["let", " a_b", " =", " f", "(", "x", ")", "?", ";"]
        );
        assert_eq!(
            read("a => b::c ... // d"),
            ["a", " =>", " b", "::", "c", " ...", " //", " d"]
        );
        assert!(read(" \t ").is_empty());
    }

    #[test]
    fn what_may_go_on_is_not_a_token_yet() {
        let mut vocabulary = TokenVocabulary::new();
        let mut partial = |prefix: &str| {
            let lexed = lex_prefix(prefix, &mut vocabulary);
            (
                lexed.tokens.len(),
                prefix.get(lexed.partial..).unwrap().to_owned(),
            )
        };
        assert_eq!(partial("let fo"), (1, " fo".to_owned()));
        assert_eq!(partial("let "), (1, " ".to_owned()));
        assert_eq!(partial("f("), (2, String::new()));
        assert_eq!(partial("a ="), (1, " =".to_owned()));
        assert_eq!(partial("    "), (0, String::new()));
        assert_eq!(partial("é"), (0, "é".to_owned()));
    }
}
