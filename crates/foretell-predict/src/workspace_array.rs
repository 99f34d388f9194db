//! [`WorkspaceArray`]: the code of a workspace, and its places sorted by what stands before them.
//!
//! All tokens in a row, and the numbers of all places in the order of the tokens before them, read
//! backwards: places that came about in the same way stand side by side, so that what came after any
//! number of tokens is one stretch of that order. It takes eight bytes a token, where a table for each
//! length would take a hundred.
//!
//! It is read where it lies, in bytes that somebody else holds: a file that is mapped into memory, or a
//! vector. The tokens come first, what follows from them after them, and how much there is of each at the
//! end, so that it is written from front to back (see `array_writer`).
//!
//! Kept: bytes that are no such array, or that another way of cutting lines into tokens made, are refused.
//! Bytes that lie may say wrong things, and no more: nothing here trusts a number that it reads. A place is
//! compared by at most `LONGEST` tokens.
//!
//! Absent on purpose: following changes. It is made anew; what has changed since is left out by those who
//! ask. Where the bytes come from, and whether they are still what was written.

use std::fmt;
use std::ops::Range;

use crate::line_lexer::lex_line;
use crate::token_vocabulary::{TokenId, TokenVocabulary, mixed};

/// By how many tokens places are sorted.
pub(crate) const LONGEST: usize = 16;
/// The token before the first of a file, and one that was not read.
pub(crate) const FILE_START: u32 = 0;
/// The longest line that is told apart from others, in tokens; none has more bytes.
const LONGEST_TOLD: usize = 1_000;

/// What the end of the bytes begins with.
const MAGIC: &[u8; 16] = b"foretell tokens\n";
/// Changes whenever the parts or their order do.
const VERSION: u64 = 1;
/// How many numbers the end consists of.
const NUMBERS: usize = 10;
/// How long the end is.
pub(crate) const END: usize = MAGIC.len() + NUMBERS * 8;
/// How long what is known of a file is: where it begins among tokens and lines, where its name ends, and both
/// halves of a number for its content.
const FILE: usize = 20;

/// Code that lexes otherwise than it did when an array was made gives another number.
const SAMPLE_LINES: [&str; 8] = [
    "    let mut total = self.rows[0].width as f32 * 1.5e-3;",
    "// it's a \"comment\": 0x1F, größe_2 & co.",
    "if (a?.b !== c && d <= 10) { return `x${y}`; }",
    "\tfoo->bar(::std, x..=y, \u{1f600}, $this, @attr, #include <a/b.h>)",
    "#[derive(Debug)] impl<'a, T: Into<u8>> X<'a> for Y {}",
    "x := <-ch; y /= 2 // done",
    "lambda a, *b: f'{a!r}' if b else None",
    "<div className=\"a-b\" /> {/* c */}",
];

/// The code of a workspace.
pub struct WorkspaceArray {
    bytes: Box<dyn ArrayBytes>,
    layout: ArrayLayout,
    /// The numbers of the files, in the order of their names.
    by_name: Vec<u32>,
}

/// Bytes that somebody holds.
pub trait ArrayBytes: AsRef<[u8]> + Send + Sync {}

impl<B: AsRef<[u8]> + Send + Sync> ArrayBytes for B {}

/// How much there is of everything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ArraySizes {
    pub(crate) tokens: usize,
    pub(crate) places: usize,
    pub(crate) stems: usize,
    pub(crate) stem_bytes: usize,
    pub(crate) files: usize,
    pub(crate) name_bytes: usize,
    pub(crate) lines: usize,
    /// How many files are not in it, since there was no room.
    pub(crate) left_out: usize,
}

/// Where everything is.
#[derive(Clone, Debug, Default)]
struct ArrayLayout {
    sizes: ArraySizes,
    /// For each token its stem twice, and one more if there is a blank before it.
    tokens: Range<usize>,
    order: Range<usize>,
    /// For each stem where the places behind it begin in the order; and the end of the last.
    firsts: Range<usize>,
    /// Where the text of each stem ends.
    stem_ends: Range<usize>,
    stem_texts: Range<usize>,
    /// The stems, sorted by their text.
    sorted: Range<usize>,
    files: Range<usize>,
    names: Range<usize>,
    /// For each line how many lines of its file there are before it that are not here, from the one
    /// before on.
    gaps: Range<usize>,
}

