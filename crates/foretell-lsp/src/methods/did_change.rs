//! `textDocument/didChange`: what changed in a document, one after the other.
//!
//! Each change is in the coordinates of the text after the one before, so they are applied here as
//! they are converted. A change that does not fit, or cannot be read, means that the editor's text is
//! not known any more: the machine is told so, and the client is asked for the whole text. A change
//! without a range is the whole text, and what stood before it in the message no longer matters.

use foretell_core::Event;
use foretell_text::{DocumentId, Edit, PositionEncoding, Replacement, Text, Version};
use serde_json::Value;

use crate::convert;
use crate::dispatch::{MethodResult, parse};
use crate::server::Server;
use crate::wire_types::{ContentChange, DidChange};
use foretell_journal::spoken::short_name;

pub(crate) const METHOD: &str = "textDocument/didChange";

pub(crate) fn handle(server: &mut Server, params: Value) -> MethodResult<()> {
    let uri = params.pointer("/textDocument/uri").and_then(Value::as_str);
    let uri = uri.map(DocumentId::new);
    let params: DidChange = match parse(METHOD, params) {
        Ok(params) => params,
        Err(refusal) => {
            // Something changed, and it is unknown what.
            if let Some(document) = uri {
                server.tell(Event::DocumentLost { document });
            }
            return Err(refusal);
        }
    };
    let document = DocumentId::new(params.text_document.uri);
    let version = Version::new(params.text_document.version.into());
    let reason = server.change_reasons.take(&document, version);
    if let Some(held) = server.core().version(&document) {
        server.pending_index_updates.put(document.clone());
        if held > version {
            // The changes are taken all the same: they come in the order in which they were made.
            let name = short_name(&document);
            server.log(format!(
                "the version of {name} went backwards, from {held} to {version}"
            ));
        }
    }

    let mut changes = params.content_changes;
    let whole = changes.iter().rposition(|change| change.range.is_none());
    let rest = changes.split_off(whole.map_or(0, |whole| whole + 1));
    if let Some(whole) = changes.pop() {
        let event = Event::DocumentReplaced {
            document: document.clone(),
            version,
            text: Text::from(whole.text.as_str()),
            reason,
        };
        server.tell(event);
        if rest.is_empty() {
            return Ok(());
        }
    }
    // A document that is not open has no text for the changes to fit; the machine says so itself.
    let text = server.core().text(&document).cloned();
    let edits = text.map_or(Some(Vec::new()), |text| {
        edits_of(text, rest, server.encoding)
    });
    let event = match edits {
        Some(edits) => Event::DocumentChanged {
            document,
            version,
            edits,
            reason,
        },
        None => Event::DocumentLost { document },
    };
    server.tell(event);
    Ok(())
}

/// The edits of a text that changes are, unless one does not fit.
fn edits_of(
    mut text: Text,
    changes: Vec<ContentChange>,
    encoding: PositionEncoding,
) -> Option<Vec<Edit>> {
    let mut edits = Vec::new();
    let mut changes = changes.into_iter().peekable();
    while let Some(change) = changes.next() {
        let range = convert::range(&text, change.range?, encoding).ok()?;
        let edit = Edit::from(Replacement::new(range, change.text));
        // Each is of the text after the one before it.
        if changes.peek().is_some() {
            text = edit.apply(&text).ok()?;
        }
        edits.push(edit);
    }
    Some(edits)
}
