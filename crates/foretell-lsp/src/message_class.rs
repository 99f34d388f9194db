//! Which message is of which kind, for the book of numbers.

use lsp_server::Message;

use crate::dispatch::MethodRefusal;
use crate::methods::{
    cancel_request, context, copilot, did_change, did_change_configuration, did_change_diagnostics,
    did_change_selection, did_change_watched_files, did_change_workspace_folders, did_close,
    did_focus, did_open, did_pause, did_save, execute_command, feedback, forget, initialize,
    initialized, inline_completion, inline_edit, rejections, restore, sent, set_trace, shutdown,
    status, why, will_change,
};
use foretell_journal::numbers::class::{HeardClass, RefusalClass, ToldClass};

/// The class of a message from the client.
pub(crate) fn heard_class(message: &Message) -> HeardClass {
    let method = match message {
        Message::Request(it) => it.method.as_str(),
        Message::Notification(it) => it.method.as_str(),
        Message::Response(_) => return HeardClass::Answer,
    };
    match method {
        did_change::METHOD => HeardClass::Change,
        inline_completion::METHOD | inline_edit::METHOD => HeardClass::Request,
        did_open::METHOD
        | did_close::METHOD
        | did_save::METHOD
        | did_focus::METHOD
        | did_pause::METHOD
        | will_change::METHOD => HeardClass::Document,
        did_change_selection::METHOD => HeardClass::Selection,
        did_change_diagnostics::METHOD => HeardClass::Diagnostics,
        feedback::SHOWN
        | feedback::ACCEPTED
        | feedback::REJECTED
        | feedback::IGNORED
        | execute_command::METHOD => HeardClass::Feedback,
        cancel_request::METHOD => HeardClass::Cancel,
        did_change_configuration::METHOD
        | did_change_workspace_folders::METHOD
        | did_change_watched_files::METHOD => HeardClass::Settings,
        why::METHOD
        | status::METHOD
        | sent::METHOD
        | rejections::METHOD
        | forget::METHOD
        | restore::METHOD
        | context::METHOD => HeardClass::Report,
        initialize::METHOD
        | initialized::METHOD
        | shutdown::METHOD
        | set_trace::METHOD
        | "exit" => HeardClass::Lifecycle,
        copilot::FOCUS => HeardClass::Document,
        asking if copilot::ASKING.contains(&asking) => HeardClass::Request,
        said if copilot::FEEDBACK.contains(&said) => HeardClass::Feedback,
        starting if copilot::STARTING.contains(&starting) => HeardClass::Lifecycle,
        _ => HeardClass::Unknown,
    }
}

/// The class of a message to the client.
pub(crate) fn told_class(message: &Message) -> ToldClass {
    match message {
        Message::Response(it) => {
            if it.response_result.is_ok() {
                ToldClass::Answer
            } else {
                ToldClass::Error
            }
        }
        Message::Request(_) => ToldClass::Question,
        Message::Notification(it) => match it.method.as_str() {
            "foretell/trigger" => ToldClass::Trigger,
            "foretell/resync" => ToldClass::Resync,
            "window/showMessage" | "window/logMessage" | "$/logTrace" => ToldClass::Words,
            "$/progress" => ToldClass::Progress,
            _ => ToldClass::Other,
        },
    }
}

/// Why something that the client said was not done.
pub(crate) const fn refusal_class(refusal: &MethodRefusal) -> RefusalClass {
    match refusal {
        MethodRefusal::Malformed { .. }
        | MethodRefusal::Wrong { .. }
        | MethodRefusal::NotRejections { .. } => RefusalClass::Malformed,
        MethodRefusal::UnknownMethod(_) => RefusalClass::UnknownMethod,
        MethodRefusal::NotInitialized
        | MethodRefusal::InitializedTwice
        | MethodRefusal::ShutDown => RefusalClass::OutOfOrder,
        MethodRefusal::Cannot { .. } => RefusalClass::Impossible,
        MethodRefusal::Unwritable(_) => RefusalClass::Broken,
    }
}
