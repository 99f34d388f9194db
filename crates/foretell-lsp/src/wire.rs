//! The types of our own methods as they are on the wire, and of two published ones.
//!
//! `didChange` and `inlineCompletion` have types in `gen-lsp-types` that are too lax for us: there a
//! change whose range is malformed reads as one of the whole text, and a version that a client sends
//! along with a request is dropped.
//!
//! Absent on purpose: what any of it means. These are parsed, taken apart and gone.

use foretell_text::{ChangeReason, DocumentId, Version};
use gen_lsp_types::{InlineCompletionContext, Position, Range};
use serde::{Deserialize, Serialize};

/// A document, and in our own methods which text of it.
#[derive(Debug, Deserialize)]
pub(crate) struct TextDocument {
    uri: String,
    version: Option<i32>,
}

impl TextDocument {
    pub(crate) fn id(&self) -> DocumentId {
        DocumentId::new(self.uri.as_str())
    }

    pub(crate) fn version(&self) -> Option<Version> {
        self.version.map(|version| Version::new(version.into()))
    }
}

/// `textDocument/didChange`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DidChange {
    pub(crate) text_document: ChangedDocument,
    pub(crate) content_changes: Vec<ContentChange>,
}

/// A document that has changed, and so has a version.
#[derive(Debug, Deserialize)]
pub(crate) struct ChangedDocument {
    pub(crate) uri: String,
    pub(crate) version: i32,
}

/// One change: of a range, or of everything.
#[derive(Debug, Deserialize)]
pub(crate) struct ContentChange {
    pub(crate) range: Option<Range>,
    pub(crate) text: String,
}

/// `textDocument/inlineCompletion`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InlineCompletion {
    pub(crate) text_document: TextDocument,
    pub(crate) position: Position,
    pub(crate) context: InlineCompletionContext,
}

/// `$/cancelRequest`.
#[derive(Debug, Deserialize)]
pub(crate) struct Cancel {
    pub(crate) id: lsp_server::RequestId,
}

/// `foretell/didChangeSelection`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DidChangeSelection {
    pub(crate) text_document: TextDocument,
    pub(crate) selections: Vec<Range>,
}

/// `foretell/didFocus`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DidFocus {
    pub(crate) text_document: TextDocument,
}

/// `foretell/didShow`, `didAccept`, `didReject` and `didIgnore`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Feedback {
    pub(crate) id: String,
    /// How much was taken, in UTF-16 units of what was offered; nothing is all.
    pub(crate) accepted_length: Option<usize>,
}

/// `foretell/willChange`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WillChange {
    pub(crate) text_document: TextDocument,
    pub(crate) reason: WillChangeReason,
}

/// Why a document is about to change.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum WillChangeReason {
    Undo,
    Redo,
    Other,
}

impl From<WillChangeReason> for ChangeReason {
    fn from(reason: WillChangeReason) -> Self {
        match reason {
            WillChangeReason::Undo => ChangeReason::Undo,
            WillChangeReason::Redo => ChangeReason::Redo,
            WillChangeReason::Other => ChangeReason::Other,
        }
    }
}

/// `foretell/trigger`, to the client.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Trigger<'a> {
    pub(crate) text_document: TriggeredDocument<'a>,
    pub(crate) position: Position,
    pub(crate) cause: &'static str,
}

/// The document and the text that a trigger is about.
#[derive(Debug, Serialize)]
pub(crate) struct TriggeredDocument<'a> {
    pub(crate) uri: &'a str,
    pub(crate) version: i64,
}

/// `foretell/resync`, to the client.
#[derive(Debug, Serialize)]
pub(crate) struct Resync<'a> {
    pub(crate) uri: &'a str,
}
