//! The methods, one file each: parameters in, events for the machine out.
//!
//! A file converts and tells; it decides nothing. Nothing is drawn, sent or remembered here but what
//! the method itself is about.

pub(crate) mod cancel_request;
pub(crate) mod context;
pub(crate) mod copilot;
pub(crate) mod did_change;
pub(crate) mod did_change_configuration;
pub(crate) mod did_change_diagnostics;
pub(crate) mod did_change_selection;
pub(crate) mod did_change_watched_files;
pub(crate) mod did_change_workspace_folders;
pub(crate) mod did_close;
pub(crate) mod did_focus;
pub(crate) mod did_open;
pub(crate) mod did_pause;
pub(crate) mod did_save;
pub(crate) mod execute_command;
pub(crate) mod feedback;
pub(crate) mod forget;
pub(crate) mod initialize;
pub(crate) mod initialized;
pub(crate) mod inline_completion;
pub(crate) mod inline_edit;
pub(crate) mod rejections;
pub(crate) mod restore;
pub(crate) mod sent;
pub(crate) mod set_trace;
pub(crate) mod shutdown;
pub(crate) mod status;
pub(crate) mod why;
pub(crate) mod will_change;
