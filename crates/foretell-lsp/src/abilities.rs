//! What the client can do, as far as it matters here.

use serde_json::Value;

/// What the client said of itself in `initialize`. What it did not say it cannot do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Abilities {
    /// It can be asked for settings.
    pub(crate) configuration: bool,
    /// It tells of settings that change if it is asked to.
    pub(crate) registers_configuration: bool,
    /// It watches files if it is asked to.
    pub(crate) registers_watched_files: bool,
    /// It shows how far something is.
    pub(crate) progress: bool,
    /// It shows how the server is doing, by our own notification.
    pub(crate) follows_status: bool,
}

impl Abilities {
    /// Those in the parameters of `initialize`.
    pub(crate) fn of(params: &Value) -> Self {
        let says = |what: &str| {
            let said = params.pointer(&format!("/capabilities/{what}"));
            said.and_then(Value::as_bool).unwrap_or(false)
        };
        Abilities {
            configuration: says("workspace/configuration"),
            registers_configuration: says("workspace/didChangeConfiguration/dynamicRegistration"),
            registers_watched_files: says("workspace/didChangeWatchedFiles/dynamicRegistration"),
            progress: says("window/workDoneProgress"),
            follows_status: says("experimental/foretell/followsStatus"),
        }
    }
}
