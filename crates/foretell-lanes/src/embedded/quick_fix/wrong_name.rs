//! Where the wrong name stands.
//!
//! Compilers point in different ways: at the very name, at the expression around it, at its first
//! character, or at the line. A name that is pointed at is it; else it is the only one of its
//! spelling in what is pointed at, or else on the line. A name that is there twice, or not at all,
//! has no place, and nothing is offered: a diagnostic may be older than the text.
//!
//! A name is found whole, never as part of a longer one, and an operator never as part of a longer
//! operator. At most [`WIDEST`] bytes are looked at, so that a line of megabytes costs nothing.

use foretell_text::{ByteOffset, ByteRange, Text};

use foretell_text::plain::is_word;

/// How much is looked through for a name, in bytes.
const WIDEST: usize = 10_000;

/// Where a name stands that a message says is wrong.
pub(super) fn of_name(text: &Text, range: ByteRange, name: &str) -> Option<ByteRange> {
    let line = text.line_at(range.start()).ok()?;
    let pointed = around(text, range.start(), range.start().get() + name.len());
    let points_at_start = range.len() <= name.len();
    if let (true, Some(pointed)) = (points_at_start, pointed) {
        if stands_at(text, pointed, name) {
            return Some(pointed);
        }
    }
    let wider = |range: ByteRange| only(text, range, name);
    match wider(range) {
        NameSearch::Once(place) => Some(place),
        NameSearch::Never => match wider(line) {
            NameSearch::Once(place) => Some(place),
            NameSearch::Never | NameSearch::Often => None,
        },
        NameSearch::Often => None,
    }
}

/// The place that is pointed at, if a message that names no wrong name can only mean all of it: one
/// name, or the very place where a mark such as `;` is missing.
pub(super) fn of_whole(text: &Text, range: ByteRange, right: &str) -> Option<ByteRange> {
    if range.is_empty() {
        return (!right.contains(is_word)).then_some(range);
    }
    if range.len() > WIDEST {
        return None;
    }
    let said = text.read(range).ok()?;
    let is_name = said.chars().all(is_word) && right.contains(is_word);
    (is_name && stands_at(text, range, &said)).then_some(range)
}

/// How often a name was found.
enum NameSearch {
    Never,
    Once(ByteRange),
    Often,
}

/// Where a name stands in a range, if that is one place.
fn only(text: &Text, range: ByteRange, name: &str) -> NameSearch {
    if range.len() > WIDEST || name.is_empty() {
        return NameSearch::Never;
    }
    let Ok(said) = text.read(range) else {
        return NameSearch::Never;
    };
    let places = said.match_indices(name).filter_map(|(at, _)| {
        let start = range.start().get() + at;
        let place = around(text, ByteOffset::new(start), start + name.len())?;
        stands_at(text, place, name).then_some(place)
    });
    let mut found = NameSearch::Never;
    for place in places {
        found = match found {
            NameSearch::Never => NameSearch::Once(place),
            NameSearch::Once(_) | NameSearch::Often => return NameSearch::Often,
        };
    }
    found
}

/// Whether a name stands at a range, whole.
fn stands_at(text: &Text, range: ByteRange, name: &str) -> bool {
    let is_there = text.read(range).is_ok_and(|said| said == name);
    let (first, last) = (name.chars().next(), name.chars().next_back());
    is_there
        && !joins(char_before(text, range.start()), first)
        && !joins(last, char_after(text, range.end()))
}

/// Whether two characters are of one word or one operator when they stand side by side.
fn joins(left: Option<char>, right: Option<char>) -> bool {
    let both = |is: fn(char) -> bool| left.is_some_and(is) && right.is_some_and(is);
    both(is_word) || both(is_operator)
}

fn is_operator(c: char) -> bool {
    "=<>!+-*/%&|^~?:.".contains(c)
}

fn char_before(text: &Text, at: ByteOffset) -> Option<char> {
    let starts = (1..=4).filter_map(|len| at.get().checked_sub(len));
    let found = starts.filter_map(|start| around(text, ByteOffset::new(start), at.get()));
    let mut read = found.filter_map(|range| text.read(range).ok()?.chars().next());
    read.next()
}

fn char_after(text: &Text, at: ByteOffset) -> Option<char> {
    let ends = (1..=4).map(|len| at.get() + len);
    let found = ends.filter_map(|end| around(text, at, end));
    let mut read = found.filter_map(|range| text.read(range).ok()?.chars().next());
    read.next()
}

/// A range that fits the text.
fn around(text: &Text, start: ByteOffset, end: usize) -> Option<ByteRange> {
    let range = ByteRange::new(start, ByteOffset::new(end)).ok()?;
    (text.check(start).is_ok() && text.check(range.end()).is_ok()).then_some(range)
}
