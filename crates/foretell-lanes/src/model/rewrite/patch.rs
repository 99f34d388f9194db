//! Answers that are differences: unified diffs, and blocks that say what to search and what to put
//! there. Models are asked for the lines anew, and some write a difference all the same; taken by the
//! letter, its signs would end up in the document.
//!
//! Where a difference belongs is told by its lines alone, never by its line numbers, which models get
//! wrong: what it keeps and removes must be found, whatever the indentation, in exactly one place where
//! all that it changes lies within the region. Lines around the region may be among what it keeps.
//! Every part of it must be placed, or none is. Lines that are kept stay as the document has them, and
//! lines that are put in are moved as far as those that are removed were.
//!
//! A difference is told from code by its label, its heads, or lines with signs that are lines of the
//! region without them. Where the region has a difference in it, nothing is taken for one.
//!
//! Absent on purpose: what became of the whole region: that is [`region_rewrite`](super::region_rewrite).

use std::ops::Range;

use super::rewrite_question::RewriteQuestion;
use super::text_lines::texts;

/// A difference does not fit the region, or fits in several places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PatchMisfit;

/// The region after a difference, if lines are one. A label says that they are.
pub(super) fn applied(
    question: &RewriteQuestion,
    lines: &[&str],
    is_labelled: bool,
) -> Option<Result<Vec<String>, PatchMisfit>> {
    let told = texts(&question.told);
    let page = ShownRows::of(question, &told);
    if searches(lines) && !searches(&told) {
        let hunks = searched(lines).ok_or(PatchMisfit);
        return Some(hunks.and_then(|hunks| page.after(&hunks)));
    }
    let certainty = certainty(lines, &told, is_labelled)?;
    let after = page.after(&unified(lines));
    match certainty {
        PatchCertainty::Sure => Some(after),
        // A line of code may begin with a sign.
        PatchCertainty::Likely => after.ok().map(Ok),
    }
}

/// Whether lines are a difference for certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PatchCertainty {
    Sure,
    Likely,
}

fn certainty(lines: &[&str], told: &[&str], is_labelled: bool) -> Option<PatchCertainty> {
    let is_head = |line: &&str| is_hunk_head(line) || line.starts_with("+++ ");
    if told.iter().any(is_head) {
        return None;
    }
    let is_told = |line: &str| told.iter().any(|other| other.trim() == line.trim());
    let has = |sign: char| {
        lines
            .iter()
            .any(|line| line.starts_with(sign) && !is_told(line))
    };
    let (adds, removes) = (has('+'), has('-'));
    let removes_told = lines.iter().any(|line| {
        let rest = line
            .strip_prefix('-')
            .filter(|rest| !rest.trim().is_empty());
        rest.is_some_and(is_told) && !is_told(line)
    });
    let has_heads = lines.iter().any(|line| is_hunk_head(line)) || names_files(lines);
    let is_sure = has_heads || (is_labelled && (adds || removes)) || (adds && removes_told);
    let may_be = adds && !told.iter().any(|line| line.starts_with('+'));
    match (is_sure, may_be) {
        (true, _) => Some(PatchCertainty::Sure),
        (false, true) => Some(PatchCertainty::Likely),
        // A list in a text: its signs belong to it.
        (false, false) => None,
    }
}

fn is_hunk_head(line: &str) -> bool {
    line.starts_with("@@ ") || line.trim_end() == "@@"
}

fn names_files(lines: &[&str]) -> bool {
    let mut pairs = lines.iter().zip(lines.iter().skip(1));
    pairs.any(|(a, b)| a.starts_with("--- ") && b.starts_with("+++ "))
}

/// A part of a difference: lines that are next to each other, and what they become.
#[derive(Clone, Debug, Default)]
struct PatchHunk<'t> {
    old: Vec<OldLine<'t>>,
    new: Vec<NewLine<'t>>,
}

#[derive(Clone, Copy, Debug)]
struct OldLine<'t> {
    text: &'t str,
    /// The same with the space at its start that may be a sign, and may be its own.
    raw: &'t str,
    is_removed: bool,
}

#[derive(Clone, Copy, Debug)]
enum NewLine<'t> {
    Kept(usize),
    Added(&'t str),
}

impl<'t> PatchHunk<'t> {
    fn keep(&mut self, text: &'t str, raw: &'t str) {
        self.new.push(NewLine::Kept(self.old.len()));
        let is_removed = false;
        self.old.push(OldLine {
            text,
            raw,
            is_removed,
        });
    }

    fn remove(&mut self, text: &'t str) {
        let (raw, is_removed) = (text, true);
        self.old.push(OldLine {
            text,
            raw,
            is_removed,
        });
    }

    fn is_empty(&self) -> bool {
        self.old.is_empty() && self.new.is_empty()
    }

