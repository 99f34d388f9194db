//! How the line goes on elsewhere.
//!
//! People write the same lines again: the next `case`, the next field, the next test. Where the line
//! at the cursor begins as others do, and those go on alike, so does this one. That is all recall
//! knows; it is the idea of every rule below.
//!
//! - *The same prefix*: a place counts if its line begins, word for word, as the line at the cursor
//!   does. Spacing does not matter. A line that only shares its last words with ours is about
//!   something else.
//! - *Names are mapped*: near the cursor names may differ where each of theirs stands for one of
//!   ours; what follows is told in our names.
//! - *The longest match wins*: places that also have the lines above in common with ours come before
//!   those that have not.
//! - *Agreement*: what single places say is a coincidence, and people write a line again in order to
//!   say something else with it. So it takes several places, and nearly all of them must agree; only
//!   one that has the line above and a long prefix in common speaks for itself.
//! - *To the end of the line*, and on to the end of the block that it opens, where all places that
//!   agree on the line agree on that, too.
//! - *Not again*: what the person has just deleted here, or did not want, is not offered.
//!
//! The text behind the cursor must be the end of the suggestion, as it is where an editor closes
//! brackets by itself; recall is silent in the middle of a line.
//!
//! | part | what it is |
//! | --- | --- |
//! | `source_lines` | the lines that are looked through |
//! | `line_words` | a line as words and marks |
//! | `name_mapping`, `name_parts` | which names stand for which |
//! | `similar_places` | places that look like ours |
//! | `vote` | what they agree on |
//! | `opened_block` | the block that a line opens |
//!
//! The document is read first, then others that are open, and the workspace only if those are not
//! enough. The time is linear in what is read, and that is bounded.
//!
//! Absent on purpose: grammar, and any guess of what is new: this is about what is written already.

mod line_words;
mod name_mapping;
mod name_parts;
mod opened_block;
mod similar_places;
mod source_lines;
mod vote;

use std::sync::Arc;

use foretell_text::{
    ByteOffset, ByteRange, CodeChunk, Edit, LaneCandidate, PositionEncoding, Replacement, Text,
};

use self::similar_places::{RecallPoint, SimilarPlace};
use crate::lane_request::{LaneRequest, OpenDocument};
use foretell_text::plain::is_word;

/// How much of the document is read, in bytes: more than ten thousand lines.
const MOST_OF_OURS: usize = 1 << 19;
/// How much of each other is read, in bytes.
const MOST_OF_OTHERS: usize = 1 << 17;
/// How many other documents are read.
const MOST_OTHERS: usize = 8;
/// How many chunks of the workspace are read.
const MOST_CHUNKS: usize = 16;
/// How many of the latest changes are looked at for what was deleted here.
const MOST_EDITS: usize = 4;
/// How much of the lines at the cursor the workspace is asked for, in bytes.
const LONGEST_QUESTION: usize = 200;

/// Characters that an editor closes by itself, or that end a statement.
const CLOSERS: &str = ")]}>;,'\"`";

/// The suggestions, the best first.
pub fn predict(request: &LaneRequest, is_stopped: &dyn Fn() -> bool) -> Vec<LaneCandidate> {
    suggest(request, is_stopped).into_iter().collect()
}

fn suggest(request: &LaneRequest, is_stopped: &dyn Fn() -> bool) -> Option<LaneCandidate> {
    let text = &request.document.text;
    let cursor = CursorLine::new(text, request.at)?;
    let (own, start) = source_lines::read(text, request.at, MOST_OF_OURS)?;
    let others = others(request);
    let others: Vec<_> = others
        .filter_map(|text| source_lines::read(text, ByteOffset::ZERO, MOST_OF_OTHERS))
        .collect();
    let mut pages = vec![source_lines::lines(&own)];
    pages.extend(others.iter().map(|(other, _)| source_lines::lines(other)));
    let line_of = |at| {
        text.position_of(at, PositionEncoding::Utf8)
            .ok()
            .map(|at| at.line as usize)
    };
    let line = line_of(cursor.at)?.checked_sub(line_of(start)?)?;
    let here = RecallPoint::new(&own, &pages[0], line, &cursor.before);
    let mut places: Vec<SimilarPlace<'_>> = Vec::new();
    for (page, lines) in pages.iter().enumerate() {
        if is_stopped() {
            return None;
        }
        places.extend(here.places(page, lines));
    }
    let mut chosen = vote::choose(&here, &places, &pages, &cursor.after);
    let chunks;
    if chosen.is_none() && !here.is_blank() {
        chunks = found(request, &here, is_stopped);
        let first = pages.len();
        pages.extend(chunks.iter().map(|text| source_lines::lines(text)));
        for (page, lines) in pages.iter().enumerate().skip(first) {
            places.extend(here.places(page, lines));
        }
        chosen = vote::choose(&here, &places, &pages, &cursor.after);
    }
    let chosen = chosen.filter(|chosen| !is_deleted(request, &cursor, &chosen.rest))?;
    let written = cursor.written(chosen, source_lines::line_end(&own))?;
    if is_refused(request, &written) {
        return None;
    }
    Some(LaneCandidate::new(
        request.document.id.clone(),
        Edit::from(Replacement::new(cursor.rest()?, written)),
    ))
}

