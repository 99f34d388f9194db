//! `foretell/forget`: one rejection, or all of them, may be shown again.

use foretell_core::Event;
use serde_json::Value;

use super::rejections;
use crate::dispatch::{MethodRefusal, MethodReply, MethodResult};
use crate::reports::rejection_report::forget;
use crate::server::Server;

pub(crate) const METHOD: &str = "foretell/forget";

/// Answers with the rejections that are left. An unknown number is refused: it may mean another, or
/// be from before a restart.
pub(crate) fn handle(server: &mut Server, params: &Value) -> MethodResult {
    let event = forget(params).map_err(|source| MethodRefusal::NotRejections {
        method: METHOD,
        source,
    })?;
    if let Event::RejectionForgotten { rejection } = &event {
        let remembered = server.core().rejections();
        if !remembered.iter().any(|it| it.id == *rejection) {
            return Err(MethodRefusal::Cannot {
                method: METHOD,
                fault: "no rejection of that number is remembered; foretell/rejections lists those \
                        that are",
            });
        }
    }
    server.tell(event);
    MethodReply::now(rejections::answer(server))
}
