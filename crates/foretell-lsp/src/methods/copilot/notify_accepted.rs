//! `notifyAccepted`: the person took a completion, or the beginning of it.
//!
//! Clients mean different things by the length:
//!
//! - copilot.vim tells that of what it puts in at the cursor, when that is not all of it. Copilot's server
//!   takes it so, too: it compares the length with that of what it would have put in there.
//! - copilot.lua cuts `text` behind the word or line that was taken, and tells the length of that, with the
//!   beginning of the line in front. Its later versions tell the length of all of `text` whatever was
//!   taken, so that a word of it is taken for all of it; they go on drawing the rest by themselves.
//!
//! From an unknown client, a length is counted from the cursor, and from the start of the line if it is
//! more than there is from there on. As much as there is, or more, is all of it.

use foretell_core::Event;
use serde_json::Value;

use super::HEARD;
use crate::convert::suggestion_of;
use crate::dispatch::{MethodRefusal, MethodReply, MethodResult, parse};
use crate::server::Server;
use crate::wire_types::copilot_wire::NotifySuggestion;

pub(super) const METHOD: &str = "notifyAccepted";

pub(super) fn handle(server: &mut Server, params: Value) -> MethodResult {
    let params: NotifySuggestion = parse(METHOD, params)?;
    let wrong = |fault| MethodRefusal::Wrong {
        method: METHOD,
        fault,
    };
    if params.accepted_length == Some(0) {
        return Err(wrong("acceptedLength is at least 1"));
    }
    let Some(suggestion) = suggestion_of(&params.uuid) else {
        return MethodReply::now(HEARD);
    };
    let from = server.copilot.counts_from();
    let bytes_of = |units| server.offered.bytes_of_line(suggestion, units, from);
    let length = params.accepted_length.map_or(Ok(None), bytes_of);
    let length = length.map_err(|_| wrong("acceptedLength does not fit what was offered"))?;
    server.tell(Event::SuggestionAccepted { suggestion, length });
    MethodReply::now(HEARD)
}
