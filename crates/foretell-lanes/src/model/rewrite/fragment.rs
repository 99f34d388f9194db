//! Which lines of the region an answer is about: all of them, or only some.
//!
//! A model is asked for the whole region, and often answers with the one function that it changed.
//! Taken as the whole, that would delete everything else. What is missing at either end of an answer
//! cannot be told from what is to be deleted, and to delete what somebody wrote is worse than not to
//! suggest that it be deleted. So the answer is laid beside the region where its lines fit best, and:
//! - what the region has before the first line that fits and behind the last one stays. Lines are only
//!   taken to be deleted between lines that are kept. The lines that were shown around the region are
//!   such lines, too, if the answer repeats at least two of them;
//! - lines at an end that are missing, and are just those that the diagnostic is about, are deleted,
//!   if the other end is there;
//! - lines at an end that fit nothing are added to a paragraph that is not repeated whole, or take
//!   the place of just the line that the cursor or the diagnostic is at. Elsewhere it is not known
//!   whether they are added or take the place of something, and the answer is not placed. One line
//!   takes the place of one where the answer has as many lines as the region, and all others of them
//!   fit beside each other;
//! - an answer that fits two places about as well is not placed, nor is one that fits best where lines
//!   go and could be laid so that it only adds some, nor a part that could be laid so that more lines
//!   stay as they are, nor one that has no line as it was, nor one that would take the place of far
//!   more lines than it has, nor one that would repeat a line that stays.
//!
//! | part | what it is |
//! | --- | --- |
//! | `alignment` | every place where the lines may belong, and how well they fit there |
//!
//! Absent on purpose: what the lines become, and whether they have enough to do with the region at
//! all: that is [`region_rewrite`](super::region_rewrite).

mod alignment;

use std::ops::Range;

use self::alignment::{FragmentAlignment, FragmentPlace};
use super::word_pieces::is_word;

/// By how much a place must be better than others.
const MARGIN: i64 = 100;

/// Facts besides the lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FragmentContext<'t> {
    /// The lines that were shown around the region.
    pub(super) shown: Vec<&'t str>,
    /// Whether the answer goes beyond the first line of the region, and beyond the last.
    pub(super) is_beyond: [bool; 2],
    /// Lines of the region that are pointed at.
    pub(super) pointed: PointedLines,
}

/// Lines of the region that something points at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum PointedLines {
    #[default]
    Nowhere,
    Cursor(usize),
    Diagnostic(Range<usize>),
}

/// An answer is not the whole, and it is not known which part it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FragmentMisfit {
    /// It has hardly a line in common with the region.
    Nowhere,
    /// It may be meant for several places, or in several ways.
    Unclear,
}

/// The lines of the region that the lines of an answer take the place of; all that are not blank at
/// its ends, if the answer is whole. Neither begins or ends with a blank line.
pub(super) fn place(
    told: &[&str],
    lines: &[&str],
    known: &FragmentContext<'_>,
) -> Result<Range<usize>, FragmentMisfit> {
    if told.len() < 2 || lines.is_empty() {
        return Ok(0..told.len());
    }
    let sheet = FragmentAlignment::of(told, lines);
    let places = sheet.places(known.is_beyond);
    let Some(best) = places.iter().max_by_key(|place| place.worth) else {
        // It may be another way to say it all, but not a part.
        let is_all = count(lines) >= count(told);
        return is_all
            .then_some(0..told.len())
            .ok_or(FragmentMisfit::Nowhere);
    };
    let laid = FragmentLayout {
        told,
        lines,
        known,
        sheet: &sheet,
    };
    let only = laid.after(&best.rows);
    let is_part = laid.rows_to_ends(best)? != (0..told.len());
    let is_rival = |place: &&FragmentPlace| {
        let is_close = place.worth > best.worth - MARGIN;
        // A line that was there once is hardly to be there twice, but better so than that one goes.
        let is_likely = place.left < best.left || !laid.doubles(&place.rows);
        let only_adds = place.touched == 0 && place.loose == [0, 0] && best.left > 0;
        let keeps_more = place.left < best.left || place.touched < best.touched;
        let is_kinder = only_adds || (is_part && keeps_more && is_likely);
        let is_kinder = || is_kinder && laid.rows(place).is_ok();
        place.rows != best.rows && (is_close || is_kinder())
    };
    let mut rivals = places.iter().filter(is_rival);
    if rivals.any(|place| laid.after(&place.rows) != only) {
        return Err(FragmentMisfit::Unclear);
    }
    laid.rows(best)
}

/// The lines of an answer beside the region, and what is known.
struct FragmentLayout<'a> {
    told: &'a [&'a str],
    lines: &'a [&'a str],
    known: &'a FragmentContext<'a>,
    sheet: &'a FragmentAlignment,
}

