//! A document as the pieces that are compared: words, numbers and marks, each with where it stands.
//!
//! Space is left out, so that code that is laid out in another way is the same code. Strings and
//! comments are taken apart into their words, so that what was changed in one is found in another;
//! each piece knows which of the three zones it is in, since code, strings and comments are never
//! compared with each other.
//!
//! Kept: pieces are in the order of the text, none is empty, and none crosses the end of a line.

use std::ops::Range;

use foretell_text::Language;

use foretell_text::code_tokens::{TokenKind, each_piece, each_token, is_known};

/// How many lines are looked at for the one around another.
const MOST_LINES: usize = 2_000;

/// A text and its pieces.
pub(super) struct DocumentPieces {
    pub(super) text: String,
    pub(super) pieces: Vec<CodePiece>,
    /// Whether it is prose, or written in an unknown language.
    pub(super) is_prose: bool,
    /// Where each line starts, but for the first.
    lines: Vec<u32>,
}

/// The zone of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PieceZone {
    Code,
    Text,
    Comment,
}

/// A word, a number or a mark.
#[derive(Clone, Copy, Debug)]
pub(super) struct CodePiece {
    start: u32,
    end: u32,
    pub(super) line: u32,
    pub(super) zone: PieceZone,
    pub(super) kind: TokenKind,
    hash: u32,
    /// Its byte, if it is a mark of one.
    mark: u8,
}

impl CodePiece {
    /// A word of code that stands nowhere yet.
    pub(super) fn word(said: &str) -> CodePiece {
        CodePiece {
            start: 0,
            end: offset(said.len()),
            line: 0,
            zone: PieceZone::Code,
            kind: TokenKind::Word,
            hash: hash(said.as_bytes()),
            mark: 0,
        }
    }

    /// Where it starts.
    pub(super) fn start(&self) -> usize {
        self.start as usize
    }

    /// Where it ends.
    pub(super) fn end(&self) -> usize {
        self.end as usize
    }

    /// How long it is.
    pub(super) fn len(&self) -> usize {
        self.end() - self.start()
    }

    /// Whether it says the same in the same zone.
    pub(super) fn is_like(&self, other: &CodePiece) -> bool {
        self.hash == other.hash
            && self.zone == other.zone
            && self.kind == other.kind
            && self.len() == other.len()
    }

    /// Its byte, if it is a mark of one; otherwise nothing.
    pub(super) fn mark(&self) -> u8 {
        self.mark
    }

    /// How many more brackets are open after it: one, none, or one less.
    pub(super) fn depth(&self) -> i32 {
        match self.mark {
            b'(' | b'[' | b'{' => 1,
            b')' | b']' | b'}' => -1,
            _ => 0,
        }
    }

    /// The bracket that it is, in code.
    pub(super) fn bracket(&self) -> Option<u8> {
        let is_bracket = matches!(self.mark, b'(' | b'[' | b'{' | b')' | b']' | b'}');
        (is_bracket && self.zone == PieceZone::Code).then_some(self.mark)
    }

    /// A number that two pieces that say the same have in common.
    pub(super) fn hash(&self) -> u32 {
        self.hash
    }
}

impl DocumentPieces {
    /// The page of a document. Prose, and whatever else is not known to be code, is all remarks.
    pub(super) fn new(language: &Language, text: String) -> DocumentPieces {
        if !is_known(language) {
            return DocumentPieces {
                is_prose: true,
                ..DocumentPieces::within(PieceZone::Comment, text)
            };
        }
        let mut reader = PieceReader::default();
        reader.pieces.reserve(text.len() / 5);
        each_token(language, &text, |token| match token.kind {
            TokenKind::Text => reader.take_apart(&text, token.bytes, PieceZone::Text),
            TokenKind::Comment => reader.take_apart(&text, token.bytes, PieceZone::Comment),
            kind => reader.take(&text, kind, token.bytes, PieceZone::Code),
        });
        reader.page(text)
    }

    /// The page of a few lines, all of them in the middle of a string or a comment.
    pub(super) fn within(zone: PieceZone, text: String) -> DocumentPieces {
        let mut reader = PieceReader::default();
        reader.take_apart(&text, 0..text.len(), zone);
        reader.page(text)
    }

    /// The text of a piece.
    pub(super) fn says(&self, piece: &CodePiece) -> &str {
        self.between(piece.start(), piece.end())
    }

    /// A stretch of the text.
    pub(super) fn between(&self, start: usize, end: usize) -> &str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// The first piece that starts at an offset or after it.
    pub(super) fn from(&self, offset: usize) -> usize {
        self.pieces.partition_point(|piece| piece.start() < offset)
    }

    /// Where the piece before one ends; the start of the text for the first.
    pub(super) fn end_before(&self, index: usize) -> usize {
        let before = index.checked_sub(1).and_then(|it| self.pieces.get(it));
        before.map_or(0, |piece| piece.end())
    }

    /// Where a piece starts; the end of the text after the last.
    pub(super) fn start_of(&self, index: usize) -> usize {
        self.pieces
            .get(index)
            .map_or(self.text.len(), |piece| piece.start())
    }

