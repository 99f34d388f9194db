//! Everything that a model is told: the text around the cursor, the context, and the file's name.
//!
//! Made once for every request, in one of two ways. A *staying* prompt is the last one again, but for
//! what was typed since, if it can be ([`PromptMemory`]); its context is pieces of code. A *following*
//! prompt is made around the cursor each time, with the context in Markdown: for templates of the
//! person's own, which say themselves what goes where, and for servers that bill what they are told and
//! keep nothing of it.
//!
//! Nothing is in it that has not been through the redactor, and no control token of the model it is
//! for. The context comes without secrets and keeps its marks.

use std::fmt;

use foretell_settings::settings;
use foretell_text::{ByteOffset, ByteRange, ContextPiece, Text};

use super::super::control_tokens::ControlTokens;
use super::comments;
use super::fim_template::TemplateFilling;
use super::prompt_memory::{PromptKey, PromptMemory, PromptParts};
use super::text_window::{StayingWindow, TextWindow};
use super::window_bounds::WindowLimits;
use crate::lane_redaction::SecretMarks;
use crate::lane_request::LaneRequest;

/// How much of the cursor's line is looked at on each side, in bytes.
const MOST_OF_LINE: usize = 1 << 10;

/// Languages in which a fence of backticks is text like any other.
const WITH_FENCES: [&str; 6] = ["markdown", "mdx", "rmd", "quarto", "asciidoc", "plaintext"];

/// Everything that a prompt is made of.
pub struct FimPrompt {
    prefix: String,
    typed: String,
    suffix: String,
    pieces: Vec<ContextPiece>,
    /// The context as comments, each line ended.
    comments: String,
    path_line: String,
    path: String,
    place: CursorPlace,
}

/// Where the cursor is, as far as an answer's end depends on it.
#[derive(Clone, Default)]
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

impl CursorPlace {
    /// A place in a request's document, given what is told of the text behind it.
    fn of(request: &LaneRequest, at: ByteOffset, suffix: &str) -> CursorPlace {
        let document = &request.document;
        let (before, rest) = around(&document.text, at);
        CursorPlace {
            before,
            rest,
            next: next_line(suffix).map(str::to_owned),
            has_fences: WITH_FENCES.contains(&document.language.as_str()),
        }
    }
}

impl FimPrompt {
    /// A prompt around the cursor, for a model with these control tokens.
    pub fn following(
        request: &LaneRequest,
        settings: &settings::LaneSettings,
        controls: &ControlTokens,
        marks: &mut dyn SecretMarks,
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
        let context = controls.without(&request.context.markdown());
        let suffix = controls.without(&window.suffix);
        FimPrompt {
            comments: comments::commented(&document.language, &context),
            prefix: controls.without(&window.prefix),
            place: CursorPlace::of(request, at, &suffix),
            suffix,
            ..FimPrompt::named(request, controls, marks)
        }
    }

    /// A prompt that is the last one for the document and the model again, but for its end, if it can
    /// be; `memory` has the last ones.
    pub fn staying(
        request: &LaneRequest,
        settings: &settings::LaneSettings,
        model: &str,
        controls: &ControlTokens,
        marks: &mut dyn SecretMarks,
        memory: &mut PromptMemory,
    ) -> FimPrompt {
        let document = &request.document;
        let at = document.text.floor(request.at.get());
        let key = PromptKey {
            document: document.id.clone(),
            model: model.to_owned(),
        };
        let limits = WindowLimits {
            before: settings.max_prefix_chars,
            behind: settings.max_suffix_chars,
            kept: memory.kept_limits(),
        };
        let plan = memory.plan(&key, request, at, limits);
        let window = StayingWindow::of(&document.text, &plan.bounds, limits, marks);
        let now = PromptParts {
            pieces: pieces(request, controls, &window),
            prefix: controls.without(&window.prefix),
            suffix: controls.without(&window.suffix),
        };
        let PromptParts {
            pieces,
            prefix,
            suffix,
        } = memory.freeze(key, plan, request, now, marks);
        FimPrompt {
            comments: comments::pieces(&document.language, &pieces),
            pieces,
            prefix,
            typed: controls.without(&window.typed),
            place: CursorPlace::of(request, at, &suffix),
            suffix,
            ..FimPrompt::named(request, controls, marks)
        }
    }

    /// Nothing but what the file is called.
    fn named(
        request: &LaneRequest,
        controls: &ControlTokens,
        marks: &mut dyn SecretMarks,
    ) -> FimPrompt {
        let document = &request.document;
        let path = controls.without(&marks.redact(&document.file.told()));
        FimPrompt {
            prefix: String::new(),
            typed: String::new(),
            suffix: String::new(),
            pieces: Vec::new(),
            comments: String::new(),
            path_line: comments::path_line(&document.language, &path),
            path,
            place: CursorPlace::default(),
        }
    }

    /// The document before the cursor, up to what was typed since the prompt was made.
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// What was typed since the prompt was made, with the beginning of its line.
    pub fn typed(&self) -> &str {
        &self.typed
    }

    /// The document behind the cursor.
    pub fn suffix(&self) -> &str {
        &self.suffix
    }

    /// Code of other files.
    pub fn pieces(&self) -> &[ContextPiece] {
        &self.pieces
    }

    /// How many blanks stand ahead of the cursor's line, and whether they are tabs.
    pub(super) fn indent(&self) -> (usize, bool) {
        let line = &self.place.before;
        let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
        (blanks, line.starts_with('\t'))
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
            pieces: &self.pieces,
            typed: &self.typed,
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
            .field("typed", &self.typed.len())
            .field("suffix", &self.suffix.len())
            .field("pieces", &self.pieces.len())
            .finish_non_exhaustive()
    }
}

/// The pieces of a request's context that say something which is not told anyway.
fn pieces(
    request: &LaneRequest,
    controls: &ControlTokens,
    window: &StayingWindow,
) -> Vec<ContextPiece> {
    let told = [&*window.prefix, &*window.typed, &*window.suffix].concat();
    let is_new = |piece: &&ContextPiece| {
        let text = piece.text.trim();
        !text.is_empty() && !told.contains(text)
    };
    let pieces = request.context.pieces().filter(is_new);
    let pieces = pieces.map(|piece| ContextPiece {
        path: controls.without(&piece.path).into(),
        text: controls.without(piece.text.trim_end()).into(),
    });
    pieces.collect()
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
