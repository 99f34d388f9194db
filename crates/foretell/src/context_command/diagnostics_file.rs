//! Diagnostics from a file, as a language server sends them.
//!
//! Three shapes are known: what `textDocument/publishDiagnostics` sends, an array of those, and an
//! array of diagnostics, which are then all about the file that was asked about. Anything else is
//! refused with the place in the JSON where it goes wrong. Columns are UTF-16, as in the protocol.
//!
//! A diagnostic that does not fit the text was made for another one. It is left out and counted, and
//! so are those of other files.

use std::fmt;
use std::path::{Path, PathBuf};

use foretell_text::{ByteRange, Diagnostic, DiagnosticSeverity, Position, PositionEncoding, Text};
use serde_json::Value;

/// The diagnostics of one file, from a file of diagnostics.
#[derive(Debug, Default)]
pub(crate) struct FileDiagnostics {
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// How many are about other files.
    pub(crate) elsewhere: usize,
    /// How many are about another text of this file.
    pub(crate) misplaced: usize,
}

/// Reads the diagnostics of a file with a text.
pub(crate) fn read(
    json: &str,
    file: &Path,
    text: &Text,
) -> Result<FileDiagnostics, NotDiagnostics> {
    let json: Value = serde_json::from_str(json).map_err(|why| NotDiagnostics {
        at: format!("line {}, column {}", why.line(), why.column()),
        why: match why.classify() {
            serde_json::error::Category::Eof => "it ends too early",
            _ => "it is not JSON",
        },
    })?;
    let mut reported = FileDiagnostics::default();
    let whole = JsonPath::default();
    match &json {
        Value::Object(_) => reported.published(&json, &whole, file, text)?,
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                let at = whole.item(index);
                match item.get("diagnostics") {
                    Some(_) => reported.published(item, &at, file, text)?,
                    None => reported.diagnostic(item, &at, text)?,
                }
            }
        }
        _ => return Err(whole.refuse("an array of diagnostics is expected")),
    }
    Ok(reported)
}

impl FileDiagnostics {
    /// The diagnostics of one file, as a server publishes them.
    fn published(
        &mut self,
        json: &Value,
        at: &JsonPath,
        file: &Path,
        text: &Text,
    ) -> Result<(), NotDiagnostics> {
        let (items, at_items) = (json.get("diagnostics"), at.field("diagnostics"));
        let items = items.and_then(Value::as_array);
        let items = items.ok_or_else(|| at_items.refuse("an array is expected"))?;
        let uri = json.get("uri").and_then(Value::as_str);
        let uri = uri.ok_or_else(|| at.field("uri").refuse("a text is expected"))?;
        if !path_of(uri).is_some_and(|path| is_same(&path, file)) {
            self.elsewhere += items.len();
            return Ok(());
        }
        for (index, item) in items.iter().enumerate() {
            self.diagnostic(item, &at_items.item(index), text)?;
        }
        Ok(())
    }

    fn diagnostic(
        &mut self,
        json: &Value,
        at: &JsonPath,
        text: &Text,
    ) -> Result<(), NotDiagnostics> {
        let (range, at_range) = (json.get("range"), at.field("range"));
        let range = range.ok_or_else(|| at_range.refuse("a range is expected"))?;
        let start = position(range, &at_range, "start")?;
        let end = position(range, &at_range, "end")?;
        let severity = match json.get("severity").filter(|it| !it.is_null()) {
            // The protocol leaves it to the client.
            None => DiagnosticSeverity::Error,
            Some(number) => match number.as_u64() {
                Some(1) => DiagnosticSeverity::Error,
                Some(2) => DiagnosticSeverity::Warning,
                Some(3) => DiagnosticSeverity::Information,
                Some(4) => DiagnosticSeverity::Hint,
                _ => {
                    return Err(at
                        .field("severity")
                        .refuse("a number from 1 to 4 is expected"));
                }
            },
        };
        let message = match json.get("message") {
            Some(Value::String(message)) => Some(message.as_str()),
            // Markup, as newer servers may send it.
            Some(markup) => markup.get("value").and_then(Value::as_str),
            None => None,
        };
        let message = message.ok_or_else(|| at.field("message").refuse("a text is expected"))?;
        let offset = |position| text.offset_at_lsp(position, PositionEncoding::Utf16).ok();
        let range = offset(start).zip(offset(end));
        let range = range.and_then(|(start, end)| ByteRange::new(start, end).ok());
        let Some(range) = range else {
            self.misplaced += 1;
            return Ok(());
        };
        let word = |name| json.get(name).and_then(Value::as_str).map(str::to_owned);
        let numbered = || json.get("code")?.as_i64().map(|code| code.to_string());
        self.diagnostics.push(Diagnostic {
            range,
            severity,
            source: word("source"),
            code: word("code").or_else(numbered),
            message: message.to_owned(),
            fixes: Vec::new(),
        });
        Ok(())
    }
}

fn position(range: &Value, at: &JsonPath, end: &str) -> Result<Position, NotDiagnostics> {
    let number = |name: &str| {
        let number = range.get(end).and_then(|it| it.get(name)?.as_u64());
        let at = at.field(end).field(name);
        let number = number.ok_or_else(|| at.refuse("a number is expected"))?;
        // More than a text can have is as good as the most that can be said.
        Ok(u32::try_from(number).unwrap_or(u32::MAX))
    };
    Ok(Position::new(number("line")?, number("character")?))
}

