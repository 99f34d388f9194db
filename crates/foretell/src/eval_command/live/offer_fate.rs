//! [`FollowedOffer`]: a next edit that was shown, followed until it is known what became of it.
//!
//! It is *right* if the person did the same: if its lines, with a few above and below, become what
//! they would have become, or that and more. It was done *next* if until then the person changed nothing but
//! the line they were on when it came and the lines of the offer, and *later* if within ten minutes of
//! when it was first shown. Whether it was done is asked where the person rests for a second or goes to another line:
//! what stands there between two keys is not what they wanted to do.
//!
//! One that was not done in time is wrong, and stays so however often it is shown again.
//!
//! Kept: what a formatter does counts for nobody.

use foretell_core::Moment;
use foretell_text::{
    ByteOffset, ByteRange, DocumentId, Edit, LaneCandidate, OffsetBias, PositionEncoding, Text,
};

use super::super::word_difference;

/// So long a next edit can be right after it was first shown, in milliseconds.
const LONGEST: u64 = 600_000;

/// How many lines above and below belong to it: of two lines that are alike either may go.
const LINES_AROUND: u32 = 4;

/// What became of a next edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OfferVerdict {
    Next,
    /// Within ten minutes.
    Later,
    /// It was never done, or not in time.
    Never,
}

/// A next edit that was shown.
#[derive(Clone, Debug)]
pub(crate) struct FollowedOffer {
    pub(super) document: DocumentId,
    pub(super) shown: Moment,
    /// From one.
    pub(super) line: u32,
    /// It touched the line that the person was on.
    pub(super) is_on_their_line: bool,
    pub(super) old: String,
    pub(super) new: String,
    /// How long it was on the screen, in milliseconds; gaps count up to a minute.
    pub(super) stood: u64,
    pub(super) verdict: Option<OfferVerdict>,
    /// How long after it was first shown it was done.
    pub(super) done_after: Option<u64>,
    /// Where it replaces something now.
    place: ByteRange,
    /// Its lines and those around, now.
    region: ByteRange,
    before: String,
    offered: String,
    /// Where the person was, now.
    here: Option<(DocumentId, ByteRange)>,
    went_elsewhere: bool,
    /// When the region was changed last, if nobody has looked since.
    touched: Option<Moment>,
}

impl FollowedOffer {
    /// Nothing, if it does nothing.
    pub(super) fn new(
        shown: Moment,
        candidate: &LaneCandidate,
        text: &Text,
        here: Option<(DocumentId, ByteRange)>,
    ) -> Option<Self> {
        let edit = candidate.edit.trimmed(text).ok()?;
        let after = edit.apply(text).ok()?;
        let place = edit.span()?;
        let line = line_of(text, place.start());
        let last = line_of(text, place.end()).saturating_add(LINES_AROUND);
        let region = lines(text, line.saturating_sub(LINES_AROUND), last)?;
        let offered = text_in(&after, mapped(&edit, region))?;
        let before = text_in(text, region)?;
        let is_on_their_line = here
            .as_ref()
            .is_some_and(|(document, line)| *document == candidate.document && line.touches(place));
        let told = word_difference::changes(&before, &offered);
        let (first, last) = (told.first()?, told.last()?);
        Some(FollowedOffer {
            document: candidate.document.clone(),
            shown,
            line: line + 1,
            is_on_their_line,
            old: before.get(first.old.start..last.old.end)?.to_owned(),
            new: offered.get(first.new.start..last.new.end)?.to_owned(),
            stood: 0,
            verdict: None,
            done_after: None,
            place,
            region,
            before,
            offered,
            here,
            went_elsewhere: false,
            touched: None,
        })
    }

