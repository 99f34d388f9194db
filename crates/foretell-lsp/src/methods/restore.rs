//! `foretell/restore`: what had been rejected before a restart, given back by a client that mirrors it.
//!
//! Rejections that are given back get new numbers, because the old ones may have been given to others since: a
//! client that mirrors the list asks for it again.

use serde_json::Value;

use crate::dispatch::{MethodRefusal, MethodReply, MethodResult};
use crate::reports::rejection_report::restore;
use crate::server::Server;

pub(crate) const METHOD: &str = "foretell/restore";

pub(crate) fn handle(server: &mut Server, params: Value) -> MethodResult {
    let restored = restore(params).map_err(|source| MethodRefusal::NotRejections {
        method: METHOD,
        source,
    })?;
    server.tell(restored.event);
    MethodReply::now(restored.answer)
}
