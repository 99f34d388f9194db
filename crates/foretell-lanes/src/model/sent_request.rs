//! Requests to model servers, reported at the moment they are sent.
//!
//! People may ask what left their machine. The answer has to be what was sent and not what would be
//! sent now, so that the lane tells it when it sends: after the key is there, and before the first
//! byte leaves. The body is the very bytes that are sent, shared and not copied.
//!
//! Of the address there is scheme, host and port. Absent on purpose: what the person wrote of the
//! path, the key and every header, which are places for secrets.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use foretell_text::{DocumentId, LaneKind};

/// Sees the requests that lanes send.
pub trait SentRequestObserver: Send + Sync {
    /// A lane sends this now. Must not block.
    fn sent(&self, sent: SentRequest);
}

/// A request as a lane sends it.
#[derive(Clone, PartialEq, Eq)]
pub struct SentRequest {
    /// Which lane.
    pub lane: LaneKind,
    /// The document that the cursor is in.
    pub document: DocumentId,
    /// Whether the person asked for it.
    pub is_explicit: bool,
    /// Whether nobody had asked for anything: it was sent ahead of time.
    pub is_ahead: bool,
    /// The server: scheme, host and port.
    pub to: Arc<str>,
    /// Whether the person's address has more of a path, which is not shown.
    pub has_hidden_path: bool,
    /// Where on it, behind the person's path.
    pub path: &'static str,
    /// The body, as it was sent, to the byte.
    pub body: Bytes,
}

/// Prints where it goes and how much it is: the text may be private.
impl fmt::Debug for SentRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SentRequest")
            .field("lane", &self.lane)
            .field("document", &self.document)
            .field("to", &self.to)
            .field("path", &self.path)
            .field("bytes", &self.body.len())
            .finish_non_exhaustive()
    }
}
