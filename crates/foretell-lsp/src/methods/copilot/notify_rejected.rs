//! `notifyRejected` and `notifyNextEditRejected`: suggestions that were shown went away without being
//! taken.
//!
//! **Not each of these is a rejection.** Clients mean different things by it:
//!
//! - copilot.lua says it when the person dismisses a suggestion by a key, and when its buffer is unloaded.
//!   A suggestion that was typed over it forgets without a word. While the person types into a suggestion
//!   it stays on the screen, and can be dismissed. Later versions of copilot.vim did the same, and the
//!   newest says nothing.
//! - Earlier versions of Zed said it whenever a suggestion went away, also when the person typed something
//!   else.
//! - The first versions of copilot.vim said it whenever the cursor moved in insert mode, and so at every
//!   key, also when the person typed the suggestion itself.
//!
//! A rejection is final and makes the machine hold back, so that typing must never be taken for one. The
//! person's typing since the suggestion was offered tells them apart: nothing, and it was dismissed; the
//! beginning of it, and it was dismissed while they were on the way, unless the client is one that says
//! it at every key; something else, and it was passed over. Of what is no rejection nothing is told: the
//! machine has seen what was typed. A suggestion that is no longer known is none either.
//!
//! A client that cycles keeps what it was answered first beside what it was answered then, while the
//! machine knows the latest answer by its name. A dismissal of the first is told as the edit it is.

use foretell_core::Event;
use serde_json::Value;

use super::HEARD;
use crate::convert::suggestion_of;
use crate::dispatch::{MethodReply, MethodResult, parse};
use crate::offered_texts::TypedSince;
use crate::server::Server;
use crate::wire_types::copilot_wire::{NotifyRejected, NotifySuggestion};

pub(super) const METHOD: &str = "notifyRejected";
pub(super) const NEXT_EDIT: &str = "notifyNextEditRejected";

pub(super) fn handle(server: &mut Server, params: Value) -> MethodResult {
    let params: NotifyRejected = parse(METHOD, params)?;
    for uuid in &params.uuids {
        went_away(server, uuid);
    }
    MethodReply::now(HEARD)
}

pub(super) fn next_edit(server: &mut Server, params: Value) -> MethodResult {
    let params: NotifySuggestion = parse(NEXT_EDIT, params)?;
    went_away(server, &params.uuid);
    MethodReply::now(HEARD)
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
        TypedSince::Nothing if !server.core().knows(suggestion) => Event::EditRejected {
            document: offered.document.clone(),
            edit: offered.edit.clone(),
        },
        TypedSince::Nothing => Event::SuggestionRejected { suggestion },
        TypedSince::TypedIntoIt if !server.copilot.rejects_at_every_key() => {
            Event::SuggestionRejected { suggestion }
        }
        TypedSince::TypedIntoIt | TypedSince::TypedOverIt => return,
    };
    server.tell(event);
}