impl ArraySizes {
    /// The end of the bytes.
    pub(crate) fn to_end(self) -> Vec<u8> {
        let numbers = [
            VERSION,
            lexer_print(),
            self.tokens as u64,
            self.places as u64,
            self.stems as u64,
            self.stem_bytes as u64,
            self.files as u64,
            self.name_bytes as u64,
            self.lines as u64,
            self.left_out as u64,
        ];
        let numbers = numbers.into_iter().flat_map(u64::to_le_bytes);
        MAGIC.iter().copied().chain(numbers).collect()
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let end = bytes.get(bytes.len().checked_sub(END)?..)?;
        let numbers = end.strip_prefix(MAGIC)?;
        let numbers = numbers.chunks_exact(8).map(<[u8; 8]>::try_from);
        let mut numbers = numbers.flatten().map(u64::from_le_bytes);
        if numbers.next()? != VERSION || numbers.next()? != lexer_print() {
            return None;
        }
        let mut size = || numbers.next().and_then(|it| usize::try_from(it).ok());
        Some(ArraySizes {
            tokens: size()?,
            places: size()?,
            stems: size()?,
            stem_bytes: size()?,
            files: size()?,
            name_bytes: size()?,
            lines: size()?,
            left_out: size()?,
        })
    }
}

impl ArrayLayout {
    fn read(bytes: &[u8]) -> Option<Self> {
        let sizes = ArraySizes::read(bytes)?;
        let mut at = 0_usize;
        let mut part = |count: usize, size: usize| -> Option<Range<usize>> {
            let start = at;
            at = at.checked_add(count.checked_mul(size)?)?;
            Some(start..at)
        };
        let layout = ArrayLayout {
            sizes,
            tokens: part(sizes.tokens, 4)?,
            order: part(sizes.places, 4)?,
            firsts: part(sizes.stems.checked_add(1)?, 4)?,
            stem_ends: part(sizes.stems, 4)?,
            stem_texts: part(sizes.stem_bytes, 1)?,
            sorted: part(sizes.stems, 4)?,
            files: part(sizes.files, FILE)?,
            names: part(sizes.name_bytes, 1)?,
            gaps: part(sizes.lines, 2)?,
        };
        (at.checked_add(END)? == bytes.len()).then_some(layout)
    }
}

/// What stands for how lines are cut into tokens.
fn lexer_print() -> u64 {
    let mut vocabulary = TokenVocabulary::new();
    let mut print = TokenId::FAR_LESS_INDENT.0.into();
    for line in SAMPLE_LINES {
        for token in lex_line(line, &mut vocabulary) {
            let stem = vocabulary.stem(token.id);
            let is_apart = u64::from(stem != token.id);
            let text = vocabulary.text(stem).bytes();
            print = text.fold(mixed(print ^ is_apart).wrapping_add(1), |print, byte| {
                mixed(print ^ u64::from(byte)).wrapping_add(1)
            });
        }
    }
    print
}

/// A stretch of places that came about in the same way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlaceStretch {
    first: usize,
    end: usize,
}

impl PlaceStretch {
    pub(crate) fn len(self) -> usize {
        self.end.saturating_sub(self.first)
    }
}

