//! `textDocument/copilotPanelCompletion` and the older `getPanelCompletions`: everything there is to
//! suggest at the cursor, for a list beside the text, because the person wants to see it.
//!
//! They are in one file because they are one question. The newer one is answered like an inline
//! completion, all at once: nothing is streamed to `partialResultToken`. The older one is answered with
//! how many there are, and each then comes by `PanelSolution`, and `PanelSolutionsDone` after them.

use foretell_core::{RequestCause, RequestKind};
use lsp_server::RequestId as MessageId;
use serde_json::Value;

use crate::dispatch::{Refusal, Reply, parse};
use crate::pending::Form;
use crate::server::Server;
use crate::wire::copilot::{GetPanelCompletions, PanelCompletion};

pub(crate) const ITEMS: &str = "textDocument/copilotPanelCompletion";
pub(crate) const SOLUTIONS: &str = "getPanelCompletions";

pub(super) fn items(server: &mut Server, id: &MessageId, params: Value) -> Result<Reply, Refusal> {
    let params: PanelCompletion = parse(ITEMS, params)?;
    server.ask(
        (id, Form::Panel, RequestKind::Inline),
        params.text_document.named(),
        params.position,
        RequestCause::Explicit,
    );
    Ok(Reply::Later)
}

pub(super) fn solutions(
    server: &mut Server,
    id: &MessageId,
    params: Value,
) -> Result<Reply, Refusal> {
    let params: GetPanelCompletions = parse(SOLUTIONS, params)?;
    let panel = params.panel_id;
    server.ask(
        (id, Form::Solutions { panel }, RequestKind::Inline),
        params.doc.named(),
        params.doc.position,
        RequestCause::Explicit,
    );
    Ok(Reply::Later)
}
