//! Answers that write the blocks that change, between numbered markers.
//!
//! The first and the last marker say which part of the region is replaced, and all that stands between the
//! markers is what it becomes. Two equal ones mean that nothing is to be changed. Markers that skip a number
//! are taken as they are; markers that go back, or that there are none of, are not.
//!
//! Markers have no line ends of their own. Some models write them on lines of their own all the same. Where
//! the last marker has a line end behind it, that of every other goes unless its block begins with one. While an
//! answer comes, the line behind the first marker says which it is: the block's first, or one that is put in. The line end of a block's last line is put back where it is
//! missing, but behind the last block, where the region's line end is not told, goes.

use super::edit_dialect::{MARKER_END, MARKER_START};
use super::line_follower::{LineFollower, becomes, is_same};
use super::next_edit_prompt::NextEditPrompt;
use super::next_edit_reader::{EnoughAnswer, RegionAnswer, follower};
use super::window_answer::{AnswerMisfit, lane_name};

/// The longest number that is looked at.
const MOST_DIGITS: usize = 4;

/// Follows the lines of an answer while they come.
pub(super) struct MarkedLines {
    /// From the first marker on.
    follower: Option<LineFollower>,
    style: MarkerStyle,
    markers: usize,
    first: usize,
}

/// How an answer writes its markers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum MarkerStyle {
    /// No marker has come.
    #[default]
    Unknown,
    /// The first marker has nothing behind it, where the block begins with this line. The next line tells.
    Alone(String),
    /// The line end behind one belongs to the text.
    WithinLines,
    /// Each stands on a line of its own.
    OnOwnLines,
}

impl MarkerStyle {
    /// What of a line of the answer are lines of the region, as far as it is known by now.
    fn read(&mut self, prompt: &NextEditPrompt, tags: &[MarkerTag], said: String) -> Vec<String> {
        let is_only_markers = said.is_empty() && !tags.is_empty();
        match self {
            MarkerStyle::Unknown => {
                let Some(tag) = tags.first() else {
                    return Vec::new();
                };
                let block = offset_of(prompt, tag.number).and_then(|at| prompt.told.get(at..));
                let first = block.and_then(|block| block.split('\n').next());
                *self = match first.filter(|_| is_only_markers) {
                    Some(first) if !first.is_empty() => MarkerStyle::Alone(first.to_owned()),
                    _ => MarkerStyle::WithinLines,
                };
                if matches!(self, MarkerStyle::Alone(_)) {
                    Vec::new()
                } else {
                    vec![said]
                }
            }
            MarkerStyle::Alone(first) => {
                let is_first = is_same(first, &said) || becomes(first, &said);
                if is_first {
                    *self = MarkerStyle::OnOwnLines;
                    vec![said]
                } else {
                    // What follows is put in, and so is the blank line ahead of it.
                    *self = MarkerStyle::WithinLines;
                    vec![String::new(), said]
                }
            }
            MarkerStyle::OnOwnLines if is_only_markers => Vec::new(),
            MarkerStyle::OnOwnLines | MarkerStyle::WithinLines => vec![said],
        }
    }
}

impl MarkedLines {
    pub(super) fn new(_: &NextEditPrompt) -> Self {
        MarkedLines {
            follower: None,
            style: MarkerStyle::default(),
            markers: 0,
            first: 0,
        }
    }

    /// Takes a line in. Says whether that is enough, and why.
    pub(super) fn take(&mut self, prompt: &NextEditPrompt, line: &str) -> Option<EnoughAnswer> {
        let dialect = prompt.dialect;
        let mut words = dialect.nothing.iter();
        if words.any(|word| line.contains(word) && !prompt.told.contains(word)) {
            return Some(EnoughAnswer::Nothing);
        }
        if prompt.stop_words().any(|word| line.contains(word)) {
            return Some(EnoughAnswer::Done);
        }
        let line = line.replace(dialect.cursor, "");
        let tags = tags(&line);
        let said = without_tags(&line, &tags);
        for tag in &tags {
            self.markers += 1;
            if self.markers == 1 {
                self.first = tag.number;
                let offset = offset_of(prompt, tag.number);
                self.follower = offset.map(|at| follower(prompt, line_of(prompt, at)));
            } else if tag.number == prompt.markers.len() || tag.number == self.first {
                return Some(EnoughAnswer::Done);
            }
        }
        let follower = self.follower.as_mut()?;
        let lines = self.style.read(prompt, &tags, said);
        let enough = lines.iter().find_map(|line| follower.take(line));
        enough.map(EnoughAnswer::Lines)
    }
}

