//! Reads a block of an answer as the new text of the region.
//!
//! Models are careless with what is around the code, and careful with the code. So this is undone:
//! - marker lines, and what is outside of them;
//! - differences, where the lines themselves were asked for: they are applied ([`patch`]);
//! - what is left out at either end, where only a part of the region comes back: it stays
//!   ([`fragment`]);
//! - lines that were only shown, where they are repeated before or behind the region. A lone bracket
//!   is not taken for a repetition: it may as well belong to what is new;
//! - blank lines at either end: they stay as they were;
//! - all lines indented deeper or less deep than they were, if more lines are as they were when that
//!   is taken back.
//!
//! And this is not placed at all: a comment that stands for code ("... rest unchanged"), which would
//! delete that code; something that has little to do with the region; something that is too long;
//! something with a control token in it, which the region never has.
//!
//! All of it is about texts as they were told, without secrets.

use std::collections::BTreeMap;

use foretell_text::LaneKind;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::fragment::{self, FragmentContext, FragmentMisfit, PointedLines, says_much};
use super::patch::{self, PatchMisfit};
use super::rewrite_question::RewriteQuestion;
use super::text_lines::texts;
use super::word_pieces::{is_word, pieces};
use crate::model::server_client::LaneSettingName;

/// How much of the region an answer must keep, in thousandths: a next edit is a change, not another
/// program.
const LEAST_LIKE: usize = 333;
/// A region with fewer words is compared by pairs of characters.
const FEW_WORDS: usize = 8;
/// How many bytes an answer may have besides four times the region's.
const MOST_MORE_BYTES: usize = 16 << 10;
/// How many ways to take repeated lines away are tried.
const MOST_TRIED: usize = 8;

/// Words of a comment that stands for code.
const LEFT_OUT: [&str; 10] = [
    "rest of",
    "unchanged",
    "remains the same",
    "remain the same",
    "existing code",
    "same as before",
    "same as above",
    "previous code",
    "code omitted",
    "as before",
];

/// How comments begin.
const COMMENTS: [&str; 11] = [
    "//", "#", "--", "/*", "{/*", "<!--", ";", "%", "*", "\"\"\"", "(*",
];

/// The new text of the region.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct RegionRewrite {
    /// Its lines, with marks.
    pub(super) lines: Vec<String>,
    /// How many lines differ, however they are indented.
    pub(super) changes: usize,
    /// Whether anything but space at the ends of lines has changed.
    pub(super) is_changed: bool,
}

/// Why an answer cannot be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum RewriteFault {
    #[error("the answer was cut off before its end; raise {lane}.maxTokens")]
    Cut { lane: LaneSettingName },
    #[error("the answer is in words, without code; another model may do what it is asked")]
    Words,
    #[error(
        "the answer has a control token of the model in it; look whether the server has the right \
         template for the model"
    )]
    ControlToken,
    #[error("the answer leaves code out; another model may do what it is asked")]
    LeavesOut,
    #[error(
        "the answer is too much longer than what it is about; raise {lane}.maxLines if that is \
         wanted"
    )]
    TooLong { lane: LaneSettingName },
    #[error("the answer has little to do with what it is about; another model may do better")]
    Unlike,
    #[error(
        "the answer is only a part of what was asked for, and it is not clear which; another model \
         may do what it is asked"
    )]
    Part,
    #[error(
        "the answer is a difference that does not fit in exactly one place; another model may do \
         what it is asked"
    )]
    Difference,
}

impl RewriteFault {
    /// The answer was cut off.
    pub(super) fn cut(question: &RewriteQuestion) -> Self {
        let lane = lane(question);
        RewriteFault::Cut { lane }
    }

    fn too_long(question: &RewriteQuestion) -> Self {
        let lane = lane(question);
        RewriteFault::TooLong { lane }
    }
}

/// The settings of the lane that asks, by name.
fn lane(question: &RewriteQuestion) -> LaneSettingName {
    LaneSettingName::of(match question.fixes {
        Some(_) => LaneKind::Fix,
        None => LaneKind::NextEdit,
    })
}

