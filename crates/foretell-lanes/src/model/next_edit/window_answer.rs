//! What an answer says the region is to be, where it is trusted, and why not where it is not.
//!
//! | what came | what becomes of it |
//! | --- | --- |
//! | the region, unchanged | nothing is suggested |
//! | a word for "nothing" | nothing is suggested |
//! | an answer that was cut off | it is not placed |
//! | a first line that is like none of the first quarter | it is not placed: the answer begins somewhere else |
//! | sentences behind the region | they are left out |
//! | little of the region | it is not placed: it is about something else |
//! | markers or tokens of any of these models | it is not placed |
//! | other blank lines at the end | those of the region stay |
//! | a circle of equal lines | what came before it holds |
//!
//! All of it is about texts as they were told, without secrets.

use foretell_text::LaneKind;

use super::edit_dialect::SENTINELS;
use super::line_follower::{is_same, is_significant};
use super::next_edit_prompt::NextEditPrompt;
use super::whole_answer::is_fence;
use crate::model::rewrite::{LineWords, pieces};
use crate::model::server_client::LaneSettingName;

/// Which part of the region its first line is looked for in: a quarter, and never less than two lines.
const HEAD_PART: usize = 4;
const LEAST_HEAD: usize = 2;
/// Of how many lines that say something a fifth must stay.
const MANY_LINES: usize = 5;
const LEAST_KEPT: usize = 5;
/// How many words a sentence has at the least.
const LEAST_WORDS: usize = 3;
/// How alike lines are that became each other, in thousandths.
const LEAST_LIKE: usize = 500;
/// How long a line of an answer is at most, in bytes, besides twice the longest of the region.
const MOST_MORE_BYTES: usize = 4 << 10;

/// Why an answer cannot be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum AnswerMisfit {
    #[error("the answer was cut off before its end; raise {lane}.maxTokens")]
    Cut { lane: LaneSettingName },
    #[error(
        "the answer begins somewhere else than the region; look whether {lane}.format is the one that the model was trained on"
    )]
    Misaligned { lane: LaneSettingName },
    #[error(
        "the answer has little to do with the region; look whether {lane}.format is the one that the model was trained on"
    )]
    Unlike { lane: LaneSettingName },
    #[error(
        "the answer has a marker or a control token in it; look whether {lane}.format is the one that the model was trained on"
    )]
    Marker { lane: LaneSettingName },
    #[error(
        "the answer has no markers that say which lines it is about; look whether {lane}.format is the one that the model was trained on"
    )]
    Unmarked { lane: LaneSettingName },
    #[error(
        "the markers of the answer are out of order, or there are no such markers; another model may do better"
    )]
    Disordered,
    #[error("the answer is much longer than the region; another model may do better")]
    TooLong,
}

/// An answer's misfits are told with the names of the settings that help.
pub(super) fn lane_name(prompt: &NextEditPrompt) -> LaneSettingName {
    LaneSettingName::of(if prompt.fixes.is_some() {
        LaneKind::Fix
    } else {
        LaneKind::NextEdit
    })
}

/// The lines that the region is to have; nothing if they are those that it has.
pub(super) fn placed(
    prompt: &NextEditPrompt,
    new: Vec<String>,
    first: Option<&str>,
) -> Result<Option<Vec<String>>, AnswerMisfit> {
    let lane = lane_name(prompt);
    let old: Vec<&str> = prompt.told.split('\n').collect();
    if !is_aligned(&old, first) {
        return Err(AnswerMisfit::Misaligned { lane });
    }
    let new = with_old_blanks(&old, new);
    if is_unchanged(&old, &new) || is_unchanged_in_fences(&old, &new) {
        return Ok(None);
    }
    if new.len() > old.len().saturating_add(prompt.most_more) || has_long_line(&old, &new) {
        return Err(AnswerMisfit::TooLong);
    }
    if !is_like(&old, &new) {
        return Err(AnswerMisfit::Unlike { lane });
    }
    let has_marker = |word: &str| {
        let is_new = new.iter().any(|line| line.contains(word));
        is_new && !prompt.told.contains(word)
    };
    let mut words = SENTINELS.into_iter().chain(prompt.controls.words());
    if words.any(has_marker) || has_new_fence(&old, &new) || has_new_conflict(&old, &new) {
        return Err(AnswerMisfit::Marker { lane });
    }
    Ok(Some(new))
}

/// With the blank lines that the region ends with, where nothing else differs there.
fn with_old_blanks(old: &[&str], new: Vec<String>) -> Vec<String> {
    let is_blank = |line: &&str| line.trim().is_empty();
    let blanks = old.iter().rev().take_while(|line| is_blank(line)).count();
    let said = old.len() - blanks;
    let new_blanks = new.iter().rev().take_while(|it| is_blank(&it.as_str()));
    let new_said = new.len() - new_blanks.count();
    let last_old = said.checked_sub(1).and_then(|at| old.get(at));
    let last_new = new_said.checked_sub(1).and_then(|at| new.get(at));
    let is_same_end = match (last_old, last_new) {
        (Some(old), Some(new)) => is_same(old, new),
        (None, None) => true,
        _ => false,
    };
    if !is_same_end {
        return new;
    }
    let blank = old.iter().skip(said).map(|line| (*line).to_owned());
    new.into_iter().take(new_said).chain(blank).collect()
}

