//! What the machine orders, as far as it concerns the client: it is told to ask, to send a text again,
//! and what the answer to a request is.
//!
//! An order comes with the texts that its offsets are of, so that it may be performed when the next
//! change is known already.

use std::sync::Arc;

use foretell_core::{
    Action, Answer, AskCause, Offer, Reason, Record, RequestId, Spot, SuggestionId,
};
use foretell_engine::Order;
use foretell_text::LaneKind;
use gen_lsp_types::{Command, InlineCompletionItem, InlineCompletionList, MessageType};
use lsp_server::{ErrorCode, Response};
use serde_json::{Value, json};

use crate::convert;
use crate::journal::kept::Fault;
use crate::methods::execute_command::ACCEPT;
use crate::pending::{Asked, Form};
use crate::report::spoken::span;
use crate::server::Server;
use crate::wire::{InlineEdit, Resync, Trigger, VersionedDocument};

impl Server {
    pub(crate) fn perform(&mut self, order: Order) {
        match &order.action {
            Action::AskEditor { spot, cause } => self.trigger(&order, spot, *cause),
            Action::Answer {
                request, answer, ..
            } => self.answer(&order, *request, answer),
            Action::Resync { document } => {
                let uri = document.as_str();
                self.notify("foretell/resync", Resync { uri });
            }
            // What the machine does not hold, the indexes need not hold either.
            Action::Record(Record::LetGo { document, .. }) => self.unfile(document),
            Action::Record(Record::Rests { lane, millis }) => self.say_rest(*lane, *millis),
            // The engine has done these, and nothing needs doing about a record.
            Action::GatherContext { .. }
            | Action::StartLane { .. }
            | Action::CancelLane { .. }
            | Action::Record(_) => {}
        }
    }

    /// Says that a lane rests, and why: in the log each time, to the person once for each cause. Who
    /// asks finds the rest in the latest decisions.
    fn say_rest(&mut self, lane: LaneKind, millis: u64) {
        let fault = self.engine.fault(lane);
        let why = fault.map(|it| Fault::new(it.failure.kind, Arc::clone(&it.says)).words());
        let why = why.unwrap_or_else(|| "it failed several times".to_owned());
        let words = format!("{lane} is left alone for {}: {why}", span(millis));
        if self.rested.insert(lane, why.clone()) != Some(why) {
            self.show_words(MessageType::Warning, format!("Foretell: {words}"));
        }
        self.log(words);
    }

    /// Tells the editor to ask.
    fn trigger(&mut self, order: &Order, spot: &Spot, cause: AskCause) {
        let text = order.text(&spot.document);
        let position = text.and_then(|text| convert::position(text, spot.at, self.encoding));
        let Some(position) = position else {
            return;
        };
        let params = Trigger {
            text_document: VersionedDocument {
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

    fn answer(&mut self, order: &Order, request: RequestId, answer: &Answer) {
        let Some(asked) = self.pending.take(request) else {
            return;
        };
        self.trace_answer(request, &asked, answer);
        let response = match answer {
            Answer::Candidates(offers) => {
                let result = self.offers(order, (request, &asked), offers);
                Response::new_ok(asked.id, result)
            }
            // Swallowed without a word by the editor that would keep stale text for anything else.
            Answer::Withheld(
                reason @ (Reason::Superseded | Reason::Cancelled | Reason::ShuttingDown),
            ) => {
                let code = ErrorCode::RequestCanceled as i32;
                Response::new_err(asked.id, code, reason.words().to_owned())
            }
            Answer::Withheld(_) => {
                let result = self.offers(order, (request, &asked), &[]);
                Response::new_ok(asked.id, result)
            }
        };
        self.send(response);
    }

    /// Offers in the form that was asked for. Never null: there is an editor that keeps what it shows
    /// when it gets that.
    fn offers(&mut self, order: &Order, asked: (RequestId, &Asked), offers: &[Offer]) -> Value {
        match asked.1.form {
            Form::Inline => {
                let items = self.items(order, asked, offers);
                let list = serde_json::to_value(InlineCompletionList::new(items));
                list.unwrap_or_else(|_| json!({ "items": [] }))
            }
            Form::Edit => json!({ "edits": self.edits(order, asked.0, offers) }),
        }
    }

    fn items(
        &mut self,
        order: &Order,
        (request, asked): (RequestId, &Asked),
        offers: &[Offer],
    ) -> Vec<InlineCompletionItem> {
        let mut items = Vec::new();
        let of_this = |it: &&Offer| it.candidate.document == asked.document;
        let ours = offers.iter().filter(of_this).count();
        for (candidate, offer) in offers.iter().enumerate() {
            let Some(text) = order.text(&offer.candidate.document) else {
                continue;
            };
            if offer.candidate.document != asked.document {
                continue;
            }
            let shown = convert::inline(text, &offer.candidate.edit, self.encoding);
            let Some((range, new_text)) = shown else {
                continue;
            };
            let suggestion = SuggestionId { request, candidate };
            self.offered.put(suggestion, new_text.clone());
            items.push(InlineCompletionItem {
                insert_text: new_text.into(),
                filter_text: None,
                range: Some(range),
                command: Some(accepts(suggestion)),
            });
        }
        let undrawn = ours.saturating_sub(items.len());
        if undrawn > 0 {
            self.journal.hear_undrawn(request, undrawn);
        }
        items
    }

    /// Next edits, in this document or in another.
    fn edits(&mut self, order: &Order, request: RequestId, offers: &[Offer]) -> Vec<InlineEdit> {
        let mut edits = Vec::new();
        for (candidate, offer) in offers.iter().enumerate() {
            let document = &offer.candidate.document;
            let text = order.text(document);
            let shown =
                text.and_then(|text| convert::whole(text, &offer.candidate.edit, self.encoding));
            let Some((range, new_text)) = shown else {
                continue;
            };
            let suggestion = SuggestionId { request, candidate };
            self.offered.put(suggestion, new_text.clone());
            edits.push(InlineEdit {
                text: new_text,
                text_document: VersionedDocument {
                    uri: document.as_str().to_owned(),
                    version: offer.version.get(),
                },
                range,
                command: accepts(suggestion),
            });
        }
        edits
    }
}

/// What an editor runs when the person has taken a suggestion.
fn accepts(suggestion: SuggestionId) -> Command {
    let name = Value::String(convert::name_of(suggestion));
    Command {
        title: "Accept".to_owned(),
        tooltip: None,
        command: ACCEPT.to_owned(),
        arguments: Some(vec![name]),
    }
}
