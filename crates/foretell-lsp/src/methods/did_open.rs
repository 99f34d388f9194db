//! `textDocument/didOpen`: a document and its text; also how a client answers `foretell/resync`.

use foretell_core::Event;
use foretell_text::{DocumentId, Language, Text, Version};
use gen_lsp_types::DidOpenTextDocumentParams;
use serde_json::Value;

use crate::dispatch::{MethodResult, parse};
use crate::server::Server;

pub(crate) const METHOD: &str = "textDocument/didOpen";

pub(crate) fn handle(server: &mut Server, params: Value) -> MethodResult<()> {
    let params: DidOpenTextDocumentParams = parse(METHOD, params)?;
    let opened = params.text_document;
    let document = DocumentId::new(opened.uri.0);
    server.change_reasons.forget(&document);
    server.pending_index_updates.put(document.clone());
    let event = Event::DocumentOpened {
        document,
        language: Language::new(String::from(opened.language_id)),
        version: Version::new(opened.version.into()),
        text: Text::from(opened.text.as_str()),
    };
    server.tell(event);
    Ok(())
}
