//! A change: pieces and what took their place, with the neighbours on both sides.
//!
//! It is what an edit of the person is taken apart into, and what is made again elsewhere. It knows
//! nothing of other places: everything it has comes from the place where it was made.

use std::ops::Range;

use super::change_evidence::DeclarationKind;
use super::document_pieces::{CodePiece, DocumentPieces, PieceZone};
use super::name_scope::NameScope;
use super::weight::{sums, weight};
use foretell_text::code_tokens::TokenKind;

/// How many pieces on each side of a change are its neighbours.
const NEIGHBOURS: usize = 12;

/// Pieces and what took their place.
#[derive(Clone)]
pub(super) struct RepeatChange {
    /// In which document.
    pub(super) document: usize,
    /// Which edit it is part of; 0 is the latest.
    pub(super) edit: usize,
    /// Whether it comes next in a series that the person makes again.
    pub(super) is_due: bool,
    /// On which line of the edit it starts.
    pub(super) line: u32,
    /// Whether that is several that go on with one another.
    pub(super) is_joined: bool,
    /// How many differences of the edit it is made of.
    pub(super) parts: usize,
    /// How many other changes belong to it: those on its line, unless all are of names.
    pub(super) others: usize,
    /// Where it is now.
    pub(super) place: usize,
    /// Which pieces of the page it is now.
    pub(super) pieces: Range<usize>,
    /// Where equal changes are that were made before.
    pub(super) before: Vec<ChangeSpot>,
    /// The swap; its first half where something stays in the middle.
    pub(super) swap: PieceSwap,
    /// The second half of a change around something: a call that was put around it, or taken away.
    pub(super) tail: Option<ChangeTail>,
    /// The neighbours before, the nearest first.
    pub(super) left: ChangeSide,
    /// The neighbours after, the nearest first.
    pub(super) right: ChangeSide,
    /// The blanks at the start of the line it is on.
    pub(super) indent: String,
    /// How the changed name is declared, by the word before.
    pub(super) declares: Option<DeclarationKind>,
    /// Where the name that was changed is known, if it is declared here and not known anywhere.
    pub(super) scope: Option<NameScope>,
    /// The text joined to it by hyphens, before and after.
    pub(super) joined: (String, String),
    /// Code, unless all of it is in a string or a comment.
    pub(super) zone: PieceZone,
    /// The worth of the replaced pieces.
    pub(super) weight: u32,
}

/// Where a change was made.
#[derive(Clone, Debug)]
pub(super) struct ChangeSpot {
    pub(super) document: usize,
    pub(super) place: usize,
    pub(super) pieces: Range<usize>,
    pub(super) declares: Option<DeclarationKind>,
    pub(super) scope: Option<NameScope>,
}

/// Pieces and what took their place, with the space around.
#[derive(Clone)]
pub(super) struct PieceSwap {
    pub(super) old: Vec<CodePiece>,
    pub(super) new: Vec<CodePiece>,
    pub(super) was: SpaceGap,
    pub(super) is: SpaceGap,
}

/// The second half of a change around something.
#[derive(Clone)]
pub(super) struct ChangeTail {
    /// The first piece of what stays in the middle.
    pub(super) middle: CodePiece,
    pub(super) swap: PieceSwap,
}

/// The text between two pieces that stay: space, pieces, space. Without pieces all of it is before.
#[derive(Clone, Default)]
pub(super) struct SpaceGap {
    pub(super) before: String,
    pub(super) core: String,
    pub(super) after: String,
}

/// The neighbours on one side.
#[derive(Clone, Default)]
pub(super) struct ChangeSide {
    pub(super) pieces: Vec<CodePiece>,
    /// How many of them are on the nearest line.
    pub(super) line: usize,
    /// The worth of the nearest so many together.
    pub(super) worth: Vec<u32>,
}

impl RepeatChange {
    /// Where it was made.
    pub(super) fn spot(&self) -> ChangeSpot {
        ChangeSpot {
            document: self.document,
            place: self.place,
            pieces: self.pieces.clone(),
            declares: self.declares,
            scope: self.scope.clone(),
        }
    }

    /// The names, if a name was changed to another.
    pub(super) fn renames(&self) -> Option<(&str, &str)> {
        let PieceSwap { was, is, .. } = &self.swap;
        let is_one = self.tail.is_none() && self.swap.is_name_for_name();
        is_one.then_some((&was.core, &is.core))
    }

    /// Whether it is about whole lines.
    pub(super) fn is_lines(&self) -> bool {
        let is_lines = |gap: &SpaceGap| {
            has_break(&gap.before) && (gap.core.is_empty() || has_break(&gap.after))
        };
        self.tail.is_none() && is_lines(&self.swap.was) && is_lines(&self.swap.is)
    }

    /// Whether nothing was there before.
    pub(super) fn is_insertion(&self) -> bool {
        self.swaps().all(|swap| swap.old.is_empty())
    }

    /// Whether nothing is there now.
    pub(super) fn is_deletion(&self) -> bool {
        self.swaps().all(|swap| swap.new.is_empty())
    }

    /// Whether the same pieces were replaced.
    pub(super) fn has_same_old(&self, other: &RepeatChange) -> bool {
        self.is_like(other, |swap| &swap.old)
    }

    /// Whether the same pieces took their place.
    fn has_same_new(&self, other: &RepeatChange) -> bool {
        self.is_like(other, |swap| &swap.new)
    }

