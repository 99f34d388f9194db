//! [`WorkspaceArrayWriter`]: makes a [`WorkspaceArray`] of lines, from front to back.
//!
//! First all lines are told, of which the tokens are written at once; then the places are sorted, a part of
//! them at a time, by reading the tokens again from wherever they were written to. So what it keeps in
//! memory is its vocabulary and one such part, however large a workspace is.
//!
//! Kept: the same lines give the same bytes. There are at most [`CAPACITY`] tokens; a file that does not
//! fit any more is counted and left out. A file that is all one token costs no more than others: of places
//! that came about alike by three tokens, no more are kept than there is room for.
//!
//! Absent on purpose: where it is written to, and which lines may be told.

use std::ops::ControlFlow;

use crate::line_contexts::LineWalk;
use crate::line_lexer::{LONGEST_LINE, indent_of, lex_line};
use crate::token_vocabulary::{TokenId, TokenVocabulary};
use crate::workspace_array::{ArraySizes, FILE_START, LONGEST, LinePrint, WorkspaceArray};

/// How many tokens a workspace may have: a quarter of a gigabyte, or some four million lines.
pub const CAPACITY: usize = 1 << 25;
/// How many places are sorted at once.
const PART: usize = 1 << 19;
/// Up to how many tokens before them places are told apart by before they are sorted.
const DEEPEST: usize = 3;
/// How many tokens are in the number that places are sorted by first, and how many bits each has.
const KEY: usize = 6;
const BITS: u32 = 21;

/// Makes a [`WorkspaceArray`] of lines. What it writes is handed out as it comes.
#[derive(Debug)]
pub struct WorkspaceArrayWriter {
    vocabulary: TokenVocabulary,
    /// For each token of the vocabulary the number of its stem in the array.
    numbers: Vec<u32>,
    /// The stems.
    stems: Vec<TokenId>,
    walk: LineWalk,
    names: String,
    /// Where each file begins among tokens and lines, where its name ends, and both halves of its number.
    files: Vec<[u32; 5]>,
    gaps: Vec<u8>,
    /// The number of the last line of the file.
    last_line: usize,
    sizes: ArraySizes,
    capacity: usize,
    /// How many places are sorted at once.
    part: usize,
    /// Tokens that were not handed out yet.
    waiting: Vec<u8>,
}

impl Default for WorkspaceArrayWriter {
    fn default() -> Self {
        WorkspaceArrayWriter::new(CAPACITY)
    }
}

impl WorkspaceArrayWriter {
    /// One for so many tokens; never more than [`CAPACITY`].
    pub fn new(capacity: usize) -> Self {
        let vocabulary = TokenVocabulary::new();
        WorkspaceArrayWriter {
            numbers: vec![0; vocabulary.len()],
            stems: vec![TokenId::UNREAD; vocabulary.len()],
            vocabulary,
            walk: LineWalk::new(),
            names: String::new(),
            files: Vec::new(),
            gaps: Vec::new(),
            last_line: 0,
            sizes: ArraySizes::default(),
            capacity: capacity.min(CAPACITY),
            part: PART,
            waiting: Vec::new(),
        }
    }

    /// Goes to the next file, of so many bytes at most and with a number for its content; says whether there
    /// is room for it. If there is none, its lines must not be told.
    pub fn begin_file(&mut self, name: &str, print: u64, bytes: usize) -> bool {
        let most = self.sizes.tokens.saturating_add(bytes).saturating_add(1);
        if most > self.capacity {
            self.sizes.left_out += 1;
            return false;
        }
        let begin = [self.sizes.tokens, self.gaps.len() / 2];
        self.names.push_str(name);
        let [token, line] = begin.map(|it| it as u32);
        let print = [print as u32, (print >> 32) as u32];
        let name_end = self.names.len() as u32;
        self.files.push([token, line, name_end, print[0], print[1]]);
        self.put(FILE_START);
        self.walk = LineWalk::new();
        self.last_line = 0;
        true
    }

    /// Adds a line of the file, by its number from 1.
    pub fn add_line(&mut self, number: usize, line: &str) {
        if line.len() > LONGEST_LINE || self.files.is_empty() {
            return;
        }
        let tokens = lex_line(line, &mut self.vocabulary);
        if tokens.is_empty() || self.sizes.tokens + tokens.len() >= self.capacity {
            return;
        }
        let skipped = number.saturating_sub(self.last_line + 1);
        let skipped = u16::try_from(skipped).unwrap_or(u16::MAX);
        self.gaps.extend(skipped.to_le_bytes());
        self.last_line = number;
        let (indent, _) = indent_of(line);
        let start = self.walk.begin_line(Some(indent));
        self.put(start.0 * 2);
        for token in tokens {
            let number = self.number(token.id);
            self.put(number);
        }
    }

