//! `foretell/didFocus`: which document the person looks at.

use foretell_core::Event;
use serde_json::Value;

use crate::dispatch::{MethodResult, parse};
use crate::server::Server;
use crate::wire_types::AboutDocument;

pub(crate) const METHOD: &str = "foretell/didFocus";

pub(crate) fn handle(server: &mut Server, params: Value) -> MethodResult<()> {
    let params: AboutDocument = parse(METHOD, params)?;
    let document = params.text_document.id();
    server.tell(Event::DocumentFocused { document });
    Ok(())
}
