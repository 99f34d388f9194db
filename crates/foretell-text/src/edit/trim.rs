//! Leaving out of an edit what it replaces by itself.
//!
//! A model that rewrites a line replaces all of it; what it changes may be one word. Trimming takes
//! the common suffix away first and then the common prefix of what remains, in whole characters, on
//! the replaced text only. The order shows with repeated characters: `aa` replaced by `aaa` becomes
//! an insertion at the front.
//!
//! Trimmed forms are short and keep the place, so they are what is stored and shown. They are not
//! canonical: the same change may be written at several places. That is what
//! [`effect`](Edit::effect) is for.

use super::{Edit, EditMisfit, Replacement, agreeing_ends};
use crate::offset::ByteRange;
use crate::text::{OffsetError, Text};

impl Edit {
    /// The change that makes one text of another, without what both begin and end with.
    pub fn between(before: &Text, after: &Text) -> Edit {
        let all = ByteRange::ordered(0, before.end().get());
        let whole = Replacement::new(all, after.to_string()).trimmed(before);
        let some = (!whole.is_nothing()).then_some(whole);
        Edit::ordered(some.into_iter().collect())
    }

    /// This edit without what it replaces by itself; a replacement that changes nothing is dropped.
    pub fn trimmed(&self, text: &Text) -> Result<Edit, EditMisfit> {
        self.check(text)?;
        let replacements = self
            .replacements
            .iter()
            .map(|replacement| replacement.trimmed(text))
            .filter(|replacement| !replacement.is_nothing())
            .collect();
        Ok(Edit::ordered(replacements))
    }
}

impl Replacement {
    /// This replacement, which fits the text, without what it replaces by itself.
    pub(super) fn trimmed(&self, text: &Text) -> Replacement {
        let ends = common_ends(text, self.range, &self.new_text);
        if ends == CommonEnds::default() {
            return self.clone();
        }
        let (start, end) = (self.range.start().get(), self.range.end().get());
        let range = ByteRange::ordered(start + ends.prefix, end - ends.suffix);
        let (kept, _) = self.new_text.split_at(self.new_text.len() - ends.suffix);
        let (_, kept) = kept.split_at(ends.prefix);
        Replacement::new(range, kept)
    }
}

/// The ends that a stretch of a text and a string have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CommonEnds {
    /// Bytes at the start.
    pub prefix: usize,
    /// Bytes at the end.
    pub suffix: usize,
}

impl Text {
    /// The common ends of a range and a string, in whole characters: the suffix is taken first.
    pub fn common_ends(&self, range: ByteRange, other: &str) -> Result<CommonEnds, OffsetError> {
        self.check_range(range)?;
        Ok(common_ends(self, range, other))
    }
}

impl Text {
    /// How long the common start and the common end of a range and a string are, each by itself and
    /// in whole characters; among repeated text they may overlap.
    pub fn longest_common_ends(
        &self,
        range: ByteRange,
        other: &str,
    ) -> Result<CommonEnds, OffsetError> {
        self.check_range(range)?;
        let suffix = agreeing_ends::common_suffix(self, range, other);
        let prefix = agreeing_ends::common_prefix(self, range, other);
        Ok(CommonEnds {
            prefix: agreeing_ends::floor_boundary(other, prefix),
            suffix: other.len() - agreeing_ends::ceil_boundary(other, other.len() - suffix),
        })
    }
}

fn common_ends(text: &Text, range: ByteRange, other: &str) -> CommonEnds {
    let suffix = agreeing_ends::common_suffix(text, range, other);
    let cut = agreeing_ends::ceil_boundary(other, other.len() - suffix);
    let (kept, suffix) = other.split_at(cut);
    let (start, end) = (range.start().get(), range.end().get() - suffix.len());
    let prefix = agreeing_ends::common_prefix(text, ByteRange::ordered(start, end), kept);
    CommonEnds {
        prefix: agreeing_ends::floor_boundary(kept, prefix),
        suffix: suffix.len(),
    }
}
