//! When an answer that still comes is enough.
//!
//! It is, as soon as a block has ended that says what the region is to be. The text behind it is an
//! explanation that is not used, and takes as long as the code. A block that repeats the region
//! unchanged does not end it (some quote the old code before the new), nor does one that could not be
//! placed, nor one of which the end is uncertain. A block that has grown too long to be placed ends it,
//! too.
//!
//! Only whole lines are looked at, and what is kept ends with the line that was the last: so it does
//! not matter how the answer was cut into frames.

use std::fmt;

use super::answer_blocks::{BlockBounds, BlockScanner};
use super::region_rewrite;
use super::rewrite_question::RewriteQuestion;
use super::text_lines::{TextLine, split, texts};
use crate::lane_redaction::SecretMarks;
use crate::lane_request::LaneRequest;

/// How many lines more than what was told an open block may have: fences, markers and blank lines.
const MARGIN: usize = 8;

/// Reads an answer that still comes.
pub struct RewriteReader<'r> {
    pub(super) question: RewriteQuestion,
    pub(super) request: &'r LaneRequest,
    pub(super) marks: Box<dyn SecretMarks>,
    /// Whether the model goes on behind [`RewriteQuestion::opening`].
    pub(super) goes_on: bool,
    text: String,
    blocks: BlockScanner,
    /// Up to where lines have been read, and up to where a line end has been looked for.
    read: usize,
    looked: usize,
    most_lines: usize,
    is_over: bool,
}

impl<'r> RewriteReader<'r> {
    pub(super) fn new(
        question: RewriteQuestion,
        goes_on: bool,
        request: &'r LaneRequest,
        marks: Box<dyn SecretMarks>,
    ) -> Self {
        let mut blocks = BlockScanner::new(&question);
        let mut text = String::new();
        if goes_on {
            blocks = blocks.open(&question.opening);
            text.push_str(&question.opening);
        }
        let told = texts(&question.told).len();
        let shown = question.before.len() + question.behind.len();
        RewriteReader {
            most_lines: told + shown + question.most_more + MARGIN,
            question,
            request,
            marks,
            goes_on,
            read: text.len(),
            looked: text.len(),
            text,
            blocks,
            is_over: false,
        }
    }

    /// Adds what came. Returns whether that is enough.
    pub(super) fn take(&mut self, text: &str) -> bool {
        if self.is_over {
            return true;
        }
        self.text.push_str(text);
        while let Some(end) = self.next_line_end() {
            let start = self.read;
            let lines = self.text.get(start..end).unwrap_or_default();
            let mut lines = split(lines);
            // Behind the last line end there is no line yet.
            lines.pop();
            let (mut over_at, mut closed) = (None, None);
            for line in lines {
                let line = TextLine {
                    start: start + line.start,
                    ..line
                };
                closed = self.blocks.feed(&line).or(closed);
                over_at = Some(line.next());
            }
            let is_too_long = self.blocks.open_lines() > self.most_lines;
            let is_enough = closed.is_some_and(|block| {
                let body = self.text.get(block.range.clone()).unwrap_or_default();
                block.bounds == BlockBounds::Certain
                    && region_rewrite::is_enough(&self.question, body, block.is_difference)
            });
            self.read = end;
            if let (true, Some(at)) = (is_too_long || is_enough, over_at) {
                self.text.truncate(at);
                self.is_over = true;
                return true;
            }
        }
        false
    }

    /// The answer so far, with what stood before it where the model went on with it.
    pub fn heard(&self) -> &str {
        &self.text
    }

    /// Where the next line ends, if all of it has come.
    fn next_line_end(&mut self) -> Option<usize> {
        let rest = self.text.get(self.looked..).unwrap_or_default();
        let Some(at) = rest.find('\n') else {
            self.looked = self.text.len();
            return None;
        };
        self.looked += at + 1;
        Some(self.looked)
    }
}

/// How much has come: what a model writes does not belong in a log.
impl fmt::Debug for RewriteReader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RewriteReader")
            .field("text", &self.text.len())
            .field("is_over", &self.is_over)
            .finish_non_exhaustive()
    }
}
