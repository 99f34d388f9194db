//! The document as a model is told it: the region, what is around it, and how both were before the latest
//! change. Without secrets, with LF, and never with a word in it that the model takes for an order.
//!
//! All of it passes the redactor together with 18 KB on either side before it is cut. Words that mean
//! something to the model go out of what stands around the region. A region that has one is not told: what
//! comes back would not have it, and accepting that would delete it. Nor is a text with the markers of a merge
//! conflict in it, where the model marks the region by such.

use foretell_text::{ByteOffset, ByteRange, ChangeReason, Edit, RecentEdit, Replacement, Text};

use super::super::control_tokens::ControlTokens;
use super::super::redaction_margin::{MARGIN, with_margin};
use super::super::rewrite::{EditRegion, QuestionRefusal, with_line_feeds};
use super::edit_dialect::{EditDialect, RegionStyle};
use crate::lane_redaction::SecretMarks;
use crate::lane_request::LaneRequest;

/// The parts of a document.
pub(super) struct ToldDocument {
    /// The lines before the region, each with its line end.
    pub(super) before: String,
    /// The region up to the cursor, and from there on.
    pub(super) head: String,
    pub(super) tail: String,
    /// The lines behind the region, each with its line end if it has one.
    pub(super) behind: String,
    /// The region, and all that is shown, as they were before the latest change.
    pub(super) original: String,
    pub(super) original_file: String,
}

impl ToldDocument {
    pub(super) fn of(
        request: &LaneRequest,
        region: &EditRegion,
        dialect: &EditDialect,
        controls: &ControlTokens,
        marks: &mut dyn SecretMarks,
    ) -> Result<ToldDocument, QuestionRefusal> {
        let told = ToldDocument::redacted(request, region, dialect, marks);
        let told = told.ok_or(QuestionRefusal::LineTooLong)?;
        if dialect.is_forged_by(controls, &told.region()) {
            return Err(QuestionRefusal::ControlToken);
        }
        let shown = [&told.before, &told.region(), &told.behind];
        if dialect.region == RegionStyle::MergeMarkers
            && shown.into_iter().any(|it| has_conflict(it))
        {
            return Err(QuestionRefusal::MergeMarkers);
        }
        let plain = |text: &str| controls.without(text);
        Ok(ToldDocument {
            before: plain(&told.before),
            behind: plain(&told.behind),
            original: plain(&told.original),
            original_file: plain(&told.original_file),
            ..told
        })
    }

    /// The region.
    pub(super) fn region(&self) -> String {
        [&*self.head, &*self.tail].concat()
    }

    fn redacted(
        request: &LaneRequest,
        region: &EditRegion,
        dialect: &EditDialect,
        marks: &mut dyn SecretMarks,
    ) -> Option<ToldDocument> {
        let text = &request.document.text;
        let (from, to) = with_margin(text, region.shown_from, region.shown_behind.end(), MARGIN);
        let whole = text.read(ByteRange::new(from, to).ok()?).ok()?;
        let at = cursor_in(text, region, request.at)?;
        let offsets = [
            region.shown_from,
            region.range.start(),
            at,
            region.range.end(),
            region.shown_behind.start(),
            region.shown_behind.end(),
        ];
        let [shown, start, at, end, behind, shown_end] =
            offsets.map(|offset| offset.get() - from.get());
        // Looking for secrets takes longer than all the rest: once, if there are none.
        let has_none =
            marks.redact_part(&whole, shown..shown_end) == *whole.get(shown..shown_end)?;
        let [before, head, tail, behind] = [shown..start, start..at, at..end, behind..shown_end]
            .map(|part| {
                if has_none {
                    with_line_feeds(whole.get(part).unwrap_or_default())
                } else {
                    with_line_feeds(&marks.redact_part(&whole, part))
                }
            });
        let mut told = ToldDocument {
            before,
            head,
            tail,
            behind,
            original: String::new(),
            original_file: String::new(),
        };
        if dialect.template.contains("{original}") {
            let whole_region = told.region();
            let all = ByteRange::new(region.shown_from, region.shown_behind.end()).ok()?;
            let then = original(request, region.range, all, marks);
            let (original, original_file) = then.unwrap_or_else(|| {
                let file = with_line_feeds(whole.get(shown..shown_end).unwrap_or_default());
                let file = if has_none { file } else { told_file(&told) };
                (whole_region, file)
            });
            (told.original, told.original_file) = (original, original_file);
        }
        Some(told)
    }
}

