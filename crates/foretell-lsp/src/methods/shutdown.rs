//! `shutdown`: nothing is asked any more, and what was asked is answered.

use crate::dispatch::{Refusal, Reply};
use crate::server::{Server, Stage};

pub(crate) const METHOD: &str = "shutdown";

pub(crate) fn handle(server: &mut Server) -> Result<Reply, Refusal> {
    server.begin_to_end();
    server.stage = Stage::ShutDown;
    Reply::now(())
}
