//! `$/logTrace`: what is decided, told to a client that wants to hear it as it happens.
//!
//! It is also in our own log, for developers. Neither quotes a document.

use foretell_core::{Answer, RequestId};
use gen_lsp_types::LogTraceParams;

use crate::pending::{AnswerForm, UnansweredRequest};
use crate::server::Server;
use crate::wire_types::TraceLevel;
use foretell_journal::spoken::{count, short_name};

impl Server {
    /// Tells the client of an answer, in the words that `foretell/why` uses later.
    pub(crate) fn trace_answer(
        &mut self,
        request: RequestId,
        asked: &UnansweredRequest,
        answer: &Answer,
    ) {
        let is_logged = tracing::enabled!(target: "foretell", tracing::Level::DEBUG);
        if self.trace == TraceLevel::Off && !is_logged {
            return;
        }
        let form = match &asked.form {
            AnswerForm::Edit => "next edit",
            AnswerForm::Inline
            | AnswerForm::Completions
            | AnswerForm::Panel
            | AnswerForm::Solutions { .. } => "suggestion",
        };
        let told = self.with_known(|journal, around| journal.answered(request, around));
        let why = told.as_ref().and_then(|it| it.why.clone());
        let said = match answer {
            Answer::Candidates(offers) => count(offers.len() as u64, "candidate", "candidates"),
            Answer::Withheld(reason) => {
                let why = why.unwrap_or_else(|| reason.words().to_owned());
                format!("nothing: {why}")
            }
        };
        let message = format!("{form} in {}: {said}", short_name(&asked.document));
        tracing::debug!(target: "foretell", "{message}");
        if self.trace == TraceLevel::Off {
            return;
        }
        let lanes = told.map(|it| it.lanes.join("; "));
        let verbose = lanes.filter(|_| self.trace == TraceLevel::Verbose);
        self.notify("$/logTrace", LogTraceParams { message, verbose });
    }
}
