//! A decision as it is kept: names, numbers and reasons, and never a word of a document.
//!
//! One is written at every event and hardly ever read, so that nothing is put into words here. A place
//! is kept as line and column, since an offset means nothing once the text has moved on.

use std::mem::size_of;
use std::sync::Arc;

use foretell_core::{
    AheadWork, AskCause, FailureKind, FaultReport, ForgetCause, Moment, OfferedFrom, Reason,
    RejectionId, RequestCause, RequestId, RequestKind, SleepCause,
};
use foretell_text::{ByteOffset, DocumentId, LaneKind, PerLane, PositionEncoding, Text};

use crate::last_event::EventWords;

/// How much is kept of a fault's words. More would add nothing.
const MOST_WORDS: usize = 2_000;

/// A decision, or several in a row that say the same.
#[derive(Debug)]
pub(crate) struct KeptDecision {
    /// When it was made, or was last made again.
    pub(crate) at: Moment,
    /// How often in a row.
    pub(crate) times: u32,
    pub(crate) what: DecisionKind,
}

/// The kinds of decision.
#[derive(Debug)]
pub(crate) enum DecisionKind {
    /// All there is about a request, which is boxed since it is several times as large as the rest.
    Request(Box<RequestStory>),
    /// The editor was told to ask.
    Trigger(DecisionPlace, AskCause),
    /// A model was asked ahead of time.
    Ahead(DecisionPlace, AheadWork),
    /// The cursor moved, and the editor was not.
    Quiet(DecisionPlace, Reason, Option<TextMisfit>),
    Ignored(Box<IgnoredDecision>),
    /// A document was let go, and whether it has been opened or closed since.
    LetGo(DocumentId, Reason, bool),
    /// The editor was told to send a text again, and whether there is another one here.
    Resync(DocumentId, bool),
    Rests(LaneKind, u64, Option<FaultWords>),
    Remembered(RejectionId, DecisionPlace),
    Asleep(RejectionId, SleepCause),
    Awake(RejectionId, SleepCause),
    Forgotten(RejectionId, ForgetCause),
}

/// Something was said, and changed nothing.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct IgnoredDecision {
    pub(crate) document: Option<DocumentId>,
    pub(crate) reason: Reason,
    /// The event, if it is known.
    pub(crate) heard: Option<EventWords>,
    pub(crate) misfit: Option<TextMisfit>,
}

/// Why something does not fit the text that is held, where that is known better than by its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextMisfit {
    /// Its place is none of the text.
    Outside,
    /// It is about another version, while the document is in step.
    AnotherVersion,
    /// No text is held any more, because too many documents are open.
    LetGo,
}

/// A document, and where in it if that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DecisionPlace {
    pub(crate) document: DocumentId,
    pub(crate) place: Option<LineColumn>,
}

/// A line and a column, counted from one as people do; columns in UTF-16 as editors do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineColumn {
    /// Which line.
    pub line: u32,
    /// Which column.
    pub column: u32,
}

impl LineColumn {
    /// The place of an offset, if it is one of the text.
    pub fn of(text: &Text, at: ByteOffset) -> Option<Self> {
        let position = text.position_of(at, PositionEncoding::Utf16).ok()?;
        Some(LineColumn {
            line: position.line.saturating_add(1),
            column: position.column.saturating_add(1),
        })
    }
}

/// A request from its beginning to what became of its answer.
#[derive(Debug)]
pub(crate) struct RequestStory {
    pub(crate) request: RequestId,
    pub(crate) spot: DecisionPlace,
    pub(crate) cause: RequestCause,
    pub(crate) kind: RequestKind,
    pub(crate) asked: Moment,
    /// When the editor was told to ask, if it was.
    pub(crate) triggered: Option<Moment>,
    pub(crate) misfit: Option<TextMisfit>,
    pub(crate) waited: Option<u64>,
    /// Why what could have been said at once was not shown.
    pub(crate) unshown: Option<Reason>,
    /// Where else a model was asked, which had nothing at the cursor.
    pub(crate) looked_at: Option<DecisionPlace>,
    /// Whether it took the place of one that asked the same.
    pub(crate) has_joined: bool,
    /// Each lane's part.
    pub(crate) lanes: PerLane<LanePart>,
    pub(crate) answer: Option<(Moment, RequestOutcome)>,
    /// How many of the suggestions the editor cannot draw at the cursor.
    pub(crate) undrawn: usize,
    pub(crate) shown: Option<Moment>,
    pub(crate) verdict: Option<(Moment, PersonVerdict)>,
}

/// A lane's part in a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LanePart {
    /// It played no part.
    Idle,
    Running,
    /// It has something, and better lanes run.
    Held,
    Spared(Reason),
    Stopped(Reason),
    /// It was asked before the request came.
    Ahead,
    /// It answered when the request was over.
    Late {
        took_ms: u64,
    },
    Ended {
        took_ms: u64,
        lost: Option<Reason>,
        fault: Option<FaultWords>,
    },
}

