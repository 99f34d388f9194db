//! A text in pieces that make sense by themselves: functions, methods, types, other items, and, where
//! nothing is known of the language, the lines between blank ones.
//!
//! - Pieces are whole lines, in order, and no line is in two of them. Blank lines and lines of nothing
//!   but brackets may be in none, nor a short one alone between two items, such as `#endif`. Lines
//!   longer than [`LONGEST_LINE`] are in none: they are data.
//! - Lines before an item that belong to it are in its piece: comments without a blank line
//!   between, attributes, decorators, `export`, `template<…>`.
//! - A type is one piece unless it is longer than [`LONGEST_TYPE`]; then its methods are pieces of
//!   their own, and the rest of it is one that has its name.
//! - A piece has at most [`MOST_LINES`] lines and [`MOST_BYTES`] bytes. A longer one becomes
//!   several, each with the name of the whole.
//! - Lines between items (imports, constants, statements) are gathered into pieces of their own.
//!
//! However a text is made, cutting it up takes a bounded time and a bounded stack: syntax is looked at
//! with a cursor, to a depth that is bounded, and a parser that takes more steps, or longer, than code
//! needs is stopped. The rest is cut at blank lines instead. Only texts that were made to do harm come
//! that far; for all others the same text gives the same pieces.
//!
//! | module | what it is |
//! | --- | --- |
//! | `grammar` | which nodes of which grammar are what: one table per language |
//! | `syntax` | a tree becomes pieces |
//! | `blank_line_blocks` | lines become pieces, by blank lines and indentation |
//! | `line_starts` | where lines begin |
//!
//! Absent on purpose: files, and what a piece is searched by.

mod blank_line_blocks;
mod grammar;
mod line_starts;
mod syntax;

use std::collections::BTreeMap;
use std::fmt;
use std::ops::{ControlFlow, Range, RangeInclusive};
use std::time::{Duration, Instant};

use foretell_text::ChunkKind;
use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

use self::grammar::Grammar;
use self::line_starts::LineStarts;
use foretell_text::language::LanguageGrammar;

/// How many lines a piece may have.
pub const MOST_LINES: usize = 100;
/// How many bytes a piece may have.
pub const MOST_BYTES: usize = 4 << 10;
/// How many lines a type may have whose methods are not pieces of their own.
pub const LONGEST_TYPE: usize = 60;
/// How many bytes a line may have that is in a piece.
pub const LONGEST_LINE: usize = MOST_BYTES;

/// How long a text may be that is parsed. Longer ones are generated more often than written.
const LONGEST_PARSED: usize = 256 << 10;
/// How many bytes lines of code have on average, at most. Longer ones are data, or were minified.
const WIDEST_PARSED: usize = 400;
/// How many marks may follow each other in a text that is parsed, whatever space is between them. The
/// memory of a parser that finds only errors can grow with the square of their number.
const MOST_MARKS: usize = 1_000;
/// How many brackets of a kind may be opened more often than closed in this many bytes of a text that
/// is parsed. A parser keeps in mind all that each of them may turn out to be.
const MOST_LOPSIDED: usize = 200;
const LOPSIDED_WITHIN: usize = 8 << 10;
/// How many steps a parser may take: so many for any text, and so many more for each byte that it has
/// read. Code takes far fewer. It counts them by the hundred.
const STEPS: usize = 4_000;
const STEPS_PER_BYTE: usize = 3;
const STEPS_PER_REPORT: usize = 100;
/// How long a parser may take. Code of the longest text takes a twentieth of it; but there are texts
/// of which each step takes longer than the one before.
const PATIENCE: Duration = Duration::from_secs(1);
/// How many bytes a parser may read after the first mistake in a text. From there on the memory of one
/// that finds nothing but mistakes grows with the square of what it reads.
const MOST_AFTER_MISTAKE: usize = 32 << 10;

/// A stretch of a text that makes sense by itself.
#[derive(Clone, PartialEq, Eq)]
pub struct TextPiece {
    /// Where it is: whole lines, the end of the last one included.
    pub bytes: Range<usize>,
    /// On which lines, the first line of a text being 1.
    pub lines: RangeInclusive<usize>,
    /// Its kind.
    pub kind: ChunkKind,
    /// Its name, if it has one.
    pub name: Option<String>,
}

/// Where and what: what a file calls things does not belong in a log.
impl fmt::Debug for TextPiece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, last) = (self.lines.start(), self.lines.end());
        let kind = self.kind.name();
        write!(f, "{kind} {first}-{last}, {} bytes", self.bytes.len())
    }
}

