//! Which method is handled where. Every request is answered exactly once: here, or by the machine's
//! answer if it has become one of its requests.
//!
//! A request that cannot be done is answered with the error that LSP prescribes. A notification has
//! no answer, so that a malformed one is said in the editor's log; unknown ones are ignored.

use foretell_core::Moment;
use lsp_server::{ErrorCode, Notification, Request, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::drive::Ended;
use crate::methods::{
    cancel_request, did_change, did_change_selection, did_close, did_focus, did_open,
    execute_command, feedback, initialize, inline_completion, shutdown, will_change,
};
use crate::server::{Server, Stage};

/// How a request is answered.
#[derive(Debug)]
pub(crate) enum Reply {
    /// With this.
    Now(Value),
    /// By the machine.
    Later,
}

impl Reply {
    pub(crate) fn now(result: impl Serialize) -> Result<Self, Refusal> {
        let result = serde_json::to_value(result);
        result.map(Reply::Now).map_err(Refusal::Unwritable)
    }
}

/// Why something that a client wants cannot be done.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refusal {
    #[error("initialize comes first")]
    NotInitialized,
    #[error("initialize was said before")]
    InitializedTwice,
    #[error("shutdown was said: only exit may follow")]
    ShutDown,
    #[error("no such method: {0}")]
    UnknownMethod(String),
    /// What is wrong is apart, because it may quote what a document says.
    #[error("malformed parameters of {method}")]
    Malformed {
        method: &'static str,
        source: serde_json::Error,
    },
    #[error("malformed parameters of {method}: {fault}")]
    Wrong {
        method: &'static str,
        fault: &'static str,
    },
    #[error("the answer cannot be written")]
    Unwritable(#[source] serde_json::Error),
}

impl Refusal {
    fn code(&self) -> ErrorCode {
        match self {
            Refusal::NotInitialized => ErrorCode::ServerNotInitialized,
            Refusal::InitializedTwice | Refusal::ShutDown => ErrorCode::InvalidRequest,
            Refusal::UnknownMethod(_) => ErrorCode::MethodNotFound,
            Refusal::Malformed { .. } | Refusal::Wrong { .. } => ErrorCode::InvalidParams,
            Refusal::Unwritable(_) => ErrorCode::InternalError,
        }
    }

    /// For whoever asked, with what is wrong.
    fn words(&self) -> String {
        match self {
            Refusal::Malformed { source, .. } | Refusal::Unwritable(source) => {
                format!("{self}: {source}")
            }
            _ => self.to_string(),
        }
    }
}

/// Reads the parameters of a method.
pub(crate) fn parse<T: DeserializeOwned>(
    method: &'static str,
    params: Value,
) -> Result<T, Refusal> {
    serde_json::from_value(params).map_err(|source| Refusal::Malformed { method, source })
}

impl Server {
    pub(crate) fn handle_request(&mut self, now: Moment, request: Request) {
        let Request { id, method, params } = request;
        let reply = match (self.stage, method.as_str()) {
            (Stage::New, initialize::METHOD) => initialize::handle(self, now, params),
            (Stage::New, _) => Err(Refusal::NotInitialized),
            (Stage::ShutDown | Stage::Ended(_), _) => Err(Refusal::ShutDown),
            (Stage::Running, method) => match method {
                initialize::METHOD => Err(Refusal::InitializedTwice),
                shutdown::METHOD => shutdown::handle(self, now),
                inline_completion::METHOD => inline_completion::handle(self, now, &id, params),
                execute_command::METHOD => execute_command::handle(self, now, params),
                _ => Err(Refusal::UnknownMethod(method.to_owned())),
            },
        };
        match reply {
            Ok(Reply::Now(result)) => self.send(Response::new_ok(id, result)),
            Ok(Reply::Later) => {}
            Err(refusal) => {
                let code = refusal.code() as i32;
                self.send(Response::new_err(id, code, refusal.words()));
            }
        }
    }

    pub(crate) fn handle_notification(&mut self, now: Moment, notification: Notification) {
        let Notification { method, params } = notification;
        let done = match (self.stage, method.as_str()) {
            (Stage::ShutDown, "exit") => {
                self.stage = Stage::Ended(Ended::AfterShutdown);
                Ok(())
            }
            (Stage::New | Stage::Running, "exit") => {
                self.stage = Stage::Ended(Ended::WithoutShutdown);
                Ok(())
            }
            (Stage::New | Stage::ShutDown | Stage::Ended(_), _) => Ok(()),
            (Stage::Running, method) => match method {
                cancel_request::METHOD => cancel_request::handle(self, now, params),
                did_open::METHOD => did_open::handle(self, now, params),
                did_change::METHOD => did_change::handle(self, now, params),
                did_close::METHOD => did_close::handle(self, now, params),
                did_change_selection::METHOD => did_change_selection::handle(self, now, params),
                did_focus::METHOD => did_focus::handle(self, now, params),
                will_change::METHOD => will_change::handle(self, params),
                feedback::SHOWN => feedback::shown(self, now, params),
                feedback::ACCEPTED => feedback::accepted(self, now, params),
                feedback::REJECTED => feedback::rejected(self, now, params),
                feedback::IGNORED => feedback::ignored(self, now, params),
                // `initialized`, and whatever else there is that asks for nothing.
                _ => Ok(()),
            },
        };
        if let Err(refusal) = done {
            self.log(refusal.to_string());
        }
    }
}
