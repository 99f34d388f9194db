//! `$/cancelRequest`: the client no longer wants an answer, and gets a short one.

use foretell_core::Event;
use serde_json::Value;

use crate::dispatch::{MethodResult, parse};
use crate::server::{Server, cancelled};
use crate::wire_types::CancelRequest;

pub(crate) const METHOD: &str = "$/cancelRequest";

pub(crate) fn handle(server: &mut Server, params: Value) -> MethodResult<()> {
    let params: CancelRequest = parse(METHOD, params)?;
    // If it is not pending, the answer is on its way already.
    if let Some(request) = server.pending.find(&params.id) {
        server.tell(Event::RequestCancelled { request });
    } else if server.tasks.cancel(&params.id) {
        server.send(cancelled(params.id, "it was cancelled"));
    }
    Ok(())
}
