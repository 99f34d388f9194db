//! `shutdown`: nothing is asked any more, and what was asked is answered.

use foretell_core::{Event, Moment};

use crate::dispatch::{Refusal, Reply};
use crate::server::{Server, Stage};

pub(crate) const METHOD: &str = "shutdown";

pub(crate) fn handle(server: &mut Server, now: Moment) -> Result<Reply, Refusal> {
    for request in server.pending.all() {
        server.tell(now, Event::RequestCancelled { request });
    }
    server.stage = Stage::ShutDown;
    Reply::now(())
}
