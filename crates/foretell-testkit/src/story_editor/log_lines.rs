//! Orders and notes of the machine, as short lines that a story can quote: the line of the [`Fact`], with its moment.
//!
//! A line about another document than the one that is looked at ends with `in` and its name, and where the
//! editor is told to ask is a line and a column: `0ms ask 2:1 (selection)`.

use foretell_core::{Action, Core, Fact, Moment, Order};
use foretell_text::{DocumentId, PositionEncoding};

/// The line of an action.
pub(super) fn of(now: Moment, action: &Action, core: &Core, here: &DocumentId) -> String {
    let mut line = Fact::from(action).to_string();
    if let Action::Order(Order::AskEditor { spot, .. }) = action {
        let text = core
            .text(&spot.document)
            .expect("only open documents are asked about");
        let position = text.position_of(spot.at, PositionEncoding::Utf8);
        let position = position.expect("a place of the text as it is");
        line = line.replacen(&spot.at.to_string(), &position.to_string(), 1);
    }
    format!("{}ms {}", now.millis(), without(&line, here))
}

/// A line that does not say of what is here that it is here.
fn without(line: &str, here: &DocumentId) -> String {
    const NEXT: &str = " | ";
    let here = format!(" in {here}");
    let line = line.replace(&format!("{here}{NEXT}"), NEXT);
    line.strip_suffix(&here).unwrap_or(&line).to_owned()
}
