//! Why nothing was shown, asked or done: every silence has a cause, and here are all of them.
//!
//! The names are part of the product: reports, logs, traces and the server's answers print them, and
//! people write to us quoting them. There is no `Other`.

use std::fmt;

/// A cause of silence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// The text is the one a model was asked about last.
    UnchangedText,
    /// This line triggered a moment ago.
    SameLineCooldown,
    /// The person rejected something a moment ago.
    RejectionCooldown,
    /// Nothing was edited lately.
    NoRecentEdit,
    /// There is not exactly one cursor.
    MultipleCursors,
    /// Something is selected.
    SelectionNotEmpty,
    /// The change was an undo or a redo.
    UndoOrRedo,
    /// Documents of this kind are left alone.
    IgnoredDocument,
    /// The document has too many lines.
    TooManyLines,
    /// A newer request took its place.
    Superseded,
    /// The editor no longer wants to know.
    Cancelled,
    /// Every lane was asked and none had anything.
    NothingFound,
    /// No lane has anything to do at this place.
    NothingToAsk,
    /// The person has rejected this very change before.
    PreviouslyRejected,
    /// It would take back what the person did a moment ago, or do again what they took back.
    TakesBack,
    /// It would change nothing.
    NoEffect,
    /// It repeats what already stands behind the cursor.
    EchoesSuffix,
    /// It is not on the line of the cursor.
    Elsewhere,
    /// Nothing came in time.
    TimedOut,
    /// A lane broke.
    LaneFailed,
    /// A lane broke several times in a row and is left alone for a while.
    LaneResting,
    /// A lane's model writes too slowly to be asked while somebody types.
    ModelTooSlow,
    /// A limit on calls or tokens is reached.
    OverLimit,
    /// The person typed something else before it came.
    Overtaken,
    /// Another lane had something to show before it.
    Outrun,
    /// The same was asked at the same text and place already.
    AlreadyAsked,
    /// The person is in the middle of a change, so that nothing follows from it yet.
    UnfinishedEdit,
    /// The text here and in the editor are no longer the same.
    OutOfStep,
    /// The document must not be sent anywhere.
    ExcludedDocument,
    /// Settings may be a repository's word, so that no model is asked.
    ContestedSettings,
    /// No such document is open.
    UnknownDocument,
    /// It would only add or remove white space, or add what cannot be seen.
    WhitespaceOnly,
    /// It is too short to be worth a look.
    TooShort,
    /// It is not likely enough.
    Unsure,
    /// The person has just deleted it.
    JustDeleted,
    /// The person has just said no on this line.
    RefusedHere,
    /// It touches something secret.
    TouchesSecret,
    /// The process is about to end.
    ShuttingDown,
    /// A setting switches it off.
    Disabled,
    /// The person wants nothing suggested in the document for now.
    Paused,
    /// So many documents are open that the one not looked at for longest was let go.
    TooManyDocuments,
    /// No such request, suggestion or rejection is known.
    UnknownId,
}

impl Reason {
    /// All of them, in order.
    pub const ALL: [Reason; 42] = [
        Reason::UnchangedText,
        Reason::SameLineCooldown,
        Reason::RejectionCooldown,
        Reason::NoRecentEdit,
        Reason::MultipleCursors,
        Reason::SelectionNotEmpty,
        Reason::UndoOrRedo,
        Reason::IgnoredDocument,
        Reason::TooManyLines,
        Reason::Superseded,
        Reason::Cancelled,
        Reason::NothingFound,
        Reason::NothingToAsk,
        Reason::PreviouslyRejected,
        Reason::TakesBack,
        Reason::NoEffect,
        Reason::EchoesSuffix,
        Reason::Elsewhere,
        Reason::TimedOut,
        Reason::LaneFailed,
        Reason::LaneResting,
        Reason::ModelTooSlow,
        Reason::OverLimit,
        Reason::Overtaken,
        Reason::Outrun,
        Reason::AlreadyAsked,
        Reason::UnfinishedEdit,
        Reason::OutOfStep,
        Reason::ExcludedDocument,
        Reason::ContestedSettings,
        Reason::UnknownDocument,
        Reason::WhitespaceOnly,
        Reason::TooShort,
        Reason::Unsure,
        Reason::JustDeleted,
        Reason::RefusedHere,
        Reason::TouchesSecret,
        Reason::ShuttingDown,
        Reason::Disabled,
        Reason::Paused,
        Reason::TooManyDocuments,
        Reason::UnknownId,
    ];

