//! `textDocument/inlineCompletion`: what may be drawn at the cursor. The machine answers, and
//! `perform` writes its answer.

use foretell_core::RequestKind;
use lsp_server::RequestId as MessageId;
use serde_json::Value;

use crate::dispatch::{Refusal, Reply, parse};
use crate::pending::Form;
use crate::server::Server;
use crate::wire::InlineCompletion;

pub(crate) const METHOD: &str = "textDocument/inlineCompletion";

pub(crate) fn handle(server: &mut Server, id: &MessageId, params: Value) -> Result<Reply, Refusal> {
    let params: InlineCompletion = parse(METHOD, params)?;
    server.ask(
        (id, Form::Inline, RequestKind::Inline),
        params.text_document.named(),
        params.position,
        params.context.cause(),
    );
    Ok(Reply::Later)
}
