//! Where a name is known that stands where it is declared.
//!
//! Renaming one thing must not rename another of the same name. That needs no grammar of each
//! language, since nearly all have these in common:
//! - *A parameter* is known in its function: it is between the brackets of a function's head, behind
//!   a word that begins a function or before the block.
//! - *A loop's variable* is known in the loop.
//! - *A variable* that is indented is known to the end of its block; one that is not, in its document,
//!   unless it is told to others.
//! - *A name that something is assigned to*, or that follows a type, is known in its function.
//! - *An alias* in an import is known in its document.
//!
//! A block is what is set in below its head, and a function is the nearest head above that is no
//! mere branch or loop. Code that is not set in by its blocks has no parts that a name is known in.
//!
//! Absent on purpose: classes and what is in them, which others know by the same name.

use std::ops::Range;

use super::change_evidence::DeclarationKind;
use super::document_pieces::{CodePiece, DocumentPieces, PieceZone};
use foretell_text::code_tokens::TokenKind;

/// How far away the brackets around a parameter may be, in pieces.
const LONGEST_HEAD: usize = 200;

/// Where a name is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NameScope {
    /// In a part of its document.
    Part(Range<usize>),
    /// In its document.
    Document,
}

impl NameScope {
    /// Where the name at a piece is known, if it is declared there and not known anywhere.
    pub(super) fn of(page: &DocumentPieces, at: usize) -> Option<NameScope> {
        let place = page.start_of(at);
        let is_set_in = !page.indent(place).is_empty();
        if let Some(part) = parameter(page, at).or_else(|| looped(page, at)) {
            return Some(NameScope::Part(part));
        }
        match DeclarationKind::at(page, at) {
            Some(DeclarationKind::Item) => None,
            Some(DeclarationKind::Variable) if is_set_in => {
                Some(NameScope::Part(place..page.block_end(place)))
            }
            Some(DeclarationKind::Variable) => (!is_told(page, at)).then_some(NameScope::Document),
            None if is_set_in && is_assigned(page, at) => {
                function(page, place).map(NameScope::Part)
            }
            None => is_alias(page, at).then_some(NameScope::Document),
        }
    }

    /// The part of the document.
    pub(super) fn part(&self) -> Range<usize> {
        match self {
            NameScope::Part(part) => part.clone(),
            NameScope::Document => 0..usize::MAX,
        }
    }
}

/// The function that has a name as a parameter.
fn parameter(page: &DocumentPieces, at: usize) -> Option<Range<usize>> {
    let piece = |back: usize| at.checked_sub(back).and_then(|at| page.pieces.get(at));
    let mark = |back: usize| piece(back).map_or(0, CodePiece::mark);
    let after = page.pieces.get(at + 1)?;
    let is_last = matches!(after.mark(), b',' | b')' | b':' | b'=' | b'?');
    if !is_last && after.kind != TokenKind::Word {
        return None;
    }
    let (open, close) = (opening(page, at)?, closing(page, at)?);
    let begins =
        |piece: &CodePiece| is_one_of(page, piece, &["def", "fn", "fun", "func", "function"]);
    let head = line_before(page, open);
    let is_parameter = match head.iter().rposition(begins) {
        Some(word) => {
            let rest = head.get(word..).unwrap_or_default();
            let is_whole = rest.iter().map(CodePiece::depth).sum::<i32>() == 0;
            // Behind other marks there are types, as in `name: &Type`.
            let is_rest = mark(1) == b'*' && matches!(mark(2), b'(' | b',' | b'*');
            let is_first = is_rest || matches!(mark(1), b'(' | b',');
            let is_mut = piece(1).is_some_and(|it| page.says(it) == "mut");
            // Only there types follow without a mark.
            let is_go = rest.first().is_some_and(|it| page.says(it) == "func");
            let is_name = (is_first && (is_last || is_go)) || (is_mut && is_last);
            is_whole && is_name && has_body(page, close)
        }
        None => {
            let is_behind_type = piece(1).is_some_and(|it| it.kind == TokenKind::Word);
            let is_first = is_behind_type || matches!(mark(1), b'(' | b',' | b'*' | b'&');
            is_first && is_last && is_head_of_block(page, head, close)
        }
    };
    let start = page.line_start(page.start_of(open));
    is_parameter.then(|| start..body_end(page, start, page.end_before(close + 1)))
}

