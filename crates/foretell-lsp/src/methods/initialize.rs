//! `initialize`: what the server can do, what the client can, what columns count, which folders there
//! are, and the editor's settings.
//!
//! Of the encodings that the client offers, the first that we know is taken, because it names them in
//! the order it likes; without an offer it is UTF-16, and with a client of Copilot's as well. The answer
//! does not wait for any file: those of settings are read from here on.
//!
//! Only what is needed is read of what a client says of itself, so that nothing else that is odd in
//! it costs the session.

use std::path::PathBuf;

use foretell_core::{Event, RejectionReports};
use foretell_text::PositionEncoding;
use gen_lsp_types::{
    ExecuteCommandOptions, InitializeResult, PositionEncodingKind, SaveOptions, ServerCapabilities,
    ServerInfo, TextDocumentSyncKind, TextDocumentSyncOptions,
};
use serde_json::{Value, json};

use super::{execute_command, set_trace};
use foretell_engine::{EditorSettings, visible};

use crate::client_abilities::ClientAbilities;
use crate::client_settings;
use crate::copilot_client::CopilotClient;
use crate::dispatch::{MethodRefusal, MethodReply, MethodResult};
use crate::server::{Server, SessionStage};
use crate::uri;

pub(crate) const METHOD: &str = "initialize";

/// The number of our own protocol: of the methods that begin with `foretell/`. It grows when a client
/// written for the number before would misunderstand something.
pub(crate) const PROTOCOL: u32 = 1;

pub(crate) fn handle(server: &mut Server, params: &Value) -> MethodResult {
    if !params.is_object() {
        return Err(MethodRefusal::Wrong {
            method: METHOD,
            fault: "they are no object",
        });
    }
    let folders = folders(params);
    let options = params.get("initializationOptions").unwrap_or(&Value::Null);
    let copilot = CopilotClient::of(options);
    let settings = if copilot.is_one() {
        client_settings::settings_of_copilot(options)
    } else {
        client_settings::settings(options)
    };
    let editor = EditorSettings::with_options(settings);
    let process = params.get("processId").and_then(Value::as_i64);
    let process = process.and_then(|it| i32::try_from(it).ok());
    let client = params.pointer("/clientInfo/name").and_then(Value::as_str);
    let client = client.map_or("a client without a name".to_owned(), visible);
    server.abilities = ClientAbilities::of(params);
    server.trace = set_trace::initial(params);
    server.encoding = if copilot.is_one() {
        PositionEncoding::Utf16
    } else {
        agreed(params)
    };
    server.copilot = copilot;
    server.stage = SessionStage::Running;
    let rejections = reports(params);
    let asks_when_told = server.abilities.asks_when_told;
    server.tell(Event::ClientConnected {
        rejections,
        asks_when_told,
    });
    server.environment.editor = editor;
    server.environment.folders = folders;
    server.load();
    if let Some(process) = process {
        server.tasks.watch_client(process);
    }
    tracing::info!(
        target: "foretell",
        "foretell {} serves {client}; folders: {}",
        env!("CARGO_PKG_VERSION"),
        server.environment.folders.len(),
    );
    answer(server.encoding, &server.copilot)
}

fn answer(encoding: PositionEncoding, copilot: &CopilotClient) -> MethodResult {
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::Incremental),
        save: Some(SaveOptions::default().into()),
        ..TextDocumentSyncOptions::default()
    };
    let commands = execute_command::COMMANDS.iter();
    // Elsewhere they may be another's: there are editors in which a command has one owner.
    let copilots = execute_command::COPILOTS.iter();
    let commands = commands.chain(copilots.filter(|_| copilot.is_one()));
    let commands = ExecuteCommandOptions {
        commands: commands.map(|it| (*it).to_owned()).collect(),
        ..ExecuteCommandOptions::default()
    };
    let result = InitializeResult {
        capabilities: ServerCapabilities {
            position_encoding: Some(kind_of(encoding)),
            text_document_sync: Some(sync.into()),
            inline_completion_provider: Some(true.into()),
            execute_command_provider: Some(commands),
            ..ServerCapabilities::default()
        },
        server_info: Some(ServerInfo {
            name: "foretell".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }),
    };
    let mut result = serde_json::to_value(result).map_err(MethodRefusal::Unwritable)?;
    result["capabilities"]["workspace"] =
        json!({ "workspaceFolders": { "supported": true, "changeNotifications": true } });
    result["serverInfo"]["protocol"] = PROTOCOL.into();
    MethodReply::now(result)
}

/// The folders that the client has open: as they are named now, or by one of the older names.
fn folders(params: &Value) -> Vec<PathBuf> {
    let named = params.get("workspaceFolders").and_then(Value::as_array);
    if let Some(folders) = named {
        let uris = folders.iter().filter_map(|it| it.get("uri")?.as_str());
        return uris.filter_map(uri::path_of).collect();
    }
    let root = params.get("rootUri").and_then(Value::as_str);
    let root = root.and_then(uri::path_of);
    let path = || Some(PathBuf::from(params.get("rootPath")?.as_str()?));
    let root = root.or_else(path).filter(|it| it.is_absolute());
    root.into_iter().collect()
}

/// The unit of columns from now on.
fn agreed(params: &Value) -> PositionEncoding {
    let offered = params.pointer("/capabilities/general/positionEncodings");
    let offered = offered.and_then(Value::as_array).into_iter().flatten();
    let mut known = offered.filter_map(|it| match it.as_str()? {
        "utf-8" => Some(PositionEncoding::Utf8),
        "utf-16" => Some(PositionEncoding::Utf16),
        "utf-32" => Some(PositionEncoding::Utf32),
        _ => None,
    });
    known.next().unwrap_or_default()
}

fn kind_of(encoding: PositionEncoding) -> PositionEncodingKind {
    match encoding {
        PositionEncoding::Utf8 => PositionEncodingKind::UTF8,
        PositionEncoding::Utf16 => PositionEncodingKind::UTF16,
        PositionEncoding::Utf32 => PositionEncodingKind::UTF32,
    }
}

/// Whether the client says when the person rejects something.
fn reports(params: &Value) -> RejectionReports {
    let said = params.pointer("/capabilities/experimental/foretell/reportsRejections");
    match said.and_then(Value::as_bool) {
        Some(true) => RejectionReports::Explicit,
        Some(false) | None => RejectionReports::Inferred,
    }
}
