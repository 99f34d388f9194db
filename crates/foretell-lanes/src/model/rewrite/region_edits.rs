//! A rewritten region as edits of the document.
//!
//! Lines are compared with the snapshot, whatever their line ends: lines that stay keep theirs, and
//! lines that are put in get the usual one. Within a stretch of changed lines, each line is paired
//! with the one it became, and of a pair only the words that differ are replaced.
//!
//! Changes with at most [`CLOSE`] unchanged lines between them are one suggestion, since those usually
//! need each other. Changes further apart are suggestions of their own: the nearest to the cursor first, and of two
//! that are as near the one below it. A fix is one suggestion, wherever its parts are: half of it clears
//! nothing.
//!
//! A suggestion that only changes space is dropped, unless it is a fix of those very lines: some
//! languages mean something by it.
//!
//! Every replacement lies within the region, and leaves the line end behind its last line alone.

use std::ops::Range;

use foretell_text::{ByteOffset, ByteRange, Edit, LaneCandidate, PositionEncoding, Replacement};
use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::region::EditRegion;
use super::text_lines::{TextLine, split, texts};
use super::word_pieces::{LineWords, differences, pieces};
use crate::lane_request::LaneRequest;

/// How many unchanged lines may be between changes that belong together.
const CLOSE: usize = 3;
/// How many pairs of lines are compared at most to see which became which.
const MOST_PAIRS: usize = 10_000;
/// How alike lines are that became each other, in thousandths.
const LEAST_LIKE: usize = 500;

/// A region that came back.
pub(in crate::model) struct RewrittenRegion<'q> {
    pub(in crate::model) region: &'q EditRegion,
    /// The line end of lines that are put in.
    pub(in crate::model) line_end: &'q str,
    /// The lines of the diagnostic that is to be cleared, in the whole text.
    pub(in crate::model) fixes: Option<(u32, u32)>,
    /// Where the model says that the cursor goes, in bytes of what came back.
    pub(in crate::model) cursor: Option<usize>,
}

/// The suggestions that make a region what it is to be, the best first.
pub(in crate::model) fn candidates(
    question: &RewrittenRegion<'_>,
    request: &LaneRequest,
    new: &str,
) -> Vec<LaneCandidate> {
    let text = &request.document.text;
    let Ok(old) = text.read(question.region.range) else {
        return Vec::new();
    };
    let sheet = RegionDiff {
        at: question.region.range.start().get(),
        old: split(&old),
        new: texts(new),
        line_end: question.line_end,
    };
    let first = question.region.first_line;
    let in_region = |line: u32| usize::try_from(line.saturating_sub(first)).unwrap_or(usize::MAX);
    let hunks = sheet.hunks();
    let all = hunks.clone();
    let mut groups = match question.fixes {
        Some((from, to)) => {
            let lines = in_region(from)..in_region(to).saturating_add(1);
            let is_there =
                |hunk: &RegionHunk| hunk.old.start <= lines.end && lines.start <= hunk.old.end;
            let is_fix = hunks.iter().any(is_there) || !sheet.is_space(&hunks);
            if is_fix { vec![hunks] } else { Vec::new() }
        }
        None => {
            let mut groups = close(hunks);
            groups.retain(|group| !sheet.is_space(group));
            groups
        }
    };
    let cursor = text.position_of(request.at, PositionEncoding::Utf8);
    let cursor = cursor.map_or(0, |position| in_region(position.line));
    groups.sort_by_key(|group| distance(group, cursor));
    let place = question.cursor.and_then(|at| RegionPlace::of(at, new));
    let owner = place.and_then(|place| nearest_to(place.line, &groups));
    let candidates = groups.iter().enumerate().filter_map(|(index, group)| {
        let replacements = group.iter().flat_map(|hunk| sheet.replacements(hunk));
        let edit = Edit::new(replacements.collect()).ok()?;
        let place = place.filter(|_| owner == Some(index));
        let cursor = place.and_then(|place| {
            let line = line_with_only(group, &all, place.line)?;
            let line = first.checked_add(u32::try_from(line).ok()?)?;
            let after = edit.apply(text).ok()?;
            let range = after.line(line).ok()?;
            let at = range.start().get().checked_add(place.column)?;
            Some(after.floor(at.min(range.end().get())))
        });
        (!edit.is_nothing()).then(|| LaneCandidate {
            cursor,
            ..LaneCandidate::new(request.document.id.clone(), edit)
        })
    });
    candidates.collect()
}

/// A place in what came back.
#[derive(Clone, Copy, Debug)]
struct RegionPlace {
    line: usize,
    column: usize,
}