/// How a lane broke.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultWords {
    pub(crate) kind: FailureKind,
    pub(crate) says: Arc<str>,
}

impl FaultWords {
    /// A fault in a lane's own words, shortened if they are long.
    pub fn new(kind: FailureKind, says: impl Into<Arc<str>>) -> Self {
        let says: Arc<str> = says.into();
        let says = if says.len() > MOST_WORDS {
            says.chars().take(MOST_WORDS / 4).collect::<String>().into()
        } else {
            says
        };
        FaultWords { kind, says }
    }
}

impl From<FaultReport> for FaultWords {
    fn from(fault: FaultReport) -> Self {
        FaultWords::new(fault.kind, fault.says)
    }
}

/// The answer to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RequestOutcome {
    Suggested {
        count: usize,
        /// The lane of the first.
        lane: LaneKind,
        from: OfferedFrom,
    },
    Withheld(Reason),
}

/// The person's verdict on a suggestion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PersonVerdict {
    Accepted,
    AcceptedInPart,
    Rejected,
    Ignored,
    /// Something else was typed at its place, for so many times by now.
    TypedOver(usize),
}

impl KeptDecision {
    pub(crate) fn new(at: Moment, what: DecisionKind) -> Self {
        KeptDecision { at, times: 1, what }
    }

    /// About how many bytes it takes. A name is shared by all that is about it, and counted for each
    /// all the same: the bound then holds even if the others let it go.
    pub(crate) fn weight(&self) -> usize {
        let of_fault = |fault: &Option<FaultWords>| fault.as_ref().map_or(0, |it| it.says.len());
        let document = self.document().map_or(0, |it| it.as_str().len());
        let more = match &self.what {
            DecisionKind::Request(story) => {
                let faults = story.lanes.values().map(|part| match part {
                    LanePart::Ended { fault, .. } => of_fault(fault),
                    _ => 0,
                });
                size_of::<RequestStory>() + faults.sum::<usize>()
            }
            DecisionKind::Rests(_, _, fault) => of_fault(fault),
            DecisionKind::Ignored(_) => size_of::<IgnoredDecision>(),
            _ => 0,
        };
        size_of::<KeptDecision>() + document + more
    }

    /// When it was over, as far as it is.
    pub(crate) fn when(&self) -> Moment {
        match &self.what {
            DecisionKind::Request(story) => {
                let judged = story.verdict.map(|(at, _)| at);
                judged.or(story.answer.map(|(at, _)| at)).unwrap_or(self.at)
            }
            _ => self.at,
        }
    }

    /// The document it is about, if it is about one.
    pub(crate) fn document(&self) -> Option<&DocumentId> {
        match &self.what {
            DecisionKind::Request(story) => Some(&story.spot.document),
            DecisionKind::Trigger(spot, _)
            | DecisionKind::Ahead(spot, _)
            | DecisionKind::Quiet(spot, ..)
            | DecisionKind::Remembered(_, spot) => Some(&spot.document),
            DecisionKind::Ignored(it) => it.document.as_ref(),
            DecisionKind::LetGo(document, ..) | DecisionKind::Resync(document, _) => Some(document),
            DecisionKind::Rests(..)
            | DecisionKind::Asleep(..)
            | DecisionKind::Awake(..)
            | DecisionKind::Forgotten(..) => None,
        }
    }

    /// Where it is, if that is known.
    pub(crate) fn place(&self) -> Option<LineColumn> {
        match &self.what {
            DecisionKind::Request(story) => story.spot.place,
            DecisionKind::Trigger(spot, _)
            | DecisionKind::Ahead(spot, _)
            | DecisionKind::Quiet(spot, ..)
            | DecisionKind::Remembered(_, spot) => spot.place,
            _ => None,
        }
    }

    /// Whether another says the same, so that it is enough to count it.
    pub(crate) fn is_same(&self, other: &DecisionKind) -> bool {
        match (&self.what, other) {
            (
                DecisionKind::Quiet(spot, reason, misfit),
                DecisionKind::Quiet(other, other_reason, other_misfit),
            ) => {
                let line = |spot: &DecisionPlace| spot.place.map(|place| place.line);
                (reason, misfit) == (other_reason, other_misfit)
                    && spot.document == other.document
                    && line(spot) == line(other)
            }
            (DecisionKind::Ahead(one, work), DecisionKind::Ahead(other, other_work)) => {
                (one, work) == (other, other_work)
            }
            (DecisionKind::Ignored(one), DecisionKind::Ignored(other)) => one == other,
            _ => false,
        }
    }
}
