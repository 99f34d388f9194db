//! What a lane is: something that is asked once, may take its time, may be stopped, and may break.

use std::pin::Pin;
use std::sync::Arc;

use foretell_text::{Candidate, Failure, FailureKind, Usage};
use tokio_util::sync::CancellationToken;

use crate::request::LaneRequest;

/// A way to get a suggestion.
pub trait Lane: Send + Sync {
    /// Asks for suggestions. Nobody waits for the answer any more once the token is cancelled or the
    /// future is dropped, and what was begun for it ends then.
    fn ask(&self, request: Arc<LaneRequest>, stop: CancellationToken) -> Asking;

    /// Whether it tells others of documents, as a model server's does. Only then is a context gathered for it,
    /// and it is only asked about what may leave.
    fn tells_others(&self) -> bool {
        false
    }
}

/// What a lane is doing.
pub type Asking = Pin<Box<dyn Future<Output = Result<LaneAnswer, Fault>> + Send>>;

/// What a lane says. Having nothing to suggest is an answer; having broken is not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaneAnswer {
    /// What it suggests, the best first.
    pub candidates: Vec<Candidate>,
    /// What that took.
    pub usage: Usage,
    /// How many more there were that would have touched a secret.
    pub withheld: usize,
}

/// How a lane broke.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{says}")]
pub struct Fault {
    /// What whoever decides needs to know of it.
    pub failure: Failure,
    /// What happened, for people: no secret is in it, and no text of a document.
    pub says: Arc<str>,
    /// What it used up all the same.
    pub usage: Usage,
}

impl Fault {
    /// A fault of a kind, in words that go on behind a colon.
    pub fn new(kind: FailureKind, says: impl Into<Arc<str>>) -> Self {
        let failure = Failure {
            kind,
            retry_after_ms: None,
        };
        Fault {
            failure,
            says: says.into(),
            usage: Usage::default(),
        }
    }

    /// The same after something was used up.
    pub fn after(self, usage: Usage) -> Self {
        Fault { usage, ..self }
    }
}
