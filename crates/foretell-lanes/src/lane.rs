//! What a lane is: something that is asked once, may take its time, may be stopped, and may break.

use std::pin::Pin;
use std::sync::Arc;

use foretell_text::{Candidate, Failure, Usage};
use tokio_util::sync::CancellationToken;

use crate::request::LaneRequest;

/// A way to get a suggestion.
pub trait Lane: Send + Sync {
    /// Asks for suggestions. Nobody waits for the answer any more once the token is cancelled or the
    /// future is dropped, and what was begun for it ends then.
    fn ask(&self, request: Arc<LaneRequest>, stop: CancellationToken) -> Asking;

    /// Whether it makes use of a context, so that one is gathered for it.
    fn wants_context(&self) -> bool {
        false
    }
}

/// What a lane is doing.
pub type Asking = Pin<Box<dyn Future<Output = Result<LaneAnswer, Failure>> + Send>>;

/// What a lane says. Having nothing to suggest is an answer; having broken is not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaneAnswer {
    /// What it suggests, the best first.
    pub candidates: Vec<Candidate>,
    /// What that took.
    pub usage: Usage,
}
