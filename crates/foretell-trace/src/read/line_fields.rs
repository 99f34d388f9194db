//! The fields of a line, each asked for by name and kind, with an error that names it.
//!
//! A line is parsed to a tree of values first, and what it must hold is asked of the tree. Derived
//! parsers would be faster, and say "invalid type: integer `5`" without saying of what; a trace is
//! often written by hand, so the name matters more.

use std::fmt;

use serde_json::{Map, Value};

use super::problem::TraceProblem;

/// An object of which fields are asked for.
#[derive(Clone, Copy)]
pub(super) struct LineObject<'a> {
    fields: &'a Map<String, Value>,
    path: Option<&'a FieldPath<'a>>,
}

/// A field that is there.
pub(super) struct LineField<'a> {
    value: &'a Value,
    path: FieldPath<'a>,
}

/// The way to a field, written out only when it is needed for an error.
#[derive(Clone, Copy)]
pub(super) struct FieldPath<'a> {
    parent: Option<&'a FieldPath<'a>>,
    step: PathStep,
}

#[derive(Clone, Copy)]
enum PathStep {
    Key(&'static str),
    Index(usize),
}

impl<'a> LineObject<'a> {
    /// A whole line.
    pub(super) fn of_line(value: &'a Value) -> Result<Self, TraceProblem> {
        let fields = value.as_object().ok_or_else(|| TraceProblem::NotAnObject {
            found: kind_of(value),
        })?;
        Ok(LineObject { fields, path: None })
    }

    /// A field that must be there, of whatever kind.
    pub(super) fn required(&self, key: &'static str) -> Result<LineField<'a>, TraceProblem> {
        let path = self.path(key);
        match self.fields.get(key) {
            Some(value) => Ok(LineField { value, path }),
            None => Err(TraceProblem::Missing {
                field: path.to_string(),
            }),
        }
    }

    /// A field that may be there; `null` is as good as absent.
    pub(super) fn optional(&self, key: &'static str) -> Option<LineField<'a>> {
        let path = self.path(key);
        let value = self.fields.get(key).filter(|value| !value.is_null())?;
        Some(LineField { value, path })
    }

    pub(super) fn text(&self, key: &'static str) -> Result<&'a str, TraceProblem> {
        self.required(key)?.text()
    }

    pub(super) fn optional_text(&self, key: &'static str) -> Result<Option<&'a str>, TraceProblem> {
        self.optional(key).map(|field| field.text()).transpose()
    }

    pub(super) fn whole(&self, key: &'static str) -> Result<u64, TraceProblem> {
        self.required(key)?.whole()
    }

    pub(super) fn optional_whole(&self, key: &'static str) -> Result<Option<u64>, TraceProblem> {
        self.optional(key).map(|field| field.whole()).transpose()
    }

    fn path(&self, key: &'static str) -> FieldPath<'a> {
        FieldPath {
            parent: self.path,
            step: PathStep::Key(key),
        }
    }
}

impl<'a> LineField<'a> {
    pub(super) fn is_null(&self) -> bool {
        self.value.is_null()
    }

    pub(super) fn path(&self) -> &FieldPath<'a> {
        &self.path
    }

    pub(super) fn text(&self) -> Result<&'a str, TraceProblem> {
        self.value.as_str().ok_or_else(|| self.wrong("a text"))
    }

    /// A text, or a number as editors that count their requests have it.
    pub(super) fn name(&self) -> Result<String, TraceProblem> {
        match self.value.as_u64() {
            Some(number) => Ok(number.to_string()),
            None => self.text().map(str::to_owned),
        }
    }

    pub(super) fn flag(&self) -> Result<bool, TraceProblem> {
        let wanted = "true or false";
        self.value.as_bool().ok_or_else(|| self.wrong(wanted))
    }

    pub(super) fn whole(&self) -> Result<u64, TraceProblem> {
        let wanted = "a whole number from 0 on";
        self.value.as_u64().ok_or_else(|| self.wrong(wanted))
    }

    /// A count of bytes or code units. One that no text can have is as large as can be.
    pub(super) fn count(&self) -> Result<usize, TraceProblem> {
        let whole = self.whole()?;
        Ok(usize::try_from(whole).unwrap_or(usize::MAX))
    }

    pub(super) fn object(&self) -> Result<LineObject<'_>, TraceProblem> {
        let fields = self.value.as_object();
        let fields = fields.ok_or_else(|| self.wrong("an object"))?;
        let path = Some(&self.path);
        Ok(LineObject { fields, path })
    }

    /// The items of a list, as fields.
    pub(super) fn items(
        &self,
    ) -> Result<impl ExactSizeIterator<Item = LineField<'_>>, TraceProblem> {
        let items = self.value.as_array().ok_or_else(|| self.wrong("a list"))?;
        Ok(items.iter().enumerate().map(|(index, value)| {
            let path = FieldPath {
                parent: Some(&self.path),
                step: PathStep::Index(index),
            };
            LineField { value, path }
        }))
    }

    /// The meaning of a word, out of those that make sense here.
    pub(super) fn word<T: Copy>(
        &self,
        known: impl IntoIterator<Item = (&'static str, T)> + Clone,
    ) -> Result<T, TraceProblem> {
        let word = self.text()?;
        let found = known.clone().into_iter().find(|(name, _)| *name == word);
        found.map(|(_, meant)| meant).ok_or_else(|| {
            let known = known.into_iter().map(|(name, _)| name).collect();
            TraceProblem::UnknownWord {
                field: self.path.to_string(),
                found: word.to_owned(),
                known,
            }
        })
    }

    /// The field as JSON again.
    pub(super) fn json(&self) -> String {
        self.value.to_string()
    }

    pub(super) fn wrong(&self, wanted: &'static str) -> TraceProblem {
        TraceProblem::WrongKind {
            field: self.path.to_string(),
            found: kind_of(self.value),
            wanted,
        }
    }
}

/// `changes[1].at`
impl fmt::Display for FieldPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(parent) = self.parent {
            parent.fmt(f)?;
        }
        match self.step {
            PathStep::Key(key) if self.parent.is_some() => write!(f, ".{key}"),
            PathStep::Key(key) => f.write_str(key),
            PathStep::Index(index) => write!(f, "[{index}]"),
        }
    }
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(number) if number.is_u64() => "a whole number",
        Value::Number(number) if number.is_i64() => "a negative number",
        Value::Number(_) => "another number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
