//! TOML, as dotted names with their offsets.
//!
//! The parser goes on after a mistake and tells all of them. A key that stands twice is the one mistake
//! that leaves no doubt about the rest, so it costs that key only; any other costs the whole text,
//! because a table header that was not understood would move everything after it into another table.
//! Of several such mistakes the first is told: the others are often its consequences.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{FoundEntry, ReadingFault, RepeatedKey, TextReading, WrittenValue, dotted};

/// The parser's message for a key that stands twice. If it ever says something else, such a key
/// costs the whole file, and a test fails.
const DUPLICATE_KEY: &str = "duplicate key";

pub(super) fn read(text: &str) -> Result<TextReading, ReadingFault> {
    let (table, errors) = DeTable::parse_recoverable(text);
    let mut repeated = Vec::new();
    for error in errors {
        let span = error.span().unwrap_or(text.len()..text.len());
        let at = span.start;
        if error.message() != DUPLICATE_KEY {
            let message = error.message().to_owned();
            return Err(ReadingFault { at, message });
        }
        let key = text.get(span).unwrap_or_default();
        let name = key.trim_matches(['"', '\'']).to_owned();
        repeated.push(RepeatedKey { name, at });
    }
    let mut found = Vec::new();
    gather("", table.get_ref(), &mut found);
    // TOML has no way to say nothing.
    let unset = Vec::new();
    Ok(TextReading {
        found,
        repeated,
        unset,
    })
}

/// A single value, or nothing if the text is not one.
pub(super) fn read_value(text: &str) -> Option<WrittenValue> {
    let value = DeValue::parse(text).ok()?;
    Some(written(value.get_ref()))
}

/// Walks into tables; the parser has limited how deep they are.
fn gather(group: &str, table: &DeTable<'_>, found: &mut Vec<FoundEntry>) {
    for (key, value) in table.iter() {
        let name = dotted(group, key.get_ref());
        match value.get_ref() {
            DeValue::Table(inner) if !inner.is_empty() => gather(&name, inner, found),
            value => found.push(FoundEntry {
                name,
                at: key.span().start,
                written: written(value),
            }),
        }
    }
}

fn written(value: &DeValue<'_>) -> WrittenValue {
    match value {
        DeValue::String(text) => WrittenValue::Text(text.clone().into_owned()),
        DeValue::Integer(number) => i128::from_str_radix(number.as_str(), number.radix())
            .map_or_else(|_| too_large(number.as_str()), WrittenValue::Whole),
        DeValue::Float(number) => WrittenValue::Number(number.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(on) => WrittenValue::Switch(*on),
        DeValue::Datetime(_) => WrittenValue::Date,
        DeValue::Array(items) => {
            WrittenValue::List(items.iter().map(Spanned::get_ref).map(written).collect())
        }
        DeValue::Table(_) => WrittenValue::Table,
    }
}

/// A whole number that no setting comes near, kept well enough to say so.
fn too_large(digits: &str) -> WrittenValue {
    if digits.starts_with('-') {
        return WrittenValue::Number(f64::NEG_INFINITY);
    }
    WrittenValue::Number(f64::INFINITY)
}
