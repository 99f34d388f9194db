//! An edit, taken apart into changes.
//!
//! An edit may hold several: a line in which two words were renamed, a call that was put around an
//! expression. Each edit gives its whole, the whole of each of its lines, and each of its
//! differences, so that what fits elsewhere as a whole is made as a whole.
//!
//! Long edits are not taken apart: what differs in a rewritten function happens to be so.

use std::ops::Range;

use foretell_text::{Language, RecentEdit};

use super::change::{ChangeSide, ChangeTail, PieceSwap, RepeatChange, SpaceGap, open_brackets};
use super::change_evidence::DeclarationKind;
use super::diff::{PieceDifference, differences};
use super::document_pieces::{CodePiece, DocumentPieces, PieceZone};
use super::name_scope::NameScope;
use super::weight::weight;
use foretell_text::code_tokens::TokenKind;

/// How long an edit may be, in bytes of its old and new text.
const LONGEST: usize = 8_000;
/// How long the lines of an edit may be, with the space around.
const LONGEST_LINES: usize = 20_000;
/// How many differences an edit may have that is taken apart.
const MOST_PARTS: usize = 10;
/// How many pieces may differ in it.
const MOST_PIECES: usize = 80;
/// How many marks may be between differences that are one.
const MOST_MARKS: usize = 3;

/// The changes of an edit, the larger first. Of one whose text is there no more, none.
pub(super) fn changes(
    document: usize,
    page: &DocumentPieces,
    language: &Language,
    edit: &RecentEdit,
    number: usize,
) -> Vec<RepeatChange> {
    let Some(EditLines { old, new }) = EditLines::of(page, language, edit) else {
        return Vec::new();
    };
    let sides = EditSides {
        document,
        edit: number,
        page,
        old: &old,
        first: new.start,
        last: new.end,
    };
    sides.changes()
}

/// The lines of an edit: as they were, and which pieces of the page they are now.
pub(super) struct EditLines {
    pub(super) old: DocumentPieces,
    pub(super) new: Range<usize>,
}

impl EditLines {
    /// Those of an edit whose text is still there, unless it is long or half of something.
    pub(super) fn of(
        page: &DocumentPieces,
        language: &Language,
        edit: &RecentEdit,
    ) -> Option<EditLines> {
        let (start, end) = (edit.range.start().get(), edit.range.end().get());
        let is_there = page.text.get(start..end) == Some(&*edit.new_text);
        if !is_there || edit.old_text.len() + edit.new_text.len() > LONGEST {
            return None;
        }
        let first = page.from(page.line_start(start));
        let last = page.from(page.line_end(end));
        let (from, to) = (page.end_before(first), page.start_of(last));
        if from > start || to < end || to - from > LONGEST_LINES {
            return None;
        }
        let parts = [
            page.between(from, start),
            &edit.old_text,
            page.between(end, to),
        ];
        let old = match zone_at(page, first) {
            Some(zone) => DocumentPieces::within(zone, parts.concat()),
            None => DocumentPieces::new(language, parts.concat()),
        };
        let new = first..last;
        let now = page.pieces.get(new.clone()).unwrap_or_default();
        // What is open now and was not, or the other way around, is work in progress.
        let is_whole = open_brackets(now.iter()) == open_brackets(old.pieces.iter());
        is_whole.then_some(EditLines { old, new })
    }
}

/// The zone that a line begins in the middle of.
fn zone_at(page: &DocumentPieces, first: usize) -> Option<PieceZone> {
    let before = page.pieces.get(first.checked_sub(1)?)?;
    let after = page.pieces.get(first)?;
    let is_joined = before.zone == after.zone && before.zone != PieceZone::Code;
    // A comment to the end of its line begins with its mark, and is seen to be one without us.
    let is_marked = matches!(after.mark(), b'/' | b'#' | b'-' | b';' | b'%');
    (is_joined && !is_marked).then_some(before.zone)
}

/// An edit's lines, as they were and as they are.
struct EditSides<'page> {
    document: usize,
    edit: usize,
    page: &'page DocumentPieces,
    old: &'page DocumentPieces,
    /// The pieces of the page that are the new lines.
    first: usize,
    last: usize,
}

