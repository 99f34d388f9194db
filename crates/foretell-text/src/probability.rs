//! [`TextProbability`]: how likely a text is the one that the person types next.
//!
//! It is a whole number of thousandths, so that the same session compares, sorts and prints it the same
//! everywhere. Absent on purpose: arithmetic. A predictor calculates in its own way, and says the result.

use std::fmt;

/// How likely a text is the one that the person types next, in thousandths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TextProbability(u16);

impl TextProbability {
    /// It will not be.
    pub const NEVER: TextProbability = TextProbability(0);
    /// It will be.
    pub const CERTAIN: TextProbability = TextProbability(1_000);

    /// So many thousandths, and certainty for more than a thousand.
    pub const fn from_thousandths(thousandths: u16) -> Self {
        if thousandths > 1_000 {
            TextProbability::CERTAIN
        } else {
            TextProbability(thousandths)
        }
    }

    /// A share between 0 and 1, rounded; anything else is the nearer of the two, and what is no number is
    /// never.
    pub fn from_share(share: f64) -> Self {
        // The cast saturates, and is 0 for what is no number.
        TextProbability::from_thousandths((share * 1_000.0).round() as u16)
    }

    /// The number of thousandths.
    pub const fn thousandths(self) -> u16 {
        self.0
    }
}

/// `0.725`
impl fmt::Display for TextProbability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:03}", self.0 / 1_000, self.0 % 1_000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_rounded_and_kept_between_nothing_and_certainty() {
        for (share, said) in [
            (0.6, "0.600"),
            (0.7254, "0.725"),
            (1.0, "1.000"),
            (1e9, "1.000"),
            (-0.5, "0.000"),
            (f64::NAN, "0.000"),
        ] {
            assert_eq!(TextProbability::from_share(share).to_string(), said);
        }
        let most = TextProbability::from_thousandths(u16::MAX);
        assert_eq!(most, TextProbability::CERTAIN);
        assert!(TextProbability::NEVER < TextProbability::from_thousandths(1));
    }
}
