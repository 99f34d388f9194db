//! Which lines a model is told for a dialect, and which of them are its to change.
//!
//! Some models were taught a fixed number of lines. Others were taught a number of tokens, spent in three
//! steps: lines below and above in turn, up to three quarters; then the blocks around them, from the inside
//! out; then lines again, on the side that grew less. This crate has no grammar, so a block is what the
//! indentation says: the lines between one that stands further left and the next that does.
//!
//! A region is whole lines without the line end of the last one, as for rewriting, and shrinks where an
//! answer could not repeat it within `maxTokens`. Nothing beyond `maxPrefixChars` and `maxSuffixChars` is
//! told.

use std::collections::BTreeMap;

use foretell_settings::settings;
use foretell_text::{ByteOffset, ByteRange, PositionEncoding, Text};

use super::super::rewrite::EditRegion;
use super::edit_dialect::{EditDialect, RegionSize, ShownSize, line_tokens};

/// How many lines are looked at on either side at most.
const FARTHEST: u32 = 2_000;
/// How much of a line is looked at for its indentation.
const WIDEST_INDENT: usize = 256;

/// The region around a place, and the lines around it that are told. Nothing if the line of the place is too
/// long, or it is no place of the text.
pub(super) fn region_around(
    text: &Text,
    at: ByteOffset,
    dialect: &EditDialect,
    settings: &settings::LaneSettings,
) -> Option<EditRegion> {
    let line = text.position_of(at, PositionEncoding::Utf8).ok()?.line;
    let own = text.line(line).ok()?;
    // It may be between the two halves of a line end.
    let at = at.min(own.end());
    let mut growth = LineGrowth {
        text,
        at,
        most_prefix: settings.max_prefix_chars,
        most_suffix: settings.max_suffix_chars,
        budget: 0,
        used: 0,
        first: line,
        last: line,
        lines: BTreeMap::new(),
    };
    // An answer repeats the region, and something is put in.
    let most = settings.max_tokens.saturating_sub(settings.max_tokens / 4);
    growth.used = growth.tokens(line)?;
    if growth.used > most || !growth.is_within_settings(line, line) {
        return None;
    }
    match dialect.size {
        RegionSize::Tokens(tokens) => {
            let tokens = tokens.min(most);
            if growth.used > tokens {
                return None;
            }
            growth.budget = tokens / 4 * 3;
            growth.grow_in_turn(FARTHEST, FARTHEST);
            growth.budget = tokens;
            growth.grow_by_blocks();
            growth.grow_to_the_smaller_side(line);
        }
        RegionSize::Lines { above, below } => {
            growth.budget = most;
            growth.grow_in_turn(above, below);
        }
    }
    let (first, last) = (growth.first, growth.last);
    let (start, end) = (growth.start()?, growth.end()?);
    growth.used = 0;
    match dialect.shown {
        ShownSize::Tokens(tokens) => {
            growth.budget = tokens;
            growth.grow_by_blocks();
            growth.grow_up_first();
        }
        ShownSize::Lines(lines) => {
            growth.budget = usize::MAX;
            let lines = lines.saturating_sub(last - first + 1);
            growth.grow_in_turn(lines / 2, lines / 2);
        }
        ShownSize::Settings => {
            growth.budget = usize::MAX;
            growth.grow_in_turn(FARTHEST, FARTHEST);
        }
    }
    let behind = match last.checked_add(1).map(|next| text.line(next)) {
        Some(Ok(next)) => next.start(),
        _ => text.end(),
    };
    // Each line with its line end: a blank one is nothing without it.
    let shown_to = match growth.last.checked_add(1).map(|next| text.line(next)) {
        _ if growth.last <= last => behind,
        Some(Ok(next)) => next.start(),
        _ => text.end(),
    };
    Some(EditRegion {
        range: ByteRange::new(start, end).ok()?,
        first_line: first,
        shown_from: growth.start()?,
        shown_behind: ByteRange::new(behind, shown_to).ok()?,
    })
}

/// Lines that become more.
struct LineGrowth<'t> {
    text: &'t Text,
    /// The cursor, from which the settings count.
    at: ByteOffset,
    most_prefix: usize,
    most_suffix: usize,
    /// How many tokens there may be, and how many there are.
    budget: usize,
    used: usize,
    first: u32,
    last: u32,
    lines: BTreeMap<u32, Option<LineShape>>,
}

/// What matters of a line.
#[derive(Clone, Copy)]
struct LineShape {
    range: ByteRange,
    /// How far it is indented; nothing if it is blank.
    indent: Option<usize>,
    /// Whether it closes the block above it.
    is_closing: bool,
}

