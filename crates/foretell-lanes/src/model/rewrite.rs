//! Next edits and fixes: a region of the document is told, and comes back rewritten.
//!
//! A model that is asked for a difference gets its line numbers wrong; one that is asked to write the
//! lines anew does not. So it is told the lines around the cursor, and what has become different when
//! they come back is what it suggests. The answer is read with patience for how it is wrapped, and with
//! none for what it is: an answer that cannot be placed is a failure with a name, and no edit ever
//! reaches beyond the lines that were asked for. Where an answer may mean that lines are to be deleted,
//! or only that it was not thought necessary to repeat them, they stay.
//!
//! | part | what it is |
//! | --- | --- |
//! | [`region`] | which lines are to be rewritten, and which are shown around them |
//! | [`rewrite_question`] | what is told: the task, the context, the latest changes, the lines |
//! | `recent_changes` | the latest changes as differences |
//! | `quote` | fences and marker lines that no text can forge |
//! | `turn_tokens` | words that a text must not have in it either |
//! | [`rewrite_reader`] | [`RewriteReader`], and when an answer that still comes is enough |
//! | `answer_blocks` | where in an answer the code is |
//! | `region_rewrite` | what a block says the region is to be |
//! | `fragment` | which part of the region a block is about, where it is not all of it |
//! | `patch` | blocks that are differences |
//! | `region_edits`, `word_pieces` | that as edits of the document |
//! | `text_lines` | what a line is |
//!
//! A server that takes chats gets two messages. Any other gets one text to go on with, whose last line
//! is an open fence: there the end of the fence is the end, elsewhere it would be its beginning.
//!
//! Absent on purpose: the network, time, and which of the suggestions is shown.

mod answer_blocks;
mod fragment;
mod patch;
mod quote;
mod recent_changes;
pub mod region;
mod region_edits;
mod region_rewrite;
pub mod rewrite_question;
pub mod rewrite_reader;
mod text_lines;
mod turn_tokens;
mod word_pieces;

use foretell_settings::settings;
use foretell_text::{FailureKind, PositionEncoding};

pub use self::region::EditRegion;
pub use self::rewrite_question::{EditTask, QuestionRefusal, RewriteQuestion};
pub use self::rewrite_reader::RewriteReader;

pub(super) use self::quote::one_line;
pub(super) use self::region_edits::{RewrittenRegion, candidates};
pub(super) use self::rewrite_question::{lines_of, nearest_diagnostic};
pub(super) use self::text_lines::{split, texts, usual_end, with_line_feeds};
pub(super) use self::word_pieces::{LineWords, pieces};

use self::answer_blocks::{AnswerBlock, BlockBounds, BlockScanner};
use self::fragment::PointedLines;
use self::region_rewrite::{BlockHints, RegionRewrite, RewriteFault};
use super::answer_frame::AnswerEnd;
use super::fim::PromptMemory;
use super::format::{
    AnswerReader, FormattedRequest, ModelPrompt, PromptFormat, PromptStyle, PromptText,
};
use super::server_kind::ServerKind;
use crate::lane::{LaneAnswer, LaneFault};
use crate::lane_redaction::SecretMarks;
use crate::lane_request::LaneRequest;

/// Rewriting, by any model that follows instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RewriteFormat {
    task: EditTask,
    style: PromptStyle,
}

impl RewriteFormat {
    /// The format for a kind of server. The lane is misconfigured if that only fills in.
    pub fn of(task: EditTask, kind: ServerKind) -> Result<RewriteFormat, LaneFault> {
        let mut styles = [PromptStyle::Chat, PromptStyle::Continue].into_iter();
        let style = styles.find(|style| kind.path(*style).is_some());
        let style = style.ok_or_else(cannot_rewrite)?;
        Ok(RewriteFormat { task, style })
    }

    /// The prompt for a question.
    pub fn prompt(
        self,
        question: &RewriteQuestion,
        settings: &settings::LaneSettings,
    ) -> ModelPrompt {
        let RewriteQuestion { system, user, .. } = question;
        let (text, stop_words) = if self.goes_on() {
            let text = format!("{system}\n{user}{}", question.opening);
            let fence = format!("\n{}", question.quotes.fence);
            (PromptText::Continue(text), vec![fence])
        } else {
            let (system, user) = (system.clone(), user.clone());
            (PromptText::Chat { system, user }, Vec::new())
        };
        ModelPrompt {
            stop_words,
            ..ModelPrompt::new(text, settings)
        }
    }

    /// The reader for an answer to a question.
    pub fn reader(
        self,
        question: RewriteQuestion,
        request: &LaneRequest,
        marks: Box<dyn SecretMarks>,
    ) -> RewriteReader<'_> {
        RewriteReader::new(question, self.goes_on(), request, marks)
    }

    /// Whether the answer goes on behind [`RewriteQuestion::opening`].
    fn goes_on(self) -> bool {
        self.style == PromptStyle::Continue
    }
}

impl PromptFormat for RewriteFormat {
    fn repeats_region(&self) -> bool {
        true
    }

