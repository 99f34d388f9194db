//! `workspace/didChangeConfiguration`, and `workspace/configuration` to the client: what the editor's
//! settings are.
//!
//! A client that can be asked is asked, whatever it sends along: many send everything, or nothing.
//! Others say it in the message.

use foretell_settings::{Setting, settings_table};
use serde_json::{Value, json};

use crate::client_questions::ClientQuestion;
use crate::client_settings;
use crate::server::Server;

pub(crate) const METHOD: &str = "workspace/didChangeConfiguration";

/// The section of our settings in an editor's.
pub(crate) const SECTION: &str = "foretell";

pub(crate) fn handle(server: &mut Server, params: &Value) {
    if server.abilities.configuration {
        ask(server)
    } else {
        match params.get("settings") {
            // Some send all they have to every server.
            Some(Value::Object(says)) if !says.keys().any(|it| is_ours(it)) => {}
            says => take(server, says.unwrap_or(&Value::Null)),
        }
    }
}

/// Whether a section of an editor's settings is one of ours, or one in ours.
pub(crate) fn is_ours(section: &str) -> bool {
    let (group, _) = section.split_once('.').unwrap_or((section, ""));
    let is_in = |it: Setting| it.name.split('.').next() == Some(group);
    [SECTION, "languages"].contains(&group) || settings_table::settings().any(is_in)
}

/// Asks the client.
pub(crate) fn ask(server: &mut Server) {
    let params = json!({ "items": [{ "section": SECTION }] });
    server.ask_client(
        "workspace/configuration",
        params,
        ClientQuestion::Configuration,
    );
    server.environment.wait_for_editor();
    server.hold_models();
}

/// Takes what the client answers: a list, with what was asked for first.
pub(crate) fn answered(server: &mut Server, answer: &Value) {
    take(server, answer.get(0).unwrap_or(&Value::Null));
}

/// The client does not say what was asked for: what is known holds.
pub(crate) fn not_answered(server: &mut Server) {
    server.environment.hear_editor();
    server.hold_models();
}

fn take(server: &mut Server, says: &Value) {
    server.environment.hear_editor();
    server
        .environment
        .editor
        .configure(client_settings::settings(says));
    server.load();
}
