//! Where in an answer the code is.
//!
//! Models are asked for one fenced block, and write what they like: prose around it, several blocks,
//! none, the marker lines of the question, or first what they think (`<think>…</think>`). The scanner
//! is fed line by line, so that the same code reads an answer that is whole and one that still comes.
//!
//! A fence that is as short as one in the lines that were told is *uncertain*: the first line that
//! could close it may as well be part of the code. So is the end of a block that is closed by a
//! shorter fence than it was opened with. Every such line makes a block, and which is meant is decided
//! by what is in them.
//!
//! Absent on purpose: whether a block has to do with what was asked; that is
//! [`region_rewrite`](super::region_rewrite).

use std::ops::Range;

use super::rewrite_question::RewriteQuestion;
use super::text_lines::{TextLine, split, texts};

/// How many ends one uncertain fence may have.
const MOST_ENDS: usize = 32;

/// A part of an answer that may be code, in bytes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AnswerBlock {
    pub(super) range: Range<usize>,
    pub(super) bounds: BlockBounds,
    /// Whether its fence says that it is a difference, where the region is none.
    pub(super) is_difference: bool,
}

/// How a block is bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockBounds {
    /// It begins and ends as it should.
    Certain,
    /// Others may begin there, too, and end elsewhere.
    Uncertain,
    /// It goes on to the end of the answer: its own end has not come.
    Open,
    /// There is nothing around it: the whole answer.
    Bare,
}

/// Reads an answer line by line.
#[derive(Clone, Debug)]
pub(super) struct BlockScanner {
    state: ScannerState,
    found: Vec<AnswerBlock>,
    /// Where the answer proper begins: behind what was thought.
    from: usize,
    /// The lines that were told which are fences themselves, and the longest of those.
    own: Vec<String>,
    longest: usize,
    starts: String,
    ends: String,
    /// How many lines stand in the block that is open.
    lines: usize,
    /// Whether the file itself is a difference.
    is_difference: bool,
}

#[derive(Clone, Debug)]
enum ScannerState {
    /// Nothing but blank lines have come.
    Start,
    Thinking,
    Outside,
    Inside(CodeFence),
    /// Inside a fence, but behind the marker line that ends the region.
    Past(CodeFence),
}

#[derive(Clone, Debug)]
struct CodeFence {
    /// Nothing for a marker line.
    sign: Option<char>,
    length: usize,
    /// Where its block begins.
    from: usize,
    /// How often it may have been closed.
    ends: usize,
    /// Whether it stood open before the answer began.
    was_open: bool,
    /// Whether it says that a difference follows.
    is_difference: bool,
}

impl BlockScanner {
    /// For an answer to a question.
    pub(super) fn new(question: &RewriteQuestion) -> Self {
        let told = texts(&question.told);
        let around = question.before.iter().chain(&question.behind);
        let lines = told.into_iter().chain(around.map(String::as_str));
        let fences = lines.map(str::trim);
        let fences = fences.filter_map(|line| Some((line, fence(line)?)));
        let fences: Vec<_> = fences.collect();
        let longest = fences.iter().map(|(_, (_, length, _))| *length).max();
        BlockScanner {
            state: ScannerState::Start,
            found: Vec::new(),
            from: 0,
            longest: longest.unwrap_or(0),
            own: fences.iter().map(|(line, _)| (*line).to_owned()).collect(),
            starts: question.quotes.starts.clone(),
            ends: question.quotes.ends.clone(),
            lines: 0,
            is_difference: fence(question.opening.trim()).is_some_and(|it| is_difference(it.2)),
        }
    }

    /// For an answer that goes on behind an open fence of this length, which is part of its text.
    pub(super) fn open(mut self, opening: &str) -> Self {
        let length = opening.chars().take_while(|c| *c == '`').count();
        self.from = opening.len();
        self.state = ScannerState::Inside(CodeFence {
            sign: Some('`'),
            length,
            from: opening.len(),
            ends: 0,
            was_open: true,
            is_difference: false,
        });
        self
    }

    /// All blocks of an answer, of which the first so many bytes are an opening.
    pub(super) fn of(question: &RewriteQuestion, answer: &str, opening: &str) -> Vec<AnswerBlock> {
        let mut blocks = BlockScanner::new(question);
        let mut at = 0;
        if !opening.is_empty() {
            blocks = blocks.open(opening);
            at = opening.len();
        }
        for line in split(answer.get(at..).unwrap_or_default()) {
            let start = at + line.start;
            blocks.feed(&TextLine { start, ..line });
        }
        blocks.finish(answer.len())
    }

    /// How many lines stand in the block that is open, if one is.
    pub(super) fn open_lines(&self) -> usize {
        match self.state {
            ScannerState::Inside(_) => self.lines,
            _ => 0,
        }
    }

