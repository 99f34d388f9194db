//! `workspace/didChangeWorkspaceFolders`: folders come and go.

use serde_json::Value;

use crate::dispatch::{MethodResult, parse};
use crate::server::Server;
use crate::uri;
use crate::wire_types::ChangedFolders;

pub(crate) const METHOD: &str = "workspace/didChangeWorkspaceFolders";

pub(crate) fn handle(server: &mut Server, params: Value) -> MethodResult<()> {
    let ChangedFolders { event } = parse(METHOD, params)?;
    let removed = event.removed.iter().filter_map(|it| uri::path_of(&it.uri));
    let removed: Vec<_> = removed.collect();
    let folders = &mut server.environment.folders;
    folders.retain(|folder| !removed.contains(folder));
    for added in event.added.iter().filter_map(|it| uri::path_of(&it.uri)) {
        if !folders.contains(&added) {
            folders.push(added);
        }
    }
    server.load();
    Ok(())
}