impl WorkspaceArray {
    /// The array that some bytes are, if they are one.
    pub fn read(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Option<Self> {
        let layout = ArrayLayout::read(bytes.as_ref())?;
        let mut array = WorkspaceArray {
            bytes: Box::new(bytes),
            by_name: Vec::new(),
            layout,
        };
        let mut by_name: Vec<u32> = (0..array.layout.sizes.files as u32).collect();
        by_name.sort_by_key(|file| (array.file_name(*file as usize), *file));
        array.by_name = by_name;
        Some(array)
    }

    /// How many tokens it has.
    pub fn len(&self) -> usize {
        self.layout.sizes.tokens
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many lines it has.
    pub fn lines(&self) -> usize {
        self.layout.sizes.lines
    }

    /// How many bytes it is.
    pub fn bytes(&self) -> usize {
        (*self.bytes).as_ref().len()
    }

    /// How many files are not in it, since there was no room for them.
    pub fn left_out(&self) -> usize {
        self.layout.sizes.left_out
    }

    /// The names of its files, in order, each with the number that its maker gave for its content; one
    /// that came in parts is there for each.
    pub fn files(&self) -> impl Iterator<Item = (&str, u64)> {
        let files = self.by_name.iter().map(|file| *file as usize);
        files.map(|file| (self.file_name(file), self.content(file)))
    }

    /// The number of a stem.
    pub(crate) fn stem(&self, bare: &str) -> Option<u32> {
        let (mut from, mut to) = (0, self.layout.sizes.stems);
        while from < to {
            let middle = from + (to - from) / 2;
            let stem = self.number(&self.layout.sorted, middle)?;
            match self.stem_bytes(stem).cmp(bare.as_bytes()) {
                std::cmp::Ordering::Less => from = middle + 1,
                std::cmp::Ordering::Equal => return Some(stem),
                std::cmp::Ordering::Greater => to = middle,
            }
        }
        None
    }

    /// The stems that begin with some characters, or so many of them.
    pub(crate) fn beginning(&self, bare: &str, most: usize) -> impl Iterator<Item = u32> {
        let sorted = |at: usize| self.number(&self.layout.sorted, at);
        let text = move |at: usize| sorted(at).map(|stem| self.stem_bytes(stem));
        let bare = bare.as_bytes();
        let stems = self.layout.sizes.stems;
        let first = partition(0, stems, |at| text(at).is_some_and(|text| text < bare));
        let end = partition(first, stems, |at| {
            text(at).is_some_and(|text| text.starts_with(bare))
        });
        let step = (end - first).div_ceil(most).max(1);
        (first..end).step_by(step).filter_map(sorted)
    }

    /// The text of a token, with whether there is a blank before it.
    pub(crate) fn text(&self, token: u32) -> (&str, bool) {
        let text = std::str::from_utf8(self.stem_bytes(token >> 1)).unwrap_or_default();
        (text, token & 1 == 1)
    }

    /// Where a file is: one that came in parts is in several places.
    pub(crate) fn file(&self, name: &str) -> impl Iterator<Item = Range<u32>> {
        self.files_of(name).filter_map(|file| self.file_range(file))
    }

    /// The numbers of the parts of a file.
    fn files_of(&self, name: &str) -> impl Iterator<Item = usize> {
        let name_of = |file: &u32| self.file_name(*file as usize);
        let first = self.by_name.partition_point(|file| name_of(file) < name);
        let same = self.by_name.get(first..).unwrap_or_default().iter();
        let same = same.take_while(move |file| name_of(file) == name);
        same.map(|file| *file as usize)
    }

    /// All places behind a stem.
    pub(crate) fn behind(&self, stem: u32) -> PlaceStretch {
        let first = |at: usize| self.number(&self.layout.firsts, at).unwrap_or_default() as usize;
        let places = self.layout.sizes.places;
        PlaceStretch {
            first: first(stem as usize).min(places),
            end: first(stem as usize + 1).min(places),
        }
    }

    /// The places of a stretch that also have a stem so many tokens before them.
    pub(crate) fn narrow(&self, stretch: PlaceStretch, back: usize, stem: u32) -> PlaceStretch {
        let stem_of = |at: usize| {
            let place = self.number(&self.layout.order, at).unwrap_or_default() as usize;
            let before = place.checked_sub(back);
            before.map_or(0, |before| self.token(before) >> 1)
        };
        let first = partition(stretch.first, stretch.end, |at| stem_of(at) < stem);
        let end = partition(first, stretch.end, |at| stem_of(at) <= stem);
        PlaceStretch { first, end }
    }

    /// The places of a stretch, or so many of them, from all over it.
    pub(crate) fn places(&self, stretch: PlaceStretch, most: usize) -> impl Iterator<Item = u32> {
        let step = stretch.len().div_ceil(most).max(1);
        let places = (stretch.first..stretch.end).step_by(step);
        places.filter_map(|at| self.number(&self.layout.order, at))
    }

    /// What stands at a place.
    pub(crate) fn token(&self, place: usize) -> u32 {
        self.number(&self.layout.tokens, place)
            .unwrap_or(FILE_START)
    }

    /// The numbers that its maker gave for the content of a file, one for each part in which it came.
    pub(crate) fn contents(&self, name: &str) -> impl Iterator<Item = u64> {
        let files = self.files_of(name).map(|file| self.content(file));
        files.collect::<Vec<_>>().into_iter()
    }

    fn content(&self, file: usize) -> u64 {
        let half = |half: usize| {
            let half = self.number(&self.layout.files, file * FILE / 4 + 3 + half);
            u64::from(half.unwrap_or_default())
        };
        half(0) | half(1) << 32
    }

    /// The number of the line that a place is on, however it is indented and spaced. A place at which a
    /// line begins is where the one before ends. Nothing, if more tokens would have to be read than are left
    /// to be.
    pub(crate) fn line_print(&self, place: u32, left_to_read: &mut usize) -> Option<u64> {
        let place = (place as usize).min(self.len());
        let mut from = place;
        while from > 0 && place - from < LONGEST_TOLD {
            from -= 1;
            *left_to_read = left_to_read.checked_sub(1)?;
            if is_line_start(self.token(from)) {
                break;
            }
        }
        let mut print = LinePrint::default();
        for at in from + 1..from + LONGEST_TOLD {
            let token = self.token(at);
            if at >= self.len() || is_line_start(token) {
                break;
            }
            print.read(self.stem_bytes(token >> 1));
            *left_to_read = left_to_read.checked_sub(1)?;
        }
        Some(print.0)
    }

    /// The file that a place is in, and the number of its line there, from 1.
    pub(crate) fn place_name(&self, place: u32) -> Option<(&str, usize)> {
        let sizes = self.layout.sizes;
        let start = |file: usize| self.number(&self.layout.files, file * FILE / 4);
        let after = partition(0, sizes.files, |file| {
            start(file).is_some_and(|start| start <= place)
        });
        let file = after.checked_sub(1)?;
        let begin = start(file)?;
        let first = self.number(&self.layout.files, file * FILE / 4 + 1)? as usize;
        let mut number = 0;
        let mut line = first;
        for at in begin..place.min(sizes.tokens as u32) {
            if is_indent(self.token(at as usize)) {
                let gap = self.layout.gaps.start.checked_add(line.checked_mul(2)?)?;
                let gap = self.two_bytes(gap).unwrap_or_default();
                number += 1 + usize::from(gap);
                line += 1;
            }
        }
        Some((self.file_name(file), number.max(1)))
    }

    fn file_range(&self, file: usize) -> Option<Range<u32>> {
        let start = self.number(&self.layout.files, file * FILE / 4)?;
        let next = self.number(&self.layout.files, (file + 1) * FILE / 4);
        let end = next.unwrap_or(self.layout.sizes.tokens as u32);
        Some(start..end.max(start))
    }

    fn file_name(&self, file: usize) -> &str {
        let end = |file: usize| self.number(&self.layout.files, file * FILE / 4 + 2);
        let start = file.checked_sub(1).map_or(Some(0), end);
        let Some((start, end)) = start.zip(end(file)) else {
            return "";
        };
        let name = self.part(&self.layout.names, start as usize, end as usize);
        std::str::from_utf8(name).unwrap_or_default()
    }

    fn stem_bytes(&self, stem: u32) -> &[u8] {
        let end = |stem: u32| self.number(&self.layout.stem_ends, stem as usize);
        let start = stem.checked_sub(1).map_or(Some(0), end);
        let Some((start, end)) = start.zip(end(stem)) else {
            return &[];
        };
        self.part(&self.layout.stem_texts, start as usize, end as usize)
    }

    fn part(&self, within: &Range<usize>, start: usize, end: usize) -> &[u8] {
        let all = (*self.bytes).as_ref();
        let within = all.get(within.clone()).unwrap_or_default();
        within.get(start..end).unwrap_or_default()
    }

    /// The number at a place of a part of the bytes.
    fn number(&self, within: &Range<usize>, at: usize) -> Option<u32> {
        let start = within.start.checked_add(at.checked_mul(4)?)?;
        let end = start.checked_add(4)?;
        if end > within.end {
            return None;
        }
        let bytes = (*self.bytes).as_ref().get(start..end)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?))
    }