/// Whether the head that ends with a bracket is not that of a mere prototype: its names are there to
/// be read, and known nowhere.
fn has_body(page: &DocumentPieces, close: usize) -> bool {
    let mut depth = 0;
    let after = page.pieces.iter().skip(close + 1).take(LONGEST_HEAD);
    for piece in after {
        match piece.mark() {
            b'{' => return true,
            b';' if depth == 0 => return false,
            _ => depth += piece.depth(),
        }
    }
    true
}

/// Whether what ends with a bracket is the head of a function, though no word says so.
fn is_head_of_block(page: &DocumentPieces, head: &[CodePiece], close: usize) -> bool {
    let mark = |at: usize| page.pieces.get(at).map_or(0, CodePiece::mark);
    let follows = (mark(close + 1), mark(close + 2));
    if follows == (b'=', b'>') {
        return true;
    }
    let is_other = |piece: &CodePiece| {
        matches!(piece.mark(), b'(' | b'=' | b'?' | b'.') || is_one_of(page, piece, NO_HEADS)
    };
    let is_named = head
        .last()
        .is_some_and(|piece| piece.kind == TokenKind::Word);
    is_named && !head.iter().any(is_other) && matches!(follows.0, b'{' | b':')
}

/// The loop that a name is the variable of: `for name in`.
fn looped(page: &DocumentPieces, at: usize) -> Option<Range<usize>> {
    let is_for = |piece: &CodePiece| is_one_of(page, piece, &["for", "foreach"]);
    let is_in = |piece: &CodePiece| is_one_of(page, piece, &["in", "of"]);
    let before = line_before(page, at);
    let head = before.get(before.iter().rposition(is_for)?..)?;
    let line = page.pieces.get(at)?.line;
    let after = page.pieces.get(at + 1..)?.iter().take(LONGEST_HEAD);
    let mut after = after.take_while(|piece| piece.line == line);
    let is_variable = !head.iter().any(is_in) && after.any(is_in);
    let start = page.line_start(page.start_of(at));
    is_variable.then(|| start..body_end(page, start, page.line_end(start)))
}

/// Whether something is assigned to the name, or it follows a type, with nothing else before.
fn is_assigned(page: &DocumentPieces, at: usize) -> bool {
    let before = line_before(page, at);
    let is_type = |(index, piece): (usize, &CodePiece)| match piece.mark() {
        b':' => {
            let beside = [index.checked_sub(1), Some(index + 1)]
                .into_iter()
                .flatten();
            let mut beside = beside.filter_map(|it| before.get(it));
            beside.any(|it| it.mark() == b':')
        }
        b'*' | b'&' | b'<' | b'>' | b'[' | b']' | b',' => index > 0,
        _ => piece.kind == TokenKind::Word && !is_one_of(page, piece, NO_HEADS),
    };
    let mark = |at: usize| page.pieces.get(at).map_or(0, CodePiece::mark);
    let is_followed = match (mark(at + 1), mark(at + 2)) {
        (b'=', next) => !matches!(next, b'=' | b'>' | b'~'),
        (b':', next) => next == b'=',
        (next, _) => next == b';' && !before.is_empty(),
    };
    is_followed && before.iter().enumerate().all(is_type)
}

/// The function that a place is in, from its head on.
fn function(page: &DocumentPieces, place: usize) -> Option<Range<usize>> {
    let mut at = page.line_start(place);
    loop {
        let mut head = page.line_around(at)?;
        let body = head;
        if page.line(head).trim() == "{" {
            head = page.line_above(head)?;
        }
        let line = page.from(head)..page.from(page.line_end(head));
        let line = page.pieces.get(line).unwrap_or_default();
        let mut code = line.iter().filter(|piece| piece.zone == PieceZone::Code);
        let first = code.clone().find(|piece| piece.kind == TokenKind::Word);
        if first.is_some_and(|piece| is_one_of(page, piece, BRANCHES)) {
            at = head;
            continue;
        }
        let is_open = code.clone().next_back().is_some_and(|piece| {
            body != head || matches!(piece.mark(), b'{' | b':') || page.says(piece) == "do"
        });
        let is_class = first.is_some_and(|piece| is_one_of(page, piece, &["class"]));
        let is_head = is_open && !is_class && code.any(|piece| piece.mark() == b')');
        return is_head.then(|| head..body_end(page, head, page.line_end(body)));
    }
}

