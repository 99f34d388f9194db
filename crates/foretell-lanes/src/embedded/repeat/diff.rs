//! The differences between two runs of pieces.
//!
//! The pieces that stay are chosen so that words count for more than marks, and neighbours that stay
//! together for more than pieces here and there: people change words, not brackets.
//!
//! The table that is filled is as large as one run times the other, so that long runs are not looked
//! into: what differs between their common ends is then one difference.

use std::ops::Range;

use super::document_pieces::CodePiece;
use foretell_text::code_tokens::TokenKind;

/// How many cells the table may have.
const MOST_CELLS: usize = 60_000;

/// Pieces of the old run and the pieces of the new run that took their place. Either may be empty,
/// not both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PieceDifference {
    pub(super) old: Range<usize>,
    pub(super) new: Range<usize>,
}

/// The differences, in order.
pub(super) fn differences(old: &[CodePiece], new: &[CodePiece]) -> Vec<PieceDifference> {
    let same = |(a, b): &(&CodePiece, &CodePiece)| a.is_like(b);
    let head = old.iter().zip(new).take_while(same).count();
    let (old_rest, new_rest) = (&old[head..], &new[head..]);
    let tail = old_rest.iter().rev().zip(new_rest.iter().rev());
    let tail = tail.take_while(same).count();
    let old_core = &old_rest[..old_rest.len() - tail];
    let new_core = &new_rest[..new_rest.len() - tail];
    let mut found = Vec::new();
    let mut add = |old: Range<usize>, new: Range<usize>| {
        if !(old.is_empty() && new.is_empty()) {
            let moved = |it: Range<usize>| it.start + head..it.end + head;
            found.push(PieceDifference {
                old: moved(old),
                new: moved(new),
            });
        }
    };
    let (mut at_old, mut at_new) = (0, 0);
    for (stays_old, stays_new) in staying(old_core, new_core) {
        add(at_old..stays_old, at_new..stays_new);
        (at_old, at_new) = (stays_old + 1, stays_new + 1);
    }
    add(at_old..old_core.len(), at_new..new_core.len());
    for difference in &mut found {
        if difference.old.is_empty() {
            slide(new, &mut difference.new, &mut difference.old);
        } else if difference.new.is_empty() {
            slide(old, &mut difference.old, &mut difference.new);
        }
    }
    found
}

/// A text that was put between two equal pieces may as well have been put before the first or after the
/// second: `a, b` with `b, ` or `, b` put in. The place is taken where it starts a line, or else where
/// its brackets are whole.
fn slide(run: &[CodePiece], moving: &mut Range<usize>, still: &mut Range<usize>) {
    let most = moving.start.min(still.start);
    let can = |by: &usize| *by == 0 || run[moving.start - by].is_like(&run[moving.end - by]);
    let places: Vec<usize> = (0..=most).take_while(can).collect();
    let starts_line = |by: &&usize| {
        let at = moving.start - **by;
        at == 0 || run[at - 1].line < run[at].line
    };
    let is_whole = |by: &&usize| are_whole(&run[moving.start - **by..moving.end - **by]);
    let best = places.iter().find(starts_line);
    let by = best.or_else(|| places.iter().find(is_whole)).copied();
    let by = by.unwrap_or_default();
    *moving = moving.start - by..moving.end - by;
    *still = still.start - by..still.end - by;
}

/// Whether no bracket is closed before it is opened, and none is left open.
fn are_whole(run: &[CodePiece]) -> bool {
    let mut depth = 0_i32;
    for piece in run {
        depth += piece.depth();
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

/// Which pieces of the one run stay as which of the other.
fn staying(old: &[CodePiece], new: &[CodePiece]) -> Vec<(usize, usize)> {
    let width = new.len() + 1;
    if old.is_empty() || new.is_empty() || (old.len() + 1) * width > MOST_CELLS {
        return Vec::new();
    }
    // The worth of the rest of both runs from a cell on: in the first table if nothing is known of
    // the pieces before, in the second if those stay too.
    let cells = (old.len() + 1) * width;
    let (mut apart, mut joined) = (vec![0_u32; cells], vec![0_u32; cells]);
    for a in (0..old.len()).rev() {
        for b in (0..new.len()).rev() {
            let at = a * width + b;
            let skipped = apart[at + width].max(apart[at + 1]);
            (apart[at], joined[at]) = (skipped, skipped);
            if old[a].is_like(&new[b]) {
                let worth = worth(&old[a]) + joined[at + width + 1];
                apart[at] = skipped.max(worth);
                joined[at] = skipped.max(worth + TOGETHER);
            }
        }
    }
    let mut found = Vec::new();
    let (mut a, mut b, mut is_joined) = (0, 0, false);
    while a < old.len() && b < new.len() {
        let at = a * width + b;
        let here = if is_joined { joined[at] } else { apart[at] };
        let bonus = if is_joined { TOGETHER } else { 0 };
        let stays =
            old[a].is_like(&new[b]) && here == worth(&old[a]) + joined[at + width + 1] + bonus;
        if stays {
            found.push((a, b));
            (a, b, is_joined) = (a + 1, b + 1, true);
        } else if here == apart[at + width] {
            (a, is_joined) = (a + 1, false);
        } else {
            (b, is_joined) = (b + 1, false);
        }
    }
    found
}

const TOGETHER: u32 = 2;

fn worth(piece: &CodePiece) -> u32 {
    match piece.kind {
        TokenKind::Word | TokenKind::Number => 4,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use foretell_text::Language;

    use super::super::document_pieces::DocumentPieces;
    use super::*;

    /// The differences, as `old -> new`, without space.
    fn tell(old: &str, new: &str) -> Vec<String> {
        let [old, new] =
            [old, new].map(|it| DocumentPieces::new(&Language::new("rust"), it.to_owned()));
        let found = differences(&old.pieces, &new.pieces);
        let says = |page: &DocumentPieces, range: &Range<usize>| {
            let pieces = page.pieces[range.clone()].iter();
            pieces.map(|it| page.says(it)).collect::<String>()
        };
        let tell =
            |it: &PieceDifference| format!("{} -> {}", says(&old, &it.old), says(&new, &it.new));
        found.iter().map(tell).collect()
    }

    #[test]
    fn what_is_the_same_differs_in_nothing() {
        assert!(tell("a + b", "a  +  b").is_empty());
        assert!(tell("", "").is_empty());
    }

    #[test]
    fn words_stay_rather_than_marks() {
        assert_eq!(tell("f(a, b)", "f(b)"), ["a, -> "]);
        assert_eq!(
            tell("let total = sum(a);", "let net = sum(b);"),
            ["total -> net", "a -> b"]
        );
    }

    #[test]
    fn what_was_put_in_starts_a_line() {
        let found = tell("use a;\nuse c;\n", "use a;\nuse b;\nuse c;\n");
        assert_eq!(found, [" -> useb;"]);
    }

    #[test]
    fn what_was_put_in_has_whole_brackets() {
        assert_eq!(tell("p({x})", "p({var}{x})"), [" -> {var}"]);
    }

    #[test]
    fn long_runs_differ_as_a_whole() {
        let run = |word: &str| {
            (0..400)
                .map(|it| format!("{word}{it} x "))
                .collect::<String>()
        };
        assert_eq!(tell(&run("a"), &run("b")).len(), 1);
    }
}
