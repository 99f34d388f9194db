//! Which part of a document a prompt is made of, so that the next prompt can be made of the same.
//!
//! A server reads a prompt anew from the first byte that differs from the last one. So the part does
//! not follow the cursor but stays where it is for as long as it can:
//!
//! ```text
//! start               cut       at  behind              end
//!   | prefix: stays     | typed  |)   | suffix: stays     |
//! ```
//!
//! - `cut` is the start of the line that the cursor was on when the prompt was made. What was typed
//!   since stands between `cut` and the cursor, goes behind everything else, and may be taken back
//!   down to `cut`. On a line too long for that, `cut` is where the cursor was.
//! - `start` is the start of a line, where there is one the first line of an item: a line that is not
//!   indented and closes nothing. It stays until a quarter more than the limit stands before the
//!   cursor, and then jumps ahead. Where a server keeps what it has read and the limit is one of time, it stays
//!   for longer: what was read once costs nothing more. A prompt that is made anew begins where the last one did, if the
//!   text still begins there as it did and enough of it stands before the cursor.
//! - `behind` leaves out brackets and quotes that only close what stands before the cursor. Editors
//!   put them in as their partners are typed and let the person type over them, so that they come and
//!   go with every other key; models write them themselves, and [`candidate`](super::candidate) sees
//!   to it that they are not doubled.
//! - `end` is the end of a line, and stays as `start` does.
//!
//! Lengths count UTF-16 units, which a rope knows without reading.
//!
//! Absent on purpose: secrets, and what else is told.

use std::fmt;

use foretell_text::{ByteOffset, ByteRange, PositionEncoding, Text, Utf16Offset};

use super::text_window::not_between_cr_and_lf;

/// How much may be typed before the prompt is made anew, in UTF-16 units.
pub(super) const MOST_TYPED: usize = 1_500;
/// How much of the cursor's line may stand before the cursor, so that the prompt ends before it.
const MOST_OF_LINE: usize = 1_000;
/// How much of a prompt's beginning is looked at to find it again, in bytes.
const HEAD: usize = 512;
/// How much of a text can be searched for, in bytes.
const LEAST_SOUGHT: usize = 32;
/// How far the beginning of a prompt may have moved, in bytes beyond what a prompt may have.
const FURTHER: usize = 16 << 10;
/// How much of the rest of a line is looked at, in bytes.
const MOST_REST: usize = 256;

/// How much is told on each side of the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WindowLimits {
    /// Before the cursor, in UTF-16 units.
    pub(super) before: usize,
    /// Behind it.
    pub(super) behind: usize,
    /// The limits of what a server keeps, where it does and they are larger.
    pub(super) kept: Option<KeptLimits>,
}

/// How much of what a server has read and keeps may be told again, on each side of the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptLimits {
    /// Before the cursor, in UTF-16 units.
    pub before: usize,
    /// Behind it.
    pub behind: usize,
}

impl WindowLimits {
    /// How far the side before the cursor may grow until it is cut anew.
    pub(super) fn most_before(self) -> usize {
        grown(self.kept.map_or(0, |kept| kept.before).max(self.before))
    }

    /// The same of the side behind it.
    pub(super) fn most_behind(self) -> usize {
        grown(self.kept.map_or(0, |kept| kept.behind).max(self.behind))
    }
}

/// How far a side with a limit may grow.
fn grown(limit: usize) -> usize {
    limit.saturating_add(limit / 4)
}

/// Where a prompt's parts begin and end, in the order of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WindowBounds {
    pub(super) start: ByteOffset,
    pub(super) cut: ByteOffset,
    pub(super) at: ByteOffset,
    pub(super) behind: ByteOffset,
    pub(super) end: ByteOffset,
}

/// Whether a prompt goes on from the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WindowMove {
    /// Only what was typed is different.
    Same,
    /// It is made anew, and begins where the last one did.
    Nearby,
    /// It has nothing to do with the last one, or there was none.
    Elsewhere,
}