/// Where a model begins to remark on what it said: sentences behind a blank line and nothing behind them, where the region
/// has none.
pub(super) fn remarks(told: &str, new: &[String]) -> Option<usize> {
    if told.split('\n').any(is_spoken) {
        return None;
    }
    let is_remark = |at: usize| {
        let says = |line: &&String| !line.trim().is_empty();
        let mut behind = new.iter().skip(at + 1).filter(says);
        behind.next().is_some_and(|line| is_sentence(line)) && behind.all(|line| is_remarked(line))
    };
    let blank = new.iter().enumerate().skip(1);
    let mut blank = blank.filter(|(_, line)| line.trim().is_empty());
    Some(blank.find(|(at, _)| is_remark(*at))?.0)
}

/// Whether a line may go on with sentences.
fn is_remarked(line: &str) -> bool {
    line.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit() || "-*".contains(c))
}

/// Whether a line is a sentence of a language that people speak, or the beginning of one.
fn is_sentence(line: &str) -> bool {
    is_spoken(line) && line.split_whitespace().count() >= LEAST_WORDS
}

/// Whether a line is written as sentences are, however short it is.
fn is_spoken(line: &str) -> bool {
    let is_begun = line.starts_with(char::is_uppercase);
    let line = line.trim();
    let is_ended = line.ends_with(['.', ':', '!', '?']) && !line.ends_with("::");
    is_begun && is_ended && !line.contains(['{', '}', ';', '='])
}

fn is_unchanged<T: AsRef<str>>(old: &[&str], new: &[T]) -> bool {
    old.len() == new.len() && old.iter().zip(new).all(|(a, b)| is_same(a, b.as_ref()))
}

/// Whether nothing is new but a fence around all of it.
fn is_unchanged_in_fences(old: &[&str], new: &[String]) -> bool {
    let first = usize::from(new.first().is_some_and(|line| is_fence(line)));
    let last = usize::from(new.last().is_some_and(|line| is_fence(line)));
    let within = |from: usize, to: usize| {
        let new = new.get(from..new.len().saturating_sub(to));
        new.is_some_and(|new| is_unchanged(old, new))
    };
    within(first, last) || within(first, 0) || within(0, last)
}

/// Whether an answer that begins with a line begins where the region does.
fn is_aligned(old: &[&str], first: Option<&str>) -> bool {
    let says = |line: &&str| !line.trim().is_empty();
    let head = (old.len() / HEAD_PART).max(LEAST_HEAD).min(old.len());
    let Some(first) = first else {
        // Nothing but blank lines.
        return !old.iter().any(says);
    };
    let is_in_head = |line: &&str| {
        let (old, new) = (pieces(line), pieces(first));
        is_same(line, first) || LineWords::of(&old).likeness(&LineWords::of(&new)) >= LEAST_LIKE
    };
    let mut head_lines = old.iter().take(head).filter(|line| says(line));
    head_lines.clone().next().is_none() || head_lines.any(is_in_head)
}

/// Whether enough of the region is kept to be about it.
fn is_like(old: &[&str], new: &[String]) -> bool {
    let significant = old.iter().filter(|line| is_significant(line));
    let many = significant.clone().count();
    if many < MANY_LINES {
        return true;
    }
    let kept = significant.filter(|line| new.iter().any(|new| is_same(line, new)));
    // One that takes most of it out says the rest.
    let said = new.iter().filter(|line| is_significant(line));
    let old_said = said
        .clone()
        .filter(|new| old.iter().any(|line| is_same(line, new)));
    let (old_said, said) = (old_said.count(), said.count());
    kept.count() * LEAST_KEPT >= many || said > 0 && old_said * 2 >= said
}

/// Whether a line is much longer than any of the region: a model that goes round in circles on one line.
fn has_long_line(old: &[&str], new: &[String]) -> bool {
    let longest = old.iter().map(|line| line.len()).max().unwrap_or(0);
    let most = longest.saturating_mul(2).saturating_add(MOST_MORE_BYTES);
    new.iter().any(|line| line.len() > most)
}

/// Whether a fence came along that the region does not have: any, or one that has no other end.
fn has_new_fence(old: &[&str], new: &[String]) -> bool {
    let fences = |lines: &mut dyn Iterator<Item = &str>| lines.filter(|it| is_fence(it)).count();
    let had = fences(&mut old.iter().copied());
    let has = fences(&mut new.iter().map(String::as_str));
    has > had && (had == 0 || (has - had) % 2 == 1)
}

/// Whether a marker of a merge conflict came along that the region does not have.
fn has_new_conflict(old: &[&str], new: &[String]) -> bool {
    let is_marker = |line: &str| {
        let line = line.trim_end();
        line == "=======" || line.starts_with("<<<<<<<") || line.starts_with(">>>>>>>")
    };
    let is_old = |line: &str| old.iter().any(|old| is_same(old, line));
    new.iter().any(|line| is_marker(line) && !is_old(line))
}
