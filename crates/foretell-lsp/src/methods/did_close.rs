//! `textDocument/didClose`: a document is gone; what was asked about it is answered.

use foretell_core::Event;
use foretell_text::DocumentId;
use gen_lsp_types::DidCloseTextDocumentParams;
use serde_json::Value;

use crate::dispatch::{MethodResult, parse};
use crate::server::Server;

pub(crate) const METHOD: &str = "textDocument/didClose";

pub(crate) fn handle(server: &mut Server, params: Value) -> MethodResult<()> {
    let params: DidCloseTextDocumentParams = parse(METHOD, params)?;
    let document = DocumentId::new(params.text_document.uri.0);
    server.change_reasons.forget(&document);
    server.unfile(&document);
    server.tell(Event::DocumentClosed { document });
    Ok(())
}
