//! `textDocument/didSave`: a file is as its document. If settings are in it they apply now, and what was changed
//! in it is finished.

use foretell_core::Event;
use serde_json::Value;

use crate::dispatch::{MethodResult, parse};
use crate::server::Server;
use crate::uri;
use crate::wire_types::AboutDocument;

pub(crate) const METHOD: &str = "textDocument/didSave";

pub(crate) fn handle(server: &mut Server, params: Value) -> MethodResult<()> {
    let params: AboutDocument = parse(METHOD, params)?;
    let document = params.text_document.id();
    if let Some(path) = uri::path_of(document.as_str()) {
        server.file_changed(path);
    }
    // Files that hold settings are saved, too, and are not always open here.
    if server.core().version(&document).is_some() {
        server.tell(Event::DocumentSaved { document });
    }
    Ok(())
}
