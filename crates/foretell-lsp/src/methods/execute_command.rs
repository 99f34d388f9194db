//! `workspace/executeCommand`: an editor runs a suggestion's command when the person has taken it, and
//! a person runs the others.
//!
//! Our questions are commands, too, for clients that know no methods of ours: what is answered to one is
//! also shown, since most of them drop what a command answers. Of forgetting it is how much is left.
//!
//! The commands of Copilot's server are for clients that run them by name. A command about a suggestion
//! that is no longer known succeeds, and does nothing.

use std::collections::BTreeSet;

use foretell_core::{Event, SuggestionId};
use gen_lsp_types::{ExecuteCommandParams, MessageType};
use serde_json::{Value, json};

use super::{forget, rejections, sent, status, why};
use crate::convert;
use crate::dispatch::{MethodRefusal, MethodReply, MethodResult, parse};
use crate::server::Server;
use foretell_journal::spoken::count;

pub(crate) const METHOD: &str = "workspace/executeCommand";

/// The command of every suggestion; its argument is the suggestion's name.
pub(crate) const ACCEPT: &str = "foretell.accept";

const WHY: &str = "foretell.why";
const STATUS: &str = "foretell.status";
const SENT: &str = "foretell.sent";
const REJECTIONS: &str = "foretell.rejections";
const FORGET: &str = "foretell.forget";

/// Those of Copilot's server. Two are for next edits that were not taken.
pub(crate) const COPILOTS: [&str; 5] = [
    "github.copilot.didAcceptCompletionItem",
    "github.copilot.didAcceptNextEditSuggestionItem",
    "github.copilot.didAcceptPanelCompletionItem",
    REJECT_NEXT_EDIT,
    IGNORE_NEXT_EDIT,
];
const REJECT_NEXT_EDIT: &str = "github.copilot.didRejectNextEditSuggestionItem";
const IGNORE_NEXT_EDIT: &str = "github.copilot.didIgnoreNextEditSuggestionItem";

/// All that can be run besides.
pub(crate) const COMMANDS: [&str; 6] = [ACCEPT, WHY, STATUS, SENT, REJECTIONS, FORGET];

pub(crate) fn handle(server: &mut Server, params: Value) -> MethodResult {
    let params: ExecuteCommandParams = parse(METHOD, params)?;
    let arguments = params.arguments.unwrap_or_default();
    let argument = arguments.into_iter().next().unwrap_or_default();
    match params.command.as_str() {
        ACCEPT => accept(server, &argument),
        WHY => {
            let why = why::answer(server, argument)?;
            server.show_words(MessageType::Info, &why.text);
            MethodReply::now(why)
        }
        STATUS => {
            let status = status::answer(server);
            server.show_words(MessageType::Info, &status.text);
            MethodReply::now(status)
        }
        SENT => {
            let sent = sent::answer(server);
            server.show_words(MessageType::Info, &sent.summary);
            MethodReply::now(sent)
        }
        REJECTIONS => {
            let rejections = rejections::answer(server);
            server.show_words(MessageType::Info, &rejections.text);
            MethodReply::now(rejections)
        }
        FORGET => forget(server, argument),
        command if COPILOTS.contains(&command) => copilots(server, command, &argument),
        _ => Err(MethodRefusal::Cannot {
            method: METHOD,
            fault: "no such command",
        }),
    }
}

fn forget(server: &mut Server, argument: Value) -> MethodResult {
    let which = match argument {
        // Without an id, all of them are meant.
        Value::Null => json!({ "all": true }),
        // As it is listed for people.
        Value::Number(id) => json!({ "id": id }),
        which => which,
    };
    let reply = forget::handle(server, &which)?;
    let left = server.core().rejections();
    let left: BTreeSet<_> = left.iter().map(|it| it.id).collect();
    let left = count(left.len() as u64, "rejection is", "rejections are");
    server.show_words(MessageType::Info, format!("Forgotten; {left} left."));
    Ok(reply)
}

fn accept(server: &mut Server, name: &Value) -> MethodResult {
    let suggestion = suggestion_of(name)?.ok_or(NOT_A_NAME)?;
    let event = Event::SuggestionAccepted {
        suggestion,
        length: None,
    };
    server.tell(event);
    MethodReply::now(())
}

fn copilots(server: &mut Server, command: &str, name: &Value) -> MethodResult {
    let suggestion = suggestion_of(name)?;
    server.copilot.meet();
    let Some(suggestion) = suggestion else {
        return MethodReply::now(());
    };
    let is_known = || server.core().knows(suggestion) || server.offered.get(suggestion).is_some();
    let event = match command {
        // The machine holds back after any rejection, and this one's meaning is unknown.
        REJECT_NEXT_EDIT if !is_known() => return MethodReply::now(()),
        REJECT_NEXT_EDIT => Event::SuggestionRejected { suggestion },
        IGNORE_NEXT_EDIT => Event::SuggestionIgnored { suggestion },
        _ => Event::SuggestionAccepted {
            suggestion,
            length: None,
        },
    };
    server.tell(event);
    MethodReply::now(())
}

/// The suggestion that a command is about. Nothing, if it is called as none of ours is.
fn suggestion_of(name: &Value) -> Result<Option<SuggestionId>, MethodRefusal> {
    let name = name.as_str().ok_or(NOT_A_NAME)?;
    Ok(convert::suggestion_of(name))
}

const NOT_A_NAME: MethodRefusal = MethodRefusal::Wrong {
    method: METHOD,
    fault: "not the name of a suggestion",
};
