//! Times, places and edits in a few words, for people.
//!
//! Whatever comes from a trace is escaped: a file that somebody attached to a bug report must not
//! be able to write to the terminal as it likes.

use foretell_core::RejectionId;
pub(crate) use foretell_text::plain::plural as count;
use foretell_text::{ByteOffset, DocumentId, Edit, PositionEncoding, Replacement, Text};

/// How many characters of a text are shown.
const SHOWN: usize = 24;

/// How long the name of a file may be.
const LONGEST_NAME: usize = 24;

/// How many characters are shown of what an edit leaves as it is, where it has to be shortened.
const SHOWN_BEFORE: usize = 8;

/// `1:02.345`
pub(crate) fn time(millis: u64) -> String {
    let (seconds, millis) = (millis / 1000, millis % 1000);
    format!("{}:{:02}.{millis:03}", seconds / 60, seconds % 60)
}

/// The last part of a document's URI, or the end of it.
pub(crate) fn file_name(document: &DocumentId) -> String {
    let uri = document.as_str().trim_end_matches('/');
    let name = uri.rsplit('/').next().unwrap_or(uri);
    let name = escaped(name);
    match name.chars().count().checked_sub(LONGEST_NAME) {
        None | Some(0) => name,
        // The end of a name says more than its beginning.
        Some(over) => format!("…{}", name.chars().skip(over + 1).collect::<String>()),
    }
}

/// A place in a text, `3:5`, both counted from 1 and columns in characters.
pub(super) fn place(at: ByteOffset, text: &Text) -> Option<String> {
    let position = text.position_of(at, PositionEncoding::Utf32).ok()?;
    Some(format!("{}:{}", position.line + 1, position.column + 1))
}

/// `12.3 %`
pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// An edit of a text, in short: `+ "new"`, `- "old"`, `"old" -> "new"`.
pub(super) fn edit(edit: &Edit, text: Option<&Text>) -> String {
    let Some((first, more)) = edit.replacements().split_first() else {
        return "nothing".to_owned();
    };
    let first = replacement(first, text);
    match more.len() {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

/// `#1`, `#1, #2`, or how many where there are many.
pub(super) fn rejections(ids: &[RejectionId]) -> String {
    match ids {
        [first, .., last] if ids.len() > 4 => {
            format!("{} rejections, #{first} to #{last},", ids.len())
        }
        _ => {
            let ids: Vec<_> = ids.iter().map(|id| format!("#{id}")).collect();
            ids.join(", ")
        }
    }
}

fn replacement(replacement: &Replacement, text: Option<&Text>) -> String {
    let (range, new) = (replacement.range(), replacement.new_text());
    let old = text.map(|text| text.read(range).unwrap_or_default());
    match (old, range.is_empty(), new.is_empty()) {
        (_, true, true) => "nothing".to_owned(),
        (_, true, false) => format!("+ {}", quoted(new, 0)),
        (Some(old), false, true) => format!("- {}", quoted(&old, 0)),
        (Some(old), false, false) => {
            let skipped = skipped(&old, new);
            format!("{} -> {}", quoted(&old, skipped), quoted(new, skipped))
        }
        // Of a document that is not open, only the numbers are known.
        (None, false, _) => {
            let (start, end) = (range.start(), range.end());
            format!("[{start} to {end}] -> {}", quoted(new, 0))
        }
    }
}

/// How much of the beginning is left out so that what differs is seen.
fn skipped(old: &str, new: &str) -> usize {
    let is_short = |text: &str| text.chars().nth(SHOWN).is_none();
    if is_short(old) && is_short(new) {
        return 0;
    }
    let same = old.chars().zip(new.chars());
    let same = same.take_while(|(old, new)| old == new).count();
    same.saturating_sub(SHOWN_BEFORE)
}

/// A text between quotes, without so many of its first characters, and not all of the rest if that
/// is long.
fn quoted(text: &str, skipped: usize) -> String {
    let mut characters = text.chars().skip(skipped);
    let shown: String = characters.by_ref().take(SHOWN).collect();
    let before = if skipped > 0 { "…" } else { "" };
    let after = characters.next().map_or("", |_| "…");
    format!("\"{before}{}{after}\"", escaped(&shown))
}

/// A text without anything that a terminal would obey.
pub(crate) fn escaped(text: &str) -> String {
    let escape = |c: char| {
        // Nothing here stands between single quotes.
        let as_it_is = (c == '\'').then_some(c);
        let otherwise = (c != '\'').then(|| c.escape_debug());
        as_it_is.into_iter().chain(otherwise.into_iter().flatten())
    };
    text.chars().flat_map(escape).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use foretell_text::ByteRange;

    #[test]
    fn times_are_minutes_seconds_and_milliseconds() {
        let said = [0, 999, 61_002, 3_600_000].map(time);
        assert_eq!(said, ["0:00.000", "0:00.999", "1:01.002", "60:00.000"]);
    }

    #[test]
    fn nothing_from_a_trace_reaches_the_terminal_as_it_is() {
        let bell = Edit::from(Replacement::insertion(ByteOffset::ZERO, "\u{1b}[2J\u{7}"));
        assert_eq!(edit(&bell, None), r#"+ "\u{1b}[2J\u{7}""#);
        let name = file_name(&DocumentId::new("file:///\u{1b}]0;x"));
        assert_eq!(name, r"\u{1b}]0;x");
        assert_eq!(escaped("it's\n\"ë\""), r#"it's\n\"ë\""#);
    }

    #[test]
    fn edits_are_told_by_what_goes_and_what_comes() {
        let text = Text::from("let größe = 1;\n");
        let range = ByteRange::new(ByteOffset::new(4), ByteOffset::new(11)).unwrap();
        let told = |new| edit(&Replacement::new(range, new).into(), Some(&text));
        assert_eq!(told("size"), r#""größe" -> "size""#);
        assert_eq!(told(""), r#"- "größe""#);
        let long = Replacement::insertion(ByteOffset::ZERO, "abcdefghijklmnopqrstuvwxyz");
        assert_eq!(edit(&long.into(), None), r#"+ "abcdefghijklmnopqrstuvwx…""#);
        let line = ByteRange::new(ByteOffset::ZERO, ByteOffset::new(16)).unwrap();
        let longer = Replacement::new(line, "let größe = 1; // in centimetres");
        assert_eq!(
            edit(&longer.into(), Some(&text)),
            r#""…öße = 1;" -> "…öße = 1; // in centimetr…""#
        );
    }
}