/// Whether the person did not want that, here or elsewhere: all that would be written, however it is
/// laid out, is what was refused, or the end of it where more of the line is typed by now.
fn is_refused(request: &LaneRequest, written: &str) -> bool {
    let plain = |text: &str| text.split_whitespace().collect::<String>();
    let written = plain(written);
    let mut refused = request.refused.iter();
    refused.any(|refused| plain(&refused.new_text).ends_with(&written))
}

/// Whether the person has just deleted that here.
fn is_deleted(request: &LaneRequest, cursor: &CursorLine, rest: &str) -> bool {
    let rest = rest.trim();
    let here = ByteRange::empty(cursor.at);
    let latest = request.document.edits.iter().take(MOST_EDITS);
    let deleted = latest.filter(|edit| edit.range.touches(here));
    let mut deleted = deleted.map(|edit| edit.old_text.trim());
    deleted.any(|old| !old.is_empty() && rest.starts_with(old))
}

/// The other documents that may know how the line goes on.
fn others(request: &LaneRequest) -> impl Iterator<Item = &Text> {
    let ours = &request.document.language;
    let alike = request
        .others
        .iter()
        .filter(|other| ours.is_like(&other.language));
    alike.take(MOST_OTHERS).map(|other| &other.text)
}

/// Code of the workspace that has the words before the cursor.
fn found(
    request: &LaneRequest,
    here: &RecallPoint<'_>,
    is_stopped: &dyn Fn() -> bool,
) -> Vec<Arc<str>> {
    let question = here.before.trim();
    if question.len() > LONGEST_QUESTION || here.len() < 2 {
        return Vec::new();
    }
    let OpenDocument { file, language, .. } = &request.document;
    // The index has an older text of the document itself than we have.
    let is_other = |chunk: &CodeChunk| chunk.file != *file && language.is_like(&chunk.language);
    // Without an index, or with a broken one, the open documents have to do.
    let chunks = request.code.find(question, None, MOST_CHUNKS, is_stopped);
    let others = chunks.unwrap_or_default().into_iter().filter(is_other);
    others.map(|chunk| chunk.text).collect()
}

/// The line that the cursor is on.
struct CursorLine {
    line: ByteRange,
    at: ByteOffset,
    before: String,
    after: String,
}

impl CursorLine {
    /// Nothing if the place is not one where recall has anything to say.
    fn new(text: &Text, at: ByteOffset) -> Option<Self> {
        let line = text.line_at(at).ok()?;
        // Between the two characters of a line end.
        let at = at.min(line.end());
        if line.len() > source_lines::LONGEST_LINE {
            return None;
        }
        let before = text.read(ByteRange::new(line.start(), at).ok()?).ok()?;
        let after = text.read(ByteRange::new(at, line.end()).ok()?).ok()?;
        let is_closing = |c: char| c.is_whitespace() || CLOSERS.contains(c);
        let is_within = after.starts_with(is_word) && before.ends_with(is_word);
        (after.chars().all(is_closing) && !is_within).then(|| CursorLine {
            line,
            at,
            before: before.into_owned(),
            after: after.into_owned(),
        })
    }

    /// From the cursor to the end of the line.
    fn rest(&self) -> Option<ByteRange> {
        ByteRange::new(self.at, self.line.end()).ok()
    }

    /// The text to write, with the line ends of the document and our indent.
    fn written(&self, chosen: vote::RecallChoice, line_end: &str) -> Option<String> {
        let indent = line_words::indent(&self.before);
        let mut written = chosen.rest;
        for line in chosen.block {
            written.push_str(line_end);
            if !line.is_empty() {
                written.push_str(indent);
                written.push_str(&line);
            }
        }
        (written.trim() != self.after.trim()).then_some(written)
    }
}
