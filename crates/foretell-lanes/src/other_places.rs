//! Where else a model could be asked, if it has nothing at the cursor.
//!
//! A model for next edits sees and rewrites the lines around one place. What follows from the last change may be
//! further away than that, and four sources know where, the surest first:
//!
//! 1. [`repeat`]: where it would make the last change again;
//! 2. diagnostics of the document: the nearest error, then the nearest warning;
//! 3. names that the last changes were about, where they still stand: in the document below the cursor, then
//!    above, then in the other open documents;
//! 4. the index of the workspace: what is most like the changed code, as far as it is in an open document.
//!
//! Kept: no place is near the cursor, where the model has just been asked; there is at most one for each line; the
//! same request gives the same places.
//!
//! Absent on purpose: whether a model is asked at one of them, which is decided elsewhere; what a person
//! rejected, but for what makes `repeat` more careful; and files that are not open, in which nothing can be
//! suggested.
//!
//! [`repeat`]: crate::embedded::repeat

use foretell_text::{ByteOffset, DiagnosticSeverity, DocumentId, Edit, PositionEncoding, Text};

use crate::embedded::repeat::{self, ChangedNames};
use crate::lane_request::{LaneRequest, OpenDocument};

/// How many lines above and below the cursor a model has been asked about: about as many as formats let it
/// rewrite.
const ASKED_LINES: u32 = 16;
/// How many places there are at most.
const MOST_PLACES: usize = 8;
/// How many pieces of code are looked at in the index.
const MOST_CHUNKS: usize = 8;

/// A place in a document that a model may be asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherPlace {
    /// The document.
    pub document: DocumentId,
    /// Its text.
    pub text: Text,
    /// The place in it.
    pub at: ByteOffset,
    /// The change that would be made there, as far as that is known: a place where it was rejected is none.
    pub edit: Option<Edit>,
}

/// The places besides the cursor's, the most promising first.
pub fn other_places(request: &LaneRequest, is_stopped: &dyn Fn() -> bool) -> Vec<OtherPlace> {
    let mut places = PlaceList::new(request);
    // A model has answered since the last key, and judges by itself whether a change is done.
    let request = &LaneRequest {
        counts_unfinished: true,
        ..request.clone()
    };
    for candidate in repeat::predict(request, is_stopped) {
        let open = places.open(&candidate.document);
        let trimmed = open.and_then(|open| candidate.edit.trimmed(&open.text).ok());
        if let Some((open, span)) = open.zip(trimmed.as_ref().and_then(Edit::span)) {
            places.add(open, span.start(), Some(candidate.edit));
        }
    }
    for at in diagnosed(request) {
        places.add(&request.document, at, None);
    }
    let names = ChangedNames::of(request);
    for (document, at) in names.standing(&|document, at| places.is_near(document, at), is_stopped) {
        if let Some(open) = places.open(&document) {
            places.add(open, at, None);
        }
    }
    let asks_index = places.found.is_empty() && !names.is_empty() && !is_stopped();
    if asks_index {
        places.add_indexed(&names, is_stopped);
    }
    places.found.truncate(MOST_PLACES);
    places.found
}

/// The places found so far.
struct PlaceList<'request> {
    request: &'request LaneRequest,
    /// The line of the cursor.
    line: u32,
    found: Vec<OtherPlace>,
}

impl<'request> PlaceList<'request> {
    fn new(request: &'request LaneRequest) -> Self {
        PlaceList {
            request,
            line: line_of(&request.document.text, request.at).unwrap_or_default(),
            found: Vec::new(),
        }
    }

    /// An open document.
    fn open(&self, document: &DocumentId) -> Option<&'request OpenDocument> {
        let mut open = std::iter::once(&self.request.document).chain(&self.request.others);
        open.find(|open| open.id == *document)
    }

    /// Whether a model that was asked at the cursor has seen a place.
    fn is_near(&self, document: &DocumentId, at: ByteOffset) -> bool {
        let here = &self.request.document;
        let line = line_of(&here.text, at);
        let is_asked = |line: u32| line.abs_diff(self.line) <= ASKED_LINES;
        *document == here.id && line.is_some_and(is_asked)
    }

    /// Adds a place, unless it is near the cursor, is on the line of one that is there, or does not exist.
    fn add(&mut self, open: &OpenDocument, at: ByteOffset, edit: Option<Edit>) {
        let Some(line) = line_of(&open.text, at) else {
            return;
        };
        let is_there = |other: &OtherPlace| {
            other.document == open.id && line_of(&open.text, other.at) == Some(line)
        };
        if !self.is_near(&open.id, at) && !self.found.iter().any(is_there) {
            self.found.push(OtherPlace {
                document: open.id.clone(),
                text: open.text.clone(),
                at,
                edit,
            });
        }
    }

    /// Adds what the index finds in open documents: where a name stands in it, or its first line.
    fn add_indexed(&mut self, names: &ChangedNames<'_>, is_stopped: &dyn Fn() -> bool) {
        let request = self.request;
        let near = Some(&request.document.file);
        let found = request
            .code
            .find(&names.words(), near, MOST_CHUNKS, is_stopped);
        // Without an index there is nothing to find in it.
        for chunk in found.unwrap_or_default() {
            let mut open = std::iter::once(&request.document).chain(&request.others);
            let Some(open) = open.find(|open| open.file == chunk.file) else {
                continue;
            };
            let first = u32::try_from(chunk.lines.start().saturating_sub(1));
            let line = first.ok().and_then(|line| open.text.line(line).ok());
            if let Some(line) = line {
                self.add(open, line.start(), None);
            }
        }
    }
}

/// Where something is wrong, errors first and the nearest first.
fn diagnosed(request: &LaneRequest) -> Vec<ByteOffset> {
    let text = &request.document.text;
    let here = line_of(text, request.at).unwrap_or_default();
    let told = request.diagnostics.iter();
    let told = told.filter(|it| it.severity <= DiagnosticSeverity::Warning);
    let placed = told.filter_map(|it| {
        let at = it.range.start();
        Some((it.severity, line_of(text, at)?.abs_diff(here), at))
    });
    let mut placed: Vec<_> = placed.collect();
    placed.sort();
    placed.into_iter().map(|(.., at)| at).collect()
}

fn line_of(text: &Text, at: ByteOffset) -> Option<u32> {
    let position = text.position_of(at, PositionEncoding::Utf8);
    position.ok().map(|position| position.line)
}