    /// The same without blank lines at either end that are kept: they may stand between hunks.
    fn trimmed(mut self) -> Self {
        let is_blank =
            |old: Option<&OldLine<'_>>| old.is_some_and(|old| old.text.trim().is_empty());
        while matches!(self.new.last(), Some(NewLine::Kept(at)) if at + 1 == self.old.len())
            && is_blank(self.old.last())
        {
            self.new.pop();
            self.old.pop();
        }
        let starts_blank = |hunk: &Self| {
            matches!(hunk.new.first(), Some(NewLine::Kept(0))) && is_blank(hunk.old.first())
        };
        while starts_blank(&self) {
            self.new.remove(0);
            self.old.remove(0);
            for new in &mut self.new {
                if let NewLine::Kept(at) = new {
                    *at -= 1;
                }
            }
        }
        self
    }

    /// Its changes by line, in order.
    fn changes(&self) -> Vec<(Range<usize>, Vec<&'t str>)> {
        let (mut found, mut at, mut added) = (Vec::new(), 0, Vec::new());
        for new in &self.new {
            match new {
                NewLine::Added(text) => added.push(*text),
                NewLine::Kept(kept) => {
                    found.push((at..*kept, std::mem::take(&mut added)));
                    at = kept + 1;
                }
            }
        }
        found.push((at..self.old.len(), added));
        found.retain(|(old, new)| !old.is_empty() || !new.is_empty());
        found
    }
}

/// The hunks of a unified diff.
fn unified<'t>(lines: &[&'t str]) -> Vec<PatchHunk<'t>> {
    let mut hunks = Vec::new();
    let mut open = PatchHunk::default();
    let mut rest = lines.iter().copied().peekable();
    while let Some(line) = rest.next() {
        let names_old = line.starts_with("--- ");
        let names_file = names_old && rest.peek().is_some_and(|next| next.starts_with("+++ "));
        let is_about_files = line.starts_with("diff --git ") || line.starts_with("index ");
        if names_file {
            rest.next();
        }
        if names_file || is_hunk_head(line) || (is_about_files && open.is_empty()) {
            hunks.push(std::mem::take(&mut open));
        } else if let Some(text) = line.strip_prefix('+') {
            open.new.push(NewLine::Added(text));
        } else if let Some(text) = line.strip_prefix('-') {
            open.remove(text);
        } else if !line.starts_with("\\ ") {
            open.keep(line.strip_prefix(' ').unwrap_or(line), line);
        }
    }
    hunks.push(open);
    hunks.into_iter().map(PatchHunk::trimmed).collect()
}

/// Whether lines say what to search.
fn searches(lines: &[&str]) -> bool {
    lines.iter().any(|line| is_search(line.trim()))
}

fn is_search(line: &str) -> bool {
    line.starts_with("<<<<<<<") || is_sign(line, "SEARCH", '-')
}

fn is_replace(line: &str) -> bool {
    line.starts_with(">>>>>>>") || is_sign(line, "REPLACE", '+')
}

/// Whether a line is a word behind five signs or more.
fn is_sign(line: &str, word: &str, sign: char) -> bool {
    let signs = line.strip_suffix(word).map(str::trim_end);
    signs.is_some_and(|signs| signs.len() >= 5 && signs.chars().all(|c| c == sign))
}

/// The hunks of blocks to search and replace, if all of them are whole. Lines between them are talk.
fn searched<'t>(lines: &[&'t str]) -> Option<Vec<PatchHunk<'t>>> {
    let mut hunks = Vec::new();
    let mut rest = lines.iter().copied();
    while let Some(line) = rest.next() {
        if !is_search(line.trim()) {
            continue;
        }
        let is_middle = |line: &str| line.len() >= 5 && line.chars().all(|c| c == '=');
        let old = until(&mut rest, is_middle)?;
        let new = until(&mut rest, is_replace)?;
        let same = |(a, b): &(&&str, &&str)| a.trim() == b.trim();
        let head = old.iter().zip(&new).take_while(same).count();
        let most = old.len().min(new.len()) - head;
        let tail = old.iter().rev().zip(new.iter().rev());
        let tail = tail.take(most).take_while(same).count();
        let mut hunk = PatchHunk::default();
        let (removed, added) = (head..old.len() - tail, head..new.len() - tail);
        for text in old.iter().take(head) {
            hunk.keep(text, text);
        }
        for text in old.get(removed).unwrap_or_default() {
            hunk.remove(text);
        }
        let added = new.get(added).unwrap_or_default();
        hunk.new.extend(added.iter().copied().map(NewLine::Added));
        for text in old.iter().skip(old.len() - tail) {
            hunk.keep(text, text);
        }
        hunks.push(hunk);
    }
    Some(hunks)
}

/// The lines up to one that ends them, if one does.
fn until<'t>(
    lines: &mut impl Iterator<Item = &'t str>,
    ends: impl Fn(&str) -> bool,
) -> Option<Vec<&'t str>> {
    let mut found = Vec::new();
    for line in lines {
        if ends(line.trim()) {
            return Some(found);
        }
        found.push(line);
    }
    None
}

/// All lines that were shown.
struct ShownRows<'q> {
    rows: Vec<&'q str>,
    /// Those that may be changed.
    region: Range<usize>,
}

/// Rows, and the lines that take their place.
type RowChange = (Range<usize>, Vec<String>);

