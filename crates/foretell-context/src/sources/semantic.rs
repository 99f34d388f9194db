//! Code of the workspace that has to do with the place: `## Relevant Code from Workspace`.
//!
//! Each entry says in which file, on which lines, what it is, and quotes it:
//!
//! ````markdown
//! **File**: `src/api/client.ts` (lines 42-52) - function: `apiRequest`
//! ```typescript
//! async function apiRequest(endpoint: string): Promise<any> { ... }
//! ```
//! ````
//!
//! The search is behind [`CodeSearch`]; here is what is asked ([`query`]) and what is told of the
//! answer. Nothing is told that a model sees anyway, which is the text for [`AROUND`] lines around the
//! cursor or the selection, under whatever name it is found. Nothing is told twice: not the same lines,
//! not the same text in another file, and nothing that contains what was told or is contained in it. The
//! chunk that was ranked higher stays.
//!
//! Chunks are quoted whole, as they were found; blank ones are not. A chunk of the lines of a file
//! says what they are only if that is known: a block without a name is just lines.

pub mod query;

use std::ops::RangeInclusive;

use foretell_text::{ByteOffset, ByteRange, ChunkKind, CodeChunk, CodeSearch, CodeSearchError};

pub use self::query::CodeQuery;
use super::code_fence;
use super::shorten::one_line;
use crate::context_request::ContextRequest;
use crate::context_section::{ContextEntry, ContextSection, EntrySpacing};

/// How many lines above and below the place are not told of: about what a model is shown of the file
/// by any lane.
pub const AROUND: u32 = 20;

/// How many times as many chunks are asked for as are told of, so that enough are left.
const SPARE: usize = 4;

/// How long a name may be, in characters.
const LONGEST_NAME: usize = 80;

/// Asks for code that has to do with the place, and tells of at most so many chunks of it.
pub fn section(
    request: &ContextRequest,
    finder: &dyn CodeSearch,
    most: usize,
    is_stopped: &dyn Fn() -> bool,
) -> Result<Option<ContextSection>, CodeSearchError> {
    if most == 0 {
        return Ok(None);
    }
    let Some(query) = CodeQuery::of(request) else {
        return Ok(None);
    };
    let found = finder.find(
        &query.text,
        Some(&query.file),
        most.saturating_mul(SPARE),
        is_stopped,
    )?;
    if is_stopped() {
        return Err(CodeSearchError::Stopped);
    }
    Ok(tell(request, &found, most))
}

/// Tells of chunks that were found, the best first, at most so many.
pub fn tell(request: &ContextRequest, found: &[CodeChunk], most: usize) -> Option<ContextSection> {
    let mut told: Vec<&CodeChunk> = Vec::new();
    let seen = around(request);
    for chunk in found {
        if told.len() >= most {
            break;
        }
        let text = chunk.text.trim();
        // A copy of the file says what the file says.
        let is_seen = || is_around(request, chunk) || seen.contains(text);
        let is_told = || told.iter().any(|told| is_same(told, chunk));
        if !text.is_empty() && !is_seen() && !is_told() {
            told.push(chunk);
        }
    }
    let entries: Vec<ContextEntry> = told.into_iter().map(entry).collect();
    (!entries.is_empty()).then(|| ContextSection {
        heading: "Relevant Code from Workspace".into(),
        entries,
        spacing: EntrySpacing::Paragraphs,
    })
}

/// The lines that are near the place, the first line of a file being 0.
fn lines_around(request: &ContextRequest) -> RangeInclusive<u32> {
    let here = request.lines();
    here.start().saturating_sub(AROUND)..=here.end().saturating_add(AROUND)
}

/// The text of those lines.
fn around(request: &ContextRequest) -> String {
    let lines = lines_around(request);
    let text = &request.text;
    let line = |number: u32| text.line(number).map_or(text.end(), |line| line.start());
    let after = lines.end().saturating_add(1);
    let range = ByteRange::new(line(*lines.start()), line(after));
    let said = range.ok().and_then(|range| text.read(range).ok());
    said.map_or_else(String::new, Into::into)
}