impl EditSides<'_> {
    fn changes(&self) -> Vec<RepeatChange> {
        let new = self
            .page
            .pieces
            .get(self.first..self.last)
            .unwrap_or_default();
        let apart = differences(&self.old.pieces, new);
        let found = self.joined(&apart);
        let pieces: usize = found.iter().map(|it| it.old.len() + it.new.len()).sum();
        let is_small = found.len() <= MOST_PARTS && pieces <= MOST_PIECES;
        let mut changes = Vec::new();
        if is_small && found.len() > 1 {
            changes.extend(self.change(&found));
            let lines = found.chunk_by(|a, b| self.line_of(a) == self.line_of(b));
            let lines = lines.filter(|line| line.len() > 1 && line.len() < found.len());
            changes.extend(lines.filter_map(|line| self.change(line)));
        }
        if is_small {
            changes.extend(apart.windows(2).filter_map(|pair| self.around(pair)));
        }
        let single = found.chunks(1).filter_map(|one| self.change(one));
        let mut single: Vec<RepeatChange> = single.collect();
        single
            .chunk_by_mut(|a, b| a.line == b.line)
            .for_each(count_others);
        changes.extend(single);
        changes.retain(|change| change.is_sound() && (is_small || change.is_lines()));
        changes
    }

    fn line_of(&self, difference: &PieceDifference) -> Option<u32> {
        let piece = self.old.pieces.get(difference.old.start);
        piece.map(|piece| piece.line)
    }

    /// Differences with nothing but marks between them are one: `new()` that became `of(x)` is not a
    /// `new` that became `of`. Two names that were each changed stay two, and so do a name and its
    /// type or its value.
    fn joined(&self, found: &[PieceDifference]) -> Vec<PieceDifference> {
        let is_name =
            |it: &PieceDifference| self.swap(it).is_some_and(|swap| swap.is_name_for_name());
        let is_near = |last: &PieceDifference, next: &PieceDifference| {
            let between = self.old.pieces.get(last.old.end..next.old.start);
            let between = between.unwrap_or_default();
            let after = self.old.pieces.get(next.old.start);
            let mut lines = between.iter().chain(after).map(|piece| piece.line);
            let line = lines.next();
            let is_one_line = lines.all(|it| Some(it) == line);
            let is_marks = between.iter().all(|piece| piece.kind == TokenKind::Mark);
            is_one_line && is_marks && between.len() <= MOST_MARKS
        };
        let are_apart = |last: &PieceDifference, next: &PieceDifference| {
            let between = self.old.pieces.get(last.old.end..next.old.start);
            let is_colon = |piece: &CodePiece| matches!(piece.mark(), b':' | b'=');
            let colon = matches!(between, Some([one]) if is_colon(one));
            is_name(last) && (colon || is_name(next))
        };
        let mut joined: Vec<PieceDifference> = Vec::new();
        for next in found {
            match joined.last_mut() {
                Some(last) if is_near(last, next) && !are_apart(last, next) => {
                    last.old.end = next.old.end;
                    last.new.end = next.new.end;
                }
                _ => joined.push(next.clone()),
            }
        }
        joined
    }

    /// One change of everything from the first of some differences to the last.
    fn change(&self, parts: &[PieceDifference]) -> Option<RepeatChange> {
        let (first, last) = (parts.first()?, parts.last()?);
        let whole = PieceDifference {
            old: first.old.start..last.old.end,
            new: first.new.start..last.new.end,
        };
        self.made_of(self.swap(&whole)?, None, whole, parts.len())
    }

    /// A change of what is on both sides of something that stays, on one line: both halves were put
    /// there, or both were taken away, and a bracket that one opens is closed by the other.
    fn around(&self, pair: &[PieceDifference]) -> Option<RepeatChange> {
        let [head, tail] = pair else {
            return None;
        };
        let stays = self.old.pieces.get(head.old.end..tail.old.start)?;
        let is_line = stays.windows(2).all(|pair| pair[0].line == pair[1].line);
        let depth: i32 = stays.iter().map(CodePiece::depth).sum();
        let middle = *stays.first().filter(|_| is_line && depth == 0)?;
        let whole = PieceDifference {
            old: head.old.start..tail.old.end,
            new: head.new.start..tail.new.end,
        };
        let [head, tail] = [self.swap(head)?, self.swap(tail)?];
        let is_put = head.old.is_empty() && tail.old.is_empty();
        let is_taken = head.new.is_empty() && tail.new.is_empty();
        let cores = [&head.was, &head.is, &tail.was, &tail.is].map(|gap| &gap.core);
        let is_short = cores.iter().all(|core| !core.contains(['\n', '\r']));
        let is_pair = head.brackets() != 0 && head.brackets() == -tail.brackets();
        if !(is_put || is_taken) || !is_short || !is_pair {
            return None;
        }
        let tail = ChangeTail { middle, swap: tail };
        self.made_of(head, Some(tail), whole, 1)
    }

    fn made_of(
        &self,
        swap: PieceSwap,
        tail: Option<ChangeTail>,
        whole: PieceDifference,
        parts: usize,
    ) -> Option<RepeatChange> {
        let on = |page| move |piece| (piece, page);
        let left = self.old.pieces.get(..whole.old.start)?.iter().rev();
        let before = self.page.pieces.get(..self.first)?.iter().rev();
        let right = self.old.pieces.get(whole.old.end..)?.iter();
        let after = self.page.pieces.get(self.last..)?.iter();
        let swaps = || std::iter::once(&swap).chain(tail.as_ref().map(|tail| &tail.swap));
        let old = swaps().flat_map(|it| &it.old);
        let all = swaps().flat_map(|it| it.old.iter().chain(&it.new));
        let pieces = self.first + whole.new.start..self.first + whole.new.end;
        let anchor = self.page.start_of(pieces.start.saturating_sub(1));
        let zone = all.map(|piece| piece.zone).min()?;
        let is_name = swap.is_name_for_name() && zone == PieceZone::Code;
        Some(RepeatChange {
            document: self.document,
            edit: self.edit,
            is_due: false,
            is_joined: false,
            line: self.line_of(&whole).unwrap_or(u32::MAX),
            parts,
            others: 0,
            before: Vec::new(),
            place: self.page.start_of(pieces.start),
            left: ChangeSide::of(left.map(on(self.old)).chain(before.map(on(self.page)))),
            right: ChangeSide::of(right.map(on(self.old)).chain(after.map(on(self.page)))),
            indent: self.page.indent(anchor).to_owned(),
            declares: DeclarationKind::at(self.page, pieces.start)
                .filter(|_| swap.is_name_for_name()),
            scope: NameScope::of(self.page, pieces.start).filter(|_| is_name),
            joined: self.joined_by_hyphens(&whole.old),
            zone,
            weight: old.map(|piece| weight(piece, self.old.says(piece))).sum(),
            pieces,
            swap,
            tail,
        })
    }

    /// What is joined to some of the old pieces by hyphens: `next` in `take-next-abi` has `take-` and
    /// `-abi`.
    fn joined_by_hyphens(&self, old: &Range<usize>) -> (String, String) {
        let pieces = &self.old.pieces;
        let goes_on = |pair: &[CodePiece]| {
            let is_joint =
                |a: &CodePiece, b: &CodePiece| a.kind == TokenKind::Word && b.mark() == b'-';
            let touch = pair[0].end() == pair[1].start();
            touch && (is_joint(&pair[0], &pair[1]) || is_joint(&pair[1], &pair[0]))
        };
        let upto = pieces
            .get(..(old.start + 1).min(pieces.len()))
            .unwrap_or_default();
        let from = pieces.get(old.end.saturating_sub(1)..).unwrap_or_default();
        // A hyphen and a word at a time.
        let before = upto.windows(2).rev().take_while(|it| goes_on(it)).count() / 2 * 2;
        let after = from.windows(2).take_while(|it| goes_on(it)).count() / 2 * 2;
        let text = |range: Range<usize>| {
            if range.is_empty() {
                String::new()
            } else {
                SpaceGap::of(self.old, &range).core
            }
        };
        (
            text(old.start - before..old.start),
            text(old.end..old.end + after),
        )
    }

    fn swap(&self, difference: &PieceDifference) -> Option<PieceSwap> {
        let PieceDifference { old, new } = difference;
        let new = self.first + new.start..self.first + new.end;
        Some(PieceSwap {
            old: self.old.pieces.get(old.clone())?.to_vec(),
            new: self.page.pieces.get(new.clone())?.to_vec(),
            was: SpaceGap::of(self.old, old),
            is: SpaceGap::of(self.page, &new),
        })
    }
}

/// Takes note of which changes on a line belong together.
fn count_others(line: &mut [RepeatChange]) {
    let on_line = line.iter().filter(|change| !change.is_lines());
    let is_of_names = on_line.clone().all(|change| change.renames().is_some());
    let others = on_line.count().saturating_sub(1);
    for change in line.iter_mut().filter(|change| !change.is_lines()) {
        change.others = if is_of_names { 0 } else { others };
    }
}
