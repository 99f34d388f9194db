//! The methods of Copilot's language server, one file each, so that clients written for it work
//! unchanged.
//!
//! None of them says that something failed where there is only nothing: these clients show errors to
//! the person. Requests that Foretell has no use for get the least answer that makes a client go on.
//!
//! `textDocument/copilotInlineEdit` is beside them, because our own clients send it, too.

mod copilot_did_focus;
mod did_partially_accept_completion;
mod did_show;
mod editor_info;
pub(crate) mod get_completions;
mod notify_accepted;
mod notify_rejected;
mod notify_shown;
pub(crate) mod panel;
mod sign_in;

use lsp_server::RequestId as MessageId;
use serde_json::Value;

use crate::dispatch::{MethodReply, MethodResult};
use crate::server::Server;

/// The answer to a client that only wants to have been heard.
const HEARD: &str = "OK";

/// Those that ask for suggestions.
pub(crate) const ASKING: [&str; 4] = [
    get_completions::FIRST,
    get_completions::ALL,
    panel::ITEMS,
    panel::SOLUTIONS,
];

/// Those that say what became of one.
pub(crate) const FEEDBACK: [&str; 7] = [
    notify_shown::METHOD,
    notify_accepted::METHOD,
    notify_rejected::METHOD,
    notify_rejected::NEXT_EDIT,
    did_show::COMPLETION,
    did_show::INLINE_EDIT,
    did_partially_accept_completion::METHOD,
];

/// The document that the person looks at.
pub(crate) const FOCUS: &str = copilot_did_focus::METHOD;

/// Methods that clients call when they start and end.
pub(crate) const STARTING: [&str; 9] = [
    sign_in::STATUS,
    sign_in::BEGIN,
    sign_in::BEGIN_OLDER,
    sign_in::CONFIRM,
    sign_in::END,
    editor_info::WHO,
    editor_info::VERSION,
    editor_info::CONFIGURE,
    editor_info::MODELS,
];

/// Handles a request, if it is one of these.
pub(crate) fn handle_request(
    server: &mut Server,
    id: &MessageId,
    method: &str,
    params: Value,
) -> Option<MethodResult> {
    let reply = match method {
        sign_in::STATUS => sign_in::status(),
        sign_in::BEGIN | sign_in::BEGIN_OLDER => sign_in::begin(),
        sign_in::CONFIRM => sign_in::status(),
        sign_in::END => sign_in::end(),
        editor_info::WHO => editor_info::who(server, &params),
        editor_info::VERSION => editor_info::version(),
        editor_info::CONFIGURE => MethodReply::now(HEARD),
        editor_info::MODELS => editor_info::models(),
        get_completions::FIRST => get_completions::first(server, id, params),
        get_completions::ALL => get_completions::all(server, id, params),
        panel::ITEMS => panel::items(server, id, params),
        panel::SOLUTIONS => panel::solutions(server, id, params),
        notify_shown::METHOD => notify_shown::handle(server, params),
        notify_accepted::METHOD => notify_accepted::handle(server, params),
        notify_rejected::METHOD => notify_rejected::handle(server, params),
        notify_rejected::NEXT_EDIT => notify_rejected::next_edit(server, params),
        _ => return None,
    };
    server.copilot.meet();
    Some(reply)
}

/// Handles a notification, if it is one of these.
pub(crate) fn handle_notification(
    server: &mut Server,
    method: &str,
    params: Value,
) -> MethodResult<()> {
    let done = match method {
        copilot_did_focus::METHOD => copilot_did_focus::handle(server, params),
        did_show::COMPLETION => did_show::completion(server, params),
        did_show::INLINE_EDIT => did_show::inline_edit(server, params),
        did_partially_accept_completion::METHOD => {
            did_partially_accept_completion::handle(server, params)
        }
        editor_info::CONFIGURE => Ok(()),
        // Whatever else there is that asks for nothing.
        _ => return Ok(()),
    };
    server.copilot.meet();
    done
}