/// Whether a chunk has a line that is near the place.
fn is_around(request: &ContextRequest, chunk: &CodeChunk) -> bool {
    let lines = lines_around(request);
    // Chunks count lines from 1.
    let (first, last) = (*lines.start() as usize + 1, *lines.end() as usize + 1);
    chunk.file == request.file && *chunk.lines.start() <= last && first <= *chunk.lines.end()
}

/// Whether one of them says all that the other does.
fn is_same(one: &CodeChunk, other: &CodeChunk) -> bool {
    let contains = |outer: &CodeChunk, inner: &CodeChunk| {
        let has_lines =
            outer.lines.start() <= inner.lines.start() && inner.lines.end() <= outer.lines.end();
        (outer.file == inner.file && has_lines) || outer.text.contains(inner.text.trim())
    };
    contains(one, other) || contains(other, one)
}

fn entry(chunk: &CodeChunk) -> ContextEntry {
    let path = code_fence::inline(&chunk.file.told());
    let lines = match (chunk.lines.start(), chunk.lines.end()) {
        (first, last) if first < last => format!("lines {first}-{last}"),
        (first, _) => format!("line {first}"),
    };
    let kind = chunk.kind.name();
    let name = one_line(chunk.name.as_deref().unwrap_or_default(), LONGEST_NAME);
    let what = match (chunk.kind, &*name) {
        (ChunkKind::Block, "") => String::new(),
        (_, "") => format!(" - {kind}"),
        (_, name) => format!(" - {kind}: {}", code_fence::inline(name)),
    };
    let shown = without_blank_start(&chunk.text);
    let code = code_fence::block(&chunk.language, shown);
    let before = format!("**File**: {path} ({lines}){what}\n");
    let opened = code.find('\n').map_or(code.len(), |end| end + 1);
    let quoted = QuotedCode {
        cut: chunk.text.len() - shown.len(),
        text: shown,
        at: before.len() + opened,
        end: before.len() + code.rfind('\n').unwrap_or_default(),
    };
    let secrets = chunk.secrets.iter().filter_map(|it| quoted.place_of(*it));
    ContextEntry {
        file: Some(chunk.file.clone()),
        secrets: secrets.collect(),
        code: code_fence::code_in(before.len(), &code),
        text: format!("{before}{code}"),
    }
}

/// Code in an entry: what of it is shown, and where.
struct QuotedCode<'c> {
    /// How much is left out before it.
    cut: usize,
    text: &'c str,
    /// Where it begins in the entry, and what it does not go beyond.
    at: usize,
    end: usize,
}

impl QuotedCode<'_> {
    /// Where a part of the code is in the entry, whose lines end with LF whatever they ended with.
    fn place_of(&self, part: ByteRange) -> Option<ByteRange> {
        let place = |offset: ByteOffset| {
            let offset = offset.get().saturating_sub(self.cut);
            let before = self.text.get(..offset)?;
            let splits_line_end =
                before.ends_with('\r') && self.text.get(offset..)?.starts_with('\n');
            let length = code_fence::with_line_feeds(before).len() - usize::from(splits_line_end);
            Some(ByteOffset::new((self.at + length).min(self.end)))
        };
        let places = place(part.start()).zip(place(part.end()));
        // What is not in it makes all of it secret where it is told.
        let (start, end) = places.unwrap_or((ByteOffset::ZERO, ByteOffset::new(usize::MAX)));
        let range = ByteRange::new(start, end).ok()?;
        (!range.is_empty()).then_some(range)
    }
}

/// Code without blank lines before it, its first line indented as it is.
fn without_blank_start(code: &str) -> &str {
    let blank = code.len() - code.trim_start().len();
    let (front, _) = code.split_at_checked(blank).unwrap_or_default();
    let cut = front.rfind(['\n', '\r']).map_or(0, |end| end + 1);
    code.split_at_checked(cut).unwrap_or((code, code)).1
}