    /// The name that traces and reports print.
    pub const fn name(self) -> &'static str {
        match self {
            Reason::UnchangedText => "unchanged-text",
            Reason::SameLineCooldown => "same-line-cooldown",
            Reason::RejectionCooldown => "rejection-cooldown",
            Reason::NoRecentEdit => "no-recent-edit",
            Reason::MultipleCursors => "multiple-cursors",
            Reason::SelectionNotEmpty => "selection-not-empty",
            Reason::UndoOrRedo => "undo-or-redo",
            Reason::IgnoredDocument => "ignored-document",
            Reason::TooManyLines => "too-many-lines",
            Reason::Superseded => "superseded",
            Reason::Cancelled => "cancelled",
            Reason::NothingFound => "nothing-found",
            Reason::NothingToAsk => "nothing-to-ask",
            Reason::PreviouslyRejected => "previously-rejected",
            Reason::TakesBack => "takes-back",
            Reason::NoEffect => "no-effect",
            Reason::EchoesSuffix => "echoes-suffix",
            Reason::Elsewhere => "elsewhere",
            Reason::TimedOut => "timed-out",
            Reason::LaneFailed => "lane-failed",
            Reason::LaneResting => "lane-resting",
            Reason::ModelTooSlow => "model-too-slow",
            Reason::OverLimit => "over-limit",
            Reason::Overtaken => "overtaken",
            Reason::Outrun => "outrun",
            Reason::AlreadyAsked => "already-asked",
            Reason::UnfinishedEdit => "unfinished-edit",
            Reason::OutOfStep => "out-of-step",
            Reason::ExcludedDocument => "excluded-document",
            Reason::ContestedSettings => "contested-settings",
            Reason::UnknownDocument => "unknown-document",
            Reason::WhitespaceOnly => "whitespace-only",
            Reason::TooShort => "too-short",
            Reason::Unsure => "unsure",
            Reason::JustDeleted => "just-deleted",
            Reason::RefusedHere => "refused-here",
            Reason::TouchesSecret => "touches-secret",
            Reason::ShuttingDown => "shutting-down",
            Reason::Disabled => "disabled",
            Reason::Paused => "paused",
            Reason::TooManyDocuments => "too-many-documents",
            Reason::UnknownId => "unknown-id",
        }
    }

    /// The sentence that a person reads.
    pub const fn words(self) -> &'static str {
        match self {
            Reason::UnchangedText => "the text is the one a model was asked about last",
            Reason::SameLineCooldown => "this line had its turn a moment ago",
            Reason::RejectionCooldown => "something was rejected a moment ago",
            Reason::NoRecentEdit => "nothing was edited lately, or since a rejection",
            Reason::MultipleCursors => "there is not exactly one cursor",
            Reason::SelectionNotEmpty => "something is selected",
            Reason::UndoOrRedo => "the change was an undo or a redo",
            Reason::IgnoredDocument => "documents of this kind are left alone",
            Reason::TooManyLines => "the document has too many lines",
            Reason::Superseded => "something newer took its place",
            Reason::Cancelled => "the editor no longer wants to know",
            Reason::NothingFound => "no lane had anything to suggest",
            Reason::NothingToAsk => "no lane has anything to do here",
            Reason::PreviouslyRejected => "this change was rejected before",
            Reason::TakesBack => {
                "it would take back your last change, or do again what you took back"
            }
            Reason::NoEffect => "it would change nothing",
            Reason::EchoesSuffix => "it repeats what already stands behind the cursor",
            Reason::Elsewhere => "it is not on the line of the cursor",
            Reason::TimedOut => "nothing came in time",
            Reason::LaneFailed => "the lane failed",
            Reason::LaneResting => "the lane failed several times and rests for a while",
            Reason::ModelTooSlow => "the model writes too slowly to be asked while you type",
            Reason::OverLimit => "a limit on calls or tokens is reached",
            Reason::Overtaken => "something else was typed before it came",
            Reason::Outrun => "another lane had something to show first",
            Reason::AlreadyAsked => "the same was asked here already",
            Reason::UnfinishedEdit => "you are in the middle of a change",
            Reason::OutOfStep => "the text here differs from the editor's",
            Reason::ExcludedDocument => "the document must not be sent anywhere",
            Reason::ContestedSettings => "the settings may not be the person's own",
            Reason::UnknownDocument => "no such document is open",
            Reason::WhitespaceOnly => {
                "it would only add or remove what cannot be seen, such as white space"
            }
            Reason::TooShort => "it is too short to be worth a look",
            Reason::Unsure => "it is not likely enough",
            Reason::JustDeleted => "it was just deleted here",
            Reason::RefusedHere => "something was just rejected on this line",
            Reason::TouchesSecret => "it touches something secret",
            Reason::ShuttingDown => "the process is about to end",
            Reason::Disabled => "a setting switches it off",
            Reason::Paused => "you have paused suggestions in this document",
            Reason::TooManyDocuments => "too many documents are open",
            Reason::UnknownId => "nothing of that name is known",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
