//! A client that was written for Copilot's language server, as far as the client is known to be one.
//!
//! Such a client is told how the server is doing by `didChangeStatus` and the older
//! `statusNotification`, which no other client understands. So the server has to know first: it says who
//! it is with `initialize` (`editorInfo` or `editorPluginInfo` in the options) or by `setEditorInfo`, or
//! sends a method that only Copilot's server has. `textDocument/copilotInlineEdit` is none of these,
//! because our own clients send it, too.
//!
//! Several of these clients count UTF-16 units whatever was agreed, while the editor below them counts
//! what was agreed. Where the options say who it is, nothing but UTF-16 is agreed on.
//!
//! Absent on purpose: the kind `Inactive`. It says that a document is left alone, and ours never are:
//! the embedded lanes send nothing anywhere.

use foretell_text::LaneKind;
use serde_json::{Value, json};

use crate::offered_texts::CountsFrom;
use crate::server::Server;
use crate::status_notifier::RestEnd;

/// The names under which such a client says who it is.
const WHO: [&str; 2] = ["editorInfo", "editorPluginInfo"];

/// The oldest of these clients, which says a suggestion was rejected at every key.
const REJECTS_AT_EVERY_KEY: &str = "copilot.vim";

/// The one that counts what was taken of a completion from the start of its line on.
const COUNTS_FROM_LINE: &str = "copilot.lua";

/// Such a client, as far as it is known.
#[derive(Debug, Default)]
pub(crate) struct CopilotClient {
    is_one: bool,
    /// The plugin's own name.
    plugin: Option<String>,
    /// The last status it was told.
    told: Option<CopilotStatus>,
}

/// How the server is doing, as such a client is told.
#[derive(Clone, Debug, PartialEq, Eq)]
struct CopilotStatus {
    kind: CopilotStatusKind,
    message: String,
}

/// The kinds of status that such a client draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CopilotStatusKind {
    Normal,
    /// Somebody is waited for.
    Busy,
    /// It will pass.
    Warning,
    /// It will not, until the person does something about it.
    Error,
}

impl CopilotClient {
    /// Reads the options of `initialize`.
    pub(crate) fn of(options: &Value) -> Self {
        let mut known = CopilotClient::default();
        known.says_who(options);
        known
    }

    /// Whether it is one of these clients.
    pub(crate) fn is_one(&self) -> bool {
        self.is_one
    }

    /// It says who it is.
    pub(crate) fn says_who(&mut self, says: &Value) {
        self.is_one |= WHO.iter().any(|who| says[who].is_object());
        let name = says["editorPluginInfo"]["name"].as_str();
        self.plugin = name.map(str::to_owned).or(self.plugin.take());
    }

    /// It has sent what only such clients send.
    pub(crate) fn meet(&mut self) {
        self.is_one = true;
    }

    /// Whether it may say that a suggestion was rejected when the person types into it.
    pub(crate) fn rejects_at_every_key(&self) -> bool {
        self.plugin.as_deref() == Some(REJECTS_AT_EVERY_KEY)
    }

    /// From where on it counts what was taken of a completion.
    pub(crate) fn counts_from(&self) -> CountsFrom {
        match self.plugin.as_deref() {
            Some(COUNTS_FROM_LINE) => CountsFrom::Line,
            Some(_) | None => CountsFrom::Cursor,
        }
    }
}

impl Server {
    /// Tells a client of Copilot's how the server is doing, if that is news.
    pub(crate) fn tell_copilot(&mut self) {
        let status = self.copilot_status();
        if self.copilot.told.as_ref() == Some(&status) {
            return;
        }
        let (kind, busy, older) = match status.kind {
            CopilotStatusKind::Normal => ("Normal", false, "Normal"),
            CopilotStatusKind::Busy => ("Normal", true, "InProgress"),
            CopilotStatusKind::Warning => ("Warning", false, "Warning"),
            CopilotStatusKind::Error => ("Error", false, "Error"),
        };
        let message = &status.message;
        let params = json!({ "kind": kind, "busy": busy, "message": message });
        self.notify("didChangeStatus", params);
        let params = json!({ "kind": kind, "busy": busy, "status": older, "message": message });
        self.notify("statusNotification", params);
        self.copilot.told = Some(status);
    }

    /// A lane that is left alone counts more than that somebody is waited for: clients show each
    /// warning to the person, and it must not come again at every key.
    fn copilot_status(&self) -> CopilotStatus {
        let resting = LaneKind::ALL.into_iter().find_map(|it| self.rest_of(it));
        let (kind, message) = match resting {
            Some((RestEnd::Passes, words)) => (CopilotStatusKind::Warning, words),
            Some((RestEnd::IsThePersons, words)) => (CopilotStatusKind::Error, words),
            None if self.pending.is_empty() => (CopilotStatusKind::Normal, String::new()),
            None => (CopilotStatusKind::Busy, String::new()),
        };
        CopilotStatus { kind, message }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_known_by_what_it_says_of_itself() {
        let vim = json!({ "editorPluginInfo": { "name": "copilot.vim", "version": "1.4.0" } });
        assert!(CopilotClient::of(&vim).is_one());
        assert!(CopilotClient::of(&vim).rejects_at_every_key());
        let lua = json!({ "editorInfo": { "name": "Neovim" }, "editorPluginInfo": { "name": "copilot.lua" } });
        assert!(CopilotClient::of(&lua).is_one());
        assert!(!CopilotClient::of(&lua).rejects_at_every_key());
        for plain in [
            json!(null),
            json!({}),
            json!({ "editorInfo": 1 }),
            json!([]),
        ] {
            assert!(!CopilotClient::of(&plain).is_one(), "{plain}");
        }
    }
}
