//! `setEditorInfo`, `getVersion`, `notifyChangeConfiguration` and `copilot/models`: what clients say and
//! ask when they start.
//!
//! They are in one file because none of them does anything here. An error would be taken for a server
//! that did not start. Copilot's settings are not ours, and what a client switches off by them it does
//! not ask for anyway; which model is asked is said by our own settings, so that there is none to choose.

use serde_json::{Value, json};

use super::HEARD;
use crate::dispatch::{MethodRefusal, MethodReply, MethodResult};
use crate::server::Server;

pub(super) const WHO: &str = "setEditorInfo";
pub(super) const VERSION: &str = "getVersion";
pub(super) const CONFIGURE: &str = "notifyChangeConfiguration";
pub(super) const MODELS: &str = "copilot/models";

pub(super) fn who(server: &mut Server, params: &Value) -> MethodResult {
    if !params.is_object() {
        return Err(MethodRefusal::Wrong {
            method: WHO,
            fault: "they are no object",
        });
    }
    server.copilot.says_who(params);
    MethodReply::now(HEARD)
}

pub(super) fn version() -> MethodResult {
    MethodReply::now(json!({ "version": env!("CARGO_PKG_VERSION") }))
}

pub(super) fn models() -> MethodResult {
    MethodReply::now(json!([]))
}
