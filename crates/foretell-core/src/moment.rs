//! Time, as the machine knows it: the caller tells it.

use std::fmt;

/// A moment, in whole milliseconds since some beginning that the caller keeps to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(u64);

impl Moment {
    /// The last moment there is. Nothing can be due after it.
    pub const LAST: Moment = Moment(u64::MAX);

    /// So many milliseconds after the beginning.
    pub const fn from_millis(millis: u64) -> Self {
        Moment(millis)
    }

    /// Milliseconds since the beginning.
    pub const fn millis(self) -> u64 {
        self.0
    }

    /// The moment so many milliseconds later; the last there is, if that is beyond it.
    pub const fn after(self, millis: u64) -> Self {
        Moment(self.0.saturating_add(millis))
    }

    /// How many milliseconds have passed since an earlier moment; none if it is not earlier.
    pub const fn since(self, earlier: Moment) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ms", self.0)
    }
}
