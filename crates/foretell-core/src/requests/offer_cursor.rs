//! Where the cursor goes once a suggestion is accepted, kept true while its document changes.
//!
//! Some models say it. It is a place in the text that the suggestion leads to, and that text stays what it is
//! while the person is on the way to it. A change anywhere else changes that text, too, and the place goes
//! with it. Where the two cannot be told apart, the place is forgotten: the editor then puts the cursor where
//! it always does.

use foretell_text::{ByteOffset, Edit, OffsetBias, Text};

use crate::recent_changes::RecentChange;

/// The place of the cursor in the text that a suggestion leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OfferCursor {
    at: ByteOffset,
    /// How long that text is. While the person is off the way, it is not followed.
    of_length: usize,
}

impl OfferCursor {
    /// A place that a lane named, if it is one of the text that its edit leads to.
    pub(super) fn of(at: ByteOffset, edit: &Edit, text: &Text) -> Option<Self> {
        let after = edit.apply(text).ok()?;
        after.check(at).ok()?;
        Some(OfferCursor {
            at,
            of_length: after.end().get(),
        })
    }

    /// The place, given what is left of the suggestion for a text.
    pub(super) fn place(self, left: &Edit, text: &Text) -> Option<ByteOffset> {
        (length_after(left, text) == Some(self.of_length)).then_some(self.at)
    }

    /// The same after a change, given what was left of the suggestion before it and is left after it.
    pub(super) fn moved(
        self,
        change: &RecentChange,
        stood: Option<&Edit>,
        left: Option<&Edit>,
    ) -> Option<Self> {
        let (Some(stood), Some(left)) = (stood, left) else {
            // The person has left the way, or comes back to it: the text that it leads to is the same if so.
            return Some(self);
        };
        let length = length_after(left, &change.after)?;
        if length == self.of_length {
            return Some(self);
        }
        let change = change.edit.rebased_over(stood)?;
        let at = change.map_offset(self.at, OffsetBias::Before);
        let is_led_to = length_with(&change, self.of_length) == Some(length);
        is_led_to.then_some(OfferCursor {
            at,
            of_length: length,
        })
    }
}

/// How long a text is after an edit.
fn length_after(edit: &Edit, text: &Text) -> Option<usize> {
    length_with(edit, text.end().get())
}

/// The same for a text of some length.
fn length_with(edit: &Edit, length: usize) -> Option<usize> {
    let parts = edit.replacements();
    let removed: usize = parts.iter().map(|part| part.range().len()).sum();
    let inserted: usize = parts.iter().map(|part| part.new_text().len()).sum();
    length.checked_sub(removed)?.checked_add(inserted)
}
