//! `textDocument/didPartiallyAcceptCompletion`: the person took the beginning of a suggestion.
//!
//! The length is told from the start of the item's `insertText` to the end of what was taken, each time
//! anew; it is not the length of what was added last. As much as there is, or more, is all of it.

use foretell_core::Event;
use serde_json::Value;

use crate::convert::suggestion_of;
use crate::dispatch::{MethodRefusal, MethodResult, parse};
use crate::server::Server;
use crate::wire_types::copilot_wire::PartlyAccepted;

pub(super) const METHOD: &str = "textDocument/didPartiallyAcceptCompletion";

pub(super) fn handle(server: &mut Server, params: Value) -> MethodResult<()> {
    let params: PartlyAccepted = parse(METHOD, params)?;
    let wrong = |fault| MethodRefusal::Wrong {
        method: METHOD,
        fault,
    };
    let name = params.item.name();
    let name = name.ok_or_else(|| wrong("the item's command has no name in its arguments"))?;
    if params.accepted_length == 0 {
        return Err(wrong("acceptedLength is at least 1"));
    }
    let Some(suggestion) = suggestion_of(name) else {
        return Ok(());
    };
    let units = params.accepted_length;
    let length = server.offered.bytes_of_at_most(suggestion, units);
    let length = length.map_err(|_| wrong("acceptedLength does not fit what was offered"))?;
    server.tell(Event::SuggestionAccepted { suggestion, length });
    Ok(())
}
