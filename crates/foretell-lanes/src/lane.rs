//! A lane is asked once, may take its time, may be stopped, and may fail.

use std::pin::Pin;
use std::sync::Arc;

use foretell_text::{FailureKind, LaneCandidate, LaneFailure, LaneSpeed, TokenUsage};
use tokio_util::sync::CancellationToken;

use crate::lane_request::LaneRequest;
pub use crate::model::reading_board::PromptReading;

/// A way to get a suggestion.
pub trait Lane: Send + Sync {
    /// Asks for suggestions. Cancelling the token or dropping the future ends everything that was begun
    /// for it.
    fn ask(&self, request: Arc<LaneRequest>, stop: CancellationToken) -> LaneFuture;

    /// The same for a lane that finds its suggestions piece by piece: it tells of those that will not change
    /// any more, whenever there is more of them, and now and then that it goes on.
    fn ask_telling(
        &self,
        request: Arc<LaneRequest>,
        stop: CancellationToken,
        _progress: ProgressSink,
    ) -> LaneFuture {
        self.ask(request, stop)
    }

    /// How fast its server is for what is asked while typing, if it has one.
    fn speed(&self) -> Option<LaneSpeed> {
        None
    }

    /// How far its server is with the prompt that it reads now, if it reads one.
    fn reading(&self) -> Option<PromptReading> {
        None
    }

    /// Whether it tells others of documents, as a model server's does. Only then is a context gathered for it,
    /// and it is only asked about what may leave.
    fn tells_others(&self) -> bool {
        false
    }
}

/// How far a lane is that goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LaneProgress {
    /// Its server has read more of the prompt, and the model has said nothing yet.
    Reading,
    /// The model writes: these suggestions will not change any more.
    Writing(Vec<LaneCandidate>),
}

/// Hears how far a lane is.
pub type ProgressSink = Arc<dyn Fn(LaneProgress) + Send + Sync>;

/// A lane at work.
pub type LaneFuture = Pin<Box<dyn Future<Output = Result<LaneAnswer, LaneFault>> + Send>>;

/// The answer of a lane. Having nothing to suggest is an answer; having failed is not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaneAnswer {
    /// Its suggestions, the best first.
    pub candidates: Vec<LaneCandidate>,
    /// The cost of the candidates.
    pub usage: TokenUsage,
    /// How many more there were that would have touched a secret.
    pub withheld: usize,
}

/// How a lane broke.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{says}")]
pub struct LaneFault {
    /// The failure, as the machine knows it.
    pub failure: LaneFailure,
    /// The failure in words for people, without secrets and without text of a document.
    pub says: Arc<str>,
    /// The cost all the same.
    pub usage: TokenUsage,
}

impl LaneFault {
    /// A fault of a kind, in words that go on behind a colon.
    pub fn new(kind: FailureKind, says: impl Into<Arc<str>>) -> Self {
        let failure = LaneFailure {
            kind,
            retry_after_ms: None,
        };
        LaneFault {
            failure,
            says: says.into(),
            usage: TokenUsage::default(),
        }
    }

    /// The same after something was used up.
    pub fn after(self, usage: TokenUsage) -> Self {
        LaneFault { usage, ..self }
    }
}
