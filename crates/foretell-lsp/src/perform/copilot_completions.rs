//! Suggestions told from the start of their line on, as the clients of `getCompletions` want them.
//!
//! These clients take the text up to the cursor for what was typed: what they draw is what comes behind
//! it. So a suggestion that changes something in front of the cursor, or on another line, cannot be told
//! to them.

use foretell_core::{Offer, RequestId, SuggestionId};
use foretell_engine::ClientOrder;
use foretell_text::{ByteRange, PositionEncoding, Text};
use gen_lsp_types::{Position, Range};
use serde_json::json;

use crate::convert;
use crate::pending::UnansweredRequest;
use crate::server::Server;
use crate::wire_types::copilot_wire::{CopilotCompletion, PanelSolution};

impl Server {
    pub(super) fn completions(
        &mut self,
        placed: &ClientOrder,
        request: RequestId,
        asked: &UnansweredRequest,
        offers: &[Offer],
    ) -> Vec<CopilotCompletion> {
        let mut completions = Vec::new();
        let mut ours = 0;
        for (candidate, offer) in offers.iter().enumerate() {
            let document = &offer.candidate.document;
            let Some(text) = placed
                .text(document)
                .filter(|_| *document == asked.document)
            else {
                continue;
            };
            ours += 1;
            let Some(completion) = completion(text, asked, offer) else {
                continue;
            };
            let suggestion = SuggestionId { request, candidate };
            let words = completion.display_text.clone();
            // Columns count UTF-16 units here, whatever was agreed.
            let in_front = completion.position.character as usize;
            self.offer(suggestion, text, offer, words, in_front);
            completions.push(CopilotCompletion {
                uuid: convert::name_of(suggestion),
                ..completion
            });
        }
        self.note_undrawn(request, ours, completions.len());
        completions
    }

    /// Tells a panel all that it was told the number of.
    pub(super) fn tell_solutions(&mut self, panel: &str, completions: &[CopilotCompletion]) {
        for completion in completions {
            let solution = PanelSolution {
                panel_id: panel,
                solution_id: completion.uuid.clone(),
                score: 0,
                completion_text: &completion.text,
                display_text: &completion.text,
                range: completion.range,
                doc_version: completion.doc_version,
            };
            self.notify("PanelSolution", solution);
        }
        let done = json!({ "panelId": panel, "status": "OK" });
        self.notify("PanelSolutionsDone", done);
    }
}

/// A suggestion as it is told, still without a name.
///
/// Where it was asked for is a place of this text: an answer that comes when the text has moved on is
/// dropped by the machine, and given to the next request.
fn completion(text: &Text, asked: &UnansweredRequest, offer: &Offer) -> Option<CopilotCompletion> {
    let encoding = PositionEncoding::Utf16;
    let edit = &offer.candidate.edit;
    let (range, new_text) = convert::inline(text, edit, encoding)?;
    let position = convert::position(text, asked.at, encoding)?;
    if range.start.line != position.line {
        return None;
    }
    let line = text.line_at(asked.at).ok()?;
    let before = ByteRange::new(line.start(), edit.span()?.start()).ok()?;
    let typed = ByteRange::new(line.start(), asked.at).ok()?;
    let whole = format!("{}{new_text}", text.read(before).ok()?);
    let display_text = whole.strip_prefix(&*text.read(typed).ok()?)?.to_owned();
    Some(CopilotCompletion {
        uuid: String::new(),
        text: whole,
        display_text,
        range: Range::new(Position::new(position.line, 0), range.end),
        position,
        doc_version: offer.version.get(),
    })
}