    /// Hands out what was written so far.
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.waiting)
    }

    /// How many bytes wait to be handed out.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Hands out the rest. All tokens that were handed out are to be read again. It ends early where it is
    /// not to go on.
    pub fn finish(
        mut self,
        tokens: &[u8],
        write: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut sorter = PlaceSorter {
            tokens,
            part: self.part,
            behind: vec![0; self.stems.len() + 1],
            written: 0,
            bytes: Vec::new(),
        };
        sorter.sort(&mut Vec::new(), write)?;
        self.sizes.places = sorter.written;
        let mut first = 0;
        let mut firsts = Vec::with_capacity(sorter.behind.len() * 4);
        for behind in &sorter.behind {
            firsts.extend(u32::to_le_bytes(first));
            first += behind;
        }
        write(&firsts)?;
        self.finish_stems(write)?;
        let files = self.files.iter().flatten();
        let files: Vec<u8> = files.flat_map(|it| it.to_le_bytes()).collect();
        write(&files)?;
        write(self.names.as_bytes())?;
        write(&self.gaps)?;
        self.sizes.stems = self.stems.len();
        self.sizes.files = self.files.len();
        self.sizes.name_bytes = self.names.len();
        self.sizes.lines = self.gaps.len() / 2;
        write(&self.sizes.to_end())
    }

    fn finish_stems(&mut self, write: &mut dyn FnMut(&[u8]) -> ControlFlow<()>) -> ControlFlow<()> {
        let text = |stem: &u32| {
            let stem = self.stems.get(*stem as usize);
            stem.map_or("", |stem| self.vocabulary.bare_text(*stem))
        };
        let mut sorted: Vec<u32> = (0..self.stems.len() as u32).collect();
        let mut end = 0;
        let ends = sorted.iter().flat_map(|stem| {
            end += text(stem).len() as u32;
            end.to_le_bytes()
        });
        write(&ends.collect::<Vec<u8>>())?;
        for stem in &sorted {
            write(text(stem).as_bytes())?;
        }
        sorted.sort_by_key(|stem| (text(stem), *stem));
        let bytes: Vec<u8> = sorted.iter().flat_map(|it| it.to_le_bytes()).collect();
        self.sizes.stem_bytes = end as usize;
        write(&bytes)
    }

    fn put(&mut self, token: u32) {
        self.waiting.extend(token.to_le_bytes());
        self.sizes.tokens += 1;
    }

    fn number(&mut self, id: TokenId) -> u32 {
        let stem = self.vocabulary.stem(id);
        if stem == TokenId::UNREAD {
            return FILE_START;
        }
        if self.numbers.len() < self.vocabulary.len() {
            self.numbers.resize(self.vocabulary.len(), 0);
        }
        let Some(number) = self.numbers.get_mut(stem.index()) else {
            return FILE_START;
        };
        if *number == 0 {
            *number = self.stems.len() as u32;
            self.stems.push(stem);
        }
        *number * 2 + u32::from(stem != id)
    }
}

/// Puts places in order, a part of them at a time.
struct PlaceSorter<'a> {
    tokens: &'a [u8],
    part: usize,
    /// How many places were written behind each stem.
    behind: Vec<u32>,
    written: usize,
    /// Places that are about to be written.
    bytes: Vec<u8>,
}

impl PlaceSorter<'_> {
    /// Writes the places that have some stems before them, the nearest first.
    fn sort(
        &mut self,
        before: &mut Vec<u32>,
        write: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let back = before.len() + 1;
        let mut counts = vec![0_usize; self.behind.len()];
        self.each_place(before, |at| {
            if let Some(count) = counts.get_mut(self.stem(at, back) as usize) {
                *count += 1;
            }
        });
        let mut first = 0;
        while first < counts.len() {
            let mut end = first + 1;
            let mut sum = counts[first];
            while end < counts.len() && sum + counts[end] <= self.part {
                sum += counts[end];
                end += 1;
            }
            if sum > self.part && back < DEEPEST {
                before.push(first as u32);
                self.sort(before, write)?;
                before.pop();
            } else if sum > 0 {
                self.write_part(before, first as u32..end as u32, sum, write)?;
            }
            first = end;
        }
        ControlFlow::Continue(())
    }

    /// Writes the places that have one of some stems before those.
    fn write_part(
        &mut self,
        before: &[u32],
        stems: std::ops::Range<u32>,
        count: usize,
        write: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let back = before.len() + 1;
        let step = count.div_ceil(self.part);
        let mut keyed: Vec<(u128, u32)> = Vec::with_capacity(count / step + 1);
        let mut met = 0;
        self.each_place(before, |at| {
            if !stems.contains(&self.stem(at, back)) {
                return;
            }
            if met % step == 0 {
                let key = (1..=KEY).fold(0, |key, back| {
                    key << BITS | u128::from(self.stem(at, back)) & ((1 << BITS) - 1)
                });
                keyed.push((key, at as u32));
            }
            met += 1;
        });
        keyed.sort_unstable();
        let tokens = self.tokens;
        let stem = move |at: u32, back: usize| stem_before(tokens, at as usize, back);
        let deeper = |at: u32| (KEY + 1..=LONGEST).map(move |back| stem(at, back));
        for alike in keyed.chunk_by_mut(|a, b| a.0 == b.0) {
            if alike.len() > 1 {
                alike.sort_by(|a, b| deeper(a.1).cmp(deeper(b.1)));
            }
        }
        self.written += keyed.len();
        self.bytes.clear();
        for (_, at) in &keyed {
            let stem = self.stem(*at as usize, 1) as usize;
            if let Some(behind) = self.behind.get_mut(stem) {
                *behind += 1;
            }
            self.bytes.extend(at.to_le_bytes());
        }
        write(&self.bytes)
    }

    /// Goes through the places that have some stems before them, the nearest first.
    fn each_place(&self, before: &[u32], mut visit: impl FnMut(usize)) {
        let is_here = |at: usize| {
            let mut before = before.iter().zip(1..);
            before.all(|(stem, back)| self.stem(at, back) == *stem)
        };
        for (at, token) in self.tokens.chunks_exact(4).enumerate() {
            if token != FILE_START.to_le_bytes() && is_here(at) {
                visit(at);
            }
        }
    }

    fn stem(&self, at: usize, back: usize) -> u32 {
        stem_before(self.tokens, at, back)
    }
}

