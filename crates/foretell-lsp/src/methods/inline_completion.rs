//! `textDocument/inlineCompletion`: what may be drawn at the cursor. The machine answers, and
//! `perform` writes its answer.

use lsp_server::RequestId as MessageId;
use serde_json::Value;

use crate::convert;
use crate::dispatch::{MethodReply, MethodResult, parse};
use crate::pending::{AnswerForm, ChosenItem};
use crate::server::Server;
use crate::wire_types::InlineCompletion;

pub(crate) const METHOD: &str = "textDocument/inlineCompletion";

pub(crate) fn handle(server: &mut Server, id: &MessageId, params: Value) -> MethodResult {
    let params: InlineCompletion = parse(METHOD, params)?;
    let (document, version) = params.text_document.named();
    let cause = params.context.cause();
    let chosen = params.context.selected_completion_info.and_then(|item| {
        let text = server.core().text(&document)?;
        let range = convert::range(text, item.range, server.encoding).ok()?;
        Some(ChosenItem {
            start: range.start(),
            text: item.text,
        })
    });
    server.pending.choose(chosen);
    let form = AnswerForm::Inline;
    server.ask(id, form, document, version, params.position, cause);
    Ok(MethodReply::Later)
}
