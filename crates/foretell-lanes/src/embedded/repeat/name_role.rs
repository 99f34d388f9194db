//! The role of a name: a variable, a member, a key, a tag or no name at all.
//!
//! The same word may be a variable here, and a member, a key or no name at all there. A few marks
//! around it tell.

use super::document_pieces::{CodePiece, DocumentPieces, PieceZone};
use foretell_text::code_tokens::TokenKind;

/// How far away the bracket may be that a shorthand is in, in pieces.
const LONGEST_LIST: usize = 60;

/// Whether a variable cannot stand there: it is a member, a key, or both key and value, which cannot
/// be changed as one.
pub(super) fn is_no_variable(page: &DocumentPieces, at: usize) -> bool {
    let mark = |at: Option<usize>| {
        at.and_then(|at| page.pieces.get(at))
            .map_or(0, CodePiece::mark)
    };
    let (before, after) = (mark(at.checked_sub(1)), mark(Some(at + 1)));
    // `..name` is a range or what is spread.
    let is_member = before == b'.' && mark(at.checked_sub(2)) != b'.';
    let is_between = matches!(before, b'{' | b',');
    let is_key = is_between && after == b':' && mark(Some(at + 2)) != b':';
    let is_both = is_between && matches!(after, b'}' | b',') && is_in_object(page, at);
    is_member || is_key || is_both
}

/// Whether it is part of a pattern or of the text between two tags, which look like code.
pub(super) fn is_no_code(page: &DocumentPieces, at: usize) -> bool {
    let piece = |at: Option<usize>| at.and_then(|at| page.pieces.get(at));
    let mark = |at: Option<usize>| piece(at).map_or(0, CodePiece::mark);
    let (before, after) = (mark(at.checked_sub(1)), mark(Some(at + 1)));
    let is_divided = piece(at.checked_sub(2)).is_some_and(|piece| {
        matches!(piece.kind, TokenKind::Word | TokenKind::Number)
            || matches!(piece.mark(), b')' | b']')
    });
    let is_pattern = (before, after) == (b'/', b'/') && !is_divided;
    let is_between_tags = (before, after) == (b'>', b'<') && mark(Some(at + 2)) == b'/';
    is_pattern || is_between_tags
}

/// Whether it is the name of a common tag, such as `h1`, which is never renamed.
pub(super) fn is_tag(page: &DocumentPieces, at: usize) -> bool {
    let piece = |back: usize| at.checked_sub(back).and_then(|at| page.pieces.get(at));
    let mark = |back: usize| piece(back).map_or(0, CodePiece::mark);
    let is_closing = (mark(2), mark(1)) == (b'<', b'/');
    // A bracket that touches what is before opens a list of types, or compares with it.
    let touches = |open: &CodePiece| piece(2).is_some_and(|it| it.end() == open.start());
    let is_behind_value = piece(2).is_some_and(|it| {
        matches!(it.kind, TokenKind::Word | TokenKind::Number)
            || matches!(it.mark(), b':' | b')' | b']')
    });
    let is_list = is_behind_value && piece(1).is_some_and(touches);
    // A tag touches its bracket: with a space behind it, it compares.
    let is_close = piece(1)
        .zip(piece(0))
        .is_some_and(|(open, name)| open.end() == name.start());
    let is_opening = mark(1) == b'<' && is_close && !is_list;
    let name = piece(0).map_or("", |piece| page.says(piece));
    name.starts_with(char::is_lowercase) && (is_closing || is_opening)
}

/// Whether a piece is right inside the braces of an object, and not of a block.
fn is_in_object(page: &DocumentPieces, at: usize) -> bool {
    let before = page.pieces.get(..at).unwrap_or_default();
    let mut depth = 0;
    for (index, piece) in before.iter().enumerate().rev().take(LONGEST_LIST) {
        depth += piece.depth();
        if depth > 0 {
            let owner = index.checked_sub(1).and_then(|it| before.get(it));
            return piece.mark() == b'{' && owner.is_some_and(|it| owns_object(page, it));
        }
    }
    false
}

/// Whether a brace behind it opens an object: what is assigned, handed over, returned or made.
fn owns_object(page: &DocumentPieces, piece: &CodePiece) -> bool {
    let said = page.says(piece);
    match piece.kind {
        TokenKind::Word => {
            let is_type = said.starts_with(char::is_uppercase);
            is_type || matches!(said, "return" | "const" | "let" | "var")
        }
        _ => {
            piece.zone == PieceZone::Code
                && matches!(piece.mark(), b'=' | b'(' | b',' | b':' | b'[')
        }
    }
}
