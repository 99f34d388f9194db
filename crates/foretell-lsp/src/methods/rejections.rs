//! `foretell/rejections`: everything that was rejected and is remembered, for a client that mirrors it.

use crate::report::rejections::{Rejections, rejections};
use crate::server::Server;

pub(crate) const METHOD: &str = "foretell/rejections";

pub(crate) fn answer(server: &Server) -> Rejections {
    rejections(server.core())
}
