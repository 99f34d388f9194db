//! The events of a server, in order.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard};
use std::time::Instant;

use foretell_text::PoisonedLock;

use tokio::sync::Notify;

/// Something that happened.
#[derive(Clone, Debug)]
pub struct HistoryEntry {
    /// When.
    pub at: Instant,
    /// On which connection, counted from 0.
    pub connection: usize,
    /// The event.
    pub what: ConnectionEvent,
}

/// An event of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConnectionEvent {
    /// Somebody connected.
    Connected,
    /// A whole request came in.
    Asked(ReceivedRequest),
    /// All of an answer was sent that the script has.
    Answered,
    /// The other side closed the connection.
    ClosedByClient,
    /// The script said to close the connection.
    ClosedByServer,
}

/// A request that a server received.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReceivedRequest {
    /// `POST`.
    pub method: String,
    /// `/v1/completions`; a whole address if the server is taken for a proxy.
    pub path: String,
    /// Names in lower case, and what they say.
    pub headers: Vec<(String, String)>,
    /// Its body.
    pub body: Vec<u8>,
}

impl ReceivedRequest {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(is, _)| is == name)?;
        Some(&found.1)
    }

    /// Its body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// The events so far.
#[derive(Default)]
pub(super) struct ServerHistory {
    so_far: Mutex<HistorySoFar>,
    more: Notify,
}

#[derive(Default)]
struct HistorySoFar {
    entries: Vec<HistoryEntry>,
    /// How many requests there were, forgotten ones too.
    asked: usize,
    open: BTreeSet<usize>,
}

impl ServerHistory {
    pub(super) fn note(&self, connection: usize, what: ConnectionEvent) {
        let mut so_far = self.lock();
        match what {
            ConnectionEvent::Connected => _ = so_far.open.insert(connection),
            ConnectionEvent::Asked(_) => so_far.asked += 1,
            ConnectionEvent::Answered => {}
            ConnectionEvent::ClosedByClient | ConnectionEvent::ClosedByServer => {
                so_far.open.remove(&connection);
            }
        }
        let at = Instant::now();
        so_far.entries.push(HistoryEntry {
            at,
            connection,
            what,
        });
        drop(so_far);
        self.more.notify_waiters();
    }

    pub(super) fn entries(&self) -> Vec<HistoryEntry> {
        self.lock().entries.clone()
    }

    pub(super) fn requests(&self) -> Vec<ReceivedRequest> {
        let so_far = self.lock();
        let asked = so_far.entries.iter().filter_map(|entry| match &entry.what {
            ConnectionEvent::Asked(request) => Some(request.clone()),
            _ => None,
        });
        asked.collect()
    }

    pub(super) fn forget(&self) {
        self.lock().entries = Vec::new();
    }

    pub(super) fn asked(&self) -> usize {
        self.lock().asked
    }

    pub(super) fn open(&self) -> usize {
        self.lock().open.len()
    }

    pub(super) async fn until(&self, has_happened: impl Fn(&[HistoryEntry]) -> bool) {
        loop {
            // Before looking, or what happens between would go unnoticed.
            let more = self.more.notified();
            if has_happened(&self.lock().entries) {
                return;
            }
            more.await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, HistorySoFar> {
        self.so_far.lock().unpoison()
    }
}
