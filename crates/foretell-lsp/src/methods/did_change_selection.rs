//! `foretell/didChangeSelection`: where the cursors are.
//!
//! Positions of another text than the one held cannot be converted. The machine is told of such a
//! selection without its places, and says itself that it is out of step.

use foretell_core::Event;
use foretell_text::ByteRange;
use gen_lsp_types::Range;
use serde_json::Value;

use crate::convert::{self, RangeMisfit};
use crate::dispatch::{MethodRefusal, MethodResult, parse};
use crate::server::Server;
use crate::wire_types::DidChangeSelection;

pub(crate) const METHOD: &str = "foretell/didChangeSelection";

pub(crate) fn handle(server: &mut Server, params: Value) -> MethodResult<()> {
    let params: DidChangeSelection = parse(METHOD, params)?;
    let document = params.text_document.id();
    let version = params.text_document.version();
    let held = server.core().version(&document);
    let is_another = version.is_some() && version != held;
    let text = server.core().text(&document).filter(|_| !is_another);
    let selections = text.map_or(Ok(Vec::new()), |text| {
        let convert =
            |range: &Range| convert::range(text, convert::ordered(*range), server.encoding);
        let selections: Result<Vec<ByteRange>, RangeMisfit> =
            params.selections.iter().map(convert).collect();
        selections
    });
    let selections = selections.map_err(|_| MethodRefusal::Cannot {
        method: METHOD,
        fault: "a selection is not in the text",
    })?;
    let event = Event::SelectionChanged {
        document,
        version,
        selections,
    };
    server.tell(event);
    Ok(())
}
