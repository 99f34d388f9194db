//! `workspace/executeCommand`: an editor runs a suggestion's command when the person has taken it, and
//! a person runs the others.
//!
//! Our questions are commands, too, for clients that know no methods of ours: what is answered to one is
//! also shown, since most of them drop what a command answers. Forgetting asks nothing, and shows
//! nothing.

use foretell_core::Event;
use gen_lsp_types::{ExecuteCommandParams, MessageType};
use serde_json::{Value, json};

use super::{forget, rejections, sent, status, why};
use crate::convert;
use crate::dispatch::{Refusal, Reply, parse};
use crate::server::Server;

pub(crate) const METHOD: &str = "workspace/executeCommand";

/// The command of every suggestion; its argument is the suggestion's name.
pub(crate) const ACCEPT: &str = "foretell.accept";

const WHY: &str = "foretell.why";
const STATUS: &str = "foretell.status";
const SENT: &str = "foretell.sent";
const REJECTIONS: &str = "foretell.rejections";
const FORGET: &str = "foretell.forget";

/// All that can be run.
pub(crate) const COMMANDS: [&str; 6] = [ACCEPT, WHY, STATUS, SENT, REJECTIONS, FORGET];

pub(crate) fn handle(server: &mut Server, params: Value) -> Result<Reply, Refusal> {
    let params: ExecuteCommandParams = parse(METHOD, params)?;
    let arguments = params.arguments.unwrap_or_default();
    let argument = arguments.into_iter().next().unwrap_or_default();
    match params.command.as_str() {
        ACCEPT => accept(server, &argument),
        WHY => {
            let why = why::answer(server, argument)?;
            server.show_words(MessageType::Info, &why.text);
            Reply::now(why)
        }
        STATUS => {
            let status = status::answer(server);
            server.show_words(MessageType::Info, &status.text);
            Reply::now(status)
        }
        SENT => {
            let sent = sent::answer(server);
            server.show_words(MessageType::Info, &sent.summary);
            Reply::now(sent)
        }
        REJECTIONS => {
            let rejections = rejections::answer(server);
            server.show_words(MessageType::Info, &rejections.text);
            Reply::now(rejections)
        }
        // Whoever runs it without saying which means all of them.
        FORGET if argument.is_null() => forget::handle(server, &json!({ "all": true })),
        FORGET => forget::handle(server, &argument),
        _ => Err(Refusal::Cannot {
            method: METHOD,
            fault: "no such command",
        }),
    }
}

fn accept(server: &mut Server, name: &Value) -> Result<Reply, Refusal> {
    let suggestion = name.as_str().and_then(convert::suggestion_of);
    let suggestion = suggestion.ok_or(Refusal::Wrong {
        method: METHOD,
        fault: "not the name of a suggestion",
    })?;
    let event = Event::SuggestionAccepted {
        suggestion,
        length: None,
    };
    server.tell(event);
    Reply::now(())
}
