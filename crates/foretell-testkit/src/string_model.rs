//! The plainest possible implementation of text and edits: a `String` and loops over its characters.
//!
//! It is what property tests and benchmarks compare with, so it shares no code with what it checks
//! and has no cleverness to be wrong about. It panics when asked wrongly.

use foretell_text::{ByteOffset, ByteRange, Edit, Position, PositionEncoding};

/// The text after an edit.
pub fn apply(text: &str, edit: &Edit) -> String {
    let mut after = String::new();
    let mut done = 0;
    for replacement in edit.replacements() {
        after += &text[done..replacement.range().start().get()];
        after += replacement.new_text();
        done = replacement.range().end().get();
    }
    after + &text[done..]
}

/// Every offset between two characters, the start and the end included.
pub fn boundaries(text: &str) -> Vec<ByteOffset> {
    (0..=text.len())
        .filter(|offset| text.is_char_boundary(*offset))
        .map(ByteOffset::new)
        .collect()
}

/// How many units of an encoding a text is long.
pub fn len_in(text: &str, encoding: PositionEncoding) -> usize {
    match encoding {
        PositionEncoding::Utf8 => text.len(),
        PositionEncoding::Utf16 => text.encode_utf16().count(),
        PositionEncoding::Utf32 => text.chars().count(),
    }
}

/// Every line, without its line end.
pub fn lines(text: &str) -> Vec<ByteRange> {
    let mut lines = Vec::new();
    let mut start = 0;
    let mut rest = text.char_indices().peekable();
    while let Some((at, character)) = rest.next() {
        let end = match (character, rest.peek()) {
            ('\r', Some((_, '\n'))) => {
                rest.next();
                at + 2
            }
            ('\r' | '\n', _) => at + 1,
            _ => continue,
        };
        lines.push(range(start, at));
        start = end;
    }
    lines.push(range(start, text.len()));
    lines
}

/// The line and column of an offset.
pub fn position_of(text: &str, offset: ByteOffset, encoding: PositionEncoding) -> Position {
    let before = lines(text)
        .into_iter()
        .take_while(|line| line.start() <= offset)
        .collect::<Vec<_>>();
    let line = before.last().expect("the first line starts at zero");
    let column = len_in(&text[line.start().get()..offset.get()], encoding);
    Position::new(before.len() as u32 - 1, column as u32)
}

/// How many bytes two texts have in common at their ends, in whole characters.
pub fn common_suffix(a: &str, b: &str) -> usize {
    a.chars()
        .rev()
        .zip(b.chars().rev())
        .take_while(|(a, b)| a == b)
        .map(|(a, _)| a.len_utf8())
        .sum()
}

/// How many bytes two texts have in common at their starts, in whole characters.
pub fn common_prefix(a: &str, b: &str) -> usize {
    a.chars()
        .zip(b.chars())
        .take_while(|(a, b)| a == b)
        .map(|(a, _)| a.len_utf8())
        .sum()
}

/// A range whose ends are known to be in order.
pub fn range(start: usize, end: usize) -> ByteRange {
    ByteRange::new(ByteOffset::new(start), ByteOffset::new(end)).expect("start before end")
}
