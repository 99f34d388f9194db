//! What was asked, what was offered for it, and what became of that.
//!
//! A lane answers in the words of the text that the request was made in, which may be another by then.
//! So the texts of the last requests are kept, as many as whoever reads the recording keeps.

use foretell_core::{RequestCause, RequestId, RequestKind, SuggestionId};
use foretell_text::{ByteOffset, Candidate, DocumentId, LaneKind, Usage, Version};

use super::recorded_line::{CandidateFields, LineFields, UsageFields};
use super::{TraceWriter, changes, word_for};
use crate::read::event_reader::{CAUSES, KINDS, MOST_ASKED_TEXTS};

impl TraceWriter {
    pub(super) fn requested<'e>(
        &mut self,
        (request, document, version): (RequestId, &'e DocumentId, Option<Version>),
        at: ByteOffset,
        (cause, kind): (RequestCause, RequestKind),
    ) -> LineFields<'e> {
        if let Some(sheet) = self.documents.sheet(document) {
            let asked = (request, document.clone(), sheet.clone());
            self.asked.push_back(asked);
        }
        if self.asked.len() > MOST_ASKED_TEXTS {
            self.asked.pop_front();
        }
        let row = self.about("request", document);
        LineFields {
            id: Some(request.get()),
            at: Some(self.place(document, at)),
            cause: Some(word_for(&CAUSES, cause)),
            kind: (kind != RequestKind::Inline).then(|| word_for(&KINDS, kind)),
            out_of_step: self.documents.is_another(document, version),
            ..row
        }
    }

    pub(super) fn offered<'e>(
        &mut self,
        request: RequestId,
        candidate: &'e Candidate,
    ) -> CandidateFields<'e> {
        let Candidate { document, edit } = candidate;
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
    (request, lane): (RequestId, LaneKind),
    usage: Usage,
) -> LineFields<'static> {
    let used = UsageFields {
        prompt_tokens: usage.prompt_tokens,
        completion_tokens: usage.completion_tokens,
    };
    LineFields {
        lane: Some(lane.name()),
        usage: (usage != Usage::default()).then_some(used),
        ..named("lane", request)
    }
}

pub(super) fn judged(event: &'static str, suggestion: SuggestionId) -> LineFields<'static> {
    LineFields {
        candidate: (suggestion.candidate > 0).then_some(suggestion.candidate),
        ..named(event, suggestion.request)
    }
}
