//! What the machine orders, done: lanes are started and stopped, and the client is told.
//!
//! Each order is performed before the machine is told anything else, so that its offsets are those
//! of the text the machine holds.

use foretell_core::{
    Action, Answer, AskCause, Moment, Offer, Reason, RequestId, Spot, SuggestionId,
};
use foretell_text::{DocumentId, LaneKind};
use gen_lsp_types::{Command, InlineCompletionItem, InlineCompletionList};
use lsp_server::{ErrorCode, Response};
use serde_json::Value;

use crate::convert;
use crate::methods::execute_command::ACCEPT;
use crate::server::Server;
use crate::wire::{Resync, Trigger, TriggeredDocument};

impl Server {
    pub(crate) fn perform(&mut self, now: Moment, action: Action) {
        match action {
            Action::AskEditor { spot, cause } => self.trigger(&spot, cause),
            Action::StartLane {
                request,
                lane,
                spot,
            } => self.start_lane(now, (request, lane), &spot),
            Action::CancelLane { request, lane, .. } => self.lanes.cancel((request, lane)),
            Action::Answer {
                request, answer, ..
            } => self.answer(request, answer),
            Action::Resync { document } => {
                let uri = document.as_str();
                self.notify("foretell/resync", Resync { uri });
            }
            // There is no context yet, and nobody to read records.
            Action::GatherContext { .. } | Action::Record(_) => {}
        }
    }

    /// Tells the editor to ask.
    fn trigger(&mut self, spot: &Spot, cause: AskCause) {
        let text = self.core.text(&spot.document);
        let position = text.and_then(|text| convert::position(text, spot.at, self.encoding));
        let Some(position) = position else {
            return;
        };
        let params = Trigger {
            text_document: TriggeredDocument {
                uri: spot.document.as_str(),
                version: spot.version.get(),
            },
            position,
            cause: match cause {
                AskCause::Selection => "selection",
                AskCause::DocumentSwitch => "documentSwitch",
            },
        };
        self.notify("foretell/trigger", params);
    }

    fn start_lane(&mut self, now: Moment, call: (RequestId, LaneKind), spot: &Spot) {
        if let Some(text) = self.core.text(&spot.document) {
            self.lanes.start(now, call, spot, text);
        }
    }

    fn answer(&mut self, request: RequestId, answer: Answer) {
        let Some(asked) = self.pending.take(request) else {
            return;
        };
        let response = match answer {
            Answer::Candidates(offers) => {
                let items = self.items(request, &asked.document, &offers);
                Response::new_ok(asked.id, InlineCompletionList::new(items))
            }
            Answer::Withheld(
                reason @ (Reason::Superseded | Reason::Cancelled | Reason::ShuttingDown),
            ) => {
                let code = ErrorCode::RequestCanceled as i32;
                Response::new_err(asked.id, code, reason.words().to_owned())
            }
            // Never null: there is an editor that keeps what it shows when it gets that.
            Answer::Withheld(_) => {
                Response::new_ok(asked.id, InlineCompletionList::new(Vec::new()))
            }
        };
        self.send(response);
    }

    fn items(
        &mut self,
        request: RequestId,
        document: &DocumentId,
        offers: &[Offer],
    ) -> Vec<InlineCompletionItem> {
        let Some(text) = self.core.text(document) else {
            return Vec::new();
        };
        let mut items = Vec::new();
        for (candidate, offer) in offers.iter().enumerate() {
            if offer.candidate.document != *document {
                continue;
            }
            let shown = convert::inline(text, &offer.candidate.edit, self.encoding);
            let Some((range, new_text)) = shown else {
                continue;
            };
            let suggestion = SuggestionId { request, candidate };
            self.offered.put(suggestion, new_text.clone());
            let name = Value::String(convert::name_of(suggestion));
            let command = Command {
                title: "Accept".to_owned(),
                tooltip: None,
                command: ACCEPT.to_owned(),
                arguments: Some(vec![name]),
            };
            items.push(InlineCompletionItem {
                insert_text: new_text.into(),
                filter_text: None,
                range: Some(range),
                command: Some(command),
            });
        }
        items
    }
}
