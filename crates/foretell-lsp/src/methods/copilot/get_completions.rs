//! `getCompletions` and `getCompletionsCycling`: what may be drawn at the cursor, told from the start of
//! its line on. The machine answers, and `perform` writes its answer.
//!
//! The two are in one file because they are one question: the first is asked by the editor, the second by
//! the person, who wants to see everything there is. Columns count UTF-16 units, whatever was agreed.

use foretell_core::{RequestCause, RequestKind};
use lsp_server::RequestId as MessageId;
use serde_json::Value;

use crate::dispatch::{Refusal, Reply, parse};
use crate::pending::Form;
use crate::server::Server;
use crate::wire::copilot::GetCompletions;

pub(crate) const FIRST: &str = "getCompletions";
pub(crate) const ALL: &str = "getCompletionsCycling";

pub(super) fn first(server: &mut Server, id: &MessageId, params: Value) -> Result<Reply, Refusal> {
    ask(server, id, parse(FIRST, params)?, RequestCause::Automatic)
}

pub(super) fn all(server: &mut Server, id: &MessageId, params: Value) -> Result<Reply, Refusal> {
    ask(server, id, parse(ALL, params)?, RequestCause::Explicit)
}

fn ask(
    server: &mut Server,
    id: &MessageId,
    params: GetCompletions,
    cause: RequestCause,
) -> Result<Reply, Refusal> {
    server.ask(
        (id, Form::Completions, RequestKind::Inline),
        params.doc.named(),
        params.doc.position,
        cause,
    );
    Ok(Reply::Later)
}