impl FragmentLayout<'_> {
    /// The region if the answer took the place of these rows.
    fn after(&self, rows: &Range<usize>) -> Vec<&str> {
        let (head, tail) = (self.told.get(..rows.start), self.told.get(rows.end..));
        let parts = [head, Some(self.lines), tail].into_iter().flatten();
        parts.flatten().map(|line| line.trim()).collect()
    }

    /// The rows that the answer takes the place of, if it is laid there.
    fn rows(&self, place: &FragmentPlace) -> Result<Range<usize>, FragmentMisfit> {
        let rows = self.rows_to_ends(place)?;
        if rows == (0..self.told.len()) {
            return Ok(rows);
        }
        let part = self.told.get(rows.clone()).unwrap_or_default();
        let is_there = rows.clone().any(|row| self.known.pointed.is_at(row));
        let is_among = |line: &str, others: &[&str]| {
            let mut others = others.iter();
            others.any(|other| other.trim() == line.trim())
        };
        let is_kept = |line: &&str| says_much(line) && is_among(line, part);
        if !is_there && !self.lines.iter().any(is_kept) {
            return Err(FragmentMisfit::Nowhere);
        }
        let stays = |line: &&str| {
            let (head, tail) = (self.told.get(..rows.start), self.told.get(rows.end..));
            let mut region = [head, tail].into_iter().flatten();
            let is_shown = says_much(line) && is_among(line, &self.known.shown);
            is_shown || (!is_blank(line) && region.any(|region| is_among(line, region)))
        };
        let (head, rest) = self.lines.split_at(place.loose[0]);
        let (_, tail) = rest.split_at(rest.len() - place.loose[1]);
        let repeats = head.iter().chain(tail).any(stays);
        if repeats || count(part) > 2 * count(self.lines) {
            return Err(FragmentMisfit::Unclear);
        }
        Ok(rows)
    }

    /// Whether a line that was there once would be there twice.
    fn doubles(&self, rows: &Range<usize>) -> bool {
        self.lines
            .iter()
            .filter(|line| says_much(line))
            .any(|line| {
                let told = self.told.iter().enumerate();
                let mut same = told.filter(|(_, other)| other.trim() == line.trim());
                let (first, more) = (same.next(), same.next());
                more.is_none() && first.is_some_and(|(row, _)| !rows.contains(&row))
            })
    }

    /// From the first row that a line fits to behind the last, and further where that is sure.
    fn rows_to_ends(&self, place: &FragmentPlace) -> Result<Range<usize>, FragmentMisfit> {
        let (told, pointed) = (self.told, &self.known.pointed);
        let says = |rows: Range<usize>| -> Vec<usize> {
            let says = |row: &usize| told.get(*row).is_some_and(|line| !is_blank(line));
            rows.filter(says).collect()
        };
        let kept = [place.rows.start, place.rows.end];
        let ends = [0, told.len()];
        let gone = [says(0..kept[0]), says(kept[1]..told.len())];
        // All rows but the one at this end.
        let others = [1..told.len(), 0..told.len() - 1];
        // The row next to the first or last that a line fits.
        let beside = [kept[0].checked_sub(1), Some(kept[1])];
        let mut found = kept;
        for side in [0, 1] {
            let (lost, loose) = (gone[side].len(), place.loose[side]);
            let is_whole_else = gone[1 - side].is_empty();
            let is_pointed = gone[side].iter().all(|row| pointed.is_at(*row));
            let is_reported = is_pointed && matches!(pointed, PointedLines::Diagnostic(_));
            let next = beside[side].and_then(|row| told.get(row));
            let ends_there = next.is_none_or(|line| is_blank(line));
            found[side] = match loose {
                _ if lost == 0 => ends[side],
                0 if is_reported && is_whole_else => ends[side],
                0 => kept[side],
                _ if is_pointed && is_whole_else => ends[side],
                1 if lost == 1 && self.sheet.is_beside(others[side].clone()) => ends[side],
                _ if ends_there && (!is_whole_else || lost > 2 * loose) => kept[side],
                _ => return Err(FragmentMisfit::Unclear),
            };
        }
        let [start, end] = found;
        Ok(start..end)
    }
}

/// How many lines are not blank.
fn count(lines: &[&str]) -> usize {
    lines.iter().filter(|line| !is_blank(line)).count()
}

impl PointedLines {
    /// The same, without so many lines at the start of the region.
    pub(super) fn behind(&self, lines: usize) -> PointedLines {
        match self {
            PointedLines::Nowhere => PointedLines::Nowhere,
            PointedLines::Cursor(at) => at
                .checked_sub(lines)
                .map_or(PointedLines::Nowhere, PointedLines::Cursor),
            PointedLines::Diagnostic(rows) => {
                let (start, end) = (
                    rows.start.saturating_sub(lines),
                    rows.end.saturating_sub(lines),
                );
                PointedLines::Diagnostic(start..end)
            }
        }
    }

    fn is_at(&self, row: usize) -> bool {
        match self {
            PointedLines::Nowhere => false,
            PointedLines::Cursor(at) => *at == row,
            PointedLines::Diagnostic(rows) => rows.contains(&row),
        }
    }
}

/// Whether a line is more than brackets.
pub(super) fn says_much(line: &str) -> bool {
    line.chars().filter(|c| is_word(*c)).count() >= 3
}

fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}