impl From<FragmentMisfit> for RewriteFault {
    fn from(why: FragmentMisfit) -> Self {
        match why {
            FragmentMisfit::Nowhere => RewriteFault::Unlike,
            FragmentMisfit::Unclear => RewriteFault::Part,
        }
    }
}

impl From<PatchMisfit> for RewriteFault {
    fn from(PatchMisfit: PatchMisfit) -> Self {
        RewriteFault::Difference
    }
}

/// Facts about a block besides its text.
#[derive(Clone, Debug, Default)]
pub(super) struct BlockHints {
    /// Whether its fence says that it is a difference.
    pub(super) is_difference: bool,
    /// Lines of the region, as it was told, that are pointed at.
    pub(super) pointed: PointedLines,
}

/// Reads a block.
pub(super) fn of_block(
    question: &RewriteQuestion,
    body: &str,
    hints: &BlockHints,
) -> Result<RegionRewrite, RewriteFault> {
    let told = texts(&question.told);
    if body.len() > question.told.len() * 4 + MOST_MORE_BYTES {
        return Err(RewriteFault::too_long(question));
    }
    let lines = texts(body);
    let lines = without_blank_edges(within_markers(question, &lines));
    if lines.iter().any(|line| question.controls.is_in(line)) {
        return Err(RewriteFault::ControlToken);
    }
    let (changes, lines) = match patch::applied(question, lines, hints.is_difference) {
        Some(after) => of_difference(after?, &told)?,
        None => of_lines(question, lines, &told, &hints.pointed)?,
    };
    if lines.len() > told.len() + question.most_more {
        return Err(RewriteFault::too_long(question));
    }
    let same = |(a, b): (&&str, &String)| a.trim_end() == b.trim_end();
    let is_changed = told.len() != lines.len() || !told.iter().zip(&lines).all(same);
    Ok(RegionRewrite {
        lines,
        changes,
        is_changed,
    })
}

/// The region after a difference, and how many lines of it differ.
fn of_difference(after: Vec<String>, told: &[&str]) -> Result<(usize, Vec<String>), RewriteFault> {
    let lines: Vec<&str> = after.iter().map(String::as_str).collect();
    if leaves_out(&lines, told) {
        return Err(RewriteFault::LeavesOut);
    }
    if likeness(told, &lines) < LEAST_LIKE {
        return Err(RewriteFault::Unlike);
    }
    Ok((changed_lines(told, &lines), after))
}

/// The region by lines that are all of it or a part, and how many differ.
fn of_lines(
    question: &RewriteQuestion,
    lines: &[&str],
    told: &[&str],
    pointed: &PointedLines,
) -> Result<(usize, Vec<String>), RewriteFault> {
    let (lines, is_beyond) = without_repeated(question, lines, told);
    let lines = without_blank_edges(lines);
    if lines.len() > told.len() + question.most_more {
        return Err(RewriteFault::too_long(question));
    }
    if leaves_out(lines, told) {
        return Err(RewriteFault::LeavesOut);
    }
    let core = without_blank_edges(told);
    let head = if core.is_empty() {
        0
    } else {
        told.iter()
            .take_while(|line| line.trim().is_empty())
            .count()
    };
    let shown = question.before.iter().chain(&question.behind);
    let known = FragmentContext {
        shown: shown.map(String::as_str).collect(),
        is_beyond,
        pointed: pointed.behind(head),
    };
    let rows = if !core.is_empty() {
        let rows = fragment::place(core, lines, &known)?;
        head + rows.start..head + rows.end
    } else if lines.is_empty() {
        0..0
    } else {
        // Something takes the place of blank lines, and nothing leaves them as they are.
        0..told.len()
    };
    let (top, rest) = told.split_at(rows.start);
    let (part, bottom) = rest.split_at(rows.len());
    if likeness(part, lines) < LEAST_LIKE {
        return Err(RewriteFault::Unlike);
    }
    let owned = |line: &&str| (*line).to_owned();
    let placed = top.iter().map(owned).chain(indented_as(part, lines));
    let placed = placed.chain(bottom.iter().map(owned)).collect();
    Ok((changed_lines(core, lines), placed))
}

