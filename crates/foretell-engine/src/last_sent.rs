//! The last requests that lanes sent, kept for the person who asks what left their machine.
//!
//! The last of each lane and no more, in memory and nowhere else. The body is shared with the request
//! it was sent by, so that keeping it copies nothing; a body that would be large to keep is kept all the
//! same, since leaving something out of this answer would make it a lie. Where no model is asked,
//! nothing is kept.
//!
//! Absent on purpose: how it is shown, and to whom.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use foretell_lanes::model::{SentRequest, SentRequestObserver};
use foretell_text::PerLane;

/// Keeps what each lane sent last.
#[derive(Default)]
pub struct LastSent(Mutex<PerLane<Option<SentRecord>>>);

/// The last request of a lane, and when it was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentRecord {
    /// When.
    pub at: SystemTime,
    /// The request.
    pub sent: SentRequest,
}

impl LastSent {
    /// The last of each lane, the latest first.
    pub fn latest(&self) -> Vec<SentRecord> {
        let mut all: Vec<SentRecord> = self.lock().values().flatten().cloned().collect();
        all.sort_by_key(|kept| std::cmp::Reverse(kept.at));
        all
    }

    fn lock(&self) -> MutexGuard<'_, PerLane<Option<SentRecord>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SentRequestObserver for LastSent {
    fn sent(&self, sent: SentRequest) {
        let at = SystemTime::now();
        let lane = sent.lane;
        self.lock()[lane] = Some(SentRecord { at, sent });
    }
}

/// How many there are.
impl fmt::Debug for LastSent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kept = self.lock().values().flatten().count();
        f.debug_struct("LastSent").field("kept", &kept).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use foretell_text::{DocumentId, LaneKind};

    use super::*;

    fn sent(lane: LaneKind, body: &'static str) -> SentRequest {
        SentRequest {
            lane,
            document: DocumentId::new("file:///a.rs"),
            is_ahead: false,
            is_explicit: false,
            to: Arc::from("http://127.0.0.1:8080"),
            has_hidden_path: false,
            path: "/infill",
            body: body.into(),
        }
    }

    #[test]
    fn only_the_last_of_each_lane_is_kept() {
        let last = LastSent::default();
        assert!(last.latest().is_empty());
        for body in ["one", "two", "three"] {
            last.sent(sent(LaneKind::Fim, body));
        }
        last.sent(sent(LaneKind::Fix, "four"));
        let kept = last.latest();
        let mut bodies: Vec<&[u8]> = kept.iter().map(|kept| &kept.sent.body[..]).collect();
        bodies.sort_unstable();
        assert_eq!(bodies, [&b"four"[..], b"three"]);
    }

    #[test]
    fn nothing_that_was_sent_is_printed() {
        let last = LastSent::default();
        last.sent(sent(LaneKind::Fim, "let secret = 1;"));
        let printed = format!("{last:?} {:?}", last.latest());
        assert!(!printed.contains("secret"), "{printed}");
    }
}
