//! What is kept of a decision: names, numbers and reasons, and never a word of a document.
//!
//! These are written at every event and read by hardly anybody, so that nothing is put into words here.
//! A place is kept as line and column, since an offset means nothing once the text has moved on.

use std::mem::size_of;
use std::sync::Arc;

use foretell_core::{
    AskCause, FailureKind, Forgotten, LaneFault, Moment, OfferedFrom, Reason, RejectionId,
    RequestCause, RequestId, RequestKind, Stirred,
};
use foretell_text::{ByteOffset, DocumentId, Encoding, LaneKind, Text};

use crate::last_event::Heard;

/// How much is kept of how a lane broke. Whoever wrote more has said it by then.
const MOST_WORDS: usize = 2_000;

/// A decision, or several in a row that say the same.
#[derive(Debug)]
pub(crate) struct Kept {
    /// When it was made, or was last made again.
    pub(crate) at: Moment,
    /// How often in a row.
    pub(crate) times: u32,
    pub(crate) what: What,
}

/// What was decided.
#[derive(Debug)]
pub(crate) enum What {
    /// All there is about a request, which is boxed since it is several times as large as the rest.
    Request(Box<Story>),
    /// The editor was told to ask.
    Trigger(Spot, AskCause),
    /// The cursor moved, and the editor was not.
    Quiet(Spot, Reason, Option<Misfit>),
    Ignored(Box<NoEffect>),
    /// A document was let go, and whether it has been opened or closed since.
    LetGo(DocumentId, Reason, bool),
    /// The editor was told to send a text again, and whether there is another one here.
    Resync(DocumentId, bool),
    Rests(LaneKind, u64, Option<Fault>),
    Remembered(RejectionId, Spot),
    Asleep(RejectionId, Stirred),
    Awake(RejectionId, Stirred),
    Forgotten(RejectionId, Forgotten),
}

/// Something was said, and changed nothing.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NoEffect {
    pub(crate) document: Option<DocumentId>,
    pub(crate) reason: Reason,
    /// What was said, if that is known.
    pub(crate) heard: Option<Heard>,
    pub(crate) misfit: Option<Misfit>,
}

/// Why something does not fit the text that is held, where that is known better than by its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Misfit {
    /// Its place is none of the text.
    Outside,
    /// It is about another version, while the document is in step.
    AnotherVersion,
    /// No text is held any more, because too many documents are open.
    LetGo,
}

/// A document, and where in it if that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) document: DocumentId,
    pub(crate) place: Option<Place>,
}

/// A line and a column, counted from one as people do; columns in UTF-16 as editors do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Which line.
    pub line: u32,
    /// Which column.
    pub column: u32,
}

impl Place {
    /// The place of an offset, if it is one of the text.
    pub fn of(text: &Text, at: ByteOffset) -> Option<Self> {
        let position = text.position_of(at, Encoding::Utf16).ok()?;
        Some(Place {
            line: position.line.saturating_add(1),
            column: position.column.saturating_add(1),
        })
    }
}

/// A request from its beginning to what became of its answer.
#[derive(Debug)]
pub(crate) struct Story {
    pub(crate) request: RequestId,
    pub(crate) spot: Spot,
    pub(crate) cause: RequestCause,
    pub(crate) kind: RequestKind,
    pub(crate) asked: Moment,
    /// When the editor was told to ask, if it was.
    pub(crate) triggered: Option<Moment>,
    pub(crate) misfit: Option<Misfit>,
    pub(crate) waited: Option<u64>,
    /// Whether it took the place of one that asked the same.
    pub(crate) has_joined: bool,
    /// What each lane came to, by its number.
    pub(crate) lanes: [Part; LaneKind::ALL.len()],
    pub(crate) answer: Option<(Moment, Came)>,
    /// How many of the suggestions the editor cannot draw at the cursor.
    pub(crate) undrawn: usize,
    pub(crate) shown: Option<Moment>,
    pub(crate) verdict: Option<(Moment, Verdict)>,
}

