//! `foretell/context`: what a model would be told of a place, and what it was made of.
//!
//! It is gathered beside everything else, and answered when it is there. A text that is not held is
//! answered with an error: the client knows which one it has.

use foretell_core::Spot;
use foretell_engine::ContextWish;
use foretell_text::{ByteOffset, ByteRange, Text};
use lsp_server::RequestId as MessageId;
use serde_json::Value;

use crate::convert;
use crate::dispatch::{MethodRefusal, MethodReply, MethodResult, parse};
use crate::server::Server;
use crate::wire_types::AskContext;

pub(crate) const METHOD: &str = "foretell/context";

pub(crate) fn handle(server: &mut Server, id: &MessageId, params: Value) -> MethodResult {
    let params: AskContext = parse(METHOD, params)?;
    let refuse = |fault| MethodRefusal::Cannot {
        method: METHOD,
        fault,
    };
    let document = params.text_document.id();
    let held = server
        .core()
        .text(&document)
        .zip(server.core().version(&document));
    let (text, version) =
        held.ok_or_else(|| refuse("the document is not open here: open it again"))?;
    if params
        .text_document
        .version()
        .is_some_and(|it| it != version)
    {
        return Err(refuse("another version of the document is held: ask again"));
    }
    let outside = |_| refuse("the place is not in the text");
    let selection = params
        .range
        .map(|it| convert::range(text, it, server.encoding));
    let selection = selection.transpose().map_err(outside)?;
    let at = params
        .position
        .map(|it| convert::offset(text, it, server.encoding));
    let at = at
        .transpose()
        .map_err(|_| refuse("the place is not in the text"))?;
    let at = at.or(selection.map(ByteRange::start));
    let at = at.ok_or(MethodRefusal::Wrong {
        method: METHOD,
        fault: "a position or a range is needed",
    })?;
    let selected = params.selected_code.as_deref().unwrap_or_default();
    let wish = ContextWish {
        selection: selection.or_else(|| near(text, at, selected)),
        instruction: params.instruction.unwrap_or_default(),
    };
    let spot = Spot {
        document,
        version,
        at,
    };
    let gathered = server.engine.context(&spot, wish);
    let gathered =
        gathered.ok_or_else(|| refuse("the document is not open here: open it again"))?;
    server.find(id, gathered);
    Ok(MethodReply::Later)
}

/// Where a piece of a text is that a client has quoted instead of saying where: at the cursor.
fn near(text: &Text, at: ByteOffset, quoted: &str) -> Option<ByteRange> {
    let starts = [Some(at.get()), at.get().checked_sub(quoted.len())];
    let ranges = starts.map(|start| {
        let end = ByteOffset::new(start?.checked_add(quoted.len())?);
        ByteRange::new(ByteOffset::new(start?), end).ok()
    });
    let is_it = |range: &ByteRange| text.read(*range).is_ok_and(|it| it == quoted);
    ranges
        .into_iter()
        .flatten()
        .find(is_it)
        .filter(|it| !it.is_empty())
}
