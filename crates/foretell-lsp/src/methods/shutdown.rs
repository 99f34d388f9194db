//! `shutdown`: nothing is asked any more, and what was asked is answered.

use crate::dispatch::{MethodReply, MethodResult};
use crate::server::{Server, SessionStage};

pub(crate) const METHOD: &str = "shutdown";

pub(crate) fn handle(server: &mut Server) -> MethodResult {
    server.begin_to_end();
    server.stage = SessionStage::ShutDown;
    MethodReply::now(())
}
