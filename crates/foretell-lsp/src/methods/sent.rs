//! `foretell/sent`: exactly what was sent to model servers last.

use std::time::SystemTime;

use crate::reports::sent_report::{SentLast, sent};
use crate::server::Server;

pub(crate) const METHOD: &str = "foretell/sent";

pub(crate) fn answer(server: &Server) -> SentLast {
    sent(&server.environment.last_sent().latest(), SystemTime::now())
}
