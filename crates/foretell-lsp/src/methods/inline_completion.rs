//! `textDocument/inlineCompletion`: what may be drawn at the cursor. The machine answers, and
//! `perform` writes its answer.

use lsp_server::RequestId as MessageId;
use serde_json::Value;

use crate::dispatch::{MethodReply, MethodResult, parse};
use crate::pending::AnswerForm;
use crate::server::Server;
use crate::wire_types::InlineCompletion;

pub(crate) const METHOD: &str = "textDocument/inlineCompletion";

pub(crate) fn handle(server: &mut Server, id: &MessageId, params: Value) -> MethodResult {
    let params: InlineCompletion = parse(METHOD, params)?;
    let (document, version) = params.text_document.named();
    server.ask(
        id,
        AnswerForm::Inline,
        document,
        version,
        params.position,
        params.context.cause(),
    );
    Ok(MethodReply::Later)
}
