//! The requests that wait for the machine's answer.
//!
//! An editor names its requests by a number or a string and may use a name again; the machine wants
//! names that are never used twice. So each request gets a number here, and here alone it is known
//! which name belongs to which number.

use std::collections::BTreeMap;

use foretell_core::RequestId;
use foretell_text::DocumentId;
use lsp_server::RequestId as MessageId;

/// A request that has no answer yet.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// By which name the editor wants it answered.
    pub(crate) id: MessageId,
    /// In which document.
    pub(crate) document: DocumentId,
    /// What its answer looks like.
    pub(crate) form: Form,
}

/// What an answer looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// What can be drawn at the cursor.
    Inline,
    /// Edits anywhere.
    Edit,
}

/// All of them, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct Pending {
    asked: BTreeMap<RequestId, Asked>,
    numbered: u64,
}

impl Pending {
    /// Takes a request, and gives it a number.
    pub(crate) fn put(&mut self, asked: Asked) -> RequestId {
        self.numbered += 1;
        let request = RequestId::new(self.numbered);
        self.asked.insert(request, asked);
        request
    }

    /// A request that is answered now, and so never again.
    pub(crate) fn take(&mut self, request: RequestId) -> Option<Asked> {
        self.asked.remove(&request)
    }

    /// The number of what the editor calls by a name: the latest, if it uses a name twice.
    pub(crate) fn find(&self, id: &MessageId) -> Option<RequestId> {
        let mut latest_first = self.asked.iter().rev();
        let found = latest_first.find(|(_, asked)| asked.id == *id);
        found.map(|(request, _)| *request)
    }
}