/// Cuts one text into pieces. For many texts, use a [`Chunker`].
pub fn pieces(name: LanguageGrammar, text: &str) -> Vec<TextPiece> {
    Chunker::new().pieces(name, text)
}

/// Cuts texts into pieces, and keeps its parsers for the next one. Each thread has its own.
#[derive(Default)]
pub struct Chunker {
    parsers: BTreeMap<LanguageGrammar, Option<(Parser, Grammar)>>,
}

impl Chunker {
    /// One that has not seen a text yet.
    pub fn new() -> Self {
        Chunker::default()
    }

    /// A text in pieces.
    pub fn pieces(&mut self, name: LanguageGrammar, text: &str) -> Vec<TextPiece> {
        let lines = LineStarts::of(text);
        let is_written =
            text.len() <= LONGEST_PARSED && text.len() / lines.count() <= WIDEST_PARSED;
        if is_written
            && !has_only_marks(text)
            && !is_lopsided(text)
            && let Some((parser, grammar)) = self.parser(name)
        {
            let pieces =
                parse(parser, text).and_then(|tree| syntax::pieces(&tree, grammar, &lines));
            if let Some(pieces) = pieces {
                return pieces;
            }
        }
        let mut pieces = Vec::new();
        let all = 0..lines.count();
        blank_line_blocks::cut(&lines, all, ChunkKind::Block, None, &mut pieces);
        pieces
    }

    /// The parser of a grammar, made when it is first asked for.
    fn parser(&mut self, name: LanguageGrammar) -> Option<&mut (Parser, Grammar)> {
        let make = || {
            let grammar = Grammar::of(name)?;
            let mut parser = Parser::new();
            parser.set_language(grammar.language()).ok()?;
            Some((parser, grammar))
        };
        self.parsers.entry(name).or_insert_with(make).as_mut()
    }
}

impl fmt::Debug for Chunker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.parsers.keys()).finish()
    }
}

/// Whether there is a long stretch without a letter or a digit.
fn has_only_marks(text: &str) -> bool {
    let mut marks = 0;
    text.bytes().any(|byte| {
        let says = byte.is_ascii_alphanumeric() || !byte.is_ascii();
        marks = if says {
            0
        } else {
            marks + usize::from(!byte.is_ascii_whitespace())
        };
        marks > MOST_MARKS
    })
}

/// Whether there is a stretch in which brackets are opened, and hardly any are closed.
fn is_lopsided(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_lopsided = |stretch: &[u8], open: u8, close: u8| {
        let count = |wanted: u8| memchr::memchr_iter(wanted, stretch).count();
        let mut opened = count(open);
        if open == b'<' && opened > MOST_LOPSIDED {
            // Shifts, arrows and comparisons with more to them open nothing.
            let pairs = stretch.windows(2);
            let others = pairs.filter(|it| matches!(it, [b'<', b'<' | b'=' | b'-' | b'/']));
            opened = opened.saturating_sub(2 * others.count());
        }
        opened > MOST_LOPSIDED + 4 * count(close)
    };
    let mut stretches = bytes.chunks(LOPSIDED_WITHIN);
    stretches.any(|stretch| {
        let pairs = [(b'(', b')'), (b'[', b']'), (b'{', b'}'), (b'<', b'>')];
        let mut pairs = pairs.into_iter();
        pairs.any(|(open, close)| is_lopsided(stretch, open, close))
    })
}

/// A text as a tree, unless that takes too many steps.
fn parse(parser: &mut Parser, text: &str) -> Option<Tree> {
    let began = Instant::now();
    let mut steps = 0;
    let mut mistake = None;
    let mut count = |state: &ParseState| {
        steps += STEPS_PER_REPORT;
        let at = state.current_byte_offset();
        if state.has_error() {
            mistake.get_or_insert(at);
        }
        let is_patient = steps <= STEPS + at * STEPS_PER_BYTE
            && began.elapsed() <= PATIENCE
            && mistake.is_none_or(|mistake| at.saturating_sub(mistake) <= MOST_AFTER_MISTAKE);
        if is_patient {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    };
    let options = ParseOptions::new().progress_callback(&mut count);
    let bytes = text.as_bytes();
    let mut read = |at: usize, _| bytes.get(at..).unwrap_or_default();
    let tree = parser.parse_with_options(&mut read, None, Some(options));
    if tree.is_none() {
        // It would go on where it stopped, with the next text.
        parser.reset();
    }
    tree
}
