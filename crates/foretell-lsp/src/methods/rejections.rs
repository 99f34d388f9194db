//! `foretell/rejections`: everything that was rejected and is remembered, for a client that mirrors it.

use crate::reports::rejection_report::{RejectionReport, rejections};
use crate::server::Server;

pub(crate) const METHOD: &str = "foretell/rejections";

pub(crate) fn answer(server: &Server) -> RejectionReport {
    rejections(server.core())
}
