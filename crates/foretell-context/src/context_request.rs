//! The place a context is for: a snapshot that every source can keep, so that none waits for
//! another and none sees the text change under it.
//!
//! It is plain data, cheap to clone but for what the person typed, and holds no more than the
//! sources ask for. Offsets are taken as they come: a cursor or a selection that is not in the text
//! counts as the place nearest to it, since a context for about there is better than none.
//!
//! Absent on purpose: how it came about, who waits for it, and how much there is room for.

use std::fmt;
use std::ops::RangeInclusive;

use foretell_text::{
    ByteOffset, ByteRange, Diagnostic, FilePath, Language, PositionEncoding, RecentEdit, Text,
};

/// The place that a context is asked for.
#[derive(Clone)]
pub struct ContextRequest {
    /// The file the person is in.
    pub file: FilePath,
    /// Its language.
    pub language: Language,
    /// Its text.
    pub text: Text,
    /// Where the cursor is.
    pub cursor: ByteOffset,
    /// The selection, unless nothing is selected.
    pub selection: Option<ByteRange>,
    /// The person's wish, in their words; often empty.
    pub instruction: String,
    /// The diagnostics of the file.
    pub diagnostics: Vec<Diagnostic>,
    /// The person's latest changes, in this file and in others.
    pub changes: Vec<FileChange>,
}

impl ContextRequest {
    /// The lines that it is about, the first line of a file being 0: those of the selection, or the
    /// one that the cursor is on. A line of which only the start is selected does not count.
    pub fn lines(&self) -> RangeInclusive<u32> {
        let Some(selection) = self.selection.filter(|selection| !selection.is_empty()) else {
            let line = self.line_of(self.cursor);
            return line..=line;
        };
        let first = self.line_of(selection.start());
        let before_end = ByteOffset::new(selection.end().get().saturating_sub(1));
        first..=self.line_of(before_end).max(first)
    }

    /// The selected text; none if the selection is not in the text.
    pub fn selected(&self) -> String {
        let selection = self.selection.unwrap_or_default();
        let text = self.text.read(selection);
        text.map_or_else(|_| String::new(), Into::into)
    }

    /// The line of a place, or of the nearest one in the text.
    fn line_of(&self, offset: ByteOffset) -> u32 {
        let near = self.text.floor(offset.get());
        let position = self.text.position_of(near, PositionEncoding::Utf8);
        position.map_or(0, |position| position.line)
    }
}

/// Which place and how much: what people write and want does not belong in a log.
impl fmt::Debug for ContextRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ContextRequest")
            .field("file", &self.file)
            .field("language", &self.language)
            .field("text", &self.text)
            .field("cursor", &self.cursor)
            .field("selection", &self.selection)
            .field("instruction_bytes", &self.instruction.len())
            .field("diagnostics", &self.diagnostics.len())
            .field("changes", &self.changes.len())
            .finish()
    }
}

/// A recent change and the file it was made in.
#[derive(Clone, Debug)]
pub struct FileChange {
    /// In which file.
    pub file: FilePath,
    /// Its language.
    pub language: Language,
    /// The text of the file now.
    pub text: Text,
    /// The change, and where it is now.
    pub edit: RecentEdit,
    /// How the file was right after it, if that is known.
    pub made: Option<ChangeMoment>,
}

/// A file right after a change, ahead of all later ones.
#[derive(Clone, Debug)]
pub struct ChangeMoment {
    /// Its text.
    pub text: Text,
    /// Where in it the new text of the change stood.
    pub range: ByteRange,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(start: usize, end: usize) -> ByteRange {
        ByteRange::new(ByteOffset::new(start), ByteOffset::new(end)).unwrap()
    }

    fn request(cursor: usize, selection: Option<ByteRange>) -> ContextRequest {
        ContextRequest {
            file: FilePath::new("a.rs"),
            language: Language::new("rust"),
            text: Text::from("one\ntwo\nthr😀\n"),
            cursor: ByteOffset::new(cursor),
            selection,
            instruction: "say hunter2".into(),
            diagnostics: Vec::new(),
            changes: Vec::new(),
        }
    }

    #[test]
    fn it_is_about_the_line_of_the_cursor_or_the_lines_of_the_selection() {
        assert_eq!(request(5, None).lines(), 1..=1);
        assert_eq!(request(0, Some(range(1, 6))).lines(), 0..=1);
        assert_eq!(request(0, Some(range(4, 8))).lines(), 1..=1);
        assert_eq!(request(5, Some(range(0, 0))).lines(), 1..=1);
        assert_eq!(request(0, Some(range(4, 8))).selected(), "two\n");
    }

    #[test]
    fn a_place_that_is_not_there_is_the_nearest_one() {
        assert_eq!(request(900, None).lines(), 3..=3);
        assert_eq!(request(13, None).lines(), 2..=2);
        let wild = request(0, Some(range(800, 900)));
        assert_eq!((wild.lines(), wild.selected()), (3..=3, String::new()));
    }

    #[test]
    fn what_the_person_wants_is_not_logged() {
        let logged = format!("{:?}", request(0, None));
        assert!(!logged.contains("hunter2") && !logged.contains("two"));
    }
}
