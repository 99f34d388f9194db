//! Where what was changed still stands.
//!
//! All changes are looked for in one walk over a page: each by the most telling of the pieces that
//! must be there, so that most pieces of the page are passed with one look at a few bits.

use std::ops::{Range, RangeInclusive};

use super::change::{ChangeSide, ChangeTail, RepeatChange};
use super::document_pieces::{CodePiece, DocumentPieces};
use foretell_text::code_tokens::TokenKind;

/// How many pieces may stay in the middle of a change around something.
const LONGEST_MIDDLE: usize = 40;

/// A place that a change could be made at again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ChangeSite {
    /// In which document.
    pub(super) document: usize,
    /// Which change.
    pub(super) change: usize,
    /// The first piece that would be replaced, or the piece that something would be put before.
    pub(super) at: usize,
    /// The first piece of the second half, where the change has one; otherwise the same.
    pub(super) tail: usize,
    /// The first piece after all that.
    pub(super) end: usize,
    /// How many neighbours before and after are those of the change.
    pub(super) left: usize,
    pub(super) right: usize,
}

/// All sites of some changes on the page of a document, in order, but for where they were just made.
pub(super) fn sites(
    page: &DocumentPieces,
    document: usize,
    changes: &[RepeatChange],
) -> Vec<ChangeSite> {
    let keys = SiteKeys::of(changes);
    let own: Vec<OwnPlaces> = changes
        .iter()
        .map(|it| OwnPlaces::of(page, document, it, changes))
        .collect();
    let mut found = Vec::new();
    for (index, piece) in page.pieces.iter().enumerate() {
        for (change, offset) in keys.at(piece) {
            let at = index.checked_add_signed(-offset);
            let site = at.and_then(|at| site(page, &changes[change], at));
            let site = site.map(|site| ChangeSite {
                document,
                change,
                ..site
            });
            found.extend(site.filter(|site| !own[change].has(page, site)));
        }
    }
    found.sort_by_key(|site| (site.at, site.change));
    found
}

/// The pieces that changes are found by.
struct SiteKeys {
    /// The hash of the piece, the change, and how far behind the site's first piece it is.
    keys: Vec<(u32, usize, isize)>,
    bits: [u64; 16],
}

impl SiteKeys {
    fn of(changes: &[RepeatChange]) -> SiteKeys {
        let mut keys = Vec::new();
        for (index, change) in changes.iter().enumerate() {
            if let Some((piece, offset)) = key(change) {
                keys.push((piece.hash(), index, offset));
            }
        }
        keys.sort_unstable();
        let mut bits = [0; 16];
        for (hash, ..) in &keys {
            bits[(hash >> 6) as usize % 16] |= 1 << (hash & 63);
        }
        SiteKeys { keys, bits }
    }

    fn at(&self, piece: &CodePiece) -> impl Iterator<Item = (usize, isize)> {
        let hash = piece.hash();
        let is_one = self.bits[(hash >> 6) as usize % 16] & (1 << (hash & 63)) != 0;
        let keys: &[(u32, usize, isize)] = if is_one {
            let first = self.keys.partition_point(|(key, ..)| *key < hash);
            &self.keys[first..]
        } else {
            &[]
        };
        let keys = keys.iter().take_while(move |(key, ..)| *key == hash);
        keys.map(|(_, change, offset)| (*change, *offset))
    }
}

/// The piece that a change is found by, and how far behind the site's first piece it is.
fn key(change: &RepeatChange) -> Option<(&CodePiece, isize)> {
    let telling = |piece: &CodePiece| (piece.kind == TokenKind::Word, piece.len());
    let old = change.swap.old.iter().zip(0_isize..);
    if let Some(best) = old.max_by_key(|(piece, _)| telling(piece)) {
        return Some(best);
    }
    let left = change.left.pieces.first().map(|piece| (piece, -1));
    if change.tail.is_some() {
        // What stays in the middle may be anything, so that only what is before is sure.
        let near = change.left.pieces.iter().zip((-2..0).rev());
        return near.max_by_key(|(piece, _)| telling(piece));
    }
    let right = change.right.pieces.first().map(|piece| (piece, 0));
    left.into_iter()
        .chain(right)
        .max_by_key(|(piece, _)| telling(piece))
}

