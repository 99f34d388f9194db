//! `notifyRejected` and `notifyNextEditRejected`: suggestions that were shown went away without being
//! taken.
//!
//! **Not each of these is a rejection.** What clients mean by it differs:
//!
//! - copilot.lua says it when the person dismisses a suggestion by a key, and when its buffer is
//!   unloaded. What was typed over it forgets without a word. While the person types into a suggestion it
//!   stays on the screen, and can be dismissed. Later versions of copilot.vim did the same, and the newest
//!   says nothing.
//! - Earlier versions of Zed said it whenever a suggestion went away, also when the person typed something
//!   else.
//! - The first versions of copilot.vim said it whenever the cursor moved in insert mode, and so at every
//!   key, also when the person typed the suggestion itself.
//!
//! A rejection is final and makes the machine hold back, so that typing must never be taken for one. What
//! the person has typed since the suggestion was offered tells them apart: nothing, and it was dismissed;
//! the beginning of it, and it was dismissed while they were on the way, unless the client is one that
//! says it at every key; something else, and it was passed over. Of what is no rejection nothing is told:
//! the machine has seen what was typed. A suggestion that nobody knows any more is none either.
//!
//! A client that cycles keeps what it was answered first beside what it was answered then, while the
//! machine knows the latest answer by its name. What was dismissed of the first is told as the edit it is.

use foretell_core::Event;
use serde_json::Value;

use super::HEARD;
use crate::convert::suggestion_of;
use crate::dispatch::{Refusal, Reply, parse};
use crate::offered::Since;
use crate::server::Server;
use crate::wire::copilot::{Notify, NotifyRejected};

pub(super) const METHOD: &str = "notifyRejected";
pub(super) const NEXT_EDIT: &str = "notifyNextEditRejected";

pub(super) fn handle(server: &mut Server, params: Value) -> Result<Reply, Refusal> {
    let params: NotifyRejected = parse(METHOD, params)?;
    for uuid in &params.uuids {
        went_away(server, uuid);
    }
    Reply::now(HEARD)
}

pub(super) fn next_edit(server: &mut Server, params: Value) -> Result<Reply, Refusal> {
    let params: Notify = parse(NEXT_EDIT, params)?;
    went_away(server, &params.uuid);
    Reply::now(HEARD)
}

/// Tells the machine that a suggestion was rejected, if it was.
fn went_away(server: &mut Server, uuid: &str) {
    let Some(suggestion) = suggestion_of(uuid) else {
        return;
    };
    let Some(offered) = server.offered.get(suggestion) else {
        return;
    };
    let event = match offered.since(server.core()) {
        Since::Nothing if !server.core().knows(suggestion) => Event::EditRejected {
            document: offered.document.clone(),
            edit: offered.edit.clone(),
        },
        Since::Nothing => Event::SuggestionRejected { suggestion },
        Since::TypedIntoIt if !server.copilot.rejects_at_every_key() => {
            Event::SuggestionRejected { suggestion }
        }
        Since::TypedIntoIt | Since::TypedOverIt => return,
    };
    server.tell(event);
}