/// The part of a document that a prompt was made of, to be found again.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct FrozenWindow {
    start: usize,
    /// From `start` to `cut`.
    before: String,
    /// From `behind` to `end`.
    behind: String,
    /// How far from the end of the document `end` was.
    from_end: usize,
    /// How the item of the cursor begins; nothing if that was before `start`.
    item: Option<String>,
}

impl FrozenWindow {
    /// Remembers a part.
    pub(super) fn of(text: &Text, bounds: &WindowBounds) -> FrozenWindow {
        FrozenWindow {
            start: bounds.start.get(),
            before: read(text, bounds.start, bounds.cut),
            behind: read(text, bounds.behind, bounds.end),
            from_end: text.end().get().saturating_sub(bounds.end.get()),
            item: item_of(text, bounds),
        }
    }

    /// Whether the cursor is in another item than it was.
    pub(super) fn is_left(&self, text: &Text, bounds: &WindowBounds) -> bool {
        item_of(text, bounds) != self.item
    }

    /// Where a text has what this had from `start` on, up to a length.
    fn find(&self, text: &Text, length: usize, at: ByteOffset) -> Option<ByteOffset> {
        let sought = self.before.get(..length)?;
        let is_at = |start: usize| {
            let range = offsets(start, start + sought.len());
            let read = range.filter(|range| range.end() <= at);
            read.and_then(|range| text.read(range).ok())
                .is_some_and(|read| *read == *sought)
        };
        if is_at(self.start) {
            return Some(ByteOffset::new(self.start));
        }
        // Something above it has changed. A few letters stand anywhere.
        if sought.len() < LEAST_SOUGHT {
            return None;
        }
        let far = self.before.len() + MOST_TYPED * 4 + FURTHER;
        let from = text.floor(at.get().saturating_sub(far));
        let found = read(text, from, at).rfind(sought)?;
        Some(ByteOffset::new(from.get() + found))
    }

    /// The part again, if nothing but what was typed is different.
    fn same(
        &self,
        text: &Text,
        at: ByteOffset,
        behind: ByteOffset,
        limits: WindowLimits,
    ) -> Option<WindowBounds> {
        let start = self.find(text, self.before.len(), at)?;
        let cut = ByteOffset::new(start.get() + self.before.len());
        let is_short = units(text, cut, at)? <= MOST_TYPED;
        let is_within = units(text, start, at)? <= limits.most_before();
        let end = self.end_behind(text, behind, limits)?;
        (is_short && is_within).then_some(WindowBounds {
            start,
            cut,
            at,
            behind,
            end,
        })
    }

    /// Where the text behind the cursor ends, if it is what it was and no longer than it may be.
    fn end_behind(
        &self,
        text: &Text,
        behind: ByteOffset,
        limits: WindowLimits,
    ) -> Option<ByteOffset> {
        let end = behind.get() + self.behind.len();
        let is_last = end == text.end().get();
        let is_alike = *text.read(offsets(behind.get(), end)?).ok()? == *self.behind;
        let was_last = self.from_end == 0;
        let end = ByteOffset::new(end);
        let is_within = units(text, behind, end)? <= limits.most_behind();
        (is_alike && is_last == was_last && is_within).then_some(end)
    }

    /// Where the next prompt can begin as this one did.
    fn start_again(
        &self,
        text: &Text,
        bounds: &WindowBounds,
        limits: WindowLimits,
    ) -> Option<ByteOffset> {
        let mut lengths = (0..=self.before.len().min(HEAD)).rev();
        let head = lengths.find(|length| self.before.is_char_boundary(*length))?;
        let start = self.find(text, head, bounds.cut)?;
        let length = units(text, start, bounds.at)?;
        let is_enough = start == ByteOffset::ZERO || length >= limits.before / 2;
        let is_begun = head > 0 || start == ByteOffset::ZERO;
        let is_within = length <= limits.most_before();
        (is_begun && is_enough && is_within && begins_line(text, start)).then_some(start)
    }

    /// Where it can end as this one did.
    fn end_again(
        &self,
        text: &Text,
        behind: ByteOffset,
        limits: WindowLimits,
    ) -> Option<ByteOffset> {
        if let Some(end) = self.end_behind(text, behind, limits) {
            return Some(end);
        }
        let end = ByteOffset::new(text.end().get().checked_sub(self.from_end)?);
        text.check(end).ok().filter(|()| end >= behind)?;
        let length = units(text, behind, end)?;
        let is_enough = end == text.end() || length >= limits.behind / 2;
        let is_within = length <= limits.most_behind();
        (is_enough && is_within && begins_line(text, end)).then_some(end)
    }
}

