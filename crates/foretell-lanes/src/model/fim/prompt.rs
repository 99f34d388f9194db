//! Everything that a model is told: the text around the cursor, the context, and the file's name.
//!
//! Made once for every request. Nothing is in it that has not been through the redactor, and no
//! control token of the model it is for. The context comes without secrets and keeps its marks.

use std::fmt;

use foretell_settings::settings;
use foretell_text::{ByteOffset, ByteRange, Text};

use super::super::control_tokens::ControlTokens;
use super::comments;
use super::fim_template::TemplateFilling;
use super::text_window::TextWindow;
use crate::lane_redaction::Marks;
use crate::lane_request::LaneRequest;

/// How much of the cursor's line is looked at on each side, in bytes.
const MOST_OF_LINE: usize = 1 << 10;

/// Languages in which a fence of backticks is text like any other.
const WITH_FENCES: [&str; 6] = ["markdown", "mdx", "rmd", "quarto", "asciidoc", "plaintext"];

/// Everything that a prompt is made of.
pub struct FimPrompt {
    prefix: String,
    suffix: String,
    /// In Markdown.
    context: String,
    /// As comments, each line ended.
    comments: String,
    path_line: String,
    path: String,
    place: CursorPlace,
}

/// Where the cursor is, as far as an answer's end depends on it.
#[derive(Clone)]
pub(super) struct CursorPlace {
    /// The cursor's line up to the cursor, or its beginning if it is very long.
    pub(super) before: String,
    /// The cursor's line from the cursor on, or as much as is near.
    pub(super) rest: String,
    /// The next line that is not blank, as the model knows it.
    pub(super) next: Option<String>,
    /// Whether a fence of backticks may be part of the document.
    pub(super) has_fences: bool,
}

impl FimPrompt {
    /// Reads a request for a model with these control tokens.
    pub fn new(
        request: &LaneRequest,
        settings: &settings::Lane,
        controls: &ControlTokens,
        marks: &mut dyn Marks,
    ) -> FimPrompt {
        let document = &request.document;
        let at = document.text.floor(request.at.get());
        let window = TextWindow::around(
            &document.text,
            at,
            settings.max_prefix_chars,
            settings.max_suffix_chars,
            marks,
        );
        let prefix = controls.without(&window.prefix);
        let suffix = controls.without(&window.suffix);
        let context = controls.without(&request.context);
        let path = controls.without(&marks.redact(&document.file.told()));
        let (before, rest) = around(&document.text, at);
        let place = CursorPlace {
            before,
            rest,
            next: next_line(&suffix).map(str::to_owned),
            has_fences: WITH_FENCES.contains(&document.language.as_str()),
        };
        FimPrompt {
            comments: comments::commented(&document.language, &context),
            path_line: comments::path_line(&document.language, &path),
            prefix,
            suffix,
            context,
            path,
            place,
        }
    }

    /// The document before the cursor.
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// The document behind the cursor.
    pub fn suffix(&self) -> &str {
        &self.suffix
    }

    /// The context, in Markdown.
    pub fn context(&self) -> &str {
        &self.context
    }

    /// The prefix, with what else is told ahead of it as comments.
    pub(super) fn headed_prefix(&self) -> String {
        [&*self.comments, &*self.path_line, &*self.prefix].concat()
    }

    /// The prefix, with the name of the file ahead of it.
    pub(super) fn named_prefix(&self) -> String {
        [&*self.path_line, &*self.prefix].concat()
    }

    pub(super) fn filling(&self) -> TemplateFilling<'_> {
        TemplateFilling {
            prefix: &self.prefix,
            suffix: &self.suffix,
            context: &self.comments,
            path_line: &self.path_line,
            path: &self.path,
        }
    }

    pub(super) fn place(&self) -> &CursorPlace {
        &self.place
    }
}

/// Its lengths only: what people write does not belong in a log.
impl fmt::Debug for FimPrompt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FimPrompt")
            .field("prefix", &self.prefix.len())
            .field("suffix", &self.suffix.len())
            .field("context", &self.context.len())
            .finish_non_exhaustive()
    }
}

/// The line of a place, before it and behind it, as far as it is near.
pub(super) fn around(text: &Text, at: ByteOffset) -> (String, String) {
    let Ok(line) = text.line_at(at) else {
        return (String::new(), String::new());
    };
    let read = |start: ByteOffset, most: ByteOffset| {
        let end = text.floor(most.get().min(start.get().saturating_add(MOST_OF_LINE)));
        let range = ByteRange::new(start, end).ok();
        let read = range.and_then(|range| text.read(range).ok());
        read.unwrap_or_default().into_owned()
    };
    (read(line.start(), at), read(at, line.end()))
}

/// The first line that is not blank behind the line that a suffix begins in.
fn next_line(suffix: &str) -> Option<&str> {
    let (_, below) = suffix.split_once(['\n', '\r'])?;
    let mut lines = below.split(['\n', '\r']);
    lines
        .find(|line| !line.trim().is_empty())
        .map(str::trim_end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_line_is_below_the_cursors() {
        assert_eq!(next_line("rest\n\n  \r\n  next  \nmore"), Some("  next"));
        assert_eq!(next_line("rest"), None);
        assert_eq!(next_line("rest\n \n"), None);
        assert_eq!(next_line("\r\nnext"), Some("next"));
    }
}
