//! What a person types, and when: a recorded session, or one that is made up the same way every time.

pub(crate) mod recorded;
pub(crate) mod typed;

use std::time::Duration;

use foretell_text::Edit;

/// A pause longer than this is one in which somebody looks at what is suggested.
pub(crate) const PAUSE: Duration = Duration::from_secs(1);

/// A session.
pub(crate) struct Session {
    pub(crate) name: &'static str,
    /// In the order of their times.
    pub(crate) steps: Vec<Step>,
    /// How long somebody looks at the end.
    pub(crate) end: Duration,
}

/// Something that happens in an editor.
pub(crate) struct Step {
    /// Since the session began.
    pub(crate) at: Duration,
    pub(crate) what: StepKind,
}

pub(crate) enum StepKind {
    /// A document is opened, or its text came from elsewhere.
    Open(OpenedDocument),
    /// The person changes it.
    Type(TypedChange),
}

pub(crate) struct OpenedDocument {
    /// Its path in the workspace.
    pub(crate) path: String,
    pub(crate) language: String,
    pub(crate) text: String,
}

pub(crate) struct TypedChange {
    pub(crate) path: String,
    /// One after the other: each is an edit of the text after the one before.
    pub(crate) edits: Vec<Edit>,
    /// Where the cursor is afterwards, in bytes.
    pub(crate) cursor: usize,
}

impl Session {
    /// How many pauses it has.
    pub(crate) fn pauses(&self) -> usize {
        let keys = self.steps.iter();
        let keys = keys.filter(|step| matches!(step.what, StepKind::Type(_)));
        let mut times: Vec<Duration> = keys.map(|step| step.at).collect();
        times.push(self.end);
        times.windows(2).filter(|it| it[1] - it[0] > PAUSE).count()
    }
}
