//! `getCompletions` and `getCompletionsCycling`: what may be drawn at the cursor, told from the start of
//! its line on. The machine answers, and `perform` writes its answer.
//!
//! The two are in one file because they are one question: the first is asked by the editor, the second by
//! the person, who wants to see everything there is. Columns count UTF-16 units, whatever was agreed.

use foretell_core::RequestCause;
use lsp_server::RequestId as MessageId;
use serde_json::Value;

use crate::dispatch::{MethodReply, MethodResult, parse};
use crate::pending::AnswerForm;
use crate::server::Server;
use crate::wire_types::copilot_wire::GetCompletions;

pub(crate) const FIRST: &str = "getCompletions";
pub(crate) const ALL: &str = "getCompletionsCycling";

pub(super) fn first(server: &mut Server, id: &MessageId, params: Value) -> MethodResult {
    ask(server, id, parse(FIRST, params)?, RequestCause::Automatic)
}

pub(super) fn all(server: &mut Server, id: &MessageId, params: Value) -> MethodResult {
    ask(server, id, parse(ALL, params)?, RequestCause::Explicit)
}

fn ask(
    server: &mut Server,
    id: &MessageId,
    params: GetCompletions,
    cause: RequestCause,
) -> MethodResult {
    let (document, version) = params.doc.named();
    server.ask(
        id,
        AnswerForm::Completions,
        document,
        version,
        params.doc.position,
        cause,
    );
    Ok(MethodReply::Later)
}
