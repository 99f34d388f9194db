//! TOML, as dotted names with their offsets.
//!
//! The parser goes on after a mistake and tells all of them. A key that stands twice is the one mistake
//! that leaves no doubt about the rest, so it costs that key only; any other costs the whole text,
//! because a table header that was not understood would move everything after it into another table.
//! Of several such mistakes the first is told: the others are often its consequences.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Broken, Found, Reading, Repeated, Written, dotted};

/// What the parser says of a key that stands twice. If it ever says something else, such a key costs
/// the whole file, and a test fails.
const DUPLICATE_KEY: &str = "duplicate key";

pub(super) fn read(text: &str) -> Result<Reading, Broken> {
    let (table, errors) = DeTable::parse_recoverable(text);
    let mut repeated = Vec::new();
    for error in errors {
        let span = error.span().unwrap_or(text.len()..text.len());
        let at = span.start;
        if error.message() != DUPLICATE_KEY {
            let message = error.message().to_owned();
            return Err(Broken { at, message });
        }
        let key = text.get(span).unwrap_or_default();
        let name = key.trim_matches(['"', '\'']).to_owned();
        repeated.push(Repeated { name, at });
    }
    let mut found = Vec::new();
    gather("", table.get_ref(), &mut found);
    // TOML has no way to say nothing.
    let unset = Vec::new();
    Ok(Reading {
        found,
        repeated,
        unset,
    })
}

/// A single value, or nothing if the text is not one.
pub(super) fn read_value(text: &str) -> Option<Written> {
    let value = DeValue::parse(text).ok()?;
    Some(written(value.get_ref()))
}

/// Walks into tables; the parser has limited how deep they are.
fn gather(group: &str, table: &DeTable<'_>, found: &mut Vec<Found>) {
    for (key, value) in table.iter() {
        let name = dotted(group, key.get_ref());
        match value.get_ref() {
            DeValue::Table(inner) if !inner.is_empty() => gather(&name, inner, found),
            value => found.push(Found {
                name,
                at: key.span().start,
                written: written(value),
            }),
        }
    }
}

fn written(value: &DeValue<'_>) -> Written {
    match value {
        DeValue::String(text) => Written::Text(text.clone().into_owned()),
        DeValue::Integer(number) => i128::from_str_radix(number.as_str(), number.radix())
            .map_or_else(|_| too_large(number.as_str()), Written::Whole),
        DeValue::Float(number) => Written::Number(number.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(on) => Written::Switch(*on),
        DeValue::Datetime(_) => Written::Date,
        DeValue::Array(items) => {
            Written::List(items.iter().map(Spanned::get_ref).map(written).collect())
        }
        DeValue::Table(_) => Written::Table,
    }
}

/// A whole number that no setting comes near, kept well enough to say so.
fn too_large(digits: &str) -> Written {
    if digits.starts_with('-') {
        return Written::Number(f64::NEG_INFINITY);
    }
    Written::Number(f64::INFINITY)
}
