//! Moving an edit over another that was made to the same text.
//!
//! Two edits from the same text, ours and the base; the base happens first, and ours must mean the
//! same afterwards. The rule is per pair of replacements. They conflict when
//! - their ranges share a byte, or
//! - both insert at the same offset, or
//! - one inserts strictly inside the other's range.
//!
//! An insertion at the very start or end of the other's range does not conflict, and one at the
//! start goes before. So when neither conflicts, it does not matter which of the two is made first:
//! the text is the same, and a test holds that.
//!
//! Ranges decide, not what stands in them: a base that replaces a text by itself conflicts like any
//! other, and so does an insertion of nothing. A caller that means the net change trims the base first.
//!
//! Ours is moved in place. A stored edit is moved at every keystroke, and nearly always only its
//! offsets change: that is a few additions and no allocation.

use std::cmp::Ordering;

use super::Edit;
use super::map::OffsetShift;
use crate::offset::ByteRange;

/// Both edits change the same place, so neither can be moved over the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{ours} cannot be moved over a change of {base}")]
pub struct RebaseConflict {
    /// The range of the replacement that could not be moved.
    pub ours: ByteRange,
    /// The range of the replacement it met.
    pub base: ByteRange,
}

impl Edit {
    /// Moves this edit to the text after `base`. Both must be made for the same text.
    ///
    /// On a conflict it is left as it was.
    pub fn rebase_over(&mut self, base: &Edit) -> Result<(), RebaseConflict> {
        if let ([ours], [base]) = (&mut self.replacements[..], &base.replacements[..]) {
            // One over one is nearly every call, and needs no second pass.
            if order(ours.range, base.range)?.is_gt() {
                let mut shift = OffsetShift::default();
                shift.pass(base);
                ours.range = shift.range(ours.range);
            }
            return Ok(());
        }
        self.find_conflict(base)?;
        let mut shift = OffsetShift::default();
        let mut bases = base.replacements.iter().peekable();
        for ours in &mut self.replacements {
            while let Some(base) = bases.next_if(|base| goes_before(base.range, ours.range)) {
                shift.pass(base);
            }
            ours.range = shift.range(ours.range);
        }
        self.assert_invariants();
        Ok(())
    }

    /// This edit for the text after `base`, or nothing on a conflict.
    pub fn rebased_over(&self, base: &Edit) -> Option<Edit> {
        let mut ours = self.clone();
        ours.rebase_over(base).is_ok().then_some(ours)
    }

    fn find_conflict(&self, base: &Edit) -> Result<(), RebaseConflict> {
        let mut bases = &base.replacements[..];
        for ours in &self.replacements {
            while let Some((first, rest)) = bases.split_first() {
                if order(ours.range, first.range)?.is_lt() {
                    break;
                }
                bases = rest;
            }
        }
        Ok(())
    }
}

/// Whether `base` stands before `ours`, for pairs that do not conflict.
fn goes_before(base: ByteRange, ours: ByteRange) -> bool {
    order(ours, base).is_ok_and(Ordering::is_gt)
}

/// Whether ours stands before (`Less`) or behind (`Greater`) the base.
pub(super) fn order(ours: ByteRange, base: ByteRange) -> Result<Ordering, RebaseConflict> {
    let both_insert = ours.is_empty() && base.is_empty();
    if both_insert && ours == base {
        return Err(RebaseConflict { ours, base });
    }
    if ours.end() <= base.start() {
        return Ok(Ordering::Less);
    }
    if base.end() <= ours.start() {
        return Ok(Ordering::Greater);
    }
    Err(RebaseConflict { ours, base })
}
