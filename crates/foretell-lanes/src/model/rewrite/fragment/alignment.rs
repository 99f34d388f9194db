//! The lines of an answer beside those of the region: every place where they may belong.
//!
//! Whether a line fits is asked without its indentation: the same line, or one that has much in common
//! with it. A line that says much counts for more than brackets do. Lines of the answer may be added
//! between those that fit, and lines of the region left out, at a cost; what the region has before the
//! first that fits and behind the last costs nothing. Every first row is tried with every last one.
//!
//! Absent on purpose: which place is meant, and whether one is: that is
//! [`fragment`](super).

use std::cmp::Reverse;
use std::ops::Range;

use super::super::word_pieces::{LineWords, pieces};
use super::{is_blank, says_much};

/// How much the same line counts: one that says much, a bracket, a blank one.
const SAME: [i64; 3] = [1_000, 300, 100];
/// How much a line like another counts at most.
const ALIKE: usize = 600;
/// How alike lines are that fit, in thousandths.
const LEAST_LIKE: usize = 500;
/// How alike they are at least where the answer has as many lines as the region.
const LEAST_LIKE_BESIDE: usize = 250;
/// The cost of beginning to leave out lines of the region, of each line, and of a blank one.
const LEAVE: [i64; 3] = [150, 50, 5];
/// The cost of beginning to add lines: where lines fit on both sides, and at an end.
const ADD: [i64; 2] = [100, 500];
/// No place.
const NOWHERE: AlignmentCell = AlignmentCell {
    worth: i64::MIN / 2,
    lead: 0,
    touched: 0,
    left: 0,
};

/// Where the lines of an answer may belong.
#[derive(Clone, Debug)]
pub(super) struct FragmentPlace {
    /// From the first row that a line fits to behind the last.
    pub(super) rows: Range<usize>,
    pub(super) worth: i64,
    /// How many lines of the answer stand before the first that fits, and behind the last.
    pub(super) loose: [usize; 2],
    /// How many rows that are not blank would not stay as they are, and how many would go.
    pub(super) touched: usize,
    pub(super) left: usize,
}

/// The best way to a place: what it is worth, with how many lines of the answer it begins that fit
/// nothing, how many rows it leaves out or changes, and how many of these it leaves out.
#[derive(Clone, Copy, Debug)]
struct AlignmentCell {
    worth: i64,
    lead: usize,
    touched: usize,
    left: usize,
}

impl AlignmentCell {
    fn plus(self, worth: i64) -> AlignmentCell {
        let worth = self.worth + worth;
        AlignmentCell { worth, ..self }
    }

    /// Leaves a row out.
    fn leave(self, cost: i64) -> AlignmentCell {
        let left = self.left + 1;
        AlignmentCell { left, ..self }.touch(-cost)
    }

    /// Changes a row.
    fn touch(self, worth: i64) -> AlignmentCell {
        let touched = self.touched + 1;
        AlignmentCell { touched, ..self }.plus(worth)
    }

    fn or(self, other: AlignmentCell) -> AlignmentCell {
        let key = |cell: AlignmentCell| (cell.worth, Reverse(cell.touched), Reverse(cell.lead));
        if key(other) > key(self) { other } else { self }
    }
}

/// The lines of the region beside those of the answer.
pub(super) struct FragmentAlignment {
    rows: usize,
    columns: usize,
    /// How much each pair counts; nothing if it does not fit.
    worth: Vec<i64>,
    is_same: Vec<bool>,
    is_blank: Vec<bool>,
}

impl FragmentAlignment {
    pub(super) fn of(told: &[&str], lines: &[&str]) -> FragmentAlignment {
        let old: Vec<_> = told
            .iter()
            .map(|line| LineWords::of(&pieces(line)))
            .collect();
        let new: Vec<_> = lines
            .iter()
            .map(|line| LineWords::of(&pieces(line)))
            .collect();
        let are_as_many = told.len() == lines.len();
        let mut worth = Vec::with_capacity(told.len() * lines.len());
        let mut is_same = Vec::with_capacity(told.len() * lines.len());
        for (row, (a, says)) in told.iter().zip(&old).enumerate() {
            for (column, (b, other)) in lines.iter().zip(&new).enumerate() {
                let is_beside = are_as_many && row == column;
                let least = if is_beside {
                    LEAST_LIKE_BESIDE
                } else {
                    LEAST_LIKE
                };
                is_same.push(a.trim() == b.trim());
                worth.push(fit(a.trim(), b.trim(), least, || says.likeness(other)));
            }
        }
        FragmentAlignment {
            rows: told.len(),
            columns: lines.len(),
            worth,
            is_same,
            is_blank: told.iter().map(|line| is_blank(line)).collect(),
        }
    }

    /// Whether the answer has as many lines as the region, and each of these rows fits its own.
    pub(super) fn is_beside(&self, mut rows: Range<usize>) -> bool {
        let fits = |row: usize| self.worth[row * self.columns + row] > 0;
        self.rows == self.columns && rows.all(fits)
    }