impl LineGrowth<'_> {
    fn start(&self) -> Option<ByteOffset> {
        Some(self.text.line(self.first).ok()?.start())
    }

    fn end(&self) -> Option<ByteOffset> {
        Some(self.text.line(self.last).ok()?.end())
    }

    fn shape(&mut self, line: u32) -> Option<LineShape> {
        let text = self.text;
        *self.lines.entry(line).or_insert_with(|| {
            let range = text.line(line).ok()?;
            let end = text.floor(range.end().get().min(range.start().get() + WIDEST_INDENT));
            let head = text.read(ByteRange::new(range.start(), end).ok()?).ok()?;
            let says = head.trim_start();
            let is_blank = says.is_empty() && end == range.end();
            let closing = [
                "}", "]", ")", "end", "</", "else", "elif", "except", "finally",
            ];
            Some(LineShape {
                range,
                indent: (!is_blank).then_some(head.len() - says.len()),
                is_closing: closing.iter().any(|word| says.starts_with(word)),
            })
        })
    }

    fn tokens(&mut self, line: u32) -> Option<usize> {
        Some(line_tokens(self.shape(line)?.range.len()))
    }

    /// Whether the lines from one to another may be told.
    fn is_within_settings(&self, first: u32, last: u32) -> bool {
        let (Ok(start), Ok(end)) = (self.text.line(first), self.text.line(last)) else {
            return false;
        };
        let chars = |from: ByteOffset, to: ByteOffset| {
            let units = |offset| self.text.utf16_of(offset).map(|it| it.get());
            Some(units(to).ok()?.saturating_sub(units(from).ok()?))
        };
        let prefix = chars(start.start(), self.at);
        let suffix = chars(self.at, end.end());
        prefix.is_some_and(|it| it <= self.most_prefix)
            && suffix.is_some_and(|it| it <= self.most_suffix)
    }

    /// Takes one more line in, if there is one and it fits. Behind the last line end of a file there is no
    /// line, unless the cursor is there.
    fn take(&mut self, line: Option<u32>) -> bool {
        let Some(line) = line else {
            return false;
        };
        let is_line =
            |shape: LineShape| !shape.range.is_empty() || shape.range.end() < self.text.end();
        if !self.shape(line).is_some_and(is_line) {
            return false;
        }
        let Some(tokens) = self.tokens(line) else {
            return false;
        };
        let (first, last) = (self.first.min(line), self.last.max(line));
        let used = self.used.saturating_add(tokens);
        if used > self.budget || !self.is_within_settings(first, last) {
            return false;
        }
        (self.first, self.last, self.used) = (first, last, used);
        true
    }

    fn take_above(&mut self) -> bool {
        self.take(self.first.checked_sub(1))
    }

    fn take_below(&mut self) -> bool {
        self.take(self.last.checked_add(1))
    }

    /// One below and one above in turn.
    fn grow_in_turn(&mut self, above: u32, below: u32) {
        let (mut above, mut below) = (above, below);
        while above > 0 || below > 0 {
            if below > 0 {
                below = if self.take_below() { below - 1 } else { 0 };
            }
            if above > 0 {
                above = if self.take_above() { above - 1 } else { 0 };
            }
        }
    }

    /// On the side that has fewer lines from one on, and on the other when that is full.
    fn grow_to_the_smaller_side(&mut self, line: u32) {
        loop {
            let is_above_smaller = line - self.first <= self.last - line;
            let has_grown = is_above_smaller && self.take_above();
            let has_grown = has_grown || self.take_below() || self.take_above();
            if !has_grown {
                return;
            }
        }
    }

    fn grow_up_first(&mut self) {
        while self.take_above() {}
        while self.take_below() {}
    }

    /// By the blocks around the lines, from the inside out.
    fn grow_by_blocks(&mut self) {
        while let Some((first, last, tokens)) = self.block_around() {
            (self.first, self.last) = (first, last);
            self.used += tokens;
        }
    }

    /// The first and the last line of the block around the lines, and how many tokens more that is, if it
    /// fits.
    fn block_around(&mut self) -> Option<(u32, u32, usize)> {
        let lines = self.first..=self.last;
        let indent = lines.filter_map(|line| self.shape(line)?.indent).min();
        let indent = indent.filter(|indent| *indent > 0)?;
        let left = self.budget.saturating_sub(self.used);
        let (mut first, mut last, mut tokens) = (self.first, self.last, 0);
        let outer = loop {
            first = first.checked_sub(1)?;
            tokens += self.tokens(first)?;
            if tokens > left {
                return None;
            }
            let outer = self.shape(first)?.indent;
            if let Some(outer) = outer.filter(|outer| *outer < indent) {
                break outer;
            }
        };
        let (mut end, mut end_tokens) = (last, tokens);
        while let Some(shape) = last.checked_add(1).and_then(|next| self.shape(next)) {
            let is_left = shape.indent.is_some_and(|indent| indent <= outer);
            let closes = is_left && shape.indent == Some(outer) && shape.is_closing;
            if is_left && !closes {
                break;
            }
            last += 1;
            tokens += line_tokens(shape.range.len());
            if tokens > left {
                return None;
            }
            // Blank lines behind a block are no part of it.
            if shape.indent.is_some() {
                (end, end_tokens) = (last, tokens);
            }
            if closes {
                break;
            }
        }
        self.is_within_settings(first, end)
            .then_some((first, end, end_tokens))
    }
}
