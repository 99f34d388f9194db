//! `foretell/didShow`, `didAccept`, `didReject` and `didIgnore`: what became of a suggestion.
//!
//! The four are in one file because they are one message with four names.

use foretell_core::{Event, SuggestionId};
use serde_json::Value;

use crate::convert;
use crate::dispatch::{MethodRefusal, MethodResult, parse};
use crate::server::Server;
use crate::wire_types::FeedbackParams;

pub(crate) const SHOWN: &str = "foretell/didShow";
pub(crate) const ACCEPTED: &str = "foretell/didAccept";
pub(crate) const REJECTED: &str = "foretell/didReject";
pub(crate) const IGNORED: &str = "foretell/didIgnore";

pub(crate) fn shown(server: &mut Server, params: Value) -> MethodResult<()> {
    let (suggestion, _) = read(SHOWN, params)?;
    server.tell(Event::SuggestionShown { suggestion });
    Ok(())
}

pub(crate) fn accepted(server: &mut Server, params: Value) -> MethodResult<()> {
    let (suggestion, units) = read(ACCEPTED, params)?;
    let bytes_of = |units| server.offered.bytes_of(suggestion, units);
    let length = units.map_or(Ok(None), bytes_of);
    let length = length.map_err(|_| MethodRefusal::Cannot {
        method: ACCEPTED,
        fault: "acceptedLength does not fit what was offered",
    })?;
    server.tell(Event::SuggestionAccepted { suggestion, length });
    Ok(())
}

pub(crate) fn rejected(server: &mut Server, params: Value) -> MethodResult<()> {
    let (suggestion, _) = read(REJECTED, params)?;
    server.tell(Event::SuggestionRejected { suggestion });
    Ok(())
}

pub(crate) fn ignored(server: &mut Server, params: Value) -> MethodResult<()> {
    let (suggestion, _) = read(IGNORED, params)?;
    server.tell(Event::SuggestionIgnored { suggestion });
    Ok(())
}

fn read(
    method: &'static str,
    params: Value,
) -> Result<(SuggestionId, Option<usize>), MethodRefusal> {
    let params: FeedbackParams = parse(method, params)?;
    let suggestion = convert::suggestion_of(&params.id).ok_or(MethodRefusal::Wrong {
        method,
        fault: "not the name of a suggestion",
    })?;
    Ok((suggestion, params.accepted_length))
}