impl RegionPlace {
    fn of(at: usize, new: &str) -> Option<Self> {
        let ahead = new.get(..at)?;
        let line_start = ahead.rfind('\n').map_or(0, |end| end + 1);
        Some(RegionPlace {
            line: ahead.matches('\n').count(),
            column: at - line_start,
        })
    }
}

/// Which suggestion a line of what came back belongs to.
fn nearest_to(line: usize, groups: &[Vec<RegionHunk>]) -> Option<usize> {
    let away = |group: &[RegionHunk]| {
        let hunks = group.iter().map(|hunk| {
            let last = hunk.new.end.max(hunk.new.start + 1) - 1;
            hunk.new.start.saturating_sub(line) + line.saturating_sub(last)
        });
        hunks.min()
    };
    let groups = groups.iter().enumerate();
    let (nearest, _) = groups.min_by_key(|(_, group)| away(group))?;
    Some(nearest)
}

/// Where a line of what came back is if only one of the suggestions is accepted. Nothing, if it comes with another.
fn line_with_only(group: &[RegionHunk], all: &[RegionHunk], line: usize) -> Option<usize> {
    let is_of = |hunk: &RegionHunk| {
        group
            .iter()
            .any(|own| own.new == hunk.new && own.old == hunk.old)
    };
    let mut others = all.iter().filter(|hunk| !is_of(hunk));
    let (mut grown, mut shrunk) = (0, 0);
    others.try_for_each(|hunk| {
        if hunk.new.contains(&line) {
            return None;
        }
        if hunk.new.end <= line {
            grown += hunk.new.len();
            shrunk += hunk.old.len();
        }
        Some(())
    })?;
    (line + shrunk).checked_sub(grown)
}

/// Changed lines, with an unchanged line on either side: of the old and of the new.
#[derive(Clone, Debug)]
struct RegionHunk {
    old: Range<usize>,
    new: Range<usize>,
}

/// The hunks, with those together that are close.
fn close(hunks: Vec<RegionHunk>) -> Vec<Vec<RegionHunk>> {
    let mut groups: Vec<Vec<RegionHunk>> = Vec::new();
    for hunk in hunks {
        let last = groups.last_mut();
        let is_close = |group: &&mut Vec<RegionHunk>| {
            let last = group.last();
            last.is_some_and(|last| hunk.old.start - last.old.end <= CLOSE)
        };
        match last.filter(is_close) {
            Some(group) => group.push(hunk),
            None => groups.push(vec![hunk]),
        }
    }
    groups
}

/// Sorts: the nearest to the cursor first, and what is at or below it before what is as near above.
fn distance(group: &[RegionHunk], cursor: usize) -> (usize, bool) {
    let start = group.first().map_or(0, |hunk| hunk.old.start);
    // The last line that it touches: something that is put in touches the line it is put before.
    let end = group
        .last()
        .map_or(0, |hunk| hunk.old.end.max(hunk.old.start + 1) - 1);
    let is_above = end < cursor;
    let away = if is_above {
        cursor - end
    } else {
        start.saturating_sub(cursor)
    };
    (away, is_above)
}

/// The old lines, and the new.
struct RegionDiff<'t> {
    /// Where the old ones are in the document.
    at: usize,
    old: Vec<TextLine<'t>>,
    new: Vec<&'t str>,
    line_end: &'t str,
}

