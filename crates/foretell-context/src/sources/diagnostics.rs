//! Diagnostics of compilers and linters in the file: `## Diagnostics`.
//!
//! One line each: ``**ERROR** [typescript] (line 1): Missing return type annotation.`` Errors come
//! before warnings, and among equals those nearest to the cursor or the selection, in lines; what is
//! equal in that too keeps the order it was given in. Nothing is said twice.
//!
//! A diagnostic without a source has no brackets. One of which the range is not in the text is about
//! another text, and is left out, and so is one that says nothing. Messages are one line, however
//! many they were, and short: the first sentence tells what is wrong, and the rest is often the code
//! once more.
//!
//! Absent on purpose: codes such as `E0425`, which models do not need, and fixes, which are a lane's.

use std::ops::RangeInclusive;

use foretell_text::{Diagnostic, DiagnosticSeverity, PositionEncoding};

use super::distance;
use super::shorten::one_line;
use crate::context_request::ContextRequest;
use crate::context_section::{ContextEntry, ContextSection, EntrySpacing};

/// How long a message may be, in characters.
const LONGEST_MESSAGE: usize = 300;
/// How long the name of its source may be, in characters.
const LONGEST_SOURCE: usize = 40;

/// The most important diagnostics, at most so many.
pub fn section(request: &ContextRequest, most: usize) -> Option<ContextSection> {
    let here = request.lines();
    let placed = request.diagnostics.iter().filter_map(|diagnostic| {
        let lines = lines_of(request, diagnostic)?;
        Some((diagnostic, lines))
    });
    let mut placed: Vec<_> = placed.collect();
    placed.sort_by_key(|(diagnostic, lines)| (diagnostic.severity, distance(lines, &here)));
    let mut entries: Vec<ContextEntry> = Vec::new();
    for (diagnostic, lines) in placed {
        if entries.len() >= most {
            break;
        }
        let Some(text) = remark(diagnostic, *lines.start()) else {
            continue;
        };
        if entries.iter().all(|entry| entry.text != text) {
            let file = Some(request.file.clone());
            let secrets = Vec::new();
            entries.push(ContextEntry {
                file,
                text,
                code: None,
                secrets,
            });
        }
    }
    (!entries.is_empty()).then(|| ContextSection {
        heading: "Diagnostics".into(),
        entries,
        spacing: EntrySpacing::Lines,
    })
}

/// The lines that a diagnostic is about, if it is about this text.
fn lines_of(request: &ContextRequest, diagnostic: &Diagnostic) -> Option<RangeInclusive<u32>> {
    let line = |offset| {
        let position = request.text.position_of(offset, PositionEncoding::Utf8);
        position.ok().map(|position| position.line)
    };
    Some(line(diagnostic.range.start())?..=line(diagnostic.range.end())?)
}

/// The message of a diagnostic, in one line, if it has one.
fn remark(diagnostic: &Diagnostic, line: u32) -> Option<String> {
    let message = one_line(&diagnostic.message, LONGEST_MESSAGE);
    if message.is_empty() {
        return None;
    }
    let severity = match diagnostic.severity {
        DiagnosticSeverity::Error => "ERROR",
        DiagnosticSeverity::Warning => "WARNING",
        DiagnosticSeverity::Information => "INFO",
        DiagnosticSeverity::Hint => "HINT",
    };
    let source = diagnostic.source.as_deref().unwrap_or_default();
    let source = match one_line(source, LONGEST_SOURCE) {
        source if source.is_empty() => source,
        source => format!(" [{source}]"),
    };
    let line = u64::from(line) + 1;
    Some(format!("**{severity}**{source} (line {line}): {message}"))
}
