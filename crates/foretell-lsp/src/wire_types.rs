//! The types of our own methods as they are on the wire, and of two published ones.
//!
//! `didChange` and `inlineCompletion` have types in `gen-lsp-types` that are too lax for us: there a
//! change whose range is malformed reads as one of the whole text, and a version that a client sends
//! along with a request is dropped.
//!
//! Absent on purpose: what any of it means. These are parsed, taken apart and gone.

pub(crate) mod copilot_wire;

use foretell_core::RequestCause;
use foretell_text::{ChangeReason, DocumentId, Version};
use gen_lsp_types::{Command, InlineCompletionTriggerKind, Position, Range};
use serde::{Deserialize, Serialize};
use serde_json::Value;

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

    /// Both of these.
    pub(crate) fn named(&self) -> (DocumentId, Option<Version>) {
        (self.id(), self.version())
    }
}

/// `textDocument/didChange`.
#[derive(Deserialize)]
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
#[derive(Deserialize)]
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
    pub(crate) context: InlineContext,
}

/// Who asks for an inline completion, and next to what.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InlineContext {
    trigger_kind: InlineCompletionTriggerKind,
    pub(crate) selected_completion_info: Option<SelectedCompletion>,
}

impl InlineContext {
    pub(crate) fn cause(&self) -> RequestCause {
        let trigger_kind = self.trigger_kind;
        AskedBy { trigger_kind }.cause()
    }
}

/// The item that is chosen in the popup.
#[derive(Debug, Deserialize)]
pub(crate) struct SelectedCompletion {
    pub(crate) range: Range,
    pub(crate) text: String,
}

/// Whether the editor or the person asks.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AskedBy {
    trigger_kind: InlineCompletionTriggerKind,
}

impl AskedBy {
    pub(crate) fn cause(self) -> RequestCause {
        match self.trigger_kind {
            InlineCompletionTriggerKind::Invoked => RequestCause::Explicit,
            InlineCompletionTriggerKind::Automatic | InlineCompletionTriggerKind::Custom(_) => {
                RequestCause::Automatic
            }
        }
    }
}

/// `textDocument/copilotInlineEdit`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AskEdit {
    pub(crate) text_document: TextDocument,
    pub(crate) position: Position,
    pub(crate) context: Option<AskedBy>,
}

/// `textDocument/didSave`, and whatever else is about a document and no more.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AboutDocument {
    pub(crate) text_document: TextDocument,
}

/// `foretell/didPause`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PausedDocument {
    pub(crate) text_document: TextDocument,
    pub(crate) paused: bool,
}

/// `workspace/didChangeWatchedFiles`.
#[derive(Debug, Deserialize)]
pub(crate) struct ChangedFiles {
    pub(crate) changes: Vec<AtUri>,
}

/// `workspace/didChangeWorkspaceFolders`.
#[derive(Debug, Deserialize)]
pub(crate) struct ChangedFolders {
    pub(crate) event: FolderChange,
}

/// Which folders came and went.
#[derive(Debug, Deserialize)]
pub(crate) struct FolderChange {
    #[serde(default)]
    pub(crate) added: Vec<AtUri>,
    #[serde(default)]
    pub(crate) removed: Vec<AtUri>,
}

/// Something with a URI, of which nothing else matters.
#[derive(Debug, Deserialize)]
pub(crate) struct AtUri {
    pub(crate) uri: String,
}

/// `$/setTrace`.
#[derive(Debug, Deserialize)]
pub(crate) struct SetTrace {
    pub(crate) value: TraceLevel,
}

/// How much a client wants to be told of what is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum TraceLevel {
    /// Nothing.
    #[default]
    Off,
    /// Decisions.
    Messages,
    /// All there is to know about it.
    Verbose,
}

/// `foretell/why`.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WhyParams {
    pub(crate) text_document: Option<TextDocument>,
    pub(crate) limit: Option<usize>,
}

/// `foretell/context`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AskContext {
    pub(crate) text_document: TextDocument,
    pub(crate) position: Option<Position>,
    pub(crate) range: Option<Range>,
    pub(crate) instruction: Option<String>,
    pub(crate) selected_code: Option<String>,
}

