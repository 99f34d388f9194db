//! Notes: decisions and observations. They only inform, and nothing depends on them.

use foretell_text::{DocumentId, Edit, LaneKind, PredictionAsk};

use crate::action::Spot;
use crate::event::{RequestId, SuggestionId};
use crate::reason::Reason;
use crate::rejection_memory::{ForgetCause, RejectionId, SleepCause};

/// Something that was decided or noticed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// An event changed nothing.
    IgnoredEvent {
        /// About which document it was, if it was about one.
        document: Option<DocumentId>,
        /// The reason.
        reason: Reason,
    },
    /// The cursor moved, and the editor was not told to ask.
    Quiet {
        /// The document.
        document: DocumentId,
        /// The reason.
        reason: Reason,
    },
    /// A request waits for the person to pause before any lane starts.
    Waits {
        /// The request.
        request: RequestId,
        /// How long.
        millis: u64,
    },
    /// A lane that would have been started for a request is not.
    Spared {
        /// The request.
        request: RequestId,
        /// The lane.
        lane: LaneKind,
        /// The reason.
        reason: Reason,
    },
    /// The predictor that answers at once had something for a request, and it is not shown.
    PredictionDropped {
        /// The request.
        request: RequestId,
        /// The moment in which it was asked.
        ask: PredictionAsk,
        /// The reason.
        reason: Reason,
    },
    /// A lane has something to show for a request, and better lanes still run.
    Held {
        /// The request.
        request: RequestId,
        /// The lane.
        lane: LaneKind,
    },
    /// A model had nothing at the cursor, and is asked once more, about another place.
    LooksElsewhere {
        /// The request.
        request: RequestId,
        /// The lane.
        lane: LaneKind,
        /// The other place.
        spot: Spot,
    },
    /// A model has answered when no request waited for it any more.
    Late {
        /// The last request that waited for it.
        request: RequestId,
        /// Which lane.
        lane: LaneKind,
        /// How long it took.
        millis: u64,
    },
    /// A request is answered with what a model was asked ahead of time.
    AskedAhead {
        /// The request.
        request: RequestId,
        /// The lane.
        lane: LaneKind,
    },
    /// Something else was typed where a suggestion was offered, in an editor that says nothing of it
    /// itself.
    TypedOver {
        /// The suggestion.
        suggestion: SuggestionId,
        /// The document.
        document: DocumentId,
        /// How often what has the same effect was by now.
        times: usize,
    },
    /// An edit will not be shown again.
    Remembered {
        /// By which number.
        rejection: RejectionId,
        /// The document.
        document: DocumentId,
        /// The rejected edit, trimmed; nothing if the person had left its way before they said so. If
        /// they said nothing, as it stood before they typed over it.
        edit: Edit,
    },
    /// A rejection matches nothing for the time being.
    Asleep {
        /// The rejection.
        rejection: RejectionId,
        /// The cause.
        because: SleepCause,
    },
    /// A rejection matches again.
    Awake {
        /// The rejection.
        rejection: RejectionId,
        /// The cause.
        because: SleepCause,
    },
    /// A rejection is gone for good.
    Forgotten {
        /// The rejection.
        rejection: RejectionId,
        /// The cause.
        because: ForgetCause,
    },
}
