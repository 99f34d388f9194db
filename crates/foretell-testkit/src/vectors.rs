//! Recorded inputs and outputs of the reference implementation.
//!
//! A file is `{"meta": …, "cases": [one case per line]}`. Offsets and lengths are UTF-16 code units,
//! and a string that the reference cut inside a surrogate pair is written as its code units; such a
//! case cannot be put as a case of ours, which never cuts a character, and reading it says so by
//! giving nothing.

use std::path::Path;

use foretell_text::{ByteRange, Edit, Replacement, Text, Utf16Offset};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// The cases of a file, in order; where they stand is their name.
pub fn read<C: DeserializeOwned>(path: &Path) -> Vec<C> {
    #[derive(Deserialize)]
    struct VectorFile<C> {
        cases: Vec<C>,
    }
    let json = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let file: VectorFile<C> =
        serde_json::from_slice(&json).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    file.cases
}

/// A string as the reference has it: code units, which need not be valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Utf16String(Vec<u16>);

impl From<&str> for Utf16String {
    fn from(text: &str) -> Self {
        Utf16String(text.encode_utf16().collect())
    }
}

impl Utf16String {
    /// How many code units it has.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether an offset falls between the halves of a surrogate pair.
    pub fn is_cut_at(&self, offset: usize) -> bool {
        let high = |unit: &u16| (0xd800..0xdc00).contains(unit);
        let low = |unit: &u16| (0xdc00..0xe000).contains(unit);
        let before = offset.checked_sub(1).and_then(|before| self.0.get(before));
        before.is_some_and(high) && self.0.get(offset).is_some_and(low)
    }

    /// The string, unless a surrogate pair was cut.
    pub fn to_text(&self) -> Option<String> {
        String::from_utf16(&self.0).ok()
    }

    /// A string of as many ASCII letters as this has code units, for cases that come without a text,
    /// where only lengths matter.
    pub fn stand_in(&self) -> String {
        self.0
            .iter()
            .map(|unit| char::from(b'a' + (unit % 26) as u8))
            .collect()
    }
}

impl<'de> Deserialize<'de> for Utf16String {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::String(string) => Ok(Utf16String::from(string.as_str())),
            Value::Object(mut units) => {
                let units = units.remove("u16").unwrap_or_default();
                Vec::deserialize(units)
                    .map(Utf16String)
                    .map_err(D::Error::custom)
            }
            other => Err(D::Error::custom(format!("not a string: {other}"))),
        }
    }
}

/// One replacement, as the reference has it.
#[derive(Clone, Debug, Deserialize)]
pub struct ReferenceChange {
    /// Where it starts.
    pub pos: usize,
    /// How much it removes.
    pub len: usize,
    /// Its new text.
    pub txt: Utf16String,
}

impl ReferenceChange {
    /// Whether it cuts a surrogate pair of a text, or has one cut in its own. Told from the code
    /// units alone, so that a fault in our own conversions cannot pass for one of these.
    pub fn cuts(&self, text: &Utf16String) -> bool {
        text.is_cut_at(self.pos)
            || text.is_cut_at(self.pos + self.len)
            || self.txt.to_text().is_none()
    }

    /// As a replacement of a text, unless it cuts a character of it or does not fit.
    pub fn in_text(&self, text: &Text) -> Option<Replacement> {
        let start = text.byte_of(Utf16Offset::new(self.pos)).ok()?;
        let end = text.byte_of(Utf16Offset::new(self.pos + self.len)).ok()?;
        let range = ByteRange::new(start, end).ok()?;
        Some(Replacement::new(range, self.txt.to_text()?))
    }

    /// As a replacement of a text that is not known, in which every code unit is one byte.
    pub fn in_ascii(&self) -> Replacement {
        let range = crate::string_model::range(self.pos, self.pos + self.len);
        Replacement::new(range, self.txt.stand_in())
    }
}

/// Changes as an edit of a text, unless they cut a character of it or do not fit.
pub fn edit_in_text(changes: &[ReferenceChange], text: &Text) -> Option<Edit> {
    let replacements = changes
        .iter()
        .map(|change| change.in_text(text))
        .collect::<Option<_>>()?;
    Edit::new(replacements).ok()
}

/// Changes as an edit of a text that is not known, in which every code unit is one byte.
pub fn edit_in_ascii(changes: &[ReferenceChange]) -> Edit {
    Edit::new(changes.iter().map(ReferenceChange::in_ascii).collect())
        .expect("the reference sorts them")
}
