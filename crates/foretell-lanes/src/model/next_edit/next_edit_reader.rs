//! Reads an answer that still comes, and says what it suggests when it is there.
//!
//! It is enough as soon as the model says that it is done, or has nothing to change; where the answer agrees
//! with the old lines again behind a change (`LineFollower`); and where it has grown beyond anything that
//! could be placed. Only whole lines are looked at, and what is kept ends with the line that was the last: so
//! it does not matter how the answer was cut into frames.
//!
//! What is kept is understood when no more comes, by `whole_answer` or `marked_answer`, and judged by
//! `window_answer`.

use std::fmt;

use foretell_text::FailureKind;

use super::super::answer_frame::AnswerEnd;
use super::super::format::AnswerReader;
use super::super::rewrite::{RewrittenRegion, candidates};
use super::answer_cursor::{self, restored_place};
use super::edit_dialect::RegionStyle;
use super::line_follower::{EnoughLines, LineFollower};
use super::marked_answer::{self, MarkedLines};
use super::next_edit_prompt::NextEditPrompt;
use super::whole_answer::{self, WholeLines};
use super::window_answer::{AnswerMisfit, lane_name, placed};
use crate::lane::{LaneAnswer, LaneFault};
use crate::lane_redaction::SecretMarks;
use crate::lane_request::LaneRequest;

/// How many bytes an answer may have besides four times the region's.
const MOST_MORE_BYTES: usize = 16 << 10;

/// Reads the answer to a prompt.
pub struct NextEditReader<'r> {
    prompt: NextEditPrompt,
    request: &'r LaneRequest,
    marks: Box<dyn SecretMarks>,
    /// What has come, behind what the answer goes on with.
    text: String,
    /// Up to where lines have been read, and up to where a line end has been looked for.
    read: usize,
    looked: usize,
    lines: AnswerLines,
    enough: Option<EnoughAnswer>,
}

/// How the lines of an answer are followed, by the style of the region.
enum AnswerLines {
    Whole(WholeLines),
    Marked(MarkedLines),
}

/// Why no more of an answer is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EnoughAnswer {
    /// The model says that it is done.
    Done,
    /// The model has nothing to change.
    Nothing,
    /// The rest is clear.
    Lines(EnoughLines),
    /// It could not be placed any more.
    TooLong,
}

/// What an answer comes to, as it was told.
pub(super) enum RegionAnswer {
    /// Nothing is to be changed.
    Nothing,
    /// The lines that the region is to have, and the first line that the answer has said.
    Lines {
        lines: Vec<String>,
        first: Option<String>,
    },
}

impl<'r> NextEditReader<'r> {
    pub(super) fn new(
        prompt: NextEditPrompt,
        request: &'r LaneRequest,
        marks: Box<dyn SecretMarks>,
    ) -> Self {
        let lines = match prompt.dialect.region {
            RegionStyle::NumberedMarkers => AnswerLines::Marked(MarkedLines::new(&prompt)),
            RegionStyle::Whole | RegionStyle::MergeMarkers => {
                AnswerLines::Whole(WholeLines::new(&prompt))
            }
        };
        let mut reader = NextEditReader {
            text: String::new(),
            read: 0,
            looked: 0,
            lines,
            enough: None,
            request,
            marks,
            prompt,
        };
        let prefill = reader.prompt.prefill.clone();
        reader.take(&prefill);
        reader
    }

    /// The answer so far, behind what it goes on with.
    pub fn heard(&self) -> &str {
        &self.text
    }

    /// Adds what came. Returns whether that is enough.
    fn take(&mut self, piece: &str) -> bool {
        if self.enough.is_some() {
            return true;
        }
        self.text.push_str(piece);
        while let Some(end) = self.next_line_end() {
            let line = self.text.get(self.read..end - 1).unwrap_or_default();
            let line = line.strip_suffix('\r').unwrap_or(line);
            let enough = match &mut self.lines {
                AnswerLines::Whole(lines) => lines.take(&self.prompt, line),
                AnswerLines::Marked(lines) => lines.take(&self.prompt, line),
            };
            self.read = end;
            if let Some(enough) = enough {
                return self.end(end, enough);
            }
        }
        let most = self.prompt.told.len().saturating_mul(4) + MOST_MORE_BYTES;
        if self.text.len() > most {
            return self.end(self.text.len(), EnoughAnswer::TooLong);
        }
        false
    }

    fn end(&mut self, at: usize, enough: EnoughAnswer) -> bool {
        self.text.truncate(at);
        self.enough = Some(enough);
        true
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

    /// What the answer comes to.
    fn understood(&self, end: AnswerEnd) -> Result<RegionAnswer, AnswerMisfit> {
        let lane = lane_name(&self.prompt);
        match self.enough {
            Some(EnoughAnswer::TooLong) => return Err(AnswerMisfit::TooLong),
            Some(EnoughAnswer::Nothing) => return Ok(RegionAnswer::Nothing),
            Some(EnoughAnswer::Lines(_) | EnoughAnswer::Done) => {}
            None if end == AnswerEnd::Length => return Err(AnswerMisfit::Cut { lane }),
            None => {}
        }
        match &self.lines {
            AnswerLines::Whole(_) => Ok(whole_answer::of(&self.prompt, &self.text, self.enough)),
            AnswerLines::Marked(_) => marked_answer::of(&self.prompt, &self.text, self.enough),
        }
    }
}

impl AnswerReader for NextEditReader<'_> {
    fn push(&mut self, piece: &str) -> bool {
        self.take(piece)
    }

    fn finish(self: Box<Self>, end: AnswerEnd) -> Result<LaneAnswer, LaneFault> {
        let prompt = &self.prompt;
        let said = self.text.get(prompt.prefill.len()..).unwrap_or_default();
        if said.trim().is_empty() && end == AnswerEnd::Own {
            return Err(LaneFault::new(
                FailureKind::Empty,
                "the answer is empty; look whether the model is made for next edits",
            ));
        }
        let unplaced = |why: AnswerMisfit| LaneFault::new(FailureKind::Unplaced, why.to_string());
        let RegionAnswer::Lines { lines, first } = self.understood(end).map_err(unplaced)? else {
            return Ok(LaneAnswer::default());
        };
        let lines = placed(prompt, lines, first.as_deref()).map_err(unplaced)?;
        let Some(lines) = lines else {
            return Ok(LaneAnswer::default());
        };
        let cursor = answer_cursor::place_in(prompt, &self.text, &lines);
        let lines = lines.join("\n");
        Ok(match self.marks.restore(&prompt.told, &lines) {
            Some(restored) => {
                let rewritten = RewrittenRegion {
                    region: &prompt.region,
                    line_end: &prompt.line_end,
                    fixes: prompt.fixes,
                    cursor: cursor.and_then(|at| restored_place(at, &lines, &restored)),
                };
                LaneAnswer {
                    candidates: candidates(&rewritten, self.request, &restored),
                    ..LaneAnswer::default()
                }
            }
            None => LaneAnswer {
                withheld: 1,
                ..LaneAnswer::default()
            },
        })
    }
}

/// A follower of an answer about the lines from one on.
pub(super) fn follower(prompt: &NextEditPrompt, from_line: usize) -> LineFollower {
    let old: Vec<&str> = prompt.told.split('\n').skip(from_line).collect();
    LineFollower::new(&old, prompt.cursor_line.saturating_sub(from_line))
}

/// How much has come: what a model writes does not belong in a log.
impl fmt::Debug for NextEditReader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NextEditReader")
            .field("text", &self.text.len())
            .field("enough", &self.enough)
            .finish_non_exhaustive()
    }
}
