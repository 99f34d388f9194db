//! `foretell/didChangeDiagnostics`: what compilers and linters say of a document, and what the editor
//! could do about it.
//!
//! A diagnostic that does not fit the text was made for another one, and is left out; so is a fix whose edits do
//! not, or which is of a diagnostic that is not in the list.

use foretell_core::{Event, fix_standing};
use foretell_text::{
    Diagnostic, DiagnosticFix, DiagnosticSeverity, DocumentId, Edit, PositionEncoding, Replacement,
    Text, Version,
};
use serde_json::Value;

use crate::convert;
use crate::dispatch::{MethodResult, parse};
use crate::server::Server;
use crate::wire_types::{DidChangeDiagnostics, WireDiagnostic, WireEdit, WireFix};

pub(crate) const METHOD: &str = "foretell/didChangeDiagnostics";

/// The tags of what is not needed, which editors draw in grey, and of what is not to be used any more.
const UNNECESSARY: u32 = 1;
const DEPRECATED: u32 = 2;

/// How many diagnostics of a document are taken in, and how many fixes: more do not help.
const MOST: usize = 500;

pub(crate) fn handle(server: &mut Server, params: Value) -> MethodResult<()> {
    let params: DidChangeDiagnostics = parse(METHOD, params)?;
    let document = DocumentId::new(params.uri);
    let version = params.version.map(|it| Version::new(it.into()));
    let encoding = server.encoding;
    // The machine says itself that it does not hold a text.
    let diagnostics = match server.core().text(&document) {
        None => Vec::new(),
        Some(text) => {
            let fixes = params.fixes.get(..MOST).unwrap_or(&params.fixes);
            let read = |it: &WireDiagnostic| diagnostic(text, it, fixes, encoding);
            params
                .diagnostics
                .iter()
                .take(MOST)
                .filter_map(read)
                .collect()
        }
    };
    server.tell(Event::DiagnosticsChanged {
        document,
        version,
        diagnostics,
    });
    Ok(())
}

fn diagnostic(
    text: &Text,
    wire: &WireDiagnostic,
    fixes: &[WireFix],
    encoding: PositionEncoding,
) -> Option<Diagnostic> {
    let is_of_it = |fix: &&WireFix| {
        fix.diagnostic.range == wire.range && fix.diagnostic.message == wire.message
    };
    let fixes = fixes.iter().filter(is_of_it);
    let (source, message) = (wire.source.as_deref(), wire.message.words());
    let standing = |title: &str, is_preferred| fix_standing(source, message, title, is_preferred);
    let fix = |wire: &WireFix| {
        Some(DiagnosticFix {
            title: wire.title.clone(),
            standing: standing(&wire.title, wire.is_preferred),
            edit: edit(text, &wire.edits, encoding)?,
        })
    };
    let is_nudge = wire.tags.contains(&UNNECESSARY) || wire.tags.contains(&DEPRECATED);
    Some(Diagnostic {
        range: convert::range(text, wire.range, encoding).ok()?,
        severity: match wire.severity {
            // "Not needed" and "deprecated" are hints, whatever their severity.
            _ if is_nudge => DiagnosticSeverity::Hint,
            Some(2) => DiagnosticSeverity::Warning,
            Some(3) => DiagnosticSeverity::Information,
            Some(4) => DiagnosticSeverity::Hint,
            // The protocol leaves this one to the client.
            _ => DiagnosticSeverity::Error,
        },
        source: wire.source.clone(),
        code: wire.code.as_ref().and_then(code),
        message: wire.message.words().to_owned(),
        fixes: fixes.filter_map(fix).collect(),
    })
}

/// A code, which may be a number.
fn code(code: &Value) -> Option<String> {
    match code {
        Value::String(code) => Some(code.clone()),
        Value::Number(code) => Some(code.to_string()),
        _ => None,
    }
}

fn edit(text: &Text, edits: &[WireEdit], encoding: PositionEncoding) -> Option<Edit> {
    let replacement = |it: &WireEdit| {
        let range = convert::range(text, convert::ordered(it.range), encoding).ok()?;
        Some(Replacement::new(range, it.new_text.as_str()))
    };
    let replacements: Option<Vec<_>> = edits.iter().map(replacement).collect();
    Edit::new(replacements?).ok()
}
