//! `checkStatus`, `signIn`, `signOut` and the older `signInInitiate` and `signInConfirm`: who the person
//! is. There is no account to sign in to, so that everyone is signed in, without a name.
//!
//! They are in one file because they say the same thing. Their parameters do not matter. After
//! `signOut` a client may take itself for signed out; it is signed in again when it asks.

use serde_json::json;

use crate::dispatch::{MethodReply, MethodResult};

pub(super) const STATUS: &str = "checkStatus";
pub(super) const BEGIN: &str = "signIn";
pub(super) const BEGIN_OLDER: &str = "signInInitiate";
pub(super) const CONFIRM: &str = "signInConfirm";
pub(super) const END: &str = "signOut";

/// A user without a name is still a user: one that is absent would be asked to sign in.
pub(super) fn status() -> MethodResult {
    MethodReply::now(json!({ "status": "OK", "user": "" }))
}

pub(super) fn begin() -> MethodResult {
    MethodReply::now(json!({ "status": "AlreadySignedIn", "user": "" }))
}

pub(super) fn end() -> MethodResult {
    MethodReply::now(json!({ "status": "NotSignedIn" }))
}
