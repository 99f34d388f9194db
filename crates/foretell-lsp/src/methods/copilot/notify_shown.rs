//! `notifyShown`: a completion is visible. It is a request, although there is nothing to answer.

use foretell_core::Event;
use serde_json::Value;

use super::HEARD;
use crate::convert::suggestion_of;
use crate::dispatch::{MethodReply, MethodResult, parse};
use crate::server::Server;
use crate::wire_types::copilot_wire::NotifySuggestion;

pub(super) const METHOD: &str = "notifyShown";

pub(super) fn handle(server: &mut Server, params: Value) -> MethodResult {
    let params: NotifySuggestion = parse(METHOD, params)?;
    if let Some(suggestion) = suggestion_of(&params.uuid) {
        server.tell(Event::SuggestionShown { suggestion });
    }
    MethodReply::now(HEARD)
}