fn site(page: &DocumentPieces, change: &RepeatChange, at: usize) -> Option<ChangeSite> {
    let head = at + change.swap.old.len();
    if !stands(page, &change.swap.old, at) {
        return None;
    }
    let left = alike(&change.left, page.pieces.get(..at)?.iter().rev());
    let (tail, end, right) = match &change.tail {
        None => (
            head,
            head,
            alike(&change.right, page.pieces.get(head..)?.iter()),
        ),
        Some(tail) => {
            let middle = middle(page, tail, &change.right, head)?;
            let end = middle + tail.swap.old.len();
            (
                middle,
                end,
                alike(&change.right, page.pieces.get(end..)?.iter()),
            )
        }
    };
    let is_bare = change.swap.old.is_empty() && (left == 0 || right == 0);
    (!is_bare).then_some(ChangeSite {
        document: change.document,
        change: 0,
        at,
        tail,
        end,
        left,
        right,
    })
}

/// Where a change was just made, by itself or as an equal one.
struct OwnPlaces {
    pieces: Vec<Range<usize>>,
    /// The lines where something was put in: it may look like what was there before.
    lines: Vec<RangeInclusive<u32>>,
}

impl OwnPlaces {
    fn of(
        page: &DocumentPieces,
        document: usize,
        change: &RepeatChange,
        changes: &[RepeatChange],
    ) -> OwnPlaces {
        let same = changes
            .iter()
            .filter(|other| other.edit == change.edit || other.is_equal(change));
        let places = same.flat_map(|other| {
            let before = other.before.iter().map(|it| (it.document, &it.pieces));
            std::iter::once((other.document, &other.pieces)).chain(before)
        });
        let here = places.filter(|(of, _)| *of == document);
        let mut pieces: Vec<_> = here.map(|(_, pieces)| pieces.clone()).collect();
        pieces.dedup();
        let line = |at: usize| page.pieces.get(at).map_or(u32::MAX, |piece| piece.line);
        let on_lines = |it: &Range<usize>| line(it.start)..=line(it.end.max(it.start + 1) - 1);
        let put_in = pieces.iter().filter(|_| change.is_insertion());
        OwnPlaces {
            lines: put_in.map(on_lines).collect(),
            pieces,
        }
    }

    fn has(&self, page: &DocumentPieces, site: &ChangeSite) -> bool {
        let meets = |it: &Range<usize>| site.at <= it.end && it.start <= site.end;
        if self.pieces.iter().any(meets) {
            return true;
        }
        let piece = page.pieces.get(site.at);
        piece.is_some_and(|piece| self.lines.iter().any(|it| it.contains(&piece.line)))
    }
}

/// Whether pieces stand there, laid out on lines as they were.
fn stands(page: &DocumentPieces, old: &[CodePiece], at: usize) -> bool {
    let there = page.pieces.get(at..at + old.len()).unwrap_or_default();
    let first = |pieces: &[CodePiece]| pieces.first().map_or(0, |piece| piece.line);
    let (from, was) = (first(there), first(old));
    there.len() == old.len()
        && there
            .iter()
            .zip(old)
            .all(|(a, b)| a.is_like(b) && a.line - from == b.line - was)
}

/// Where the second half begins: after something whole that begins as it did there, on one line, and
/// before the neighbour.
fn middle(
    page: &DocumentPieces,
    tail: &ChangeTail,
    right: &ChangeSide,
    from: usize,
) -> Option<usize> {
    let (first, old) = (page.pieces.get(from)?, &tail.swap.old);
    if first.kind != tail.middle.kind || first.mark() != tail.middle.mark() {
        return None;
    }
    let mut depth = 0;
    for (at, piece) in page
        .pieces
        .iter()
        .enumerate()
        .skip(from)
        .take(LONGEST_MIDDLE)
    {
        let after = page.pieces.get(at + old.len()).zip(right.pieces.first());
        let is_end = after.is_some_and(|(a, b)| a.is_like(b));
        if at > from && depth == 0 && is_end && stands(page, old, at) {
            return Some(at);
        }
        depth += piece.depth();
        if depth < 0 || piece.line != first.line || piece.zone != first.zone {
            return None;
        }
    }
    None
}

fn alike<'page>(side: &ChangeSide, there: impl Iterator<Item = &'page CodePiece>) -> usize {
    let pairs = there.zip(&side.pieces);
    pairs.take_while(|(a, b)| a.is_like(b)).count()
}