/// How long: what people write does not belong in a log.
impl fmt::Debug for FrozenWindow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FrozenWindow")
            .field("start", &self.start)
            .field("before", &self.before.len())
            .field("behind", &self.behind.len())
            .finish_non_exhaustive()
    }
}

impl WindowBounds {
    /// The part of a text around a place, as near to the last one as can be.
    pub(super) fn around(
        text: &Text,
        at: ByteOffset,
        limits: WindowLimits,
        last: Option<&FrozenWindow>,
    ) -> (WindowBounds, WindowMove) {
        let behind = behind_closers(text, at);
        let same = last.and_then(|last| last.same(text, at, behind, limits));
        if let Some(bounds) = same {
            return (bounds, WindowMove::Same);
        }
        let cut = cut_before(text, at, limits);
        let mut bounds = WindowBounds {
            start: cut,
            cut,
            at,
            behind,
            end: behind,
        };
        let start = last.and_then(|last| last.start_again(text, &bounds, limits));
        let end = last.and_then(|last| last.end_again(text, behind, limits));
        bounds.start = start.unwrap_or_else(|| first_start(text, &bounds, limits.before));
        bounds.end = end.unwrap_or_else(|| first_end(text, behind, limits.behind));
        let moved = match start {
            Some(_) => WindowMove::Nearby,
            None => WindowMove::Elsewhere,
        };
        (bounds, moved)
    }
}

/// Where a prompt ends that is made for a place.
fn cut_before(text: &Text, at: ByteOffset, limits: WindowLimits) -> ByteOffset {
    let line = text.line_at(at).map(ByteRange::start);
    let line = line.ok().filter(|line| *line <= at);
    let most = MOST_OF_LINE.min(limits.before);
    let is_short = |line: &ByteOffset| units(text, *line, at).is_some_and(|it| it <= most);
    line.filter(is_short).unwrap_or(at)
}

/// Where a prompt begins that nothing came before.
fn first_start(text: &Text, bounds: &WindowBounds, most: usize) -> ByteOffset {
    let at = bounds.at;
    let earliest = unit_from(text, at, |here| here.saturating_sub(most));
    let earliest = earliest.filter(|it| *it <= at).unwrap_or(at);
    if earliest == ByteOffset::ZERO {
        return earliest;
    }
    let latest = unit_from(text, at, |here| here.saturating_sub(most - most / 4));
    let latest = latest.unwrap_or(at).min(bounds.cut);
    let mut starts = line_starts(text, earliest, bounds.cut);
    let Some(first) = starts.next() else {
        // The line is cut at a character; nothing is told of one that the cursor parts from its LF.
        let is_parted = not_between_cr_and_lf(text, earliest, bounds.cut) < bounds.cut;
        return if is_parted {
            bounds.cut
        } else {
            earliest.min(bounds.cut)
        };
    };
    let mut candidates = std::iter::once(first).chain(starts);
    let item = candidates
        .by_ref()
        .take_while(|start| *start <= latest)
        .find(|start| begins_item(text, *start));
    item.unwrap_or(first)
}

/// Where one ends.
fn first_end(text: &Text, behind: ByteOffset, most: usize) -> ByteOffset {
    let latest = unit_from(text, behind, |here| here.saturating_add(most));
    let latest = latest.filter(|it| *it >= behind).unwrap_or(behind);
    if latest == text.end() {
        return latest;
    }
    let line = text.line_at(latest).map(ByteRange::start);
    match line {
        Ok(line) if line > behind => {
            let earliest = unit_from(text, behind, |here| here.saturating_add(most - most / 4));
            let earliest = earliest.unwrap_or(behind).max(behind);
            let starts: Vec<_> = line_starts(text, earliest, line).collect();
            let item = starts.into_iter().rev().find(|it| begins_item(text, *it));
            item.filter(|it| *it > behind).unwrap_or(line)
        }
        _ => not_between_cr_and_lf(text, behind, latest),
    }
}

