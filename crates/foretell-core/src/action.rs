//! Orders: what the machine wants done, and what it wants known.

use foretell_text::{ByteOffset, Candidate, DocumentId, Edit, LaneKind, Version};

use crate::event::{RequestId, SuggestionId};
use crate::reason::Reason;
use crate::rejections::{Forgotten, RejectionId, Stirred};

/// Something that whoever drives the machine is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Tell the editor to ask for a suggestion now.
    AskEditor {
        /// Where the cursor is.
        spot: Spot,
        /// What made it ask.
        cause: AskCause,
    },
    /// Collect what a model may see; the answer will be needed when the lanes start.
    GatherContext {
        /// For which request.
        request: RequestId,
        /// Where it asks.
        spot: Spot,
    },
    /// Start a lane.
    StartLane {
        /// For which request.
        request: RequestId,
        /// Which lane.
        lane: LaneKind,
        /// Where it is asked.
        spot: Spot,
    },
    /// Stop a lane; what it still says will be turned away.
    CancelLane {
        /// For which request.
        request: RequestId,
        /// Which lane.
        lane: LaneKind,
        /// Why.
        reason: Reason,
    },
    /// Answer a request, which happens exactly once.
    Answer {
        /// Which request.
        request: RequestId,
        /// What to say.
        answer: Answer,
        /// What each lane that was started came to.
        lanes: Vec<LaneReport>,
    },
    /// Tell the editor to send the whole text of a document: the one that is held is not the
    /// editor's, or none is. It is said once, until the text has come.
    Resync {
        /// Which document.
        document: DocumentId,
    },
    /// Write down what was decided; nothing needs doing.
    Record(Record),
}

/// A place in one text of a document. An order may be carried out when the document has moved on,
/// so that it says which text it is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spot {
    /// In which document.
    pub document: DocumentId,
    /// In which of its texts.
    pub version: Version,
    /// Where.
    pub at: ByteOffset,
}

/// What made the machine tell the editor to ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AskCause {
    /// The cursor came to rest after an edit.
    Selection,
    /// The person went to another document after an edit.
    DocumentSwitch,
}

/// What a request is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// These, the best first.
    Candidates(Vec<Offer>),
    /// Nothing, and why.
    Withheld(Reason),
}

/// What a lane came to in the race for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneReport {
    /// Which lane.
    pub lane: LaneKind,
    /// How long it took, or was given.
    pub took_ms: u64,
    /// Why it lost, unless it won.
    pub lost: Option<Reason>,
}

/// A candidate that is offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// What it would change.
    pub candidate: Candidate,
    /// Which text of its document that is an edit of.
    pub version: Version,
    /// Which lane thought of it.
    pub lane: LaneKind,
    /// How it came to be offered now.
    pub from: OfferedFrom,
}

/// How a candidate came to be offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OfferedFrom {
    /// A lane has just answered.
    Lane,
    /// It was offered before, and the person is on the way to it.
    Carried,
    /// The same was asked before, and this was the answer.
    Repeated,
}

/// Something that was decided or noticed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    /// An event changed nothing.
    IgnoredEvent {
        /// About which document it was, if it was about one.
        document: Option<DocumentId>,
        /// Why.
        reason: Reason,
    },
    /// The cursor moved, and the editor was not told to ask.
    Quiet {
        /// Where.
        document: DocumentId,
        /// Why.
        reason: Reason,
    },
    /// A request waits for the person to pause before any lane starts.
    Waits {
        /// Which request.
        request: RequestId,
        /// How long.
        millis: u64,
    },
    /// A request takes the place of one that asked the same, with all that one has come to.
    Joined {
        /// The newer request.
        request: RequestId,
        /// The one it takes the place of.
        older: RequestId,
    },
    /// A lane that would have been started for a request is not.
    Spared {
        /// For which request.
        request: RequestId,
        /// Which lane.
        lane: LaneKind,
        /// Why.
        reason: Reason,
    },
    /// A lane has something to show for a request, and better lanes still run.
    Held {
        /// For which request.
        request: RequestId,
        /// Which lane.
        lane: LaneKind,
    },
    /// A lane that failed several times, or was told to, is left alone for a while.
    Rests {
        /// Which lane.
        lane: LaneKind,
        /// How long.
        millis: u64,
    },
    /// A document was let go because too many are open.
    LetGo {
        /// Which.
        document: DocumentId,
        /// Why.
        reason: Reason,
    },
    /// Something else was typed where a suggestion was offered, in an editor that says nothing of it
    /// itself.
    TypedOver {
        /// Which.
        suggestion: SuggestionId,
        /// In which document.
        document: DocumentId,
        /// How often what has the same effect was by now.
        times: usize,
    },
    /// An edit will not be shown again.
    Remembered {
        /// By which number.
        rejection: RejectionId,
        /// In which document.
        document: DocumentId,
        /// What was rejected, trimmed; nothing if the person had left its way before they said so. If
        /// they said nothing, as it stood before they typed over it.
        edit: Edit,
    },
    /// A rejection matches nothing for the time being.
    Asleep {
        /// Which.
        rejection: RejectionId,
        /// Why.
        because: Stirred,
    },
    /// A rejection matches again.
    Awake {
        /// Which.
        rejection: RejectionId,
        /// Why.
        because: Stirred,
    },
    /// A rejection is gone for good.
    Forgotten {
        /// Which.
        rejection: RejectionId,
        /// Why.
        because: Forgotten,
    },
}
