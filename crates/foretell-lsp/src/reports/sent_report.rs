//! The last messages to models: `foretell/sent`.
//!
//! The last message of each lane that asks a model server, the latest first: when, to whom, about which
//! document, and the whole body as it was sent, with marks where secrets were taken out. It quotes the
//! person's own text and goes to their own editor only.
//!
//! Absent on purpose: keys, headers, and what the person wrote of the address behind the host, which is
//! shown as `***`.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use foretell_engine::last_sent::SentRecord;
use foretell_engine::reexports::readable;
use serde::Serialize;
use serde_json::Value;

use foretell_journal::spoken::{bytes, count, one_line, short_name, span};

/// The beginning of every mark of a secret.
const MARK: &str = "[REDACTED-";
/// Stands for parts that are not shown.
const HIDDEN: &str = "***";

/// The last messages, the latest first.
#[derive(Debug, Serialize)]
pub(crate) struct SentLast {
    pub(crate) sent: Vec<SentTold>,
    /// All of it, for people.
    pub(crate) text: String,
    /// The same without what was sent: editors keep what they are told to show.
    #[serde(skip)]
    pub(crate) summary: String,
}

/// A lane's message.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SentTold {
    pub(crate) lane: &'static str,
    /// When, in milliseconds since 1970.
    pub(crate) at: u64,
    /// How many milliseconds ago.
    pub(crate) ago: u64,
    pub(crate) uri: String,
    /// Whether the person asked for it.
    pub(crate) explicit: bool,
    /// Whether it was sent ahead of time: before anybody asked.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) ahead: bool,
    /// Where to, with `***` for what the person wrote behind the host.
    pub(crate) url: String,
    /// How many secrets were taken out.
    pub(crate) secrets: usize,
    /// The body, as it was sent.
    pub(crate) body: Value,
}

/// Where it went and how much it is: what it says is somebody's text.
impl fmt::Debug for SentTold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SentTold")
            .field("lane", &self.lane)
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}

/// The last messages, as of now.
pub(crate) fn sent(latest: &[SentRecord], now: SystemTime) -> SentLast {
    let told: Vec<SentTold> = latest.iter().map(|kept| told(kept, now)).collect();
    let mut text = if told.is_empty() {
        "Nothing was sent to any model.\n".to_owned()
    } else {
        "What each lane sent last, the latest first.\n".to_owned()
    };
    let mut summary = text.clone();
    for (it, kept) in told.iter().zip(latest) {
        let ago = span(it.ago);
        let about = short_name(&kept.sent.document);
        let size = bytes(kept.sent.body.len() as u64);
        let secrets = match it.secrets {
            0 => "no secret was found in it".to_owned(),
            many => {
                let many = count(many as u64, "secret was", "secrets were");
                format!("{many} taken out and marked")
            }
        };
        let (lane, url) = (it.lane, &it.url);
        let ago = if it.ahead {
            format!("ahead of time, {ago}")
        } else {
            ago
        };
        let head = format!("\n{lane}, {ago} ago, about {about}: {size}; {secrets}\nPOST {url}\n");
        text.push_str(&head);
        summary.push_str(&head);
        text.push_str(&readable(&it.body, 1));
    }
    SentLast {
        sent: told,
        text,
        summary,
    }
}

fn told(kept: &SentRecord, now: SystemTime) -> SentTold {
    let SentRecord { at, sent } = kept;
    let since_1970 = at.duration_since(UNIX_EPOCH).unwrap_or_default();
    let ago = now.duration_since(*at).unwrap_or_default();
    let millis = |time: std::time::Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let hidden = if sent.has_hidden_path {
        format!("/{HIDDEN}")
    } else {
        String::new()
    };
    // Lanes send JSON. If one ever did not, its bytes are still what was sent.
    let body = serde_json::from_slice(&sent.body)
        .unwrap_or_else(|_| String::from_utf8_lossy(&sent.body).into_owned().into());
    SentTold {
        lane: sent.lane.name(),
        at: millis(since_1970),
        ago: millis(ago),
        uri: sent.document.as_str().to_owned(),
        explicit: sent.is_explicit,
        ahead: sent.is_ahead,
        url: one_line(format!("{}{hidden}{}", sent.to, sent.path)),
        secrets: marks(&sent.body),
        body,
    }
}

/// How many marks there are, each counted once.
fn marks(body: &[u8]) -> usize {
    let body = String::from_utf8_lossy(body);
    let behind = body.split(MARK).skip(1);
    let numbers = behind.filter_map(|it| it.split_once(']'));
    let numbers = numbers.map(|(number, _)| number);
    let numbers = numbers.filter(|it| !it.is_empty() && it.bytes().all(|b| b.is_ascii_digit()));
    numbers.collect::<BTreeSet<_>>().len()
}
