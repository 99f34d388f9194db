//! Positions, ranges, suggestions and their names, to and from LSP's.
//!
//! A position means nothing without the text it was made for, so everything here takes that text.
//! Anything that does not fit it is an error value, never a guess: a suggestion at the wrong place
//! is worse than none.

use foretell_core::{RequestId, SuggestionId};
use foretell_text::{
    ByteOffset, ByteRange, Edit, PositionEncoding, PositionError, ReversedRange, Text,
};
use gen_lsp_types::{Position, Range};

/// The offset of a place where a cursor is. A column behind the end of its line is not clamped: such
/// a cursor is ahead of the text that is known.
pub(crate) fn cursor(
    text: &Text,
    position: Position,
    encoding: PositionEncoding,
) -> Result<ByteOffset, PositionError> {
    let position = foretell_text::Position::new(position.line, position.character);
    text.offset_at(position, encoding)
}

/// The offset of a position in a change, with a column behind the end of its line clamped, as LSP
/// says.
pub(crate) fn offset(
    text: &Text,
    position: Position,
    encoding: PositionEncoding,
) -> Result<ByteOffset, PositionError> {
    let position = foretell_text::Position::new(position.line, position.character);
    text.offset_at_lsp(position, encoding)
}

/// The bytes of a range.
pub(crate) fn range(
    text: &Text,
    range: Range,
    encoding: PositionEncoding,
) -> Result<ByteRange, RangeMisfit> {
    let start = offset(text, range.start, encoding)?;
    // A line behind the last is its end, as LSP says: that is how many clients say "to the end".
    let end = offset(text, range.end, encoding).or_else(|error| match error {
        PositionError::NoSuchLine { .. } => Ok(text.end()),
        error => Err(error),
    })?;
    Ok(ByteRange::new(start, end)?)
}

/// A range whose start comes first: some editors begin with the end that does not move.
pub(crate) fn ordered(range: Range) -> Range {
    Range::new(range.start.min(range.end), range.start.max(range.end))
}

/// A range that is not one of the text it was used on.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RangeMisfit {
    #[error(transparent)]
    Position(#[from] PositionError),
    #[error(transparent)]
    Reversed(#[from] ReversedRange),
}

/// The position of an offset, if it is one of the text.
pub(crate) fn position(
    text: &Text,
    offset: ByteOffset,
    encoding: PositionEncoding,
) -> Option<Position> {
    let position = text.position_of(offset, encoding).ok()?;
    Some(Position::new(position.line, position.column))
}

/// A suggestion as an inline completion has to be: one range, on one line, and its new text.
/// Nothing, if it cannot be said so.
pub(crate) fn inline(
    text: &Text,
    edit: &Edit,
    encoding: PositionEncoding,
) -> Option<(Range, String)> {
    let (range, new_text) = whole(text, edit, encoding)?;
    let is_on_a_line = range.start.line == range.end.line;
    is_on_a_line.then_some((range, new_text))
}

/// A suggestion as one range and its new text, on as many lines as it takes.
pub(crate) fn whole(
    text: &Text,
    edit: &Edit,
    encoding: PositionEncoding,
) -> Option<(Range, String)> {
    let span = edit.span()?;
    let start = position(text, span.start(), encoding)?;
    let end = position(text, span.end(), encoding)?;
    let mut new_text = String::new();
    let mut behind = span.start();
    for replacement in edit.replacements() {
        let kept = ByteRange::new(behind, replacement.range().start()).ok()?;
        new_text.push_str(&text.read(kept).ok()?);
        new_text.push_str(replacement.new_text());
        behind = replacement.range().end();
    }
    Some((Range::new(start, end), new_text))
}

/// The name of a suggestion on the wire.
pub(crate) fn name_of(suggestion: SuggestionId) -> String {
    format!("{}.{}", suggestion.request.get(), suggestion.candidate)
}

/// The suggestion of a name.
pub(crate) fn suggestion_of(name: &str) -> Option<SuggestionId> {
    let (request, candidate) = name.split_once('.')?;
    Some(SuggestionId {
        request: RequestId::new(request.parse().ok()?),
        candidate: candidate.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use foretell_text::Replacement;

    #[test]
    fn names_are_read_back() {
        let suggestion = SuggestionId {
            request: RequestId::new(12),
            candidate: 3,
        };
        assert_eq!(name_of(suggestion), "12.3");
        assert_eq!(suggestion_of("12.3"), Some(suggestion));
        for wrong in [
            "",
            "12",
            "12.",
            ".3",
            "a.b",
            "-1.0",
            "99999999999999999999.0",
        ] {
            assert_eq!(suggestion_of(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn several_replacements_become_one() {
        let text = Text::from("aé bé cé\n");
        let replace = |start: usize, end: usize, new_text: &str| {
            let range = ByteRange::new(ByteOffset::new(start), ByteOffset::new(end)).unwrap();
            Replacement::new(range, new_text)
        };
        let edit = Edit::new(vec![replace(1, 3, "1"), replace(5, 7, "22")]).unwrap();
        let (range, new_text) = inline(&text, &edit, PositionEncoding::Utf16).unwrap();
        assert_eq!(range, Range::new(Position::new(0, 1), Position::new(0, 5)));
        assert_eq!(new_text, "1 b22");
    }

    #[test]
    fn what_spans_lines_cannot_be_shown_inline() {
        let text = Text::from("a\nb");
        let all = ByteRange::new(ByteOffset::ZERO, text.end()).unwrap();
        let edit = Edit::from(Replacement::new(all, "c"));
        assert!(inline(&text, &edit, PositionEncoding::Utf16).is_none());
        assert!(inline(&text, &Edit::empty(), PositionEncoding::Utf16).is_none());
    }
}
