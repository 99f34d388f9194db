//! What kind of message something is: closed sets, so that no method that somebody made up becomes a
//! label. Which message is of which kind, whoever speaks the protocol says.

/// What the client said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HeardClass {
    Change,
    Request,
    Document,
    Selection,
    Diagnostics,
    Feedback,
    Cancel,
    Settings,
    Report,
    Lifecycle,
    Answer,
    Unknown,
}

impl HeardClass {
    pub(crate) const ALL: [HeardClass; 12] = [
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

    pub(crate) const fn name(self) -> &'static str {
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

/// What kind of work a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WorkClass {
    Change,
    Request,
    Other,
}

impl WorkClass {
    pub(crate) const ALL: [WorkClass; 3] =
        [WorkClass::Change, WorkClass::Request, WorkClass::Other];

    pub(crate) const fn of(heard: HeardClass) -> Self {
        match heard {
            HeardClass::Change => WorkClass::Change,
            HeardClass::Request => WorkClass::Request,
            _ => WorkClass::Other,
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            WorkClass::Change => "change",
            WorkClass::Request => "request",
            WorkClass::Other => "other",
        }
    }
}

/// What the client was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ToldClass {
    Answer,
    Error,
    Question,
    Trigger,
    Resync,
    Words,
    Progress,
    Other,
}

impl ToldClass {
    pub(crate) const ALL: [ToldClass; 8] = [
        ToldClass::Answer,
        ToldClass::Error,
        ToldClass::Question,
        ToldClass::Trigger,
        ToldClass::Resync,
        ToldClass::Words,
        ToldClass::Progress,
        ToldClass::Other,
    ];

    pub(crate) const fn name(self) -> &'static str {
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
pub(crate) enum RefusalClass {
    Malformed,
    UnknownMethod,
    OutOfOrder,
    Impossible,
    Broken,
}

impl RefusalClass {
    pub(crate) const ALL: [RefusalClass; 5] = [
        RefusalClass::Malformed,
        RefusalClass::UnknownMethod,
        RefusalClass::OutOfOrder,
        RefusalClass::Impossible,
        RefusalClass::Broken,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            RefusalClass::Malformed => "malformed",
            RefusalClass::UnknownMethod => "unknown-method",
            RefusalClass::OutOfOrder => "out-of-order",
            RefusalClass::Impossible => "impossible",
            RefusalClass::Broken => "broken",
        }
    }
}