/// Reads a block without an end. A paragraph of prose behind the code is no part of it, unless the file
/// itself is prose.
pub(super) fn of_open(
    question: &RewriteQuestion,
    body: &str,
    hints: &BlockHints,
) -> Result<RegionRewrite, RewriteFault> {
    let told = texts(&question.told);
    let is_told = |line: &str| told.iter().any(|other| other.trim() == line.trim());
    let is_talk = |line: &str| is_prose(line) && !is_told(line);
    let lines = texts(body);
    let is_empty = |line: &&&str| line.trim().is_empty() || is_talk(line);
    let behind = lines.iter().rev().take_while(is_empty).count();
    let (code, rest) = lines.split_at(lines.len() - behind);
    let is_paragraph = rest.first().is_some_and(|line| line.trim().is_empty());
    if is_paragraph && !question.is_prose {
        of_block(question, &code.join("\n"), hints)
    } else {
        of_block(question, body, hints)
    }
}

/// Reads an answer that has neither fences nor markers. Prose at its ends is taken away, unless the
/// file itself is prose: there, what is whose cannot be told.
pub(super) fn of_bare(
    question: &RewriteQuestion,
    answer: &str,
    hints: &BlockHints,
) -> Result<RegionRewrite, RewriteFault> {
    let told = texts(&question.told);
    let is_told = |line: &str| told.iter().any(|other| other.trim() == line.trim());
    let says_something = |line: &&str| !line.trim().is_empty();
    let is_talk = |line: &str| !line.trim().is_empty() && is_prose(line) && !is_told(line);
    let lines = texts(answer);
    let is_empty = |line: &&str| !says_something(line) || is_talk(line);
    let start = lines.iter().take_while(|line| is_empty(line)).count();
    let (_, rest) = lines.split_at(start);
    let behind = rest.iter().rev().take_while(|line| is_empty(line)).count();
    let (code, _) = rest.split_at(rest.len() - behind);
    if code.is_empty() {
        return Err(RewriteFault::Words);
    }
    let talks = lines.iter().any(|line| is_talk(line));
    let talks_within = code.iter().any(|line| is_talk(line));
    if talks_within || (talks && question.is_prose) {
        return Err(RewriteFault::Words);
    }
    of_block(question, &code.join("\n"), hints)
}

/// Whether a block changes the region, so that nothing more needs to come.
pub(super) fn is_enough(question: &RewriteQuestion, body: &str, is_difference: bool) -> bool {
    let hints = BlockHints {
        is_difference,
        ..BlockHints::default()
    };
    of_block(question, body, &hints).is_ok_and(|rewriting| rewriting.is_changed)
}

/// The lines between the marker lines, as far as those are repeated.
fn within_markers<'l, 't>(question: &RewriteQuestion, lines: &'l [&'t str]) -> &'l [&'t str] {
    let (starts, ends) = (&question.quotes.starts, &question.quotes.ends);
    let start = lines.iter().position(|line| line.contains(starts.as_str()));
    let (_, lines) = lines.split_at(start.map_or(0, |at| at + 1));
    let end = lines.iter().position(|line| line.contains(ends.as_str()));
    let (lines, _) = lines.split_at(end.unwrap_or(lines.len()));
    lines
}

