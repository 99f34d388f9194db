//! `shutdown`: nothing is asked any more, and what was asked is answered.

use foretell_core::{Event, Moment};

use crate::dispatch::{Refusal, Reply};
use crate::server::{Server, Stage};

pub(crate) const METHOD: &str = "shutdown";

pub(crate) fn handle(server: &mut Server, now: Moment) -> Result<Reply, Refusal> {
    server.tell(now, Event::ShuttingDown);
    server.stage = Stage::ShutDown;
    Reply::now(())
}
