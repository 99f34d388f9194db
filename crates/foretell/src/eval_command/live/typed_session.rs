//! [`TypedRepository`]: commits as sessions, each typed key by key.
//!
//! Few people record how they work, and every repository has a history. So a commit becomes a session:
//! the files that it changes are open as they were, and each of its hunks is typed from the top of the
//! file to its end, five keys a second. Before each change the person moves the cursor there; they rest for
//! three seconds between hunks and one within them. What is gone is selected and typed over, a whole new
//! line is typed behind the line before it, and the blanks at the start of a line come with its line
//! break, as in any editor.
//!
//! It is a plainer person than any: they never err, and never go back. So it says less of when something
//! is offered than a recording, and more of what.

use std::collections::BTreeMap;
use std::ops::Range;

use foretell_text::Language;
use foretell_trace::Trace;
use serde_json::{Value, json};

use super::super::commit_files::{CommitFiles, FileInHunks, added_lines};
use super::super::git_history::{CommitPatch, PatchHunk};
use super::super::typing::MOST_LINES;
use super::super::word_difference;

/// In milliseconds.
const KEY: u64 = 200;
const REST_AFTER_HUNK: u64 = 3_000;
const REST_WITHIN_HUNK: u64 = 1_000;
const REST_BEFORE_KEY: u64 = 500;

/// A repository whose commits are typed.
pub(super) struct TypedRepository(CommitFiles);

impl TypedRepository {
    pub(super) fn new(base: &BTreeMap<String, String>) -> Self {
        TypedRepository(CommitFiles::new(base))
    }

    /// Puts a commit in, and nobody types.
    pub(super) fn put(&mut self, commit: &CommitPatch) {
        self.0.put(commit);
    }

    /// A commit as a session; nothing, if it is too large, or changes no file that was there.
    pub(super) fn session(&self, commit: &CommitPatch) -> Option<Trace> {
        let changed = self.0.changed(commit);
        if changed.is_empty() || added_lines(commit) > MOST_LINES {
            return None;
        }
        let mut session = SessionLines::new();
        for (patch, file) in &changed {
            session.event(json!({
                "event": "open",
                "doc": document(&patch.path),
                "language": Language::of_file(&patch.path).as_str(),
                "text": file.text(),
            }));
        }
        for (patch, file) in changed {
            let document = document(&patch.path);
            session.now += REST_AFTER_HUNK;
            session.event(json!({ "event": "focus", "doc": document }));
            let mut file = file;
            for hunk in &patch.hunks {
                file = session.hunk(&document, &file, hunk);
            }
        }
        let name = commit.name.get(..10).unwrap_or(&commit.name);
        Trace::read(name, session.lines.as_bytes()).ok()
    }
}

fn document(path: &str) -> String {
    format!("file:///{path}")
}

/// The lines of a session in the making.
struct SessionLines {
    lines: String,
    now: u64,
}

impl SessionLines {
    fn new() -> Self {
        SessionLines {
            lines: "{\"foretell\":\"trace\",\"version\":1,\"offsets\":\"utf-8\"}\n".to_owned(),
            now: 0,
        }
    }

    fn event(&mut self, mut event: Value) {
        if let Some(fields) = event.as_object_mut() {
            fields.insert("t".to_owned(), json!(self.now));
        }
        self.lines += &event.to_string();
        self.lines.push('\n');
    }

    /// Types a hunk, and gives the file as it is then.
    fn hunk(&mut self, document: &str, file: &FileInHunks, hunk: &PatchHunk) -> FileInHunks {
        let after = file.with(hunk);
        let (old, new) = (file.text(), after.text());
        let mut shift = 0;
        self.now += REST_AFTER_HUNK - REST_WITHIN_HUNK;
        for change in word_difference::changes(&old, &new) {
            let put = new.get(change.new).unwrap_or_default();
            let (gone, put) = behind_the_line_before(&old, change.old, put);
            let at = usize::try_from(gone.start as isize + shift).unwrap_or_default();
            shift += put.len() as isize - gone.len() as isize;
            self.now += REST_WITHIN_HUNK;
            self.change(document, at, gone.len(), &put);
        }
        after
    }

    fn change(&mut self, document: &str, at: usize, gone: usize, put: &str) {
        self.event(json!({ "event": "select", "doc": document, "selections": [[at, at + gone]] }));
        self.now += REST_BEFORE_KEY;
        let (mut at, mut gone) = (at, gone);
        let keys = if put.is_empty() { vec![""] } else { keys(put) };
        for key in keys {
            let change = json!({ "at": at, "delete": gone, "insert": key });
            self.event(json!({ "event": "edit", "doc": document, "changes": [change] }));
            (at, gone) = (at + key.len(), 0);
            self.event(json!({ "event": "select", "doc": document, "selections": [[at, at]] }));
            self.now += KEY;
        }
    }
}

/// A new line in front of another is typed behind the one before it.
fn behind_the_line_before(old: &str, gone: Range<usize>, put: &str) -> (Range<usize>, String) {
    let line = put.strip_suffix('\n').filter(|_| gone.is_empty());
    let before = gone.start.checked_sub(1);
    match (line, before) {
        (Some(line), Some(before)) if old.as_bytes().get(before) == Some(&b'\n') => {
            (before..before, format!("\n{line}"))
        }
        _ => (gone, put.to_owned()),
    }
}

/// What each key puts in: a character, or a line break with the blanks behind it.
fn keys(put: &str) -> Vec<&str> {
    let (mut keys, mut rest) = (Vec::new(), put);
    while let Some(first) = rest.chars().next() {
        let broken = rest.strip_prefix("\r\n").or(rest.strip_prefix('\n'));
        let end = match broken {
            Some(line) => rest.len() - line.trim_start_matches([' ', '\t']).len(),
            None => first.len_utf8(),
        };
        let (key, next) = rest.split_at(end);
        keys.push(key);
        rest = next;
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_break_comes_with_the_blanks_behind_it() {
        assert_eq!(keys("é;\n  x"), ["é", ";", "\n  ", "x"]);
    }

    #[test]
    fn a_new_line_is_typed_behind_the_one_before() {
        let typed = behind_the_line_before("a\nb\n", 2..2, "  x\n");
        assert_eq!(typed, (1..1, "\n  x".to_owned()));
        let typed = behind_the_line_before("a\nb\n", 0..0, "x\n");
        assert_eq!(typed, (0..0, "x\n".to_owned()));
    }
}