    /// Whether an edit of the text as it is now is this one, shown again: it leads to the same lines, or
    /// puts the same in the same place.
    pub(super) fn is_same(&self, candidate: &LaneCandidate, text: &Text) -> bool {
        if self.document != candidate.document || self.is_done() {
            return false;
        }
        let edit = candidate.edit.trimmed(text).ok();
        let Some((edit, span)) = edit.and_then(|edit| Some((edit.clone(), edit.span()?))) else {
            return false;
        };
        if !self.region.contains(span) {
            return false;
        }
        let after = edit.apply(text).ok();
        let region = after.and_then(|after| text_in(&after, mapped(&edit, self.region)));
        region.is_some_and(|region| region == self.offered)
            || (span == self.place && self.says_the_same(&edit, text))
    }

    fn is_done(&self) -> bool {
        self.done_after.is_some()
    }

    fn says_the_same(&self, edit: &Edit, text: &Text) -> bool {
        let now = text_in(text, self.region);
        let after = edit.apply(text).ok();
        let after = after.and_then(|after| text_in(&after, mapped(edit, self.region)));
        let (Some(now), Some(after)) = (now, after) else {
            return false;
        };
        let told = word_difference::changes(&now, &after);
        let (Some(first), Some(last)) = (told.first(), told.last()) else {
            return false;
        };
        now.get(first.old.start..last.old.end) == Some(self.old.as_str())
            && after.get(first.new.start..last.new.end) == Some(self.new.as_str())
    }

    /// The person is about to change something.
    pub(super) fn person_changes(&mut self, now: Moment, document: &DocumentId, edit: &Edit) {
        if self.verdict.is_some() {
            return;
        }
        let touches = |place: ByteRange| {
            let mut parts = edit.replacements().iter();
            parts.any(|part| place.touches(part.range()))
        };
        if self.document == *document && touches(self.region) {
            self.touched = Some(now);
            return;
        }
        let here = self.here.as_ref().filter(|(id, _)| id == document);
        if !here.is_some_and(|(_, line)| touches(*line)) {
            self.went_elsewhere = true;
        }
    }

    /// Moves with a change of a document.
    pub(super) fn follow(&mut self, document: &DocumentId, edit: &Edit) {
        if self.is_done() {
            return;
        }
        if self.document == *document {
            self.place = mapped(edit, self.place);
            self.region = mapped(edit, self.region);
        }
        if let Some((_, line)) = self.here.as_mut().filter(|(id, _)| id == document) {
            *line = mapped(edit, *line);
        }
    }

    /// The person has come to rest, or gone elsewhere.
    pub(super) fn judge(&mut self, now: Moment, text: Option<&Text>) {
        if self.verdict.is_some() {
            return;
        }
        if let Some(touched) = self.touched.take() {
            let after = touched.since(self.shown);
            let read = text.and_then(|text| text_in(text, self.region));
            let is_done = read.is_some_and(|read| {
                word_difference::is_on_the_way(&self.before, &self.offered, &read)
            });
            if is_done && after <= LONGEST {
                self.done_after = Some(after);
                self.verdict = Some(if self.went_elsewhere {
                    OfferVerdict::Later
                } else {
                    OfferVerdict::Next
                });
                return;
            }
        }
        if now.since(self.shown) > LONGEST {
            self.verdict = Some(OfferVerdict::Never);
        }
    }
}

/// A place in the text after an edit, with all that was put in at its ends.
fn mapped(edit: &Edit, place: ByteRange) -> ByteRange {
    let start = edit.map_offset(place.start(), OffsetBias::Before);
    let end = edit.map_offset(place.end(), OffsetBias::After);
    ByteRange::new(start, end).unwrap_or(ByteRange::empty(start))
}

pub(super) fn line_of(text: &Text, at: ByteOffset) -> u32 {
    text.position_of(at, PositionEncoding::Utf8)
        .map_or(0, |at| at.line)
}

/// The lines from one to another, as far as there are such.
pub(super) fn lines(text: &Text, first: u32, last: u32) -> Option<ByteRange> {
    let start = text.line(first).ok()?.start();
    let end = text.line(last).map_or(text.end(), ByteRange::end);
    ByteRange::new(start, end).ok()
}

fn text_in(text: &Text, place: ByteRange) -> Option<String> {
    Some(text.read(place).ok()?.into_owned())
}