impl<'q> ShownRows<'q> {
    fn of(question: &'q RewriteQuestion, told: &[&'q str]) -> ShownRows<'q> {
        let (before, behind) = (question.before.iter(), question.behind.iter());
        let rows = before.map(String::as_str).chain(told.iter().copied());
        let start = question.before.len();
        ShownRows {
            rows: rows.chain(behind.map(String::as_str)).collect(),
            region: start..start + told.len(),
        }
    }

    /// The region after all hunks.
    fn after(&self, hunks: &[PatchHunk<'_>]) -> Result<Vec<String>, PatchMisfit> {
        let mut changes: Vec<RowChange> = Vec::new();
        for hunk in hunks {
            changes.extend(self.placed(hunk)?);
        }
        changes.sort_by_key(|(rows, _)| (rows.start, rows.end));
        let (mut at, mut lines) = (self.region.start, Vec::new());
        let owned = |row: &&str| (*row).to_owned();
        for (rows, new) in changes {
            let kept = self.rows.get(at..rows.start).ok_or(PatchMisfit)?;
            lines.extend(kept.iter().map(owned));
            lines.extend(new);
            at = rows.end;
        }
        let kept = self.rows.get(at..self.region.end).ok_or(PatchMisfit)?;
        lines.extend(kept.iter().map(owned));
        Ok(lines)
    }

    /// The changes of a hunk, in the one place where it fits.
    fn placed(&self, hunk: &PatchHunk<'_>) -> Result<Vec<RowChange>, PatchMisfit> {
        let changes = hunk.changes();
        let (Some((first, _)), Some((last, _))) = (changes.first(), changes.last()) else {
            return Ok(Vec::new());
        };
        if hunk.old.iter().all(|old| old.text.trim().is_empty()) {
            return Err(PatchMisfit);
        }
        let span = first.start..last.end;
        let fits = |at: &usize| {
            let is_inside =
                at + span.start >= self.region.start && at + span.end <= self.region.end;
            let pairs = hunk.old.iter().zip(self.rows.iter().skip(*at));
            is_inside
                && pairs
                    .into_iter()
                    .all(|(old, row)| old.text.trim() == row.trim())
        };
        let last_at = self
            .rows
            .len()
            .checked_sub(hunk.old.len())
            .ok_or(PatchMisfit)?;
        let places: Vec<usize> = (0..=last_at).filter(fits).collect();
        let is_same = |at: &&usize| {
            let pairs = hunk.old.iter().zip(self.rows.iter().skip(**at));
            pairs.into_iter().all(|(old, row)| old.is(row))
        };
        let same: Vec<usize> = places.iter().filter(is_same).copied().collect();
        let at = match (places.as_slice(), same.as_slice()) {
            ([at], _) | (_, [at]) => *at,
            _ => return Err(PatchMisfit),
        };
        let shift = self.shift(hunk, at);
        let moved = |(old, new): (Range<usize>, Vec<&str>)| {
            let new: Option<Vec<String>> = new.into_iter().map(|line| shift.moved(line)).collect();
            Ok((at + old.start..at + old.end, new.ok_or(PatchMisfit)?))
        };
        changes.into_iter().map(moved).collect()
    }

    /// How much deeper the rows are than a hunk says.
    fn shift(&self, hunk: &PatchHunk<'_>, at: usize) -> IndentShift {
        let pairs = || {
            let pairs = hunk.old.iter().zip(self.rows.iter().skip(at));
            pairs.filter(|(old, _)| !old.text.trim().is_empty())
        };
        // The sign of a line that is removed cannot be mistaken for its own space.
        let removed = pairs().find(|(old, _)| old.is_removed);
        let moved = match removed {
            Some(pair) => Some(pair).filter(|(old, row)| !old.is(row)),
            None => pairs().find(|(old, row)| !old.is(row)),
        };
        let Some((old, row)) = moved else {
            return IndentShift::None;
        };
        let (ours, theirs) = (indent(row), indent(old.text));
        match (ours.strip_suffix(theirs), theirs.strip_suffix(ours)) {
            (Some(more), _) => IndentShift::Deeper(more.to_owned()),
            (None, Some(less)) => IndentShift::LessDeep(less.to_owned()),
            (None, None) => IndentShift::Unknown,
        }
    }
}

impl OldLine<'_> {
    /// Whether it is a row as it is, indentation and all.
    fn is(&self, row: &str) -> bool {
        let row = row.trim_end();
        self.text.trim_end() == row || self.raw.trim_end() == row
    }
}

/// How lines that are put in are to be moved.
enum IndentShift {
    None,
    Deeper(String),
    LessDeep(String),
    Unknown,
}

impl IndentShift {
    fn moved(&self, line: &str) -> Option<String> {
        match self {
            _ if line.trim().is_empty() => Some(line.to_owned()),
            IndentShift::None => Some(line.to_owned()),
            IndentShift::Deeper(by) => Some(format!("{by}{line}")),
            IndentShift::LessDeep(by) => line.strip_prefix(by.as_str()).map(str::to_owned),
            IndentShift::Unknown => None,
        }
    }
}

fn indent(line: &str) -> &str {
    line.split_at(line.len() - line.trim_start().len()).0
}