    fn prepare<'r>(
        &self,
        request: &'r LaneRequest,
        settings: &settings::LaneSettings,
        mut marks: Box<dyn SecretMarks>,
        _: &mut PromptMemory,
    ) -> Option<FormattedRequest<'r>> {
        // Why there is nothing to ask is for people who look into a prompt; here it is nothing to
        // suggest.
        let question = RewriteQuestion::of(request, self.task, settings, &mut *marks).ok()?;
        Some(FormattedRequest {
            prompt: self.prompt(&question, settings),
            reader: Box::new(self.reader(question, request, marks)),
        })
    }

    fn refusal(
        &self,
        request: &LaneRequest,
        settings: &settings::LaneSettings,
        marks: &mut dyn SecretMarks,
    ) -> Option<QuestionRefusal> {
        RewriteQuestion::of(request, self.task, settings, marks).err()
    }
}

/// The fault of a lane whose server cannot be asked to rewrite.
pub(super) fn cannot_rewrite() -> LaneFault {
    LaneFault::new(
        FailureKind::Misconfigured,
        "this kind of server only fills in at the cursor; \
         set the kind to openai-chat, openai, llama-cpp or ollama",
    )
}

impl AnswerReader for RewriteReader<'_> {
    fn push(&mut self, piece: &str) -> bool {
        self.take(piece)
    }

    fn finish(self: Box<Self>, end: AnswerEnd) -> Result<LaneAnswer, LaneFault> {
        let (question, request) = (&self.question, self.request);
        // Servers with the wrong template let the token through that ends a turn.
        let answer = question.controls.before_last(self.heard());
        let opening = if self.goes_on && answer.starts_with(&question.opening) {
            question.opening.as_str()
        } else {
            ""
        };
        let said = answer.get(opening.len()..).unwrap_or_default();
        if said.trim().is_empty() && end == AnswerEnd::Own {
            return Err(LaneFault::new(
                FailureKind::Empty,
                "the answer is empty; look whether the model is made for chat",
            ));
        }
        let blocks = BlockScanner::of(question, answer, opening);
        let chosen = chosen(question, answer, &blocks, end, &pointed(question, request));
        let chosen =
            chosen.map_err(|why| LaneFault::new(FailureKind::Unplaced, why.to_string()))?;
        let Some(rewriting) = chosen else {
            return Ok(LaneAnswer::default());
        };
        let lines = rewriting.lines.join("\n");
        Ok(match self.marks.restore(&question.told, &lines) {
            Some(restored) => LaneAnswer {
                candidates: candidates(&question.rewritten(), request, &restored),
                ..LaneAnswer::default()
            },
            None => LaneAnswer {
                withheld: 1,
                ..LaneAnswer::default()
            },
        })
    }
}

/// The lines of the region that the diagnostic is about, or else the cursor's.
fn pointed(question: &RewriteQuestion, request: &LaneRequest) -> PointedLines {
    let text = &request.document.text;
    let lines = text.read(question.region.range).unwrap_or_default();
    // A secret may have had lines of its own, that were not told.
    if split(&lines).len() != texts(&question.told).len() {
        return PointedLines::Nowhere;
    }
    let first = question.region.first_line;
    let row = |line: u32| usize::try_from(line.saturating_sub(first)).unwrap_or(usize::MAX);
    let cursor = text.position_of(request.at, PositionEncoding::Utf8);
    match (question.fixes, cursor) {
        (Some((from, to)), _) => PointedLines::Diagnostic(row(from)..row(to).saturating_add(1)),
        (None, Ok(at)) => PointedLines::Cursor(row(at.line)),
        (None, Err(_)) => PointedLines::Nowhere,
    }
}

/// Of all blocks, the one that is meant; nothing if all that can be read repeat the region.
///
/// Of those that begin at one place, the one that ends as it should, or else the one that changes the
/// least. Of those that begin elsewhere, the one that changes the least and something: some quote the
/// old code before the new.
fn chosen(
    question: &RewriteQuestion,
    answer: &str,
    blocks: &[AnswerBlock],
    end: AnswerEnd,
    pointed: &PointedLines,
) -> Result<Option<RegionRewrite>, RewriteFault> {
    let mut read: Vec<(&AnswerBlock, RegionRewrite)> = Vec::new();
    let mut why_not = None;
    for block in blocks {
        let body = answer.get(block.range.clone()).unwrap_or_default();
        let hints = BlockHints {
            is_difference: block.is_difference,
            pointed: pointed.clone(),
        };
        let rewriting = match block.bounds {
            BlockBounds::Certain => region_rewrite::of_block(question, body, &hints),
            _ if end == AnswerEnd::Length => Err(RewriteFault::cut(question)),
            BlockBounds::Uncertain => region_rewrite::of_block(question, body, &hints),
            BlockBounds::Open => region_rewrite::of_open(question, body, &hints),
            BlockBounds::Bare => region_rewrite::of_bare(question, body, &hints),
        };
        let rewriting = match rewriting {
            Ok(rewriting) => rewriting,
            Err(why) => {
                why_not.get_or_insert(why);
                continue;
            }
        };
        match read.last_mut() {
            Some((last, best)) if last.range.start == block.range.start => {
                let is_certain = block.bounds == BlockBounds::Certain;
                if is_certain || rewriting.changes < best.changes {
                    (*last, *best) = (block, rewriting);
                }
            }
            _ => read.push((block, rewriting)),
        }
    }
    if read.is_empty() {
        return Err(why_not.unwrap_or(match end {
            AnswerEnd::Length => RewriteFault::cut(question),
            AnswerEnd::Own => RewriteFault::Words,
        }));
    }
    let changed = read.into_iter().map(|(_, rewriting)| rewriting);
    let changed = changed.filter(|rewriting| rewriting.is_changed);
    // The first of equals.
    Ok(changed.reduce(|a, b| if b.changes < a.changes { b } else { a }))
}
