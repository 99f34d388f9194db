//! Events: what happened, as the machine is told.
//!
//! An event is never refused. One that comes late, twice, for a document that is not open or with
//! offsets that do not fit is recorded with a [`Reason`](crate::Reason), and changes nothing.

use std::sync::Arc;

use foretell_settings::Settings;
use foretell_text::{
    ByteOffset, ByteRange, ChangeReason, CursorPrediction, Diagnostic, DocumentId, Edit,
    LaneCandidate, LaneFailure, LaneKind, LaneSpeed, Language, Text, TokenUsage, Version,
};

use crate::ahead_call::{AheadCallId, AheadOutcome};
use crate::pace::typing_gaps::TypingGaps;
use crate::rejection_memory::{RejectionId, StoredRejection};

/// Something that happened.
#[derive(Clone, Debug)]
pub enum Event {
    /// An editor has connected.
    ClientConnected {
        /// How it will report rejections.
        rejections: RejectionReports,
        /// Whether it asks when it is told to.
        asks_when_told: bool,
    },
    /// A document was opened, or its whole text was sent again.
    DocumentOpened {
        /// The document.
        document: DocumentId,
        /// Its language.
        language: Language,
        /// Which text this is.
        version: Version,
        /// Its text.
        text: Text,
    },
    /// A document changed.
    DocumentChanged {
        /// The document.
        document: DocumentId,
        /// Which text it has now.
        version: Version,
        /// The changes, one after the other: each is an edit of the text after the one before.
        edits: Vec<Edit>,
        /// How it came about.
        reason: ChangeReason,
    },
    /// The whole text of an open document was sent again, because the editor does so at every change
    /// or because it was asked to.
    DocumentReplaced {
        /// The document.
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
        /// The document.
        document: DocumentId,
    },
    /// A document was closed.
    DocumentClosed {
        /// The document.
        document: DocumentId,
    },
    /// The person looks at a document now.
    DocumentFocused {
        /// The document.
        document: DocumentId,
    },
    /// A document was saved.
    DocumentSaved {
        /// The document.
        document: DocumentId,
    },
    /// The cursors moved.
    SelectionChanged {
        /// The document.
        document: DocumentId,
        /// In which text, if the editor says.
        version: Option<Version>,
        /// The selected ranges; a cursor is an empty range.
        selections: Vec<ByteRange>,
    },
    /// A compiler or linter has spoken.
    DiagnosticsChanged {
        /// The document.
        document: DocumentId,
        /// Of which text, if the editor says.
        version: Option<Version>,
        /// All it has to say now.
        diagnostics: Vec<Diagnostic>,
    },
    /// A search for secrets in a document has ended.
    SecretsFound {
        /// The document.
        document: DocumentId,
        /// In which text.
        version: Version,
        /// Where they are; nothing that touches them will be suggested.
        ranges: Vec<ByteRange>,
    },
    /// It is known whether a document is excluded. Until then it counts as not excluded.
    ExclusionKnown {
        /// The document.
        document: DocumentId,
        /// Whether it is: then only lanes that send nothing elsewhere are asked.
        is_excluded: bool,
    },
    /// The person has paused suggestions in a document, or goes on: nothing is asked about it in the meantime,
    /// ahead of time either. A document that was closed is not paused any more.
    DocumentPaused {
        /// The document.
        document: DocumentId,
        /// Whether it is paused.
        is_paused: bool,
    },
    /// It is known whether the settings may be another's word, such as that of a repository
    /// that speaks through an editor. Until then they are the person's.
    ContestKnown {
        /// Whether they may: then only lanes that send nothing elsewhere are asked.
        is_contested: bool,
    },
    /// The usage of a lane in a day is known from elsewhere, such as an earlier process.
    UsageKnown {
        /// The lane.
        lane: LaneKind,
        /// In which day, counted from the one that moments begin in. A day that is not yet here by the
        /// moments has begun all the same: clocks stand still while a machine sleeps.
        day: u64,
        /// How often it was called.
        requests: u64,
        /// How many tokens that took.
        tokens: u64,
    },
    /// The speed of a lane's server is known, as it is set up in general.
    LaneSpeedKnown {
        /// The lane.
        lane: LaneKind,
        /// How fast it is.
        speed: LaneSpeed,
    },
    /// It is known how the person typed until another day.
    TypingGapsKnown {
        /// The gaps between their keys.
        gaps: TypingGaps,
    },
    /// The editor wants a suggestion.
    SuggestionRequested(SuggestionRequest),
    /// The editor no longer wants it.
    RequestCancelled {
        /// The request.
        request: RequestId,
    },
    /// A lane has come back.
    LaneAnswered {
        /// The request.
        request: RequestId,
        /// The lane.
        lane: LaneKind,
        /// Its suggestions, the best first; none is "nothing to suggest".
        candidates: Vec<LaneCandidate>,
        /// The tokens that it used.
        usage: TokenUsage,
        /// How many more suggestions there were that would have touched a secret.
        withheld: usize,
    },
    /// Places elsewhere that a model may be asked about instead, if it turns out to have nothing at the
    /// cursor. It is told right before the answer of the lane, of the texts as they are then.
    PlacesFound {
        /// The request that the lane was started for.
        request: RequestId,
        /// The lane.
        lane: LaneKind,
        /// The places, the most promising first.
        places: Vec<EditPlace>,
    },
    /// A lane has said a part of its answer, and goes on. What of it will not change any more is told.
    LaneProgressed {
        /// The request that it was started for.
        request: RequestId,
        /// The lane.
        lane: LaneKind,
        /// Its suggestions so far; none, if nothing of what it has said is certain.
        candidates: Vec<LaneCandidate>,
    },
    /// The server of a lane has read more of the prompt, and the model has said nothing yet.
    LaneReading {
        /// The request that it was started for.
        request: RequestId,
        /// The lane.
        lane: LaneKind,
    },
    /// The predictor that answers at once has answered; it costs nothing, so that it never fails.
    Predicted {
        /// The request that it was asked for.
        request: RequestId,
        /// What it has found, if anything.
        prediction: Option<CursorPrediction>,
        /// How many more predictions there were that would have touched a secret.
        withheld: usize,
    },
    /// A lane broke.
    LaneFailed {
        /// The request.
        request: RequestId,
        /// The lane.
        lane: LaneKind,
        /// The failure.
        failure: LaneFailure,
        /// The tokens that it used all the same.
        usage: TokenUsage,
    },
    /// A call ahead of time has ended.
    AheadEnded {
        /// The call.
        call: AheadCallId,
        /// How.
        outcome: AheadOutcome,
        /// The tokens that it used.
        usage: TokenUsage,
    },
    /// A suggestion is on the screen.
    SuggestionShown {
        /// The suggestion.
        suggestion: SuggestionId,
    },
    /// The person took a suggestion.
    SuggestionAccepted {
        /// The suggestion.
        suggestion: SuggestionId,
        /// How many bytes of it, if not all.
        length: Option<usize>,
    },
    /// The person does not want a suggestion, and says so.
    SuggestionRejected {
        /// The suggestion.
        suggestion: SuggestionId,
    },
    /// A suggestion went away without a word.
    SuggestionIgnored {
        /// The suggestion.
        suggestion: SuggestionId,
    },
    /// The person does not want an edit, wherever it came from.
    EditRejected {
        /// The document.
        document: DocumentId,
        /// The edit.
        edit: Edit,
    },
    /// The person wants one rejection forgotten.
    RejectionForgotten {
        /// The rejection.
        rejection: RejectionId,
    },
    /// The person wants all rejections forgotten.
    RejectionsCleared,
    /// The editor gives back what it was told before a restart.
    RejectionsRestored {
        /// The rejections, the first first.
        rejections: Arc<[StoredRejection]>,
    },
    /// The settings have changed.
    SettingsChanged {
        /// All settings, with those that stayed as they were.
        settings: Arc<Settings>,
    },
    /// The process is about to end: what is asked is answered, and nothing is begun any more.
    ShuttingDown,
}

/// A question of the editor's.
#[derive(Clone, Debug)]
pub struct SuggestionRequest {
    /// By which name it will be answered.
    pub request: RequestId,
    /// The document.
    pub document: DocumentId,
    /// In which text, if the editor says.
    pub version: Option<Version>,
    /// Where the cursor is.
    pub at: ByteOffset,
    /// Whether the editor or the person asks.
    pub cause: RequestCause,
    /// The kind of suggestion that fits.
    pub kind: RequestKind,
}

/// A place of a document, in the text that is held of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditPlace {
    /// The document.
    pub document: DocumentId,
    /// The place in it.
    pub at: ByteOffset,
}

/// How an editor reports rejections.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RejectionReports {
    /// It says when the person rejects something.
    Explicit,
    /// It says nothing, so that offers typed over again and again are all there is to go by.
    Inferred,
}

/// A request's name, chosen by the driver.
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

/// The origin of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RequestCause {
    /// The editor, by itself.
    Automatic,
    /// The person, by a key.
    Explicit,
}

/// The kind of suggestion that a request is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RequestKind {
    /// Something that an editor draws at the cursor: it touches the cursor's line.
    Inline,
    /// The next edit, anywhere in the document or in another open one.
    Edit,
}
