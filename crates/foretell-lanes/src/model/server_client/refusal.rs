//! Refusals: a server answers with an error status such as 401, 404 or 429. It may say how long to leave it
//! alone, and its own words are repeated as far as they can be.

use std::time::{Duration, SystemTime};

use foretell_text::FailureKind;
use reqwest::header::{HeaderMap, LOCATION, RETRY_AFTER};
use reqwest::{StatusCode, Url};

use super::server_address::ServerAddress;
use crate::lane::LaneFault;

/// The longest a server is left alone for because it says so. One that says a year is mistaken.
const LONGEST_REST: Duration = Duration::from_secs(24 * 60 * 60);

/// The head of an answer that is none.
pub(super) struct ServerRefusal<'a> {
    pub(super) status: StatusCode,
    pub(super) headers: &'a HeaderMap,
    /// The address that was asked.
    pub(super) url: &'a Url,
    /// Whether a key was sent along.
    pub(super) has_key: bool,
    /// The server's own words, without anything that was sent.
    pub(super) words: Option<String>,
}

impl ServerRefusal<'_> {
    /// As a fault of the lane.
    pub(super) fn fault(self, now: SystemTime, address: &ServerAddress) -> LaneFault {
        let (kind, happened) = self.happened(address);
        let code = self.status.as_u16();
        let mut says = format!("{address} {happened} (status {code})");
        let asks_for_rest = [
            StatusCode::TOO_MANY_REQUESTS,
            StatusCode::SERVICE_UNAVAILABLE,
        ];
        let rest = if asks_for_rest.contains(&self.status) {
            retry_after(now, self.headers)
        } else {
            None
        };
        if let Some(rest) = rest {
            says.push_str(&format!(
                "; it wants to be left alone for {} s",
                rest.as_secs()
            ));
        }
        if let Some(words) = self.words {
            says.push_str(&format!("; it says: {words}"));
        }
        let mut fault = LaneFault::new(kind, says);
        fault.failure.retry_after_ms = rest.map(|rest| rest.as_millis() as u64);
        fault
    }

    fn happened(&self, address: &ServerAddress) -> (FailureKind, String) {
        let setting = address.setting;
        let client = |says: String| (FailureKind::ClientError, says);
        match self.status {
            // 401 and 403.
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN if self.has_key => client(format!(
                "does not accept the key: check what {setting}.apiKeyEnv, .apiKeyFile or \
                 .apiKeyCommand gives"
            )),
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => client(format!(
                "wants a key: name one by {setting}.apiKeyEnv, .apiKeyFile or .apiKeyCommand"
            )),
            // 404 and 405.
            StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED => client(format!(
                "has no such endpoint or model: check {setting}.kind, .url and .model"
            )),
            // 413.
            StatusCode::PAYLOAD_TOO_LARGE => client(format!(
                "finds the request too large: lower {setting}.maxPrefixChars or the context's budget"
            )),
            // 429.
            StatusCode::TOO_MANY_REQUESTS => (
                FailureKind::TooManyRequests,
                format!(
                    "has had too many requests: wait, or set {setting}.requestsPerMinute lower"
                ),
            ),
            // 503, in llama.cpp's words.
            StatusCode::SERVICE_UNAVAILABLE if self.is_loading() => (
                FailureKind::Loading,
                "is still loading its model: wait a moment".to_owned(),
            ),
            // 501.
            StatusCode::NOT_IMPLEMENTED => (
                FailureKind::ServerError,
                format!("cannot do that: choose another {setting}.model or .kind"),
            ),
            status if status.is_redirection() => client(format!(
                "sends requests on to {}: set {setting}.url to where they belong",
                self.host_to().as_deref().unwrap_or("another address")
            )),
            status if status.is_server_error() => (
                FailureKind::ServerError,
                "is broken itself: see what the model server logs".to_owned(),
            ),
            _ => client(format!(
                "does not take the request: check {setting}.kind, .model and .template"
            )),
        }
    }

    /// Whether the server says that it will answer once its model is there.
    fn is_loading(&self) -> bool {
        let words = self.words.as_deref().unwrap_or_default();
        words.to_ascii_lowercase().contains("loading")
    }

    /// The host that a redirect leads to, and nothing else of it.
    fn host_to(&self) -> Option<String> {
        let to = self.headers.get(LOCATION)?.to_str().ok()?;
        let host = self.url.join(to).ok()?.host_str()?.to_owned();
        Some(host.chars().take(100).collect())
    }
}

/// For how long a server asks to be left alone: in seconds, or until a date.
fn retry_after(now: SystemTime, headers: &HeaderMap) -> Option<Duration> {
    let says = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    let is_number = |c: char| c.is_ascii_digit() || c == '.';
    let rest = if !says.is_empty() && says.chars().all(is_number) {
        let seconds: f64 = says.parse().ok()?;
        Duration::from_secs_f64(seconds.min(LONGEST_REST.as_secs_f64()))
    } else {
        let until = httpdate::parse_http_date(says).ok()?;
        // One that has passed asks for nothing more.
        until.duration_since(now).unwrap_or_default()
    };
    Some(rest.min(LONGEST_REST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rest_is_asked_for_in_seconds_or_until_a_date_and_nonsense_asks_for_none() {
        let now = httpdate::parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT").unwrap();
        let day = Some(24 * 60 * 60 * 1_000);
        let cases = [
            ("0", Some(0)),
            ("7", Some(7_000)),
            (" 120 ", Some(120_000)),
            ("1.5", Some(1_500)),
            ("86401", day),
            ("99999999999999999999999999", day),
            (&"9".repeat(400), day),
            ("Sun, 06 Nov 1994 08:49:47 GMT", Some(10_000)),
            ("Sunday, 06-Nov-94 08:50:37 GMT", Some(60_000)),
            ("Sun Nov  6 08:49:37 1994", Some(0)),
            ("Sat, 05 Nov 1994 08:49:37 GMT", Some(0)),
            ("Sat, 06 Nov 2094 08:49:37 GMT", day),
            ("-5", None),
            ("", None),
            (".", None),
            ("1.2.3", None),
            ("soon", None),
            ("1e3", None),
            ("NaN", None),
            ("Sun, 99 Nov 1994 08:49:37 GMT", None),
        ];
        for (says, expected) in cases {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, says.parse().unwrap());
            let rest = retry_after(now, &headers).map(|rest| rest.as_millis());
            assert_eq!(rest, expected, "{says:?}");
        }
        assert_eq!(retry_after(now, &HeaderMap::new()), None);
    }
}