/// Whether others are told of a name: its line says so, or it is a constant by its spelling.
fn is_told(page: &DocumentPieces, at: usize) -> bool {
    let words = ["export", "extern", "global", "open", "pub", "public"];
    let mut before = line_before(page, at).iter();
    let name = page.pieces.get(at).map_or("", |piece| page.says(piece));
    before.any(|piece| is_one_of(page, piece, &words)) || !name.chars().any(char::is_lowercase)
}

/// Whether it is what something from elsewhere is called here.
fn is_alias(page: &DocumentPieces, at: usize) -> bool {
    let before = line_before(page, at);
    let imports = |piece: &CodePiece| is_one_of(page, piece, &["from", "import", "use", "using"]);
    let is_as = before.last().is_some_and(|piece| page.says(piece) == "as");
    is_as && before.first().is_some_and(imports)
}

/// The pieces before one on its line, of a long line the nearest.
fn line_before(page: &DocumentPieces, at: usize) -> &[CodePiece] {
    let first = page.from(page.line_start(page.start_of(at)));
    let first = first.max(at.saturating_sub(LONGEST_HEAD));
    page.pieces.get(first..at).unwrap_or_default()
}

/// Where what is set in below a head ends; where its line does, if nothing is.
fn body_end(page: &DocumentPieces, head: usize, end: usize) -> usize {
    let mut body = page.line_below(end);
    if body.is_some_and(|line| page.line(line).trim() == "{") {
        body = body.and_then(|line| page.line_below(page.line_end(line)));
    }
    let depth = page.indent(head).len();
    match body.filter(|line| page.indent(*line).len() > depth) {
        Some(line) => page.block_end(line),
        None => page.line_end(end),
    }
}

/// The round bracket that a piece is right inside of.
fn opening(page: &DocumentPieces, at: usize) -> Option<usize> {
    let before = page.pieces.get(..at)?.iter().enumerate().rev();
    let found = bracket(before.take(LONGEST_HEAD), -1)?;
    let is_round = page.pieces.get(found)?.mark() == b'(';
    is_round.then_some(found)
}

/// The bracket that closes what a piece is right inside of.
fn closing(page: &DocumentPieces, at: usize) -> Option<usize> {
    let after = page.pieces.iter().enumerate().skip(at);
    bracket(after.take(LONGEST_HEAD), 1)
}

fn bracket<'page>(
    pieces: impl Iterator<Item = (usize, &'page CodePiece)>,
    sign: i32,
) -> Option<usize> {
    let mut depth = 0;
    for (index, piece) in pieces.filter(|(_, piece)| piece.zone == PieceZone::Code) {
        depth += piece.depth() * sign;
        if depth < 0 {
            return Some(index);
        }
    }
    None
}

fn is_one_of(page: &DocumentPieces, piece: &CodePiece, words: &[&str]) -> bool {
    piece.kind == TokenKind::Word && words.contains(&page.says(piece))
}

/// How a line begins that belongs to the function around it.
const BRANCHES: &[&str] = &[
    "case", "catch", "default", "do", "elif", "else", "elsif", "except", "finally", "for",
    "foreach", "guard", "if", "loop", "match", "rescue", "switch", "try", "unless", "unsafe",
    "until", "when", "while", "with",
];

/// Marks that neither the head of a function nor a type has.
const NO_HEADS: &[&str] = &[
    "as",
    "assert",
    "await",
    "break",
    "case",
    "catch",
    "class",
    "continue",
    "del",
    "delete",
    "elif",
    "else",
    "except",
    "export",
    "extends",
    "for",
    "foreach",
    "from",
    "goto",
    "if",
    "import",
    "in",
    "instanceof",
    "is",
    "match",
    "new",
    "not",
    "of",
    "or",
    "package",
    "raise",
    "return",
    "switch",
    "throw",
    "typeof",
    "use",
    "using",
    "while",
    "with",
    "yield",
];
