//! The lines of requests, of answers, and of what became of suggestions.
//!
//! A lane answers in the words of the text that the request was made in, which may be another by then.
//! So the texts of the last requests are kept, as many as the reader of the recording keeps.

use std::borrow::Cow;

use foretell_core::{AheadCallId, AheadOutcome, RequestId, SuggestionId};
use foretell_text::{DocumentId, LaneCandidate, LaneKind, TokenUsage};

use super::recorded_line::{CandidateFields, LineFields, UsageFields};
use super::{TraceWriter, changes};
use crate::read::event_reader::MOST_ASKED_TEXTS;
use crate::shape::recorded_text::WordRecording;

impl TraceWriter {
    /// Keeps the text that a request is about.
    pub(super) fn keep_asked(&mut self, request: RequestId, document: &DocumentId) {
        if let Some(sheet) = self.documents.sheet(document) {
            let asked = (request, document.clone(), sheet.clone());
            self.asked.push_back(asked);
        }
        if self.asked.len() > MOST_ASKED_TEXTS {
            self.asked.pop_front();
        }
    }

    pub(super) fn offered<'e>(
        &mut self,
        request: RequestId,
        candidate: &'e LaneCandidate,
    ) -> CandidateFields<'e> {
        let LaneCandidate { document, edit, .. } = candidate;
        let asked = self.asked.iter().rev().find(|(id, ..)| *id == request);
        let here = asked.filter(|(_, asked_in, _)| asked_in == document);
        let now = self.documents.sheet(document);
        let sheet = here.map(|(.., sheet)| sheet).or(now);
        let changes = sheet.and_then(|sheet| changes(sheet, edit, &self.words));
        CandidateFields {
            out_of_step: changes.is_none(),
            changes,
            doc: match here {
                Some(_) => None,
                None => Some(self.names.document(document)),
            },
        }
    }
}

impl TraceWriter {
    /// The end of a call ahead of time. Which text it was about is not known here, so that the shape of
    /// an answer that goes on in the middle of a word begins as that of a word would.
    pub(super) fn ahead_ended<'e>(
        &self,
        call: AheadCallId,
        outcome: &'e AheadOutcome,
        usage: TokenUsage,
    ) -> LineFields<'e> {
        let line = LineFields {
            call: Some(call.get()),
            usage: used(usage),
            ..LineFields::of("ahead")
        };
        match outcome {
            AheadOutcome::Answered(None) => line,
            AheadOutcome::Answered(Some(answer)) => LineFields {
                insert: Some(match &self.words {
                    WordRecording::Whole => Cow::Borrowed(&*answer.new_text),
                    WordRecording::Shape(key) => Cow::Owned(key.text(&answer.new_text)),
                }),
                delete: (answer.covered > 0).then_some(answer.covered),
                ..line
            },
            AheadOutcome::Failed(failure) => LineFields {
                failure: Some(failure.kind.name()),
                retry_after_ms: failure.retry_after_ms,
                ..line
            },
        }
    }
}

fn used(usage: TokenUsage) -> Option<UsageFields> {
    let fields = UsageFields {
        prompt_tokens: usage.prompt_tokens,
        completion_tokens: usage.completion_tokens,
        read_tokens: usage.read_tokens,
    };
    (usage != TokenUsage::default()).then_some(fields)
}

pub(super) fn named(event: &'static str, request: RequestId) -> LineFields<'static> {
    LineFields {
        id: Some(request.get()),
        ..LineFields::of(event)
    }
}

pub(super) fn answered(
    request: RequestId,
    lane: LaneKind,
    usage: TokenUsage,
) -> LineFields<'static> {
    LineFields {
        lane: Some(lane.name()),
        usage: used(usage),
        ..named("lane", request)
    }
}

pub(super) fn judged(event: &'static str, suggestion: SuggestionId) -> LineFields<'static> {
    LineFields {
        candidate: (suggestion.candidate > 0).then_some(suggestion.candidate),
        ..named(event, suggestion.request)
    }
}