fn stem_before(tokens: &[u8], at: usize, back: usize) -> u32 {
    let token = at.checked_sub(back).and_then(|at| {
        let bytes = tokens.get(at * 4..at * 4 + 4)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?))
    });
    token.unwrap_or_default() >> 1
}

/// Makes a [`WorkspaceArray`] in memory.
#[derive(Debug, Default)]
pub struct WorkspaceArrayBuilder {
    writer: WorkspaceArrayWriter,
}

impl WorkspaceArrayBuilder {
    /// One without files.
    pub fn new() -> Self {
        WorkspaceArrayBuilder::default()
    }

    /// Adds a file.
    pub fn add(&mut self, name: &str, text: &str) {
        let mut print = LinePrint::default();
        print.read(text.as_bytes());
        if self.writer.begin_file(name, print.0, text.len()) {
            for (line, number) in text.lines().zip(1..) {
                self.writer.add_line(number, line);
            }
        }
    }

    /// Sorts the places.
    pub fn build(self) -> WorkspaceArray {
        WorkspaceArray::read(self.bytes()).unwrap_or_default()
    }

    /// The same, as bytes.
    pub fn bytes(mut self) -> Vec<u8> {
        let tokens = self.writer.take();
        let mut rest = Vec::new();
        let _ = self.writer.finish(&tokens, &mut |bytes| {
            rest.extend_from_slice(bytes);
            ControlFlow::Continue(())
        });
        let mut all = tokens;
        all.append(&mut rest);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A builder that sorts so many places at once.
    fn builder(part: usize) -> WorkspaceArrayBuilder {
        let mut builder = WorkspaceArrayBuilder::new();
        builder.writer.part = part;
        builder
    }

    #[test]
    fn a_file_that_is_all_one_token_is_bounded() {
        let mut builder = builder(1_000);
        builder.add("x.txt", &format!("{}\n", "x ".repeat(400)).repeat(10));
        let array = builder.build();
        assert!(array.len() > 4_000, "{array:?}");
        let x = array.stem("x").unwrap();
        // As many as are sorted at once; and those at the start of a line, which came about otherwise.
        let behind = array.behind(x).len();
        assert!((500..1_100).contains(&behind), "{behind}");
    }

    #[test]
    fn a_file_that_does_not_fit_any_more_is_left_out_and_counted() {
        let mut small = WorkspaceArrayBuilder {
            writer: WorkspaceArrayWriter::new(1_000),
        };
        for name in ["a", "b", "c"] {
            small.add(name, &"let x = 1;\n".repeat(50));
        }
        let array = small.build();
        let names: Vec<&str> = array.files().map(|(name, _)| name).collect();
        assert_eq!(names, ["a", "b"]);
        assert_eq!(array.left_out(), 1);
        assert!(array.len() <= 1_000);
    }

    #[test]
    fn parts_that_are_sorted_apart_are_in_order() {
        let lines: Vec<String> = (0..2_000)
            .map(|it: u64| format!("a{} = b{}({}, c);\n", it % 7, it * it % 13, it % 5))
            .collect();
        let mut apart = builder(3_000);
        apart.add("a.rs", &lines.concat());
        let array = apart.build();
        assert!(array.len() > 10_000);
        let key = |place: u32| {
            let stem = |back| {
                let at = (place as usize).checked_sub(back);
                at.map_or(0, |at| array.token(at) >> 1)
            };
            (1..=LONGEST).map(stem).collect::<Vec<_>>()
        };
        let mut all = 0;
        for stem in 0..64 {
            let stretch = array.behind(stem);
            all += stretch.len();
            let places: Vec<_> = array.places(stretch, usize::MAX).collect();
            assert!(places.is_sorted_by_key(|place| key(*place)), "{stem}");
            assert!(places.iter().all(|place| key(*place)[0] == stem));
        }
        assert_eq!(all, array.len() - 1, "all but the start of the file");
        let mut whole = builder(PART);
        whole.add("a.rs", &lines.concat());
        assert_eq!(whole.bytes(), {
            let mut apart = builder(3_000);
            apart.add("a.rs", &lines.concat());
            apart.bytes()
        });
    }
}