/// The starts of lines from a place on, up to another.
fn line_starts(
    text: &Text,
    from: ByteOffset,
    to: ByteOffset,
) -> impl Iterator<Item = ByteOffset> + '_ {
    let position = text.position_of(from, PositionEncoding::Utf8);
    let first = position.map_or(u32::MAX, |position| position.line);
    let starts = (first..).map_while(move |line| text.line(line).ok().map(ByteRange::start));
    starts
        .skip_while(move |start| *start < from)
        .take_while(move |start| *start <= to)
}

/// The first line of the item that the cursor is in, if it is in the part.
fn item_of(text: &Text, bounds: &WindowBounds) -> Option<String> {
    let line = text.line_at(bounds.at).ok()?.start();
    let starts: Vec<_> = line_starts(text, bounds.start, line).collect();
    let item = starts.into_iter().rev().find(|it| begins_item(text, *it))?;
    let line = text.line_at(item).ok()?;
    let end = text.floor(line.end().get().min(item.get().saturating_add(MOST_REST)));
    Some(read(text, item, end))
}

/// Whether a line is not indented, closes nothing, and says something.
fn begins_item(text: &Text, start: ByteOffset) -> bool {
    let end = text.floor(start.get().saturating_add(8));
    let beginning = read(text, start, end.max(start));
    let first = beginning.chars().next();
    first.is_some_and(|c| !c.is_whitespace() && !")]}>".contains(c))
        && !["end", "fi\n", "done", "esac", "else"]
            .iter()
            .any(|word| beginning.starts_with(word))
}

/// A place behind the brackets and quotes that close what stands before it, if they are all that is
/// left of the line but for a `;`, `,` or `:`.
fn behind_closers(text: &Text, at: ByteOffset) -> ByteOffset {
    let Ok(line) = text.line_at(at) else {
        return at;
    };
    let end = line.end().get().min(at.get().saturating_add(MOST_REST));
    let end = text.floor(end);
    if end < line.end() || end < at {
        return at;
    }
    let rest = read(text, at, end);
    let closes = |c: char| ")]}\"'`".contains(c);
    let closers = rest.trim_end().trim_end_matches([';', ',', ':']);
    let is_closing =
        closers.contains(closes) && closers.chars().all(|c| closes(c) || c.is_whitespace());
    let length = if is_closing {
        closers.trim_end().len()
    } else {
        0
    };
    ByteOffset::new(at.get() + length)
}

/// The place that is as many UTF-16 units into a text as `wanted` makes of those before `at`; the
/// end if there are fewer. A pair of surrogates is left out rather than parted.
pub(super) fn unit_from(
    text: &Text,
    at: ByteOffset,
    wanted: impl Fn(usize) -> usize,
) -> Option<ByteOffset> {
    let here = text.utf16_of(at).ok()?.get();
    let unit = wanted(here).min(text.utf16_end().get());
    let nearer = if unit < here {
        unit + 1
    } else {
        unit.saturating_sub(1)
    };
    let byte = |unit| text.byte_of(Utf16Offset::new(unit)).ok();
    byte(unit).or_else(|| byte(nearer))
}

/// Whether a line begins at a place, or the text is over there.
pub(super) fn begins_line(text: &Text, at: ByteOffset) -> bool {
    let line = text.line_at(at);
    at == text.end() || line.is_ok_and(|line| line.start() == at)
}

fn units(text: &Text, from: ByteOffset, to: ByteOffset) -> Option<usize> {
    let (from, to) = (text.utf16_of(from).ok()?, text.utf16_of(to).ok()?);
    to.get().checked_sub(from.get())
}

fn offsets(from: usize, to: usize) -> Option<ByteRange> {
    ByteRange::new(ByteOffset::new(from), ByteOffset::new(to)).ok()
}

fn read(text: &Text, from: ByteOffset, to: ByteOffset) -> String {
    let range = ByteRange::new(from, to).ok();
    let read = range.and_then(|range| text.read(range).ok());
    read.unwrap_or_default().into_owned()
}
