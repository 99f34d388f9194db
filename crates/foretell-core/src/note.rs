//! Notes: what was decided or noticed, for whoever reads along. Nobody acts on a note.

use foretell_text::{DocumentId, Edit, LaneKind};

use crate::event::{RequestId, SuggestionId};
use crate::reason::Reason;
use crate::rejections::{ForgetCause, RejectionId, SleepCause};

/// Something that was decided or noticed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
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
        because: SleepCause,
    },
    /// A rejection matches again.
    Awake {
        /// Which.
        rejection: RejectionId,
        /// Why.
        because: SleepCause,
    },
    /// A rejection is gone for good.
    Forgotten {
        /// Which.
        rejection: RejectionId,
        /// Why.
        because: ForgetCause,
    },
}
