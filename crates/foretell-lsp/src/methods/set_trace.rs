//! `$/setTrace`: whether the client wants to be told, message by message, what is done.

use serde_json::Value;

use crate::dispatch::{Refusal, parse};
use crate::server::Server;
use crate::wire::{SetTrace, TraceLevel};

pub(crate) const METHOD: &str = "$/setTrace";

pub(crate) fn handle(server: &mut Server, params: Value) -> Result<(), Refusal> {
    let SetTrace { value } = parse(METHOD, params)?;
    server.trace = value;
    Ok(())
}

/// What `initialize` says of it.
pub(crate) fn initial(params: &Value) -> TraceLevel {
    let said = params.get("trace").cloned().unwrap_or_default();
    serde_json::from_value(said).unwrap_or_default()
}