    /// The line of an offset, from zero.
    pub(super) fn line_at(&self, offset: usize) -> u32 {
        let before = self
            .lines
            .partition_point(|start| *start as usize <= offset);
        u32::try_from(before).unwrap_or(u32::MAX)
    }

    /// Where the line of an offset starts.
    pub(super) fn line_start(&self, offset: usize) -> usize {
        let after = self
            .lines
            .partition_point(|start| *start as usize <= offset);
        let line = after.checked_sub(1).and_then(|it| self.lines.get(it));
        line.map_or(0, |start| *start as usize)
    }

    /// Where the line of an offset ends, without its line break.
    pub(super) fn line_end(&self, offset: usize) -> usize {
        let after = self
            .lines
            .partition_point(|start| *start as usize <= offset);
        let next = self.lines.get(after);
        let end = next.map_or(self.text.len(), |start| *start as usize);
        let line = self.between(offset, end);
        offset + line.trim_end_matches(['\n', '\r']).len()
    }

    /// Where the block of an offset's line ends: at the next line that is set in less.
    pub(super) fn block_end(&self, offset: usize) -> usize {
        let depth = self.indent(offset).len();
        let after = self
            .lines
            .partition_point(|start| *start as usize <= offset);
        let lines = self.lines.get(after..).unwrap_or_default();
        let mut starts = lines.iter().map(|start| *start as usize);
        let is_out = |start: &usize| {
            let head = self.text.as_bytes().get(*start..).unwrap_or_default();
            let mut head = head.iter().take(depth);
            let first = head.find(|byte| !matches!(byte, b' ' | b'\t'));
            first.is_some_and(|byte| !matches!(byte, b'\n' | b'\r'))
        };
        starts.find(is_out).unwrap_or(self.text.len())
    }

    /// The line that starts at an offset, without its line break.
    pub(super) fn line(&self, start: usize) -> &str {
        self.between(start, self.line_end(start))
    }

    /// Where the next line below an offset starts that is not blank.
    pub(super) fn line_below(&self, offset: usize) -> Option<usize> {
        let after = self
            .lines
            .partition_point(|start| *start as usize <= offset);
        let lines = self.lines.get(after..).unwrap_or_default();
        let mut starts = lines.iter().map(|start| *start as usize);
        starts.find(|start| !self.line(*start).trim().is_empty())
    }

    /// Where the next line above the one that starts at an offset starts that is not blank.
    pub(super) fn line_above(&self, start: usize) -> Option<usize> {
        let mut above = self.lines_above(start);
        above.find(|start| !self.line(*start).trim().is_empty())
    }

    /// Where the next line above the one that starts at an offset starts that is set in less.
    pub(super) fn line_around(&self, start: usize) -> Option<usize> {
        let depth = self.indent(start).len();
        let is_less = |start: &usize| self.indent(*start).len() < depth;
        let mut above = self.lines_above(start).filter(is_less);
        above.find(|start| !self.line(*start).trim().is_empty())
    }

    fn lines_above(&self, start: usize) -> impl Iterator<Item = usize> {
        let before = self.lines.partition_point(|line| (*line as usize) < start);
        let lines = self.lines.get(..before).unwrap_or_default();
        let first = (start > 0).then_some(0);
        let starts = lines.iter().rev().map(|start| *start as usize);
        starts.chain(first).take(MOST_LINES)
    }

    /// The blanks that the line of an offset starts with.
    pub(super) fn indent(&self, offset: usize) -> &str {
        let start = self.line_start(offset);
        let rest = self.text.as_bytes().get(start..).unwrap_or_default();
        let len = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
        self.between(start, start + len.count())
    }
}

#[derive(Default)]
struct PieceReader {
    pieces: Vec<CodePiece>,
    lines: Vec<u32>,
    line: u32,
}

impl PieceReader {
    fn page(self, text: String) -> DocumentPieces {
        DocumentPieces {
            text,
            pieces: self.pieces,
            is_prose: false,
            lines: self.lines,
        }
    }

    fn take(&mut self, text: &str, kind: TokenKind, bytes: Range<usize>, zone: PieceZone) {
        let said = text.as_bytes().get(bytes.clone()).unwrap_or_default();
        if kind == TokenKind::Space {
            if matches!(said.first(), Some(b'\n' | b'\r')) {
                self.line += 1;
                self.lines.push(offset(bytes.end));
            }
            return;
        }
        self.pieces.push(CodePiece {
            start: offset(bytes.start),
            end: offset(bytes.end),
            line: self.line,
            zone,
            kind,
            hash: hash(said),
            mark: match said {
                [byte] if kind == TokenKind::Mark => *byte,
                _ => 0,
            },
        });
    }

    fn take_apart(&mut self, text: &str, bytes: Range<usize>, zone: PieceZone) {
        each_piece(text, bytes, |piece| {
            self.take(text, piece.kind, piece.bytes, zone);
        });
    }
}

/// Whatever spreads well; this is the hash of Fowler, Noll and Vo.
fn hash(said: &[u8]) -> u32 {
    said.iter().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193)
    })
}

/// Half as long as the offsets of others, since there are so many of them; no page is that long.
fn offset(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}
