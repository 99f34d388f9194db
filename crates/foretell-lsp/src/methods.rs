//! The methods, one file each: parameters in, events for the machine out.
//!
//! A file converts and tells; it decides nothing. Nothing is drawn, sent or remembered here but what
//! the method itself is about.

pub(crate) mod cancel_request;
pub(crate) mod did_change;
pub(crate) mod did_change_selection;
pub(crate) mod did_close;
pub(crate) mod did_focus;
pub(crate) mod did_open;
pub(crate) mod execute_command;
pub(crate) mod feedback;
pub(crate) mod initialize;
pub(crate) mod inline_completion;
pub(crate) mod shutdown;
pub(crate) mod will_change;
