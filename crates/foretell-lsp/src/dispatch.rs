//! Which method is handled where. Every request is answered exactly once: here, by the machine's answer
//! if it has become one of its requests, or when what it asked for was found.
//!
//! A request that cannot be done is answered with the error that LSP prescribes. A notification has
//! no answer, so that a malformed one is said in the editor's log; unknown ones are ignored.

use lsp_server::{ErrorCode, Notification, Request, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::client_questions::ClientQuestion;
use crate::drive::SessionEnd;
use crate::malformed;
use crate::message_class::refusal_class;
use crate::methods::{
    cancel_request, context, copilot, did_change, did_change_configuration, did_change_diagnostics,
    did_change_selection, did_change_watched_files, did_change_workspace_folders, did_close,
    did_focus, did_open, did_pause, did_save, execute_command, feedback, forget, initialize,
    initialized, inline_completion, inline_edit, rejections, restore, sent, set_trace, shutdown,
    status, why, will_change,
};
use crate::reports::rejection_report::NotRejections;
use crate::server::{Server, SessionStage};

/// The answer to a request, or nothing to a notification, unless it is refused.
pub(crate) type MethodResult<T = MethodReply> = Result<T, MethodRefusal>;

/// How a request is answered.
pub(crate) enum MethodReply {
    /// With this.
    Now(Value),
    /// By the machine, or when something is found for it.
    Later,
}

impl MethodReply {
    pub(crate) fn now(result: impl Serialize) -> Result<Self, MethodRefusal> {
        let result = serde_json::to_value(result);
        result
            .map(MethodReply::Now)
            .map_err(MethodRefusal::Unwritable)
    }
}

/// Why something that a client wants cannot be done.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MethodRefusal {
    #[error("send initialize first")]
    NotInitialized,
    #[error("initialize was sent already")]
    InitializedTwice,
    #[error("the server is shutting down; send only exit")]
    ShutDown,
    #[error("no such method: {0}")]
    UnknownMethod(String),
    /// They are of another form than they should be.
    #[error("malformed parameters of {method}: {}", malformed::in_words(source))]
    Malformed {
        method: &'static str,
        /// The parser's error, which may quote a document.
        source: serde_json::Error,
    },
    /// They have the right form, and make no sense.
    #[error("malformed parameters of {method}: {fault}")]
    Wrong {
        method: &'static str,
        fault: &'static str,
    },
    /// They make sense, and there is not what they are about.
    #[error("cannot do {method}: {fault}")]
    Cannot {
        method: &'static str,
        fault: &'static str,
    },
    #[error("malformed parameters of {method}: {source}")]
    NotRejections {
        method: &'static str,
        source: NotRejections,
    },
    #[error("the answer cannot be written")]
    Unwritable(#[source] serde_json::Error),
}

impl MethodRefusal {
    fn code(&self) -> ErrorCode {
        match self {
            MethodRefusal::NotInitialized => ErrorCode::ServerNotInitialized,
            MethodRefusal::InitializedTwice | MethodRefusal::ShutDown => ErrorCode::InvalidRequest,
            MethodRefusal::UnknownMethod(_) => ErrorCode::MethodNotFound,
            MethodRefusal::Malformed { .. }
            | MethodRefusal::Wrong { .. }
            | MethodRefusal::Cannot { .. }
            | MethodRefusal::NotRejections { .. } => ErrorCode::InvalidParams,
            MethodRefusal::Unwritable(_) => ErrorCode::InternalError,
        }
    }
}

/// Reads the parameters of a method.
pub(crate) fn parse<T: DeserializeOwned>(
    method: &'static str,
    params: Value,
) -> Result<T, MethodRefusal> {
    serde_json::from_value(params).map_err(|source| MethodRefusal::Malformed { method, source })
}

impl Server {
    pub(crate) fn handle_request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        let reply = match (self.stage, method.as_str()) {
            (SessionStage::New, initialize::METHOD) => initialize::handle(self, &params),
            (SessionStage::New, _) => Err(MethodRefusal::NotInitialized),
            (SessionStage::ShutDown | SessionStage::Ended(_), _) => Err(MethodRefusal::ShutDown),
            (SessionStage::Running, method) => match method {
                initialize::METHOD => Err(MethodRefusal::InitializedTwice),
                shutdown::METHOD => shutdown::handle(self),
                inline_completion::METHOD => inline_completion::handle(self, &id, params),
                inline_edit::METHOD => inline_edit::handle(self, &id, params),
                execute_command::METHOD => execute_command::handle(self, params),
                why::METHOD => why::answer(self, params).and_then(MethodReply::now),
                status::METHOD => MethodReply::now(status::answer(self)),
                sent::METHOD => MethodReply::now(sent::answer(self)),
                rejections::METHOD => MethodReply::now(rejections::answer(self)),
                forget::METHOD => forget::handle(self, &params),
                restore::METHOD => restore::handle(self, params),
                context::METHOD => context::handle(self, &id, params),
                _ => copilot::handle_request(self, &id, method, params)
                    .unwrap_or_else(|| Err(MethodRefusal::UnknownMethod(method.to_owned()))),
            },
        };
        match reply {
            Ok(MethodReply::Now(result)) => self.send(Response::new_ok(id, result)),
            Ok(MethodReply::Later) => {}
            Err(refusal) => {
                self.count_refusal(&refusal);
                let code = refusal.code() as i32;
                self.send(Response::new_err(id, code, refusal.to_string()));
            }
        }
    }

    /// Takes the client's answer to a question. Unknown ids are ignored.
    pub(crate) fn handle_response(&mut self, response: Response) {
        let Response {
            id,
            response_result,
        } = response;
        match (self.questions.take(&id), response_result) {
            (Some(ClientQuestion::Configuration), Ok(answer)) => {
                did_change_configuration::answered(self, &answer);
            }
            (Some(ClientQuestion::Configuration), Err(error)) => {
                let code = error.code;
                did_change_configuration::not_answered(self);
                self.log(format!(
                    "the editor does not say what its settings are: error {code}"
                ));
            }
            (
                Some(ClientQuestion::Progress {
                    folder,
                    name,
                    token,
                }),
                answer,
            ) => self.show_from_now_on(folder, &name, &token, answer.is_ok()),
            // It does without: files are looked at anyway.
            (Some(ClientQuestion::Registration) | None, _) => {}
        }
    }

    pub(crate) fn handle_notification(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        let done = match (self.stage, method.as_str()) {
            (SessionStage::ShutDown, "exit") => {
                self.stage = SessionStage::Ended(SessionEnd::AfterShutdown);
                Ok(())
            }
            (SessionStage::New | SessionStage::Running, "exit") => {
                self.stage = SessionStage::Ended(SessionEnd::WithoutShutdown);
                Ok(())
            }
            (SessionStage::New | SessionStage::ShutDown | SessionStage::Ended(_), _) => Ok(()),
            (SessionStage::Running, method) => match method {
                initialized::METHOD => {
                    initialized::handle(self);
                    Ok(())
                }
                cancel_request::METHOD => cancel_request::handle(self, params),
                did_open::METHOD => did_open::handle(self, params),
                did_change::METHOD => did_change::handle(self, params),
                did_save::METHOD => did_save::handle(self, params),
                did_close::METHOD => did_close::handle(self, params),
                did_change_selection::METHOD => did_change_selection::handle(self, params),
                did_change_diagnostics::METHOD => did_change_diagnostics::handle(self, params),
                did_change_configuration::METHOD => {
                    did_change_configuration::handle(self, &params);
                    Ok(())
                }
                did_change_workspace_folders::METHOD => {
                    did_change_workspace_folders::handle(self, params)
                }
                did_change_watched_files::METHOD => did_change_watched_files::handle(self, params),
                set_trace::METHOD => set_trace::handle(self, params),
                did_focus::METHOD => did_focus::handle(self, params),
                did_pause::METHOD => did_pause::handle(self, params),
                will_change::METHOD => will_change::handle(self, params),
                feedback::SHOWN => feedback::shown(self, params),
                feedback::ACCEPTED => feedback::accepted(self, params),
                feedback::REJECTED => feedback::rejected(self, params),
                feedback::IGNORED => feedback::ignored(self, params),
                _ => copilot::handle_notification(self, method, params),
            },
        };
        if let Err(refusal) = done {
            self.count_refusal(&refusal);
            self.log(refusal.to_string());
        }
    }

    fn count_refusal(&self, refusal: &MethodRefusal) {
        self.numbers(|it| it.refused(refusal_class(refusal)));
    }
}
