//! `textDocument/didClose`: a document is gone; what was asked about it is answered.

use foretell_core::{Event, Moment};
use foretell_text::DocumentId;
use gen_lsp_types::DidCloseTextDocumentParams;
use serde_json::Value;

use crate::dispatch::{Refusal, parse};
use crate::server::Server;

pub(crate) const METHOD: &str = "textDocument/didClose";

pub(crate) fn handle(server: &mut Server, now: Moment, params: Value) -> Result<(), Refusal> {
    let params: DidCloseTextDocumentParams = parse(METHOD, params)?;
    let document = DocumentId::new(params.text_document.uri.0);
    server.announced.forget(&document);
    server.tell(now, Event::DocumentClosed { document });
    Ok(())
}