impl RegionDiff<'_> {
    fn hunks(&self) -> Vec<RegionHunk> {
        let old: Vec<&str> = self.old.iter().map(|line| line.text.trim_end()).collect();
        let new: Vec<&str> = self.new.iter().map(|line| line.trim_end()).collect();
        let mut hunks: Vec<RegionHunk> = Vec::new();
        for op in capture_diff_slices(Algorithm::Myers, &old, &new) {
            if matches!(op, DiffOp::Equal { .. }) {
                continue;
            }
            let (old, new) = (op.old_range(), op.new_range());
            match hunks.last_mut() {
                Some(last) if last.old.end == old.start && last.new.end == new.start => {
                    (last.old.end, last.new.end) = (old.end, new.end);
                }
                _ => hunks.push(RegionHunk { old, new }),
            }
        }
        hunks
    }

    /// Whether nothing but space differs.
    fn is_space(&self, hunks: &[RegionHunk]) -> bool {
        let says = |line: &str| -> String {
            let chars = line.chars().filter(|c| !c.is_whitespace());
            chars.collect()
        };
        hunks.iter().all(|hunk| {
            let old = self.old[hunk.old.clone()].iter();
            let old: String = old.map(|line| says(line.text)).collect();
            let new = self.new[hunk.new.clone()].iter();
            old == new.map(|line| says(line)).collect::<String>()
        })
    }

    /// The replacements of a hunk, in order.
    fn replacements(&self, hunk: &RegionHunk) -> Vec<Replacement> {
        let mut made = Vec::new();
        let (mut old, mut new) = (hunk.old.start, hunk.new.start);
        for (a, b) in self.pairs(hunk) {
            made.extend(self.gap(old..a, new..b));
            let (line, becomes) = (self.old[a], self.new[b]);
            for (stretch, by) in differences(line.text, becomes) {
                let range = line.start + stretch.start..line.start + stretch.end;
                made.extend(self.replacement(range, becomes.get(by).unwrap_or_default()));
            }
            (old, new) = (a + 1, b + 1);
        }
        made.extend(self.gap(old..hunk.old.end, new..hunk.new.end));
        made
    }

    /// Which old line became which new one, in order.
    fn pairs(&self, hunk: &RegionHunk) -> Vec<(usize, usize)> {
        let (rows, columns) = (hunk.old.len(), hunk.new.len());
        if (rows, columns) == (1, 1) {
            return vec![(hunk.old.start, hunk.new.start)];
        }
        if rows == 0 || columns == 0 || rows.saturating_mul(columns) > MOST_PAIRS {
            return Vec::new();
        }
        let old = self.old[hunk.old.clone()].iter();
        let old: Vec<_> = old.map(|line| LineWords::of(&pieces(line.text))).collect();
        let new = self.new[hunk.new.clone()].iter();
        let new: Vec<_> = new.map(|line| LineWords::of(&pieces(line))).collect();
        let width = columns + 1;
        let worth = |a: usize, b: usize| {
            let like = old[a].likeness(&new[b]);
            if like >= LEAST_LIKE { like } else { 0 }
        };
        // The same change on every line.
        if rows == columns && (0..rows).all(|at| worth(at, at) > 0) {
            return hunk.old.clone().zip(hunk.new.clone()).collect();
        }
        // The worth of the rest of both from a cell on.
        let mut table = vec![0; (rows + 1) * width];
        let mut alike = vec![0; rows * width];
        for a in (0..rows).rev() {
            for b in (0..columns).rev() {
                let at = a * width + b;
                alike[at] = worth(a, b);
                let paired = match alike[at] {
                    0 => 0,
                    like => like + table[at + width + 1],
                };
                table[at] = paired.max(table[at + width]).max(table[at + 1]);
            }
        }
        let (mut found, mut a, mut b) = (Vec::new(), 0, 0);
        while a < rows && b < columns {
            let at = a * width + b;
            if alike[at] > 0 && table[at] == alike[at] + table[at + width + 1] {
                found.push((hunk.old.start + a, hunk.new.start + b));
                (a, b) = (a + 1, b + 1);
            } else if table[at] == table[at + width] {
                a += 1;
            } else {
                b += 1;
            }
        }
        found
    }

    /// Whole lines that others take the place of.
    fn gap(&self, old: Range<usize>, new: Range<usize>) -> Option<Replacement> {
        let lines = &self.new[new];
        let count = self.old.len();
        let end = self.old.last().map_or(0, TextLine::text_end);
        let start_of = |line: usize| self.old.get(line).map_or(end, |line| line.start);
        let end_of = |line: usize| self.old.get(line).map_or(end, TextLine::text_end);
        match (old.is_empty(), lines.is_empty()) {
            (true, true) => None,
            (false, false) => {
                let range = start_of(old.start)..end_of(old.end - 1);
                self.replacement(range, &lines.join(self.line_end))
            }
            // A line goes with its line end; the last one with the line end before it.
            (false, true) if old.end < count => {
                self.replacement(start_of(old.start)..start_of(old.end), "")
            }
            (false, true) => {
                let start = match old.start.checked_sub(1) {
                    Some(before) => end_of(before),
                    None => 0,
                };
                self.replacement(start..end, "")
            }
            (true, false) if old.start < count => {
                let mut put_in = lines.join(self.line_end);
                put_in.push_str(self.line_end);
                let at = start_of(old.start);
                self.replacement(at..at, &put_in)
            }
            (true, false) => {
                let put_in = [self.line_end, &lines.join(self.line_end)].concat();
                self.replacement(end..end, &put_in)
            }
        }
    }

    /// A replacement of a stretch of the region.
    fn replacement(&self, range: Range<usize>, by: &str) -> Option<Replacement> {
        let start = ByteOffset::new(self.at + range.start);
        let end = ByteOffset::new(self.at + range.end);
        let range = ByteRange::new(start, end).ok()?;
        let replacement = Replacement::new(range, by);
        (!replacement.is_nothing()).then_some(replacement)
    }
}
