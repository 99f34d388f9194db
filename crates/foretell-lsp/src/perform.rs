//! Carries out the machine's orders that concern the client: tells it to ask, to send a text again,
//! and what the answer to a request is.
//!
//! An order comes with the texts that its offsets are of, so that it may be performed when the next
//! change is known already.

mod copilot_completions;

use std::sync::Arc;

use foretell_core::{
    Answer, AskCause, Measurement, Offer, Order, Reason, RequestId, Spot, SuggestionId,
};
use foretell_engine::ClientOrder;
use foretell_text::{ByteOffset, ByteRange, Edit, LaneKind, Replacement, Text};
use gen_lsp_types::{Command, InlineCompletionItem, InlineCompletionList, MessageType, Position};
use lsp_server::{ErrorCode, Response};
use serde_json::{Value, json};

use crate::convert;
use crate::methods::execute_command::ACCEPT;
use crate::offered_texts::OfferedText;
use crate::pending::{AnswerForm, ChosenItem, UnansweredRequest};
use crate::server::Server;
use crate::wire_types::{InlineEdit, ResyncParams, TriggerParams, VersionedDocument};
use foretell_journal::FaultWords;
use foretell_journal::spoken::span;

impl Server {
    /// Does the client's part of an order.
    pub(crate) fn perform(&mut self, placed: &ClientOrder) {
        match &placed.order {
            Order::AskEditor { spot, cause } => self.trigger(placed, spot, *cause),
            Order::Answer {
                request, answer, ..
            } => self.answer(placed, *request, answer),
            Order::Resync { document } => {
                let uri = document.as_str();
                self.notify("foretell/resync", ResyncParams { uri });
            }
            // The indexes need not hold a text that the machine does not hold.
            Order::Release { document, .. } => self.unfile(document),
            Order::Rest { lane, millis } => self.say_rest(*lane, *millis),
            // The engine has done these.
            Order::Predict { .. }
            | Order::GatherContext { .. }
            | Order::StartLane { .. }
            | Order::CancelLane { .. }
            | Order::AskAhead(_)
            | Order::StopAhead { .. }
            | Order::Join { .. }
            | Order::CheckQuota { .. } => {}
        }
    }

    /// Says that a lane rests, and why: in the log each time, to the person once for each cause, unless
    /// their client draws how the server is doing. The rest is in the latest decisions.
    fn say_rest(&mut self, lane: LaneKind, millis: u64) {
        let why = self.why_it_rests(lane);
        let words = format!("{lane} is left alone for {}: {why}", span(millis));
        let is_news = self.rested.insert(lane, why.clone()) != Some(why);
        if is_news && !self.abilities.follows_status {
            self.show_words(MessageType::Warning, format!("Foretell: {words}"));
        }
        self.log(words);
    }

    /// Why a lane is left alone, in words.
    pub(crate) fn why_it_rests(&self, lane: LaneKind) -> String {
        let fault = self.engine.fault(lane);
        let why = fault.map(|it| FaultWords::new(it.failure.kind, Arc::clone(&it.says)).words());
        why.unwrap_or_else(|| "it failed several times".to_owned())
    }

    /// Tells the editor to ask.
    fn trigger(&mut self, placed: &ClientOrder, spot: &Spot, cause: AskCause) {
        let text = placed.text(&spot.document);
        let position = text.and_then(|text| convert::position(text, spot.at, self.encoding));
        let Some(position) = position else {
            return;
        };
        let params = TriggerParams {
            text_document: VersionedDocument {
                uri: spot.document.as_str(),
                version: spot.version.get(),
            },
            position,
            cause: match cause {
                AskCause::Selection => "selection",
                AskCause::DocumentSwitch => "documentSwitch",
                AskCause::Late => "late",
                AskCause::Diagnostics => "diagnostics",
            },
        };
        self.notify("foretell/trigger", params);
    }

    fn answer(&mut self, placed: &ClientOrder, request: RequestId, answer: &Answer) {
        let Some(asked) = self.pending.take(request) else {
            return;
        };
        self.trace_answer(request, &asked, answer);
        let offers = match answer {
            Answer::Candidates(offers) => offers.as_slice(),
            Answer::Withheld(reason) if is_error(&asked, *reason) => {
                let code = ErrorCode::RequestCanceled as i32;
                let error = Response::new_err(asked.id, code, reason.words().to_owned());
                return self.send(error);
            }
            Answer::Withheld(_) => &[],
        };
        self.send_offers(placed, request, &asked, offers);
    }

    /// Answers with offers in the form that was asked for. Never with null: there is an editor that
    /// keeps what it shows when it gets that.
    fn send_offers(
        &mut self,
        placed: &ClientOrder,
        request: RequestId,
        asked: &UnansweredRequest,
        offers: &[Offer],
    ) {
        let id = asked.id.clone();
        match &asked.form {
            AnswerForm::Inline | AnswerForm::Panel => {
                let items = self.items(placed, request, asked, offers);
                let list = serde_json::to_value(InlineCompletionList::new(items));
                let list = list.unwrap_or_else(|_| json!({ "items": [] }));
                self.send(Response::new_ok(id, list));
            }
            AnswerForm::Edit => {
                let edits = self.edits(placed, request, offers);
                self.send(Response::new_ok(id, json!({ "edits": edits })));
            }
            AnswerForm::Completions => {
                let completions = self.completions(placed, request, asked, offers);
                self.send(Response::new_ok(id, json!({ "completions": completions })));
            }
            AnswerForm::Solutions { panel } => {
                let completions = self.completions(placed, request, asked, offers);
                let count = completions.len();
                self.send(Response::new_ok(
                    id,
                    json!({ "solutionCountTarget": count }),
                ));
                self.tell_solutions(panel, &completions);
            }
        }
    }

