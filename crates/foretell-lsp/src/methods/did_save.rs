//! `textDocument/didSave`: a file is as its document. If settings are in it they apply now.

use serde_json::Value;

use crate::dispatch::{MethodResult, parse};
use crate::server::Server;
use crate::uri;
use crate::wire_types::AboutDocument;

pub(crate) const METHOD: &str = "textDocument/didSave";

pub(crate) fn handle(server: &mut Server, params: Value) -> MethodResult<()> {
    let params: AboutDocument = parse(METHOD, params)?;
    if let Some(path) = uri::path_of(params.text_document.id().as_str()) {
        server.file_changed(path);
    }
    Ok(())
}
