//! Answers that write all of the region anew: where they begin and end, and which lines are theirs.
//!
//! Around the lines there may be a fence, and behind them the line or the token that says that this is all. A region of
//! Markdown has fences of its own: the one around it is told from those by how the region itself begins, and its end
//! by their number. An answer that just ends has not reached what is missing of the region, which stays.
//! The token for the cursor is taken out. A word that means "nothing" is the whole answer wherever it stands,
//! unless the region has it: such words have been seen in people's files.

use super::super::format::PromptStyle;
use super::edit_dialect::EditDialect;
use super::line_follower::{EnoughLines, LineFollower, is_same};
use super::next_edit_prompt::NextEditPrompt;
use super::next_edit_reader::{EnoughAnswer, RegionAnswer, follower};
use super::window_answer::remarks;

/// Tokens that end the answers of models of any kind.
const ENDS: [&str; 4] = [
    "<|endoftext|>",
    "<|im_end|>",
    "<[end▁of▁sentence]>",
    "<|!@#IS_NEXT_EDIT!@#|>",
];
const FENCE: &str = "```";
/// The least that is left of a line that says the answer is complete, where it is cut off.
const LEAST_OF_END_LINE: usize = 4;

/// Follows the lines of an answer while they come.
pub(super) struct WholeLines {
    follower: LineFollower,
    /// Whether the answer comes bit by bit, so that there is something to save.
    is_streamed: bool,
    place: FencePlace,
}

/// Where an answer is between its fences.
#[derive(Clone, Debug, PartialEq, Eq)]
enum FencePlace {
    /// Nothing but blank lines has come.
    Begin,
    /// A line came that is a fence around the region, or the region's own.
    Opening(String),
    /// Within a fence.
    Fenced,
    /// Within lines without a fence.
    Bare,
}

/// What a line is to an answer.
enum AnswerLine<'t> {
    /// Lines of the region, as far as it is known by now.
    Lines(Vec<String>),
    /// The end, what stands on the line before it, and whether that says that the answer is complete.
    End(&'t str, AnswerCompleteness),
    /// A word that means that nothing is to be changed.
    Nothing,
}

impl FencePlace {
    /// What a line is.
    fn read<'t>(&mut self, prompt: &NextEditPrompt, line: &'t str) -> AnswerLine<'t> {
        let dialect = prompt.dialect;
        let is_nothing = |word: &&&str| line.contains(**word) && !prompt.told.contains(**word);
        if dialect.nothing.iter().any(|word| is_nothing(&word)) {
            return AnswerLine::Nothing;
        }
        if let Some((at, word)) = end_in(prompt, line) {
            let ahead = line.get(..at).unwrap_or_default();
            let says_so = dialect.end_line == Some(word);
            let completeness = if says_so {
                AnswerCompleteness::Certain
            } else {
                AnswerCompleteness::Uncertain
            };
            return AnswerLine::End(ahead, completeness);
        }
        let line = without_cursor(dialect, line);
        let mut lines = Vec::new();
        if let FencePlace::Opening(first) = self {
            let is_around = is_same(first, &line);
            if is_around {
                *self = FencePlace::Fenced;
            } else {
                lines.push(std::mem::take(first));
                *self = FencePlace::Bare;
            }
        }
        if *self == FencePlace::Begin && !line.trim().is_empty() {
            if !is_fence(&line) {
                *self = FencePlace::Bare;
            } else if first_said(&prompt.told).is_some_and(|first| is_same(first, &line)) {
                // The region begins with such a line: one around it would be followed by that.
                *self = FencePlace::Opening(line);
                return AnswerLine::Lines(lines);
            } else {
                *self = FencePlace::Fenced;
                return AnswerLine::Lines(lines);
            }
        }
        lines.push(line);
        AnswerLine::Lines(lines)
    }

    /// The line that was kept back until the next one came.
    fn kept_back(self) -> Option<String> {
        match self {
            FencePlace::Opening(line) => Some(line),
            FencePlace::Begin | FencePlace::Fenced | FencePlace::Bare => None,
        }
    }
}

impl WholeLines {
    pub(super) fn new(prompt: &NextEditPrompt) -> Self {
        WholeLines {
            follower: follower(prompt, 0),
            is_streamed: prompt.dialect.style != PromptStyle::Edit,
            place: FencePlace::Begin,
        }
    }

    /// Takes a line in. Says whether that is enough, and why.
    pub(super) fn take(&mut self, prompt: &NextEditPrompt, line: &str) -> Option<EnoughAnswer> {
        let lines = match self.place.read(prompt, line) {
            AnswerLine::Nothing => return Some(EnoughAnswer::Nothing),
            AnswerLine::End(..) => return Some(EnoughAnswer::Done),
            AnswerLine::Lines(lines) => lines,
        };
        for line in lines {
            let enough = follow(&mut self.follower, prompt, &line);
            let enough = enough.filter(|it| self.is_streamed || *it == EnoughLines::Circles);
            if enough.is_some() {
                return enough.map(EnoughAnswer::Lines);
            }
        }
        None
    }
}

/// Lets a line be followed, unless it is a fence around a region that has none.
fn follow(follower: &mut LineFollower, prompt: &NextEditPrompt, line: &str) -> Option<EnoughLines> {
    let is_around = is_fence(line) && fences(&prompt.told) == 0;
    if is_around { None } else { follower.take(line) }
}

