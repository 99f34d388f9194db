//! Lanes that need no model, no server and no network.
//!
//! | module | what it is | answers for |
//! | --- | --- | --- |
//! | [`repeat`] | what the person just changed, at the next place that looks the same | next edit |
//! | [`recall`] | how the line goes on elsewhere | fim |
//! | [`LineModel`] | how the line goes on, at once, learned from what is open, what is typed and the workspace | |
//! | [`WorkspaceShelf`] | where the code of workspaces is put for it | |
//! | [`quick_fix`] | what a diagnostic says is to be done about it | fix |
//!
//! Each is a function from a request to candidates: the same request gives the same candidates. They
//! stay silent unless they are sure, since being wrong is worse than being quiet.

mod line_model;
pub mod quick_fix;
pub mod recall;
pub mod repeat;
mod workspace_shelf;

use std::sync::Arc;

pub use self::line_model::LineModel;
pub use self::workspace_shelf::{ShelfPlace, WorkspaceShelf};

use foretell_text::{FailureKind, LaneCandidate, LaneKind};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio_util::sync::CancellationToken;

use crate::lane::{Lane, LaneAnswer, LaneFault, LaneFuture};
use crate::lane_request::LaneRequest;

/// The suggestions of the embedded predictor of a lane.
pub fn predict(
    lane: LaneKind,
    request: &LaneRequest,
    is_stopped: &dyn Fn() -> bool,
) -> Vec<LaneCandidate> {
    match lane {
        LaneKind::Fim => recall::predict(request, is_stopped),
        LaneKind::NextEdit => repeat::predict(request, is_stopped),
        LaneKind::Fix => quick_fix::predict(request),
    }
}

/// How many predictors run at once. Who types fast asks for more than that, and most of it is not wanted
/// any more when it would begin.
const MOST_THREADS: usize = 4;

/// The threads that predictors run on; clones share them.
#[derive(Clone, Debug)]
pub struct PredictorThreads(Arc<Semaphore>);

impl Default for PredictorThreads {
    fn default() -> Self {
        PredictorThreads(Arc::new(Semaphore::new(MOST_THREADS)))
    }
}

/// The embedded predictor of a lane.
#[derive(Clone, Debug)]
pub struct EmbeddedLane {
    /// Which lane's.
    pub lane: LaneKind,
    /// Where it runs.
    pub threads: PredictorThreads,
}

impl Lane for EmbeddedLane {
    /// On a thread where it may take a few milliseconds.
    fn ask(&self, request: Arc<LaneRequest>, stop: CancellationToken) -> LaneFuture {
        let EmbeddedLane { lane, threads } = self.clone();
        Box::pin(async move {
            let guard = stop.clone().drop_guard();
            // It is never closed. A future that is dropped while waiting has begun nothing.
            let thread = threads.0.acquire_owned().await;
            let look = move || {
                let _thread = thread;
                predict(lane, &request, &|| stop.is_cancelled())
            };
            let looked = spawn_blocking(look).await;
            drop(guard);
            // The message of a panic may quote a document.
            let candidates =
                looked.map_err(|_| LaneFault::new(FailureKind::Broken, "it panicked"))?;
            Ok(LaneAnswer {
                candidates,
                ..LaneAnswer::default()
            })
        })
    }
}
