//! The latest changes of the person: `## Recent Changes`.
//!
//! Each entry says in which file, how long ago, what kind of change it was, and what is there now:
//!
//! ````markdown
//! **File**: `src/auth/login.ts` (2 minutes ago)
//! **Change**: Added error handling with try/catch block
//! ```typescript
//! try { ... } catch (error) { ... }
//! ```
//! ````
//!
//! The best come first: 50 points for the file the person is in, up to 25 there for closeness (one
//! less for every line between), up to 25 for being recent (one less for every minute). Among equals
//! the later one is first.
//!
//! The model is told the difference between what stood at a place and what stands there *now*: where a
//! typo was mended in a new function, the function is told as it reads. So what was undone, or
//! changed back, or replaced by itself, does not appear. What is gone is told as it read when it was
//! taken out, whatever became of its line since. Neither does a change of blank lines, nor
//! one of mere spacing that a formatter made.
//!
//! Code is whole lines, at most 500 characters of them. A change too far along a very long line is
//! left out: without the start of its line nobody, the redactor included, could tell what it is.
//!
//! | part | what it is |
//! | --- | --- |
//! | [`mod@describe`] | a change in words |
//! | `changed_lines` | a change as lines removed and lines added |
//! | `change_shapes` | what is recognised in lines |
//! | `line_kinds` | which lines are imports, and which are comments |

mod change_shapes;
mod changed_lines;
pub mod describe;
mod line_kinds;

use std::cmp::Reverse;

use foretell_text::{ChangeReason, PositionEncoding, RecentEdit};

use self::changed_lines::ChangedLines;
use self::describe::{ChangeKind, describe};
use super::{code_fence, distance, shorten};
use crate::context_request::{ContextRequest, FileChange};
use crate::context_section::{ContextEntry, ContextSection, EntrySpacing};

/// How much code of a change is told, in characters.
const MOST_CODE: usize = 500;

/// The bonus of a change in the file that the person is in.
const SAME_FILE: u64 = 50;
/// The bonus of one on the very same line, and of one of this very minute.
const CLOSEST: u64 = 25;
const LATEST: u64 = 25;

const MINUTE: u64 = 60_000;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// The most telling changes, at most so many.
pub fn section(request: &ContextRequest, most: usize) -> Option<ContextSection> {
    let scored = request
        .changes
        .iter()
        .filter_map(|change| Some((score(request, change)?, change)));
    let mut scored: Vec<_> = scored.collect();
    scored.sort_by_key(|(score, change)| (Reverse(*score), change.edit.age_ms));
    let changes = scored.into_iter().map(|(_, change)| change);
    let entries: Vec<ContextEntry> = changes.filter_map(entry).take(most).collect();
    (!entries.is_empty()).then(|| ContextSection {
        heading: "Recent Changes".into(),
        entries,
        spacing: EntrySpacing::Paragraphs,
    })
}

/// How telling a change is, if its place is in its file.
fn score(request: &ContextRequest, change: &FileChange) -> Option<u64> {
    let line = |offset| {
        let position = change.text.position_of(offset, PositionEncoding::Utf8);
        position.ok().map(|position| position.line)
    };
    let range = change.edit.range;
    let lines = line(range.start())?..=line(range.end())?;
    let recency = LATEST.saturating_sub(change.edit.age_ms / MINUTE);
    if change.file != request.file {
        return Some(recency);
    }
    let away = u64::from(distance(&lines, &request.lines()));
    Some(SAME_FILE + CLOSEST.saturating_sub(away) + recency)
}

/// The entry of a change, if it has one.
fn entry(change: &FileChange) -> Option<ContextEntry> {
    let FileChange { file, edit, .. } = change;
    if edit.reason == ChangeReason::Undo || edit.old_text == edit.new_text {
        return None;
    }
    let lines = ChangedLines::of(&change.text, edit, MOST_CODE)?;
    let description = describe(&lines.removed, &lines.added, &change.language);
    if description.kind == ChangeKind::Spacing && edit.reason == ChangeReason::Other {
        return None;
    }
    let gone = removed_lines(change, &lines)?;
    let removed: Vec<&str> = gone.iter().map(String::as_str).collect();
    let added: Vec<&str> = lines.added.iter().map(String::as_str).collect();
    let shown = match description.kind {
        ChangeKind::Removal => &removed,
        ChangeKind::Addition | ChangeKind::Replacement | ChangeKind::Spacing => &added,
    };
    let shortened = shorten::lines(shown, MOST_CODE);
    if !shortened.is_whole && lines.same_start >= shortened.kept {
        return None;
    }
    let path = code_fence::inline(&file.told());
    let age = ago(edit.age_ms);
    let words = description.words;
    let code = code_fence::block(&change.language, &shortened.code);
    let before = format!("**File**: {path} ({age})\n**Change**: {words}\n");
    // Code that is gone, or of which a part is left out, is nothing to go on from.
    let is_there = shortened.is_whole && description.kind != ChangeKind::Removal;
    let quoted = code_fence::code_in(before.len(), &code).filter(|_| is_there);
    Some(ContextEntry {
        file: Some(file.clone()),
        code: quoted,
        text: format!("{before}{code}"),
        secrets: Vec::new(),
    })
}

/// The lines of a change as they read before it. What stands around it may have changed since, and with that they would
/// be lines that never were.
fn removed_lines(change: &FileChange, now: &ChangedLines) -> Option<Vec<String>> {
    let Some(made) = &change.made else {
        return Some(now.removed.clone());
    };
    let edit = RecentEdit {
        range: made.range,
        ..change.edit.clone()
    };
    let then = ChangedLines::of(&made.text, &edit, MOST_CODE)?;
    Some(then.removed)
}

/// How long ago something was, in words.
pub fn ago(age_ms: u64) -> String {
    let (count, unit) = match age_ms {
        ..MINUTE => return "just now".into(),
        MINUTE..HOUR => (age_ms / MINUTE, "minute"),
        HOUR..DAY => (age_ms / HOUR, "hour"),
        DAY.. => (age_ms / DAY, "day"),
    };
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {unit}{ending} ago")
}
