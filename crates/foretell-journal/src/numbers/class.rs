//! Kinds of messages: closed sets, so that no made-up method becomes a label. The server says which
//! message is of which kind.

/// Messages from the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeardClass {
    /// A change of a document.
    Change,
    /// A request for suggestions.
    Request,
    /// A document that is opened, closed, saved or looked at.
    Document,
    /// A move of the cursor.
    Selection,
    /// Diagnostics of a compiler or linter.
    Diagnostics,
    /// The outcome of a suggestion.
    Feedback,
    /// A request that is taken back.
    Cancel,
    /// Settings, folders and files.
    Settings,
    /// A question about the server itself.
    Report,
    /// The beginning or the end of a session.
    Lifecycle,
    /// An answer of the client.
    Answer,
    /// Any other message.
    Unknown,
}

impl HeardClass {
    /// All of them.
    pub const ALL: [HeardClass; 12] = [
        HeardClass::Change,
        HeardClass::Request,
        HeardClass::Document,
        HeardClass::Selection,
        HeardClass::Diagnostics,
        HeardClass::Feedback,
        HeardClass::Cancel,
        HeardClass::Settings,
        HeardClass::Report,
        HeardClass::Lifecycle,
        HeardClass::Answer,
        HeardClass::Unknown,
    ];

    /// Its name, as a label has it.
    pub const fn name(self) -> &'static str {
        match self {
            HeardClass::Change => "change",
            HeardClass::Request => "request",
            HeardClass::Document => "document",
            HeardClass::Selection => "selection",
            HeardClass::Diagnostics => "diagnostics",
            HeardClass::Feedback => "feedback",
            HeardClass::Cancel => "cancel",
            HeardClass::Settings => "settings",
            HeardClass::Report => "report",
            HeardClass::Lifecycle => "lifecycle",
            HeardClass::Answer => "answer",
            HeardClass::Unknown => "unknown",
        }
    }
}

/// The work that a message makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkClass {
    /// A change of a document.
    Change,
    /// A request for suggestions.
    Request,
    /// Anything else.
    Other,
}

impl WorkClass {
    /// All of them.
    pub const ALL: [WorkClass; 3] = [WorkClass::Change, WorkClass::Request, WorkClass::Other];

    /// The work that what was said is.
    pub const fn of(heard: HeardClass) -> Self {
        match heard {
            HeardClass::Change => WorkClass::Change,
            HeardClass::Request => WorkClass::Request,
            _ => WorkClass::Other,
        }
    }

    /// Its name, as a label has it.
    pub const fn name(self) -> &'static str {
        match self {
            WorkClass::Change => "change",
            WorkClass::Request => "request",
            WorkClass::Other => "other",
        }
    }
}

/// Messages to the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToldClass {
    /// An answer.
    Answer,
    /// An error.
    Error,
    /// A question.
    Question,
    /// That it is to ask.
    Trigger,
    /// That it is to send a text again.
    Resync,
    /// Words to show or to log.
    Words,
    /// How far something is.
    Progress,
    /// Anything else.
    Other,
}

impl ToldClass {
    /// All of them.
    pub const ALL: [ToldClass; 8] = [
        ToldClass::Answer,
        ToldClass::Error,
        ToldClass::Question,
        ToldClass::Trigger,
        ToldClass::Resync,
        ToldClass::Words,
        ToldClass::Progress,
        ToldClass::Other,
    ];

    /// Its name, as a label has it.
    pub const fn name(self) -> &'static str {
        match self {
            ToldClass::Answer => "answer",
            ToldClass::Error => "error",
            ToldClass::Question => "question",
            ToldClass::Trigger => "trigger",
            ToldClass::Resync => "resync",
            ToldClass::Words => "words",
            ToldClass::Progress => "progress",
            ToldClass::Other => "other",
        }
    }
}

/// Why something that the client said was not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalClass {
    /// Parameters of another form.
    Malformed,
    /// A method that there is not.
    UnknownMethod,
    /// Something that comes too early or too late.
    OutOfOrder,
    /// Something that there is not.
    Impossible,
    /// An answer that cannot be written.
    Broken,
}

impl RefusalClass {
    /// All of them.
    pub const ALL: [RefusalClass; 5] = [
        RefusalClass::Malformed,
        RefusalClass::UnknownMethod,
        RefusalClass::OutOfOrder,
        RefusalClass::Impossible,
        RefusalClass::Broken,
    ];

    /// Its name, as a label has it.
    pub const fn name(self) -> &'static str {
        match self {
            RefusalClass::Malformed => "malformed",
            RefusalClass::UnknownMethod => "unknown-method",
            RefusalClass::OutOfOrder => "out-of-order",
            RefusalClass::Impossible => "impossible",
            RefusalClass::Broken => "broken",
        }
    }
}
