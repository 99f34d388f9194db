//! The metrics of a session: every number of the book, when a scraper asks.

use std::collections::BTreeMap;
use std::future::pending;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use foretell_engine::indexes::{FolderIndexContents, FolderIndexStatus, IndexState};
use foretell_journal::{BookMoment, IndexNumbers, NumberRow};
use foretell_observe::metrics::{MetricsAddress, MetricsError, MetricsServer, ScrapeRequest};
use foretell_text::PerLane;

use crate::methods::initialize::PROTOCOL;
use crate::server::Server;

/// Metrics of one session, which are served as long as this is there.
pub(crate) struct SessionMetrics {
    serves: MetricsServer,
    unreadable: Arc<AtomicU64>,
    /// The contents of each folder's index when that was last up to date.
    indexed: BTreeMap<PathBuf, FolderIndexContents>,
}

impl SessionMetrics {
    pub(crate) fn begin(
        at: MetricsAddress,
        unreadable: Arc<AtomicU64>,
    ) -> Result<Self, MetricsError> {
        Ok(SessionMetrics {
            serves: MetricsServer::begin(at)?,
            unreadable,
            indexed: BTreeMap::new(),
        })
    }

    /// Takes note of what indexes say. One that is being updated says nothing of what is in it, and has
    /// not lost it either.
    fn index(&mut self, indexes: Vec<FolderIndexStatus>) {
        let mut before = std::mem::take(&mut self.indexed);
        let contents = indexes.into_iter().map(|it| {
            let contents = match it.state {
                IndexState::Ready(contents) => contents,
                IndexState::Updating(_) => before.remove(&it.folder).unwrap_or_default(),
                _ => FolderIndexContents::default(),
            };
            (it.folder, contents)
        });
        self.indexed = contents.collect();
    }

    /// The contents of all indexes together.
    fn contents(&self) -> FolderIndexContents {
        let all = self.indexed.values();
        all.fold(FolderIndexContents::default(), |all, it| {
            FolderIndexContents {
                files: all.files + it.files,
                chunks: all.chunks + it.chunks,
                bytes_on_disk: all.bytes_on_disk + it.bytes_on_disk,
            }
        })
    }
}

/// Waits for the next scrape; for ever, if metrics are not served. Dropping it before it ends loses
/// nothing.
pub(crate) async fn asked(metrics: &mut Option<SessionMetrics>) -> ScrapeRequest {
    match metrics {
        Some(metrics) => metrics.serves.next().await,
        None => pending().await,
    }
}

impl Server {
    /// Every number, now.
    pub(crate) fn rows(&mut self) -> Vec<NumberRow> {
        let indexes = self.environment.indexes().map(|it| it.status());
        let indexes = indexes.unwrap_or_default();
        let folders = indexes.len();
        let metrics = self.metrics.as_mut();
        let (contents, unreadable, began) = metrics.map_or_else(Default::default, |it| {
            it.index(indexes);
            let unreadable = it.unreadable.load(Ordering::Relaxed);
            (it.contents(), unreadable, it.serves.began())
        });
        let now = self.engine.now();
        let moment = BookMoment {
            counts: self.core().counts(),
            rests: PerLane::of(|it| self.core().rests_until(now, it).is_some()),
            speeds: PerLane::of(|it| self.core().speed(it)),
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