    fn items(
        &mut self,
        placed: &ClientOrder,
        request: RequestId,
        asked: &UnansweredRequest,
        offers: &[Offer],
    ) -> Vec<InlineCompletionItem> {
        let mut items = Vec::new();
        let of_this = |it: &&Offer| it.candidate.document == asked.document;
        let ours = offers.iter().filter(of_this).count();
        for (candidate, offer) in offers.iter().enumerate() {
            let Some(text) = placed.text(&offer.candidate.document) else {
                continue;
            };
            if offer.candidate.document != asked.document {
                continue;
            }
            let shown = match &asked.chosen {
                None => Some((offer.candidate.edit.clone(), 0)),
                Some(chosen) => going_on_from(chosen, asked.at, &offer.candidate.edit, text),
            };
            let Some((edit, in_front)) = shown else {
                continue;
            };
            let shown = convert::inline(text, &edit, self.encoding);
            let Some((range, new_text)) = shown else {
                continue;
            };
            let suggestion = SuggestionId { request, candidate };
            self.offer(suggestion, text, offer, new_text.clone(), in_front);
            items.push(InlineCompletionItem {
                insert_text: new_text.into(),
                filter_text: None,
                range: Some(range),
                command: Some(accepts(suggestion)),
            });
        }
        self.note_undrawn(request, ours, items.len());
        items
    }

    /// Remembers a suggestion as it is sent, with the words of it that a client counts, and how many
    /// UTF-16 units of the line are sent in front of them.
    fn offer(
        &mut self,
        suggestion: SuggestionId,
        text: &Text,
        offer: &Offer,
        words: String,
        in_front: usize,
    ) {
        let offered = OfferedText {
            words,
            in_front,
            edit: offer.candidate.edit.clone(),
            document: offer.candidate.document.clone(),
            version: offer.version,
            end_of_text: text.end(),
        };
        self.offered.put(suggestion, offered);
    }

    /// Takes note that some of what there was to suggest cannot be told.
    fn note_undrawn(&mut self, request: RequestId, there: usize, told: usize) {
        let undrawn = there.saturating_sub(told);
        if undrawn > 0 {
            self.engine.measured(Measurement::Undrawn {
                request,
                count: undrawn,
            });
        }
    }

    /// Where the cursor goes once an offer is accepted, in the text after that. A client that was written for
    /// another server gets only what it knows.
    fn cursor_after(&self, text: &Text, offer: &Offer) -> Option<Position> {
        let at = offer.candidate.cursor.filter(|_| !self.copilot.is_one())?;
        let after = offer.candidate.edit.apply(text).ok()?;
        convert::position(&after, at, self.encoding)
    }

    /// Next edits, in this document or in another.
    fn edits(
        &mut self,
        placed: &ClientOrder,
        request: RequestId,
        offers: &[Offer],
    ) -> Vec<InlineEdit> {
        let mut edits = Vec::new();
        for (candidate, offer) in offers.iter().enumerate() {
            let document = &offer.candidate.document;
            let Some(text) = placed.text(document) else {
                continue;
            };
            let shown = convert::whole(text, &offer.candidate.edit, self.encoding);
            let Some((range, new_text)) = shown else {
                continue;
            };
            let suggestion = SuggestionId { request, candidate };
            self.offer(suggestion, text, offer, new_text.clone(), 0);
            edits.push(InlineEdit {
                text: new_text,
                text_document: VersionedDocument {
                    uri: document.as_str().to_owned(),
                    version: offer.version.get(),
                },
                range,
                cursor: self.cursor_after(text, offer),
                command: accepts(suggestion),
            });
        }
        edits
    }
}

/// An edit at the cursor, written from where the item is put in that is chosen in the popup, and how many UTF-16
/// units that adds in front. Nothing, unless it goes on from that item: an editor draws only that.
fn going_on_from(
    chosen: &ChosenItem,
    cursor: ByteOffset,
    edit: &Edit,
    text: &Text,
) -> Option<(Edit, usize)> {
    let [only] = edit.replacements() else {
        return None;
    };
    let typed = text.read(ByteRange::new(chosen.start, cursor).ok()?).ok()?;
    let whole = [&*typed, only.new_text()].concat();
    let goes_on = only.range().start() == cursor
        && whole.len() > chosen.text.len()
        && whole.starts_with(&chosen.text);
    let range = ByteRange::new(chosen.start, only.range().end()).ok()?;
    let in_front = typed.encode_utf16().count();
    goes_on.then(|| (Edit::from(Replacement::new(range, whole)), in_front))
}

/// Whether a dropped request is answered with an error. A client that cancels expects one. One that was
/// superseded is swallowed so without a word by the editor that would keep stale text for anything else;
/// other clients show every error to the person.
fn is_error(asked: &UnansweredRequest, reason: Reason) -> bool {
    match reason {
        Reason::Cancelled => true,
        Reason::Superseded | Reason::ShuttingDown => asked.form.may_fail(),
        _ => false,
    }
}

/// The command that an editor runs when the person has taken a suggestion.
fn accepts(suggestion: SuggestionId) -> Command {
    let name = Value::String(convert::name_of(suggestion));
    Command {
        title: "Accept".to_owned(),
        tooltip: None,
        command: ACCEPT.to_owned(),
        arguments: Some(vec![name]),
    }
}
