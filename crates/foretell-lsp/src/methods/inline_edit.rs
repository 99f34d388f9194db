//! `textDocument/copilotInlineEdit`: the next edit, anywhere in the document or in another open one.
//! The machine answers, and `perform` writes its answer.
//!
//! The request is the editor's own unless it says that the person made it, by the same context that an
//! inline completion has.

use foretell_core::RequestCause;
use lsp_server::RequestId as MessageId;
use serde_json::Value;

use crate::dispatch::{MethodReply, MethodResult, parse};
use crate::pending::AnswerForm;
use crate::server::Server;
use crate::wire_types::AskEdit;

pub(crate) const METHOD: &str = "textDocument/copilotInlineEdit";

pub(crate) fn handle(server: &mut Server, id: &MessageId, params: Value) -> MethodResult {
    let params: AskEdit = parse(METHOD, params)?;
    let cause = params
        .context
        .map_or(RequestCause::Automatic, |it| it.cause());
    let (document, version) = params.text_document.named();
    server.ask(
        id,
        AnswerForm::Edit,
        document,
        version,
        params.position,
        cause,
    );
    Ok(MethodReply::Later)
}
