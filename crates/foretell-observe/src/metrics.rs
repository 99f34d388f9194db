//! Metrics: counters and latencies for a Prometheus on this machine, where `--metrics` asks for them.
//!
//! | module | what it is |
//! | --- | --- |
//! | `address` | where they may be read: on this machine |
//! | `listen` | a thread of its own that serves the page |
//! | `text_format` | the rows of the book as text |
//!
//! A scrape asks the loop for the rows of the book, one at a time, and makes a page of them on another
//! thread: a scraper that hangs, or a thousand of them, take nothing from the loop. Without `--metrics` there
//! is no thread and no port.
//!
//! A port that is in use must not cost people their suggestions: people have two editors with the same
//! settings. That is said in the log, and the server goes on without metrics.
//!
//! Absent on purpose: names. No label has a document, a path, a host, a model or anything else that a
//! person chose: each has one of the values that the table lists.

mod address;
mod listen;
mod text_format;

#[cfg(test)]
mod tests;

use std::future::pending;
use std::io;
use std::net::SocketAddr;
use std::time::{SystemTime, UNIX_EPOCH};

use foretell_journal::NumberRow;
use tokio::sync::{mpsc, oneshot};

pub use self::address::{MetricsAddress, MetricsAddressError};
use self::listen::MetricsListener;

/// A server of metrics, which serves as long as this is there.
pub struct MetricsServer {
    began: f64,
    asks: mpsc::Receiver<ScrapeRequest>,
    _listening: MetricsListener,
}

/// Somebody wants to know how everything is now.
pub struct ScrapeRequest(oneshot::Sender<Vec<NumberRow>>);

impl ScrapeRequest {
    /// Answers with every number.
    pub fn answer(self, rows: Vec<NumberRow>) {
        // A scraper that is gone does not need it.
        let _ = self.0.send(rows);
    }
}

impl MetricsServer {
    /// Begins to listen, and says where in the log.
    pub fn begin(at: MetricsAddress) -> Result<Self, MetricsError> {
        let began = SystemTime::now().duration_since(UNIX_EPOCH);
        // One at a time: pages are made on one thread.
        let (ask, asks) = mpsc::channel(1);
        let listening = MetricsListener::begin(at.socket(), ask);
        let listening = listening.map_err(|why| MetricsError {
            at: at.socket(),
            why,
        })?;
        let at = listening.at();
        tracing::info!(target: "foretell", "metrics are at http://{at}/metrics");
        Ok(MetricsServer {
            began: began.unwrap_or_default().as_secs_f64(),
            asks,
            _listening: listening,
        })
    }

    /// When it began, in seconds since 1970.
    pub fn began(&self) -> f64 {
        self.began
    }

    /// Waits for the next scrape; for ever, once the port is closed. Dropping it before it ends loses
    /// nothing.
    pub async fn next(&mut self) -> ScrapeRequest {
        match self.asks.recv().await {
            Some(ask) => ask,
            None => pending().await,
        }
    }
}

/// Metrics cannot be served where they were wanted.
#[derive(Debug, thiserror::Error)]
#[error(
    "there are no metrics at {at}: {why}; everything else works; another Foretell may have that port: \
     give this one another, or port 0 for any that is free"
)]
pub struct MetricsError {
    at: SocketAddr,
    why: io::Error,
}
