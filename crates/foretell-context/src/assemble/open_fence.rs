//! Code fences, as Markdown has them: which one is open at the end of a text, and how it is closed.
//!
//! A fence is at least three backticks or tildes at the start of a line, behind at most three spaces.
//! It is closed by a line with nothing but at least as many of the same; everything between is code,
//! other fences included. A line ends with a line feed, a carriage return or both. Whole texts go
//! through here, so it jumps from one backtick or tilde to the next and reads nothing between them.
//! Absent on purpose: fences in quotes and deep in lists, which end together with what holds them.

use memchr::{memchr2, memrchr2};

/// The most spaces before a fence; with more, the line is code anyway.
const MOST_INDENT: usize = 3;
/// The fewest backticks or tildes that are a fence.
const LEAST: usize = 3;

/// A fence that was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OpenFence {
    mark: u8,
    len: usize,
    indent: usize,
    /// Where its line begins.
    pub(super) line_start: usize,
    /// Where its line ends, without the line break.
    pub(super) line_end: usize,
}

impl OpenFence {
    /// Writes the line that closes it, indented like the one that opened it: in a list, another
    /// indent would end the list first and open a fence behind it.
    pub(super) fn close(self, text: &mut String) {
        let mark = char::from(self.mark);
        text.push('\n');
        text.extend(std::iter::repeat_n(' ', self.indent));
        text.extend(std::iter::repeat_n(mark, self.len));
    }

    /// Whether a line closes it.
    pub(super) fn is_closed_by(self, line: &str) -> bool {
        let run = FenceRun::at_start(line.as_bytes());
        run.is_some_and(|run| run.closes(self))
    }
}

/// Whether a line opens a fence where none is open.
pub(super) fn opens(line: &str) -> bool {
    FenceRun::at_start(line.as_bytes()).is_some_and(|run| run.opens())
}

/// The fence that is open at the end of a text.
pub(super) fn open_at_end(text: &str) -> Option<OpenFence> {
    let bytes = text.as_bytes();
    let mut open: Option<OpenFence> = None;
    let mut from = 0;
    while let Some(hit) = bytes.get(from..).and_then(|rest| memchr2(b'`', b'~', rest)) {
        let hit = from + hit;
        from = hit + run_len(bytes, hit);
        if from - hit < LEAST {
            continue;
        }
        let Some(line_start) = start_of_fence(bytes, hit) else {
            continue;
        };
        let line_end = end_of_line(bytes, hit);
        let Some(run) = bytes.get(line_start..line_end).and_then(FenceRun::at_start) else {
            continue;
        };
        match open {
            Some(fence) if run.closes(fence) => open = None,
            None if run.opens() => open = Some(run.fence(line_start, line_end)),
            _ => continue,
        }
        from = line_end;
    }
    open
}

/// Where the line begins that has nothing but an indent before a place. No line is long here: one of
/// many backticks must not be read again for each.
fn start_of_fence(bytes: &[u8], at: usize) -> Option<usize> {
    let before = bytes.get(..at)?.iter().rev();
    let indent = before.take(MOST_INDENT).take_while(|byte| **byte == b' ');
    let start = at - indent.count();
    let is_start = start == 0 || matches!(bytes.get(start - 1), Some(b'\n' | b'\r'));
    is_start.then_some(start)
}

/// Where the line begins that has the byte at a place.
pub(super) fn start_of_line(bytes: &[u8], at: usize) -> usize {
    let before = bytes.get(..at).unwrap_or(bytes);
    memrchr2(b'\n', b'\r', before).map_or(0, |newline| newline + 1)
}

/// Where the line ends that has the byte at a place, without its line break.
pub(super) fn end_of_line(bytes: &[u8], at: usize) -> usize {
    let after = bytes.get(at..).unwrap_or_default();
    memchr2(b'\n', b'\r', after).map_or(bytes.len(), |newline| at + newline)
}

/// Backticks or tildes that begin a line, and what comes behind them.
#[derive(Clone, Copy)]
struct FenceRun<'a> {
    mark: u8,
    len: usize,
    indent: usize,
    rest: &'a [u8],
}

impl<'a> FenceRun<'a> {
    fn at_start(line: &'a [u8]) -> Option<Self> {
        let indent = line.iter().take_while(|byte| **byte == b' ').count();
        let mark = *line.get(indent)?;
        let len = run_len(line, indent);
        let is_fence = indent <= MOST_INDENT && len >= LEAST && matches!(mark, b'`' | b'~');
        let rest = line.get(indent + len..)?;
        is_fence.then_some(FenceRun {
            mark,
            len,
            indent,
            rest,
        })
    }

    /// Backticks with another backtick behind them are code within a line.
    fn opens(self) -> bool {
        self.mark == b'~' || !self.rest.contains(&b'`')
    }

    fn closes(self, fence: OpenFence) -> bool {
        let is_blank = |rest: &[u8]| rest.iter().all(|byte| matches!(byte, b' ' | b'\t'));
        self.mark == fence.mark && self.len >= fence.len && is_blank(self.rest)
    }

    fn fence(self, line_start: usize, line_end: usize) -> OpenFence {
        OpenFence {
            mark: self.mark,
            len: self.len,
            indent: self.indent,
            line_start,
            line_end,
        }
    }
}

/// How often the byte at a place is repeated from there on.
fn run_len(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    let same = |byte: &&u8| rest.first() == Some(*byte);
    rest.iter().take_while(same).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text with what is open at its end closed.
    fn closed(text: &str) -> String {
        let mut closed = text.to_owned();
        if let Some(fence) = open_at_end(text) {
            fence.close(&mut closed);
        }
        closed
    }

    #[test]
    fn an_open_fence_is_closed_by_its_like() {
        assert_eq!(closed("```rust\nlet a;"), "```rust\nlet a;\n```");
        assert_eq!(closed("~~~~ text\na"), "~~~~ text\na\n~~~~");
        assert_eq!(closed("- a\n  ```\n  b"), "- a\n  ```\n  b\n  ```");
    }

    #[test]
    fn a_closed_fence_is_left_alone() {
        for text in [
            "",
            "no code",
            "```\na\n```",
            "```\na\n`````  \t",
            "~~~\n```\n~~~",
            "````\n```\n````",
            "```\r\na\r\n```\r\nb",
            "```\ra\r```\rb",
        ] {
            assert_eq!(open_at_end(text), None, "{text:?}");
        }
    }

    #[test]
    fn what_only_looks_like_a_fence_opens_none() {
        for text in [
            "``\na",
            "    ```\na",
            "say ```\na",
            "```a```\nb",
            "\t```\na",
        ] {
            assert_eq!(open_at_end(text), None, "{text:?}");
        }
    }

    #[test]
    fn what_only_looks_like_an_end_closes_none() {
        for text in [
            "````\n```",
            "```\n~~~",
            "```\n``` x",
            "```\n    ```",
            "```\na ```",
        ] {
            assert!(open_at_end(text).is_some(), "{text:?}");
        }
    }
}
