//! `textDocument/didShowCompletion` and `textDocument/didShowInlineEdit`: a suggestion is visible.
//!
//! The two are in one file because they are one message with two names.

use foretell_core::Event;
use serde_json::Value;

use crate::convert::suggestion_of;
use crate::dispatch::{MethodRefusal, MethodResult, parse};
use crate::server::Server;
use crate::wire_types::copilot_wire::AboutItem;

pub(super) const COMPLETION: &str = "textDocument/didShowCompletion";
pub(super) const INLINE_EDIT: &str = "textDocument/didShowInlineEdit";

pub(super) fn completion(server: &mut Server, params: Value) -> MethodResult<()> {
    shown(server, COMPLETION, params)
}

pub(super) fn inline_edit(server: &mut Server, params: Value) -> MethodResult<()> {
    shown(server, INLINE_EDIT, params)
}

fn shown(server: &mut Server, method: &'static str, params: Value) -> MethodResult<()> {
    let params: AboutItem = parse(method, params)?;
    let name = params.item.name().ok_or(MethodRefusal::Wrong {
        method,
        fault: "the item's command has no name in its arguments",
    })?;
    if let Some(suggestion) = suggestion_of(name) {
        server.tell(Event::SuggestionShown { suggestion });
    }
    Ok(())
}
