//! Where a place of the text before is in the text after.
//!
//! The counting that all the algebra shares is here too, as `OffsetShift`: what has been removed and
//! inserted before a place. It keeps the two apart instead of their difference, because that cannot
//! overflow: what was removed before a place is never more than the place's own offset.

use super::{Edit, Replacement};
use crate::offset::{ByteOffset, ByteRange};

/// To which side a place goes when text is inserted right there, or when it was inside what was
/// replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OffsetBias {
    /// It stays in front of the new text.
    Before,
    /// It moves behind the new text, as a cursor does when its owner types.
    After,
}

impl Edit {
    /// Where an offset of the text before is in the text after.
    ///
    /// The start and the end of what is replaced stay the start and the end of what takes its
    /// place; the bias decides for offsets inside, and where text is inserted at the very offset.
    pub fn map_offset(&self, offset: ByteOffset, bias: OffsetBias) -> ByteOffset {
        let at = offset.get();
        let mut shift = OffsetShift::default();
        for replacement in &self.replacements {
            let range = replacement.range;
            let (start, end) = (range.start().get(), range.end().get());
            let stays_before = at < start || (at == start && !range.is_empty());
            if stays_before || (at == start && bias == OffsetBias::Before) {
                break;
            }
            if at < end {
                return ByteOffset::new(match bias {
                    OffsetBias::Before => shift.offset(start),
                    OffsetBias::After => shift
                        .offset(start)
                        .saturating_add(replacement.new_text.len()),
                });
            }
            shift.pass(replacement);
        }
        ByteOffset::new(shift.offset(at))
    }

    /// Where a range of the text before is in the text after.
    ///
    /// Text inserted at either end stays outside. Of a range that was partly replaced the rest is
    /// left; one that was replaced together with what stands around it becomes empty; one that was
    /// replaced exactly becomes what took its place.
    pub fn map_range(&self, range: ByteRange) -> ByteRange {
        let end = self.map_offset(range.end(), OffsetBias::Before);
        if range.is_empty() {
            return ByteRange::empty(end);
        }
        let start = self.map_offset(range.start(), OffsetBias::After);
        ByteRange::new(start, end).unwrap_or(ByteRange::empty(end))
    }
}

/// How much the replacements passed so far removed and inserted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OffsetShift {
    removed: usize,
    inserted: usize,
}

impl OffsetShift {
    /// Counts a replacement as passed.
    pub(super) fn pass(&mut self, replacement: &Replacement) {
        self.removed = self.removed.saturating_add(replacement.range.len());
        self.inserted = self.inserted.saturating_add(replacement.new_text.len());
    }

    /// Where an offset of the text before, behind all that was passed, is in the text after.
    pub(super) fn offset(self, before: usize) -> usize {
        before
            .saturating_sub(self.removed)
            .saturating_add(self.inserted)
    }

    /// Where an offset of the text after, behind all that was passed, was in the text before.
    pub(super) fn back(self, after: usize) -> usize {
        after
            .saturating_sub(self.inserted)
            .saturating_add(self.removed)
    }

    /// A range of the text before, moved to the text after.
    pub(super) fn range(self, before: ByteRange) -> ByteRange {
        ByteRange::ordered(
            self.offset(before.start().get()),
            self.offset(before.end().get()),
        )
    }
}
