//! `notifyShown`: a completion is visible. It is a request, although nobody wants to know anything.

use foretell_core::Event;
use serde_json::Value;

use super::HEARD;
use crate::convert::suggestion_of;
use crate::dispatch::{Refusal, Reply, parse};
use crate::server::Server;
use crate::wire::copilot::Notify;

pub(super) const METHOD: &str = "notifyShown";

pub(super) fn handle(server: &mut Server, params: Value) -> Result<Reply, Refusal> {
    let params: Notify = parse(METHOD, params)?;
    if let Some(suggestion) = suggestion_of(&params.uuid) {
        server.tell(Event::SuggestionShown { suggestion });
    }
    Reply::now(HEARD)
}