/// The lines without those at either end that were only shown, and whether there are at least two of
/// them: one might be another line that happens to say the same.
fn without_repeated<'l, 't>(
    question: &RewriteQuestion,
    lines: &'l [&'t str],
    told: &[&str],
) -> (&'l [&'t str], [bool; 2]) {
    let all = lines.len();
    let same = |a: &str, b: &str| a.trim() == b.trim();
    let before = &question.before;
    let at_start = (1..=lines.len().min(before.len())).filter(|count| {
        let (repeated, _) = lines.split_at(*count);
        let (_, shown) = before.split_at(before.len() - count);
        let is_same = repeated.iter().zip(shown).all(|(a, b)| same(a, b));
        is_same && repeated.iter().any(|line| says_much(line))
    });
    let is_own = |count: usize| told.iter().zip(lines).take(count).all(|(a, b)| same(a, b));
    let at_start = at_start.map(|count| (is_own(count), lines.split_at(count).1));
    let lines = best(told, lines, at_start);
    let rest = lines.len();
    let behind = &question.behind;
    let at_end = (1..=lines.len().min(behind.len())).filter(|count| {
        let (_, repeated) = lines.split_at(lines.len() - count);
        let is_same = repeated.iter().zip(behind).all(|(a, b)| same(a, b));
        is_same && repeated.iter().any(|line| says_much(line))
    });
    let is_own = |count: usize| {
        let pairs = told.iter().rev().zip(lines.iter().rev());
        pairs.take(count).all(|(a, b)| same(a, b))
    };
    let at_end = at_end.map(|count| (is_own(count), lines.split_at(lines.len() - count).0));
    let lines = best(told, lines, at_end);
    (lines, [all - rest >= 2, rest - lines.len() >= 2])
}

/// Of all ways to take lines away, and of taking none away, the one that changes the region least.
/// Lines that the region itself has there are only taken away if that helps.
fn best<'l, 't>(
    told: &[&str],
    lines: &'l [&'t str],
    ways: impl Iterator<Item = (bool, &'l [&'t str])>,
) -> &'l [&'t str] {
    let ways = ways.take(MOST_TRIED);
    let ways = ways.map(|(is_own, way)| (if is_own { 2 } else { 0 }, way));
    let ways = std::iter::once((1, lines)).chain(ways);
    let best = ways.min_by_key(|(reluctance, way)| (changed_lines(told, way), *reluctance));
    best.map_or(lines, |(_, way)| way)
}

/// How many lines differ, however they are indented.
fn changed_lines(old: &[&str], new: &[&str]) -> usize {
    let trimmed = |lines: &[&str]| -> Vec<String> {
        let lines = lines.iter().map(|line| line.trim().to_owned());
        lines.collect()
    };
    let ops = capture_diff_slices(Algorithm::Myers, &trimmed(old), &trimmed(new));
    let changed = ops.iter().filter(|op| !matches!(op, DiffOp::Equal { .. }));
    changed
        .map(|op| op.old_range().len() + op.new_range().len())
        .sum()
}

/// The lines without blank ones at either end.
fn without_blank_edges<'l, 't>(lines: &'l [&'t str]) -> &'l [&'t str] {
    let is_blank = |line: &&&str| line.trim().is_empty();
    let start = lines.iter().take_while(is_blank).count();
    let (_, rest) = lines.split_at(start);
    let end = rest.iter().rev().take_while(is_blank).count();
    rest.split_at(rest.len() - end).0
}

/// Whether a line that is new stands for code that is not there.
fn leaves_out(lines: &[&str], told: &[&str]) -> bool {
    let shrinks = lines.len() < told.len();
    let is_told = |line: &str| told.iter().any(|other| other.trim() == line);
    lines.iter().map(|line| line.trim()).any(|line| {
        let is_dots = matches!(line, "..." | "…");
        if is_dots {
            return shrinks && !is_told(line);
        }
        let Some(says) = comment(line) else {
            return false;
        };
        let begins = says.starts_with("...") || says.starts_with('…');
        let has_few_words = says.split_whitespace().count() <= 10;
        let small = says.to_lowercase();
        let says_so = has_few_words && LEFT_OUT.iter().any(|it| small.contains(it));
        // Without dots it is a comment like others, unless code is gone.
        (begins || (says_so && shrinks)) && !is_told(line)
    })
}

