//! The abilities of the client that matter here.

use serde_json::Value;

/// The abilities that the client named in `initialize`. It has no others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ClientAbilities {
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
    /// It asks when it is told to.
    pub(crate) asks_when_told: bool,
}

impl ClientAbilities {
    /// Those in the parameters of `initialize`.
    pub(crate) fn of(params: &Value) -> Self {
        let says = |what: &str| {
            let said = params.pointer(&format!("/capabilities/{what}"));
            said.and_then(Value::as_bool).unwrap_or(false)
        };
        ClientAbilities {
            configuration: says("workspace/configuration"),
            registers_configuration: says("workspace/didChangeConfiguration/dynamicRegistration"),
            registers_watched_files: says("workspace/didChangeWatchedFiles/dynamicRegistration"),
            progress: says("window/workDoneProgress"),
            follows_status: says("experimental/foretell/followsStatus"),
            asks_when_told: says("experimental/foretell/asksWhenTold"),
        }
    }
}