/// What an answer comes to, of which no more is read.
pub(super) fn of(
    prompt: &NextEditPrompt,
    text: &str,
    enough: Option<EnoughAnswer>,
) -> Result<RegionAnswer, AnswerMisfit> {
    let dialect = prompt.dialect;
    let text = text.replace("\r\n", "\n").replace(dialect.cursor, "");
    let ends = prompt.stop_words().filter_map(|word| text.find(word));
    let text = text
        .get(..ends.min().unwrap_or(text.len()))
        .unwrap_or_default();
    let mut words = dialect.nothing.iter();
    if words.any(|word| text.contains(word) && !prompt.told.contains(word)) {
        return Ok(RegionAnswer::Nothing);
    }
    let tags = tags(text);
    let lane = lane_name(prompt);
    let unmarked = AnswerMisfit::Unmarked { lane };
    let first = tags.first().ok_or(unmarked)?;
    let start = offset_of(prompt, first.number).ok_or(AnswerMisfit::Disordered)?;
    if matches!(enough, Some(EnoughAnswer::Lines(_))) {
        return followed(prompt, text, start);
    }
    let last = tags.last().filter(|_| tags.len() > 1).ok_or(unmarked)?;
    let end = offset_of(prompt, last.number).ok_or(AnswerMisfit::Disordered)?;
    if tags.len() == 2 && first.number == last.number {
        return Ok(RegionAnswer::Nothing);
    }
    let has_own_lines = text.get(last.end..).unwrap_or_default().starts_with('\n');
    let mut new = prompt.told.get(..start).unwrap_or_default().to_owned();
    for (from, to) in tags.iter().zip(tags.iter().skip(1)) {
        if from.number >= to.number {
            return Err(AnswerMisfit::Disordered);
        }
        let said = text.get(from.end..to.start).unwrap_or_default();
        let is_own_line = has_own_lines && said.starts_with('\n');
        new.push_str(&block(prompt, from.number, to.number, said, is_own_line));
    }
    new.push_str(prompt.told.get(end..).unwrap_or_default());
    let lines = new.split('\n').map(str::to_owned).collect();
    Ok(all_of(lines))
}

/// The region by an answer that was followed to where the rest is clear.
fn followed(
    prompt: &NextEditPrompt,
    text: &str,
    start: usize,
) -> Result<RegionAnswer, AnswerMisfit> {
    let first_line = line_of(prompt, start);
    let mut follower = follower(prompt, first_line);
    let mut lines = text.strip_suffix('\n').unwrap_or(text).split('\n');
    let mut style = MarkerStyle::default();
    for line in &mut lines {
        let tags = tags(line);
        for said in style.read(prompt, &tags, without_tags(line, &tags)) {
            follower.take(&said);
        }
    }
    let old = prompt.told.split('\n').take(first_line).map(str::to_owned);
    Ok(all_of(old.chain(follower.with_rest()).collect()))
}

/// An answer that begins where the region does, since markers say where it belongs.
fn all_of(lines: Vec<String>) -> RegionAnswer {
    let first = lines.iter().find(|line| !line.trim().is_empty()).cloned();
    RegionAnswer::Lines { lines, first }
}

/// What stands between two markers, with the line ends that it has in the region.
fn block(prompt: &NextEditPrompt, from: usize, to: usize, said: &str, is_own_line: bool) -> String {
    let old = |number: usize| offset_of(prompt, number).unwrap_or_default();
    let was = prompt.told.get(old(from)..old(to)).unwrap_or_default();
    let said = if is_own_line && !was.starts_with('\n') {
        said.strip_prefix('\n').unwrap_or(said)
    } else {
        said
    };
    let is_last = to == prompt.markers.len();
    match (said.ends_with('\n'), is_last) {
        (true, true) if !was.ends_with('\n') => said.strip_suffix('\n').unwrap_or(said).to_owned(),
        (false, false) if !said.is_empty() => [said, "\n"].concat(),
        _ => said.to_owned(),
    }
}

/// A marker in a text.
pub(super) struct MarkerTag {
    pub(super) number: usize,
    start: usize,
    end: usize,
}

/// The markers in a text, in order.
pub(super) fn tags(text: &str) -> Vec<MarkerTag> {
    let found = text.match_indices(MARKER_START).filter_map(|(start, _)| {
        let number = start + MARKER_START.len();
        let behind = text.get(number..)?;
        let digits = behind.find(|c: char| !c.is_ascii_digit())?;
        let says = behind.get(..digits).filter(|it| it.len() <= MOST_DIGITS)?;
        behind
            .get(digits..)?
            .starts_with(MARKER_END)
            .then_some(())?;
        Some(MarkerTag {
            number: says.parse().ok()?,
            start,
            end: number + digits + MARKER_END.len(),
        })
    });
    found.collect()
}

/// A line without its markers.
pub(super) fn without_tags(line: &str, tags: &[MarkerTag]) -> String {
    let (mut left, mut from) = (String::new(), 0);
    for tag in tags {
        left.push_str(line.get(from..tag.start).unwrap_or_default());
        from = tag.end;
    }
    left.push_str(line.get(from..).unwrap_or_default());
    left
}

/// Where a marker stands in what was told.
fn offset_of(prompt: &NextEditPrompt, number: usize) -> Option<usize> {
    prompt.markers.get(number.checked_sub(1)?).copied()
}

/// The line that a place in what was told is on.
fn line_of(prompt: &NextEditPrompt, at: usize) -> usize {
    let ahead = prompt.told.get(..at).unwrap_or_default();
    ahead.matches('\n').count()
}