/// The words of a comment, if a line is one.
fn comment(line: &str) -> Option<&str> {
    let sign = COMMENTS.into_iter().find(|sign| line.starts_with(sign))?;
    let says = line.strip_prefix(sign)?;
    Some(says.trim_start_matches(['/', '#', '-', '*', '!']).trim())
}

/// How much of the region is in the lines, in thousandths, whatever the order.
fn likeness(told: &[&str], lines: &[&str]) -> usize {
    let words = |lines: &[&str]| -> Vec<String> {
        let words = lines.iter().flat_map(|line| pieces(line));
        let words = words.filter(|word| word.starts_with(is_word));
        words.map(str::to_owned).collect()
    };
    let told_words = words(told);
    if told_words.len() >= FEW_WORDS {
        return kept(&told_words, &words(lines));
    }
    let pairs = |lines: &[&str]| -> Vec<String> {
        let all = lines.iter().flat_map(|line| line.chars());
        let all: Vec<char> = all.filter(|c| !c.is_whitespace()).collect();
        let single = all.iter().map(char::to_string);
        let pairs = all.windows(2).map(|pair| pair.iter().collect());
        single.chain(pairs).collect()
    };
    kept(&pairs(told), &pairs(lines))
}

/// How many of some words are among others, in thousandths; all, if there are none.
fn kept<W: Ord>(words: &[W], others: &[W]) -> usize {
    if words.is_empty() {
        return 1_000;
    }
    let mut counts: BTreeMap<&W, usize> = BTreeMap::new();
    for word in others {
        *counts.entry(word).or_default() += 1;
    }
    let kept = words.iter().filter(|word| match counts.get_mut(word) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    });
    kept.count() * 1_000 / words.len()
}

/// The lines, indented as the region is if all of them were moved alike.
fn indented_as(told: &[&str], lines: &[&str]) -> Vec<String> {
    let owned = |line: &&str| (*line).to_owned();
    let as_they_are: Vec<String> = lines.iter().map(owned).collect();
    let (ours, theirs) = (common_indent(told), common_indent(lines));
    if ours == theirs {
        return as_they_are;
    }
    let moved: Vec<String> = lines
        .iter()
        .map(|line| match line.strip_prefix(theirs) {
            Some(rest) if !line.trim().is_empty() => format!("{ours}{rest}"),
            _ => (*line).to_owned(),
        })
        .collect();
    let says = |line: &&str| !line.trim().is_empty();
    let told: Vec<String> = told.iter().filter(|line| says(line)).map(owned).collect();
    let (if_moved, as_is) = (kept(&told, &moved), kept(&told, &as_they_are));
    // Nothing to compare with: where all of it begins at the margin, it was moved there.
    let is_at_margin = if_moved == 0 && as_is == 0 && theirs.is_empty();
    if if_moved > as_is || is_at_margin {
        moved
    } else {
        as_they_are
    }
}

/// The space that all lines begin with that are not blank.
fn common_indent<'t>(lines: &[&'t str]) -> &'t str {
    let says = lines.iter().filter(|line| !line.trim().is_empty());
    let indents = says.map(|line| {
        let (indent, _) = line.split_at(line.len() - line.trim_start().len());
        indent
    });
    let common = |a: &'t str, b: &'t str| {
        let same = a.chars().zip(b.chars()).take_while(|(a, b)| a == b);
        let len = same.map(|(c, _)| c.len_utf8()).sum();
        a.split_at(len).0
    };
    indents.reduce(common).unwrap_or_default()
}

/// Whether a line is a sentence of a talk.
fn is_prose(line: &str) -> bool {
    let line = line.trim();
    let begins = line.starts_with(|c: char| c.is_uppercase());
    let ends = line.ends_with(['.', ':', '!', '?']);
    let words = line.split_whitespace();
    let is_plain = |word: &&str| word.chars().any(char::is_alphabetic);
    begins && ends && words.filter(is_plain).count() >= 3 && !line.contains(['{', ';', '='])
}
