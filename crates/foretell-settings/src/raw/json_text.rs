//! JSON with comments and trailing commas, as dotted names with their offsets.
//!
//! Comments and trailing commas are blanked out first, each byte by a space, so that what remains is
//! plain JSON with every offset where it was. It is then read level by level: the parser hands out
//! keys and values as slices of the text, and where a slice lies in the text is its offset. (A tree
//! would have lost the offsets, and keys that stand twice.)

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::{FoundEntry, ReadingFault, TextReading, WrittenValue, dotted};
use crate::setting_origin::PlaceIndex;

/// The ends of a comment. Some editors take the last two for ends of lines, so that what is behind them
/// is a setting to those: it must not be taken for a comment. The parser refuses them outside of one.
const LINE_ENDS: [char; 4] = ['\n', '\r', '\u{2028}', '\u{2029}'];

/// How deep objects may be in each other. Settings need five.
const DEEPEST: usize = 64;

pub(super) fn read(text: &str) -> Result<TextReading, ReadingFault> {
    let plain = blank_out_extras(text);
    let mut reading = TextReading {
        found: Vec::new(),
        repeated: Vec::new(),
        unset: Vec::new(),
    };
    if !plain.trim().is_empty() {
        let whole: &RawValue = parse(&plain, &plain)?;
        match first_byte(whole) {
            b'{' => gather(&plain, "", whole, 0, &mut reading)?,
            // An editor that has nothing to say.
            b'n' => {}
            _ => {
                return Err(ReadingFault {
                    at: offset_within(&plain, whole.get()),
                    message: "settings are an object, in braces".to_owned(),
                });
            }
        }
    }
    Ok(reading)
}

fn gather(
    plain: &str,
    group: &str,
    object: &RawValue,
    depth: usize,
    reading: &mut TextReading,
) -> Result<(), ReadingFault> {
    let JsonPairs(pairs) = parse(plain, object.get())?;
    for (key, value) in pairs {
        let at = offset_within(plain, key.get());
        let key: String = parse(plain, key.get())?;
        // Editors find the schema by this key, and it is not for us.
        let is_schema = group.is_empty() && key == "$schema";
        if is_schema {
            continue;
        }
        if first_byte(value) == b'n' {
            reading.unset.push((dotted(group, &key), at));
            continue;
        }
        if depth == DEEPEST {
            let message = format!("objects are nested more than {DEEPEST} deep");
            return Err(ReadingFault { at, message });
        }
        let name = dotted(group, &key);
        let before = reading.found.len();
        if first_byte(value) == b'{' {
            gather(plain, &name, value, depth + 1, reading)?;
        }
        let is_group = reading.found.len() > before;
        if !is_group {
            let written = written(plain, value)?;
            reading.found.push(FoundEntry { name, at, written });
        }
    }
    Ok(())
}

fn written(plain: &str, value: &RawValue) -> Result<WrittenValue, ReadingFault> {
    let text = value.get();
    Ok(match first_byte(value) {
        b't' => WrittenValue::Switch(true),
        b'f' => WrittenValue::Switch(false),
        b'"' => WrittenValue::Text(parse(plain, text)?),
        b'{' => WrittenValue::Table,
        b'[' => {
            let items: Vec<&RawValue> = parse(plain, text)?;
            let written = items.into_iter().map(|item| written_in_list(plain, item));
            WrittenValue::List(written.collect::<Result<_, _>>()?)
        }
        _ => text.parse().map_or_else(
            |_| WrittenValue::Number(text.parse().unwrap_or(f64::NAN)),
            WrittenValue::Whole,
        ),
    })
}

/// No setting is a list of lists, so what is in an inner one does not matter.
fn written_in_list(plain: &str, item: &RawValue) -> Result<WrittenValue, ReadingFault> {
    match first_byte(item) {
        b'[' => Ok(WrittenValue::List(Vec::new())),
        _ => written(plain, item),
    }
}

/// The first byte of a value, which says what it is.
fn first_byte(value: &RawValue) -> u8 {
    value.get().bytes().next().unwrap_or_default()
}

/// Parses a part of the text, and says in the whole of it where that failed.
fn parse<'t, T: Deserialize<'t>>(plain: &str, part: &'t str) -> Result<T, ReadingFault> {
    serde_json::from_str(part).map_err(|error| {
        let place = format!(" at line {} column {}", error.line(), error.column());
        let message = error.to_string();
        let line_start = PlaceIndex::of(part).line_start(error.line());
        // The parser counts bytes, and the one it tells is the last that it took.
        let within = (line_start + error.column().saturating_sub(1)).min(part.len());
        ReadingFault {
            at: offset_within(plain, part) + within,
            message: message.strip_suffix(&place).unwrap_or(&message).to_owned(),
        }
    })
}

/// Where a slice of the text lies in it.
fn offset_within(whole: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(whole.as_ptr() as usize)
}

/// The members of an object in their order, also those that stand twice.
struct JsonPairs<'t>(Vec<(&'t RawValue, &'t RawValue)>);

impl<'de> Deserialize<'de> for JsonPairs<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct PairVisitor;

        impl<'de> Visitor<'de> for PairVisitor {
            type Value = JsonPairs<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(JsonPairs(pairs))
            }
        }

        deserializer.deserialize_map(PairVisitor)
    }
}

/// The text with comments and trailing commas replaced by as many spaces as they have bytes.
///
/// A comment that does not end, and a comma with nothing before it, stay for the parser to refuse.
fn blank_out_extras(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    // Where a comma stands that is a trailing one, should the next thing be a closing bracket.
    let mut comma = None;
    let mut last = None;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '"' => string_length(rest),
            '/' => comment_length(rest),
            _ => c.len_utf8(),
        };
        let (piece, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        rest = after;
        if c == '/' && length > 1 {
            plain.extend(piece.chars().flat_map(blank));
            continue;
        }
        if c.is_ascii_whitespace() {
            plain.push(c);
            continue;
        }
        if let ('}' | ']', Some(at)) = (c, comma) {
            plain.replace_range(at..at + 1, " ");
        }
        let follows_value = !matches!(last, None | Some('{' | '[' | ',' | ':'));
        comma = (c == ',' && follows_value).then_some(plain.len());
        last = Some(c);
        plain.push_str(piece);
    }
    plain
}

/// Line breaks stay, so that lines can still be counted.
fn blank(c: char) -> impl Iterator<Item = char> {
    let (with, times) = match c {
        '\n' | '\r' => (c, 1),
        _ => (' ', c.len_utf8()),
    };
    std::iter::repeat_n(with, times)
}

/// The length of the string at the front, with its quotes.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of the comment at the front, or 1 if there is none.
fn comment_length(text: &str) -> usize {
    if text.starts_with("//") {
        return text.find(LINE_ENDS).unwrap_or(text.len());
    }
    match text.strip_prefix("/*").and_then(|inside| inside.find("*/")) {
        Some(end) => "/*".len() + end + "*/".len(),
        None => 1,
    }
}
