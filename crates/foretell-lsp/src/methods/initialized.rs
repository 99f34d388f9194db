//! `initialized`: now the client may be asked for what it offered: its settings, and to tell of changes.

use serde_json::json;

use super::{did_change_configuration, did_change_watched_files};
use crate::client_questions::ClientQuestion;
use crate::server::Server;

pub(crate) const METHOD: &str = "initialized";

pub(crate) fn handle(server: &mut Server) {
    server.status_notifier.ready();
    if let Some(unsaid) = server.unsaid.take() {
        server.log(unsaid);
    }
    if server.abilities.configuration {
        did_change_configuration::ask(server);
    }
    let mut registrations = Vec::new();
    if server.abilities.registers_configuration {
        registrations.push(json!({
            "id": "foretell/configuration",
            "method": did_change_configuration::METHOD,
            "registerOptions": { "section": did_change_configuration::SECTION },
        }));
    }
    if server.abilities.registers_watched_files {
        registrations.push(json!({
            "id": "foretell/watchedFiles",
            "method": did_change_watched_files::METHOD,
            "registerOptions": { "watchers": did_change_watched_files::watchers() },
        }));
    }
    if !registrations.is_empty() {
        let params = json!({ "registrations": registrations });
        server.ask_client(
            "client/registerCapability",
            params,
            ClientQuestion::Registration,
        );
    }
}
