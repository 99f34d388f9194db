//! `textDocument/inlineCompletion`: what may be drawn at the cursor. The machine answers, and
//! `perform` writes its answer.
//!
//! A position that is not one of the text becomes an offset that is not: the machine then answers
//! that it is out of step, like for a version it does not hold.

use foretell_core::{Event, Moment, RequestCause, RequestKind};
use foretell_text::ByteOffset;
use gen_lsp_types::InlineCompletionTriggerKind;
use lsp_server::RequestId as MessageId;
use serde_json::Value;

use crate::convert;
use crate::dispatch::{Refusal, Reply, parse};
use crate::pending::Asked;
use crate::server::Server;
use crate::wire::InlineCompletion;

pub(crate) const METHOD: &str = "textDocument/inlineCompletion";

pub(crate) fn handle(
    server: &mut Server,
    now: Moment,
    id: &MessageId,
    params: Value,
) -> Result<Reply, Refusal> {
    let params: InlineCompletion = parse(METHOD, params)?;
    let document = params.text_document.id();
    let beyond = ByteOffset::new(usize::MAX);
    let at = server.core.text(&document).map_or(beyond, |text| {
        convert::cursor(text, params.position, server.encoding).unwrap_or(beyond)
    });
    let request = server.pending.put(Asked {
        id: id.clone(),
        document: document.clone(),
    });
    let event = Event::SuggestionRequested {
        request,
        document,
        version: params.text_document.version(),
        at,
        cause: match params.context.trigger_kind {
            InlineCompletionTriggerKind::Invoked => RequestCause::Explicit,
            InlineCompletionTriggerKind::Automatic | InlineCompletionTriggerKind::Custom(_) => {
                RequestCause::Automatic
            }
        },
        kind: RequestKind::Inline,
    };
    server.tell(now, event);
    Ok(Reply::Later)
}
