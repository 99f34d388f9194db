//! `workspace/didChangeWatchedFiles`: files changed on disk.
//!
//! Settings are read again; the indexes look at the rest, which they mostly know already.

use serde_json::{Value, json};

use crate::dispatch::{MethodResult, parse};
use crate::server::Server;
use crate::uri;
use crate::wire_types::ChangedFiles;

pub(crate) const METHOD: &str = "workspace/didChangeWatchedFiles";

/// The files to be told of: those that say what is to be done with others.
pub(crate) fn watchers() -> Value {
    json!([{ "globPattern": "**/{.foretell.toml,.foretellignore,.gitignore,.ignore}" }])
}

pub(crate) fn handle(server: &mut Server, params: Value) -> MethodResult<()> {
    let params: ChangedFiles = parse(METHOD, params)?;
    let paths = params.changes.iter().filter_map(|it| uri::path_of(&it.uri));
    for path in paths.collect::<Vec<_>>() {
        server.file_changed(path);
    }
    Ok(())
}
