//! The three ways to get a suggestion, by name, and what comes of asking one.
//!
//! The code that asks a lane and the code that decides on its answer share these nouns and nothing
//! else.

use std::fmt;

use crate::document::DocumentId;
use crate::edit::Edit;

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

/// An edit that a lane suggests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Of which document.
    pub document: DocumentId,
    /// What it would change.
    pub edit: Edit,
}

/// What a lane used up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Tokens it was told.
    pub prompt_tokens: u64,
    /// Tokens it said.
    pub completion_tokens: u64,
}

/// How a lane broke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What went wrong.
    pub kind: FailureKind,
    /// How long it asks to be left alone.
    pub retry_after_ms: Option<u64>,
}

/// What went wrong in a lane.
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
    /// What it said is not JSON, or not the JSON that was agreed on.
    MalformedJson,
    /// What it said does not come as a stream should.
    MalformedStream,
    /// It said nothing at all.
    Empty,
    /// It said more than is allowed.
    TooLarge,
    /// It answered, but where that belongs cannot be told.
    Unplaced,
    /// The key that it wants could not be had.
    NoKey,
    /// It cannot be asked as it is set up.
    Misconfigured,
    /// It broke by a fault of ours.
    Broken,
}

impl FailureKind {
    /// All of them.
    pub const ALL: [FailureKind; 17] = [
        FailureKind::Refused,
        FailureKind::Unreachable,
        FailureKind::Tls,
        FailureKind::TimedOut,
        FailureKind::Stalled,
        FailureKind::Cut,
        FailureKind::ClientError,
        FailureKind::TooManyRequests,
        FailureKind::ServerError,
        FailureKind::MalformedJson,
        FailureKind::MalformedStream,
        FailureKind::Empty,
        FailureKind::TooLarge,
        FailureKind::Unplaced,
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
            FailureKind::MalformedJson => "malformed-json",
            FailureKind::MalformedStream => "malformed-stream",
            FailureKind::Empty => "empty",
            FailureKind::TooLarge => "too-large",
            FailureKind::Unplaced => "unplaced",
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
