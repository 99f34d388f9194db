//! A number that edits of equal effect share, however they are written.
//!
//! Two edits with the same effect turn a text into the same text, so they add and remove the same
//! bytes on balance: what one inserts and removes is, as a bag of bytes, what the other does. The
//! fingerprint is a sum over that bag. It does not depend on where the edit is, on trimming, sliding
//! or splitting, and it does not change when the edit is moved; so a rejected edit is filed under it
//! once, and a suggestion is looked up without looking at the others. Different edits may share it:
//! the caller that finds one compares the effects.

use foretell_text::{Edit, OffsetError, Text};

/// The number that edits of equal effect share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct EditFingerprint(u64);

impl EditFingerprint {
    /// The fingerprint of an edit of a text, unless it does not fit.
    pub(crate) fn of(edit: &Edit, text: &Text) -> Result<Self, OffsetError> {
        let mut sum = 0_u64;
        for replacement in edit.replacements() {
            let removed = text.read(replacement.range())?;
            sum = sum
                .wrapping_add(weigh(replacement.new_text()))
                .wrapping_sub(weigh(&removed));
        }
        Ok(EditFingerprint(sum))
    }
}

fn weigh(text: &str) -> u64 {
    text.bytes()
        .fold(0, |sum, byte| sum.wrapping_add(WEIGHTS[usize::from(byte)]))
}

/// A weight for each byte, such that sums of them seldom meet.
const WEIGHTS: [u64; 256] = {
    let mut weights = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        weights[byte] = scrambled(byte as u64 + 1);
        byte += 1;
    }
    weights
};

/// Spreads a small number over all bits (the finisher of SplitMix64).
const fn scrambled(number: u64) -> u64 {
    let a = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let b = (a ^ (a >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let c = (b ^ (b >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    c ^ (c >> 31)
}
