//! `textDocument/copilotInlineEdit`: the next edit, anywhere in the document or in another open one.
//! The machine answers, and `perform` writes its answer.
//!
//! The request is the editor's own unless it says that the person made it, by the same context that an
//! inline completion has.

use foretell_core::{RequestCause, RequestKind};
use lsp_server::RequestId as MessageId;
use serde_json::Value;

use crate::dispatch::{Refusal, Reply, parse};
use crate::pending::Form;
use crate::server::Server;
use crate::wire::AskEdit;

pub(crate) const METHOD: &str = "textDocument/copilotInlineEdit";

pub(crate) fn handle(server: &mut Server, id: &MessageId, params: Value) -> Result<Reply, Refusal> {
    let params: AskEdit = parse(METHOD, params)?;
    let cause = params
        .context
        .map_or(RequestCause::Automatic, |it| it.cause());
    server.ask(
        (id, Form::Edit, RequestKind::Edit),
        params.text_document.named(),
        params.position,
        cause,
    );
    Ok(Reply::Later)
}