/// `foretell/didChangeDiagnostics`.
#[derive(Deserialize)]
pub(crate) struct DidChangeDiagnostics {
    pub(crate) uri: String,
    pub(crate) version: Option<i32>,
    pub(crate) diagnostics: Vec<WireDiagnostic>,
    #[serde(default)]
    pub(crate) fixes: Vec<WireFix>,
}

/// A diagnostic, as far as it matters here.
#[derive(Deserialize)]
pub(crate) struct WireDiagnostic {
    pub(crate) range: Range,
    pub(crate) severity: Option<u32>,
    pub(crate) source: Option<String>,
    pub(crate) code: Option<Value>,
    pub(crate) message: WireMessage,
    /// Tags by which editors draw it otherwise: 1 is not needed, 2 is not to be used any more.
    #[serde(default)]
    pub(crate) tags: Vec<u32>,
}

/// The message of a diagnostic: words, or markup as newer servers may send it.
#[derive(PartialEq, Deserialize)]
#[serde(untagged)]
pub(crate) enum WireMessage {
    Words(String),
    Markup { value: String },
}

impl WireMessage {
    pub(crate) fn words(&self) -> &str {
        match self {
            WireMessage::Words(words) | WireMessage::Markup { value: words } => words,
        }
    }
}

/// A fix that the editor could apply.
#[derive(Deserialize)]
pub(crate) struct WireFix {
    pub(crate) diagnostic: WireDiagnostic,
    pub(crate) title: String,
    /// Whether it is the one to take, as the tool that found the fault says.
    #[serde(default)]
    pub(crate) is_preferred: bool,
    /// Nothing if it does something that is no edit of this document.
    pub(crate) edits: Vec<WireEdit>,
}

/// One of the edits of a fix.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WireEdit {
    pub(crate) range: Range,
    pub(crate) new_text: String,
}

/// `$/cancelRequest`.
#[derive(Debug, Deserialize)]
pub(crate) struct CancelRequest {
    pub(crate) id: lsp_server::RequestId,
}

/// `foretell/didChangeSelection`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DidChangeSelection {
    pub(crate) text_document: TextDocument,
    pub(crate) selections: Vec<Range>,
}

/// `foretell/didShow`, `didAccept`, `didReject` and `didIgnore`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FeedbackParams {
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
pub(crate) struct TriggerParams<'a> {
    pub(crate) text_document: VersionedDocument<&'a str>,
    pub(crate) position: Position,
    pub(crate) cause: &'static str,
}

/// A document, and which text of it something is about.
#[derive(Debug, Serialize)]
pub(crate) struct VersionedDocument<Uri> {
    pub(crate) uri: Uri,
    pub(crate) version: i64,
}

/// One of the edits that answer `textDocument/copilotInlineEdit`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InlineEdit {
    pub(crate) text: String,
    pub(crate) text_document: VersionedDocument<String>,
    pub(crate) range: Range,
    /// Where the cursor goes once it is accepted, in the text after that, if a model has said so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cursor: Option<Position>,
    pub(crate) command: Command,
}

/// `foretell/resync`, to the client.
#[derive(Debug, Serialize)]
pub(crate) struct ResyncParams<'a> {
    pub(crate) uri: &'a str,
}

/// `foretell/didChangeStatus`, to the client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct DidChangeStatus {
    pub(crate) kind: StatusKind,
    /// For the person; empty when there is nothing to say.
    pub(crate) message: String,
    /// How far a model server is with the prompt that it reads, if that takes long.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reading: Option<ReadingLine>,
}

/// A prompt that is being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct ReadingLine {
    /// How many tokens are left.
    pub(crate) tokens: u64,
    /// How many seconds that takes, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seconds: Option<u64>,
}

/// How the server is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum StatusKind {
    /// Nothing is going on.
    Quiet,
    /// A model is being asked.
    Working,
    /// A lane is left alone, which will pass.
    Resting,
    /// It will not, until the person does something about it.
    Error,
}
