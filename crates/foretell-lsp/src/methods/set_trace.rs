//! `$/setTrace`: whether the client wants to be told, message by message, what is done.

use serde_json::Value;

use crate::dispatch::{MethodResult, parse};
use crate::server::Server;
use crate::wire_types::{SetTrace, TraceLevel};

pub(crate) const METHOD: &str = "$/setTrace";

pub(crate) fn handle(server: &mut Server, params: Value) -> MethodResult<()> {
    let SetTrace { value } = parse(METHOD, params)?;
    server.trace = value;
    Ok(())
}

/// The level that `initialize` sets.
pub(crate) fn initial(params: &Value) -> TraceLevel {
    let said = params.get("trace").cloned().unwrap_or_default();
    serde_json::from_value(said).unwrap_or_default()
}
