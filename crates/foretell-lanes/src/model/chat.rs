//! Next edits and fixes: a region of the document is told, and comes back rewritten.
//!
//! A model that is asked for a difference gets its line numbers wrong; one that is asked to write the
//! lines anew does not. So it is told the lines around the cursor, and what has become different when
//! they come back is what it suggests. What comes back is read with patience for how it is wrapped,
//! and with none for what it is: an answer that cannot be placed is a failure with a name, and no edit
//! ever reaches beyond the lines that were asked for. Where an answer may mean that lines are to be
//! deleted, or only that it was not thought necessary to repeat them, they stay.
//!
//! | part | what it is |
//! | --- | --- |
//! | [`region`] | which lines are to be rewritten, and which are shown around them |
//! | [`question`] | what is told: the task, the context, the latest changes, the lines |
//! | `history` | the latest changes as differences |
//! | `quote` | fences and marker lines that no text can forge |
//! | `tokens` | words that a text must not have in it either |
//! | [`dialect`] | how each server wants it, and what its frames say |
//! | [`ending`] | when an answer that still comes is enough |
//! | `blocks` | where in an answer the code is |
//! | `rewriting` | what a block says the region is to be |
//! | `fragment` | which part of the region a block is about, where it is not all of it |
//! | `patch` | blocks that are differences |
//! | `edits`, `pieces` | that as edits of the document |
//! | `lines` | what a line is |
//!
//! Absent on purpose: the network, time, and which of the suggestions is shown.

mod blocks;
pub mod dialect;
mod edits;
pub mod ending;
mod fragment;
mod history;
mod lines;
mod patch;
mod pieces;
pub mod question;
mod quote;
pub mod region;
mod rewriting;
mod tokens;

use foretell_text::{Candidate, Encoding, FailureKind};

pub use self::dialect::{Dialect, Talk};
pub use self::ending::ChatEnding;
pub use self::question::{NothingToAsk, Question, Want};
pub use self::region::Region;

pub use super::frame::{AnswerEnd, AnswerFrame};

use self::blocks::{Block, Blocks, Bounds};
use self::fragment::Pointed;
use self::lines::{split, texts};
use self::rewriting::{Hints, Rewriting, Unplaced};
use crate::lane::LaneFault;
use crate::redact::Marks;
use crate::request::LaneRequest;

/// What came of an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placed {
    /// What it suggests, the best first; nothing if the region is to stay as it is.
    pub candidates: Vec<Candidate>,
    /// How many more there were that would have touched a secret.
    pub withheld: usize,
}

/// What an answer, as [`ChatEnding::finish`] gives it, suggests.
pub fn place(
    question: &Question,
    request: &LaneRequest,
    dialect: Dialect,
    answer: &str,
    end: AnswerEnd,
    marks: &dyn Marks,
) -> Result<Placed, LaneFault> {
    // Servers with the wrong template let the token through that ends a turn.
    let answer = question.controls.before_last(answer);
    let opening = match dialect.goes_on() && answer.starts_with(&question.opening) {
        true => question.opening.as_str(),
        false => "",
    };
    let said = answer.get(opening.len()..).unwrap_or_default();
    if said.trim().is_empty() && end == AnswerEnd::Own {
        return Err(LaneFault::new(
            FailureKind::Empty,
            "the answer is empty; look whether the model is made for chat",
        ));
    }
    let blocks = Blocks::of(question, answer, opening);
    let chosen = chosen(question, answer, &blocks, end, &pointed(question, request));
    let chosen = chosen.map_err(|why| LaneFault::new(FailureKind::Unplaced, why.to_string()))?;
    let Some(rewriting) = chosen else {
        return Ok(Placed::default());
    };
    let placed = match marks.restore(&question.told, &rewriting.lines.join("\n")) {
        Some(restored) => Placed {
            candidates: edits::candidates(question, request, &restored),
            withheld: 0,
        },
        None => Placed {
            candidates: Vec::new(),
            withheld: 1,
        },
    };
    Ok(placed)
}

/// The lines of the region that the diagnostic is about, or else the cursor's.
fn pointed(question: &Question, request: &LaneRequest) -> Pointed {
    let text = &request.document.text;
    let lines = text.read(question.region.range).unwrap_or_default();
    // A secret may have had lines of its own, that were not told.
    if split(&lines).len() != texts(&question.told).len() {
        return Pointed::Nowhere;
    }
    let first = question.region.first_line;
    let row = |line: u32| usize::try_from(line.saturating_sub(first)).unwrap_or(usize::MAX);
    let cursor = text.position_of(request.at, Encoding::Utf8);
    match (question.fixes, cursor) {
        (Some((from, to)), _) => Pointed::Diagnostic(row(from)..row(to).saturating_add(1)),
        (None, Ok(at)) => Pointed::Cursor(row(at.line)),
        (None, Err(_)) => Pointed::Nowhere,
    }
}

/// Of all blocks, the one that is meant; nothing if all that can be read repeat the region.
///
/// Of those that begin at one place, the one that ends as it should, or else the one that changes the
/// least. Of those that begin elsewhere, the one that changes the least and something: some quote the
/// old code before the new.
fn chosen(
    question: &Question,
    answer: &str,
    blocks: &[Block],
    end: AnswerEnd,
    pointed: &Pointed,
) -> Result<Option<Rewriting>, Unplaced> {
    let mut read: Vec<(&Block, Rewriting)> = Vec::new();
    let mut why_not = None;
    for block in blocks {
        let body = answer.get(block.range.clone()).unwrap_or_default();
        let hints = Hints {
            is_difference: block.is_difference,
            pointed: pointed.clone(),
        };
        let rewriting = match block.bounds {
            Bounds::Certain => rewriting::of_block(question, body, &hints),
            _ if end == AnswerEnd::Length => Err(Unplaced::cut(question)),
            Bounds::Uncertain => rewriting::of_block(question, body, &hints),
            Bounds::Open => rewriting::of_open(question, body, &hints),
            Bounds::Bare => rewriting::of_bare(question, body, &hints),
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
                let is_certain = block.bounds == Bounds::Certain;
                if is_certain || rewriting.changes < best.changes {
                    (*last, *best) = (block, rewriting);
                }
            }
            _ => read.push((block, rewriting)),
        }
    }
    if read.is_empty() {
        return Err(why_not.unwrap_or(match end {
            AnswerEnd::Length => Unplaced::cut(question),
            AnswerEnd::Own => Unplaced::Words,
        }));
    }
    let changed = read.into_iter().map(|(_, rewriting)| rewriting);
    let changed = changed.filter(|rewriting| rewriting.is_changed);
    // The first of equals.
    Ok(changed.reduce(|a, b| if b.changes < a.changes { b } else { a }))
}
