//! A script: what the FIM lane says where, for tests.
//!
//! It is a JSON list. The first entry whose `after` is what the line before the cursor ends with is
//! the answer: `insert` at the cursor, `delayMs` after the lane was started.
//!
//! ```
//! use foretell_lsp::LaneScript;
//!
//! let script = r#"[{"after": "let x", "insert": " = 1;", "delayMs": 50}]"#;
//! assert!(LaneScript::from_json(script).is_ok());
//! ```
//!
//! Absent on purpose: files. The caller reads the script.

use std::sync::Arc;
use std::time::Duration;

use foretell_engine::reexports::{Lane, LaneAnswer, LaneFuture, LaneRequest};
use foretell_text::{ByteOffset, ByteRange, Edit, LaneCandidate, Replacement, Text};
use serde::Deserialize;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

/// The suggestions of a lane, by place. The default has none.
#[derive(Clone, Debug, Default)]
pub struct LaneScript {
    entries: Vec<ScriptEntry>,
}

/// One thing to say.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ScriptEntry {
    after: String,
    pub(crate) insert: String,
    #[serde(default)]
    pub(crate) delay_ms: u64,
}

impl LaneScript {
    /// The script that a JSON text is.
    pub fn from_json(json: &str) -> Result<Self, ScriptError> {
        let entries = serde_json::from_str(json)?;
        Ok(LaneScript { entries })
    }

    /// The first entry that fits a place.
    pub(crate) fn entry_at(&self, text: &Text, at: ByteOffset) -> Option<&ScriptEntry> {
        let line = text.line_at(at).ok()?;
        let before = ByteRange::new(line.start(), at).ok()?;
        let before = text.read(before).ok()?;
        let mut entries = self.entries.iter();
        entries.find(|entry| before.ends_with(&entry.after))
    }
}

impl Lane for LaneScript {
    /// Thinks for as long as the script says, and answers about the text as it was.
    fn ask(&self, request: Arc<LaneRequest>, _stop: CancellationToken) -> LaneFuture {
        let entry = self.entry_at(&request.document.text, request.at).cloned();
        Box::pin(async move {
            let Some(entry) = entry else {
                return Ok(LaneAnswer::default());
            };
            sleep(Duration::from_millis(entry.delay_ms)).await;
            let insertion = Replacement::insertion(request.at, entry.insert.as_str());
            let candidate = LaneCandidate::new(request.document.id.clone(), Edit::from(insertion));
            Ok(LaneAnswer {
                candidates: vec![candidate],
                ..LaneAnswer::default()
            })
        })
    }
}

/// A text that is not a script.
#[derive(Debug, thiserror::Error)]
#[error("not a script")]
pub struct ScriptError {
    /// The parser's error.
    #[from]
    source: serde_json::Error,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_that_fits_the_line_before_the_cursor_speaks() {
        let script = r#"[
            {"after": "let x", "insert": " = 1;"},
            {"after": "x", "insert": "y", "delayMs": 5}
        ]"#;
        let script = LaneScript::from_json(script).unwrap();
        let said = |text: &str, at: usize| {
            let entry = script.entry_at(&Text::from(text), ByteOffset::new(at));
            entry.map(|entry| (entry.insert.clone(), entry.delay_ms))
        };
        assert_eq!(said("let x", 5), Some((" = 1;".to_owned(), 0)));
        assert_eq!(said("let\nx", 5), Some(("y".to_owned(), 5)));
        assert_eq!(said("let x", 4), None);
        assert_eq!(said("let x", 9), None, "no such place");
    }

    #[test]
    fn what_is_no_script_is_refused() {
        for wrong in ["", "{}", "[{}]", r#"[{"after":"","insert":"","delay":1}]"#] {
            assert!(LaneScript::from_json(wrong).is_err(), "{wrong}");
        }
    }
}
