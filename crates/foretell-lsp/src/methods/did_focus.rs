//! `foretell/didFocus`: which document the person looks at.

use foretell_core::{Event, Moment};
use serde_json::Value;

use crate::dispatch::{Refusal, parse};
use crate::server::Server;
use crate::wire::DidFocus;

pub(crate) const METHOD: &str = "foretell/didFocus";

pub(crate) fn handle(server: &mut Server, now: Moment, params: Value) -> Result<(), Refusal> {
    let params: DidFocus = parse(METHOD, params)?;
    let document = params.text_document.id();
    server.tell(now, Event::DocumentFocused { document });
    Ok(())
}
