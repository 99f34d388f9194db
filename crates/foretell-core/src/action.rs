//! The machine's output: orders, which the driver carries out, and notes, which only inform.
//!
//! The two are types of their own, so that the code that carries out orders never sees a note: taking all
//! notes away changes what is told of the machine, and not what it does. A decision that needs an action
//! is an [`Order`], also if there is little to do about it.

use foretell_text::{
    ByteOffset, DocumentId, LaneCandidate, LaneKind, PredictionAsk, TextProbability, Version,
};

use crate::ahead_call::{AheadCallId, AheadQuestion};
use crate::event::RequestId;
use crate::note::Note;
use crate::reason::Reason;

/// One thing that comes out of the machine, in the order in which it was decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Something to do.
    Order(Order),
    /// Something to know.
    Note(Note),
}

impl Action {
    /// Returns the order, if it is one.
    pub fn order(&self) -> Option<&Order> {
        match self {
            Action::Order(order) => Some(order),
            Action::Note(_) => None,
        }
    }
}

/// Something that the driver of the machine is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// Tell the editor to ask for a suggestion now.
    AskEditor {
        /// Where the cursor is.
        spot: Spot,
        /// The event that made it ask.
        cause: AskCause,
    },
    /// Ask the predictor that answers at once, and tell what it says before anything else. It is only
    /// ordered of a driver that has one.
    Predict {
        /// The request.
        request: RequestId,
        /// Where it is asked.
        spot: Spot,
        /// The moment in which it is asked.
        ask: PredictionAsk,
        /// How likely what it says has to be: how far it goes depends on that.
        threshold: TextProbability,
    },
    /// Collect what a model may see; the answer will be needed when the lanes start.
    GatherContext {
        /// The request.
        request: RequestId,
        /// Where it asks.
        spot: Spot,
    },
    /// Start a lane.
    StartLane {
        /// The request.
        request: RequestId,
        /// The lane.
        lane: LaneKind,
        /// Where it is asked.
        spot: Spot,
        /// The call ahead of time that asks the very same and is to be this one from now on.
        ahead: Option<AheadCallId>,
    },
    /// Ask a model ahead of time.
    AskAhead(AheadQuestion),
    /// Stop a call ahead of time; what it still says will be turned away.
    StopAhead {
        /// The call.
        call: AheadCallId,
        /// The reason.
        reason: Reason,
    },
    /// Stop a lane; what it still says will be turned away.
    CancelLane {
        /// The request.
        request: RequestId,
        /// The lane.
        lane: LaneKind,
        /// The reason.
        reason: Reason,
    },
    /// Answer a request, which happens exactly once.
    Answer {
        /// The request.
        request: RequestId,
        /// The answer.
        answer: Answer,
        /// The end of each lane that was started.
        lanes: Vec<LaneReport>,
    },
    /// Tell the editor to send the whole text of a document: the one that is held is not the
    /// editor's, or none is. It is said once, until the text has come.
    Resync {
        /// The document.
        document: DocumentId,
    },
    /// Let a request take the place of one that asked the same, with all that one has come to.
    Join {
        /// The newer request.
        request: RequestId,
        /// The one it takes the place of.
        older: RequestId,
    },
    /// Let go of a document, because too many are open: the machine has.
    Release {
        /// The document.
        document: DocumentId,
        /// The reason.
        reason: Reason,
    },
    /// Leave a lane alone for a while, which failed several times or was told to, and say so.
    Rest {
        /// The lane.
        lane: LaneKind,
        /// How long.
        millis: u64,
    },
    /// Look up what a lane has used up today, since it seems to have had its share: a day may have begun
    /// while the computer slept.
    CheckQuota {
        /// The lane.
        lane: LaneKind,
    },
}

/// A place in one text of a document. An order may be carried out when the document has moved on,
/// so that it says which text it is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spot {
    /// The document.
    pub document: DocumentId,
    /// In which of its texts.
    pub version: Version,
    /// The place in it.
    pub at: ByteOffset,
}

/// The event that made the machine tell the editor to ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AskCause {
    /// The cursor came to rest after an edit.
    Selection,
    /// The person went to another document after an edit.
    DocumentSwitch,
    /// A model has answered when the request that asked it was over.
    Late,
    /// A compiler has something else to say of the text near the cursor.
    Diagnostics,
}

impl AskCause {
    /// Its name in traces and figures.
    pub const fn name(self) -> &'static str {
        match self {
            AskCause::Selection => "selection",
            AskCause::DocumentSwitch => "document-switch",
            AskCause::Late => "late",
            AskCause::Diagnostics => "diagnostics",
        }
    }
}

/// The answer to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// These, the best first.
    Candidates(Vec<Offer>),
    /// Nothing, and why.
    Withheld(Reason),
}

/// How a lane ended in the race for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneReport {
    /// The lane.
    pub lane: LaneKind,
    /// How long it took, or was given.
    pub took_ms: u64,
    /// Why it lost, unless it won.
    pub lost: Option<Reason>,
}

/// A candidate that is offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The change that it would make.
    pub candidate: LaneCandidate,
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
    /// The predictor that answers at once has said it, without any lane.
    AtOnce,
}