/// What a lane came to in a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Nobody thought of it.
    Idle,
    Running,
    /// It has something, and better lanes run.
    Held,
    Spared(Reason),
    Stopped(Reason),
    Ended {
        took_ms: u64,
        lost: Option<Reason>,
        fault: Option<Fault>,
    },
}

/// How a lane broke.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub(crate) kind: FailureKind,
    pub(crate) says: Arc<str>,
}

impl Fault {
    /// What a lane says of how it broke, shortened if that is long.
    pub fn new(kind: FailureKind, says: impl Into<Arc<str>>) -> Self {
        let says: Arc<str> = says.into();
        let says = match says.len() > MOST_WORDS {
            true => says.chars().take(MOST_WORDS / 4).collect::<String>().into(),
            false => says,
        };
        Fault { kind, says }
    }
}

impl From<LaneFault> for Fault {
    fn from(fault: LaneFault) -> Self {
        Fault::new(fault.kind, fault.says)
    }
}

/// What a request was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Came {
    Suggested {
        count: usize,
        /// Who thought of the first.
        lane: LaneKind,
        from: OfferedFrom,
    },
    Withheld(Reason),
}

/// What the person made of a suggestion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Accepted,
    AcceptedInPart,
    Rejected,
    Ignored,
    /// Something else was typed at its place, for so many times by now.
    TypedOver(usize),
}

impl Kept {
    pub(crate) fn new(at: Moment, what: What) -> Self {
        Kept { at, times: 1, what }
    }

    /// About how many bytes it takes. A name is shared by all that is about it, and counted for each
    /// all the same: the bound holds then whoever else lets it go.
    pub(crate) fn weight(&self) -> usize {
        let of_fault = |fault: &Option<Fault>| fault.as_ref().map_or(0, |it| it.says.len());
        let document = self.document().map_or(0, |it| it.as_str().len());
        let more = match &self.what {
            What::Request(story) => {
                let faults = story.lanes.iter().map(|part| match part {
                    Part::Ended { fault, .. } => of_fault(fault),
                    _ => 0,
                });
                size_of::<Story>() + faults.sum::<usize>()
            }
            What::Rests(_, _, fault) => of_fault(fault),
            What::Ignored(_) => size_of::<NoEffect>(),
            _ => 0,
        };
        size_of::<Kept>() + document + more
    }

    /// When it was over, as far as it is.
    pub(crate) fn when(&self) -> Moment {
        match &self.what {
            What::Request(story) => {
                let judged = story.verdict.map(|(at, _)| at);
                judged.or(story.answer.map(|(at, _)| at)).unwrap_or(self.at)
            }
            _ => self.at,
        }
    }

    /// The document it is about, if it is about one.
    pub(crate) fn document(&self) -> Option<&DocumentId> {
        match &self.what {
            What::Request(story) => Some(&story.spot.document),
            What::Trigger(spot, _) | What::Quiet(spot, ..) | What::Remembered(_, spot) => {
                Some(&spot.document)
            }
            What::Ignored(it) => it.document.as_ref(),
            What::LetGo(document, ..) | What::Resync(document, _) => Some(document),
            What::Rests(..) | What::Asleep(..) | What::Awake(..) | What::Forgotten(..) => None,
        }
    }

    /// Where it is, if that is known.
    pub(crate) fn place(&self) -> Option<Place> {
        match &self.what {
            What::Request(story) => story.spot.place,
            What::Trigger(spot, _) | What::Quiet(spot, ..) | What::Remembered(_, spot) => {
                spot.place
            }
            _ => None,
        }
    }

    /// Whether another says the same, so that it is enough to count it.
    pub(crate) fn is_same(&self, other: &What) -> bool {
        match (&self.what, other) {
            (What::Quiet(spot, reason, misfit), What::Quiet(other, other_reason, other_misfit)) => {
                let line = |spot: &Spot| spot.place.map(|place| place.line);
                (reason, misfit) == (other_reason, other_misfit)
                    && spot.document == other.document
                    && line(spot) == line(other)
            }
            (What::Ignored(one), What::Ignored(other)) => one == other,
            _ => false,
        }
    }
}
