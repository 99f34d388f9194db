//! The edits of recorded sessions, read from trace files.
//!
//! Separate because it knows a format, where the rest knows texts. Of a trace, only what opens and
//! edits a document is read. The recordings are not part of the project: where there are none, there
//! is nothing to read.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// A change: a UTF-16 offset in the text before, how many units go, and what comes instead.
pub(crate) struct Change {
    pub(crate) at: usize,
    pub(crate) delete: usize,
    pub(crate) insert: String,
}

/// Texts and the edits made to them, one after the other.
#[derive(Default)]
pub(crate) struct Edits {
    /// The texts as they were opened. A document that is opened again is another one.
    pub(crate) opened: Vec<String>,
    /// The index of the text of each edit, and its changes: sorted, disjoint, in the text before.
    pub(crate) edits: Vec<(usize, Vec<Change>)>,
}

impl Edits {
    /// Reads all sessions in `TEST_FORETELL_TRACES`, or else in `shared/traces` beside the workspace,
    /// if there are any.
    pub(crate) fn of_sessions() -> Option<Self> {
        let traces = std::env::var_os("TEST_FORETELL_TRACES").map_or_else(
            || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/traces"),
            PathBuf::from,
        );
        let entries = fs::read_dir(traces.join("sessions")).ok()?;
        let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        files.retain(|file| file.extension().is_some_and(|name| name == "jsonl"));
        files.sort();
        let mut edits = Self::default();
        for file in files {
            let trace = fs::read_to_string(&file).expect("a trace can be read");
            let mut open = BTreeMap::new();
            for (index, line) in trace.lines().enumerate() {
                if edits.add(&mut open, line).is_none() {
                    panic!("{}:{}: not of a UTF-16 trace", file.display(), index + 1);
                }
            }
        }
        (!edits.edits.is_empty()).then_some(edits)
    }

    /// Adds a line of a trace, unless something is wrong with it. `open` are the documents so far.
    fn add(&mut self, open: &mut BTreeMap<String, usize>, line: &str) -> Option<()> {
        let line: Value = serde_json::from_str(line).ok()?;
        match line["event"].as_str() {
            // Only the header is no event.
            None if line["offsets"] != "utf-16" => return None,
            Some("open") => {
                open.insert(line["doc"].as_str()?.to_owned(), self.opened.len());
                self.opened.push(line["text"].as_str()?.to_owned());
            }
            Some("edit") => {
                let changes = line["changes"].as_array()?.iter().map(change);
                let document = *open.get(line["doc"].as_str()?)?;
                self.edits.push((document, changes.collect::<Option<_>>()?));
            }
            _ => {}
        }
        Some(())
    }
}

fn change(value: &Value) -> Option<Change> {
    Some(Change {
        at: value["at"].as_u64()? as usize,
        delete: value["delete"].as_u64()? as usize,
        insert: value["insert"].as_str()?.to_owned(),
    })
}
