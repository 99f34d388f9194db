//! The names that the last changes were about, and where they still stand.
//!
//! A change is about the names that it took away, and about the one that is called or declared with the brackets
//! that it was made in: who adds an argument to a function is about to add it elsewhere. Which places are sure
//! enough to change without asking anybody is told by the rest of `repeat`; these are places to have a look at, so
//! that a name counts wherever it stands in code.

use std::collections::BTreeSet;

use foretell_text::code_tokens::{TokenKind, pieces};
use foretell_text::language::common_words::is_keyword;
use foretell_text::{ByteOffset, DocumentId};

use super::change::RepeatChange;
use super::document_pieces::{DocumentPieces, PieceZone};
use super::open_documents::OpenDocuments;
use crate::lane_request::{LaneRequest, OpenDocument};

/// How many names are looked for.
const MOST_NAMES: usize = 4;
/// How many pieces before a change its bracket is looked for.
const MOST_INSIDE: usize = 64;
/// The shortest name that says something, in bytes.
const SHORTEST: usize = 3;

/// The names, those of the latest change first.
pub(crate) struct ChangedNames<'request> {
    request: &'request LaneRequest,
    names: Vec<String>,
}

impl<'request> ChangedNames<'request> {
    /// The names that the last changes of a request were about.
    pub(crate) fn of(request: &'request LaneRequest) -> Self {
        let mut open = OpenDocuments::new(request);
        let mut names: Vec<String> = Vec::new();
        for change in open.changes() {
            let Some(page) = open.page(change.document) else {
                continue;
            };
            let gone = words_gone(&change).into_iter();
            let new = gone.chain(called(&change, page));
            for name in new {
                if names.len() < MOST_NAMES && !names.contains(&name) && says_something(&name) {
                    names.push(name);
                }
            }
        }
        ChangedNames { request, names }
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// All of them, as a question to a search.
    pub(crate) fn words(&self) -> String {
        self.names.join(" ")
    }

    /// The first place of each document where one of them stands, on a line that was not just changed: the
    /// nearest below the cursor, or else above it. Where `is_passed` says so there is none.
    pub(crate) fn standing(
        &self,
        is_passed: &dyn Fn(&DocumentId, ByteOffset) -> bool,
        is_stopped: &dyn Fn() -> bool,
    ) -> Vec<(DocumentId, ByteOffset)> {
        if self.is_empty() {
            return Vec::new();
        }
        let mut open = OpenDocuments::new(self.request);
        let documents = std::iter::once(&self.request.document).chain(&self.request.others);
        let mut found = Vec::new();
        for (index, document) in documents.enumerate() {
            if is_stopped() {
                break;
            }
            let cursor = match index {
                0 => self.request.at.get(),
                _ => 0,
            };
            let Some(page) = open.page(index) else {
                continue;
            };
            let at = self.first_in(page, document, cursor, is_passed);
            found.extend(at.map(|at| (document.id.clone(), at)));
        }
        found
    }

    fn first_in(
        &self,
        page: &DocumentPieces,
        document: &OpenDocument,
        cursor: usize,
        is_passed: &dyn Fn(&DocumentId, ByteOffset) -> bool,
    ) -> Option<ByteOffset> {
        let changed: BTreeSet<usize> = document
            .edits
            .iter()
            .map(|edit| page.line_start(edit.range.start().get()))
            .collect();
        self.names.iter().find_map(|name| {
            let code = page.pieces.iter();
            let words = code.filter(|it| it.kind == TokenKind::Word && it.zone == PieceZone::Code);
            let here = words.filter(|it| page.says(it) == name);
            let places = here.map(|it| it.start()).filter(|start| {
                !changed.contains(&page.line_start(*start))
                    && !is_passed(&document.id, ByteOffset::new(*start))
            });
            let (above, below): (Vec<_>, Vec<_>) = places.partition(|start| *start < cursor);
            let nearest = below.first().or(above.last());
            nearest.map(|start| ByteOffset::new(*start))
        })
    }
}

/// The words that a change took away.
fn words_gone(change: &RepeatChange) -> Vec<String> {
    let words = |text: &str| -> Vec<String> {
        let words = pieces(text, 0..text.len()).into_iter();
        let words = words.filter(|it| it.kind == TokenKind::Word);
        words.map(|it| it.of(text).to_owned()).collect()
    };
    let left = words(&change.swap.is.core);
    let mut gone = words(&change.swap.was.core);
    gone.retain(|word| !left.contains(word));
    gone
}

/// The word in front of the brackets that a change was made in.
fn called(change: &RepeatChange, page: &DocumentPieces) -> Option<String> {
    let mut closed = 0;
    let before = page.pieces.get(..change.pieces.start).unwrap_or_default();
    let mut before = before.iter().rev().take(MOST_INSIDE);
    while let Some(piece) = before.next() {
        closed -= piece.depth();
        if closed < 0 {
            let name = before.next().filter(|it| it.kind == TokenKind::Word)?;
            return (piece.mark() == b'(').then(|| page.says(name).to_owned());
        }
    }
    None
}

fn says_something(name: &str) -> bool {
    name.len() >= SHORTEST && !is_keyword(name)
}