/// The file of a `file:` URI.
fn path_of(uri: &str) -> Option<PathBuf> {
    let path = uri.strip_prefix("file://")?;
    let path = path.strip_prefix("localhost").unwrap_or(path);
    let path = decoded(path)?;
    // `/C:/src` is `C:/src` where there are drives.
    let drive = |path: &str| matches!(path.as_bytes(), [b'/', letter, b':', ..] if letter.is_ascii_alphabetic());
    if cfg!(windows) && drive(&path) {
        path.strip_prefix('/').map(PathBuf::from)
    } else {
        Some(PathBuf::from(path))
    }
}

/// A text in which `%20` is a space again.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let high = char::from(rest.next()?).to_digit(16)?;
        let low = char::from(rest.next()?).to_digit(16)?;
        bytes.push(u8::try_from(high * 16 + low).ok()?);
    }
    String::from_utf8(bytes).ok()
}

/// Whether two paths lead to the same file.
fn is_same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    one == other || real(one) == real(other)
}

/// JSON that is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{at}: {why}")]
pub(crate) struct NotDiagnostics {
    at: String,
    why: &'static str,
}

/// A place in a JSON value, such as `[0].diagnostics[2].range`.
#[derive(Clone, Debug, Default)]
struct JsonPath(String);

impl JsonPath {
    fn field(&self, name: &str) -> JsonPath {
        let dot = if self.0.is_empty() { "" } else { "." };
        JsonPath(format!("{}{dot}{name}", self.0))
    }

    fn item(&self, index: usize) -> JsonPath {
        JsonPath(format!("{}[{index}]", self.0))
    }

    fn refuse(&self, why: &'static str) -> NotDiagnostics {
        let at = self.to_string();
        NotDiagnostics { at, why }
    }
}

impl fmt::Display for JsonPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_str() {
            "" => f.write_str("the whole"),
            at => f.write_str(at),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RANGE: &str =
        r#""range":{"start":{"line":1,"character":6},"end":{"line":1,"character":9}}"#;

    fn read_in(json: &str) -> Result<FileDiagnostics, String> {
        let text = Text::from("one\nlet 😀two = 3\n");
        read(json, Path::new("/w/a b.ts"), &text).map_err(|why| why.to_string())
    }

    #[test]
    fn all_three_shapes_are_read() {
        let one = format!(r#"{{{RANGE},"message":"m","severity":2,"source":"tsc","code":7}}"#);
        let published = format!(r#"{{"uri":"file:///w/a%20b.ts","diagnostics":[{one}]}}"#);
        for json in [
            format!("[{one}]"),
            published.clone(),
            format!("[{published}]"),
        ] {
            let reported = read_in(&json).unwrap();
            let [only] = reported.diagnostics.as_slice() else {
                panic!("{json}");
            };
            assert_eq!((only.range.start().get(), only.range.end().get()), (12, 15));
            assert_eq!(only.severity, DiagnosticSeverity::Warning);
            assert_eq!(only.source.as_deref(), Some("tsc"));
            assert_eq!(only.code.as_deref(), Some("7"));
        }
        assert!(read_in("[]").unwrap().diagnostics.is_empty());
    }

    #[test]
    fn what_is_about_something_else_is_counted_and_left_out() {
        let one = format!(r#"{{{RANGE},"message":"m"}}"#);
        let other = format!(r#"{{"uri":"file:///w/b.ts","diagnostics":[{one},{one}]}}"#);
        let far = one.replace(r#""line":1"#, r#""line":9"#);
        let reported = read_in(&format!("[{other},{far},{one}]")).unwrap();
        let FileDiagnostics {
            diagnostics,
            elsewhere,
            misplaced,
        } = reported;
        assert_eq!((diagnostics.len(), elsewhere, misplaced), (1, 2, 1));
    }

    #[test]
    fn what_is_wrong_says_where() {
        let refused = |json: &str| read_in(json).unwrap_err();
        assert_eq!(refused("[\n  {]"), "line 2, column 4: it is not JSON");
        assert_eq!(refused("["), "line 1, column 1: it ends too early");
        assert_eq!(
            refused("3"),
            "the whole: an array of diagnostics is expected"
        );
        assert_eq!(refused("{}"), "diagnostics: an array is expected");
        assert_eq!(refused("[3]"), "[0].range: a range is expected");
        assert_eq!(
            refused(r#"{"uri":"file:///w/a%20b.ts","diagnostics":[{"range":{"start":{}}}]}"#),
            "diagnostics[0].range.start.line: a number is expected"
        );
        assert_eq!(
            refused(&format!(r#"[{{{RANGE},"severity":9}}]"#)),
            "[0].severity: a number from 1 to 4 is expected"
        );
        assert_eq!(
            refused(&format!("[{{{RANGE}}}]")),
            "[0].message: a text is expected"
        );
    }

    #[test]
    fn uris_are_decoded() {
        let path = |uri| path_of(uri).map(|path| path.display().to_string());
        assert_eq!(path("file:///a%20b/%C3%B6"), Some("/a b/ö".into()));
        assert_eq!(path("file://localhost/a"), Some("/a".into()));
        assert_eq!(path("untitled:1"), None);
        assert_eq!(path("file:///a%2"), None);
        assert_eq!(path("file:///a%ff"), None);
    }
}