    fn two_bytes(&self, start: usize) -> Option<u16> {
        let bytes = (*self.bytes).as_ref().get(start..start.checked_add(2)?)?;
        Some(u16::from_le_bytes(bytes.try_into().ok()?))
    }
}

impl Default for WorkspaceArray {
    fn default() -> Self {
        WorkspaceArray {
            bytes: Box::new([]),
            layout: ArrayLayout::default(),
            by_name: Vec::new(),
        }
    }
}

/// What there is of each, and nothing of the code.
impl fmt::Debug for WorkspaceArray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.layout.sizes.fmt(f)
    }
}

/// A number for a line, whatever blanks are in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinePrint(pub(crate) u64);

impl Default for LinePrint {
    fn default() -> Self {
        LinePrint(0xcbf2_9ce4_8422_2325)
    }
}

impl LinePrint {
    pub(crate) fn read(&mut self, bytes: &[u8]) {
        for byte in bytes.iter().filter(|byte| !byte.is_ascii_whitespace()) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// Whether a token begins a line.
fn is_indent(token: u32) -> bool {
    let stem = TokenId(token >> 1);
    stem >= TokenId::SAME_INDENT && stem <= TokenId::FAR_LESS_INDENT
}

/// Whether a line ends before a token.
fn is_line_start(token: u32) -> bool {
    token == FILE_START || is_indent(token)
}

/// The first of some numbers for which something does not hold, if it holds for those before it.
fn partition(mut from: usize, mut to: usize, holds: impl Fn(usize) -> bool) -> usize {
    while from < to {
        let middle = from + (to - from) / 2;
        if holds(middle) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    from
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array_writer::WorkspaceArrayBuilder;

    fn small() -> Vec<u8> {
        let mut builder = WorkspaceArrayBuilder::new();
        builder.add("b.rs", "fn one() {\n\n    two(3);\n}\n");
        builder.add("a.rs", "fn two(x: u8) {}\n");
        builder.bytes()
    }

    #[test]
    fn a_place_knows_its_file_and_its_line() {
        let array = WorkspaceArray::read(small()).unwrap();
        let names: Vec<&str> = array.files().map(|(name, _)| name).collect();
        assert_eq!(names, ["a.rs", "b.rs"]);
        let three = array.stem("3").unwrap();
        let at = (0..array.len()).find(|at| array.token(*at) >> 1 == three);
        let at = at.unwrap() as u32;
        assert_eq!(array.place_name(at), Some(("b.rs", 3)));
        let mut line = LinePrint::default();
        line.read(b"  two( 3 );");
        assert_eq!(array.line_print(at, &mut 1_000), Some(line.0));
        let mut left_to_read = 2;
        assert_eq!(array.line_print(at, &mut left_to_read), None);
        assert_eq!(left_to_read, 0);
        let ranges: Vec<_> = array.file("b.rs").collect();
        assert!(ranges.iter().any(|range| range.contains(&at)));
        assert_eq!(array.file("c.rs").count(), 0);
        assert_eq!(array.stem("four"), None);
    }

    #[test]
    fn bytes_that_are_cut_or_of_another_kind_are_refused() {
        let bytes = small();
        for end in 0..bytes.len() {
            assert!(WorkspaceArray::read(bytes[..end].to_vec()).is_none());
            assert!(WorkspaceArray::read(bytes[bytes.len() - end..].to_vec()).is_none());
        }
        let mut other = bytes.clone();
        let version = other.len() - NUMBERS * 8;
        other[version] += 1;
        assert!(WorkspaceArray::read(other).is_none());
    }

    proptest::proptest! {
        #[test]
        fn bytes_that_lie_say_wrong_things_and_no_more(
            lies in proptest::collection::vec((0.0..1.0, proptest::prelude::any::<u8>()), 0..40),
        ) {
            let mut bytes = small();
            let end = bytes.len() - END;
            for (at, lie) in lies {
                bytes[(at * end as f64) as usize] = lie;
            }
            let array = WorkspaceArray::read(bytes).unwrap();
            for stem in 0..array.layout.sizes.stems as u32 + 2 {
                let stretch = array.behind(stem);
                for deeper in 0..4 {
                    let narrow = array.narrow(stretch, 2, deeper);
                    for place in array.places(narrow, 96).chain(array.places(stretch, 96)) {
                        array.text(array.token(place as usize));
                        array.line_print(place, &mut 10_000);
                        array.place_name(place);
                    }
                }
            }
            array.stem("two");
            array.beginning("t", 3).for_each(drop);
            array.file("a.rs").for_each(drop);
        }
    }
}
