//! `foretell/didFocus`: which document the person looks at.

use foretell_core::Event;
use serde_json::Value;

use crate::dispatch::{Refusal, parse};
use crate::server::Server;
use crate::wire::AboutDocument;

pub(crate) const METHOD: &str = "foretell/didFocus";

pub(crate) fn handle(server: &mut Server, params: Value) -> Result<(), Refusal> {
    let params: AboutDocument = parse(METHOD, params)?;
    let document = params.text_document.id();
    server.tell(Event::DocumentFocused { document });
    Ok(())
}
