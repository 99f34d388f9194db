//! The three ways to get a suggestion, by name.

use std::fmt;

/// A way to get a suggestion, the one with the highest priority first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LaneKind {
    /// What goes in at the cursor.
    Fim,
    /// What the person will change next, here or elsewhere.
    NextEdit,
    /// How to clear the diagnostic near the cursor.
    Fix,
}

impl LaneKind {
    /// All of them, in order of priority.
    pub const ALL: [LaneKind; 3] = [LaneKind::Fim, LaneKind::NextEdit, LaneKind::Fix];

    /// As it is written in traces and reports.
    pub const fn name(self) -> &'static str {
        match self {
            LaneKind::Fim => "fim",
            LaneKind::NextEdit => "next-edit",
            LaneKind::Fix => "fix",
        }
    }

    /// The lane of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        LaneKind::ALL.into_iter().find(|lane| lane.name() == name)
    }
}

impl fmt::Display for LaneKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
