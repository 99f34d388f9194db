//! Where a streamed answer ends: when enough of it has come in, and what of that is kept.
//!
//! An answer is over
//! - at the end of its first line, if the cursor is in the middle of one: anything but white space,
//!   closing brackets and quotes, and then at most one `;`, `,` or `:` stands behind it;
//! - at the end of the block otherwise, which is the business of `block_end`;
//! - where it repeats the next line of the document;
//! - behind `maxLines` lines, not counting those ahead of the first that says something;
//! - at a stop word, and at a fence of backticks that was not asked for;
//! - where it is longer than `maxTokens` could be.
//!
//! Where it was cut by its length, by the server or here, the line in which that happened is dropped:
//! half a line is no suggestion. A line counts if the model ended it, or ended there by itself.
//!
//! An answer is taken in character by character, and nothing is looked at again: so it is the same
//! however the server cut it into frames. It is let out at the end only, which holds back whatever may
//! be the beginning of a stop word.
//!
//! Absent on purpose: secrets and the document. The result has the model's words, marks and all.

mod block_end;

use std::fmt;

use foretell_settings::settings;

use self::block_end::BlockEnd;
use super::super::answer_frame::AnswerEnd;
use super::super::control_tokens::ControlTokens;
use super::prompt::{CursorPlace, FimPrompt};

/// How many characters a token has at the most, on average over an answer. Code has about four.
const CHARACTERS_PER_TOKEN: usize = 8;

/// An answer that is coming in.
pub struct FimAnswer {
    controls: ControlTokens,
    extent: AnswerExtent,
    fence: FenceRole,
    /// Whether white space at the end would be doubled.
    space_follows: bool,
    most_lines: usize,
    most_characters: usize,
    /// The text so far, with the line that is being written.
    text: String,
    /// Where that line begins.
    line: usize,
    /// Whether that line says something yet.
    is_line_begun: bool,
    /// Whether a line before it does.
    is_begun: bool,
    /// Whole lines from the first that says something on.
    lines: usize,
    /// Whole lines before that.
    blank_lines: usize,
    characters: usize,
    /// Whether the last character was a CR, which has ended a line already.
    was_cr: bool,
    is_enough: bool,
}

/// How much is wanted.
enum AnswerExtent {
    Line,
    Block(BlockEnd),
}

/// The meaning of a line of backticks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FenceRole {
    /// Text.
    Text,
    /// Nothing that belongs here, if it came.
    Unwanted,
    /// It opened the answer; the next one ends it.
    Open,
}

/// A decision on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineVerdict {
    /// It is part of the answer, which may go on.
    Keep,
    /// It is its last.
    KeepAsLast,
    /// The answer was over before it.
    EndBefore,
    /// It is not part of the answer, which begins behind it.
    Drop,
}

impl FimAnswer {
    /// For the answer to a prompt.
    pub fn new(
        prompt: &FimPrompt,
        settings: &settings::LaneSettings,
        controls: &ControlTokens,
    ) -> FimAnswer {
        let place = prompt.place();
        let is_within_line = !is_closing(&place.rest);
        let extent = if is_within_line {
            AnswerExtent::Line
        } else {
            AnswerExtent::Block(BlockEnd::new(&place.before, place.next.as_deref()))
        };
        FimAnswer::with(place, extent, settings, controls.clone())
    }

    fn with(
        place: &CursorPlace,
        extent: AnswerExtent,
        settings: &settings::LaneSettings,
        controls: ControlTokens,
    ) -> FimAnswer {
        FimAnswer {
            controls,
            extent,
            fence: if place.has_fences {
                FenceRole::Text
            } else {
                FenceRole::Unwanted
            },
            space_follows: place.rest.starts_with(char::is_whitespace),
            most_lines: settings.max_lines.max(1),
            most_characters: settings.max_tokens.saturating_mul(CHARACTERS_PER_TOKEN),
            text: String::new(),
            line: 0,
            is_line_begun: false,
            is_begun: false,
            lines: 0,
            blank_lines: 0,
            characters: 0,
            was_cr: false,
            is_enough: false,
        }
    }

    /// Takes in what came. `true`: that is enough, and whatever follows is not looked at.
    pub fn push(&mut self, text: &str) -> bool {
        for c in text.chars() {
            if self.is_enough {
                break;
            }
            self.take(c);
        }
        self.is_enough
    }

    /// The lines that will not change any more, whatever comes.
    pub fn certain(&self) -> &str {
        let is_block = matches!(self.extent, AnswerExtent::Block(_));
        let lines = self
            .text
            .get(..self.line)
            .filter(|_| is_block && self.is_begun);
        lines.unwrap_or_default().trim_end()
    }

