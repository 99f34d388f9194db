//! Facts: what happened, told to the machine.
//!
//! An event is never refused. One that comes late, twice, for a document nobody opened or with
//! offsets that do not fit is recorded with a [`Reason`](crate::Reason), and changes nothing.

use std::sync::Arc;

use foretell_settings::Settings;
use foretell_text::{
    ByteOffset, ByteRange, Candidate, ChangeReason, Diagnostic, DocumentId, Edit, Failure,
    LaneKind, Language, Text, Usage, Version,
};

use crate::rejections::{RejectionId, StoredRejection};

/// Something that happened.
#[derive(Clone, Debug)]
pub enum Event {
    /// An editor has connected.
    ClientConnected {
        /// What it will tell of rejections.
        rejections: RejectionReports,
    },
    /// A document was opened, or its whole text was sent again.
    DocumentOpened {
        /// Which.
        document: DocumentId,
        /// What it is written in.
        language: Language,
        /// Which text this is.
        version: Version,
        /// Its text.
        text: Text,
    },
    /// A document changed.
    DocumentChanged {
        /// Which.
        document: DocumentId,
        /// Which text it has now.
        version: Version,
        /// What changed, one after the other: each is an edit of the text after the one before.
        edits: Vec<Edit>,
        /// How it came about.
        reason: ChangeReason,
    },
    /// The whole text of an open document was sent again, because the editor does so at every change
    /// or because it was asked to.
    DocumentReplaced {
        /// Which.
        document: DocumentId,
        /// Which text this is.
        version: Version,
        /// Its text.
        text: Text,
        /// How it came about.
        reason: ChangeReason,
    },
    /// A document changed in a way that could not be understood, so that its text is not known any
    /// more.
    DocumentLost {
        /// Which.
        document: DocumentId,
    },
    /// A document was closed.
    DocumentClosed {
        /// Which.
        document: DocumentId,
    },
    /// The person looks at a document now.
    DocumentFocused {
        /// Which.
        document: DocumentId,
    },
    /// The cursors moved.
    SelectionChanged {
        /// Where.
        document: DocumentId,
        /// In which text, if the editor says.
        version: Option<Version>,
        /// What is selected; a cursor is an empty range.
        selections: Vec<ByteRange>,
    },
    /// A compiler or linter has spoken.
    DiagnosticsChanged {
        /// Of which document.
        document: DocumentId,
        /// Of which text, if the editor says.
        version: Option<Version>,
        /// All it has to say now.
        diagnostics: Vec<Diagnostic>,
    },
    /// Somebody has looked for secrets in a document.
    SecretsFound {
        /// Which document.
        document: DocumentId,
        /// In which text.
        version: Version,
        /// Where they are; nothing that touches them will be suggested.
        ranges: Vec<ByteRange>,
    },
    /// Somebody has looked whether a document may be told to others. Until then it may.
    ExclusionKnown {
        /// Which document.
        document: DocumentId,
        /// Whether it must not leave: then only lanes that tell nobody anything are asked.
        is_excluded: bool,
    },
    /// Somebody has looked whether the settings may be another's word, such as that of a repository
    /// that speaks through an editor. Until then they are the person's.
    ContestKnown {
        /// Whether they may: then only lanes that tell nobody anything are asked.
        is_contested: bool,
    },
    /// What a lane has used up in a day is known from elsewhere, such as an earlier process.
    UsageKnown {
        /// Which lane.
        lane: LaneKind,
        /// In which day, counted from the one that moments begin in. A day that is not yet here by the
        /// moments has begun all the same: clocks stand still while a machine sleeps.
        day: u64,
        /// How often it was called.
        requests: u64,
        /// How many tokens that took.
        tokens: u64,
    },
    /// The editor wants a suggestion.
    SuggestionRequested {
        /// By which name it will be answered.
        request: RequestId,
        /// In which document.
        document: DocumentId,
        /// In which text, if the editor says.
        version: Option<Version>,
        /// Where the cursor is.
        at: ByteOffset,
        /// Who wants it.
        cause: RequestCause,
        /// What may be suggested.
        kind: RequestKind,
    },
    /// The editor no longer wants it.
    RequestCancelled {
        /// Which request.
        request: RequestId,
    },
    /// A lane has come back.
    LaneAnswered {
        /// For which request.
        request: RequestId,
        /// Which lane.
        lane: LaneKind,
        /// What it suggests, the best first; none is "nothing to suggest".
        candidates: Vec<Candidate>,
        /// What it used up.
        usage: Usage,
        /// How many more suggestions there were that would have touched a secret.
        withheld: usize,
    },
    /// A lane broke.
    LaneFailed {
        /// For which request.
        request: RequestId,
        /// Which lane.
        lane: LaneKind,
        /// How.
        failure: Failure,
        /// What it used up all the same.
        usage: Usage,
    },
    /// A suggestion is on the screen.
    SuggestionShown {
        /// Which.
        suggestion: SuggestionId,
    },
    /// The person took a suggestion.
    SuggestionAccepted {
        /// Which.
        suggestion: SuggestionId,
        /// How many bytes of it, if not all.
        length: Option<usize>,
    },
    /// The person does not want a suggestion, and says so.
    SuggestionRejected {
        /// Which.
        suggestion: SuggestionId,
    },
    /// A suggestion went away without a word.
    SuggestionIgnored {
        /// Which.
        suggestion: SuggestionId,
    },
    /// The person does not want an edit, wherever it came from.
    EditRejected {
        /// In which document.
        document: DocumentId,
        /// What they do not want.
        edit: Edit,
    },
    /// The person wants one rejection forgotten.
    RejectionForgotten {
        /// Which.
        rejection: RejectionId,
    },
    /// The person wants all rejections forgotten.
    RejectionsCleared,
    /// The editor gives back what it was told before a restart.
    RejectionsRestored {
        /// What had been rejected, the first first.
        rejections: Arc<[StoredRejection]>,
    },
    /// Settings are other ones now.
    SettingsChanged {
        /// All of them.
        settings: Arc<Settings>,
    },
    /// The process is about to end: what is asked is answered, and nothing is begun any more.
    ShuttingDown,
}

/// What an editor tells of rejections.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RejectionReports {
    /// It says when the person rejects something.
    Explicit,
    /// It says nothing, so that offers typed over again and again are all there is to go by.
    Inferred,
}

/// A request's name, chosen by whoever asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestId(u64);

impl RequestId {
    /// The request of a number.
    pub const fn new(number: u64) -> Self {
        RequestId(number)
    }

    /// Its number.
    pub const fn get(self) -> u64 {
        self.0
    }
}

/// One of the candidates of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SuggestionId {
    /// The request that was answered.
    pub request: RequestId,
    /// Its place in the answer.
    pub candidate: usize,
}

/// Who wants a suggestion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RequestCause {
    /// The editor, by itself.
    Automatic,
    /// The person, by a key.
    Explicit,
}

/// What may be suggested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RequestKind {
    /// What an editor draws at the cursor: something that touches the cursor's line.
    Inline,
    /// The next edit, anywhere in the document or in another open one.
    Edit,
}