/// All that is shown, from its parts.
fn told_file(told: &ToldDocument) -> String {
    let closes = if told.behind.is_empty() { "" } else { "\n" };
    [&told.before, &*told.region(), closes, &told.behind].concat()
}

/// The cursor, which may be between the two halves of a line end, or beyond the region where that is about
/// something else.
fn cursor_in(text: &Text, region: &EditRegion, at: ByteOffset) -> Option<ByteOffset> {
    let line = text.line_at(at).ok()?;
    let at = at.min(line.end());
    Some(at.clamp(region.range.start(), region.range.end()))
}

/// The latest change that a person made in a document.
pub(super) fn latest_change(request: &LaneRequest) -> Option<&RecentEdit> {
    let mut edits = request.document.edits.iter();
    edits.find(|edit| matches!(edit.reason, ChangeReason::Typed | ChangeReason::Redo))
}

/// The region and all that is shown as they were before the latest change, each as whole lines. That change may reach
/// beyond them.
fn original(
    request: &LaneRequest,
    region: ByteRange,
    shown: ByteRange,
    marks: &mut dyn SecretMarks,
) -> Option<(String, String)> {
    let text = &request.document.text;
    let edit = latest_change(request)?;
    let is_there = text
        .read(edit.range)
        .is_ok_and(|read| *read == *edit.new_text);
    let back = is_there.then(|| Edit::from(Replacement::new(edit.range, &*edit.old_text)))?;
    let before = back.apply(text).ok()?;
    let mut told = |part: ByteRange| {
        let start = before.line_at(place_before(edit, part.start())).ok()?;
        let end = before.line_at(place_before(edit, part.end())).ok()?;
        // What ends with a line end has no part of the line behind it.
        let is_closed = !part.is_empty() && text.line_at(part.end()).ok()?.start() == part.end();
        let end = if is_closed { end.start() } else { end.end() };
        let part = ByteRange::new(start.start(), end).ok()?;
        let (from, to) = with_margin(&before, part.start(), part.end(), MARGIN);
        let whole = before.read(ByteRange::new(from, to).ok()?).ok()?;
        let at = |offset: ByteOffset| offset.get() - from.get();
        let told = marks.redact_part(&whole, at(part.start())..at(part.end()));
        Some(with_line_feeds(&told))
    };
    Some((told(region)?, told(shown)?))
}

/// Where a place was before a change. One within what was put in was on the line of the old text that is as far from its
/// beginning.
fn place_before(edit: &RecentEdit, place: ByteOffset) -> ByteOffset {
    let (start, end) = (edit.range.start().get(), edit.range.end().get());
    let place = place.get();
    if place <= start {
        return ByteOffset::new(place);
    }
    if place >= end {
        return ByteOffset::new(place - end + start + edit.old_text.len());
    }
    let ahead = edit.new_text.get(..place - start).unwrap_or_default();
    let line = ahead.matches('\n').count();
    let mut ends = edit.old_text.match_indices('\n');
    let old = match line.checked_sub(1) {
        None => 0,
        Some(last) => ends.nth(last).map_or(edit.old_text.len(), |(at, _)| at + 1),
    };
    ByteOffset::new(start + old)
}

/// Whether a text has a line that marks a merge conflict.
pub(super) fn has_conflict(text: &str) -> bool {
    text.lines().any(|line| {
        let line = line.trim_end();
        line == "=======" || line.starts_with("<<<<<<< ") || line.starts_with(">>>>>>> ")
    })
}
