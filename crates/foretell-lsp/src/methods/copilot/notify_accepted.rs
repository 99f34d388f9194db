//! `notifyAccepted`: the person took a completion, or the beginning of it.
//!
//! Copilot's server compares the length with that of `displayText`. Some clients tell the length of what
//! they put in at the cursor, which is counted so; others tell that of `text`, which has the beginning of
//! the line in front of it. As much as was shown, or more, is all of it.

use foretell_core::Event;
use serde_json::Value;

use super::{HEARD, suggestion_of};
use crate::dispatch::{Refusal, Reply, parse};
use crate::server::Server;
use crate::wire::copilot::Notify;

pub(super) const METHOD: &str = "notifyAccepted";

pub(super) fn handle(server: &mut Server, params: Value) -> Result<Reply, Refusal> {
    let params: Notify = parse(METHOD, params)?;
    let wrong = |fault| Refusal::Wrong {
        method: METHOD,
        fault,
    };
    if params.accepted_length == Some(0) {
        return Err(wrong("acceptedLength is at least 1"));
    }
    let Some(suggestion) = suggestion_of(&params.uuid) else {
        return Reply::now(HEARD);
    };
    let bytes_of = |units| server.offered.bytes_of_at_most(suggestion, units);
    let length = params.accepted_length.map_or(Ok(None), bytes_of);
    let length = length.map_err(|_| wrong("acceptedLength does not fit what was offered"))?;
    server.tell(Event::SuggestionAccepted { suggestion, length });
    Reply::now(HEARD)
}
