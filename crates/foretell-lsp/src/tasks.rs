//! Work that the server itself has begun, besides the engine's: reading settings' files, what some
//! requests have to look up first, and what indexes say of themselves.
//!
//! Each is a task that holds nothing of the server. The one task that owns everything takes in its
//! result. A request that waits here is answered exactly once: when what it asked for is there, or when
//! it is taken back.

use std::future::pending;

use foretell_engine::ContextReport;
use foretell_engine::indexes::{IndexProgress, TellProgress};
use lsp_server::RequestId as MessageId;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::{AbortHandle, JoinSet};

use crate::client_process;
use crate::session_environment::SettingsReading;

/// How many requests wait here at most.
const MOST_ASKED: usize = 100;

/// The result of a task.
pub(crate) enum TaskOutcome {
    /// Settings' files were read.
    Read(Box<SettingsReading>),
    /// They could not be, by a fault of ours.
    NotRead,
    /// It was looked whether they are still the same.
    Looked { is_current: bool },
    /// The context that a model would get, for a request that asked.
    Found(MessageId, Box<ContextReport>),
    /// It could not be found, by a fault of ours.
    Broke(MessageId),
    /// An index has something to say.
    Index(IndexProgress),
    /// The client's process has ended.
    ClientEnded,
    /// Something that was dropped meanwhile.
    Nothing,
}

/// The running tasks.
pub(crate) struct SessionTasks {
    running: JoinSet<TaskOutcome>,
    asked: Vec<ContextSearch>,
    told: UnboundedReceiver<IndexProgress>,
    tell: UnboundedSender<IndexProgress>,
}

/// A request that something is being found for.
struct ContextSearch {
    request: MessageId,
    task: AbortHandle,
}

impl SessionTasks {
    pub(crate) fn new() -> Self {
        let (tell, told) = unbounded_channel();
        SessionTasks {
            running: JoinSet::new(),
            asked: Vec::new(),
            told,
            tell,
        }
    }

    /// Begins something that may block.
    pub(crate) fn spawn_blocking(&mut self, task: impl FnOnce() -> TaskOutcome + Send + 'static) {
        self.running.spawn_blocking(task);
    }

    /// Waits for the end of the client's process.
    pub(crate) fn watch_client(&mut self, process: i32) {
        self.running.spawn(async move {
            client_process::ended(process).await;
            TaskOutcome::ClientEnded
        });
    }

    /// Finds something for a request. Where too many wait already, the oldest is taken back, and named.
    #[must_use]
    pub(crate) fn find(
        &mut self,
        request: MessageId,
        found: impl Future<Output = ContextReport> + Send + 'static,
    ) -> Option<MessageId> {
        let name = request.clone();
        let task = async move { TaskOutcome::Found(name, Box::new(found.await)) };
        let task = self.running.spawn(task);
        self.asked.push(ContextSearch { request, task });
        (self.asked.len() > MOST_ASKED).then(|| self.take_back(0))
    }

    /// Takes back a request, the latest of that name; whether there was one.
    pub(crate) fn cancel(&mut self, request: &MessageId) -> bool {
        let at = self.asked.iter().rposition(|it| it.request == *request);
        at.map(|at| self.take_back(at)).is_some()
    }

    /// Takes back all requests, and names them.
    pub(crate) fn cancel_all(&mut self) -> Vec<MessageId> {
        (0..self.asked.len()).map(|_| self.take_back(0)).collect()
    }

    fn take_back(&mut self, at: usize) -> MessageId {
        let asked = self.asked.remove(at);
        asked.task.abort();
        asked.request
    }

    /// Stops everything that can be.
    pub(crate) fn stop(&mut self) {
        self.running.abort_all();
        self.running.detach_all();
    }

    /// Where indexes report their progress. Never blocks.
    pub(crate) fn tell_progress(&self) -> TellProgress {
        let tell = self.tell.clone();
        // If the server is gone, the progress is dropped.
        Box::new(move |progress| drop(tell.send(progress)))
    }

    /// Waits for the next result; for ever, if nothing runs. Dropping it before it ends loses
    /// nothing.
    pub(crate) async fn next(&mut self) -> TaskOutcome {
        loop {
            let ended = async {
                match self.running.join_next_with_id().await {
                    Some(ended) => ended,
                    None => pending().await,
                }
            };
            let ended = tokio::select! {
                ended = ended => ended,
                Some(progress) = self.told.recv() => return TaskOutcome::Index(progress),
            };
            let (task, done) = match ended {
                Ok((task, done)) => (task, Some(done)),
                Err(why) => (why.id(), None),
            };
            let at = self.asked.iter().position(|it| it.task.id() == task);
            let asked = at.map(|at| self.asked.remove(at).request);
            match (done, asked) {
                // Of a request that was taken back, nothing is heard any more.
                (Some(TaskOutcome::Found(..)), None) | (None, None) => {}
                (Some(done), _) => return done,
                (None, Some(request)) => return TaskOutcome::Broke(request),
            }
        }
    }
}