    /// Every place, with the best way to lay the lines there. An answer that is known to go beyond an
    /// end of the region is laid from there.
    pub(super) fn places(&self, is_beyond: [bool; 2]) -> Vec<FragmentPlace> {
        let [from_start, to_end] = is_beyond;
        let mut places = Vec::new();
        let mut keep = |rows: Range<usize>, cell: AlignmentCell, behind: usize| {
            if cell.worth <= NOWHERE.worth / 2 {
                return;
            }
            let start = if from_start { 0 } else { rows.start };
            let end = if to_end { self.rows } else { rows.end };
            let left_out = |rows: Range<usize>| {
                if rows.is_empty() {
                    0
                } else {
                    LEAVE[0] + rows.map(|row| self.leave(row)).sum::<i64>()
                }
            };
            let beyond = (start..rows.start).chain(rows.end..end);
            let beyond = beyond.filter(|row| !self.is_blank[*row]).count();
            places.push(FragmentPlace {
                touched: cell.touched + beyond,
                left: cell.left + beyond,
                worth: cell.worth - left_out(start..rows.start) - left_out(rows.end..end),
                rows: start..end,
                loose: [cell.lead, behind],
            });
        };
        for first in (0..self.rows).filter(|row| !self.is_blank[*row]) {
            let mut front = self.first_row(first, from_start);
            for row in first..self.rows {
                if row > first {
                    front = self.next_row(row, &front);
                }
                if self.is_blank[row] {
                    continue;
                }
                let is_end = to_end || row + 1 == self.rows;
                let ends = (1..=self.columns).map(|column| {
                    let behind = self.columns - column;
                    let cell = front.fits[column].plus(-added(behind, is_end));
                    (cell, behind)
                });
                let best = ends.max_by_key(|(cell, behind)| (cell.worth, Reverse(*behind)));
                if let Some((cell, behind)) = best {
                    keep(first..row + 1, cell, behind);
                }
            }
        }
        places
    }

    /// The ways that begin with this row.
    fn first_row(&self, row: usize, from_start: bool) -> AlignmentFront {
        let is_end = from_start || row == 0;
        let mut front = AlignmentFront::new(self.columns);
        for column in 1..=self.columns {
            let worth = self.worth[row * self.columns + column - 1];
            if worth > 0 {
                let lead = column - 1;
                let worth = worth - added(lead, is_end);
                let touched = usize::from(!self.is_same[row * self.columns + lead]);
                front.fits[column] = AlignmentCell {
                    worth,
                    lead,
                    touched,
                    left: 0,
                };
            }
        }
        front.on.clone_from(&front.fits);
        front.add();
        front
    }

    /// The ways that go on with this row.
    fn next_row(&self, row: usize, last: &AlignmentFront) -> AlignmentFront {
        let mut front = AlignmentFront::new(self.columns);
        let cost = self.leave(row);
        for column in 0..=self.columns {
            if let Some(before) = column.checked_sub(1) {
                let worth = self.worth[row * self.columns + before];
                if worth > 0 {
                    let way = last.on[before].or(last.left[before]).or(last.added[before]);
                    front.fits[column] = if self.is_same[row * self.columns + before] {
                        way.plus(worth)
                    } else {
                        way.touch(worth)
                    };
                }
            }
            front.on[column] = front.fits[column];
            if self.is_blank[row] {
                // A blank line more or less is nothing.

                front.on[column] = front.on[column].or(last.on[column].plus(-cost));
                front.left[column] = last.left[column].plus(-cost);
                front.added[column] = last.added[column].plus(-cost);
            } else {
                let begun = last.on[column].or(last.added[column]).plus(-LEAVE[0]);
                front.left[column] = begun.or(last.left[column]).leave(cost);
            }
        }
        front.add();
        front
    }

    fn leave(&self, row: usize) -> i64 {
        if self.is_blank[row] {
            LEAVE[2]
        } else {
            LEAVE[1]
        }
    }
}

/// The best ways to lay the first so many lines of an answer on the rows up to one.
struct AlignmentFront {
    /// The last line fits this row.
    fits: Vec<AlignmentCell>,
    /// So it does, or only blank rows came behind it.
    on: Vec<AlignmentCell>,
    /// The row is left out.
    left: Vec<AlignmentCell>,
    /// The last line is added.
    added: Vec<AlignmentCell>,
}

impl AlignmentFront {
    fn new(columns: usize) -> AlignmentFront {
        let nowhere = || vec![NOWHERE; columns + 1];
        AlignmentFront {
            fits: nowhere(),
            on: nowhere(),
            left: nowhere(),
            added: nowhere(),
        }
    }

    /// Adds lines of the answer behind the row.
    fn add(&mut self) {
        for column in 1..self.added.len() {
            let begun = self.on[column - 1].or(self.left[column - 1]).plus(-ADD[0]);
            let way = begun.or(self.added[column - 1]).plus(-1);
            self.added[column] = self.added[column].or(way);
        }
    }
}

/// The cost of so many lines at an end of the answer that fit nothing.
fn added(count: usize, is_end: bool) -> i64 {
    let begin = if is_end { ADD[0] } else { ADD[1] };
    match i64::try_from(count) {
        Ok(0) => 0,
        Ok(count) => begin + count,
        Err(_) => i64::MAX / 4,
    }
}

/// How much two lines count as a pair; nothing if they do not fit.
fn fit(old: &str, new: &str, least: usize, likeness: impl Fn() -> usize) -> i64 {
    let [much, little, blank] = SAME;
    if old == new {
        return match old {
            "" => blank,
            _ if says_much(old) => much,
            _ => little,
        };
    }
    if old.is_empty() || new.is_empty() {
        return 0;
    }
    let like = likeness();
    // Somebody was about to write it.
    let is_begun = old.chars().nth(1).is_some() && new.starts_with(old);
    let like = if is_begun { like.max(LEAST_LIKE) } else { like };
    if like >= least {
        i64::try_from(like * ALIKE / 1_000).unwrap_or(0)
    } else {
        0
    }
}