    /// The answer, given why no more came; empty if there is nothing to suggest.
    pub fn finish(mut self, end: AnswerEnd) -> String {
        self.close(end);
        let text = match (&self.extent, self.space_follows) {
            (AnswerExtent::Line, false) => self.text.as_str(),
            _ => self.text.trim_end(),
        };
        if text.trim().is_empty() {
            String::new()
        } else {
            text.to_owned()
        }
    }

    fn take(&mut self, c: char) {
        self.characters += 1;
        if self.characters > self.most_characters {
            return self.close(AnswerEnd::Length);
        }
        let follows_cr = std::mem::replace(&mut self.was_cr, c == '\r');
        if c == '\n' && follows_cr {
            return;
        }
        if matches!(c, '\n' | '\r') {
            return self.end_line();
        }
        self.text.push(c);
        if let Some(length) = self.controls.at_end(&self.text) {
            self.text.truncate(self.text.len() - length);
            return self.close(AnswerEnd::Own);
        }
        if self.is_line_begun || c.is_whitespace() {
            return;
        }
        self.is_line_begun = true;
        let line = self.text.get(self.line..).unwrap_or_default();
        if let AnswerExtent::Block(block) = &self.extent
            && self.line > 0
            && block.is_over_at(line)
        {
            self.end_at(self.line);
        }
    }

    /// A line has come to its end.
    fn end_line(&mut self) {
        let end = self.text.len();
        match self.judge() {
            LineVerdict::KeepAsLast => self.end_at(end),
            LineVerdict::EndBefore => self.end_at(self.line),
            LineVerdict::Drop => self.begin_anew(),
            LineVerdict::Keep => {
                self.is_begun |= self.is_line_begun;
                if self.is_begun {
                    self.lines += 1
                } else {
                    self.blank_lines += 1
                }
                if self.lines >= self.most_lines || self.blank_lines > self.most_lines {
                    return self.end_at(end);
                }
                self.text.push('\n');
                self.line = self.text.len();
                self.is_line_begun = false;
            }
        }
    }

    /// No more will come: the line that was being written is judged as it is.
    fn close(&mut self, end: AnswerEnd) {
        if self.is_enough {
            return;
        }
        if end == AnswerEnd::Length {
            return self.end_at(self.line);
        }
        let half = self.controls.half_at_end(&self.text);
        self.text.truncate(self.text.len() - half);
        self.line = self.line.min(self.text.len());
        match self.judge() {
            LineVerdict::Keep | LineVerdict::KeepAsLast => self.is_enough = true,
            LineVerdict::EndBefore | LineVerdict::Drop => self.end_at(self.line),
        }
    }

    fn end_at(&mut self, end: usize) {
        self.text.truncate(end);
        self.is_enough = true;
    }

    fn begin_anew(&mut self) {
        self.text.clear();
        self.line = 0;
        self.is_line_begun = false;
        self.blank_lines = 0;
    }

    /// Judges the line that is being written.
    fn judge(&mut self) -> LineVerdict {
        let line = self.text.get(self.line..).unwrap_or_default();
        if self.fence != FenceRole::Text && is_fence(line) {
            if self.is_begun || self.fence == FenceRole::Open {
                return LineVerdict::EndBefore;
            }
            self.fence = FenceRole::Open;
            return LineVerdict::Drop;
        }
        match &mut self.extent {
            AnswerExtent::Line => LineVerdict::KeepAsLast,
            AnswerExtent::Block(block) => block.judge(line, self.line == 0, self.is_begun),
        }
    }
}

/// How much has come in: what models write does not belong in a log.
impl fmt::Debug for FimAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FimAnswer")
            .field("text", &self.text.len())
            .field("lines", &self.lines)
            .field("is_enough", &self.is_enough)
            .finish_non_exhaustive()
    }
}

/// Whether the rest of a line only closes what was opened before.
fn is_closing(rest: &str) -> bool {
    let rest = rest.trim_end();
    let rest = rest.strip_suffix([';', ',', ':']).unwrap_or(rest);
    let closes = |c: char| c.is_whitespace() || ")]}>\"'`".contains(c);
    rest.chars().all(closes)
}

/// Whether a line is a fence: backticks and at most a word.
fn is_fence(line: &str) -> bool {
    let word = line.trim().strip_prefix("```");
    let is_plain = |c: char| c.is_alphanumeric() || "+#-_.".contains(c);
    word.is_some_and(|word| word.chars().all(is_plain))
}

#[cfg(test)]
mod tests;
