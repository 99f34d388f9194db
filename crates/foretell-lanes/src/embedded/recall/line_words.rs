//! A line as words and marks, each with the blanks before it.
//!
//! Lines are compared word by word here, so that spacing does not matter, and inside strings and
//! comments as everywhere else: what is being typed is seldom whole, and a string that is half
//! written is no string yet.

use foretell_text::code_tokens::{self, TokenKind};

/// A word, a number or a mark.
#[derive(Clone, Copy)]
pub(super) struct LineWord<'t> {
    /// The blanks before it.
    pub(super) gap: &'t str,
    pub(super) says: &'t str,
    pub(super) kind: TokenKind,
}

/// The words of a line.
pub(super) fn words(line: &str) -> Vec<LineWord<'_>> {
    let mut words = Vec::new();
    let mut gap = "";
    for token in code_tokens::pieces(line, 0..line.len()) {
        let says = token.of(line);
        match token.kind {
            TokenKind::Space => gap = says,
            kind => {
                words.push(LineWord { gap, says, kind });
                gap = "";
            }
        }
    }
    words
}

/// How far a line is indented: its first blanks.
pub(super) fn indent(line: &str) -> &str {
    let blank = line.len() - line.trim_start().len();
    line.get(..blank).unwrap_or_default()
}
