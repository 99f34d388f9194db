//! What an edit did to each line that it changed: the line as it was, and what became of it.
//!
//! Templates are made of these. An edit of several lines gives one for each, since the lines of one
//! edit are as often the same change as those of several.
//!
//! Absent on purpose: lines that were put in or taken away as a whole. There is no line that tells what
//! would stand in them elsewhere.

use std::ops::Range;

use foretell_text::{Language, RecentEdit};

use super::diff::{PieceDifference, differences};
use super::document_pieces::{CodePiece, DocumentPieces};
use super::edit_split::EditLines;

/// How many pieces a line may have.
const MOST_PIECES: usize = 80;

/// A line that was changed.
pub(super) struct LineChange {
    /// In which document.
    pub(super) document: usize,
    /// Which edit it is part of; 0 is the latest.
    pub(super) edit: usize,
    /// Which pieces of the page it is now.
    pub(super) pieces: Range<usize>,
    /// The line as it was.
    pub(super) old: LineText,
    /// What became of it.
    pub(super) new: LineText,
}

/// Some pieces, of which some were changed.
pub(super) struct LineText {
    pub(super) pieces: Vec<CodePiece>,
    /// The text of each.
    pub(super) says: Vec<String>,
    /// The text before each, from the one before on; nothing before the first.
    pub(super) gaps: Vec<String>,
    /// Which pieces were changed.
    pub(super) changed: Range<usize>,
}

impl LineText {
    fn of(page: &DocumentPieces, pieces: Range<usize>, changed: Range<usize>) -> Option<LineText> {
        let start = pieces.start;
        let gap = |at: usize| {
            if at == start {
                String::new()
            } else {
                let gap = page.between(page.end_before(at), page.start_of(at));
                gap.to_owned()
            }
        };
        let found = page.pieces.get(pieces.clone())?;
        Some(LineText {
            pieces: found.to_vec(),
            says: found.iter().map(|it| page.says(it).to_owned()).collect(),
            gaps: pieces.map(gap).collect(),
            changed: changed.start.checked_sub(start)?..changed.end.checked_sub(start)?,
        })
    }
}

/// The lines that an edit changed, the last first.
pub(super) fn line_changes(
    document: usize,
    page: &DocumentPieces,
    language: &Language,
    edit: &RecentEdit,
    number: usize,
) -> Vec<LineChange> {
    let Some(EditLines { old, new }) = EditLines::of(page, language, edit) else {
        return Vec::new();
    };
    let lines = ChangedLines {
        page,
        old: &old,
        new,
    };
    let now = page.pieces.get(lines.new.clone()).unwrap_or_default();
    let found = differences(&old.pieces, now);
    let on_lines = found.chunk_by(|a, b| lines.line_of(a) == lines.line_of(b));
    let changes = on_lines.filter_map(|on_line| {
        let (old, new, pieces) = lines.change(on_line)?;
        Some(LineChange {
            document,
            edit: number,
            pieces,
            old,
            new,
        })
    });
    let mut changes: Vec<LineChange> = changes.collect();
    changes.reverse();
    changes
}

struct ChangedLines<'page> {
    page: &'page DocumentPieces,
    old: &'page DocumentPieces,
    new: Range<usize>,
}

impl ChangedLines<'_> {
    /// The old line that a difference is on; what is put in behind a line is on that.
    fn line_of(&self, difference: &PieceDifference) -> Option<u32> {
        let PieceDifference { old, new } = difference;
        let now = self.page.pieces.get(self.new.clone()).unwrap_or_default();
        let line = |pieces: &[CodePiece], at: Option<usize>| Some(pieces.get(at?)?.line);
        let before = new.start.checked_sub(1);
        let is_behind = old.is_empty() && line(now, before) == line(now, Some(new.start));
        let at = if is_behind {
            old.start.checked_sub(1)
        } else {
            Some(old.start)
        };
        line(&self.old.pieces, at)
    }

    /// A line as it was and is, and which pieces of the page it is.
    fn change(&self, parts: &[PieceDifference]) -> Option<(LineText, LineText, Range<usize>)> {
        let (first, last) = (parts.first()?, parts.last()?);
        let line = self.line_of(first)?;
        let was = &self.old.pieces;
        let start = was.partition_point(|piece| piece.line < line);
        let end = was.partition_point(|piece| piece.line <= line);
        if last.old.end > end || first.old.start < start || end - start > MOST_PIECES {
            return None;
        }
        // What stays before the first difference and behind the last is as long as it was.
        let from = first.new.start.checked_sub(first.old.start - start)?;
        let to = last.new.end + (end - last.old.end);
        let moved = |at: usize| self.new.start + at;
        let is_apart = |at: usize| {
            let pair = at.checked_sub(1).and_then(|it| self.page.pieces.get(it));
            let pair = pair.zip(self.page.pieces.get(at));
            pair.is_none_or(|(a, b)| a.line < b.line)
        };
        if to - from > MOST_PIECES || !is_apart(moved(from)) || !is_apart(moved(to)) {
            return None;
        }
        let pieces = moved(from)..moved(to);
        let old = LineText::of(self.old, start..end, first.old.start..last.old.end)?;
        let changed = moved(first.new.start)..moved(last.new.end);
        let new = LineText::of(self.page, pieces.clone(), changed)?;
        Some((old, new, pieces))
    }
}
