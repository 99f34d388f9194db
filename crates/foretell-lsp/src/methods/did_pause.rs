//! `foretell/didPause`: whether the person wants suggestions in a document for now. The client asks nothing
//! and draws nothing there; the server has to know, because it may ask a model ahead of time.

use foretell_core::Event;
use serde_json::Value;

use crate::dispatch::{MethodResult, parse};
use crate::server::Server;
use crate::wire_types::PausedDocument;

pub(crate) const METHOD: &str = "foretell/didPause";

pub(crate) fn handle(server: &mut Server, params: Value) -> MethodResult<()> {
    let params: PausedDocument = parse(METHOD, params)?;
    server.tell(Event::DocumentPaused {
        document: params.text_document.id(),
        is_paused: params.paused,
    });
    Ok(())
}
