//! The open documents, each read when it is needed, and what was changed in them lately.
//!
//! Reading a document costs more than anything else here, so that each is read at most once, and
//! that no more of the others are read than a person would wait for.

use std::ops::Range;

use foretell_text::{ByteOffset, ByteRange, ChangeReason, DocumentId, LaneCandidate, RecentEdit};

use super::change::RepeatChange;
use super::change_evidence::trimmed;
use super::document_pieces::{DocumentPieces, PieceZone};
use super::edit_split::changes;
use super::joined_edits::{EditStrand, strands};
use super::line_change::{LineChange, line_changes};
use super::same_lines::{LineEdit, LineSwap, LineSwaps};
use super::site::{ChangeSite, sites};
use super::spelling::respelled;
use crate::lane_request::{LaneRequest, OpenDocument};

/// How many of the latest edits are looked at.
const MOST_EDITS: usize = 12;
/// How many of them are looked at for what they did to their lines.
const MOST_LINE_EDITS: usize = 4;
/// How many equal changes are looked for, each with its own neighbours.
const MOST_EQUAL: usize = 2;
/// How long ago an edit may have been made, in milliseconds.
const LONGEST_AGO_MS: u64 = 120_000;
/// How long the documents may be together, in bytes; further ones are not read.
const MOST_TEXT: usize = 2_000_000;

/// The documents; 0 is the one that the cursor is in.
pub(super) struct OpenDocuments<'request> {
    pub(super) request: &'request LaneRequest,
    documents: Vec<&'request OpenDocument>,
    read: Vec<Option<ReadDocument>>,
    /// How much may still be read.
    left: usize,
}

struct ReadDocument {
    page: DocumentPieces,
    sites: Option<Vec<ChangeSite>>,
}

impl<'request> OpenDocuments<'request> {
    /// Nothing is read yet.
    pub(super) fn new(request: &'request LaneRequest) -> Self {
        let documents = std::iter::once(&request.document).chain(&request.others);
        let documents: Vec<_> = documents.collect();
        OpenDocuments {
            request,
            read: documents.iter().map(|_| None).collect(),
            documents,
            left: MOST_TEXT,
        }
    }

    /// The id of a document.
    pub(super) fn id(&self, index: usize) -> &DocumentId {
        &self.documents[index].id
    }

