//! `textDocument/copilotPanelCompletion` and the older `getPanelCompletions`: everything there is to
//! suggest at the cursor, for a list beside the text, because the person wants to see it.
//!
//! They are in one file because they are one question. The newer one is answered like an inline
//! completion, all at once: nothing is streamed to `partialResultToken`. The older one is answered with
//! how many there are, and each then comes by `PanelSolution`, and `PanelSolutionsDone` after them.

use foretell_core::RequestCause;
use lsp_server::RequestId as MessageId;
use serde_json::Value;

use crate::dispatch::{MethodReply, MethodResult, parse};
use crate::pending::AnswerForm;
use crate::server::Server;
use crate::wire_types::copilot_wire::{GetPanelCompletions, PanelCompletion};

pub(crate) const ITEMS: &str = "textDocument/copilotPanelCompletion";
pub(crate) const SOLUTIONS: &str = "getPanelCompletions";

pub(super) fn items(server: &mut Server, id: &MessageId, params: Value) -> MethodResult {
    let params: PanelCompletion = parse(ITEMS, params)?;
    let (document, version) = params.text_document.named();
    server.ask(
        id,
        AnswerForm::Panel,
        document,
        version,
        params.position,
        RequestCause::Explicit,
    );
    Ok(MethodReply::Later)
}

pub(super) fn solutions(server: &mut Server, id: &MessageId, params: Value) -> MethodResult {
    let params: GetPanelCompletions = parse(SOLUTIONS, params)?;
    let panel = params.panel_id;
    let (document, version) = params.doc.named();
    server.ask(
        id,
        AnswerForm::Solutions { panel },
        document,
        version,
        params.doc.position,
        RequestCause::Explicit,
    );
    Ok(MethodReply::Later)
}
