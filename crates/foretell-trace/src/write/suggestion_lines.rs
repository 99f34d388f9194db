//! The lines of requests, of answers, and of what became of suggestions.
//!
//! A lane answers in the words of the text that the request was made in, which may be another by then.
//! So the texts of the last requests are kept, as many as the reader of the recording keeps.

use foretell_core::{RequestId, SuggestionId};
use foretell_text::{DocumentId, LaneCandidate, LaneKind, TokenUsage};

use super::recorded_line::{CandidateFields, LineFields, UsageFields};
use super::{TraceWriter, changes};
use crate::read::event_reader::MOST_ASKED_TEXTS;

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
        let LaneCandidate { document, edit } = candidate;
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
    let used = UsageFields {
        prompt_tokens: usage.prompt_tokens,
        completion_tokens: usage.completion_tokens,
    };
    LineFields {
        lane: Some(lane.name()),
        usage: (usage != TokenUsage::default()).then_some(used),
        ..named("lane", request)
    }
}

pub(super) fn judged(event: &'static str, suggestion: SuggestionId) -> LineFields<'static> {
    LineFields {
        candidate: (suggestion.candidate > 0).then_some(suggestion.candidate),
        ..named(event, suggestion.request)
    }
}
