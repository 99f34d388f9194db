//! Lines become pieces: by blank lines where nothing else is known, and by indentation where
//! something is too long.
//!
//! It knows nothing of any language. Every piece there is goes through [`push`], which is where the
//! bounds of a piece are kept.

use std::ops::Range;

use foretell_text::ChunkKind;

use super::line_starts::LineStarts;
use super::{LONGEST_LINE, MOST_BYTES, MOST_LINES, TextPiece};

/// How many lines paragraphs are gathered up to.
const GATHERED: usize = 40;

/// Cuts lines at blank ones, and gathers what lies between up to a size that is worth finding.
pub(super) fn cut(
    lines: &LineStarts<'_>,
    range: Range<usize>,
    kind: ChunkKind,
    name: Option<&str>,
    onto: &mut Vec<TextPiece>,
) {
    let mut gathered = range.start..range.start;
    let mut at = range.start;
    while at < range.end {
        let start = at;
        while at < range.end && !lines.is_blank(at) {
            at += 1;
        }
        if start == at {
            at += 1;
            continue;
        }
        let both = gathered.start..at;
        let fits = both.len() <= GATHERED && lines.bytes(both.clone()).len() <= MOST_BYTES;
        if gathered.is_empty() {
            gathered = start..at;
        } else if fits {
            gathered = both;
        } else {
            push(lines, gathered, kind, name, onto);
            gathered = start..at;
        }
    }
    push(lines, gathered, kind, name, onto);
}

/// Makes lines a piece, or several if they are too long; none if they say nothing.
pub(super) fn push(
    lines: &LineStarts<'_>,
    range: Range<usize>,
    kind: ChunkKind,
    name: Option<&str>,
    onto: &mut Vec<TextPiece>,
) {
    let mut rest = range;
    loop {
        rest.start += rest
            .clone()
            .take_while(|line| is_left_out(lines, *line))
            .count();
        if rest.is_empty() {
            return;
        }
        let part = rest.start..end_of_part(lines, &rest);
        rest.start = part.end;
        let blank = part.clone().rev().take_while(|line| lines.is_blank(*line));
        let part = part.start..part.end - blank.count();
        if part.clone().all(|line| lines.is_bare(line)) {
            continue;
        }
        onto.push(TextPiece {
            bytes: lines.bytes(part.clone()),
            lines: part.start + 1..=part.end,
            kind,
            name: name.map(str::to_owned),
        });
    }
}

/// Whether no piece begins with a line.
fn is_left_out(lines: &LineStarts<'_>, line: usize) -> bool {
    is_data(lines, line) || lines.is_blank(line)
}

fn is_data(lines: &LineStarts<'_>, line: usize) -> bool {
    lines.bytes(line..line + 1).len() > LONGEST_LINE
}

/// Where the first part of lines ends that are too long for one: as late as possible in the last
/// third of what fits, before the line that is indented least, best after a blank one.
fn end_of_part(lines: &LineStarts<'_>, rest: &Range<usize>) -> usize {
    let start = rest.start;
    let whole = lines.bytes(rest.clone()).len();
    let has_data = whole > LONGEST_LINE
        && rest
            .clone()
            .take(MOST_LINES)
            .any(|line| is_data(lines, line));
    if rest.len() <= MOST_LINES && whole <= MOST_BYTES && !has_data {
        return rest.end;
    }
    // Parts of about the same size rather than a large one and a scrap.
    let parts = rest
        .len()
        .div_ceil(MOST_LINES)
        .max(whole.div_ceil(MOST_BYTES));
    let wanted = match parts {
        2 => (rest.len() / 2 + rest.len() / 8 + 1).min(MOST_LINES),
        _ => MOST_LINES,
    };
    let fits = |end: usize| {
        let is_short = lines.bytes(start..end).len() <= MOST_BYTES;
        is_short && !is_data(lines, end - 1)
    };
    let last = (start + 1..=rest.end.min(start + wanted)).take_while(|end| fits(*end));
    let last = last.last().unwrap_or(start + 1);
    if last >= rest.end || is_data(lines, last) {
        return last;
    }
    let first = start + (last - start) * 2 / 3 + 1;
    let cost = |line: &usize| {
        let (indent, begins) = lines.indent(*line);
        let closes = matches!(begins, None | Some(b'}' | b')' | b']' | b'.' | b'{'));
        let follows_blank = lines.is_blank(line - 1);
        // Of equals the last is taken.
        (closes, indent, !follows_blank, usize::MAX - line)
    };
    (first.min(last)..=last).min_by_key(cost).unwrap_or(last)
}
