//! Finding a wording in a message.
//!
//! A pattern is the wording itself with three things in it that stand for something else:
//!
//! | written | stands for |
//! | --- | --- |
//! | `'wrong'`, `'right'`, `'?'` | a name between quotation marks of any kind that belong together |
//! | `{wrong}`, `{right}` | a word without quotation marks |
//! | `…` | whatever stands between, as little of it as will do |
//!
//! Compilers change their quotation marks more often than their words: `'x'`, `` `x` ``, `"x"` and
//! `‘x’` are all found by `'right'`, and a name may contain marks of another kind. Letters match
//! whatever their case.
//!
//! Messages are looked at for [`LONGEST_MESSAGE`] bytes, and a wording may begin anywhere in them.
//! Tests of single wordings are beside the table.

use foretell_text::plain::is_word;

/// How much of a message is looked at: the rest is often code.
const LONGEST_MESSAGE: usize = 2000;
/// How long a name may be, in bytes.
const LONGEST_NAME: usize = 200;
/// How much may stand where anything may, in bytes.
const LONGEST_GAP: usize = 500;

/// The kinds of quotation marks, as they open and close.
const QUOTES: [(char, char); 7] = [
    ('\'', '\''),
    ('`', '`'),
    ('"', '"'),
    ('‘', '’'),
    ('“', '”'),
    ('`', '\''),
    ('«', '»'),
];

/// A remedy that a message names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct NamedRemedy<'a> {
    /// The name that is wrong, if the message names it.
    pub(super) wrong: Option<&'a str>,
    /// The right name.
    pub(super) right: &'a str,
}

/// All places of a message where a pattern is found, as what it says there.
pub(super) fn find_all<'a>(pattern: &str, message: &'a str) -> Vec<NamedRemedy<'a>> {
    let message = cut(message, LONGEST_MESSAGE);
    let pieces = pieces(pattern);
    if !has_literals(&pieces, message) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (at, _) in message.char_indices() {
        let mut names = RemedyNames::default();
        if matches(&pieces, message, at, &mut names) {
            found.extend(names.remedy());
        }
    }
    found
}

/// A part of a pattern.
#[derive(Clone, Copy)]
enum PatternPiece<'p> {
    Literal(&'p str),
    Quoted(PatternSlot),
    Bare(PatternSlot),
    Gap,
}

/// The role of a name.
#[derive(Clone, Copy)]
enum PatternSlot {
    Wrong,
    Right,
    Any,
}

/// The names found so far.
#[derive(Clone, Copy, Default)]
struct RemedyNames<'a> {
    wrong: Option<&'a str>,
    right: Option<&'a str>,
}

impl<'a> RemedyNames<'a> {
    fn put(&mut self, slot: PatternSlot, name: &'a str) {
        match slot {
            PatternSlot::Wrong => self.wrong = Some(name),
            PatternSlot::Right => self.right = Some(name),
            PatternSlot::Any => {}
        }
    }

    fn remedy(self) -> Option<NamedRemedy<'a>> {
        Some(NamedRemedy {
            wrong: self.wrong,
            right: self.right?,
        })
    }
}

/// A pattern in parts.
fn pieces(pattern: &str) -> Vec<PatternPiece<'_>> {
    const MARKS: [(&str, PatternPiece<'static>); 6] = [
        ("'wrong'", PatternPiece::Quoted(PatternSlot::Wrong)),
        ("'right'", PatternPiece::Quoted(PatternSlot::Right)),
        ("'?'", PatternPiece::Quoted(PatternSlot::Any)),
        ("{wrong}", PatternPiece::Bare(PatternSlot::Wrong)),
        ("{right}", PatternPiece::Bare(PatternSlot::Right)),
        ("…", PatternPiece::Gap),
    ];
    let mut pieces = Vec::new();
    let mut rest = pattern;
    while !rest.is_empty() {
        let next = MARKS.iter().filter_map(|(mark, piece)| {
            let (before, after) = rest.split_once(mark)?;
            Some((before, after, *piece))
        });
        let Some((before, after, piece)) = next.min_by_key(|(before, ..)| before.len()) else {
            pieces.push(PatternPiece::Literal(rest));
            break;
        };
        if !before.is_empty() {
            pieces.push(PatternPiece::Literal(before));
        }
        pieces.push(piece);
        rest = after;
    }
    pieces
}

/// Whether the words of a pattern are all there: nearly always they are not, and that is quickly seen.
fn has_literals(pieces: &[PatternPiece<'_>], message: &str) -> bool {
    let message = message.as_bytes();
    pieces.iter().all(|piece| match piece {
        PatternPiece::Literal(literal) => {
            let literal = literal.as_bytes();
            let mut starts = message.windows(literal.len());
            starts.any(|start| start.eq_ignore_ascii_case(literal))
        }
        PatternPiece::Quoted(_) | PatternPiece::Bare(_) | PatternPiece::Gap => true,
    })
}

/// Whether the parts are found one behind the other from an offset on, and which names then.
fn matches<'a>(
    pieces: &[PatternPiece<'_>],
    message: &'a str,
    at: usize,
    names: &mut RemedyNames<'a>,
) -> bool {
    let Some((piece, later)) = pieces.split_first() else {
        return true;
    };
    let Some(rest) = message.get(at..) else {
        return false;
    };
    match *piece {
        PatternPiece::Literal(literal) => {
            let is_same = starts_with(rest, literal);
            is_same && matches(later, message, at + literal.len(), names)
        }
        PatternPiece::Quoted(slot) => QUOTES.iter().any(|(open, close)| {
            let Some((name, len)) = quoted(rest, *open, *close) else {
                return false;
            };
            let mut inner = *names;
            inner.put(slot, name);
            let found = matches(later, message, at + len, &mut inner);
            if found {
                *names = inner;
            }
            found
        }),
        PatternPiece::Bare(slot) => {
            let before = message
                .get(..at)
                .and_then(|before| before.chars().next_back());
            let len = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            if len == 0 || len > LONGEST_NAME || before.is_some_and(is_word) {
                return false;
            }
            names.put(slot, rest.get(..len).unwrap_or_default());
            matches(later, message, at + len, names)
        }
        PatternPiece::Gap => {
            let ends = cut(rest, LONGEST_GAP).char_indices();
            ends.map(|(len, _)| at + len)
                .any(|end| matches(later, message, end, names))
        }
    }
}

/// The name between quotation marks at the start of a text, and its length with them.
fn quoted(text: &str, open: char, close: char) -> Option<(&str, usize)> {
    let inside = text.strip_prefix(open)?;
    let end = cut(inside, LONGEST_NAME).find(close)?;
    let name = inside.get(..end)?;
    let is_name = !name.is_empty() && !name.contains(['\n', '\r']);
    is_name.then_some((name, open.len_utf8() + end + close.len_utf8()))
}

fn starts_with(text: &str, literal: &str) -> bool {
    let start = text.as_bytes().get(..literal.len());
    start.is_some_and(|start| start.eq_ignore_ascii_case(literal.as_bytes()))
}

/// The first so many bytes of a text, or a little less.
fn cut(text: &str, most: usize) -> &str {
    if text.len() <= most {
        return text;
    }
    let end = (0..=most).rev().find(|end| text.is_char_boundary(*end));
    text.get(..end.unwrap_or(0)).unwrap_or_default()
}
