//! `foretell/willChange`: why a document is about to change.

use serde_json::Value;

use crate::dispatch::{MethodResult, parse};
use crate::server::Server;
use crate::wire_types::WillChange;

pub(crate) const METHOD: &str = "foretell/willChange";

pub(crate) fn handle(server: &mut Server, params: Value) -> MethodResult<()> {
    let params: WillChange = parse(METHOD, params)?;
    let document = params.text_document.id();
    // Words about what is not open would wait for ever.
    if server.core().text(&document).is_some() {
        let version = params.text_document.version();
        server
            .change_reasons
            .put(document, version, params.reason.into());
    }
    Ok(())
}