    /// Whether the same was replaced by the same.
    pub(super) fn is_equal(&self, other: &RepeatChange) -> bool {
        self.has_same_old(other) && self.has_same_new(other)
    }

    /// Whether it is a change that could be made again, and not half of one.
    pub(super) fn is_sound(&self) -> bool {
        let old = open_brackets(self.swaps().flat_map(|swap| &swap.old));
        let new = open_brackets(self.swaps().flat_map(|swap| &swap.new));
        let PieceSwap { was, is, .. } = &self.swap;
        let is_long = has_break(&was.core) || has_break(&is.core);
        let is_one = if self.is_lines() {
            !self.swap.is_unfinished()
        } else {
            !is_long
        };
        old == new && is_one && !self.lays_out() && !self.cuts_a_line()
    }

    fn swaps(&self) -> impl Iterator<Item = &PieceSwap> {
        std::iter::once(&self.swap).chain(self.tail.as_ref().map(|tail| &tail.swap))
    }

    fn is_like(&self, other: &RepeatChange, side: impl Fn(&PieceSwap) -> &Vec<CodePiece>) -> bool {
        let is_like = |a: &PieceSwap, b: &PieceSwap| {
            let (a, b) = (side(a), side(b));
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_like(b))
        };
        let tails = match (&self.tail, &other.tail) {
            (Some(a), Some(b)) => is_like(&a.swap, &b.swap),
            (None, None) => true,
            _ => false,
        };
        tails && is_like(&self.swap, &other.swap)
    }

    /// Whether it puts something on another line that was on this one.
    fn lays_out(&self) -> bool {
        let PieceSwap { was, is, .. } = &self.swap;
        if self.is_insertion() || self.is_deletion() {
            was.has_break() != is.has_break()
        } else {
            has_break(&was.before) != has_break(&is.before)
                || has_break(&was.after) != has_break(&is.after)
        }
    }

    /// Whether the end of a line is gone: something else is about to be typed there.
    fn cuts_a_line(&self) -> bool {
        let SpaceGap { before, after, .. } = &self.swap.was;
        let is_gone = self.tail.is_none() && self.swap.new.is_empty();
        is_gone && has_break(after) && !has_break(before)
    }
}

impl PieceSwap {
    /// Whether it is one word for another.
    pub(super) fn is_name_for_name(&self) -> bool {
        let is_word = |pieces: &[CodePiece]| matches!(pieces, [one] if one.kind == TokenKind::Word);
        is_word(&self.old) && is_word(&self.new)
    }

    /// How many more brackets are left open than before.
    pub(super) fn brackets(&self) -> i32 {
        let open = |pieces: &[CodePiece]| pieces.iter().map(CodePiece::depth).sum::<i32>();
        open(&self.new) - open(&self.old)
    }

    /// Whether it ends in the middle of an expression.
    fn is_unfinished(&self) -> bool {
        let last = self.new.last();
        last.is_some_and(|piece| matches!(piece.mark(), b'.' | b'='))
    }
}

impl SpaceGap {
    /// The gap that some pieces of a page are in.
    pub(super) fn of(page: &DocumentPieces, range: &Range<usize>) -> SpaceGap {
        let (from, to) = (page.end_before(range.start), page.start_of(range.end));
        if range.is_empty() {
            return SpaceGap {
                before: page.between(from, to).to_owned(),
                ..SpaceGap::default()
            };
        }
        let (start, end) = (page.start_of(range.start), page.end_before(range.end));
        SpaceGap {
            before: page.between(from, start).to_owned(),
            core: page.between(start, end).to_owned(),
            after: page.between(end, to).to_owned(),
        }
    }

    /// All of it.
    pub(super) fn whole(&self) -> String {
        [&*self.before, &self.core, &self.after].concat()
    }

    fn has_break(&self) -> bool {
        [&self.before, &self.core, &self.after]
            .into_iter()
            .any(|it| has_break(it))
    }
}

impl ChangeSide {
    /// The nearest of some pieces, each with the page it is on.
    pub(super) fn of<'page>(
        near: impl Iterator<Item = (&'page CodePiece, &'page DocumentPieces)>,
    ) -> ChangeSide {
        let mut side = ChangeSide::default();
        let mut weights = Vec::new();
        let mut nearest = None;
        for (piece, page) in near.take(NEIGHBOURS) {
            // Lines of two pages are not to be compared.
            let line = (piece.line, std::ptr::from_ref(page));
            if *nearest.get_or_insert(line) == line && side.line == side.pieces.len() {
                side.line += 1;
            }
            side.pieces.push(*piece);
            weights.push(weight(piece, page.says(piece)));
        }
        side.worth = sums(weights.into_iter());
        side
    }
}

/// The brackets of some pieces that have no partner among them, in order: what is open, and what is closed.
pub(super) fn open_brackets<'piece>(pieces: impl Iterator<Item = &'piece CodePiece>) -> Vec<u8> {
    let mut open = Vec::new();
    for bracket in pieces.filter_map(CodePiece::bracket) {
        let opener = match bracket {
            b')' => Some(b'('),
            b']' => Some(b'['),
            b'}' => Some(b'{'),
            _ => None,
        };
        if opener.is_some() && open.last().copied() == opener {
            open.pop();
        } else {
            open.push(bracket);
        }
    }
    open
}

fn has_break(text: &str) -> bool {
    text.contains(['\n', '\r'])
}
