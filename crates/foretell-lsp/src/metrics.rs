//! Metrics: counters and latencies for a Prometheus on this machine, where `--metrics` asks for them.
//!
//! | module | what it is |
//! | --- | --- |
//! | `address` | where they may be read: on this machine |
//! | `listen` | a thread of its own that serves the page |
//! | `page` | everything at one moment, as text |
//! | `tally` | what is counted for this alone |
//! | `class` | messages by kind |
//! | `table`, `reference` | every metric, for the page and for people |
//!
//! Whoever scrapes asks the loop for a [`Snapshot`] of what it counts anyway, one at a time, and makes a
//! page of that and of the tally on another thread: a scraper that hangs, or a thousand of them, take
//! nothing from the loop. Without `--metrics` there is no thread, no port and no tally.
//!
//! A port that is in use must not cost anybody their suggestions: people have two editors with the same
//! settings. That is said in the log, and the server goes on without metrics.
//!
//! Absent on purpose: names. No label has a document, a path, a host, a model or anything else that a
//! person chose: each has one of the values that the table lists.

mod address;
mod class;
mod listen;
mod page;
mod reference;
mod table;
mod tally;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::future::pending;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use foretell_engine::Engine;
use foretell_engine::indexes::{Contents, IndexState, IndexStatus};
use foretell_text::LaneKind;
use tokio::sync::{mpsc, oneshot};

pub use self::address::{MetricsAddress, MetricsAddressError};
use self::listen::Listening;
pub(crate) use self::page::Snapshot;
pub use self::reference::metrics_reference;
pub(crate) use self::tally::{Tally, Tallying, seconds};
use crate::journal::Journal;
use crate::server::Server;

/// Metrics of one session, which are served as long as this is there.
pub(crate) struct Metrics {
    tally: Arc<Tally>,
    asks: mpsc::Receiver<Ask>,
    unreadable: Arc<AtomicU64>,
    /// What was in the index of each folder when that was last up to date.
    indexed: BTreeMap<PathBuf, Contents>,
    _listening: Listening,
}

/// Somebody wants to know how everything is now.
pub(crate) struct Ask(oneshot::Sender<Snapshot>);

impl Ask {
    pub(crate) fn answer(self, snapshot: Snapshot) {
        // Who does not wait any more does not need it.
        let _ = self.0.send(snapshot);
    }
}

impl Metrics {
    /// Begins to listen, and says where in the log.
    pub(crate) fn begin(
        at: MetricsAddress,
        unreadable: Arc<AtomicU64>,
    ) -> Result<Self, MetricsError> {
        let tally = Arc::new(Tally::new());
        // One at a time: whoever makes pages has only one thread.
        let (ask, asks) = mpsc::channel(1);
        let listening = Listening::begin(at.socket(), ask, Arc::clone(&tally));
        let listening = listening.map_err(|why| MetricsError {
            at: at.socket(),
            why,
        })?;
        let at = listening.at();
        tracing::info!(target: "foretell", "metrics are at http://{at}/metrics");
        Ok(Metrics {
            tally,
            asks,
            unreadable,
            indexed: BTreeMap::new(),
            _listening: listening,
        })
    }

    /// Is told from now on what these do.
    pub(crate) fn watch(&self, engine: &mut Engine, journal: &mut Journal) {
        let tally = Arc::clone(&self.tally);
        engine.observe(Tallying(tally));
        journal.watch(&self.tally);
    }

    pub(crate) fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Takes note of what indexes say. One that is being updated says nothing of what is in it, and has
    /// not lost it either.
    fn index(&mut self, indexes: Vec<IndexStatus>) {
        let mut before = std::mem::take(&mut self.indexed);
        let contents = indexes.into_iter().map(|it| {
            let contents = match it.state {
                IndexState::Ready(contents) => contents,
                IndexState::Updating(_) => before.remove(&it.folder).unwrap_or_default(),
                _ => Contents::default(),
            };
            (it.folder, contents)
        });
        self.indexed = contents.collect();
    }

    /// What is in all indexes together.
    fn contents(&self) -> Contents {
        let all = self.indexed.values();
        all.fold(Contents::default(), |all, it| Contents {
            files: all.files + it.files,
            chunks: all.chunks + it.chunks,
            bytes_on_disk: all.bytes_on_disk + it.bytes_on_disk,
        })
    }
}

/// The next that wants to know; never, if there is nobody to ask. Dropping it before it ends loses
/// nothing.
pub(crate) async fn asked(metrics: &mut Option<Metrics>) -> Ask {
    let ask = match metrics {
        Some(metrics) => metrics.asks.recv().await,
        None => None,
    };
    match ask {
        Some(ask) => ask,
        None => pending().await,
    }
}

impl Server {
    /// How everything is now.
    pub(crate) fn snapshot(&mut self) -> Snapshot {
        let indexes = self.around.indexes().map(|it| it.status());
        let indexes = indexes.unwrap_or_default();
        let folders = indexes.len();
        let metrics = self.metrics.as_mut();
        let (index, unreadable) = metrics.map_or_else(Default::default, |it| {
            it.index(indexes);
            (it.contents(), it.unreadable.load(Ordering::Relaxed))
        });
        let now = self.engine.now();
        Snapshot {
            counts: self.core().counts(),
            rejected_at_once: self.journal().measures().rejected_at_once,
            rests: LaneKind::ALL.map(|it| self.core().rests_until(now, it).is_some()),
            folders,
            index,
            unreadable,
        }
    }
}

/// Metrics cannot be served where they were wanted.
#[derive(Debug, thiserror::Error)]
#[error(
    "there are no metrics at {at}: {why}; everything else works; another Foretell may have that port: \
     give this one another, or port 0 for any that is free"
)]
pub(crate) struct MetricsError {
    at: SocketAddr,
    why: io::Error,
}
