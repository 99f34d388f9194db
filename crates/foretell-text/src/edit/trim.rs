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

use super::{DoesNotFit, Edit, Replacement, scan};
use crate::offset::ByteRange;
use crate::text::Text;

impl Edit {
    /// This edit without what it replaces by itself; a replacement that changes nothing is dropped.
    pub fn trimmed(&self, text: &Text) -> Result<Edit, DoesNotFit> {
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
        let (start, old_end) = (self.range.start().get(), self.range.end().get());
        let suffix = scan::common_suffix(text, self.range, &self.new_text);
        let cut = scan::ceil_boundary(&self.new_text, self.new_text.len() - suffix);
        let (kept, suffix) = self.new_text.split_at(cut);
        let end = old_end - suffix.len();

        let prefix = scan::common_prefix(text, ByteRange::ordered(start, end), kept);
        let (prefix, kept) = kept.split_at(scan::floor_boundary(kept, prefix));
        if suffix.is_empty() && prefix.is_empty() {
            return self.clone();
        }
        Replacement::new(ByteRange::ordered(start + prefix.len(), end), kept)
    }
}
