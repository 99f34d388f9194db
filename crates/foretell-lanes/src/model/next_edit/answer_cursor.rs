//! Where an answer says that the cursor goes: the place of its token, among the lines that the region is to have.
//!
//! Between what a model writes and what its region becomes, fences, markers and remarks are left out and old lines are
//! put behind. So the token is found by its line: that, or if it is blank the last one ahead of it that says
//! something, is as often in the region ahead of the place as it is in the answer. A token that comes twice says
//! nothing.

use super::edit_dialect::MARKER_START;
use super::marked_answer::{tags, without_tags};
use super::next_edit_prompt::NextEditPrompt;
use super::whole_answer::{end_in, is_fence};

/// The place of a cursor in the lines that a region is to have, in bytes of those lines joined.
pub(super) fn place_in(prompt: &NextEditPrompt, answer: &str, new: &[String]) -> Option<usize> {
    let dialect = prompt.dialect;
    let token = Some(dialect.cursor).filter(|_| dialect.places_cursor)?;
    let (ahead, behind) = answer.split_once(token)?;
    if behind.contains(token) || prompt.told.contains(token) {
        return None;
    }
    // Lines of the answer up to the token's, as they are in the region.
    let (earlier, before) = ahead.rsplit_once('\n').unwrap_or(("", ahead));
    let rest = behind.split('\n').next().unwrap_or_default();
    let own = text_of(prompt, &[before, rest].concat())?;
    let column = without_tags(before, &tags(before)).len();
    let has_earlier = ahead.contains('\n');
    let mut lines: Vec<String> = earlier
        .split('\n')
        .filter(|_| has_earlier)
        .filter_map(|line| text_of(prompt, line))
        .collect();
    lines.push(own);
    let last = lines.last()?;
    let says = |line: &&String| !line.trim().is_empty();
    let anchor = lines.iter().rposition(|line| says(&line));
    let at = match anchor.and_then(|at| Some((at, lines.get(at)?))) {
        Some((at, anchor)) => {
            let times = lines.iter().filter(|line| *line == anchor).count();
            let start = first_line(prompt, answer);
            let rest = new.iter().enumerate().skip(start);
            let mut same = rest.filter(|(_, line)| *line == anchor);
            let (found, _) = same.nth(times - 1)?;
            found + (lines.len() - 1 - at)
        }
        None => lines.len() - 1,
    };
    new.get(at).filter(|line| *line == last)?;
    let lines_ahead: usize = new.iter().take(at).map(|line| line.len() + 1).sum();
    last.is_char_boundary(column)
        .then_some(lines_ahead + column)
}

/// A line as it is in the region; nothing if it is only there for the answer's sake.
fn text_of(prompt: &NextEditPrompt, line: &str) -> Option<String> {
    let line = line.strip_suffix('\r').unwrap_or(line);
    let end = end_in(prompt, line).map_or(line.len(), |(at, _)| at);
    let line = line.get(..end)?;
    let tags = tags(line);
    let said = without_tags(line, &tags);
    let is_frame = said.is_empty() && !tags.is_empty() || is_fence(&said);
    (!is_frame).then_some(said)
}

/// The line of the region at which the answer begins.
fn first_line(prompt: &NextEditPrompt, answer: &str) -> usize {
    if !answer.contains(MARKER_START) || prompt.markers.is_empty() {
        return 0;
    }
    let first = tags(answer).first().map_or(1, |tag| tag.number);
    let start = prompt.markers.get(first.saturating_sub(1));
    let ahead = prompt.told.get(..start.copied().unwrap_or_default());
    ahead.unwrap_or_default().matches('\n').count()
}

/// A place in a text, in the text that it became when marks of secrets were turned back.
pub(super) fn restored_place(at: usize, text: &str, restored: &str) -> Option<usize> {
    let (ahead, behind) = (text.get(..at)?, text.get(at..)?);
    if restored.starts_with(ahead) {
        Some(at)
    } else if restored.ends_with(behind) {
        Some(restored.len() - behind.len())
    } else {
        None
    }
}
