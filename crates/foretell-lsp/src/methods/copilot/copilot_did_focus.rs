//! `textDocument/didFocus`: which document the person looks at, if it is one.
//!
//! Clients say this of whatever is in front, also of what they never open here. Asking for its text
//! would come to nothing, so that such a one is passed over.

use foretell_core::Event;
use foretell_text::DocumentId;
use serde_json::Value;

use crate::dispatch::{MethodResult, parse};
use crate::server::Server;
use crate::wire_types::copilot_wire::DidFocus;

pub(super) const METHOD: &str = "textDocument/didFocus";

pub(super) fn handle(server: &mut Server, params: Value) -> MethodResult<()> {
    // Without parameters nothing is looked at.
    let params: Option<DidFocus> = parse(METHOD, params)?;
    let uri = params.and_then(|it| it.text_document.map(|it| it.uri).or(it.uri));
    let document = uri.map(DocumentId::new);
    let open = document.filter(|it| server.core().text(it).is_some());
    if let Some(document) = open {
        server.tell(Event::DocumentFocused { document });
    }
    Ok(())
}
