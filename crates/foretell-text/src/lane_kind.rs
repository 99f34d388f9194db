//! The three ways to get a suggestion, by name, and what comes of asking one.
//!
//! The code that asks a lane and the code that decides on its answer share these nouns and nothing
//! else.

use std::fmt;
use std::ops::{Index, IndexMut};

use crate::document::DocumentId;
use crate::edit::Edit;
use crate::offset::ByteOffset;

/// A way to get a suggestion, the one with the highest priority first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LaneKind {
    /// The text to insert at the cursor.
    Fim,
    /// The person's next change, here or elsewhere.
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

// [`PerLane`] finds a lane's by its discriminant.
const _: () = {
    let mut at = 0;
    while at < LaneKind::ALL.len() {
        assert!(
            LaneKind::ALL[at] as usize == at,
            "lanes stand in the order in which they are declared"
        );
        at += 1;
    }
};

/// One of something for each lane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PerLane<T>([T; LaneKind::ALL.len()]);

impl<T> PerLane<T> {
    /// Makes one for each lane.
    pub fn of(make: impl FnMut(LaneKind) -> T) -> Self {
        PerLane(LaneKind::ALL.map(make))
    }

    /// All of them, in order of priority.
    pub fn values(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }
}

impl<T> Index<LaneKind> for PerLane<T> {
    type Output = T;

    fn index(&self, lane: LaneKind) -> &T {
        &self.0[lane as usize]
    }
}

impl<T> IndexMut<LaneKind> for PerLane<T> {
    fn index_mut(&mut self, lane: LaneKind) -> &mut T {
        &mut self.0[lane as usize]
    }
}

/// An edit that a lane suggests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneCandidate {
    /// Of which document.
    pub document: DocumentId,
    /// The edit.
    pub edit: Edit,
    /// Where the cursor goes once it is accepted, in the text that it leads to, if the lane says so.
    pub cursor: Option<ByteOffset>,
}

impl LaneCandidate {
    /// An edit of a lane that does not say where the cursor goes.
    pub fn new(document: DocumentId, edit: Edit) -> Self {
        LaneCandidate {
            document,
            edit,
            cursor: None,
        }
    }
}

/// The tokens that a lane used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TokenUsage {
    /// Tokens it was told.
    pub prompt_tokens: u64,
    /// Tokens it said.
    pub completion_tokens: u64,
    /// Tokens of what it was told that it had to read anew, where that is known: servers keep what they
    /// have read, and go on from there.
    pub read_tokens: Option<u64>,
}

/// How fast the server of a lane is, as far as that has been measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaneSpeed {
    /// How many tokens of a prompt it reads in a second.
    pub read: Option<u32>,
    /// How many tokens of an answer it writes in a second.
    pub written: Option<u32>,
    /// Whether an answer repeats a whole region, which takes hundreds of tokens.
    pub repeats_region: bool,
}

/// How a lane broke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneFailure {
    /// The cause.
    pub kind: FailureKind,
    /// How long it asks to be left alone.
    pub retry_after_ms: Option<u64>,
}

/// The cause of a lane's failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FailureKind {
    /// No server listens there.
    Refused,
    /// There is no way to there.
    Unreachable,
    /// No trust could be established.
    Tls,
    /// Nothing came in time.
    TimedOut,
    /// It began and then fell silent.
    Stalled,
    /// The connection was cut in the middle.
    Cut,
    /// It says the request is wrong.
    ClientError,
    /// It says that was too much.
    TooManyRequests,
    /// It says it is broken itself.
    ServerError,
    /// It says it is still loading its model.
    Loading,
    /// The answer is not JSON, or not the JSON that was agreed on.
    MalformedJson,
    /// The answer does not come as a stream should.
    MalformedStream,
    /// It said nothing at all.
    Empty,
    /// It said more than is allowed.
    TooLarge,
    /// It answered, but where that belongs cannot be told.
    Unplaced,
    /// It was not asked, since what is there cannot be told to it.
    Untold,
    /// The key that it wants could not be had.
    NoKey,
    /// It cannot be asked as it is set up.
    Misconfigured,
    /// It broke by a fault of ours.
    Broken,
}

impl FailureKind {
    /// All of them.
    pub const ALL: [FailureKind; 19] = [
        FailureKind::Refused,
        FailureKind::Unreachable,
        FailureKind::Tls,
        FailureKind::TimedOut,
        FailureKind::Stalled,
        FailureKind::Cut,
        FailureKind::ClientError,
        FailureKind::TooManyRequests,
        FailureKind::ServerError,
        FailureKind::Loading,
        FailureKind::MalformedJson,
        FailureKind::MalformedStream,
        FailureKind::Empty,
        FailureKind::TooLarge,
        FailureKind::Unplaced,
        FailureKind::Untold,
        FailureKind::NoKey,
        FailureKind::Misconfigured,
        FailureKind::Broken,
    ];

    /// As it is written in traces and reports.
    pub const fn name(self) -> &'static str {
        match self {
            FailureKind::Refused => "refused",
            FailureKind::Unreachable => "unreachable",
            FailureKind::Tls => "tls",
            FailureKind::TimedOut => "timed-out",
            FailureKind::Stalled => "stalled",
            FailureKind::Cut => "cut",
            FailureKind::ClientError => "client-error",
            FailureKind::TooManyRequests => "too-many-requests",
            FailureKind::ServerError => "server-error",
            FailureKind::Loading => "loading",
            FailureKind::MalformedJson => "malformed-json",
            FailureKind::MalformedStream => "malformed-stream",
            FailureKind::Empty => "empty",
            FailureKind::TooLarge => "too-large",
            FailureKind::Unplaced => "unplaced",
            FailureKind::Untold => "untold",
            FailureKind::NoKey => "no-key",
            FailureKind::Misconfigured => "misconfigured",
            FailureKind::Broken => "broken",
        }
    }

    /// The failure of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        FailureKind::ALL
            .into_iter()
            .find(|kind| kind.name() == name)
    }
}
