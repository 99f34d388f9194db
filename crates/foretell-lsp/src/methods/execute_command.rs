//! `workspace/executeCommand`: an editor runs a suggestion's command when the person has taken it.

use foretell_core::{Event, Moment};
use gen_lsp_types::ExecuteCommandParams;
use serde_json::Value;

use crate::convert;
use crate::dispatch::{Refusal, Reply, parse};
use crate::server::Server;

pub(crate) const METHOD: &str = "workspace/executeCommand";

/// The command of every suggestion; its argument is the suggestion's name.
pub(crate) const ACCEPT: &str = "foretell.accept";

pub(crate) fn handle(server: &mut Server, now: Moment, params: Value) -> Result<Reply, Refusal> {
    let params: ExecuteCommandParams = parse(METHOD, params)?;
    let refuse = |fault| Refusal::Wrong {
        method: METHOD,
        fault,
    };
    if params.command != ACCEPT {
        return Err(refuse("no such command"));
    }
    let arguments = params.arguments.unwrap_or_default();
    let name = arguments.first().and_then(Value::as_str);
    let suggestion = name.and_then(convert::suggestion_of);
    let suggestion = suggestion.ok_or_else(|| refuse("not the name of a suggestion"))?;
    let event = Event::SuggestionAccepted {
        suggestion,
        length: None,
    };
    server.tell(now, event);
    Reply::now(())
}
