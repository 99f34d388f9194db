//! Metrics: counters and latencies for a Prometheus on this machine, where `--metrics` asks for them.
//!
//! | module | what it is |
//! | --- | --- |
//! | `address` | where they may be read: on this machine |
//! | `listen` | a thread of its own that serves the page |
//! | `numbers` | the book: everything that is counted, as rows of one moment |
//! | `histogram` | durations, counted by how long they were |
//! | `text_format` | the rows as text |
//! | `class` | messages by kind |
//! | `table`, `reference` | every metric, for the page and for people |
//!
//! Whoever scrapes asks the loop for the rows of the book, one at a time, and makes a page of them on another
//! thread: a scraper that hangs, or a thousand of them, take nothing from the loop. Without `--metrics` there
//! is no thread and no port.
//!
//! A port that is in use must not cost anybody their suggestions: people have two editors with the same
//! settings. That is said in the log, and the server goes on without metrics.
//!
//! Absent on purpose: names. No label has a document, a path, a host, a model or anything else that a
//! person chose: each has one of the values that the table lists.

mod address;
pub(crate) mod class;
pub(crate) mod histogram;
mod listen;
pub(crate) mod numbers;
mod reference;
mod table;
mod text_format;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::future::pending;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use foretell_engine::indexes::{Contents, IndexState, IndexStatus};
use foretell_text::LaneKind;
use tokio::sync::{mpsc, oneshot};

pub use self::address::{MetricsAddress, MetricsAddressError};
use self::listen::Listening;
use self::numbers::{BookMoment, IndexNumbers, NumberRow};
pub use self::reference::metrics_reference;
use crate::methods::initialize::PROTOCOL;
use crate::server::Server;

/// Metrics of one session, which are served as long as this is there.
pub(crate) struct Metrics {
    /// When the server began, in seconds since 1970.
    began: f64,
    asks: mpsc::Receiver<Ask>,
    unreadable: Arc<AtomicU64>,
    /// What was in the index of each folder when that was last up to date.
    indexed: BTreeMap<PathBuf, Contents>,
    _listening: Listening,
}

/// Somebody wants to know how everything is now.
pub(crate) struct Ask(oneshot::Sender<Vec<NumberRow>>);

impl Ask {
    pub(crate) fn answer(self, rows: Vec<NumberRow>) {
        // Who does not wait any more does not need it.
        let _ = self.0.send(rows);
    }
}

impl Metrics {
    /// Begins to listen, and says where in the log.
    pub(crate) fn begin(
        at: MetricsAddress,
        unreadable: Arc<AtomicU64>,
    ) -> Result<Self, MetricsError> {
        let began = SystemTime::now().duration_since(UNIX_EPOCH);
        // One at a time: whoever makes pages has only one thread.
        let (ask, asks) = mpsc::channel(1);
        let listening = Listening::begin(at.socket(), ask);
        let listening = listening.map_err(|why| MetricsError {
            at: at.socket(),
            why,
        })?;
        let at = listening.at();
        tracing::info!(target: "foretell", "metrics are at http://{at}/metrics");
        Ok(Metrics {
            began: began.unwrap_or_default().as_secs_f64(),
            asks,
            unreadable,
            indexed: BTreeMap::new(),
            _listening: listening,
        })
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
    /// Every number, now.
    pub(crate) fn rows(&mut self) -> Vec<NumberRow> {
        let indexes = self.around.indexes().map(|it| it.status());
        let indexes = indexes.unwrap_or_default();
        let folders = indexes.len();
        let metrics = self.metrics.as_mut();
        let (contents, unreadable, began) = metrics.map_or_else(Default::default, |it| {
            it.index(indexes);
            let unreadable = it.unreadable.load(Ordering::Relaxed);
            (it.contents(), unreadable, it.began)
        });
        let now = self.engine.now();
        let moment = BookMoment {
            counts: self.core().counts(),
            rests: LaneKind::ALL.map(|it| self.core().rests_until(now, it).is_some()),
            index: IndexNumbers {
                folders,
                files: contents.files,
                chunks: contents.chunks,
                bytes: contents.bytes_on_disk,
            },
            unreadable,
            version: env!("CARGO_PKG_VERSION"),
            protocol: PROTOCOL,
            began,
        };
        self.journal().numbers().rows(&moment)
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
