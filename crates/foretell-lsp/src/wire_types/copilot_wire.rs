//! The types of the methods that Copilot's language server has besides the published ones, as they are
//! on the wire.

use foretell_text::{DocumentId, Version};
use gen_lsp_types::{Position, Range};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{AtUri, TextDocument};

/// `textDocument/didFocus`, in its three forms: as it is now, as it was, and nothing.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DidFocus {
    pub(crate) text_document: Option<AtUri>,
    pub(crate) uri: Option<String>,
}

/// `textDocument/didShowCompletion` and `textDocument/didShowInlineEdit`.
#[derive(Debug, Deserialize)]
pub(crate) struct AboutItem {
    pub(crate) item: ShownItem,
}

/// `textDocument/didPartiallyAcceptCompletion`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PartlyAccepted {
    pub(crate) item: ShownItem,
    /// In UTF-16 units, from the start of the item's text on.
    pub(crate) accepted_length: usize,
}

/// A suggestion that is given back, of which only its name matters.
#[derive(Debug, Deserialize)]
pub(crate) struct ShownItem {
    command: ItemCommand,
}

#[derive(Debug, Deserialize)]
struct ItemCommand {
    arguments: Vec<Value>,
}

impl ShownItem {
    /// The name of the suggestion, if it has one.
    pub(crate) fn name(&self) -> Option<&str> {
        self.command.arguments.first()?.as_str()
    }
}

/// `getCompletions` and `getCompletionsCycling`.
#[derive(Debug, Deserialize)]
pub(crate) struct GetCompletions {
    pub(crate) doc: DocumentPlace,
}

/// `getPanelCompletions`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GetPanelCompletions {
    pub(crate) doc: DocumentPlace,
    pub(crate) panel_id: String,
}

/// A place in a document, with which text of it is meant.
#[derive(Debug, Deserialize)]
pub(crate) struct DocumentPlace {
    uri: String,
    version: Option<i32>,
    pub(crate) position: Position,
}

impl DocumentPlace {
    pub(crate) fn named(&self) -> (DocumentId, Option<Version>) {
        let version = self.version.map(|version| Version::new(version.into()));
        (DocumentId::new(self.uri.as_str()), version)
    }
}

/// `textDocument/copilotPanelCompletion`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PanelCompletion {
    pub(crate) text_document: TextDocument,
    pub(crate) position: Position,
}

/// `notifyShown`, `notifyAccepted` and `notifyNextEditRejected`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NotifySuggestion {
    pub(crate) uuid: String,
    /// In UTF-16 units, from the cursor or from the start of its line on; nothing is all.
    pub(crate) accepted_length: Option<usize>,
}

/// `notifyRejected`.
#[derive(Debug, Deserialize)]
pub(crate) struct NotifyRejected {
    pub(crate) uuids: Vec<String>,
}

/// One of the completions that answer `getCompletions`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CopilotCompletion {
    pub(crate) uuid: String,
    /// From the start of the line on.
    pub(crate) text: String,
    /// From the cursor on.
    pub(crate) display_text: String,
    /// From the start of the line on.
    pub(crate) range: Range,
    /// Where the cursor is.
    pub(crate) position: Position,
    pub(crate) doc_version: i64,
}

/// `PanelSolution`, to the client.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PanelSolution<'a> {
    pub(crate) panel_id: &'a str,
    pub(crate) solution_id: String,
    pub(crate) score: u32,
    pub(crate) completion_text: &'a str,
    pub(crate) display_text: &'a str,
    pub(crate) range: Range,
    pub(crate) doc_version: i64,
}
