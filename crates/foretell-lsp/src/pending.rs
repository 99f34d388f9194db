//! The requests that wait for the machine's answer.
//!
//! An editor names its requests by a number or a string and may use a name again; the machine wants
//! names that are never used twice. So each request gets a number here, and here alone it is known
//! which name belongs to which number.

use std::collections::BTreeMap;

use foretell_core::{Event, RequestCause, RequestId, RequestKind, SuggestionRequest};
use foretell_text::{ByteOffset, DocumentId, PositionEncoding, Version};
use gen_lsp_types::Position;
use lsp_server::RequestId as MessageId;

use crate::convert;
use crate::server::Server;

/// A request that has no answer yet.
#[derive(Clone, Debug)]
pub(crate) struct UnansweredRequest {
    /// By which name the editor wants it answered.
    pub(crate) id: MessageId,
    /// In which document.
    pub(crate) document: DocumentId,
    /// Where the cursor was.
    pub(crate) at: ByteOffset,
    /// The form of its answer.
    pub(crate) form: AnswerForm,
    /// The item that is chosen in the editor's popup, if that is open.
    pub(crate) chosen: Option<ChosenItem>,
}

/// The item that is chosen in an editor's popup: only what goes on from it is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ChosenItem {
    /// Where it would be put in, which is before the cursor if some of it is typed.
    pub(crate) start: ByteOffset,
    /// Its text.
    pub(crate) text: String,
}

/// The form of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AnswerForm {
    /// Suggestions that can be drawn at the cursor.
    Inline,
    /// Edits anywhere.
    Edit,
    /// The same, each from the start of its line on.
    Completions,
    /// The same as what can be drawn at the cursor, for a list beside the text.
    Panel,
    /// The same as the completions, one message each, for a list of this name.
    Solutions { panel: String },
}

impl AnswerForm {
    /// The unit of its columns, given the agreed one. The clients of the older methods never agree
    /// on anything, and count UTF-16 units.
    pub(crate) fn encoding(&self, agreed: PositionEncoding) -> PositionEncoding {
        match self {
            AnswerForm::Inline | AnswerForm::Edit | AnswerForm::Panel => agreed,
            AnswerForm::Completions | AnswerForm::Solutions { .. } => PositionEncoding::Utf16,
        }
    }

    /// The kind of suggestion it can carry.
    fn kind(&self) -> RequestKind {
        match self {
            AnswerForm::Edit => RequestKind::Edit,
            AnswerForm::Inline
            | AnswerForm::Completions
            | AnswerForm::Panel
            | AnswerForm::Solutions { .. } => RequestKind::Inline,
        }
    }

    /// Whether a dropped request is answered with an error. Clients of Copilot's show that to the
    /// person, and get an empty list.
    pub(crate) fn may_fail(&self) -> bool {
        *self == AnswerForm::Inline
    }
}

/// All of them, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct PendingAnswers {
    asked: BTreeMap<RequestId, UnansweredRequest>,
    numbered: u64,
    /// What is chosen next to the request that is about to be made.
    chosen: Option<ChosenItem>,
}

impl PendingAnswers {
    /// Takes a request, and gives it a number.
    pub(crate) fn put(&mut self, asked: UnansweredRequest) -> RequestId {
        self.numbered += 1;
        let request = RequestId::new(self.numbered);
        self.asked.insert(request, asked);
        request
    }

    /// A request that is answered now, and so never again.
    pub(crate) fn take(&mut self, request: RequestId) -> Option<UnansweredRequest> {
        self.asked.remove(&request)
    }

    /// Takes note of what is chosen in the popup next to the request that is about to be made: its answer may
    /// be there as soon as the machine has heard of it.
    pub(crate) fn choose(&mut self, chosen: Option<ChosenItem>) {
        self.chosen = chosen;
    }

    /// Whether anybody waits.
    pub(crate) fn is_empty(&self) -> bool {
        self.asked.is_empty()
    }

    /// The number of what the editor calls by a name: the latest, if it uses a name twice.
    pub(crate) fn find(&self, id: &MessageId) -> Option<RequestId> {
        let mut latest_first = self.asked.iter().rev();
        let found = latest_first.find(|(_, asked)| asked.id == *id);
        found.map(|(request, _)| *request)
    }
}

impl Server {
    /// Asks the machine for a suggestion; it answers later.
    ///
    /// A position that is not one of the text becomes an offset that is not: the machine then answers
    /// that it is out of step, like for a version it does not hold.
    pub(crate) fn ask(
        &mut self,
        id: &MessageId,
        form: AnswerForm,
        document: DocumentId,
        version: Option<Version>,
        position: Position,
        cause: RequestCause,
    ) {
        let beyond = ByteOffset::new(usize::MAX);
        let encoding = form.encoding(self.encoding);
        let kind = form.kind();
        let at = self.core().text(&document).map_or(beyond, |text| {
            convert::cursor(text, position, encoding).unwrap_or(beyond)
        });
        let chosen = self.pending.chosen.take();
        let request = self.pending.put(UnansweredRequest {
            id: id.clone(),
            document: document.clone(),
            at,
            form,
            chosen,
        });
        self.tell(Event::SuggestionRequested(SuggestionRequest {
            request,
            document,
            version,
            at,
            cause,
            kind,
        }));
    }
}
