//! `foretell/restore`: what had been rejected before a restart, given back by a client that mirrors it.
//!
//! What is given back gets new numbers, because the old ones may have been given to others since: a
//! client that mirrors the list asks for it again.

use serde_json::Value;

use crate::dispatch::{Refusal, Reply};
use crate::report::rejections::restore;
use crate::server::Server;

pub(crate) const METHOD: &str = "foretell/restore";

pub(crate) fn handle(server: &mut Server, params: Value) -> Result<Reply, Refusal> {
    let restored = restore(params).map_err(|source| Refusal::NotRejections {
        method: METHOD,
        source,
    })?;
    server.tell(restored.event);
    Reply::now(restored.answer)
}
