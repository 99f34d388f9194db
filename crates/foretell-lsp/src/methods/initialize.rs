//! `initialize`: what the server can do, and what columns count.
//!
//! Of the encodings that the client offers, the first that we know is taken, because it names them in
//! the order it likes; without an offer it is UTF-16. Absent on purpose: settings, which a later
//! version reads from the client's options.

use foretell_core::{Event, Moment, RejectionReports};
use foretell_text::Encoding;
use gen_lsp_types::{
    ClientCapabilities, ExecuteCommandOptions, InitializeParams, InitializeResult,
    PositionEncodingKind, ServerCapabilities, ServerInfo, TextDocumentSyncKind,
    TextDocumentSyncOptions,
};
use serde_json::Value;

use super::execute_command::ACCEPT;
use crate::dispatch::{Refusal, Reply, parse};
use crate::server::{Server, Stage};

pub(crate) const METHOD: &str = "initialize";

pub(crate) fn handle(server: &mut Server, now: Moment, params: Value) -> Result<Reply, Refusal> {
    let params: InitializeParams = parse(METHOD, params)?;
    server.encoding = agreed(&params.capabilities);
    server.stage = Stage::Running;
    let rejections = reports(&params.capabilities);
    server.tell(now, Event::ClientConnected { rejections });
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::Incremental),
        ..TextDocumentSyncOptions::default()
    };
    let commands = ExecuteCommandOptions {
        commands: vec![ACCEPT.to_owned()],
        ..ExecuteCommandOptions::default()
    };
    Reply::now(InitializeResult {
        capabilities: ServerCapabilities {
            position_encoding: Some(kind_of(server.encoding)),
            text_document_sync: Some(sync.into()),
            inline_completion_provider: Some(true.into()),
            execute_command_provider: Some(commands),
            ..ServerCapabilities::default()
        },
        server_info: Some(ServerInfo {
            name: "foretell".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }),
    })
}

/// What columns count from now on.
fn agreed(client: &ClientCapabilities) -> Encoding {
    let general = client.general.as_ref();
    let offered = general.and_then(|general| general.position_encodings.as_deref());
    let mut known = offered.unwrap_or_default().iter().filter_map(encoding_of);
    known.next().unwrap_or_default()
}

fn encoding_of(kind: &PositionEncodingKind) -> Option<Encoding> {
    match kind {
        PositionEncodingKind::UTF8 => Some(Encoding::Utf8),
        PositionEncodingKind::UTF16 => Some(Encoding::Utf16),
        PositionEncodingKind::UTF32 => Some(Encoding::Utf32),
        PositionEncodingKind::Custom(_) => None,
    }
}

fn kind_of(encoding: Encoding) -> PositionEncodingKind {
    match encoding {
        Encoding::Utf8 => PositionEncodingKind::UTF8,
        Encoding::Utf16 => PositionEncodingKind::UTF16,
        Encoding::Utf32 => PositionEncodingKind::UTF32,
    }
}

/// Whether the client says when the person rejects something.
fn reports(client: &ClientCapabilities) -> RejectionReports {
    let experimental = client.experimental.as_ref();
    let said = experimental.and_then(|it| it.pointer("/foretell/reportsRejections"));
    match said.and_then(Value::as_bool) {
        Some(true) => RejectionReports::Explicit,
        Some(false) | None => RejectionReports::Inferred,
    }
}
