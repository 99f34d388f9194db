//! `foretell/forget`: one rejection, or all of them, may be shown again.

use foretell_core::Event;
use serde_json::Value;

use super::rejections;
use crate::dispatch::{Refusal, Reply};
use crate::report::rejections::forget;
use crate::server::Server;

pub(crate) const METHOD: &str = "foretell/forget";

/// Answers with what is left. Whoever names one that is not remembered means another, or one by the
/// number that it had before a restart.
pub(crate) fn handle(server: &mut Server, params: &Value) -> Result<Reply, Refusal> {
    let event = forget(params).map_err(|source| Refusal::NotRejections {
        method: METHOD,
        source,
    })?;
    if let Event::RejectionForgotten { rejection } = &event {
        let remembered = server.core().rejections();
        if !remembered.iter().any(|it| it.id == *rejection) {
            return Err(Refusal::Cannot {
                method: METHOD,
                fault: "no rejection of that number is remembered; foretell/rejections lists those \
                        that are",
            });
        }
    }
    server.tell(event);
    Reply::now(rejections::answer(server))
}