/// What an answer comes to, of which no more is read.
pub(super) fn of(
    prompt: &NextEditPrompt,
    text: &str,
    enough: Option<EnoughAnswer>,
) -> RegionAnswer {
    let text = text.replace("\r\n", "\n");
    let (mut place, mut lines) = (FencePlace::Begin, Vec::new());
    let mut completeness = AnswerCompleteness::Uncertain;
    // Behind the last line end there is no line.
    let body = without_half_end(prompt, &text);
    let mut is_last_whole = body.len() < text.len() || body.ends_with('\n');
    let body = body.strip_suffix('\n').unwrap_or(body);
    for line in body.split('\n') {
        match place.read(prompt, line) {
            AnswerLine::Nothing => return RegionAnswer::Nothing,
            AnswerLine::End(ahead, says) => {
                let ahead = without_cursor(prompt.dialect, ahead);
                is_last_whole = ahead.is_empty();
                lines.extend((!ahead.is_empty()).then_some(ahead));
                completeness = says;
                break;
            }
            AnswerLine::Lines(more) => lines.extend(more),
        }
    }
    let is_fenced = place == FencePlace::Fenced;
    lines.extend(place.kept_back());
    if !matches!(enough, Some(EnoughAnswer::Lines(_))) {
        if let Some(at) = closing_fence(prompt, &lines, is_fenced) {
            lines.truncate(at);
            is_last_whole = true;
            // Nothing is behind the fence that was opened ahead of all of it.
            if is_fenced {
                completeness = AnswerCompleteness::Certain;
            }
        }
    }
    if let Some(at) = remarks(&prompt.told, &lines).filter(|_| !is_fenced) {
        lines.truncate(at);
        is_last_whole = true;
        completeness = AnswerCompleteness::Uncertain;
    }
    let said = lines.join("\n");
    let first = first_said(&said).map(str::to_owned);
    let words = prompt.dialect.nothing_alone.iter();
    if words.into_iter().any(|word| said.trim() == *word) || said.trim().is_empty() {
        // A region is never deleted whole.
        return RegionAnswer::Nothing;
    }
    let mut follower = follower(prompt, 0);
    for line in &lines {
        follow(&mut follower, prompt, line);
    }
    if matches!(enough, Some(EnoughAnswer::Lines(_))) {
        lines = follower.with_rest();
        return RegionAnswer::Lines { lines, first };
    }
    if completeness == AnswerCompleteness::Uncertain && fences(&said) == fences(&prompt.told) {
        lines = follower.with_unreached(is_last_whole);
    }
    RegionAnswer::Lines { lines, first }
}

/// Whether an answer is known to be all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AnswerCompleteness {
    /// It says so.
    Certain,
    /// It just ended.
    Uncertain,
}

/// Which of the lines is the fence that closes the one around all of them. Fences of the region, and of code that is
/// put in, come in twos.
fn closing_fence(prompt: &NextEditPrompt, lines: &[String], is_fenced: bool) -> Option<usize> {
    let own = fences(&prompt.told);
    let said = lines.iter().filter(|line| is_fence(line)).count();
    let is_bare = |line: &String| is_fence(line) && line.trim().chars().all(|c| c == '`');
    let last = lines.iter().rposition(is_bare)?;
    if is_fenced {
        return ((own + said) % 2 == 1).then_some(last);
    }
    let mut behind = lines.iter().skip(last + 1);
    let is_alone = own == 0 && said == 1 && last > 0;
    (is_alone && behind.all(|line| line.trim().is_empty())).then_some(last)
}

/// Where the first word in a line is that ends the answer, and which. A word that the region has is none.
pub(super) fn end_in<'d>(prompt: &'d NextEditPrompt, line: &str) -> Option<(usize, &'d str)> {
    let dialect = prompt.dialect;
    let words = prompt
        .stop_words()
        .chain(dialect.end_line)
        .chain(ENDS)
        .filter(|word| !prompt.told.contains(word));
    let found = words.filter_map(|word| line.find(word).map(|at| (at, word)));
    found.min_by_key(|(at, _)| *at)
}

fn first_said(text: &str) -> Option<&str> {
    text.split('\n').find(|line| !line.trim().is_empty())
}

fn without_cursor(dialect: &EditDialect, line: &str) -> String {
    if dialect.cursor.is_empty() {
        line.to_owned()
    } else {
        line.replace(dialect.cursor, "")
    }
}

/// Whether a line is a fence of Markdown.
pub(super) fn is_fence(line: &str) -> bool {
    line.trim_start().starts_with(FENCE)
}

/// How many lines of a text are fences.
fn fences(text: &str) -> usize {
    text.split('\n').filter(|line| is_fence(line)).count()
}

/// An answer without half of a word that would have ended it.
fn without_half_end<'t>(prompt: &NextEditPrompt, text: &'t str) -> &'t str {
    let half = prompt.controls.half_at_end(text);
    let text = text.get(..text.len() - half).unwrap_or(text);
    let Some(end) = prompt.dialect.end_line else {
        return text;
    };
    let body = text.strip_suffix('\n').unwrap_or(text);
    let (ahead, last) = body.rsplit_once('\n').unwrap_or(("", body));
    let is_half = last.len() >= LEAST_OF_END_LINE && end.starts_with(last.trim_end());
    if is_half && last.trim_end() != end {
        ahead
    } else {
        text
    }
}
