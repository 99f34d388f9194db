//! A line as words, space and signs: what a change within a line is told in.
//!
//! A change of a line is cut down to the pieces that differ, so that a person sees at a glance what
//! would become different. Characters beyond ASCII are never taken apart: a face and its colour are
//! one.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// How many pairs of pieces are compared at most; longer lines are only compared at their ends.
const MOST_PAIRS: usize = 250_000;
/// How alike lines must be to be taken apart, in thousandths.
const LEAST_LIKE: usize = 333;

/// Whether a character is part of a word.
pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || !c.is_ascii()
}

/// The pieces of a line.
pub(in crate::model) fn pieces(line: &str) -> Vec<&str> {
    let (mut pieces, mut rest) = (Vec::new(), line);
    while let Some(first) = rest.chars().next() {
        let end = match first {
            _ if is_word(first) => rest.find(|c| !is_word(c)),
            _ if first.is_whitespace() => rest.find(|c: char| !c.is_whitespace() || is_word(c)),
            _ => Some(first.len_utf8()),
        };
        let (piece, next) = rest.split_at(end.unwrap_or(rest.len()));
        pieces.push(piece);
        rest = next;
    }
    pieces
}

/// The words of a line, whatever the order, to see how alike it is to others.
#[derive(Clone, Debug)]
pub(in crate::model) struct LineWords<'t> {
    /// Its pieces but for space, sorted.
    pieces: Vec<&'t str>,
    len: usize,
}

impl<'t> LineWords<'t> {
    pub(in crate::model) fn of(pieces: &[&'t str]) -> Self {
        let says = pieces.iter().filter(|piece| !piece.trim().is_empty());
        let mut pieces: Vec<&str> = says.copied().collect();
        pieces.sort_unstable();
        let len = pieces.iter().map(|piece| piece.len()).sum();
        LineWords { pieces, len }
    }

    /// How alike two lines are, in thousandths, by the pieces that both have.
    pub(in crate::model) fn likeness(&self, other: &LineWords<'_>) -> usize {
        let (mut ours, mut theirs) = (self.pieces.iter(), other.pieces.iter());
        let (mut a, mut b) = (ours.next(), theirs.next());
        let mut common = 0;
        while let (Some(one), Some(two)) = (a, b) {
            let order = one.cmp(two);
            if order.is_eq() {
                common += 2 * one.len();
            }
            if order.is_le() {
                a = ours.next();
            }
            if order.is_ge() {
                b = theirs.next();
            }
        }
        match self.len + other.len {
            0 => 1_000,
            whole => common * 1_000 / whole,
        }
    }
}

/// The differences between two lines, as stretches of each in bytes, in order.
pub(super) fn differences(old: &str, new: &str) -> Vec<(Range<usize>, Range<usize>)> {
    let (old_pieces, new_pieces) = (pieces(old), pieces(new));
    let is_long = old_pieces.len().saturating_mul(new_pieces.len()) > MOST_PAIRS;
    let (old_at, new_at) = (starts(&old_pieces), starts(&new_pieces));
    let in_bytes = |old: Range<usize>, new: Range<usize>| {
        let of = |starts: &[usize], range: Range<usize>| starts[range.start]..starts[range.end];
        (of(&old_at, old), of(&new_at, new))
    };
    let likeness = LineWords::of(&old_pieces).likeness(&LineWords::of(&new_pieces));
    if is_long || likeness < LEAST_LIKE {
        let same = |(a, b): &(&&str, &&str)| a == b;
        let pairs = old_pieces.iter().zip(&new_pieces);
        let head = pairs.take_while(same).count();
        let most = old_pieces.len().min(new_pieces.len()) - head;
        let pairs = old_pieces.iter().rev().zip(new_pieces.iter().rev());
        let tail = pairs.take(most).take_while(same).count();
        let (old_end, new_end) = (old_pieces.len() - tail, new_pieces.len() - tail);
        return vec![in_bytes(head..old_end, head..new_end)];
    }
    let ops = capture_diff_slices(Algorithm::Myers, &old_pieces, &new_pieces);
    let mut found: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    for op in ops.iter().filter(|op| !matches!(op, DiffOp::Equal { .. })) {
        let (old, new) = (op.old_range(), op.new_range());
        if let Some((last_old, last_new)) = found.last_mut() {
            // Two changes with nothing but signs between them look like one.
            let between = &old_pieces[last_old.end..old.start];
            if !between.iter().any(|piece| piece.starts_with(is_word)) {
                (last_old.end, last_new.end) = (old.end, new.end);
                continue;
            }
        }
        found.push((old, new));
    }
    let found = found.into_iter();
    found.map(|(old, new)| in_bytes(old, new)).collect()
}

/// Where each piece starts, and where the last ends.
fn starts(pieces: &[&str]) -> Vec<usize> {
    let ends = pieces.iter().scan(0, |at, piece| {
        *at += piece.len();
        Some(*at)
    });
    std::iter::once(0).chain(ends).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tell(old: &str, new: &str) -> Vec<String> {
        let differences = differences(old, new).into_iter();
        let tell = |(a, b): (Range<usize>, Range<usize>)| {
            format!("{} -> {}", old.get(a).unwrap(), new.get(b).unwrap())
        };
        differences.map(tell).collect()
    }

    #[test]
    fn a_line_is_words_space_and_signs() {
        assert_eq!(
            pieces("a_b  += 👍🏽x;"),
            ["a_b", "  ", "+", "=", " ", "👍🏽x", ";"]
        );
        assert_eq!(pieces(""), [""; 0]);
    }

    #[test]
    fn only_what_differs_is_told() {
        assert_eq!(tell("foo(a, b)", "foo(a, c)"), ["b -> c"]);
        assert_eq!(tell("sum(a)", "sum(a, b)"), [" -> , b"]);
        assert_eq!(
            tell("foo(alpha, b)", "bar(alpha, c)"),
            ["foo -> bar", "b -> c"]
        );
        assert_eq!(tell("👍 ok", "👍🏽 ok"), ["👍 -> 👍🏽"]);
    }

    #[test]
    fn signs_alone_do_not_keep_changes_apart() {
        assert_eq!(tell("let x = a.b(c);", "let x = d.e(c);"), ["a.b -> d.e"]);
    }

    #[test]
    fn lines_that_have_little_in_common_are_replaced() {
        assert_eq!(
            tell("    return 1;", "    for x in y {"),
            ["return 1; -> for x in y {"]
        );
    }
}