    /// This document, then the others as a search would list them, from this one on.
    pub(super) fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.documents.len()).collect();
        let here = &self.request.document.id;
        order.sort_by_key(|index| (self.id(*index) < here, self.id(*index)));
        order
    }

    /// How far away a candidate is: in how many documents from here, whether above the cursor, and in how
    /// many lines.
    pub(super) fn distance(&self, candidate: &LaneCandidate) -> (usize, bool, u32) {
        let order = self.order();
        let mut order = order.iter();
        let which = order.position(|index| *self.id(*index) == candidate.document);
        let line = |at: ByteOffset| {
            let page = self.read.first().and_then(|it| it.as_ref());
            page.map_or(0, |read| read.page.line_at(at.get()))
        };
        let is_here = *self.id(0) == candidate.document;
        let start = candidate
            .edit
            .span()
            .filter(|_| is_here)
            .map(ByteRange::start);
        let (at, from) = (start.map_or(0, line), line(self.request.at));
        let is_above = is_here && at < from;
        let lines = if is_here { at.abs_diff(from) } else { 0 };
        (which.unwrap_or(usize::MAX), is_above, lines)
    }

    /// The latest edits that say something, each with the document it is in, the latest first.
    fn strands(&self) -> Vec<(usize, EditStrand<'request>)> {
        let documents = self.documents.iter().enumerate();
        let strands = documents.flat_map(|(index, it)| {
            let strands = strands(&it.text, &it.edits).into_iter();
            strands.map(move |strand| {
                let is_new = is_in_new_lines(strand.latest, &it.edits);
                let is_gone_on_with = strand.is_gone_on_with || is_new;
                (
                    index,
                    EditStrand {
                        is_gone_on_with,
                        ..strand
                    },
                )
            })
        });
        // Changes of a formatter or a save are not to be repeated.
        let is_wish =
            |edit: &RecentEdit| edit.reason != ChangeReason::Other && edit.age_ms <= LONGEST_AGO_MS;
        let mut strands: Vec<_> = strands
            .filter(|(_, strand)| is_wish(strand.latest))
            .collect();
        strands.sort_by_key(|(index, strand)| (strand.latest.age_ms, *index));
        strands.truncate(MOST_EDITS);
        strands
    }

    /// What the latest edits did to the lines that they changed, the latest first.
    pub(super) fn line_changes(&mut self) -> Vec<LineChange> {
        let strands = self.strands().into_iter().take(MOST_LINE_EDITS);
        let mut found = Vec::new();
        for (number, (index, strand)) in strands.enumerate() {
            let language = &self.documents[index].language;
            if strand.is_gone_on_with || self.is_unfinished(index, &strand) {
                continue;
            }
            let Some(page) = self.page(index) else {
                continue;
            };
            let edit = strand.whole.as_ref().unwrap_or(strand.latest);
            found.extend(line_changes(index, page, language, edit, number));
        }
        found
    }

    /// What the latest edits did to whole lines, the latest first.
    pub(super) fn line_swaps(&mut self) -> LineSwaps {
        let strands = self.strands();
        let due = due(&strands);
        let mut found = Vec::new();
        for (number, (index, strand)) in strands.into_iter().enumerate() {
            let language = &self.documents[index].language;
            if strand.is_gone_on_with || self.is_unfinished(index, &strand) {
                continue;
            }
            let Some(page) = self.page(index) else {
                continue;
            };
            let made = LineEdit {
                document: index,
                language,
                edit: strand.whole.as_ref().unwrap_or(strand.latest),
                number,
                is_due: due == Some(number),
            };
            found.extend(LineSwap::of(page, &made));
        }
        LineSwaps(found)
    }

    /// Whether the person is in the middle of an edit. What they changed in another document they have left,
    /// and who asks is done.
    fn is_unfinished(&self, index: usize, strand: &EditStrand<'_>) -> bool {
        let is_waited_for = !self.request.is_explicit && !self.request.counts_unfinished;
        index == 0 && !strand.latest.is_finished && is_waited_for
    }

    /// Where the latest edits put something in the document that the cursor is in, in bytes, the latest
    /// first.
    pub(super) fn own_news(&self) -> Vec<Range<usize>> {
        let strands = self.strands().into_iter();
        let is_own = |(index, strand): &(usize, EditStrand<'_>)| {
            *index == 0 && !self.is_unfinished(*index, strand)
        };
        let own = strands.filter(is_own);
        let ranges = own.map(|(_, strand)| strand.latest.range);
        let news = ranges.map(|range| range.start().get()..range.end().get());
        news.filter(|new| !new.is_empty()).collect()
    }

    /// The latest changes, the latest first, and the larger first of those made at once.
    pub(super) fn changes(&mut self) -> Vec<RepeatChange> {
        let strands = self.strands();
        let due = due(&strands);
        let mut found: Vec<RepeatChange> = Vec::new();
        for (number, (index, strand)) in strands.into_iter().enumerate() {
            let language = &self.documents[index].language;
            if strand.is_gone_on_with || self.is_unfinished(index, &strand) {
                continue;
            }
            let Some(page) = self.page(index) else {
                continue;
            };
            let read = |edit| changes(index, page, language, edit, number);
            let whole = strand.whole.iter().flat_map(read);
            let names = whole.filter(|it| it.renames().is_some() && it.zone == PieceZone::Code);
            let names = names.map(|change| RepeatChange {
                is_joined: true,
                ..change
            });
            let all = names.chain(read(strand.latest));
            let is_due = due == Some(number);
            all.for_each(|it| add(&mut found, RepeatChange { is_due, ..it }));
        }
        let other: Vec<RepeatChange> = found.iter().flat_map(respelled).collect();
        found.extend(other);
        found
    }

    /// A document's page, unless there is too much to read.
    pub(super) fn page(&mut self, index: usize) -> Option<&DocumentPieces> {
        if self.read[index].is_none() {
            let document = self.documents[index];
            self.left = self.left.checked_sub(document.text.end().get())?;
            let page = DocumentPieces::new(&document.language, document.text.to_string());
            self.read[index] = Some(ReadDocument { page, sites: None });
        }
        self.read[index].as_ref().map(|read| &read.page)
    }

    /// Where what was changed still stands in a document.
    pub(super) fn sites(
        &mut self,
        index: usize,
        changes: &[RepeatChange],
    ) -> Option<(&DocumentPieces, &[ChangeSite])> {
        self.page(index)?;
        let read = self.read[index].as_mut()?;
        let found = read
            .sites
            .get_or_insert_with(|| sites(&read.page, index, changes));
        Some((&read.page, found))
    }
}

/// Whether an edit was made in lines that were put in just before. Who copies a line and changes the copy is
/// still writing it, and the line that it was copied from stays as it is.
fn is_in_new_lines(edit: &RecentEdit, edits: &[RecentEdit]) -> bool {
    let earlier = edits
        .iter()
        .skip_while(|it| !std::ptr::eq(*it, edit))
        .skip(1);
    let mut put_in =
        earlier.filter(|it| it.old_text.trim().is_empty() && it.new_text.contains('\n'));
    put_in.any(|it| {
        let is_within =
            it.range.start() <= edit.range.start() && edit.range.end() <= it.range.end();
        is_within && !edit.old_text.is_empty()
    })
}

/// Which edit comes next in a series: the latest edit was made before, and so was this right after it.
/// Who does the same two things again goes on with the third.
fn due(strands: &[(usize, EditStrand<'_>)]) -> Option<usize> {
    let core = |strand: &EditStrand<'_>| {
        let (old, new) = (&strand.latest.old_text, &strand.latest.new_text);
        let (old, new) = trimmed(old.trim(), new.trim());
        (old.to_owned(), new.to_owned())
    };
    let mut made = strands.iter().map(|(_, strand)| core(strand));
    let latest = made.next()?;
    // Blanks, and what was undone, say nothing of what was made before.
    if latest.0.is_empty() && latest.1.is_empty() {
        return None;
    }
    // The one right before it, if that is not the latest itself.
    made.position(|it| it == latest).filter(|next| *next > 0)
}

/// Adds a change, unless there are enough equal ones: then those take note of it.
fn add(found: &mut Vec<RepeatChange>, change: RepeatChange) {
    let count = found.iter().filter(|other| other.is_equal(&change)).count();
    if change.is_due {
        let equal = found.iter_mut().filter(|other| other.is_equal(&change));
        equal.for_each(|other| other.is_due = true);
    }
    match found.iter_mut().find(|other| other.is_equal(&change)) {
        Some(first) if count >= MOST_EQUAL => first.before.push(change.spot()),
        _ => found.push(change),
    }
}