    /// Reads the next line, and says which block it ends, if it does.
    pub(super) fn feed(&mut self, line: &TextLine<'_>) -> Option<AnswerBlock> {
        let says = line.text.trim();
        self.lines += 1;
        match &mut self.state {
            ScannerState::Start => {
                if says.is_empty() {
                    return None;
                }
                let thinks = says.starts_with("<think>") || says.starts_with("<thinking>");
                self.state = if thinks {
                    ScannerState::Thinking
                } else {
                    ScannerState::Outside
                };
                self.feed(line)
            }
            ScannerState::Thinking => {
                if let Some(rest) = behind_thoughts(line) {
                    self.from = rest.start;
                    self.state = ScannerState::Outside;
                    return self.feed(&rest);
                }
                None
            }
            ScannerState::Outside => {
                // Some templates begin the thought themselves, so that only its end is heard of.
                if let Some(rest) = behind_thoughts(line) {
                    self.found.clear();
                    self.from = rest.start;
                    return self.feed(&rest);
                }
                let is_marker = says.contains(&self.starts);
                let (sign, length, info) = match fence(says) {
                    Some((sign, length, info)) => (Some(sign), length, info),
                    None if is_marker => (None, 0, ""),
                    None => return None,
                };
                self.lines = 0;
                self.state = ScannerState::Inside(CodeFence {
                    sign,
                    length,
                    from: line.next(),
                    ends: 0,
                    was_open: false,
                    is_difference: is_difference(info) && !self.is_difference,
                });
                None
            }
            ScannerState::Inside(open) => {
                let is_past = says.contains(&self.ends);
                // A model that did not see that the fence is open opens it again.
                let opens_again = match fence(says) {
                    Some((_, _, info)) => {
                        let is_own = self.own.iter().any(|own| own == says);
                        self.lines == 1 && !is_own && (open.was_open || !info.is_empty())
                    }
                    None => false,
                };
                if opens_again {
                    let (sign, length, info) = fence(says)?;
                    (open.sign, open.length) = (Some(sign), length);
                    open.is_difference = is_difference(info) && !self.is_difference;
                    (open.from, open.was_open) = (line.next(), false);
                    self.lines = 0;
                    return None;
                }
                let is_closed = open.is_closed_by(says);
                if !is_past && !is_closed && !open.may_be_closed_by(says) {
                    return None;
                }
                let is_certain = is_past || (is_closed && open.length > self.longest);
                open.ends += 1;
                let bounds = if is_certain {
                    BlockBounds::Certain
                } else {
                    BlockBounds::Uncertain
                };
                let block = AnswerBlock {
                    range: open.from..line.start,
                    bounds,
                    is_difference: open.is_difference,
                };
                let fence = open.clone();
                self.state = match (is_past, is_certain) {
                    (true, _) if fence.sign.is_some() => ScannerState::Past(fence),
                    (true, _) | (_, true) => ScannerState::Outside,
                    (false, false) if fence.ends >= MOST_ENDS => ScannerState::Outside,
                    (false, false) => ScannerState::Inside(fence),
                };
                self.found.push(block.clone());
                Some(block)
            }
            ScannerState::Past(open) => {
                if open.is_closed_by(says) {
                    self.state = ScannerState::Outside;
                }
                None
            }
        }
    }

    /// All blocks of an answer that has so many bytes, in order.
    pub(super) fn finish(mut self, len: usize) -> Vec<AnswerBlock> {
        let open = match &self.state {
            ScannerState::Inside(open) => Some((open.from, BlockBounds::Open, open.is_difference)),
            ScannerState::Start | ScannerState::Outside if self.found.is_empty() => {
                Some((self.from, BlockBounds::Bare, false))
            }
            _ => None,
        };
        if let Some((from, bounds, is_difference)) = open {
            self.found.push(AnswerBlock {
                range: from.min(len)..len,
                bounds,
                is_difference,
            });
        }
        self.found
    }
}

impl CodeFence {
    /// Whether a line closes it, but for being too short.
    fn may_be_closed_by(&self, says: &str) -> bool {
        fence(says).is_some_and(|(sign, _, info)| Some(sign) == self.sign && info.is_empty())
    }

    fn is_closed_by(&self, says: &str) -> bool {
        match fence(says) {
            Some((sign, length, info)) => {
                Some(sign) == self.sign && length >= self.length && info.is_empty()
            }
            None => false,
        }
    }
}

/// The sign and the length of a fence that begins a text, and what stands behind it.
fn fence(says: &str) -> Option<(char, usize, &str)> {
    let sign = says.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let info = says.trim_start_matches(sign);
    let length = says.len() - info.len();
    let info = info.trim();
    // Code within a line: "```x``` does it".
    (length >= 3 && !info.contains('`')).then_some((sign, length, info))
}

/// Whether what stands behind a fence says that a difference follows.
fn is_difference(info: &str) -> bool {
    let word = info.split([' ', ',', ':']).next().unwrap_or_default();
    matches!(word, "diff" | "patch" | "udiff" | "Diff")
}

/// The rest of a line behind the last end of a thought.
fn behind_thoughts<'t>(line: &TextLine<'t>) -> Option<TextLine<'t>> {
    let ends = ["</think>", "</thinking>"];
    let found = ends.into_iter().find_map(|end| line.text.rsplit_once(end));
    let (_, rest) = found?;
    Some(TextLine {
        start: line.text_end() - rest.len(),
        text: rest,
        end: line.end,
    })
}
