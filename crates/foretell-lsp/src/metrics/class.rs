//! What kind of message something is: closed sets, so that no method that somebody made up becomes a
//! label.

use lsp_server::Message;

use crate::dispatch::Refusal;
use crate::methods::{
    cancel_request, context, copilot, did_change, did_change_configuration, did_change_diagnostics,
    did_change_selection, did_change_watched_files, did_change_workspace_folders, did_close,
    did_focus, did_open, did_save, execute_command, feedback, forget, initialize, initialized,
    inline_completion, inline_edit, rejections, restore, sent, set_trace, shutdown, status, why,
    will_change,
};

/// What the client said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    Change,
    Request,
    Document,
    Selection,
    Diagnostics,
    Feedback,
    Cancel,
    Settings,
    Report,
    Lifecycle,
    Answer,
    Unknown,
}

impl Heard {
    pub(super) const ALL: [Heard; 12] = [
        Heard::Change,
        Heard::Request,
        Heard::Document,
        Heard::Selection,
        Heard::Diagnostics,
        Heard::Feedback,
        Heard::Cancel,
        Heard::Settings,
        Heard::Report,
        Heard::Lifecycle,
        Heard::Answer,
        Heard::Unknown,
    ];

    pub(super) fn of(message: &Message) -> Self {
        let method = match message {
            Message::Request(it) => it.method.as_str(),
            Message::Notification(it) => it.method.as_str(),
            Message::Response(_) => return Heard::Answer,
        };
        match method {
            did_change::METHOD => Heard::Change,
            inline_completion::METHOD | inline_edit::METHOD => Heard::Request,
            did_open::METHOD
            | did_close::METHOD
            | did_save::METHOD
            | did_focus::METHOD
            | will_change::METHOD => Heard::Document,
            did_change_selection::METHOD => Heard::Selection,
            did_change_diagnostics::METHOD => Heard::Diagnostics,
            feedback::SHOWN
            | feedback::ACCEPTED
            | feedback::REJECTED
            | feedback::IGNORED
            | execute_command::METHOD => Heard::Feedback,
            cancel_request::METHOD => Heard::Cancel,
            did_change_configuration::METHOD
            | did_change_workspace_folders::METHOD
            | did_change_watched_files::METHOD => Heard::Settings,
            why::METHOD
            | status::METHOD
            | sent::METHOD
            | rejections::METHOD
            | forget::METHOD
            | restore::METHOD
            | context::METHOD => Heard::Report,
            initialize::METHOD
            | initialized::METHOD
            | shutdown::METHOD
            | set_trace::METHOD
            | "exit" => Heard::Lifecycle,
            copilot::FOCUS => Heard::Document,
            asking if copilot::ASKING.contains(&asking) => Heard::Request,
            said if copilot::FEEDBACK.contains(&said) => Heard::Feedback,
            starting if copilot::STARTING.contains(&starting) => Heard::Lifecycle,
            _ => Heard::Unknown,
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Heard::Change => "change",
            Heard::Request => "request",
            Heard::Document => "document",
            Heard::Selection => "selection",
            Heard::Diagnostics => "diagnostics",
            Heard::Feedback => "feedback",
            Heard::Cancel => "cancel",
            Heard::Settings => "settings",
            Heard::Report => "report",
            Heard::Lifecycle => "lifecycle",
            Heard::Answer => "answer",
            Heard::Unknown => "unknown",
        }
    }
}

/// What kind of work a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Work {
    Change,
    Request,
    Other,
}

impl Work {
    pub(super) const ALL: [Work; 3] = [Work::Change, Work::Request, Work::Other];

    pub(super) const fn of(heard: Heard) -> Self {
        match heard {
            Heard::Change => Work::Change,
            Heard::Request => Work::Request,
            _ => Work::Other,
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Work::Change => "change",
            Work::Request => "request",
            Work::Other => "other",
        }
    }
}

/// What the client was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    Answer,
    Error,
    Question,
    Trigger,
    Resync,
    Words,
    Progress,
    Other,
}

impl Told {
    pub(super) const ALL: [Told; 8] = [
        Told::Answer,
        Told::Error,
        Told::Question,
        Told::Trigger,
        Told::Resync,
        Told::Words,
        Told::Progress,
        Told::Other,
    ];

    pub(super) fn of(message: &Message) -> Self {
        match message {
            Message::Response(it) => match it.response_result.is_ok() {
                true => Told::Answer,
                false => Told::Error,
            },
            Message::Request(_) => Told::Question,
            Message::Notification(it) => match it.method.as_str() {
                "foretell/trigger" => Told::Trigger,
                "foretell/resync" => Told::Resync,
                "window/showMessage" | "window/logMessage" | "$/logTrace" => Told::Words,
                "$/progress" => Told::Progress,
                _ => Told::Other,
            },
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Told::Answer => "answer",
            Told::Error => "error",
            Told::Question => "question",
            Told::Trigger => "trigger",
            Told::Resync => "resync",
            Told::Words => "words",
            Told::Progress => "progress",
            Told::Other => "other",
        }
    }
}

/// Why something that the client said was not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    Malformed,
    UnknownMethod,
    OutOfOrder,
    Impossible,
    Broken,
}

impl Refused {
    pub(super) const ALL: [Refused; 5] = [
        Refused::Malformed,
        Refused::UnknownMethod,
        Refused::OutOfOrder,
        Refused::Impossible,
        Refused::Broken,
    ];

    pub(super) const fn of(refusal: &Refusal) -> Self {
        match refusal {
            Refusal::Malformed { .. } | Refusal::Wrong { .. } | Refusal::NotRejections { .. } => {
                Refused::Malformed
            }
            Refusal::UnknownMethod(_) => Refused::UnknownMethod,
            Refusal::NotInitialized | Refusal::InitializedTwice | Refusal::ShutDown => {
                Refused::OutOfOrder
            }
            Refusal::Cannot { .. } => Refused::Impossible,
            Refusal::Unwritable(_) => Refused::Broken,
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Refused::Malformed => "malformed",
            Refused::UnknownMethod => "unknown-method",
            Refused::OutOfOrder => "out-of-order",
            Refused::Impossible => "impossible",
            Refused::Broken => "broken",
        }
    }
}
