//! `foretell/why`: the latest decisions with their reasons, in words and as data.
//!
//! Nothing is looked up for it: what excludes a document is told as it was known when it was decided.

use serde_json::Value;

use crate::dispatch::{MethodRefusal, parse};
use crate::server::Server;
use crate::wire_types::WhyParams;
use foretell_journal::why_report::WhyReport;

pub(crate) const METHOD: &str = "foretell/why";

/// How many decisions are told, and how many at most.
const SOME: usize = 20;
const MOST: usize = 512;

pub(crate) fn answer(server: &Server, params: Value) -> Result<WhyReport, MethodRefusal> {
    let params: WhyParams = match params {
        Value::Null => WhyParams::default(),
        params => parse(METHOD, params)?,
    };
    let document = params.text_document.map(|it| it.id());
    let limit = params.limit.unwrap_or(SOME).min(MOST);
    Ok(server.with_known(|journal, around| journal.why(document.as_ref(), limit, around)))
}
