//! A message to a model, as it would be sent: readable for people, exact for machines.
//!
//! The value of a header is not shown where the person or a key sets it, and neither is the path of the
//! address that the person wrote: both are places for keys.

use std::collections::BTreeSet;
use std::io::{self, Write};

use anstyle::Style;
use foretell_lanes::model::server_client::ServerClient;
use foretell_lanes::model::{ModelMessage, readable};
use foretell_settings::settings;
use serde_json::{Map, Value, json};

/// Stands for a value that is not shown.
const HIDDEN: &str = "***";
/// The beginning of every mark of a secret.
const MARK: &str = "[REDACTED-";

/// A message, to whom, and what is not in it.
pub(super) struct SentMessage {
    url: String,
    headers: Vec<(String, String)>,
    body: Value,
    taken_out: RedactedSecrets,
}

/// The secrets that were taken out of what is told.
#[derive(Clone, Default)]
pub(super) struct RedactedSecrets {
    /// The numbers of their marks.
    marks: BTreeSet<String>,
    /// Of which kinds they are, as far as that is known.
    kinds: BTreeSet<&'static str>,
}

impl RedactedSecrets {
    /// Those of a text that has its marks.
    pub(super) fn of(redacted: &str) -> Self {
        let mut taken_out = RedactedSecrets::default();
        taken_out.add(redacted, []);
        taken_out
    }

    /// Adds those of another.
    pub(super) fn add(&mut self, redacted: &str, kinds: impl IntoIterator<Item = &'static str>) {
        let behind = redacted.split(MARK).skip(1);
        let numbers = behind.filter_map(|it| it.split_once(']'));
        self.marks
            .extend(numbers.map(|(number, _)| number.to_owned()));
        self.kinds.extend(kinds);
    }
}

impl SentMessage {
    pub(super) fn new(
        server: &ServerClient,
        settings: &settings::LaneSettings,
        message: ModelMessage,
        taken_out: RedactedSecrets,
    ) -> Self {
        let prefix = if has_path(settings.url.as_ref().map_or("", |url| url.as_str())) {
            format!("/{HIDDEN}")
        } else {
            String::new()
        };
        SentMessage {
            url: format!("{}{prefix}{}", server.address(), message.path),
            headers: headers(settings),
            body: message.body,
            taken_out,
        }
    }

    /// For people.
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let bold = Style::new().bold();
        writeln!(out, "  {bold}POST {}{bold:#}", self.url)?;
        for (name, says) in &self.headers {
            writeln!(out, "  {name}: {says}")?;
        }
        writeln!(out, "  {}", self.secrets_in_words())?;
        writeln!(out)?;
        out.write_all(readable(&self.body, 1).as_bytes())?;
        writeln!(out)
    }

    pub(super) fn json(&self) -> Value {
        let headers = self.headers.iter();
        let headers: Map<String, Value> = headers
            .map(|(name, says)| (name.clone(), says.as_str().into()))
            .collect();
        let RedactedSecrets { marks, kinds } = &self.taken_out;
        json!({
            "method": "POST",
            "url": self.url,
            "headers": headers,
            "secrets": {"count": marks.len(), "kinds": kinds},
            "body": self.body,
        })
    }

    fn secrets_in_words(&self) -> String {
        let kinds: Vec<&str> = self.taken_out.kinds.iter().copied().collect();
        let kinds = if kinds.is_empty() {
            String::new()
        } else {
            format!(" ({})", kinds.join(", "))
        };
        match self.taken_out.marks.len() {
            0 => "no secret is in it".to_owned(),
            1 => format!("1 secret is taken out{kinds}; a mark stands in its place"),
            many => format!("{many} secrets are taken out{kinds}; marks stand in their places"),
        }
    }
}

/// The headers that a message has, those of the person instead of ours.
fn headers(settings: &settings::LaneSettings) -> Vec<(String, String)> {
    let accepted = "text/event-stream, application/x-ndjson, application/json";
    let keys = [
        &settings.api_key_env,
        &settings.api_key_file,
        &settings.api_key_command,
    ];
    let has_key = keys.into_iter().any(Option::is_some);
    let ours = [
        Some(("accept", accepted)),
        has_key.then_some(("authorization", HIDDEN)),
        Some(("content-type", "application/json")),
    ];
    let ours = ours.into_iter().flatten();
    let ours = ours.filter(|(name, _)| settings.headers.get(name).is_none());
    let theirs = settings.headers.iter().map(|(name, _)| (name, HIDDEN));
    let all = ours.chain(theirs);
    all.map(|(name, says)| (name.to_owned(), says.to_owned()))
        .collect()
}

/// Whether an address has more of a path than the `/v1` that is left off.
fn has_path(url: &str) -> bool {
    let url = url.trim().trim_end_matches('/');
    let url = url.strip_suffix("/v1").unwrap_or(url);
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.trim_end_matches('/').contains(['/', '?'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_that_is_met_twice_is_one() {
        let mut taken_out = RedactedSecrets::of("[REDACTED-1] [REDACTED-2]");
        taken_out.add("[REDACTED-1] [REDACTED-", ["password"]);
        assert_eq!(taken_out.marks.len(), 2);
    }

    #[test]
    fn a_path_is_more_than_the_version() {
        for without in ["http://a", "http://a:1/", "https://a/v1", "http://a/v1/"] {
            assert!(!has_path(without), "{without}");
        }
        for with in ["http://a/b", "https://a/b/v1", "http://a?key=1"] {
            assert!(has_path(with), "{with}");
        }
    }
}
