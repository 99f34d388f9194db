//! What the sources tell a model, and what they never do.
#![allow(
    clippy::unwrap_used,
    reason = "a story that goes wrong should stop where it does"
)]

use std::sync::Arc;

use foretell_context::sources::semantic::CodeQuery;
use foretell_context::sources::{change_history, diagnostics, semantic};
use foretell_context::{ChangeMoment, ContextRequest, ContextSection, EntrySpacing, FileChange};
use foretell_testkit::string_model::range;
use foretell_text::{
    ByteOffset, ByteRange, ChangeReason, ChunkKind, CodeChunk, CodeSearch, CodeSearchError,
    Diagnostic, DiagnosticSeverity, FilePath, Language, RecentEdit, Text,
};
use proptest::prelude::*;

#[path = "sources/anything.rs"]
mod anything;
#[path = "sources/diagnostics.rs"]
mod what_compilers_say;
#[path = "sources/semantic.rs"]
mod what_has_to_do_with_it;
#[path = "sources/history.rs"]
mod what_was_changed;

const MINUTE: u64 = 60_000;

/// A file in which `|` is the cursor.
fn at(marked: &str) -> ContextRequest {
    let (front, back) = marked.split_once('|').unwrap();
    ContextRequest {
        file: FilePath::new("src/here.ts"),
        language: Language::new("typescript"),
        text: Text::from(&*[front, back].concat()),
        cursor: ByteOffset::new(front.len()),
        selection: None,
        instruction: String::new(),
        diagnostics: Vec::new(),
        changes: Vec::new(),
    }
}

fn entries(section: Option<ContextSection>) -> Vec<String> {
    let entries = section.map(|section| section.entries).unwrap_or_default();
    entries.into_iter().map(|entry| entry.text).collect()
}
